"""Running error analysis: a graph in doubles together with a bound of its rounding error.

Each number is a pair (value, bound): the value as a straight-line program in doubles computes it,
and a bound of its distance from the exact value of the same expression. Every operation adds half a
unit in the last place of its result to what its arguments bring along. Functions are taken to err
by at most two units in the last place of max(|result|, 1 for sine and cosine), which the usual
mathematics libraries and the polynomials of generated code keep.

The bound is the tolerance of the cross-check: it grows where the problem is badly conditioned at a
state, and nowhere else. Source: Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.
2002, section 3.3 (Wilkinson's running error analysis).
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from fractions import Fraction
from itertools import product

import numpy as np

from symdyn.algebra.float64 import ARRAYS, Array

#: Unit roundoff of a double.
UNIT = 2.0**-53
#: Error of a library function, relative to its result [units in the last place, as multiples of
#: UNIT].
_FUNCTION = 4 * UNIT
#: Smallest positive double: the error of a product that underflows.
_TINY = 2.0**-1074


class Bounded:
    """Value and error bound, arrays over the states."""

    __slots__ = ("bound", "value")

    def __init__(self, value: Array, bound: Array) -> None:
        self.value, self.bound = value, bound

    def __add__(self, other: Bounded) -> Bounded:
        value = self.value + other.value
        return Bounded(value, self.bound + other.bound + UNIT * np.abs(value))

    def __sub__(self, other: Bounded) -> Bounded:
        value = self.value - other.value
        return Bounded(value, self.bound + other.bound + UNIT * np.abs(value))

    def __mul__(self, other: Bounded) -> Bounded:
        value = self.value * other.value
        a, b = np.abs(self.value), np.abs(other.value)
        carried = a * other.bound + b * self.bound + self.bound * other.bound
        return Bounded(value, carried + UNIT * np.abs(value) + _TINY)

    def __truediv__(self, other: Bounded) -> Bounded:
        value = self.value / other.value
        room = np.abs(other.value) - other.bound
        carried = (self.bound + np.abs(value) * other.bound) / np.where(room > 0, room, 0.0)
        # an exact 0/x is exact however small x; 0/0 stays NaN
        carried = np.where((self.value == 0) & (self.bound == 0) & (room > 0), 0.0, carried)
        return Bounded(value, carried + UNIT * np.abs(value) + _TINY)

    def __neg__(self) -> Bounded:
        return Bounded(-self.value, self.bound)


_NONE: Array = np.asarray(0.0)


def _ends(x: Bounded) -> tuple[Array, Array]:
    """Ends of the interval that holds the exact number, rounded outwards; x if it is exact."""
    low = np.nextafter(x.value - x.bound, -np.inf)
    high = np.nextafter(x.value + x.bound, np.inf)
    is_exact = x.bound == 0
    return np.where(is_exact, x.value, low), np.where(is_exact, x.value, high)


def _distance(end: Array, value: Array) -> Array:
    """How far the function can be from ``value`` at an end, both being computed values."""
    return np.abs(end - value) + _FUNCTION * np.maximum(np.abs(end), np.abs(value))


class RunningErrorAlgebra:
    """Arrays of doubles that carry error bounds; meanings of the table of operations."""

    @property
    def name(self) -> str:
        return "running error"

    def scope(self) -> AbstractContextManager[object]:
        """Silences NumPy: an infinite bound says that nothing can be promised."""
        return np.errstate(all="ignore")

    def exact(self, value: Array) -> Bounded:
        """Doubles that are given, not computed."""
        return Bounded(value, _NONE)

    def const(self, value: Fraction | int, /) -> Bounded:
        rounded = ARRAYS.const(value)
        error = abs(Fraction(value) - Fraction(float(rounded))) if np.isfinite(rounded) else 0
        # the exact distance, rounded up
        return Bounded(rounded, np.asarray(float(error) * (1 + 4 * UNIT)))

    def pi(self) -> Bounded:
        return Bounded(ARRAYS.pi(), np.asarray(UNIT))

    def powi(self, x: Bounded, n: int, /) -> Bounded:
        power, base, left = self.const(1), x, abs(n)
        while left:
            if left & 1:
                power = power * base
            left >>= 1
            if left:
                base = base * base
        return power if n >= 0 else self.const(1) / power

    def unary(self, op: str, x: Bounded, /) -> Bounded:
        value = ARRAYS.unary(op, x.value)
        if op == "abs":
            return Bounded(value, x.bound)
        if op == "sign":
            sure = (np.abs(x.value) > x.bound) | (x.bound == 0)
            return Bounded(value, np.where(sure, 0.0, 2.0))
        if op in ("sin", "cos"):
            # Lipschitz with constant 1, and never off by more than the range
            return Bounded(value, np.minimum(x.bound + _FUNCTION, 2.0))
        if op == "tan":
            slope = 1 + value * value
            near = x.bound * slope * (1 + np.abs(value)) < 0.125
            carried = np.where(near, 2 * slope * x.bound, np.inf)
            return Bounded(value, carried + _FUNCTION * np.abs(value))
        # All others are monotone or even and convex: the ends of the interval are the extremes.
        ends = [ARRAYS.unary(op, end) for end in _ends(x)]
        carried = np.maximum(*(_distance(end, value) for end in ends))
        carried = np.where(x.bound == 0, 0.0, np.where(np.isnan(carried), np.inf, carried))
        return Bounded(value, carried + _FUNCTION * np.abs(value))

    def binary(self, op: str, x: Bounded, y: Bounded, /) -> Bounded:
        value = ARRAYS.binary(op, x.value, y.value)
        if op in ("min", "max"):
            return Bounded(value, np.maximum(x.bound, y.bound))
        if op in ("lt", "le", "eq"):
            near = x.bound + y.bound
            sure = (np.abs(x.value - y.value) > near) | (near == 0)
            return Bounded(value, np.where(sure, 0.0, 1.0))
        if op == "atan2":
            moved = np.hypot(x.bound, y.bound)
            room = np.hypot(x.value, y.value) - moved
            carried = np.where(room > 0, moved / np.where(room > 0, room, 1.0), 2 * np.pi)
            jumps = (y.value - y.bound < 0) & (np.abs(x.value) <= x.bound) & (x.bound > 0)
            carried = np.where(jumps, 2 * np.pi, np.where(moved == 0, 0.0, carried))
            return Bounded(value, carried + _FUNCTION * np.abs(value))
        # pow is monotone in each argument: the corners are the extremes
        carried = np.zeros_like(value)
        for a, b in product(_ends(x), _ends(y)):
            carried = np.maximum(carried, _distance(ARRAYS.binary(op, a, b), value))
        still = (x.bound == 0) & (y.bound == 0)
        carried = np.where(still, 0.0, np.where(np.isnan(carried), np.inf, carried))
        return Bounded(value, carried + _FUNCTION * np.abs(value))

    def where(self, c: Bounded, a: Bounded, b: Bounded, /) -> Bounded:
        value = ARRAYS.where(c.value, a.value, b.value)
        taken = np.where(c.value != 0, a.bound, b.bound)
        unsure = np.maximum(a.bound, b.bound) + np.abs(a.value - b.value)
        return Bounded(value, np.where(c.bound == 0, taken, unsure))

    def sin(self, x: Bounded, /) -> Bounded:
        return self.unary("sin", x)

    def cos(self, x: Bounded, /) -> Bounded:
        return self.unary("cos", x)

    def sqrt(self, x: Bounded, /) -> Bounded:
        return self.unary("sqrt", x)


RUNNING_ERROR = RunningErrorAlgebra()
