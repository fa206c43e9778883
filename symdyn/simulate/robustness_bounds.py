"""How wrong a parameter of the observer may be: bounds in closed form and by simulation.

At rest the compensated loop is linear (v |v| is of second order): with hats for the observer's
parameters and D = sigma1 + sigma2 - sigma1_hat - sigma2_hat its characteristic polynomial is

    J s^3 + (Kv + D) s^2 + (Kp + sigma0 - sigma0_hat + sigma1_hat k) s + sigma0_hat k.

Where that is not stable (Routh) no equilibrium is, and a small limit cycle is left. Fc, Fs, vs and
alpha do not enter: what they do is a matter of large motions, which the simulated bound shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from symdyn.simulate.limit_cycle import CycleKind
from symdyn.simulate.march import Prepared
from symdyn.simulate.observer import HAT, with_hats
from symdyn.simulate.robustness import believed, sweep

#: How far a factor goes either way.
MOST = 10.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """Factors on one parameter of the observer between which the error converges to zero.

    Attributes
    ----------
    name, Kv : the parameter, and the velocity gain
    below, above : as simulated; 0 and infinity if it converges at 1/`MOST` and `MOST`
    linear_below, linear_above : of the loop at rest; 0 and infinity if it is stable for all
    """

    name: str
    Kv: float
    below: float
    above: float
    linear_below: float
    linear_above: float


def is_rest_stable(p: Mapping[str, float]) -> bool:
    """Whether the compensated loop is stable about rest.

    Parameters
    ----------
    p : J, Kp, Kv, k, the parameters of LuGre friction and those of the observer
    """
    return all(c > 0 for c in _hurwitz(p))


def _hurwitz(p: Mapping[str, float]) -> tuple[float, float, float, float]:
    damping = p["Kv"] + p["sigma1"] + p["sigma2"] - p["sigma1_hat"] - p["sigma2_hat"]
    stiffness = p["Kp"] + p["sigma0"] - p["sigma0_hat"] + p["sigma1_hat"] * p["k"]
    last = p["sigma0_hat"] * p["k"]
    return damping, stiffness, last, damping * stiffness - p["J"] * last


def linear_bounds(
    nominal: Mapping[str, float], gains: Mapping[str, float], name: str
) -> tuple[float, float]:
    """Factors on one parameter of the observer between which the loop is stable about rest.

    Parameters
    ----------
    nominal : J and the parameters of LuGre friction
    gains : Kp, Kv, k
    name : of the parameter, without hat

    Returns
    -------
    below, above : 0 and infinity where there is no bound; NaN twice if it is not stable at 1
    """
    base = {**nominal, **with_hats(nominal), **gains}

    def conditions(factor: float) -> tuple[float, ...]:
        return _hurwitz({**base, f"{name}{HAT}": factor * nominal[name]})

    if min(conditions(1.0)) <= 0:
        return math.nan, math.nan
    # each condition is a polynomial of degree 2 or less in the factor
    at = [conditions(x) for x in (0.0, 1.0, 2.0)]
    ends: list[float] = []
    for y0, y1, y2 in zip(*at, strict=True):
        bend = (y2 - 2 * y1 + y0) / 2
        coefficients = np.array([bend, y1 - y0 - bend, y0])
        coefficients[np.abs(coefficients) < 1e-13 * np.abs(coefficients).max()] = 0
        ends += [float(r.real) for r in np.roots(coefficients) if r.imag == 0]
    below = max((e for e in ends if 0 < e < 1), default=0.0)
    return below, min((e for e in ends if e > 1), default=math.inf)


def simulated_bound(
    servo: Prepared,
    nominal: Mapping[str, float],
    gains: Mapping[str, float],
    name: str,
    most: float,
    *,
    guess: float = math.nan,
    error: float = -1.0,
    longest: float = 320.0,
    dt: float = 1e-4,
    tolerance: float = 0.01,
) -> float:
    """Factor on one parameter of the observer at which the error ceases to converge to zero.

    Parameters
    ----------
    servo : from `robustness.compensated_servo`
    nominal, gains : as for `robustness.sweep`
    name : of the parameter
    most : the last factor that is tried, above or below 1
    guess : where to look first
    error, longest, dt : as for `robustness.sweep`; what has not decayed by then does not count as
        converging
    tolerance : relative width of the bisection

    Returns
    -------
    factor ; infinity or 0 if the error converges at ``most``; NaN if it does not at 1
    """

    def converges(factor: float) -> bool:
        (outcome,) = sweep(
            servo, nominal, gains, believed(name, nominal, [factor]),
            error=error, longest=longest, dt=dt, workers=1, warns=False,
        )  # fmt: skip
        return outcome.verdict.kind is CycleKind.DECAY

    if not converges(1.0):
        return math.nan
    side = 1 if most > 1 else -1
    inner, outer = 1.0, most
    if guess > 0 and 1 < guess**side < most**side:
        near, far = guess * (1 - tolerance) ** side, guess * (1 + tolerance) ** side
        if near**side > 1 and converges(near):
            inner = near
            outer = far if not converges(far) else most
    if outer == most and converges(most):
        return math.inf if side > 0 else 0.0
    while abs(math.log(outer / inner)) > 2.1 * tolerance:
        middle = math.sqrt(inner * outer)
        inner, outer = (middle, outer) if converges(middle) else (inner, middle)
    return math.sqrt(inner * outer)


def bounds(
    servo: Prepared,
    nominal: Mapping[str, float],
    gains: Mapping[str, float],
    names: Sequence[str],
    velocity_gains: Sequence[float],
    *,
    workers: int | None = None,
    done: Callable[[int, int], None] | None = None,
) -> tuple[Bounds, ...]:
    """Bounds of convergence for several parameters and velocity gains, in threads.

    Parameters
    ----------
    servo, nominal : as for `robustness.sweep`
    gains : Kp and k
    names : of parameters
    velocity_gains : Kv
    workers : threads; the number of cores by default
    done : told after each bound how many of how many there are

    Returns
    -------
    for each parameter all velocity gains, in order
    """
    cells = [(name, Kv) for name in names for Kv in velocity_gains]
    sides = [(name, Kv, most) for name, Kv in cells for most in (1 / MOST, MOST)]

    def one(side: tuple[str, float, float]) -> float:
        name, Kv, most = side
        own = {**gains, "Kv": Kv}
        guess = linear_bounds(nominal, own, name)[most > 1]
        return simulated_bound(servo, nominal, own, name, most, guess=guess)

    found: list[float] = []
    with ThreadPoolExecutor(workers) as pool:
        for factor in pool.map(one, sides):
            found.append(factor)
            if done is not None:
                done(len(found), len(sides))
    return tuple(
        Bounds(name, Kv, below, above, *linear_bounds(nominal, {**gains, "Kv": Kv}, name))
        for (name, Kv), below, above in zip(cells, found[::2], found[1::2], strict=True)
    )
