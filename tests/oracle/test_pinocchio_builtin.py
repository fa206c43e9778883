"""Built-in and random robots against Pinocchio, its model built from ours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import number
from symdyn.codegen.spec import Unit
from symdyn.crosscheck.pinocchio_ import build_pinocchio
from symdyn.crosscheck.record import require_agreement
from symdyn.crosscheck.road import RoadMissingError
from symdyn.crosscheck.run import ROADS, crosscheck
from symdyn.dynamics import inverse_dynamics, mass_matrix
from symdyn.dynamics.joint_friction import has_friction
from symdyn.io.load import load_robot
from symdyn.model.over import over
from symdyn.model.robot import JointKind, Robot
from symdyn.recipes import derive
from symdyn.unit import theta_values
from tests.oracles import need
from tests.robots import random_robot

PINOCCHIO = tuple(road for road in ROADS if road.name == "pinocchio")
BARE = Unit("bare", (), (), (), None, "")
#: Everything that Pinocchio can be asked for.
COVERED = {
    "inverse_dynamics", "forward_dynamics", "mass_matrix", "coriolis_matrix", "gravity_vector",
    "regressor", "slotine_li_regressor", "kinetic_energy", "potential_energy",
    "forward_kinematics", "body_jacobian", "generalized_inverse_dynamics",
    "generalized_forward_dynamics", "generalized_kinetic_energy", "changing_mass_matrix",
    "source_torque", "gyroscopic_matrix", "momentum_map",
}  # fmt: skip
#: What it can be asked for besides, if joints have friction.
RUBBED = {"inverse_dynamics_with_friction", "forward_dynamics_with_friction"}


def _agree(robot: Robot, states: int = 4) -> None:
    record = crosscheck(
        robot, derive(robot), BARE, Path(), generated={}, roads=PINOCCHIO, states=states
    )
    require_agreement(record)
    agreed = {c.function for c in record.comparisons if c.verdict == "agrees"}
    assert agreed == (COVERED | RUBBED if has_friction(robot) else COVERED)


@pytest.mark.parametrize("name", ["planar2r", "planar3r", "scara", "stanford", "puma560", "panda"])
def test_built_in_robot(name: str) -> None:
    need("pinocchio")
    _agree(load_robot(name))


@pytest.mark.slow
def test_panda_at_a_hundred_states() -> None:
    need("pinocchio")
    _agree(load_robot("panda"), 100)


@pytest.mark.slow
def test_humanoid() -> None:
    need("pinocchio")
    _agree(load_robot("humanoid"), 4)


@pytest.mark.parametrize("seed", range(6))
def test_random_tree_with_every_kind_of_joint(seed: int) -> None:
    need("pinocchio")
    _agree(random_robot(seed, 5), 3)


@pytest.mark.parametrize("seed", range(20, 23))
def test_random_tree_with_mimic_joints(seed: int) -> None:
    need("pinocchio")
    _agree(random_robot(seed, 5, mimic=True), 3)


def test_continuous_joint_is_one_angle_here_and_two_numbers_there() -> None:
    need("pinocchio")
    robot = random_robot(1, 3, kinds=(JointKind.CONTINUOUS,))
    axes = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    joints = tuple(
        replace(joint, axis=(number(x), number(y), number(z)))
        for joint, (x, y, z) in zip(robot.joints, axes, strict=True)
    )
    robot = replace(robot, joints=joints)
    built = build_pinocchio(robot)
    assert (robot.n, built.model.nv, built.model.nq) == (3, 3, 6)
    model, theta = over(robot, FLOAT64), theta_values(robot)
    q, v, a = [0.6, -2.0, 3.5], [0.1, 0.2, -0.3], [1.0, 0.0, 2.0]
    theirs = built.pin.rnea(
        built.model, built.data, built.configuration(q), built.rates(v), built.rates(a)
    )
    ours = inverse_dynamics(model, q, v, a, theta)
    np.testing.assert_allclose(theirs, ours, rtol=1e-12, atol=1e-13)


def test_parameters_can_be_exchanged() -> None:
    need("pinocchio")
    robot = random_robot(2, 3, kinds=(JointKind.REVOLUTE,))
    twice = [2 * x for x in theta_values(robot)]
    built = build_pinocchio(robot, twice)
    q = [0.3, 0.4, 0.5]
    M = np.triu(built.pin.crba(built.model, built.data, built.configuration(q)))
    wanted = np.triu(mass_matrix(over(robot, FLOAT64), q, twice))
    np.testing.assert_allclose(M, wanted, rtol=1e-12, atol=1e-13)


def test_first_moment_without_mass_is_refused_by_name() -> None:
    need("pinocchio")
    robot = random_robot(2, 2, kinds=(JointKind.REVOLUTE,))
    theta = [0.0, 0.1, *[0.0] * 18]
    with pytest.raises(RoadMissingError, match="'body 0' has a first moment but no mass"):
        build_pinocchio(robot, theta)
