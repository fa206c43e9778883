"""Which values of a non-linear parameter fit as well as the best one.

The profile of a parameter is the least sum of squares over all others. Where it does not rise above
what chance allows up to an end of the search, the parameter is open on that side. The curve there
is a simpler one, Stribeck's becomes Coulomb's for example; what such a curve, fitting as well, says
of the other parameters counts as much as the best fit does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import inf, isfinite, sqrt

import numpy as np

from symdyn.algebra.float64 import Array
from symdyn.identify.chance import f_quantile, t_quantile
from symdyn.identify.projection import (
    Point,
    SteadyProblem,
    follow,
    local,
    minimise,
    noise_floor,
    outside,
)

#: Points between the best value and an open end at which the other parameters are looked at.
_BETWEEN = 6
_SCAN = 60
_HALVINGS = 40
#: A parameter is still the same at the limit if going ten times beyond moves it by less.
_SAME = 1e-6
#: An interval in the best fit and one in a simpler curve tell the same value only if both together
#: are not wider than the latter by more than this.
_WIDER = 100.0

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
        the noise at some of them, so where a simpler curve is tested the level is divided by their
        number (Bonferroni's bound; Davies 1987 treats the exact problem).
    """

    variance: float
    degrees: int
    confidence: float
    trials: int

    @property
    def quantile(self) -> float:
        """Half-width of an interval in standard deviations."""
        return t_quantile(self.confidence, self.degrees)

    def limit(self, best: Point, lost: int = 1) -> float:
        """Largest sum of squares that fits as well as the best, with ``lost`` parameters less."""
        level = self.confidence if lost == 1 else 1 - (1 - self.confidence) / self.trials
        return best.rss + lost * f_quantile(level, lost, self.degrees) * self.variance


@dataclass(slots=True)
class Search:
    """Fits of one problem with some parameters held, from here and from there.

    Attributes
    ----------
    problem, best : what is fitted, and the best fit known before
    lowest : the lowest fit made since; below ``best`` where that was not the best
    known : fits already made, by what they hold
    """

    problem: SteadyProblem
    best: Point
    lowest: Point
    known: dict[tuple[tuple[str, float], ...], Point] = field(
        default_factory=dict[tuple[tuple[str, float], ...], Point]
    )

    def hold(self, held: Mapping[str, float]) -> Point:
        """The best fit with some parameters held."""
        key = tuple(sorted(held.items()))
        if key not in self.known:
            self.known[key] = self._inside(lambda problem: minimise(problem, held))
        return self.known[key]

    def follow(self, near: Point, held: Mapping[str, float]) -> Point:
        """The fit with some parameters held, from one nearby."""
        return self._inside(lambda problem: follow(problem, near, held))

    def _inside(self, fit: Callable[[SteadyProblem], Point]) -> Point:
        """Keep to the domains, if the best fit does: what leaves its own ends at zero.

        Else a curve that can be written in two ways would be its own rival.
        """
        point = self._seen(fit(self.problem))
        problem = self.problem
        if not outside(problem, self.best):
            while gone := [n for n in outside(problem, point) if n in problem.linear]:
                problem = replace(
                    problem,
                    linear=tuple(n for n in problem.linear if n not in gone),
                    fixed={**problem.fixed, **dict.fromkeys(gone, 0.0)},
                )
                point = fit(problem)
        return point

    def rank(self, point: Point, held: Sequence[str]) -> int:
        """Of the Jacobian at a point, by all that is not held."""
        free = [n for n in self.problem.brackets if n not in held]
        return local(self.problem, point.values, free).rank

    def is_better(self) -> bool:
        """Whether a fit was met that is better than the best by more than rounding."""
        return self.lowest.rss < self.best.rss * (1 - 1e-10) - self._floor

    def is_equal(self, point: Point) -> bool:
        """Whether a fit is as good as the best one, to rounding."""
        return point.rss <= self.best.rss * (1 + 1e-10) + self._floor

    @property
    def _floor(self) -> float:
        return noise_floor(self.problem) ** 2 * self.problem.F.size

    def _seen(self, point: Point) -> Point:
        is_inside = all(
            low <= point.values[n] <= high for n, (low, high) in self.problem.brackets.items()
        )
        if is_inside and point.rss < self.lowest.rss:
            self.lowest = point
        return point


@dataclass(frozen=True, slots=True)
class Openness:
    """On which sides a parameter is open.

    Attributes
    ----------
    to_low, to_high : whether that end of the search fits as well
    low, high : the values beyond which the fit gets worse, where the other side is open
    is_whole : whether all values between the best one and the open ends fit as well
    """

    to_low: bool
    to_high: bool
    low: float | None = None
    high: float | None = None
    is_whole: bool = True

    @property
    def is_open(self) -> bool:
        """Open on any side: not identifiable."""
        return self.to_low or self.to_high


