"""Which speeds to measure at: precision foretold, and the best design with its certificate.

With errors of standard deviation s at every point, the asymptotic covariance of the parameters is
s^2 (J'J)^-1, J being the derivatives of the steady curve. It needs a guess of the parameters and no
measurement. The design that maximises log det J'J over all weightings of a set of speeds is found
by multiplicative steps (Silvey, Titterington and Torsney 1978); the equivalence theorem of Kiefer
and Wolfowitz (1960) says how far from the optimum it still can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np
from numpy.typing import ArrayLike

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.friction.law import FrictionLaw
from symdyn.identify.columns import column_sizes, steady_gradient
from symdyn.identify.estimate import Covariance
from symdyn.identify.least_squares import LinearSolution, solve
from symdyn.identify.samples import check_names, series

_WHERE = "sweep design"
_STEPS = 20_000
_SHARE = 1e-3


@dataclass(frozen=True, slots=True)
class Precision:
    """What a design would tell, for a guess of the parameters.

    Attributes
    ----------
    covariance : of the parameters that the design determines
    sd : standard deviation by name; None for what it does not determine
    relative : sd over the absolute value of the guess, where both exist
    rank : of the Jacobian
    condition : condition number of the scaled Jacobian
    """

    covariance: Covariance
    sd: Mapping[str, float | None]
    relative: Mapping[str, float]
    rank: int
    condition: float


@dataclass(frozen=True, slots=True)
class SweepDesign:
    """The best speeds for a guess of the parameters.

    Attributes
    ----------
    v : (k,) speeds that carry weight, increasing [rad/s]
    weights : (k,) shares of the measurements, sum 1
    efficiency : lower bound of det(J'J)^(1/p) over that of the best design of all on the grid
    counts : (k,) whole measurements for the number asked for
    """

    v: Array
    weights: Array
    efficiency: float
    counts: tuple[int, ...]


def expected_precision(
    law: FrictionLaw,
    guess: Mapping[str, float],
    v: ArrayLike,
    noise: float,
    *,
    fixed: Sequence[str] = (),
    signals: Mapping[str, Array] | None = None,
) -> Precision:
    """Asymptotic standard deviations of a fit at the speeds v.

    Parameters
    ----------
    law : a law without states
    guess : of all its parameters
    v : (m,) velocities of the sweep [rad/s]
    noise : standard deviation of one measurement [N m]
    fixed : names that will not be fitted

    Returns
    -------
    Precision

    Raises
    ------
    InputError : a parameter outside its domain, or no velocities
    """
    values = law.check(guess, where=_WHERE)
    check_names(_WHERE, list(fixed), list(values), f"parameter of {law.name}")
    speeds = series("v", v, _WHERE)
    names = [n for n in values if n not in fixed]
    solution = _linearised(law, values, names, speeds, signals)
    kept = [k for k, ok in enumerate(solution.is_determined) if ok]
    root = solution.root[kept]
    spread = noise * np.sqrt(np.sum(solution.root**2, axis=1))
    sd = {
        n: float(s) if ok else None
        for n, s, ok in zip(names, spread, solution.is_determined, strict=True)
    }
    return Precision(
        covariance=Covariance(tuple(names[k] for k in kept), noise**2 * (root @ root.T)),
        sd=sd,
        relative={n: s / abs(values[n]) for n, s in sd.items() if s is not None and values[n] != 0},
        rank=solution.rank,
        condition=solution.condition,
    )


def _linearised(
    law: FrictionLaw,
    values: Mapping[str, float],
    names: Sequence[str],
    v: Array,
    signals: Mapping[str, Array] | None = None,
) -> LinearSolution:
    F, slopes = steady_gradient(law, values, names, v, signals)
    linear = [n for n in names if n in law.linear]
    size = dict(
        zip(linear, column_sizes(law, linear, _others(values, linear), v, signals), strict=True)
    )
    largest = float(np.max(np.abs(F))) or 1.0
    scale = np.array(
        [size[n] if n in size else largest / max(abs(values[n]), 1e-300) for n in names]
    )
    # fewer speeds than parameters are a legal question with a rank below full
    rows = max(v.size, len(names))
    J = np.zeros((rows, len(names)))
    J[: v.size] = slopes
    return solve(J, np.zeros(rows), names, scale)


def _others(values: Mapping[str, float], linear: Sequence[str]) -> dict[str, float]:
    return {n: x for n, x in values.items() if n not in linear}


def best_sweep(
    law: FrictionLaw,
    guess: Mapping[str, float] | Sequence[Mapping[str, float]],
    low: float,
    high: float,
    *,
    fixed: Sequence[str] = (),
    count: int = 50,
    candidates: int = 400,
    gap: float = 1e-3,
) -> SweepDesign:
    """Speeds between ``low`` and ``high`` that determine the parameters best.

    Parameters
    ----------
    law, fixed : as in `expected_precision`
    guess : of all parameters, or several guesses: the design then serves them all, maximising the
        mean of log det J'J, and has more speeds than parameters
    low, high : slowest and fastest speed that the joint can hold [rad/s]
    count : measurements to share out
    candidates : log-spaced speeds to choose from
    gap : the steps end when the efficiency is certain to be above exp(-gap)

    Returns
    -------
    SweepDesign : for odd laws measure each speed in both directions

    Raises
    ------
    InputError : an empty range, or parameters that no speeds in it determine
    """
    guesses = [guess] if isinstance(guess, Mapping) else list(guess)
    if not guesses:
        raise InputError("no guess of the parameters", where=_WHERE)
    all_values = [law.check(g, where=_WHERE) for g in guesses]
    check_names(_WHERE, list(fixed), list(all_values[0]), f"parameter of {law.name}")
    names = [n for n in all_values[0] if n not in fixed]
    if count < len(names):
        raise InputError(
            "fewer measurements than parameters",
            where=_WHERE,
            expected=f"at least {len(names)}",
            got=str(count),
        )
    if not 0 < low < high or not np.isfinite(high):
        raise InputError("the range of speeds is empty", where=_WHERE, got=f"{low:g} to {high:g}")
    v = np.geomspace(low, high, candidates)
    Js: list[Array] = []
    for values in all_values:
        solution = _linearised(law, values, names, v)
        if solution.rank < len(names):
            bad = [n for n, ok in zip(names, solution.is_determined, strict=True) if not ok]
            raise InputError(
                f"no speeds from {low:g} to {high:g} rad/s determine {' '.join(bad)}",
                where=_WHERE,
                remedy="Widen the range towards the speeds where the curve bends, or hold them "
                "fixed.",
            )
        _, J = steady_gradient(law, values, names, v)
        Js.append(J / np.max(np.abs(J), axis=0))
    p = len(names)
    weights = np.full(candidates, 1 / candidates)
    for _ in range(_STEPS):
        variance = _variances(Js, weights)
        if float(np.max(variance)) - p <= gap:
            break
        weights = weights * variance / p
        weights /= np.sum(weights)
    speeds, shares = _gather(v, weights)
    worst = float(np.max(_variances(Js, _on_grid(v, speeds, shares))))
    return SweepDesign(
        v=speeds,
        weights=shares,
        efficiency=exp(-max(worst - p, 0.0) / p),
        counts=_round(shares, max(count, speeds.size)),
    )


@dataclass(frozen=True, slots=True)
class ComparedDesign:
    """The best sweep beside one of as many log-spaced speeds.

    Attributes
    ----------
    design : the best speeds
    low, high : of the range [rad/s]
    best, spaced : precision of either
    """

    design: SweepDesign
    low: float
    high: float
    best: Precision
    spaced: Precision


def compare_designs(
    law: FrictionLaw,
    guess: Mapping[str, float],
    low: float,
    high: float,
    *,
    fixed: Sequence[str] = (),
    count: int = 50,
    noise: float = 0.05,
    spread: float = 1.0,
) -> ComparedDesign:
    """The best sweep, and what it gains.

    Parameters
    ----------
    law, guess, low, high, fixed, count : as in `best_sweep`
    noise : standard deviation of one measurement [N m]
    spread : the design serves velocities from 1/spread to spread times the guess

    Raises
    ------
    InputError : as `best_sweep`, or a spread below 1
    """
    if not (np.isfinite(spread) and spread >= 1):
        raise InputError("the spread is below 1", where=_WHERE, got=repr(spread))
    speeds = [q.name for q in law.parameters if q.unit == "rad/s" and q.name not in fixed]
    guesses = [
        {n: x * factor if n in speeds else x for n, x in guess.items()}
        for factor in ((1 / spread, 1.0, spread) if spread > 1 else (1.0,))
    ]
    design = best_sweep(law, guesses, low, high, fixed=fixed, count=count)
    chosen = np.repeat(design.v, design.counts)
    spaced = np.geomspace(low, high, chosen.size)
    return ComparedDesign(
        design,
        low,
        high,
        expected_precision(law, guess, chosen, noise, fixed=fixed),
        expected_precision(law, guess, spaced, noise, fixed=fixed),
    )


def _variances(Js: Sequence[Array], weights: Array) -> Array:
    """Variance function of the design, mean over the guesses; its maximum is at least their p."""
    total = np.zeros_like(weights)
    for J in Js:
        M = J.T @ (weights[:, None] * J)
        total += np.einsum("mi,mi->m", J @ np.linalg.inv(M), J)
    return total / len(Js)


def _gather(v: Array, weights: Array) -> tuple[Array, Array]:
    """Neighbours on the grid become one speed, at their centre of mass in log v."""
    speeds: list[float] = []
    shares: list[float] = []
    mass, moment, last = 0.0, 0.0, -1
    for k in map(int, np.flatnonzero(weights > _SHARE * np.max(weights))):
        if mass > 0 and k - last > 1:
            speeds.append(float(np.exp(moment / mass)))
            shares.append(mass)
            mass, moment = 0.0, 0.0
        mass += float(weights[k])
        moment += float(weights[k] * np.log(v[k]))
        last = k
    speeds.append(float(np.exp(moment / mass)))
    shares.append(mass)
    total = sum(shares)
    return np.array(speeds), np.array(shares) / total


def _on_grid(v: Array, speeds: Array, shares: Array) -> Array:
    weights = np.zeros_like(v)
    for speed, share in zip(speeds, shares, strict=True):
        weights[int(np.argmin(np.abs(np.log(v / speed))))] += share
    return weights


def _round(shares: Array, count: int) -> tuple[int, ...]:
    """Whole numbers of measurements, by largest remainders, at least one each."""
    wanted = shares * count
    whole = np.maximum(np.floor(wanted), 1).astype(int)
    rest = wanted - whole
    while int(np.sum(whole)) < count:
        k = int(np.argmax(rest))
        whole[k] += 1
        rest[k] -= 1
    return tuple(int(n) for n in whole)
