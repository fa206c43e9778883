"""Bouc-Wen hysteresis as a friction law."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import brief, covered, direction, is_zero, speed_of, towards
from symdyn.friction.law import Domain, FrictionLaw, Quantity, Relation

#: The logarithm of the largest deflection lies between this and its negative: 1e-130 to 1e130.
_RANGE = 300.0


def _rate(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
) -> list[S]:
    z = x[0]
    # |z|^(n-1) z written as |z|^n sign(z): no power of 0 with a negative exponent for n < 1
    power = A.binary("pow", A.unary("abs", z), p["n"])
    along = direction(A, v) * A.unary("sign", z)
    return [v * (p["A"] - (p["beta"] * along + p["gamma"]) * power)]


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return p["k"] * x[0] + p["b"] * v


def _bound(A: Algebra[S], p: Mapping[str, S]) -> S:
    """Largest |z|: where the rate vanishes in loading."""
    return A.binary("pow", p["A"] / (p["beta"] + p["gamma"]), A.const(1) / p["n"])


def _steady(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return p["k"] * _bound(A, p) * A.unary("sign", v) + p["b"] * v


def _update(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
) -> list[S]:
    # Unloading, y = z sgn(v) < 0, first: rate frozen, up to y = 0. What is left of the travel
    # loads: with r = y/bound, dr/ds = (A/bound) (1 - r) c(r), c = (1 - r^n)/(1 - r), c frozen.
    zero, one = A.const(0), A.const(1)
    s = direction(A, v)
    travel = speed_of(A, v) * dt
    aligned = s * x[0]
    size = A.unary("abs", x[0])
    unloading = A.binary("lt", aligned, zero)
    slope = p["A"] + (p["beta"] - p["gamma"]) * A.binary("pow", size, p["n"])
    loads = A.binary("lt", size, travel * slope)
    left = A.where(unloading, A.where(loads, travel - size / slope, zero), travel)
    start = A.where(unloading, A.where(loads, zero, x[0] + s * travel * slope), x[0])
    bound = _bound(A, p)
    r = A.where(unloading, zero, aligned / bound)
    full = A.binary("eq", r, one)
    # a branch of its own: the slope of r^n at r = 0 is infinite for n < 1
    power = A.where(is_zero(A, r), zero, A.binary("pow", r, p["n"]))
    secant = (one - power) / A.where(full, one, one - r)
    secant = A.where(full, p["n"], secant)
    decay = brief(A, p["A"] * (left / bound) * secant)
    return [towards(A, start, s * bound, covered(A, decay))]


def _ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
    level = p["k"] * _bound(A, p)
    return level, level, p["b"]


def _has_bound(p: Mapping[str, float]) -> bool:
    """Whether the largest deflection is a double, with room for its products."""
    total = p["beta"] + p["gamma"]
    if not 0 < total < math.inf:
        return False
    ratio = p["A"] / total
    return ratio > 0 and abs(math.log(ratio) / p["n"]) < _RANGE


BOUC_WEN = FrictionLaw(
    name="bouc-wen",
    title="Bouc-Wen",
    source="Wen 1976, J. Eng. Mech. Div. 102(2); dissipative for |gamma| <= beta",
    formula=(r"\dot z = A v - \beta |v||z|^{n-1} z - \gamma v |z|^n,\quad \tau = k z + b v"),
    parameters=(
        Quantity("A", "1", "slope of z at z = 0", Domain.POSITIVE),
        Quantity("beta", "1/rad^n", "loss", Domain.POSITIVE),
        Quantity("gamma", "1/rad^n", "shape of the loop"),
        Quantity("n", "1", "sharpness of the yield", Domain.POSITIVE),
        Quantity("k", "N m/rad", "stiffness", Domain.POSITIVE),
        Quantity("b", "N m s/rad", "viscous coefficient", Domain.NONNEGATIVE),
    ),
    relations=(
        Relation(
            "-beta < gamma <= beta",
            ("beta", "gamma"),
            lambda p: -p["beta"] < p["gamma"] <= p["beta"],
            "Outside, z is unbounded or the loop yields energy.",
        ),
        Relation(
            "(A/(beta + gamma))^(1/n) is a number",
            ("A", "beta", "gamma", "n"),
            _has_bound,
            "The largest deflection is out of range: choose another unit of length.",
        ),
    ),
    states=(Quantity("z", "rad", "hysteretic deflection"),),
    force=_force,
    steady=_steady,
    rate=_rate,
    update=_update,
    step="first order, exact in loading for n = 1; bounded",
    rest="sticks like a spring of stiffness k A",
    limits="steady force tends to k (A/(beta+gamma))^(1/n) sign(v) at 0; plus b v at infinity",
    ends=_ends,
    linear=("k", "b"),
)
