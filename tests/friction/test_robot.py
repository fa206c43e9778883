"""Friction laws in a robot: read from TOML, derived, generated, evaluated, simulated by step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from symdyn import derive, derive_robot
from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import number
from symdyn.evaluation import evaluate_state
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.reflect import reflect
from symdyn.io.load import load_robot
from symdyn.joint_friction import (
    friction_functions,
    friction_inputs,
    friction_linear_names,
    friction_names,
    friction_state_names,
    friction_terms,
)
from symdyn.model.robot import Robot
from symdyn.recipes import FUNCTIONS, WITH_FRICTION, Inertial
from symdyn.state import state_from
from symdyn.unit import rounded
from tests.friction.examples import signals_of, states_of
from tests.oracles import need

HEAD = """[robot]
name = "chain"
gravity = [0, 0, -9.81]
[parameters]
level = { value = 1.0, argument = true }
[[link]]
name = "base"
"""


def joint_text(k: int, friction: str, extra: str = "") -> str:
    parent = "base" if k == 0 else f"l{k - 1}"
    return f"""[[link]]
name = "l{k}"
mass = 1
com = [0, 0, 0.1]
inertia_com = {{ xx = 0.01, yy = 0.01, zz = 0.01 }}
[[joint]]
name = "j{k}"
type = "revolute"
parent = "{parent}"
child = "l{k}"
axis = [0, {k % 2}, {1 - k % 2}]
{extra}
{friction}
"""


def table(name: str, **change: object) -> str:
    values = {"law": f'"{name}"', **EXAMPLES[name.partition(":")[0]], **change}
    return "friction = { " + ", ".join(f"{k} = {v}" for k, v in values.items()) + " }"


def robot_of(frictions: Sequence[str], folder: Path) -> Robot:
    path = folder / "chain.toml"
    path.write_text(HEAD + "".join(joint_text(k, f) for k, f in enumerate(frictions)), "utf-8")
    return load_robot(path)


def test_a_law_of_a_file_enters_friction_torque_and_is_said(tmp_path: Path) -> None:
    robot = robot_of(
        [table("stribeck-set", Fc='"level"', Fs='"1.5*level"'), "damping = 0.3\nfriction = 0.7"],
        tmp_path,
    )
    assert friction_names(robot)[:3] == ("Fc@j0", "Fs@j0", "vs@j0")
    assert friction_names(robot)[-2:] == ("damping@j1", "friction@j1")
    assert rounded(friction_terms(robot), robot) == (1.0, 1.5, 0.01, 2.0, 0.5, 0.3, 0.7)
    assert any("Friction of joint j0: Stribeck, set-valued" in note for note in robot.notes)
    for qd in ([0.0, 0.0], [0.02, 2.0], [-0.003, -2.0]):
        found = evaluate_state(robot, state_from({"qd": qd}, robot)).values
        expected = [
            LAWS["stribeck"].force(FLOAT64, qd[0], [], {}, EXAMPLES["stribeck"]),
            0.3 * qd[1] + 0.7 * np.sign(qd[1]),
        ]
        assert found["friction_torque"] == pytest.approx(expected, rel=1e-14)
        assert found["friction_bounds"] == [[-1.5, 1.5], [-0.7, 0.7]]


def test_robots_without_friction_have_no_functions_of_it_unless_named() -> None:
    robot = load_robot("planar2r")
    assert tuple(derive(robot).specs) == FUNCTIONS
    spec = derive(robot, ["forward_dynamics_with_friction"]).specs["forward_dynamics_with_friction"]
    assert [a.name for a in spec.arguments][:5] == ["q", "qd", "tau", "theta", "friction"]
    with pytest.raises(InputError, match="no function 'friction_state_rate'"):
        derive(robot, ["friction_state_rate"])


def test_every_law_on_a_joint_gives_the_numbers_of_the_law(tmp_path: Path) -> None:
    """A chain with a joint for each law: all functions against the laws run alone."""
    names = list(LAWS)
    robot = robot_of([table(name) for name in names], tmp_path)
    assert friction_inputs(robot) == ("q", "friction_state", "load", "temperature")
    n = len(names)
    qd = [0.02 * (-1) ** k * (1 + k / 7) for k in range(n)]
    signals = {"q": [0.4] * n, "load": [0.7] * n, "temperature": [20.0] * n}
    x = {f"j{k}": states_of(LAWS[name], 0.6) for k, name in enumerate(names)}
    given = {"qd": qd, **signals, "dt": 1e-3}
    given["friction_state"] = {key: value for key, value in x.items() if value}
    found = evaluate_state(robot, state_from(given, robot)).values
    torque, rates, after, linear = [], [], [], []
    for k, name in enumerate(names):
        law, p = LAWS[name], EXAMPLES[name]
        u, z = signals_of(law), x[f"j{k}"]
        torque.append(law.force(FLOAT64, qd[k], z, u, p))
        if law.rate is not None and law.update is not None:
            rates += law.rate(FLOAT64, qd[k], z, u, p)
            after += law.update(FLOAT64, qd[k], z, u, p, 1e-3)
        linear += [p[key] for key in p if key in law.linear]
    assert found["friction_torque"] == pytest.approx(torque, rel=1e-12)
    assert found["friction_state_rate"] == pytest.approx(rates, rel=1e-12, abs=1e-15)
    assert found["friction_state_update"] == pytest.approx(after, rel=1e-12, abs=1e-18)
    again = np.array(found["friction_regressor"]) @ np.array(linear)
    again += np.array(found["friction_regressor_rest"])
    assert list(again) == pytest.approx(torque, rel=1e-12)
    assert len(friction_linear_names(robot)) == len(linear)
    assert len(friction_state_names(robot)) == len(rates)
    for k, name in enumerate(names):
        law, u = LAWS[name], signals_of(LAWS[name])
        if law.at_rest is not None:
            ends = law.at_rest(FLOAT64, u, EXAMPLES[name])
        else:
            # what the states carry, or nothing: one value
            ends = (law.force(FLOAT64, 0.0, x[f"j{k}"], u, EXAMPLES[name]),) * 2
            assert bool(ends[0]) == bool(law.states)
        assert found["friction_bounds"][k] == pytest.approx(ends)  # type: ignore[index]


def test_generated_code_of_laws_agrees_with_all_roads(tmp_path: Path) -> None:
    """The pipeline: NumPy, C, their batches, 50 digits; at random, zero and fast states."""
    frictions = [table("lugre"), table("stribeck"), "damping = 0.1", table("ripple")]
    robot = robot_of(frictions, tmp_path)
    functions = ["forward_dynamics_with_friction", "friction_torque", *friction_functions(robot)]
    for inertial in ("symbolic", "numeric"):
        result = derive_robot(
            robot, tmp_path / inertial, functions=functions, inertial=inertial, figures=False,
            identities=False, states=12,
        )  # fmt: skip
        assert result.findings.crosscheck is not None
        for road in ("numpy", "c"):
            agree = {
                c.function
                for c in result.findings.crosscheck.comparisons
                if c.road == road and c.verdict == "agrees"
            }
            assert agree == set(functions)
    text = (tmp_path / "symbolic" / "report.md").read_text(encoding="utf-8")
    assert "Friction of joint j0: LuGre (lugre)" in text


def test_friction_in_the_equation_against_other_programs(tmp_path: Path) -> None:
    """Viscous damping is MuJoCo's own; Pinocchio is given the torque less the coefficients."""
    need("mujoco"), need("pinocchio")
    names = [name for name in WITH_FRICTION if "generalized" not in name]
    for friction, roads in (("", ["mujoco", "pinocchio"]), ("\nfriction = 0.7", ["pinocchio"])):
        robot = robot_of(["damping = 0.3" + friction, "damping = 2", "damping = 5"], tmp_path)
        found = derive_robot(
            robot, tmp_path / "out", functions=names, figures=False, identities=False, states=12
        ).findings.crosscheck
        assert found is not None
        agree = [
            (c.function, c.road)
            for c in found.comparisons
            if c.verdict == "agrees" and c.road in ("mujoco", "pinocchio")
        ]
        assert agree == [(name, road) for name in names for road in reversed(roads)]


