"""Functions of time of a robot given by its mass: Phi(t), psi(t) and the rates that act.

Their results are the arguments of the functions of the generalized equation:

    inertial_parameters         theta         Theta(t) [10N], order of equation (7)
    inertial_parameter_rates    theta_dot     Theta'(t) less the moments of sources, [10N]
    relative_momentum           psi           Psi(t) [12N], order of equation (27)
    relative_momentum_rates     psi_dot       Psi'(t) less the momentum flux of sources, [12N]
    relative_energy             nu            twice the energy of relative motion, (25), [N]
    inertial_parameter_sources  theta_source  moments of sources, [10N]
    relative_momentum_sources   psi_source    momentum flux of sources, [12N]

Every target exports them beside the other functions. The time is one number t [s]; letters of the
distributions are declared parameters of the robot: an argument if they are one, else their value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import ARRAYS
from symdyn.algebra.protocol import S
from symdyn.algebra.term import TERMS, ZERO, Term, lift, parameter, symbols_of
from symdyn.codegen.spec import Argument, FunctionSpec, Result
from symdyn.expr.graph import Graph, GraphAlgebra
from symdyn.model.mass_motion import MassAtTime, as_motion, mass_at
from symdyn.model.robot import TIME, MassMotion, Robot

if TYPE_CHECKING:
    from symdyn.mass.coordinates import Number
    from symdyn.mass.mass_moments import MassMoments
    from symdyn.mass.sources import Source

#: At how many equal steps of its interval a motion is looked at when a robot takes it.
_LOOKS = 64
#: Where a motion of all times is looked at [s].
_ANY = (0, 1)


@dataclass(frozen=True, slots=True)
class _Recipe:
    """The argument that it gives, numbers a body, unit and text."""

    argument: str
    size: int
    unit: str
    doc: str


_RECIPES: dict[str, _Recipe] = {
    "inertial_parameters": _Recipe(
        "theta", 10, "kg, kg m, kg m^2", "theta at time t, equation (7)"
    ),
    "inertial_parameter_rates": _Recipe(
        "theta_dot", 10, "per s", "theta_dot at time t: rate of theta less the moments of sources"
    ),
    "relative_momentum": _Recipe(
        "psi", 12, "kg m/s, kg m^2/s", "psi at time t: moments of relative momentum, equation (27)"
    ),
    "relative_momentum_rates": _Recipe(
        "psi_dot", 12, "N, N m", "psi_dot at time t: rate of psi less the momentum flux of sources"
    ),
    "relative_energy": _Recipe(
        "nu", 1, "J", "nu at time t: twice the kinetic energy of relative motion, equation (25)"
    ),
    "inertial_parameter_sources": _Recipe(
        "theta_source", 10, "per s", "theta_source at time t: moments of mass that comes or goes"
    ),
    "relative_momentum_sources": _Recipe(
        "psi_source", 12, "N, N m", "psi_source at time t: momentum flux of mass that comes or goes"
    ),
}

#: Names of the functions of time, in the order in which they are printed.
FUNCTIONS_OF_TIME: tuple[str, ...] = tuple(_RECIPES)
#: By argument of the generalized equation, the function of time whose result it is.
ARGUMENTS_OF_TIME: dict[str, str] = {r.argument: name for name, r in _RECIPES.items()}


def changes(robot: Robot) -> bool:
    """Whether the mass of some body changes or moves."""
    return any(body.motion is not None for body in robot.bodies)


def numbers_at_time(now: MassAtTime[S], name: str) -> list[S]:
    """Entries of a function of time, over any number kind."""
    return now.arguments()[_RECIPES[name].argument]


def mass_motion(
    moments: MassMoments,
    source: Source | None = None,
    *,
    times: tuple[Number, Number] | None = None,
) -> MassMotion:
    """Moments from SymPy as exact terms of a robot.

    Parameters
    ----------
    moments : of one body, in its frame; their letters are declared parameters of the robot
    source : of an open body, from `symdyn.mass.sources`; found and refused as there if None
    times : interval on which the body is looked at [s]; if None that of its distribution, else
        [0, 1]

    Raises
    ------
    InputError : an open body without a source, a function of time that has no expression, moments
        that no body has (`symdyn.mass.realisable`)
    UnsupportedError : a function that the table of operations lacks
    """
    from symdyn.mass.motion_terms import motion_terms
    from symdyn.mass.realisable import require_possible
    from symdyn.mass.sources import known_of, source_of

    values, interval = known_of(moments, times)
    if moments.body is None:
        require_possible(moments.phi, moments.psi, moments.nu, values, interval, "mass_motion")
    given = source_of(moments, times=times) if source is None else source
    return as_motion(motion_terms(moments, given, interval))


def with_mass(robot: Robot, motions: Mapping[str, MassMotion]) -> Robot:
    """The robot with the mass of some bodies, by name; their phi becomes that of t = 0.

    Raises
    ------
    InputError : no body of that name, a letter that the robot does not declare, moments that no
        body has with the robot's parameters
    """
    names = [body.name for body in robot.bodies]
    declared = {p.name: p.value for p in robot.parameters}
    for name, motion in motions.items():
        if name not in names:
            raise InputError(
                f"no body is called {name!r}", where="with_mass", expected=", ".join(names)
            )
        for letter in symbols_of(motion.terms()):
            if letter != TIME and letter not in declared:
                raise InputError(
                    f"the letter {letter!r} has no value",
                    where=f"mass of body {name!r}",
                    expected="t and declared parameters: " + (", ".join(declared) or "none"),
                    remedy="Declare it, or put a value in with MassMoments.put.",
                )
    bodies = tuple(
        replace(body, phi=_at_start(motions[body.name]), motion=motions[body.name])
        if body.name in motions
        else body
        for body in robot.bodies
    )
    found = replace(robot, bodies=bodies)
    for name, motion in motions.items():
        start, end = (float(e) for e in motion.times or _ANY)
        look = [start + (end - start) * k / _LOOKS for k in range(_LOOKS + 1)]
        fault = impossible_mass(found, look, [name])
        if fault is not None:
            raise fault.error("with_mass")
    return found


@dataclass(frozen=True, slots=True)
class ImpossibleMass:
    """A body that cannot exist at a time, and what is wrong with its numbers."""

    body: str
    time: float
    reason: str

    def error(self, where: str, remedy: str = "") -> InputError:
        """As a refusal."""
        return InputError(
            f"no mass has the inertial parameters of {self.body!r} at t = {self.time:.6g} s",
            where=where,
            expected="f(Phi) >= 0, and an energy nu that its relative momentum allows",
            got=self.reason,
            remedy=remedy,
        )


def impossible_mass(
    robot: Robot, times: Sequence[float], names: Collection[str] | None = None
) -> ImpossibleMass | None:
    """The first body that cannot exist at one of the times; None if there is none.

    Looked at are the given times only, and bodies whose mass changes or moves.

    Parameters
    ----------
    times : [s]
    names : of bodies; None for all
    """
    if not changes(robot):
        return None
    from symdyn.mass.realisable import first_impossible

    at = np.asarray(times, dtype=float)
    with ARRAYS.scope():
        now = mass_at(robot, ARRAYS, at)
    rows = [
        np.array([np.broadcast_to(e, at.shape) for e in entries], dtype=float)
        for entries in (now.theta, now.psi, now.nu)
    ]
    for k, body in enumerate(robot.bodies):
        if body.motion is None or (names is not None and body.name not in names):
            continue
        theta, psi, nu = rows
        found = first_impossible(theta[10 * k : 10 * k + 10], psi[12 * k : 12 * k + 12], nu[k])
        if found is not None:
            return ImpossibleMass(body.name, float(at[found[0]]), found[1])
    return None


def remarks_on_times(robot: Robot, start: float, end: float) -> list[str]:
    """Bodies of which nothing is known in a part of an interval of time, or that have no mass.

    Parameters
    ----------
    start, end : the interval, or one time twice [s]
    """
    remarks: list[str] = []
    for body in robot.bodies:
        motion = body.motion
        if motion is None or motion.times is None:
            continue
        first, last = (float(e) for e in motion.times)
        outside = [t for t in (start, end) if not first <= t <= last]
        if outside:
            remarks.append(
                f"the mass of {body.name!r} was checked from {first:.6g} to {last:.6g} s only, "
                f"not at t = {outside[-1]:.6g} s; `times` of the link widens that"
            )
    return remarks


def derive_mass(robot: Robot, functions: Iterable[str] | None = None) -> dict[str, FunctionSpec]:
    """Derive the functions of time of a robot's mass.

    Parameters
    ----------
    robot : bodies without a motion keep their parameters
    functions : names out of `FUNCTIONS_OF_TIME`; all of them if None

    Returns
    -------
    specifications by name; arguments ``t`` and, if the robot declares any, ``parameters``

    Raises
    ------
    InputError : an unknown name
    """
    wanted = list(FUNCTIONS_OF_TIME if functions is None else functions)
    for name in wanted:
        if name not in _RECIPES:
            raise InputError(
                "no such function of time",
                where="derive_mass",
                expected=" ".join(FUNCTIONS_OF_TIME),
                got=repr(name),
            )
    return {name: _derive_one(robot, name) for name in FUNCTIONS_OF_TIME if name in wanted}


def _derive_one(robot: Robot, name: str) -> FunctionSpec:
    recipe = _RECIPES[name]
    graph = Graph()
    time = graph.symbol(TIME)
    arguments = [Argument(TIME, (), (time.id,), "s", "time")]
    declared = [p for p in robot.parameters if p.is_argument]
    letters = {p.name: graph.symbol(f"parameters[{i}]") for i, p in enumerate(declared)}
    if declared:
        ids = tuple(node.id for node in letters.values())
        doc = "declared parameters of the robot, see parameter_names"
        arguments.append(Argument("parameters", (len(ids),), ids, "", doc, shared=True))
    entries = numbers_at_time(mass_at(robot, GraphAlgebra(graph), time, letters), name)
    shape = (recipe.size * robot.n_bodies,)
    ids = tuple(node.id for node in entries)
    result = Result(name, shape, ids, recipe.unit, recipe.doc)
    return FunctionSpec(name, graph, tuple(arguments), result, recipe.doc)


def _at_start(motion: MassMotion) -> tuple[Term, ...]:
    """Phi at t = 0, in the declared parameters."""
    letters = {name: parameter(name) for name in symbols_of(motion.phi)}
    return tuple(lift(motion.phi, TERMS, letters | {TIME: ZERO}))
