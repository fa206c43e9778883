"""What the commands share: the robot argument and the type of the table of commands."""

from __future__ import annotations

import argparse
from typing import TypeAlias

# argparse gives the result of add_subparsers no public name
Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # pyright: ignore[reportPrivateUsage]


def add_robot_argument(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add the argument ROBOT."""
    parser.add_argument(
        "robot",
        metavar="ROBOT",
        nargs="?" if optional else None,
        help="a .urdf, MJCF .xml or symdyn .toml file, or the name of a built-in robot",
    )
