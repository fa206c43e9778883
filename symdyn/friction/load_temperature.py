"""Stribeck friction that depends on load, and on load and temperature."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import jump, stribeck_drop
from symdyn.friction.law import Domain, FrictionLaw, Quantity, Relation


def loaded_levels(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S]:
    """Fc and Fs of ``load-stribeck`` at the load in ``u``."""
    load = A.unary("abs", u["load"])
    return p["Fc0"] + p["FcL"] * load, p["Fs0"] + p["FsL"] * load


def _load_force(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
) -> S:
    Fc, Fs = loaded_levels(A, u, p)
    dry = jump(A, v, Fs, lambda s: stribeck_drop(A, s, Fs - Fc, p["vs"], p["alpha"]))
    return dry + p["b"] * v


def _load_rest(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S]:
    _, Fs = loaded_levels(A, u, p)
    return -Fs, Fs


def _load_ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
    Fc, Fs = loaded_levels(A, u, p)
    return Fs, Fc, p["b"]


LOAD_STRIBECK = FrictionLaw(
    name="load-stribeck",
    title="Stribeck with load-dependent levels",
    source="Bittencourt, Wernholt, Sander-Tavallaey, Brogardh 2010, IROS",
    formula=(
        r"F_c = F_{c0} + F_{cL}|\tau_l|,\ F_s = F_{s0} + F_{sL}|\tau_l|,\ "
        r"\tau = (F_c + (F_s - F_c)e^{-|v/v_s|^\alpha})\operatorname{sgn} v + b v"
    ),
    parameters=(
        Quantity("Fc0", "N m", "Coulomb level without load", Domain.NONNEGATIVE),
        Quantity("FcL", "1", "growth of the Coulomb level with load", Domain.NONNEGATIVE),
        Quantity("Fs0", "N m", "break-away level without load", Domain.NONNEGATIVE),
        Quantity("FsL", "1", "growth of the break-away level with load", Domain.NONNEGATIVE),
        Quantity("vs", "rad/s", "Stribeck velocity", Domain.POSITIVE),
        Quantity("alpha", "1", "Stribeck exponent", Domain.POSITIVE),
        Quantity("b", "N m s/rad", "viscous coefficient", Domain.NONNEGATIVE),
    ),
    signals=(Quantity("load", "N m", "torque that presses the surfaces"),),
    force=_load_force,
    steady=_load_force,
    rest="holds any load up to Fs",
    limits="tends to Fs sign(v) at 0; approaches Fc sign(v) + b v",
    at_rest=_load_rest,
    ends=_load_ends,
    linear=("Fc0", "FcL", "Fs0", "FsL", "b"),
)


class WarmCurve(NamedTuple, Generic[S]):
    """Stribeck's curve at one load and temperature: levels, velocity, viscous coefficient."""

    Fc: S
    hump: S
    vs: S
    viscous: S


def warm_curve(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> WarmCurve[S]:
    """The curve of ``temperature-stribeck`` at the load and temperature in ``u``."""
    T, load = u["temperature"], A.unary("abs", u["load"])
    return WarmCurve(
        Fc=p["Fc0"] + p["FcL"] * load,
        hump=p["Fs0"] + p["FsL"] * load + p["FsT"] * T,
        vs=p["vs0"] + p["vsT"] * T,
        viscous=p["Fv0"] + p["FvT"] * A.unary("exp", -(T / p["TV0"])),
    )


def _temperature_force(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
) -> S:
    Fc, hump, vs, viscous = warm_curve(A, u, p)
    dry = jump(A, v, Fc + hump, lambda s: stribeck_drop(A, s, hump, vs, p["alpha"]))
    return dry + viscous * v


def _temperature_rest(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S]:
    Fc, hump, _, _ = warm_curve(A, u, p)
    return -(Fc + hump), Fc + hump


def _temperature_ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
    Fc, hump, _, viscous = warm_curve(A, u, p)
    return Fc + hump, Fc, viscous


TEMPERATURE_STRIBECK = FrictionLaw(
    name="temperature-stribeck",
    title="Stribeck with load and temperature",
    source="Bittencourt and Axelsson 2014, IEEE/ASME T-Mech 19(2)",
    formula=(
        r"\tau = (F_{c0} + F_{cL}|\tau_l| + (F_{s0} + F_{sL}|\tau_l| + F_{sT}T)"
        r"e^{-|v/(v_{s0} + v_{sT}T)|^\alpha})\operatorname{sgn} v + (F_{v0} + F_{vT}e^{-T/T_{V0}})v"
    ),
    parameters=(
        Quantity("Fc0", "N m", "Coulomb level without load", Domain.NONNEGATIVE),
        Quantity("FcL", "1", "growth of the Coulomb level with load", Domain.NONNEGATIVE),
        Quantity("Fs0", "N m", "height of the hump without load", Domain.NONNEGATIVE),
        Quantity("FsL", "1", "growth of the hump with load", Domain.NONNEGATIVE),
        Quantity("FsT", "N m/K", "growth of the hump with temperature"),
        Quantity("vs0", "rad/s", "Stribeck velocity, extrapolated to T = 0"),
        Quantity("vsT", "rad/s/K", "growth of the Stribeck velocity with temperature"),
        Quantity("alpha", "1", "Stribeck exponent", Domain.POSITIVE),
        Quantity("Fv0", "N m s/rad", "viscous coefficient when hot", Domain.NONNEGATIVE),
        Quantity(
            "FvT", "N m s/rad", "growth of the viscous coefficient when cold", Domain.NONNEGATIVE
        ),
        Quantity("TV0", "K", "scale of temperature", Domain.POSITIVE),
    ),
    relations=(
        Relation(
            "vs0 + vsT temperature > 0",
            ("vs0", "vsT", "temperature"),
            lambda x: x["vs0"] + x["vsT"] * x["temperature"] > 0,
            "The temperature lies outside of the range in which the law was fitted.",
        ),
    ),
    signals=(
        Quantity("load", "N m", "torque that presses the surfaces"),
        Quantity("temperature", "K", "temperature above the zero of the parameters' scale"),
    ),
    force=_temperature_force,
    steady=_temperature_force,
    rest="holds any load up to the sum of both levels",
    limits="tends to the sum of both levels at 0; approaches the first level plus viscous friction",
    at_rest=_temperature_rest,
    ends=_temperature_ends,
    linear=("Fc0", "FcL", "Fs0", "FsL", "FsT", "Fv0", "FvT"),
)
