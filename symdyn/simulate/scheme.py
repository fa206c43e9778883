"""Fixed-step integrators, each written once over any number kind.

For dz/dt = lambda z a step multiplies z by R(lambda dt). The interval of the negative real axis in
which |R| <= 1 is ``real_bound``: a decaying mode of rate lambda needs dt <= real_bound / |lambda|.
Source: Hairer and Wanner 1996, section IV.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from symdyn._errors import UnsupportedError
from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import half
from symdyn.simulate.system import System


class Step(Protocol):
    """States after one step dt."""

    def __call__(
        self,
        system: System,
        A: Algebra[S],
        t: S,
        x: Sequence[S],
        p: Mapping[str, S],
        dt: S,
        /,
    ) -> list[S]: ...


@dataclass(frozen=True, slots=True)
class Scheme:
    """One integrator.

    Attributes
    ----------
    name, title : identifier, and in words
    order : global order for a smooth right side. |v| in a bristle law is only Lipschitz at v = 0;
        a step across it has an error of second order
    real_bound : largest stable |lambda| dt on the negative real axis
    amplification : R(z); None if the scheme is no function of lambda dt alone
    step : the formula
    is_exact_in_bristles : whether states with an exact flow keep their bounds for any step
    """

    name: str
    title: str
    order: int
    real_bound: float
    amplification: Callable[[complex], complex] | None
    step: Step
    is_exact_in_bristles: bool = False


def _moved(x: Sequence[S], k: Sequence[S], dt: S) -> list[S]:
    return [a + dt * b for a, b in zip(x, k, strict=True)]


def _euler(
    system: System, A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], dt: S, /
) -> list[S]:
    return _moved(x, system.rate(A, t, x, p), dt)


def _semi_implicit(
    system: System, A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], dt: S, /
) -> list[S]:
    new = _moved(x, system.rate(A, t, x, p), dt)
    later = system.rate(A, t + dt, [*new], p)
    for k in system.positions:
        new[k] = x[k] + dt * later[k]
    return new


def _rk4(
    system: System, A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], dt: S, /
) -> list[S]:
    h = half(A) * dt
    k1 = system.rate(A, t, x, p)
    k2 = system.rate(A, t + h, _moved(x, k1, h), p)
    k3 = system.rate(A, t + h, _moved(x, k2, h), p)
    k4 = system.rate(A, t + dt, _moved(x, k3, dt), p)
    sixth = A.const(Fraction(1, 6)) * dt
    two = A.const(2)
    return [
        a + sixth * (s1 + two * (s2 + s3) + s4)
        for a, s1, s2, s3, s4 in zip(x, k1, k2, k3, k4, strict=True)
    ]


def _exponential(
    system: System, A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], dt: S, /
) -> list[S]:
    # Strang: half a step of the exact flow, a step of the rest, half a step of the exact flow
    if system.relax is None:
        raise UnsupportedError(
            f"scheme exponential: system {system.name} has no states with an exact flow. "
            "Use rk4, or simulate.reference for a stiff system."
        )
    h = half(A) * dt
    frozen = set(system.relaxed)
    zero = A.const(0)

    def rest(time: S, y: Sequence[S]) -> list[S]:
        k = system.rate(A, time, y, p)
        return [zero if i in frozen else r for i, r in enumerate(k)]

    y = system.relax(A, t, x, p, h)
    if len(frozen) < system.n:
        middle = _moved(y, rest(t, y), h)
        y = _moved(y, rest(t + h, middle), dt)
    return system.relax(A, t + h, y, p, h)


EULER = Scheme("euler", "explicit Euler", 1, 2.0, lambda z: 1 + z, _euler)

SEMI_IMPLICIT_EULER = Scheme(
    "semi-implicit-euler",
    "semi-implicit Euler: positions by the new velocity",
    1,
    2.0,
    None,
    _semi_implicit,
)

#: Root of |1 + z + z^2/2 + z^3/6 + z^4/24| = 1 on the negative real axis.
RK4_REAL_BOUND = 2.7852935634052816

RK4 = Scheme(
    "rk4",
    "classical Runge-Kutta of order 4",
    4,
    RK4_REAL_BOUND,
    lambda z: 1 + z * (1 + z * (1 / 2 + z * (1 / 6 + z / 24))),
    _rk4,
)

EXPONENTIAL = Scheme(
    "exponential",
    "exact exponential step of the bristles, midpoint rule for the rest (Strang splitting)",
    2,
    math.inf,
    None,
    _exponential,
    is_exact_in_bristles=True,
)

SCHEMES: dict[str, Scheme] = {s.name: s for s in (EULER, SEMI_IMPLICIT_EULER, RK4, EXPONENTIAL)}
