"""Stribeck friction: falls from the break-away level to Coulomb friction, plus viscous."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Domain, FrictionLaw, Quantity


def level(A: Algebra[S], v: S, Fc: S, Fs: S, vs: S, alpha: S) -> S:
    """Fc + (Fs - Fc) exp(-|v/vs|^alpha).

    The bare ratio to a power would be complex for v < 0; |v|^alpha has an infinite or undefined
    derivative at 0 for alpha <= 1, so the argument is held away from 0 where the value does not
    depend on it, and derivatives there are those of the taken branch: 0.
    """
    zero, one = A.const(0), A.const(1)
    moving = A.binary("lt", zero, A.unary("abs", v))
    ratio = A.where(moving, A.unary("abs", v) / vs, one)
    power = A.where(moving, A.binary("pow", ratio, alpha), zero)
    return Fc + (Fs - Fc) * A.unary("exp", -power)


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    sliding = level(A, v, p["Fc"], p["Fs"], p["vs"], p["alpha"])
    return sliding * A.unary("sign", v) + p["b"] * v


def _smooth(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    sliding = level(A, v, p["Fc"], p["Fs"], p["vs"], p["alpha"])
    return sliding * A.unary("tanh", v / p["eps"]) + p["b"] * v


def _at_rest(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S]:
    return -p["Fs"], p["Fs"]


_PARAMETERS = (
    Quantity("Fc", "N m", "Coulomb level"),
    Quantity("Fs", "N m", "break-away level"),
    Quantity("vs", "rad/s", "Stribeck velocity", Domain.POSITIVE),
    Quantity("alpha", "1", "Stribeck exponent", Domain.POSITIVE),
    Quantity("b", "N m s/rad", "viscous coefficient"),
)
_FORMULA = r"\tau = (F_c + (F_s - F_c) e^{-|v/v_s|^\alpha})\,%s + b v"
_LIMITS = "tends to Fs sign(v) at 0 and to Fc sign(v) + b v at infinity"

STRIBECK = FrictionLaw(
    name="stribeck",
    title="Stribeck, with sign",
    source="Bo and Pavelescu 1982; Armstrong-Helouvry et al. 1994, table 4",
    formula=_FORMULA % r"\operatorname{sgn} v",
    parameters=_PARAMETERS,
    force=_force,
    steady=_force,
    rest="is 0 at rest and does not hold a load",
    limits=_LIMITS,
    linear=("Fc", "Fs", "b"),
)

STRIBECK_SET = FrictionLaw(
    name="stribeck-set",
    title="Stribeck, set-valued",
    source="Armstrong-Helouvry et al. 1994, section 2.1; set-valued as in Filippov 1988",
    formula=_FORMULA % r"\operatorname{Sgn} v",
    parameters=_PARAMETERS,
    force=_force,
    steady=_force,
    rest="holds any load up to Fs at rest",
    limits=_LIMITS,
    at_rest=_at_rest,
    linear=("Fc", "Fs", "b"),
)

STRIBECK_SMOOTH = FrictionLaw(
    name="stribeck-smooth",
    title="Stribeck, smoothed by tanh",
    source="regularisation of Stribeck's curve by tanh(v/eps)",
    formula=_FORMULA % r"\tanh(v/\varepsilon)",
    parameters=(*_PARAMETERS, Quantity("eps", "rad/s", "smoothing width", Domain.POSITIVE)),
    force=_smooth,
    steady=_smooth,
    rest="creeps under any load: at v = eps atanh(load/Fs) for eps far below vs",
    limits=_LIMITS,
    linear=("Fc", "Fs", "b"),
)
