"""ROBOT as every command takes it: a path to a robot file, or the name of a built-in robot."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from symdyn._errors import InputError
from symdyn.io.builtin import NAMES, read_builtin
from symdyn.io.mjcf import read_mjcf
from symdyn.io.toml_format import read_toml
from symdyn.io.urdf import read_urdf
from symdyn.model.build import build_robot
from symdyn.model.description import RobotDescription
from symdyn.model.robot import Robot

_READERS = {".urdf": read_urdf, ".xml": read_mjcf, ".mjcf": read_mjcf, ".toml": read_toml}


def load_robot(source: str | Path, *, snap_angles: bool = False) -> Robot:
    """The robot of a file or of a built-in name.

    Parameters
    ----------
    source : path ending in ``.urdf``, ``.xml`` (MJCF) or ``.toml``, or one of `builtin.NAMES`
    snap_angles : for URDF: take rounded angles as the multiples of pi/4 that they print

    Raises
    ------
    InputError : neither a readable file nor a built-in name, or a fault of the file
    UnsupportedError : the file is legal but holds something that symdyn does not cover
    """
    return build_robot(describe(source, snap_angles=snap_angles))


def describe(source: str | Path, *, snap_angles: bool = False) -> RobotDescription:
    """What the reader for ``source`` finds, before it is checked as a whole."""
    text = str(source)
    if text in NAMES:
        return read_builtin(text)
    path = Path(text)
    reader = _READERS.get(path.suffix.lower())
    if reader is read_urdf:
        return read_urdf(path, snap_angles=snap_angles)
    if reader is not None:
        return reader(path)
    built_in = f"built-in robots: {', '.join(NAMES)}"
    if path.suffix or len(path.parts) > 1:
        raise InputError(
            "this is no robot file",
            where=repr(text),
            expected=f"a file ending in {', '.join(_READERS)}, or a name ({built_in})",
        )
    close = get_close_matches(text.lower(), NAMES, n=1)
    raise InputError(
        f"there is no robot {text!r}",
        expected=f"a file ending in {', '.join(_READERS)}, or a name ({built_in})",
        remedy=f"Did you mean {close[0]!r}?" if close else "",
    )
