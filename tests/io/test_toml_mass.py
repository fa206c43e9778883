"""Links of a TOML file given by their mass distribution."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
import sympy

from symdyn import dynamics
from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.sympy_ import SYMPY
from symdyn.algebra.term import lift
from symdyn.cli.main import main
from symdyn.evaluation import evaluate_state
from symdyn.io.toml_format import parse_toml
from symdyn.mass import TIME, X, ball, box, cylinder, distribution, moments, part, particle, rpy
from symdyn.model.build import build_robot
from symdyn.model.mass_motion import mass_at
from symdyn.model.over import over
from symdyn.model.robot import Robot
from symdyn.pipeline import derive_robot
from symdyn.report.changing_rows import changing_table
from symdyn.state import state_from
from symdyn.unit import robot_digest
from tests.oracles import need

t = TIME
x, y, z = X
HEAD = """
[robot]
name = "one"
gravity = [0, -9.81, 0]
[parameters]
R = 0.1
w = { value = 3, argument = true }
[[link]]
name = "base"
[[joint]]
name = "j"
type = "revolute"
parent = "base"
child = "arm"
axis = [0, 0, 1]
[[link]]
name = "arm"
"""


def robot_of(link: str, more: str = "") -> Robot:
    return build_robot(parse_toml(HEAD + link + more, "one.toml"))


def phi_of(robot: Robot) -> list[float]:
    values = {p.name: float(p.value) for p in robot.parameters}
    return lift(robot.bodies[0].phi, FLOAT64, values)


def test_a_rod_with_linear_density_is_exact() -> None:
    robot = robot_of(
        'part = [{ shape = "rod", start = [0, 0, 0], end = [0.8, 0, 0], density = "2*(1 + x/2)" }]'
    )
    phi = [term.rational for term in robot.bodies[0].phi]
    m, h, J = phi[0], phi[1], phi[5]
    assert m == Fraction(48, 25)
    assert h is not None
    assert J is not None
    assert h / m == Fraction(19, 45)
    assert J - h * h / m == Fraction(1712, 16875)
    assert robot.bodies[0].motion is None


def test_several_materials_holes_and_poses() -> None:
    robot = robot_of(
        """
[[link.part]]
name = "tube"
shape = "cylinder"
radius = "R"
height = 0.4
density = 2700
xyz = [0.2, 0, 0]
rpy = [0, "pi/2", 0]
minus = [{ shape = "cylinder", radius = "R/2", height = 0.4 }]
[[link.part]]
name = "tip"
shape = "ball"
radius = 0.05
mass = 0.7
xyz = [0.4, 0, 0]
"""
    )
    tube = cylinder("0.1", "0.4") - cylinder("0.05", "0.4")
    expected = moments(
        distribution(
            part(tube, density=2700, at=("0.2", 0, 0), rotation=rpy(0, sympy.pi / 2, 0)),
            part(ball("0.05"), mass="0.7", at=("0.4", 0, 0)),
        )
    ).phi
    assert phi_of(robot) == pytest.approx([float(e) for e in expected], rel=1e-14, abs=1e-18)


def test_regions_clouds_and_sums() -> None:
    robot = robot_of(
        """
[[link.part]]
shape = "region"
limits = [["z", 0, 1], ["y", 0, "1 - z"], ["x", 0, "1 - y - z"]]
density = 6
[[link.part]]
shape = "cloud"
points = [[1, 0, 0, 1], ["R", 1, 0, 0]]
density = 1
[[link.part]]
shape = "plate"
size = [1, 2]
density = 3
plus = [{ shape = "disk", radius = 1, xyz = [0, 0, 5] }]
"""
    )
    assert phi_of(robot)[0] == pytest.approx(1 + 1 + 0.1 + 3 * (2 + 3.14159265358979))


def test_a_parametrised_shape() -> None:
    """A quarter of a tube of mean radius R by its coordinates, and a helix."""
    robot = robot_of(
        """
