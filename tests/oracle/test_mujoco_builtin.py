"""Built-in and random robots against MuJoCo, compiled from MJCF text that we write."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from symdyn.algebra.term import number
from symdyn.codegen.spec import Unit
from symdyn.crosscheck.mujoco_ import build_mujoco, write_mjcf
from symdyn.crosscheck.record import require_agreement
from symdyn.crosscheck.road import RoadMissingError
from symdyn.crosscheck.run import ROADS, crosscheck
from symdyn.io.load import load_robot
from symdyn.model.robot import JointKind, Robot
from symdyn.recipes import derive
from tests.oracles import need
from tests.robots import random_robot

MUJOCO = tuple(road for road in ROADS if road.name == "mujoco")
BARE = Unit("bare", (), (), (), None, "")
TURN_AND_SLIDE = (JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.PRISMATIC)
COVERED = {
    "inverse_dynamics", "forward_dynamics", "mass_matrix", "coriolis_matrix", "gravity_vector",
    "regressor", "kinetic_energy", "potential_energy", "forward_kinematics", "body_jacobian",
}  # fmt: skip
DAMPED = {"inverse_dynamics_with_friction", "forward_dynamics_with_friction"}


def _agree(robot: Robot, states: int = 4) -> None:
    record = crosscheck(
        robot, derive(robot), BARE, Path(), generated={}, roads=MUJOCO, states=states
    )
    require_agreement(record)
    agreed = {c.function for c in record.comparisons if c.verdict == "agrees"}
    # the panda has viscous damping, which MuJoCo knows; random robots have dry friction too
    damped = DAMPED if robot.name == "panda" else set[str]()
    assert agreed == COVERED | damped


@pytest.mark.parametrize("name", ["planar2r", "planar3r", "stanford", "ur5", "panda"])
def test_built_in_robot(name: str) -> None:
    need("mujoco")
    _agree(load_robot(name))


@pytest.mark.parametrize("name", ["puma560", "humanoid"])
def test_built_in_robot_that_mujoco_refuses(name: str) -> None:
    # links without mass between joints that meet in a point: legal, but not for MuJoCo
    need("mujoco")
    with pytest.raises(RoadMissingError, match="has no mass; MuJoCo refuses it"):
        build_mujoco(load_robot(name))


@pytest.mark.parametrize("seed", range(5))
def test_random_tree(seed: int) -> None:
    need("mujoco")
    _agree(random_robot(seed, 5, kinds=TURN_AND_SLIDE), 3)


@pytest.mark.parametrize("seed", range(20, 22))
def test_random_tree_with_mimic_joints(seed: int) -> None:
    need("mujoco")
    _agree(random_robot(seed, 5, kinds=TURN_AND_SLIDE, mimic=True), 3)


def test_states_with_other_parameters_are_left_out_and_said_so() -> None:
    need("mujoco")
    robot = random_robot(1, 2, kinds=TURN_AND_SLIDE)
    record = crosscheck(
        robot, derive(robot, ["mass_matrix"]), BARE, Path(), generated={}, roads=MUJOCO, states=6
    )
    (comparison,) = record.comparisons
    assert comparison.states == sum(record.states.values()) - record.states["other parameters"]
    assert "2 states with other parameters left out" in comparison.reason


def test_helical_joint_is_reported_not_dropped() -> None:
    need("mujoco")
    robot = random_robot(1, 2, kinds=(JointKind.HELICAL,))
    record = crosscheck(
        robot, derive(robot, ["mass_matrix"]), BARE, Path(), generated={}, roads=MUJOCO, states=3
    )
    assert record.comparisons[0].verdict == "missing"
    assert "helical" in record.comparisons[0].reason
    assert record.passed


def test_body_without_mass_is_reported_not_dropped() -> None:
    need("mujoco")
    robot = random_robot(1, 2, kinds=TURN_AND_SLIDE)
    empty = replace(robot.bodies[0], phi=(number(0),) * 10)
    with pytest.raises(RoadMissingError, match="'body 0' has no mass"):
        build_mujoco(replace(robot, bodies=(empty, robot.bodies[1])))


def test_point_mass_is_refused_with_mujocos_own_words() -> None:
    need("mujoco")
    robot = random_robot(1, 1, kinds=(JointKind.REVOLUTE,))
    point = replace(robot.bodies[0], phi=(number(1), *(number(0),) * 9))
    with pytest.raises(RoadMissingError, match=r"MuJoCo refuses the robot: .*mass and inertia"):
        build_mujoco(replace(robot, bodies=(point,)))


def test_nearly_parallel_inertial_frame_is_not_rounded_to_parallel() -> None:
    # MuJoCo takes a frame that is turned by less than 1e-6 for unturned; M then errs by 1e-8
    need("mujoco")
    robot = random_robot(6, 2, kinds=(JointKind.REVOLUTE,))
    tiny = Fraction(1, 10**8)
    numbers = (2, 0, 0, 0, Fraction(3, 10), Fraction(4, 10), Fraction(5, 10), tiny, 0, 0)
    body = replace(robot.bodies[1], phi=tuple(number(Fraction(x)) for x in numbers))
    _agree(replace(robot, bodies=(robot.bodies[0], body)))


def test_text_is_full_precision() -> None:
    robot = random_robot(3, 3, kinds=TURN_AND_SLIDE)
    text = write_mjcf(robot)
    joint = robot.joints[0].translation[0].rational
    assert joint is not None
    assert repr(float(joint)) in text
    assert text.count("<body ") == text.count("</body>") == 3


def test_long_chain_needs_no_deep_recursion() -> None:
    robot = random_robot(3, 400, kinds=(JointKind.REVOLUTE,), tree=False)
    assert write_mjcf(robot).count("<body ") == 400


def test_order_of_joints_is_mapped() -> None:
    need("mujoco")
    robot = random_robot(12, 6, kinds=TURN_AND_SLIDE)
    built = build_mujoco(robot)
    assert sorted(built.address) == list(range(6))
    assert np.array_equal(built.T, np.eye(6))
