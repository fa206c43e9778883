"""Limit cycles by the Poincare map: a converged cycle told from a transient that still decays.

The orbit is cut by a `march.Section`; of successive points on it each is P of the one before. A
limit cycle is a fixed point of P: points, return times and extremes repeat. The largest deflection
over a window of time shows no such thing: it may belong to a transient.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from symdyn.algebra.float64 import FLOAT64
from symdyn.simulate.march import Passage, Prepared, Section, walk
from symdyn.simulate.system import System

#: Relative changes from return to return that the method itself makes: steps of finite order and
#: extremes interpolated between them. A decay this slow is not told from a cycle.
NOISE = 1e-8


class CycleKind(Enum):
    """What the returns to a section say."""

    CYCLE = "limit cycle"
    DECAY = "no limit cycle above the floor: the motion decayed below it"
    REST = "no limit cycle: the motion came to rest"
    GROWTH = "no limit cycle below the ceiling: the motion grew beyond it"
    OPEN = "undecided: the returns have not converged in the time simulated"


@dataclass(frozen=True, slots=True)
class Return:
    """One return to the section.

    Attributes
    ----------
    time : [s]
    state : (n,) on the section
    low, high : extremes of the watched state since the return before
    """

    time: float
    state: tuple[float, ...]
    low: float
    high: float

    @property
    def size(self) -> float:
        """Half the distance between the extremes."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class CycleVerdict:
    """Whether there is a limit cycle.

    Attributes
    ----------
    kind : the verdict
    amplitude : largest |watched state| over the last cycle
    period : time of the last return [s]; NaN if there was none
    change : relative change of size and period from the last but one return to the last
    multiplier : how fast returns approach each other: ratio of the last two changes of size, an
        estimate of the largest Floquet multiplier; NaN if unknown or at rounding
    returns : all of them
    """

    kind: CycleKind
    amplitude: float
    period: float
    change: float
    multiplier: float
    returns: tuple[Return, ...]

    @property
    def is_cycle(self) -> bool:
        """Whether a converged limit cycle was found."""
        return self.kind is CycleKind.CYCLE


def return_of(
    system: System, values: Mapping[str, float], section: Section, passage: Passage, dt: float
) -> Return:
    """The point on the section between the two states of a passage.

    Cubic Hermite interpolation by states and rates on both sides: its error is of fourth order in
    the step.
    """
    p = system.check(values)
    a, b = passage.before, passage.after
    fa = system.rate(FLOAT64, passage.time, a, p)
    fb = system.rate(FLOAT64, passage.time + dt, b, p)
    k = system.index(section.state)

    def at(s: float, i: int) -> float:
        r = 1 - s
        return (
            (1 + 2 * s) * r * r * a[i]
            + s * s * (3 - 2 * s) * b[i]
            + dt * s * r * (r * fa[i] - s * fb[i])
        )

    low, high = 0.0, 1.0
    rises = a[k] < section.level
    for _ in range(60):
        middle = (low + high) / 2
        if (at(middle, k) < section.level) == rises:
            low = middle
        else:
            high = middle
    s = (low + high) / 2
    point = tuple(section.level if i == k else at(s, i) for i in range(system.n))
    return Return(passage.time + s * dt, point, passage.low, passage.high)


