"""Tables of numbers as CSV: a head of names, then rows of numbers, read strictly.

Separators are commas, semicolons or tabs, one kind in a file; decimal points only. Empty lines and
lines that begin with ``#`` are skipped. Everything else that is no number is one error with line
and column: a missing value, ``nan``, ``inf``, a decimal comma, a row of another length.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from symdyn._errors import InputError, counted
from symdyn.model.names import shown

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_SEPARATORS = (",", ";", "\t")


@dataclass(frozen=True, slots=True)
class NumberTable:
    """Columns of numbers by name.

    Attributes
    ----------
    source : how messages call the file
    names : of the columns, in order
    columns : (m,) each, in the order of the names
    lines : (m,) where each row stands in the file
    """

    source: str
    names: tuple[str, ...]
    columns: tuple[tuple[float, ...], ...]
    lines: tuple[int, ...]

    def column(self, name: str) -> tuple[float, ...]:
        """One column.

        Raises
        ------
        InputError : there is none of that name
        """
        if name not in self.names:
            close = get_close_matches(name, self.names, n=1)
            raise InputError(
                f"there is no column {shown(name)}",
                where=self.source,
                expected=f"columns named in the first line, {name} among them",
                got=" ".join(map(shown, self.names)),
                remedy=f"Did you mean {close[0]!r}?"
                if close
                else "Name columns with --columns role=name.",
            )
        return self.columns[self.names.index(name)]

    def first_of(self, names: Sequence[str]) -> str | None:
        """The first of some names that the table has, None if it has none of them."""
        return next((name for name in names if name in self.names), None)


def parse_table(text: str, source: str) -> NumberTable:
    """Read a table.

    Parameters
    ----------
    text : of the file
    source : how messages call it

    Raises
    ------
    InputError : the first fault, with its line and column
    """
    head: list[str] = []
    separator = ","
    rows: list[tuple[float, ...]] = []
    lines: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if not head:
            separator = max(_SEPARATORS, key=line.count)
            head = [cell.strip().strip('"') for cell in line.split(separator)]
            _check_head(head, f"{source}:{number}")
            continue
        cells = line.split(separator)
        if len(cells) != len(head):
            raise InputError(
                "a row of another length",
                where=f"{source}:{number}",
                expected=f"{counted(len(head), 'value')}: {' '.join(map(shown, head))}",
                got=f"{len(cells)}",
                remedy="Decimal points, not commas, and no separator at the end of a line.",
            )
        rows.append(
            tuple(
                _number(cell.strip(), f"{source}:{number}, column {shown(name)}")
                for cell, name in zip(cells, head, strict=True)
            )
        )
        lines.append(number)
    if not head:
        raise InputError("the table is empty", where=source, expected="a line of column names")
    if not rows:
        raise InputError("the table has no rows", where=source, expected="numbers below the names")
    return NumberTable(source, tuple(head), tuple(zip(*rows, strict=True)), tuple(lines))


def _check_head(names: Sequence[str], where: str) -> None:
    for k, name in enumerate(names):
        if not name:
            raise InputError(
                f"column {k + 1} has no name",
                where=where,
                remedy="Name each column in the first line.",
            )
        if _NUMBER.fullmatch(name):
            raise InputError(
                "the first line holds numbers",
                where=where,
                expected="names of the columns",
                got=shown(name),
                remedy="Put a line such as v,F above the numbers.",
            )
        if name in names[:k]:
            raise InputError(
                f"two columns are called {shown(name)}", where=where, remedy="Rename one."
            )


def _number(text: str, where: str) -> float:
    if not text:
        raise InputError("a value is missing", where=where, expected="a decimal number")
    if not _NUMBER.fullmatch(text):
        raise InputError(
            "this is no finite number",
            where=where,
            expected="a decimal number such as -1.5e-3",
            got=shown(text),
        )
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise InputError(
            "this number is too large",
            where=where,
            expected="a size of at most 1e308",
            got=shown(text),
        )
    return value


def named_columns(
    table: NumberTable, roles: Mapping[str, Sequence[str]], renamed: Mapping[str, str]
) -> dict[str, tuple[float, ...]]:
    """Columns by what they mean.

    Parameters
    ----------
    roles : per meaning the names it may have in a table, the usual one first
    renamed : per meaning the name it has in this one

    Returns
    -------
    columns : per meaning

    Raises
    ------
    InputError : a column that does not exist, or a meaning that is none
    """
    for role in renamed:
        if role not in roles:
            raise InputError(
                f"there is no use for a column as {shown(role)}",
                where=table.source,
                expected=" ".join(roles),
            )
    found: dict[str, tuple[float, ...]] = {}
    for role, names in roles.items():
        name = renamed.get(role) or table.first_of(names) or names[0]
        found[role] = table.column(name)
    return found
