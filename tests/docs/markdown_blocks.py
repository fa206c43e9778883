"""Fenced blocks of a Markdown file, in order, with the line they start on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class FencedBlock:
    """One fenced block: its language (with anything behind it), its text, its first line."""

    language: str
    text: str
    line: int


def blocks_of(path: Path) -> list[FencedBlock]:
    """All fenced blocks of a file."""
    found: list[FencedBlock] = []
    fence, language, start, body = "", "", 0, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        opening = re.match(r"\s*(`{3,})(.*)$", line)
        if not fence and opening:
            fence, language, start, body = opening[1], opening[2].strip(), number, []
        elif fence and line.strip() == fence:
            found.append(FencedBlock(language, "\n".join(body) + "\n", start))
            fence = ""
        elif fence:
            body.append(line)
    assert not fence, f"{path}:{start}: the block is never closed"
    return found
