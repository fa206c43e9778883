"""Karnopp friction: a band of velocities that counts as rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Domain, FrictionLaw, Quantity
from symdyn.friction.parts import VISCOUS_COEFFICIENT, ends_at, holds
from symdyn.friction.viscous_coulomb import viscous_coulomb


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    inside = A.binary("lt", A.unary("abs", v), p["Dv"])
    held = A.binary("max", -p["Fs"], A.binary("min", u["load"], p["Fs"]))
    return A.where(inside, held, _steady(A, v, x, u, p))


def _steady(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return viscous_coulomb(A, v, p["b"], p["Fc"])


KARNOPP = FrictionLaw(
    name="karnopp",
    title="Karnopp",
    source="Karnopp 1985, J. Dyn. Sys. Meas. Control 107(1)",
    formula=(
        r"\tau = \begin{cases} \operatorname{clip}(\tau_{load}, \pm F_s) & |v| < D_v \\ "
        r"F_c \operatorname{sgn} v + b v & \text{else} \end{cases}"
    ),
    parameters=(
        Quantity("Fc", "N m", "Coulomb level", Domain.NONNEGATIVE),
        Quantity("Fs", "N m", "break-away level", Domain.NONNEGATIVE),
        VISCOUS_COEFFICIENT,
        Quantity("Dv", "rad/s", "half width of the band of rest", Domain.POSITIVE),
    ),
    signals=(Quantity("load", "N m", "sum of all other torques on the joint"),),
    force=_force,
    steady=_steady,
    rest="holds any load up to Fs",
    limits="the load, up to Fs, inside the band; Fc sign(v) + b v outside",
    at_rest=holds("Fs"),
    ends=ends_at("Fc", "Fc", "b"),
    linear=("Fc", "b"),
)
