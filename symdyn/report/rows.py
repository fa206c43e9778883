"""A robot in tables: head and rows of text, for the terminal and for the report alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from symdyn.algebra.float64 import FLOAT64
from symdyn.model.consistency import BodyDiagnosis, Consistency
from symdyn.model.over import Link, over
from symdyn.model.robot import PARAMETER_NAMES, Joint, JointKind, Robot
from symdyn.report.markdown import figure
from symdyn.report.tree_order import depth_first
from symdyn.unit import rounded, theta_values

#: What a friction law says in place of two coefficients.
_BY_LAW = ("damping", "friction")


@dataclass(frozen=True, slots=True)
class Table:
    """Head, rows, and the columns that hold numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()


def text_lines(table: Table) -> list[str]:
    """The table for a terminal, columns aligned."""
    rows = [table.head, *table.rows]
    widths = [max(len(row[c]) for row in rows) for c in range(len(table.head))]
    return [
        "  "
        + "  ".join(
            cell.rjust(widths[c]) if c in table.right else cell.ljust(widths[c])
            for c, cell in enumerate(row)
        ).rstrip()
        for row in rows
    ]


def tree_lines(robot: Robot) -> list[str]:
    """The tree of bodies, drawn with lines; a chain goes straight down. No recursion."""
    order = depth_first([joint.parent for joint in robot.joints])
    indents = dict(order)
    base = robot.base_links[0].name if robot.base_links else "base"
    lines = [f"● {base}"]
    for node, indent in order[1:]:
        branches_off = indent > indents[robot.joints[node].parent]
        before = "│ " * (indent - 1) + "├─" if branches_off else "│ " * indent
        lines.append(f"{before}○ {robot.bodies[node].name}  ({_joint_words(robot, node)})")
    return lines


def _joint_words(robot: Robot, body: int) -> str:
    joint = robot.joints[body]
    mimic = f", follows {robot.coordinates[joint.coordinate]}" if joint.is_mimic else ""
    return f"{joint.kind.value} {joint.name}{mimic}"


def joint_table(robot: Robot) -> Table:
    """Joints in the order of the bodies: kind, place, limits, and what else they carry."""
    model = over(robot, FLOAT64)
    carried = {
        "armature [kg m²]": rounded([joint.armature for joint in robot.joints], robot),
        "damping": rounded([joint.damping for joint in robot.joints], robot),
        "friction": rounded([joint.friction for joint in robot.joints], robot),
    }
    extra = {title: values for title, values in carried.items() if any(values)}
    limits = _limits(robot)
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
                limits[k],
                *(
                    "law" if joint.law is not None and title in _BY_LAW else figure(values[k])
                    for title, values in extra.items()
                ),
            )
        )
    return Table(
        head=(*head, *extra),
        rows=tuple(rows),
        right=(0, *range(8, 8 + len(extra))),
    )


def parameter_table(robot: Robot) -> Table:
    """The ten inertial parameters of each body about its frame origin, order of equation (7)."""
    theta = theta_values(robot)
    rows = [
        (str(k + 1), body.name, *(figure(value) for value in theta[10 * k : 10 * k + 10]))
        for k, body in enumerate(robot.bodies)
    ]
    return Table(("#", "body", *PARAMETER_NAMES), tuple(rows), (0, *range(2, 12)))


def consistency_table(diagnoses: Sequence[BodyDiagnosis]) -> Table:
    """Verdict, margin, cause of each body, and of each of its links that is not in order."""
    rows: list[tuple[str, ...]] = []
    for body in diagnoses:
        rows.append(_verdict_row(body, body.name))
        if len(body.links) > 1:
            rows += [
                _verdict_row(link, f"{body.name} ⊃ {link.name}")
                for link in body.links
                if not link.is_consistent or link.remarks
            ]
    return Table(("body", "verdict", "margin", "cause or remark"), tuple(rows), (2,))


def _verdict_row(diagnosis: BodyDiagnosis, name: str) -> tuple[str, ...]:
    said = [*diagnosis.causes, *diagnosis.remarks]
    if diagnosis.degenerate:
        said.insert(0, diagnosis.degenerate)
    if diagnosis.repair is not None:
        said.append(f"the only repair by a power of ten: {diagnosis.repair.text()}")
    if said and diagnosis.line is not None:
        said.append(f"line {diagnosis.line} of the file")
    margin = "" if diagnosis.verdict is Consistency.MASSLESS else f"{diagnosis.margin:.3g}"
    return name, diagnosis.verdict.value, margin, "; ".join(said)


def lumped_table(robot: Robot) -> Table:
    """Links of the file that are rigidly part of a body or of the base."""
    rows = [
        (link.name, body.name, _triple(rounded(link.translation, robot)))
        for body in robot.bodies
        for link in body.links[1:]
    ]
    rows += [
        (link.name, "base", _triple(rounded(link.translation, robot))) for link in robot.base_links
    ]
    return Table(("link", "part of", "origin in that frame [m]"), tuple(rows))


def base_mass_sentence(robot: Robot) -> str:
    """That the mass of the base is in no function; empty if it has none."""
    masses = rounded([link.phi[0] for link in robot.base_links], robot)
    if not any(masses):
        return ""
    return (
        f"The base does not move: its {figure(sum(masses))} kg are in no function. "
        "To the potential energy they would add a constant."
    )


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


def _limits(robot: Robot) -> list[str]:
    """The range of each joint; all numbers are rounded at once, which takes half the time."""
    bounds = [(joint.limits.lower, joint.limits.upper) for joint in robot.joints]
    known = [bound for pair in bounds for bound in pair if bound is not None]
    numbers = iter(rounded(known, robot))
    ranges: list[str] = []
    for joint, (lower, upper) in zip(robot.joints, bounds, strict=True):
        low = "-∞" if lower is None else figure(next(numbers))
        high = "∞" if upper is None else figure(next(numbers))
        unit = "m" if joint.kind is JointKind.PRISMATIC else "rad"
        ranges.append(f"{low} … {high} {unit}" if lower or upper else "none")
    return ranges
