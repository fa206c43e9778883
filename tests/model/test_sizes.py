"""Numbers above 1e100 are refused by every reader alike: their squares leave a double."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symdyn._errors import InputError
from symdyn.algebra.term import ONE, ZERO, Term, number, parameter
from symdyn.io.dh import DHRow, modified_dh, standard_dh
from symdyn.io.mjcf import parse_mjcf
from symdyn.io.toml_format import parse_toml
from symdyn.io.urdf import parse_urdf
from symdyn.model.build import build_robot
from symdyn.model.robot import Parameter
from tests.oracles import need
from tests.urdf_text import pendulum

TOML = """
[robot]
name = "r"
[parameters]
big = 1e60
l = 1
[[link]]
name = "base"
[[link]]
name = "a"
mass = 1
com = [0.5, 0, 0]
inertia_com = { xx = 0.1, yy = 0.1, zz = 0.1 }
[[joint]]
name = "j"
type = "revolute"
parent = "base"
child = "a"
axis = [0, 0, 1]
xyz = [0, 0, 0]
"""


def refused_toml(old: str, new: str) -> str:
    assert old in TOML
    with pytest.raises(InputError) as caught:
        build_robot(parse_toml(TOML.replace(old, new, 1), "r.toml"))
    return str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("mass = 1", "mass = 1e101", 11),
        ("mass = 1", "mass = -2e200", 11),
        ("mass = 1", 'mass = "big*big"', 11),
        ("xyz = [0, 0, 0]", 'xyz = [0, "big^2", 0]', 20),
        ("xx = 0.1", "xx = 1e150", 13),
        ("axis = [0, 0, 1]", "axis = [0, 0, 1e200]", 19),
        ("l = 1", "l = 1e300", 6),
    ],
)
def test_toml_names_the_line(old: str, new: str, line: int) -> None:
    said = refused_toml(old, new)
    assert said.startswith(f"r.toml:{line}: ")
    assert "too large; expected a size of at most 1e100; got" in said
    assert said.endswith("Check the unit and the exponent.")


def test_the_largest_numbers_are_taken() -> None:
    for new in ("mass = 1e100", 'mass = "big*1e39"'):
        build_robot(parse_toml(TOML.replace("mass = 1", new), "r.toml"))
    build_robot(parse_urdf(pendulum("1e100", "1 0 0", "1 1 1")))


@pytest.mark.parametrize("attribute", ['mass="1e120"', 'pos="0 1e101 0"', 'mass="-1e120"'])
def test_mjcf_names_the_line(attribute: str) -> None:
    need("mujoco")
    text = (
        '<mujoco>\n<worldbody><body>\n<joint name="j"/><inertial pos="0 0 1" mass="1" '
        'diaginertia="1 1 1"/>\n</body></worldbody></mujoco>'
    )
    name = attribute.partition("=")[0]
    old = 'pos="0 0 1"' if name == "pos" else 'mass="1"'
    with pytest.raises(InputError, match=rf"m\.xml:3: inertial, {name}: the number is too large"):
        parse_mjcf(text.replace(old, attribute), "m.xml")


def row(**changes: Term | tuple[Term, ...]) -> DHRow:
    parts: dict[str, Term | tuple[Term, ...]] = {
        "alpha": ZERO, "a": ONE, "d": ZERO, "theta": ZERO, "phi": (ONE,) * 10
    }  # fmt: skip
    return DHRow(joint="j", link="a", **{**parts, **changes})  # type: ignore[arg-type]


HUGE = number(Fraction(15) * 10**199)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (row(a=HUGE), "its translation is no number that a robot has"),
        (row(armature=HUGE), "joint j: its armature is no number"),
        (row(phi=(HUGE, *(ONE,) * 9)), "its m is no number"),
        (row(damping=parameter("k") * parameter("k")), "its damping is no number"),
    ],
)
def test_tables_written_in_python_are_held_to_it_too(changed: DHRow, words: str) -> None:
    k = (Parameter("k", Fraction(10) ** 90),)
    for made in (
        standard_dh([changed], inertial_frame="joint", parameters=k),
        modified_dh([changed], parameters=k),
    ):
        with pytest.raises(InputError, match=words) as caught:
            build_robot(made)
        assert "got 1.5e+200" in str(caught.value) or "got 1e+180" in str(caught.value)


def test_a_parameter_is_held_to_it() -> None:
    made = modified_dh([row()], parameters=(Parameter("k", Fraction(10) ** 101),), source="t")
    with pytest.raises(InputError, match=r"t, parameter k: its value .* at most 1e100; got 1e"):
        build_robot(made)
