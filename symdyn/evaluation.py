"""Numbers of every function at one state: the recursions run over double-precision floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import cast

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.expr.evaluate import evaluate
from symdyn.model.over import Model, over
from symdyn.model.robot import Robot
from symdyn.recipes import derive
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


#: Function name, recursion, and its arguments after the model; the names are those of `State`.
_FUNCTIONS: tuple[tuple[str, Callable[..., object], tuple[str, ...]], ...] = (
    ("inverse_dynamics", dynamics.inverse_dynamics, ("q", "qd", "qdd", "theta")),
    ("forward_dynamics", dynamics.forward_dynamics, ("q", "qd", "tau", "theta")),
    ("mass_matrix", dynamics.mass_matrix, ("q", "theta")),
    ("coriolis_matrix", dynamics.coriolis_matrix, ("q", "qd", "theta")),
    ("gravity_vector", dynamics.gravity_vector, ("q", "theta")),
    ("regressor", dynamics.regressor, ("q", "qd", "qdd")),
    ("slotine_li_regressor", dynamics.slotine_li_regressor, ("q", "qd", "v", "a")),
    ("kinetic_energy", dynamics.kinetic_energy, ("q", "qd", "theta")),
    ("potential_energy", dynamics.potential_energy, ("q", "theta")),
    ("forward_kinematics", dynamics.forward_kinematics, ("q",)),
    ("body_jacobian", dynamics.body_jacobian, ("q",)),
    (
        "generalized_inverse_dynamics",
        dynamics.generalized_inverse_dynamics,
        ("q", "qd", "qdd", "theta", "theta_dot", "psi", "psi_dot"),
    ),
    ("gyroscopic_matrix", dynamics.gyroscopic_matrix, ("q", "psi")),
    ("momentum_map", dynamics.momentum_map, ("q",)),
    (
        "generalized_inverse_dynamics",
        dynamics.generalized_inverse_dynamics,
        ("q", "qd", "qdd", "theta", "theta_dot", "psi", "psi_dot"),
    ),
    ("gyroscopic_matrix", dynamics.gyroscopic_matrix, ("q", "psi")),
    ("momentum_map", dynamics.momentum_map, ("q",)),
)


def function_names() -> tuple[str, ...]:
    """Names of all functions that can be evaluated."""
    return (*(name for name, _, _ in _FUNCTIONS), "friction_torque")


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
    arguments: dict[str, object] = {f.name: getattr(state, f.name) for f in fields(State)}
    values: dict[str, Value] = {}
    notes: list[str] = []
    for name, function, names in _FUNCTIONS:
        if functions is not None and name not in functions:
            continue
        try:
            value = cast("Value", function(model, *(arguments[key] for key in names)))
        except ZeroDivisionError:
            value = math.nan
        if _is_finite(value):
            values[name] = value
        elif name == "forward_dynamics":
            notes.append(f"{name}: no result, M(q) is singular at this state")
        else:
            notes.append(f"{name}: no result, its numbers leave the range of a double")
    if functions is None or "friction_torque" in functions:
        values["friction_torque"] = _friction_torque(robot, state)
    return Evaluation(
        joints=robot.coordinates,
        bodies=tuple(body.name for body in robot.bodies),
        values=values,
        notes=tuple(notes),
    )


def _friction_torque(robot: Robot, state: State) -> list[Value]:
    """The robot's own friction, by evaluating the derived function (its one definition)."""
    spec = derive(robot, ["friction_torque"], inertial="numeric").specs["friction_torque"]
    values: dict[int, float] = {}
    for argument in spec.arguments:
        own = [FLOAT64.const(p.value) for p in robot.parameters if p.is_argument]
        given = state.qd if argument.name == "qd" else own
        values.update(zip(argument.symbols, given, strict=True))
    return list(evaluate(spec.graph, spec.result.entries, FLOAT64, values))


def _is_finite(value: Value) -> bool:
    stack = [value]
    while stack:
        entry = stack.pop()
        if isinstance(entry, list):
            stack.extend(entry)
        elif not math.isfinite(entry):
            return False
    return True
