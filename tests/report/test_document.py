"""The report tells the truth about robots that are not in order, and survives any name."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from symdyn.crosscheck.record import Comparison, CrossCheckRecord, RoadNote
from symdyn.io.load import load_robot
from symdyn.pipeline import derive_files
from symdyn.report.closed_forms import closed_form_lines, closed_form_of
from symdyn.report.crosscheck_table import crosscheck_lines, crosscheck_sentence, not_run
from symdyn.report.record import robot_record
from symdyn.report.rows import consistency_table, joint_table, lumped_table, tree_lines

LINK = (
    '<link name="{0}"><inertial><origin xyz="{1}"/><mass value="{2}"/>'
    '<inertia ixx="{3}" ixy="0" ixz="0" iyy="{4}" iyz="0" izz="{5}"/></inertial></link>'
)
JOINT = (
    '<joint name="{0}" type="{1}"><parent link="{2}"/><child link="{3}"/>'
    '<origin xyz="{4}" rpy="{5}"/><axis xyz="{6}"/>'
    '<limit lower="-1" upper="2" effort="1" velocity="1"/>{7}</joint>'
)


def robot_text(*parts: str, name: str = "r") -> str:
    return f'<robot name="{name}"><link name="base"/>{"".join(parts)}</robot>'


def link(name: str, *, com: str = "0 0 -0.5", mass: str = "1", moments: str = "1 1 1") -> str:
    return LINK.format(name, com, mass, *moments.split())


def joint(
    name: str, parent: str, child: str, *, kind: str = "revolute", xyz: str = "0 0 0",
    rpy: str = "0 0 0", axis: str = "0 1 0", more: str = "",
) -> str:  # fmt: skip
    return JOINT.format(name, kind, parent, child, xyz, rpy, axis, more)


def report(path: Path) -> str:
    files, _, _ = derive_files(path, identities=False, crosscheck=False, figures=False)
    return files["report.md"].decode()


def assert_well_formed(text: str) -> None:
    outside = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.M | re.S)
    for block in re.findall(r"(?:^\|.*\n)+", outside, re.MULTILINE):
        columns = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(columns) == 1, block


@pytest.fixture
def urdf(tmp_path: Path) -> Path:
    return tmp_path / "robot.urdf"


def test_an_impossible_body_stands_in_the_first_lines(urdf: Path) -> None:
    urdf.write_text(robot_text(link("bob", moments="1 1 9"), joint("j", "base", "bob")))
    text = report(urdf)
    head = text.split("## ")[0]
    assert "**Physically inconsistent** inertial parameters: `bob`" in head
    assert_well_formed(text)


def test_a_singular_mass_matrix_stands_in_the_first_lines(urdf: Path) -> None:
    point = link("bob", com="0 0 0", moments="0 0 0")
    urdf.write_text(robot_text(point, joint("j", "base", "bob")))
    head = report(urdf).split("## ")[0]
    assert "**M(q) is singular at every state**: joint" in head
    assert "degenerate but legal: `bob`" in head


def test_a_singular_robot_with_its_numbers_built_in_has_no_forward_dynamics(urdf: Path) -> None:
    point = link("bob", com="0 0 0", moments="0 0 0")
    urdf.write_text(robot_text(point, joint("j", "base", "bob")))
    files, findings, _ = derive_files(
        urdf, inertial="numeric", identities=False, crosscheck=False, figures=False
    )
    assert "forward_dynamics" not in findings.derivation.specs
    assert b"Forward dynamics is left out" in files["report.md"]


def test_mimic_joints_are_told(urdf: Path) -> None:
    follow = '<mimic joint="lead" multiplier="-2" offset="0.3"/>'
    urdf.write_text(
        robot_text(
            link("a"), link("b"), joint("lead", "base", "a"), joint("f", "a", "b", more=follow)
        )
    )
    text = report(urdf)
    assert "**1 coordinate**, 2 moving bodies, 1 of them on mimic joints" in text
    kinds = [row[2] for row in joint_table(load_robot(urdf)).rows]
    assert kinds == ["revolute", "revolute, = -2 × lead + 0.3"]


def test_joint_table_says_where_joints_stand(urdf: Path) -> None:
    quarter = "1.5707963267948966"
    urdf.write_text(
        robot_text(
            link("a"),
            link("b"),
            link("c"),
            joint("j1", "base", "a", xyz="0 0 0.4", rpy=f"{quarter} 0 0", axis="0 0 -1"),
            joint("j2", "a", "b", kind="prismatic", rpy=f"0 {quarter} 0", axis="1 1 0"),
            joint("j3", "b", "c", kind="continuous", more='<dynamics damping="0.5"/>'),
        )
    )
    table = joint_table(load_robot(urdf))
    assert table.head[-1] == "damping"
    rows = [dict(zip(table.head, row, strict=True)) for row in table.rows]
    assert rows[0]["axis"] == "-z"
    assert rows[0]["rpy [°]"] == "90, 0, 0"
    assert rows[0]["origin xyz [m]"] == "0, 0, 0.4"
    assert rows[1]["axis"] == "0.707107, 0.707107, 0"
    assert rows[1]["rpy [°]"] == "0, 90, 0"
    assert rows[1]["limits"] == "-1 … 2 m"
    assert rows[2]["damping"] == "0.5"


def test_rigid_links_are_mapped(urdf: Path) -> None:
    tool = joint("mount", "bob", "tool", kind="fixed", xyz="0 0 -1")
    urdf.write_text(robot_text(link("bob"), link("tool"), joint("j", "base", "bob"), tool))
    rows = lumped_table(load_robot(urdf)).rows
    assert ("tool", "bob", "0, 0, -1") in rows


def test_a_fault_of_one_lumped_link_is_not_hidden_by_the_sum(urdf: Path) -> None:
    from symdyn.model.consistency import diagnose

    heavy = link("bob", mass="100", moments="100 100 100")
    wrong = link("tool", moments="0.01 0.01 0.09")
    tool = joint("mount", "bob", "tool", kind="fixed", xyz="0 0 -1")
    urdf.write_text(robot_text(heavy, wrong, joint("j", "base", "bob"), tool))
    rows = consistency_table(diagnose(load_robot(urdf))).rows
    assert [(row[0], row[1]) for row in rows] == [
        ("bob", "consistent"),
        ("bob ⊃ tool", "inconsistent"),
    ]


HOSTILE = ("a|b", "*bold* _i_", "<b>& c", "关节", "import os", "#1 [l](u)", "C:/x -- y", "| --- |")


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_leaves_the_report_in_order(urdf: Path, name: str) -> None:
    escaped = name.replace("&", "&amp;").replace("<", "&lt;")
    urdf.write_text(
        robot_text(link(escaped), joint(escaped, "base", escaped), name=escaped), encoding="utf-8"
    )
    text = report(urdf)
    assert_well_formed(text)
    assert name.replace("|", "\\|") in text, "as a code span, in full"
    assert json.dumps(robot_record(load_robot(urdf)))


def test_text_tree_of_a_branching_robot(urdf: Path) -> None:
    urdf.write_text(
        robot_text(
            *(link(name) for name in "abcd"),
            joint("a1", "base", "a"),
            joint("b1", "a", "b"),
            joint("c1", "base", "c"),
            joint("d1", "c", "d"),
        )
    )
    assert tree_lines(load_robot(urdf)) == [
        "● base",
        "├─○ a  (revolute a1)",
        "│ ○ b  (revolute b1)",
        "○ c  (revolute c1)",
        "○ d  (revolute d1)",
    ]


def test_closed_form_without_declared_parameters_is_in_theta(urdf: Path) -> None:
    urdf.write_text(robot_text(link("bob"), joint("j", "base", "bob")))
    form = closed_form_of(load_robot(urdf))
    assert form is not None
    text = "\n".join(closed_form_lines(form))
    assert "M_{11} &= I_{22,1}" in text
    assert r"\sin{\left(q_{1} \right)}" in text


def test_big_robots_have_no_closed_form() -> None:
    assert closed_form_of(load_robot("panda")) is None


def record(*comparisons: Comparison) -> CrossCheckRecord:
    notes = (
        RoadNote("c", "generated C", "cc 12"),
        RoadNote("mujoco", "MuJoCo", missing="cannot be imported"),
    )
    return CrossCheckRecord("r", "symbolic", 1, {"random": 3}, 50, notes, comparisons)


def test_cross_check_table_shows_what_was_not_compared() -> None:
    checked = record(
        Comparison("mass_matrix", "c", "agrees", 3, error_ulps=2.5),
        Comparison("friction_torque", "c", "not applicable", reason="no such function"),
        Comparison("mass_matrix", "mujoco", "missing"),
    )
    text = "\n".join(crosscheck_lines(checked))
    assert re.search(r"`mass_matrix` +\| +2\.5 \|", text)
    assert re.search(r"`friction_torque` +\| +– \|", text)
    assert "**mujoco**: MuJoCo – not here: cannot be imported" in text
    assert "2.5 ulp" in crosscheck_sentence(checked, ["c"])


def test_code_that_was_not_run_is_told_apart() -> None:
    notes = (RoadNote("numpy", "generated NumPy"), RoadNote("c", "generated C", missing="no gcc"))
    partly = CrossCheckRecord("r", "symbolic", 1, {"random": 3}, 50, notes, ())
    assert not_run(partly, ["numpy", "c"]) == ["c: no gcc"]
    assert not_run(partly, ["numpy"]) == []


def test_cross_check_that_failed_says_so() -> None:
    wrong = Comparison("mass_matrix", "c", "differs", 3, error_ulps=1e6, reason="entry 1")
    failed = record(wrong)
    assert "FAILED in 1 comparison" in crosscheck_sentence(failed, ["c"])
    text = "\n".join(crosscheck_lines(failed))
    assert "**1e+06**" in text
    assert "`mass_matrix` on c: entry 1" in text


def test_the_headline_says_where_the_largest_error_is() -> None:
    worst = Comparison(
        "forward_dynamics", "c batch", "agrees", 3, error_ulps=1e5, worst_state="state 2 (singular)"
    )
    other = Comparison("mass_matrix", "c", "agrees", 3, error_ulps=2.5)
    said = crosscheck_sentence(record(other, worst), ["c"])
    assert "1e+05 ulp off 50 digits (forward_dynamics in c batch, state 2 (singular))" in said
    assert crosscheck_sentence(record(other), ["c"]).startswith(
        "1 comparison on 1 road at 3 states"
    )
    # of no error there is no place
    assert "digits," in crosscheck_sentence(record(Comparison("f", "c", "agrees", 3)), ["c"])


def test_no_table_of_tolerances_is_promised() -> None:
    text = "\n".join(crosscheck_lines(record(Comparison("mass_matrix", "c", "agrees", 3))))
    assert "shown is" not in text
    assert "crosscheck.json holds the one of the state that came closest to it" in text
