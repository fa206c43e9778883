"""Coulomb and viscous friction that differs between the two directions, with an offset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Domain, FrictionLaw, Quantity


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    forward = A.binary("lt", A.const(0), v)
    backward = A.binary("lt", v, A.const(0))
    dry = p["Fc_plus"] * forward - p["Fc_minus"] * backward
    # at rest the slope is that of the forward side, a convention
    viscous = A.where(backward, p["b_minus"], p["b_plus"]) * v
    return dry + viscous + p["offset"]


def _at_rest(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S]:
    return p["offset"] - p["Fc_minus"], p["offset"] + p["Fc_plus"]


def _ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
    dry = p["Fc_plus"] + p["offset"]
    return dry, dry, p["b_plus"]


ASYMMETRIC = FrictionLaw(
    name="asymmetric",
    title="Asymmetric Coulomb and viscous with offset",
    source="Armstrong-Helouvry 1991, ch. 3",
    formula=(r"\tau = F_c^+ [v>0] - F_c^- [v<0] + b^{\pm} v + o"),
    parameters=(
        Quantity("Fc_plus", "N m", "Coulomb level of forward motion", Domain.NONNEGATIVE),
        Quantity("Fc_minus", "N m", "Coulomb level of backward motion", Domain.NONNEGATIVE),
        Quantity("b_plus", "N m s/rad", "viscous coefficient of forward motion"),
        Quantity("b_minus", "N m s/rad", "viscous coefficient of backward motion"),
        Quantity("offset", "N m", "offset"),
    ),
    force=_force,
    steady=_force,
    rest="holds any load between offset - Fc_minus and offset + Fc_plus",
    limits="one-sided limits offset + Fc_plus and offset - Fc_minus at 0, b v at infinity",
    at_rest=_at_rest,
    ends=_ends,
    linear=("Fc_plus", "Fc_minus", "b_plus", "b_minus", "offset"),
)
