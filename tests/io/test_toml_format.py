"""The TOML format: what it reads, exactly, and that every fault is named with its place."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from numpy.testing import assert_allclose

from symdyn import dynamics
from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.io.toml_document import find_lines
from symdyn.io.toml_format import parse_toml, read_toml
from symdyn.model.build import build_robot
from symdyn.model.over import over
from symdyn.model.robot import Robot

PENDULUM = """
[robot]
name = "pendulum"
gravity = [0, 0, -9.81]

[parameters]
l = 0.5
m = { value = 2, unit = "kg", source = "scales", argument = true }

[[link]]
name = "base"

[[link]]
name = "rod"
mass = "m"
com = [0, 0, "-l"]
inertia_com = { xx = 0.1, yy = 0.1, zz = 0.1 }

[[joint]]
name = "swing"
type = "revolute"
parent = "base"
child = "rod"
axis = [0, 1, 0]
"""


def built(text: str) -> Robot:
    return build_robot(parse_toml(text, "r.toml"))


def values(robot: Robot) -> dict[str, float]:
    return {p.name: float(p.value) for p in robot.parameters}


def theta(robot: Robot) -> list[float]:
    return lift([x for body in robot.bodies for x in body.phi], FLOAT64, values(robot))


def mass_matrix(robot: Robot, q: list[float]) -> list[list[float]]:
    return dynamics.mass_matrix(over(robot, FLOAT64), q, theta(robot))


def torque(robot: Robot, q: list[float], qd: list[float], qdd: list[float]) -> list[float]:
    return dynamics.inverse_dynamics(over(robot, FLOAT64), q, qd, qdd, theta(robot))


def with_joint(lines: str) -> str:
    return PENDULUM + lines


def with_link(lines: str) -> str:
    start = PENDULUM.index('mass = "m"')
    end = PENDULUM.index("[[joint]]")
    return PENDULUM[:start] + lines + "\n" + PENDULUM[end:]


def refused(text: str) -> str:
    with pytest.raises(InputError) as caught:
        parse_toml(text, "r.toml")
    message = str(caught.value)
    assert message.startswith("r.toml")
    assert "\n" not in message
    return message


# -- reading --------------------------------------------------------------------------------------


def test_a_pendulum() -> None:
    robot = built(PENDULUM)
    assert mass_matrix(robot, [0.0]) == [[pytest.approx(0.6)]]
    l_, m = robot.parameters
    assert (l_.name, l_.value, l_.is_argument) == ("l", Fraction(1, 2), False)
    assert (m.name, m.value, m.unit, m.source, m.is_argument) == ("m", 2, "kg", "scales", True)


def test_decimals_are_read_as_written() -> None:
    robot = built(
        with_link(
            "mass = 0.1\ncom = [1e-3, 0.316, 1_0.5]\ninertia_com = { xx = 1, yy = 1, zz = 1 }"
        )
    )
    m, h1, h2, h3 = (x.rational for x in robot.bodies[0].phi[:4])
    assert (m, h1, h2, h3) == (
        Fraction(1, 10), Fraction(1, 10**4), Fraction(316, 10**4), Fraction(105, 100),
    )  # fmt: skip


def test_parameters_may_abbreviate_others_and_stay_symbols() -> None:
    text = PENDULUM.replace("l = 0.5", 'l0 = "1/4"\nl = "2*l0"\nquarter = "pi/2"')
    robot = built(text + 'rpy = ["quarter", 0, 0]\n')
    assert [p.name for p in robot.parameters] == ["l0", "m"]
    assert mass_matrix(robot, [0.0]) == [[pytest.approx(0.6)]]
    assert [x.rational for row in robot.joints[0].rotation for x in row] == [
        1, 0, 0, 0, 0, -1, 0, 1, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "lines",
    [
        "mass = 2\ncom = [0.1, 0.2, 0.3]\n"
        "inertia_com = { xx = 1, yy = 2, zz = 2.5, xy = 0.1, yz = 0.2, xz = 0.3 }",
        'mass = 2\ncom = [0.1, 0.2, 0.3]\nproducts = "positive"\n'
        "inertia_com = { xx = 1, yy = 2, zz = 2.5, xy = -0.1, yz = -0.2, xz = -0.3 }",
        "mass = 2\nfirst_moment = [0.2, 0.4, 0.6]\n"
        "inertia_origin = { xx = 1.26, yy = 2.2, zz = 2.6, xy = 0.06, yz = 0.08, xz = 0.24 }",
        "phi = [2, 0.2, 0.4, 0.6, 1.26, 2.2, 2.6, 0.06, 0.08, 0.24]",
        # the same tensor in axes turned a quarter about z: xx and yy change places, xy its sign
        'mass = 2\ncom = [0.1, 0.2, 0.3]\nrpy = [0, 0, "pi/2"]\n'
        "inertia_com = { xx = 2, yy = 1, zz = 2.5, xy = -0.1, yz = -0.3, xz = 0.2 }",
    ],
)  # fmt: skip
def test_the_forms_of_inertial_parameters_agree(lines: str) -> None:
    phi = [x.rational for x in built(with_link(lines)).bodies[0].phi]
    tenths = (
        20,
        2,
        4,
        6,
        Fraction("12.6"),
        22,
        26,
        Fraction("0.6"),
        Fraction("0.8"),
        Fraction("2.4"),
    )
    assert phi == [Fraction(x) / 10 for x in tenths]


@pytest.mark.parametrize(
    ("lines", "free"),
    [
        ("", "1111111111"),
        ("symbolic = true", "1111111111"),
        ("symbolic = false", "0000000000"),
        ('symbolic = ["m", "I33"]', "1000001000"),
    ],
)
def test_symbolic_is_chosen_per_parameter(lines: str, free: str) -> None:
    robot = built(with_link(f"phi = [1, 0, 0, 0, 1, 1, 1, 0, 0, 0]\n{lines}"))
    assert robot.bodies[0].symbolic == tuple(c == "1" for c in free)


def test_joint_fields() -> None:
    robot = built(
        with_joint(
            'damping = 0.3\nfriction = "0.7"\narmature = 0.2\nxyz = [0, "l", 0]\n'
            'limits = { lower = "-pi", upper = "pi", velocity = 2, effort = 87.0 }\n'
        )
    )
    joint = robot.joints[0]
    assert joint.damping.rational == Fraction(3, 10)
    assert joint.friction.rational == Fraction(7, 10)
    assert joint.armature.rational == Fraction(1, 5)
    assert joint.limits.effort is not None
    assert joint.limits.effort.rational == 87
    assert joint.limits.lower is not None
    assert joint.limits.lower.op == "neg"
    assert joint.translation[1].payload == "l"


def test_a_rotor_behind_a_gear_adds_its_inertia_times_the_ratio_squared() -> None:
    robot = built(with_joint("rotor = { inertia = 1e-4, gear_ratio = 100 }\n"))
    assert mass_matrix(robot, [0.0]) == [[pytest.approx(1.6)]]
    assert any("N^2 J" in note for note in robot.notes)
    assert (
        built(with_joint("rotor = { inertia = 1e-4, gear_ratio = -100 }\n"))
        .joints[0]
        .armature.rational
        == 1
    )


def test_mimic_reduces_to_one_coordinate() -> None:
    robot = built(
        PENDULUM
        + """
