"""The smooth law of Simscape's block Rotational Friction, with its own parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import half, is_zero
from symdyn.friction.law import Domain, FrictionLaw, Quantity
from symdyn.friction.parts import smooth_ends_at


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    # sqrt(2 e) e^{-w^2} w with w = r/sqrt(2), r = v/wbrk, is r e^{(1 - r^2)/2}
    r = v / p["wbrk"]
    fall = A.unary("exp", half(A) * (A.const(1) - r * r))
    # where it has vanished r r may have overflown: a branch without its slope
    hump = (p["Tbrk"] - p["TC"]) * A.where(is_zero(A, fall), A.const(0), r * fall)
    return hump + p["TC"] * A.unary("tanh", A.const(10) * r) + p["f"] * v


SIMSCAPE = FrictionLaw(
    name="simscape",
    title="Simscape Rotational Friction",
    source="MathWorks, Simscape reference, block Rotational Friction",
    formula=(
        r"\tau = \sqrt{2e}\,(T_{brk} - T_C) e^{-(v/v_{St})^2} \frac{v}{v_{St}} + "
        r"T_C \tanh\frac{v}{v_{Coul}} + f v,\quad v_{St} = \sqrt 2\,v_{brk},\ "
        r"v_{Coul} = v_{brk}/10"
    ),
    parameters=(
        Quantity("Tbrk", "N m", "break-away friction torque", Domain.NONNEGATIVE),
        Quantity("TC", "N m", "Coulomb friction torque", Domain.NONNEGATIVE),
        Quantity("wbrk", "rad/s", "break-away friction velocity", Domain.POSITIVE),
        Quantity("f", "N m s/rad", "viscous friction coefficient", Domain.NONNEGATIVE),
    ),
    force=_force,
    steady=_force,
    rest="creeps under any load",
    limits="0 at 0; Tbrk + f wbrk at wbrk; TC sign(v) + f v at infinity",
    ends=smooth_ends_at("TC", "f"),
    linear=("Tbrk", "TC", "f"),
)
