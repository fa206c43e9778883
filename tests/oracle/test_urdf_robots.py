"""Every URDF of the PyPI package example-robot-data: read, and equal to Pinocchio to 1e-12."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest

from symdyn._errors import InputError
from symdyn.io.urdf import read_urdf
from symdyn.model.build import build_robot
from tests.oracles import need
from tests.pinocchio_reference import worst_errors

#: Required agreement, relative to the largest entry of the matrix.
TOLERANCE = 1e-12
#: Files that have no equations of motion or a fault, and the words that have to name it.
REFUSED = {
    "alex_description/urdf/alex_psyonic_hands.urdf": ("line 1030", "Left_index_q2", "index_q1"),
    "hector_description/robots/quadrotor_base.urdf": ("no joint moves",),
    "iris_description/robots/iris_simple.urdf": ("no joint moves",),
    "ur_description/urdf/ur3.urdf": ("there is no link",),
}


def _directory() -> Path | None:
    share = Path("cmeel.prefix/share/example-robot-data/robots")
    for root in dict.fromkeys(sysconfig.get_path(kind) for kind in ("platlib", "purelib")):
        if (Path(root) / share).is_dir():
            return Path(root) / share
    return None


DIRECTORY = _directory()
FILES = (
    []
    if DIRECTORY is None
    else sorted(p.relative_to(DIRECTORY).as_posix() for p in DIRECTORY.rglob("*.urdf"))
)


@pytest.fixture(autouse=True)
def _robots() -> None:
    if DIRECTORY is None:
        need("example_robot_data_files")  # skips, or fails where it is required


def _path(name: str) -> str:
    assert DIRECTORY is not None
    return str(DIRECTORY / name)


def test_the_package_ships_all_files() -> None:
    assert len(FILES) >= 69
    assert set(REFUSED) <= set(FILES)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_fault_of_the_file_is_one_clear_line(name: str) -> None:
    with pytest.raises(InputError) as caught:
        build_robot(read_urdf(_path(name)))
    text = str(caught.value)
    assert "\n" not in text
    assert text.startswith(_path(name))
    for word in REFUSED[name]:
        assert word in text


WORKING = [name for name in FILES if name not in REFUSED]


def test_enough_files_work() -> None:
    assert len(WORKING) >= 65


@pytest.mark.parametrize("name", WORKING)
def test_every_quantity_equals_pinocchio(name: str, seed: int) -> None:
    robot = build_robot(read_urdf(_path(name)))
    worst = worst_errors(robot, _path(name), 2, seed)
    assert max(worst.values()) < TOLERANCE, worst


@pytest.mark.slow
@pytest.mark.parametrize("name", WORKING)
def test_every_quantity_equals_pinocchio_on_100_states(name: str, seed: int) -> None:
    robot = build_robot(read_urdf(_path(name)))
    worst = worst_errors(robot, _path(name), 100, seed + 1)
    assert max(worst.values()) < TOLERANCE, worst