@dataclass(frozen=True, slots=True)
class Settled:
    """A parameter in the best fit, in the simplest curves, and between.

    Attributes
    ----------
    is_settled : whether the simplest curves determine it too, with the value of the best fit
    value, reach : in the best fit, with the half-width of its interval
    low, high : over its intervals in all of them; empty of one that has its own profile
    """

    is_settled: bool
    value: float
    reach: float
    low: float = inf
    high: float = -inf

    def over(self, value: float, reach: float) -> Settled:
        """Also over another interval."""
        low, high = min(self.low, value - reach), max(self.high, value + reach)
        return replace(self, low=low, high=high)

    def beside(
        self, found: tuple[float, float] | None, further: tuple[float, float] | None
    ) -> Settled:
        """Beside value and half-width in a simple curve, and ten times further that way."""
        if found is None or further is None:
            return replace(self, is_settled=False)
        value, reach = found
        is_still = abs(further[0] - value) <= max(0.1 * reach, _SAME * abs(value))
        is_same = abs(value - self.value) <= reach + self.reach <= _WIDER * reach
        is_settled = is_still and is_same and further[1] <= 2 * reach
        return replace(self, is_settled=self.is_settled and is_settled).over(value, reach)


@dataclass(frozen=True, slots=True)
class Limit:
    """The simplest curve that fits as well, where some parameters are open.

    Attributes
    ----------
    point : the fit of it
    words : which limit it is
    others : what the remaining parameters are
    """

    point: Point
    words: str
    others: Mapping[str, Settled]


def open_ends(search: Search, name: str, judge: Judgement) -> Openness:
    """Test both ends of a parameter's bracket against the best fit."""
    best, ends = search.best, search.problem.brackets[name]
    allowed = [_allowed(search, search.hold({name: end}), [name], judge) for end in ends]
    points = [search.hold({name: end}) for end in ends]
    is_open = [p.rss <= limit for p, limit in zip(points, allowed, strict=True)]
    if not any(is_open):
        return Openness(False, False)
    level = max(limit for limit, one in zip(allowed, is_open, strict=True) if one)
    bounds: list[float | None] = []
    is_whole = True
    for side in (0, 1):
        bound = _outward(search, best, name, side, level)
        is_whole = is_whole and (bound is None or not is_open[side])
        bounds.append(None if is_open[side] else bound)
    return Openness(is_open[0], is_open[1], bounds[0], bounds[1], is_whole)


def interval(search: Search, name: str, judge: Judgement) -> Ends:
    """Profile-likelihood interval of a parameter that is closed on both sides."""
    limit = judge.limit(search.best)
    ends = search.problem.brackets[name]
    found = [_outward(search, search.best, name, side, limit) for side in (0, 1)]
    low, high = (end if x is None else x for x, end in zip(found, ends, strict=True))
    # fits that a path from the best one does not meet
    apart = [point.values[name] for point in search.known.values() if point.rss <= limit]
    return min([low, *apart]), max([high, *apart])


def settle(search: Search, openness: Mapping[str, Openness], judge: Judgement) -> Limit:
    """What the others are when some parameters are open.

    Of the open ends, and combinations of them, that fit as well the one with the fewest parameters
    is the simplest curve that the data allow. A parameter that has another value there than in the
    best fit, or none that settles going ten times further, is not identifiable either. One that is
    not linear has its own profile: it is unless the simplest curve leaves it open.
    """
    problem, best = search.problem, search.best
    opened = [n for n, o in openness.items() if o.is_open]
    free = [n for n in problem.brackets if n not in opened]
    at_best = _spread(problem, best, free, judge)
    verdicts = {
        n: Settled(found is not None, *(found or (best.values[n], 0.0)))
        for n, found in at_best.items()
    }
    simplest, *rivals = _simplest(search, openness, opened, judge)
    for point, sides in (simplest, *rivals):
        further = minimise(problem, {n: _beyond(problem, n, side) for n, side in sides.items()})
        there = _spread(problem, further, free, judge)
        for name, found in _spread(problem, point, free, judge).items():
            verdicts[name] = verdicts[name].beside(found, there[name])
    end, chosen = simplest
    for share in np.linspace(0.0, 1.0, _BETWEEN + 1)[1:-1]:
        trial = {
            n: _between(problem, n, end.values[n], best.values[n], float(share)) for n in opened
        }
        between = search.hold(trial)
        if between.rss > judge.limit(best):
            continue
        for name, found in _spread(problem, between, free, judge).items():
            if found is not None:
                value, reach = found
                verdicts[name] = verdicts[name].over(value, reach)
    held = {n: problem.brackets[n][side] for n, side in chosen.items()}
    for name in free:
        ends = [search.hold({**held, name: x}) for x in problem.brackets[name]]
        is_closed = all(p.rss > _allowed(search, p, [*held, name], judge) for p in ends)
        is_settled = at_best[name] is not None and is_closed
        verdicts[name] = replace(verdicts[name], is_settled=is_settled, low=inf, high=-inf)
    words = " and ".join(f"{'large' if side else 'small'} {n}" for n, side in chosen.items())
    return Limit(end, words, verdicts)


