"""Dahl friction: a stress-strain curve that saturates at the Coulomb level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import brief, covered, direction, is_zero, speed_of, towards
from symdyn.friction.law import Domain, FrictionLaw, Quantity

#: Below this the series of -log(1 - y)/y is right to 1e-22; above, 1 - y has lost three digits.
_SMALL = Fraction(1, 1000)
_TERMS = 7
#: A step so long that no longer one is told from it; order times it is a number.
_LONG = Fraction(2) ** 1000


def _rate(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
) -> list[S]:
    zero = A.const(0)
    gap = A.const(1) - direction(A, v) * (x[0] / p["Fc"])
    # |gap|^i sgn(gap) by branches: for i < 1 its slope at 0 is infinite, and that of |gap| is 0
    below = A.binary("lt", gap, zero)
    power = A.binary("pow", A.where(below, -gap, gap), p["i"])
    shape = A.where(below, -power, power)
    # saturated and at rest: for i < 1 the slope of |gap|^i is infinite, that of its product is not
    silent = A.where(is_zero(A, v), is_zero(A, gap), zero)
    return [p["sigma0"] * A.where(silent, zero, shape) * v]


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return x[0]


def _steady(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return p["Fc"] * A.unary("sign", v)


def _update(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
) -> list[S]:
    # The gap m = |1 - F s/Fc|, s = sgn v, obeys dm/dt = -k m^i with k = sigma0 |v|/Fc, so over a
    # step it shrinks by the factor (1 - y)^(1/(1-i)), y = (1-i) K, K = k dt m^(i-1); exp(-K) for
    # i = 1. For i < 1 it is 0 from y = 1 on: saturation in finite time.
    zero, one = A.const(0), A.const(1)
    s = direction(A, v)
    m = A.unary("abs", one - s * (x[0] / p["Fc"]))
    open_ = A.binary("lt", zero, m)
    order = one - p["i"]
    k = p["sigma0"] * speed_of(A, v) / p["Fc"]
    steps = k * dt * A.binary("pow", A.where(open_, m, one), -order)
    K = A.binary("min", steps, A.const(_LONG))
    y = order * K
    small = A.binary("lt", A.unary("abs", y), A.const(_SMALL))
    series = A.const(Fraction(1, _TERMS))
    for n in range(_TERMS - 1, 0, -1):
        series = A.const(Fraction(1, n)) + y * series
    near = covered(A, A.where(small, brief(A, K) * series, zero))
    shrunk = A.binary("pow", A.binary("max", one - y, zero), one / A.where(small, one, order))
    part = A.where(small, near, one - shrunk)
    return [towards(A, x[0], s * p["Fc"], A.where(open_, part, zero))]


def _ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
    return p["Fc"], p["Fc"], A.const(0)


DAHL = FrictionLaw(
    name="dahl",
    title="Dahl",
    source="Dahl 1976, AIAA J. 14(12); Olsson et al. 1998, section 2.2",
    formula=(
        r"\frac{dF}{dx} = \sigma_0 \left|1 - \frac{F}{F_c}\operatorname{sgn} v\right|^i "
        r"\operatorname{sgn}\left(1 - \frac{F}{F_c}\operatorname{sgn} v\right)"
    ),
    parameters=(
        Quantity("Fc", "N m", "Coulomb level", Domain.POSITIVE),
        Quantity("sigma0", "N m/rad", "stiffness at F = 0", Domain.POSITIVE),
        Quantity("i", "1", "shape of the curve", Domain.POSITIVE),
    ),
    states=(Quantity("F", "N m", "friction torque itself"),),
    force=_force,
    steady=_steady,
    rate=_rate,
    update=_update,
    step="exact at constant velocity",
    rest="sticks like a spring of stiffness sigma0; no break-away peak",
    limits="steady force tends to Fc sign(v) at 0; it is Fc sign(v) at every speed",
    ends=_ends,
)
