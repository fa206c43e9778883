"""Passes that lower the operation count keep every value exactly and never raise the count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from hypothesis import given

from symdyn.algebra.rational import RATIONAL
from symdyn.codegen.check import check_function
from symdyn.codegen.choose_signs import choose_signs
from symdyn.codegen.generate import generate
from symdyn.codegen.optimise import (
    PASSES,
    factor,
    gather,
    optimise,
    optimise_function,
    share_products,
    share_sums,
)
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.identity import equal
from symdyn.expr.measure import operation_counts
from symdyn.expr.verdict import VerdictKind
from symdyn.io.load import load_robot
from symdyn.recipes import derive
from tests.codegen.building import argument, function, load_numpy, unit
from tests.graphs import FIELD, NAMES, Instruction, build, programs, states

Pass = Callable[[Graph, Sequence[int]], tuple[Graph, list[int]]]
ALL: list[tuple[str, Pass]] = [*PASSES, ("all", lambda g, r: optimise(g, r)[:2])]


def _values(graph: Graph, roots: Sequence[int], state: Sequence[Fraction]) -> list[Fraction]:
    symbols = {graph.symbol(name).id: x for name, x in zip(NAMES, state, strict=True)}
    return evaluate(graph, list(roots), RATIONAL, symbols)


@pytest.mark.parametrize(("name", "apply"), ALL, ids=[name for name, _ in ALL])
@given(first=programs(FIELD, longest=40), second=programs(("add", "sub", "mul", "neg")), at=states)
def test_values_are_kept_exactly(
    name: str,
    apply: Pass,
    first: tuple[Instruction, ...],
    second: tuple[Instruction, ...],
    at: tuple[Fraction, ...],
) -> None:
    graph = Graph()
    a, b = build(graph, first), build(graph, second)
    roots = [node.id for node in (a, b, -a, a + b, b)]
    try:
        expected = _values(graph, roots, at)
    except ZeroDivisionError:
        return
    new_graph, new_roots = apply(graph, roots)
    assert _values(new_graph, new_roots, at) == expected


@given(first=programs(FIELD, longest=40))
def test_the_runner_never_raises_the_count(first: tuple[Instruction, ...]) -> None:
    graph = Graph()
    roots = [build(graph, first).id]
    new_graph, new_roots, reports = optimise(graph, roots)
    before, after = operation_counts(graph, roots), operation_counts(new_graph, new_roots)
    assert after.total <= before.total
    assert [r.name for r in reports] == [name for name, _ in PASSES]
    assert reports[0].before == before
    assert reports[-1].after == after


def _counts(apply: Pass, nodes: Sequence[Node]) -> tuple[int, int]:
    graph, roots = apply(nodes[0].graph, [node.id for node in nodes])
    counts = operation_counts(graph, roots)
    return counts.add, counts.mul


def _symbols(names: str) -> list[Node]:
    graph = Graph()
    return [graph.symbol(name) for name in names]


def test_common_factors_are_taken_out() -> None:
    a, b, c, d, e = _symbols("abcde")
    assert _counts(factor, [a * b + a * c - d]) == (2, 1)
    # the factor of three terms goes before that of two
    assert _counts(factor, [a * b + a * c + a * d * e - e * b]) == (3, 3)
    # and inside what is left
    assert _counts(factor, [(a * c) * b + (a * d) * b + a * e]) == (2, 2)


def test_a_product_that_is_read_elsewhere_is_not_taken_apart() -> None:
    a, b, c = _symbols("abc")
    assert _counts(factor, [a * b + a * c, a * b]) == (1, 2)


def test_pairs_of_terms_are_shared() -> None:
    a, b, c, d, e = _symbols("abcde")
    assert _counts(share_sums, [(a + c) + b, (a + d) + b, (a + e) + b]) == (4, 0)
    assert _counts(share_sums, [a - b + c, (d - a) + b]) == (3, 0)
    assert _counts(share_products, [(a * c) * b, (a * d) * b]) == (0, 3)


def test_repeated_terms_do_not_get_lost() -> None:
    a, b, c, d = _symbols("abcd")
    cube = (a * b) * (a * c)
    other = (a * b) * d
    for nodes in ([cube, other], [(a + b) + (a + c), (a + b) - d, (a - b) - (a - c)]):
        graph = nodes[0].graph
        at = {graph.symbol(n).id: Fraction(k + 2, 3) for k, n in enumerate("abcd")}
        expected = evaluate(graph, [n.id for n in nodes], RATIONAL, at)
        for _, apply in ALL:
            new, roots = apply(graph, [n.id for n in nodes])
            symbols = {new.symbol(n).id: Fraction(k + 2, 3) for k, n in enumerate("abcd")}
            assert evaluate(new, roots, RATIONAL, symbols) == expected


def test_equal_terms_and_constants_are_gathered() -> None:
    a, b, c = _symbols("abc")
    graph = a.graph
    A = GraphAlgebra(graph)
    two, root = graph.constant(2), A.sqrt(graph.constant(3))
    assert _counts(gather, [(a + b) + (c - b)]) == (1, 0)
    assert _counts(gather, [(a + two) + (b + root)]) == (2, 0)
    assert _counts(gather, [(a * root) * (b * two)]) == (0, 2)


def test_signs_are_chosen() -> None:
    a, b, c, d = _symbols("abcd")
    # -(a - b) c needs b - a only; the difference is used twice, both times with a minus
    assert _counts(choose_signs, [-((a - b) * c), d - (a - b)]) == (2, 1)
    assert _counts(choose_signs, [-(a * b + c)]) == (2, 1)


def test_a_long_chain_passes() -> None:
    graph = Graph()
    x, y = graph.symbol("x"), graph.symbol("y")
    node = x
    for k in range(15000):
        node = node * x + y if k % 3 else node + x * y
    new, roots, _ = optimise(graph, [node.id])
    assert operation_counts(new, roots).total <= operation_counts(graph, [node.id]).total


def test_every_function_of_a_robot_keeps_its_meaning() -> None:
    for name, spec in derive(load_robot("stanford")).specs.items():
        source = spec.graph
        graph, roots, reports = optimise(source, spec.result.entries)
        joint = Graph()
        from symdyn.expr.copy import copy_into

        lefts = copy_into(source, list(spec.result.entries), joint)
        rights = copy_into(graph, roots, joint)
        verdict = equal(joint, lefts, rights, points=2)
        assert verdict.kind in (VerdictKind.PROVED, VerdictKind.PROBABILISTIC), f"{name}: {verdict}"
        assert reports[-1].after.total <= reports[0].before.total


def test_a_function_keeps_its_arguments_even_unused_ones() -> None:
    graph = Graph()
    a, b, c, unused = (graph.symbol(n) for n in ("a", "b", "c", "unused"))
    spec = function(graph, [argument("q", [unused, a, b, c])], [a * b + a * c])
    better, _ = optimise_function(spec)
    check_function(better)
    assert load_numpy(unit(better)).f([9.0, 2.0, 3.0, 4.0]).tolist() == [14.0]
    assert "operations: 1 add 1 mul 0 div" in "".join(generate(unit(better), "c").values())
    same, _ = optimise_function(better)
    assert same is better
