"""What the commands share: the robot argument, input, the type of the table of commands."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TypeAlias

from symdyn._errors import InputError

# argparse gives the result of add_subparsers no public name
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # pyright: ignore[reportPrivateUsage]


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
    InputError : no UTF-8
    OSError : it cannot be read
    """
    content = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    where = "standard input" if source == "-" else source
    try:
        return where, content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"no UTF-8 text: byte {error.start} is {content[error.start]:#04x}", where=where
        ) from None
