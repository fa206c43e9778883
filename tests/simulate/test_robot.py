"""Robots with their own friction in each semantics, by several roads."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import ZERO, number
from symdyn.expr.evaluate import evaluate
from symdyn.friction.catalog import LAWS
from symdyn.friction.coulomb import COULOMB, COULOMB_SET, COULOMB_SMOOTH
from symdyn.friction.example import EXAMPLES
from symdyn.friction.lugre import LUGRE
from symdyn.friction.ripple import RIPPLE
from symdyn.friction.stribeck import STRIBECK, STRIBECK_SET
from symdyn.friction.viscous import VISCOUS
from symdyn.io.load import load_robot
from symdyn.io.urdf import parse_urdf
from symdyn.model.build import build_robot
from symdyn.model.robot import JointLaw, Robot
from symdyn.recipes import derive
from symdyn.simulate.implicit import simulate_implicit
from symdyn.simulate.joint_friction import JointFriction
from symdyn.simulate.mechanism import constant_inertia, robot_mechanism
from symdyn.simulate.moreau import simulate_moreau
from symdyn.simulate.robot_run import Scenario, joint_laws, run_robot
from symdyn.simulate.robot_system import actuation, robot_drive, robot_system, system_values
from symdyn.simulate.semantics import Bristles, Semantics, dynamic, ideal, regularised
from symdyn.simulate.stability import controller_limit
from tests.oracles import need, need_program
from tests.simulate.values import ARM, LESSON
from tests.simulate.values import LUGRE as VALUES

LOAD = 0.1 * 9.81 * 0.5

TWO = """<?xml version="1.0"?>
<robot name="two">
  <link name="base"/>
  <link name="a"><inertial><origin xyz="0.2 0 0"/><mass value="1.5"/>
    <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.03" iyz="0" izz="0.03"/></inertial></link>
  <link name="b"><inertial><origin xyz="0.1 0 0.02"/><mass value="0.8"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <joint name="s" type="continuous"><parent link="base"/><child link="a"/>
    <axis xyz="0 1 0"/><dynamics damping="0.2" friction="0.6"/></joint>
  <joint name="e" type="continuous"><parent link="a"/><child link="b"/>
    <origin xyz="0.4 0 0"/><axis xyz="0 1 0"/><dynamics damping="0.05" friction="0.3"/></joint>
</robot>
"""

MIMIC = """<?xml version="1.0"?>
<robot name="mimic">
  <link name="base"/>
  <link name="a"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <link name="b"><inertial><origin xyz="0.3 0 0"/><mass value="0.5"/>
    <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <joint name="lead" type="continuous"><parent link="base"/><child link="a"/>
    <axis xyz="0 0 1"/><dynamics friction="0.4"/></joint>
  <joint name="follow" type="continuous"><parent link="a"/><child link="b"/>
    <origin xyz="1 0 0"/><axis xyz="0 0 1"/><mimic joint="lead" multiplier="-2" offset="0.3"/>
    <dynamics friction="0.1"/></joint>
