"""Largest stable steps of explicit integrators, and the warning about larger ones.

A decaying mode of rate lambda needs dt <= real_bound / |lambda| (`simulate.scheme`): 2 for Euler,
2.785 for the classical Runge-Kutta method. Friction has three fast modes:

- velocity on the slope of a smoothed law: lambda = (dF/dv) / J, for tanh at rest Fs/(eps J);
- the bristles in sliding: lambda = sigma0 |v| / h(v);
- the bristles and the inertia in sticking: a pair of frequency sqrt(sigma0 / J).

`step_limit` takes them together from the Jacobian of the whole system.
"""

from __future__ import annotations

import cmath
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from symdyn._errors import UnsupportedError
from symdyn.algebra.dual import DualAlgebra
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.friction.law import FrictionLaw
from symdyn.simulate.scheme import RK4, Scheme
from symdyn.simulate.system import System


@dataclass(frozen=True, slots=True)
class StepLimit:
    """The largest stable step, and where it was found.

    Attributes
    ----------
    dt : [s]; infinity if nothing decays
    state : (n,)
    """

    dt: float
    state: tuple[float, ...]

    def where(self, system: System) -> str:
        """The state in words."""
        names = (q.name for q in system.states)
        return ", ".join(f"{n} = {x:.4g}" for n, x in zip(names, self.state, strict=True))


class StepWarning(UserWarning):
    """A fixed step is larger than the largest stable one.

    Attributes
    ----------
    dt : the step [s]
    limit : the largest stable one
    """

    def __init__(self, dt: float, limit: StepLimit, system: System, scheme: Scheme) -> None:
        super().__init__(
            f"step {dt:g} s of {scheme.name} is unstable: the limit is {limit.dt:.5g} s at "
            f"{limit.where(system)}. Take a smaller step, the exponential scheme, or an implicit "
            "method."
        )
        self.dt = dt
        self.limit = limit


def slope_limit(
    law: FrictionLaw,
    values: Mapping[str, float],
    inertia: float,
    velocity: float = 0.0,
    scheme: Scheme = RK4,
    signals: Mapping[str, float] | None = None,
) -> float:
    """Largest stable step for the velocity on the slope dF/dv of a law without states.

    Parameters
    ----------
    law, values : the law and its parameters
    inertia : that friction acts on [kg m^2 | kg]
    velocity : where the slope is taken [rad/s | m/s]; rest is the worst place of a smoothed law
    scheme : the integrator
    signals : values of the law's signals

    Returns
    -------
    dt : [s]; infinity where friction does not rise with speed

    Examples
    --------
    >>> from symdyn.friction.coulomb import COULOMB_SMOOTH
    >>> from symdyn.simulate.scheme import EULER
    >>> slope_limit(COULOMB_SMOOTH, {"Fc": 0.3, "b": 0, "eps": 1e-3}, 0.1, scheme=EULER)
    0.000666...
    """
    dual = DualAlgebra(FLOAT64)
    p = {name: dual.constant(float(value)) for name, value in law.check(values).items()}
    u = {name: dual.constant(float(value)) for name, value in (signals or {}).items()}
    slope = law.steady(dual, dual.variable(velocity), (), u, p).rate
    return scheme.real_bound * inertia / slope if slope > 0 else math.inf


