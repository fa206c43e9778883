"""Published failures of code generators, each with its right answer, in every target."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from symdyn.codegen.generate import generate
from symdyn.codegen.spec import Unit
from symdyn.expr.graph import Graph, GraphAlgebra
from tests.codegen.building import CLibrary, argument, function, load_numpy, scalars, unit


def _assert_both(made: Unit, folder: Path, inputs: list[object], expected: object) -> None:
    np.testing.assert_allclose(load_numpy(made).f(*inputs), expected, rtol=1e-15)
    np.testing.assert_allclose(CLibrary(made, folder).one("f", *inputs), expected, rtol=1e-15)


def test_parameters_called_like_macros_and_keywords(tmp_path: Path) -> None:
    # opty issue 47: I y0 + j1 gamma + class new + e i + pi1 eps + NaN1 in
    names = ["I", "y0", "j1", "gamma", "class", "new", "e", "i", "pi1", "eps", "NaN1", "in"]
    graph = Graph()
    nodes, arguments = scalars(graph, names)
    total = graph.constant(0)
    for a, b in zip(nodes[::2], nodes[1::2], strict=True):
        total = total + a * b
    made = unit(function(graph, arguments, [total], ()))
    _assert_both(made, tmp_path, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37], 2321)


def test_names_that_differ_only_after_mangling(tmp_path: Path) -> None:
    # SymPy prints double - double_ as double_ - double_
    graph = Graph()
    nodes, arguments = scalars(graph, ["double", "double_", "double__", "a b", "a_b", "a-b"])
    difference = graph.constant(0)
    for k, node in enumerate(nodes):
        difference = difference + graph.constant(10**k) * node
    made = unit(function(graph, arguments, [difference], ()))
    _assert_both(made, tmp_path, [1, 2, 3, 4, 5, 6], 654321)


def test_rational_constants_are_not_divided_as_integers(tmp_path: Path) -> None:
    # sympy issue 26522: x/2 + x^(5/2)/3 at 9
    graph = Graph()
    A = GraphAlgebra(graph)
    (x,), arguments = scalars(graph, ["x"])
    half, third = graph.constant(Fraction(1, 2)), graph.constant(Fraction(1, 3))
    power = A.binary("pow", x, graph.constant(Fraction(5, 2)))
    made = unit(function(graph, arguments, [half * x + third * power], ()))
    _assert_both(made, tmp_path, [9], 85.5)


def test_cube_root_of_a_negative_number(tmp_path: Path) -> None:
    # sympy issue 12714: x^(1/3) at -8 is -2, NaN or 1 + 1.7i, depending on the language
    graph = Graph()
    A = GraphAlgebra(graph)
    (x,), arguments = scalars(graph, ["x"])
    power = A.binary("pow", x, graph.constant(Fraction(1, 3)))
    made = unit(function(graph, arguments, [A.unary("cbrt", x), power]))
    _assert_both(made, tmp_path, [-8], [-2, math.nan])
    found = load_numpy(made).f(np.array([-8.0, 8.0]))
    np.testing.assert_allclose(found, [[-2, math.nan], [2, 2]], rtol=1e-15)


def test_constant_entries_are_broadcast() -> None:
    # sympy issue 5642: M = [[x, 0], [y, x y]] for arrays
    graph = Graph()
    (x, y), arguments = scalars(graph, ["x", "y"])
    made = unit(function(graph, arguments, [x, graph.constant(0), y, x * y], (2, 2)))
    found = load_numpy(made).f(np.array([1, 2]), np.array([3, 4]))
    assert found.tolist() == [[[1, 0], [3, 3]], [[2, 0], [4, 8]]]
    assert load_numpy(made).f(1, 3).tolist() == [[1, 0], [3, 3]]


@pytest.mark.parametrize(
    ("x", "expected"), [(0.0, 0), (-0.0, 0), (2, 1), (-1e-300, -1), (math.nan, math.nan)]
)
def test_sign_at_zero_and_nan(x: float, expected: float, tmp_path: Path) -> None:
    # rust-lang issue 57543, sympy issues 14010, 12267
    graph = Graph()
    A = GraphAlgebra(graph)
    (node,), arguments = scalars(graph, ["x"])
    _assert_both(
        unit(function(graph, arguments, [A.unary("sign", node)], ())), tmp_path, [x], expected
    )


def test_statements_do_not_nest() -> None:
    # sympy issue 24673: deep expressions break parsers and compilers
    graph = Graph()
    x = graph.symbol("x")
    node = x
    for k in range(3000):
        node = (node + graph.constant(k)) * x
    made = unit(function(graph, [argument("x", [x])], [node]))
    for target in ("numpy", "c"):
        for text in generate(made, target).values():
            lines = [line for line in text.split("\n") if re.match(r" *(const \w+ )?t\d+ = ", line)]
            assert target == "numpy" or text.startswith("/*")
            assert all(len(line) < 80 and line.count("(") == 0 for line in lines)
            assert len(lines) >= 5999 or not lines
