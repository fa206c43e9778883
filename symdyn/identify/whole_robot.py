"""Inertia and friction of a whole robot from one record of its motion.

    tau = Y_b(q, qd, qdd) beta + armature qdd + F(qd; friction of each joint)

The columns of the base parameters and the linear friction parameters of all joints stand in one
matrix; what of the friction is not linear (Stribeck velocities) is searched joint by joint, then
polished together with everything else. Each joint's rows are weighted by its own noise (Gautier
1997). Friction is of the coordinate: it opposes the rate of q_k.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from symdyn._errors import InputError, SizeError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.algebra.term import lift
from symdyn.friction.law import FrictionLaw
from symdyn.identify.chance import t_quantile
from symdyn.identify.estimate import Covariance, Estimate, Standing, held, identified, unknown
from symdyn.identify.grouping import Grouping, grouping, regressor_rows
from symdyn.identify.joint_laws import JointVerdict
from symdyn.identify.least_squares import LinearSolution
from symdyn.identify.projection import OFFSET
from symdyn.identify.robot_task import (
    JointFriction,
    JointTask,
    RobotTask,
    middle,
    open_parameters,
    polish,
    search,
)
from symdyn.identify.samples import check_names
from symdyn.identify.steady import bracket_of
from symdyn.model.robot import Robot

_WHERE = "identification of a robot"
_WEIGHTINGS = 3
_UNITS = {"m": "kg", "h": "kg m", "I": "kg m^2"}


@dataclass(frozen=True, slots=True)
class RobotFit:
    """A robot identified.

    Attributes
    ----------
    estimates : base parameters by their own names, then ``PARAMETER@JOINT`` of friction
    grouping : what the base parameters stand for
    laws : (n,) law that each joint was fitted with, None for none
    covariance : of the identified parameters
    noise : (n,) standard deviation of each joint's torque [N m]
    confidence : of the intervals
    rank, condition : of the weighted matrix with scaled columns
    speeds : (m, n) of the joints [rad/s]
    friction : (m, n) of the model at them, constants included [N m]
    residuals : (m, n) [N m]
    """

    estimates: tuple[Estimate, ...]
    grouping: Grouping
    laws: tuple[FrictionLaw | None, ...]
    covariance: Covariance
    noise: Array
    confidence: float
    rank: int
    condition: float
    speeds: Array
    friction: Array
    residuals: Array

    def joint(self, name: str) -> tuple[Estimate, ...]:
        """The friction of one joint."""
        friction = self.estimates[self.grouping.base.count :]
        return tuple(e for e in friction if e.name.partition("@")[2] == name)

    def verdicts(self, joints: Sequence[str]) -> tuple[JointVerdict, ...]:
        """What the record says of the friction of each joint.

        Parameters
        ----------
        joints : names of the coordinates, in order
        """
        out: list[JointVerdict] = []
        for name, law in zip(joints, self.laws, strict=True):
            fitted = [e for e in self.joint(name) if e.standing is not Standing.FIXED]
            lost = [e.name.rpartition("@")[0] for e in fitted if not e.is_identified]
            out.append(JointVerdict(name, law, tuple(lost), len(fitted)))
        return tuple(out)


def identify_robot(
    robot: Robot,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    tau: ArrayLike,
    friction: JointFriction | Sequence[JointFriction | None],
    *,
    slowest: float = 0.0,
    confidence: float = 0.95,
) -> RobotFit:
    """Fit base parameters and friction to a record of motion.

    Parameters
    ----------
    robot : kinematics, gravity and armature; its inertial parameters are not used
    q, qd, qdd : (m, n) positions, velocities, accelerations of the coordinates
    tau : (m, n) torques that the motors applied
    friction : of every joint, or one entry a coordinate with None for a joint without
    slowest : a joint with friction gives no equation while its speed is not above this [rad/s]: at
        rest its friction can be anything
    confidence : of the intervals

    Returns
    -------
    RobotFit

    Raises
    ------
    InputError : not finite, or fewer equations than parameters
    SizeError : an array that is not (m, n)
    UnsupportedError : a law with states or signals

    Notes
    -----
    A base parameter that the record does not excite is reported as not identifiable. Which
    physical parameters a base parameter stands for is in ``grouping``.
    """
    given = zip(("q", "qd", "qdd", "tau"), (q, qd, qdd, tau), strict=True)
    arrays = [_record(name, x, robot.n) for name, x in given]
    for name, x in zip(("qd", "qdd", "tau"), arrays[1:], strict=True):
        if x.shape != arrays[0].shape:
            raise SizeError(_WHERE, name, arrays[0].shape[0], x.shape[0])
    positions, rates, accelerations, torques = arrays
    found = grouping(robot)
    Y = regressor_rows(robot, positions, rates, accelerations)[:, :, list(found.columns)]
    y = (torques - _armature(robot) * accelerations).T
    entries = _entries(robot, friction)
    joints, resting = _joints(robot, entries, rates, slowest)
    used = np.ones_like(y)
    for k, joint in enumerate(joints):
        if joint is not None or robot.coordinates[k] in resting:
            used[k] = np.abs(rates[:, k]) > slowest
    task = RobotTask(found.base.independent, Y, y, used, joints)
    if np.sum(used) <= task.count:
        raise InputError(
            "fewer equations than parameters",
            where=_WHERE,
            expected=f"more than {task.count}",
            got=f"{int(np.sum(used))} in {y.shape[1]} instants",
        )
    choice, noise, opened = _fit(task, confidence)
    solution = task.solve(choice, noise)
    values = dict(zip(solution.names, map(float, solution.coefficients), strict=True))
    local = task.linearised(choice, values, noise, list(opened))
    estimates = _estimates(task, local, values, choice, opened, resting, confidence)
    sure = [e.name for e in estimates if e.is_identified]
    root = local.root[[local.names.index(n) for n in sure]]
    model = _friction(task, choice, values)
    return RobotFit(
        estimates=estimates,
        grouping=found,
        laws=tuple(entry.law if entry else None for entry in entries),
        covariance=Covariance(tuple(sure), root @ root.T),
        noise=noise,
        confidence=confidence,
        rank=local.rank,
        condition=local.condition,
        speeds=rates,
        friction=model,
        residuals=(y - Y @ np.array([values[k] for k in task.base])).T - model,
    )


def _fit(
    task: RobotTask, confidence: float
) -> tuple[dict[str, dict[str, float]], Array, dict[str, tuple[str, float]]]:
    """Non-linear parameters, noise of each joint, and which parameters are open."""
    n = task.y.shape[0]
    choice = middle(task)
    noise = np.ones(n)
    for k in range(_WEIGHTINGS):
        if choice and k == 1:  # with the noise known roughly
            choice = search(task, choice, noise)
        noise = task.spread(task.solve(choice, noise).residuals, noise)
    opened: dict[str, tuple[str, float]] = {}
    if choice:
        choice, rss = polish(task, choice, noise)
        noise = task.spread(task.solve(choice, noise).residuals, noise)
        choice, rss = polish(task, choice, noise)
        opened = open_parameters(task, choice, rss, noise, confidence)
        for name, (_, end) in opened.items():
            parameter, joint = name.split("@", 1)
            choice[joint][parameter] = end
    return choice, noise, opened


def _friction(
    task: RobotTask, choice: Mapping[str, Mapping[str, float]], values: Mapping[str, float]
) -> Array:
    """(m, n) friction of the model."""
    out = np.zeros_like(task.y.T)
    for k, joint in enumerate(task.joints):
        if joint is not None:
            rest, columns = joint.columns(choice.get(joint.name, {}))
            out[:, k] = rest + columns @ np.array([values[n] for n in joint.names])
    return out


def _estimates(
    task: RobotTask,
    local: LinearSolution,
    values: Mapping[str, float],
    choice: Mapping[str, Mapping[str, float]],
    opened: Mapping[str, tuple[str, float]],
    resting: Mapping[str, JointFriction],
    confidence: float,
) -> tuple[Estimate, ...]:
    sd = np.sqrt(np.sum(local.root**2, axis=1))
    quantile = t_quantile(confidence, int(np.sum(task.used)) - task.count)

    def one(name: str, unit: str, value: float) -> Estimate:
        at = local.names.index(name)
        if not local.is_determined[at]:
            return unknown(name, unit, local.trade(name) + ".")
        return identified(name, unit, value, float(sd[at]), quantile)

    out = [one(name, _UNITS[name[0]], values[name]) for name in task.base]
    for joint in task.joints:
        if joint is None:
            continue
        for q in joint.friction.law.parameters:
            name = f"{q.name}@{joint.name}"
            if q.name in joint.friction.fixed:
                out.append(held(name, q.unit, joint.friction.fixed[q.name]))
            elif name in opened:
                word, _ = opened[name]
                out.append(unknown(name, q.unit, f"A {word} {q.name} fits as well."))
            elif q.name in joint.brackets:
                out.append(one(name, q.unit, choice[joint.name][q.name]))
            else:
                out.append(one(name, q.unit, values[name]))
        if joint.friction.offset:
            name = f"{OFFSET}@{joint.name}"
            out.append(one(name, "N m", values[name]))
    for joint_name, friction in resting.items():
        note = f"{joint_name} never moves in this record."
        out += [unknown(f"{q.name}@{joint_name}", q.unit, note) for q in friction.law.parameters]
    return tuple(out)


def _armature(robot: Robot) -> Array:
    """(n,) rotor inertia of each coordinate; it is not fitted."""
    own = {p.name: float(p.value) for p in robot.parameters}
    out = np.zeros(robot.n)
    for joint in robot.joints:
        inertia, multiplier = lift([joint.armature, joint.multiplier], FLOAT64, own)
        out[joint.coordinate] += inertia * multiplier**2
    return out


def _record(name: str, data: ArrayLike, n: int) -> Array:
    x = np.asarray(data, dtype=np.float64)
    if x.ndim != 2 or x.shape[1] != n:
        raise SizeError(
            _WHERE, name, n, x.shape[1] if x.ndim == 2 else x.size, "Give one column a coordinate."
        )
    bad = np.argwhere(~np.isfinite(x))
    if bad.size:
        row, column = map(int, bad[0])
        raise InputError(
            f"{name} is not finite",
            where=_WHERE,
            got=f"{x[row, column]} at instant {row + 1}, coordinate {column + 1}",
        )
    return x


def _entries(
    robot: Robot, friction: JointFriction | Sequence[JointFriction | None]
) -> list[JointFriction | None]:
    """One entry a coordinate."""
    entries = [friction] * robot.n if isinstance(friction, JointFriction) else list(friction)
    if len(entries) != robot.n:
        raise SizeError(_WHERE, "friction", robot.n, len(entries))
    return list(entries)


def _joints(
    robot: Robot, entries: Sequence[JointFriction | None], rates: Array, slowest: float
) -> tuple[tuple[JointTask | None, ...], dict[str, JointFriction]]:
    """Friction to fit of every coordinate, and that of the ones that never move."""
    out: list[JointTask | None] = []
    resting: dict[str, JointFriction] = {}
    for name, entry, qd in zip(robot.coordinates, entries, rates.T, strict=True):
        if entry is not None and not np.any(np.abs(qd) > slowest):
            resting[name] = entry
            out.append(None)
        else:
            out.append(None if entry is None else _joint(name, entry, qd, slowest))
    return tuple(out), resting


def _joint(name: str, entry: JointFriction, qd: Array, slowest: float) -> JointTask:
    law: FrictionLaw = entry.law
    if law.states or law.signals:
        raise UnsupportedError(
            f"{_WHERE}: the law {law.name} has states or signals; fit one without, such as "
            "coulomb or stribeck"
        )
    names = [q.name for q in law.parameters]
    check_names(_WHERE, list(entry.fixed), names, f"parameter of {law.name}")
    free = [n for n in names if n not in entry.fixed]
    moving = qd[np.abs(qd) > slowest]
    brackets = {n: bracket_of(law, n, moving, entry.brackets) for n in free if n not in law.linear}
    return JointTask(name, entry, tuple(n for n in free if n in law.linear), brackets, qd)
