"""Sources of open bodies: what mass that arrives or leaves does to equation (39).

With a source s(x, t) whose mass arrives (s > 0) or leaves (s < 0) with the velocity v_s against the
body, the balance of momentum is

    M qdd + (C + M(q, Theta' - Theta'_src) + H) qd + G = tau + w - J^T Q (Psi' - Psi_src)

with Theta'_src the moments of s and Psi_src = int s (1; A(x)) v_s. Equation (39) as printed is
right exactly if the momentum that the source brings vanishes, M(q, Theta'_src) qd + J^T Q Psi_src =
0: closed bodies, or mass that arrives at rest in the inertial frame. Which one holds is no property
of Phi(t); it has to be said, and every result says it.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import sympy

from symdyn._errors import InputError
from symdyn.mass.continuity import EQUATIONS, continuity_of
from symdyn.mass.coordinates import ORIGIN, ZERO, Number, X, exact, exact_vector
from symdyn.mass.domain import Domain
from symdyn.mass.integrate import integral
from symdyn.mass.mass_moments import MassMoments
from symdyn.mass.zero import decide_zero


class Momentum(Enum):
    """What momentum the mass of a source carries; the text goes into reports."""

    NONE = "closed body, no source"
    AT_REST = "mass arrives at rest in the inertial frame and brings no momentum: (39) as printed"
    CO_MOVING = "mass arrives or leaves with the velocity of the body at its place"
    STREAM = "mass arrives or leaves with a given velocity against the body"


@dataclass(frozen=True, slots=True)
class Source:
    """What the source terms of (39) are.

    Attributes
    ----------
    momentum : the convention, `momentum.value` is the sentence for the report
    arriving : [10] moments of s, Phi' - L psi
    theta_dot : [10] Theta'_src, to be taken from Theta' in M(q, Theta')
    psi : [12] Psi_src, to be taken from Psi' in J^T Q Psi'
    """

    momentum: Momentum
    arriving: tuple[sympy.Expr, ...]
    theta_dot: tuple[sympy.Expr, ...]
    psi: tuple[sympy.Expr, ...]


def source_of(body: MassMoments, momentum: Momentum | None = None) -> Source:
    """The source terms of a body whose mass arrives at rest or co-moving.

    Parameters
    ----------
    body : its source is what continuity leaves over
    momentum : may be left out for a closed body only

    Raises
    ------
    InputError : an open body without a convention; ``STREAM`` (it needs `stream`); a convention of
        mass at rest for mass that leaves, which no mechanism produces
    """
    found = continuity_of(body)
    nothing = (ZERO,) * 10, (ZERO,) * 12
    if found.is_closed:
        return Source(Momentum.NONE, found.residual, *nothing)
    if momentum is None or momentum is Momentum.NONE:
        raise InputError(
            "an open body needs the momentum of the mass it gains or loses",
            where="source_of",
            expected="Momentum.AT_REST or Momentum.CO_MOVING, or stream(...)",
            got=found.sentence(),
        )
    if momentum is Momentum.AT_REST:
        if found.residual[0].is_negative:
            raise InputError(
                "mass that leaves does not come to rest in the inertial frame",
                where="source_of",
                expected="Momentum.CO_MOVING or stream(...)",
                got=f"dm/dt = {found.residual[0]}",
            )
        return Source(momentum, found.residual, *nothing)
    if momentum is Momentum.STREAM:
        raise InputError("a stream needs its velocity", where="source_of", remedy="Use stream.")
    return Source(momentum, found.residual, found.residual, (ZERO,) * 12)


def stream(
    body: MassMoments, domain: Domain, rate: Number, velocity: Sequence[Number] = ORIGIN
) -> Source:
    """The source terms of mass that arrives in ``domain`` at the rate s with the velocity v_s.

    Parameters
    ----------
    body : the body with the mass that has arrived
    domain : where, in the body's frame
    rate : s(x, t) [kg/s/m^dimension], negative where mass leaves
    velocity : v_s(x, t) against the body [m/s]

    Raises
    ------
    InputError : the source does not account for Phi' - L psi; names the equation
    """
    s, v = exact(rate, "stream, rate"), exact_vector(velocity, "stream, velocity")
    # s may have either sign, so no check of a density: the moments are linear in it
    gain = _moments_of(domain, s)
    residual = continuity_of(body).residual
    for equation, have, need in zip(EQUATIONS, gain, residual, strict=True):
        if not decide_zero(have - need).holds:
            raise InputError(
                "a source does not account for the change of Phi",
                where="stream",
                expected=f"{need} in {equation}",
                got=str(have),
            )
    p = [integral(domain, s * c) for c in v]
    W = [[integral(domain, s * x * c) for x in X] for c in v]
    return Source(Momentum.STREAM, tuple(gain), tuple(gain), (*p, *(e for row in W for e in row)))


def _moments_of(domain: Domain, s: sympy.Expr) -> list[sympy.Expr]:
    h = [integral(domain, s * x) for x in X]
    S = [[integral(domain, s * x * y) for y in X] for x in X]
    trace = S[0][0] + S[1][1] + S[2][2]
    return [
        integral(domain, s), *h,
        trace - S[0][0], trace - S[1][1], trace - S[2][2], -S[0][1], -S[1][2], -S[0][2],
    ]  # fmt: skip