def _simplest(
    search: Search, openness: Mapping[str, Openness], opened: Sequence[str], judge: Judgement
) -> list[tuple[Point, dict[str, int]]]:
    """The simplest curve that fits as well with its open ends, and others as simple.

    The same curve at other ends, where it is written in another way, is left out: Coulomb's level
    is called Fc, the end of small vs, not Fs, that of large vs.
    """
    found: list[tuple[int, Point, dict[str, int]]] = []
    for sides in _combinations(openness, opened):
        held = {n: search.problem.brackets[n][side] for n, side in sides.items()}
        point = search.hold(held)
        if point.rss <= _allowed(search, point, list(held), judge):
            found.append((search.rank(point, opened), point, sides))
    fewest = min(rank for rank, _, _ in found)
    simple = [(point, sides) for rank, point, sides in found if rank == fewest]
    lowest = min(point.rss for point, _ in simple)
    level = lowest * (1 + _SAME) + noise_floor(search.problem) ** 2 * search.problem.F.size
    first = next(entry for entry in simple if entry[0].rss <= level)
    return [first, *(entry for entry in simple if entry[0].rss > level)]


def _allowed(search: Search, point: Point, held: Sequence[str], judge: Judgement) -> float:
    """Largest sum of squares at which a point that holds some parameters fits as well."""
    if not isfinite(point.rss):
        return search.best.rss
    lost = search.rank(search.best, ()) - search.rank(point, held)
    return judge.limit(search.best, max(lost, 1))


def _combinations(openness: Mapping[str, Openness], opened: Sequence[str]) -> list[dict[str, int]]:
    """One or more open parameters, each at one of its open ends; few and low ones first."""
    choices = [
        [None, *(side for side, one in enumerate((openness[n].to_low, openness[n].to_high)) if one)]
        for n in opened
    ]
    found = [
        {n: side for n, side in zip(opened, chosen, strict=True) if side is not None}
        for chosen in product(*choices)
    ]
    return sorted(found[1:], key=len)


def _beyond(problem: SteadyProblem, name: str, side: int) -> float:
    """A place ten times beyond an end of a bracket."""
    low, high = problem.brackets[name]
    if problem.is_log(name):
        return high * 10 if side else low / 10
    return high + (high - low) if side else low - (high - low)


def _outward(search: Search, start: Point, name: str, side: int, limit: float) -> float | None:
    """From a point towards an end, where the profile first exceeds the limit; None if nowhere."""
    grid = _scale(search.problem, name)
    center = start.values[name]
    inside = start
    for x in map(float, grid[grid > center] if side else grid[grid < center][::-1]):
        there = search.follow(inside, {name: x})
        if there.rss > limit:
            return _crossing(search, inside, name, x, limit)
        inside = there
    return None


def _crossing(search: Search, start: Point, name: str, outside: float, limit: float) -> float:
    """Where the profile crosses the limit, between an accepted point and a rejected value."""
    inside = start
    for _ in range(_HALVINGS):
        middle = _between(search.problem, name, inside.values[name], outside, 0.5)
        there = search.follow(inside, {name: middle})
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
        return sqrt(a) * sqrt(b) if share == 0.5 else a * (b / a) ** share
    return a + share * (b - a)


def _spread(
    problem: SteadyProblem, point: Point, free: Sequence[str], judge: Judgement
) -> dict[str, tuple[float, float] | None]:
    """Value and half-width of each parameter at a point, None if undetermined there."""
    if not isfinite(point.rss):
        return dict.fromkeys((*problem.linear, *free))
    solution = local(problem, point.values, free)
    reach = judge.quantile * np.sqrt(judge.variance * np.sum(solution.root**2, axis=1))
    return {
        n: (point.values[n], float(s)) if ok else None
        for n, s, ok in zip(solution.names, reach, solution.is_determined, strict=True)
    }
