"""The interface of everything that is timed: evaluate one state, or run a loop over many.

A contender is a shared library with

    void  *rival_open(const char *model_file);
    int    rival_evaluate(void *, int function, const double *state, double *out);
    double rival_run(void *, int function, const double *states, long count, long repeats,
                     double *sink);

A state is q, qd and one more vector (qdd or tau), n numbers each. ``rival_run`` calls the function
``repeats`` times on each of ``count`` states and returns the CPU seconds of its thread. Functions
are numbered by the contender.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from symdyn.algebra.float64 import Array
from symdyn.model.robot import Robot

#: What is timed, with the third vector of the state.
FUNCTIONS: dict[str, str] = {
    "inverse_dynamics": "qdd",
    "mass_matrix": "qdd",
    "coriolis_matrix": "qdd",
    "regressor": "qdd",
    "gravity_vector": "qdd",
    "forward_dynamics": "tau",
}

_POINTER = ctypes.POINTER(ctypes.c_double)


def entries(robot: Robot, function: str) -> int:
    """Number of entries of a function's result."""
    n, bodies = robot.n, robot.n_bodies
    sizes = {"mass_matrix": n * n, "coriolis_matrix": n * n, "regressor": n * 10 * bodies}
    return sizes.get(function, n)


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to compute the functions of one robot.

    Attributes
    ----------
    name : column of the table
    library : the loaded library
    handle : what ``rival_open`` gave
    numbers : for each function the library's numbers for it; with several the fastest counts
    fix : takes what the library gives for a function to our order of entries
    """

    name: str
    library: ctypes.CDLL
    handle: ctypes.c_void_p
    numbers: Mapping[str, tuple[int, ...]]
    fix: Mapping[str, Callable[[Array], Array]] = field(
        default_factory=dict[str, Callable[[Array], Array]]
    )

    def evaluate(self, robot: Robot, function: str, number: int, states: Array) -> Array:
        """Results at states, (states, entries), in our order."""
        out = np.zeros((len(states), entries(robot, function)))
        for k in range(len(states)):
            row = np.ascontiguousarray(states[k])
            status = self.library.rival_evaluate(
                self.handle, number, row.ctypes.data_as(_POINTER), out[k].ctypes.data_as(_POINTER)
            )
            if status != 0:
                raise RuntimeError(f"{self.name}: no function number {number}")
        fix = self.fix.get(function)
        return out if fix is None else fix(out)

    def seconds(self, number: int, states: Array, repeats: int) -> float:
        """CPU seconds of ``repeats`` times all states."""
        sink = ctypes.c_double(0.0)
        flat = np.ascontiguousarray(states)
        return float(
            self.library.rival_run(
                self.handle,
                number,
                flat.ctypes.data_as(_POINTER),
                ctypes.c_long(len(flat)),
                ctypes.c_long(repeats),
                ctypes.byref(sink),
            )
        )


class MissingRivalError(Exception):
    """The rival cannot run here; the message says why."""


def load(path: Path) -> ctypes.CDLL:
    """Load a contender's library.

    Raises
    ------
    MissingRivalError : the loader refuses
    """
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise MissingRivalError(f"{path.name} cannot be loaded: {error}") from None
    library.rival_open.restype = ctypes.c_void_p
    library.rival_open.argtypes = [ctypes.c_char_p]
    library.rival_evaluate.restype = ctypes.c_int
    library.rival_evaluate.argtypes = [ctypes.c_void_p, ctypes.c_int, _POINTER, _POINTER]
    library.rival_run.restype = ctypes.c_double
    library.rival_run.argtypes = [
        ctypes.c_void_p,
        ctypes.c_int,
        _POINTER,
        ctypes.c_long,
        ctypes.c_long,
        _POINTER,
    ]
    return library


def open_contender(
    name: str, path: Path, model: str, numbers: Mapping[str, tuple[int, ...]]
) -> Contender:
    """Load a library and open a model with it.

    Raises
    ------
    MissingRivalError : the library refuses the model
    """
    library = load(path)
    handle = library.rival_open(model.encode())
    if not handle:
        raise MissingRivalError(f"{name} refuses the robot")
    return Contender(name, library, ctypes.c_void_p(handle), numbers)
