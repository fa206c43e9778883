"""Roots of rational numbers that are rational themselves."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt


def rational_root(value: Fraction, order: int) -> Fraction | None:
    """The real root of that order if it is rational, else None.

    Parameters
    ----------
    value : negative only for odd orders (None otherwise)
    order : 1, 2, 3, …
    """
    if value < 0:
        if order % 2 == 0:
            return None
        root = rational_root(-value, order)
        return None if root is None else -root
    p = _whole_root(value.numerator, order)
    if p is None:
        return None
    q = _whole_root(value.denominator, order)
    return None if q is None else Fraction(p, q)


def _whole_root(value: int, order: int) -> int | None:
    if value < 2 or order == 1:
        return value
    if order == 2:
        root = isqrt(value)
    elif order >= value.bit_length():
        return None  # 2^order is larger than value already
    else:
        # Newton's iteration from above ends at the floor of the root.
        root = 1 << -(-value.bit_length() // order)
        while (step := ((order - 1) * root + value // root ** (order - 1)) // order) < root:
            root = step
    return root if root**order == value else None
