"""Robots whose mass changes or moves: ``show``, ``eval`` at a time, ``derive`` for all times."""

from __future__ import annotations

import io
import json
import math
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symdyn.cli.main import main
from symdyn.io.load import load_robot
from symdyn.mass_recipes import FUNCTIONS_OF_TIME
from symdyn.unit import convention

WHEEL = """
format = 1

[robot]
name = "wheelarm"
gravity = [0, 0, -9.81]

[parameters]
M = { value = 2, unit = "kg" }
w = { value = 60, unit = "rad/s", argument = true }

[[link]]
name = "base"

[[link]]
name = "ring"
mass = 1
com = [0, 0, 0]
inertia_com = { xx = 0.01, yy = 0.01, zz = 0.01 }

[[link]]
name = "rod"

[[link.part]]
shape = "cylinder"
radius = 0.2
height = 0.05
mass = "M"
velocity = ["-w*y", "w*x", 0]
xyz = [0, "sin(2*t)/10", 0.3]

[[joint]]
name = "turn"
type = "revolute"
parent = "base"
child = "ring"
axis = [0, 0, 1]

[[joint]]
name = "tilt"
type = "revolute"
parent = "ring"
child = "rod"
axis = [1, 0, 0]
"""


@pytest.fixture
def wheel(tmp_path: Path) -> str:
    path = tmp_path / "wheel.toml"
    path.write_text(WHEEL)
    return str(path)


def evaluate(
    robot: str,
    state: dict[str, Any],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *more: str,
) -> dict[str, Any]:
    given = io.TextIOWrapper(io.BytesIO(json.dumps(state).encode()))
    monkeypatch.setattr(sys, "stdin", given)
    assert main(["eval", robot, "--state", "-", *more]) == 0
    return json.loads(capsys.readouterr().out)


def test_show_says_what_depends_on_time(wheel: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", wheel]) == 0
    text = capsys.readouterr().out
    assert "Mass that changes or moves" in text
    rows = [line.split(maxsplit=2) for line in text.splitlines() if line.startswith("  rod ")]
    table = {row[1]: row[2].strip() for row in rows if len(row) == 3}
    assert table["h2"] == "M*sin(2*t)/10"
    assert table["p2"] == "M*cos(2*t)/5"
    assert table["l3"] == "M*w/50"
    assert "I22" not in table  # constant
    bounds = next(line for line in text.splitlines() if "uniformly" in line)
    # a period of pi covers all times; f is that of a disk of 2 kg, R 0.2, at z = 0.3, y = +-0.1
    assert bounds.split()[:2] == ["rod", "all"]
    assert "uniformly consistent, proved" in bounds
    assert main(["show", wheel, "--json"]) == 0
    bodies = json.loads(capsys.readouterr().out)["inertial"]
    assert "changes" not in bodies[0]
    wheel_record = bodies[1]
    assert wheel_record["changes"] == "closed: Phi' = L psi."
    assert wheel_record["times"] is None  # only a pose and a constant speed: possible at any time
    assert wheel_record["at_time"]["phi"][2] == "M*sin(2*t)/10"
    assert wheel_record["at_time"]["p"] == ["0", "M*cos(2*t)/5", "0"]
    assert wheel_record["at_time"]["l"][2] == "M*w/50"
    assert wheel_record["at_time"]["nu"] == "M*(w**2 + 2*cos(2*t)**2)/50"
    assert wheel_record["at_start"]["p"] == [0, 0.4, 0]
    assert wheel_record["at_start"]["l"] == pytest.approx([-0.12, 0, 2.4])
    assert wheel_record["at_start"]["nu"] == pytest.approx(144.08)
    uniform = wheel_record["uniform"]
    assert (uniform["verdict"], uniform["times"]) == ("proved", None)
    low, high = uniform["inf_lambda_min"]
    assert 0 < low < smallest_eigenvalue() < high < 1.1 * low


def test_generated_code_says_what_momentum_the_mass_carries() -> None:
    said = " ".join(convention(load_robot("feeder")))
    assert re.search(r"Mass of boom changes .* Mass arrives at rest in the\s+inertial frame", said)
    assert "Checked for t from 0 to 10 s." in re.sub(r"\s+", " ", said)
    assert "Mass of tube changes or moves; closed" in said
    assert "Mass of" not in " ".join(convention(load_robot("planar2r")))


def smallest_eigenvalue() -> float:
    """Of f(Phi) of the wheel, sampled."""
    M, R, H = 2.0, 0.2, 0.05
    found = math.inf
    for k in range(1000):
        y, z = math.sin(math.pi * k / 1000) / 10 * (-1) ** k, 0.3
        round_ = M * R**2 / 4
        f = np.diag([round_, round_ + M * y * y, M * H**2 / 12 + M * z * z, M])
        f[1, 2] = f[2, 1] = M * y * z
        f[1, 3] = f[3, 1] = M * y
        f[2, 3] = f[3, 2] = M * z
        found = min(found, float(np.linalg.eigvalsh(f)[0]))
    return found


def test_show_of_a_rigid_robot_has_no_such_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "planar2r"]) == 0
    assert "Mass that changes" not in capsys.readouterr().out


