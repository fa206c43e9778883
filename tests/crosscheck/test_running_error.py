"""The bound is a bound: never below the true error, and not absurdly above it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn.algebra.float64 import ARRAYS
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.ops import BINARY_FUNCTIONS, UNARY_FUNCTIONS
from symdyn.crosscheck.running_error import RUNNING_ERROR, Bounded
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra, Node

MP = MpAlgebra(60)
_FAR_FROM_EDGES = {"asin": 0.5, "acos": 0.5, "tan": 1.0}


@st.composite
def programs(draw: st.DrawFn) -> tuple[Graph, int, list[int], list[float]]:
    """A random straight-line program over three inputs."""
    graph = Graph()
    A = GraphAlgebra(graph)
    nodes: list[Node] = [graph.symbol(name) for name in "xyz"]
    nodes.append(A.const(Fraction(1, 3)))
    for _ in range(draw(st.integers(1, 25))):
        a, b = (nodes[draw(st.integers(0, len(nodes) - 1))] for _ in range(2))
        match draw(st.integers(0, 6)):
            case 0:
                nodes.append(a + b)
            case 1:
                nodes.append(a - b)
            case 2 | 3:
                nodes.append(a * b)
            case 4:
                nodes.append(A.sin(a))
            case 5:
                nodes.append(A.cos(b))
            case _:
                nodes.append(a / (b * b + A.const(1)))
    number = st.floats(-4, 4, allow_subnormal=False)
    values = [draw(number) for _ in range(3)]
    return graph, nodes[-1].id, [n.id for n in nodes[:3]], values


@given(programs())
def test_error_of_a_program_is_below_its_bound(
    program: tuple[Graph, int, list[int], list[float]],
) -> None:
    graph, root, symbols, values = program
    bounded = evaluate(
        graph,
        [root],
        RUNNING_ERROR,
        {s: RUNNING_ERROR.exact(np.array([v])) for s, v in zip(symbols, values, strict=True)},
    )[0]
    given_exactly = {s: MP.number(v) for s, v in zip(symbols, values, strict=True)}
    exact = evaluate(graph, [root], MP, given_exactly)[0]
    value = float(np.broadcast_to(bounded.value, 1)[0])
    bound = float(np.broadcast_to(bounded.bound, 1)[0])
    if np.isfinite(bound):
        assert abs(MP.number(value) - exact) <= MP.number(bound)


@pytest.mark.parametrize("op", UNARY_FUNCTIONS)
def test_error_of_a_function_of_an_inexact_number_is_below_its_bound(op: str) -> None:
    for centre in (0.3, 0.7, 0.95):
        centre *= _FAR_FROM_EDGES.get(op, 1.0)
        for spread in (0.0, 1e-9, 1e-3):
            result = RUNNING_ERROR.unary(op, Bounded(np.array(centre), np.array(spread)))
            for side in (-1.0, 0.5, 1.0):
                x = MP.number(centre) + MP.number(side * spread)
                exact = MP.unary(op, x)
                assert abs(MP.number(float(result.value)) - exact) <= MP.number(
                    float(result.bound)
                ), (op, centre, spread)
            if spread == 0.0:
                assert float(result.bound) <= 2.0**-51 * max(1.0, abs(float(result.value)))


@pytest.mark.parametrize("op", BINARY_FUNCTIONS)
def test_error_of_a_function_of_two_inexact_numbers_is_below_its_bound(op: str) -> None:
    for x, y in ((0.4, 0.9), (0.9, 0.4), (0.7, -0.3)):
        for spread in (0.0, 1e-9, 1e-3):
            e = np.array(spread)
            result = RUNNING_ERROR.binary(op, Bounded(np.array(x), e), Bounded(np.array(y), e))
            for a in (-1.0, 1.0):
                for b in (-1.0, 1.0):
                    exact = MP.binary(
                        op,
                        MP.number(x) + MP.number(a * spread),
                        MP.number(y) + MP.number(b * spread),
                    )
                    off = abs(MP.number(float(result.value)) - exact)
                    assert off <= MP.number(float(result.bound)), (op, x, y, spread)


def test_cancellation_shows_in_the_bound() -> None:
    third = RUNNING_ERROR.const(Fraction(1, 3))
    nearly = RUNNING_ERROR.exact(np.array(1 / 3))
    left = third - nearly
    assert float(left.value) == 0.0
    assert 1e-18 < float(left.bound) < 1e-16


def test_division_by_a_number_that_may_be_zero_promises_nothing() -> None:
    with RUNNING_ERROR.scope():
        small = Bounded(np.array(1e-20), np.array(1e-19))
        assert np.isinf((RUNNING_ERROR.const(1) / small).bound)


def test_dyadic_constants_and_given_doubles_are_exact() -> None:
    assert float(RUNNING_ERROR.const(Fraction(3, 8)).bound) == 0.0
    assert float(RUNNING_ERROR.exact(np.array(0.1)).bound) == 0.0


def test_uncertain_condition_covers_both_branches() -> None:
    c = Bounded(np.array(1.0), np.array(1.0))
    one, five = RUNNING_ERROR.const(1), RUNNING_ERROR.const(5)
    assert float(RUNNING_ERROR.where(c, one, five).bound) >= 4.0
    sure = RUNNING_ERROR.const(1)
    assert float(RUNNING_ERROR.where(sure, one, five).bound) == 0.0


def test_values_are_those_of_plain_arrays() -> None:
    x = np.linspace(-2, 2, 9)
    pair = RUNNING_ERROR.exact(x)
    with RUNNING_ERROR.scope():
        for op in UNARY_FUNCTIONS:
            np.testing.assert_array_equal(
                RUNNING_ERROR.unary(op, pair).value, ARRAYS.unary(op, x), err_msg=op
            )
        np.testing.assert_array_equal(RUNNING_ERROR.powi(pair, 5).value, ARRAYS.powi(x, 5))
        np.testing.assert_array_equal(RUNNING_ERROR.powi(pair, -3).value, ARRAYS.powi(x, -3))