[[link.part]]
shape = "parametrised"
place = ["r*cos(u)", "r*sin(u)", "v"]
limits = [["r", "R", "2*R"], ["u", 0, "pi/2"], ["v", 0, 1]]
density = 1000
[[link.part]]
shape = "parametrised"
place = ["cos(u)", "sin(u)", "u"]
limits = [["u", 0, "2*pi"]]
mass = 2
"""
    )
    m, h1, *_ = phi_of(robot)
    quarter = 1000 * math.pi / 4 * (0.04 - 0.01)
    assert m == pytest.approx(quarter + 2, rel=1e-14)
    assert h1 == pytest.approx(1000 * (0.008 - 0.001) / 3, rel=1e-13)


def test_flows_of_lumped_links_are_moved_with_them() -> None:
    """A jet of 2 kg/s and 3 m/s along z of a tool that is mounted a quarter turn about y."""
    mount = """
[[link]]
name = "tool"
[[link.part]]
shape = "point"
mass = "5 - 2*t"
[[link.flow]]
momentum = "stream"
shape = "point"
mass_rate = -2
velocity = [0, 0, 3]
[[joint]]
name = "mount"
type = "fixed"
parent = "arm"
child = "tool"
xyz = [0.1, 0.2, 0.3]
rpy = [0, "pi/2", 0]
"""
    robot = robot_of("phi = [1, 0, 0, 0, 1, 1, 1, 0, 0, 0]", mount)
    now = mass_at(robot, FLOAT64, 0.5)
    # along x of the arm, at (0.1, 0.2, 0.3)
    assert now.psi_source[:3] == pytest.approx([-6, 0, 0], abs=1e-15)
    assert now.psi_source[3:6] == pytest.approx([-0.6, -1.2, -1.8], abs=1e-15)
    assert now.psi_dot == pytest.approx([-e for e in now.psi_source], abs=1e-15)
    assert now.theta_source[0] == -2
    assert now.theta_dot == pytest.approx([0] * 10, abs=1e-15)
    motion = robot.bodies[0].motion
    assert motion is not None
    assert motion.times == (0, 1)


def test_what_is_proved_to_be_zero_is_no_term_of_the_time() -> None:
    """A cube that tumbles keeps its Phi: no target computes a rounding error of its rate."""
    robot = robot_of(
        '[[link.part]]\nshape = "box"\nsize = [1, 1, 1]\nmass = 6\nrpy = ["t", "2*t", "3*t"]\n'
    )
    motion = robot.bodies[0].motion
    assert motion is not None
    assert [term.rational for term in motion.phi_dot] == [0] * 10
    assert [row[1] for row in changing_table(robot).rows] == ["l1", "l2", "l3", "nu"]


def test_parameters_too_large_for_a_double_are_one_error() -> None:
    large = '[[link.part]]\nshape = "box"\nsize = [1e90, 1e90, 1e90]\ndensity = 1e90\n'
    with pytest.raises(InputError, match="the inertial parameters of the parts are too large"):
        robot_of(large)


def test_a_mesh_beside_the_file(tmp_path: Path) -> None:
    need("trimesh")
    from tests.mass.test_polyhedron import CUBE, _stl

    (tmp_path / "cube.stl").write_text(_stl(CUBE))
    file = tmp_path / "robot.toml"
    link = '[[link.part]]\nshape = "mesh"\nfile = "cube.stl"\nscale = 0.001\ndensity = 8000\n'
    file.write_text(HEAD + link)
    robot = build_robot(parse_toml(file.read_text(), str(file)))
    assert robot.bodies[0].phi[0].rational == 1


FLYWHEEL = """
[[link.part]]
name = "wheel"
shape = "cylinder"
radius = "R"
height = 0.02
mass = 2
velocity = ["-w*y", "w*x", 0]
xyz = [0.3, 0, 0]
"""
SLUG = """
[[link.part]]
name = "slug"
shape = "point"
mass = 0.5
xyz = ["0.3 + R*sin(w*t)", 0.1, 0]
[[link.part]]
name = "frame"
shape = "box"
size = [0.6, 0.1, 0.1]
mass = 3
"""


def test_a_flywheel_moves_without_changing_phi() -> None:
    robot = robot_of(FLYWHEEL)
    motion = robot.bodies[0].motion
    assert motion is not None
    now = mass_at(robot, FLOAT64, 0.4)
    assert now.theta_dot == [0] * 10
    # M R^2 w / 4 with the signs of an angular velocity about z
    assert now.psi[4] == pytest.approx(-2 * 0.01 * 3 / 4)
    assert now.psi[6] == pytest.approx(+2 * 0.01 * 3 / 4)
    assert now.nu == pytest.approx([2 * 0.01 * 9 / 2])
    assert any("closed" in note and "arm" in note for note in robot.notes)


def test_functions_of_time_agree_with_the_moments() -> None:
    robot = robot_of(SLUG)
    w, R = sympy.symbols("w R", positive=True)
    path = (sympy.Rational(3, 10) + R * sympy.sin(w * t), sympy.Rational(1, 10), 0)
    body = distribution(
        particle(sympy.Rational(1, 2), path), part(box("0.6", "0.1", "0.1"), mass=3)
    )
    expected = moments(body)
    now = mass_at(robot, SYMPY, t, {"w": w, "R": R})
    pairs = zip(
        (*now.theta, *now.theta_dot, *now.psi, *now.psi_dot, *now.nu),
        (*expected.phi, *expected.phi_dot, *expected.psi, *expected.psi_dot, expected.nu),
        strict=True,
    )
    assert all(sympy.simplify(one - two) == 0 for one, two in pairs)


def test_the_state_takes_t_and_the_equation_feels_it() -> None:
    robot = robot_of(SLUG)
    state = state_from({"q": [0.3], "qd": [0.7], "qdd": [1.1], "t": 0.2}, robot)
    now = mass_at(robot, FLOAT64, 0.2)
    assert state.theta == tuple(now.theta)
    assert state.psi_dot == tuple(now.psi_dot)
    model = over(robot, FLOAT64)
    expected = dynamics.generalized_inverse_dynamics(
        model, [0.3], [0.7], [1.1], now.theta, now.theta_dot, now.psi, now.psi_dot
    )
    found = evaluate_state(robot, state, ["generalized_inverse_dynamics"]).values
    assert found["generalized_inverse_dynamics"] == expected
    # by hand: d/dt (I33 qd + ell3) plus gravity, for one joint
    w, R = 3.0, 0.1
    s, c = float(sympy.sin(w * 0.2)), float(sympy.cos(w * 0.2))
    pos, vel, acc = 0.3 + R * s, R * w * c, -R * w * w * s
    I33 = now.theta[6]
    weight = 9.81 * (now.theta[1] * float(sympy.cos(0.3)) - now.theta[2] * float(sympy.sin(0.3)))
    by_hand = I33 * 1.1 + 0.5 * 2 * pos * vel * 0.7 - 0.5 * 0.1 * acc + weight
    assert expected[0] == pytest.approx(by_hand, rel=1e-12)
    given = state_from({"t": 0.2, "psi": {"arm": [0] * 12}}, robot)
    assert given.psi == (0.0,) * 12
    assert given.theta == state.theta


def test_links_fixed_to_a_body_are_lumped_with_their_motion() -> None:
    mount = """
