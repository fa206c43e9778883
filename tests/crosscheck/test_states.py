from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from symdyn.algebra.term import PI, number
from symdyn.crosscheck.states import check_states, position_ranges
from symdyn.io.load import load_robot
from symdyn.model.robot import JointKind, Limits
from symdyn.unit import theta_values
from tests.robots import random_robot


def test_same_seed_gives_the_same_states_and_another_seed_others() -> None:
    robot = random_robot(3, 4)
    assert check_states(robot, seed=5) == check_states(robot, seed=5)
    assert check_states(robot, seed=5)[0] != check_states(robot, seed=6)[0]


def test_random_positions_keep_the_limits() -> None:
    panda = load_robot("panda")
    ranges = position_ranges(panda)
    assert ranges[3][1] < 0  # the elbow of this arm never reaches zero
    for state in check_states(panda, count=30):
        if state.kind in ("random", "other parameters"):
            for x, (low, high) in zip(state.values["q"], ranges, strict=True):
                assert low <= x <= high


def test_boundary_states_sit_on_the_limits() -> None:
    panda = load_robot("panda")
    ranges = position_ranges(panda)
    by_kind = {state.kind: state.values["q"] for state in check_states(panda)}
    assert by_kind["lower limits"] == tuple(low for low, _ in ranges)
    assert by_kind["upper limits"] == tuple(high for _, high in ranges)


def test_every_kind_of_state_is_there() -> None:
    kinds = {state.kind for state in check_states(random_robot(1, 3), count=6)}
    assert kinds == {
        "random", "other parameters", "zero", "lower limits", "upper limits", "quarter turns",
        "singular", "near singular", "large angles", "fast",
    }  # fmt: skip


def test_quarter_turns_are_multiples_of_half_pi_for_angles_only() -> None:
    robot = random_robot(8, 6, kinds=(JointKind.REVOLUTE, JointKind.PRISMATIC))
    state = next(s for s in check_states(robot) if s.kind == "quarter turns")
    for joint in robot.joints:
        x = state.values["q"][joint.coordinate]
        if joint.kind is JointKind.PRISMATIC:
            assert abs(x) <= 1
        else:
            assert x / (math.pi / 2) == round(x / (math.pi / 2))


def test_singular_state_of_an_arm_with_a_wrist_loses_rank() -> None:
    from symdyn.algebra.float64 import FLOAT64
    from symdyn.dynamics import body_jacobian
    from symdyn.model.over import over

    puma = load_robot("puma560")
    state = next(s for s in check_states(puma) if s.kind == "singular")
    J = np.array(body_jacobian(over(puma, FLOAT64), list(state.values["q"])))[-6:]
    assert np.linalg.svd(J, compute_uv=False)[-1] < 1e-9


def test_other_parameters_are_other_and_consistent() -> None:
    robot = random_robot(4, 3)
    own = theta_values(robot)
    others = [s for s in check_states(robot, count=9) if s.kind == "other parameters"]
    assert len(others) == 3
    for state in others:
        assert not state.own_theta
        theta = np.array(state.values["theta"]).reshape(-1, 10)
        assert not np.allclose(theta, np.array(own).reshape(-1, 10), rtol=1e-3)
        for m, h1, h2, h3, i11, i22, i33, i12, i23, i13 in theta:
            tensor = np.array([[i11, i12, i13], [i12, i22, i23], [i13, i23, i33]])
            sigma = np.trace(tensor) / 2 * np.eye(3) - tensor
            h = np.array([[h1, h2, h3]])
            P = np.block([[sigma, h.T], [h, np.array([[m]])]])
            assert np.linalg.eigvalsh(P)[0] > 0


def test_fixed_parameters_never_vary() -> None:
    robot = random_robot(4, 3)
    first = replace(robot.bodies[0], symbolic=(True,) * 9 + (False,))
    robot = replace(robot, bodies=(first, *robot.bodies[1:]))
    assert all(state.own_theta for state in check_states(robot, count=9))


def test_absurd_limits_are_cut() -> None:
    robot = random_robot(2, 1, kinds=(JointKind.REVOLUTE,))
    wide = Limits(number(Fraction(-(10**16))), number(Fraction(10**16)))
    robot = replace(robot, joints=(replace(robot.joints[0], limits=wide),))
    assert position_ranges(robot) == [(-10 * math.pi, 10 * math.pi)]
    turned = Limits(PI, -PI)
    robot = replace(robot, joints=(replace(robot.joints[0], limits=turned),))
    assert position_ranges(robot) == [(-math.pi, math.pi)]
