"""Coulomb and viscous friction with a ripple in position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Domain, FrictionLaw, Quantity


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    ripple = p["a"] * A.unary("sin", p["k"] * u["position"] + p["phase"])
    return p["Fc"] * A.unary("sign", v) + p["b"] * v + ripple


def _at_rest(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S]:
    ripple = p["a"] * A.unary("sin", p["k"] * u["position"] + p["phase"])
    return ripple - p["Fc"], ripple + p["Fc"]


def _ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
    level = _at_rest(A, u, p)[1]
    return level, level, p["b"]


RIPPLE = FrictionLaw(
    name="ripple",
    title="Coulomb and viscous with position ripple",
    source="Popovic and Goldenberg 1998, IEEE T-RA 14(1)",
    formula=r"\tau = F_c \operatorname{sgn} v + b v + a \sin(k q + \varphi)",
    parameters=(
        Quantity("Fc", "N m", "Coulomb level", Domain.NONNEGATIVE),
        Quantity("b", "N m s/rad", "viscous coefficient"),
        Quantity("a", "N m", "amplitude of the ripple", Domain.NONNEGATIVE),
        Quantity("k", "1/rad", "periods of the ripple per radian, times 2 pi"),
        Quantity("phase", "1", "phase of the ripple, an angle of the sine"),
    ),
    signals=(Quantity("position", "rad", "joint position"),),
    force=_force,
    steady=_force,
    rest="holds any load within Fc of the ripple",
    limits="ripple plus Fc sign(v) at 0, b v at infinity",
    at_rest=_at_rest,
    ends=_ends,
    linear=("Fc", "b", "a"),
)
