"""Canonical form at construction: what folds, what must not, and what folding assumes."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from symdyn.expr.graph import Graph, GraphAlgebra, Node


@pytest.fixture
def graph() -> Graph:
    return Graph()


def _xy(graph: Graph) -> tuple[Node, Node, GraphAlgebra]:
    return graph.symbol("x"), graph.symbol("y"), GraphAlgebra(graph)


def test_equal_expressions_are_one_node(graph: Graph) -> None:
    x, y, _ = _xy(graph)
    assert x + y == y + x
    assert x * y == y * x
    negative = -x
    assert -negative == x
    assert x - y == -(y - x)
    assert (-x) * (-y) == x * y
    assert (-x) - y == -(x + y) == (-x) + (-y)
    assert x - (-y) == x + y
    assert (-x) + y == y - x
    assert (-x) / y == -(x / y) == x / (-y)
    assert x + x == graph.constant(2) * x
    assert graph.constant(2) * (graph.constant(Fraction(1, 2)) * x) == x


def test_a_negative_constant_is_subtracted(graph: Graph) -> None:
    x, _, _ = _xy(graph)
    three = graph.constant(3)
    assert x + graph.constant(-3) == x - three
    assert graph.constant(-3) + x == x - three
    assert x - graph.constant(-3) == x + three


def test_zero_and_one_are_absorbed(graph: Graph) -> None:
    x, y, A = _xy(graph)
    zero, one = graph.constant(0), graph.constant(1)
    assert x + zero == x
    assert x - zero == x
    assert zero - x == -x
    assert x * zero == zero
    assert x * one == x
    assert x * graph.constant(-1) == -x
    assert x / one == x
    assert x - x == zero
    assert A.powi(x, 0) == one
    assert A.powi(x, 1) == x
    assert A.powi(x, 2) == x * x
    assert A.powi(x, -1) == one / x
    assert A.powi(-x, 3) == -A.powi(x, 3)
    assert A.powi(-x, -4) == A.powi(x, -4) == one / A.powi(x, 4)
    assert A.where(A.binary("lt", x, y), one, zero) == A.binary("lt", x, y)
    assert A.where(x, y, y) == y
    assert A.where(zero, x, y) == y
    assert A.where(graph.constant(-2), x, y) == x


def test_quotients_assume_that_the_divisor_is_not_zero(graph: Graph) -> None:
    x, _, _ = _xy(graph)
    assert x / x == graph.constant(1)
    assert graph.constant(0) / x == graph.constant(0)
    with pytest.raises(ZeroDivisionError, match="exact zero"):
        x / graph.constant(0)
    with pytest.raises(ZeroDivisionError):
        graph.constant(0) / graph.constant(0)
    with pytest.raises(ZeroDivisionError):
        GraphAlgebra(graph).powi(graph.constant(0), -2)


def test_parity_is_used_before_exact_values(graph: Graph) -> None:
    x, _, A = _xy(graph)
    half_turn = graph.pi()
    quarter = graph.constant(Fraction(1, 2)) * half_turn
    assert A.sin(-half_turn) == graph.constant(0)
    assert A.sin(-quarter) == graph.constant(-1)
    assert A.cos(-half_turn) == graph.constant(-1)
    assert A.cos(-quarter) == graph.constant(0)
    assert A.cos(-x) == A.cos(x)
    for op in ("sin", "tan", "asin", "atan", "sinh", "tanh", "cbrt", "sign"):
        assert A.unary(op, -x) == -A.unary(op, x)


def test_exact_values_of_functions(graph: Graph) -> None:
    A = GraphAlgebra(graph)
    c = graph.constant
    assert A.sqrt(c(Fraction(9, 4))) == c(Fraction(3, 2))
    assert graph.ops[A.sqrt(c(2)).id] == "sqrt"
    assert A.unary("cbrt", c(-8)) == c(-2)
    assert A.unary("cbrt", c(Fraction(27, 64))) == c(Fraction(3, 4))
    assert graph.ops[A.unary("cbrt", c(4)).id] == "cbrt"
    assert A.unary("abs", c(-5)) == c(5)
    assert A.unary("log", c(1)) == c(0)
    assert A.unary("acos", c(1)) == c(0)
    assert A.unary("exp", c(0)) == c(1)
    assert [A.unary("sign", c(v)) for v in (-7, 0, 7)] == [c(-1), c(0), c(1)]
    assert A.binary("min", c(2), c(-3)) == c(-3)
    assert A.binary("le", c(2), c(2)) == c(1)
    assert A.binary("lt", c(2), c(2)) == c(0)


def test_powers_of_negative_numbers_are_left_to_their_meaning(graph: Graph) -> None:
    # pow(-8, 1/3) is NaN by the table of operations; folding it either way would hide that.
    A = GraphAlgebra(graph)
    node = A.binary("pow", graph.constant(-8), graph.constant(Fraction(1, 3)))
    assert graph.ops[node.id] == "pow"


def test_nodes_of_two_graphs_do_not_mix(graph: Graph) -> None:
    other = Graph().symbol("x")
    x = graph.symbol("x")
    for operation in (
        lambda: x + other,
        lambda: x - other,
        lambda: x * other,
        lambda: x / other,
        lambda: GraphAlgebra(graph).sin(other),
        lambda: GraphAlgebra(graph).binary("min", x, other),
        lambda: GraphAlgebra(graph).where(x, other, x),
        lambda: GraphAlgebra(graph).powi(other, 2),
    ):
        with pytest.raises(ValueError, match="two graphs"):
            operation()


def test_a_node_has_no_truth_value(graph: Graph) -> None:
    with pytest.raises(TypeError, match="where"):
        bool(graph.symbol("x"))


def test_arguments_have_smaller_indices(graph: Graph) -> None:
    x, y, A = _xy(graph)
    _ = A.where(x - y, A.powi(x / y, 3), A.unary("tanh", x * graph.constant(-3)))
    assert all(a < i for i in range(len(graph)) for a in graph.args[i])


def test_reachable_leaves_out_what_no_root_needs(graph: Graph) -> None:
    x, y, A = _xy(graph)
    dead, live = A.sin(x), y * x
    found = graph.reachable([live.id])
    assert dead.id not in found
    assert found == sorted([x.id, y.id, live.id])
    assert graph.reachable([]) == []


def test_unknown_functions_are_refused(graph: Graph) -> None:
    with pytest.raises(KeyError, match="gamma"):
        graph.unary("gamma", graph.symbol("x").id)
    with pytest.raises(KeyError, match="beta"):
        graph.binary("beta", graph.symbol("x").id, graph.symbol("y").id)


@pytest.mark.parametrize("k", [-7, -5, -3, -1, 1, 3, 5, 7, 9, 11])
def test_diagonals_of_the_circle_are_one_number(k: int) -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    angle = A.const(Fraction(k, 4)) * graph.pi()
    diagonal = A.cos(A.const(Fraction(1, 4)) * graph.pi())
    sine, cosine = A.sin(angle), A.cos(angle)
    assert sine in (diagonal, -diagonal)
    assert cosine in (diagonal, -diagonal)
    for node, value in ((sine, math.sin(k * math.pi / 4)), (cosine, math.cos(k * math.pi / 4))):
        assert (node == diagonal) == (value > 0)
    x = graph.symbol("x")
    half = A.const(Fraction(1, 2))
    assert sine * sine == half
    assert cosine * (x * cosine) == half * x
