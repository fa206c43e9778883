"""The benchmarks measure what they say; operation counts, being exact, are held against rivals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import cited, generalized, growth, servo
from benchmarks.__main__ import main
from benchmarks.derivation import count_operations, measure_memory
from benchmarks.numbers import as_numbers, mass_parameters
from benchmarks.rivals.protocol import entries
from benchmarks.runtime import STATES, random_states, time_robot
from benchmarks.tables import Table, as_markdown, as_text
from symdyn._errors import UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.crosscheck.states import position_ranges
from symdyn.expr.measure import OperationCounts
from symdyn.io.load import load_robot
from symdyn.model.over import over
from symdyn.model.robot import JointKind
from symdyn.recipes import Inertial
from tests.oracles import need_program
from tests.robots import random_robot


@pytest.fixture(scope="module")
def our_counts() -> dict[tuple[str, str], dict[str, OperationCounts]]:
    keys: set[tuple[str, Inertial]] = {
        (entry.robot, mode)
        for entry in cited.COUNTS
        for mode in ("symbolic", "numeric", "base")
        if mode == entry.inertial
    }
    return {(robot, mode): count_operations(robot, mode) for robot, mode in keys}


@pytest.mark.parametrize(
    "rival", cited.COUNTS, ids=lambda c: f"{c.program}-{c.robot}-{c.function}-{c.inertial}"
)
def test_fewer_operations_than_every_cited_rival(
    rival: cited.CitedCount,
    our_counts: dict[tuple[str, str], dict[str, OperationCounts]],
) -> None:
    ours = our_counts[rival.robot, rival.inertial][rival.function]
    assert ours.add + ours.mul < rival.add + rival.mul


def test_growth_is_linear_and_quadratic() -> None:
    rows = growth.measure(lambda _: None, (10, 20))
    for function, power in growth.FUNCTIONS.items():
        operations, _ = growth.exponent(rows, function)
        assert power - 0.2 < operations < power + 0.15, function


def test_numbers_hold_the_robot_to_the_last_digit() -> None:
    robot = random_robot(9, 4, kinds=(JointKind.REVOLUTE, JointKind.HELICAL))
    values = [float(word) for word in as_numbers(robot).split()]
    model, n = over(robot, FLOAT64), robot.n_bodies
    assert values[0] == n
    assert tuple(values[1:4]) == model.gravity
    per_joint = np.array(values[4:]).reshape(n, -1)
    for row, link in zip(per_joint, model.links, strict=True):
        assert row[1] == link.parent
        assert tuple(row[2:5]) == link.axis
        assert tuple(row[14:17]) == link.translation
        assert (row[17], row[18]) == (link.pitch, link.armature)
    np.testing.assert_array_equal(per_joint[:, 19:29].ravel(), mass_parameters(robot))
    assert np.all(per_joint[:, 29:] == 1)


def test_mimic_joints_are_refused() -> None:
    robot = random_robot(11, 6, kinds=(JointKind.REVOLUTE,), mimic=True)
    with pytest.raises(UnsupportedError, match="mimic"):
        as_numbers(robot)


def test_states_are_the_same_for_all_and_keep_the_limits() -> None:
    robot = load_robot("panda")
    states = random_states(robot, "qdd")
    np.testing.assert_array_equal(states, random_states(robot, "qdd"))
    assert states.shape == (STATES, 21)
    for column, (low, high) in zip(states.T, position_ranges(robot), strict=False):
        assert low <= column.min()
        assert column.max() <= high


def test_results_have_the_sizes_of_the_functions() -> None:
    robot = load_robot("ur5")
    assert entries(robot, "regressor") == 360
    assert entries(robot, "coriolis_matrix") == 36
    assert entries(robot, "gravity_vector") == 6


def test_memory_is_that_of_the_child_not_of_this_process() -> None:
    found = measure_memory("planar2r")
    assert 0 < found["before"] <= found["after"] < 200
    assert found["nodes"] > 0


def test_tables_are_printed_aligned_and_as_markdown() -> None:
    table = Table("Title", ("robot", "ns"), (("a|b", "1"), ("panda", "12")), ("A note.",))
    text = as_text(table).splitlines()
    assert text[3:5] == ["a|b     1", "panda  12"]
    markdown = as_markdown(table)
    assert "| a\\|b | 1 |" in markdown
    assert "| --- | ---: |" in markdown


def test_command_prints_and_writes_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.json"
    assert main(["--parts", "derivation", "--robots", "planar2r", "--json", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "Derivation and export" in printed
    loaded = json.loads(path.read_text())
    assert loaded["derivation"][0]["robot"] == "planar2r"
    assert loaded["derivation"][0]["derive"] < 5


def test_the_gyroscopic_matrix_costs_less_than_the_coriolis_matrix() -> None:
    for row in generalized.costs(("planar2r", "panda"), lambda _: None):
        assert row.operations["gyroscopic_matrix"] <= 1.5 * row.operations["coriolis_matrix"]
        assert row.operations["inverse_dynamics"] < row.operations["generalized_inverse_dynamics"]


@pytest.mark.slow
def test_every_way_to_simulate_the_servo_gives_the_same_motion() -> None:
    need_program("gcc")
    rows = servo.measure(lambda _: None)
    assert len(rows) >= 5
    for row in rows:
        assert row.error < 1e-6, row.method


def test_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--parts", "speed"])
    assert "unknown part 'speed'" in capsys.readouterr().err


@pytest.mark.slow
def test_our_code_is_timed_after_it_was_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_program("gcc")
    monkeypatch.setenv("SYMDYN_BENCH_CACHE", str(tmp_path))
    monkeypatch.setattr("benchmarks.runtime.SHORTEST", 1e-4)
    run = time_robot("planar2r", load_robot("planar2r"), rivals=False)
    assert run.missing == {}
    for function, timings in run.functions.items():
        assert len(timings) == 7, function
        for timing in timings:
            assert timing.difference < 1e-12
            assert 0 < timing.nanoseconds < 1e6
