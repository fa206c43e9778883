"""Committed output: derive it again and find, or mend, every difference.

The tree holds a ``MANIFEST.json``, one folder per robot and one for the friction laws. What is in
it depends on the robots, the laws and the generator alone: no figures (they depend on the drawing
library) and nothing measured on a machine.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from symdyn._errors import InputError
from symdyn.expr.verdict import Json
from symdyn.friction_unit import friction_files
from symdyn.io.builtin import NAMES
from symdyn.output import check_replaceable, files_below, replace_directory, sha256
from symdyn.pipeline import Progress, derive_files
from symdyn.recipes import Inertial, as_inertial

MANIFEST_NAME = "MANIFEST.json"
README_NAME = "README.md"
README = """\
# Generated files

Written by `symdyn derive --update`, never by hand. `symdyn derive --check` derives everything again
and lists each file that is missing, extra or changed; `MANIFEST.json` says how folders are derived.

The folder of a robot holds a report to read, the same facts for a program, and the code by target;
`friction` holds the friction laws, by target. Every file tests itself.
"""
FORMAT = 1
_FOLDER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


@dataclass(frozen=True, slots=True)
class Entry:
    """How one folder is derived: the name of a built-in robot, and the options."""

    robot: str
    targets: tuple[str, ...] = ("numpy", "c")
    inertial: Inertial = "symbolic"


#: What a tree without a manifest is made of.
REFERENCE: dict[str, Entry] = {
    name: Entry(name) for name in ("planar2r", "puma560", "ur5", "panda", "feeder")
}


#: Folder of the friction laws.
FRICTION = "friction"


@dataclass(frozen=True, slots=True)
class Tree:
    """What a tree is made of: robots by folder, and the targets of the friction laws (or none)."""

    robots: Mapping[str, Entry]
    friction: tuple[str, ...] = ()


def check_tree(directory: Path, progress: Progress | None = None) -> list[str]:
    """Derive everything again in memory; one line for each file that is missing, extra or changed.

    Raises
    ------
    InputError : there is no manifest, or it is none of ours
    """
    tree = _read_manifest(directory)
    if tree is None:
        raise InputError(
            f"there is no {MANIFEST_NAME}",
            where=str(directory),
            remedy=f"`symdyn derive --update {directory}` makes one.",
        )
    return _differences(directory, _derive_all(tree, progress))


def update_tree(directory: Path, progress: Progress | None = None) -> list[str]:
    """Derive everything again and write it; one line for each file that was not as it is now.

    Folders of the manifest are replaced as a whole; a directory without manifest gets the reference
    robots and the friction laws.
    """
    whole = Tree(REFERENCE, ("numpy", "c"))
    known = _read_manifest(directory)
    if known is None:
        # folders of a tree that is not ours yet may hold anything
        for folder in (*REFERENCE, FRICTION):
            check_replaceable(directory / folder)
    fresh = _derive_all(known or whole, progress)
    differences = _differences(directory, fresh)
    if differences:
        folders = {name.split("/", 1)[0] for name in fresh if "/" in name}
        for folder in sorted(folders):
            below = {
                name.split("/", 1)[1]: content
                for name, content in fresh.items()
                if name.startswith(f"{folder}/")
            }
            replace_directory(directory / folder, below, force=True)
        for name in (MANIFEST_NAME, README_NAME):
            (directory / name).write_bytes(fresh[name])
    return differences


def _derive_all(tree: Tree, progress: Progress | None) -> dict[str, bytes]:
    """Content of every file of the tree, by relative path."""
    fresh: dict[str, bytes] = {}
    manifest: dict[str, Json] = {}
    for name, entry in tree.robots.items():

        def told(stage: str, done: float | None, robot: str = name) -> None:
            if progress is not None:
                progress(f"{robot}: {stage}", done)

        files, _, _ = derive_files(
            entry.robot,
            targets=entry.targets,
            inertial=entry.inertial,
            crosscheck=False,
            figures=False,
            progress=told,
        )
        manifest[name] = {
            "robot": entry.robot,
            "targets": list(entry.targets),
            "inertial": entry.inertial,
            "files": {file: sha256(content) for file, content in sorted(files.items())},
        }
        fresh.update({f"{name}/{file}": content for file, content in files.items()})
    whole: dict[str, Json] = {"format": FORMAT, "generator": "symdyn", "robots": manifest}
    if tree.friction:
        if progress is not None:
            progress("friction laws", None)
        files = friction_files(tree.friction)
        whole[FRICTION] = {
            "targets": list(tree.friction),
            "files": {file: sha256(content) for file, content in sorted(files.items())},
        }
        fresh.update({f"{FRICTION}/{file}": content for file, content in files.items()})
    text = json.dumps(whole, indent=1)
    fresh[MANIFEST_NAME] = f"{text}\n".encode()
    fresh[README_NAME] = README.encode()
    return fresh


def _differences(directory: Path, fresh: Mapping[str, bytes]) -> list[str]:
    present = files_below(directory) if directory.is_dir() else []
    lines: list[str] = []
    for name in sorted({*present, *fresh}):
        if name not in fresh:
            lines.append(f"extra    {name}")
        elif name not in present:
            lines.append(f"missing  {name}")
        elif (directory / name).read_bytes() != fresh[name]:
            lines.append(f"changed  {name}")
    return lines


def _read_manifest(directory: Path) -> Tree | None:
    path = directory / MANIFEST_NAME
    if not path.is_file():
        if directory.exists() and not directory.is_dir():
            raise InputError(
                "this is no directory", where=str(directory), remedy="Name a directory."
            )
        return None
    try:
        table: Any = json.loads(path.read_text(encoding="utf-8"))
        if table["format"] != FORMAT:
            raise ValueError(f"format {table['format']!r}, known is {FORMAT}")
        robots = cast("dict[str, dict[str, Any]]", table["robots"])
        for name, entry in robots.items():
            if not _FOLDER.fullmatch(name) or name == FRICTION or entry["robot"] not in NAMES:
                raise ValueError(f"folder {name!r} of robot {entry['robot']!r}")
        of_friction = cast("dict[str, Any]", table.get(FRICTION, {"targets": []}))
        entries = {
            str(name): Entry(
                robot=str(entry["robot"]),
                targets=tuple(str(target) for target in entry["targets"]),
                inertial=as_inertial(str(entry["inertial"])),
            )
            for name, entry in robots.items()
        }
        return Tree(entries, tuple(str(target) for target in of_friction["targets"]))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"no manifest of ours: {error}",
            where=str(path),
            remedy="Delete the file, and `symdyn derive --update` writes it again.",
        ) from None
