"""Stribeck friction: falls from the break-away level to Coulomb friction, plus viscous.

For alpha <= 1 the slope at rest is not b: it is b - (Fs - Fc)/vs for alpha = 1 and minus infinity
below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import jump, smooth_sign, stiction_level, stribeck_drop
from symdyn.friction.law import Domain, FrictionLaw, Quantity
from symdyn.friction.parts import (
    CURVE,
    HOLDING_CURVE,
    VISCOUS_COEFFICIENT,
    ends_at,
    holds,
    smooth_ends_at,
)


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    Fc, Fs = p["Fc"], p["Fs"]
    dry = jump(A, v, Fs, lambda s: stribeck_drop(A, s, Fs - Fc, p["vs"], p["alpha"]))
    return dry + p["b"] * v


def _smooth(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    level = stiction_level(A, v, p["Fc"], p["Fs"], p["vs"], p["alpha"])
    return level * smooth_sign(A, v, p["eps"]) + p["b"] * v


_PARAMETERS = (*CURVE, VISCOUS_COEFFICIENT)
_ENDS = ends_at("Fs", "Fc", "b")
_FORMULA = r"\tau = (F_c + (F_s - F_c) e^{-|v/v_s|^\alpha})\,%s + b v"
_LIMITS = "tends to Fs sign(v) at 0; approaches Fc sign(v) + b v"

STRIBECK = FrictionLaw(
    name="stribeck",
    title="Stribeck",
    source="Bo and Pavelescu 1982; Armstrong-Helouvry, Dupont, Canudas de Wit 1994, section 2",
    formula=_FORMULA % r"\operatorname{sgn} v",
    parameters=_PARAMETERS,
    force=_force,
    steady=_force,
    rest="has the value 0 and does not hold a load",
    limits=_LIMITS,
    ends=_ENDS,
    linear=("Fc", "Fs", "b"),
)

STRIBECK_SET = FrictionLaw(
    name="stribeck-set",
    title="Stribeck, set-valued",
    source="Armstrong-Helouvry, Dupont, Canudas de Wit 1994; set-valued as in Filippov 1988",
    formula=_FORMULA % r"\operatorname{Sgn} v",
    parameters=(*HOLDING_CURVE, VISCOUS_COEFFICIENT),
    force=_force,
    steady=_force,
    rest="holds any load up to Fs",
    limits=_LIMITS,
    at_rest=holds("Fs"),
    ends=_ENDS,
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
    rest="creeps under any load, at about eps atanh(load/Fs), and breaks away below Fs",
    limits="0 at 0; approaches Fc sign(v) + b v",
    ends=smooth_ends_at("Fc", "b"),
    linear=("Fc", "Fs", "b"),
)
