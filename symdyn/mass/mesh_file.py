"""Meshes from files, read by ``trimesh`` (the optional extra ``mesh``); only triangles are taken.

STL files repeat the corners of every triangle; corners at exactly the same place are made one.
Nothing is repaired: a mesh that is not watertight is refused by `symdyn.mass.polyhedron`.
"""

# trimesh ships no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingImports=false

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

from symdyn._errors import InputError, UnsupportedError
from symdyn.mass.domain import Domain
from symdyn.mass.polyhedron import polyhedron

_SUFFIXES = (".stl", ".obj", ".ply", ".off")


def read_mesh(path: str | Path, scale: Fraction | int = 1) -> Domain:
    """The solid inside the mesh of a file.

    Parameters
    ----------
    path : .stl, .obj, .ply or .off
    scale : metres per unit of the file, such as Fraction(1, 1000) for millimetres

    Raises
    ------
    InputError : the file is missing, is no such file, or holds no triangles; a corner is not
        finite; the mesh is not closed, see `polyhedron`
    UnsupportedError : another format, or trimesh is not installed
    """
    file = Path(path)
    if file.suffix.lower() not in _SUFFIXES:
        raise UnsupportedError(f"{path}: meshes are read from {', '.join(_SUFFIXES)} files.")
    if not file.is_file():
        raise InputError("the mesh cannot be read", where=str(path), got="no such file")
    try:
        import trimesh
    except ImportError as error:
        raise UnsupportedError(
            f"{path}: reading meshes needs trimesh. Install symdyn[mesh]."
        ) from error
    try:
        loaded = trimesh.load(file, process=False, force="mesh")
    except ImportError as error:  # it looks for a decoder only of bytes that are not ASCII
        raise InputError(
            "the mesh cannot be read",
            where=str(path),
            expected=f"a {file.suffix.lower()} file, its text in ASCII",
            got="bytes that are neither such a file nor ASCII",
        ) from error
    except Exception as error:  # trimesh raises whatever its parsers meet
        got = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        raise InputError("the mesh cannot be read", where=str(path), got=got) from error
    if not isinstance(loaded, trimesh.Trimesh) or len(loaded.faces) == 0:
        raise InputError("the mesh has no triangles", where=str(path))
    for k, v in enumerate(loaded.vertices):
        if not all(math.isfinite(float(c)) for c in v):
            raise InputError(
                f"corner {k + 1} of the mesh is nowhere",
                where=str(path),
                expected="three finite numbers",
                got=", ".join(str(float(c)) for c in v),
            )
    places: dict[tuple[float, float, float], int] = {}
    index = [
        places.setdefault((float(v[0]), float(v[1]), float(v[2])), len(places))
        for v in loaded.vertices
    ]
    unit = Fraction(scale)
    vertices = [[unit * Fraction(c) for c in v] for v in places]
    return polyhedron(vertices, [[index[int(i)] for i in face] for face in loaded.faces])
