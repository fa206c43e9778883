"""A TOML file as typed tables that know their place: numbers exact, faults with file, line and key.

`tomllib` does the syntax. Decimals are kept as they are written (`Decimal`), so nothing passes
through a float; lines are found by one scan of the text that knows strings, comments and brackets.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from typing import cast

from symdyn._errors import InputError, counted
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import Term, lift, number
from symdyn.io.expression import parse_expression
from symdyn.model.robot import Vec3T
from symdyn.model.sizes import LARGEST, LARGEST_TEXT


@dataclass(frozen=True, slots=True)
class Decimal:
    """A number with a point or an exponent, as written."""

    text: str


@dataclass(slots=True)
class Document:
    """What all tables of one file share: its name, its lines, and the declared parameters so far.

    Attributes
    ----------
    source : file name for messages
    lines : line of each table header (path, count) and of each key below it (path, count, key)
    meanings : declared name -> the term it stands for
    values : declared name -> its value as a double, to see that every number of the file is finite
    exact : declared name -> its value
    known, kept : doubles of the terms evaluated so far by ``id``, and these terms
    """

    source: str
    lines: dict[tuple[str, int, str], int]
    meanings: dict[str, Term] = field(default_factory=dict[str, Term])
    values: dict[str, float] = field(default_factory=dict[str, float])
    exact: dict[str, Fraction] = field(default_factory=dict[str, Fraction])
    known: dict[int, float] = field(default_factory=dict[int, float])
    kept: list[Term] = field(default_factory=list[Term])

    def number(self, value: object, where: str) -> Term:
        """A TOML number or an expression in a string, as an exact and finite term."""
        if isinstance(value, bool) or not isinstance(value, int | str | Decimal):
            raise InputError(
                "not a number", where=where, expected="a number or an expression", got=_shown(value)
            )
        if isinstance(value, str):
            term = parse_expression(value, (), where, meanings=self.meanings)
            fault = "the expression has no finite value at the declared parameters"
        else:
            term = number(value) if isinstance(value, int) else _decimal(value, where)
            fault = "the number is too large"
        size = abs(self.value(term))
        if not math.isfinite(size):
            raise InputError(
                fault, where=where, expected=LARGEST_TEXT, got=_shown(value), remedy=_TOO_LARGE
            )
        if size > float(LARGEST):
            raise InputError(
                "the number is too large",
                where=where,
                expected=LARGEST_TEXT,
                got=_shown(value) + (f" = {size:.3g}" if isinstance(value, str) else ""),
                remedy=_TOO_LARGE,
            )
        return term

    def value(self, term: Term) -> float:
        """The term at the declared values, as a double; NaN where it is not defined."""
        self.kept.append(term)
        try:
            return lift([term], FLOAT64, self.values, self.known)[0]
        except (ZeroDivisionError, OverflowError):
            return math.nan


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the file.

    Attributes
    ----------
    document : the file
    entries : its keys as `tomllib` gives them
    title : how messages call it, e.g. ``[[joint]] 'elbow'``
    path, index : the header it stands under and how many tables of that header came before
    inside : key of the outermost inline table that holds it, empty for a table with a header
    """

    document: Document
    entries: Mapping[str, object]
    title: str
    path: str
    index: int = 0
    inside: str = ""

    def line(self, key: str = "") -> int | None:
        """Line of a key, or else of the table's header; None if the scan did not find it."""
        lines = self.document.lines
        name = self.inside or key.partition("[")[0]
        found = lines.get((self.path, self.index, name))
        return lines.get((self.path, self.index, "")) if found is None else found

    def where(self, key: str = "") -> str:
        """File, line, table and key, for a message."""
        line = self.line(key)
        place = self.document.source + (f":{line}" if line is not None else "")
        return f"{place}: {self.title}" + (f", key {key}" if key else "")

    def error(self, what: str, key: str = "", **parts: str) -> InputError:
        """An `InputError` at this place."""
        return InputError(what, where=self.where(key), **parts)

    def named(self, title: str) -> Table:
        """The same table under another title."""
        return Table(self.document, self.entries, title, self.path, self.index, self.inside)

    def allow(self, keys: Collection[str]) -> None:
        """Refuse every key that is not one of ``keys``."""
        for key in self.entries:
            if key not in keys:
                close = get_close_matches(key, sorted(keys), n=1)
                raise self.error(
                    f"unknown key {key!r}",
                    key,
                    expected=f"one of {', '.join(keys)}",
                    remedy=f"Did you mean {close[0]!r}?" if close else "",
                )

    def has(self, key: str) -> bool:
        """Whether the table holds the key."""
        return key in self.entries

    def get(self, key: str) -> object:
        """The raw value of a key that must be there."""
        if key not in self.entries:
            raise self.error(
                f"the key {key!r} is missing",
                remedy=f"Add {key} = ... to {self.title}.",
            )
        return self.entries[key]

    def text(self, key: str, default: str | None = None) -> str:
        """A string; required unless there is a default."""
        if default is not None and key not in self.entries:
            return default
        value = self.get(key)
        if not isinstance(value, str) or (not value and default is None):
            raise self.error("not a text", key, expected="a string", got=_shown(value))
        return value

    def choice(self, key: str, options: Sequence[str], default: str | None = None) -> str:
        """One of the given words; required unless there is a default."""
        value = self.text(key, default)
        if value not in options:
            close = get_close_matches(value, options, n=1)
            raise self.error(
                f"{value!r} is not possible here",
                key,
                expected=f"one of {', '.join(options)}",
                remedy=f"Did you mean {close[0]!r}?" if close else "",
            )
        return value

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self.entries.get(key, default)
        if not isinstance(value, bool):
            raise self.error("not a truth value", key, expected="true or false", got=_shown(value))
        return value

    def number(self, key: str, default: Term | None = None) -> Term:
        """One number; required unless there is a default."""
        if default is not None and key not in self.entries:
            return default
        return self.document.number(self.get(key), self.where(key))

    def numbers(self, key: str, count: int) -> list[Term]:
        """A list of ``count`` numbers that must be there."""
        return self._numbers(self.get(key), count, key)

    def vector(self, key: str, default: Vec3T | None = None) -> Vec3T:
        """Three numbers; required unless there is a default."""
        if default is not None and key not in self.entries:
            return default
        x, y, z = self.numbers(key, 3)
        return (x, y, z)

    def rows(self, key: str, count: int) -> list[list[Term]]:
        """``count`` rows of ``count`` numbers that must be there."""
        value = self.get(key)
        rows = _items(value)
        if rows is None or len(rows) != count:
            raise self.error(
                "not a matrix", key, expected=f"{count} rows of {count} numbers", got=_shown(value)
            )
        return [self._numbers(row, count, f"{key}[{i}]") for i, row in enumerate(rows)]

    def _numbers(self, value: object, count: int, key: str) -> list[Term]:
        items = _items(value)
        if items is None:
            raise self.error("not a list", key, expected=f"{count} numbers", got=_shown(value))
        if len(items) != count:
            raise self.error(
                counted(len(items), "number"), key, expected=str(count), got=_shown(value)
            )
        where = self.where(key)
        return [self.document.number(item, f"{where}[{i}]") for i, item in enumerate(items)]

    def names(self, key: str) -> list[str]:
        """A list of strings that must be there."""
        value = self.get(key)
        items = _items(value)
        if items is None or not all(isinstance(item, str) for item in items):
            raise self.error("not a list of names", key, expected="strings", got=_shown(value))
        return [str(item) for item in items]

    def table(self, key: str) -> Table:
        """A table below this one that must be there, inline or under a header of its own."""
        value = self.get(key)
        if not isinstance(value, dict):
            raise self.error("not a table", key, expected="{ key = value, … }", got=_shown(value))
        entries = cast(dict[str, object], value)
        if not self.path:
            return Table(self.document, entries, f"[{key}]", key)
        title = f"{self.title}, {key}"
        return Table(self.document, entries, title, self.path, self.index, self.inside or key)

    def tables(self, key: str) -> list[Table]:
        """The tables of ``[[key]]``, in order; none if the key is missing."""
        value = self.entries.get(key, [])
        items = _items(value)
        if items is None or not all(isinstance(item, dict) for item in items):
            raise self.error(
                f"{key!r} is not a list of tables", key, expected=f"blocks under [[{key}]]"
            )
        return [
            Table(self.document, cast(dict[str, object], item), f"[[{key}]] number {i + 1}", key, i)
            for i, item in enumerate(items)
        ]


