"""The reference page of the commands is what ``--help`` prints.

``SYMDYN_UPDATE=1`` writes the page.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from symdyn.cli.main import parser

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "commands.md"
INTRODUCTION = """\
# Commands

Each command has `--help`; what it prints stands here, and a test holds this page to it.
Numbers come as JSON with `--json`. Progress goes to standard error, by default only to a terminal.
Exit status: 0 success, 1 a check failed, 2 the input or the usage is at fault (one line on standard
error), 130 interrupted.
"""


def reference(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("COLUMNS", "96")
    return "\n".join([INTRODUCTION, *_sections("symdyn", parser())])


def _sections(name: str, command: argparse.ArgumentParser) -> Iterator[str]:
    """The command's own section, then those of the commands below it."""
    yield _section(name, command.format_help())
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, below in action.choices.items():
                yield from _sections(f"{name} {word}", below)


def _section(name: str, text: str) -> str:
    lines = "\n".join(line.rstrip() for line in text.splitlines())
    return f"## `{name}`\n\n```text\n{lines}\n```\n"


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="argparse lays its help out differently")
def test_the_page_is_what_help_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    text = reference(monkeypatch)
    if os.environ.get("SYMDYN_UPDATE"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text, "mend: SYMDYN_UPDATE=1 make docs"


@pytest.mark.parametrize(
    "command",
    [
        "show", "derive", "eval", "simulate", "identify",
        "friction show", "friction plot", "friction fit", "friction design", "friction simulate",
        "friction analyze",
    ],
)  # fmt: skip
def test_every_help_has_examples(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = reference(monkeypatch)
    section = text.split(f"## `symdyn {command}`")[1].split("\n## ")[0]
    assert f"\n  symdyn {command} " in section
