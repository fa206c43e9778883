"""Closed intervals with outward rounded ends: rigorous enclosures of real values.

The ends are exact binary numbers of python-flint (arb); every operation computes them with directed
rounding at the working precision. What has no finite enclosure (a divisor that may be zero, a root
of what may be negative) is `UNBOUNDED`, which every operation passes on. A condition that cannot be
decided gives the hull of both branches.

Source: Moore, Kearfott and Cloud 2009, Introduction to Interval Analysis; Johansson 2017, Arb,
IEEE Trans. Computers 66(8).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction

from flint import arb, ctx, fmpq


class Interval:
    """All real numbers from ``lo`` to ``hi``, ends included.

    Attributes
    ----------
    lo, hi : exact binary numbers; NaN for `UNBOUNDED`
    """

    __slots__ = ("hi", "lo")

    def __init__(self, lo: arb, hi: arb) -> None:
        self.lo, self.hi = lo, hi

    @property
    def is_bounded(self) -> bool:
        """Is there an enclosure at all?"""
        return bool(self.lo.is_finite() and self.hi.is_finite())

    def contains(self, value: Fraction | int | float) -> bool:
        """Is ``value`` certainly inside? True for every number if there is no enclosure."""
        if not self.is_bounded:
            return True
        exact = Fraction(value)
        return _fraction(self.lo) <= exact <= _fraction(self.hi)

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Both ends as exact fractions.

        Raises
        ------
        ArithmeticError : there is no enclosure
        """
        if not self.is_bounded:
            raise ArithmeticError("an unbounded interval has no ends")
        return _fraction(self.lo), _fraction(self.hi)

    def __add__(self, other: Interval) -> Interval:
        return hull(self.lo + other.lo, self.hi + other.hi)

    def __sub__(self, other: Interval) -> Interval:
        return hull(self.lo - other.hi, self.hi - other.lo)

    def __mul__(self, other: Interval) -> Interval:
        a, b, c, d = self.lo, self.hi, other.lo, other.hi
        if self is other:
            return _even_power(self, 2)
        return hull(a * c, a * d, b * c, b * d)

    def __truediv__(self, other: Interval) -> Interval:
        if not (other.lo > 0 or other.hi < 0):
            return UNBOUNDED
        if self is other:
            return _point(arb(1))
        a, b, c, d = self.lo, self.hi, other.lo, other.hi
        return hull(a / c, a / d, b / c, b / d)

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo)

    def __repr__(self) -> str:
        if not self.is_bounded:
            return "UNBOUNDED"
        return f"[{self.lo.str(radius=False)}, {self.hi.str(radius=False)}]"


def _fraction(end: arb) -> Fraction:
    q = end.fmpq()
    return Fraction(int(q.p), int(q.q))


def _point(value: arb) -> Interval:
    return Interval(value.lower(), value.upper())


def hull(*values: arb) -> Interval:
    """The smallest interval around all values and their rounding errors."""
    lo, hi = values[0].lower(), values[0].upper()
    for value in values[1:]:
        lower, upper = value.lower(), value.upper()
        if lower < lo:
            lo = lower
        if upper > hi:
            hi = upper
    # a comparison with NaN is False: look at every value
    if all(value.is_finite() for value in values):
        return Interval(lo, hi)
    return UNBOUNDED


UNBOUNDED = Interval(arb("nan"), arb("nan"))


# -- functions ------------------------------------------------------------------------------------


def _rising(function: Callable[[arb], arb]) -> Callable[[Interval], Interval]:
    return lambda x: hull(function(x.lo), function(x.hi))


def _on(
    inside: Callable[[Interval], bool], function: Callable[[Interval], Interval]
) -> Callable[[Interval], Interval]:
    """UNBOUNDED for arguments that are not certainly in the domain."""
    return lambda x: function(x) if inside(x) else UNBOUNDED


def _cube_root(x: arb) -> arb:
    if x == 0:
        return x
    return x.root(3) if x > 0 else -((-x).root(3))


