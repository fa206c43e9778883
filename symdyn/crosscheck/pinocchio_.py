"""Pinocchio as an oracle: its model is built from our robot, joint by joint, so any robot can be
checked.
"""

# Pinocchio is compiled code without types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np

from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.algebra.mp import MpAlgebra
from symdyn.codegen.spec import FunctionSpec
from symdyn.crosscheck.conventions import (
    columns_from_pinocchio,
    is_aligned,
    is_cosine_and_sine,
    mass_properties,
    mimic_map,
    momentum_selection,
    pinocchio_configuration,
    spatial_inertia,
)
from symdyn.crosscheck.road import Answer, NotApplicableError, Road, RoadMissingError, Setting
from symdyn.crosscheck.states import CheckState
from symdyn.dynamics.joint_friction import has_laws
from symdyn.model.mass_motion import mass_at
from symdyn.model.over import Link, over
from symdyn.model.robot import TIME, JointKind, Robot
from symdyn.recipes import WITH_FRICTION
from symdyn.unit import theta_values


@dataclass(frozen=True, slots=True)
class PinocchioRobot:
    """A robot in Pinocchio: every moving joint free, mimic joints reduced afterwards.

    Attributes
    ----------
    pin : the module
    model, data : of the joints, in the order of our bodies
    continuous : which joints Pinocchio holds as cosine and sine
    T, b : joint positions = T q + b
    """

    pin: ModuleType
    model: Any
    data: Any
    continuous: tuple[bool, ...]
    T: Array
    b: Array

    def configuration(self, q: Sequence[float]) -> Array:
        """Pinocchio's configuration for our q."""
        return pinocchio_configuration(self.T @ np.array(q) + self.b, self.continuous)

    def rates(self, values: Sequence[float]) -> Array:
        """Joint velocities or accelerations from ours."""
        return self.T @ np.array(values)


def import_pinocchio() -> ModuleType:
    """The module.

    Raises
    ------
    RoadMissingError : it is not installed
    """
    try:
        return importlib.import_module("pinocchio")
    except ImportError as error:
        raise RoadMissingError(f"Pinocchio cannot be imported ({error}); install 'pin'") from None


def build_pinocchio(robot: Robot, theta: Sequence[float] | None = None) -> PinocchioRobot:
    """Pinocchio's model of a robot.

    Parameters
    ----------
    theta : (10N,) inertial parameters; the robot's own if None

    Raises
    ------
    RoadMissingError : Pinocchio is not installed, or cannot hold a body
    """
    pin = import_pinocchio()
    exact = over(robot, FLOAT64)
    model: Any = pin.Model()
    for i, link in enumerate(exact.links):
        placement = pin.SE3(np.array(link.rotation), np.array(link.translation))
        joint = model.addJoint(link.parent + 1, _joint_model(pin, link), placement, f"joint {i}")
        model.appendBodyToJoint(joint, pin.Inertia.Zero(), pin.SE3.Identity())
    model.armature = np.array([link.armature for link in exact.links])
    model.gravity.linear = np.array(exact.gravity)
    set_inertias(pin, model, robot, theta_values(robot) if theta is None else theta)
    T, b = mimic_map(robot)
    continuous = tuple(is_cosine_and_sine(link) for link in exact.links)
    return PinocchioRobot(pin, model, model.createData(), continuous, T, b)


def set_inertias(pin: ModuleType, model: Any, robot: Robot, theta: Sequence[float]) -> None:
    """Give the bodies of a model other inertial parameters.

    Raises
    ------
    RoadMissingError : a body without mass has a first moment
    """
    mp = MpAlgebra(40)
    for i, body in enumerate(robot.bodies):
        phi = theta[10 * i : 10 * i + 10]
        if phi[0] == 0 and any(phi[1:4]):
            raise RoadMissingError(
                f"body {body.name!r} has a first moment but no mass; Pinocchio needs the centre "
                f"of mass"
            )
        m, c, six = mass_properties(mp, phi)
        xx, yy, zz, xy, yz, xz = six
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        # its constructor refuses a tensor that rounding has made a trace negative, its fields not
        inertia = pin.Inertia.Zero()
        inertia.mass, inertia.lever, inertia.inertia = m, np.array(c), tensor
        model.inertias[i + 1] = inertia


