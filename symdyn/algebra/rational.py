"""Exact rational numbers. Functions only where their value is rational."""

from __future__ import annotations

from fractions import Fraction

from symdyn._errors import UnsupportedError
from symdyn.algebra.exact_roots import rational_root

_AT_ZERO = {
    "exp": 1, "sin": 0, "cos": 1, "tan": 0, "asin": 0, "atan": 0, "sinh": 0, "cosh": 1, "tanh": 0,
}  # fmt: skip
_AT_ONE = {"log": 0, "acos": 0}


class RationalAlgebra:
    """Fractions.

    There is no NaN: a division by zero raises ZeroDivisionError, even in a branch that is not
    taken, and a value that is not rational raises UnsupportedError.
    """

    @property
    def name(self) -> str:
        return "rational"

    def const(self, value: Fraction | int, /) -> Fraction:
        return Fraction(value)

    def pi(self) -> Fraction:
        raise UnsupportedError("pi is no rational number; evaluate over floats, mpf or intervals.")

    def powi(self, x: Fraction, n: int, /) -> Fraction:
        return x**n

    def unary(self, op: str, x: Fraction, /) -> Fraction:
        if op == "abs":
            return abs(x)
        if op == "sign":
            return Fraction((x > 0) - (x < 0))
        value: Fraction | int | None = None
        if op == "sqrt":
            value = rational_root(x, 2)
        elif op == "cbrt":
            value = rational_root(x, 3)
        elif x == 0:
            value = _AT_ZERO.get(op)
        elif x == 1:
            value = _AT_ONE.get(op)
        if value is None:
            raise _irrational(f"{op}({x})")
        return Fraction(value)

    def binary(self, op: str, x: Fraction, y: Fraction, /) -> Fraction:
        match op:
            case "min":
                return min(x, y)
            case "max":
                return max(x, y)
            case "lt":
                return Fraction(x < y)
            case "le":
                return Fraction(x <= y)
            case "eq":
                return Fraction(x == y)
            case "pow":
                return _pow(x, y)
            case "atan2" if x == 0 and y >= 0:
                return Fraction(0)
            case _:
                raise _irrational(f"{op}({x}, {y})")

    def where(self, c: Fraction, a: Fraction, b: Fraction, /) -> Fraction:
        return a if c != 0 else b

    def sin(self, x: Fraction, /) -> Fraction:
        return self.unary("sin", x)

    def cos(self, x: Fraction, /) -> Fraction:
        return self.unary("cos", x)

    def sqrt(self, x: Fraction, /) -> Fraction:
        return self.unary("sqrt", x)


def _pow(x: Fraction, y: Fraction) -> Fraction:
    if x >= 0:
        if y == 0:
            return Fraction(1)
        if x == 0:
            if y > 0:
                return Fraction(0)
            raise ZeroDivisionError("0 to a negative power")
        root = rational_root(x, y.denominator)
        if root is not None:
            return root**y.numerator
    raise _irrational(f"pow({x}, {y})")


def _irrational(text: str) -> UnsupportedError:
    return UnsupportedError(
        f"{text} is no rational number; evaluate over floats, mpf or intervals."
    )


RATIONAL = RationalAlgebra()
