"""The C target: strict compilation at every level, batches, splitting, inclusion from C++."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from symdyn.codegen.generate import generate
from symdyn.codegen.spec import Constant, Unit
from symdyn.codegen.target import Target
from symdyn.codegen.targets import TARGETS
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.io.load import load_robot
from symdyn.recipes import derive
from symdyn.unit import build_unit
from tests.codegen.building import STRICT, CLibrary, argument, function, load_numpy, unit
from tests.oracles import need_program


def _arm() -> Unit:
    robot = load_robot("scara")
    functions = (
        "inverse_dynamics",
        "forward_dynamics",
        "mass_matrix",
        "kinetic_energy",
        "friction_torque",
    )
    return build_unit(robot, derive(robot, functions))


@pytest.fixture(scope="module")
def arm() -> Unit:
    return _arm()


@pytest.mark.parametrize(
    "flags",
    [
        ("-O0",), ("-O1",), ("-O2",), ("-O3",), ("-O3", "-march=native"),
        ("-O2", "-DSCARA_LANES=1"),
        ("-O2", "-DSCARA_LANES=16"), ("-O2", "-ffast-math"), ("-O2", "-fsanitize=undefined"),
        ("-O2", "-Wshadow", "-Wconversion", "-Wstrict-prototypes", "-Wundef"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_the_self_test_passes_without_warnings(
    arm: Unit, flags: tuple[str, ...], tmp_path: Path
) -> None:
    gcc = need_program("gcc")
    for name, text in generate(arm, "c").items():
        (tmp_path / name).write_text(text)
    program = tmp_path / "test"
    strict = [f for f in STRICT if "-ffast-math" not in flags or f != "-Werror"]
    subprocess.run(
        [gcc, *strict, *flags, "-DSYMDYN_SELF_TEST_MAIN", "scara.c", "-o", program, "-lm"],
        cwd=tmp_path,
        check=True,
    )
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "scara: 0 wrong numbers\n", "")


def test_the_self_test_finds_a_wrong_sign(arm: Unit, tmp_path: Path) -> None:
    texts = generate(arm, "c")
    right = texts["scara.c"]
    texts["scara.c"] = right.replace(" = cosines[0] * ", " = -cosines[0] * ", 1)
    assert texts["scara.c"] != right
    library = CLibrary(arm, tmp_path, texts=texts)
    assert library.raw("scara_self_test")() > 0


@pytest.mark.parametrize("count", [0, 1, 3, 8, 17])
def test_batches_of_any_size(arm: Unit, count: int, tmp_path: Path) -> None:
    library = CLibrary(arm, tmp_path)
    assert arm.self_test is not None
    rng = np.random.default_rng(count)
    for spec in arm.functions:
        given = [
            np.array(arm.self_test.inputs[a.name])
            if a.shared
            else rng.normal(size=(count, *a.shape))
            for a in spec.arguments
        ]
        found = library.many(spec.name, count, *given)
        for k in range(count):
            one = [g if a.shared else g[k] for a, g in zip(spec.arguments, given, strict=True)]
            expected = library.one(spec.name, *one)
            scale = max(1.0, float(np.max(np.abs(expected))))
            np.testing.assert_allclose(found[k], expected, rtol=1e-12, atol=1e-12 * scale)


def test_the_header_can_be_included_from_cpp(arm: Unit, tmp_path: Path) -> None:
    gpp = need_program("g++")
    gcc = need_program("gcc")
    for name, text in generate(arm, "c").items():
        (tmp_path / name).write_text(text)
    (tmp_path / "main.cpp").write_text(
        '#include <complex>\n#include <complex.h>\n#include "scara.h"\n#include "scara.h"\n'
        "int main() { return scara_self_test(); }\n"
    )
    subprocess.run([gcc, *STRICT, "-c", "scara.c", "-o", "scara.o"], cwd=tmp_path, check=True)
    subprocess.run(
        [gpp, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "main.cpp", "scara.o", "-o", "main"],
        cwd=tmp_path,
        check=True,
    )
    subprocess.run([tmp_path / "main"], check=True)


def _long_unit() -> tuple[Unit, list[float]]:
    graph = Graph()
    A = GraphAlgebra(graph)
    q = [graph.symbol(f"q{k}") for k in range(5)]
    t, m = graph.symbol("t"), graph.symbol("m")
    node, others = q[0], list[Node]()
    for k in range(400):
        node = node * A.cos(q[k % 5]) + q[(k + 1) % 5] * (m + graph.constant(k)) - t
        others.append(A.sin(node))
    arguments = [
        argument("q", q),
        argument("t", [t], ()),
        argument("m", [m], (), shared=True),
    ]
    entries = [node, others[7], A.unary("tanh", m), graph.constant(4), t, A.cos(q[1])]
    return unit(function(graph, arguments, entries, (2, 3))), [0.1, -0.4, 0.3, 0.2, -0.6, 0.01, 0.5]


@pytest.mark.parametrize("limit", [60, 10**6])
def test_long_programs_are_split_into_parts(limit: int, tmp_path: Path) -> None:
    made, state = _long_unit()
    target = TARGETS["c"]
    small = Target(
        target.name, target.title, limit, 10**6, 10**6, target.order, target.emit,
        target.entry_points,
    )  # fmt: skip
    texts = dict(target.emit(made, small))
    assert ("unit_f_part3(" in texts["unit.c"]) == (limit == 60)
    library = CLibrary(made, tmp_path, texts=texts)
    inputs = (state[:5], state[5], state[6])
    expected = load_numpy(made).f(*inputs)
    np.testing.assert_allclose(library.one("f", *inputs), expected, rtol=1e-9)
    states = np.tile(state[:5], (11, 1))
    found = library.many("f", 11, states, np.full(11, state[5]), state[6])
    np.testing.assert_allclose(found, np.broadcast_to(expected, (11, 2, 3)), rtol=1e-9)


def test_very_long_functions_loop_over_their_states(tmp_path: Path) -> None:
    made, state = _long_unit()
    target = TARGETS["c"]
    small = Target(
        target.name, target.title, 10**6, 10, 10, target.order, target.emit, target.entry_points
    )
    library = CLibrary(made, tmp_path, texts=dict(target.emit(made, small)))
    states = np.tile(state[:5], (3, 1))
    found = library.many("f", 3, states, np.full(3, state[5]), state[6])
    np.testing.assert_array_equal(found[2], library.one("f", state[:5], state[5], state[6]))


def test_constants_are_carried(tmp_path: Path) -> None:
    graph = Graph()
    x = graph.symbol("x")
    constants = (
        Constant("theta", (0.1, -1e300), "numbers"),
        Constant("names", ("a\\b", 'c"d', "é??/", "")),
        Constant("none", ()),
        Constant("long", "x" * 9000),
        Constant("short", "two\nlines"),
    )
    made = Unit("u", (function(graph, [argument("x", [x])], [x]),), constants, (), None, "0")
    for name, text in generate(made, "c").items():
        (tmp_path / name).write_text(text)
    (tmp_path / "main.c").write_text(
        '#include "u.h"\n#include <string.h>\n'
        "int main(void) { return !(u_theta[0] == 0.1 && u_theta[1] == -1e300\n"
        '  && !strcmp(u_names[0], "a\\\\b") && !strcmp(u_names[1], "c\\"d")\n'
        '  && !strcmp(u_names[2], "\\303\\251?\\?/") && !*u_names[3]\n'
        '  && strlen(u_long) == 9000 && !strcmp(u_short, "two\\nlines")); }\n'
    )
    gcc = need_program("gcc")
    subprocess.run([gcc, *STRICT, "main.c", "u.c", "-o", "main", "-lm"], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "main"], check=True)


def test_nothing_is_allocated_and_nothing_is_global(arm: Unit) -> None:
    source = generate(arm, "c")["scara.c"]
    assert "malloc" not in source
    body = source[: source.index("_differs(")]
    assert "\nstatic double" not in body
    assert "static double" not in body


def test_sine_and_cosine_are_vectorised(arm: Unit, tmp_path: Path) -> None:
    gcc = need_program("gcc")
    for name, text in generate(arm, "c").items():
        (tmp_path / name).write_text(text)
    done = subprocess.run(
        [gcc, "-std=c11", "-O3", "-mavx2", "-mfma", "-S", "scara.c", "-o", "-"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        pytest.skip("the compiler does not know AVX2")
    packed = re.findall(r"v(?:mul|add|sub|fn?m\w+)pd\t.*%ymm", done.stdout)
    assert len(packed) > 300
    # libm is called by the fall-back for large angles alone
    assert len(re.findall(r"(?:call|jmp)\tsin\b", done.stdout)) <= 2


@pytest.mark.parametrize("varying", [0, 1, 3])
def test_results_that_are_mostly_constant(varying: int, tmp_path: Path) -> None:
    graph = Graph()
    x = graph.symbol("x")
    constants = [graph.constant(k // 10) for k in range(30)]
    entries = [*constants, *[x * x] * varying, graph.constant(7)]
    made = unit(function(graph, [argument("x", [x])], entries))
    wanted = [*(k // 10 for k in range(30)), *[9.0] * varying, 7.0]
    library = CLibrary(made, tmp_path)
    assert library.one("f", [3.0]).tolist() == wanted
    assert library.many("f", 11, np.full((11, 1), 3.0)).tolist() == [wanted] * 11
    module = load_numpy(made)
    assert module.f([3.0]).tolist() == wanted
    assert module.f(np.full((2, 1), 3.0)).tolist() == [wanted] * 2


def test_long_rows_survive_full_optimisation(tmp_path: Path) -> None:
    # GCC 12 took one operand of a 512-bit unpack twice where it spilled the other: entries of the
    # Slotine-Li regressor of the Panda came out wrong in every second state, at -O3 -march=native
    robot = load_robot("panda")
    made = build_unit(robot, derive(robot, ["slotine_li_regressor", "momentum_map"]))
    library = CLibrary(made, tmp_path)
    rng = np.random.default_rng(5)
    for spec in made.functions:
        given = [rng.normal(size=(16, 7)) for _ in spec.arguments]
        found = library.many(spec.name, 16, *given)
        for k in range(16):
            expected = library.one(spec.name, *[g[k] for g in given])
            np.testing.assert_allclose(found[k], expected, rtol=1e-11, atol=1e-12)


def test_one_array_may_be_given_for_two_arguments(arm: Unit, tmp_path: Path) -> None:
    gcc = need_program("gcc")
    for name, text in generate(arm, "c").items():
        (tmp_path / name).write_text(text)
    (tmp_path / "main.c").write_text(
        '#include "scara.h"\n'
        "int main(void) { double zero[4] = {0}, tau[4];\n"
        "  scara_inverse_dynamics(zero, zero, zero, scara_theta, tau); return tau[0] != 0.0; }\n"
    )
    subprocess.run(
        [gcc, *STRICT, "-O2", "main.c", "scara.c", "-o", "main", "-lm"], cwd=tmp_path, check=True
    )
    subprocess.run([tmp_path / "main"], check=True)
    (tmp_path / "short.c").write_text(
        '#include "scara.h"\n'
        "int main(void) { double q[3] = {0}, M[16];\n"
        "  scara_mass_matrix(q, scara_theta, M); return 0; }\n"
    )
    done = subprocess.run(
        [gcc, *STRICT, "-O2", "-c", "short.c"], cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "array" in done.stderr or "bytes" in done.stderr