def _joint_model(pin: ModuleType, link: Link[float]) -> Any:
    if link.kind is JointKind.HELICAL:
        return pin.JointModelHelicalUnaligned(np.array(link.axis), link.pitch)
    slides = link.kind is JointKind.PRISMATIC
    if not is_aligned(link):
        name = "JointModelPrismaticUnaligned" if slides else "JointModelRevoluteUnaligned"
        return getattr(pin, name)(np.array(link.axis))
    name = (
        "JointModelP" if slides else "JointModelRUB" if is_cosine_and_sine(link) else "JointModelR"
    )
    return getattr(pin, name + "XYZ"[link.axis_index])()


def open_pinocchio(setting: Setting) -> Road:
    """Pinocchio's algorithms on the robot.

    Raises
    ------
    RoadMissingError : not installed, or the robot cannot be held
    """
    built = build_pinocchio(setting.robot)
    robot, pin = setting.robot, built.pin
    current: list[tuple[float, ...]] = [theta_values(robot)]

    def answer(spec: FunctionSpec, states: Sequence[CheckState]) -> Answer:
        compute = _FUNCTIONS.get(spec.name)
        if compute is None:
            raise NotApplicableError("Pinocchio has no such function")
        if spec.name in WITH_FRICTION and has_laws(robot):
            raise NotApplicableError("Pinocchio knows no friction laws")
        is_timed = any(argument.name == TIME for argument in spec.arguments)
        if is_timed and spec.name in _WITH_MOMENTUM:
            raise NotApplicableError("momenta of moving mass are built in")
        known = tuple(k for k, state in enumerate(states) if state.own_parameters)
        rows: list[Array] = []
        for k in known:
            theta = states[k].values["theta"]
            if is_timed:
                theta = _theta_at_time(robot, spec, states[k])
            if theta != current[0]:
                set_inertias(pin, built.model, robot, theta)
                current[0] = theta
            rows.append(np.asarray(compute(built, states[k])).reshape(-1))
        contracted = "theta" if spec.name == "slotine_li_regressor" else ""
        left_out = len(states) - len(known)
        remark = f"{left_out} states with other declared parameters left out" if left_out else ""
        return Answer(np.array(rows), None, known, contracted, remark)

    return Road(answer, f"pinocchio {pin.__version__}")


def _theta_at_time(robot: Robot, spec: FunctionSpec, state: CheckState) -> tuple[float, ...]:
    """Parameters that are arguments as the state has them, the others those of its time."""
    now = mass_at(robot, FLOAT64, state.values[TIME][0]).theta
    if all(argument.name != "theta" for argument in spec.arguments):
        return tuple(now)
    free = [flag for body in robot.bodies for flag in body.symbolic]
    chosen = zip(state.values["theta"], now, free, strict=True)
    return tuple(given if flag else own for given, own, flag in chosen)


#: Functions whose answer takes psi from the state.
_WITH_MOMENTUM = frozenset(
    (
        "generalized_inverse_dynamics", "generalized_forward_dynamics",
        "generalized_inverse_dynamics_with_friction", "generalized_forward_dynamics_with_friction",
        "generalized_kinetic_energy", "changing_mass_matrix", "source_torque", "gyroscopic_matrix",
    )
)  # fmt: skip

# -- the functions --------------------------------------------------------------------------------


def _inverse_dynamics(p: PinocchioRobot, s: CheckState) -> Array:
    q, v, a = p.configuration(s.values["q"]), p.rates(s.values["qd"]), p.rates(s.values["qdd"])
    return p.T.T @ p.pin.rnea(p.model, p.data, q, v, a)


def _mass_matrix(p: PinocchioRobot, s: CheckState) -> Array:
    M = p.pin.crba(p.model, p.data, p.configuration(s.values["q"]))
    upper = np.triu(M)
    return p.T.T @ (upper + np.triu(upper, 1).T) @ p.T


def _coriolis_matrix(p: PinocchioRobot, s: CheckState) -> Array:
    q, v = p.configuration(s.values["q"]), p.rates(s.values["qd"])
    return p.T.T @ p.pin.computeCoriolisMatrix(p.model, p.data, q, v) @ p.T


def _gravity_vector(p: PinocchioRobot, s: CheckState) -> Array:
    q = p.configuration(s.values["q"])
    return p.T.T @ p.pin.computeGeneralizedGravity(p.model, p.data, q)


