"""The generated NumPy module: loaded from its file, its own self-test run, then called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, cast

import numpy as np

from symdyn._errors import VerificationError
from symdyn.codegen.spec import FunctionSpec
from symdyn.codegen.targets import TARGETS
from symdyn.crosscheck.python_module import load_module
from symdyn.crosscheck.road import Answer, NotApplicableError, Road, Setting
from symdyn.crosscheck.states import CheckState

_Function = Callable[..., Any]


def _module(setting: Setting) -> ModuleType:
    """The loaded module, loaded once for both roads."""
    known = setting.shared.get("numpy")
    if known is not None:
        return cast("ModuleType", known)
    (path,) = setting.files("numpy")
    module = load_module(path, setting.generated["numpy"][path.name])
    if setting.unit.self_test is not None:
        _run_self_test(module)
    setting.shared["numpy"] = module
    return module


def _run_self_test(module: ModuleType) -> None:
    try:
        cast("_Function", module.self_test)()
    except AssertionError as fault:
        raise VerificationError(f"the self-test of the NumPy code fails: {fault}") from None


def _function(setting: Setting, module: ModuleType, spec: FunctionSpec) -> _Function:
    name = TARGETS["numpy"].entry_points(setting.unit).functions[spec.name]
    return cast("_Function", getattr(module, name))


def open_numpy(setting: Setting) -> Road:
    """One call for each state.

    Raises
    ------
    RoadMissingError : no NumPy code was generated
    VerificationError : the file was changed, or fails its self-test
    """
    module = _module(setting)

    def answer(spec: FunctionSpec, states: Sequence[CheckState]) -> Answer:
        function = _function(setting, module, spec)
        rows: list[object] = []
        for state in states:
            given = [np.array(state.values[a.name]).reshape(a.shape) for a in spec.arguments]
            result = np.asarray(function(*given), dtype=float)
            if result.shape != spec.result.shape:
                raise VerificationError(
                    f"{spec.name} returns shape {result.shape}, not {spec.result.shape}"
                )
            rows.append(result.reshape(-1))
        return Answer(np.array(rows))

    return Road(answer, f"numpy {np.__version__}")


def open_numpy_batch(setting: Setting) -> Road:
    """All states in one call, arranged in two leading axes; inertial parameters differ a state.

    Raises
    ------
    RoadMissingError, VerificationError : as `open_numpy`
    """
    module = _module(setting)

    def answer(spec: FunctionSpec, states: Sequence[CheckState]) -> Answer:
        if not spec.arguments:
            raise NotApplicableError("no argument, so no batch")
        function = _function(setting, module, spec)
        # one leading axis of length 1 more than needed: any number of them has to work
        given = [
            np.array([state.values[a.name] for state in states]).reshape(1, len(states), *a.shape)
            for a in spec.arguments
        ]
        result = np.asarray(function(*given), dtype=float)
        wanted = (1, len(states), *spec.result.shape)
        if result.shape != wanted:
            raise VerificationError(f"{spec.name} returns shape {result.shape}, not {wanted}")
        return Answer(result.reshape(len(states), -1))

    return Road(answer, f"numpy {np.__version__}")
