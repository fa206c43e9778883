"""MuJoCo as an oracle: its model is compiled from MJCF text that we write with full precision.

Rotations become quaternions and tensors become principal moments in many digits before they are
rounded: MuJoCo's own reduction of a full tensor stops at 1e-12. It refuses bodies without mass or
inertia and tensors beyond the triangle inequality; its message is then the reason of the record.
"""

# MuJoCo is compiled code whose stubs leave most types open.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.algebra.mp import MpAlgebra
from symdyn.codegen.spec import FunctionSpec
from symdyn.crosscheck.conventions import mimic_map, principal_inertia, quaternion_wxyz
from symdyn.crosscheck.road import Answer, NotApplicableError, Road, RoadMissingError, Setting
from symdyn.crosscheck.states import CheckState
from symdyn.model.over import Link, over
from symdyn.model.robot import TIME, JointKind, Robot
from symdyn.recipes import WITH_FRICTION
from symdyn.unit import theta_values

_DIGITS = 40


def write_mjcf(robot: Robot) -> str:
    """MJCF of a robot: bodies ``b0`` …, joints ``j0`` …, mimic joints free, no geometry.

    Raises
    ------
    RoadMissingError : MuJoCo has no joint of that kind
    """
    mp = MpAlgebra(_DIGITS)
    rough, exact = over(robot, FLOAT64), over(robot, mp)
    theta = theta_values(robot)
    children: dict[int, list[int]] = {}
    for i, link in enumerate(rough.links):
        if link.kind is JointKind.HELICAL:
            raise RoadMissingError(f"joint {link.name!r} is helical; MuJoCo has no such joint")
        children.setdefault(link.parent, []).append(i)
    lines = [
        '<mujoco model="robot">',
        '<compiler angle="radian" inertiafromgeom="false" balanceinertia="false"',
        ' boundmass="0" boundinertia="0" fusestatic="false" alignfree="false"/>',
        f'<option gravity="{_numbers(rough.gravity)}">',
        '<flag constraint="disable" contact="disable" energy="enable"/></option>',
        "<worldbody>",
    ]
    stack: list[int | str] = list(reversed(children.get(-1, [])))
    while stack:
        i = stack.pop()
        if isinstance(i, str):
            lines.append(i)
            continue
        link = rough.links[i]
        turn = quaternion_wxyz(mp, exact.links[i].rotation)
        lines.append(
            f'<body name="b{i}" pos="{_numbers(link.translation)}" '
            f'quat="{_numbers([float(x) for x in turn])}">'
        )
        lines.append(_inertial(mp, theta[10 * i : 10 * i + 10], robot.bodies[i].name))
        lines.append(_joint(link, i))
        stack.append("</body>")
        stack.extend(reversed(children.get(i, [])))
    lines += ["</worldbody>", "</mujoco>"]
    return "\n".join(lines) + "\n"


def _numbers(values: Sequence[float]) -> str:
    return " ".join(repr(value) for value in values)


def _inertial(mp: MpAlgebra, phi: Sequence[float], name: str) -> str:
    if phi[0] == 0:
        raise RoadMissingError(f"body {name!r} has no mass; MuJoCo refuses it")
    mass, centre, moments, turn = principal_inertia(mp, phi)
    return (
        f'<inertial mass="{mass!r}" pos="{_numbers(centre)}" '
        f'diaginertia="{_numbers(moments)}" quat="{_numbers(turn)}"/>'
    )


def _joint(link: Link[float], i: int) -> str:
    kind = "slide" if link.kind is JointKind.PRISMATIC else "hinge"
    return (
        f'<joint name="j{i}" type="{kind}" axis="{_numbers(link.axis)}" '
        f'armature="{link.armature!r}" limited="false"/>'
    )


@dataclass(frozen=True, slots=True)
class MujocoRobot:
    """A robot in MuJoCo.

    Attributes
    ----------
    mujoco : the module
    model, data : every moving joint free
    address : place of each of our joints in MuJoCo's velocities
    body : MuJoCo's number of each of our bodies
    T, b : joint positions in our order = T q + b
    """

    mujoco: ModuleType
    model: Any
    data: Any
    address: tuple[int, ...]
    body: tuple[int, ...]
    T: Array
    b: Array