def _forward_dynamics(p: PinocchioRobot, s: CheckState) -> Array:
    q, v = p.configuration(s.values["q"]), p.rates(s.values["qd"])
    tau = np.array(s.values["tau"])
    n = len(tau)
    if p.T.shape == (n, n) and np.array_equal(p.T, np.eye(n)):
        return np.array(p.pin.aba(p.model, p.data, q, v, tau))
    return _solved(p, s, tau - p.T.T @ p.pin.nonLinearEffects(p.model, p.data, q, v))


def _solved(p: PinocchioRobot, s: CheckState, force: Array) -> Array:
    """Accelerations with M qdd = force."""
    try:
        return np.asarray(np.linalg.solve(_mass_matrix(p, s), force), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.full(len(force), np.nan)


def _regressor(p: PinocchioRobot, s: CheckState) -> Array:
    q, v, a = p.configuration(s.values["q"]), p.rates(s.values["qd"]), p.rates(s.values["qdd"])
    # for one joint it comes as a vector
    Y = np.atleast_2d(p.pin.computeJointTorqueRegressor(p.model, p.data, q, v, a))
    return p.T.T @ Y[:, columns_from_pinocchio(p.model.njoints - 1)]


def _slotine_li_torque(p: PinocchioRobot, s: CheckState) -> Array:
    """M a + C(q, qd) v + g without rotors: regressor times theta."""
    M = _mass_matrix(p, s) - p.T.T @ np.diag(p.model.armature) @ p.T
    v, a = np.array(s.values["v"]), np.array(s.values["a"])
    return M @ a + _coriolis_matrix(p, s) @ v + _gravity_vector(p, s)


def _kinetic_energy(p: PinocchioRobot, s: CheckState) -> Array:
    q, v = p.configuration(s.values["q"]), p.rates(s.values["qd"])
    # Pinocchio adds the rotors of some classes of joints and forgets those of others.
    armature = np.array(p.model.armature)
    p.model.armature = np.zeros_like(armature)
    bodies = p.pin.computeKineticEnergy(p.model, p.data, q, v)
    p.model.armature = armature
    return np.array(bodies + 0.5 * np.sum(armature * v * v))


def _potential_energy(p: PinocchioRobot, s: CheckState) -> Array:
    return np.array(p.pin.computePotentialEnergy(p.model, p.data, p.configuration(s.values["q"])))


def _forward_kinematics(p: PinocchioRobot, s: CheckState) -> Array:
    p.pin.forwardKinematics(p.model, p.data, p.configuration(s.values["q"]))
    return np.array([p.data.oMi[i].homogeneous for i in range(1, p.model.njoints)])


def _body_jacobian(p: PinocchioRobot, s: CheckState) -> Array:
    p.pin.computeJointJacobians(p.model, p.data, p.configuration(s.values["q"]))
    local = p.pin.ReferenceFrame.LOCAL
    blocks = [
        np.reshape(p.pin.getJointJacobian(p.model, p.data, i, local), (6, -1))
        for i in range(1, p.model.njoints)
    ]
    return np.vstack(blocks) @ p.T


# Pinocchio leaves friction out of its algorithms; the coefficients come in from outside.


def _friction(p: PinocchioRobot, s: CheckState) -> Array:
    rates, pairs = p.rates(s.values["qd"]), np.array(s.values["friction"]).reshape(-1, 2)
    return p.T.T @ (pairs[:, 0] * rates + pairs[:, 1] * np.sign(rates))


def _inverse_dynamics_with_friction(p: PinocchioRobot, s: CheckState) -> Array:
    return _inverse_dynamics(p, s) + _friction(p, s)


def _net(p: PinocchioRobot, s: CheckState) -> CheckState:
    net = np.array(s.values["tau"]) - _friction(p, s)
    return replace(s, values={**s.values, "tau": tuple(map(float, net))})


def _forward_dynamics_with_friction(p: PinocchioRobot, s: CheckState) -> Array:
    return _forward_dynamics(p, _net(p, s))


# The terms of the generalized equation as sums over bodies of J' X J with Pinocchio's Jacobians J.


def _blocks(p: PinocchioRobot, s: CheckState) -> Array:
    """Body Jacobians, (N, 6, n)."""
    return _body_jacobian(p, s).reshape(-1, 6, p.T.shape[1])


def _gyroscopic_matrix(p: PinocchioRobot, s: CheckState) -> Array:
    momenta = np.array(s.values["psi"]).reshape(-1, 12) @ momentum_selection().T
    out = np.zeros((p.T.shape[1], p.T.shape[1]))
    for J, mu in zip(_blocks(p, s), momenta, strict=True):
        P, L = p.pin.skew(mu[:3]), p.pin.skew(mu[3:])
        out -= J.T @ np.block([[np.zeros((3, 3)), P], [P, L]]) @ J
    return out


def _momentum_map(p: PinocchioRobot, s: CheckState) -> Array:
    return np.hstack([J.T @ momentum_selection() for J in _blocks(p, s)])


def _mass_matrix_of(p: PinocchioRobot, s: CheckState, theta: Array) -> Array:
    """sum J' G J for any parameters, physical or not (rates of theta are not)."""
    out = np.zeros((p.T.shape[1], p.T.shape[1]))
    for J, phi in zip(_blocks(p, s), theta.reshape(-1, 10), strict=True):
        out += J.T @ spatial_inertia(phi) @ J
    return out


def _changing_mass_matrix(p: PinocchioRobot, s: CheckState) -> Array:
    return _mass_matrix_of(p, s, np.array(s.values["theta_dot"]))


def _source_torque(p: PinocchioRobot, s: CheckState) -> Array:
    rates = _mass_matrix_of(p, s, np.array(s.values["theta_source"]))
    flux = _momentum_map(p, s) @ np.array(s.values["psi_source"])
    return np.asarray(rates @ np.array(s.values["qd"]) + flux)


def _changes(p: PinocchioRobot, s: CheckState) -> Array:
    """What mass that changes or moves adds to the torques."""
    rates = (_changing_mass_matrix(p, s) + _gyroscopic_matrix(p, s)) @ np.array(s.values["qd"])
    return np.asarray(rates + _momentum_map(p, s) @ np.array(s.values["psi_dot"]))


def _generalized_inverse_dynamics(p: PinocchioRobot, s: CheckState) -> Array:
    return _inverse_dynamics(p, s) + _changes(p, s)


def _generalized_forward_dynamics(p: PinocchioRobot, s: CheckState) -> Array:
    return _forward_dynamics(p, s) - _solved(p, s, _changes(p, s))


def _generalized_inverse_dynamics_with_friction(p: PinocchioRobot, s: CheckState) -> Array:
    return _generalized_inverse_dynamics(p, s) + _friction(p, s)


def _generalized_forward_dynamics_with_friction(p: PinocchioRobot, s: CheckState) -> Array:
    return _generalized_forward_dynamics(p, _net(p, s))


def _generalized_kinetic_energy(p: PinocchioRobot, s: CheckState) -> Array:
    carried = np.array(s.values["qd"]) @ (_momentum_map(p, s) @ np.array(s.values["psi"]))
    return _kinetic_energy(p, s) + carried + 0.5 * np.sum(s.values["nu"])


_FUNCTIONS: dict[str, Callable[[PinocchioRobot, CheckState], Array]] = {
    "inverse_dynamics": _inverse_dynamics,
    "forward_dynamics": _forward_dynamics,
    "mass_matrix": _mass_matrix,
    "coriolis_matrix": _coriolis_matrix,
    "gravity_vector": _gravity_vector,
    "regressor": _regressor,
    "slotine_li_regressor": _slotine_li_torque,
    "kinetic_energy": _kinetic_energy,
    "potential_energy": _potential_energy,
    "forward_kinematics": _forward_kinematics,
    "body_jacobian": _body_jacobian,
    "gyroscopic_matrix": _gyroscopic_matrix,
    "momentum_map": _momentum_map,
    "generalized_inverse_dynamics": _generalized_inverse_dynamics,
    "generalized_forward_dynamics": _generalized_forward_dynamics,
    "generalized_kinetic_energy": _generalized_kinetic_energy,
    "inverse_dynamics_with_friction": _inverse_dynamics_with_friction,
    "forward_dynamics_with_friction": _forward_dynamics_with_friction,
    "generalized_inverse_dynamics_with_friction": _generalized_inverse_dynamics_with_friction,
    "generalized_forward_dynamics_with_friction": _generalized_forward_dynamics_with_friction,
    "changing_mass_matrix": _changing_mass_matrix,
    "source_torque": _source_torque,
}
