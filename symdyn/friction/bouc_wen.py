"""Bouc-Wen hysteresis as a friction law."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Domain, FrictionLaw, Quantity


def _rate(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
) -> list[S]:
    z = x[0]
    size = A.unary("abs", z)
    # |z|^(n-1) z written as |z|^n sign(z): no power of 0 with a negative exponent for n < 1
    power = A.binary("pow", size, p["n"])
    loss = p["beta"] * A.unary("abs", v) * power * A.unary("sign", z) + p["gamma"] * v * power
    return [p["A"] * v - loss]


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return p["k"] * x[0] + p["b"] * v


def _steady(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    limit = A.binary("pow", p["A"] / (p["beta"] + p["gamma"]), A.const(1) / p["n"])
    return p["k"] * limit * A.unary("sign", v) + p["b"] * v


BOUC_WEN = FrictionLaw(
    name="bouc-wen",
    title="Bouc-Wen",
    source="Wen 1976, J. Eng. Mech. Div. 102(2); admissible for -beta <= gamma <= beta",
    formula=(r"\dot z = A v - \beta |v||z|^{n-1} z - \gamma v |z|^n,\quad \tau = k z + b v"),
    parameters=(
        Quantity("A", "1", "slope of z at z = 0", Domain.POSITIVE),
        Quantity("beta", "1/rad^n", "loss", Domain.POSITIVE),
        Quantity("gamma", "1/rad^n", "shape of the loop, beta + gamma > 0"),
        Quantity("n", "1", "sharpness of the yield", Domain.POSITIVE),
        Quantity("k", "N m/rad", "stiffness", Domain.POSITIVE),
        Quantity("b", "N m s/rad", "viscous coefficient", Domain.NONNEGATIVE),
    ),
    states=(Quantity("z", "rad", "hysteretic deflection"),),
    force=_force,
    steady=_steady,
    rate=_rate,
    rest="sticks like a spring of stiffness k A",
    limits="steady force k (A/(beta+gamma))^(1/n) sign(v) + b v",
    linear=("b",),
)
