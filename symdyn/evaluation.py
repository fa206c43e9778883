"""Numbers of every function at one state: the recursions run over double-precision floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.expr.evaluate import evaluate
from symdyn.joint_friction import FUNCTIONS_OF_FRICTION
from symdyn.mass_recipes import FUNCTIONS_OF_TIME, numbers_at_time
from symdyn.model.mass_motion import mass_at
from symdyn.model.over import Model, over
from symdyn.model.robot import Robot
from symdyn.recipes import FORWARD_FUNCTIONS, FUNCTIONS, argument_names, default_functions, derive
from symdyn.state import State

#: A scalar, a vector, a matrix or a list of matrices, as nested lists.
Value = float | list["Value"]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All results at one state.

    Attributes
    ----------
    joints : names in the order of q
    bodies : names in the order of theta
    values : result of each function, by its name
    notes : why a function has no result here, one sentence each
    """

    joints: tuple[str, ...]
    bodies: tuple[str, ...]
    values: dict[str, Value]
    notes: tuple[str, ...]


def evaluate_state(
    robot: Robot, state: State, functions: Sequence[str] | None = None
) -> Evaluation:
    """Evaluate the functions of a robot at one state.

    Parameters
    ----------
    robot : the robot
    state : its arguments, from `state.parse_state` or `state.state_from`
    functions : names; None for all

    Returns
    -------
    Evaluation : a function whose result is not finite (forward dynamics where M is singular) is
        left out, with a note
    """
    model: Model[float] = over(robot, FLOAT64)
    values: dict[str, Value] = {}
    notes: list[str] = []
    wanted = default_functions(robot) if functions is None else functions
    for name in (*FUNCTIONS, *FUNCTIONS_OF_FRICTION, *FUNCTIONS_OF_TIME):
        if name not in wanted:
            continue
        try:
            value = _value(robot, model, state, name)
        except ZeroDivisionError:
            value = math.nan
        if _is_finite(value):
            values[name] = value
        elif name in FORWARD_FUNCTIONS:
            notes.append(f"{name}: no result, M(q) is singular at this state")
        else:
            notes.append(f"{name}: no result, its numbers leave the range of a double")
    return Evaluation(
        joints=robot.coordinates,
        bodies=tuple(body.name for body in robot.bodies),
        values=values,
        notes=tuple(notes),
    )


def _value(robot: Robot, model: Model[float], state: State, name: str) -> Value:
    """One function; a recursion has the name of the function that is derived from it."""
    if name in FUNCTIONS_OF_TIME:
        return list(numbers_at_time(mass_at(robot, FLOAT64, state.t), name))
    if name == "friction_torque" or name in FUNCTIONS_OF_FRICTION:
        return _friction(robot, state, name)
    recursion = cast("Callable[..., Value]", getattr(dynamics, name))
    return recursion(model, *(getattr(state, key) for key in argument_names(name)))


def _friction(robot: Robot, state: State, name: str) -> list[Value]:
    """The robot's own friction, by evaluating the derived function (its one definition)."""
    spec = derive(robot, [name], inertial="numeric").specs[name]
    values: dict[int, float] = {}
    for argument in spec.arguments:
        if argument.name == "parameters":
            given = tuple(FLOAT64.const(p.value) for p in robot.parameters if p.is_argument)
        elif argument.name == "dt":
            given = (state.dt,)
        else:
            given = cast("tuple[float, ...]", getattr(state, argument.name))
        values.update(zip(argument.symbols, given, strict=True))
    found: list[Value] = list(evaluate(spec.graph, spec.result.entries, FLOAT64, values))
    if len(spec.result.shape) < 2:
        return found
    width = spec.result.shape[1]
    return [found[k : k + width] for k in range(0, len(found), width)]


def _is_finite(value: Value) -> bool:
    stack = [value]
    while stack:
        entry = stack.pop()
        if isinstance(entry, list):
            stack.extend(entry)
        elif not math.isfinite(entry):
            return False
    return True
