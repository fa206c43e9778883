"""All laws of every URDF robot that example-robot-data ships."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from symdyn._errors import InputError
from symdyn.identities import check_robot
from symdyn.io.load import load_robot
from symdyn.recipes import derive
from tests.oracles import need

SHARE = Path("cmeel.prefix/share/example-robot-data/robots")
ROOTS = [Path(sysconfig.get_path(kind)) / SHARE for kind in ("platlib", "purelib")]
FILES = sorted({path for root in ROOTS for path in root.rglob("*.urdf")})


def laws_hold(path: Path) -> None:
    try:
        robot = load_robot(path)
    except InputError:
        pytest.skip("refused by the reader, with reason")
    verdicts = check_robot(robot, derive(robot).specs)
    assert len(verdicts) >= 13
    assert [v.text() for v in verdicts if not v.holds] == []


def test_robots_are_there() -> None:
    if not FILES:
        need("example_robot_data_files")  # skips, or fails where it is required
    assert len(FILES) >= 69


# mimic joints, prismatic joints and a tree, two seconds together
@pytest.mark.parametrize(
    "path", [p for p in FILES if p.stem in ("baxter", "tiago_no_hand")], ids=lambda p: p.stem
)
def test_laws_of_some_robots(path: Path) -> None:
    laws_hold(path)


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_laws_of_every_robot(path: Path) -> None:
    laws_hold(path)
