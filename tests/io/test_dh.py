"""DH tables as functions: the products they stand for, and where the inertias refer to."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from symdyn import dynamics
from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import ZERO, Term, lift, number
from symdyn.io.dh import DHRow, modified_dh, standard_dh
from symdyn.model.build import build_robot
from symdyn.model.description import RobotDescription
from symdyn.model.over import over
from symdyn.model.robot import Robot

Matrix = NDArray[np.float64]


def turn(axis: str, angle: float) -> Matrix:
    c, s = math.cos(angle), math.sin(angle)
    i, j = {"x": (1, 2), "z": (0, 1)}[axis]
    T = np.eye(4)
    T[i, i] = T[j, j] = c
    T[i, j], T[j, i] = -s, s
    return T


def shift(axis: str, length: float) -> Matrix:
    T = np.eye(4)
    T["xyz".index(axis), 3] = length
    return T


def row(
    i: int, alpha: Fraction, a: Fraction, d: Fraction, theta: Fraction, kind: str = "revolute"
) -> DHRow:
    return DHRow(
        number(alpha), number(a), number(d), number(theta), f"j{i}", f"link{i}", kind, (ZERO,) * 10
    )


def end_frame(robot: Robot, q: list[float]) -> Matrix:
    """Pose of the last link of the table, through the lumped links of the last body."""
    pose = np.array(dynamics.forward_kinematics(over(robot, FLOAT64), q)[-1])
    last = robot.bodies[-1].links[-1]
    there = np.eye(4)
    there[:3, :3] = [lift(r, FLOAT64) for r in last.rotation]
    there[:3, 3] = lift(last.translation, FLOAT64)
    return pose @ there


angles = st.fractions(min_value=-3, max_value=3, max_denominator=50)
lengths = st.fractions(min_value=-1, max_value=1, max_denominator=50)
tables = st.lists(
    st.tuples(angles, lengths, lengths, angles, st.sampled_from(["revolute", "prismatic"])),
    min_size=1,
    max_size=4,
)
Row = tuple[Fraction, Fraction, Fraction, Fraction, str]


def product(table: list[Row], q: list[float], one: Callable[..., Matrix]) -> Matrix:
    T = np.eye(4)
    for (alpha, a, d, theta, kind), x in zip(table, q, strict=True):
        slides = kind == "prismatic"
        T = T @ one(
            float(alpha), float(a), float(d) + (x if slides else 0.0),
            float(theta) + (0.0 if slides else x),
        )  # fmt: skip
    return T


@given(tables)
def test_standard_dh_is_its_product_of_transforms(table: list[Row]) -> None:
    q = [0.3 * (i + 1) for i in range(len(table))]
    rows = [row(i, *r) for i, r in enumerate(table)]
    robot = build_robot(standard_dh(rows, inertial_frame="dh"))
    expected = product(
        table, q, lambda al, a, d, th: turn("z", th) @ shift("z", d) @ shift("x", a) @ turn("x", al)
    )
    assert_allclose(end_frame(robot, q), expected, atol=1e-12)
    assert robot.bodies[-1].links[-1].name == f"link{len(table) - 1}.dh"


@given(tables)
def test_modified_dh_is_its_product_of_transforms(table: list[Row]) -> None:
    q = [0.3 * (i + 1) for i in range(len(table))]
    robot = build_robot(modified_dh([row(i, *r) for i, r in enumerate(table)]))
    expected = product(
        table, q, lambda al, a, d, th: turn("x", al) @ shift("x", a) @ turn("z", th) @ shift("z", d)
    )
    assert_allclose(end_frame(robot, q), expected, atol=1e-12)


def one_link(phi: tuple[Term, ...], frame: str) -> RobotDescription:
    """Case C50: a = 2, centre of mass in the middle, m = 3, I = 1 about it, gravity along -y."""
    link = DHRow(ZERO, number(2), ZERO, ZERO, "j", "link", phi=phi)
    down = (ZERO, number("-9.81"), ZERO)
    return standard_dh([link], inertial_frame=frame, gravity=down)


def about(x: int) -> tuple[Term, ...]:
    """phi of that link seen from a frame whose origin lies ``x`` before the centre of mass."""
    other = 1 + 3 * x * x
    return tuple(number(v) for v in (3, 3 * x, 0, 0, 1, other, other, 0, 0, 0))


@pytest.mark.parametrize(("frame", "x"), [("dh", -1), ("joint", 1)])
def test_a_first_moment_belongs_to_a_frame(frame: str, x: int) -> None:
    robot = build_robot(one_link(about(x), frame))
    theta = lift(robot.bodies[0].phi, FLOAT64)
    model = over(robot, FLOAT64)
    assert dynamics.mass_matrix(model, [0.5], theta) == [[4.0]]
    assert_allclose(dynamics.gravity_vector(model, [0.5], theta), [25.82725479643367], rtol=1e-12)


def test_the_parameters_in_the_frame_at_the_tip_are_kept() -> None:
    robot = build_robot(one_link(about(-1), "dh"))
    body, tip = robot.bodies[0].links
    assert (body.name, tip.name) == ("link", "link.dh")
    assert [x.rational for x in tip.phi[:4]] == [3, -3, 0, 0]
    assert tip.phi[6].rational == 4
    assert [x.rational for x in robot.bodies[0].phi[:4]] == [3, 3, 0, 0]
    assert any("moved to the joints" in note for note in robot.notes)
    assert not any("massless" in note for note in robot.notes)


def test_the_frame_of_the_inertias_must_be_said() -> None:
    with pytest.raises(InputError, match=r"'com' is not possible; expected dh .* or joint"):
        one_link(about(1), "com")


@pytest.mark.parametrize("function", [modified_dh, lambda r: standard_dh(r, inertial_frame="dh")])
def test_other_joint_kinds_are_refused(function: Callable[[list[DHRow]], object]) -> None:
    bad = DHRow(ZERO, ZERO, ZERO, ZERO, "j", "link", "fixed", line=7)
    with pytest.raises(InputError, match=r":7: row of joint 'j': .* 'fixed' joint"):
        function([bad])


def test_quarter_turns_leave_exact_zeros() -> None:
    half = Fraction(1, 2)
    quarter = DHRow(number(half) * Term("pi"), number(1), number(2), ZERO, "j", "l")
    rotation = build_robot(modified_dh([quarter])).joints[0].rotation
    assert [x.rational for r in rotation for x in r] == [1, 0, 0, 0, 0, -1, 0, 1, 0]
    translation = build_robot(modified_dh([quarter])).joints[0].translation
    assert [x.rational for x in translation] == [1, -2, 0]
