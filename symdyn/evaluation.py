"""Numbers of every function at one state: the recursions run over double-precision floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.dynamics.joint_friction import has_friction
from symdyn.expr.evaluate import evaluate
from symdyn.joint_friction import FUNCTIONS_OF_FRICTION
from symdyn.mass_recipes import (
    FUNCTIONS_OF_TIME,
    changes,
    numbers_at_time,
    remarks_on_times,
)
from symdyn.model.mass_motion import mass_at
from symdyn.model.over import Model, over
from symdyn.model.robot import Robot
from symdyn.recipes import (
    ALL_FUNCTIONS,
    FORWARD_FUNCTIONS,
    OF_CONSTANT_MASS,
    WITH_FRICTION,
    argument_names,
    default_functions,
    derive,
)
from symdyn.state import BODY_KEYS, State

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
    notes : why a function has no result here, and what its result leaves out; one sentence each
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
    for name in ALL_FUNCTIONS:
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
    if has_friction(robot):
        notes += _remarks_on_friction(robot, state, values)
    if changes(robot):
        notes += _remarks_on_mass(robot, state, values)
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
    if name in WITH_FRICTION:
        friction = cast("list[float]", _friction(robot, state, "friction_torque"))
        if name in FORWARD_FUNCTIONS:
            net = tuple(t - f for t, f in zip(state.tau, friction, strict=True))
            return _value(robot, model, replace(state, tau=net), WITH_FRICTION[name])
        tau = cast("list[float]", _value(robot, model, state, WITH_FRICTION[name]))
        return [t + f for t, f in zip(tau, friction, strict=True)]
    recursion = cast("Callable[..., Value]", getattr(dynamics, name))
    return recursion(model, *(getattr(state, key) for key in argument_names(name)))


def _remarks_on_mass(robot: Robot, state: State, values: Mapping[str, Value]) -> list[str]:
    """Which values take changing mass as constant; times at which it is not known to be mass."""
    remarks: list[str] = []
    constant = [name for name in OF_CONSTANT_MASS if name in values]
    if constant:
        general = [OF_CONSTANT_MASS[name] for name in constant]
        remarks.append(
            f"{', '.join(constant)}: as if the mass of this time were constant and at rest in the "
            f"bodies; {', '.join(general)} know how it changes and moves"
        )
    if not state.given.issuperset(BODY_KEYS):
        remarks += remarks_on_times(robot, state.t, state.t)
        without = [
            body.name
            for k, body in enumerate(robot.bodies)
            if body.motion is not None and state.theta[10 * k] == 0
        ]
        if without:
            remarks.append(f"no mass at t = {state.t:.6g} s: {', '.join(without)}")
    return remarks


def _remarks_on_friction(robot: Robot, state: State, values: Mapping[str, Value]) -> list[str]:
    """Which values have the friction of the joints in them, and what it is at rest."""
    remarks: list[str] = []
    apart = [name for name in WITH_FRICTION.values() if name in values]
    if apart:
        remarks.append(
            f"without the friction of the joints: {', '.join(apart)}; friction_torque has it, and "
            "functions named with_friction"
        )
    bounds = cast("list[tuple[float, float]]", _friction(robot, state, "friction_bounds"))
    held = [
        name
        for name, rate, (low, high) in zip(robot.coordinates, state.qd, bounds, strict=True)
        if rate == 0 and low != high
    ]
    driven = [name for name in WITH_FRICTION if name in values and name in FORWARD_FUNCTIONS]
    if driven and held:
        remarks.append(
            f"at rest friction can hold {', '.join(held)} as far as friction_bounds says; "
            f"{', '.join(driven)} does not hold it, but has the value of friction_torque there"
        )
    return remarks


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