def test_eval_takes_the_time_or_the_arguments(
    wheel: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state = {"q": [0.1, 0.5], "qd": [1, 2], "qdd": [0.5, -1]}
    at_time = evaluate(wheel, {**state, "t": 0.3}, capsys, monkeypatch)
    assert at_time["inertial_parameters"][12] == pytest.approx(2 * math.sin(0.6) / 10, rel=1e-15)
    assert at_time["relative_momentum"][13] == pytest.approx(2 * math.cos(0.6) / 5, rel=1e-15)
    assert at_time["relative_energy"] == pytest.approx(
        [0, 2 * 0.04 * 3600 / 2 + 2 * (math.cos(0.6) / 5) ** 2], rel=1e-15
    )
    given = {
        "theta": at_time["inertial_parameters"],
        "theta_dot": at_time["inertial_parameter_rates"],
        "psi": at_time["relative_momentum"],
        "psi_dot": at_time["relative_momentum_rates"],
        "nu": {"rod": at_time["relative_energy"][1]},
    }
    explicit = evaluate(wheel, {**state, **given}, capsys, monkeypatch)
    for name in (
        "generalized_inverse_dynamics", "generalized_forward_dynamics", "mass_matrix",
        "generalized_kinetic_energy", "changing_mass_matrix", "gyroscopic_matrix",
    ):  # fmt: skip
        assert explicit[name] == at_time[name]
    assert at_time["source_torque"] == [0, 0]  # a closed body
    pushed = {"tau": at_time["generalized_inverse_dynamics"]}
    forwards = evaluate(
        wheel, {**state, **pushed, "t": 0.3}, capsys, monkeypatch,
        "--functions", "generalized_forward_dynamics",
    )  # fmt: skip
    assert forwards["generalized_forward_dynamics"] == pytest.approx(state["qdd"], abs=1e-12)
    other = evaluate(
        wheel, {**state, "t": 0.3, "psi": {"rod": [0] * 12}}, capsys, monkeypatch,
        "--functions", "gyroscopic_matrix",
    )  # fmt: skip
    assert other["gyroscopic_matrix"] == [[0, 0], [0, 0]]
    assert at_time["gyroscopic_matrix"][0][1] < -1


def test_eval_of_a_rigid_robot_takes_no_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = evaluate("planar2r", {"q": [0.1, 0.2], "t": 3}, capsys, monkeypatch)
    assert not set(answer) & set(FUNCTIONS_OF_TIME)
    asked = evaluate(
        "planar2r", {"t": 3}, capsys, monkeypatch, "--functions", "relative_energy"
    )  # fmt: skip
    assert asked["relative_energy"] == [0, 0]


def test_derive_exports_functions_of_time_and_checks_them(
    wheel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    named = ",".join(("generalized_inverse_dynamics", *FUNCTIONS_OF_TIME))
    arguments = ["derive", wheel, "-o", str(out), "--states", "3", "--no-figures"]
    assert main([*arguments, "--functions", named]) == 0
    capsys.readouterr()
    report = (out / "report.md").read_text()
    assert "### Mass that changes or moves" in report
    assert "`M*cos(2*t)/5`" in report
    assert "uniformly consistent, proved" in report
    assert "`rod`: closed: Phi' = L psi." in report
    law = "relative_momentum_rates + relative_momentum_sources = d/dt relative_momentum"
    assert law.replace("_", "\\_") in report
    header = (out / "c" / "wheelarm.h").read_text()
    for name in FUNCTIONS_OF_TIME:
        # long prototypes are folded after the bracket
        assert re.search(rf"wheelarm_{name}\(\s*double t", header)
    record = json.loads((out / "crosscheck.json").read_text())
    roads = {
        (c["function"], c["road"]): c["verdict"]
        for c in record["comparisons"]
        if c["function"] in FUNCTIONS_OF_TIME
    }
    for name in FUNCTIONS_OF_TIME:
        assert {roads[name, road] for road in ("numpy", "numpy batch", "recursion")} == {"agrees"}


@pytest.mark.parametrize("fixed", ["numeric", "symbolic"])
def test_what_is_built_in_is_that_of_the_time(
    fixed: str, wheel: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With numbers built in, functions take t; so they do if one parameter is fixed in the file."""
    if fixed == "symbolic":
        text = WHEEL.replace('name = "rod"', 'name = "rod"\nsymbolic = ["m"]', 1)
        Path(wheel).write_text(text)
    out = tmp_path / "out"
    named = (
        "inverse_dynamics,generalized_inverse_dynamics,generalized_forward_dynamics,"
        "generalized_kinetic_energy,changing_mass_matrix,source_torque,gyroscopic_matrix,regressor"
    )
    arguments = ["derive", wheel, "-o", str(out), "--states", "3", "--no-figures"]
    assert main([*arguments, "--inertial", fixed, "--functions", named]) == 0
    capsys.readouterr()
    report = (out / "report.md").read_text()
    assert "**As if mass were constant and at rest in the bodies:** `inverse_dynamics`." in report
    for text in ((out / "c" / "wheelarm.h"), (out / "numpy" / "wheelarm.py")):
        said = re.sub(r"[\s*#]+", " ", text.read_text())
        assert "Mass of rod changes or moves; closed: Phi' = L psi." in said
        assert "as if mass were constant and at rest, see generalized_inverse_dynamics" in said
    if fixed == "numeric":
        assert "`generalized_inverse_dynamics(q, qd, qdd, t, parameters)`" in report
        assert "`gyroscopic_matrix(q, t, parameters)`" in report
        assert "`generalized_forward_dynamics(q, qd, tau, t, parameters)`" in report
        assert "`source_torque(q, qd, t, parameters)`" in report
    else:
        assert "`inverse_dynamics(q, qd, qdd, theta, t, parameters)`" in report
        assert "`gyroscopic_matrix(q, psi, parameters)`" in report
    assert "`regressor(q, qd, qdd, parameters)`" in report
    assert "refuted" not in report


def test_simulate_takes_mass_that_moves_and_friction(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, figure = tmp_path / "motion.csv", tmp_path / "motion.svg"
    arguments = ["simulate", "feeder", "--time", "0.2", "--samples", "20"]
    assert main([*arguments, "--csv", str(table), "--plot", str(figure)]) == 0
    text = capsys.readouterr().out
    assert re.search(r"kinetic +potential +work +dissipated +moved mass +sources +relative", text)
    assert "note: Mass changes or moves in body 'boom': open" in text
    assert re.search(r"0\.12\d+ s  turn starts forwards", text)
    assert table.read_text().splitlines()[0].endswith(",dissipated,moved mass,sources,relative")
    assert "moved mass" in figure.read_text()
    for more in ([], ["--friction", "regularised"], ["--step", "1e-3"]):
        assert main([*arguments, "--json", *more]) == 0
        record = json.loads(capsys.readouterr().out)
        energy = record["energy"]
        assert energy["moved mass"] != 0
        assert energy["sources"] == 0  # the sand arrives at rest
        scale = energy["kinetic"] + energy["dissipated"]
        assert abs(energy["imbalance"]) < (1e-3 if "--step" in more else 1e-6) * scale


def test_simulate_refuses_times_at_which_the_mass_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = WHEEL.replace('mass = "M"', 'mass = "M*(1 - t)"').replace(
        'name = "rod"\n', 'name = "rod"\nmomentum = "co_moving"\ntimes = [0, 1]\n', 1
    )
    path = tmp_path / "emptying.toml"
    path.write_text(text)
    assert main(["simulate", str(path), "--time", "2"]) == 2
    assert "no mass has the inertial parameters of 'rod' at t = 1.0" in capsys.readouterr().err


def test_simulate_notes_times_at_which_the_mass_was_not_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = WHEEL.replace('mass = "M"', 'mass = "M*(3 - t)"').replace(
        'name = "rod"\n', 'name = "rod"\nmomentum = "co_moving"\ntimes = [0, 0.1]\n', 1
    )
    path = tmp_path / "emptying.toml"
    path.write_text(text)
    assert main(["simulate", str(path), "--time", "0.1", "--samples", "5"]) == 0
    assert "was checked" not in capsys.readouterr().out
    assert main(["simulate", str(path), "--time", "0.2", "--samples", "5"]) == 0
    said = capsys.readouterr().out
    assert "note: The mass of 'rod' was checked from 0 to 0.1 s only, not at t = 0.2 s" in said
