"""Tables as data, and their two printed forms: aligned text and Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """A titled table; every cell is text.

    Attributes
    ----------
    title : heading
    head : column names; the first column is aligned left, the others right
    rows : cells
    notes : sentences below the table
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def as_text(table: Table) -> str:
    """Aligned columns for a terminal."""
    lines = [table.head, *table.rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(table.head))]
    out = [table.title, "-" * len(table.title)]
    for line in lines:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        out.append("  ".join(cells).rstrip())
    return "\n".join([*out, *table.notes]) + "\n"


def as_markdown(table: Table) -> str:
    """A Markdown section."""
    out = [f"## {table.title}", "", _row(table.head), _row(_rule(len(table.head)))]
    out += [_row(row) for row in table.rows]
    for note in table.notes:
        out += ["", note]
    return "\n".join(out) + "\n"


def _rule(columns: int) -> Sequence[str]:
    return ["---", *["---:"] * (columns - 1)]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
