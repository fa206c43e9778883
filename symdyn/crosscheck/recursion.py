"""The recursions of `symdyn.dynamics` run on numbers, without any expression graph in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, cast

import numpy as np

from symdyn import dynamics
from symdyn.algebra.float64 import ARRAYS, Array
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.protocol import Algebra, S
from symdyn.algebra.term import lift
from symdyn.codegen.spec import FunctionSpec
from symdyn.crosscheck.high_precision import DIGITS, split
from symdyn.crosscheck.road import Answer, NotApplicableError, Road, Setting
from symdyn.crosscheck.running_error import RUNNING_ERROR, Bounded
from symdyn.crosscheck.states import CheckState
from symdyn.dynamics.joint_friction import FrictionOver, friction_terms, joint_friction
from symdyn.mass_recipes import FUNCTIONS_OF_TIME, numbers_at_time
from symdyn.model.mass_motion import MassAtTime, mass_at
from symdyn.model.over import Model, over
from symdyn.model.robot import TIME
from symdyn.recipes import (
    BASE_FUNCTION,
    FORWARD_FUNCTIONS,
    WITH_FRICTION,
    argument_names,
    theta_terms,
)

#: The recursion behind each function; arguments after the model as in the function's signature.
RECURSIONS: dict[str, Callable[..., object]] = {
    "inverse_dynamics": dynamics.inverse_dynamics,
    "forward_dynamics": dynamics.forward_dynamics,
    "mass_matrix": dynamics.mass_matrix,
    "coriolis_matrix": dynamics.coriolis_matrix,
    "gravity_vector": dynamics.gravity_vector,
    "regressor": dynamics.regressor,
    "slotine_li_regressor": dynamics.slotine_li_regressor,
    "kinetic_energy": dynamics.kinetic_energy,
    "potential_energy": dynamics.potential_energy,
    "forward_kinematics": dynamics.forward_kinematics,
    "body_jacobian": dynamics.body_jacobian,
    "generalized_inverse_dynamics": dynamics.generalized_inverse_dynamics,
    "generalized_forward_dynamics": dynamics.generalized_forward_dynamics,
    "generalized_regressor": dynamics.generalized_regressor,
    "generalized_kinetic_energy": dynamics.generalized_kinetic_energy,
    "changing_mass_matrix": dynamics.changing_mass_matrix,
    "source_torque": dynamics.source_torque,
    "gyroscopic_matrix": dynamics.gyroscopic_matrix,
    "momentum_map": dynamics.momentum_map,
}


@dataclass(frozen=True, slots=True)
class Recursions(Generic[S]):
    """A robot over one number kind, and its own inertial parameters there.

    Attributes
    ----------
    setting, algebra : robot and number kind
    model, own_theta : of the robot with its own declared parameters
    now : all that changes with time, at the time of a state
    """

    setting: Setting
    algebra: Algebra[S]
    model: Model[S]
    own_theta: list[S]
    now: MassAtTime[S] | None = None

    def run(
        self, spec: FunctionSpec, values: Mapping[str, Sequence[S]], name: str | None = None
    ) -> list[S]:
        """Entries of a function's result by its recursion, row-major.

        Parameters
        ----------
        values : every argument that a state has, as scalars of the algebra
        name : another function to run in its place, with the parameters that ``spec`` takes

        Raises
        ------
        NotApplicableError : the function has no recursion of its own
        """
        name = spec.name if name is None else name
        if name in FUNCTIONS_OF_TIME:
            (t,) = values[TIME]
            letters = self._letters(values["parameters"])
            return numbers_at_time(mass_at(self.setting.robot, self.algebra, t, letters), name)
        given = {argument.name for argument in spec.arguments}
        if name == "friction_torque":
            return self._friction(values, given)
        if name in WITH_FRICTION:
            friction, base = self._friction(values, given), WITH_FRICTION[name]
            if name in FORWARD_FUNCTIONS:
                net = [t - f for t, f in zip(values["tau"], friction, strict=True)]
                return self.run(spec, {**values, "tau": net}, base)
            tau = self.run(spec, values, base)
            return [t + f for t, f in zip(tau, friction, strict=True)]
        if name == BASE_FUNCTION:
            model = over(self.setting.robot, self.algebra, self._letters(values["parameters"]))
            return self.setting.derivation.groups.beta(model, values["theta"])
        recursion = RECURSIONS.get(name)
        if recursion is None:
            raise NotApplicableError("no recursion: the graph is the law itself")
        arguments = dict(values)
        if TIME in given:
            return self._at_time(values)._run(recursion, name, given, arguments)
        if "parameters" in given:
            return self._with_parameters(values["parameters"])._run(
                recursion, name, given, arguments
            )
        return self._run(recursion, name, given, arguments)

    def _friction(self, values: Mapping[str, Sequence[S]], given: set[str]) -> list[S]:
        """friction_torque from the laws; the robot's own parameters where they are built in."""
        robot = self.setting.robot
        letters = self._letters(values["parameters"])
        vectors = dict(values)
        if "friction" not in given:
            vectors["friction"] = lift(friction_terms(robot), self.algebra, letters)
        model = over(robot, self.algebra, letters)
        return FrictionOver(joint_friction(robot), model, vectors).torque()

    def _with_parameters(self, declared: Sequence[S]) -> Recursions[S]:
        """The same robot with other values of the declared parameters that are arguments."""
        return _over(self.setting, self.algebra, self._letters(declared))

    def _at_time(self, values: Mapping[str, Sequence[S]]) -> Recursions[S]:
        """The robot at a time: what changes with it is built in."""
        (t,) = values[TIME]
        letters = self._letters(values["parameters"])
        robot = self.setting.robot
        now = mass_at(robot, self.algebra, t, letters)
        return Recursions(
            self.setting, self.algebra, over(robot, self.algebra, letters), now.theta, now
        )

    def _letters(self, declared: Sequence[S]) -> dict[str, S]:
        """Value of each declared parameter, those that are arguments as given."""
        robot = self.setting.robot
        parameters = {p.name: self.algebra.const(p.value) for p in robot.parameters}
        names = [p.name for p in robot.parameters if p.is_argument]
        parameters.update(zip(names, declared, strict=True))
        return parameters

    def _run(
        self,
        recursion: Callable[..., object],
        name: str,
        given: set[str],
        arguments: dict[str, Sequence[S]],
    ) -> list[S]:
        if "beta" in given:
            # Regrouping is a projection: theta that is zero but for beta has the same equations.
            groups, zero = self.setting.derivation.groups, self.algebra.const(0)
            arguments["theta"] = groups.theta(zero, arguments["beta"], len(self.own_theta))
        elif "theta" in given:
            free = [flag for body in self.setting.robot.bodies for flag in body.symbolic]
            chosen = zip(arguments["theta"], self.own_theta, free, strict=True)
            arguments["theta"] = [value if flag else fixed for value, fixed, flag in chosen]
        else:
            arguments["theta"] = self.own_theta
        if self.now is not None:
            # theta is chosen above, parameter by parameter
            own = self.now.arguments().items()
            arguments |= {k: value for k, value in own if k not in given and k != "theta"}
        names = argument_names(name)
        return cast("list[S]", _flat(recursion(self.model, *(arguments[name] for name in names))))