def _even_power(x: Interval, n: int) -> Interval:
    low, high = x.lo**n, x.hi**n
    if x.lo > 0 or x.hi < 0:
        return hull(low, high)
    return hull(arb(0), low, high) if x.is_bounded else UNBOUNDED


def _abs(x: Interval) -> Interval:
    if x.lo >= 0:
        return x
    if x.hi <= 0:
        return -x
    return hull(arb(0), -x.lo, x.hi) if x.is_bounded else UNBOUNDED


def _sign(x: Interval) -> Interval:
    if not x.is_bounded:
        return UNBOUNDED
    low = 1 if x.lo > 0 else 0 if x.lo == 0 else -1
    high = -1 if x.hi < 0 else 0 if x.hi == 0 else 1
    return Interval(arb(low), arb(high))


def _cos(x: Interval) -> Interval:
    """Values at the ends, and 1 or -1 if an even or odd multiple of pi may lie between them."""
    if not x.is_bounded:
        return UNBOUNDED
    return _circular(x, arb.cos, arb(0))


def _sin(x: Interval) -> Interval:
    if not x.is_bounded:
        return UNBOUNDED
    return _circular(x, arb.sin, arb(1) / 2)


def _circular(x: Interval, function: Callable[[arb], arb], at: arb) -> Interval:
    """``at``: where the function is 1, in multiples of pi."""
    values = [function(x.lo), function(x.hi)]
    for extreme, shift in ((arb(1), at), (arb(-1), at + 1)):
        first = (x.lo / arb.pi() - shift) / 2
        last = (x.hi / arb.pi() - shift) / 2
        # no whole number between first and last for certain?
        if not last.floor().upper() < first.ceil().lower():
            values.append(extreme)
    wide = hull(*values)
    if not wide.is_bounded:
        return Interval(arb(-1), arb(1))
    lo = arb(-1) if wide.lo < -1 else wide.lo
    return Interval(lo, arb(1) if wide.hi > 1 else wide.hi)


def _tan(x: Interval) -> Interval:
    """Rises between its poles; a ball around a pole gives no finite value."""
    if not x.is_bounded or not x.lo.union(x.hi).tan().is_finite():
        return UNBOUNDED
    return hull(x.lo.tan(), x.hi.tan())


def _cosh(x: Interval) -> Interval:
    y = _abs(x)
    return hull(y.lo.cosh(), y.hi.cosh())


_UNARY: dict[str, Callable[[Interval], Interval]] = {
    "sqrt": _on(lambda x: bool(x.lo >= 0), _rising(arb.sqrt)),
    "cbrt": _rising(_cube_root),
    "exp": _rising(arb.exp),
    "log": _on(lambda x: bool(x.lo > 0), _rising(arb.log)),
    "sin": _sin,
    "cos": _cos,
    "tan": _tan,
    "asin": _on(lambda x: bool(x.lo >= -1 and x.hi <= 1), _rising(arb.asin)),
    "acos": _on(lambda x: bool(x.lo >= -1 and x.hi <= 1), _rising(arb.acos)),
    "atan": _rising(arb.atan),
    "sinh": _rising(arb.sinh),
    "cosh": _cosh,
    "tanh": _rising(arb.tanh),
    "abs": _abs,
    "sign": _sign,
}


def _min(x: Interval, y: Interval) -> Interval:
    if not (x.is_bounded and y.is_bounded):
        return UNBOUNDED
    return Interval(x.lo if x.lo < y.lo else y.lo, x.hi if x.hi < y.hi else y.hi)


def _max(x: Interval, y: Interval) -> Interval:
    return -_min(-x, -y)


def _lt(x: Interval, y: Interval) -> Interval:
    return TRUE if x.hi < y.lo else FALSE if x.lo >= y.hi else MAYBE


def _le(x: Interval, y: Interval) -> Interval:
    return TRUE if x.hi <= y.lo else FALSE if x.lo > y.hi else MAYBE


def _eq(x: Interval, y: Interval) -> Interval:
    if x.hi < y.lo or y.hi < x.lo:
        return FALSE
    return TRUE if x.lo == x.hi == y.lo == y.hi else MAYBE