[[link]]
name = "second"
phi = [1, 0.1, 0, 0, 0.2, 0.2, 0.2, 0, 0, 0]
[[joint]]
name = "follower"
type = "revolute"
parent = "rod"
child = "second"
axis = [0, 1, 0]
mimic = { joint = "swing", multiplier = -2, offset = "0.1*3" }
"""
    )
    assert robot.coordinates == ("swing",)
    assert robot.joints[1].multiplier.rational == -2
    assert robot.joints[1].offset.rational == Fraction(3, 10)


def test_helical_prismatic_and_fixed_joints() -> None:
    text = PENDULUM.replace('type = "revolute"', 'type = "helical"\npitch = "0.01/(2*pi)"')
    assert built(text).joints[0].pitch.op == "div"
    assert built(PENDULUM.replace('"revolute"', '"prismatic"')).n == 1
    fixed = PENDULUM + '\n[[link]]\nname = "tip"\n[[joint]]\nname = "end"\ntype = "fixed"\n'
    robot = built(fixed + 'parent = "rod"\nchild = "tip"\nxyz = [0, 0, "-2*l"]\n')
    assert [link.name for link in robot.bodies[0].links] == ["rod", "tip"]


def test_rotation_rows() -> None:
    exact = built(with_joint("rotation = [[0, 0.6, 0.8], [1, 0, 0], [0, 0.8, -0.6]]\n"))
    assert exact.joints[0].rotation[0][1].rational == Fraction(3, 5)
    by_sine = built(
        with_joint('rotation = [["cos(l)", "-sin(l)", 0], ["sin(l)", "cos(l)", 0], [0, 0, 1]]\n')
    )
    assert by_sine.joints[0].rotation[0][0].op == "cos"


def test_a_rounded_rotation_becomes_an_exact_one_and_says_so() -> None:
    robot = built(
        with_joint(
            "rotation = [[0.9553365, -0.2955202, 0], [0.2955202, 0.9553365, 0], [0, 0, 1]]\n"
        )
    )
    R = [[x.rational for x in row] for row in robot.joints[0].rotation]
    gram = [[sum(a * b for a, b in zip(r, s, strict=True)) for s in R] for r in R]
    assert gram == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert_allclose(
        [float(x) for x in R[0][:2] if x is not None], [0.9553365, -0.2955202], atol=1e-7
    )
    assert any("orthonormal to" in note for note in robot.notes)


def test_defaults_are_said() -> None:
    robot = built(PENDULUM.replace("gravity = [0, 0, -9.81]\n", ""))
    assert robot.gravity[2].rational == Fraction(-981, 100)
    assert any("No gravity in the file" in note for note in robot.notes)


def test_siblings_keep_the_order_of_the_file_unless_told() -> None:
    def two(order: str) -> tuple[str, ...]:
        text = PENDULUM.replace('name = "pendulum"', f'name = "p"\n{order}')
        text += '[[link]]\nname = "arm"\n[[joint]]\nname = "a"\ntype = "revolute"\n'
        return built(text + 'parent = "base"\nchild = "arm"\naxis = [0, 0, 1]\n').coordinates

    assert two("") == ("swing", "a")
    assert two('sibling_order = "name"') == ("a", "swing")


# -- DH tables ------------------------------------------------------------------------------------

#: Case C07: one table, two conventions.
TABLE = """
[robot]
name = "three joints"
[dh]
convention = "{convention}"
inertial_frame = "dh"
[[row]]
alpha = "pi/2"
a = 0.0
d = 0.4
theta = 0.0
mass = 4.0
com = [0.0, -0.1, 0.02]
inertia_com = {{ xx = 0.05, yy = 0.04, zz = 0.03, xy = 0.001, yz = 0.0, xz = 0.002 }}
[[row]]
alpha = 0.0
a = 0.5
d = 0.0
mass = 3.0
com = [-0.25, 0.01, 0.0]
inertia_com = {{ xx = 0.01, yy = 0.06, zz = 0.06, yz = 0.0005 }}
[[row]]
alpha = "-pi/2"
a = 0.3
d = 0.1
offset = 0
mass = 1.5
com = [-0.1, 0.0, 0.05]
inertia_com = {{ xx = 0.008, yy = 0.01, zz = 0.006, xy = 0.0002 }}
"""
C07 = {
    "standard": (
        [
            [0.82955539924014, 0.020305972766645954, -0.01608973390961449],
            [0.020305972766645954, 0.8517603059866854, 0.15135515299334268],
            [-0.01608973390961449, 0.15135515299334268, 0.07375],
        ],
        [-0.010254071246683146, 15.918467540880506, 2.6703427245140205],
    ),
    "modified": (
        [
            [1.332564209885498, 0.25393116241265024, -0.041934424314027476],
            [0.25393116241265024, 0.37029811493980247, -0.016140512045239266],
            [-0.041934424314027476, -0.016140512045239266, 0.021],
        ],
        [19.24952628800559, -3.020681003531241, -0.27157127438034273],
    ),
}


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_one_table_is_two_robots(convention: str) -> None:
    robot = built(TABLE.format(convention=convention))
    M, tau = C07[convention]
    assert robot.coordinates == ("j1", "j2", "j3")
    assert_allclose(mass_matrix(robot, [0.3, -0.5, 0.8]), M, rtol=1e-9, atol=1e-12)
    found = torque(robot, [0.3, -0.5, 0.8], [0.7, -0.2, 0.4], [0.1, 0.6, -0.9])
    assert_allclose(found, tau, rtol=1e-9, atol=1e-12)


def test_a_table_without_convention_is_refused() -> None:
    assert "the key 'convention' is missing" in refused(
        TABLE.format(convention="x").replace('convention = "x"\n', "")
    )
    assert "'classic' is not possible here; expected one of standard, modified" in refused(
        TABLE.format(convention="classic")
    )
    text = TABLE.format(convention="x")
    without = text[: text.index("[dh]")] + text[text.index("[[row]]") :]
    assert "rows of a DH table without [dh]" in refused(without)


def test_standard_dh_must_state_the_frame_of_its_inertias() -> None:
    text = TABLE.format(convention="standard").replace('inertial_frame = "dh"\n', "")
    assert "the key 'inertial_frame' is missing" in refused(text)


def test_a_tool_hangs_on_the_last_frame_of_the_table() -> None:
    tool = """
