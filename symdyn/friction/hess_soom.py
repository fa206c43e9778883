"""Friction with the Lorentzian fall of Hess and Soom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import is_zero, jump
from symdyn.friction.law import Domain, FrictionLaw, Quantity


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    drop = p["Fs"] - p["Fc"]

    def fall(speed: S) -> S:
        r = speed / p["vs"]
        share = A.const(1) / (A.const(1) + r * r)
        # where it has vanished r r may have overflown: a branch without its slope
        return A.where(is_zero(A, share), -drop, drop * (share - A.const(1)))

    return jump(A, v, p["Fs"], fall) + p["b"] * v


def _at_rest(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S]:
    return -p["Fs"], p["Fs"]


def _ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
    return p["Fs"], p["Fc"], p["b"]


HESS_SOOM = FrictionLaw(
    name="hess-soom",
    title="Hess and Soom",
    source="Hess and Soom 1990, J. Tribology 112(1)",
    formula=r"\tau = \left(F_c + \frac{F_s - F_c}{1 + (v/v_s)^2}\right)\operatorname{sgn} v + b v",
    parameters=(
        Quantity("Fc", "N m", "Coulomb level"),
        Quantity("Fs", "N m", "break-away level"),
        Quantity("vs", "rad/s", "Stribeck velocity", Domain.POSITIVE),
        Quantity("b", "N m s/rad", "viscous coefficient"),
    ),
    force=_force,
    steady=_force,
    rest="holds any load up to Fs",
    limits="tends to Fs sign(v) at 0; approaches Fc sign(v) + b v",
    at_rest=_at_rest,
    ends=_ends,
    linear=("Fc", "Fs", "b"),
)
