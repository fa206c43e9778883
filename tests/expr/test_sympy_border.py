"""Round trips between the graph and SymPy, and what is refused at the border."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.rational import RATIONAL
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.sympy_border import from_sympy, to_sympy

X, Y = sympy.Symbol("x", real=True), sympy.Symbol("y", real=True)
P = sympy.Symbol("p", positive=True)


def _expressions() -> list[Node]:
    graph = Graph()
    A = GraphAlgebra(graph)
    x, y, c = graph.symbol("x"), graph.symbol("y"), graph.constant
    unary = ("cbrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan")
    unary += ("sinh", "cosh", "tanh", "abs", "sign", "sqrt")
    binary = ("atan2", "min", "max", "lt", "le", "eq", "pow")
    return [
        x + y, x - y, -x, x * y, x / y, (x - y) / (x * x + c(1)), c(Fraction(1, 3)) * x,
        graph.pi() * x, A.powi(x, 5), A.powi(x, -3), A.sqrt(x) / y, y / A.sqrt(x),
        A.powi(A.sqrt(y), 3),
        *(A.unary(op, x + y) for op in unary),
        *(A.binary(op, x, y) for op in binary),
        A.where(A.binary("lt", x, y), x, y), A.where(x, y, x + y),
        A.where(A.binary("le", x, c(0)), c(1), A.where(A.binary("eq", y, c(2)), x, y)),
        A.sin(x) * A.unary("cbrt", x),
    ]  # fmt: skip


@pytest.mark.parametrize("node", _expressions(), ids=lambda n: n.graph.describe(n.id))
def test_graph_to_sympy_and_back_is_the_same_node(node: Node) -> None:
    graph = node.graph
    assert from_sympy(graph, to_sympy(graph, [node.id])) == [node.id]


@pytest.mark.parametrize(
    "expression",
    [
        X**2 * sympy.sin(X + Y) - 3 * Y / (1 + X**2),
        sympy.sqrt(X) ** 3 / sympy.sqrt(2) + sympy.pi / 7,
        sympy.Piecewise((X, X < Y), (Y, sympy.Eq(X, 2)), (X * Y, True)),
        sympy.Max(X, Y, 3) + sympy.Min(X, Y) + sympy.Abs(X * Y) * sympy.sign(Y),
        sympy.exp(-X) * sympy.log(P) + sympy.E,
        sympy.real_root(X, 3) + P ** sympy.Rational(2, 3) + P**X,
        sympy.atan2(Y, X) + sympy.tanh(X) / sympy.cosh(Y),
    ],
    ids=str,
)
def test_sympy_to_graph_and_back_is_equal(expression: sympy.Expr) -> None:
    graph = Graph()
    back = to_sympy(
        graph,
        from_sympy(graph, [expression]),
        symbols={graph.symbol("p").id: P},
    )
    assert back == [expression]


def test_logic_of_conditions() -> None:
    conditions = [
        sympy.And(X < Y, Y <= 2), sympy.Or(X > Y, X >= 2), sympy.Not(sympy.And(X < 1, Y < 1)),
        sympy.Ne(X, Y), sympy.ITE(X < 0, Y < 0, Y > 0), sympy.Xor(X < 0, Y < 0).to_nnf(),
    ]  # fmt: skip
    graph = Graph()
    x, y = graph.symbol("x").id, graph.symbol("y").id
    roots = from_sympy(graph, [sympy.Piecewise((5, c), (7, True)) for c in conditions])
    for a in (-1, 0, 1, 2, 3):
        for b in (-1, 0, 1, 2, 3):
            expected = [5 if c.subs({X: a, Y: b}) else 7 for c in conditions]
            assert evaluate(graph, roots, FLOAT64, {x: float(a), y: float(b)}) == expected


def test_heaviside_has_its_own_value_at_zero() -> None:
    graph = Graph()
    roots = from_sympy(graph, [sympy.Heaviside(X), sympy.Heaviside(X, 1)])
    x = graph.symbol("x").id
    values = [evaluate(graph, roots, RATIONAL, {x: Fraction(v)}) for v in (-2, 0, 2)]
    assert values == [[0, 0], [Fraction(1, 2), 1], [1, 1]]


def test_a_float_is_the_decimal_it_shows() -> None:
    graph = Graph()
    roots = from_sympy(graph, [sympy.Float(0.1), sympy.Float("0.1", 30), sympy.Float(1e-300)])
    values = [graph.const_value(r) for r in roots]
    assert values == [Fraction(1, 10), Fraction(1, 10), Fraction(1, 10**300)]


def test_odd_roots_mean_one_thing_or_are_refused() -> None:
    graph = Graph()
    (node,) = from_sympy(graph, [sympy.real_root(X, 3)])
    assert graph.describe(node) == f"cbrt(%{graph.symbol('x').id})"
    (power,) = from_sympy(graph, [sympy.sign(X) * sympy.Abs(X) ** sympy.Rational(5, 3)])
    assert power == graph.powi(node, 5)
    for bad in (sympy.cbrt(X), X ** sympy.Rational(2, 3), X ** sympy.Rational(1, 5), X**Y):
        with pytest.raises(InputError, match="may be negative") as caught:
            from_sympy(graph, [bad])
        assert "real_root" in str(caught.value)
    (node,) = from_sympy(graph, [sympy.cbrt(P)])
    assert graph.ops[node] == "cbrt"
    (node,) = from_sympy(graph, [P ** sympy.Rational(1, 5)])
    assert graph.ops[node] == "pow"


@pytest.mark.parametrize(
    ("bad", "named"),
    [
        (sympy.gamma(X), "gamma"),
        (sympy.I * X, "ImaginaryUnit"),
        (sympy.oo + X, "Infinity"),
        (sympy.nan, "NaN"),
        (sympy.Function("q")(X), "q is not read"),
        (sympy.Integral(X, X), "Integral"),
        (sympy.Derivative(sympy.Function("q")(X), X), "Derivative"),
        (sympy.Piecewise((X, X < 0)), "no branch for every case"),
        (sympy.Symbol("x") + X, "two different symbols are called 'x'"),
    ],
)
def test_what_is_not_read_is_named(bad: sympy.Expr, named: str) -> None:
    with pytest.raises(InputError, match=named):
        from_sympy(Graph(), [bad])


def test_functions_of_time_may_be_given_nodes() -> None:
    t = sympy.Symbol("t")
    q = sympy.Function("q")(t)
    graph = Graph()
    a, b = graph.symbol("q"), graph.symbol("qd")
    (node,) = from_sympy(graph, [q * sympy.sin(q.diff(t))], {q: a.id, q.diff(t): b.id})
    assert node == (a * GraphAlgebra(graph).sin(b)).id


def test_a_large_tree_is_refused_with_its_size() -> None:
    graph = Graph()
    x = graph.symbol("x")
    for _ in range(40):
        x = x * x + graph.symbol("y")
    with pytest.raises(InputError, match=r"about 10\^12 nodes written out from 82 shared ones"):
        to_sympy(graph, [x.id])
    for _ in range(30_000):
        x = x * x + graph.symbol("y")
    with pytest.raises(InputError, match=r"about 10\^9043 nodes"):
        to_sympy(graph, [x.id])


def test_a_deep_tree_is_refused_and_the_deepest_accepted_one_prints() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    node = graph.symbol("x")
    for k in range(100):
        node = A.sin(node) if k % 2 else node + graph.symbol("y")
    (written,) = to_sympy(graph, [node.id])
    assert str(written).count("sin") == 50
    with pytest.raises(InputError, match="101 levels"):
        to_sympy(graph, [A.sin(node).id])


def test_a_long_sum_is_not_deep() -> None:
    graph = Graph()
    total = graph.constant(0)
    for k in range(500):
        total = total + graph.symbol(f"x{k}") * graph.symbol("y")
    (written,) = to_sympy(graph, [total.id])
    assert len(written.args) == 500


def test_deep_sympy_expressions_come_in() -> None:
    deep = X
    for _ in range(5_000):
        deep = sympy.sin(sympy.Add(deep, 1, evaluate=False), evaluate=False)
    graph = Graph()
    (node,) = from_sympy(graph, [deep])
    assert len(graph.reachable([node])) == 10_002


def test_names_are_not_interpreted() -> None:
    graph = Graph()
    names = ["lambda", "E", "pi", "l_arm/elbow-π", "__import__('os')", "I", "1"]
    roots = [graph.symbol(n).id for n in names]
    written = to_sympy(graph, roots)
    assert [s.name for s in written] == names
    assert all(isinstance(s, sympy.Symbol) for s in written)
    assert from_sympy(graph, written) == roots
