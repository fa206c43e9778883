"""Fit of a law to its steady curve: constant speeds and the friction measured at them.

Linear parameters by least squares, the others by variable projection. Values, residuals and curve
are those of the best fit that is found. What the data cannot tell is said, not numbered: a
non-linear parameter is determined only if both ends of the search fit worse than chance allows
(profile likelihood, Venzon and Moolgavkar 1988). At an open end the curve tends to a simpler one,
Stribeck's to Coulomb's for example; a parameter that this curve has too, with the same value, keeps
it, with an interval over both.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import Array
from symdyn.friction.law import FrictionLaw
from symdyn.identify.chance import t_quantile
from symdyn.identify.columns import steady_force, steady_gradient
from symdyn.identify.estimate import (
    Covariance,
    Estimate,
    Standing,
    held,
    identified,
    unknown,
    with_digits,
)
from symdyn.identify.profile import Judgement, Limit, Openness, Search, interval, open_ends, settle
from symdyn.identify.projection import (
    MOST_NONLINEAR,
    OFFSET,
    Point,
    SteadyProblem,
    local,
    minimise,
    noise_floor,
    repolish,
    widened,
)
from symdyn.identify.samples import check_names, check_noise, check_steady, distinct_speeds

_WHERE = "fit of a steady curve"
#: A verdict that comes upon a better fit starts the fit again from there, so many times.
_ROUNDS = 8
#: Exponents that are searched first.
_EXPONENTS = (0.01, 100.0)


@dataclass(frozen=True, slots=True)
class SteadyFit:
    """A law fitted to a steady curve.

    Attributes
    ----------
    law : the law
    estimates : of every parameter of the law, then of the offset if there is one
    values : of the best fit, for drawing the curve; of what is not identifiable, one that fits
    covariance : of the identified parameters
    noise : standard deviation of one measurement [N m], given or estimated from the residuals
    degrees : of freedom of that estimate; 0 if it was given
    confidence : of the intervals
    rank : of the Jacobian at the best fit
    condition : condition number of the Jacobian with scaled columns; infinite if rank is lost
    v, F, residuals : (m,) the points, and what the curve leaves of them
    """

    law: FrictionLaw
    estimates: tuple[Estimate, ...]
    values: Mapping[str, float]
    covariance: Covariance
    noise: float
    degrees: int
    confidence: float
    rank: int
    condition: float
    v: Array
    F: Array
    residuals: Array

    @property
    def rms(self) -> float:
        """Root mean square of the residuals [N m]."""
        return float(np.sqrt(np.mean(self.residuals**2)))

    @property
    def worst(self) -> float:
        """Largest residual [N m]."""
        return float(np.max(np.abs(self.residuals)))

    def curve(self, v: ArrayLike, signals: Mapping[str, Array] | None = None) -> Array:
        """The fitted friction at velocities v, offset included; (m,) [N m]."""
        own = {n: x for n, x in self.values.items() if n != OFFSET}
        speeds = np.asarray(v, dtype=float)
        return steady_force(self.law, own, speeds, signals) + self.values.get(OFFSET, 0.0)

    def band(self, v: ArrayLike, signals: Mapping[str, Array] | None = None) -> Array:
        """Half-width of the pointwise confidence band of the curve; (m,) [N m]."""
        speeds = np.asarray(v, dtype=float)
        own = {n: x for n, x in self.values.items() if n != OFFSET}
        names = tuple(n for n in self.covariance.names if n != OFFSET)
        _, slopes = steady_gradient(self.law, own, names, speeds, signals)
        if OFFSET in self.covariance.names:
            slopes = np.insert(slopes, self.covariance.names.index(OFFSET), 1.0, axis=1)
        J = np.nan_to_num(slopes)
        variance = np.einsum("mi,ij,mj->m", J, self.covariance.matrix, J)
        return t_quantile(self.confidence, self.degrees) * np.sqrt(np.maximum(variance, 0.0))


# overflow at far places of the search is an infinite sum of squares there
@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def fit_steady(
    law: FrictionLaw,
    v: ArrayLike,
    F: ArrayLike,
    *,
    fixed: Mapping[str, float] | None = None,
    signals: Mapping[str, ArrayLike] | None = None,
    offset: bool = False,
    brackets: Mapping[str, tuple[float, float]] | None = None,
    noise: float | None = None,
    confidence: float = 0.95,
) -> SteadyFit:
    """Fit a law to friction measured at constant speeds.

    Parameters
    ----------
    law : a law without states; the steady curve of a bristle law is that of ``stribeck``
    v : (m,) velocities, of one sign or of both, none of them zero [rad/s]
    F : (m,) friction at them, gravity removed [N m]
    fixed : parameters that are not fitted
    signals : (m,) each: load, temperature, position, as the law asks
    offset : fit a constant beside the law
    brackets : (low, high) of non-linear parameters, in place of those that follow from the speeds
    noise : known standard deviation of one measurement [N m]
    confidence : of the intervals

    Returns
    -------
    SteadyFit

    Raises
    ------
    InputError : data that cannot be fitted; the message names the point
    SizeError : columns of different lengths
    UnsupportedError : the law has states

    Notes
    -----
    Grid over the non-linear parameters, then Gauss-Newton; milliseconds for one of them, a second
    or two for three. A search that ends at the end of a range goes on beyond it, unless the range
    was given.
    """
    problem = _problem(law, v, F, fixed, signals, offset, brackets)
    if not 0 < confidence < 1:
        raise InputError("confidence is no probability", where=_WHERE, got=repr(confidence))
    points = problem.F.size
    count = len(problem.linear) + len(problem.brackets)
    if points < count or (points == count and noise is None):
        raise InputError(
            "fewer points than parameters" if points < count else "no point left to judge the fit",
            where=_WHERE,
            expected=f"more than {count} points for {count} parameters",
            got=str(points),
            remedy="Measure at more speeds, hold parameters fixed, or state the noise.",
        )
    if noise is not None:
        noise = check_noise(noise, _WHERE)
    elsewhere = frozenset(brackets or ())
    best = minimise(problem)
    if not np.isfinite(best.rss):
        raise InputError(
            f"{law.name} has no finite value at these speeds",
            where=_WHERE,
            remedy="Look at the parameters that are held, and at the unit of the speeds.",
        )
    search = _from_ends(problem, best, elsewhere)
    verdicts = _judge(search, noise, confidence)
    for _ in range(_ROUNDS):
        if not search.is_better():
            break
        search = _from_ends(search.problem, search.lowest, elsewhere)
        verdicts = _judge(search, noise, confidence)
    is_edge = True
    if verdicts.limit and search.is_equal(verdicts.limit.point):
        # of fits equal to rounding the simplest is given: of exact data from a simpler curve
        simple = verdicts.limit.point
        is_edge = all(simple.values[n] == search.best.values[n] for n in search.problem.brackets)
        search = Search(search.problem, simple, simple)
        verdicts = _judge(search, noise, confidence)
    return _result(search.problem, search.best, verdicts, offset, is_edge)


def _from_ends(problem: SteadyProblem, best: Point, given: Collection[str]) -> Search:
    """The best fit, from a first one and from all ends of the search."""
    problem, best = widened(problem, repolish(problem, best), given)
    search = Search(problem, best, best)
    for _ in range(_ROUNDS):
        for name, ends in problem.brackets.items():
            for end in ends:
                search.hold({name: end})
        if not search.is_better():
            break
        problem, best = widened(problem, repolish(problem, search.lowest), given)
        search = Search(problem, best, best)
    return search


@dataclass(frozen=True, slots=True)
class _Verdicts:
    """What is open, what that means for the others, and intervals of what is not."""

    judge: Judgement
    openness: Mapping[str, Openness]
    limit: Limit | None
    intervals: Mapping[str, tuple[float, float]]


def _judge(search: Search, noise: float | None, confidence: float) -> _Verdicts:
    problem, best = search.problem, search.best
    count = len(problem.linear) + len(problem.brackets)
    if noise is None:
        degrees = problem.F.size - count
        variance = max(best.rss / degrees, noise_floor(problem) ** 2)
    else:
        degrees = 0
        variance = noise**2
    judge = Judgement(variance, degrees, confidence, distinct_speeds(problem.v).size)
    openness = {name: open_ends(search, name, judge) for name in problem.brackets}
    is_any_open = any(o.is_open for o in openness.values())
    return _Verdicts(
        judge,
        openness,
        settle(search, openness, judge) if is_any_open else None,
        {n: interval(search, n, judge) for n, o in openness.items() if not o.is_open},
    )


def _result(
    problem: SteadyProblem, best: Point, verdicts: _Verdicts, offset: bool, is_edge: bool
) -> SteadyFit:
    judge, limit, openness = verdicts.judge, verdicts.limit, verdicts.openness
    law = problem.law
    free = [n for n in problem.brackets if not openness[n].is_open]
    solution = local(problem, best.values, free)
    spread = np.sqrt(judge.variance * np.sum(solution.root**2, axis=1))
    estimates: list[Estimate] = []
    sure: list[str] = []
    for name, unit in _quantities(law, offset):
        if name in problem.fixed:
            estimates.append(held(name, unit, problem.fixed[name]))
            continue
        if name in openness and openness[name].is_open:
            ends = problem.brackets[name]
            estimates.append(_open(name, unit, openness[name], ends, best.values[name], is_edge))
            continue
        at = solution.names.index(name)
        if not solution.is_determined[at]:
            estimate = unknown(name, unit, solution.trade(name) + ".")
            if name in verdicts.intervals:
                low, high = verdicts.intervals[name]
                text = f"Every {name} from {low:.4g} to {high:.4g} fits as well."
                estimate = replace(estimate, low=low, high=high, note=text)
            estimates.append(estimate)
            continue
        if limit and not limit.others[name].is_settled:
            estimates.append(unknown(name, unit, _depends(openness)))
            continue
        sure.append(name)
        estimate = identified(name, unit, best.values[name], float(spread[at]), judge.quantile)
        if name in verdicts.intervals:
            low, high = verdicts.intervals[name]
            estimate = replace(estimate, low=low, high=high)
        if limit:
            estimate = _over_limit(estimate, limit)
        estimates.append(estimate)
    order = [solution.names.index(n) for n in sure]
    root = solution.root[order]
    own = {n: x for n, x in best.values.items() if n != OFFSET}
    model = steady_force(law, own, problem.v, problem.signals) + best.values.get(OFFSET, 0.0)
    whole = local(problem, best.values, list(problem.brackets))
    return SteadyFit(
        law=law,
        estimates=tuple(estimates),
        values=dict(best.values),
        covariance=Covariance(tuple(sure), judge.variance * (root @ root.T)),
        noise=sqrt(judge.variance),
        degrees=judge.degrees,
        confidence=judge.confidence,
        rank=whole.rank,
        condition=whole.condition,
        v=problem.v,
        F=problem.F,
        residuals=problem.F - model,
    )


def _problem(
    law: FrictionLaw,
    v: ArrayLike,
    F: ArrayLike,
    fixed: Mapping[str, float] | None,
    signals: Mapping[str, ArrayLike] | None,
    offset: bool,
    brackets: Mapping[str, tuple[float, float]] | None,
) -> SteadyProblem:
    if law.states:
        raise UnsupportedError(
            f"{_WHERE}: {law.name} has states. Fit its steady curve as 'stribeck', then its "
            "bristles from motion near rest."
        )
    names = [q.name for q in law.parameters]
    needed = [q.name for q in law.signals]
    given = dict(signals or {})
    held_values = {n: float(x) for n, x in (fixed or {}).items()}
    check_names(_WHERE, list(held_values), names, f"parameter of {law.name}")
    check_names(_WHERE, list(given), needed, f"signal of {law.name}")
    for name in needed:
        if name not in given:
            raise InputError(f"{law.name} needs the signal {name!r}", where=_WHERE)
    speeds, forces, checked = check_steady(v, F, given, _WHERE)
    for q in law.parameters:
        if q.name in held_values and not q.domain.contains(held_values[q.name]):
            raise InputError(
                f"{q.name} is outside its domain",
                where=_WHERE,
                expected=f"{q.name} {q.domain.value}",
                got=repr(held_values[q.name]),
            )
    if offset and "offset" in names:
        raise InputError(f"{law.name} has an offset of its own", where=_WHERE)
    linear = tuple(n for n in names if n in law.linear and n not in held_values)
    nonlinear = [n for n in names if n not in law.linear and n not in held_values]
    if len(nonlinear) > MOST_NONLINEAR:
        raise InputError(
            f"{law.name} has {len(nonlinear)} parameters that are not linear",
            where=_WHERE,
            expected=f"at most {MOST_NONLINEAR} of {' '.join(nonlinear)} to be fitted",
            remedy="Hold the others fixed.",
        )
    ranges = {n: bracket_of(law, n, speeds, dict(brackets or {})) for n in nonlinear}
    return SteadyProblem(
        law=law,
        v=speeds,
        F=forces,
        signals=checked,
        linear=(*linear, OFFSET) if offset else linear,
        fixed=held_values,
        brackets=ranges,
    )


def bracket_of(
    law: FrictionLaw, name: str, v: Array, given: Mapping[str, tuple[float, float]]
) -> tuple[float, float]:
    """Range of a non-linear parameter: beyond it the points cannot tell the curve from a limit."""
    if name in given:
        low, high = given[name]
        if not (np.isfinite(low) and np.isfinite(high) and low < high):
            raise InputError(f"bracket of {name} is empty", where=_WHERE, got=f"{low} to {high}")
        return float(low), float(high)
    slow, fast = float(np.min(np.abs(v))), float(np.max(np.abs(v)))
    match next(q.unit for q in law.parameters if q.name == name):
        case "rad/s":
            return slow / 40, 10 * fast
        case "s/rad":
            return 0.1 / fast, 40 / slow
        case "1":
            return _EXPONENTS
        case unit:
            raise InputError(
                f"no range is known for {name} [{unit}]",
                where=_WHERE,
                remedy=f"Hold {name} fixed, or give a bracket for it.",
            )


def _quantities(law: FrictionLaw, offset: bool) -> list[tuple[str, str]]:
    found = [(q.name, q.unit) for q in law.parameters]
    return [*found, (OFFSET, "N m")] if offset else found


def _open(
    name: str,
    unit: str,
    openness: Openness,
    ends: tuple[float, float],
    best: float,
    is_edge: bool,
) -> Estimate:
    """What is said of an open parameter: of the search, not more."""
    low, high = openness.low, openness.high
    if low is None and high is None:
        text = f"every {name} searched, {ends[0]:.3g} to {ends[1]:.3g}, fits as well"
    elif low is None:
        text = f"every {name} from {ends[0]:.3g}, where the search ends, to {high:.4g} fits as well"
    else:
        text = f"every {name} from {low:.4g} to {ends[1]:.3g}, where the search ends, fits as well"
    if not openness.is_whole:
        sides = (openness.to_low, openness.to_high)
        where = " and ".join(f"{x:.3g}" for x, one in zip(ends, sides, strict=True) if one)
        text = f"{name} at the end of the search, {where}, fits as well as {name} near {best:.4g}"
    elif is_edge and best in ends:
        text = f"{text}, best at the end, {best:.3g}"
    note = text.replace("every", "Every", 1) + "."
    return Estimate(name, unit, Standing.NOT_IDENTIFIABLE, low=low, high=high, note=note)


def _open_names(openness: Mapping[str, Openness]) -> str:
    return " and ".join(n for n, o in openness.items() if o.is_open)


def _depends(openness: Mapping[str, Openness]) -> str:
    return f"Its value depends on {_open_names(openness)}, which these speeds do not determine."


def _over_limit(estimate: Estimate, limit: Limit) -> Estimate:
    """The interval up to the simplest curve that fits as well, and the value there."""
    assert estimate.value is not None
    assert estimate.low is not None
    assert estimate.high is not None
    over = limit.others[estimate.name]
    shown = with_digits(limit.point.values[estimate.name], estimate.sd)
    return replace(
        estimate,
        low=min(over.low, estimate.low),
        high=max(over.high, estimate.high),
        note=f"Also in the limit of {limit.words}."
        if shown == with_digits(estimate.value, estimate.sd)
        else f"{shown} in the limit of {limit.words}, which fits as well.",
    )
