"""Coulomb friction, with a viscous part that may be zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import smooth_sign
from symdyn.friction.law import Domain, FrictionLaw, Quantity
from symdyn.friction.parts import VISCOUS_COEFFICIENT, ends_at, holds, smooth_ends_at
from symdyn.friction.viscous_coulomb import viscous_coulomb


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return viscous_coulomb(A, v, p["b"], p["Fc"])


def _smooth(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return p["Fc"] * smooth_sign(A, v, p["eps"]) + p["b"] * v


_PARAMETERS = (
    Quantity("Fc", "N m", "Coulomb level", Domain.NONNEGATIVE),
    VISCOUS_COEFFICIENT,
)
_ENDS = ends_at("Fc", "Fc", "b")
_SOURCE = "Coulomb 1785; Olsson et al. 1998, section 2.1"
_LIMITS = "Fc sign(v) at 0, Fc sign(v) + b v at every velocity"

COULOMB = FrictionLaw(
    name="coulomb",
    title="Coulomb and viscous",
    source=_SOURCE,
    formula=r"\tau = F_c \operatorname{sgn} v + b v",
    parameters=_PARAMETERS,
    force=_force,
    steady=_force,
    rest="has the value 0 and does not hold a load",
    limits=_LIMITS,
    ends=_ENDS,
    linear=("Fc", "b"),
)

COULOMB_SET = FrictionLaw(
    name="coulomb-set",
    title="Coulomb and viscous, set-valued",
    source=_SOURCE + "; set-valued as in Filippov 1988",
    formula=r"\tau \in F_c \operatorname{Sgn} v + b v",
    parameters=_PARAMETERS,
    force=_force,
    steady=_force,
    rest="holds any load up to Fc",
    limits=_LIMITS,
    at_rest=holds("Fc"),
    ends=_ENDS,
    linear=("Fc", "b"),
)

COULOMB_SMOOTH = FrictionLaw(
    name="coulomb-smooth",
    title="Coulomb and viscous, smoothed by tanh",
    source="regularisation of Coulomb's law by tanh(v/eps)",
    formula=r"\tau = F_c \tanh(v/\varepsilon) + b v",
    parameters=(*_PARAMETERS, Quantity("eps", "rad/s", "smoothing width", Domain.POSITIVE)),
    force=_smooth,
    steady=_smooth,
    rest="creeps under a load below Fc, at eps atanh(load/Fc)",
    limits="0 at 0; approaches Fc sign(v) + b v",
    ends=smooth_ends_at("Fc", "b"),
    linear=("Fc", "b"),
)