def bristle_limit(
    law: FrictionLaw,
    values: Mapping[str, float],
    velocity: float,
    scheme: Scheme = RK4,
    state: Sequence[float] | None = None,
) -> float:
    """Largest stable step for the states of a law at constant velocity.

    Parameters
    ----------
    law, values : a law with states, and its parameters
    velocity : [rad/s | m/s]
    scheme : the integrator; one that is exact in the bristles has no limit
    state : where the rate is linearised; zero by default (LuGre is linear in its state)

    Returns
    -------
    dt : [s]; infinity where the states do not decay

    Examples
    --------
    >>> from symdyn.friction.lugre import LUGRE
    >>> from symdyn.simulate.scheme import EULER
    >>> curve = {"Fc": 1, "Fs": 1.5, "vs": 1e-3, "alpha": 2}
    >>> values = {**curve, "sigma0": 1e5, "sigma1": 316, "sigma2": 0.4}
    >>> bristle_limit(LUGRE, values, 0.1, EULER)
    0.0002
    """
    if law.rate is None:
        raise UnsupportedError(f"bristle_limit: {law.name} has no states; use slope_limit.")
    if scheme.is_exact_in_bristles and law.update is not None:
        return math.inf
    dual = DualAlgebra(FLOAT64)
    p = {name: dual.constant(float(value)) for name, value in law.check(values).items()}
    z = list(state) if state is not None else [0.0] * len(law.states)
    rows: list[list[float]] = []
    for k in range(len(z)):
        x = [dual.variable(a) if i == k else dual.constant(a) for i, a in enumerate(z)]
        rows.append([r.rate for r in law.rate(dual, dual.constant(velocity), x, {}, p)])
    return _limit(np.array(rows).T, scheme)


def jacobian(
    system: System, values: Mapping[str, float], x: Sequence[float], t: float = 0.0
) -> Array:
    """df/dx of a system, (n, n), by dual numbers; one-sided at v = 0 as the laws define it."""
    dual = DualAlgebra(FLOAT64)
    p = {name: dual.constant(value) for name, value in system.check(values).items()}
    columns: list[list[float]] = []
    for k in range(system.n):
        at = [dual.variable(a) if i == k else dual.constant(a) for i, a in enumerate(x)]
        columns.append([r.rate for r in system.rate(dual, dual.constant(t), at, p)])
    return np.array(columns).T


def step_limit(
    system: System,
    values: Mapping[str, float],
    x: Sequence[float],
    scheme: Scheme = RK4,
    t: float = 0.0,
) -> float:
    """Largest dt at which every decaying mode of the linearised system still decays.

    Parameters
    ----------
    system, values, x, t : where the system is linearised
    scheme : the integrator

    Returns
    -------
    dt : [s]; infinity if nothing decays

    Notes
    -----
    Modes that grow or persist by themselves say nothing about the step and are left out.
    """
    matrix = jacobian(system, values, x, t)
    if scheme.amplification is None:
        return _limit_of_step(system, values, x, t, scheme, _rates(matrix))
    return _limit(matrix, scheme)


def controller_limit(inertia: Array, kp: Sequence[float], kd: Sequence[float]) -> float:
    """Largest stable step of a PD controller that the schemes for mechanisms treat explicitly.

    Parameters
    ----------
    inertia : M at one state, (n, n)
    kp, kd : (n,) gains

    Returns
    -------
    dt : [s]; infinity without a controller

    Notes
    -----
    `simulate.moreau` and `simulate.implicit` take positions by the leapfrog rule and velocities by
    a predictor and a corrector. For one joint of frequency w without damping the limit is 2/w, for
    one of damping rate d without stiffness it is 2/d.
    """
    inverse = np.linalg.inv(inertia)
    A, D = inverse @ np.diag(kp), inverse @ np.diag(kd)
    n = len(inertia)
    one = np.eye(n)

    def is_stable(h: float) -> bool:
        middle = np.hstack([one, h / 2 * one])  # q + h v/2
        damped = one - h / 2 * D
        after = np.hstack([0 * one, one - h * damped @ D]) - h * damped @ A @ middle
        step = np.vstack([middle + h / 2 * after, after])
        return max(map(abs, _rates(step))) <= 1 + 1e-7  # a mode without stiffness is at 1

    rates = [*_rates(D), *(r**0.5 for r in _rates(A))]
    fastest = max(map(abs, rates), default=0.0)
    if fastest == 0:
        return math.inf
    low, high = 0.0, 1e-2 / fastest
    while is_stable(high):
        low, high = high, 1.1 * high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if is_stable(middle) else (low, middle)
    return low


