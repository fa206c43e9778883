"""Balls enclose what they stand for, operation by operation."""

from __future__ import annotations

from fractions import Fraction

from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from symdyn.algebra.ball import BALL
from symdyn.algebra.interval import Interval
from symdyn.algebra.mp import MpAlgebra, Real
from symdyn.algebra.ops import BINARY_FUNCTIONS, UNARY_FUNCTIONS

MP = MpAlgebra(60)
numbers = st.fractions(min_value=-6, max_value=6, max_denominator=64)


def _assert_encloses(ball: arb, value: Real) -> None:
    if not ball.is_finite():
        return
    low, high = Interval(ball.lower(), ball.upper()).bounds()
    assert MP.const(low) <= value
    assert value <= MP.const(high)
    # and tells something: balls run at 53 bits here
    assert high - low <= Fraction(1, 10**9) * (1 + abs(high))


@given(numbers, numbers)
def test_every_operation_encloses_the_value(a: Fraction, b: Fraction) -> None:
    x, y = BALL.const(a), BALL.const(b)
    u, v = MP.const(a), MP.const(b)
    for op in UNARY_FUNCTIONS:
        _assert_encloses(BALL.unary(op, x), MP.unary(op, u))
    for op in BINARY_FUNCTIONS:
        if op not in ("lt", "le", "eq") or a != b:
            _assert_encloses(BALL.binary(op, x, y), MP.binary(op, u, v))
    for n in (-2, 0, 1, 3):
        _assert_encloses(BALL.powi(x, n), MP.powi(u, n))
    _assert_encloses(BALL.sin(x), MP.sin(u))
    _assert_encloses(BALL.cos(x), MP.cos(u))
    _assert_encloses(BALL.sqrt(x), MP.sqrt(u))
    _assert_encloses(BALL.pi(), MP.pi())
    _assert_encloses(BALL.where(x, x, y), MP.where(u, u, v))


def test_undecided_comparisons_give_both_branches() -> None:
    third = BALL.const(Fraction(1, 3))
    maybe = BALL.binary("lt", third, third * arb(1))
    assert maybe.contains(arb(0))
    assert maybe.contains(arb(1))


def test_a_rational_is_inside_its_ball() -> None:
    assert BALL.const(Fraction(1, 3)).contains(fmpq(1, 3))
