"""Dual numbers over any number kind: a value and its derivative along one direction.

Forward differentiation at a point, without a graph. Source: Griewank and Walther 2008, ch. 3.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from typing import Generic, cast

from symdyn.algebra.partials import FLAT, function_partial
from symdyn.algebra.protocol import Algebra, S, Scoped, TotalDivision


class Dual(Generic[S]):
    """A value and its rate.

    ``x / y`` divides with the division of the base kind; where that raises at zero, use
    `DualAlgebra.divide`.
    """

    __slots__ = ("rate", "value")

    def __init__(self, value: S, rate: S) -> None:
        self.value, self.rate = value, rate

    def __add__(self, other: Dual[S]) -> Dual[S]:
        return Dual(self.value + other.value, self.rate + other.rate)

    def __sub__(self, other: Dual[S]) -> Dual[S]:
        return Dual(self.value - other.value, self.rate - other.rate)

    def __mul__(self, other: Dual[S]) -> Dual[S]:
        return Dual(self.value * other.value, self.rate * other.value + self.value * other.rate)

    def __truediv__(self, other: Dual[S]) -> Dual[S]:
        value = self.value / other.value
        return Dual(value, (self.rate - value * other.rate) / other.value)

    def __neg__(self) -> Dual[S]:
        return Dual(-self.value, -self.rate)

    def __repr__(self) -> str:
        return f"Dual({self.value!r}, {self.rate!r})"


class DualAlgebra(Generic[S]):
    """Dual numbers over ``base``; derivatives at edges as in the table of operations."""

    def __init__(self, base: Algebra[S]) -> None:
        self.base = base
        self._total = cast("TotalDivision[S]", base) if isinstance(base, TotalDivision) else None
        self._zero = base.const(0)

    @property
    def name(self) -> str:
        return f"dual of {self.base.name}"

    def scope(self) -> AbstractContextManager[object]:
        """The scope of the base kind."""
        return self.base.scope() if isinstance(self.base, Scoped) else nullcontext()

    def variable(self, value: S) -> Dual[S]:
        """The number that derivatives are taken with respect to."""
        return Dual(value, self.base.const(1))

    def constant(self, value: S) -> Dual[S]:
        """A number that does not change along the direction."""
        return Dual(value, self._zero)

    def divide(self, x: Dual[S], y: Dual[S], /) -> Dual[S]:
        """x / y with the total division of the base kind, if it has one."""
        value = self._over(x.value, y.value)
        return Dual(value, self._over(x.rate - value * y.rate, y.value))

    def _over(self, x: S, y: S) -> S:
        return x / y if self._total is None else self._total.divide(x, y)

    def const(self, value: Fraction | int, /) -> Dual[S]:
        return self.constant(self.base.const(value))

    def pi(self) -> Dual[S]:
        return self.constant(self.base.pi())

    def powi(self, x: Dual[S], n: int, /) -> Dual[S]:
        value = self.base.powi(x.value, n)
        return Dual(value, self._rate("powi", (x,), value, n))

    def unary(self, op: str, x: Dual[S], /) -> Dual[S]:
        value = self.base.unary(op, x.value)
        return Dual(value, self._rate(op, (x,), value))

    def binary(self, op: str, x: Dual[S], y: Dual[S], /) -> Dual[S]:
        base = self.base
        if op in ("min", "max"):
            low, high = (x, y) if op == "min" else (y, x)
            first = base.binary("le", low.value, high.value)
            return Dual(base.binary(op, x.value, y.value), base.where(first, x.rate, y.rate))
        value = base.binary(op, x.value, y.value)
        return Dual(value, self._rate(op, (x, y), value))

    def _rate(self, op: str, args: tuple[Dual[S], ...], value: S, n: int = 0) -> S:
        total = self._zero
        if op in FLAT or (op == "powi" and n == 0):
            return total
        values = [a.value for a in args]
        for k, a in enumerate(args):
            factor, divisor = function_partial(self.base, op, values, value, k, n)
            term = a.rate if factor is None else a.rate * factor
            if op == "pow":
                # The slope of x^y at x = 0 may be infinite, and x^y log(x) is NaN there: what does
                # not change must not bring that in as 0 times infinity.
                term = self.base.where(a.rate, term, self._zero)
            total = total + (term if divisor is None else self._over(term, divisor))
        return total

    def where(self, c: Dual[S], a: Dual[S], b: Dual[S], /) -> Dual[S]:
        base = self.base
        return Dual(base.where(c.value, a.value, b.value), base.where(c.value, a.rate, b.rate))

    def sin(self, x: Dual[S], /) -> Dual[S]:
        return self.unary("sin", x)

    def cos(self, x: Dual[S], /) -> Dual[S]:
        return self.unary("cos", x)

    def sqrt(self, x: Dual[S], /) -> Dual[S]:
        return self.unary("sqrt", x)
