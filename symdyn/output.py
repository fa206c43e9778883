"""Write a directory whole or not at all, and never over files that are not ours.

The files are first written into a temporary directory beside the target, which then takes the
target's place by a rename. A directory that exists already may be replaced only if it is empty or
holds exactly what an earlier run wrote, as its ``record.json`` lists with a SHA-256 for each file.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from symdyn._errors import InputError

RECORD_NAME = "record.json"
_REMEDY = "Name another directory, or move those files away."


def sha256(content: bytes) -> str:
    """Hexadecimal SHA-256 of a file's content."""
    return hashlib.sha256(content).hexdigest()


def files_below(directory: Path) -> list[str]:
    """Relative POSIX paths of all files below ``directory``, sorted, without __pycache__."""
    return sorted(
        path.relative_to(directory).as_posix()
        for path in directory.rglob("*")
        if (path.is_file() or path.is_symlink()) and "__pycache__" not in path.parts
    )


def recorded_files(directory: Path) -> dict[str, str] | None:
    """The files that the record in ``directory`` lists, path to SHA-256; None without a record."""
    try:
        loaded: Any = json.loads((directory / RECORD_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    listed: Any = cast("dict[str, Any]", loaded).get("files") if isinstance(loaded, dict) else None
    if not isinstance(listed, dict):
        return None
    return {str(k): str(v) for k, v in cast("dict[Any, Any]", listed).items()}


def check_replaceable(directory: Path) -> None:
    """Raise unless ``directory`` is absent, empty, or exactly what an earlier run wrote.

    Raises
    ------
    InputError : it holds foreign or changed files, or is no directory
    """
    if not directory.exists() and not directory.is_symlink():
        return
    if not directory.is_dir():
        raise InputError(
            "the output directory exists and is no directory",
            where=str(directory),
            remedy="Name another directory.",
        )
    found = [name for name in files_below(directory) if name != RECORD_NAME]
    listed = recorded_files(directory)
    if listed is None:
        foreign = files_below(directory)
    else:
        foreign = [name for name in found if name not in listed]
    if foreign:
        raise InputError(
            "the output directory holds files that symdyn did not write",
            where=str(directory),
            got=_some(foreign),
            remedy=_REMEDY,
        )
    changed = [
        name for name in found if listed and sha256((directory / name).read_bytes()) != listed[name]
    ]
    if changed:
        raise InputError(
            "files of the output directory were changed since symdyn wrote them",
            where=str(directory),
            got=_some(changed),
            remedy=_REMEDY,
        )


def replace_directory(directory: Path, files: Mapping[str, bytes], *, force: bool = False) -> None:
    """Make ``directory`` hold exactly ``files``, in one step.

    Parameters
    ----------
    directory : what to replace
    files : content by relative POSIX path
    force : replace it whatever it holds

    Raises
    ------
    InputError : `check_replaceable` objects
    OSError : the file system does; then nothing has changed
    """
    if not force:
        check_replaceable(directory)
    directory.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        for name, content in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        fresh.chmod(0o755)
        if not directory.exists():
            fresh.rename(directory)
            return
        old = Path(tempfile.mkdtemp(prefix=f".{directory.name}-old-", dir=directory.parent))
        directory.rename(old / "was")
        try:
            fresh.rename(directory)
        except OSError:
            (old / "was").rename(directory)
            raise
        finally:
            shutil.rmtree(old, ignore_errors=True)
    except BaseException:
        with suppress(OSError):
            shutil.rmtree(fresh)
        raise


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"