[[link]]
name = "tool"
mass = 1
com = [0, 0, 0.1]
inertia_com = { xx = 0, yy = 0, zz = 0 }
[[joint]]
name = "mount"
type = "fixed"
parent = "link3.dh"
child = "tool"
"""
    robot = built(TABLE.format(convention="standard") + tool)
    assert [link.name for link in robot.bodies[2].links] == ["link3", "link3.dh", "tool"]
    assert robot.bodies[2].phi[0].rational == Fraction(5, 2)


def test_a_cell_with_code_is_refused_and_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    evil = "__import__('pathlib').Path('SIDE_EFFECT').touch() or 0"
    text = TABLE.format(convention="standard").replace("a = 0.5", f'a = "{evil}"')
    message = refused(text)
    assert message.startswith("r.toml:17: [[row]] 2 (joint 'j2'), key a, column 12: the character")
    assert evil in message
    assert not list(tmp_path.iterdir())


# -- faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[robot", "r.toml:1: not valid TOML"),
        ("a = 1\na = 2", "r.toml:2: not valid TOML"),
        ("x = " + "9" * 5000, "a number has too many digits"),
        ("x = " + "[" * 3000 + "]" * 3000, "nested too deep"),
        ('[robot]\nname = "x"', "the file has no links"),
        ("[[link]]\nname = 'a'", "the key 'robot' is missing"),
        ("[robot]\nnam = 'x'", "unknown key 'nam'; expected one of name, gravity"),
        ("format = 2\n" + PENDULUM, "unknown format; expected 1"),
        ('convention = "standard"\n' + PENDULUM, "key convention: the key 'convention' stands"),
        ('name = "x"\n' + PENDULUM, "outside of its table. Put it under [robot]."),
        ("links = 1\n" + PENDULUM, "Did you mean 'link'?"),
        (PENDULUM.replace("[0, 0, -9.81]", "[0, 0]"), "r.toml:4: [robot], key gravity: 2 numbers"),
        (PENDULUM.replace("[0, 0, -9.81]", "-9.81"), "not a list; expected 3 numbers; got -9.81"),
        (PENDULUM.replace("l = 0.5", "pi = 3"), "r.toml:7: [parameters], key pi: a parameter"),
        (PENDULUM.replace("l = 0.5", '"l 1" = 3'), "cannot be called 'l 1'"),
        (PENDULUM.replace("l = 0.5", "l = nan"), "key l: not a finite number"),
        (PENDULUM.replace("l = 0.5", "l = inf"), "not a finite number"),
        (PENDULUM.replace("l = 0.5", "l = 1e5000"), "not a finite number"),
        (PENDULUM.replace("l = 0.5", "l = 1e999"), "key l: the number is too large;"),
        (PENDULUM.replace("l = 0.5", "l = 1" + "0" * 400), "1e100; got 1000"),
        (
            PENDULUM.replace("l = 0.5", "\"\u00e9\" = 1\n\"e\u0301\" = 2"),
            "the parameter 'é' is declared twice",
        ),
        (PENDULUM.replace("l = 0.5", "l = true"), "not a number; expected a number or an expr"),
        (PENDULUM.replace("l = 0.5", "l = [1]"), "not a number"),
        (PENDULUM.replace("l = 0.5", 'l = "l"'), "'l' is not a declared parameter"),
        (PENDULUM.replace("unit", "units"), "unknown key 'units'; expected one of value, unit"),
        (PENDULUM.replace("value = 2", 'value = "2*l"'), "cannot be an argument"),
        (PENDULUM.replace('"-l"', '"-k"'), "r.toml:16: [[link]] 'rod', key com[2], column 2"),
        (PENDULUM.replace('"-l"', '"1/(l - 0.5)"'), "no finite value at the declared parameters"),
        (PENDULUM.replace('"-l"', '"sqrt(l - 1)"'), "no finite value at the declared parameters"),
        (PENDULUM.replace('"-l"', '"exp(9999*l)"'), "no finite value at the declared parameters"),
        (PENDULUM.replace("zz = 0.1", "zx = 0.1"), "unknown key 'zx'; expected one of xx, yy, zz"),
        (PENDULUM.replace(", zz = 0.1", ""), "'rod', inertia_com: the key 'zz' is missing"),
        (PENDULUM.replace('com = [0, 0, "-l"]\n', ""), "'rod': the key 'com' is missing"),
        (with_link("mass = 1"), "key mass: the key 'mass' stands alone"),
        (with_link("phi = [1]"), "1 number; expected 10"),
        (with_link("mass = 1\nphi = [1, 0, 0, 0, 1, 1, 1, 0, 0, 0]"), "does not go with 'phi'"),
        (
            with_link("inertia_com = { xx = 1 }\nphi = [1, 0, 0, 0, 1, 1, 1, 0, 0, 0]"),
            "two forms of inertial parameters at once; expected inertia_com or phi, not both",
        ),
        (
            with_link('phi = [1, 0, 0, 0, 1, 1, 1, 0, 0, 0]\nsymbolic = ["mass"]'),
            "'mass' is no inertial parameter; expected true, false or some of m, h1",
        ),
        (PENDULUM.replace("mass =", "products = 'minus'\nmass ="), "expected one of matrix, posit"),
        (PENDULUM.replace('"revolute"', '"hinge"'), "'hinge' is not possible here; expected one"),
        (PENDULUM.replace('"revolute"', '"revolut"'), "Did you mean 'revolute'?"),
        (PENDULUM.replace("axis = [0, 1, 0]\n", ""), "r.toml:19: [[joint]] 'swing': the key 'ax"),
        (PENDULUM.replace('parent = "base"\n', ""), "the key 'parent' is missing"),
        (with_joint("xzy = [0, 0, 0]"), "unknown key 'xzy'"),
        (with_joint("xzy = [0, 0, 0]"), "Did you mean 'xyz'?"),
        (with_joint("pitch = 1"), "a revolute joint has no pitch"),
        (PENDULUM.replace('"revolute"', '"fixed"'), "a fixed joint has no axis"),
        (PENDULUM.replace('"revolute"', '"helical"'), "the key 'pitch' is missing"),
        (with_joint("damping = -1"), "key damping: a negative value; expected zero or more"),
        (with_joint("armature = 1\nrotor = { inertia = 1, gear_ratio = 1 }"), "armature and rotor"),
        (with_joint("rotor = { inertia = 1 }"), "rotor: the key 'gear_ratio' is missing"),
        (with_joint("rpy = [0, 0, 0]\nrotation = [[1]]"), "rpy and rotation at once"),
        (with_joint("rotation = [[1, 0, 0]]"), "not a matrix; expected 3 rows of 3 numbers"),
        (
            with_joint("rotation = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]"),
            "the matrix is no rotation; expected orthonormal rows and determinant 1; got a defect",
        ),
        (with_joint("rotation = [[1, 0, 0], [0, 1, 0.1], [0, 0, 1]]"), "the matrix is no rotation"),
        (
            with_joint('rotation = [["l", 0, 0], [0, 1, 0], [0, 0, 1]]'),
            "the matrix is no rotation",
        ),
        (with_joint("limits = { lower = 1, upper = 0 }"), "limits: lower lies above upper"),
        (with_joint("limits = { lwer = 1 }"), "Did you mean 'lower'?"),
        (with_joint("mimic = { joint = 3 }"), "key joint: not a text; expected a string; got 3"),
        (with_joint("limits = 3"), "not a table"),
        (PENDULUM.replace("argument = true", "argument = 3"), "not a truth value; expected true"),
        (PENDULUM.replace('"rod"', '""', 1), "not a text; expected a string; got ''"),
        (with_link("phi = [1, 0, 0, 0, 1, 1, 1, 0, 0, 0]\nsymbolic = [1]"), "not a list of names"),
        (with_link("phi = 3"), "not a list; expected 10 numbers; got 3"),
        (with_joint("rotation = 1"), "not a matrix; expected 3 rows of 3 numbers; got 1"),
        (with_joint("rotation = [1, 2, 3]"), "not a list; expected 3 numbers; got 1"),
        (with_joint("rotation = [[1, 0, 0], [0, 1], [0, 0, 1]]"), "key rotation[1]: 2 numbers"),
        ("robot = 3\n" + PENDULUM[PENDULUM.index("[parameters]") :], "not a table; expected {"),
        ("link = 3\n" + PENDULUM[: PENDULUM.index("[[link]]")], "'link' is not a list of tables"),
    ],
)  # fmt: skip
def test_faults_name_place_expectation_and_remedy(text: str, message: str) -> None:
    assert message in refused(text)


def test_read_toml_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(PENDULUM.replace("axis", "axsi"), encoding="utf-8")
    with pytest.raises(InputError, match=r"arm\.toml:24: \[\[joint\]\] 'swing', key axsi"):
        read_toml(path)


def test_lines_are_found_between_strings_comments_and_brackets() -> None:
    text = '''a = 1
s = """
[[joint]]
b = 2
"""
[[joint]] # first
rotation = [
  [1, 0, 0],
  [0, 1, 0],
]
t = '# [x' # ]]
"quoted" = 1
[[ joint ]]
c.d = 3
[parameters.l]
value = 1
'''
    lines = find_lines(text)
    assert lines[("", 0, "a")] == 1
    assert lines[("joint", 0, "")] == 6
    assert lines[("joint", 0, "rotation")] == 7
    assert lines[("joint", 0, "t")] == 11
    assert lines[("joint", 0, "quoted")] == 12
    assert lines[("joint", 1, "")] == 13
    assert lines[("joint", 1, "c")] == 14
    assert lines[("parameters.l", 0, "value")] == 16
    assert ("joint", 2, "") not in lines
    assert ("", 0, "b") not in lines
