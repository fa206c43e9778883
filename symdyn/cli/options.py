"""What the commands share: the robot argument, input, the type of the table of commands."""

from __future__ import annotations

import argparse
import sys
from typing import TypeAlias

from symdyn._errors import InputError, file_error

# argparse gives the result of add_subparsers no public name
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # pyright: ignore[reportPrivateUsage]

_LARGEST_TEXT = 256 * 2**20


def add_robot_argument(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add the argument ROBOT and the option that says how to read it."""
    parser.add_argument(
        "robot",
        metavar="ROBOT",
        nargs="?" if optional else None,
        help="a .urdf, MJCF .xml or symdyn .toml file, or the name of a built-in robot",
    )
    parser.add_argument(
        "--snap-angles",
        action="store_true",
        help="URDF: take angles such as 1.5708 as the multiples of pi/4 that they print",
    )


def read_text(source: str) -> tuple[str, str]:
    """What a file holds, and how to call it in messages; ``-`` is standard input.

    Raises
    ------
    InputError : it cannot be read, is too long, or is no UTF-8
    """
    where = "standard input" if source == "-" else source
    try:
        if source == "-":
            content = sys.stdin.buffer.read(_LARGEST_TEXT + 1)
        else:
            with open(source, "rb") as stream:
                content = stream.read(_LARGEST_TEXT + 1)
    except OSError as error:
        raise file_error(error, where) from None
    if len(content) > _LARGEST_TEXT:
        raise InputError(
            "the text is too long", where=where, expected=f"at most {_LARGEST_TEXT >> 20} MiB"
        )
    try:
        return where, content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"no UTF-8 text: byte {error.start} is {content[error.start]:#04x}", where=where
        ) from None
