"""A robot with friction and controller as one system: friction inside the forward dynamics.

    M(q) dv/dt + C(q, v) v + g(q) + F(v, z) = tau + kp (target - q) - kd v,   dz/dt = rate(v, z)

Where mass changes or moves, the left side is that of the generalized equation (39). The right side
is the derived forward dynamics with the laws' own formulas, over any number kind; so it is
generated and compiled like every other function, friction and controller included.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from symdyn import dynamics
from symdyn._errors import InputError, SizeError, UnsupportedError
from symdyn.algebra.float64 import Array
from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Quantity
from symdyn.mass_recipes import changes
from symdyn.model.mass_motion import mass_at
from symdyn.model.over import over
from symdyn.model.robot import Robot
from symdyn.simulate.joint_friction import JointFriction
from symdyn.simulate.mechanism import Actuation, mass_powers
from symdyn.simulate.system import System


@dataclass(frozen=True, slots=True)
class RobotDrive:
    """Constant torques and a PD controller for each coordinate.

    Attributes
    ----------
    tau : (n,) constant torque [N m | N]
    kp, kd : (n,) gains
    target : (n,) positions that the controller holds [rad | m]
    """

    tau: tuple[float, ...]
    kp: tuple[float, ...]
    kd: tuple[float, ...]
    target: tuple[float, ...]

    def __post_init__(self) -> None:
        n = len(self.tau)
        for name, entries in (("kp", self.kp), ("kd", self.kd), ("target", self.target)):
            if len(entries) != n:
                raise SizeError("RobotDrive", name, n, len(entries))


def robot_drive(
    n: int,
    tau: Sequence[float] = (),
    kp: Sequence[float] = (),
    kd: Sequence[float] = (),
    target: Sequence[float] = (),
) -> RobotDrive:
    """Drives of n coordinates; what is left out is zero."""
    zero = (0.0,) * n
    return RobotDrive(*(tuple(map(float, entries)) or zero for entries in (tau, kp, kd, target)))


def actuation(drive: RobotDrive) -> Actuation:
    """The drives as a function of numbers (t, q, v)."""
    tau, kp, kd, target = map(np.array, (drive.tau, drive.kp, drive.kd, drive.target))

    def torque(t: float, q: Array, v: Array) -> Array:
        return tau + kp * (target - q) - kd * v

    return torque


def robot_system(robot: Robot, frictions: Sequence[JointFriction], drive: RobotDrive) -> System:
    """The closed loop as a system.

    Parameters
    ----------
    robot : with its own inertial parameters
    frictions : laws on its coordinates
    drive : torques and controller

    Returns
    -------
    System : states q, qd, the laws' own (``z@k`` for law k), then work of the drives and energy
        taken by friction, and works of moving mass and of sources where mass changes; numbers of
        laws and drives are parameters (``Fc@k``, ``tau[k]``, ...), whose values `system_values`
        gives; outputs are drive and friction torques

    Raises
    ------
    InputError : a friction on a coordinate that does not exist
    UnsupportedError : a law needs the load on its joint
    """
    n = robot.n
    first: list[int] = []
    states: list[Quantity] = [
        *(Quantity(f"q[{name}]", "rad | m", "position") for name in robot.coordinates),
        *(Quantity(f"qd[{name}]", "rad/s | m/s", "velocity") for name in robot.coordinates),
    ]
    parameters: list[Quantity] = []
    for k, f in enumerate(frictions):
        if not 0 <= f.coordinate < n:
            raise InputError("friction on a coordinate that does not exist", where="robot_system")
        if f.law.name == "karnopp":
            raise UnsupportedError("robot_system: karnopp needs all other torques; use ideal.")
        first.append(len(states))
        states += [replace(q, name=f"{q.name}@{k}") for q in f.law.states]
        parameters += [replace(q, name=f"{q.name}@{k}") for q in f.law.parameters]
        parameters += [
            Quantity(f"{name}@{k}", "", "signal of a friction law") for name in f.signals
        ]
    states += [
        Quantity("work", "J", "work of the drives"),
        Quantity("dissipated", "J", "energy taken by friction"),
    ]
    is_changing = changes(robot)
    if is_changing:
        states += [
            Quantity("moved_mass", "J", "work of mass that moves in the bodies"),
            Quantity("sources", "J", "work of mass that comes or goes"),
        ]
    for name in ("tau", "kp", "kd", "target"):
        parameters += [Quantity(f"{name}[{k}]", "", f"{name} of a coordinate") for k in range(n)]

    def forces(
        A: Algebra[S], x: Sequence[S], p: Mapping[str, S]
    ) -> tuple[list[S], list[S], list[S]]:
        """Drive torques, friction torques, rates of the laws' states."""
        push = [
            p[f"tau[{k}]"] + p[f"kp[{k}]"] * (p[f"target[{k}]"] - x[k]) - p[f"kd[{k}]"] * x[n + k]
            for k in range(n)
        ]
        friction = [A.const(0)] * n
        rates: list[S] = []
        numbers = _numbers(A, frictions)
        for k, f in enumerate(frictions):
            own = {q.name: p[f"{q.name}@{k}"] for q in f.law.parameters}
            m, offset = numbers[k]
            u = {name: p[f"{name}@{k}"] for name in f.signals}
            u["position"] = m * x[f.coordinate] + offset
            v = m * x[n + f.coordinate]
            z = x[first[k] : first[k] + len(f.law.states)]
            friction[f.coordinate] = friction[f.coordinate] + m * f.law.force(A, v, z, u, own)
            if f.law.rate is not None:
                rates += f.law.rate(A, v, z, u, own)
        return push, friction, rates

    def rate(A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], /) -> list[S]:
        push, friction, rates = forces(A, x, p)
        net = [a - b for a, b in zip(push, friction, strict=True)]
        model, now = over(robot, A), mass_at(robot, A, t)
        at, qd = list(x[:n]), list(x[n : 2 * n])
        powers = [_dot(A, push, qd), _dot(A, friction, qd)]
        if not is_changing:
            return [*qd, *dynamics.forward_dynamics(model, at, qd, net, now.theta), *rates, *powers]
        qdd = dynamics.generalized_forward_dynamics(
            model, at, qd, net, now.theta, now.theta_dot, now.psi, now.psi_dot
        )
        return [*qd, *qdd, *rates, *powers, *mass_powers(model, now, at, qd)]

    def observe(A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], /) -> list[S]:
        push, friction, _ = forces(A, x, p)
        return [*push, *friction]

    return System(
        name=f"{robot.name}-with-friction",
        states=tuple(states),
        parameters=tuple(parameters),
        rate=rate,
        positions=tuple(range(n)),
        outputs=tuple(
            Quantity(f"{what}[{name}]", "N m | N", f"{what} torque")
            for what in ("drive", "friction")
            for name in robot.coordinates
        ),
        observe=observe,
    )


def system_values(frictions: Sequence[JointFriction], drive: RobotDrive) -> dict[str, float]:
    """Values of the parameters of `robot_system`."""
    values: dict[str, float] = {}
    for k, f in enumerate(frictions):
        values |= {f"{q.name}@{k}": f.values[q.name] for q in f.law.parameters}
        values |= {f"{name}@{k}": value for name, value in f.signals.items()}
    for name, entries in (
        ("tau", drive.tau),
        ("kp", drive.kp),
        ("kd", drive.kd),
        ("target", drive.target),
    ):
        values |= {f"{name}[{k}]": value for k, value in enumerate(entries)}
    return values


def _numbers(A: Algebra[S], frictions: Sequence[JointFriction]) -> list[tuple[S, S]]:
    """Multiplier and offset of each friction's joint; floats are exact fractions."""
    return [(A.const(Fraction(f.multiplier)), A.const(Fraction(f.offset))) for f in frictions]


def _dot(A: Algebra[S], a: Sequence[S], b: Sequence[S]) -> S:
    total = A.const(0)
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total
