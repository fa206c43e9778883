"""Every derivation compares links given by parts with quadrature; the report says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from symdyn._errors import VerificationError
from symdyn.algebra.term import TERMS
from symdyn.io.load import load_robot
from symdyn.mass_verification import verify_masses
from symdyn.model.robot import Body, Robot
from symdyn.pipeline import derive_files

ARM = """
format = 1
[robot]
name = "arm"
gravity = [0, 0, -9.81]
[parameters]
rho = 7800
[[link]]
name = "base"
[[link]]
name = "slider"
times = [0, 2]
[[link.part]]
shape = "cylinder"
radius = 0.1
height = "0.5"
density = "rho*(1 + abs(z))"
xyz = ["sin(t)/10", 0, 0]
minus = [{ shape = "cylinder", radius = 0.05, height = 0.2 }]
[[link.part]]
shape = "ball"
radius = 0.05
density = "rho/100/sqrt(x^2 + y^2 + z^2)"
[[joint]]
name = "turn"
type = "revolute"
parent = "base"
child = "slider"
axis = [1, 0, 0]
"""


@pytest.fixture(scope="module")
def arm(tmp_path_factory: pytest.TempPathFactory) -> Robot:
    path: Path = tmp_path_factory.mktemp("arm") / "arm.toml"
    path.write_text(ARM)
    return load_robot(path)


def test_parts_are_compared_twice_inside_the_interval(arm: Robot) -> None:
    told: list[str] = []
    (found,) = verify_masses(arm, told.append)
    assert told == ["mass of slider"]
    assert found.worst is not None
    assert found.worst < 1e-12
    assert found.agreement.endswith("to 1e-12, at t = 0.625, 1.625")
    (doubt,) = found.uncertain  # of the pole in the middle of the second part
    assert doubt.endswith("density: sampled")


def test_what_is_not_proved_is_a_note_of_the_robot(arm: Robot) -> None:
    (note,) = (n for n in arm.notes if "not proved" in n)
    assert note.startswith("Mass of link slider, not proved: part 2")
    assert note.endswith("density: sampled.")
    assert not [n for n in load_robot("feeder").notes if "not proved" in n]


def test_links_with_numbers_have_nothing_to_compare() -> None:
    assert verify_masses(load_robot("planar2r")) == ()


def _wrong(body: Body) -> Body:
    """One entry of Phi off by 1e-8 of itself, as a slip in an integral would have it."""
    (link,) = body.links
    made_of = link.made_of
    assert made_of is not None
    assert made_of.motion is not None
    off = TERMS.const(1) + TERMS.const(1) / TERMS.const(10**8)
    phi = (*made_of.motion.phi[:4], made_of.motion.phi[4] * off, *made_of.motion.phi[5:])
    motion = replace(made_of.motion, phi=phi)
    return replace(body, links=(replace(link, made_of=replace(made_of, motion=motion)),))


def test_a_wrong_integral_is_found_and_named(arm: Robot) -> None:
    wrong = replace(arm, bodies=tuple(_wrong(body) for body in arm.bodies))
    with pytest.raises(VerificationError, match=r"link slider: .* disagree: phi\[4\]"):
        verify_masses(wrong)


def test_the_report_says_the_agreement(arm: Robot) -> None:
    files, findings, _ = derive_files(
        arm,
        targets=("numpy",),
        functions=("mass_matrix",),
        identities=False,
        crosscheck=False,
        figures=False,
    )
    report = files["report.md"].decode()
    section = report.split("### Links given by what they are made of")[1].split("###")[0]
    assert "`slider`: exact integrals agree with" in section
    assert "at t = 0.625, 1.625. Not proved:" in section
    assert len(findings.masses) == 1
