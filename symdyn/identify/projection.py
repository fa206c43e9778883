"""Variable projection: least squares that are linear in most parameters and not in a few.

For fixed non-linear parameters the linear ones follow from a linear problem, so the search runs
over the few others only (Golub and Pereyra 1973): a grid over their brackets, then Gauss-Newton
steps over all parameters at once from the best grid points. Steps stop when they no longer change
the parameters, not when the sum of squares no longer falls: a sum of squares is flat to half the
digits, so a search by its value alone, golden section for one, ends at 1e-8.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from symdyn._errors import UnsupportedError
from symdyn.algebra.float64 import Array
from symdyn.friction.law import Domain, FrictionLaw
from symdyn.identify.columns import column_sizes, columns_of_many, linear_columns, steady_gradient
from symdyn.identify.gauss_newton import descend
from symdyn.identify.least_squares import RANK_TOLERANCE, LinearSolution, solve

#: Name of the constant that stands beside a law: sensor offset, gravity at a fixed posture.
OFFSET = "constant"

#: Grid points per non-linear parameter, by their number.
_GRID = {1: 81, 2: 33, 3: 19}
#: A column is nothing if all of it is below this: its squares would be lost.
_NOTHING = 1e-140
#: More of them are not searched: a grid would take minutes and find nothing sure.
MOST_NONLINEAR = 3
#: Numbers of the tables that are made at once.
_NUMBERS = 1_000_000
#: Grid minima from which the steps start, by the number of non-linear parameters.
_STARTS = {1: 6, 2: 10, 3: 24}
#: Of the ends that are nearly the lowest so many are walked to the last digit.
_FINE = 3
#: The lowest grid points, minima or not, from which steps start too if nothing is held: a basin
#: narrower than the grid has no minimum on it.
_MORE = {1: 10, 2: 40, 3: 80}
#: In a long valley the steps run out before its end; they are taken up again so many times.
_AGAIN = 8
#: A range whose end is best is made a hundred times wider, at most so many times.
_WIDENINGS = 8
#: Relative change of the parameters that ends the Gauss-Newton steps of the fit itself ...
_STILL = 1e-14
#: ... and of a profile, whose sum of squares is then right to the square of it.
_ROUGH = 1e-6
#: Share of the sum of squares that ten steps have to gain, in the fit itself and in a profile.
_GAIN = (1e-12, 1e-8)


@dataclass(frozen=True, slots=True)
class SteadyProblem:
    """Points of a steady curve and the law to fit.

    Attributes
    ----------
    law : a law without states
    v, F : (m,) velocities [rad/s], friction [N m]
    signals : (m,) each
    linear : names fitted linearly; `OFFSET` last if there is one
    fixed : values that are held
    brackets : range of each non-linear parameter that is searched
    """

    law: FrictionLaw
    v: Array
    F: Array
    signals: Mapping[str, Array]
    linear: tuple[str, ...]
    fixed: Mapping[str, float]
    brackets: Mapping[str, tuple[float, float]]

    @property
    def of_law(self) -> tuple[str, ...]:
        """Linear parameters of the law itself."""
        return tuple(n for n in self.linear if n != OFFSET)

    def is_log(self, name: str) -> bool:
        """Whether a parameter is searched by its logarithm."""
        return any(q.name == name and q.domain is Domain.POSITIVE for q in self.law.parameters)


@dataclass(frozen=True, slots=True)
class Point:
    """Values of all parameters of the law (and `OFFSET`), and the sum of squares they leave."""

    values: Mapping[str, float]
    rss: float


def project(problem: SteadyProblem, nonlinear: Mapping[str, float]) -> Point:
    """The best linear parameters for given non-linear ones."""
    others = {**problem.fixed, **nonlinear}
    rest, columns = linear_columns(problem.law, problem.of_law, others, problem.v, problem.signals)
    if OFFSET in problem.linear:
        columns = np.column_stack((columns, np.ones_like(problem.v)))
    y = problem.F - rest
    if not (np.isfinite(columns).all() and np.isfinite(y).all()):
        # a place where the law itself has no value, such as points of a table out of order
        return Point({**others, **dict.fromkeys(problem.linear, 0.0)}, np.inf)
    size = np.max(np.abs(columns), axis=0, initial=0.0)
    columns = np.where(size > _NOTHING, columns, 0.0)
    size = np.where(size > _NOTHING, size, 1.0)
    U, s, Vt = np.linalg.svd(columns / size, full_matrices=False)
    rank = int(np.sum(s > RANK_TOLERANCE * s[0])) if s.size and s[0] > 0 else 0
    x = (Vt[:rank].T @ ((U[:, :rank].T @ y) / s[:rank])) / size
    r = y - columns @ x
    rss = float(r @ r)
    return Point(
        {**others, **dict(zip(problem.linear, map(float, x), strict=True))},
        rss if np.isfinite(rss) else np.inf,
    )


def jacobian(problem: SteadyProblem, values: Mapping[str, float]) -> tuple[Array, Array]:
    """Residuals F - model, and derivatives of the model by linear, then non-linear parameters."""
    names = (*problem.of_law, *problem.brackets)
    own = {n: x for n, x in values.items() if n != OFFSET}
    model, slopes = steady_gradient(problem.law, own, names, problem.v, problem.signals)
    if OFFSET in problem.linear:
        slopes = np.insert(slopes, len(problem.of_law), 1.0, axis=1)
        model = model + values[OFFSET]
    # a slope too large for a double is no direction to walk along
    return problem.F - model, np.where(np.isfinite(slopes), slopes, 0.0)


def local(
    problem: SteadyProblem, values: Mapping[str, float], free: Sequence[str]
) -> LinearSolution:
    """The problem linearised at a point: rank, null directions, covariance.

    Parameters
    ----------
    values : of all parameters
    free : non-linear parameters that take part; the linear ones always do
    """
    r, J = jacobian(problem, values)
    names = (*problem.linear, *free)
    everything = (*problem.linear, *problem.brackets)
    others = {n: x for n, x in values.items() if n not in problem.linear}
    size = column_sizes(problem.law, problem.of_law, others, problem.v, problem.signals)
    if OFFSET in problem.linear:
        size = np.append(size, 1.0)
    # a change of a non-linear parameter by itself is compared with the friction itself
    largest = float(np.max(np.abs(problem.F))) or 1.0
    size = np.append(size, [largest / max(abs(values[n]), 1e-300) for n in free])
    return solve(J[:, [everything.index(n) for n in names]], r, names, size)


def minimise(problem: SteadyProblem, held: Mapping[str, float] | None = None) -> Point:
    """Global search, then Gauss-Newton.

    Parameters
    ----------
    problem : what to fit
    held : non-linear parameters kept at a value of their own

    Returns
    -------
    Point : the best one found
    """
    kept = dict(held or {})
    free = [n for n in problem.brackets if n not in kept]
    if not free:
        return project(problem, kept)
    grids = [_grid(problem, name, _GRID[min(len(free), 3)]) for name in free]
    table = _table(problem, kept, free, grids)
    starts = [
        project(problem, {**kept, **_at(free, grids, index)})
        for index in _lowest(
            table, _STARTS[min(len(free), 3)], 0 if kept else _MORE[min(len(free), 3)]
        )
    ]
    # a descent that leaves the range of doubles leaves its start
    rough = [
        end if math.isfinite(end.rss) else start
        for start in starts
        for end in (polish(problem, start, free, _ROUGH),)
    ]
    rough = [point for point in rough if math.isfinite(point.rss)]
    if not rough:
        raise UnsupportedError(
            "minimise: no start of the search gives finite friction. Hold some of the parameters."
        )
    lowest = min(point.rss for point in rough)
    floor = noise_floor(problem) ** 2 * problem.F.size
    near = [point for point in rough if point.rss <= lowest * (1 + 1e-3) + floor]

    def is_outside(point: Point) -> tuple[int, float]:
        return len(outside(problem, point)), point.rss

    # the same curve may be written in two ways: take the one that the law's domains allow
    first = min(near, key=is_outside)
    rest = sorted((point for point in near if point is not first), key=lambda point: point.rss)
    fine = [polish(problem, point, free, _STILL) for point in (first, *rest[:_FINE])]
    level = min(point.rss for point in fine) * (1 + 1e-10) + floor
    return min((point for point in fine if point.rss <= level), key=is_outside)


def outside(problem: SteadyProblem, point: Point) -> list[str]:
    """Names of parameters outside their domains."""
    return [q.name for q in problem.law.parameters if not q.domain.contains(point.values[q.name])]


def follow(problem: SteadyProblem, near: Point, held: Mapping[str, float]) -> Point:
    """The fit with some parameters held, from the fit at a place nearby."""
    kept = {n: near.values[n] for n in problem.brackets} | dict(held)
    free = [n for n in problem.brackets if n not in held]
    start = project(problem, kept)
    return polish(problem, start, free, _ROUGH) if free else start


def repolish(problem: SteadyProblem, point: Point) -> Point:
    """The fit that the steps reach from a point, all parameters free."""
    free = list(problem.brackets)
    best = polish(problem, point, free, _STILL)
    for _ in range(_AGAIN if free else 0):
        further = polish(problem, best, free, _STILL)
        if not further.rss < best.rss * (1 - 1e-10):
            break
        best = further
    return best


def widened(
    problem: SteadyProblem, best: Point, given: Collection[str]
) -> tuple[SteadyProblem, Point]:
    """Follow a fit that is best at the end of a range beyond it, while that improves it.

    Parameters
    ----------
    problem, best : the fit so far
    given : names whose ranges are not to be left
    """
    floor = noise_floor(problem) ** 2 * problem.F.size
    for _ in range(_WIDENINGS):
        ranges = dict(problem.brackets)
        for name, (low, high) in problem.brackets.items():
            if name not in given and problem.is_log(name):
                x = best.values[name]
                at_low, at_high = x <= low * (1 + 1e-9), x >= high * (1 - 1e-9)
                ranges[name] = (low / 100 if at_low else low, high * 100 if at_high else high)
        if ranges == problem.brackets:
            break
        wider = replace(problem, brackets=ranges)
        point = repolish(wider, best)
        if not point.rss < best.rss * (1 - 1e-10) - floor:
            break
        problem, best = wider, point
    return problem, best


def polish(problem: SteadyProblem, start: Point, free: Sequence[str], still: float) -> Point:
    """Gauss-Newton steps over the linear and the free non-linear parameters."""
    names = (*problem.linear, *free)
    columns = [(*problem.linear, *problem.brackets).index(n) for n in names]
    floor = noise_floor(problem) ** 2 * problem.F.size
    bounds = [problem.brackets.get(n, (-np.inf, np.inf)) for n in names]

    def model(x: Array) -> tuple[Array, Array]:
        r, slopes = jacobian(
            problem, {**start.values, **dict(zip(names, map(float, x), strict=True))}
        )
        return r, slopes[:, columns]

    end = descend(
        model,
        np.array([start.values[n] for n in names]),
        logs=[n in free and problem.is_log(n) for n in names],
        low=np.array([low for low, _ in bounds]),
        high=np.array([high for _, high in bounds]),
        floor=floor,
        still=still,
        gain=_GAIN[still > _STILL],
    )
    values = {**start.values, **dict(zip(names, map(float, end.x), strict=True))}
    settled = project(problem, {n: values[n] for n in problem.brackets})
    return settled if settled.rss <= end.rss * (1 + 1e-11) + floor else Point(values, end.rss)


def noise_floor(problem: SteadyProblem) -> float:
    """The smallest standard deviation that doubles can show in these data: rounding [N m]."""
    largest = float(np.max(np.abs(problem.F)))
    return max(8 * float(np.finfo(float).eps) * largest, float(np.finfo(float).tiny))


def _table(
    problem: SteadyProblem, kept: Mapping[str, float], free: Sequence[str], grids: Sequence[Array]
) -> Array:
    """Sums of squares that the best linear parameters leave, over a grid of the others."""
    places = [x.ravel() for x in np.meshgrid(*grids, indexing="ij")]
    rss = np.empty(places[0].size)
    step = max(1, _NUMBERS // (problem.v.size * max(len(problem.linear), 1)))
    for start in range(0, rss.size, step):
        part = slice(start, start + step)
        own = {n: x[part] for n, x in zip(free, places, strict=True)}
        count = rss[part].size
        others = {n: np.full(count, x) for n, x in {**problem.fixed, **kept}.items()} | own
        rss[part] = _rss_of_many(problem, others)
    return rss.reshape([g.size for g in grids])


def _rss_of_many(problem: SteadyProblem, others: Mapping[str, Array]) -> Array:
    """As `project`, for many values of the non-linear parameters at once; (g,)"""
    rest, columns = columns_of_many(problem.law, problem.of_law, others, problem.v, problem.signals)
    y = problem.F - rest
    if OFFSET in problem.linear:
        columns = np.concatenate((columns, np.ones((*y.shape, 1))), axis=2)
    is_bad = ~(np.isfinite(columns).all(axis=(1, 2)) & np.isfinite(y).all(axis=1))
    columns[is_bad], y[is_bad] = 0.0, 0.0
    size = np.max(np.abs(columns), axis=1, keepdims=True, initial=0.0)
    columns = np.where(size > _NOTHING, columns, 0.0) / np.where(size > _NOTHING, size, 1.0)
    U, s, _ = np.linalg.svd(columns, full_matrices=False)
    part = np.einsum("gmk,gm->gk", U, y)
    if s.shape[1]:
        part = np.where(s > RANK_TOLERANCE * s[:, :1], part, 0.0)
    r = y - np.einsum("gmk,gk->gm", U, part)
    return np.where(is_bad, np.inf, np.sum(r * r, axis=1))


def _grid(problem: SteadyProblem, name: str, count: int) -> Array:
    low, high = problem.brackets[name]
    if problem.is_log(name):
        return np.geomspace(low, high, count)
    return np.linspace(low, high, count)


def _at(names: Sequence[str], grids: Sequence[Array], index: Sequence[int]) -> dict[str, float]:
    return {n: float(g[i]) for n, g, i in zip(names, grids, index, strict=True)}


def _lowest(table: Array, count: int, more: int) -> list[tuple[int, ...]]:
    """Grid points not above any neighbour, lowest first, then the lowest; so many of each."""
    is_low = np.ones(table.shape, dtype=bool)
    for axis in range(table.ndim):
        ahead = np.diff(np.minimum(table, np.finfo(float).max), axis=axis)
        lead = [slice(None)] * table.ndim
        lag = [slice(None)] * table.ndim
        lead[axis], lag[axis] = slice(1, None), slice(None, -1)
        is_low[tuple(lag)] &= ahead >= 0
        is_low[tuple(lead)] &= ahead <= 0
    found = [tuple(int(i) for i in index) for index in np.argwhere(is_low)]
    found.sort(key=lambda index: float(table[index]))
    order = np.argsort(table, axis=None, kind="stable")[:more]
    others = zip(*(map(int, axis) for axis in np.unravel_index(order, table.shape)), strict=True)
    return list(dict.fromkeys((*found[:count], *others)))
