"""Elasto-plastic friction: bristles that do not slip below a break-away deflection, so no drift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import (
    covered,
    direction,
    half,
    is_zero,
    speed_of,
    stiction_level,
    towards,
)
from symdyn.friction.law import Domain, FrictionLaw, Quantity, Relation
from symdyn.friction.parts import BRISTLES, DEFLECTION, ends_at, steady_bristles


def _saturated(A: Algebra[S], v: S, p: Mapping[str, S]) -> S:
    """Deflection z_ss(v) > 0 of steady sliding."""
    level = stiction_level(A, v, p["Fc"], p["Fs"], p["vs"], p["alpha"])
    return A.binary("min", level, A.binary("max", p["Fc"], p["Fs"])) / p["sigma0"]


def _plasticity(A: Algebra[S], aligned: S, saturated: S, p: Mapping[str, S]) -> S:
    """alpha(z, v) of the source: 0 elastic, 1 sliding, a sine in between.

    ``aligned`` is the deflection along the motion, z sgn(v).
    """
    zero, one = A.const(0), A.const(1)
    middle = half(A) * (saturated + p["z_ba"])
    width = saturated - p["z_ba"]
    width = A.where(is_zero(A, width), one, width)  # then no deflection is between them
    between = half(A) * (A.unary("sin", A.pi() * ((aligned - middle) / width)) + one)
    slipping = A.where(A.binary("lt", aligned, saturated), between, one)
    return A.where(A.binary("le", aligned, p["z_ba"]), zero, slipping)


def _rate(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
) -> list[S]:
    saturated = _saturated(A, v, p)
    aligned = direction(A, v) * x[0]
    slip = _plasticity(A, aligned, saturated, p) * (aligned / saturated)
    return [v * (A.const(1) - slip)]


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return p["sigma0"] * x[0] + p["sigma1"] * _rate(A, v, x, u, p)[0] + p["sigma2"] * v


def _update(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
) -> list[S]:
    # With alpha frozen over the step: exact in the elastic and in the sliding range. Between them
    # the deflection would decay towards z_ss/alpha, beyond saturation, so it is stopped at z_ss.
    zero, one = A.const(0), A.const(1)
    s = direction(A, v)
    saturated = _saturated(A, v, p)
    aligned = s * x[0]
    a = _plasticity(A, aligned, saturated, p)
    elastic = is_zero(A, a)
    travel = speed_of(A, v) * dt
    target = s * (saturated / A.where(elastic, one, a))
    slid = towards(A, x[0], target, covered(A, a * (travel / saturated)))
    moved = A.where(elastic, x[0] + v * dt, slid)
    # a deflection beyond saturation, left from a slower motion, comes back by sliding
    inside = A.binary("lt", aligned, saturated)
    beyond = A.where(inside, A.binary("lt", saturated, s * moved), zero)
    return [A.where(beyond, s * saturated, moved)]


ELASTO_PLASTIC = FrictionLaw(
    name="elasto-plastic",
    title="Elasto-plastic",
    source="Dupont, Hayward, Armstrong, Altpeter 2002, IEEE TAC 47(5)",
    formula=(
        r"\dot z = v\left(1 - \alpha(z, v)\operatorname{sgn}(v)\,\frac{z}{z_{ss}(v)}\right),\quad "
        r"\tau = \sigma_0 z + \sigma_1 \dot z + \sigma_2 v,\quad z_{ss} = "
        r"\frac{F_c + (F_s - F_c) e^{-|v/v_s|^\alpha}}{\sigma_0}"
    ),
    parameters=(
        *BRISTLES,
        Quantity("z_ba", "rad", "break-away deflection", Domain.NONNEGATIVE),
    ),
    relations=(
        Relation(
            "z_ba < min(Fc, Fs)/sigma0",
            ("z_ba", "Fc", "Fs", "sigma0"),
            lambda p: p["z_ba"] * p["sigma0"] < min(p["Fc"], p["Fs"]),
            "The bristles break away before they saturate.",
        ),
    ),
    states=(DEFLECTION,),
    force=_force,
    steady=steady_bristles,
    rate=_rate,
    update=_update,
    step="exact at constant velocity while elastic or sliding, first order between; bounded",
    rest="sticks like a spring; no drift while |z| <= z_ba",
    limits="steady force tends to Fs sign(v) at 0; approaches Fc sign(v) + sigma2 v",
    ends=ends_at("Fs", "Fc", "sigma2"),
    linear=("sigma1", "sigma2"),
)
