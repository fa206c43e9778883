"""One random expression, evaluated over every number kind, is one value."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings

from symdyn._errors import UnsupportedError
from symdyn.algebra.float64 import ARRAYS, FLOAT64
from symdyn.algebra.interval import INTERVAL, IntervalAlgebra
from symdyn.algebra.modular import residue
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.rational import RATIONAL
from symdyn.algebra.sympy_ import SYMPY
from symdyn.expr.copy import copy_into
from symdyn.expr.evaluate import evaluate
from symdyn.expr.evaluate_mod import evaluate_mod
from symdyn.expr.graph import Graph, GraphAlgebra
from tests.graphs import (
    CHOICE,
    CIRCLE,
    FIELD,
    SMOOTH,
    Instruction,
    built,
    programs,
    run,
    states,
    symbols,
)

MP = MpAlgebra(60)
PRIME = 2305843009213693487  # 23 modulo 24
Program = tuple[Instruction, ...]
State = tuple[Fraction, ...]


def _exact(graph: Graph, root: int, state: State) -> Fraction:
    values = dict(zip(symbols(graph), state, strict=True))
    try:
        (value,) = evaluate(graph, [root], RATIONAL, values)
    except ZeroDivisionError:
        assume(False)
        raise
    assume(max(value.numerator.bit_length(), value.denominator.bit_length()) < 900)
    return value


def test_the_prime_is_one_that_evaluation_modulo_p_accepts() -> None:
    assert PRIME % 24 == 23
    assert sympy.isprime(PRIME)


@given(programs(FIELD + CHOICE, longest=15), states)
@settings(max_examples=300)
def test_what_the_graph_folds_has_the_value_of_the_operations(
    program: Program, state: State
) -> None:
    """The graph is built and evaluated; the same operations are done on the numbers themselves."""
    try:
        expected = run(RATIONAL, program, state)
    except ZeroDivisionError:
        assume(False)
        raise
    graph, root = built(program)
    found = evaluate(graph, [root], RATIONAL, dict(zip(symbols(graph), state, strict=True)))
    assert found == [expected]


@given(programs(FIELD), states)
def test_field_operations_are_exact_modulo_p(program: Program, state: State) -> None:
    graph, root = built(program)
    exact = _exact(graph, root, state)
    numbers = {i: residue(value, PRIME) for i, value in zip(symbols(graph), state, strict=True)}
    found = evaluate_mod(graph, [root], PRIME, 1, numbers)
    assert found.values == (residue(exact, PRIME),)
    assert found.exact


@given(programs(FIELD + CHOICE), states)
def test_rational_mpf_sympy_and_graph_agree(program: Program, state: State) -> None:
    graph, root = built(program)
    exact = _exact(graph, root, state)
    ids = symbols(graph)
    (decimal,) = evaluate(graph, [root], MP, dict(zip(ids, map(MP.const, state), strict=True)))
    reference = MP.const(exact)
    assert abs(decimal - reference) <= MP.number("1e-30") * (abs(reference) + MP.number(1))
    (written,) = evaluate(
        graph, [root], SYMPY, dict(zip(ids, map(SYMPY.const, state), strict=True))
    )
    assert written == sympy.Rational(exact.numerator, exact.denominator)
    # constants put in place of the symbols fold to the value
    other = Graph()
    (folded,) = copy_into(
        graph, [root], other, {i: other.const_id(v) for i, v in zip(ids, state, strict=True)}
    )
    assert other.const_value(folded) == exact


@given(programs(FIELD + CHOICE + CIRCLE + SMOOTH), states)
def test_intervals_enclose_and_doubles_lie_beside(program: Program, state: State) -> None:
    graph, root = built(program)
    ids = symbols(graph)
    (true,) = evaluate(
        graph, [root], MpAlgebra(200), dict(zip(ids, map(MpAlgebra(200).const, state), strict=True))
    )
    points = dict(zip(ids, map(INTERVAL.const, state), strict=True))
    (wide,) = evaluate(graph, [root], INTERVAL, points)
    if not wide.is_bounded:
        return
    assert true == true, "a number that has an enclosure is not NaN"
    low, high = (MpAlgebra(200).const(end) for end in wide.bounds())
    assert low <= true
    assert true <= high
    (narrow,) = evaluate(graph, [root], IntervalAlgebra(120), points)
    assert narrow.bounds()[0] >= wide.bounds()[0] or math.isclose(*map(float, wide.bounds()))
    # The enclosure has rounded every step outward by a unit; libm errs by little more than one.
    (single,) = evaluate(graph, [root], FLOAT64, dict(zip(ids, map(float, state), strict=True)))
    slack = 4 * (high - low) + MpAlgebra(200).number(1e-300)
    if abs(low) < MpAlgebra(200).number(1e300) and abs(high) < MpAlgebra(200).number(1e300):
        _assert_beside(single, low - slack, high + slack)


def _assert_beside(value: float, low: object, high: object) -> None:
    number = MpAlgebra(200).number(value)
    # an intermediate overflow or a domain missed by rounding gives NaN: nothing to compare
    if math.isfinite(value):
        assert low <= number <= high  # type: ignore[operator]


@given(programs(FIELD + CHOICE + CIRCLE + SMOOTH), states, states)
def test_arrays_are_doubles_at_many_states(program: Program, first: State, second: State) -> None:
    graph, root = built(program)
    ids = symbols(graph)
    batch = {i: np.array([float(a), float(b)]) for i, a, b in zip(ids, first, second, strict=True)}
    (together,) = evaluate(graph, [root], ARRAYS, batch)
    together = np.broadcast_to(together, (2,))
    for k, state in enumerate((first, second)):
        point = dict(zip(ids, map(float, state), strict=True))
        (single,) = evaluate(graph, [root], FLOAT64, point)
        # The two math libraries differ in the last place, which a chain of functions amplifies;
        # and a comparison or a domain may then fall on the other side.
        (sure,) = evaluate(
            graph, [root], INTERVAL, dict(zip(ids, map(INTERVAL.const, state), strict=True))
        )
        if sure.is_bounded and math.isfinite(single):
            low, high = map(float, sure.bounds())
            assert abs(float(together[k]) - single) <= 8 * (high - low) + 1e-300


@given(programs(FIELD + CHOICE + CIRCLE + SMOOTH))
def test_rebuilding_in_another_graph_evaluates_alike(program: Program) -> None:
    graph, root = built(program)
    other = Graph()
    (node,) = evaluate(
        graph,
        [root],
        GraphAlgebra(other),
        {i: other.symbol(str(graph.payload[i])) for i in symbols(graph)},
    )
    assert copy_into(graph, [root], other) == [node.id]


@given(programs(FIELD + CIRCLE))
def test_residues_do_not_depend_on_the_graph(program: Program) -> None:
    graph, root = built(program)
    other = Graph()
    for name in ("z", "noise", "y"):
        other.symbol(name)
    (copied,) = copy_into(graph, [root], other)
    try:
        first = evaluate_mod(graph, [root], PRIME, 7)
    except ZeroDivisionError:
        assume(False)
        raise
    assert evaluate_mod(other, [copied], PRIME, 7).values == first.values


def test_unsupported_values_are_named() -> None:
    graph = Graph()
    node = GraphAlgebra(graph).sin(graph.constant(2))
    with pytest.raises(UnsupportedError, match=r"sin\(2\)"):
        evaluate(graph, [node.id], RATIONAL, {})
