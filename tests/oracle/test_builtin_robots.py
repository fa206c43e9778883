"""Built-in arms against the URDF files of example-robot-data, read by Pinocchio."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.io.load import load_robot
from symdyn.io.urdf import read_urdf
from symdyn.model.build import build_robot
from symdyn.model.over import over
from symdyn.model.robot import Robot
from tests.oracle.test_urdf_robots import DIRECTORY
from tests.oracles import need

TOLERANCE = 1e-12
#: ur5_robot.urdf writes pi/2 with eleven decimals.
ROUNDED_ANGLES = 1e-9


def _file(name: str) -> Path:
    if DIRECTORY is None:
        need("example_robot_data_files")  # skips, or fails where it is required
    assert DIRECTORY is not None
    return DIRECTORY / name


def _theta(robot: Robot) -> list[float]:
    values = {p.name: float(p.value) for p in robot.parameters}
    return lift([x for body in robot.bodies for x in body.phi], FLOAT64, values)


def _panda_arm_of(path: Path) -> Robot:
    """The file's robot without what hangs on link 8."""
    whole = read_urdf(path)
    inside = {f"panda_link{i}" for i in range(9)}
    links = tuple(link for link in whole.links if link.name in inside)
    joints = tuple(joint for joint in whole.joints if joint.child in inside)
    return build_robot(type(whole)(whole.name, links, joints, whole.gravity, whole.source))


def test_panda_is_the_arm_of_the_description_package() -> None:
    mine, theirs = load_robot("panda"), _panda_arm_of(_file("panda_description/urdf/panda.urdf"))
    assert mine.n == theirs.n == 7
    rng = np.random.default_rng(1)
    for _ in range(5):
        q, qd, qdd = rng.uniform(-2, 2, (3, 7)).tolist()
        a = dynamics.inverse_dynamics(over(mine, FLOAT64), q, qd, qdd, _theta(mine))
        b = dynamics.inverse_dynamics(over(theirs, FLOAT64), q, qd, qdd, _theta(theirs))
        assert_allclose(a, b, atol=TOLERANCE * np.abs(b).max())
        poses = dynamics.forward_kinematics(over(mine, FLOAT64), q)
        assert_allclose(poses, dynamics.forward_kinematics(over(theirs, FLOAT64), q), atol=1e-14)
    for ours, other in zip(mine.joints, theirs.joints, strict=True):
        assert lift([ours.damping], FLOAT64) == lift([other.damping], FLOAT64)
        for key in ("lower", "upper", "velocity", "effort"):
            bounds = [getattr(joint.limits, key) for joint in (ours, other)]
            assert bounds[0].rational == bounds[1].rational


def test_panda_agrees_with_pinocchio() -> None:
    pinocchio = need("pinocchio")
    full = pinocchio.buildModelFromUrdf(str(_file("panda_description/urdf/panda.urdf")))
    fingers = [full.getJointId(name) for name in full.names if "finger" in name]
    model = pinocchio.buildReducedModel(full, fingers, pinocchio.neutral(full))
    robot = load_robot("panda")
    # the package lumps the hand into the last joint; here it carries link 7 alone
    phi = lift(robot.bodies[6].phi, FLOAT64)
    order = [0, 1, 2, 3, 4, 7, 5, 9, 8, 6]
    model.inertias[7] = pinocchio.Inertia.FromDynamicParameters(np.array([phi[k] for k in order]))
    data = model.createData()
    rng = np.random.default_rng(2)
    for _ in range(5):
        q, qd, qdd = rng.uniform(-2, 2, (3, 7))
        tau = pinocchio.rnea(model, data, q, qd, qdd)
        mine = dynamics.inverse_dynamics(
            over(robot, FLOAT64), list(q), list(qd), list(qdd), _theta(robot)
        )
        assert_allclose(mine, tau, atol=TOLERANCE * np.abs(tau).max())


@pytest.mark.parametrize("seed", range(3))
def test_ur5_stands_where_the_description_package_puts_it(seed: int) -> None:
    pinocchio = need("pinocchio")
    model = pinocchio.buildModelFromUrdf(str(_file("ur_description/urdf/ur5_robot.urdf")))
    data = model.createData()
    q = np.random.default_rng(seed).uniform(-3, 3, 6)
    pinocchio.framesForwardKinematics(model, data, q)
    # that file's frames "base" and "tool0" are those of the maker's DH table
    base, tool = (data.oMf[model.getFrameId(name)] for name in ("base", "tool0"))
    expected = (base.inverse() * tool).homogeneous
    robot = load_robot("ur5")
    pose = np.array(dynamics.forward_kinematics(over(robot, FLOAT64), list(q))[-1])
    end = robot.bodies[5].links[-1]
    there = np.eye(4)
    there[:3, :3] = [lift(row, FLOAT64) for row in end.rotation]
    there[:3, 3] = lift(end.translation, FLOAT64)
    assert end.name == "wrist_3_link.dh"
    assert_allclose(pose @ there, expected, atol=ROUNDED_ANGLES)
