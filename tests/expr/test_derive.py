"""Forward, reverse, dual, numerical and SymPy's derivatives against one another."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import mpmath
import pytest
import sympy
from hypothesis import assume, given, settings

from symdyn.algebra.dual import Dual, DualAlgebra
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.modular import random_prime
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.ops import BINARY_FUNCTIONS, OPS, UNARY_FUNCTIONS
from symdyn.algebra.partials import FLAT
from symdyn.expr.derive import forward, forward_along, reverse
from symdyn.expr.evaluate import evaluate
from symdyn.expr.evaluate_mod import evaluate_mod
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.measure import operation_counts
from symdyn.expr.sympy_border import to_sympy
from tests.graphs import (
    CHOICE,
    CIRCLE,
    FIELD,
    SMOOTH,
    Instruction,
    built,
    programs,
    states,
    symbols,
)

DIGITS = 60
MP = MpAlgebra(DIGITS)
STEP = "1e-20"
# A central difference errs by STEP^2 f'''/6 and by rounding of DIGITS - 20 digits.
TOLERANCE = MP.number("1e-25")
Program = tuple[Instruction, ...]
State = tuple[Fraction, ...]


def _at(graph: Graph, roots: list[int], state: dict[int, Any]) -> list[Any]:
    return evaluate(graph, roots, MP, state)


def _close(a: Any, b: Any, tolerance: Any = TOLERANCE) -> bool:
    return bool(abs(a - b) <= tolerance * (MP.number(1) + abs(a) + abs(b)))


def _numerically(graph: Graph, root: int, state: dict[int, Any], wrt: int) -> Any:
    h = MP.number(STEP)
    (above,) = _at(graph, [root], {**state, wrt: state[wrt] + h})
    (below,) = _at(graph, [root], {**state, wrt: state[wrt] - h})
    return (above - below) / (h + h)


@pytest.mark.parametrize("op", [*UNARY_FUNCTIONS, *BINARY_FUNCTIONS, "powi", "div", "where"])
def test_every_operation_has_its_derivative(op: str) -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x, y = graph.symbol("x"), graph.symbol("y")
    match op:
        case "powi":
            node = A.powi(x * y, 5) + A.powi(x, -3)
        case "div":
            node = (x + y) / (x * x * y)
        case "where":
            node = A.where(A.binary("lt", x, y), x * y, x / y)
        case _ if OPS[op].arity == 1:
            node = A.unary(op, x * y)
        case _:
            node = A.binary(op, x * y, x + y)
    state = {x.id: MP.number("0.7"), y.id: MP.number("0.3")}
    for wrt in (x.id, y.id):
        expected = _numerically(graph, node.id, state, wrt)
        derivatives = forward(graph, [node.id], wrt) + reverse(graph, node.id, [wrt])
        dual = DualAlgebra(MP)
        directed = {i: Dual(v, MP.number(1 if i == wrt else 0)) for i, v in state.items()}
        rate = evaluate(graph, [node.id], dual, directed)[0].rate
        for found in (*_at(graph, derivatives, state), rate):
            assert _close(found, expected)
        if op in FLAT:
            assert derivatives == [graph.zero, graph.zero]


@given(programs(FIELD + CIRCLE + SMOOTH), states)
def test_forward_is_the_limit_of_differences(program: Program, state: State) -> None:
    graph, root = built(program)
    ids = symbols(graph)
    point = dict(zip(ids, map(MP.const, state), strict=True))
    (value,) = _at(graph, [root], point)
    assume(abs(value) < MP.number("1e12"))
    for wrt in ids:
        (found,) = _at(graph, forward(graph, [root], wrt), point)
        if abs(found) < MP.number("1e12"):
            curvature = _numerically(graph, forward(graph, [root], wrt)[0], point, wrt)
            if abs(curvature) < MP.number("1e14"):
                expected = _numerically(graph, root, point, wrt)
                assert _close(found, expected, MP.number("1e-18"))


@given(programs(FIELD + CIRCLE + SMOOTH + CHOICE), states)
def test_reverse_is_forward_and_dual(program: Program, state: State) -> None:
    graph, root = built(program)
    ids = symbols(graph)
    point = dict(zip(ids, map(MP.const, state), strict=True))
    ahead = [forward(graph, [root], i)[0] for i in ids]
    back = reverse(graph, root, ids)
    dual = DualAlgebra(MP)
    for k, wrt in enumerate(ids):
        first, second = _at(graph, [ahead[k], back[k]], point)
        third = evaluate(
            graph,
            [root],
            dual,
            {i: Dual(v, MP.number(1 if i == wrt else 0)) for i, v in point.items()},
        )[0].rate
        if abs(first) < MP.number("1e20"):
            assert _close(first, second, MP.number("1e-20"))
            if third == third:  # a dual number meets 0 * inf where the graph has no term at all
                assert _close(first, third, MP.number("1e-20"))


@given(programs(FIELD + CIRCLE, longest=40))
def test_reverse_is_forward_exactly_modulo_p(program: Program) -> None:
    graph, root = built(program)
    ids = symbols(graph)
    ahead = [forward(graph, [root], i)[0] for i in ids]
    back = reverse(graph, root, ids)
    try:
        found = evaluate_mod(graph, ahead + back, random_prime(Random(5)), 11)
    except ZeroDivisionError:
        assume(False)
        raise
    assert found.values[:3] == found.values[3:]


@given(programs((*FIELD, *CIRCLE, "exp", "tanh", "atan", "cosh"), longest=10), states)
@settings(max_examples=25)
def test_forward_is_sympys_derivative(program: Program, state: State) -> None:
    graph, root = built(program)
    (x, y, z) = ids = symbols(graph)
    (written,) = to_sympy(graph, [root], limit=10_000)
    point = dict(zip(ids, map(MP.const, state), strict=True))
    here = {
        sympy.Symbol(n, real=True): sympy.Rational(v.numerator, v.denominator)
        for n, v in zip("xyz", state, strict=True)
    }
    for name, wrt in zip("xyz", (x, y, z), strict=True):
        (found,) = _at(graph, forward(graph, [root], wrt), point)
        if found == found and abs(found) < MP.number("1e15"):
            slope = written.diff(sympy.Symbol(name, real=True)).subs(here)
            expected = MP.number(str(sympy.N(slope, 40)))
            assert _close(found, expected, MP.number("1e-12"))


def test_what_does_not_depend_on_the_variable_costs_nothing() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x, y = graph.symbol("x"), graph.symbol("y")
    node = A.sin(y) * A.unary("exp", y * y) + x
    size = len(graph)
    assert forward(graph, [node.id, y.id], x.id) == [graph.one, graph.zero]
    assert reverse(graph, node.id, [x.id]) == [graph.one]
    assert reverse(graph, node.id, [graph.symbol("other").id]) == [graph.zero]
    assert len(graph) == size + 1  # the symbol asked for


def test_a_derivative_with_respect_to_an_inner_node() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x = graph.symbol("x")
    inner = A.sin(x)
    node = inner * inner * x
    expected = graph.constant(2) * (inner * x)
    state = {x.id: 0.7}
    for found in (forward(graph, [node.id], inner.id), reverse(graph, node.id, [inner.id])):
        values = evaluate(graph, [*found, expected.id], FLOAT64, state)
        assert values[0] == pytest.approx(values[1], rel=1e-15)


def test_total_time_derivative_along_velocities() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    q, qd, qdd = (graph.symbol(n) for n in ("q", "qd", "qdd"))
    energy = qd * qd * A.cos(q)
    (rate,) = forward_along(graph, [energy.id], {q.id: qd.id, qd.id: qdd.id})
    expected = graph.constant(2) * qd * qdd * A.cos(q) - qd * qd * qd * A.sin(q)
    found = evaluate(graph, [rate, expected.id], MP, {
        q.id: MP.number("0.3"), qd.id: MP.number("0.9"), qdd.id: MP.number("-1.1")
    })  # fmt: skip
    assert _close(found[0], found[1])


def _guarded(graph: Graph) -> Node:
    """Three choices around expressions that are infinite or NaN where they are not taken."""
    A = GraphAlgebra(graph)
    x, y, c = graph.symbol("x"), graph.symbol("y"), graph.constant
    is_positive = A.binary("lt", c(0), x)
    root = A.where(is_positive, A.sqrt(x) * y, y / (x - c(1)))
    log = A.where(A.binary("lt", c(2), x), A.unary("log", x - c(2)), x * x)
    inner = A.where(A.binary("lt", y, c(0)), A.sqrt(-y) / x, y)
    nested = A.where(is_positive, inner, y / (x - c(4)))
    return root * log + nested


@pytest.mark.parametrize("x", [-0.5, 0.0, 0.5, 3.0])
@pytest.mark.parametrize("y", [-0.25, 0.0, 0.75])
def test_a_branch_that_is_not_taken_does_not_matter(x: float, y: float) -> None:
    graph = Graph()
    node = _guarded(graph).id
    ids = [graph.symbol("x").id, graph.symbol("y").id]
    ahead = [forward(graph, [node], i)[0] for i in ids]
    back = reverse(graph, node, ids)
    state = dict(zip(ids, (x, y), strict=True))
    first, second = (evaluate(graph, roots, FLOAT64, state) for roots in (ahead, back))
    dual = [
        evaluate(graph, [node], DualAlgebra(FLOAT64), {
            i: Dual(v, 1.0 if i == wrt else 0.0) for i, v in state.items()
        })[0].rate
        for wrt in ids
    ]  # fmt: skip
    assert all(map(math.isfinite, first))
    assert second == pytest.approx(first, rel=1e-13)
    assert dual == pytest.approx(first, rel=1e-13)


@pytest.mark.parametrize("flags", [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)])
def test_reverse_with_an_infinite_derivative_under_several_conditions(
    flags: tuple[int, int, int],
) -> None:
    """sqrt(x) at x = 0 is used under three conditions; it matters only if one of them holds."""
    graph = Graph()
    A = GraphAlgebra(graph)
    x, y, one = graph.symbol("x"), graph.symbol("y"), graph.constant(1)
    a, b, c = conditions = [graph.symbol(n) for n in "abc"]
    root = A.sqrt(x)
    # going down, the False side of c is met before its True side; a stands inside of b
    value = A.where(c, root * root * root, y) + A.where(c, one, root * y)
    value = value + A.where(b, A.where(a, root + y, one), y * y)
    state = {x.id: 0.0, y.id: 3.0}
    state |= {s.id: float(f) for s, f in zip(conditions, flags, strict=True)}
    ids = [x.id, y.id]
    back = evaluate(graph, reverse(graph, value.id, ids), FLOAT64, state)
    ahead = evaluate(graph, [forward(graph, [value.id], i)[0] for i in ids], FLOAT64, state)
    assert back[1] == ahead[1]
    holds_a, holds_b, holds_c = flags
    if (holds_a and holds_b) or not holds_c:
        assert not math.isfinite(ahead[0])
        assert not math.isfinite(back[0])
    state[x.id] = 0.25
    back = evaluate(graph, reverse(graph, value.id, ids), FLOAT64, state)
    ahead = evaluate(graph, [forward(graph, [value.id], i)[0] for i in ids], FLOAT64, state)
    assert back == pytest.approx(ahead, rel=1e-15)


def test_reverse_where_no_condition_holds_is_zero() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x, y, zero = graph.symbol("x"), graph.symbol("y"), graph.constant(0)
    a, b, c = conditions = [graph.symbol(n) for n in "abc"]
    root = A.sqrt(x)
    inner = A.where(a, root, y)
    value = A.where(b, inner * y, zero) + A.where(c, y, inner * root) * y + A.where(a, root, y)
    state = {x.id: 0.0, y.id: 3.0}
    state |= {s.id: float(f) for s, f in zip(conditions, (0, 1, 1), strict=True)}
    assert evaluate(graph, reverse(graph, value.id, [x.id, y.id]), FLOAT64, state) == [0.0, 13.0]


def test_a_guard_inside_another_needs_no_flag_of_its_own() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x, y = graph.symbol("x"), graph.symbol("y")
    a, b = graph.symbol("a"), graph.symbol("b")
    root = A.sqrt(x)
    value = A.where(b, root * y + A.where(a, root, y), y)
    counts = operation_counts(graph, reverse(graph, value.id, [x.id]))
    assert "max" not in counts.functions
    assert counts.functions["where"] == 2


def test_all_branches_of_nested_choices_make_one_derivative() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x = graph.symbol("x")
    a, b, c = (graph.symbol(n) for n in "abc")
    root = A.sqrt(x)
    two, three, four = (graph.constant(k) * root for k in (2, 3, 4))
    value = A.where(a, A.where(b, root, two), A.where(c, three, four))
    derivative = reverse(graph, value.id, [x.id])
    counts = operation_counts(graph, derivative)
    assert "max" not in counts.functions
    assert counts.functions["where"] == 3
    for k, flags in enumerate(((1, 1, 0), (1, 0, 1), (0, 1, 1), (0, 1, 0)), start=1):
        state = {x.id: 0.25} | {s.id: float(f) for s, f in zip((a, b, c), flags, strict=True)}
        assert evaluate(graph, derivative, FLOAT64, state) == [float(k)]


def test_repeated_choices_do_not_pile_up_guards() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x, y = graph.symbol("x"), graph.symbol("y")
    value = x
    for _ in range(200):
        value = A.where(A.binary("lt", value, y), value * y + x, A.sqrt(value))
    derivatives = reverse(graph, value.id, [x.id, y.id])
    counts = operation_counts(graph, derivatives)
    assert counts.total < 25 * 200


def test_reverse_costs_a_small_multiple_for_any_number_of_variables() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    xs = [graph.symbol(f"x{i}") for i in range(60)]
    value = graph.constant(1)
    for a, b in pairwise(xs):
        value = value * A.sin(a) + b / (a * a + graph.constant(1))
    cost = operation_counts(graph, [value.id]).total
    gradient = operation_counts(graph, [value.id, *reverse(graph, value.id, [x.id for x in xs])])
    assert gradient.total <= 5 * cost


def test_powers_with_constant_exponent_have_no_logarithm() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x = graph.symbol("x")
    node = A.binary("pow", x, graph.constant(Fraction(5, 2)))
    for roots in (forward(graph, [node.id], x.id), reverse(graph, node.id, [x.id])):
        assert "log" not in operation_counts(graph, roots).functions
        assert evaluate(graph, roots, FLOAT64, {x.id: 0.0}) == [0.0]
    dual = DualAlgebra(FLOAT64)
    assert dual.binary("pow", dual.variable(0.0), dual.const(Fraction(5, 2))).rate == 0.0
    assert dual.binary("pow", dual.constant(0.0), dual.variable(0.5)).rate == 0.0


def test_dual_numbers_nest() -> None:
    """A dual of a dual gives the mixed second derivative."""
    inner = DualAlgebra(MP)
    outer = DualAlgebra(inner)
    x = Dual(inner.variable(MP.number("0.4")), inner.const(1))

    def f(A: Any, t: Any) -> Any:
        return A.unary("exp", A.sin(t)) / (A.powi(t, 3) + A.const(2))

    second = f(outer, x).rate.rate
    with mpmath.workdps(40):
        expected = mpmath.diff(
            lambda t: mpmath.exp(mpmath.sin(t)) / (t**3 + 2), mpmath.mpf("0.4"), 2
        )
    assert float(second) == pytest.approx(float(expected), rel=1e-14)


@pytest.mark.parametrize("make", [lambda g: g.symbol("x").id, lambda g: g.one])
def test_derivatives_of_leaves(make: Callable[[Graph], int]) -> None:
    graph = Graph()
    root, x = make(graph), graph.symbol("x").id
    expected = [graph.one if root == x else graph.zero]
    assert forward(graph, [root], x) == expected
    assert reverse(graph, root, [x]) == expected
    assert forward(graph, [], x) == []
