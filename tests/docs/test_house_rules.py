"""Rules of the house that a machine can hold us to."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import symdyn

PACKAGE = Path(symdyn.__file__).parent
ROOT = PACKAGE.parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
FOLDERS = ("symdyn", "tests", "benchmarks", "derivations")
EVERY_PYTHON = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]

#: What turns data into code, or searches for a simpler form on the way to numbers.
FORBIDDEN_CALLS = {
    "eval", "exec", "compile", "sympify", "parse_expr", "simplify", "trigsimp", "nsimplify",
    "system", "popen", "print",
}  # fmt: skip
#: Where one of these words is a method or a tool of its own, with the reason.
ALLOWED = {
    ("crosscheck", "exec"): "loads the module that was just generated, to compare it",
    ("crosscheck", "compile"): "likewise",
    ("mass", "trigsimp"): "measure of a curved region, a few terms, before its integral is taken",
}
LONGEST = 700


def name_of(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        # re.compile is a pattern, not code
        owner = function.value
        if isinstance(owner, ast.Name) and owner.id == "re":
            return ""
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_nothing_turns_data_into_code_or_prints(path: Path) -> None:
    folder = path.relative_to(PACKAGE).parts[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = name_of(node)
        if (folder, name) not in ALLOWED:
            assert name not in FORBIDDEN_CALLS, f"{path}:{node.lineno}: {name}"
        shell = [k for k in node.keywords if k.arg == "shell"]
        assert not shell, f"{path}:{node.lineno}: a shell"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_file_is_too_long_to_be_read(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_files_have_names_that_say_something(path: Path) -> None:
    assert path.stem not in ("utils", "helpers", "misc", "core", "common", "tools")


def test_nothing_is_left_open_or_switched_off_without_a_reason() -> None:
    mark = re.compile(r"\b(TODO|FIXME|XXX)\b|# noqa(?!:)|# type: ignore(?!\[)|NotImplementedError$")
    this = Path(__file__).resolve()
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in EVERY_PYTHON
        if path.resolve() != this
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if mark.search(line)
    ]
    assert not found


def test_numbers_of_the_version_agree() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {symdyn.__version__}\n" in citation
