"""Canonical text: the same bytes for the same expression, whatever else happened."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256

from hypothesis import given

from symdyn.expr.copy import copy_into
from symdyn.expr.graph import Graph, GraphAlgebra
from symdyn.expr.serialize import canonical_text, digest
from tests.graphs import CHOICE, CIRCLE, FIELD, SMOOTH, Instruction, built, programs

PROGRAM = """
from symdyn.expr.derive import forward, reverse
from symdyn.expr.graph import Graph, GraphAlgebra
from symdyn.expr.serialize import canonical_text
import sys

graph = Graph()
A = GraphAlgebra(graph)
names = [f"x{i}" for i in range(12)]
xs = [graph.symbol(n) for n in names]
value = graph.constant(1)
for x in xs:
    chosen = A.sin(value) * x + A.unary("tanh", x)
    value = A.where(A.binary("lt", x, value), chosen, value / (x * x))
gradient = reverse(graph, value.id, [x.id for x in xs])
roots = [value.id, *gradient, *forward(graph, [value.id], xs[0].id)]
sys.stdout.write(canonical_text(graph, roots))
"""


def test_two_processes_with_different_hash_seeds_write_the_same_bytes() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.getcwd()},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "4242")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count(b"\n") > 200


def test_the_text_of_a_small_expression() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x = graph.symbol("q[0]")
    node = A.powi(x, 3) + A.sin(x) * graph.pi()
    assert canonical_text(graph, [node.id, x.id]) == (
        '%0 symbol "q[0]"\n'
        "%1 sin %0\n"
        "%2 pi\n"
        "%3 mul %1 %2\n"
        "%4 powi %0 3\n"
        "%5 add %3 %4\n"
        "root %5\n"
        "root %0\n"
    )
    text = canonical_text(graph, [node.id])
    assert digest(graph, [node.id]) == "sha256:" + sha256(text.encode()).hexdigest()


def test_the_order_of_construction_does_not_matter() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x, y, z = (graph.symbol(n) for n in "xyz")
    product, total = x * y, A.sin(y) + z
    first = [(product + total).id, A.binary("min", z, x).id]

    other = Graph()
    B = GraphAlgebra(other)
    _ = B.cos(other.symbol("z"))
    z, y, x = (other.symbol(n) for n in "zyx")
    smaller = B.binary("min", x, z)
    total = z + B.sin(y)
    second = [(total + y * x).id, smaller.id]

    assert graph.args[first[0]] != other.args[second[0]]
    assert canonical_text(graph, first) == canonical_text(other, second)


@given(programs(FIELD + CHOICE + CIRCLE + SMOOTH))
def test_a_copy_has_the_same_text(program: tuple[Instruction, ...]) -> None:
    graph, root = built(program)
    other = Graph()
    for name in ("z", "y", "w"):
        other.symbol(name)
    (copied,) = copy_into(graph, [root], other)
    # copying keeps the order of construction, so even differences keep their side
    assert canonical_text(other, [copied]) == canonical_text(graph, [root])


def test_different_expressions_have_different_texts() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x, y = graph.symbol("x"), graph.symbol("y")
    nodes = [
        x, y, x + y, x * y, x / y, y / x, A.powi(x, 3), A.powi(x, 4), A.sin(x), A.cos(x),
        A.where(x, y, x), A.where(y, x, y), graph.constant(1), graph.pi(), -x, x - y,
        A.binary("atan2", x, y), A.binary("atan2", y, x),
    ]  # fmt: skip
    assert len({digest(graph, [n.id]) for n in nodes}) == len(nodes)
    assert digest(graph, [x.id, y.id]) != digest(graph, [y.id, x.id])


def test_names_cannot_forge_lines() -> None:
    graph = Graph()
    evil = graph.symbol('x"\n%1 const 5\nroot %1')
    text = canonical_text(graph, [evil.id])
    assert text.count("\n") == 2
    assert text.isascii()
    assert canonical_text(graph, [graph.symbol("π").id]).isascii()
