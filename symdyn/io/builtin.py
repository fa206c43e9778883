"""Robots that come with symdyn: one TOML file each, with the source of its values in it."""

from __future__ import annotations

from importlib.resources import files

from symdyn._errors import InputError
from symdyn.io.toml_format import parse_toml
from symdyn.model.description import RobotDescription

#: Built-in robots in the order in which messages list them.
NAMES: tuple[str, ...] = (
    "planar2r", "planar3r", "scara", "stanford", "puma560", "ur5", "panda", "feeder",
    "humanoid",
)  # fmt: skip


def builtin_text(name: str) -> str:
    """The TOML text of a built-in robot.

    Raises
    ------
    InputError : there is no built-in robot of that name
    """
    if name not in NAMES:
        raise InputError(
            f"there is no built-in robot {name!r}", expected=f"one of {', '.join(NAMES)}"
        )
    return (files("symdyn") / "robots" / f"{name}.toml").read_text(encoding="utf-8")


def read_builtin(name: str) -> RobotDescription:
    """The description of a built-in robot.

    Raises
    ------
    InputError : there is no built-in robot of that name
    """
    return parse_toml(builtin_text(name), f"{name}.toml")
