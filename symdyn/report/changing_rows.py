"""Mass that changes or moves, in a table: what depends on time, as closed forms."""

from __future__ import annotations

from symdyn.algebra.sympy_ import SYMPY
from symdyn.algebra.term import Term, lift
from symdyn.dynamics.generalized import carried_momentum
from symdyn.model.robot import PARAMETER_NAMES, TIME, MassMotion, Robot
from symdyn.report.rows import Table

#: The six moments of relative momentum that act, Q psi = (p; l).
MOMENTUM_NAMES = ("p1", "p2", "p3", "l1", "l2", "l3")
#: A longer closed form is cut.
_WIDEST = 72


def changing_table(robot: Robot) -> Table:
    """Entries of Phi(t) that change, and those of (p; l)(t) and nu(t) that are not zero."""
    rows: list[tuple[str, ...]] = []
    for body in robot.bodies:
        if body.motion is not None:
            rows.extend((body.name, name, text) for name, text in _entries(robot, body.motion))
    return Table(("body", "entry", "at time t"), tuple(rows))


def _entries(robot: Robot, motion: MassMotion) -> list[tuple[str, str]]:
    letters = {p.name: SYMPY.symbol(p.name) for p in robot.parameters}
    terms: list[Term] = [*motion.phi, *motion.phi_dot, *motion.psi, motion.nu]
    values = lift(terms, SYMPY, letters | {TIME: SYMPY.symbol(TIME)})
    phi, rates, psi, nu = values[:10], values[10:20], values[20:32], values[32]
    p, ell = carried_momentum(psi, 0)
    found = [
        (name, value)
        for name, value, rate in zip(PARAMETER_NAMES, phi, rates, strict=True)
        if rate != 0
    ]
    others = zip((*MOMENTUM_NAMES, "nu"), (*p, *ell, nu), strict=True)
    found += [(name, value) for name, value in others if value != 0]
    return [(name, _cut(str(value))) for name, value in found]


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
