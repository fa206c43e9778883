"""JSON is strict, and what the file system objects to is one sentence with a remedy."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from symdyn._errors import InputError, file_error
from symdyn.cli.main import main
from symdyn.cli.options import read_text
from symdyn.cli.printing import json_text, path_text, write_file


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf")])
def test_json_has_no_numbers_that_are_none(bad: float) -> None:
    with pytest.raises(InputError, match=r"^a\[1\]\.b: a result is no finite number") as caught:
        json_text({"z": 1.0, "a": [{"b": 2.0}, {"b": bad}]})
    assert f"got {bad}" in str(caught.value)


def test_json_keeps_letters_and_numbers() -> None:
    record = {"name": "Größe", "x": [0.1, None, True]}
    assert json.loads(json_text(record)) == record
    assert "Größe" in json_text(record)


@pytest.mark.parametrize("text", ["", "  "])
def test_no_path_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="the path is empty"):
        path_text(text)


def test_a_file_in_a_directory_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no such file or directory\. Make the directory first"):
        write_file(tmp_path / "none" / "a.csv", "x")
    with pytest.raises(InputError, match=r"this is a directory, not a file\. Name a file"):
        write_file(tmp_path, "x")
    write_file(tmp_path / "a", "é")
    assert (tmp_path / "a").read_bytes() == "é".encode()


def test_an_unknown_fault_is_still_a_sentence() -> None:
    said = str(file_error(OSError(os.EX_OSERR, "Odd Thing"), "there"))
    assert said == "there: this cannot be read: odd Thing."
    assert "a" * 300 + "..." in str(file_error(OSError(2, "x"), "a" * 400))
    assert "a\\nb" in str(file_error(OSError(2, "x"), "a\nb"))


def test_text_that_never_ends_is_refused() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("no /dev/zero here")
    with pytest.raises(InputError, match="the text is too long"):
        read_text("/dev/zero")


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "none.urdf"],
        ["show", "none.xml"],
        ["show", "none.toml"],
        ["eval", "planar2r", "--state", "none.json"],
        ["simulate", "planar2r", "--time", "1", "--start", "none.json"],
    ],
)
def test_a_missing_file_has_a_remedy(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert "there is no such file" in said
    assert said.endswith("Check the path.\n")


def test_an_empty_output_directory_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["derive", "planar2r", "-o", ""])
    assert "argument -o/--output: the path is empty" in capsys.readouterr().err


def test_the_package_runs_as_the_command(tmp_path: Path) -> None:
    done = [
        subprocess.run(
            [sys.executable, "-m", "symdyn", *arguments],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        for arguments in (["show", "--list"], ["--help"], ["show", "none.urdf"])
    ]
    assert [d.returncode for d in done] == [0, 0, 2]
    assert "panda" in done[0].stdout
    assert done[1].stdout.startswith("usage: symdyn [-h]")
    assert done[2].stderr.startswith("symdyn: error: none.urdf: ")
