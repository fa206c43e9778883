"""The generated C: compiled strictly, loaded, its self-test run, then called with our states."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import cast

import numpy as np

from symdyn._errors import VerificationError
from symdyn.algebra.float64 import Array
from symdyn.codegen.spec import FunctionSpec
from symdyn.codegen.target import EntryPoints
from symdyn.codegen.targets import TARGETS
from symdyn.crosscheck.compilers import compile_and_load, find_c_compiler
from symdyn.crosscheck.road import Answer, Road, RoadMissingError, Setting, arguments_of
from symdyn.crosscheck.states import CheckState

_POINTER = ctypes.POINTER(ctypes.c_double)


def _library(setting: Setting) -> tuple[ctypes.CDLL, EntryPoints, str]:
    """The compiled library, its names, and the compiler; compiled once for both roads."""
    known = setting.shared.get("c")
    if known is not None:
        return cast("tuple[ctypes.CDLL, EntryPoints, str]", known)
    sources = [path for path in setting.files("c") if path.suffix == ".c"]
    compiler = find_c_compiler()
    if compiler is None:
        raise RoadMissingError("no C compiler was found (cc, gcc or clang on PATH, or $CC)")
    library = compile_and_load(compiler, sources)
    names = TARGETS["c"].entry_points(setting.unit)
    if setting.unit.self_test is not None:
        test = getattr(library, f"{names.unit}_self_test")
        test.restype = ctypes.c_int
        failures: int = test()
        if failures:
            raise VerificationError(f"the self-test of the C code reports {failures} failures")
    found = (library, names, compiler.version)
    setting.shared["c"] = found
    return found


def open_c(setting: Setting) -> Road:
    """One call for each state.

    Raises
    ------
    RoadMissingError : no compiler, or no C was generated
    VerificationError : it does not compile, was changed, or fails its self-test
    """
    library, names, compiler = _library(setting)

    def answer(spec: FunctionSpec, states: Sequence[CheckState]) -> Answer:
        function = getattr(library, names.functions[spec.name])
        function.restype = None
        size = len(spec.result.entries)
        values = np.full((len(states), size), np.nan)
        for k, state in enumerate(states):
            arguments = arguments_of(spec, state)
            given: list[object] = []
            for argument, row in zip(spec.arguments, arguments, strict=True):
                if argument.shape == ():
                    given.append(ctypes.c_double(row[0]))
                else:
                    given.append((ctypes.c_double * len(row))(*row))
            out = (ctypes.c_double * size)(*([float("nan")] * size))
            function(*given, out)
            values[k] = out
        return Answer(values)

    return Road(answer, compiler)


def open_c_batch(setting: Setting) -> Road:
    """All states in one call; states with other shared arguments in further calls.

    Raises
    ------
    RoadMissingError, VerificationError : as `open_c`
    """
    library, names, compiler = _library(setting)

    def answer(spec: FunctionSpec, states: Sequence[CheckState]) -> Answer:
        function = getattr(library, names.batches[spec.name])
        function.restype = None
        values = np.full((len(states), len(spec.result.entries)), np.nan)
        for group in same_shared(spec, states):
            given: list[object] = [ctypes.c_size_t(len(group))]
            kept: list[Array] = []  # what the pointers point to
            for argument in spec.arguments:
                rows = np.array([states[k].values[argument.name] for k in group])
                if argument.shared and argument.shape == ():
                    given.append(ctypes.c_double(float(rows[0, 0])))
                    continue
                block = np.ascontiguousarray(rows[0] if argument.shared else rows)
                kept.append(block)
                given.append(block.ctypes.data_as(_POINTER))
            out = np.full((len(group), values.shape[1]), np.nan)
            function(*given, out.ctypes.data_as(_POINTER))
            values[group] = out
        return Answer(values)

    return Road(answer, compiler)


def same_shared(spec: FunctionSpec, states: Sequence[CheckState]) -> list[list[int]]:
    """Indices of the states, grouped by the values of the arguments that a batch shares."""
    names = [argument.name for argument in spec.arguments if argument.shared]
    groups: dict[tuple[tuple[float, ...], ...], list[int]] = {}
    for k, state in enumerate(states):
        groups.setdefault(tuple(state.values[name] for name in names), []).append(k)
    return list(groups.values())
