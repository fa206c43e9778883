"""Equality of expressions: proved, bounded, or refuted with a state that shows it."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import SizeError
from symdyn.algebra.float64 import FLOAT64
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.identity import equal
from symdyn.expr.verdict import Verdict, VerdictKind

G = Graph()
A = GraphAlgebra(G)
X, Y = G.symbol("x"), G.symbol("y[1]")
ONE = G.constant(1)


def check(left: Node, right: Node, **options: int) -> Verdict:
    return equal(G, [left.id], [right.id], **options)


def test_the_same_node_is_proved_by_construction() -> None:
    verdict = check(X * Y + ONE, ONE + Y * X)
    assert (verdict.kind, verdict.method) == (VerdictKind.PROVED, "construction")


def test_addition_theorem_is_proved_by_the_normal_form() -> None:
    verdict = check(A.sin(X + Y), A.sin(X) * A.cos(Y) + A.cos(X) * A.sin(Y))
    assert (verdict.kind, verdict.method) == (VerdictKind.PROVED, "normal form")


def test_without_a_normal_form_the_bound_is_stated() -> None:
    left, right = A.sin(X + Y), A.sin(X) * A.cos(Y) + A.cos(X) * A.sin(Y)
    one = check(left, right, limit=0, points=1)
    three = check(left, right, limit=0, points=3)
    assert one.kind is three.kind is VerdictKind.PROBABILISTIC
    assert one.bound is not None
    assert three.bound == one.bound**3
    # degree 2 in two angles against primes of 61 bits leaves at least 2^-40 a point
    assert 0 < one.bound < Fraction(1, 2**40)


def test_quotients_are_compared_as_fractions() -> None:
    x2 = X * X
    assert check((x2 - ONE) / (X + Y), (X - ONE) * (X + ONE) / (Y + X)).holds
    verdict = check(ONE / (X + ONE) - ONE / (X - ONE), ONE / (ONE - x2))
    assert verdict.kind is VerdictKind.REFUTED


@pytest.mark.parametrize("limit", [0, 200_000])
def test_a_wrong_sign_is_refuted_and_the_witness_shows_it(limit: int) -> None:
    left, right = A.cos(X - Y), A.cos(X) * A.cos(Y) - A.sin(X) * A.sin(Y)
    verdict = equal(G, [ONE.id, left.id], [ONE.id, right.id], limit=limit)
    assert verdict.kind is VerdictKind.REFUTED
    witness = verdict.witness
    assert witness is not None
    assert witness["entry"] == 1
    state = witness["state"]
    assert isinstance(state, dict)
    x, y = state["x"], state["y"]
    assert isinstance(x, float)
    assert isinstance(y, list)
    values = evaluate(G, [left.id, right.id], FLOAT64, {X.id: x, Y.id: y[1]})
    # the texts have 50 digits; a double agrees with them to its own precision
    assert values == pytest.approx([float(str(witness[k])) for k in ("left", "right")], rel=1e-14)
    assert len(str(witness["left"]).lstrip("-0.")) >= 45
    json.dumps(verdict.to_json())


def test_a_difference_far_below_double_precision_is_refuted() -> None:
    tiny = G.constant(Fraction(1, 10**30))
    verdict = check(A.sin(X) + tiny, A.sin(X))
    assert verdict.kind is VerdictKind.REFUTED
    assert verdict.witness is not None
    assert float(str(verdict.witness["difference"])) == pytest.approx(1e-30)


def test_what_can_be_neither_shown_nor_refuted_is_incomplete() -> None:
    verdict = check(A.sqrt(X * X), A.unary("abs", X))
    assert verdict.kind is VerdictKind.INCOMPLETE
    assert "independent" in verdict.detail


def test_division_by_zero_everywhere_is_incomplete() -> None:
    zero = A.sin(X) * A.sin(X) + A.cos(X) * A.cos(X) - ONE
    verdict = check(Y / zero, ONE / zero, limit=0)
    assert verdict.kind is VerdictKind.INCOMPLETE
    assert "denominator" in verdict.detail


def test_equal_functions_without_algebraic_meaning() -> None:
    left = A.unary("tanh", X * Y) + A.where(X - Y, X, A.unary("exp", Y))
    right = A.where(X - Y, X, A.unary("exp", Y)) - A.unary("tanh", -Y * X)
    assert check(left, right).kind is VerdictKind.PROVED
    assert check(left, right * ONE + X - X, limit=0).holds


def test_high_degree_takes_larger_primes() -> None:
    power = X + Y
    for _ in range(60):
        power = power * power
    verdict = check(power - ONE, (power * power - ONE) / (power + ONE))
    assert verdict.kind is VerdictKind.PROBABILISTIC
    assert "127 bits" in verdict.detail


def test_a_degree_beyond_all_primes_is_incomplete() -> None:
    power = X + Y
    for _ in range(5000):
        power = power * power
    verdict = check(power - ONE, (power * power - ONE) / (power + ONE), points=1)
    assert verdict.kind is VerdictKind.INCOMPLETE
    assert "degree" in verdict.detail


def test_constants_under_roots_are_consistent() -> None:
    root = [A.sqrt(G.constant(n)) for n in (5, 7, 35)]
    assert check(root[0] * root[1] * X, root[2] * X, limit=0).holds


def test_verdicts_repeat_to_the_byte() -> None:
    left, right = A.cos(X) * A.cos(X) * A.cos(Y), A.cos(Y) - A.sin(X) * A.sin(X) * A.cos(Y)
    assert check(left, right, limit=0).to_json() == check(left, right, limit=0).to_json()
    assert check(left, X).to_json() == check(left, X).to_json()


def test_another_seed_is_another_run() -> None:
    left, right = A.cos(X), A.sin(X)
    one, other = check(left, right, seed=1), check(left, right, seed=2)
    assert one.witness != other.witness


def test_lists_of_different_length_are_an_error() -> None:
    with pytest.raises(SizeError, match="pairs"):
        equal(G, [X.id], [])


@given(st.integers(0, 5), st.integers(0, 5), st.sampled_from([0, 200_000]))
def test_any_changed_coefficient_is_found(place: int, change: int, limit: int) -> None:
    coefficients = [3, -2, 5, 1, -7, 4]
    basis = [ONE, X, A.cos(X), A.sin(X) * Y, A.cos(X + Y), X * X * A.sin(Y)]
    changed = list(coefficients)
    changed[place] += change

    def combination(numbers: list[int]) -> Node:
        total = G.constant(0)
        for n, b in zip(numbers, basis, strict=True):
            total = total + G.constant(n) * b
        return total

    verdict = check(combination(coefficients) * X, combination(changed) * X, limit=limit)
    assert (
        verdict.kind is not VerdictKind.REFUTED
        if change == 0
        else (verdict.kind is VerdictKind.REFUTED)
    )


@pytest.mark.parametrize("limit", [0, 200_000])
def test_one_pair_is_one_pair(limit: int) -> None:
    verdict = check(X * X + X, X * (X + ONE), limit=limit)
    assert verdict.detail.startswith(("1 pair of equal forms", "1 pair equal at"))
