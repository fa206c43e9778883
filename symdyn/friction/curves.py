"""Building blocks of laws, written so that value and derivatives are right at zero velocity.

At v = 0 the derivative by v is that of the forward side, the limit of the slope as v falls to 0;
the derivative by a parameter is that of the value at v = 0. A law that falls from a level L(0) is
odd with a jump at 0: sign(v) L(|v|). Written as that product its derivative at 0 would be lost,
since sign(0) = 0. `jump` writes it as ``L(0) sign(v) + s (L(s v) - L(0))`` with s = `direction`.

A power |v|^alpha has at rest the slope 0, 1 or infinity. Written plainly, an infinite slope times a
factor that is 0 there would make other derivatives NaN, so rest is a branch of its own
(`power_at_rest`).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from symdyn.algebra.protocol import Algebra, S


def direction(A: Algebra[S], v: S) -> S:
    """-1 for v < 0, else +1: the side whose one-sided derivative counts at rest."""
    return A.where(A.binary("lt", v, A.const(0)), A.const(-1), A.const(1))


def speed_of(A: Algebra[S], v: S) -> S:
    """|v|, with the derivative +1 at rest."""
    return A.where(A.binary("lt", v, A.const(0)), -v, v)


def is_zero(A: Algebra[S], x: S) -> S:
    """1 if x = 0, else 0."""
    return A.binary("eq", x, A.const(0))


def jump(A: Algebra[S], v: S, at_zero: S, above: Callable[[S], S]) -> S:
    """Odd function with value 0 at 0 that equals ``at_zero + above(v)`` for v > 0.

    Parameters
    ----------
    at_zero : the limit at 0+
    above : what is added to it at a speed >= 0; 0 at 0
    """
    return at_zero * A.unary("sign", v) + direction(A, v) * above(speed_of(A, v))


def power_at_rest(A: Algebra[S], speed: S, factor: S, scale: S, exponent: S) -> S:
    """factor (speed/scale)^exponent where speed = 0, up to first order in the speed: its value 0,
    and the slope 0, factor/scale or an infinity as the exponent is above, at or below 1.
    """
    zero, one = A.const(0), A.const(1)
    steep = A.unary("sign", factor) * A.binary("pow", speed, exponent)
    steep = A.where(is_zero(A, factor), zero, steep)
    finite = A.where(A.binary("eq", exponent, one), factor * (speed / scale), zero)
    return A.where(A.binary("lt", exponent, one), steep, finite)


def stribeck_drop(A: Algebra[S], speed: S, drop: S, vs: S, alpha: S) -> S:
    """drop (exp(-(speed/vs)^alpha) - 1) for speed >= 0: 0 at rest, -drop far above vs."""
    r = A.unary("abs", speed) / vs
    resting = power_at_rest(A, speed, -drop, vs, alpha)
    share = _share(A, r, alpha)
    moving = A.where(is_zero(A, share), -drop, drop * (share - A.const(1)))
    return A.where(is_zero(A, r), resting, moving)


def stiction_level(A: Algebra[S], v: S, Fc: S, Fs: S, vs: S, alpha: S) -> S:
    """Even curve Fc + (Fs - Fc) exp(-|v/vs|^alpha), the level of bristle models.

    For products with a factor that vanishes at rest, such as |v| or tanh(v/eps): its own slope does
    not count there, is taken as 0, and hence is never 0 times infinity. Written as a mean of both
    levels, it is positive for positive levels of any ratio; rounded, it may pass the larger one in
    the last bit.
    """
    r = A.unary("abs", speed_of(A, v)) / vs
    share = _share(A, r, alpha)
    mean = A.where(is_zero(A, share), Fc, Fs * share + Fc * (A.const(1) - share))
    return A.where(is_zero(A, r), Fs, mean)


def _share(A: Algebra[S], r: S, alpha: S) -> S:
    """exp(-r^alpha) for r = |v/vs|: what is left of Fs - Fc.

    Where it has vanished its slope would be 0 times a power that may have overflown, so callers
    make that a branch of its own. The absolute value of a speed changes nothing; it tells intervals
    around rest that there is no other.
    """
    return A.unary("exp", -A.binary("pow", r, alpha))


def smooth_sign(A: Algebra[S], v: S, eps: S) -> S:
    """tanh(v/eps)"""
    return A.unary("tanh", v / eps)


def half(A: Algebra[S]) -> S:
    """1/2"""
    return A.const(Fraction(1, 2))


# -- steps of bristle states ----------------------------------------------------------------------


def covered(A: Algebra[S], x: S) -> S:
    """1 - exp(-x) for x >= 0 without cancellation: the part of a distance covered by a decay x."""
    t = A.unary("tanh", half(A) * x)
    return (t + t) / (A.const(1) + t)


def brief(A: Algebra[S], x: S) -> S:
    """x >= 0, or 1000 if that is less: a decay beyond it is complete in any arithmetic, and has no
    slope that could overflow.
    """
    return A.binary("min", x, A.const(1000))


def towards(A: Algebra[S], x: S, target: S, part: S) -> S:
    """x moved by ``part`` of its distance to ``target``, 0 <= part <= 1; never beyond it.

    Exactly x for part = 0, so that nothing moves at rest; rounding is kept from passing the target,
    so that a state which is bounded stays bounded to the last bit.
    """
    moved = x + (target - x) * part
    rising = A.binary("lt", x, target)
    beyond = A.where(rising, A.binary("lt", target, moved), A.binary("lt", moved, target))
    return A.where(beyond, target, moved)
