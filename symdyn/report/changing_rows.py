"""Mass that changes or moves, in tables and in records: what depends on time, and its bounds."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache

import sympy

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.sympy_ import SYMPY
from symdyn.algebra.term import lift
from symdyn.expr.verdict import Json, VerdictKind
from symdyn.mass.bounds import Enclosure, UniformBounds, uniform_bounds
from symdyn.mass.coordinates import TIME as CLOCK
from symdyn.model.robot import PARAMETER_NAMES, TIME, MassMotion, Robot
from symdyn.report.markdown import figure
from symdyn.report.rows import Table
from symdyn.spatial.momentum import MOMENTUM_NAMES, acting_momentum

#: A longer closed form is given by its value at t = 0 and its length.
_WIDEST = 120
#: Times at which a motion without checked times and without a period is looked at [s].
_USUAL = (Fraction(0), Fraction(1))
#: Width of the enclosures, relative to the largest eigenvalue: a looser one would have to be
#: refined where the least eigenvalue is small, which takes longer.
_TOLERANCE = 1e-5
_PLACES = 4
_EVERY_TIME = "every time: f is singular for all t"


# -- functions of time ----------------------------------------------------------------------------


def changing_table(robot: Robot) -> Table:
    """Entries of Phi(t) that change, and those of (p; l)(t) and nu(t) that are not zero."""
    rows: list[tuple[str, ...]] = []
    for body in robot.bodies:
        if body.motion is not None:
            rows.extend((body.name, name, text) for name, text in _entries(robot, body.motion))
    return Table(("body", "entry", "at time t"), tuple(rows))


def _entries(robot: Robot, motion: MassMotion) -> list[tuple[str, str]]:
    phi, rates, momentum, nu = _expressions(robot, motion)
    now = _at_start(robot, motion)
    found = [
        (name, value, start)
        for name, value, rate, start in zip(PARAMETER_NAMES, phi, rates, now[:10], strict=True)
        if rate != 0
    ]
    others = zip((*MOMENTUM_NAMES, "nu"), (*momentum, nu), now[10:], strict=True)
    found += [(name, value, start) for name, value, start in others if value != 0]
    return [(name, _short(str(value), start)) for name, value, start in found]


def _expressions(
    robot: Robot, motion: MassMotion
) -> tuple[list[sympy.Expr], list[sympy.Expr], list[sympy.Expr], sympy.Expr]:
    """Phi, its rate, (p; l) and nu, in letters."""
    letters = {p.name: SYMPY.symbol(p.name) for p in robot.parameters}
    terms = [*motion.phi, *motion.phi_dot, *motion.psi, motion.nu]
    values = lift(terms, SYMPY, letters | {TIME: SYMPY.symbol(TIME)})
    p, ell = acting_momentum(values[20:32])
    return values[:10], values[10:20], [*p, *ell], values[32]


def _at_start(robot: Robot, motion: MassMotion) -> list[float | None]:
    """Phi, (p; l) and nu at t = 0; None where they have no value there."""
    values = {p.name: FLOAT64.const(p.value) for p in robot.parameters}
    terms = [*motion.phi, *motion.psi, motion.nu]
    try:
        found = lift(terms, FLOAT64, values | {TIME: 0.0})
    except (ZeroDivisionError, OverflowError, ValueError):
        return [None] * 17
    p, ell = acting_momentum(found[10:22])
    return [*found[:10], *p, *ell, found[22]]


def _short(text: str, start: float | None) -> str:
    if len(text) <= _WIDEST:
        return text
    value = "no value" if start is None else figure(start)
    return f"{value} at t = 0; {len(text)} characters, in full in the JSON"


# -- uniform consistency --------------------------------------------------------------------------


def uniform_table(robot: Robot) -> Table:
    """Certified inf of lambda_min(f(Phi(t))) and sup of lambda_max over the times of each body."""
    rows: list[tuple[str, ...]] = []
    for body in robot.bodies:
        if body.motion is None:
            continue
        found = _uniform(robot, body.motion)
        if isinstance(found, str):
            rows.append((body.name, "", "", "", found))
            continue
        rows.append(
            (
                body.name,
                _span(found),
                f"≥ {_rounded(found.smallest.lo, ROUND_FLOOR):g}",
                f"≤ {_rounded(found.largest.hi, ROUND_CEILING):g}",
                _verdict(found),
            )
        )
    head = ("body", "times [s]", "inf λmin f", "sup λmax f", "verdict")
    return Table(head, tuple(rows), (2, 3))


def _uniform(robot: Robot, motion: MassMotion) -> UniformBounds | str:
    """The bounds, or why there are none."""
    return _bounds_of(motion, tuple((p.name, p.value) for p in robot.parameters))


# a report asks for the same bounds in its tables and in its record; terms are equal if the same
@lru_cache(maxsize=64)
def _bounds_of(
    motion: MassMotion, parameters: tuple[tuple[str, Fraction], ...]
) -> UniformBounds | str:
    values = {name: SYMPY.const(value) for name, value in parameters}
    phi = lift(motion.phi, SYMPY, values | {TIME: CLOCK})
    if motion.times is None:
        try:
            return uniform_bounds(phi, None, tolerance=_TOLERANCE)
        except InputError:  # no period
            pass
        except UnsupportedError as error:
            return f"not enclosed: {error}"
    try:
        span = motion.times or _USUAL
        return uniform_bounds(phi, span, tolerance=_TOLERANCE)
    except (InputError, UnsupportedError) as error:
        return f"not enclosed: {error}"


def _span(found: UniformBounds) -> str:
    if found.for_all_times:
        return "all"
    return " … ".join(figure(float(t)) for t in found.times)


def _rounded(value: Fraction, rounding: str) -> float:
    """A few digits, rounded so that the bound stays one."""
    context = Context(prec=_PLACES, rounding=rounding)
    return float(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def _rounded_pair(found: Enclosure) -> list[Json]:
    return [_rounded(found.lo, ROUND_FLOOR), _rounded(found.hi, ROUND_CEILING)]


def _verdict(found: UniformBounds) -> str:
    verdict = found.consistency
    match verdict.kind:
        case VerdictKind.PROVED:
            return "uniformly consistent, proved"
        case VerdictKind.REFUTED:
            at = verdict.witness or {}
            if at.get("t") == _EVERY_TIME:
                return "degenerate at all times (a point, a rod, a plate)"
            return f"not uniformly consistent: f singular or negative at t = {at.get('t')}"
        case _:
            return f"open: {verdict.detail}"


# -- the record -----------------------------------------------------------------------------------


def motion_record(robot: Robot, motion: MassMotion) -> dict[str, Json]:
    """What depends on time in a body, as text and at t = 0, and its certified bounds.

    Returns
    -------
    ``changes`` the statement, ``times`` on which it was checked (null: possible at all),
    ``at_time`` texts of phi, p, l and nu, ``at_start`` numbers of p, l and nu (null: no value),
    ``uniform`` the bounds, each as a pair that encloses it
    """
    phi, _, momentum, nu = _expressions(robot, motion)
    start = _at_start(robot, motion)
    return {
        "changes": motion.statement,
        "times": None if motion.times is None else [float(t) for t in motion.times],
        "at_time": {
            "phi": _texts(phi), "p": _texts(momentum[:3]), "l": _texts(momentum[3:]),
            "nu": str(nu),
        },
        "at_start": {"p": list(start[10:13]), "l": list(start[13:16]), "nu": start[16]},
        "uniform": _uniform_record(_uniform(robot, motion)),
    }  # fmt: skip


def _texts(values: Sequence[sympy.Expr]) -> list[Json]:
    return [str(value) for value in values]


def _uniform_record(found: UniformBounds | str) -> Json:
    if isinstance(found, str):
        return {"verdict": "unknown", "detail": found}
    return {
        "times": None if found.for_all_times else [float(t) for t in found.times],
        "inf_lambda_min": _rounded_pair(found.smallest),
        "sup_lambda_max": _rounded_pair(found.largest),
        "verdict": found.consistency.kind.value,
        "detail": _verdict(found),
    }
