"""Decimal floating point of any precision (mpmath): the slow, accurate reference."""

# mpmath ships no types; every number that leaves this file is an mpf and typed as `Real`.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Protocol, Self, cast

from mpmath.ctx_mp import MPContext

# Beyond these, an exponential or the reduction of an angle would need astronomically many digits.
_LARGEST_EXPONENT = 60
_LARGEST_ANGLE = 1 << 20


class Real(Protocol):
    """What is used of an mpf."""

    def __add__(self, other: Self, /) -> Self: ...
    def __sub__(self, other: Self, /) -> Self: ...
    def __mul__(self, other: Self, /) -> Self: ...
    def __truediv__(self, other: Self, /) -> Self: ...
    def __neg__(self) -> Self: ...
    def __abs__(self) -> Self: ...
    def __pow__(self, n: int, /) -> Self: ...
    def __float__(self) -> float: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Self | int, /) -> bool: ...
    def __le__(self, other: Self | int, /) -> bool: ...
    def __gt__(self, other: Self | int, /) -> bool: ...
    def __ge__(self, other: Self | int, /) -> bool: ...


class MpAlgebra:
    """Numbers of type mpf in a private context, so that no other precision setting interferes.

    Infinities and NaN are values, as in `symdyn.algebra.float64`; nothing raises. Limits that a
    double never meets: the exponential of a number beyond 2^60 is infinite, the sine of one beyond
    2^(2^20) is NaN. An exact zero has no sign.

    Parameters
    ----------
    dps : decimal digits, at least 15
    """

    def __init__(self, dps: int = 50) -> None:
        if dps < 15:
            raise ValueError(f"MpAlgebra needs at least 15 decimal digits; got {dps}")
        self.dps = dps
        c = MPContext()
        c.dps = dps
        self._context = c
        self._nan, self._inf = self.number("nan"), self.number("inf")
        self._zero, self._one = self.number(0), self.number(1)
        nan, inf = self._nan, self._inf
        self._unary: dict[str, Callable[[Real], Real]] = {
            "sqrt": lambda x: c.sqrt(x) if x >= 0 else nan,
            "cbrt": lambda x: -c.cbrt(-x) if x < 0 else c.cbrt(x),
            "exp": lambda x: (inf if x > 0 else self._zero) if self._is_huge(x) else c.exp(x),
            "log": lambda x: c.log(x) if x >= 0 else nan,
            "sin": lambda x: c.sin(x) if self._is_angle(x) else nan,
            "cos": lambda x: c.cos(x) if self._is_angle(x) else nan,
            "tan": lambda x: c.tan(x) if self._is_angle(x) else nan,
            "asin": lambda x: c.asin(x) if abs(x) <= 1 else nan,
            "acos": lambda x: c.acos(x) if abs(x) <= 1 else nan,
            "atan": c.atan,
            "sinh": lambda x: (inf if x > 0 else -inf) if self._is_huge(x) else c.sinh(x),
            "cosh": lambda x: inf if self._is_huge(x) else c.cosh(x),
            "tanh": lambda x: self._sign(x) if self._is_huge(x) else c.tanh(x),
            "abs": abs,
            "sign": self._sign,
        }
        self._binary: dict[str, Callable[[Real, Real], Real]] = {
            "pow": self._pow,
            "atan2": lambda y, x: self._zero if y == 0 and x == 0 else c.atan2(y, x),
            "min": lambda x, y: nan if x != x or y != y else y if y < x else x,
            "max": lambda x, y: nan if x != x or y != y else y if y > x else x,
            "lt": lambda x, y: self._one if x < y else self._zero,
            "le": lambda x, y: self._one if x <= y else self._zero,
            "eq": lambda x, y: self._one if x == y else self._zero,
        }

    def _is_huge(self, x: Real) -> bool:
        return bool(x == x and abs(x) >= 1 << _LARGEST_EXPONENT)

    def _is_angle(self, x: Real) -> bool:
        return bool(self._context.isfinite(x) and self._context.mag(x) <= _LARGEST_ANGLE)

    def _sign(self, x: Real) -> Real:
        return self._one if x > 0 else -self._one if x < 0 else x

    def _pow(self, x: Real, y: Real) -> Real:
        if x < 0:
            return self._nan
        if y == 0:
            return self._one
        if x == 0:
            return self._nan if y != y else self._zero if y > 0 else self._inf
        return self._unary["exp"](y * self._unary["log"](x))

    @property
    def name(self) -> str:
        return f"mp{self.dps}"

    def number(self, value: float | str | Real) -> Real:
        """A number of this precision; a float is taken exactly, a decimal text is rounded once."""
        return cast("Real", self._context.mpf(value))

    def const(self, value: Fraction | int, /) -> Real:
        value = Fraction(value)
        return self.number(value.numerator) / self.number(value.denominator)

    def pi(self) -> Real:
        return cast("Real", +self._context.pi)

    def divide(self, x: Real, y: Real, /) -> Real:
        """x / y; an infinity or NaN for y = 0."""
        if y != 0:
            return x / y
        return self._inf if x > 0 else -self._inf if x < 0 else self._nan

    def powi(self, x: Real, n: int, /) -> Real:
        if n == 0:
            return self._one
        return x**n if n > 0 else self.divide(self._one, x**-n)

    def unary(self, op: str, x: Real, /) -> Real:
        return self._unary[op](x)

    def binary(self, op: str, x: Real, y: Real, /) -> Real:
        return self._binary[op](x, y)

    def where(self, c: Real, a: Real, b: Real, /) -> Real:
        return a if c != 0 else b

    def sin(self, x: Real, /) -> Real:
        return self._unary["sin"](x)

    def cos(self, x: Real, /) -> Real:
        return self._unary["cos"](x)

    def sqrt(self, x: Real, /) -> Real:
        return self._unary["sqrt"](x)
