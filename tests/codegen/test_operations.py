"""Each operation of the table in each target, at the edge values, compiled and run."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from symdyn.algebra.ops import OPS
from symdyn.codegen.spec import Argument, FunctionSpec, Result, Unit
from symdyn.codegen.targets import TARGETS
from symdyn.expr.graph import Graph
from tests.algebra.edge_table import BINARY, POWI, UNARY, WHERE, Number
from tests.codegen.building import FAST, STRICT, CLibrary, load_numpy, unit

Row = tuple[str, tuple[float, ...], int, Number]
ROWS: list[Row] = [
    *((op, (float(x),), 0, value) for op, x, value in UNARY),
    *((op, (float(x), float(y)), 0, value) for op, x, y, value in BINARY),
    *(("powi", (float(x),), n, value) for x, n, value in POWI if n not in (0, 1, 2)),
    *(("where", (float(c), float(a), float(b)), 0, value) for c, a, b, value in WHERE),
    # angles beyond the three-part reduction, and on both sides of its limit
    *(
        (op, (x,), 0, getattr(math, op)(x))
        for op in ("sin", "cos")
        for x in (1e5, 100001.0, -3e7, 1e300)
    ),
]
# one unit in the last place of libm, of NumPy's functions and of our sine and cosine; powers of
# 1e300 by squaring lose nothing that is seen at this tolerance
TOLERANCE = 4.5e-16


def _name(row: Row) -> str:
    return f"{row[0]}{row[1]}{row[2] or ''}"


def _functions() -> tuple[Unit, dict[tuple[str, int], str]]:
    """One function for each operation (each exponent of ``powi``)."""
    specs: list[FunctionSpec] = []
    names: dict[tuple[str, int], str] = {}
    for op, args, n, _ in ROWS:
        if (op, n) in names:
            continue
        graph = Graph()
        symbols = [graph.symbol(f"x{k}").id for k in range(len(args))]
        node = graph.rebuild(op, tuple(symbols), n if op == "powi" else None)
        name = f"{op}_{n}" if n >= 0 else f"{op}_minus{-n}"
        names[op, n] = name
        given = (Argument("x", (len(args),), tuple(symbols)),)
        specs.append(FunctionSpec(name, graph, given, Result("y", (), (node,))))
    return unit(*specs, name="operations"), names


UNIT, NAMES = _functions()


def _assert_double(found: float, expected: Number) -> None:
    if math.isnan(expected):
        assert math.isnan(found)
    elif math.isinf(expected) or expected == 0:
        assert found == expected
    else:
        assert found == pytest.approx(float(Fraction(expected)), rel=TOLERANCE, abs=0)


def test_every_operation_is_run() -> None:
    leaves = {op.name for op in OPS.values() if op.kind == "leaf"}
    assert {row[0] for row in ROWS} | leaves == set(OPS)


@pytest.fixture(scope="module")
def module() -> ModuleType:
    return load_numpy(UNIT)


@pytest.fixture(
    scope="module",
    params=[(*STRICT, "-O0"), FAST, (*STRICT, "-O2", "-DOPERATIONS_LANES=1")],
    ids=["O0", "native", "one lane"],
)
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> CLibrary:
    folder: Path = tmp_path_factory.mktemp("operations")
    return CLibrary(UNIT, folder, request.param)


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_numpy_one_state(module: ModuleType, row: Row) -> None:
    op, args, n, expected = row
    found = getattr(module, NAMES[op, n])(np.array(args))
    assert type(found) is float
    _assert_double(found, expected)


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_numpy_batch(module: ModuleType, row: Row) -> None:
    op, args, n, expected = row
    # neighbours that take the other branch must not disturb, nor may a warning appear
    states = np.array([np.ones(len(args)), args, np.zeros(len(args))])
    found = getattr(module, NAMES[op, n])(states)
    assert found.shape == (3,)
    _assert_double(float(found[1]), expected)


def test_c_one_state(library: CLibrary) -> None:
    for op, args, n, expected in ROWS:
        _assert_double(float(library.one(NAMES[op, n], args)), expected)


def test_c_batch(library: CLibrary) -> None:
    for op, args, n, expected in ROWS:
        states: Any = np.array([np.ones(len(args))] * 4 + [args] + [np.zeros(len(args))] * 6)
        found = library.many(NAMES[op, n], len(states), states)
        _assert_double(float(found[4]), expected)


def test_every_target_runs_the_table() -> None:
    # a new target gets its runs above, one state and batch
    assert set(TARGETS) == {"numpy", "c"}
