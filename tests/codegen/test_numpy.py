"""The NumPy target: shapes, batches, broadcasting, errors, splitting, self-test."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from symdyn.codegen.generate import generate
from symdyn.codegen.spec import Constant, SelfTest, Unit
from symdyn.expr.graph import Graph, GraphAlgebra
from tests.codegen.building import argument, function, load_numpy, scalars, unit


def _two_joints() -> Unit:
    """y(q [2], m scalar) = [[m sin q0, 0], [q0 q1, 1/3]] and a scalar."""
    graph = Graph()
    A = GraphAlgebra(graph)
    q = [graph.symbol("q0"), graph.symbol("q1")]
    m = graph.symbol("m")
    arguments = [argument("q", q), argument("m", [m], (), shared=True)]
    third = graph.constant(Fraction(1, 3))
    matrix = [m * A.sin(q[0]), graph.constant(0), q[0] * q[1], third]
    test = SelfTest(
        {"q": (0.5, -2.0), "m": (3.0,)},
        {"matrix": (3 * math.sin(0.5), 0.0, -1.0, 1 / 3), "energy": (math.cos(-2.0),)},
        1e-14,
    )
    return Unit(
        "two",
        (
            function(graph, arguments, matrix, (2, 2), "matrix"),
            function(graph, arguments[:1], [A.cos(q[1])], (), "energy"),
        ),
        (Constant("theta", (1.5, 2.0), "values"), Constant("joint_names", ("a", "b"))),
        (),
        test,
        "sha256:0",
    )


@pytest.fixture(scope="module")
def module() -> ModuleType:
    return load_numpy(_two_joints())


def test_one_state(module: ModuleType) -> None:
    found = module.matrix([0.5, -2], 3)
    assert found.tolist() == [[3 * math.sin(0.5), 0.0], [-1.0, 1 / 3]]
    assert type(module.energy([0.5, -2.0])) is float


@pytest.mark.parametrize("batch", [(1,), (5,), (2, 3), (0,), (3000,)])
def test_batches(module: ModuleType, batch: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    q = rng.normal(size=(*batch, 2))
    found = module.matrix(q, 3.0)
    assert found.shape == (*batch, 2, 2)
    assert module.energy(q).shape == batch
    np.testing.assert_allclose(found[..., 0, 0], 3 * np.sin(q[..., 0]), rtol=1e-15)
    assert np.all(found[..., 0, 1] == 0)
    assert np.all(found[..., 1, 1] == 1 / 3)
    np.testing.assert_array_equal(found[..., 1, 0], q[..., 0] * q[..., 1])


def test_batches_broadcast(module: ModuleType) -> None:
    q = np.arange(6.0).reshape(3, 1, 2)
    m = np.array([1.0, 2.0])
    found = module.matrix(q, m)
    assert found.shape == (3, 2, 2, 2)
    np.testing.assert_allclose(found[2, 1, 0, 0], 2 * np.sin(4.0))


def test_inputs_are_not_changed(module: ModuleType) -> None:
    q = np.ones((4, 2))
    module.matrix(q, 1.0)[:] = 7
    assert np.all(q == 1)
    with pytest.raises(ValueError, match="read-only"):
        module.THETA[0] = 2.0


@pytest.mark.parametrize(
    ("q", "m", "message"),
    [
        ([1.0, 2.0, 3.0], 1.0, r"matrix: q has shape \(3,\); expected shape \(2,\)"),
        (1.0, 1.0, r"matrix: q has shape \(\); expected shape \(2,\)"),
        (np.ones((2, 3)), 1.0, r"q has shape \(2, 3\)"),
        (np.ones((4, 2)), np.ones(3), r"batch axes do not fit together: q \(4,\), m \(3,\)"),
    ],
)
def test_wrong_shapes(module: ModuleType, q: object, m: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        module.matrix(q, m)


@pytest.mark.parametrize("q", [[1j, 2.0], ["a", "b"], {}, [[1.0, 2.0], [3.0]]])
def test_what_is_no_number(module: ModuleType, q: object) -> None:
    with pytest.raises(TypeError, match="matrix: q is no array of real numbers"):
        module.matrix(q, 1.0)


def test_division_by_zero_does_not_raise_or_warn() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    (x,), arguments = scalars(graph, ["x"])
    safe = A.where(A.binary("eq", x, graph.constant(0)), graph.constant(1), A.sin(x) / x)
    made = load_numpy(unit(function(graph, arguments, [safe], ())))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert made.f(0.0) == 1.0
        assert made.f(np.array([0.0, 0.5])).tolist() == [1.0, math.sin(0.5) / 0.5]


def test_no_arguments() -> None:
    graph = Graph()
    made = load_numpy(unit(function(graph, [], [graph.constant(2), graph.constant(3)])))
    assert made.f().tolist() == [2.0, 3.0]


def test_a_split_function_gives_the_same() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    q = [graph.symbol(f"q{k}") for k in range(3)]
    node = q[0]
    for k in range(3000):
        node = node * A.cos(q[k % 3]) + q[(k + 1) % 3]
    made = unit(function(graph, [argument("q", q)], [node, -node, A.sin(q[1])]))
    (text,) = generate(made, "numpy").values()
    assert "_f_part2(" in text
    module = load_numpy(made)
    state = [0.3, -0.4, 0.5]
    expected = state[0]
    for k in range(3000):
        expected = expected * math.cos(state[k % 3]) + state[(k + 1) % 3]
    assert module.f(state).tolist() == [expected, -expected, math.sin(state[1])]
    np.testing.assert_allclose(module.f(np.array([state] * 3))[2], module.f(state), rtol=1e-12)


def test_the_file_tests_itself(module: ModuleType, tmp_path: Path) -> None:
    assert set(module.self_test()) == {"matrix", "energy"}
    ((name, text),) = generate(_two_joints(), "numpy").items()
    (tmp_path / name).write_text(text)
    done = subprocess.run(
        [sys.executable, name], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "matrix: largest error" in done.stdout
    wrong = text.replace("t0 = m * ", "t0 = -m * ")
    assert wrong != text
    (tmp_path / name).write_text(wrong)
    done = subprocess.run(
        [sys.executable, name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "matrix: error" in done.stderr


def test_the_documentation_says_shapes_and_units(module: ModuleType) -> None:
    assert "q [2]" in module.matrix.__doc__
    assert "m scalar" in module.matrix.__doc__
    assert "gives y [2,2]" in module.matrix.__doc__
    assert "operations: 0 add 2 mul 0 div 1 sin" in module.matrix.__doc__
    assert "Generated by symdyn. Do not edit." in module.__doc__
