"""The robots that come with symdyn: they load, say where their numbers are from, and hold true."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from symdyn import dynamics
from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.io.builtin import NAMES, builtin_text
from symdyn.io.load import load_robot
from symdyn.model.consistency import Consistency, diagnose
from symdyn.model.over import over
from symdyn.model.robot import JointKind, Robot

JOINTS = {
    "planar2r": 2, "planar3r": 3, "scara": 4, "stanford": 6, "puma560": 6, "ur5": 6, "panda": 7,
    "feeder": 3, "humanoid": 38,
}  # fmt: skip


def theta(robot: Robot) -> list[float]:
    values = {p.name: float(p.value) for p in robot.parameters}
    return lift([x for body in robot.bodies for x in body.phi], FLOAT64, values)


def mass_matrix(robot: Robot, q: Sequence[float]) -> NDArray[np.float64]:
    return np.array(dynamics.mass_matrix(over(robot, FLOAT64), q, theta(robot)))


@pytest.mark.parametrize("name", NAMES)
def test_every_robot_loads_and_moves(name: str) -> None:
    robot = load_robot(name)
    assert robot.name == name
    assert robot.n == JOINTS[name]
    assert robot.source == f"{name}.toml"
    for seed in range(3):
        q = np.random.default_rng(seed).uniform(-2, 2, robot.n)
        assert np.linalg.eigvalsh(mass_matrix(robot, list(q))).min() > 0


@pytest.mark.parametrize("name", NAMES)
def test_every_file_says_where_its_numbers_are_from(name: str) -> None:
    text = builtin_text(name)
    content = tomllib.loads(text)
    assert text.startswith("# ")
    assert content["format"] == 1
    assert content["robot"]["source"]
    for parameter in content.get("parameters", {}).values():
        assert parameter["source"]
        assert parameter["unit"]


@pytest.mark.parametrize("name", NAMES)
def test_bodies_can_exist_but_for_the_known_faults_of_the_sources(name: str) -> None:
    faulty = {d.name for d in diagnose(load_robot(name)) if d.verdict is Consistency.INCONSISTENT}
    assert faulty == ({"link1", "link3"} if name == "puma560" else set())


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match="no built-in robot 'kuka'; expected one of planar2r"):
        builtin_text("kuka")


def test_planar_arms_keep_their_lengths_as_symbols() -> None:
    robot = load_robot("planar2r")
    assert [p.name for p in robot.parameters] == [
        "g", "l1", "l2", "lc1", "lc2", "m1", "m2", "I1", "I2",
    ]  # fmt: skip
    assert not any(p.is_argument for p in robot.parameters)
    assert robot.joints[1].translation[0].payload == "l1"
    assert [x.rational for x in robot.joints[1].translation[1:]] == [0, 0]


def test_planar_arm_has_the_mass_matrix_of_the_textbooks() -> None:
    robot = load_robot("planar2r")
    l1, l2, r, m1, m2 = 1.0, 0.8, 0.03, 3.0, 2.0
    i1, i2 = m1 * (3 * r**2 + l1**2) / 12, m2 * (3 * r**2 + l2**2) / 12
    c = np.cos(0.7)
    # Siciliano et al. 2009, equation (7.82), without motors
    m22 = i2 + m2 * l2**2 / 4
    m12 = m22 + m2 * l1 * l2 / 2 * c
    m11 = i1 + m1 * l1**2 / 4 + i2 + m2 * (l1**2 + l2**2 / 4 + l1 * l2 * c)
    assert_allclose(mass_matrix(robot, [0.3, 0.7]), [[m11, m12], [m12, m22]], rtol=1e-14)


def test_puma_has_the_published_inertia_and_gravity_load() -> None:
    robot = load_robot("puma560")
    nominal = [0, np.pi / 4, np.pi, 0, np.pi / 4, 0]
    # Corke 2011, Robotics, Vision and Control, section 9.2, nominal pose
    expected = np.array(
        [
            [3.6594, -0.4044, 0.1006, -0.0025, 0, 0],
            [-0.4044, 4.4137, 0.3509, 0, 0.0024, 0],
            [0.1006, 0.3509, 0.9378, 0, 0.0015, 0],
            [-0.0025, 0, 0, 0.1925, 0, 0],
            [0, 0.0024, 0.0015, 0, 0.1713, 0],
            [0, 0, 0, 0, 0, 0.1941],
        ]
    )
    half_a_digit = 5.1e-5
    assert_allclose(mass_matrix(robot, nominal), expected, atol=half_a_digit)
    load = dynamics.gravity_vector(over(robot, FLOAT64), nominal, theta(robot))
    assert_allclose(load, [0, 31.6399, 6.0351, 0, 0.0283, 0], atol=half_a_digit)


def test_puma_motors_stand_in_the_joints() -> None:
    joint = load_robot("puma560").joints[0]
    assert lift([joint.armature, joint.damping, joint.friction], FLOAT64) == [
        pytest.approx(200e-6 * 62.6111**2),
        pytest.approx(1.48e-3 * 62.6111**2),
        pytest.approx(62.6111 * 0.415),
    ]


def test_stanford_and_scara_slide() -> None:
    for name, index in (("stanford", 2), ("scara", 2)):
        kinds = [joint.kind for joint in load_robot(name).joints]
        assert [i for i, kind in enumerate(kinds) if kind is JointKind.PRISMATIC] == [index]


def test_the_humanoid_is_a_symmetric_man_of_73_kg() -> None:
    robot = load_robot("humanoid")
    assert sum(theta(robot)[0::10]) == pytest.approx(73, rel=1e-12)
    M = mass_matrix(robot, [0.0] * robot.n)
    assert_allclose(np.diag(M)[:3], 73, rtol=1e-12)
    left = [i for i, name in enumerate(robot.coordinates) if name.startswith("left")]
    right = [i for i, name in enumerate(robot.coordinates) if name.startswith("right")]
    assert len(left) == len(right) == 13
    assert_allclose(np.diag(M)[left], np.diag(M)[right], rtol=1e-12)
    between = [body for body in robot.bodies if not any(body.symbolic)]
    assert len(between) == 38 - 15  # segments of the body
    assert all(x.rational == 0 for body in between for x in body.phi)
