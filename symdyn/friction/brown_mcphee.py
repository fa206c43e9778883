"""The smooth law of Brown and McPhee, with its peak at the transition velocity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import is_zero
from symdyn.friction.law import Domain, FrictionLaw, Quantity
from symdyn.friction.parts import CURVE, VISCOUS_COEFFICIENT, smooth_ends_at


def _force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
    r = v / p["vt"]
    shape = A.const(Fraction(1, 4)) * (r * r) + A.const(Fraction(3, 4))
    fall = A.const(1) / shape
    # where it has vanished r r may have overflown: a branch without its slope
    hump = A.where(is_zero(A, fall), A.const(0), r * fall * fall)
    dry = p["Fc"] * A.unary("tanh", A.const(4) * r) + (p["Fs"] - p["Fc"]) * hump
    return dry + p["b"] * v


BROWN_MCPHEE = FrictionLaw(
    name="brown-mcphee",
    title="Brown and McPhee",
    source="Brown and McPhee 2016, J. Comput. Nonlinear Dyn. 11(5)",
    formula=(
        r"\tau = F_c\tanh\frac{4v}{v_t} + \frac{(F_s - F_c)\,v/v_t}{(v^2/(4v_t^2) + 3/4)^2} + b v"
    ),
    parameters=(
        *CURVE[:2],
        Quantity("vt", "rad/s", "transition velocity", Domain.POSITIVE),
        VISCOUS_COEFFICIENT,
    ),
    force=_force,
    steady=_force,
    rest="creeps under any load",
    limits="0 at 0; near Fs at vt; Fc sign(v) + b v at infinity",
    ends=smooth_ends_at("Fc", "b"),
    linear=("Fc", "Fs", "b"),
)
