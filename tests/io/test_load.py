"""ROBOT on the command line: suffixes, names, and what is wrong with a path, in one line each."""

from __future__ import annotations

from pathlib import Path

import pytest

from symdyn._errors import InputError
from symdyn.io.builtin import NAMES, builtin_text
from symdyn.io.load import load_robot
from tests.urdf_text import pendulum


def refused(source: str | Path) -> str:
    with pytest.raises(InputError) as caught:
        load_robot(source)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_names_and_paths(tmp_path: Path) -> None:
    assert load_robot("planar2r").name == "planar2r"
    toml, urdf = tmp_path / "a.toml", tmp_path / "a.URDF"
    toml.write_text(builtin_text("planar3r"), encoding="utf-8")
    urdf.write_text(pendulum("1", "0 0 0", "1 1 1"), encoding="utf-8")
    assert load_robot(toml).n == 3
    assert load_robot(str(urdf)).n == 1


def test_unknown_names_list_the_known_ones() -> None:
    message = refused("pandas")
    assert "there is no robot 'pandas'" in message
    assert "Did you mean 'panda'?" in message
    assert all(name in message for name in NAMES)
    assert "Did you mean 'ur5'?" in refused("UR5")
    assert "this is no robot file" in refused("arm.sdf")
    assert "this is no robot file" in refused("some/where")


@pytest.mark.parametrize("suffix", [".toml", ".urdf", ".xml"])
def test_paths_that_cannot_be_read(suffix: str, tmp_path: Path) -> None:
    missing = tmp_path / f"missing{suffix}"
    assert f"missing{suffix}" in refused(missing)
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    assert "directory" in refused(folder).lower()
    for name, content in (
        ("empty", b""),
        ("binary", bytes(range(256)) * 40),
        ("latin", "name = 'é'".encode("latin-1")),
        ("huge", b" " * 50_000_000),
        ("cut", b"<robot name='x'><link"),
    ):
        path = tmp_path / f"{name}{suffix}"
        path.write_bytes(content)
        assert path.name in refused(path)
        path.unlink()


def test_text_faults_of_toml_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_bytes(b"")
    assert "the file is empty" in refused(path)
    path.write_bytes(b"x\0y")
    assert "this is a binary file" in refused(path)
    path.write_bytes(b"a = 1\nb = '\xe9'\n")
    assert "r.toml:2: the text is not UTF-8; got byte 0xe9" in refused(path)
    path.write_bytes(b"\xef\xbb\xbf" + builtin_text("planar2r").encode())
    assert load_robot(path).n == 2


def test_a_path_with_a_null_is_refused() -> None:
    assert "a\\x00b.toml" in refused("a\0b.toml")
