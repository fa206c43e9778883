"""Variable projection: least squares that are linear in most parameters and not in a few.

For fixed non-linear parameters the linear ones follow from a linear problem, so the search runs
over the few others only (Golub and Pereyra 1973): a grid over their brackets, then Gauss-Newton
steps over all parameters at once from the best grid points. Steps stop when they no longer change
the parameters, not when the sum of squares no longer falls: a sum of squares is flat to half the
digits, so a search by its value alone, golden section for one, ends at 1e-8.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from symdyn.algebra.float64 import Array
from symdyn.friction.law import Domain, FrictionLaw
from symdyn.identify.columns import column_sizes, linear_columns, steady_gradient
from symdyn.identify.gauss_newton import descend
from symdyn.identify.least_squares import RANK_TOLERANCE, LinearSolution, solve

#: Name of the constant that stands beside a law: sensor offset, gravity at a fixed posture.
OFFSET = "constant"

#: Grid points per non-linear parameter, by their number.
_GRID = {1: 81, 2: 33, 3: 13}
#: More of them are not searched: a grid would take minutes and find nothing sure.
MOST_NONLINEAR = 3
_STARTS = 6
#: Relative change of the parameters that ends the Gauss-Newton steps of the fit itself ...
_STILL = 1e-14
#: ... and of a profile, whose sum of squares is then right to the square of it.
_ROUGH = 1e-6


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
    size = np.where(size > 0, size, 1.0)
    U, s, Vt = np.linalg.svd(columns / size, full_matrices=False)
    rank = int(np.sum(s > RANK_TOLERANCE * s[0])) if s.size and s[0] > 0 else 0
    x = (Vt[:rank].T @ ((U[:, :rank].T @ y) / s[:rank])) / size
    r = y - columns @ x
    return Point({**others, **dict(zip(problem.linear, map(float, x), strict=True))}, float(r @ r))


def jacobian(problem: SteadyProblem, values: Mapping[str, float]) -> tuple[Array, Array]:
    """Residuals F - model, and derivatives of the model by linear, then non-linear parameters."""
    names = (*problem.of_law, *problem.brackets)
    own = {n: x for n, x in values.items() if n != OFFSET}
    model, slopes = steady_gradient(problem.law, own, names, problem.v, problem.signals)
    if OFFSET in problem.linear:
        slopes = np.insert(slopes, len(problem.of_law), 1.0, axis=1)
        model = model + values[OFFSET]
    return problem.F - model, slopes


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
    table = np.empty([len(g) for g in grids])
    for index in product(*(range(len(g)) for g in grids)):
        table[index] = project(problem, {**kept, **_at(free, grids, index)}).rss
    rough = [
        polish(problem, project(problem, {**kept, **_at(free, grids, index)}), free, _ROUGH)
        for index in _lowest(table)
    ]
    lowest = min(point.rss for point in rough)
    level = lowest * (1 + 1e-6) + noise_floor(problem) ** 2 * problem.F.size
    # the same curve may be written in two ways: take the one that the law's domains allow
    equal = [point for point in rough if point.rss <= level]
    best = min(equal, key=lambda point: (_outside(problem, point), point.rss))
    return polish(problem, best, free, _STILL)


def _outside(problem: SteadyProblem, point: Point) -> int:
    """How many parameters are outside their domains."""
    return sum(not q.domain.contains(point.values[q.name]) for q in problem.law.parameters)


def follow(problem: SteadyProblem, near: Point, held: Mapping[str, float]) -> Point:
    """The fit with some parameters held, from the fit at a place nearby."""
    kept = {n: near.values[n] for n in problem.brackets} | dict(held)
    free = [n for n in problem.brackets if n not in held]
    start = project(problem, kept)
    return polish(problem, start, free, _ROUGH) if free else start


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
    )
    values = {**start.values, **dict(zip(names, map(float, end.x), strict=True))}
    settled = project(problem, {n: values[n] for n in problem.brackets})
    return settled if settled.rss <= end.rss * (1 + 1e-9) + floor else Point(values, end.rss)


def noise_floor(problem: SteadyProblem) -> float:
    """The smallest standard deviation that doubles can show in these data: rounding [N m]."""
    largest = float(np.max(np.abs(problem.F)))
    return max(8 * float(np.finfo(float).eps) * largest, float(np.finfo(float).tiny))


def _grid(problem: SteadyProblem, name: str, count: int) -> Array:
    low, high = problem.brackets[name]
    if problem.is_log(name):
        return np.geomspace(low, high, count)
    return np.linspace(low, high, count)


def _at(names: Sequence[str], grids: Sequence[Array], index: Sequence[int]) -> dict[str, float]:
    return {n: float(g[i]) for n, g, i in zip(names, grids, index, strict=True)}


def _lowest(table: Array) -> list[tuple[int, ...]]:
    """Grid points not above any neighbour, lowest first; a few."""
    is_low = np.ones(table.shape, dtype=bool)
    for axis in range(table.ndim):
        ahead = np.diff(table, axis=axis)
        lead = [slice(None)] * table.ndim
        lag = [slice(None)] * table.ndim
        lead[axis], lag[axis] = slice(1, None), slice(None, -1)
        is_low[tuple(lag)] &= ahead >= 0
        is_low[tuple(lead)] &= ahead <= 0
    found = [tuple(int(i) for i in index) for index in np.argwhere(is_low)]
    found.sort(key=lambda index: float(table[index]))
    return found[:_STARTS]