def recursions(setting: Setting, algebra: Algebra[S]) -> Recursions[S]:
    """The robot of a setting, ready for its recursions over a number kind."""
    parameters = {p.name: algebra.const(p.value) for p in setting.robot.parameters}
    return _over(setting, algebra, parameters)


def _over(setting: Setting, algebra: Algebra[S], parameters: Mapping[str, S]) -> Recursions[S]:
    robot = setting.robot
    theta = lift(theta_terms(robot), algebra, parameters)
    return Recursions(setting, algebra, over(robot, algebra, parameters), theta)


def _flat(result: object) -> list[object]:
    """Nested lists, row-major; no recursion, the depth is at most three."""
    if not isinstance(result, list):
        return [result]
    row = cast("list[object]", result)
    while row and isinstance(row[0], list):
        row = [entry for inner in row for entry in cast("list[object]", inner)]
    return row


def open_float_recursion(setting: Setting) -> Road:
    """The recursions in doubles, all states at once."""
    prepared = recursions(setting, ARRAYS)

    def answer(spec: FunctionSpec, states: Sequence[CheckState]) -> Answer:
        with ARRAYS.scope():
            entries = prepared.run(spec, _columns(states))
        return Answer(np.stack([np.broadcast_to(e, len(states)) for e in entries], axis=1))

    return Road(answer)


