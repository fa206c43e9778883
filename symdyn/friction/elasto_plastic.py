"""Elasto-plastic friction: bristles that do not slip below a break-away deflection, so no drift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import half, stiction_level
from symdyn.friction.law import Domain, FrictionLaw, Quantity


def _plasticity(A: Algebra[S], v: S, z: S, p: Mapping[str, S]) -> S:
    """alpha(z, v) of the source: 0 elastic, 1 sliding, a sine in between."""
    zero, one = A.const(0), A.const(1)
    saturated = stiction_level(A, v, p["Fc"], p["Fs"], p["vs"], p["alpha"]) / p["sigma0"]
    size = A.unary("abs", z)
    middle = half(A) * (saturated + p["z_ba"])
    width = saturated - p["z_ba"]
    between = half(A) * (A.unary("sin", A.pi() * (size - middle) / width) + one)
    slipping = A.where(A.binary("lt", size, saturated), between, one)
    elastic = A.binary("le", size, p["z_ba"])
    aligned = A.binary("lt", zero, z * v)
    return A.where(aligned, A.where(elastic, zero, slipping), zero)


def _rate(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
) -> list[S]:
    saturated = stiction_level(A, v, p["Fc"], p["Fs"], p["vs"], p["alpha"]) / p["sigma0"]
    slip = _plasticity(A, v, x[0], p) * A.unary("sign", v) * x[0] / saturated
    return [v * (A.const(1) - slip)]


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return p["sigma0"] * x[0] + p["sigma1"] * _rate(A, v, x, u, p)[0] + p["sigma2"] * v


def _steady(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    level = stiction_level(A, v, p["Fc"], p["Fs"], p["vs"], p["alpha"])
    return level * A.unary("sign", v) + p["sigma2"] * v


def _update(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
) -> list[S]:
    # exponential step with alpha frozen: exact in the elastic and in the sliding range; between them
    # it moves towards saturation and never beyond it, for any step
    one = A.const(1)
    saturated = stiction_level(A, v, p["Fc"], p["Fs"], p["vs"], p["alpha"]) / p["sigma0"]
    s = A.unary("sign", v)
    a = _plasticity(A, v, x[0], p)
    elastic = A.binary("eq", a, A.const(0))
    decay = a * A.unary("abs", v) * dt / saturated
    target = s * saturated / A.where(elastic, one, a)
    slid = target + (x[0] - target) * A.unary("exp", -decay)
    moved = A.where(elastic, x[0] + v * dt, slid)
    inside = A.binary("max", -saturated, A.binary("min", moved, saturated))
    # a deflection beyond saturation, left from a slower motion, may only come back
    size = A.unary("abs", x[0])
    return [A.where(A.binary("lt", saturated, size), moved, inside)]


ELASTO_PLASTIC = FrictionLaw(
    name="elasto-plastic",
    title="Elasto-plastic",
    source="Dupont, Hayward, Armstrong, Altpeter 2002, IEEE TAC 47(5), eq. (10)-(13)",
    formula=(
        r"\dot z = v\left(1 - \alpha(z, v)\operatorname{sgn}(v)\,\frac{z}{z_{ss}(v)}\right),\quad "
        r"\tau = \sigma_0 z + \sigma_1 \dot z + \sigma_2 v"
    ),
    parameters=(
        Quantity("Fc", "N m", "Coulomb level", Domain.POSITIVE),
        Quantity("Fs", "N m", "break-away level", Domain.POSITIVE),
        Quantity("vs", "rad/s", "Stribeck velocity", Domain.POSITIVE),
        Quantity("alpha", "1", "Stribeck exponent", Domain.POSITIVE),
        Quantity("sigma0", "N m/rad", "bristle stiffness", Domain.POSITIVE),
        Quantity("sigma1", "N m s/rad", "bristle damping", Domain.NONNEGATIVE),
        Quantity("sigma2", "N m s/rad", "viscous coefficient", Domain.NONNEGATIVE),
        Quantity("z_ba", "rad", "break-away deflection, below Fc/sigma0", Domain.NONNEGATIVE),
    ),
    states=(Quantity("z", "rad", "mean deflection of the bristles"),),
    force=_force,
    steady=_steady,
    rate=_rate,
    update=_update,
    rest="sticks like a spring; no drift while |z| <= z_ba",
    limits="steady force tends to Fs sign(v) at 0 and to Fc sign(v) + sigma2 v at infinity",
    linear=("sigma2",),
)
