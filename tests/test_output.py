"""Directories are written whole or not at all, and foreign files are never touched."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from symdyn._errors import InputError
from symdyn.output import RECORD_NAME, check_replaceable, files_below, replace_directory, sha256


def with_record(files: dict[str, bytes]) -> dict[str, bytes]:
    record = {"files": {name: sha256(content) for name, content in files.items()}}
    return {**files, RECORD_NAME: json.dumps(record).encode()}


def test_writes_exactly_the_given_files(tmp_path: Path) -> None:
    replace_directory(tmp_path / "a" / "b", with_record({"c/robot.c": b"x", "report.md": b"y"}))
    assert files_below(tmp_path / "a" / "b") == ["c/robot.c", RECORD_NAME, "report.md"]
    assert (tmp_path / "a" / "b" / "c" / "robot.c").read_bytes() == b"x"
    assert [p.name for p in (tmp_path / "a").iterdir()] == ["b"]


def test_replaces_its_own_output_and_drops_what_is_gone(tmp_path: Path) -> None:
    target = tmp_path / "out"
    replace_directory(target, with_record({"old.c": b"1", "same.c": b"2"}))
    (target / "__pycache__").mkdir()
    (target / "__pycache__" / "m.pyc").write_bytes(b"compiled by an import")
    replace_directory(target, with_record({"new.c": b"3", "same.c": b"2"}))
    assert files_below(target) == ["new.c", RECORD_NAME, "same.c"]
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_an_empty_directory_may_be_used(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    replace_directory(tmp_path / "out", with_record({"a": b""}))
    assert files_below(tmp_path / "out") == ["a", RECORD_NAME]


@pytest.mark.parametrize("foreign", ["notes.txt", "c/mine.c", RECORD_NAME])
def test_foreign_files_are_refused(tmp_path: Path, foreign: str) -> None:
    path = tmp_path / "out" / foreign
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(InputError, match="did not write"):
        replace_directory(tmp_path / "out", with_record({"a": b""}))
    assert path.read_text() == "mine"
    assert files_below(tmp_path) == [f"out/{foreign}"]


def test_a_foreign_file_among_our_own_is_refused(tmp_path: Path) -> None:
    replace_directory(tmp_path / "out", with_record({"a": b""}))
    (tmp_path / "out" / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"thesis\.tex"):
        check_replaceable(tmp_path / "out")


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    replace_directory(tmp_path / "out", with_record({"a.c": b"generated"}))
    (tmp_path / "out" / "a.c").write_text("edited by hand")
    with pytest.raises(InputError, match=r"changed.*a\.c"):
        replace_directory(tmp_path / "out", with_record({"a.c": b"new"}))
    assert (tmp_path / "out" / "a.c").read_text() == "edited by hand"


def test_a_file_in_the_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InputError, match="no directory"):
        replace_directory(tmp_path / "out", with_record({"a": b""}))


def test_a_failing_write_leaves_nothing_and_changes_nothing(tmp_path: Path) -> None:
    target = tmp_path / "out"
    replace_directory(target, with_record({"a": b"before"}))
    clash = with_record({"a": b"after", "b": b"file", "b/c": b"b cannot be both"})
    with pytest.raises(InputError, match="a part of the path is a file"):
        replace_directory(target, clash)
    assert (target / "a").read_bytes() == b"before"
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_path_through_a_file_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file")
    with pytest.raises(InputError, match=r"a part of the path is a file.*Name another"):
        check_replaceable(tmp_path / "file" / "sub" / "out")


def test_a_path_that_no_file_system_takes_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the path is too long"):
        check_replaceable(tmp_path / ("a" * 300))


def test_the_present_directory_may_be_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    replace_directory(target, with_record({"a": b"1"}))
    monkeypatch.chdir(target)
    replace_directory(Path("."), with_record({"b": b"2"}))
    assert files_below(target) == ["b", RECORD_NAME]


def test_a_large_foreign_directory_is_refused_at_its_first_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for k in range(50):
        (tmp_path / f"d{k}").mkdir()
        (tmp_path / f"d{k}" / "file").write_text("mine")
    looked_at: list[object] = []
    walk = os.walk

    def counted(*arguments: Any, **options: Any) -> Any:
        for found in walk(*arguments, **options):
            looked_at.append(found)
            yield found

    monkeypatch.setattr(os, "walk", counted)
    with pytest.raises(InputError, match=r"d\d+/file, d\d+/file, d\d+/file and more"):
        check_replaceable(tmp_path)
    assert len(looked_at) < 10
