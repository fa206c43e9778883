"""MuJoCo's C library; it has no Coriolis matrix and no regressor."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from benchmarks.build import TIMED_FLAGS, cached, compile_program, version_of
from benchmarks.rivals.pinocchio_cpp import versions
from benchmarks.rivals.protocol import Contender, MissingRivalError, open_contender
from symdyn._errors import UnsupportedError
from symdyn.crosscheck.mujoco_ import write_mjcf
from symdyn.crosscheck.road import RoadMissingError
from symdyn.model.robot import Robot

_HERE = Path(__file__).parent
_NUMBERS: dict[str, tuple[int, ...]] = {
    "inverse_dynamics": (0,),
    "mass_matrix": (1,),
    "gravity_vector": (2,),
    "forward_dynamics": (3,),
}


def library() -> Path:
    """The compiled loop, linked to MuJoCo's library.

    Raises
    ------
    MissingRivalError : MuJoCo or a compiler is missing, or it does not compile
    """
    found = find_spec("mujoco")
    places = list(found.submodule_search_locations or ()) if found else []
    shared = [path for place in places for path in sorted(Path(place).glob("libmujoco.so*"))]
    if not shared:
        raise MissingRivalError("the MuJoCo library is missing: install mujoco")
    home = shared[0].parent
    flags = [*TIMED_FLAGS, "-fPIC", "-shared", "-isystem", str(home / "include")]
    sources = [_HERE / "mujoco_loop.c", _HERE / "timed_loop.h"]
    try:
        key = [version_of("gcc"), versions("mujoco"), *TIMED_FLAGS]
        key += [path.read_text() for path in sources]
        return cached(
            "mujoco.so",
            key,
            lambda out: compile_program(
                ["gcc", *flags, sources[0], "-o", out, shared[0], f"-Wl,-rpath,{home}"], "MuJoCo"
            ),
        )
    except UnsupportedError as error:
        raise MissingRivalError(str(error)) from None


def contender(robot: Robot, folder: Path) -> Contender:
    """MuJoCo on a robot.

    Raises
    ------
    MissingRivalError : see `library`, or MuJoCo cannot hold the robot
    """
    try:
        text = write_mjcf(robot)
    except RoadMissingError as error:
        raise MissingRivalError(str(error)) from None
    model = folder / "robot.xml"
    model.write_text(text)
    return open_contender("MuJoCo", library(), str(model), _NUMBERS)