def build_mujoco(robot: Robot) -> MujocoRobot:
    """MuJoCo's model of a robot.

    Raises
    ------
    RoadMissingError : MuJoCo is not installed, or refuses the robot
    """
    try:
        mujoco = importlib.import_module("mujoco")
    except ImportError as error:
        raise RoadMissingError(f"MuJoCo cannot be imported ({error}); install 'mujoco'") from None
    text = write_mjcf(robot)
    try:
        model: Any = mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        first = str(error).strip().splitlines()[0]
        raise RoadMissingError(f"MuJoCo refuses the robot: {first}") from None
    count = robot.n_bodies
    address = tuple(int(model.joint(f"j{i}").dofadr[0]) for i in range(count))
    body = tuple(int(model.body(f"b{i}").id) for i in range(count))
    T, b = mimic_map(robot)
    return MujocoRobot(mujoco, model, mujoco.MjData(model), address, body, T, b)


def open_mujoco(setting: Setting) -> Road:
    """MuJoCo's algorithms on the robot with its own inertial parameters.

    Raises
    ------
    RoadMissingError : not installed, or the robot is refused
    """
    built = build_mujoco(setting.robot)

    def answer(spec: FunctionSpec, states: Sequence[CheckState]) -> Answer:
        compute = _FUNCTIONS.get(spec.name)
        if compute is None:
            raise NotApplicableError("MuJoCo has no such function")
        if any(argument.name == TIME for argument in spec.arguments):
            raise NotApplicableError("its model holds the masses of t = 0")
        if spec.name in WITH_FRICTION:
            _require_damping_alone(setting.robot)
        own = tuple(k for k, state in enumerate(states) if state.own_theta and state.own_parameters)
        rows = [np.asarray(compute(built, states[k])).reshape(-1) for k in own]
        contracted = {"coriolis_matrix": "qd", "regressor": "theta"}.get(spec.name, "")
        left_out = len(states) - len(own)
        remark = f"{left_out} states with other parameters left out" if left_out else ""
        return Answer(np.array(rows), None, own, contracted, remark)

    return Road(answer, f"mujoco {built.mujoco.__version__}")


# -- the functions --------------------------------------------------------------------------------


def _place(m: MujocoRobot, s: CheckState, rate: str = "", acceleration: str = "") -> None:
    """Set the state and compute what depends on position and velocity."""
    address = list(m.address)
    m.data.qpos[address] = m.T @ np.array(s.values["q"]) + m.b
    zero = np.zeros(len(address))
    m.data.qvel[address] = m.T @ np.array(s.values[rate]) if rate else zero
    m.data.qacc[address] = m.T @ np.array(s.values[acceleration]) if acceleration else zero
    m.mujoco.mj_fwdPosition(m.model, m.data)
    m.mujoco.mj_fwdVelocity(m.model, m.data)


def _newton_euler(m: MujocoRobot, with_acceleration: bool) -> Array:
    """mj_rne in our order of joints, reduced; armature is not in it."""
    force = np.zeros(len(m.address))
    m.mujoco.mj_rne(m.model, m.data, int(with_acceleration), force)
    return m.T.T @ force[list(m.address)]


def _inverse_dynamics(m: MujocoRobot, s: CheckState) -> Array:
    return _regressor_torque(m, s) + _rotors(m) @ np.array(s.values["qdd"])


def _rotors(m: MujocoRobot) -> Array:
    armature = np.array(m.model.dof_armature)[list(m.address)]
    return m.T.T @ np.diag(armature) @ m.T


def _regressor_torque(m: MujocoRobot, s: CheckState) -> Array:
    _place(m, s, "qd", "qdd")
    return _newton_euler(m, True)


def _gravity_vector(m: MujocoRobot, s: CheckState) -> Array:
    _place(m, s)
    return _newton_euler(m, False)


def _coriolis_force(m: MujocoRobot, s: CheckState) -> Array:
    """C qd: the bias force without gravity."""
    gravity = np.array(m.model.opt.gravity)
    m.model.opt.gravity[:] = 0.0
    _place(m, s, "qd")
    force = _newton_euler(m, False)
    m.model.opt.gravity[:] = gravity
    return force


def _mass_matrix(m: MujocoRobot, s: CheckState) -> Array:
    _place(m, s)
    count = len(m.address)
    M, column = np.zeros((count, count)), np.zeros(count)
    for k in range(count):
        unit = np.zeros(count)
        unit[k] = 1.0
        m.mujoco.mj_mulM(m.model, m.data, column, unit)
        M[:, k] = column
    address = list(m.address)
    return m.T.T @ M[np.ix_(address, address)] @ m.T


