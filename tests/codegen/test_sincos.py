"""Our own sine and cosine in generated C, against 60-digit values."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
from mpmath import MPContext

from symdyn.codegen.spec import Unit
from symdyn.expr.graph import Graph, GraphAlgebra
from tests.codegen.building import STRICT, CLibrary, argument, function, unit

# the largest error found over 1e8 angles was 0.87 units in the last place, with and without fused
# multiply-add; the random angles here have to stay below that
WORST_ULPS = 0.9


def _unit() -> Unit:
    graph = Graph()
    A = GraphAlgebra(graph)
    q = [graph.symbol(f"q{k}") for k in range(6)]
    entries = [A.sin(x) for x in q] + [A.cos(x) for x in q]
    return unit(function(graph, [argument("q", q)], entries))


def _angles() -> list[float]:
    rng = random.Random(7)
    angles = [rng.uniform(-size, size) for size in (1e-8, 0.8, 4.0, 100.0, 1e5) for _ in range(240)]
    # neighbours of multiples of pi/2, where nearly everything cancels
    for _ in range(240):
        near = rng.randrange(-63661, 63662) * math.pi / 2
        angles.append(near + rng.randrange(-4, 5) * math.ulp(near))
    return [x for x in angles if abs(x) <= 1e5] + [0.0, -0.0, 5e-324, math.pi, 1e5, -1e5]


@pytest.fixture(scope="module", params=["-mno-fma", "-march=native"])
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> CLibrary:
    flags = (*STRICT, "-O2", request.param)
    return CLibrary(_unit(), tmp_path_factory.mktemp("sincos"), flags)


def _ulps(found: float, exact: object) -> float:
    wanted = float(exact)  # type: ignore[arg-type] # an mpf is a number
    return abs(float(found - exact)) / math.ulp(wanted) if wanted else abs(found)  # type: ignore[operator] # as above


@pytest.mark.parametrize("is_batch", [False, True], ids=["one state", "batch"])
def test_error_in_units_in_the_last_place(library: CLibrary, is_batch: bool) -> None:
    mp = MPContext()
    mp.dps = 60
    angles = _angles()
    angles += [0.5] * (-len(angles) % 6)
    rows = np.array(angles).reshape(-1, 6)
    if is_batch:
        found = library.many("f", len(rows), rows)
    else:
        found = np.array([library.one("f", row) for row in rows])
    worst = 0.0
    for row, values in zip(rows, found, strict=True):
        for k, x in enumerate(row):
            worst = max(
                worst, _ulps(values[k], mp.sin(float(x))), _ulps(values[6 + k], mp.cos(float(x)))
            )
    assert worst <= WORST_ULPS


def test_large_and_odd_angles_go_to_libm(library: CLibrary) -> None:
    row = [1e5 + 1e-9, -1e22, math.inf, math.nan, 0.5, -0.0]
    found = library.one("f", row)
    batch = library.many("f", 3, [[0.1] * 6, row, [0.2] * 6])
    for values in (found, batch[1]):
        assert np.isnan(values[[2, 3, 8, 9]]).all()
        for k in (0, 1, 4, 5):
            assert values[k] == pytest.approx(math.sin(row[k]), rel=2.5e-16, abs=0)
            assert values[6 + k] == pytest.approx(math.cos(row[k]), rel=2.5e-16)
    assert batch[0][0] == pytest.approx(math.sin(0.1), rel=2.5e-16)
    assert math.copysign(1.0, found[5]) == -1.0


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 7])
@pytest.mark.parametrize("kind", ["run", "computed", "scalars"])
def test_any_number_of_angles_from_anywhere(count: int, kind: str, tmp_path: Path) -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    q = [graph.symbol(f"q{k}") for k in range(count)]
    two = graph.constant(2)
    angles = [two * x for x in q] if kind == "computed" else q
    if kind == "scalars":
        arguments = [argument(f"q{k}", [x], ()) for k, x in enumerate(q)]
    else:
        arguments = [argument("q", q)]
    entries = [A.sin(x) for x in angles] + [A.cos(x) for x in angles]
    library = CLibrary(unit(function(graph, arguments, entries)), tmp_path)
    state = np.linspace(-2.0, 3.0, count)
    for scale in (1.0, 1e9):  # the second one goes to libm
        row = state * scale
        wanted = (2.0 if kind == "computed" else 1.0) * row
        expected = [*np.sin(wanted), *np.cos(wanted)]
        inputs = list(row) if kind == "scalars" else [row]
        np.testing.assert_allclose(library.one("f", *inputs), expected, rtol=3e-16, atol=0)
        many = [np.tile(x, (11,) + (1,) * np.ndim(x)) for x in inputs]
        found = library.many("f", 11, *many)
        np.testing.assert_allclose(found, [expected] * 11, rtol=3e-16, atol=0)
