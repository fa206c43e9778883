"""The figures: same scene, same bytes; every robot can be drawn, whatever its names and size."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from symdyn.io.load import load_robot
from symdyn.model.robot import JointKind
from symdyn.report.arm_figure import arm_figure
from symdyn.report.scene import Frame, Scene, scene_of
from symdyn.report.tree_figure import tree_figure
from symdyn.report.tree_order import depth_first


def frame(number: int, parent: int, name: str, at: float) -> Frame:
    return Frame(
        number=number,
        joint=f"joint {name}",
        body=name,
        kind=JointKind.REVOLUTE,
        parent=parent,
        origin=(at, 0.0, 0.1 * at),
        x=(1.0, 0.0, 0.0),
        y=(0.0, 1.0, 0.0),
        z=(0.0, 0.0, 1.0),
        axis=(0.0, 0.0, 1.0),
        mass=1.0,
        centre=(at, 0.1, 0.0),
        tip=None,
        follows=None,
    )


@pytest.mark.parametrize("draw", [tree_figure, arm_figure])
@pytest.mark.parametrize("name", ["planar2r", "panda"])
def test_same_scene_same_bytes_and_nothing_of_the_machine(draw, name: str) -> None:  # type: ignore[no-untyped-def]
    scene = scene_of(load_robot(name))
    first, second = draw(scene), draw(scene)
    assert first == second
    ElementTree.fromstring(first)
    assert not re.search(rb"20\d\d-\d\d-\d\d|/home|/root|/tmp", first)
    assert draw(scene, "png").startswith(b"\x89PNG")


def test_another_process_draws_the_same_bytes() -> None:
    code = (
        "import hashlib\n"
        "from symdyn.io.load import load_robot\n"
        "from symdyn.report.scene import scene_of\n"
        "from symdyn.report.arm_figure import arm_figure\n"
        "print(hashlib.sha256(arm_figure(scene_of(load_robot('ur5')))).hexdigest())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
        ).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


def test_user_settings_of_the_drawing_library_do_not_matter() -> None:
    import matplotlib as mpl

    scene = scene_of(load_robot("planar2r"))
    plain = arm_figure(scene)
    with mpl.rc_context({"lines.linewidth": 9, "svg.fonttype": "none", "svg.hashsalt": None}):
        assert arm_figure(scene) == plain


@pytest.mark.parametrize("name", ["$x_1$", "a & b <c>", "関節", "", "x" * 300])
def test_any_name_can_be_drawn(name: str) -> None:
    scene = Scene("r", name, (frame(1, -1, name, 0.5),), (0.0, 0.0, -9.81))
    ElementTree.fromstring(tree_figure(scene))
    ElementTree.fromstring(arm_figure(scene))


def test_a_robot_of_one_point_and_without_gravity_can_be_drawn() -> None:
    only = replace(frame(1, -1, "a", 0.0), centre=None, mass=0.0)
    ElementTree.fromstring(arm_figure(Scene("r", "base", (only,), (0.0, 0.0, 0.0))))


def test_each_body_has_a_row_and_each_place_a_number() -> None:
    frames = tuple(frame(k + 1, k - 1, f"body{k}", 0.2 * k) for k in range(40))
    scene = Scene("r", "base", frames, (0.0, 0.0, -9.81))
    size = len(tree_figure(scene))
    fewer = len(tree_figure(replace(scene, frames=frames[:20])))
    assert size > 1.5 * fewer


def test_drawing_order_keeps_chains_straight_and_never_crosses() -> None:
    # a base with two legs and a torso; the torso carries two arms
    parents = [-1, 0, -1, 2, -1, 4, 5, 4, 7]
    order = depth_first(parents)
    assert [node for node, _ in order] == [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert [indent for _, indent in order] == [0, 1, 1, 1, 1, 0, 1, 1, 0, 0]


def test_drawing_order_of_a_long_chain_needs_no_recursion() -> None:
    order = depth_first([k - 1 for k in range(100_000)])
    assert len(order) == 100_001
    assert {indent for _, indent in order} == {0}
