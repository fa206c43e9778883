"""``show`` and ``eval``: what they print, and one clear line for every fault."""

from __future__ import annotations

import io
import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from symdyn.cli.main import main
from symdyn.recipes import FORWARD_FUNCTIONS, FUNCTIONS

PENDULUM = """<?xml version="1.0"?>
<robot name="pendulum">
  <link name="base"/>
  <link name="bob"><inertial><origin xyz="0 0 -0.5" rpy="0 0 0"/><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <joint name="pivot" type="revolute"><parent link="base"/><child link="bob"/>
    <axis xyz="0 1 0"/><limit lower="-3" upper="3" effort="100" velocity="10"/>
    <dynamics damping="0.3" friction="0.7"/></joint>
</robot>
"""


@pytest.fixture
def pendulum(tmp_path: Path) -> Path:
    path = tmp_path / "pendulum.urdf"
    path.write_text(PENDULUM)
    return path


def run(
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch | None = None,
    given: bytes = b"",
) -> tuple[int, str, str]:
    if monkeypatch is not None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = int(stop.code or 0)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def evaluate(
    robot: Path | str,
    state: object,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> dict[str, Any]:
    text = state if isinstance(state, bytes) else json.dumps(state).encode()
    status, out, err = run(["eval", str(robot), "--state", "-"], capsys, monkeypatch, text)
    assert (status, err) == (0, "")
    return json.loads(out)


def test_every_function_has_a_number_under_its_name(
    pendulum: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = evaluate(pendulum, {}, capsys, monkeypatch)
    of_friction = {name for name in answer if "friction" in name}
    assert set(answer) == {"joints", "bodies", "notes", *FUNCTIONS, *of_friction}
    assert of_friction == {
        "friction_torque", "inverse_dynamics_with_friction", "forward_dynamics_with_friction",
        "friction_bounds", "friction_regressor",
    }  # fmt: skip
    assert answer["joints"] == ["pivot"]
    assert answer["bodies"] == ["bob"]


def test_pendulum_by_hand(
    pendulum: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    q, qd, qdd = 0.6, 2.0, 1.1
    state = {"q": [q], "qd": {"pivot": qd}, "qdd": [qdd], "tau": [0.5]}
    answer = evaluate(pendulum, state, capsys, monkeypatch)
    inertia, torque = 0.1 + 2 * 0.5**2, 2 * 9.81 * 0.5 * math.sin(q)
    assert answer["mass_matrix"][0][0] == pytest.approx(inertia)
    assert answer["gravity_vector"][0] == pytest.approx(torque)
    assert answer["inverse_dynamics"][0] == pytest.approx(inertia * qdd + torque)
    assert answer["forward_dynamics"][0] == pytest.approx((0.5 - torque) / inertia)
    assert answer["kinetic_energy"] == pytest.approx(inertia * qd**2 / 2)
    friction = 0.3 * qd + 0.7
    assert answer["friction_torque"][0] == pytest.approx(friction)
    with_friction = answer["inverse_dynamics_with_friction"]
    assert with_friction[0] == pytest.approx(inertia * qdd + torque + friction)
    with_friction = answer["forward_dynamics_with_friction"]
    assert with_friction[0] == pytest.approx((0.5 - torque - friction) / inertia)
    assert answer["friction_regressor"] == [[qd, 1.0]]
    assert answer["friction_bounds"] == [[-0.7, 0.7]]
    assert answer["notes"] == [
        "without the friction of the joints: inverse_dynamics, forward_dynamics, "
        "generalized_inverse_dynamics, generalized_forward_dynamics; friction_torque has it, and "
        "functions named with_friction"
    ]


def test_a_joint_at_rest_is_said_not_to_be_held(
    pendulum: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dry friction of 0.7 N m would hold a torque of 0.5 N m; the function takes its value 0."""
    answer = evaluate(pendulum, {"tau": [0.5]}, capsys, monkeypatch)
    assert answer["forward_dynamics_with_friction"] == answer["forward_dynamics"] != [0.0]
    assert answer["notes"][1:] == [
        "at rest friction can hold pivot as far as friction_bounds says; "
        "forward_dynamics_with_friction does not hold it, but has the value of friction_torque "
        "there"
    ]


@pytest.mark.parametrize(("qd", "torque"), [(2, 1.3), (0, 0.0), (-2, -1.3)])
def test_friction_of_the_file_is_not_dropped(
    pendulum: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    qd: float,
    torque: float,
) -> None:
    answer = evaluate(pendulum, {"qd": [qd]}, capsys, monkeypatch)
    assert answer["friction_torque"] == [pytest.approx(torque)]


def test_singular_mass_matrix_gives_no_forward_dynamics_but_a_note(
    pendulum: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = evaluate(pendulum, {"theta": {"bob": [0] * 10}}, capsys, monkeypatch)
    assert "forward_dynamics" not in answer
    assert answer["notes"][:-1] == [
        f"{name}: no result, M(q) is singular at this state"
        for name in FORWARD_FUNCTIONS
        if name != "generalized_forward_dynamics_with_friction"
    ]
    assert answer["notes"][-1].startswith("without the friction of the joints: inverse_dynamics,")
    assert answer["mass_matrix"] == [[0.0]]


def test_functions_can_be_chosen(pendulum: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = pendulum.parent / "state.json"
    state.write_text('{"q": [0.1]}')
    chosen = ["--functions", "mass_matrix, gravity_vector"]
    status, out, _ = run(["eval", str(pendulum), "--state", str(state), *chosen], capsys)
    assert status == 0
    assert set(json.loads(out)) == {"joints", "bodies", "mass_matrix", "gravity_vector"}


def test_byte_order_mark_is_no_fault(
    pendulum: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = evaluate(pendulum, b'\xef\xbb\xbf{"q": [0]}', capsys, monkeypatch)
    assert answer["gravity_vector"] == [0.0]


@pytest.mark.parametrize(
    ("arguments", "given", "message"),
    [
        ([], b"", "COMMAND"),
        (["derive-all"], b"", "invalid choice"),
        (["eval", "planar2r"], b"", "--state"),
        (["eval", "no_such_robot", "--state", "-"], b"{}", "no robot 'no_such_robot'"),
        (["eval", "no_such.urdf", "--state", "-"], b"{}", r"no_such\.urdf"),
        (
            ["eval", "planar2r", "--state", "no_such.json"],
            b"",
            r"no_such\.json: there is no such file",
        ),
        (["eval", "planar2r", "--state", "."], b"", "this is a directory"),
        (["eval", "planar2r", "--state", "-"], b"", "no JSON"),
        (["eval", "planar2r", "--state", "-"], b'{"q": [1]}', "standard input: q has 1 entry"),
        (["eval", "planar2r", "--state", "-"], b'{"q": [1, NaN]}', "no finite number"),
        (["eval", "planar2r", "--state", "-"], b'{"k": [1, 2]}', "unknown key 'k'"),
        (["eval", "planar2r", "--state", "-"], b"\xff\xfe", "no UTF-8"),
        (["eval", "planar2r", "--state", "-", "--functions", "mass"], b"{}", "'mass'"),
        (["eval", "planar2r", "--state", "-", "--functions", ","], b"{}", "no function"),
        (["show"], b"", "no robot is named"),
        (["show", "panda", "--list"], b"", "takes no robot"),
        (["derive", "planar2r"], b"", "-o DIR"),
        (["derive", "-o", "x"], b"", "no robot is named"),
        (["derive", "planar2r", "-o", "x", "--states", "-1"], b"", "--states"),
        (["derive", "planar2r", "-o", "x", "--targets", "cobol"], b"", "'cobol'"),
        (["derive", "planar2r", "-o", "x", "--functions", "mass"], b"", "'mass'"),
        (["derive", "planar2r", "--check", "x"], b"", "neither a robot"),
        (["derive", "--check", "no_such_tree"], b"", r"MANIFEST\.json"),
    ],
)
def test_every_fault_is_one_line_and_status_2(
    arguments: list[str],
    given: bytes,
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


def test_show_prints_the_tree_and_the_verdict(
    pendulum: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(["show", str(pendulum)], capsys)
    assert (status, err) == (0, "")
    assert "pendulum: 1 coordinate, 1 moving body" in out
    assert "○ bob  (revolute pivot)" in out
    assert "consistent" in out
    assert "M(q) regular for almost all q" in out


def test_show_names_an_impossible_body_and_still_succeeds(
    pendulum: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pendulum.write_text(PENDULUM.replace('izz="0.1"', 'izz="100"'))
    status, out, _ = run(["show", str(pendulum)], capsys)
    assert status == 0
    assert "inconsistent" in out
    status, out, _ = run(["show", str(pendulum), "--json"], capsys)
    (verdict,) = json.loads(out)["consistency"]
    assert verdict["verdict"] == "inconsistent"
    assert verdict["is_consistent"] is False
    assert verdict["triangle_margin"] == pytest.approx(-99.8)


def test_show_json_has_everything_about_the_robot(
    pendulum: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(["show", str(pendulum), "--json"], capsys)
    record = json.loads(out)
    assert record["joints"] == ["pivot"]
    (joint,) = record["tree"]
    assert joint["axis"] == [0, 1, 0]
    assert (joint["damping"], joint["friction"]) == (0.3, 0.7)
    assert joint["limits"] == {"lower": -3, "upper": 3, "velocity": 10, "effort": 100}
    assert record["inertial"][0]["phi"] == [2, 0, 0, -1, 0.6, 0.6, 0.1, 0, 0, 0]
    assert record["singularity"]["structural_rank"] == 1


def test_base_parameters_are_shown_if_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(["show", "planar2r", "--base"], capsys)
    assert "Base parameters: 6 of 20 inertial parameters" in out
    assert "Of the generalized equation: 16 of 64" in out
    assert "I33'@link1, " in out
    _, out, _ = run(["show", "planar2r", "--base", "--json"], capsys)
    record = json.loads(out)
    assert record["base_parameters"]["count"] == 6
    assert record["base_parameters"]["names"][0] == "h1@link1"
    assert "l3'@link2" in record["generalized_base_parameters"]["names"]
    _, out, _ = run(["show", "planar2r", "--json"], capsys)
    assert "base_parameters" not in json.loads(out)


def test_built_in_robots_are_listed_and_all_load(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(["show", "--list"], capsys)
    names = out.split()
    assert {"planar2r", "puma560", "ur5", "panda"} <= set(names)
    for name in names:
        assert run(["show", name], capsys)[0] == 0


def test_a_closed_pipe_is_no_traceback() -> None:
    command = f'"{sys.executable}" -m symdyn.cli.main show panda --json | head -n 1'
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stderr == ""


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    from symdyn import __version__

    assert run(["--version"], capsys)[:2] == (0, f"symdyn {__version__}\n")


def test_show_tells_its_steps(pendulum: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(["show", str(pendulum), "--progress"], capsys)
    assert status == 0
    assert "symdyn: rank of the mass matrix …" in err
    assert run(["show", str(pendulum)], capsys)[2] == ""


WITH_LAWS = """
[robot]
name = "two"
[[link]]
name = "base"
[[link]]
name = "a"
phi = [1, 0.1, 0, 0, 1, 1, 1, 0, 0, 0]
[[link]]
name = "b"
phi = [1, 0.1, 0, 0, 1, 1, 1, 0, 0, 0]
[[link]]
name = "c"
phi = [1, 0.1, 0, 0, 1, 1, 1, 0, 0, 0]
[[joint]]
name = "turn"
type = "revolute"
parent = "base"
child = "a"
axis = [0, 0, 1]
rotor = { inertia = 1e-4, gear_ratio = 10 }
friction = { law = "stribeck", Fc = 0.1, Fs = 0.15, vs = 0.5, alpha = 2, b = 0.01, side = "motor" }
[[joint]]
name = "slide"
type = "prismatic"
parent = "a"
child = "b"
axis = [1, 0, 0]
friction = { law = "coulomb", Fc = 2, b = 0.5 }
[[joint]]
name = "plain"
type = "revolute"
parent = "b"
child = "c"
axis = [0, 1, 0]
damping = 0.25
"""


def test_show_tells_the_law_of_a_joint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "two.toml"
    path.write_text(WITH_LAWS)
    status, out, _ = run(["show", str(path)], capsys)
    assert status == 0
    assert re.search(r"1  turn +revolute .* law\n", out)
    assert re.search(r"3  plain +revolute .* 0\.25\n", out)
    law = "Fc = 1 N m, Fs = 1.5 N m, vs = 0.05 rad/s, alpha = 2, b = 1 N m s/rad"
    assert re.search(rf"\n +turn +stribeck +{re.escape(law)}\n", out)
    # a sliding joint has other units
    assert re.search(r"\n +slide +coulomb +Fc = 2 N, b = 0\.5 N s/m\n", out)
    tree = json.loads(run(["show", str(path), "--json"], capsys)[1])["tree"]
    assert [(joint["damping"], joint["friction"]) for joint in tree] == [
        (None, None), (None, None), (0.25, 0.0)
    ]  # fmt: skip
    assert tree[1]["friction_law"] == {
        "name": "coulomb",
        "parameters": {"Fc": {"value": 2.0, "unit": "N"}, "b": {"value": 0.5, "unit": "N s/m"}},
    }
    assert tree[2]["friction_law"] is None


def test_the_mass_of_the_base_is_told_to_be_in_no_function(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    heavy = PENDULUM.replace(
        '<link name="base"/>',
        '<link name="base"><inertial><origin xyz="0 0 3"/><mass value="7.5"/><inertia ixx="1" '
        'ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>',
    )
    path = tmp_path / "heavy.urdf"
    path.write_text(heavy)
    said = "The base does not move: its 7.5 kg are in no function. To the potential energy they"
    assert said in run(["show", str(path)], capsys)[1]
    # as Pinocchio 4 has it: m g z of the moving body alone
    found = evaluate(path, {"q": [0]}, capsys, monkeypatch)
    assert found["potential_energy"] == pytest.approx(2 * 9.81 * -0.5)
    path.write_text(PENDULUM)
    assert "does not move" not in run(["show", str(path)], capsys)[1]
