"""Outside programs that tests compare against: skipped where missing, required where named.

``SYMDYN_REQUIRE`` holds names separated by commas, or ``all``: a named oracle that is missing is a
failure, so that no run in continuous integration passes by skipping.
"""

from __future__ import annotations

import importlib
import os
import shutil
from types import ModuleType

import pytest


def is_required(name: str) -> bool:
    """Whether a missing oracle ``name`` is a failure in this run."""
    asked = {part.strip() for part in os.environ.get("SYMDYN_REQUIRE", "").split(",")}
    return "all" in asked or name in asked


def _missing(name: str, why: str) -> None:
    if is_required(name):
        pytest.fail(f"oracle {name!r} is required by SYMDYN_REQUIRE but {why}", pytrace=False)
    pytest.skip(f"oracle {name!r} {why}")


def need(name: str) -> ModuleType:
    """The module ``name`` (``pinocchio``, ``mujoco``, …); without it the test skips or fails."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        _missing(name, f"cannot be imported ({error})")
        raise


def need_program(name: str) -> str:
    """Path of the program ``name`` (``gcc``, …); without it the test is skipped or fails."""
    path = shutil.which(name)
    if path is None:
        _missing(name, "is not on the PATH")
        raise FileNotFoundError(name)
    return path
