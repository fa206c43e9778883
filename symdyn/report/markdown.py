"""Markdown that shows any name and any number as it is: tables, code spans, fenced blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def code(text: str) -> str:
    """A code span that holds ``text`` whatever it contains."""
    runs = [len(run) for run in re.findall(r"`+", text)]
    fence = "`" * (max(runs, default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") or not text.strip() else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def plain(text: str) -> str:
    """Text in which nothing is taken for markup; a table looks after its own bars."""
    return re.sub(r"([\\`*_\[\]<>$#])", r"\\\1", text)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    """A table, its columns padded; columns in ``right`` are set flush right."""
    flush = set(right)
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (head, *rows)]
    widths = [max(3, *(len(row[c]) for row in cells)) for c in range(len(head))]
    lines = [
        "| "
        + " | ".join(
            cell.rjust(widths[c]) if c in flush else cell.ljust(widths[c])
            for c, cell in enumerate(row)
        )
        + " |"
        for row in cells
    ]
    rule = " | ".join(
        "-" * (widths[c] - 1) + ":" if c in flush else "-" * widths[c] for c in range(len(head))
    )
    return "\n".join([lines[0], f"| {rule} |", *lines[1:]])


def fenced(text: str, language: str = "") -> str:
    """A fenced block that holds ``text`` whatever it contains."""
    runs = [len(run) for run in re.findall(r"`{3,}", text)]
    fence = "`" * max(3, max(runs, default=0) + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def bullets(lines: Iterable[str]) -> str:
    """A list, one line each."""
    return "\n".join(f"- {line}" for line in lines)


def figure(number: float) -> str:
    """A number at six significant digits, zero as ``0``."""
    return "0" if number == 0 else f"{number:.6g}"
