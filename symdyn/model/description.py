"""What a reader hands to `build_robot`: links and joints as the file states them, before any check.

Nothing here is validated or reordered; every element remembers the line it came from so that the
one validator can name it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from symdyn.algebra.term import ZERO, Term
from symdyn.model.names import shown
from symdyn.model.robot import (
    JointKind,
    JointLaw,
    Limits,
    MadeOf,
    MassMotion,
    Mat3T,
    Parameter,
    StatedInertia,
    Vec3T,
)

#: Joint kinds that move, by the word that files use.
MOVING = {kind.value: kind for kind in JointKind}


@dataclass(frozen=True, slots=True)
class LinkDescription:
    """A link: name, ten inertial parameters about its own frame origin (order of equation (7)).

    ``phi`` is None where the file states no inertial properties (the link is massless). Where the
    link's mass changes or moves, ``phi`` is that of t = 0 and ``motion`` says how. ``made_of`` is
    what the file gave in place of parameters.
    """

    name: str
    phi: tuple[Term, ...] | None
    line: int | None = None
    symbolic: tuple[bool, ...] = (True,) * 10
    stated: StatedInertia | None = None
    motion: MassMotion | None = None
    made_of: MadeOf | None = None


@dataclass(frozen=True, slots=True)
class MimicDescription:
    """q_joint = multiplier * q_leader + offset; the leader may itself be a mimic joint."""

    leader: str
    multiplier: Term
    offset: Term
    line: int | None = None


@dataclass(frozen=True, slots=True)
class JointDescription:
    """A joint; ``kind`` is a value of `JointKind` or fixed, floating, planar, spherical.

    ``axis`` is as written (any length); `build_robot` normalises it exactly. Rotation and
    translation place the child link's frame (at q = 0) in the parent link's frame.
    """

    name: str
    kind: str
    parent: str
    child: str
    rotation: Mat3T
    translation: Vec3T
    axis: Vec3T
    mimic: MimicDescription | None = None
    pitch: Term = ZERO
    armature: Term = ZERO
    damping: Term = ZERO
    friction: Term = ZERO
    limits: Limits = field(default_factory=Limits)
    line: int | None = None
    law: JointLaw | None = None


@dataclass(frozen=True, slots=True)
class RobotDescription:
    """A whole file.

    ``sibling_order`` is ``name`` (children of a link sorted by joint name, as in URDF practice) or
    ``file`` (as they stand).
    """

    name: str
    links: tuple[LinkDescription, ...]
    joints: tuple[JointDescription, ...]
    gravity: Vec3T
    source: str
    sibling_order: str = "name"
    parameters: tuple[Parameter, ...] = ()
    notes: tuple[str, ...] = ()


def place_of(source: str, element: LinkDescription | JointDescription) -> str:
    """Where an element stands, for an error: file, line, word and name."""
    word = "link" if isinstance(element, LinkDescription) else "joint"
    line = "" if element.line is None else f", line {element.line}"
    return f"{source}{line}, {word} {shown(element.name)}"