def _forward_dynamics(m: MujocoRobot, s: CheckState) -> Array:
    tau = np.array(s.values["tau"])
    if not _is_independent(m):
        M = _mass_matrix(m, s)
        _place(m, s, "qd")
        try:
            return np.asarray(np.linalg.solve(M, tau - _newton_euler(m, False)), dtype=np.float64)
        except np.linalg.LinAlgError:
            return np.full(len(tau), np.nan)
    _place(m, s, "qd")
    address = list(m.address)
    m.data.qfrc_applied[address] = tau
    m.mujoco.mj_forward(m.model, m.data)
    m.data.qfrc_applied[address] = 0.0
    return np.array(m.data.qacc)[address]


def _require_damping_alone(robot: Robot) -> None:
    for joint in robot.joints:
        if joint.law is not None or joint.friction.rational != 0:
            raise NotApplicableError(
                "MuJoCo knows viscous damping; its dry friction is a soft constraint"
            )


def _damped(m: MujocoRobot, s: CheckState, compute: Callable[[], Array]) -> Array:
    """A result of MuJoCo's with its own joint damping at work."""
    m.model.dof_damping[list(m.address)] = s.values["friction"][::2]
    found = compute()
    m.model.dof_damping[:] = 0.0
    return found


def _forward_dynamics_with_friction(m: MujocoRobot, s: CheckState) -> Array:
    if not _is_independent(m):
        raise NotApplicableError("joints that follow others are free in MuJoCo's forward dynamics")
    return _damped(m, s, lambda: _forward_dynamics(m, s))


def _inverse_dynamics_with_friction(m: MujocoRobot, s: CheckState) -> Array:
    def inverse() -> Array:
        _place(m, s, "qd", "qdd")
        m.mujoco.mj_inverse(m.model, m.data)
        return np.asarray(m.T.T @ np.array(m.data.qfrc_inverse)[list(m.address)])

    return _damped(m, s, inverse)


def _is_independent(m: MujocoRobot) -> bool:
    """Whether no joint follows another."""
    return m.T.shape[0] == m.T.shape[1] and np.array_equal(m.T, np.eye(len(m.T)))


def _kinetic_energy(m: MujocoRobot, s: CheckState) -> Array:
    _place(m, s, "qd")
    m.mujoco.mj_energyVel(m.model, m.data)
    return np.array(m.data.energy[1])


def _potential_energy(m: MujocoRobot, s: CheckState) -> Array:
    _place(m, s)
    m.mujoco.mj_energyPos(m.model, m.data)
    return np.array(m.data.energy[0])


def _forward_kinematics(m: MujocoRobot, s: CheckState) -> Array:
    _place(m, s)
    poses = np.zeros((len(m.body), 4, 4))
    for i, body in enumerate(m.body):
        poses[i, :3, :3] = np.array(m.data.xmat[body]).reshape(3, 3)
        poses[i, :3, 3] = m.data.xpos[body]
        poses[i, 3, 3] = 1.0
    return poses


def _body_jacobian(m: MujocoRobot, s: CheckState) -> Array:
    """MuJoCo's Jacobians are in world axes; ours in the body's, linear part first."""
    _place(m, s)
    count = len(m.address)
    linear, angular = np.zeros((3, count)), np.zeros((3, count))
    blocks: list[Array] = []
    for body in m.body:
        m.mujoco.mj_jacBody(m.model, m.data, linear, angular, body)
        R = np.array(m.data.xmat[body]).reshape(3, 3)
        blocks.append(np.vstack((R.T @ linear, R.T @ angular))[:, list(m.address)] @ m.T)
    return np.vstack(blocks)


_FUNCTIONS: dict[str, Callable[[MujocoRobot, CheckState], Array]] = {
    "inverse_dynamics": _inverse_dynamics,
    "forward_dynamics": _forward_dynamics,
    "inverse_dynamics_with_friction": _inverse_dynamics_with_friction,
    "forward_dynamics_with_friction": _forward_dynamics_with_friction,
    "mass_matrix": _mass_matrix,
    "coriolis_matrix": _coriolis_force,
    "gravity_vector": _gravity_vector,
    "regressor": _regressor_torque,
    "kinetic_energy": _kinetic_energy,
    "potential_energy": _potential_energy,
    "forward_kinematics": _forward_kinematics,
    "body_jacobian": _body_jacobian,
}
