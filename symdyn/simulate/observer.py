"""Friction compensation by an observer of the bristles: a PD controller that adds what it thinks
friction is.

    dzh/dt = v - sigma0 |v| / h(v) zh - k e,   Fh = sigma0 zh + sigma1 dzh/dt + sigma2 v,
    u = -Kp e - Kv v + Fh

The observer has parameters of its own (names ending in ``_hat``): how far they may be from those of
the joint is what `simulate.robustness` studies. If they are exact and
G(s) = (sigma1 s + sigma0)/(J s^2 + Kv s + Kp) is strictly positive real, the error tends to zero.
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


OBSERVER = Drive(
    "observer",
    "a PD controller with observer-based compensation of LuGre friction",
    (
        Quantity("Kp", "N m/rad", "proportional gain"),
        Quantity("Kv", "N m s/rad", "velocity gain"),
        Quantity("k", "1/s", "gain of the observer", Domain.NONNEGATIVE),
        Quantity("target", "rad", "position to reach"),
        *(
            Quantity(f"{q.name}{HAT}", q.unit, f"{q.doc}, as the observer has it", q.domain)
            for q in LUGRE.parameters
        ),
    ),
    _torque,
    (Quantity("z_hat", "rad", "observed deflection of the bristles"),),
    _rate,
)
