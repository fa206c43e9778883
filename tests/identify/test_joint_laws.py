"""A law for each joint: the file's, one chosen, and what becomes of held parameters."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.term import number
from symdyn.friction.catalog import LAWS
from symdyn.identify.joint_laws import joint_frictions, laws_of_file
from symdyn.identify.robot_task import JointFriction
from symdyn.identify.whole_robot import identify_robot
from symdyn.io.load import load_robot
from tests.identify.records import excitation, torques
from tests.robots import random_robot

PLANAR = load_robot("planar2r")
FIRST, SECOND = PLANAR.coordinates


def test_a_parameter_is_held_where_a_law_has_it_and_closer_by_where_a_joint_is_named() -> None:
    laws = {FIRST: LAWS["stribeck"], SECOND: LAWS["coulomb"]}
    fixed = {"alpha": 2.0, "b": 0.1, f"b@{SECOND}": 0.2}
    first, second = joint_frictions(PLANAR, laws, fixed)
    assert first == JointFriction(LAWS["stribeck"], {"alpha": 2.0, "b": 0.1})
    assert second == JointFriction(LAWS["coulomb"], {"b": 0.2})
    assert joint_frictions(PLANAR, dict.fromkeys(laws), {}) == [None, None]


def test_every_joint_needs_a_law_and_no_other_may_have_one() -> None:
    with pytest.raises(InputError, match=f"(?s)a joint has no law.*{SECOND}"):
        joint_frictions(PLANAR, {FIRST: LAWS["coulomb"]}, {})
    with pytest.raises(InputError, match="no coordinate 'wrist'"):
        joint_frictions(PLANAR, {"wrist": None}, {})


def test_friction_of_a_follower_is_for_the_caller_to_sort_out() -> None:
    robot = random_robot(3, 3, mimic=True)
    rubbing = replace(
        robot,
        joints=tuple(
            replace(
                j,
                law=None,
                friction=number(0 if j.name in robot.coordinates else 1),
                damping=number(0),
            )
            for j in robot.joints
        ),
    )
    follower = next(j for j in rubbing.joints if j.name not in rubbing.coordinates)
    leader = rubbing.coordinates[follower.coordinate]
    with pytest.raises(UnsupportedError, match=f"{follower.name} follows {leader}"):
        laws_of_file(rubbing)
    assert laws_of_file(rubbing, [leader])[leader] is LAWS["coulomb"]


def test_joints_are_judged_one_by_one() -> None:
    """The first bends; the second only ever moves far above its bend."""
    q, qd, qdd = excitation(2, 400)
    fast = np.abs(qd[:, 1]) > 1.0
    tau = torques(PLANAR, q, qd, qdd) + 0.3 * qd + np.sign(qd)
    rows = q[fast], qd[fast], qdd[fast], tau[fast]
    laws = {FIRST: LAWS["coulomb"], SECOND: LAWS["hess-soom"]}
    fixed = {f"vs@{SECOND}": 1e-9}
    fit = identify_robot(PLANAR, *rows, joint_frictions(PLANAR, laws, fixed, offset=False))
    first, second = fit.verdicts(PLANAR.coordinates)
    assert (first.words, first.open) == ("identified", ())
    assert (second.words, second.open) == ("identified in part", ("Fs",))
    assert [e.name for e in fit.joint(SECOND)] == [f"{n}@{SECOND}" for n in ("Fc", "Fs", "vs", "b")]
