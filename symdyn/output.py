"""Write a directory whole or not at all, and never over files that are not ours.

The files are first written into a temporary directory beside the target, which then takes the
target's place by a rename. A directory that exists already may be replaced only if it is empty or
holds exactly what an earlier run wrote, as its ``record.json`` lists with a SHA-256 for each file.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from symdyn._errors import InputError, file_error

RECORD_NAME = "record.json"
#: Names of files that a message lists.
_SHOWN = 3
_REMEDY = "Name another directory, or move those files away."


def sha256(content: bytes) -> str:
    """Hexadecimal SHA-256 of a file's content."""
    return hashlib.sha256(content).hexdigest()


def files_below(directory: Path) -> list[str]:
    """Relative POSIX paths of all files below ``directory``, sorted, without __pycache__."""
    return sorted(_walk(directory))


def _walk(directory: Path) -> Iterator[str]:
    """The same one by one, in the order of the file system; links are not followed."""
    for parent, folders, names in os.walk(directory, onerror=_raise):
        if "__pycache__" in folders:
            folders.remove("__pycache__")
        below = Path(parent).relative_to(directory)
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        yield from ((below / name).as_posix() for name in (*names, *links))


def _raise(error: OSError) -> None:
    raise error


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
    try:
        is_there = directory.exists() or directory.is_symlink()
        is_directory = directory.is_dir()
    except OSError as error:
        raise file_error(error, directory, writing=True) from None
    if not is_there:
        _check_makeable(directory)
        return
    if not is_directory:
        raise InputError(
            "the output directory exists and is no directory",
            where=str(directory),
            remedy="Name another directory.",
        )
    listed = recorded_files(directory)
    found: list[str] = []
    foreign: list[str] = []
    try:
        for name in _walk(directory):
            if listed is None or (name not in listed and name != RECORD_NAME):
                foreign.append(name)
                if len(foreign) > _SHOWN:
                    break  # enough to refuse: the directory may be the whole disk
            elif name != RECORD_NAME:
                found.append(name)
    except OSError as error:
        raise file_error(error) from None
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


def _check_makeable(directory: Path) -> None:
    """Raise if a directory cannot be made there, before the work that fills it."""
    above = Path(os.path.abspath(directory)).parent
    while not above.exists() and above != above.parent:
        above = above.parent
    if not above.is_dir():
        raise InputError(
            "a part of the path is a file, not a directory",
            where=str(directory),
            got=f"the file {above}",
            remedy="Name another directory.",
        )
    if not os.access(above, os.W_OK | os.X_OK):
        raise InputError(
            "the permissions do not allow to make the output directory",
            where=str(directory),
            got=f"no right to write into {above}",
            remedy="Name a place that you may write to.",
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
    InputError : `check_replaceable` or the file system objects; then nothing has changed
    """
    if not force:
        check_replaceable(directory)
    try:
        # "." is renamed by its own name
        _replace(Path(os.path.abspath(directory)), files)
    except OSError as error:
        raise file_error(error, directory, writing=True) from error


def _replace(directory: Path, files: Mapping[str, bytes]) -> None:
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
    shown = ", ".join(sorted(names)[:_SHOWN])
    return shown if len(names) <= _SHOWN else f"{shown} and more"