@pytest.mark.parametrize("inertial", ["symbolic", "numeric", "base"])
def test_arguments_of_the_equation_with_friction(inertial: Inertial, tmp_path: Path) -> None:
    """Those of the equation, then what friction needs besides, declared parameters last."""
    frictions = [table("lugre", Fc='"level"'), table("ripple"), table("load-stribeck")]
    specs = derive(robot_of(frictions, tmp_path), list(WITH_FRICTION), inertial).specs
    own = {"symbolic": ["theta"], "numeric": [], "base": ["beta"]}[inertial]
    moving = ["theta_dot", "psi", "psi_dot"]
    friction = ["friction_state", "load", *([] if inertial == "numeric" else ["friction"])]
    for name, spec in specs.items():
        head = ["q", "qd", *(["tau"] if "forward" in name else ["qdd"]), *own]
        more = moving if "generalized" in name else []
        expected = [*head, *more, *friction, "parameters"]
        assert [a.name for a in spec.arguments] == expected


def test_coefficients_of_any_file_have_a_regressor_and_bounds(tmp_path: Path) -> None:
    robot = robot_of(["damping = 0.3\nfriction = 0.7", "damping = 2", ""], tmp_path)
    assert friction_linear_names(robot) == friction_names(robot)
    qd = [0.5, -0.25, 3.0]
    for inertial in ("symbolic", "numeric"):
        assert {"friction_bounds", "friction_regressor"} <= set(derive(robot, None, inertial).specs)
    found = evaluate_state(robot, state_from({"qd": qd}, robot)).values
    columns = np.array(found["friction_regressor"])
    assert columns.tolist() == [
        [0.5, 1.0, 0, 0, 0, 0], [0, 0, -0.25, -1.0, 0, 0], [0, 0, 0, 0, 3.0, 1.0],
    ]  # fmt: skip
    assert list(columns @ rounded(friction_terms(robot), robot)) == found["friction_torque"]
    assert found["friction_bounds"] == [[-0.7, 0.7], [0.0, 0.0], [0.0, 0.0]]