</robot>
"""


def robot_of(text: str) -> Robot:
    return build_robot(parse_urdf(text, source="test.urdf"))


@pytest.fixture(scope="module")
def arm() -> Robot:
    return robot_of(ARM)


@pytest.fixture(scope="module")
def two() -> Robot:
    return robot_of(TWO)


def test_loaded_joint_holds_if_friction_is_ideal(arm: Robot) -> None:
    found = run_robot(Scenario(arm, (0.0,), (0.0,), 60.0, samples=10))
    assert np.all(found.trajectory.q == 0.0)
    assert np.all(found.trajectory.v == 0.0)
    (hold,) = found.holds
    assert abs(hold.load) == pytest.approx(LOAD, rel=1e-12)
    assert hold.limit == 1.0
    assert hold.creep_speed == 0.0
    assert hold.verdict == "holds"


def test_loaded_joint_creeps_if_friction_is_smoothed(arm: Robot) -> None:
    scenario = Scenario(arm, (0.0,), (0.0,), 60.0, semantics=Semantics.REGULARISED, samples=600)
    found = run_robot(scenario)
    (hold,) = found.holds
    assert abs(hold.creep_speed or 0) == pytest.approx(0.0005367185302276733, rel=1e-9)
    assert hold.verdict.startswith("creeps at 0.000536719")
    early = found.trajectory.v[1, 0]
    assert early == pytest.approx(hold.creep_speed, rel=1e-4)
    assert abs(found.trajectory.q[-1, 0]) == pytest.approx(60 * 0.0005367185302276733, rel=1e-3)


def test_loaded_joint_gives_way_and_holds_on_bristles(arm: Robot) -> None:
    scenario = Scenario(arm, (0.0,), (0.0,), 60.0, semantics=Semantics.DYNAMIC, samples=60)
    found = run_robot(scenario)
    (hold,) = found.holds
    assert hold.give == pytest.approx(-1e-4 * math.log(1 - LOAD), rel=1e-9)
    late = np.abs(found.trajectory.q[10:, 0])
    # loaded at once, the joint overshoots its quasi-static place by a part of the deflection
    assert late == pytest.approx(np.full(len(late), hold.give), rel=0.25)
    assert np.ptp(late) < 1e-9


def test_semantics_agree_once_the_joints_slide(two: Robot) -> None:
    # far from rest the three differ by eps and by the give of the bristles
    start = ((0.3, -0.2), (4.0, 3.0), 0.2)
    ends = [
        run_robot(
            Scenario(two, *start, semantics=kind, eps=1e-4, bristles=Bristles(1e-5, 1.0), samples=4)
        ).trajectory.q[-1]
        for kind in Semantics
    ]
    assert ends[1] == pytest.approx(ends[0], abs=1e-8)
    assert ends[2] == pytest.approx(ends[0], abs=1e-4)


@pytest.mark.parametrize("kind", list(Semantics), ids=lambda k: k.value)
def test_fixed_steps_tend_to_the_adaptive_motion(two: Robot, kind: Semantics) -> None:
    scenario = Scenario(two, (0.3, -0.2), (0.0, 0.0), 0.8, semantics=kind, samples=8)
    exact = run_robot(scenario).trajectory
    errors = []
    for step in (2e-3, 1e-3):
        stepped = run_robot(replace(scenario, step=step)).trajectory
        assert stepped.times == pytest.approx(exact.times)
        errors.append(float(np.max(np.abs(stepped.q - exact.q))))
    assert errors[1] < 0.01
    assert errors[1] < 0.7 * errors[0]


@pytest.mark.parametrize("kind", list(Semantics), ids=lambda k: k.value)
def test_energy_balance(two: Robot, kind: Semantics) -> None:
    drive = robot_drive(2, tau=[1.0, 0.5], kp=[20, 5], kd=[0.5, 0.1], target=[0.5, -0.5])
    found = run_robot(
        Scenario(two, (0.0, 0.0), (0.0, 0.5), 2.0, drive=drive, semantics=kind, samples=40)
    ).trajectory
    scale = float(np.max(found.kinetic + np.abs(found.potential)))
    assert np.max(np.abs(found.imbalance)) < 1e-6 * scale
    assert found.dissipated[-1] > 0


def test_compiled_and_recursive_equations_give_the_same_motion(two: Robot) -> None:
    need_program("gcc")
    for kind in (Semantics.IDEAL, Semantics.DYNAMIC):
        ends = [
            run_robot(
                Scenario(two, (0.3, 0.1), (1.0, 0.0), 0.2, semantics=kind, engine=engine, samples=2)
            ).trajectory.q[-1]
            for engine in ("native", "python")
        ]
        assert ends[0] == pytest.approx(ends[1], abs=1e-9)


def test_mechanism_of_a_robot_is_its_recursions() -> None:
    need_program("gcc")
    robot = load_robot("scara")
    q, v = np.array([0.3, -0.4, 0.1, 0.9]), np.array([1.0, 0.5, -0.2, 2.0])
    native, python = robot_mechanism(robot, "native"), robot_mechanism(robot, "python")
    a, b = native.terms(0.0, q, v), python.terms(0.0, q, v)
    assert a.inertia == pytest.approx(b.inertia, rel=1e-12)
    assert a.bias == pytest.approx(b.bias, rel=1e-12)
    assert (a.kinetic, a.potential) == pytest.approx((b.kinetic, b.potential), rel=1e-12)


def test_mimic_joint_adds_its_friction_to_its_leader() -> None:
    robot = robot_of(MIMIC)
    drive = robot_drive(1, tau=[0.59])
    found = run_robot(Scenario(robot, (0.0,), (0.0,), 1.0, drive=drive, samples=4))
    # 0.4 of the leader and 2 x 0.1 of the follower
    assert found.holds[0].limit == pytest.approx(0.6)
    assert np.all(found.trajectory.v == 0.0)
    moved = run_robot(
        Scenario(robot, (0.0,), (0.0,), 1.0, drive=robot_drive(1, tau=[0.7]), samples=4)
    )
    assert moved.trajectory.friction[-1, 0] == pytest.approx(0.6)
    assert moved.trajectory.v[-1, 0] > 0
    smooth = run_robot(
        Scenario(
            robot, (0.0,), (0.0,), 1.0, drive=robot_drive(1, tau=[0.7]),
            semantics=Semantics.REGULARISED, eps=1e-5, samples=4,
        )
    )  # fmt: skip
    assert smooth.trajectory.q[-1, 0] == pytest.approx(moved.trajectory.q[-1, 0], abs=1e-4)


def test_position_of_a_mimic_joint_has_its_multiplier_and_offset() -> None:
    robot, drive = robot_of(MIMIC), robot_drive(1)
    values = {"Fc": 0.1, "b": 0.2, "a": 0.5, "k": 3.0, "phase": 0.4}
    q, v = 0.7, 0.2

    def acceleration(ripple: float) -> float:
        frictions = [JointFriction(RIPPLE, {**values, "a": ripple}, 0, -2.0, 0.3)]
        system = robot_system(robot, frictions, drive)
        given = system.check(system_values(frictions, drive))
        return system.rate(FLOAT64, 0.0, [q, v, 0.0, 0.0], given)[1]

    M = robot_mechanism(robot, "python").terms(0.0, np.array([q]), np.array([v])).inertia[0, 0]
    torque = 0.5 * math.sin(3 * (-2 * q + 0.3) + 0.4)
    assert M * (acceleration(0.0) - acceleration(0.5)) == pytest.approx(-2 * torque, rel=1e-12)
    # the same in the meaning that sticks
    ideal = JointFriction(RIPPLE, values, 0, -2.0, 0.3)
    assert ideal.inputs(q)["position"] == pytest.approx(-2 * q + 0.3, rel=1e-15)


def test_friction_stands_inside_the_forward_dynamics(two: Robot) -> None:
    # M qdd + bias + friction = drive, term by term
    frictions = [
        JointFriction(LUGRE, VALUES, 0),
        JointFriction(COULOMB_SMOOTH, {"Fc": 0.3, "b": 0.05, "eps": 1e-2}, 1),
    ]
    drive = robot_drive(2, tau=[1, 2], kp=[3, 4], kd=[0.5, 0.6], target=[0.1, 0.2])
    system = robot_system(two, frictions, drive)
    values = system_values(frictions, drive)
    x = [0.4, -0.3, 0.02, 1.5, 5e-5, 0.0, 0.0]
    rates = system.rate(FLOAT64, 0.0, x, system.check(values))
    q, v = np.array(x[:2]), np.array(x[2:4])
    terms = robot_mechanism(two, "python").terms(0.0, q, v)
    friction = np.array(
        [
            LUGRE.force(FLOAT64, v[0], [x[4]], {}, VALUES),
            COULOMB_SMOOTH.force(FLOAT64, v[1], [], {}, frictions[1].values),
        ]
    )
    push = actuation(drive)(0.0, q, v)
    assert terms.inertia @ np.array(rates[2:4]) + terms.bias + friction == pytest.approx(push)
    assert rates[5:] == pytest.approx([push @ v, friction @ v])
    assert system.observe is not None
    assert system.observe(FLOAT64, 0.0, x, system.check(values)) == pytest.approx(
        [*push, *friction]
    )


FALLING = """
<mujoco><option timestep="2e-4" integrator="RK4"/><compiler angle="radian"/><worldbody>
<body><joint name="j" type="hinge" axis="0 1 0" damping="0.3"/>
<inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>
"""


def test_damped_pendulum_falls_as_in_mujoco() -> None:
    mujoco = need("mujoco")
    model = mujoco.MjModel.from_xml_string(FALLING)
    data = mujoco.MjData(model)
    for _ in range(5000):
        mujoco.mj_step(model, data)
    text = ARM.replace('value="0.1"', 'value="2"').replace("1e-9", "0.1")
    robot = robot_of(text.replace('friction="1.0"', 'damping="0.3"'))
    found = run_robot(Scenario(robot, (0.0,), (0.0,), 1.0, samples=1)).trajectory
    assert found.q[-1, 0] == pytest.approx(data.qpos[0], abs=1e-6)
    assert found.v[-1, 0] == pytest.approx(data.qvel[0], abs=1e-6)


# -- implicit steps -------------------------------------------------------------------------------


def nothing(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return 0 * q


@pytest.mark.parametrize("dt", [2e-3, 1e-2, 1.0, 100.0])
def test_implicit_steps_are_stable_for_any_step_and_creep_rightly(dt: float) -> None:
    body = (
        constant_inertia([[0.1]]),
        [JointFriction(COULOMB_SMOOTH, {"Fc": 1, "b": 0, "eps": 1e-3})],
    )
    motion = simulate_implicit(
        *body, lambda t, q, v: 0 * q + 0.49, [0], [3.0], max(400 * dt, 2), dt
    )
    assert motion.v[-1, 0] == pytest.approx(1e-3 * math.atanh(0.49), rel=1e-6)


def test_implicit_steps_of_stiff_bristles_do_not_explode() -> None:
    stiff = {**VALUES, "sigma0": 1e8, "sigma1": 1e3}
    motion = simulate_implicit(
        constant_inertia([[1e-3]]), [JointFriction(LUGRE, stiff)], nothing, [0], [5.0], 1.0, 1e-2
    )
    assert abs(motion.v[-1, 0]) < 1e-9
    assert np.max(np.abs(motion.v)) <= 5.0


@settings(max_examples=15)
@given(st.sampled_from(["lugre", "dahl", "elasto-plastic", "maxwell-slip", "gms", "makkar"]))
def test_implicit_steps_take_every_law_that_has_a_step(name: str) -> None:
    motion = simulate_implicit(
        constant_inertia([[1.0]]), [JointFriction(LAWS[name], EXAMPLES[name])],
        lambda t, q, v: 0 * q + math.sin(5 * t), [0], [0.2], 0.5, 5e-3,
    )  # fmt: skip
    assert np.all(np.isfinite(motion.v))
    assert np.max(np.abs(motion.imbalance)) < 0.05


def test_a_step_beyond_the_controllers_limit_is_refused_and_one_below_it_is_stable(
    two: Robot,
) -> None:
    drive = robot_drive(2, kp=[400, 100], kd=[40, 30], target=[0.2, 0.1])
    inertia = robot_mechanism(two).terms(0.0, np.zeros(2), np.zeros(2)).inertia
    limit = controller_limit(inertia, drive.kp, drive.kd)
    assert controller_limit(np.eye(2), [0, 0], [0, 0]) == math.inf
    assert controller_limit(np.eye(1), [400], [0]) == pytest.approx(0.1)
    with pytest.raises(InputError, match="too large for the controller"):
        run_robot(Scenario(two, (0.0, 0.0), (0.0, 0.0), 1.0, drive=drive, step=1.01 * limit))
    calm = run_robot(Scenario(two, (0.0, 0.0), (0.0, 0.0), 2.0, drive=drive, step=0.9 * limit))
    assert np.max(np.abs(calm.trajectory.v[-1])) < 1e-2
    explodes = simulate_moreau(
        robot_mechanism(two),
        [],
        actuation(drive),
        [0, 0],
        [0, 0],
        40 * limit,
        1.2 * limit,
    )
    assert np.max(np.abs(explodes.v)) > 10 * np.max(np.abs(calm.trajectory.v))


# -- semantics ------------------------------------------------------------------------------------


def test_laws_by_semantics() -> None:
    smooth = {"Fc": 1.0, "b": 0.1, "eps": 1e-3}
    assert ideal(COULOMB_SMOOTH, smooth) == (COULOMB_SET, {"Fc": 1.0, "b": 0.1})
    law, values = ideal(LUGRE, VALUES)
    assert law.states == ()
    assert values == VALUES
    assert regularised(COULOMB, {"Fc": 1, "b": 0}, 0.01)[1]["eps"] == 0.01
    law, values = regularised(LUGRE, VALUES, 0.01)
    assert (law.name, values["b"]) == ("stribeck-smooth", 0.5)
    law, values = dynamic(STRIBECK_SET, LESSON, Bristles(1e-3, 0.5), 0.1)
    assert law is LUGRE
    assert LESSON["alpha"] == 1
    assert {name: values[name] for name in ("Fc", "Fs", "vs", "alpha")} == {
        name: LESSON[name] for name in ("Fc", "Fs", "vs", "alpha")
    }
    assert values["sigma0"] == pytest.approx(200)
    assert values["sigma1"] == pytest.approx(math.sqrt(200 * 0.1))
    assert values["sigma2"] == 0.01
    assert dynamic(COULOMB, {"Fc": 0, "b": 2}, Bristles(), 1.0) == (VISCOUS, {"b": 2.0})
    assert dynamic(VISCOUS, {"b": 2}, Bristles(), 1.0) == (VISCOUS, {"b": 2.0})
    with pytest.raises(UnsupportedError, match="asymmetric has no regularised form"):
        regularised(LAWS["asymmetric"], EXAMPLES["asymmetric"], 1e-3)
    with pytest.raises(UnsupportedError, match="asymmetric has no dynamic form"):
        dynamic(LAWS["asymmetric"], EXAMPLES["asymmetric"], Bristles(), 1.0)
    with pytest.raises(InputError, match="bristles need"):
        dynamic(COULOMB, {"Fc": 1, "b": 0}, Bristles(give=0), 1.0)


def test_friction_of_the_file_is_what_is_simulated(two: Robot) -> None:
    assert joint_laws(two) == [
        (0, COULOMB_SET, {"Fc": 0.6, "b": 0.2}),
        (1, COULOMB_SET, {"Fc": 0.3, "b": 0.05}),
    ]
    assert [law.name for _, law, _ in joint_laws(load_robot("panda"))] == ["viscous"] * 7


def test_a_law_of_the_robot_is_simulated_in_every_semantics(arm: Robot) -> None:
    values = {"Fc": 0.8, "Fs": 1.0, "vs": 0.01, "alpha": 2.0, "b": 0.1}
    law = JointLaw("stribeck", tuple(number(repr(x)) for x in values.values()))
    (joint,) = arm.joints
    robot = replace(arm, joints=(replace(joint, friction=ZERO, law=law),))
    assert joint_laws(robot) == [(0, STRIBECK, values)]
    names = {
        kind: run_robot(Scenario(robot, (0.0,), (0.0,), 0.1, semantics=kind, samples=2))
        .frictions[0]
        .law.name
        for kind in Semantics
    }
    assert list(names.values()) == ["stribeck-set", "stribeck-smooth", "lugre"]


GEARED = """
[robot]
name = "geared"

