"""The unit vector along a joint axis, exactly.

A file's axis of rational length is divided by it. Any other direction is written as
(cos phi cos theta, sin phi cos theta, sin theta): that vector has length one *exactly* in every
number kind in which c*c + s*s = 1 holds for an angle, also where no square root exists. A quotient
by a rounded length would not.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from symdyn.algebra.term import PI, TERMS, ZERO, Term, number
from symdyn.model.robot import Vec3T

#: Relative size below which a component is what is left of an exporter's rounding, and relative
#: difference below which two components are meant to be equal. Far above 2^-53 = 1.1e-16, the error
#: of a double, and far below the 1e-12 to which results are compared.
ROUNDING = Fraction(1, 10**13)


def unit_axis(axis: Vec3T) -> tuple[Vec3T, str] | None:
    """The unit vector along ``axis`` and a sentence on what was done to it, empty if nothing.

    Parameters
    ----------
    axis : (3,) as the file states it, of any length

    Returns
    -------
    the exact unit vector and the note; None if the axis is zero
    """
    x, y, z = (component.rational for component in axis)
    if x is None or y is None or z is None:
        return _along(axis), ""
    largest = max(abs(x), abs(y), abs(z))
    if largest == 0:
        return None
    rounding = any(v != 0 and abs(v) < ROUNDING * largest for v in (x, y, z))
    x, y, z = (v if abs(v) >= ROUNDING * largest else Fraction(0) for v in (x, y, z))
    square = x * x + y * y + z * z
    notes = ["components of relative size below 1e-13 taken as 0"] if rounding else []
    if abs(square - 1) > ROUNDING:
        notes.append(f"length {float(square) ** 0.5:.10g} made 1")
    length = exact_root(square)
    if length is not None:
        return (number(x / length), number(y / length), number(z / length)), "; ".join(notes)
    return _along((number(x), number(y), number(z))), "; ".join(notes)


def exact_root(square: Fraction) -> Fraction | None:
    """The square root of a rational if it is rational, else None."""
    p, q = isqrt(square.numerator), isqrt(square.denominator)
    if p * p == square.numerator and q * q == square.denominator:
        return Fraction(p, q)
    return None


def _along(v: Vec3T) -> Vec3T:
    x, y, z = v
    phi = _angle(y, x)
    theta = _angle(z, _planar_length(x, y))
    c = TERMS.cos(theta)
    return TERMS.cos(phi) * c, TERMS.sin(phi) * c, TERMS.sin(theta)


def _planar_length(x: Term, y: Term) -> Term:
    """sqrt(x^2 + y^2), rational where that is rational."""
    square = x * x + y * y
    value = square.rational
    if value is not None:
        root = exact_root(value)
        if root is not None:
            return number(root)
    return TERMS.sqrt(square)


def _angle(y: Term, x: Term) -> Term:
    """atan2(y, x), a multiple of pi/4 where it is one."""
    p, q = _signed_square(y), _signed_square(x)
    if p is None or q is None:
        return TERMS.binary("atan2", y, x)
    eighths: int | None = None
    if p == 0:
        eighths = 0 if q >= 0 else 4
    elif q == 0:
        eighths = 2 if p > 0 else -2
    elif abs(abs(p) - abs(q)) <= 2 * ROUNDING * abs(q):
        eighths = (1 if q > 0 else 3) * (1 if p > 0 else -1)
    if eighths is None:
        return TERMS.binary("atan2", y, x)
    return number(Fraction(eighths, 4)) * PI if eighths else ZERO


def _signed_square(term: Term) -> Fraction | None:
    """v |v| of a rational or of the square root of one."""
    value = term.rational
    if value is not None:
        return value * abs(value)
    return term.args[0].rational if term.op == "sqrt" else None