@pytest.mark.slow
def test_generated_code_of_every_law_agrees_with_all_roads(tmp_path: Path) -> None:
    robot = robot_of([table(name) for name in LAWS], tmp_path)
    functions = ["friction_torque", *WITH_FRICTION, *friction_functions(robot)]
    result = derive_robot(
        robot, tmp_path / "out", functions=functions, figures=False, identities=False, states=12
    )
    assert result.files


def test_a_motor_side_is_reflected_exactly(tmp_path: Path) -> None:
    """By powers of the gear ratio, in fractions; and for an exponent that is no whole number."""
    path = tmp_path / "geared.toml"
    rotor = "rotor = { inertia = 1e-5, gear_ratio = 100 }"
    motor = table("lugre", side='"motor"')
    power = table("viscous-power", side='"motor"', d=0.5)
    path.write_text(
        HEAD + joint_text(0, motor, rotor) + joint_text(1, power, rotor), encoding="utf-8"
    )
    robot = load_robot(path)
    law = robot.joints[0].law
    assert law is not None
    assert law.values[4].rational == number("1e8").rational
    expected = reflect(LAWS["lugre"], EXAMPLES["lugre"], 100.0)
    found = rounded(law.values, robot)
    assert dict(zip(expected, found, strict=True)) == pytest.approx(expected, rel=1e-15)
    other = robot.joints[1].law
    assert other is not None
    assert rounded(other.values, robot) == pytest.approx((0.5 * 100**1.5, 0.5), rel=1e-15)


def test_any_number_of_elements(tmp_path: Path) -> None:
    text = (
        'friction = { law = "maxwell-slip:2", k1 = 10, k2 = 20, F1 = 0.1, F2 = 0.2, b = 0.5 }',
        'friction = { law = "table:2", w2 = 1, t1 = 0.5, t2 = 0.7, peak = 1.2 }',
    )
    robot = robot_of(text, tmp_path)
    assert friction_state_names(robot) == ("s1@j0", "s2@j0")
    found = evaluate_state(robot, state_from({"qd": [0.0, 0.5]}, robot)).values
    assert found["friction_torque"] == pytest.approx([0.0, 0.6])


def test_a_mimic_joint_adds_its_friction_to_its_leader(tmp_path: Path) -> None:
    path = tmp_path / "mimic.toml"
    follower = 'mimic = { joint = "j0", multiplier = -2 }'
    path.write_text(
        HEAD + joint_text(0, table("coulomb-set")) + joint_text(1, table("asymmetric"), follower),
        encoding="utf-8",
    )
    robot = load_robot(path)
    found = evaluate_state(robot, state_from({"qd": [0.3]}, robot)).values
    own = LAWS["coulomb-set"].force(FLOAT64, 0.3, [], {}, EXAMPLES["coulomb-set"])
    other = LAWS["asymmetric"].force(FLOAT64, -0.6, [], {}, EXAMPLES["asymmetric"])
    assert found["friction_torque"] == pytest.approx([own - 2 * other], rel=1e-14)
    low, high = -2 * 1.1, -2 * -1.1  # the asymmetric joint holds from -1.1 to 1.1
    assert found["friction_bounds"] == [pytest.approx([-1 + low, 1 + high])]


