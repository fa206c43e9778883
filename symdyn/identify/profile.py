"""Which values of a non-linear parameter fit as well as the best one.

The profile of a parameter is the least sum of squares over all others. Where it never rises above
what chance allows up to an end of the bracket, the parameter is open on that side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import sqrt

import numpy as np

from symdyn.algebra.float64 import Array
from symdyn.identify.chance import f_quantile, t_quantile
from symdyn.identify.projection import Point, SteadyProblem, follow, local, minimise

#: Points between the best value and an open end at which the other parameters are looked at.
_BETWEEN = 6
_SCAN = 100
_HALVINGS = 40
#: A parameter is still the same at the limit if going ten times beyond moves it by less.
_SAME = 1e-6

Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the noise is, and how sure verdicts are to be.

    Attributes
    ----------
    variance : of one measurement
    degrees : of freedom of that variance, 0 if it is known
    confidence : of intervals, and 1 - the chance to call an undetermined parameter determined
    trials : number of distinct speeds. A velocity that is searched for finds an accidental bend of
        the noise at some of them, so the level of the test is divided by their number
        (Bonferroni's bound; Davies 1987 treats the exact problem).
    """

    variance: float
    degrees: int
    confidence: float
    trials: int

    @property
    def quantile(self) -> float:
        """Half-width of an interval in standard deviations."""
        return t_quantile(self.confidence, self.degrees)


@dataclass(frozen=True, slots=True)
class Openness:
    """On which sides a parameter is open.

    Attributes
    ----------
    to_low, to_high : whether that end of the bracket fits as well
    low, high : the values beyond which the fit gets worse, where the other side is open
    """

    to_low: bool
    to_high: bool
    low: float | None = None
    high: float | None = None

    @property
    def is_open(self) -> bool:
        """Open on any side: not identifiable."""
        return self.to_low or self.to_high


@dataclass(frozen=True, slots=True)
class Settled:
    """A parameter at the limit of the open ones.

    Attributes
    ----------
    is_settled : whether it has a value there
    low, high : over all values of the open parameters that fit
    """

    is_settled: bool
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Limit:
    """The simplest curve that the data allow, where some parameters are open.

    Attributes
    ----------
    point : the fit there
    words : which limit it is
    others : what the remaining parameters are
    """

    point: Point
    words: str
    others: Mapping[str, Settled]


def open_ends(problem: SteadyProblem, best: Point, name: str, judge: Judgement) -> Openness:
    """Test both ends of a parameter's bracket against the global fit."""
    is_open: list[bool] = []
    points: list[Point] = []
    limits: list[float] = []
    for end in problem.brackets[name]:
        point = minimise(problem, {name: end})
        solution = local(problem, point.values, [n for n in problem.brackets if n != name])
        lost = 1 + len(solution.names) - solution.rank
        level = 1 - (1 - judge.confidence) / judge.trials
        limits.append(best.rss + lost * f_quantile(level, lost, judge.degrees) * judge.variance)
        is_open.append(point.rss <= limits[-1])
        points.append(point)
    if is_open[0] == is_open[1]:
        return Openness(is_open[0], is_open[1])
    side = 0 if is_open[0] else 1
    bound = _first_rejected(problem, points[side], name, limits[side])
    if is_open[0]:
        return Openness(True, False, high=bound)
    return Openness(False, True, low=bound)


def interval(problem: SteadyProblem, best: Point, name: str, judge: Judgement) -> Ends:
    """Profile-likelihood interval of a parameter that is closed on both sides."""
    limit = best.rss + judge.quantile**2 * judge.variance
    center = best.values[name]
    grid = _scale(problem, name)
    ends: list[float] = []
    for outward in (grid[grid < center][::-1], grid[grid > center]):
        inside, found = best, float(outward[-1]) if outward.size else center
        for x in map(float, outward):
            there = follow(problem, inside, {name: x})
            if there.rss > limit:
                found = _crossing(problem, inside, name, x, limit)
                break
            inside = there
        ends.append(found)
    return ends[0], ends[1]


