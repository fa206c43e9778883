"""Bodies that gain and lose mass, from a robot file to the numbers: each by hand beside it."""

from __future__ import annotations

import io
import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

from symdyn.cli.main import main
from symdyn.io.toml_format import parse_toml
from symdyn.model.build import build_robot
from symdyn.simulate.changing_mass import simulate_changing_mass

HEAD = """
[robot]
name = "pendulum"
gravity = [%s, 0, 0]
[parameters]
l = 0.8
[[link]]
name = "base"
[[joint]]
name = "j"
type = "revolute"
parent = "base"
child = "arm"
axis = [0, 0, 1]
[[link]]
name = "arm"
"""
POINT = '[[link.part]]\nshape = "point"\nmass = "%s"\nxyz = [%s]\n'


@pytest.fixture
def ask(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Evaluate a link at a state; the status and the answer or the message."""

    def run(link: str, state: dict[str, object], gravity: str = "9.81") -> tuple[int, Any]:
        file = tmp_path / "pendulum.toml"
        file.write_text(HEAD % gravity + link)
        given = io.TextIOWrapper(io.BytesIO(json.dumps(state).encode()))
        monkeypatch.setattr(sys, "stdin", given)
        status = main(["eval", str(file), "--state", "-"])
        found = capsys.readouterr()
        return status, json.loads(found.out) if status == 0 else found.err

    return run


STATE: dict[str, object] = {"q": [0.6], "qd": [0.7], "qdd": [1.5]}
WEIGHT = 9.81 * math.sin(0.6)


def torque(answer: tuple[int, Any]) -> float:
    status, values = answer
    assert status == 0, values
    return values["generalized_inverse_dynamics"][0]


def test_a_pendulum_whose_mass_leaves_with_its_velocity(ask: Any) -> None:
    link = 'momentum = "co_moving"\n' + POINT % ("3 - t/5", '"l", 0, 0')
    assert torque(ask(link, STATE)) == pytest.approx(16.173942393612712, rel=1e-12)


def test_mass_that_leaves_without_momentum_is_refused_but_can_be_asked_for(ask: Any) -> None:
    """The printed equation (39) is had by giving the whole rate as theta_dot."""
    leaving = POINT % ("3 - t/5", '"l", 0, 0')
    status, text = ask('momentum = "at_rest"\n' + leaving, STATE)
    assert status == 2
    assert "key momentum: mass that leaves does not come to rest" in text
    assert "got dm/dt = -1/5" in text
    assert "generalized_inverse_dynamics with theta_dot" in text
    whole = [-0.2, -0.16, 0, 0, 0, -0.128, -0.128, 0, 0, 0]
    answer = ask('momentum = "co_moving"\n' + leaving, {**STATE, "theta_dot": {"arm": whole}})
    assert torque(answer) == pytest.approx(16.084342393612715, rel=1e-12)


def test_a_pendulum_that_grows_longer(ask: Any) -> None:
    link = POINT % ("3", '"l + t/10", 0, 0')
    closed = 3 * 0.64 * 1.5 + 2 * 3 * 0.8 * 0.1 * 0.7 + 3 * 0.8 * WEIGHT
    assert torque(ask(link, STATE)) == pytest.approx(closed, rel=1e-12)
    losing = 'momentum = "co_moving"\n' + POINT % ("3 - t/5", '"l + t/10", 0, 0')
    whole = [-0.2, -0.16 + 0.3, 0, 0, 0, *[-0.128 + 0.48] * 2, 0, 0, 0]
    answer = ask(losing, {**STATE, "theta_dot": {"arm": whole}})
    assert torque(answer) == pytest.approx(16.420342393612714, rel=1e-12)


def test_a_slider_driven_inside_a_link(ask: Any) -> None:
    link = POINT % ("1.2", '"1/2 - 3*t/10 + t^2/20", "1/5 + 2*t/5 - 3*t^2/10", 0')
    found = torque(ask(link, STATE, "0"))
    assert found == pytest.approx(0.020400000000000102, rel=1e-9)


TANK = POINT % ("2 + 3*t/10", '"l", 0, 0')
INFLOW = """
[[link.flow]]
name = "inflow"
momentum = "at_rest"
shape = "point"
mass_rate = 0.5
xyz = ["l", 0, 0]
"""
JET = """
[[link.flow]]
name = "jet"
momentum = "stream"
shape = "point"
mass_rate = -0.2
velocity = [3, 0, 0]
xyz = ["l", 0, 0]
rpy = [0, 0, "-pi/2"]
"""


def test_a_tank_with_an_inflow_and_a_jet(ask: Any) -> None:
    """The jet blows along -y, so that it drives the tank towards larger q."""
    status, values = ask(TANK + INFLOW + JET, {**STATE, "t": 0.5})
    assert status == 0, values
    m, arm = 2.15, 0.8
    thrust = 0.2 * 3 * arm
    gain = (0.3 + 0.2) * arm**2 * 0.7  # the jet takes along what moves with the body
    by_hand = m * arm**2 * 1.5 + gain + m * arm * WEIGHT - thrust
    assert values["generalized_inverse_dynamics"][0] == pytest.approx(by_hand, rel=1e-12)
    assert values["source_torque"][0] == pytest.approx(thrust - 0.2 * arm**2 * 0.7, rel=1e-12)
    assert values["relative_momentum_sources"][1] == pytest.approx(0.6, rel=1e-12)
    assert values["relative_momentum_rates"][1] == pytest.approx(-0.6, rel=1e-12)
    # forwards again
    tau = [values["generalized_inverse_dynamics"][0]]
    _, forwards = ask(TANK + INFLOW + JET, {**STATE, "t": 0.5, "tau": tau})
    assert forwards["generalized_forward_dynamics"] == pytest.approx([1.5], rel=1e-12)


def test_the_rest_of_several_flows_takes_the_convention_of_the_link(ask: Any) -> None:
    stated = ask(TANK + INFLOW + JET, {**STATE, "t": 0.5})
    rest = ask('momentum = "at_rest"\n' + TANK + JET, {**STATE, "t": 0.5})
    assert torque(rest) == pytest.approx(torque(stated), rel=1e-14)
    status, text = ask(TANK + JET, STATE)
    assert status == 2
    assert "the sources do not account for the change of Phi; expected 3/10 in dm/dt = 0" in text
    assert "got -1/5" in text


@pytest.mark.parametrize(
    ("link", "text"),
    [
        (TANK + INFLOW.replace("0.5", "-0.5"), "'arm', flow 1: mass that leaves does not come"),
        (TANK + INFLOW.replace("0.5", '"1/2 - sin(9*t)"') + JET, "dm/dt = -"),
        (TANK + JET.replace("mass_rate = -0.2", ""), "either density_rate or mass_rate"),
        (TANK + JET.replace("velocity = [3, 0, 0]\n", ""), "a stream needs its velocity"),
        (TANK + INFLOW + "velocity = [1, 0, 0]\n", "a stream needs its velocity"),
        (TANK + INFLOW.replace("at_rest", "rest"), "Did you mean 'at_rest'"),
        (TANK + INFLOW + "density = 1\n", "unknown key 'density'"),
        ('momentum = "stream"\n' + TANK, "'stream' is not possible here"),
    ],
)
def test_faults_of_flows_name_their_line(ask: Any, link: str, text: str) -> None:
    status, message = ask(link, STATE)
    assert status == 2
    assert text in message
    assert message.count("[[link]] 'arm'") == 1
    assert ".." not in message


@pytest.mark.parametrize(
    "density",
    ["2 - t^2", "2 - sin(t)^2", "2 + sin(5*t)", "1 + t*x", "3 - 9*(t - 0.5)^2"],
)
def test_mass_at_rest_arrives_at_all_times_and_places(ask: Any, density: str) -> None:
    part = f'[[link.part]]\nshape = "box"\nsize = [1, 1, 1]\ndensity = "{density}"\n'
    status, text = ask('momentum = "at_rest"\n' + part, STATE)
    assert status == 2, density
    assert "mass that leaves does not come to rest" in text
    assert torque(ask('momentum = "co_moving"\n' + part, STATE))


def test_times_beyond_the_checked_ones_are_noted_and_impossible_ones_refused(ask: Any) -> None:
    link = 'momentum = "co_moving"\n' + POINT % ("3 - t", '"l", 0, 0')
    _, inside = ask(link, {**STATE, "t": 0.5})
    assert not any("was checked" in note for note in inside["notes"])
    _, outside = ask(link, {**STATE, "t": 2})
    assert any("checked from 0 to 1 s only, not at t = 2 s" in note for note in outside["notes"])
    status, text = ask(link, {**STATE, "t": 5})
    assert status == 2
    assert "no mass has the inertial parameters of 'arm' at t = 5 s" in text
    assert "the mass -2" in text
    _, empty = ask(link, {**STATE, "t": 3})
    assert any("no mass at t = 3 s: arm" in note for note in empty["notes"])
    # numbers of one's own are not the robot's
    own = {"theta": [[1, 0.8, 0, 0, 0, 0.64, 0.64, 0, 0, 0]], "t": 5}
    assert ask(link, {**STATE, **own})[0] == 0


def test_a_time_without_finite_numbers_is_one_error(ask: Any) -> None:
    link = POINT % ("1", '"sqrt(t)", 0, 0')
    status, text = ask(link, {})
    assert status == 2
    assert "the mass of 'pendulum' has no finite numbers at t = 0 s" in text
    assert ask(link, {"t": 1})[0] == 0
    assert ask(link, {"t": -1})[0] == 2


def test_what_takes_mass_as_constant_says_so(ask: Any) -> None:
    _, values = ask(POINT % ("3", '"l + t/10", 0, 0'), STATE)
    assert values["inverse_dynamics"] != values["generalized_inverse_dynamics"]
    (note,) = values["notes"]
    assert note.startswith("inverse_dynamics, forward_dynamics, kinetic_energy: as if the mass")
    assert "generalized_forward_dynamics" in note


def test_a_jet_drives_a_simulation() -> None:
    """What leaves in the jet comes in co-moving, so that a constant thrust drives constant mass."""
    inflow = INFLOW.replace("at_rest", "co_moving").replace("0.5", "0.2")
    text = HEAD % "0" + POINT % ("2", '"l", 0, 0') + inflow + JET
    robot = build_robot(parse_toml(text, "jet.toml"))
    run = simulate_changing_mass(robot, [0.3], [0], [0, 0.5, 1])
    acceleration = 0.2 * 3 * 0.8 / (2 * 0.64)
    assert run.q[:, 0] == pytest.approx([0.3, 0.3 + acceleration / 8, 0.3 + acceleration / 2])
    assert run.mass is not None
    # all of the kinetic energy is the work of the source
    assert run.mass.sources[-1] == pytest.approx(2 * 0.64 * acceleration**2 / 2, rel=1e-10)
    assert run.mass.moved == pytest.approx([0, 0, 0], abs=1e-14)
