"""Pinocchio's C++ algorithms, header-only, compiled with the same flags as everything else."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from benchmarks.build import TIMED_FLAGS, cached, compile_program, version_of
from benchmarks.numbers import as_numbers
from benchmarks.rivals.protocol import Contender, MissingRivalError, open_contender
from symdyn._errors import UnsupportedError
from symdyn.algebra.float64 import Array
from symdyn.crosscheck.conventions import columns_from_pinocchio
from symdyn.model.robot import Robot

_HERE = Path(__file__).parent
#: What Pinocchio's own build exports to its users: it has more than 20 kinds of joint.
DEFINITIONS: tuple[str, ...] = (
    "-DNDEBUG",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
)
_NUMBERS: dict[str, tuple[int, ...]] = {
    "inverse_dynamics": (0,),
    "mass_matrix": (1, 2),
    "coriolis_matrix": (3,),
    "gravity_vector": (4,),
    "regressor": (5,),
    "forward_dynamics": (6, 7),
}


def headers() -> list[str]:
    """Options that make Pinocchio's, Eigen's and Boost's headers known.

    Raises
    ------
    MissingRivalError : the packages with the headers are not installed
    """
    # The package is located, not imported: the benchmark must not share symbols with its library.
    found = find_spec("cmeel")
    for place in found.submodule_search_locations or () if found else ():
        include = Path(place).parent / "cmeel.prefix" / "include"
        eigen = include / "eigen3"
        if (include / "pinocchio").is_dir() and (eigen / "Eigen").is_dir():
            return ["-isystem", str(include), "-isystem", str(eigen)]
    raise MissingRivalError("headers of Pinocchio and Eigen are missing: install pin, cmeel-eigen")


def versions(*packages: str) -> str:
    """Names and versions of installed packages."""
    out: list[str] = []
    for name in packages:
        try:
            out.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            out.append(f"{name} ?")
    return ", ".join(out)


def library() -> Path:
    """The compiled library; takes one to two minutes the first time.

    Raises
    ------
    MissingRivalError : headers or a compiler are missing, or it does not compile
    """
    include = headers()
    source = _HERE / "pinocchio_cpp.cpp"
    flags = ["-std=c++17", *TIMED_FLAGS, *DEFINITIONS, "-fPIC", "-shared", "-fvisibility=hidden"]
    # Unique symbols would be shared with any other library of the process that holds them.
    flags.append("-fno-gnu-unique")
    try:
        key = [version_of("g++"), versions("pin", "libpinocchio", "cmeel-eigen"), *flags]
        key += [path.read_text() for path in (source, _HERE / "rigid_tree.hpp")]
        return cached(
            "pinocchio.so",
            key,
            lambda out: compile_program(["g++", *flags, *include, source, "-o", out], "Pinocchio"),
        )
    except UnsupportedError as error:
        raise MissingRivalError(str(error)) from None


def contender(robot: Robot, folder: Path) -> Contender:
    """Pinocchio on a robot.

    Raises
    ------
    MissingRivalError : see `library`
    """
    model = folder / "robot.txt"
    model.write_text(as_numbers(robot))
    opened = open_contender("Pinocchio C++", library(), str(model), _NUMBERS)
    fix = {"regressor": our_columns(robot)}
    return Contender(opened.name, opened.library, opened.handle, _NUMBERS, fix)


def our_columns(robot: Robot) -> Callable[[Array], Array]:
    """Puts the columns of Pinocchio's regressor in our order; states in rows."""
    columns = columns_from_pinocchio(robot.n_bodies)

    def reorder(values: Array) -> Array:
        table = values.reshape(len(values), robot.n, -1)
        return np.ascontiguousarray(table[:, :, columns]).reshape(len(values), -1)

    return reorder