SET_VALUED = [name for name, law in LAWS.items() if law.at_rest is not None]


@pytest.mark.parametrize("name", SET_VALUED)
def test_no_level_of_a_set_valued_law_turns_its_bounds_round(name: str) -> None:
    """Each parameter at the edge of its domain and far below, where the law takes that."""
    law, example = LAWS[name], EXAMPLES[name]
    assert law.at_rest is not None
    for q in law.parameters:
        if q.name.startswith(("vs", "FsT")):
            continue  # scales of velocity; a level that the temperature turns is another matter
        for value in (-2.0, -1e-9, 0.0):
            values = {**example, q.name: value}
            try:
                law.check(values)
            except InputError:
                continue
            low, high = law.at_rest(FLOAT64, signals_of(law), values)
            assert low <= high


@pytest.mark.parametrize(
    ("friction", "message"),
    [
        ('friction = { law = "stribek" }', r"chain.toml:\d+: .*key law: no such friction law"),
        ('friction = { law = "gms:0" }', "no such friction law"),
        ('friction = { law = "lugre:3" }', "no such friction law"),
        ('friction = { law = "coulomb", Fc = 1 }', "the key 'b' is missing"),
        ('friction = { law = "coulomb", Fc = -1, b = 0 }', r"Fc .N m. is outside its domain"),
        (table("stribeck-set", Fs=-1.5), r"Fs .N m. is outside its domain"),
        (table("hess-soom", Fs=-1.5), r"Fs .N m. is outside its domain"),
        ('friction = { law = "coulomb", Fc = 1, b = 0, k = 2 }', "unknown key 'k'"),
        ('friction = { law = "coulomb", Fc = 1, b = "x" }', "x"),
        ('friction = { law = "coulomb", Fc = 1, b = 0, side = "left" }', "not possible here"),
        (
            'friction = { law = "coulomb", Fc = 1, b = 0, side = "motor" }',
            "the motor needs the gear",
        ),
        ('friction = { law = "coulomb", Fc = 1, b = 0 }\ndamping = 1', "damping beside a friction"),
        (
            table("lugre", side='"motor"') + "\nrotor = { inertia = 1, gear_ratio = -3 }",
            "positive gear ratios only",
        ),
        (table("elasto-plastic", z_ba=1), "do not go together"),
        ("friction = -1", "a negative value"),
        ("friction = [1]", "not a number"),
    ],
)
def test_faults_of_the_friction_of_a_joint(friction: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        robot_of([friction], tmp_path)


def test_a_follower_feels_its_own_position(tmp_path: Path) -> None:
    """Ripple at multiplier times position plus offset, not at the leader's position."""
    path = tmp_path / "mimic.toml"
    follower = 'mimic = { joint = "j0", multiplier = 2, offset = 0.3 }'
    path.write_text(
        HEAD + joint_text(0, "") + joint_text(1, table("ripple"), follower), encoding="utf-8"
    )
    robot = load_robot(path)
    given = {"q": [0.4], "qd": [0.25]}
    found = evaluate_state(robot, state_from(given, robot)).values
    law, p = LAWS["ripple"], EXAMPLES["ripple"]
    own = law.force(FLOAT64, 0.5, [], {"position": 2 * 0.4 + 0.3}, p)
    assert found["friction_torque"] == pytest.approx([2 * own], rel=1e-14)
    ahead = law.force(FLOAT64, 0.5, [], {"position": 2 * 0.4}, p)
    assert abs(own - ahead) > 1e-3


def test_faults_of_a_state(tmp_path: Path) -> None:
    robot = robot_of([table("lugre"), "damping = 1"], tmp_path)
    for given, message in (
        ({"friction_state": [0.0, 0.0]}, "friction_state has 2 entries.*1: z@j0"),
        ({"friction_state": {"j1": [0.0]}}, "no joint with states of friction is called 'j1'"),
        ({"friction_state": {"j0": [0.0, 1.0]}}, "has 2 entries"),
        ({"dt": -1}, "dt is negative"),
        ({"load": [1]}, "load has 1 entry"),
    ):
        with pytest.raises(InputError, match=f"(?s){message}"):
            state_from(given, robot)
    plain = load_robot("planar2r")
    with pytest.raises(InputError, match="no joint has a friction law with states"):
        state_from({"friction_state": [1.0]}, plain)
