"""What the commands share: the robot argument and the type of the table of commands."""

from __future__ import annotations

import argparse
from typing import TypeAlias

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