def smallest_limit(
    system: System,
    values: Mapping[str, float],
    states: Sequence[Sequence[float]],
    scheme: Scheme = RK4,
) -> StepLimit:
    """The smallest of the step limits at several states, and the state that it holds at."""
    limits = [step_limit(system, values, x, scheme) for x in states]
    k = limits.index(min(limits))
    return StepLimit(limits[k], tuple(states[k]))


def warn_of_step(
    system: System,
    values: Mapping[str, float],
    states: Sequence[Sequence[float]],
    dt: float,
    scheme: Scheme = RK4,
) -> float:
    """Warn if ``dt`` is larger than the step limit at one of the states.

    `march.walk` does so by itself.

    Returns
    -------
    limit : the smallest step limit found [s]

    Warns
    -----
    StepWarning : with the limit and the state it holds at
    """
    limit = smallest_limit(system, values, states, scheme)
    if dt > limit.dt:
        warnings.warn(StepWarning(dt, limit, system, scheme), stacklevel=2)
    return limit.dt


#: Rounding of the eigenvalues of a mode that persists, relative to the fastest mode.
_ROUNDING = 1e-12
#: Slower growth in a step is an error of a scheme in a persisting mode, not an instability.
_DRIFT = 1e-4


def _limit(matrix: Array, scheme: Scheme) -> float:
    """Largest dt with |R(lambda dt)| <= 1 for each eigenvalue in the left half plane."""
    scale = float(np.abs(matrix).max())
    limit = math.inf
    for rate in _rates(matrix):
        if rate.real < -_ROUNDING * scale:
            limit = min(limit, _mode_limit(rate, scheme))
    return limit


def _rates(matrix: ArrayLike) -> list[complex]:
    """Eigenvalues."""
    return [complex(value) for value in np.linalg.eigvals(np.asarray(matrix))]


def _mode_limit(rate: complex, scheme: Scheme) -> float:
    R, size = scheme.amplification, abs(rate)
    if R is None or abs(rate.imag) <= 1e-9 * size:
        return scheme.real_bound / size
    direction = cmath.exp(1j * cmath.phase(rate))
    # |R| < 1 next to 0 for a decaying mode: find where that ends first
    low, high = 0.0, 1e-3
    while abs(R(direction * high)) <= 1:
        low, high = high, high * 1.05
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if abs(R(direction * middle)) <= 1 else (low, middle)
    return low / size


def _limit_of_step(
    system: System,
    values: Mapping[str, float],
    x: Sequence[float],
    t: float,
    scheme: Scheme,
    rates: Sequence[complex],
) -> float:
    """The same from the derivative of the step itself, for schemes that are no function of
    lambda dt: the first dt at which more modes grow than in the system.
    """
    dual = DualAlgebra(FLOAT64)
    p = {name: dual.constant(value) for name, value in system.check(values).items()}
    fastest = max(map(abs, rates))
    if fastest == 0:
        return math.inf
    growing = sum(rate.real > _ROUNDING * fastest for rate in rates)

    def is_stable(dt: float) -> bool:
        columns: list[list[float]] = []
        for k in range(system.n):
            at = [dual.variable(a) if i == k else dual.constant(a) for i, a in enumerate(x)]
            out = scheme.step(system, dual, dual.constant(t), at, p, dual.constant(dt))
            columns.append([r.rate for r in out])
        factors = _rates(np.array(columns).T)
        # a factor below -1 alternates: no mode of the system does that
        grown = sum(abs(m) > 1 + (1e-9 if m.real < 0 and m.imag == 0 else _DRIFT) for m in factors)
        return grown <= growing

    low, high = 0.0, 1e-2 / fastest
    while is_stable(high):
        low, high = high, high * 1.3
        if high * fastest > 1e6:
            return math.inf
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if is_stable(middle) else (low, middle)
    return low
