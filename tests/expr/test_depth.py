"""A chain of depth 100,000 goes through every pass: nothing recurses, nothing explodes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from symdyn._errors import InputError
from symdyn.algebra.dual import DualAlgebra
from symdyn.algebra.float64 import ARRAYS, FLOAT64
from symdyn.algebra.interval import INTERVAL
from symdyn.algebra.modular import random_prime
from symdyn.algebra.term import ONE, Term, lift
from symdyn.expr.angle_sums import angle_sums
from symdyn.expr.copy import copy_into
from symdyn.expr.derive import forward, reverse
from symdyn.expr.evaluate import evaluate
from symdyn.expr.evaluate_mod import evaluate_mod
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.measure import depth, node_count, operation_counts, tree_size
from symdyn.expr.mod_bound import failure_bound
from symdyn.expr.serialize import digest
from symdyn.expr.substitute import substitute
from symdyn.expr.sympy_border import to_sympy

LEVELS = 100_000


@pytest.fixture(scope="module")
def chain() -> tuple[Graph, Node, Node, Node]:
    """Alternating products, sums, sines and choices, each on top of the one before."""
    graph = Graph()
    A = GraphAlgebra(graph)
    x, y = graph.symbol("x"), graph.symbol("y")
    is_small = A.binary("lt", y, x)
    value = x
    for level in range(LEVELS):
        match level % 4:
            case 0:
                value = value * y
            case 1:
                value = value + x
            case 2:
                value = A.sin(value)
            case _:
                value = A.where(is_small, value, x)
    return graph, value, x, y


def test_evaluation(chain: tuple[Graph, Node, Node, Node]) -> None:
    graph, value, x, y = chain
    (single,) = evaluate(graph, [value.id], FLOAT64, {x.id: 0.7, y.id: 0.4})
    (batch,) = evaluate(
        graph, [value.id], ARRAYS, {x.id: np.array([0.7, 0.7]), y.id: np.array([0.4, 0.4])}
    )
    assert single == pytest.approx(batch[1], rel=1e-12)
    (wide,) = evaluate(
        graph, [value.id], INTERVAL, {x.id: INTERVAL.const(1), y.id: INTERVAL.const(0)}
    )
    assert wide.is_bounded


def test_derivatives(chain: tuple[Graph, Node, Node, Node]) -> None:
    graph, value, x, y = chain
    size = len(graph)
    ahead = [forward(graph, [value.id], s.id)[0] for s in (x, y)]
    back = reverse(graph, value.id, [x.id, y.id])
    found = evaluate(graph, [*ahead, *back], FLOAT64, {x.id: 0.7, y.id: 0.4})
    assert found[:2] == pytest.approx(found[2:], rel=1e-9)
    assert len(graph) < 12 * size
    dual = DualAlgebra(FLOAT64)
    state = {x.id: dual.variable(0.7), y.id: dual.constant(0.4)}
    assert evaluate(graph, [value.id], dual, state)[0].rate == pytest.approx(found[0], rel=1e-9)


def test_substitution_and_copying(chain: tuple[Graph, Node, Node, Node]) -> None:
    graph, value, x, _ = chain
    (swapped,) = substitute(graph, [value.id], {x.id: graph.symbol("u").id})
    assert depth(graph, [swapped]) == depth(graph, [value.id])
    target = Graph()
    (copied,) = copy_into(graph, [value.id], target)
    assert node_count(target, [copied]) == node_count(graph, [value.id])
    assert digest(target, [copied]) == digest(graph, [value.id])


def test_measures(chain: tuple[Graph, Node, Node, Node]) -> None:
    graph, value, _, _ = chain
    assert depth(graph, [value.id]) == LEVELS
    assert operation_counts(graph, [value.id]).total == LEVELS + 1
    assert tree_size(graph, [value.id]) > LEVELS


def test_residues(chain: tuple[Graph, Node, Node, Node]) -> None:
    graph, value, x, _ = chain
    p = random_prime(Random(1))
    found = evaluate_mod(graph, [value.id], p, 3)
    assert 0 < found.values[0] < p
    assert not found.exact
    assert 0 < failure_bound(graph, [value.id], [x.id], 61) <= 1
    assert len(angle_sums(graph, [value.id])) == LEVELS // 4


def test_the_border_refuses_it_in_words(chain: tuple[Graph, Node, Node, Node]) -> None:
    graph, value, _, _ = chain
    with pytest.raises(InputError, match="levels"):
        to_sympy(graph, [value.id], limit=10**9)


def test_repeated_squaring_has_a_size_and_a_bound() -> None:
    graph = Graph()
    value = graph.symbol("x")
    for _ in range(LEVELS):
        value = value * value
    assert tree_size(graph, [value.id]) == 2 ** (LEVELS + 1) - 1
    assert failure_bound(graph, [value.id], [graph.symbol("x").id], 61) == 1
    with pytest.raises(InputError, match=r"about 10\^30103 nodes"):
        to_sympy(graph, [value.id])


def test_long_sums_inside_one_angle() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    angle = graph.symbol("x0")
    for k in range(1, 1000):
        angle = angle + graph.symbol(f"x{k}")
    node = A.sin(angle)
    p = random_prime(Random(2))
    (first, second) = evaluate_mod(graph, [node.id, A.sin(-angle).id], p, 1).values
    assert (first + second) % p == 0


def test_terms_of_that_depth_are_lifted() -> None:
    term = ONE
    for _ in range(LEVELS):
        term = Term("sin", (term,))
    assert 0 < lift([term], FLOAT64)[0] < 0.02
