"""The table of operations against every number kind, at its edges."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from symdyn._errors import UnsupportedError
from symdyn.algebra.dual import DualAlgebra
from symdyn.algebra.float64 import ARRAYS, FLOAT64
from symdyn.algebra.interval import INTERVAL, UNBOUNDED, Interval
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.ops import OPS
from symdyn.algebra.protocol import Algebra, Scoped, TotalDivision
from symdyn.algebra.rational import RATIONAL
from symdyn.algebra.sympy_ import SYMPY
from symdyn.algebra.term import Term, TermAlgebra, lift
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra
from tests.algebra.edge_table import BINARY, POWI, UNARY, WHERE, Number

Row = tuple[str, tuple[Number, ...], int, Number]
ROWS: list[Row] = [
    *((op, (x,), 0, value) for op, x, value in UNARY),
    *((op, (x, y), 0, value) for op, x, y, value in BINARY),
    *(("powi", (x,), n, value) for x, n, value in POWI),
    *(("where", (c, a, b), 0, value) for c, a, b, value in WHERE),
]
FINITE = [row for row in ROWS if all(math.isfinite(x) for x in row[1])]
MP = MpAlgebra(40)
# libm is within one unit in the last place of these values
DOUBLE_TOLERANCE = 4.5e-16


def _name(row: Row) -> str:
    op, args, n, _ = row
    return f"{op}({', '.join(map(str, args))}{f', {n}' if op == 'powi' else ''})"


def _apply(A: Algebra[Any], op: str, args: Sequence[Any], n: int) -> Any:
    """One operation, as the evaluation of a graph does it."""
    match op:
        case "neg":
            return -args[0]
        case "add":
            return args[0] + args[1]
        case "sub":
            return args[0] - args[1]
        case "mul":
            return args[0] * args[1]
        case "div":
            return A.divide(*args) if isinstance(A, TotalDivision) else args[0] / args[1]
        case "powi":
            return A.powi(args[0], n)
        case "where":
            return A.where(*args)
        case _:
            return A.unary(op, *args) if len(args) == 1 else A.binary(op, *args)


def _assert_double(found: float, expected: Number) -> None:
    if math.isnan(expected):
        assert math.isnan(found)
    elif math.isinf(expected) or expected == 0:
        assert found == expected
    else:
        assert found == pytest.approx(float(expected), rel=DOUBLE_TOLERANCE, abs=0)


def test_every_operation_is_in_the_table() -> None:
    leaves = {op.name for op in OPS.values() if op.kind == "leaf"}
    assert {row[0] for row in ROWS} | leaves == set(OPS)


@pytest.mark.parametrize("row", ROWS, ids=_name)
@pytest.mark.parametrize(
    "algebra",
    [FLOAT64, DualAlgebra(FLOAT64), ARRAYS, DualAlgebra(ARRAYS)],
    ids=lambda a: a.name,
)
def test_doubles(algebra: Any, row: Row) -> None:
    op, args, n, expected = row
    inner = algebra.base if isinstance(algebra, DualAlgebra) else algebra
    numbers = [np.asarray(x) if inner is ARRAYS else float(x) for x in args]
    if isinstance(algebra, DualAlgebra):
        numbers = [algebra.variable(x) for x in numbers]
    with algebra.scope() if isinstance(algebra, Scoped) else ARRAYS.scope():
        found = _apply(algebra, op, numbers, n)
    _assert_double(float(getattr(found, "value", found)), expected)


@pytest.mark.parametrize("row", ROWS, ids=_name)
@pytest.mark.parametrize("dual", [False, True], ids=["plain", "dual"])
def test_decimal_floats(row: Row, dual: bool) -> None:
    op, args, n, expected = row
    numbers: list[Any] = [MP.number(float(x)) for x in args]
    if dual:
        algebra = DualAlgebra(MP)
        found = _apply(algebra, op, [algebra.variable(x) for x in numbers], n).value
    else:
        found = _apply(MP, op, numbers, n)
    # No overflow and no underflow here: exp(1e300) is huge, though beyond every use.
    if math.isfinite(expected):
        reference = MP.const(Fraction(expected))
        # decimals of the table have 20 digits; powers of 1e300 start from its double
        assert abs(found - reference) <= abs(reference) * MP.number(1e-15) + MP.number(1e-290)
    elif math.isinf(expected):
        assert float(found) == expected
    else:
        assert found != found


def _exact(x: Number) -> Fraction:
    return Fraction(x)


def _is_ordinary(args: Sequence[Number]) -> bool:
    return all(x == 0 or 1e-9 < abs(x) < 1e9 for x in args)


@pytest.mark.parametrize("row", FINITE, ids=_name)
def test_rationals(row: Row) -> None:
    op, args, n, expected = row
    try:
        found = _apply(RATIONAL, op, [_exact(x) for x in args], n)
    except ZeroDivisionError:
        assert not math.isfinite(expected)
    except UnsupportedError:
        assert not (isinstance(expected, Fraction) and _is_ordinary(args))
    else:
        if isinstance(expected, Fraction) and _is_ordinary(args):
            assert found == expected
        elif math.isinf(expected):  # exact numbers do not overflow
            assert abs(found) > Fraction(1e308)
        else:
            _assert_double(float(found), expected)


def _has_interval(row: Row) -> bool:
    """Not ``where``, which has a test of its own, and not exp(1e300), an enclosure of no use."""
    op, args, _, _ = row
    return op != "where" and not (op in ("exp", "sinh", "cosh") and abs(args[0]) > 1e9)


@pytest.mark.parametrize("row", [row for row in FINITE if _has_interval(row)], ids=_name)
def test_intervals(row: Row) -> None:
    op, args, n, expected = row
    found = _apply(INTERVAL, op, [INTERVAL.const(_exact(x)) for x in args], n)
    assert isinstance(found, Interval)
    if not math.isfinite(expected):
        is_overflow = all(map(math.isfinite, args)) and max(map(abs, args)) > 1e9
        assert found.is_bounded == (is_overflow and not math.isnan(expected))
        return
    low, high = found.bounds()
    exact = Fraction(expected)
    margin = abs(exact) * Fraction(1, 10**15) + Fraction(1, 10**290)
    assert low - margin <= exact <= high + margin
    assert high - low <= 20 * margin


def test_interval_where_is_the_hull_if_undecided() -> None:
    A = INTERVAL
    two, five = A.const(2), A.const(5)
    maybe = A.binary("lt", A.between(0, 1), A.between(Fraction(1, 2), 2))
    assert maybe.bounds() == (0, 1)
    assert A.where(maybe, two, five).bounds() == (2, 5)
    assert A.where(A.const(-3), two, UNBOUNDED).bounds() == (2, 2)
    assert A.where(A.const(0), UNBOUNDED, five).bounds() == (5, 5)
    assert not A.where(maybe, two, UNBOUNDED).is_bounded
    assert A.unary("sign", A.between(-1, 0)).bounds() == (-1, 0)
    assert A.unary("sign", A.between(-1, 2)).bounds() == (-1, 1)


def _has_sympy(row: Row) -> bool:
    """SymPy computes the others digit by digit: 1e300 at full length."""
    small = ("abs", "sign", "min", "max", "lt", "le", "eq")
    return max(map(abs, row[1])) < 1e9 or row[0] in small


@pytest.mark.parametrize("row", [row for row in FINITE if _has_sympy(row)], ids=_name)
def test_sympy(row: Row) -> None:
    op, args, n, expected = row
    found = sympy.sympify(_apply(SYMPY, op, [SYMPY.const(_exact(x)) for x in args], n))
    if isinstance(expected, Fraction) and _is_ordinary(args):
        assert found == sympy.Rational(expected.numerator, expected.denominator)
    elif not math.isfinite(expected):
        # SymPy's infinity in a quotient has no sign
        assert found in (sympy.nan, sympy.zoo, sympy.oo, -sympy.oo)
    else:
        _assert_double(float(found.evalf(20)), expected)


@pytest.mark.parametrize("row", FINITE, ids=_name)
def test_graph_nodes_and_terms(row: Row) -> None:
    """Built from constants, whatever folds; then evaluated as doubles."""
    op, args, n, expected = row
    graph = Graph()
    algebra = GraphAlgebra(graph)
    build: list[Callable[[], Any]] = [
        lambda: evaluate(
            graph,
            [_apply(algebra, op, [algebra.const(_exact(x)) for x in args], n).id],
            FLOAT64,
            {},
        )[0],
    ]
    if op != "div":  # a Term is made of a file's numbers: its division by zero is refused there
        terms = TermAlgebra()
        build.append(lambda: lift([_term(terms, op, args, n)], FLOAT64, {})[0])
    for make in build:
        try:
            found = make()
        except ZeroDivisionError:
            assert op in ("div", "powi")
            assert not math.isfinite(expected)
            continue
        _assert_double(float(found), expected)


def _term(terms: TermAlgebra, op: str, args: Sequence[Number], n: int) -> Term:
    return _apply(terms, op, [terms.const(_exact(x)) for x in args], n)


def test_case_c37_cube_root_of_a_negative_number() -> None:
    minus_eight = Fraction(-8)
    assert FLOAT64.unary("cbrt", -8.0) == -2.0
    assert float(ARRAYS.unary("cbrt", np.asarray(-8.0))) == -2.0
    assert RATIONAL.unary("cbrt", minus_eight) == -2
    assert float(MP.unary("cbrt", MP.const(-8))) == pytest.approx(-2.0, rel=1e-15)
    assert INTERVAL.unary("cbrt", INTERVAL.const(-8)).contains(-2)
    assert SYMPY.unary("cbrt", SYMPY.const(-8)) == -2
    graph = Graph()
    assert GraphAlgebra(graph).unary("cbrt", graph.constant(-8)) == graph.constant(-2)
    # x^(1/3) means the real power, which has no value there, in every kind
    third = Fraction(1, 3)
    assert math.isnan(FLOAT64.binary("pow", -8.0, float(third)))
    assert np.isnan(ARRAYS.binary("pow", np.asarray(-8.0), np.asarray(float(third))))
    assert MP.binary("pow", MP.const(-8), MP.const(third)) != MP.number(0) * 0 - 2
    assert not INTERVAL.binary("pow", INTERVAL.const(-8), INTERVAL.const(third)).is_bounded
    assert SYMPY.binary("pow", SYMPY.const(-8), SYMPY.const(third)) is sympy.nan
    with pytest.raises(UnsupportedError, match="pow"):
        RATIONAL.binary("pow", minus_eight, third)


@pytest.mark.parametrize(
    ("x", "expected"), [(0.0, 0.0), (-0.0, 0.0), (2.0, 1.0), (-1e-300, -1.0), (math.nan, math.nan)]
)
def test_case_c46_sign(x: float, expected: float) -> None:
    found = [
        FLOAT64.unary("sign", x),
        float(ARRAYS.unary("sign", np.asarray(x))),
        float(MP.unary("sign", MP.number(x))),
    ]
    if math.isfinite(x):
        found.append(float(RATIONAL.unary("sign", Fraction(x))))
        found.append(float(SYMPY.unary("sign", SYMPY.const(Fraction(x)))))
        found.append(float(INTERVAL.unary("sign", INTERVAL.const(Fraction(x))).bounds()[0]))
    for value in found:
        assert value == expected or (math.isnan(value) and math.isnan(expected))
