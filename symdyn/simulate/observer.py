"""Friction compensation by an observer of the bristles: a PD controller that adds what it thinks
friction is.

    dzh/dt = v - sigma0 |v| / h(v) zh - k e,   Fh = sigma0 zh + sigma1 dzh/dt + sigma2 v,
    u = -Kp e - Kv v + Fh

The observer has parameters of its own (names ending in ``_hat``): how far they may be from those of
the joint is what `simulate.robustness` studies. If they are exact and
G(s) = (sigma1 s + sigma0)/(J s^2 + Kv s + Kp) is strictly positive real, the error tends to zero.
A target that moves adds its acceleration times J to u, and its velocity is subtracted from v.
Source: Canudas de Wit, Olsson, Astrom, Lischinsky 1995, eq. (9)-(12) and theorem 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Domain, Quantity
from symdyn.friction.lugre import LUGRE
from symdyn.simulate.drive import Drive

HAT = "_hat"


def with_hats(values: Mapping[str, float]) -> dict[str, float]:
    """Parameters of LuGre friction as the observer's own."""
    return {f"{q.name}{HAT}": values[q.name] for q in LUGRE.parameters}


def _believed(p: Mapping[str, S]) -> dict[str, S]:
    return {q.name: p[f"{q.name}{HAT}"] for q in LUGRE.parameters}


def _rate(A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /) -> list[S]:
    assert LUGRE.rate is not None
    free = LUGRE.rate(A, v, y, {}, _believed(p))[0]
    return [free - p["k"] * (q - p["target"])]


def _torque(A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /) -> S:
    hat = _believed(p)
    error = q - p["target"]
    # the law's force with its own dz/dt, and what the correction -k e adds to sigma1 dz/dt
    friction = LUGRE.force(A, v, y, {}, hat) - hat["sigma1"] * (p["k"] * error)
    return friction - (p["Kp"] * error + p["Kv"] * v)


def _target(A: Algebra[S], t: S, p: Mapping[str, S]) -> tuple[S, S]:
    """Velocity and acceleration of the target amplitude sin(frequency t)."""
    w, turned = p["frequency"], p["frequency"] * t
    speed = p["amplitude"] * w * A.unary("cos", turned)
    return speed, -(p["amplitude"] * w * w * A.unary("sin", turned))


def _behind_rate(A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /) -> list[S]:
    assert LUGRE.rate is not None
    free = LUGRE.rate(A, v, y[:1], {}, _believed(p))[0]
    return [free - p["k"] * y[1], v - _target(A, t, p)[0]]


def _behind(A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /) -> S:
    hat, error = _believed(p), y[1]
    speed, acceleration = _target(A, t, p)
    friction = LUGRE.force(A, v, y[:1], {}, hat) - hat["sigma1"] * (p["k"] * error)
    control = p["Kp"] * error + p["Kv"] * (v - speed)
    return friction + p[f"J{HAT}"] * acceleration - control


_GAINS = (
    Quantity("Kp", "N m/rad", "proportional gain"),
    Quantity("Kv", "N m s/rad", "velocity gain"),
    Quantity("k", "1/s", "gain of the observer", Domain.NONNEGATIVE),
)
_HATS = tuple(
    Quantity(f"{q.name}{HAT}", q.unit, f"{q.doc}, as the observer has it", q.domain)
    for q in LUGRE.parameters
)
_OBSERVED = Quantity("z_hat", "rad", "observed deflection of the bristles")

OBSERVER = Drive(
    "observer",
    "a PD controller with observer-based compensation of LuGre friction",
    (*_GAINS, Quantity("target", "rad", "position to reach"), *_HATS),
    _torque,
    (_OBSERVED,),
    _rate,
)

#: The same behind a target that swings, with the torque that its acceleration needs. The error is a
#: state of its own, so that it can shrink below the rounding of a position.
TRACKER = Drive(
    "tracker",
    "an observer-based compensation that follows a swinging target",
    (
        *_GAINS,
        Quantity("amplitude", "rad", "amplitude of the target"),
        Quantity("frequency", "rad/s", "angular frequency of the target"),
        Quantity(f"J{HAT}", "kg m^2", "inertia, as the controller has it", Domain.POSITIVE),
        *_HATS,
    ),
    _behind,
    (_OBSERVED, Quantity("error", "rad", "position less target")),
    _behind_rate,
)
