"""Intervals: enclosures of whole ranges, sharp where the function is monotone."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn.algebra.interval import INTERVAL, UNBOUNDED, Interval
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.ops import BINARY_FUNCTIONS, UNARY_FUNCTIONS

A = INTERVAL
MP = MpAlgebra(60)
numbers = st.fractions(min_value=-6, max_value=6, max_denominator=64)
ranges = st.tuples(numbers, numbers).map(lambda ends: (min(ends), max(ends)))
parts = st.fractions(min_value=0, max_value=1, max_denominator=8)


def _inside(ends: tuple[Fraction, Fraction], part: Fraction) -> Fraction:
    return ends[0] + part * (ends[1] - ends[0])


def _assert_encloses(wide: Interval, value: object) -> None:
    """The value is NaN or infinite only if there is no enclosure."""
    if wide.is_bounded:
        low, high = (MP.const(end) for end in wide.bounds())
        assert low <= value  # type: ignore[operator]
        assert value <= high  # type: ignore[operator]


@given(ranges, parts)
def test_functions_enclose_every_value(ends: tuple[Fraction, Fraction], part: Fraction) -> None:
    wide = A.between(*ends)
    point = MP.const(_inside(ends, part))
    for op in UNARY_FUNCTIONS:
        _assert_encloses(A.unary(op, wide), MP.unary(op, point))
    for n in (-3, -2, 0, 1, 2, 3, 4):
        _assert_encloses(A.powi(wide, n), MP.powi(point, n))
    _assert_encloses(wide * wide, point * point)
    _assert_encloses(-wide, -point)


@given(ranges, ranges, parts, parts)
def test_operations_enclose_every_value(
    first: tuple[Fraction, Fraction],
    second: tuple[Fraction, Fraction],
    part: Fraction,
    other: Fraction,
) -> None:
    x, y = A.between(*first), A.between(*second)
    a, b = MP.const(_inside(first, part)), MP.const(_inside(second, other))
    for op in BINARY_FUNCTIONS:
        _assert_encloses(A.binary(op, x, y), MP.binary(op, a, b))
    _assert_encloses(x + y, a + b)
    _assert_encloses(x - y, a - b)
    _assert_encloses(x * y, a * b)
    _assert_encloses(x / y, MP.divide(a, b))
    _assert_encloses(A.where(x, x, y), MP.where(a, a, b))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (A.sqrt(A.between(0, 4)), (0, 2)),
        (A.between(-1, 2) * A.between(-3, 1), (-6, 3)),
        (A.powi(A.between(-1, 2), 2), (0, 4)),
        (A.powi(A.between(-2, 1), 3), (-8, 1)),
        (A.between(1, 2) / A.between(4, 8), (Fraction(1, 8), Fraction(1, 2))),
        (A.unary("abs", A.between(-3, 2)), (0, 3)),
        (A.sin(A.between(1, 2)), (math.sin(1), 1)),
        (A.cos(A.between(3, 4)), (-1, math.cos(4))),
        (A.sin(A.between(0, 7)), (-1, 1)),
        (A.cos(A.between(-1, 1)), (math.cos(1), 1)),
        (A.unary("cosh", A.between(-1, 2)), (1, math.cosh(2))),
        (A.unary("acos", A.between(-1, 1)), (0, math.pi)),
        (
            A.binary("atan2", A.between(1, 2), A.between(-1, 1)),
            (math.atan2(1, 1), math.atan2(1, -1)),
        ),
        (A.binary("atan2", A.between(-1, 0), A.between(-2, -1)), (-math.pi, math.pi)),
        (A.binary("atan2", A.between(0, 1), A.between(-2, -1)), (math.atan2(1, -1), math.pi)),
        (A.binary("atan2", A.between(-1, 1), A.between(0, 1)), (-math.pi, math.pi)),
        (A.binary("atan2", A.between(-1, 1), A.between(1, 2)), (-math.pi / 4, math.pi / 4)),
        (A.binary("pow", A.between(0, 4), A.between(Fraction(1, 2), 2)), (0, 16)),
        (A.binary("min", A.between(0, 4), A.between(1, 2)), (0, 2)),
        (A.binary("max", A.between(0, 4), A.between(1, 2)), (1, 4)),
    ],
)
def test_enclosures_are_sharp(found: Interval, expected: tuple[float, float]) -> None:
    low, high = found.bounds()
    assert float(low) == pytest.approx(float(expected[0]), rel=4e-15, abs=1e-300)
    assert float(high) == pytest.approx(float(expected[1]), rel=4e-15, abs=1e-300)
    assert low <= Fraction(expected[0]) or math.isclose(low, expected[0], rel_tol=4e-16)


def test_what_may_have_no_value_has_no_enclosure() -> None:
    x = A.between(-1, 1)
    for found in (
        A.const(1) / x, x / x, A.sqrt(x), A.unary("log", x), A.unary("log", A.between(0, 1)),
        A.unary("asin", A.between(0, 2)), A.unary("acos", A.between(-2, 0)),
        A.unary("tan", A.between(1, 2)), A.powi(x, -2), A.binary("pow", x, A.const(2)),
        A.binary("pow", A.between(0, 1), x), UNBOUNDED + x, UNBOUNDED * A.const(0), -UNBOUNDED,
        A.sin(UNBOUNDED), A.binary("min", UNBOUNDED, x), A.unary("abs", UNBOUNDED),
        A.unary("sign", UNBOUNDED), A.binary("atan2", UNBOUNDED, x),
        A.unary("exp", A.unary("exp", A.unary("exp", A.const(1000)))),
    ):  # fmt: skip
        assert not found.is_bounded
        assert found.contains(17)
        assert repr(found) == "UNBOUNDED"
        with pytest.raises(ArithmeticError, match="unbounded"):
            found.bounds()


def test_decimals_are_enclosed_not_rounded() -> None:
    tenth = A.const(Fraction(1, 10))
    low, high = tenth.bounds()
    assert low < Fraction(1, 10) < high
    assert tenth.contains(Fraction(1, 10))
    assert not tenth.contains(Fraction(1, 9))
    assert A.between(0.1, 0.1).bounds() == (Fraction(0.1), Fraction(0.1))
    assert repr(A.between(-1, Fraction(1, 2))) == "[-1.00000000000000, 0.500000000000000]"


@pytest.mark.parametrize(
    ("lo", "hi", "words"),
    [(1, 0, "above the upper end"), (math.nan, 1, "finite"), (0, math.inf, "finite")],
)
def test_ends_are_checked(lo: float, hi: float, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        A.between(lo, hi)
