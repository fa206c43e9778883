"""Functions of time of a robot given by its mass: Phi(t), psi(t) and the rates that act.

Named so that their results are the arguments of `generalized_inverse_dynamics`:

    inertial_parameters       theta      Theta(t) [10N], order of equation (7)
    inertial_parameter_rates  theta_dot  Theta'(t) less the moments of sources, [10N]
    relative_momentum         psi        Psi(t) [12N], order of equation (27)
    relative_momentum_rates   psi_dot    Psi'(t) less the momentum flux of sources, [12N]
    relative_energy           nu         nu(t) [N], twice the energy of the relative motion, (25)

Every target exports them beside the other functions. The time is one number t [s]; letters of the
distributions are declared parameters of the robot: an argument if they are one, else their value.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import cast

import sympy

from symdyn._errors import InputError, SizeError
from symdyn.algebra.term import lift
from symdyn.codegen.spec import Argument, FunctionSpec, Result
from symdyn.expr.graph import Graph, GraphAlgebra
from symdyn.expr.sympy_border import from_sympy
from symdyn.mass.coordinates import TIME
from symdyn.mass.mass_moments import MassMoments
from symdyn.mass.sources import Source
from symdyn.model.robot import Parameter, Robot


@dataclass(frozen=True, slots=True)
class ChangingMass:
    """What is known of one body's mass.

    Attributes
    ----------
    moments : in the body's frame
    source : of an open body, what its mass brings along; None for a closed one
    """

    moments: MassMoments
    source: Source | None = None

    @property
    def acting_phi_dot(self) -> tuple[sympy.Expr, ...]:
        """Phi' less the moments of the source, [10]."""
        if self.source is None:
            return self.moments.phi_dot
        return _less(self.moments.phi_dot, self.source.theta_dot)

    @property
    def acting_psi_dot(self) -> tuple[sympy.Expr, ...]:
        """psi' less the momentum flux of the source, [12]."""
        if self.source is None:
            return self.moments.psi_dot
        return _less(self.moments.psi_dot, self.source.psi)


@dataclass(frozen=True, slots=True)
class _Recipe:
    size: int
    of: Callable[[ChangingMass], Sequence[sympy.Expr]]
    unit: str
    doc: str


_RECIPES: dict[str, _Recipe] = {
    "inertial_parameters": _Recipe(
        10, lambda b: b.moments.phi, "kg, kg m, kg m^2", "theta at time t, equation (7)"
    ),
    "inertial_parameter_rates": _Recipe(
        10,
        lambda b: b.acting_phi_dot,
        "per s",
        "theta_dot at time t: rate of theta less the moments of sources",
    ),
    "relative_momentum": _Recipe(
        12,
        lambda b: b.moments.psi,
        "kg m/s, kg m^2/s",
        "psi at time t: moments of relative momentum, equation (27)",
    ),
    "relative_momentum_rates": _Recipe(
        12,
        lambda b: b.acting_psi_dot,
        "N, N m",
        "psi_dot at time t: rate of psi less the momentum flux of sources",
    ),
    "relative_energy": _Recipe(
        1,
        lambda b: (b.moments.nu,),
        "J",
        "nu at time t: twice the kinetic energy of the relative motion, equation (25)",
    ),
}

#: Names of the functions of time, in the order in which they are printed.
FUNCTIONS_OF_TIME: tuple[str, ...] = tuple(_RECIPES)


def derive_mass(
    robot: Robot,
    bodies: Sequence[ChangingMass | None],
    functions: Iterable[str] | None = None,
) -> dict[str, FunctionSpec]:
    """Derive the functions of time of a robot's mass.

    Parameters
    ----------
    robot : its declared parameters are the letters that the moments may hold
    bodies : one entry for each body; None for a body that keeps the robot's own parameters
    functions : names out of `FUNCTIONS_OF_TIME`; all of them if None

    Returns
    -------
    specifications by name; arguments ``t`` and, if the robot declares any, ``parameters``

    Raises
    ------
    SizeError : not one entry per body
    InputError : an unknown name, a letter that is not declared, a function of time that has no
        expression
    """
    if len(bodies) != robot.n_bodies:
        raise SizeError("derive_mass", "bodies", robot.n_bodies, len(bodies))
    wanted = list(FUNCTIONS_OF_TIME if functions is None else functions)
    for name in wanted:
        if name not in _RECIPES:
            raise InputError(
                "no such function of time",
                where="derive_mass",
                expected=" ".join(FUNCTIONS_OF_TIME),
                got=repr(name),
            )
    for body, mass in zip(robot.bodies, bodies, strict=True):
        if mass is not None:
            _check_letters(robot, body.name, mass)
    return {name: _derive_one(robot, bodies, name) for name in FUNCTIONS_OF_TIME if name in wanted}


def _derive_one(robot: Robot, bodies: Sequence[ChangingMass | None], name: str) -> FunctionSpec:
    recipe = _RECIPES[name]
    graph = Graph()
    A = GraphAlgebra(graph)
    time = graph.symbol("t")
    arguments = [Argument("t", (), (time.id,), "s", "time")]
    declared = [p for p in robot.parameters if p.is_argument]
    letters = {p.name: graph.symbol(f"parameters[{i}]") for i, p in enumerate(declared)}
    if declared:
        ids = tuple(node.id for node in letters.values())
        doc = "declared parameters of the robot, see parameter_names"
        arguments.append(Argument("parameters", (len(ids),), ids, "", doc, shared=True))
    values = {p.name: A.const(p.value) for p in robot.parameters} | letters
    entries: list[int] = []
    for body, mass in zip(robot.bodies, bodies, strict=True):
        if mass is None:
            own = lift(body.phi, A, values) if name == "inertial_parameters" else []
            entries.extend(node.id for node in own)
            entries.extend([graph.zero] * (recipe.size - len(own)))
            continue
        expressions = list(recipe.of(mass))
        nodes: dict[sympy.Basic, int] = {
            s: time.id if s == TIME else values[s.name].id for s in _letters(expressions)
        }
        entries.extend(from_sympy(graph, expressions, nodes))
    shape = (recipe.size * robot.n_bodies,)
    result = Result(name, shape, tuple(entries), recipe.unit, recipe.doc)
    return FunctionSpec(name, graph, tuple(arguments), result, recipe.doc)


def _letters(expressions: Iterable[sympy.Expr]) -> list[sympy.Symbol]:
    found = {cast("sympy.Symbol", s) for e in expressions for s in e.free_symbols}
    return sorted(found, key=sympy.default_sort_key)


def _check_letters(robot: Robot, body: str, mass: ChangingMass) -> None:
    known: dict[str, Parameter] = {p.name: p for p in robot.parameters}
    expressions = [e for recipe in _RECIPES.values() for e in recipe.of(mass)]
    for symbol in _letters(expressions):
        if symbol != TIME and symbol.name not in known:
            raise InputError(
                f"the letter {symbol.name!r} has no value",
                where=f"mass of body {body!r}",
                expected="t and declared parameters: " + (", ".join(known) or "there are none"),
                remedy="Declare it, or put a value in with MassMoments.put.",
            )


def _less(a: Sequence[sympy.Expr], b: Sequence[sympy.Expr]) -> tuple[sympy.Expr, ...]:
    return tuple(x - y for x, y in zip(a, b, strict=True))
