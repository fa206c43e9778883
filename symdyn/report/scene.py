"""What the figures show: the frames of a robot at q = 0, in plain floats, and its tree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from symdyn.algebra.float64 import FLOAT64
from symdyn.dynamics.kinematics import forward_kinematics
from symdyn.model.over import over
from symdyn.model.robot import JointKind, Robot
from symdyn.unit import rounded, theta_values

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Frame:
    """A body's frame at q = 0 in the base frame.

    Attributes
    ----------
    number : of the body, from 1; the key between both figures and the tables
    joint, body : names
    kind : of the joint
    parent : index of the parent frame, -1 for the base
    origin : [m]
    x, y, z : unit vectors of the frame
    axis : unit vector of the joint axis
    mass : [kg]
    centre : centre of mass, None for a massless body [m]
    tip : end of a body that carries no other: its farthest lumped link, or its centre of mass
    follows : the joint that a mimic joint follows, else None
    """

    number: int
    joint: str
    body: str
    kind: JointKind
    parent: int
    origin: Point
    x: Point
    y: Point
    z: Point
    axis: Point
    mass: float
    centre: Point | None
    tip: Point | None
    follows: str | None


@dataclass(frozen=True, slots=True)
class Scene:
    """All frames in the order of the bodies, and the direction of free fall [m/s^2]."""

    name: str
    base: str
    frames: tuple[Frame, ...]
    gravity: Point


def scene_of(robot: Robot) -> Scene:
    """The scene of a robot at q = 0, every joint and body by name."""
    model = over(robot, FLOAT64)
    poses = forward_kinematics(model, [0.0] * robot.n)
    theta = theta_values(robot)
    carriers = {joint.parent for joint in robot.joints}
    frames: list[Frame] = []
    for k, (joint, link, body, pose) in enumerate(
        zip(robot.joints, model.links, robot.bodies, poses, strict=True)
    ):
        columns = [(pose[0][c], pose[1][c], pose[2][c]) for c in range(4)]
        mass, *moment = theta[10 * k : 10 * k + 4]
        centre = _combine(columns, [h / mass for h in moment], columns[3]) if mass > 0 else None
        ends = [
            _combine(columns, rounded(part.translation, robot), columns[3])
            for part in body.links[1:]
        ]
        tip = max(ends, key=lambda end: math.dist(end, columns[3]), default=centre)
        frames.append(
            Frame(
                number=k + 1,
                joint=joint.name,
                body=body.name,
                kind=joint.kind,
                parent=joint.parent,
                origin=columns[3],
                x=columns[0],
                y=columns[1],
                z=columns[2],
                axis=_combine(columns, link.axis, (0.0, 0.0, 0.0)),
                mass=mass,
                centre=centre,
                tip=None if k in carriers else tip,
                follows=robot.coordinates[joint.coordinate] if joint.is_mimic else None,
            )
        )
    base = robot.base_links[0].name if robot.base_links else "base"
    return Scene(robot.name, base, tuple(frames), model.gravity)


def _combine(columns: list[Point], weights: Sequence[float], start: Point) -> Point:
    a, b, c = (
        start[i] + sum(weights[j] * columns[j][i] for j in range(3)) for i in range(3)
    )  # fmt: skip
    return a, b, c