def read_document(text: str, source: str) -> Table:
    """The top of a TOML text.

    Raises
    ------
    InputError : the text is not TOML; the message names line and column
    """
    deep = _DEEP_KEY.search(text)
    if deep:
        line = text.count("\n", 0, deep.start()) + 1
        raise InputError(
            "a dotted key is nested too deep", where=f"{source}:{line}", expected="at most 32 parts"
        )
    try:
        entries = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line = int(found.group(1)) if found else text.rstrip("\n").count("\n") + 1
        what = str(error).partition(" (at ")[0]
        raise InputError(
            f"not valid TOML ({what})",
            where=f"{source}:{line}",
            remedy="Texts and expressions stand in quotes, each key once; see https://toml.io.",
        ) from None
    except RecursionError:
        raise InputError(
            "arrays or tables are nested too deep",
            where=source,
            remedy="A robot needs a depth of four.",
        ) from None
    except ValueError:
        raise InputError(
            "a number has too many digits", where=source, expected="at most 4300 digits"
        ) from None
    return Table(Document(source, find_lines(text)), entries, "the file", "")


#: A key of more than 32 parts: no robot has one, and tomllib takes quadratic time for it.
_DEEP_KEY = re.compile(r"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){32}""")
_TOO_LARGE = "Check the unit and the exponent."
_HEADER = re.compile(r"\s*\[\[?([^\[\]]+)\]")
_KEY = re.compile(r"""\s*("[^"\n]*"|'[^'\n]*'|[A-Za-z0-9_-]+)\s*[=.]""")


