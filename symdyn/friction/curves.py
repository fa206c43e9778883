"""Building blocks of static laws, written so that value and derivatives are right at zero velocity.

A law that falls from a level L(0) is odd with a jump at 0: sign(v) L(|v|). Written as that product
its derivative at 0 would be lost, since sign(0) = 0. `jump` writes it as
``L(0) sign(v) + s (L(s v) - L(0))`` with s = -1 for v < 0 and +1 else: the value at 0 is 0 and the
derivative there is L'(0+), the one-sided slope on both sides.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from symdyn.algebra.protocol import Algebra, S


def direction(A: Algebra[S], v: S) -> S:
    """-1 for v < 0, else +1: the side whose one-sided derivative counts at rest."""
    return A.where(A.binary("lt", v, A.const(0)), A.const(-1), A.const(1))


def jump(A: Algebra[S], v: S, at_zero: S, above: Callable[[S], S]) -> S:
    """Odd function with value 0 at 0 that equals ``at_zero + above(v)`` for v > 0.

    Parameters
    ----------
    at_zero : the limit at 0+
    above : what is added to it at a speed >= 0; 0 at 0
    """
    s = direction(A, v)
    return at_zero * A.unary("sign", v) + s * above(s * v)


def stribeck_drop(A: Algebra[S], speed: S, drop: S, vs: S, alpha: S) -> S:
    """drop (exp(-(speed/vs)^alpha) - 1) for speed >= 0: 0 at rest, -drop far above vs."""
    return drop * (A.unary("exp", -A.binary("pow", speed / vs, alpha)) - A.const(1))


def stiction_level(A: Algebra[S], v: S, Fc: S, Fs: S, vs: S, alpha: S) -> S:
    """Even curve Fc + (Fs - Fc) exp(-|v/vs|^alpha), the level of bristle models."""
    return Fs + stribeck_drop(A, direction(A, v) * v, Fs - Fc, vs, alpha)


def smooth_sign(A: Algebra[S], v: S, eps: S) -> S:
    """tanh(v/eps)"""
    return A.unary("tanh", v / eps)


def half(A: Algebra[S]) -> S:
    """1/2"""
    return A.const(Fraction(1, 2))
