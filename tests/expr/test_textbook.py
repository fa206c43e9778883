"""Normal forms in print: grouped, common factors in front, the same function as before."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.sympy_border import from_sympy
from symdyn.expr.textbook import to_sympy
from symdyn.expr.trig_form import trig_forms

G = Graph()
A = GraphAlgebra(G)
M, L, X, Y, V, W = (G.symbol(name) for name in ("m", "l", "x", "y", "v", "w"))
TWO, HALF = G.constant(2), G.constant(Fraction(1, 2))


def printed(*nodes: Node, collect: tuple[str, ...] = (), rates: tuple[str, ...] = ()) -> list[str]:
    forms = trig_forms(G, [n.id for n in nodes])
    return [str(e) for e in to_sympy(forms, collect=collect, rates=rates)]


def test_terms_with_the_same_mass_are_grouped() -> None:
    value = M * L * L + TWO * M * L * A.cos(Y) + Y
    assert printed(value) == ["l**2*m + 2*l*m*cos(y) + y"]
    assert printed(value, collect=("m",)) == ["l*m*(l + 2*cos(y)) + y"]


def test_rates_stay_together_behind_their_coefficient() -> None:
    value = -(M * L * A.sin(Y) * (TWO * V * W + W * W)) + M * A.cos(Y) * V
    assert printed(value, collect=("m",), rates=("v", "w")) == [
        "m*(-l*w*(2*v + w)*sin(y) + v*cos(y))"
    ]


def test_content_and_the_sign_of_most_terms_stand_in_front() -> None:
    assert printed(-(HALF * X * Y) - HALF * X * L) == ["-x*(l + y)/2"]
    assert printed(G.constant(6) * X * Y + G.constant(4) * X * X) == ["2*x*(2*x + 3*y)"]


def test_negative_powers_are_common_factors_too() -> None:
    assert printed((A.cos(X) - M) / Y) == ["(-m + cos(x))/y"]


def test_sums_and_differences_of_angles_start_with_the_first() -> None:
    assert printed(A.cos(Y - X), A.sin(Y - X)) == ["cos(x - y)", "-sin(x - y)"]


def test_zero_constants_roots_and_pi() -> None:
    root = A.sqrt(G.constant(Fraction(1, 2)))
    assert printed(X - X, G.constant(Fraction(-2, 3)), root, G.pi() * X) == [
        "0",
        "-2/3",
        "sqrt(2)/2",
        "pi*x",
    ]


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (A.unary("exp", X + Y) * M, "m*exp(x + y)"),
        (M / (X + A.cos(Y)), "m/(x + cos(y))"),
        (A.binary("atan2", X, Y), "atan2(x, y)"),
        (A.where(X, Y, M), "Piecewise((y, Ne(x, 0)), (m, True))"),
        (A.cos(A.sin(X)), "cos(sin(x))"),
        (A.sin(X * G.constant(Fraction(1, 17))), "sin(x/17)"),
        (A.cos(M * X), "cos(m*x)"),
    ],
)
def test_what_is_no_polynomial_is_printed_as_it_is(node: Node, text: str) -> None:
    assert printed(node) == [text]


def test_symbols_can_be_given() -> None:
    (form,) = trig_forms(G, [(M * X).id])
    phi = sympy.Symbol("phi", positive=True)
    assert to_sympy([form], symbols={"x": phi}) == [sympy.Symbol("m", real=True) * phi]
    assert to_sympy([]) == []


@st.composite
def polynomials(draw: st.DrawFn) -> Node:
    total = G.constant(0)
    for _ in range(draw(st.integers(1, 6))):
        term = G.constant(draw(st.fractions(-3, 3, max_denominator=6)))
        for _ in range(draw(st.integers(0, 4))):
            term = term * draw(
                st.sampled_from([M, L, V, W, A.cos(X), A.sin(X + Y), A.cos(X - Y), A.sin(TWO * Y)])
            )
        total = total + term
    return total


@given(polynomials(), st.sets(st.sampled_from("ml")), st.sets(st.sampled_from("vw")))
def test_grouping_changes_nothing(node: Node, collect: set[str], rates: set[str]) -> None:
    (form,) = trig_forms(G, [node.id])
    (expression,) = to_sympy([form], collect=collect, rates=rates)
    graph = Graph()
    (back,) = from_sympy(graph, [expression])
    # compared in a graph that holds both
    (again,) = to_sympy(trig_forms(graph, [back]))
    assert again == to_sympy([form])[0]
