"""Simulate a system through a record: inputs constant, or straight lines, in each interval.

In compiled C where there is a compiler, else interval by interval in Python.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.crosscheck.compilers import compile_and_load, find_c_compiler
from symdyn.simulate.march import Prepared, walk
from symdyn.simulate.native import NativeStep

_POINTER = ctypes.POINTER(ctypes.c_double)
_SIZES = ctypes.POINTER(ctypes.c_size_t)


def walk_record(
    prepared: Prepared,
    values: Mapping[str, float],
    start: Sequence[float],
    intervals: Array,
    inputs: Mapping[str, Array],
    substeps: int,
) -> Array:
    """States at the end of each interval of a record.

    Parameters
    ----------
    prepared : system and scheme
    values : parameters that stay as they are
    start : (n,) states
    intervals : (m,) lengths [s]; time starts at 0 in each
    inputs : (m,) each, parameters that have a value in each interval
    substeps : steps in each interval

    Returns
    -------
    states : (m, n)

    Raises
    ------
    InputError : a value out of its domain, or states that stop being finite
    """
    first = {name: float(column[0]) for name, column in inputs.items()}
    p = prepared.system.check({**prepared.fixed, **values, **first})
    walked = _Record(p, prepared.system.check_state(start), intervals, inputs, substeps)
    if prepared.native is None:
        return _in_python(prepared, walked)
    return _in_c(prepared.native, prepared.system.name, walked)


@dataclass(frozen=True, slots=True)
class _Record:
    """What is walked through: all parameters, states at the start, and the record itself."""

    parameters: Mapping[str, float]
    start: Sequence[float]
    intervals: Array
    inputs: Mapping[str, Array]
    substeps: int


def _in_c(native: NativeStep, name: str, record: _Record) -> Array:
    n, m = len(record.start), record.intervals.size
    p, inputs = record.parameters, record.inputs
    x, y = np.array(record.start, dtype=np.float64), np.empty(n)
    parameters = np.array([p[q] for q in native.parameters])
    places = np.array([native.parameters.index(q) for q in inputs], dtype=np.uintp)
    table = np.ascontiguousarray(np.column_stack(list(inputs.values())), dtype=np.float64)
    lengths = np.ascontiguousarray(record.intervals, dtype=np.float64)
    states = np.empty((m, n))
    library = _library()
    library.symdyn_record.restype = ctypes.c_size_t
    done = int(
        library.symdyn_record(
            native.address,
            ctypes.c_size_t(n),
            x.ctypes.data_as(_POINTER),
            y.ctypes.data_as(_POINTER),
            parameters.ctypes.data_as(_POINTER),
            ctypes.c_size_t(m),
            lengths.ctypes.data_as(_POINTER),
            table.ctypes.data_as(_POINTER),
            ctypes.c_size_t(places.size),
            places.ctypes.data_as(_SIZES),
            ctypes.c_size_t(record.substeps),
            states.ctypes.data_as(_POINTER),
        )
    )
    if done < m:
        raise InputError(
            f"the states stop being finite in interval {done + 1} of {m}",
            where=f"system {name}",
            remedy="Use more substeps, or values nearer to the truth.",
        )
    return states


def _in_python(prepared: Prepared, record: _Record) -> Array:
    x = record.start
    own = dict(record.parameters)
    columns = {name: column.tolist() for name, column in record.inputs.items()}
    states = np.empty((record.intervals.size, len(x)))
    for i, dt in enumerate(record.intervals.tolist()):
        for name, column in columns.items():
            own[name] = column[i]
        x = walk(prepared, own, x, dt, dt / record.substeps, warns=False).end
        states[i] = x
    return states


@lru_cache(maxsize=1)
def _library() -> ctypes.CDLL:
    compiler = find_c_compiler()
    assert compiler is not None  # a compiled step exists
    return compile_and_load(compiler, [Path(__file__).with_name("record.c")])