[[link]]
name = "base"

[[link]]
name = "arm"
mass = 2
com = [0, 0, -0.5]
inertia_com = { xx = 0.1, yy = 0.1, zz = 0.1 }

[[joint]]
name = "pivot"
type = "revolute"
parent = "base"
child = "arm"
axis = [0, 1, 0]
friction = { law = "lugre", Fc = 1, Fs = 1.5, vs = 0.01, alpha = 2, \
sigma0 = 1e4, sigma1 = 99.5, sigma2 = 0.5 }
"""


def test_a_law_in_a_file_is_what_is_simulated_and_what_is_generated(tmp_path: Path) -> None:
    path = tmp_path / "geared.toml"
    path.write_text(GEARED)
    robot = load_robot(path)
    scenario = Scenario(robot, (0.4,), (0.3,), 0.5, semantics=Semantics.DYNAMIC, samples=20)
    found = run_robot(scenario)
    (friction,) = found.frictions
    assert (friction.law, dict(friction.values)) == (LUGRE, VALUES)
    # the generated torque at the states of the simulation
    spec = derive(robot, ["friction_torque"], inertial="numeric").specs["friction_torque"]
    system = robot_system(robot, found.frictions, robot_drive(1))
    values = system.check(system_values(found.frictions, robot_drive(1)))
    for v, z in ((0.3, 1e-5), (-0.02, 1e-4), (0.0, -1e-4)):
        given = {"qd": (v,), "friction_state": (z,)}
        symbols: dict[int, float] = {}
        for argument in spec.arguments:
            symbols |= zip(argument.symbols, given[argument.name], strict=True)
        generated = evaluate(spec.graph, spec.result.entries, FLOAT64, symbols)
        assert system.observe is not None
        simulated = system.observe(FLOAT64, 0.0, [0.4, v, z, 0.0, 0.0], values)[1:]
        assert simulated == pytest.approx(generated, rel=1e-13, abs=1e-15)


def test_signals_of_a_law_are_given_or_asked_for(arm: Robot) -> None:
    laws = ((0, LAWS["load-stribeck"], EXAMPLES["load-stribeck"]),)
    start = (arm, (0.0,), (0.0,), 0.1)
    with pytest.raises(InputError, match="no value for the signal 'load'"):
        run_robot(Scenario(*start, laws=laws))
    levels = [
        run_robot(Scenario(*start, laws=laws, signals={"load": load}, samples=2)).holds[0].limit
        for load in (0.0, 3.0)
    ]
    growth = EXAMPLES["load-stribeck"]["FsL"]
    assert levels[1] - levels[0] == pytest.approx(3 * growth)


def test_laws_may_be_given_in_place_of_the_robots_own(two: Robot) -> None:
    laws = ((0, STRIBECK_SET, LESSON), (1, LUGRE, VALUES))
    start = (two, (0.0, 0.0), (0.0, 0.0), 0.3)
    ideally = run_robot(Scenario(*start, laws=laws, samples=2))
    assert [f.law.name for f in ideally.frictions] == ["stribeck-set", "lugre-steady"]
    assert [hold.limit for hold in ideally.holds] == [0.3, 1.5]
    really = run_robot(Scenario(*start, laws=laws, semantics=Semantics.DYNAMIC, samples=2))
    assert [f.law.name for f in really.frictions] == ["lugre", "lugre"]
    with pytest.raises(InputError, match="a joint that does not exist"):
        run_robot(Scenario(*start, laws=((2, LUGRE, VALUES),)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"q0": (0.0,)}, "q0 has 1 entry; expected 2"),
        ({"span": 0.0}, "time and number of samples have to be positive"),
        ({"samples": 0}, "time and number of samples have to be positive"),
        ({"step": 2.0}, "the step has to be positive and at most the time"),
        ({"eps": 0.0}, "eps has to be positive"),
        ({"drive": robot_drive(1)}, "tau has 1 entry; expected 2"),
    ],
)
def test_faults_of_scenarios(two: Robot, changes: dict[str, object], message: str) -> None:
    start: dict[str, object] = {"q0": (0.0, 0.0), "v0": (0.0, 0.0), "span": 1.0}
    with pytest.raises(InputError, match=message):
        run_robot(Scenario(two, **{**start, **changes}))
    with pytest.raises(ValueError, match="kp has 1 entry; expected 2"):
        robot_drive(2, kp=[1])


def test_two_links_by_events_against_the_smoothed_limit(two: Robot) -> None:
    # the set-valued motion is the limit of smoothed ones: the distance shrinks with eps
    drive = robot_drive(2, tau=[0.0, 1.2])
    scenario = {"drive": drive, "samples": 10}
    exact = run_robot(Scenario(two, (0.0, 0.0), (0.0, 0.0), 1.0, **scenario)).trajectory
    distances = []
    for eps in (1e-2, 1e-3):
        smooth = run_robot(
            Scenario(
                two,
                (0.0, 0.0),
                (0.0, 0.0),
                1.0,
                semantics=Semantics.REGULARISED,
                eps=eps,
                **scenario,
            )
        ).trajectory
        distances.append(float(np.max(np.abs(smooth.q - exact.q))))
    assert distances[1] < 0.3 * distances[0]
    assert distances[1] < 1e-3
