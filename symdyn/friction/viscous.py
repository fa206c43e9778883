"""Viscous friction: linear, cubic, and a power of the speed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import direction, is_zero, power_at_rest, speed_of
from symdyn.friction.law import Domain, FrictionLaw, Quantity


def _linear(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return p["b"] * v


def _cubic(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    return p["b1"] * v + p["b3"] * A.powi(v, 3)


def _power(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    speed = speed_of(A, v)
    resting = power_at_rest(A, speed, p["b"], A.const(1), p["d"])
    # the absolute value tells intervals around rest that no speed is negative
    moving = p["b"] * A.binary("pow", A.unary("abs", speed), p["d"])
    return direction(A, v) * A.where(is_zero(A, speed), resting, moving)


def _ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
    return A.const(0), A.const(0), p["b"]


_REST = "does not hold a load"

VISCOUS = FrictionLaw(
    name="viscous",
    title="Viscous",
    source="Reynolds 1886; Olsson et al. 1998, section 2.1",
    formula=r"\tau = b v",
    parameters=(Quantity("b", "N m s/rad", "viscous coefficient"),),
    force=_linear,
    steady=_linear,
    rest=_REST,
    limits="0 at 0, proportional to v at infinity",
    ends=_ends,
    linear=("b",),
)

VISCOUS_CUBIC = FrictionLaw(
    name="viscous-cubic",
    title="Viscous with a cubic term",
    source="Grotjahn, Daemi, Heimann 2001",
    formula=r"\tau = b_1 v + b_3 v^3",
    parameters=(
        Quantity("b1", "N m s/rad", "linear coefficient"),
        Quantity("b3", "N m s^3/rad^3", "cubic coefficient"),
    ),
    force=_cubic,
    steady=_cubic,
    rest=_REST,
    limits="b1 v near 0, b3 v^3 at infinity",
    linear=("b1", "b3"),
)

VISCOUS_POWER = FrictionLaw(
    name="viscous-power",
    title="Viscous, a power of the speed",
    source="Waiboer, Aarts, Jonker 2005",
    formula=r"\tau = b |v|^d \operatorname{sgn} v",
    parameters=(
        Quantity("b", "N m s^d/rad^d", "coefficient"),
        Quantity("d", "1", "exponent", Domain.POSITIVE),
    ),
    force=_power,
    steady=_power,
    rest=_REST + "; for d < 1 its slope there is infinite",
    limits="0 at 0, grows like |v|^d",
    linear=("b",),
)