def judge(
    returns: Sequence[Return],
    *,
    tolerance: float = 1e-6,
    floor: float = 0.0,
    ceiling: float = math.inf,
    is_still: bool = False,
) -> CycleVerdict:
    """Verdict on a series of returns.

    Parameters
    ----------
    returns : in order of time; the size of the first is not used, it is that of the start
    tolerance : relative distance of the last size and period from those of the cycle
    floor, ceiling : sizes at which a decay or a growth is no longer followed
    is_still : whether all states rest at the end

    Returns
    -------
    CycleVerdict

    Notes
    -----
    A shrinking series is never taken for a decay before it falls below the floor: it may still
    settle on a smaller cycle. `simulate.hunting.slip_map` answers what lies below. A small change
    from return to return is no cycle either: what shrinks slowly changes little each time. The
    changes have to shrink, and what is left of them, summed as a geometric series, counts.
    """
    sizes = [r.size for r in returns[1:]]
    periods = [b.time - a.time for a, b in pairwise(returns)]
    amplitude, period, change, multiplier = math.nan, math.nan, math.nan, math.nan
    if sizes:
        amplitude = max(abs(returns[-1].low), abs(returns[-1].high))
        period = periods[-1]
    if len(sizes) >= 2:
        change = max(_relative(sizes[-2], sizes[-1]), _relative(periods[-2], periods[-1]))
    if len(sizes) >= 3:
        before, after = sizes[-2] - sizes[-3], sizes[-1] - sizes[-2]
        if abs(before) > 1e-9 * sizes[-1]:
            multiplier = after / before
    if is_still:
        kind = CycleKind.REST
    elif sizes and sizes[-1] < floor:
        kind = CycleKind.DECAY
    elif sizes and sizes[-1] > ceiling:
        kind = CycleKind.GROWTH
    elif _has_settled(sizes, tolerance) and _has_settled(periods, tolerance):
        kind = CycleKind.CYCLE
    else:
        kind = CycleKind.OPEN
    return CycleVerdict(kind, amplitude, period, change, multiplier, tuple(returns))


def _relative(a: float, b: float) -> float:
    return abs(b - a) / max(abs(a), abs(b)) if a != b else 0.0


def _has_settled(series: Sequence[float], tolerance: float) -> bool:
    """Whether the last number of a series is that near to its limit."""
    if len(series) < 3:
        return False
    a, b, c = series[-3:]
    before, after = _relative(a, b), _relative(b, c)
    if max(before, after) <= NOISE:
        return True
    if max(before, after) > tolerance or after >= before:
        return False
    ratio = after / before
    return after * ratio / (1 - ratio) <= tolerance


def find_cycle(
    prepared: Prepared,
    values: Mapping[str, float],
    start: Sequence[float],
    span: float,
    dt: float,
    section: Section,
    *,
    tolerance: float = 1e-6,
    floor: float = 0.0,
    ceiling: float = math.inf,
    chunk: int = 4,
    idle: Collection[str] = (),
) -> CycleVerdict:
    """Walk until the verdict is sure, at most ``span`` seconds.

    Parameters
    ----------
    prepared, values, start, dt : the walk, as for `march.walk`
    span : longest time to simulate [s]
    section : where the orbit is cut; the watched state gives the amplitude
    tolerance, floor, ceiling : see `judge`
    chunk : returns between two judgements
    idle : states that act on nothing, such as the integral of an error whose gain is zero: they may
        change while the system rests

    Returns
    -------
    CycleVerdict

    Notes
    -----
    Rest means that at the present rates no state would move by its tolerance in the time of the
    whole span, relative to the largest value of it that was seen.
    """
    system = prepared.system
    own = system.check({**prepared.fixed, **values})
    watched = system.index(section.watched or section.state)
    acting = [k for k, q in enumerate(system.states) if q.name not in idle]
    returns: list[Return] = []
    t, x = 0.0, tuple(start)
    sizes = [abs(value) for value in x]
    while True:
        done = walk(
            prepared, values, x, span - t, dt, t0=t, section=section, passages=chunk,
            ceiling=ceiling,
        )  # fmt: skip
        returns += [return_of(system, own, section, p, dt) for p in done.passages]
        t, x = done.end_time, done.end
        sizes = [max(abs(a) for a in seen) for seen in zip(sizes, x, done.fastest, strict=True)]
        rates = system.rate(FLOAT64, t, x, own)
        is_still = all(abs(rates[k]) * span <= tolerance * sizes[k] for k in acting)
        verdict = judge(
            returns, tolerance=tolerance, floor=floor, ceiling=ceiling, is_still=is_still
        )
        if abs(x[watched]) > ceiling:
            return replace(verdict, kind=CycleKind.GROWTH)
        if verdict.kind is not CycleKind.OPEN or t > span - dt / 2:
            return verdict
