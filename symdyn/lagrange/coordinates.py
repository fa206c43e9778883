"""The SymPy symbols of a robot: coordinates, rates, inertial parameters, declared parameters."""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from symdyn.algebra.sympy_ import SYMPY
from symdyn.algebra.term import Term, lift
from symdyn.model.robot import PARAMETER_NAMES, Robot

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, slots=True)
class Coordinates:
    """Symbols of one robot.

    Attributes
    ----------
    q, qd, qdd : (n,) coordinates, velocities, accelerations; ``q1``, ``qd1``, ``qdd1``, …
    theta : (10N,) inertial parameters in the order of equation (7): a symbol (``m_1``, ``h1_1``,
        ``I11_1``, … numbered by body) where the parameter is free, else its value
    parameters : value or symbol of each declared parameter, by name
    """

    q: tuple[sympy.Symbol, ...]
    qd: tuple[sympy.Symbol, ...]
    qdd: tuple[sympy.Symbol, ...]
    theta: tuple[sympy.Expr, ...]
    parameters: Mapping[str, sympy.Expr]

    def number(self, term: Term) -> sympy.Expr:
        """A robot's exact number in SymPy."""
        return lift([term], SYMPY, self.parameters)[0]

    def numbers(self, terms: tuple[Term, ...]) -> list[sympy.Expr]:
        """Several of them; shared parts are computed once."""
        return lift(terms, SYMPY, self.parameters)


def _real(name: str) -> sympy.Symbol:
    return cast("sympy.Symbol", SYMPY.symbol(name))


def coordinates(robot: Robot) -> Coordinates:
    """The symbols of ``robot``, all real.

    A declared parameter is the symbol of its name if it is an argument, else its value; if another
    symbol has that name already, underscores are appended.
    """
    numbers = range(1, robot.n + 1)
    q, qd, qdd = (tuple(_real(f"{s}{i}") for i in numbers) for s in ("q", "qd", "qdd"))
    bodies = range(1, robot.n_bodies + 1)
    inertial = [[f"{name}_{i}" for name in PARAMETER_NAMES] for i in bodies]
    taken = {s.name for s in (*q, *qd, *qdd)}.union(*inertial)
    declared: dict[str, sympy.Expr] = {}
    for p in robot.parameters:
        if not p.is_argument:
            declared[p.name] = SYMPY.const(p.value)
            continue
        name = p.name
        while name in taken:
            name += "_"
        taken.add(name)
        declared[p.name] = _real(name)
    theta: list[sympy.Expr] = []
    for names, body in zip(inertial, robot.bodies, strict=True):
        values = lift(body.phi, SYMPY, declared)
        theta.extend(
            _real(name) if free else value
            for name, free, value in zip(names, body.symbolic, values, strict=True)
        )
    return Coordinates(q, qd, qdd, tuple(theta), declared)
