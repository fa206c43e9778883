"""Dahl friction: a stress-strain curve that saturates at the Coulomb level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Domain, FrictionLaw, Quantity


def _rate(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
) -> list[S]:
    # 1 - F/Fc sgn v is clamped at 0: a rounding beyond saturation must not make a root complex
    gap = A.const(1) - x[0] / p["Fc"] * A.unary("sign", v)
    stiffness = p["sigma0"] * A.binary("pow", A.binary("max", gap, A.const(0)), p["i"])
    return [stiffness * v]


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return x[0]


def _steady(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return p["Fc"] * A.unary("sign", v)


def _update(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
) -> list[S]:
    # with g = 1 - F s/Fc, s = sgn v: dg/dt = -(sigma0 |v|/Fc) g^i. For i = 1 an exponential, else a
    # power, g^(1-i) = g0^(1-i) - (1-i) sigma0 |v| dt / Fc, which for i < 1 reaches 0 in finite time
    zero, one = A.const(0), A.const(1)
    s = A.unary("sign", v)
    g = A.binary("max", one - x[0] / p["Fc"] * s, zero)
    step = p["sigma0"] * A.unary("abs", v) * dt / p["Fc"]
    order = one - p["i"]
    linear = A.binary("eq", order, zero)
    safe = A.where(linear, one, order)
    started = A.binary("lt", zero, g)
    inner = A.binary("pow", A.where(started, g, one), safe) - safe * step
    power = A.binary("pow", A.binary("max", inner, zero), one / safe)
    after = A.where(linear, g * A.unary("exp", -step), A.where(started, power, zero))
    moving = A.binary("eq", s, zero)
    return [A.where(moving, x[0], p["Fc"] * s * (one - after))]


DAHL = FrictionLaw(
    name="dahl",
    title="Dahl",
    source="Dahl 1976, AIAA J. 14(12), eq. (1); Olsson et al. 1998, section 2.2",
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
    rest="sticks like a spring of stiffness sigma0; no break-away peak",
    limits="steady force Fc sign(v) at every speed",
)