[[link]]
name = "tool"
%s
[[joint]]
name = "mount"
type = "fixed"
parent = "arm"
child = "tool"
xyz = [0.1, 0.2, 0.3]
rpy = [0, "pi/2", 0]
"""
    stick = "phi = [1, 0, 0, 0, 1, 1, 1, 0, 0, 0]"
    robot = robot_of(stick, mount % FLYWHEEL)
    now = mass_at(robot, FLOAT64, 0.0)
    wheel = part(cylinder("0.1", "0.02"), mass=2, velocity=(-3 * y, 3 * x, 0), at=("0.3", 0, 0))
    own = moments(distribution(wheel))
    from symdyn.spatial.momentum import as_psi, move_psi

    turn = rpy(0, sympy.pi / 2, 0)
    at = tuple(sympy.Rational(k, 10) for k in (1, 2, 3))
    moved = move_psi(turn, at, as_psi(own.psi))  # type: ignore[arg-type]  # three
    assert now.psi == pytest.approx([float(e) for e in moved])
    assert now.theta[0] == pytest.approx(3)


def test_an_open_body_states_its_momentum() -> None:
    tank = """
[[link.part]]
shape = "cylinder"
radius = "R"
height = "0.1 + t/10"
density = 1000
xyz = [0, 0, "0.05 + t/20"]
"""
    with pytest.raises(InputError, match="momentum") as error:
        robot_of(tank)
    assert "expected at_rest or co_moving, or a flow for each source" in str(error.value)
    filling = """
