"""The MJCF reader: conventions of the compiler, what is refused, and MuJoCo's own numbers."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from symdyn import dynamics
from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.io.load import load_robot
from symdyn.io.mjcf import parse_mjcf, read_mjcf
from symdyn.model.build import build_robot
from symdyn.model.over import over
from symdyn.model.robot import Robot
from tests.oracles import need

#: MuJoCo's arithmetic against ours, relative to the largest entry.
TOLERANCE = 1e-12


@pytest.fixture(autouse=True)
def _compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need("mujoco")
    monkeypatch.chdir(tmp_path)  # MuJoCo writes its log file there


def world(inside: str, outside: str = "", name: str = "m") -> str:
    return f'<mujoco model="{name}">{outside}<worldbody>{inside}</worldbody></mujoco>'


BALL = '<geom type="sphere" size="0.1" mass="1"/>'


def built(text: str) -> Robot:
    return build_robot(parse_mjcf(text, "m.xml"))


def theta(robot: Robot) -> list[float]:
    return [x for body in robot.bodies for x in lift(body.phi, FLOAT64)]


def mass_matrix(robot: Robot, q: Sequence[float]) -> NDArray[np.float64]:
    return np.array(dynamics.mass_matrix(over(robot, FLOAT64), q, theta(robot)))


# -- conventions ----------------------------------------------------------------------------------

#: Case C47: degrees, the order xx yy zz xy xz yz, armature, damping, friction.
TURNED = world(
    '<body name="a" euler="0 0 90">'
    '<joint name="j" type="hinge" axis="0 0 1" range="-90 90" armature="0.2" damping="0.1" '
    'frictionloss="0.3"/>'
    '<inertial pos="0 0 0" mass="1" fullinertia="1 2 2.5 0.1 0.2 0.3"/></body>'
)


def test_degrees_tensor_order_armature() -> None:
    robot = built(TURNED)
    joint, body = robot.joints[0], robot.bodies[0]
    assert mass_matrix(robot, [0.0]).tolist() == [[2.7]]
    assert [x.rational for x in joint.rotation[0]] == [0, -1, 0]
    assert [x.rational for x in body.phi] == [
        Fraction(x) for x in ("1", "0", "0", "0", "1", "2", "2.5", "0.1", "0.3", "0.2")
    ]
    assert joint.limits.lower is not None
    assert lift([joint.limits.lower], FLOAT64) == [-math.pi / 2]
    assert (joint.damping.rational, joint.friction.rational) == (Fraction(1, 10), Fraction(3, 10))
    assert joint.armature.rational == Fraction(1, 5)


def test_decimals_come_back_as_written() -> None:
    body = '<body pos="0.316 0.1 -0.0825"><joint axis="0 0.6 0.8"/>' + BALL + "</body>"
    joint = built(world(body, '<option gravity="0 0.1 -9.80665"/>')).joints[0]
    assert [x.rational for x in joint.translation] == [
        Fraction("0.316"), Fraction("0.1"), Fraction("-0.0825"),
    ]  # fmt: skip
    assert [x.rational for x in joint.axis] == [0, Fraction(3, 5), Fraction(4, 5)]
    assert built(world(body, '<option gravity="0 0.1 -9.80665"/>')).gravity[2].rational == Fraction(
        "-9.80665"
    )


def test_missing_names_are_numbered_without_clashes() -> None:
    text = world(
        f'<body name="body2"><joint/>{BALL}<body><joint name="joint0"/>{BALL}</body></body>'
    )
    robot = built(text)
    assert len({body.name for body in robot.bodies}) == 2
    assert len(set(robot.coordinates)) == 2
    assert robot.name == "m"


def test_several_joints_of_a_body_become_a_chain_whose_links_stay_empty() -> None:
    text = world(f'<body name="a"><joint name="x" type="slide"/><joint name="y"/>{BALL}</body>')
    robot = built(text)
    assert robot.coordinates == ("x", "y")
    assert [body.name for body in robot.bodies] == ["a.x", "a"]
    assert robot.bodies[0].symbolic == (False,) * 10
    assert all(x.rational == 0 for x in robot.bodies[0].phi)
    assert not any("massless" in note for note in robot.notes)


def test_bodies_without_joints_are_part_of_their_parent() -> None:
    inner = f'<body name="b" pos="0 0 1">{BALL}<body name="c" euler="0 90 0">{BALL}</body></body>'
    robot = built(world(f'<body name="a"><joint axis="1 0 0"/>{BALL}{inner}</body>'))
    assert [link.name for link in robot.bodies[0].links] == ["a", "b", "c"]
    assert robot.bodies[0].phi[0].rational == 3


def test_a_linear_joint_equality_is_a_mimic_joint() -> None:
    bodies = (
        f'<body><joint name="lead" ref="20"/>{BALL}<body pos="1 0 0">'
        f'<joint name="follow" ref="-10"/>{BALL}</body></body>'
    )
    equality = '<equality><joint joint1="follow" joint2="lead" polycoef="0.3 -2 0 0 0"/></equality>'
    robot = built(f"<mujoco><worldbody>{bodies}</worldbody>{equality}</mujoco>")
    follower = robot.joints[1]
    assert robot.coordinates == ("lead",)
    assert follower.multiplier.rational == -2
    # q - r1 = 0.3 - 2 (x - r2)
    expected = -math.radians(10) + 0.3 + 2 * math.radians(20)
    assert lift([follower.offset], FLOAT64) == [pytest.approx(expected, rel=1e-15)]
    off = equality.replace("<joint ", '<joint active="false" ')
    robot = built(f"<mujoco><worldbody>{bodies}</worldbody>{off}</mujoco>")
    assert robot.n == 2
    assert any("inactive" in note for note in robot.notes)


def test_what_is_left_out_is_said() -> None:
    text = world(
        f'<body gravcomp="0.5"><joint stiffness="3"/>{BALL}</body>',
        '<compiler balanceinertia="true"/><option density="1.2"/>',
    )
    notes = " ".join(built(text).notes)
    for word in ("stiffness", "gravcomp", "density", "balanceinertia", "MuJoCo's compiler"):
        assert word in notes


def test_warnings_become_notes_and_leave_no_log_file(tmp_path: Path) -> None:
    text = world(f'<body><joint axis="0 0 1"/><joint axis="0 0 1"/>{BALL}</body>')
    assert any("MuJoCo warns: Inertia matrix" in note for note in built(text).notes)
    assert not list(tmp_path.iterdir())


# -- refusals -------------------------------------------------------------------------------------

TWO = (
    f'<body name="a"><joint name="j"/>{BALL}'
    f'<body name="b" pos="1 0 0"><joint name="k"/>{BALL}</body></body>'
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            world(f"<body><freejoint/>{BALL}</body>"),
            ("free joint", "three slides and three hinges"),
        ),
        (world(f'<body><joint type="ball"/>{BALL}</body>'), ("ball joint", "three hinges")),
        (
            world(TWO).replace(
                "</mujoco>", '<equality><connect body1="b" anchor="1 0 0"/></equality></mujoco>'
            ),
            ("equality 1 (connect)", "closes a loop"),
        ),
        (
            world(TWO).replace(
                "</mujoco>",
                '<equality><joint joint1="j" joint2="k" polycoef="0 1 1 0 0"/></equality></mujoco>',
            ),
            ("joint j", "degree 2 or more"),
        ),
        (
            world(TWO).replace("</mujoco>", '<equality><joint joint1="j"/></equality></mujoco>'),
            ("joint j", "holds the joint still"),
        ),
        (
            world(TWO).replace(
                "</mujoco>",
                '<tendon><fixed stiffness="5"><joint joint="j" coef="1"/></fixed></tendon>'
                "</mujoco>",
            ),
            ("tendon 1", "stiffness"),
        ),
    ],
)
def test_loops_and_joints_with_several_coordinates_are_explained(
    text: str, words: tuple[str, ...]
) -> None:
    with pytest.raises(UnsupportedError) as caught:
        parse_mjcf(text, "m.xml")
    message = str(caught.value)
    assert message.startswith("m.xml")
    assert "\n" not in message
    assert all(word in message for word in words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<mujoco><worldbody>", ("m.xml",)),
        ("<robot name='r'/>", ("this is a URDF file", "ending .urdf")),
        ("<sdf/>", ("the outermost element mujoco", "sdf")),
        (world("<body><joint/></body>"), ("MuJoCo's compiler refuses", "mass and inertia")),
        (world("<nothing/>"), ("MuJoCo's compiler refuses", "nothing")),
        (world(f'<body pos="0 nan 0"><joint/>{BALL}</body>'), ("not a finite number", "body, pos")),
        (world(f'<body><joint axis="0 0 inf"/>{BALL}</body>'), ("not a finite number",)),
        ('<!DOCTYPE x [<!ENTITY a "b">]><mujoco/>', ("m.xml",)),
        ("", ("m.xml",)),
        (
            world('<replicate count="1000">' * 3 + BALL + "</replicate>" * 3),
            ("m.xml:1", "the count of this replicate is too large"),
        ),
        (
            world("", '<asset><texture builtin="flat" width="99999999" height="2"/></asset>'),
            ("the width of this texture is too large; expected at most 10000",),
        ),
    ],
)
def test_faults_are_one_line(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        parse_mjcf(text, "m.xml")
    message = str(caught.value)
    assert message.startswith("m.xml")
    assert "\n" not in message
    assert all(word in message for word in words)


def test_a_body_may_be_called_inf() -> None:
    assert built(world(f'<body name="inf"><joint name="nan"/>{BALL}</body>')).coordinates == (
        "nan",
    )


def test_files_and_suffixes(tmp_path: Path) -> None:
    for name in ("a.xml", "a.mjcf"):
        (tmp_path / name).write_text(TURNED, encoding="utf-8")
        assert load_robot(tmp_path / name).n == 1
    with pytest.raises(InputError, match=r"missing\.xml"):
        read_mjcf(tmp_path / "missing.xml")


def test_without_mujoco_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(UnsupportedError, match=r"pip install 'symdyn\[mjcf\]'"):
        parse_mjcf(TURNED)


# -- MuJoCo as the judge --------------------------------------------------------------------------


def random_text(seed: int) -> str:
    """A random tree with every feature that moves a frame."""
    rng = random.Random(seed)

    def some(low: float = -0.4, high: float = 0.4, n: int = 3) -> str:
        return " ".join(f"{rng.uniform(low, high):.3f}" for _ in range(n))

    def turn() -> str:
        return rng.choice(
            [
                f'quat="{some(0.1, 1, 4)}"', f'euler="{some(-90, 90)}"', 'euler="90 0 -90"',
                f'axisangle="{some(0.1, 1)} 40"', "",
            ]
        )  # fmt: skip

    def joint() -> str:
        kind = rng.choice(["hinge", "hinge", "slide"])
        axis = rng.choice(["1 0 0", "0 -1 0", "0 1 1", some(0.1, 1)])
        ref = rng.choice(["", f'ref="{rng.uniform(-1, 1):.2f}"', 'ref="90"'])
        place = rng.choice(["", f'pos="{some()}"'])
        armature = rng.choice(["", 'armature="0.02"'])
        return f'<joint type="{kind}" axis="{axis}" {place} {ref} {armature}/>'

    def inertia() -> str:
        return rng.choice(
            [
                f'<geom type="capsule" size="0.05" fromto="0 0 0 {some(0.1, 0.4)}"/>',
                f'<geom type="box" size="{some(0.02, 0.1)}" pos="{some()}" {turn()}/>',
                f'<inertial pos="{some()}" mass="1.7" {turn()} diaginertia="0.02 0.03 0.04"/>',
            ]
        )

    def body(depth: int) -> str:
        joints = "".join(joint() for _ in range(rng.choice([0, 1, 1, 1, 2, 3])))
        inner = "".join(body(depth - 1) for _ in range(rng.choice([1, 1, 2]))) if depth else ""
        return f'<body pos="{some()}" {turn()}>{joints}{inertia()}{inner}</body>'

    first = f'<body pos="{some()}">{joint()}{inertia()}{body(2)}{body(1)}</body>'
    return world(first, '<option gravity="0.3 -0.2 -9.81"/>')


@pytest.mark.parametrize("seed", range(12))
def test_random_trees_agree_with_mujoco(seed: int) -> None:
    mujoco = need("mujoco")
    text = random_text(seed)
    theirs = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(theirs)
    robot = built(text)
    model, parameters = over(robot, FLOAT64), theta(robot)
    assert robot.n == theirs.nv
    names = [theirs.joint(j).name or f"joint{j}" for j in range(theirs.njnt)]
    assert list(robot.coordinates) == names
    rng = np.random.default_rng(seed)
    for _ in range(3):
        q, qd, qdd = rng.uniform(-2, 2, (3, robot.n))
        data.qpos[:], data.qvel[:] = q, qd
        mujoco.mj_forward(theirs, data)
        M = _dense(mujoco, theirs, data)
        data.qacc[:] = qdd
        tau = np.zeros(robot.n)
        mujoco.mj_rne(theirs, data, 1, tau)
        tau += theirs.dof_armature * qdd
        mine = dynamics.inverse_dynamics(model, list(q), list(qd), list(qdd), parameters)
        assert_allclose(mass_matrix(robot, list(q)), M, atol=TOLERANCE * np.abs(M).max())
        assert_allclose(mine, tau, atol=TOLERANCE * np.abs(tau).max())


def _dense(mujoco: object, model: object, data: object) -> NDArray[np.float64]:
    """M as MuJoCo has it; the argument order of mj_fullM changed with version 4."""
    n = model.nv  # type: ignore[attr-defined] # compiled bindings without stubs
    M = np.zeros((n, n))
    fill = mujoco.mj_fullM  # type: ignore[attr-defined] # as above
    try:
        fill(model, data, M)
    except TypeError:
        fill(model, M, data.qM)  # type: ignore[attr-defined] # as above
    return M
