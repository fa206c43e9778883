"""Evaluation, substitution, copying and counting on small graphs."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from symdyn._errors import InputError
from symdyn.algebra.float64 import ARRAYS, FLOAT64
from symdyn.algebra.interval import INTERVAL, IntervalAlgebra
from symdyn.algebra.mp import MpAlgebra
from symdyn.expr.copy import copy_into
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.measure import (
    OperationCounts,
    depth,
    node_count,
    operation_counts,
    power_multiplications,
    tree_size,
)
from symdyn.expr.substitute import substitute


@pytest.fixture
def graph() -> Graph:
    return Graph()


def _xy(graph: Graph) -> tuple[Node, Node, GraphAlgebra]:
    return graph.symbol("x"), graph.symbol("y"), GraphAlgebra(graph)


# -- evaluate -------------------------------------------------------------------------------------


def test_a_missing_value_is_named(graph: Graph) -> None:
    x, y, _ = _xy(graph)
    with pytest.raises(InputError, match="symbol 'y' has no value"):
        evaluate(graph, [(x + y).id], FLOAT64, {x.id: 1.0})
    assert evaluate(graph, [x.id], FLOAT64, {x.id: 1.0}) == [1.0]


def test_a_value_given_for_an_inner_node_is_used(graph: Graph) -> None:
    x, y, A = _xy(graph)
    inner = A.sin(x)
    assert evaluate(graph, [(inner * y).id], FLOAT64, {
        x.id: 0.0, inner.id: 5.0, y.id: 2.0
    }) == [10.0]  # fmt: skip


def test_the_branch_that_is_not_taken_may_be_infinite(graph: Graph) -> None:
    x, _, A = _xy(graph)
    sinc = A.where(x, A.sin(x) / x, graph.constant(1))
    for algebra, zero in ((FLOAT64, 0.0), (ARRAYS, np.asarray(0.0)), (MpAlgebra(), None)):
        value = MpAlgebra().number(0) if zero is None else zero
        assert evaluate(graph, [sinc.id], algebra, {x.id: value}) == [1]  # type: ignore[arg-type]


def test_case_c39_states_broadcast(graph: Graph) -> None:
    x, y, _ = _xy(graph)
    entries = [x, graph.constant(0), y, x * y]
    batch = {x.id: np.array([1.0, 2.0]), y.id: np.array([3.0, 4.0])}
    found = evaluate(graph, [e.id for e in entries], ARRAYS, batch)
    matrices = np.stack([np.broadcast_to(f, (2,)) for f in found], axis=-1).reshape(2, 2, 2)
    assert matrices.tolist() == [[[1, 0], [3, 3]], [[2, 0], [4, 8]]]


def test_arrays_of_different_ranks_broadcast(graph: Graph) -> None:
    x, y, A = _xy(graph)
    (found,) = evaluate(
        graph, [(A.cos(x) * y).id], ARRAYS, {x.id: np.zeros((3, 1)), y.id: np.arange(4.0)}
    )
    assert found.tolist() == [[0, 1, 2, 3]] * 3


def test_the_interval_precision_holds_for_one_evaluation(graph: Graph) -> None:
    x, _, _ = _xy(graph)
    third = graph.constant(Fraction(1, 3)) * x
    state = {x.id: INTERVAL.const(1)}
    widths = []
    for algebra in (IntervalAlgebra(53), IntervalAlgebra(200), INTERVAL):
        (low, high) = evaluate(graph, [third.id], algebra, state)[0].bounds()
        widths.append(high - low)
    assert 0 < widths[1] < widths[0] * Fraction(1, 2**100)
    assert widths[2] == widths[0]


# -- substitute -----------------------------------------------------------------------------------


def test_substitution_is_simultaneous(graph: Graph) -> None:
    x, y, A = _xy(graph)
    node = A.sin(x) - y
    (swapped,) = substitute(graph, [node.id], {x.id: y.id, y.id: x.id})
    assert swapped == (A.sin(y) - x).id


def test_inner_nodes_can_be_replaced(graph: Graph) -> None:
    x, y, A = _xy(graph)
    s = A.sin(x + y)
    node = s * s + A.cos(x + y)
    (found,) = substitute(graph, [node.id], {s.id: x.id, (x + y).id: y.id})
    assert found == (x * x + A.cos(y)).id


def test_substitution_folds_and_leaves_the_rest_alone(graph: Graph) -> None:
    x, y, A = _xy(graph)
    nodes = [A.sin(x) * y, A.cos(x), y * y]
    found = substitute(graph, [n.id for n in nodes], {x.id: graph.zero})
    assert found == [graph.zero, graph.one, nodes[2].id]
    assert substitute(graph, [], {x.id: y.id}) == []


# -- copy -----------------------------------------------------------------------------------------


def test_copies_keep_names_labels_and_nothing_else(graph: Graph) -> None:
    x, y, A = _xy(graph)
    _ = A.cos(y) * graph.constant(77)
    node = graph.label(A.sin(x), "s_1") * x
    target = Graph()
    before = len(target)
    (copied,) = copy_into(graph, [node.id], target)
    assert len(target) == before + 3  # x, sin(x), the product: no dead nodes
    a = target.symbol("x")
    assert copied == (GraphAlgebra(target).sin(a) * a).id
    assert list(target.labels.values()) == ["s_1"]


def test_copies_with_a_mapping_stop_there(graph: Graph) -> None:
    x, y, A = _xy(graph)
    inner = A.sin(x * x)
    target = Graph()
    angle = target.symbol("u")
    (copied,) = copy_into(graph, [(inner + y).id], target, {inner.id: angle.id})
    assert copied == (angle + target.symbol("y")).id
    assert "x" not in target.payload


# -- measure --------------------------------------------------------------------------------------


def test_operations_are_counted_once_each(graph: Graph) -> None:
    x, y, A = _xy(graph)
    product = x * y
    roots = [
        product + A.sin(product),
        product - x,
        -A.sin(product),
        A.powi(x, 7) / y,
        A.where(A.binary("lt", x, y), A.unary("tanh", x), y),
    ]
    counts = operation_counts(graph, [r.id for r in roots])
    # x*y; x^7 = x * x^2 * x^4 takes four; a negated root is an operation
    expected = {"sin": 1, "lt": 1, "tanh": 1, "where": 1}
    assert counts == OperationCounts(add=3, mul=5, div=1, functions=expected)
    assert list(counts.functions) == sorted(expected)
    assert counts.total == 13


def test_constant_expressions_count_nothing(graph: Graph) -> None:
    x, _, A = _xy(graph)
    third = graph.pi() * graph.constant(Fraction(1, 3))
    node = A.cos(third) * A.sqrt(graph.constant(2)) * x
    assert operation_counts(graph, [node.id]) == OperationCounts(0, 1, 0, {})
    assert operation_counts(graph, [A.sin(third).id]).total == 0
    assert operation_counts(graph, []).total == 0


@pytest.mark.parametrize(("n", "products"), [(1, 0), (2, 1), (3, 2), (4, 2), (7, 4), (-5, 3)])
def test_multiplications_of_a_power(n: int, products: int) -> None:
    assert power_multiplications(n) == products


def test_sizes(graph: Graph) -> None:
    x, y, _ = _xy(graph)
    node = x + y
    for _ in range(3):
        node = node * node
    assert tree_size(graph, [node.id]) == 2**5 - 1
    assert tree_size(graph, [node.id, x.id]) == 2**5
    assert tree_size(graph, [x.id, node.id, node.id]) == 2 * (2**5 - 1) + 1
    assert depth(graph, [node.id, x.id]) == 4
    assert node_count(graph, [node.id]) == 6
    assert (depth(graph, []), node_count(graph, []), tree_size(graph, [])) == (0, 0, 0)
