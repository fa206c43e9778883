"""Friction with the Lorentzian fall of Hess and Soom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import is_zero, jump
from symdyn.friction.law import FrictionLaw
from symdyn.friction.parts import HOLDING_CURVE, VISCOUS_COEFFICIENT, ends_at, holds


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    drop = p["Fs"] - p["Fc"]

    def fall(speed: S) -> S:
        r = speed / p["vs"]
        share = A.const(1) / (A.const(1) + r * r)
        # where it has vanished r r may have overflown: a branch without its slope
        return A.where(is_zero(A, share), -drop, drop * (share - A.const(1)))

    return jump(A, v, p["Fs"], fall) + p["b"] * v


HESS_SOOM = FrictionLaw(
    name="hess-soom",
    title="Hess and Soom",
    source="Hess and Soom 1990, J. Tribology 112(1)",
    formula=r"\tau = \left(F_c + \frac{F_s - F_c}{1 + (v/v_s)^2}\right)\operatorname{sgn} v + b v",
    parameters=(*HOLDING_CURVE[:3], VISCOUS_COEFFICIENT),
    force=_force,
    steady=_force,
    rest="holds any load up to Fs",
    limits="tends to Fs sign(v) at 0; approaches Fc sign(v) + b v",
    at_rest=holds("Fs"),
    ends=ends_at("Fs", "Fc", "b"),
    linear=("Fc", "Fs", "b"),
)
