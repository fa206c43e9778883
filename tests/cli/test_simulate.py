"""``symdyn simulate``: the semantics is named, the creep speed printed, every fault one line."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from symdyn.cli.main import main
from tests.simulate.values import ARM
from tests.urdf_text import joint, link, robot


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(ARM)
    return path


def run(
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch | None = None,
    given: str = "",
) -> tuple[int, str, str]:
    if monkeypatch is not None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    try:
        status = main(["simulate", *arguments])
    except SystemExit as stop:
        status = int(stop.code or 0)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def record(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    status, out, err = run([*arguments, "--json"], capsys)
    assert (status, err) == (0, "")
    return json.loads(out)


def test_loaded_joint_holds(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run([str(arm), "--time", "60"], capsys)
    assert status == 0
    assert "60 s with ideal friction" in out
    assert "joints hold any load up to break-away" in out
    assert re.search(r"pivot +0\.4905 +1 +holds\n", out)
    found = record([str(arm), "--time", "60"], capsys)
    assert found["trajectory"]["q"][-1] == [0.0]
    assert found["rest"][0]["load"] == pytest.approx(0.4905, rel=1e-12)
    assert found["rest"][0]["creep_speed"] == 0.0


def test_creep_speed_is_printed(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(arm), "--time", "60", "--friction", "regularised", "--eps", "1e-3"]
    status, out, _ = run(arguments, capsys)
    assert status == 0
    assert "60 s with regularised friction" in out
    assert "creeps at 0.000536719" in out
    found = record(arguments, capsys)
    assert found["eps"] == 1e-3
    assert found["rest"][0]["creep_speed"] == pytest.approx(0.0005367185302276733, rel=1e-9)
    assert found["trajectory"]["qd"][1][0] == pytest.approx(0.0005367185302276733, rel=1e-4)


def test_bristles_give_way(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = record([str(arm), "--time", "2", "--friction", "dynamic", "--give", "1e-3"], capsys)
    assert found["laws"][0]["law"] == "lugre"
    assert found["laws"][0]["values"]["sigma0"] == pytest.approx(1e3)
    assert found["rest"][0]["give"] == pytest.approx(6.743e-4, rel=1e-3)
    assert found["rest"][0]["creep_speed"] is None


def test_fixed_steps_stick_too(arm: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = record([str(arm), "--time", "1", "--step", "0.01"], capsys)
    assert found["method"] == "Moreau's scheme, step 0.01 s"
    assert found["trajectory"]["qd"][-1] == [0.0]


def test_start_torque_and_controller(
    arm: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = json.dumps({"q": {"pivot": 0.5}, "qd": [1.0], "tau": [0.2]})
    arguments = ["--time", "20", "--kp", "400", "--kd", "4", "--target", "0.9", "--json"]
    status, out, _ = run([str(arm), "--start", "-", *arguments], capsys, monkeypatch, start)
    assert status == 0
    trajectory = json.loads(out)["trajectory"]
    assert trajectory["q"][0] == [0.5]
    assert trajectory["qd"][0] == [1.0]
    # drive = tau + kp (target - q) - kd qd
    assert trajectory["drive"][0][0] == pytest.approx(0.2 + 400 * 0.4 - 4)
    # it sticks where friction can hold what is left: within 1 N m + load over kp
    assert trajectory["q"][-1][0] == pytest.approx(0.9, abs=2 / 400)
    assert trajectory["qd"][-1] == [0.0]


def test_table_and_figures(arm: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, figure = tmp_path / "motion.csv", tmp_path / "motion.png"
    arguments = [str(arm), "--time", "1", "--samples", "10", "--csv", str(table)]
    assert run([*arguments, "--plot", str(figure)], capsys)[0] == 0
    rows = list(csv.reader(table.read_text().splitlines()))
    assert rows[0][:3] == ["t", "q[pivot]", "qd[pivot]"]
    assert [float(row[0]) for row in rows[1:]] == pytest.approx([0.1 * k for k in range(11)])
    assert figure.read_bytes().startswith(b"\x89PNG")
    before = figure.read_bytes()
    run([*arguments, "--plot", str(figure)], capsys)
    assert figure.read_bytes() == before
    drawing = tmp_path / "motion.svg"
    run([*arguments, "--plot", str(drawing)], capsys)
    assert "<svg" in drawing.read_text()


def test_a_robot_without_friction_says_so_and_leaves_its_limits_with_a_note(
    capsys: pytest.CaptureFixture[str],
) -> None:
    status, out, _ = run(["planar2r", "--time", "2"], capsys)
    assert status == 0
    assert "note: No joint has friction." in out
    status, out, _ = run(["scara", "--time", "1"], capsys)
    assert "'slide' is beyond its limits" in out


@pytest.mark.parametrize(
    ("arguments", "given", "message"),
    [
        (["planar2r"], "", "--time"),
        (["planar2r", "--time", "soon"], "", "invalid float"),
        (["planar2r", "--time", "0"], "", "time and number of samples have to be positive"),
        (["planar2r", "--time", "nan"], "", "time and number of samples have to be positive"),
        (["planar2r", "--time", "1", "--samples", "0"], "", "number of samples"),
        (["planar2r", "--time", "1", "--step", "2"], "", "at most the time"),
        (["planar2r", "--time", "1", "--eps", "0"], "", "eps has to be positive"),
        (["planar2r", "--time", "1", "--friction", "none"], "", "invalid choice"),
        (["planar2r", "--time", "1", "--kp", "1,2,3"], "", "--kp: 3 numbers for 2 joints"),
        (["planar2r", "--time", "1", "--kd", "1,inf"], "", "--kd: no list of finite numbers"),
        (["planar2r", "--time", "1", "--target", "up"], "", "--target: no list"),
        (["planar2r", "--time", "1", "--signal", "load"], "", "--signal: no signal"),
        (["planar2r", "--time", "1", "--signal", "load=nan"], "", "--signal: no signal"),
        (["planar2r", "--time", "1", "--plot", "x.pdf"], "", "ends in .png or .svg"),
        (["planar2r", "--time", "1", "--start", "-"], '{"qdd": [1, 2]}', "qdd is nothing"),
        (["planar2r", "--time", "1", "--start", "-"], '{"q": [1]}', "q has 1 entry"),
        (["planar2r", "--time", "1", "--start", "-"], "[", "no JSON"),
        (
            ["planar2r", "--time", "1", "--start", "no_such.json"],
            "",
            r"no_such\.json: there is no such",
        ),
        (["no_such_robot", "--time", "1"], "", "no robot 'no_such_robot'"),
    ],
)
def test_every_fault_is_one_line_and_status_2(
    arguments: list[str],
    given: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(arguments, capsys, monkeypatch, given)
    assert (status, out) == (2, "")
    assert err.startswith("symdyn: error: ")
    assert err.count("\n") == 1
    assert re.search(message, err), err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("option", "got"),
    [("--kp", "1,2,3"), ("--kd", "1,2,3"), ("--target", "0,0,0")],
)
def test_too_many_numbers_are_counted(
    option: str, got: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = run(["planar2r", "--time", "1", option, got], capsys)
    assert status == 2
    assert f"{option}: 3 numbers for 2 joints; expected one number, or 2 separated by" in err


@pytest.mark.parametrize("option", ["--csv", "--plot", "--start"])
def test_an_empty_path_is_no_path(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(["planar2r", "--time", "1", option, ""], capsys)
    assert status == 2
    assert f"argument {option}: the path is empty" in err


@pytest.mark.parametrize("option", ["--csv", "--plot"])
def test_an_output_does_not_replace_the_robot(
    option: str, arm: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robot = tmp_path / "robot.svg.urdf"
    robot.write_bytes(arm.read_bytes())
    link = tmp_path / "link.svg"
    link.symlink_to(robot)
    assert main(["simulate", str(robot), "--time", "0.1", option, str(link)]) == 2
    error = capsys.readouterr().err
    assert "is one that is read or written besides" in error
    assert error.count("\n") == 1
    assert robot.read_bytes() == arm.read_bytes()


@pytest.mark.parametrize("option", ["--csv", "--plot"])
def test_a_place_that_cannot_be_written_says_what_to_do(
    option: str, tmp_path: Path, arm: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "none" / "a.png"
    status, _, err = run([str(arm), "--time", "0.01", option, str(target)], capsys)
    assert status == 2
    assert "there is no such file or directory. Make the directory first" in err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--kp", "1e12"], "too stiff to be followed for so long; expected a time of at most"),
        (["--kd", "1e12"], "Take smaller gains or a shorter time"),
        (["--kp", "-5"], "a gain is negative: the controller drives away"),
        (["--kp", "1e200"], "--kp: a number is too large; expected sizes up to 1e100"),
        (["--target", "1e308"], "--target: a number is too large"),
        (["--samples", "100000000000"], "too many samples are wanted; expected at most 1,000,000"),
        (["--time", "1e300"], "the simulated time is too long; expected at most 1e+06 s"),
        (["--step", "1e-300"], "the step is too small for the time; expected at most 100,000,000"),
        (["--step", "nan"], "the step has to be positive"),
        (["--signal", "temperature=3"], "no friction law of the robot has the signal"),
    ],
)
def test_what_would_never_end_is_refused_at_once(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.process_time()
    status, out, err = run(["planar2r", "--time", "1", *options], capsys)
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert time.process_time() - began < 5


def test_a_joint_that_moves_no_mass_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.urdf"
    elements = (link("base"), link("a", "1", "0.5 0 0", "0.1 0.1 0.1"), link("b", "0.4", "0 0 1"))
    path.write_text(robot(*elements, joint("j1", "base", "a"), joint("j2", "a", "b")))
    status, _, err = run([str(path), "--time", "1"], capsys)
    assert status == 2
    assert "M(q) is singular for all q: joint j2: rotational inertia about its axis is 0" in err
    assert "`symdyn show` tells more" in err


def test_a_joint_that_moves_no_mass_at_the_start_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # a point mass on the axis of the first joint, as long as the second stands at 0
    path = tmp_path / "r.urdf"
    elements = (link("base"), link("a"), link("b", "1", "0 0 1"))
    joints = (joint("j1", "base", "a"), joint("j2", "a", "b", axis="1 0 0"))
    path.write_text(robot(*elements, *joints))
    status, _, err = run([str(path), "--time", "1"], capsys)
    assert status == 2
    assert "M(q) is singular at the start: joints j1 can move without moving mass" in err


def test_a_motion_beyond_doubles_is_one_line_and_no_nan(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = '{"tau": [1e90, 0], "qd": [1e90, 0]}'
    status, out, err = run(
        ["planar2r", "--time", "1", "--start", "-", "--step", "0.01", "--json"],
        capsys,
        monkeypatch,
        start,
    )
    assert (status, out) == (2, "")
    assert "the velocity stops being finite at t =" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("start", ['{"qd": [1e20, 1]}', '{"qd": [0, -1e90]}', '{"tau": [1e30, 0]}'])
def test_a_start_that_turns_a_joint_without_end_is_refused(
    start: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["planar2r", "--time", "0.01", "--start", "-"]
    status, out, err = run(arguments, capsys, monkeypatch, start)
    assert (status, out) == (2, "")
    assert "would turn without end; expected a " in err
    assert err.count("\n") == 1


def test_an_argument_with_a_line_break_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(["planar2r", "--time", "1", "x\ny"], capsys)
    assert status == 2
    assert err.count("\n") == 1
