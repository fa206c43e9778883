"""``symdyn derive``: exit status, summary, progress, and the check of a committed tree."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from symdyn import generated_tree
from symdyn._errors import InputError
from symdyn.cli.main import main
from symdyn.cli.progress import ProgressLine
from symdyn.generated_tree import Entry, check_tree, update_tree

QUICK = ["--no-crosscheck", "--no-identities", "--no-figures"]


def test_summary_for_a_person(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["derive", "planar2r", "-o", str(out), *QUICK]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("planar2r: 2 coordinates, 2 moving bodies\n")
    assert f"results in {out}:\n" in said.out
    assert "  report.md" in said.out
    assert said.err == "", "no progress when standard error is no terminal"


def test_summary_for_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["derive", "planar2r", "-o", str(tmp_path / "out"), "--json", *QUICK]
    assert main(arguments) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["robot"] == "planar2r"
    assert summary["n"] == 2
    assert summary["is_consistent"] is True
    assert summary["operations"]["mass_matrix"]["mul"] > 0
    assert set(summary["seconds"]) >= {"derive", "generate", "report"}


def test_progress_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["derive", "planar2r", "-o", str(tmp_path / "out"), "--progress", *QUICK])
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["symdyn: read …", "symdyn: derive …"]


def test_a_failed_verification_is_one_line_and_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from symdyn import pipeline
    from symdyn._errors import VerificationError

    def fail(*_: object, **__: object) -> None:
        raise VerificationError("two roads\ndisagree")

    monkeypatch.setattr(pipeline, "check_robot", fail)
    assert main(["derive", "planar2r", "-o", str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err == "symdyn: error: two roads disagree\n"
    assert not list(tmp_path.iterdir())


def test_foreign_files_are_status_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert main(["derive", "planar2r", "-o", str(tmp_path), *QUICK]) == 2
    assert "notes.txt" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_on_a_terminal_progress_is_one_line_that_vanishes() -> None:
    stream = Terminal()
    progress = ProgressLine(None, stream)
    progress("derive")
    progress("derive: mass_matrix")
    progress("verify", 0.5)
    progress.close()
    assert "\n" not in stream.getvalue()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_without_a_terminal_there_is_no_progress_unless_asked_for() -> None:
    silent, asked = io.StringIO(), io.StringIO()
    for stream, shown in ((silent, None), (asked, True)):
        progress = ProgressLine(shown, stream)
        progress("derive")
        progress.close()
    assert silent.getvalue() == ""
    assert asked.getvalue() == "symdyn: derive …\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small committed tree."""
    small = {"arm": Entry("planar2r", targets=("c",))}
    monkeypatch.setattr(generated_tree, "REFERENCE", small)
    directory = tmp_path / "generated"
    written = update_tree(directory)
    assert "missing  MANIFEST.json" in written
    return directory


def test_a_fresh_tree_has_no_difference(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check_tree(tree) == []
    assert main(["derive", "--check", str(tree)]) == 0
    assert capsys.readouterr().out == f"{tree}: no difference\n"
    assert update_tree(tree) == []


def test_every_kind_of_difference_is_found(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tree / "arm" / "c" / "planar2r.c"
    text = source.read_text()
    digit = next(i for i, c in enumerate(text) if c == "1")
    source.write_text(text[:digit] + "2" + text[digit + 1 :])
    (tree / "arm" / "report.md").unlink()
    (tree / "arm" / "c" / "more.c").write_text("")
    (tree / "stray.txt").write_text("")
    expected = [
        "extra    arm/c/more.c",
        "changed  arm/c/planar2r.c",
        "missing  arm/report.md",
        "extra    stray.txt",
    ]
    assert check_tree(tree) == expected
    assert main(["derive", "--check", str(tree)]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines() == expected
    assert f"mend: symdyn derive --update {tree}" in said.err


def test_update_mends_what_check_found(tree: Path) -> None:
    (tree / "arm" / "report.md").write_text("edited")
    (tree / "arm" / "c" / "more.c").write_text("")
    assert update_tree(tree) == ["extra    arm/c/more.c", "changed  arm/report.md"]
    assert check_tree(tree) == []


def test_a_changed_manifest_is_a_difference(tree: Path) -> None:
    manifest = tree / "MANIFEST.json"
    manifest.write_text(manifest.read_text().replace('"generator"', '"generated by"'))
    assert check_tree(tree) == ["changed  MANIFEST.json"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"format": 99, "robots": {}}',
        '{"format": 1, "robots": {"../x": {"robot": "panda", "targets": [], "inertial": "base"}}}',
        '{"format": 1, "robots": {"x": {"robot": "/x", "targets": [], "inertial": "base"}}}',
        '{"format": 1, "robots": {"x": {"robot": "panda"}}}',
    ],
)
def test_a_foreign_manifest_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "MANIFEST.json").write_text(text)
    with pytest.raises(InputError, match="no manifest of ours"):
        check_tree(tmp_path)
    with pytest.raises(InputError, match="no manifest of ours"):
        update_tree(tmp_path)
