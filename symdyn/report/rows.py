"""A robot in tables: head and rows of text, for the terminal and for the report alike."""

from __future__ import annotations

import math
from dataclasses import dataclass

from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import Term, lift
from symdyn.model.over import Link, over
from symdyn.model.robot import PARAMETER_NAMES, Joint, JointKind, Robot
from symdyn.report.markdown import figure
from symdyn.state import theta_of


@dataclass(frozen=True, slots=True)
class Table:
    """Head, rows, and the columns that hold numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()


def float_of(robot: Robot, term: Term) -> float:
    """The value of an exact number of the robot, rounded once."""
    values = {p.name: FLOAT64.const(p.value) for p in robot.parameters}
    return lift([term], FLOAT64, values)[0]


def joint_table(robot: Robot) -> Table:
    """Joints in the order of the bodies: kind, place, limits, and what else they carry."""
    model = over(robot, FLOAT64)
    extra = [
        (title, name)
        for title, name in (
            ("armature [kg m²]", "armature"),
            ("damping", "damping"),
            ("friction", "friction"),
        )
        if any(float_of(robot, getattr(joint, name)) for joint in robot.joints)
    ]
    head = ("#", "joint", "kind", "on", "axis", "origin xyz [m]", "rpy [°]", "limits")
    rows: list[tuple[str, ...]] = []
    for k, (joint, link) in enumerate(zip(robot.joints, model.links, strict=True)):
        rows.append(
            (
                str(k + 1),
                joint.name,
                _kind(robot, joint, link),
                robot.bodies[joint.parent].name if joint.parent >= 0 else "base",
                _axis(link),
                _triple(link.translation),
                _triple(_rpy_degrees(link)),
                _limits(robot, joint),
                *(figure(float_of(robot, getattr(joint, name))) for _, name in extra),
            )
        )
    return Table(
        head=(*head, *(title for title, _ in extra)),
        rows=tuple(rows),
        right=(0, *range(8, 8 + len(extra))),
    )


def parameter_table(robot: Robot) -> Table:
    """The ten inertial parameters of each body about its frame origin, order of equation (7)."""
    theta = theta_of(robot)
    rows = [
        (str(k + 1), body.name, *(figure(value) for value in theta[10 * k : 10 * k + 10]))
        for k, body in enumerate(robot.bodies)
    ]
    return Table(("#", "body", *PARAMETER_NAMES), tuple(rows), (0, *range(2, 12)))


def lumped_table(robot: Robot) -> Table:
    """Links of the file that are rigidly part of a body or of the base."""
    rows = [
        (link.name, body.name, _triple([float_of(robot, t) for t in link.translation]))
        for body in robot.bodies
        for link in body.links[1:]
    ]
    rows += [
        (link.name, "base", _triple([float_of(robot, t) for t in link.translation]))
        for link in robot.base_links
    ]
    return Table(("link", "part of", "origin in that frame [m]"), tuple(rows))


def _kind(robot: Robot, joint: Joint, link: Link[float]) -> str:
    text = joint.kind.value
    if joint.kind is JointKind.HELICAL:
        text += f", {figure(link.pitch)} m/rad"
    if joint.is_mimic:
        offset = f" {'-' if link.offset < 0 else '+'} {figure(abs(link.offset))}"
        text += (
            f", = {figure(link.multiplier)} × {robot.coordinates[joint.coordinate]}"
            f"{offset if link.offset else ''}"
        )
    return text


def _axis(link: Link[float]) -> str:
    if link.axis_index >= 0:
        return f"{'-' if link.axis_sign < 0 else ''}{'xyz'[link.axis_index]}"
    return _triple(link.axis)


def _triple(values: tuple[float, ...] | list[float]) -> str:
    return ", ".join(figure(value) for value in values)


def _rpy_degrees(link: Link[float]) -> list[float]:
    """Roll, pitch, yaw of the joint frame in its parent; yaw is 0 where pitch is a quarter turn."""
    R = link.rotation
    pitch = math.atan2(-R[2][0], math.hypot(R[0][0], R[1][0]))
    if abs(R[2][0]) < 1 - 1e-14:
        roll, yaw = math.atan2(R[2][1], R[2][2]), math.atan2(R[1][0], R[0][0])
    else:
        roll, yaw = math.atan2(-R[1][2], R[1][1]), 0.0
    # residues of the arc tangent, far below the six digits shown
    return [0.0 if abs(angle) < 1e-12 else math.degrees(angle) for angle in (roll, pitch, yaw)]


def _limits(robot: Robot, joint: Joint) -> str:
    lower, upper = joint.limits.lower, joint.limits.upper
    if lower is None and upper is None:
        return "none"
    low = "-∞" if lower is None else figure(float_of(robot, lower))
    high = "∞" if upper is None else figure(float_of(robot, upper))
    unit = "m" if joint.kind is JointKind.PRISMATIC else "rad"
    return f"{low} … {high} {unit}"