def settle(
    problem: SteadyProblem, best: Point, openness: Mapping[str, Openness], judge: Judgement
) -> Limit:
    """What the others are when some parameters are open.

    The fit goes to the open end with the fewest parameters, the simplest curve that the data
    allow. A parameter whose value there does not settle, going ten times further, is not
    identifiable either.
    """
    opened = [n for n, o in openness.items() if o.is_open]
    free = [n for n in problem.brackets if n not in opened]
    point, beyond, words = _simplest(problem, openness, opened, free)
    at = _spread(problem, point, free, judge)
    further = _spread(problem, minimise(problem, beyond), free, judge)
    verdicts: dict[str, Settled] = {}
    for name, found in at.items():
        other = further.get(name)
        if found is None or other is None:
            verdicts[name] = Settled(False, 0.0, 0.0)
            continue
        value, reach = found
        is_same = abs(other[0] - value) <= max(0.1 * reach, _SAME * abs(value))
        verdicts[name] = Settled(is_same and other[1] <= 2 * reach, value - reach, value + reach)
    limit = best.rss + judge.quantile**2 * judge.variance
    for share in np.linspace(0.0, 1.0, _BETWEEN + 1)[1:]:
        trial = {
            n: _between(problem, n, point.values[n], best.values[n], float(share)) for n in opened
        }
        there = minimise(problem, trial)
        if there.rss > limit:
            continue
        for name, found in _spread(problem, there, free, judge).items():
            v = verdicts[name]
            if found is not None:
                value, reach = found
                verdicts[name] = Settled(
                    v.is_settled, min(v.low, value - reach), max(v.high, value + reach)
                )
    return Limit(point, words, verdicts)


def _simplest(
    problem: SteadyProblem,
    openness: Mapping[str, Openness],
    opened: Sequence[str],
    free: Sequence[str],
) -> tuple[Point, dict[str, float], str]:
    """The corner of open ends of lowest rank, a place ten times beyond it, and its name."""
    sides = [[s for s, is_open in enumerate((o.to_low, o.to_high)) if is_open]
             for o in (openness[n] for n in opened)]  # fmt: skip
    found: list[tuple[int, float, Point, dict[str, float], str]] = []
    for corner in product(*sides):
        held: dict[str, float] = {}
        beyond: dict[str, float] = {}
        for name, side in zip(opened, corner, strict=True):
            ends = problem.brackets[name]
            held[name] = ends[side]
            if problem.is_log(name):
                beyond[name] = ends[side] * (10.0 if side else 0.1)
            else:
                beyond[name] = ends[side] + (1 if side else -1) * (ends[1] - ends[0])
        point = minimise(problem, held)
        words = " and ".join(
            f"{'large' if side else 'small'} {n}" for n, side in zip(opened, corner, strict=True)
        )
        rank = local(problem, point.values, free).rank
        found.append((rank, point.rss, point, beyond, words))
    _, _, point, beyond, words = min(found, key=lambda entry: entry[:2])
    return point, beyond, words


def _first_rejected(problem: SteadyProblem, start: Point, name: str, limit: float) -> float | None:
    """Going from the open end inwards, where the profile first exceeds the limit."""
    grid = _scale(problem, name)
    inside = start
    if start.values[name] > grid[0]:
        grid = grid[::-1]
    for x in map(float, grid[1:]):
        there = follow(problem, inside, {name: x})
        if there.rss > limit:
            return _crossing(problem, inside, name, x, limit)
        inside = there
    return None


def _crossing(
    problem: SteadyProblem, start: Point, name: str, outside: float, limit: float
) -> float:
    """Where the profile crosses the limit, between an accepted point and a rejected value."""
    inside = start
    for _ in range(_HALVINGS):
        middle = _between(problem, name, inside.values[name], outside, 0.5)
        there = follow(problem, inside, {name: middle})
        if there.rss > limit:
            outside = middle
        else:
            inside = there
        if abs(outside - inside.values[name]) <= 1e-6 * abs(outside):
            break
    return inside.values[name]


def _scale(problem: SteadyProblem, name: str) -> Array:
    low, high = problem.brackets[name]
    return np.geomspace(low, high, _SCAN) if problem.is_log(name) else np.linspace(low, high, _SCAN)


def _between(problem: SteadyProblem, name: str, a: float, b: float, share: float) -> float:
    if problem.is_log(name):
        return sqrt(a * b) if share == 0.5 else a * (b / a) ** share
    return a + share * (b - a)


def _spread(
    problem: SteadyProblem, point: Point, free: Sequence[str], judge: Judgement
) -> dict[str, tuple[float, float] | None]:
    """Value and half-width of each parameter at a point, None if undetermined there."""
    solution = local(problem, point.values, free)
    reach = judge.quantile * np.sqrt(judge.variance * np.sum(solution.root**2, axis=1))
    return {
        n: (point.values[n], float(s)) if ok else None
        for n, s, ok in zip(solution.names, reach, solution.is_determined, strict=True)
    }
