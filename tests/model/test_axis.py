"""Unit axes: parallel to what the file says, and of length one exactly in every number kind."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.modular import random_prime
from symdyn.algebra.term import lift, number, parameter
from symdyn.expr.evaluate_mod import evaluate_mod
from symdyn.expr.graph import Graph, GraphAlgebra
from symdyn.model.axis import unit_axis

rationals = st.fractions(max_denominator=50, min_value=-20, max_value=20)


def unit(*components: Fraction | int | str) -> list[Fraction | None]:
    found = unit_axis((number(components[0]), number(components[1]), number(components[2])))
    assert found is not None
    return [c.rational for c in found[0]]


@given(rationals, rationals, rationals)
def test_the_axis_is_parallel_and_of_length_one(x: Fraction, y: Fraction, z: Fraction) -> None:
    found = unit_axis((number(x), number(y), number(z)))
    if x == y == z == 0:
        assert found is None
        return
    assert found is not None
    length = math.hypot(x, y, z)
    want = [float(x) / length, float(y) / length, float(z) / length]
    assert_allclose(lift(found[0], FLOAT64), want, rtol=1e-14, atol=1e-15)
    graph = Graph()
    a, b, c = lift(found[0], GraphAlgebra(graph))
    length = a * a + b * b + c * c
    p = random_prime(random.Random(1))
    assert evaluate_mod(graph, [length.id], p, 1).values == (1,)


@pytest.mark.parametrize(
    ("axis", "want"),
    [
        ((0, 0, 2), (0, 0, 1)),
        ((0, "-0.5", 0), (0, -1, 0)),
        ((0, 0, "1e-300"), (0, 0, 1)),
        ((0, 0, "0.99999"), (0, 0, 1)),
        ((3, 0, 4), (Fraction(3, 5), 0, Fraction(4, 5))),
        ((1, 2, -2), (Fraction(1, 3), Fraction(2, 3), Fraction(-2, 3))),
        (("1e-17", 0, 1), (0, 0, 1)),
        (("-2.2e-16", "1e-14", "-1"), (0, 0, -1)),
    ],
)
def test_axes_of_rational_length_are_rational(
    axis: tuple[int | str, ...], want: tuple[Fraction | int, ...]
) -> None:
    assert unit(*axis) == list(want)


def test_a_component_that_is_small_but_no_rounding_stays() -> None:
    assert 0 not in unit("1e-9", "1e-9", 1)


@pytest.mark.parametrize(
    "axis",
    [
        ("1", "1", "0"),
        ("0.7071067811865475", "0.7071067811865476", "0"),
        ("0.7071", "0.7071", "0"),
        ("-1", "1", "0"),
        ("0", "3", "-3"),
        ("-0.7071067811865476", "0", "0.7071067811865475"),
    ],
)
def test_diagonals_use_multiples_of_a_quarter_of_pi(axis: tuple[str, str, str]) -> None:
    found = unit_axis((number(axis[0]), number(axis[1]), number(axis[2])))
    assert found is not None
    text = repr([_flat(c) for c in found[0]])
    assert "atan2" not in text
    assert "sqrt" not in text
    values = [abs(v) for v in lift(found[0], FLOAT64) if v]
    assert_allclose(values, [math.sqrt(0.5)] * 2, rtol=2e-13)


def _flat(term: object) -> list[object]:
    op, args = term.op, term.args  # type: ignore[attr-defined]
    return [op, *(_flat(a) for a in args)]


def test_an_axis_of_declared_parameters_has_length_one_for_all_values() -> None:
    zero = number(0)
    found = unit_axis((parameter("a"), zero, parameter("b")))
    assert found is not None
    for a, b in ((3.0, 4.0), (-1.0, 2.0), (0.0, -1.0)):
        x, y, z = lift(found[0], FLOAT64, {"a": a, "b": b})
        assert_allclose([x, y, z], [a / math.hypot(a, b), 0, b / math.hypot(a, b)], atol=1e-15)


def test_what_was_done_is_told() -> None:
    def note(*axis: int | str) -> str:
        found = unit_axis((number(axis[0]), number(axis[1]), number(axis[2])))
        assert found is not None
        return found[1]

    assert note(0, 0, 1) == ""
    assert note(0, 0, 2) == "length 2 made 1"
    assert "0.99999" in note(0, 0, "0.99999")
    assert "below 1e-13" in note("1e-17", 0, 1)