def _pow(x: Interval, y: Interval) -> Interval:
    if x.lo > 0:
        return _UNARY["exp"](y * _UNARY["log"](x))
    if y.lo == 0 and y.hi == 0 and x.lo >= 0:
        return TRUE
    if x.lo == 0 and y.lo > 0:
        # rising in x from 0^y = 0
        highest = FALSE if x.hi == 0 else _UNARY["exp"](y * _UNARY["log"](_point(x.hi)))
        return hull(arb(0), highest.hi)
    return UNBOUNDED


def _atan2(y: Interval, x: Interval) -> Interval:
    if not (x.is_bounded and y.is_bounded):
        return UNBOUNDED
    if x.lo == x.hi == y.lo == y.hi == 0:
        return FALSE
    # Around the origin, or across the cut where the angle jumps from -pi to pi: all angles.
    if x.lo <= 0 and y.lo <= 0 and y.hi >= 0 and not (y.lo == 0 and x.hi < 0):
        return hull(-arb.pi(), arb.pi())
    return hull(*(arb.atan2(b, a) for a in (x.lo, x.hi) for b in (y.lo, y.hi)))


FALSE, TRUE, MAYBE = _point(arb(0)), _point(arb(1)), Interval(arb(0), arb(1))
_BINARY: dict[str, Callable[[Interval, Interval], Interval]] = {
    "pow": _pow,
    "atan2": _atan2,
    "min": _min,
    "max": _max,
    "lt": _lt,
    "le": _le,
    "eq": _eq,
}


class IntervalAlgebra:
    """Intervals; one operation on them encloses the operation on all numbers inside.

    Parameters
    ----------
    bits : working precision of `evaluate`; arithmetic outside of it runs at flint's own precision.
        Enclosures are rigorous at any precision.
    """

    def __init__(self, bits: int | None = None) -> None:
        self._bits = bits

    @property
    def name(self) -> str:
        return "interval"

    def scope(self) -> AbstractContextManager[object]:
        """Sets flint's precision."""
        return nullcontext() if self._bits is None else ctx.workprec(self._bits)

    def between(self, lo: Fraction | int | float, hi: Fraction | int | float) -> Interval:
        """The interval from ``lo`` to ``hi``, rounded outward; floats are taken exactly.

        Raises
        ------
        ValueError : the ends are not finite or in the wrong order
        """
        try:
            low, high = Fraction(lo), Fraction(hi)
        except (ValueError, OverflowError) as error:
            raise ValueError(f"interval ends have to be finite; got {lo}, {hi}") from error
        if low > high:
            raise ValueError(f"the lower end {lo} is above the upper end {hi}")
        return hull(_arb(low), _arb(high))

    def const(self, value: Fraction | int, /) -> Interval:
        return _point(_arb(Fraction(value)))

    def pi(self) -> Interval:
        return _point(arb.pi())

    def powi(self, x: Interval, n: int, /) -> Interval:
        if n == 0:
            return TRUE
        if n < 0:
            return TRUE / self.powi(x, -n)
        return hull(x.lo**n, x.hi**n) if n % 2 else _even_power(x, n)

    def unary(self, op: str, x: Interval, /) -> Interval:
        return _UNARY[op](x)

    def binary(self, op: str, x: Interval, y: Interval, /) -> Interval:
        return _BINARY[op](x, y)

    def where(self, c: Interval, a: Interval, b: Interval, /) -> Interval:
        if c.lo > 0 or c.hi < 0:
            return a
        if c.lo == 0 and c.hi == 0:
            return b
        return hull(a.lo, a.hi, b.lo, b.hi)

    def sin(self, x: Interval, /) -> Interval:
        return _sin(x)

    def cos(self, x: Interval, /) -> Interval:
        return _cos(x)

    def sqrt(self, x: Interval, /) -> Interval:
        return _UNARY["sqrt"](x)


def _arb(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


INTERVAL = IntervalAlgebra()
