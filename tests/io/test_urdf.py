"""The URDF reader: what it reads, and that the equations of motion come out right."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symdyn import dynamics
from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.friction.viscous_coulomb import viscous_coulomb
from symdyn.io.load import load_robot
from symdyn.io.urdf import parse_urdf, read_urdf
from symdyn.model.build import build_robot
from symdyn.model.over import over
from symdyn.model.robot import JointKind, Robot
from tests.urdf_text import LIMIT, joint, link, pendulum, robot


def built(text: str) -> Robot:
    return build_robot(parse_urdf(text, "r.urdf"))


def theta(robot_: Robot) -> list[float]:
    return [x for body in robot_.bodies for x in lift(body.phi, FLOAT64)]


def mass_matrix(robot_: Robot, q: Sequence[float]) -> list[list[float]]:
    return dynamics.mass_matrix(over(robot_, FLOAT64), q, theta(robot_))


def torque(
    robot_: Robot, q: Sequence[float], qd: Sequence[float], qdd: Sequence[float]
) -> list[float]:
    return dynamics.inverse_dynamics(over(robot_, FLOAT64), q, qd, qdd, theta(robot_))


def gravity(robot_: Robot, q: Sequence[float]) -> list[float]:
    return dynamics.gravity_vector(over(robot_, FLOAT64), q, theta(robot_))


# -- inertial -------------------------------------------------------------------------------------


def test_a_turned_inertial_frame_turns_the_tensor() -> None:
    text = pendulum("1", "0 0 0", "1 2 2.5", rpy="0 0 1.5707963267948966", axis="1 0 0")
    body = built(text).bodies[0]
    # a quarter turn is recognised, so the result is exact
    assert [x.rational for x in body.phi[4:]] == [2, 1, Fraction(5, 2), 0, 0, 0]
    assert mass_matrix(built(text), [0.0]) == [[2.0]]


@pytest.mark.parametrize("rpy", ["0.3 -0.7 1.1", "1.2 0.4 -2", "0 1.1 0.6"])
def test_a_general_turn_is_r_i_rt_with_fixed_axes(rpy: str) -> None:
    a, b, c = map(float, rpy.split())

    def plane(angle: float, i: int, j: int) -> np.ndarray:
        R = np.eye(3)
        R[i, i] = R[j, j] = math.cos(angle)
        R[i, j], R[j, i] = -math.sin(angle), math.sin(angle)
        return R

    R = plane(c, 0, 1) @ plane(b, 2, 0) @ plane(a, 1, 2)
    inertia = np.array([[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]])
    m, p = 2.0, np.array([0.1, -0.2, 0.3])
    J = R @ inertia @ R.T + m * (p @ p * np.eye(3) - np.outer(p, p))
    text = pendulum("2", "0.1 -0.2 0.3", "1 0.1 0.2 2 0.3 2.5", rpy=rpy)
    want = [m, *(m * p), J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[1, 2], J[0, 2]]
    assert_allclose(theta(built(text)), want, rtol=1e-14)


def test_the_centre_of_mass_is_not_turned() -> None:
    still = built(pendulum(com="0.5 0 0", rpy="0 0 0", axis="0 1 0"))
    turned = built(pendulum(com="0.5 0 0", rpy="0.4 0.3 0.2", axis="0 1 0"))
    assert gravity(still, [0.3]) == gravity(turned, [0.3])


def test_an_absent_inertial_is_a_massless_link_and_is_told() -> None:
    text = robot(link("base"), link("a"), link("b", "1", "0.5 0 0"),
                 joint("j", "base", "a"), joint("k", "a", "b"))  # fmt: skip
    found = built(text)
    assert [x.rational for x in found.bodies[0].phi] == [0] * 10
    assert any("massless: a." in note for note in found.notes)


def test_an_absent_inertial_origin_is_the_identity() -> None:
    text = pendulum().replace('<origin xyz="0.5 0 0"/>', "", 1)
    assert [x.rational for x in built(text).bodies[0].phi[:5]] == [1, 0, 0, 0, Fraction(1, 10)]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('<mass value="1"/>', "", ("<mass> is missing", "line 4", "link a, inertial")),
        ('ixy="0"', "", ("no attribute ixy", "line 4", "link a, inertial")),
        ('izz="0.1"', 'iZZ="0.1"', ("iZZ", "line 4")),
        ('value="1"', "", ("no attribute value", "line 4")),
        ('<parent link="base"/>', "", ("<parent> is missing", "line 5", "joint j")),
        ('<child link="a"/>', "<child/>", ("no attribute link", "line 5", "joint j")),
        ('<child link="a"/>', "", ("<child> is missing", "joint j: ", "the link that the joint")),
        ('izz="0.1"', "", ("no attribute izz", "All six", 'izz="0" only where')),
        ('type="revolute"', 'type="revolut"', ("Did you mean revolute?",)),
        (' type="revolute"', "", ("no attribute type", "line 5", "joint j")),
        ('type="revolute"', 'type="ball"', ("unknown type", "ball", "line 5", "joint j")),
        ('<link name="a">', "<link>", ("link has no name", "line 4")),
        ('<axis xyz="0 0 1"/>', '<axis xzy="0 0 1"/>', ("xzy", "line 5", "joint j")),
        ('<axis xyz="0 0 1"/>', '<axis xyz="0 0 1"/>' * 2, ("2 elements <axis>", "line 5")),
        ('<origin xyz="0 0 0" rpy=', '<origin xyz="0 0 0" rpi=', ("rpi", "line 5", "joint j")),
    ],
)
def test_a_missing_or_misspelt_piece_is_named(old: str, new: str, words: tuple[str, ...]) -> None:
    text = pendulum()
    assert old in text
    with pytest.raises(InputError) as caught:
        built(text.replace(old, new, 1))
    assert str(caught.value).startswith("r.urdf, line ")
    for word in words:
        assert word in str(caught.value)
    # no comma is left where a place ends, and there is something to do
    assert ",:" not in str(caught.value)
    assert re.search(r"\. [A-Z].*[.?]$", str(caught.value)), str(caught.value)


# -- joints ---------------------------------------------------------------------------------------


def test_mimic_joint_with_negative_multiplier_and_offset() -> None:
    text = robot(
        link("base"),
        link("a", "1", "0.5 0 0", "0.1 0.1 0.1"),
        link("b", "1", "0.25 0 0", "0.05 0.05 0.05"),
        joint("j1", "base", "a", axis="0 1 0"),
        joint("j2", "a", "b", xyz="1 0 0", axis="0 1 0",
              more='<mimic joint="j1" multiplier="-2" offset="0.3"/>'),
    )  # fmt: skip
    found = built(text)
    assert found.n == 1
    assert found.coordinates == ("j1",)
    assert_allclose(mass_matrix(found, [0.4]), [[1.0237087190548135]], rtol=1e-12)
    assert_allclose(torque(found, [0.4], [0.7], [-0.2]), [-11.200447298261027], rtol=1e-12)
    assert_allclose(gravity(found, [0.4]), [-11.113164811408097], rtol=1e-12)


def test_mimic_defaults_are_one_and_zero() -> None:
    more = '<mimic joint="j1"/>'
    text = robot(link("base"), link("a", "1"), link("b", "1"),
                 joint("j1", "base", "a"), joint("j2", "a", "b", more=more))  # fmt: skip
    second = built(text).joints[1]
    assert (second.multiplier.rational, second.offset.rational) == (1, 0)
    assert second.coordinate == 0
    assert second.is_mimic
    assert second.follows == "j1"


def test_rotor_inertia_behind_a_gear() -> None:
    transmission = (
        '<transmission name="t"><type>simple</type><joint name="j"/><actuator name="m">'
        "<mechanicalReduction>100</mechanicalReduction><rotorInertia>0.0001</rotorInertia>"
        "</actuator></transmission>"
    )
    text = pendulum("2", "0 0 -0.5", "0.1 0.1 0.1", axis="0 1 0")
    assert_allclose(mass_matrix(built(text), [0.0]), [[0.6]], rtol=1e-12)
    reflected = built(text.replace("</robot>", f"{transmission}</robot>"))
    assert reflected.joints[0].armature.rational == 1
    assert_allclose(mass_matrix(reflected, [0.0]), [[1.6]], rtol=1e-12)


@pytest.mark.parametrize(
    "transmission",
    [
        '<transmission><joint name="j"/><actuator name="m"><drake:gear_ratio value="-100"/>'
        '<drake:rotor_inertia value="1e-4"/></actuator></transmission>',
        '<transmission name="t"><joint name="j"><hardwareInterface>x</hardwareInterface></joint>'
        "<mechanicalReduction>\n 100\t</mechanicalReduction><rotor_inertia>.0001</rotor_inertia>"
        "</transmission>",
    ],
)
def test_other_spellings_of_the_rotor_inertia(transmission: str) -> None:
    text = pendulum().replace("</robot>", f"{transmission}</robot>")
    assert built(text).joints[0].armature.rational == 1


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ("<rotorInertia>1</rotorInertia>", "name one joint"),
        ('<joint name="j"/><joint name="k"/><rotorInertia>1</rotorInertia>', "name one joint"),
        ('<joint name="j"/>' + "<rotorInertia>1</rotorInertia>" * 2, "stated twice"),
        ('<joint name="j"/><rotorInertia>much</rotorInertia>', "'much' is no decimal number"),
    ],
)
def test_a_transmission_that_is_not_clear_is_refused(parts: str, words: str) -> None:
    text = pendulum().replace("</robot>", f"<transmission>{parts}</transmission></robot>")
    with pytest.raises(InputError, match=r"r\.urdf, line 6, transmission") as caught:
        built(text)
    assert words in str(caught.value)


def test_two_transmissions_of_one_joint_are_refused() -> None:
    one = '<transmission><joint name="j"/><rotorInertia>1</rotorInertia></transmission>'
    with pytest.raises(InputError, match="second transmission states a rotor inertia for joint j"):
        built(pendulum().replace("</robot>", f"{one}{one}</robot>"))


def test_a_reduction_without_rotor_inertia_has_no_effect() -> None:
    transmission = (
        '<transmission><joint name="j"/><mechanicalReduction>50</mechanicalReduction>'
        "</transmission>"
    )
    text = pendulum().replace("</robot>", f"{transmission}</robot>")
    assert built(text).joints[0].armature.rational == 0


def test_rotor_inertia_as_an_attribute_and_twice() -> None:
    text = pendulum(more='<dynamics armature="0.2"/>')
    assert built(text).joints[0].armature.rational == Fraction(1, 5)
    transmission = (
        '<transmission><joint name="j"/><rotorInertia>1</rotorInertia></transmission></robot>'
    )
    with pytest.raises(InputError, match="line 5, joint j: the rotor inertia is stated twice"):
        built(text.replace("</robot>", transmission))


def test_friction_of_the_file_is_carried_and_positive_at_positive_speed() -> None:
    text = pendulum("2", "0 0 -0.5", "0.1 0.1 0.1", axis="0 1 0",
                    more='<dynamics damping="0.3" friction="0.7"/>')  # fmt: skip
    j = built(text).joints[0]
    damping, friction = lift((j.damping, j.friction), FLOAT64)
    for speed, want in ((2.0, 1.3), (0.0, 0.0), (-2.0, -1.3)):
        got = viscous_coulomb(FLOAT64, speed, damping, friction)
        assert got + gravity(built(text), [0.0])[0] == pytest.approx(want, abs=1e-12)


def test_joints_are_ordered_depth_first_by_name() -> None:
    text = robot(
        link("base"),
        link("t", "3", "0 0 0.2", "0.05 0.05 0.02"),
        link("r", "1", "0 -0.1 -0.2", "0.01 0.01 0.004"),
        link("l", "1", "0 0.1 -0.2", "0.01 0.01 0.004"),
        joint("z_right", "t", "r", xyz="0 -0.2 0.4", axis="1 0 0"),
        joint("waist", "base", "t", xyz="0 0 1", axis="0 0 1"),
        joint("a_left", "t", "l", xyz="0 0.2 0.4", axis="0 1 0"),
    )
    found = built(text)
    assert found.coordinates == ("waist", "a_left", "z_right")
    assert [body.name for body in found.bodies] == ["t", "l", "r"]
    assert [j.parent for j in found.joints] == [-1, 0, 0]
    q, qd, qdd = (0.2, -0.6, 0.9), (0.4, 0.3, -0.7), (0.1, -0.2, 0.5)
    a, b = 0.1474767026945761, 0.04952013689458071
    assert_allclose(
        mass_matrix(found, q), [[a, b, 0], [b, 0.05, 0], [0, 0, 0.06]], rtol=1e-9, atol=1e-12
    )
    want = [0.013084133589611587, -1.109446615275242, 0.9600412398433938]
    assert_allclose(torque(found, q, qd, qdd), want, rtol=1e-9)


def test_a_continuous_joint_is_one_angle() -> None:
    found = built(pendulum("2", "0 0 -0.5", "0.1 0.1 0.1", axis="0 1 0", kind="continuous"))
    assert found.n == 1
    assert found.joints[0].kind is JointKind.CONTINUOUS
    assert_allclose(torque(found, [0.6], [0.4], [1.1]), [6.199142664005297], rtol=1e-12)
    turned = torque(found, [0.6 + 2 * math.pi], [0.4], [1.1])
    assert_allclose(turned, torque(found, [0.6], [0.4], [1.1]), rtol=1e-12)
    assert found.joints[0].limits.lower is None
    assert not any("limits" in note for note in found.notes)


def test_names_with_slash_dash_blank_and_greek() -> None:
    text = robot(
        link("base"),
        link("a b", "1", "0.5 0 0", "0.1 0.1 0.1"),
        link("lambda", "1", "0.25 0 0", "0.05 0.05 0.05"),
        joint("l_arm/elbow-π", "base", "a b", axis="0 1 0"),
        joint("E", "a b", "lambda", xyz="1 0 0", axis="0 1 0"),
        name="robot 1-β",
    )
    found = built(text)
    assert found.name == "robot 1-β"
    assert found.coordinates == ("l_arm/elbow-π", "E")
    q, qd, qdd = (0.3, -0.8), (0.5, 0.6), (0.7, -0.2)
    a, b = 1.8108533546735828, 0.28667667733679136
    assert_allclose(mass_matrix(found, q), [[a, b], [b, 0.1125]], rtol=1e-12)
    assert_allclose(torque(found, q, qd, qdd), [-14.8276201958994, -2.018932314581606], rtol=1e-12)


@pytest.mark.parametrize(
    ("axis", "inertia"),
    [("0 0 2", 0.35), ("0 0 1e-9", 0.35), ("0 0 -1", 0.35), ("1 1 0", 0.275), (None, 0.1)],
)
def test_the_axis_is_a_direction(axis: str | None, inertia: float) -> None:
    found = built(pendulum(inertia="0.1 0.2 0.1", axis=axis))
    assert_allclose(mass_matrix(found, [0.3]), [[inertia]], rtol=1e-12)
    assert any("length" in note for note in found.notes) == (axis not in (None, "0 0 -1"))


def test_a_zero_axis_is_an_error_on_a_moving_joint_only() -> None:
    with pytest.raises(InputError, match=r"r.urdf, line 5, joint j: the axis .* zero"):
        built(pendulum(axis="0 0 0"))
    fixed = robot(link("base"), link("a", "1"), link("b"), joint("j", "base", "a"),
                  joint("f", "a", "b", kind="fixed", axis="0 0 0"))  # fmt: skip
    assert built(fixed).n == 1


def test_revolute_prismatic_arm() -> None:
    text = robot(
        link("base"),
        link("a", "2", "0.3 0 0", "0.01 0.02 0.02"),
        link("b", "1.5", "0.1 0 0", "0.005 0.006 0.006"),
        joint("r", "base", "a", axis="0 -1 0"),
        joint("p", "a", "b", kind="prismatic", xyz="0.2 0 0", axis="1 0 0"),
    )
    found = built(text)
    q, qd, qdd = (0.6, 0.25), (0.5, -0.3), (1.0, 0.2)
    assert_allclose(mass_matrix(found, q), [[0.65975, 0], [0, 1.5]], rtol=1e-9, atol=1e-12)
    assert_allclose(torque(found, q, qd, qdd), [11.94982289472612, 8.402463996007945], rtol=1e-9)
    C = dynamics.coriolis_matrix(over(found, FLOAT64), q, qd, theta(found))
    assert_allclose(C, [[-0.2475, 0.4125], [-0.4125, 0.0]], rtol=1e-9, atol=1e-12)
    assert_allclose(gravity(found, q), [11.537572894726122, 8.308713996007945], rtol=1e-9)


def test_a_tool_on_a_turned_fixed_joint_is_lumped() -> None:
    text = robot(
        link("base"),
        link("a", "2", "0.2 0 0", "0.01 0.02 0.03"),
        link("tool", "0.5", "0 0 0.1", "0.001 0.002 0.0005"),
        joint("j", "base", "a", axis="0 1 0"),
        joint("f", "a", "tool", kind="fixed", xyz="0.4 0 0", rpy="0 1.5707963267948966 0"),
    )
    found = built(text)
    body = found.bodies[0]
    phi = [x.rational for x in body.phi]
    assert phi[:4] == [Fraction(5, 2), Fraction(13, 20), 0, 0]
    # about the common centre of mass (0.26, 0, 0) the tensor is diag(0.0105, 0.058, 0.067)
    steiner = Fraction(5, 2) * Fraction(26, 100) ** 2
    want = [Fraction("0.0105"), Fraction("0.058") + steiner, Fraction("0.067") + steiner, 0, 0, 0]
    assert phi[4:] == want
    assert [part.name for part in body.links] == ["a", "tool"]
    assert [x.rational for x in body.links[1].translation] == [Fraction(2, 5), 0, 0]
    assert [x.rational for x in body.links[1].phi[:4]] == [Fraction(1, 2), 0, 0, Fraction(1, 20)]
    assert_allclose(mass_matrix(found, [0.3]), [[0.227]], rtol=1e-12)
    assert_allclose(gravity(found, [0.3]), [-6.091703122909427], rtol=1e-12)


@pytest.mark.parametrize("kind", ["floating", "planar"])
def test_joints_with_several_degrees_of_freedom_say_how_to_model_them(kind: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        built(pendulum(kind=kind))
    assert "r.urdf, line 5, joint j" in str(caught.value)
    assert "prismatic joints" in str(caught.value)
    assert "revolute joint" in str(caught.value)


def test_limits_are_read_and_their_absence_told() -> None:
    full = built(pendulum()).joints[0].limits
    numbers = [None if x is None else x.rational for x in (full.lower, full.upper)]
    assert numbers == [-3, 3]
    assert full.effort is not None
    assert full.effort.rational == 100
    swapped = built(pendulum().replace('lower="-3" upper="3"', 'lower="3" upper="-3"'))
    assert any("lower limit of joint j is above" in note for note in swapped.notes)
    bare = built(pendulum().replace(LIMIT, ""))
    assert "No limits in the file for joints j." in bare.notes
    absent = built(pendulum().replace('<limit lower="-3" upper="3" ', "<limit "))
    assert absent.joints[0].limits.lower is None
    assert any(note == "No limits in the file for joints j." for note in absent.notes)


# -- angles ---------------------------------------------------------------------------------------


def joint_turn(rpy: str, *, snap: bool = False) -> tuple[Robot, list[Fraction | None]]:
    text = pendulum().replace('rpy="0 0 0"/><axis', f'rpy="{rpy}"/><axis')
    found = build_robot(parse_urdf(text, "r.urdf", snap_angles=snap))
    return found, [x.rational for row in found.joints[0].rotation for x in row]


def test_a_multiple_of_a_quarter_turn_is_exact_when_printed_to_a_doubles_precision() -> None:
    found, entries = joint_turn("-1.5707963267948966 0 3.141592653589793")
    assert entries == [-1, 0, 0, 0, 0, -1, 0, -1, 0]
    assert any("2 angles within 1e-13 rad" in note for note in found.notes)


@pytest.mark.parametrize("printed", ["1.5708", "1.570796327", "1.57"])
def test_a_rounded_angle_stays_as_printed_by_default(printed: str) -> None:
    found, entries = joint_turn(f"0 0 {printed}")
    assert None in entries
    R = [lift(row, FLOAT64) for row in found.joints[0].rotation]
    assert_allclose(R[0][0], math.cos(float(printed)), rtol=1e-15)


@pytest.mark.parametrize("printed", ["1.5708", "1.571", "1.570796327", "157.08e-2"])
def test_a_rounded_angle_is_exact_on_request(printed: str) -> None:
    found, entries = joint_turn(f"0 0 {printed}", snap=True)
    assert entries == [0, -1, 0, 1, 0, 0, 0, 0, 1]
    assert any("snap_angles" in note for note in found.notes)


def test_the_loader_passes_the_request_on(tmp_path: Path) -> None:
    path = tmp_path / "r.urdf"
    path.write_text(pendulum().replace('rpy="0 0 0"/><axis', 'rpy="0 0 1.5708"/><axis'))
    assert load_robot(path).joints[0].rotation[0][0].rational is None
    assert load_robot(path, snap_angles=True).joints[0].rotation[0][0].rational == 0


@pytest.mark.parametrize("printed", ["1.57", "1.5707", "1.56", "0.001"])
def test_an_angle_that_does_not_print_the_multiple_is_never_changed(printed: str) -> None:
    _, entries = joint_turn(f"0 0 {printed}", snap=True)
    assert None in entries


def test_an_eighth_turn_is_a_multiple_of_pi() -> None:
    found, _ = joint_turn("0 0 0.7853981633974483")
    c = found.joints[0].rotation[0][0]
    assert c.op == "cos"
    assert {arg.op for arg in c.args[0].args} == {"const", "pi"}


# -- documents ------------------------------------------------------------------------------------


def test_elements_without_influence_are_silent_and_unknown_ones_are_named() -> None:
    text = pendulum().replace(
        "</robot>",
        '<gazebo reference="a"><mu1>1</mu1></gazebo><material name="m"/><loop/><loop/></robot>',
    )
    notes = built(text).notes
    assert sum("Not known" in note for note in notes) == 1
    assert any("robot/loop (2)" in note for note in notes)


def test_attributes_that_are_not_read_are_named() -> None:
    notes = built(pendulum(more='<dynamics damping="1" mu_coulomb="2"/>')).notes
    assert any("dynamics mu_coulomb (1)" in note for note in notes)


def test_negative_friction_is_told() -> None:
    notes = built(pendulum(more='<dynamics damping="-1"/>')).notes
    assert any("friction of joint j is negative" in note for note in notes)


def test_a_misspelt_link_comes_with_the_likely_one() -> None:
    text = pendulum().replace('<parent link="base"/>', '<parent link="bsae"/>')
    with pytest.raises(InputError, match=r"joint j: the parent link .*Did you mean base\?"):
        built(text)


def test_a_robot_without_a_name_is_called_after_its_file(tmp_path: Path) -> None:
    path = tmp_path / "arm_7.urdf"
    path.write_text(pendulum().replace('name="r"', "", 1), encoding="utf-8")
    found = build_robot(read_urdf(path))
    assert found.name == "arm_7"
    assert found.source == "arm_7.urdf"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_encodings_and_byte_order_marks(encoding: str, tmp_path: Path) -> None:
    text = pendulum().replace('version="1.0"', f'version="1.0" encoding="{encoding[:10]}"')
    text = (
        text.replace("utf-8-sig", "utf-8").replace('"a"', '"ä"').replace('encoding="utf-8-s"', "")
    )
    path = tmp_path / "r.urdf"
    path.write_bytes(text.encode(encoding))
    assert build_robot(read_urdf(path)).bodies[0].name == "ä"


def test_other_formats_are_recognised() -> None:
    with pytest.raises(InputError, match="MJCF"):
        parse_urdf("<mujoco/>")
    with pytest.raises(InputError, match="SDF"):
        parse_urdf("<sdf version='1.9'/>")
    with pytest.raises(InputError, match="root element <robot>"):
        parse_urdf("<html/>")


def test_a_xacro_source_is_refused_with_the_remedy() -> None:
    macro = pendulum().replace("<link name=", '<xacro:property name="L" value="1"/><link name=', 1)
    for text in (
        macro,
        pendulum("${m}"),
        pendulum().replace('name="j"', 'name="${prefix}j"'),
        pendulum(com="$(arg x) 0 0"),
    ):
        with pytest.raises(InputError, match=r"[Rr]un xacro first"):
            built(text)
