"""LuGre friction: bristles whose mean deflection is a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import (
    covered,
    direction,
    speed_of,
    stiction_level,
    towards,
)
from symdyn.friction.law import Domain, FrictionLaw, Quantity
from symdyn.friction.parts import BRISTLES, DEFLECTION, ends_at, steady_bristles


def _stiction(A: Algebra[S], v: S, p: Mapping[str, S]) -> S:
    """h(v) > 0: the force in steady sliding without its viscous part, in N m."""
    return stiction_level(A, v, p["Fc"], p["Fs"], p["vs"], p["alpha"])


def _rate(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
) -> list[S]:
    # the bristles' share of the level first: it is at most 1, whatever the size of the parameters
    return [v - p["sigma0"] * x[0] / _stiction(A, v, p) * speed_of(A, v)]


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    zdot = _rate(A, v, x, u, p)[0]
    return p["sigma0"] * x[0] + p["sigma1"] * zdot + p["sigma2"] * v


def _fading_force(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
) -> S:
    r = v / p["vd"]
    damping = p["sigma1"] * A.unary("exp", -(r * r))
    return p["sigma0"] * x[0] + damping * _rate(A, v, x, u, p)[0] + p["sigma2"] * v


def _update(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
) -> list[S]:
    # exact for constant v: decays towards sgn(v) h/sigma0, so |z| <= max(Fc, Fs)/sigma0 stays true
    h, highest = _stiction(A, v, p), A.binary("max", p["Fc"], p["Fs"])
    decay = p["sigma0"] * speed_of(A, v) / h * dt
    saturated = direction(A, v) * A.binary("min", h, highest) / p["sigma0"]
    return [towards(A, x[0], saturated, covered(A, decay))]


_ENDS = ends_at("Fs", "Fc", "sigma2")
_REST = "sticks like a spring of stiffness sigma0; drifts under oscillating load below break-away"
_LIMITS = "steady force tends to Fs sign(v) at 0; approaches Fc sign(v) + sigma2 v"
_LEVEL = r"h(v) = F_c + (F_s - F_c) e^{-|v/v_s|^\alpha}"

LUGRE = FrictionLaw(
    name="lugre",
    title="LuGre",
    source="Canudas de Wit, Olsson, Astrom, Lischinsky 1995, IEEE TAC 40(3), section II",
    formula=(
        r"\dot z = v - \frac{\sigma_0 |v|}{h(v)} z,\quad "
        r"\tau = \sigma_0 z + \sigma_1 \dot z + \sigma_2 v,\quad " + _LEVEL
    ),
    parameters=BRISTLES,
    states=(DEFLECTION,),
    force=_force,
    steady=steady_bristles,
    rate=_rate,
    update=_update,
    rest=_REST,
    limits=_LIMITS,
    step="exact at constant velocity",
    ends=_ENDS,
    linear=("sigma1", "sigma2"),
)

LUGRE_FADING = FrictionLaw(
    name="lugre-fading",
    title="LuGre with damping that fades with speed",
    source="Olsson 1996, thesis, section 3.4; Olsson et al. 1998, section 2.2",
    formula=(
        r"\dot z = v - \frac{\sigma_0 |v|}{h(v)} z,\quad "
        r"\tau = \sigma_0 z + \sigma_1 e^{-(v/v_d)^2} \dot z + \sigma_2 v,\quad " + _LEVEL
    ),
    parameters=(
        *BRISTLES,
        Quantity("vd", "rad/s", "velocity over which the damping fades", Domain.POSITIVE),
    ),
    states=(DEFLECTION,),
    force=_fading_force,
    steady=steady_bristles,
    rate=_rate,
    update=_update,
    rest=_REST,
    limits=_LIMITS,
    step="exact at constant velocity",
    ends=_ENDS,
    linear=("sigma1", "sigma2"),
)
