"""The continuously differentiable law of Makkar, Dixon, Sawyer and Hu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Domain, FrictionLaw, Quantity
from symdyn.friction.parts import smooth_ends_at


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    rise = A.unary("tanh", p["g2"] * v) - A.unary("tanh", p["g3"] * v)
    return p["g1"] * rise + p["g4"] * A.unary("tanh", p["g5"] * v) + p["g6"] * v


MAKKAR = FrictionLaw(
    name="makkar",
    title="Makkar",
    source="Makkar, Dixon, Sawyer, Hu 2005, IEEE/ASME AIM",
    formula=(
        r"\tau = \gamma_1(\tanh\gamma_2 v - \tanh\gamma_3 v) "
        r"+ \gamma_4\tanh\gamma_5 v + \gamma_6 v"
    ),
    parameters=(
        Quantity("g1", "N m", "height of the Stribeck hump", Domain.NONNEGATIVE),
        Quantity("g2", "s/rad", "steepness of its rise", Domain.POSITIVE),
        Quantity("g3", "s/rad", "steepness of its fall", Domain.POSITIVE),
        Quantity("g4", "N m", "Coulomb level", Domain.NONNEGATIVE),
        Quantity("g5", "s/rad", "steepness of the Coulomb part", Domain.POSITIVE),
        Quantity("g6", "N m s/rad", "viscous coefficient", Domain.NONNEGATIVE),
    ),
    force=_force,
    steady=_force,
    rest="creeps under any load",
    limits="0 at 0 with slope g1 (g2 - g3) + g4 g5 + g6; g4 sign(v) + g6 v at infinity",
    ends=smooth_ends_at("g4", "g6"),
    linear=("g1", "g4", "g6"),
)