momentum = "%s"
[[link.part]]
shape = "box"
size = [0.1, 0.1, 0.1]
density = "1000*(1 + t)"
"""
    rest, along = robot_of(filling % "at_rest"), robot_of(filling % "co_moving")
    assert mass_at(rest, FLOAT64, 0.0).theta_dot[0] == pytest.approx(1)
    assert mass_at(along, FLOAT64, 0.0).theta_dot == pytest.approx([0] * 10)
    assert mass_at(rest, FLOAT64, 0.0).theta_source == [0] * 10
    assert mass_at(along, FLOAT64, 0.0).theta_source[0] == pytest.approx(1)
    assert any("brings no momentum" in note for note in rest.notes)


@pytest.mark.parametrize(
    ("link", "text"),
    [
        ('[[link.part]]\nshape = "ball"\nradius = 1', "either density or mass"),
        ('[[link.part]]\nshape = "ball"\nradius = 1\nmass = 1\ndensity = 1', "got both"),
        ('[[link.part]]\nshape = "bal"\nradius = 1\nmass = 1', "Did you mean 'ball'"),
        ('[[link.part]]\nshape = "ball"\nmass = 1', "'radius' is missing"),
        ('[[link.part]]\nshape = "ball"\nradius = 1\nmass = 1\nheight = 1', "unknown key 'height'"),
        ('[[link.part]]\nshape = "ball"\nradius = "u"\nmass = 1', "u"),
        ('[[link.part]]\nshape = "ball"\nradius = "x"\nmass = 1', "x"),
        ('[[link.part]]\nshape = "ball"\nradius = -1\nmass = 1', "radius is not positive"),
        ('[[link.part]]\nshape = "ball"\nradius = 1\ndensity = "1 - 2*x"', "density is negative"),
        (
            '[[link.part]]\nshape = "ball"\nradius = 1\nmass = 1\nmoving = 2\nvelocity = [1, 0, 0]',
            "no fraction",
        ),
        ('[[link.part]]\nshape = "box"\nsize = [1, 1]\nmass = 1', "2 numbers; expected 3 numbers"),
        ('[[link.part]]\nshape = "box"\nsize = [1, 1, 1]\ndensity = "1/x^2"', "diverges"),
        ('mass = 1\n[[link.part]]\nshape = "ball"\nradius = 1\nmass = 1', "does not go with"),
        ("part = []", "no parts"),
        ("part = 3", "not a list of tables"),
        ('[[link.part]]\nshape = "region"\nlimits = [["u", 0, 1]]\ndensity = 1', "1 row"),
        (
            '[[link.part]]\nshape = "region"\nlimits = [["u", 0, 1], ["y", 0, 1], ["z", 0, 1]]\n'
            "density = 1",
            "no coordinate",
        ),
        (
            '[[link.part]]\nshape = "parametrised"\nplace = ["u", 0, 0]\n'
            'limits = [["R", 0, 1]]\ndensity = 1',
            "a word other than x, y, z, t, pi and declared parameters",
        ),
        (
            '[[link.part]]\nshape = "parametrised"\nplace = ["u^2", 0, 0]\n'
            'limits = [["u", -1, 1]]\ndensity = 1\nmeasure = "u"',
            "measure",
        ),
        (
            'times = [1, 1]\n[[link.part]]\nshape = "ball"\nradius = 1\nmass = 1',
            "key times: an interval of time is empty; got from 1 to 1",
        ),
        (
            'times = [1, 0]\n[[link.part]]\nshape = "ball"\nradius = 1\nmass = 1',
            "key times: an interval of time is reversed; got from 1 to 0",
        ),
        (
            '[[link.part]]\nname = "disk"\nshape = "disk"\nradius = 1\ndensity = 1\n'
            'velocity = [0, "sqrt(x)", 0]',
            "part 1, key velocity",
        ),
        ('momentum = "none"\n[[link.part]]\nshape = "ball"\nradius = 1\nmass = 1', "none"),
        (
            '[[link.part]]\nshape = "ball"\nradius = 1\nmass = 1\n'
            'minus = [{ shape = "ball", radius = 2 }]',
            "reaches out of its solid",
        ),
    ],
)
def test_refusals_name_file_and_line(link: str, text: str) -> None:
    with pytest.raises(InputError) as error:
        robot_of(link)
    assert text in str(error.value)
    assert "one.toml:" in str(error.value)


def test_an_integral_without_closed_form_names_the_link() -> None:
    with pytest.raises(UnsupportedError, match=r"one.toml:\d+: \[\[link\]\] 'arm'"):
        robot_of('[[link.part]]\nshape = "box"\nsize = [1, 1, 1]\ndensity = "exp(sin(x))"')


def test_the_letters_of_place_and_time_are_taken() -> None:
    text = HEAD.replace("R = 0.1", "R = 0.1\nt = 3") + FLYWHEEL
    with pytest.raises(InputError, match="'t' is a declared parameter"):
        parse_toml(text, "one.toml")


def test_lines_of_the_right_part_are_named() -> None:
    text = HEAD + FLYWHEEL + '[[link]]\nname = "other"\n[[link.part]]\nshape = "bal"\n'
    with pytest.raises(InputError) as error:
        parse_toml(text, "one.toml")
    line = text[: text.index('"bal"')].count("\n") + 1
    assert f"one.toml:{line}:" in str(error.value)


def test_the_digest_knows_the_motion() -> None:
    still = robot_of(FLYWHEEL.replace('velocity = ["-w*y", "w*x", 0]\n', ""))
    assert still.bodies[0].motion is None
    assert robot_digest(still) != robot_digest(robot_of(FLYWHEEL))


def test_show_eval_and_derive_handle_such_robots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, state = tmp_path / "one.toml", tmp_path / "state.json"
    file.write_text(HEAD + SLUG)
    state.write_text(json.dumps({"q": [0.3], "qd": [0.7], "t": 0.2}))
    assert main(["show", str(file)]) == 0
    assert "closed: Phi' = L psi" in capsys.readouterr().out
    assert main(["eval", str(file), "--state", str(state)]) == 0
    printed = json.loads(capsys.readouterr().out)
    robot = build_robot(parse_toml(file.read_text(), "one.toml"))
    now = mass_at(robot, FLOAT64, 0.2)
    expected = dynamics.generalized_inverse_dynamics(
        over(robot, FLOAT64), [0.3], [0.7], [0.0], now.theta, now.theta_dot, now.psi, now.psi_dot
    )
    assert printed["generalized_inverse_dynamics"] == pytest.approx(expected)
    derive_robot(robot, tmp_path / "out", targets=["numpy"], functions=["mass_matrix"])
