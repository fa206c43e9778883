"""Where the steady curve of any law rises and falls: in closed form, else by interval arithmetic.

Laws on Stribeck's curve, and straight ones, have `steady_curve.shape`. For all others the slope is
enclosed over boxes of speed by running the law itself on dual numbers over intervals: a box where
the enclosure excludes 0 rises or falls for certain, any other is cut in two. What is left are
brackets of extrema, some units in the last place wide, and stretches that are level to rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise

from symdyn._errors import InputError
from symdyn.algebra.dual import Dual, DualAlgebra
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.interval import Interval, IntervalAlgebra
from symdyn.analysis.sizes import sized
from symdyn.analysis.steady_curve import CurveShape, StribeckCurve, curve_of, shape
from symdyn.friction.law import FrictionLaw

#: Speeds that are searched [rad/s].
SLOWEST, FASTEST = 1e-30, 1e30
#: Digits beyond doubles, so that an extremum is known to the last bits of its speed.
INTERVALS = IntervalAlgebra(120)
_DUAL = DualAlgebra(INTERVALS)
_SLOPE = DualAlgebra(FLOAT64)
#: A bracket is no wider than this times its speed; a level stretch narrower than the second is
#: the surroundings of an extremum; boxes before a search is given up.
_WIDTH, _NARROW = 4e-15, 1e-6
_BOXES = 6000
#: A slope of less than this is none [N m s/rad].
_NOTHING = 1e-300
#: Speeds at which a steepest slope is looked for.
_GRID = 400
#: Laws whose steady friction is a level and a viscous part, on each side.
_STRAIGHT = (
    "coulomb", "coulomb-set", "viscous", "karnopp", "asymmetric", "ripple",
    "dahl", "maxwell-slip", "bouc-wen",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stretch:
    """Speeds over which a curve does one thing.

    Attributes
    ----------
    low, high : ends [rad/s]; 0 and infinity at the ends of the search
    trend : 1 rises, -1 falls, 0 is level to rounding
    """

    low: float
    high: float
    trend: int


def octaves() -> Iterator[tuple[float, float]]:
    """Boxes of speed from `SLOWEST` to `FASTEST`."""
    count = round(math.log2(FASTEST / SLOWEST))
    ends = [SLOWEST * (FASTEST / SLOWEST) ** (k / count) for k in range(count)]
    return pairwise([*ends, FASTEST])


def enclosed(
    law: FrictionLaw, p: Mapping[str, float], u: Mapping[str, float]
) -> Callable[[float, float], Dual[Interval]]:
    """Steady friction and its slope over an interval of speeds, enclosed."""
    numbers = {name: _DUAL.constant(INTERVALS.const(Fraction(x))) for name, x in p.items()}
    signals = {name: _DUAL.constant(INTERVALS.const(Fraction(x))) for name, x in u.items()}

    def over(low: float, high: float) -> Dual[Interval]:
        with INTERVALS.scope():
            v = _DUAL.variable(INTERVALS.between(low, high))
            return law.steady(_DUAL, v, [], signals, numbers)

    return over


def side_curve(
    law: FrictionLaw, p: Mapping[str, float], u: Mapping[str, float], *, forward: bool = True
) -> StribeckCurve | None:
    """The steady curve of one direction of motion as Stribeck's, or None if it is another.

    Parameters
    ----------
    law : a law
    p, u : its parameters and signals
    forward : the side v > 0; else -F(-v), which differs for laws that are not odd
    """
    if law.name in _STRAIGHT and law.ends is not None:
        _, level, viscous = law.ends(FLOAT64, u, p)
        if not forward and law.at_rest is not None and law.name in ("asymmetric", "ripple"):
            level, viscous = -law.at_rest(FLOAT64, u, p)[0], p.get("b_minus", viscous)
        return StribeckCurve(level, level, 1.0, 2.0, viscous)
    if law.name in ("load-stribeck", "temperature-stribeck") and law.ends is not None:
        start, level, viscous = law.ends(FLOAT64, u, p)
        vs = p["vs"] if "vs" in p else p["vs0"] + p["vsT"] * u["temperature"]
        return StribeckCurve(level, start, vs, p["alpha"], viscous)
    try:
        return curve_of(law, p)
    except InputError:
        return None


def checked(
    law: FrictionLaw, parameters: Mapping[str, float], signals: Mapping[str, float] | None
) -> tuple[dict[str, float], dict[str, float]]:
    """Parameters and signals to work with; a signal that is not given is 0.

    Raises
    ------
    InputError : outside their domains, too large or too small
    """
    p = sized(law, parameters)
    u = {q.name: float((signals or {}).get(q.name, 0.0)) for q in law.signals}
    return law.check(p, signals=u), u


def law_shape(
    law: FrictionLaw,
    parameters: Mapping[str, float],
    signals: Mapping[str, float] | None = None,
    *,
    forward: bool = True,
) -> CurveShape:
    """Falling intervals, extrema and steepest slope of the steady curve of any law.

    Raises
    ------
    InputError : parameters outside their domains
    """
    p, u = checked(law, parameters, signals)
    curve = side_curve(law, p, u, forward=forward)
    if curve is not None:
        return shape(curve)
    found = stretches(law, p, u)
    falling = tuple((s.low, s.high) for s in found if s.trend < 0)
    extrema = [a.high for a, b in pairwise(found) if a.trend * b.trend < 0]
    stationary = tuple((v, law.steady(FLOAT64, v, [], u, p)) for v in extrema)
    return CurveShape(falling, stationary, _steepest(law, p, u, falling))


def stretches(
    law: FrictionLaw, p: Mapping[str, float], u: Mapping[str, float]
) -> tuple[Stretch, ...]:
    """Where the steady curve rises, falls and is level, for v > 0, in order.

    Raises
    ------
    InputError : the curve bends too often to be followed
    """
    over = enclosed(law, p, u)
    open_, known = list(octaves()), list[Stretch]()
    for _ in range(_BOXES):
        if not open_:
            break
        a, b = open_.pop()
        slope = over(a, b).rate
        trend = _sign(slope)
        if trend is None and _is_rounding(slope, [over(v, v).rate for v in _inside(a, b)]):
            trend = 0
        middle = math.sqrt(a) * math.sqrt(b)
        if trend is not None:
            known.append(Stretch(a, b, trend))
        elif b - a > _WIDTH * a and a < middle < b:
            open_ += [(a, middle), (middle, b)]
    else:
        raise InputError("the curve bends too often to be followed", where=f"law {law.name}")
    known.sort(key=lambda s: s.low)
    wide = [run for run in _runs(known) if run[0].trend or _is_wide(run)]
    runs = _runs([s for run in wide for s in run])
    # a bracket between two runs is narrower than a few roundings: its middle is their border
    borders = [(x[-1].high + y[0].low) / 2 for x, y in pairwise(runs)]
    ends = [0.0, *borders, math.inf]
    return tuple(
        Stretch(low, high, run[0].trend)
        for run, (low, high) in zip(runs, pairwise(ends), strict=True)
    )


def _runs(parts: Iterable[Stretch]) -> list[list[Stretch]]:
    """Neighbours of one trend together."""
    return [list(run) for _, run in groupby(parts, key=lambda s: s.trend)]


def _is_wide(run: list[Stretch]) -> bool:
    return run[-1].high > run[0].low * (1 + _NARROW)


def _inside(a: float, b: float) -> tuple[float, ...]:
    """Some speeds of a box."""
    return a, a + 0.29 * (b - a), a + 0.5 * (b - a), a + 0.83 * (b - a), b


def _is_rounding(slope: Interval, inside: Sequence[Interval]) -> bool:
    """Whether a slope has no sign at some points, and no more size between them than there."""
    if not slope.is_bounded or any(_sign(x) not in (None, 0) for x in inside):
        return False
    largest = max((_size(x) for x in inside), key=lambda size: size.hi)
    return bool(_size(slope).hi <= 8 * largest.hi)


def _size(x: Interval) -> Interval:
    """The absolute value; ends are compared as they are, as fractions they may be enormous."""
    return INTERVALS.unary("abs", x)


def _sign(x: Interval) -> int | None:
    """The sign of all of an interval, 0 if no double is that small; None if it has several."""
    if not x.is_bounded:
        return None
    if x.lo > -_NOTHING and x.hi < _NOTHING:
        return 0
    if x.lo > 0 or x.hi < 0:
        return 1 if x.lo > 0 else -1
    return None


def _steepest(
    law: FrictionLaw,
    p: Mapping[str, float],
    u: Mapping[str, float],
    falling: tuple[tuple[float, float], ...],
) -> tuple[float, float]:
    """Speed and value of the least slope in doubles, by search over the falling stretches."""
    numbers = {name: _SLOPE.constant(x) for name, x in p.items()}
    signals = {name: _SLOPE.constant(x) for name, x in u.items()}

    def slope(v: float) -> float:
        return law.steady(_SLOPE, _SLOPE.variable(v), [], signals, numbers).rate

    if not falling:
        return 0.0, slope(SLOWEST)
    best = (0.0, math.inf)
    for low, high in falling:
        at_rest, at_speed = low == 0, high == math.inf
        low, high = max(low, SLOWEST), min(high, FASTEST)
        grid = [low * (high / low) ** (k / _GRID) for k in range(1, _GRID)]
        k = min(range(len(grid)), key=lambda k: slope(grid[k]))
        if (at_rest and k == 0) or (at_speed and k == len(grid) - 1):
            # the limit at an end of the search: a slope that still changes there has none
            further = slope(SLOWEST if k == 0 else FASTEST)
            limit = further if abs(further - slope(grid[k])) <= 1e-6 * abs(further) else -math.inf
            found = (0.0 if k == 0 else math.inf, limit)
        else:
            a, b = grid[max(k - 1, 0)], grid[min(k + 1, len(grid) - 1)]
            for _ in range(80):
                left, right = a + 0.382 * (b - a), a + 0.618 * (b - a)
                a, b = (a, right) if slope(left) <= slope(right) else (left, b)
            v = min((a + b) / 2, grid[k], key=slope)
            found = (v, slope(v))
        best = min(best, found, key=lambda pair: pair[1])
    return best
