"""What the commands write: strict JSON, and files whose fault is told in one line."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from symdyn._errors import InputError, file_error


def path_text(text: str) -> str:
    """The type of an option that holds a path: anything but nothing."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the path is empty")
    return text


def path(text: str) -> Path:
    """As `path_text`, as a path."""
    return Path(path_text(text))


def print_json(record: Mapping[str, object] | list[object], indent: int | None = None) -> None:
    """Write JSON as RFC 8259 has it to standard output: it has no NaN and no infinity.

    Raises
    ------
    InputError : a number is not finite; the message says which
    """
    sys.stdout.write(json_text(record, indent) + "\n")


def json_text(record: Mapping[str, object] | list[object], indent: int | None = None) -> str:
    """The same as text.

    Raises
    ------
    InputError : as `print_json`
    """
    try:
        return json.dumps(record, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:
        where, number = _not_finite(record)
        raise InputError(
            "a result is no finite number, which JSON cannot hold",
            where=where,
            got=str(number),
            remedy="The numbers of the robot or of the state leave the range of a double.",
        ) from None


def _not_finite(record: object) -> tuple[str, float]:
    """Where the first number stands that is not finite, as keys with dots, and the number."""
    pending: list[tuple[str, object]] = [("", record)]
    while pending:
        where, value = pending.pop()
        if isinstance(value, float) and not math.isfinite(value):
            return where, value
        if isinstance(value, Mapping):
            named = cast("Mapping[str, object]", value)
            pending += reversed([(f"{where}.{k}" if where else k, v) for k, v in named.items()])
        elif isinstance(value, list | tuple):
            entries = cast("list[object]", value)
            pending += reversed([(f"{where}[{i}]", v) for i, v in enumerate(entries)])
    raise AssertionError("JSON refuses nothing but numbers that are not finite")


def write_file(target: Path, content: str | bytes) -> None:
    """Write a file.

    Raises
    ------
    InputError : the file system does not let us; with the reason and a remedy
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        target.write_bytes(data)
    except OSError as error:
        raise file_error(error, target, writing=True) from None
