"""A robot over one number kind: what the recursions run on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic

from symdyn.algebra.protocol import Algebra, S
from symdyn.algebra.term import Term, lift
from symdyn.model.robot import JointKind, Robot

Vec3 = tuple[S, S, S]
Mat3 = tuple[Vec3[S], Vec3[S], Vec3[S]]


@dataclass(frozen=True, slots=True)
class Link(Generic[S]):
    """A joint and the body it moves, its numbers in one number kind; fields as in `robot.Joint`.

    ``axis_index`` is 0, 1 or 2 if the axis is plus or minus a coordinate axis, with ``axis_sign``
    +1 or -1; it is -1 for an axis in general position.
    """

    name: str
    kind: JointKind
    parent: int
    rotation: Mat3[S]
    translation: Vec3[S]
    axis: Vec3[S]
    axis_index: int
    axis_sign: int
    coordinate: int
    multiplier: S
    offset: S
    has_multiplier: bool
    pitch: S
    armature: S


@dataclass(frozen=True, slots=True)
class Model(Generic[S]):
    """A robot over one number kind. `links` stand in the order of the robot's bodies."""

    algebra: Algebra[S]
    n: int
    links: tuple[Link[S], ...]
    gravity: Vec3[S]


def over(robot: Robot, algebra: Algebra[S], parameters: Mapping[str, S] | None = None) -> Model[S]:
    """Carry a robot over into a number kind.

    Parameters
    ----------
    robot : the exact data
    algebra : the number kind
    parameters : values of declared parameters; those left out take the robot's own value
    """
    values = {p.name: algebra.const(p.value) for p in robot.parameters}
    values.update(parameters or {})
    flat: list[Term] = list(robot.gravity)
    for joint in robot.joints:
        flat.extend(entry for row in joint.rotation for entry in row)
        flat.extend(joint.translation)
        flat.extend(joint.axis)
        flat.extend((joint.multiplier, joint.offset, joint.pitch, joint.armature))
    numbers = lift(flat, algebra, values)
    links: list[Link[S]] = []
    for k, joint in enumerate(robot.joints):
        v = numbers[3 + 19 * k : 22 + 19 * k]
        index, sign = _coordinate_axis(joint.axis)
        links.append(
            Link(
                name=joint.name,
                kind=joint.kind,
                parent=joint.parent,
                rotation=((v[0], v[1], v[2]), (v[3], v[4], v[5]), (v[6], v[7], v[8])),
                translation=(v[9], v[10], v[11]),
                axis=(v[12], v[13], v[14]),
                axis_index=index,
                axis_sign=sign,
                coordinate=joint.coordinate,
                multiplier=v[15],
                offset=v[16],
                has_multiplier=joint.multiplier.rational != 1,
                pitch=v[17],
                armature=v[18],
            )
        )
    return Model(algebra, robot.n, tuple(links), (numbers[0], numbers[1], numbers[2]))


def _coordinate_axis(axis: tuple[Term, Term, Term]) -> tuple[int, int]:
    values = [a.rational for a in axis]
    if all(v in (0, 1, -1) for v in values) and sum(abs(v) for v in values if v is not None) == 1:
        for i, v in enumerate(values):
            if v:
                return i, 1 if v > 0 else -1
    return -1, 0