def find_lines(text: str) -> dict[tuple[str, int, str], int]:
    """Lines of headers and keys: (path, how many of it before, key or "") -> line from 1."""
    lines: dict[tuple[str, int, str], int] = {}
    counts: dict[str, int] = {}
    path, index = "", 0
    depth, quote = 0, ""
    for at, line in enumerate(text.split("\n"), 1):
        if depth == 0 and not quote:
            header, key = _HEADER.match(line), _KEY.match(line)
            if header:
                path = ".".join(part.strip(" \t\"'") for part in header.group(1).split("."))
                index = counts.get(path, 0)
                counts[path] = index + 1
                lines.setdefault((path, index, ""), at)
                continue
            if key:
                lines.setdefault((path, index, key.group(1).strip("\"'")), at)
        depth, quote = _scan(line, depth, quote)
    return lines


def _scan(line: str, depth: int, quote: str) -> tuple[int, str]:
    """Bracket depth and open multi-line quote at the end of a line."""
    at = 0
    while at < len(line):
        if quote:
            if line[at] == "\\" and quote[0] == '"':
                at += 2
            elif line.startswith(quote, at):
                at, quote = at + len(quote), ""
            else:
                at += 1
            continue
        char = line[at]
        if char == "#":
            break
        if char in "\"'":
            quote = char * 3 if line.startswith(char * 3, at) else char
            at += len(quote)
            continue
        depth += (char in "[{") - (char in "]}")
        at += 1
    return depth, quote if len(quote) == 3 else ""


def _decimal(value: Decimal, where: str) -> Term:
    text = value.text.replace("_", "")
    digits, _, exponent = text.lower().partition("e")
    if text.strip("+-") in ("inf", "nan") or len(exponent.lstrip("+-0")) > 3:
        raise InputError(
            "not a finite number",
            where=where,
            expected=LARGEST_TEXT,
            got=value.text,
            remedy=_TOO_LARGE,
        )
    return number(Fraction(digits) * Fraction(10) ** int(exponent or "0"))


def _items(value: object) -> list[object] | None:
    return cast(list[object], value) if isinstance(value, list) else None


def _shown(value: object) -> str:
    """A value as it stood in the file, shortened."""
    if isinstance(value, Decimal):
        return value.text
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        items = cast(list[object], value)
        inner = ", ".join(_shown(item) for item in items[:6])
        return f"[{inner}{', …' if len(items) > 6 else ''}]"
    if isinstance(value, dict):
        return "a table"
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