def open_high_recursion(setting: Setting) -> Road:
    """The recursions in multiple precision: they must give the graph's numbers to 30 digits."""
    mp = MpAlgebra(DIGITS)
    prepared = recursions(setting, mp)

    def answer(spec: FunctionSpec, states: Sequence[CheckState]) -> Answer:
        # An identity that holds at a few states in general position holds; special states count
        # too.
        chosen = [k for k, state in enumerate(states) if state.kind not in _PLENTIFUL]
        for kind in _PLENTIFUL:
            chosen += [k for k, state in enumerate(states) if state.kind == kind][:_FEW]
        high: list[Array] = []
        low: list[Array] = []
        for k in chosen:
            values = {name: [mp.number(x) for x in row] for name, row in states[k].values.items()}
            try:
                numbers = prepared.run(spec, values)
            except ZeroDivisionError:  # M is singular at this state
                numbers = [mp.number("nan")] * len(spec.result.entries)
            parts = split(numbers, mp)
            high.append(parts[0])
            low.append(parts[1])
        remark = f"at {len(chosen)} of the states" if len(chosen) < len(states) else ""
        return Answer(np.array(high), np.array(low), tuple(chosen), remark=remark)

    return Road(answer)


#: Kinds of which there are many states, and how many of them are evaluated in multiple precision.
_PLENTIFUL = ("random", "other parameters")
_FEW = 3


def recursion_bounds(
    prepared: Recursions[Bounded], spec: FunctionSpec, states: Sequence[CheckState]
) -> Array:
    """Running error of the recursion in doubles at each state: (states, entries), absolute.

    Unlike the graph, the recursion cancels nothing symbolically, so an entry that is identically
    zero still has the rounding error that any other program has there.

    Raises
    ------
    NotApplicableError : the function has no recursion
    """
    values = {
        name: [RUNNING_ERROR.exact(column) for column in columns]
        for name, columns in _columns(states).items()
    }
    with RUNNING_ERROR.scope():
        entries = prepared.run(spec, values)
    return np.stack([np.broadcast_to(e.bound, len(states)) for e in entries], axis=1)


def largest_reach(
    prepared: Recursions[Array], spec: FunctionSpec, states: Sequence[CheckState]
) -> Array:
    """Largest distance of a body's frame from the base's, in any one direction, (states,) [m]."""
    with ARRAYS.scope():
        entries = prepared.run(spec, _columns(states), "forward_kinematics")
    places = [entries[k] for k in range(len(entries)) if k % 16 in (3, 7, 11)]
    return np.max(np.abs([np.broadcast_to(e, len(states)) for e in places]), axis=0)


def mass_condition(
    prepared: Recursions[Array], spec: FunctionSpec, states: Sequence[CheckState]
) -> Array:
    """Condition number of M(q) at each state, (states,); infinite where M is singular."""
    with ARRAYS.scope():
        entries = prepared.run(spec, _columns(states), "mass_matrix")
    table = np.stack([np.broadcast_to(e, len(states)) for e in entries], axis=1)
    n = prepared.model.n
    finite = np.nan_to_num(table).reshape(len(states), n, n)
    return np.asarray(np.linalg.cond(finite), dtype=np.float64)


def _columns(states: Sequence[CheckState]) -> dict[str, list[Array]]:
    """Arguments as arrays over the states, one an entry."""
    return {
        name: list(np.array([state.values[name] for state in states]).T)
        for name in states[0].values
    }
