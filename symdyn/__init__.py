"""Symbolic derivation of robot dynamics: verified by independent roads, exported as checked code.

The public interface, on one screen. Each name is imported when it is first used, so that
``import symdyn`` stays light.

>>> import symdyn
>>> robot = symdyn.load_robot("planar2r")
>>> state = symdyn.state_from({"q": [0.3, -0.5]}, robot)
>>> symdyn.evaluate_state(robot, state, ["gravity_vector"]).values["gravity_vector"]
[40.49..., 7.69...]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symdyn._errors import InputError as InputError
    from symdyn._errors import SizeError as SizeError
    from symdyn._errors import SymdynError as SymdynError
    from symdyn._errors import UnsupportedError as UnsupportedError
    from symdyn._errors import VerificationError as VerificationError
    from symdyn.codegen.generate import generate as generate
    from symdyn.evaluation import Evaluation as Evaluation
    from symdyn.evaluation import evaluate_state as evaluate_state
    from symdyn.identities import check_robot as check_robot
    from symdyn.io.load import load_robot as load_robot
    from symdyn.model.build import build_robot as build_robot
    from symdyn.model.consistency import diagnose as diagnose
    from symdyn.model.over import over as over
    from symdyn.model.robot import Robot as Robot
    from symdyn.pipeline import DeriveResult as DeriveResult
    from symdyn.pipeline import derive_robot as derive_robot
    from symdyn.recipes import FUNCTIONS as FUNCTIONS
    from symdyn.recipes import Derivation as Derivation
    from symdyn.recipes import derive as derive
    from symdyn.state import State as State
    from symdyn.state import parse_state as parse_state
    from symdyn.state import state_from as state_from
    from symdyn.unit import build_unit as build_unit

__version__ = "0.1.0"

#: Where each public name is defined; a test holds this table to the imports above.
_HOMES = {
    "FUNCTIONS": "recipes",
    "Derivation": "recipes",
    "DeriveResult": "pipeline",
    "Evaluation": "evaluation",
    "InputError": "_errors",
    "Robot": "model.robot",
    "SizeError": "_errors",
    "State": "state",
    "SymdynError": "_errors",
    "UnsupportedError": "_errors",
    "VerificationError": "_errors",
    "build_robot": "model.build",
    "build_unit": "unit",
    "check_robot": "identities",
    "derive": "recipes",
    "derive_robot": "pipeline",
    "diagnose": "model.consistency",
    "evaluate_state": "evaluation",
    "generate": "codegen.generate",
    "load_robot": "io.load",
    "over": "model.over",
    "parse_state": "state",
    "state_from": "state",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'symdyn' has no attribute {name!r}")
    value: object = getattr(import_module(f"symdyn.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
