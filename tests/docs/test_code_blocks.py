"""Every code block of README and docs runs, and prints what it says it prints.

Blocks of one file share a directory and, if they are Python, a namespace. ``python`` blocks are
executed; a comment ``# -> text`` behind a ``print`` states its output, ``…`` standing for anything.
``console`` blocks hold ``$ command`` lines and their output; a line ``...`` stands for any lines,
and ``…`` inside a line for any text. A block with a file name behind its language is written to
that file, for the blocks after it. Blocks marked ``text``, ``math`` and the like are not run;
``sh`` is for commands that set up a machine and is checked against the Makefile.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.markdown_blocks import FencedBlock, blocks_of
from tests.oracles import need_program

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUN = ("python", "console")
IDLE = ("text", "math", "sh", "c", "toml", "json", "xml")


def _matches(expected: str, got: str) -> bool:
    """Whether ``got`` is ``expected``, ``...`` lines and ``…`` standing for anything."""
    parts: list[str] = []
    for line in expected.rstrip().splitlines():
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            pieces = [re.escape(piece.rstrip()) for piece in line.split("…")]
            parts.append(".*?".join(pieces) + r"[ ]*\n")
    return re.fullmatch("".join(parts), got.rstrip() + "\n") is not None


def _run_python(block: FencedBlock, namespace: dict[str, object], page: Path) -> None:
    sink = io.StringIO()
    source = "\n" * block.line + block.text
    with contextlib.redirect_stdout(sink):
        exec(compile(source, str(page), "exec"), namespace)
    said = "\n".join(re.findall(r"# -> (.*)$", block.text, re.MULTILINE))
    assert _matches(said, sink.getvalue()) or not (said or sink.getvalue()), (
        f"{page.name}:{block.line}: printed\n{sink.getvalue()}"
    )


def _run_console(block: FencedBlock, directory: Path, page: Path) -> None:
    environment = {
        **os.environ,
        "PATH": f"{directory / '.bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    steps = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not steps[0].strip(), f"{page.name}:{block.line}: output before the first command"
    for step in steps[1:]:
        command, _, expected = step.partition("\n")
        while command.endswith("\\"):
            more, _, expected = expected.partition("\n")
            command = command[:-1] + more
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=directory,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
        )
        got = run.stdout
        assert _matches(expected, got) or not (expected.strip() or got.strip()), (
            f"{page.name}:{block.line}: `{command}` printed\n{got}"
        )


def _provide_command(directory: Path) -> None:
    """The command ``symdyn`` and ``python3`` of this very checkout and interpreter."""
    (directory / ".bin").mkdir()
    for name, words in (("symdyn", "-m symdyn.cli.main"), ("python3", ""), ("python", "")):
        path = directory / ".bin" / name
        path.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        path.chmod(0o755)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_block_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = blocks_of(page)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    _provide_command(tmp_path)
    if any(block.language == "c" for block in blocks):
        need_program("gcc")
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks:
        language, _, file = block.language.partition(" ")
        assert language in RUN + IDLE, f"{page.name}:{block.line}: language {language!r}"
        if file:
            # ```toml arm.toml: a block that the commands after it read
            (tmp_path / file).write_text(block.text, encoding="utf-8")
        elif language == "python":
            _run_python(block, namespace, page)
        elif language == "console":
            _run_console(block, tmp_path, page)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        assert path.exists(), f"{page.name}: link to {target}"
        if anchor and path.suffix == ".md":
            heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in heads}
            assert anchor in slugs, f"{page.name}: no heading for {target}"


def test_the_two_commands_of_the_readme_are_targets_of_the_makefile() -> None:
    first = next(b for b in blocks_of(ROOT / "README.md") if b.language == "sh")
    commands = [line.split("#")[0].strip() for line in first.text.splitlines() if line.strip()]
    assert commands == ["make demo", "make test"]
    makefile = (ROOT / "Makefile").read_text()
    assert all(re.search(rf"^{c.split()[1]}:", makefile, re.MULTILINE) for c in commands)
