"""Denavit-Hartenberg tables, standard and modified: two functions, no default between them.

Standard (Denavit & Hartenberg 1955; Siciliano et al. 2009, equation (2.52)): link frame i stands at
the *far* end of link i, joint i turns about z of frame i-1,

    A_i = Rz(theta_i) Tz(d_i) Tx(a_i) Rx(alpha_i).

Modified (Craig; Khalil & Dombre 2002, equation (3.2)): link frame i stands *on* joint i, row i
holds the a and alpha that lead from frame i-1 to joint i,

    A_i = Rx(alpha_i) Tx(a_i) Rz(theta_i) Tz(d_i).

The frames of our bodies stand on their joints. With the modified convention they *are* the link
frames. With the standard convention link i becomes two links that are rigidly one: ``link`` with
its frame on joint i (axis z of frame i-1), and ``link.dh`` in the DH frame, which carries the
inertial parameters as the table gives them. Building the robot moves them to the joint exactly and
keeps both: the body's own ten numbers, and those in the DH frame in the entry ``link.dh`` of its
list of links. A tool is attached to ``link.dh``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from symdyn._errors import InputError
from symdyn.algebra.term import ONE, TERMS, ZERO, Term, number
from symdyn.model.description import (
    JointDescription,
    LinkDescription,
    MimicDescription,
    RobotDescription,
)
from symdyn.model.robot import JointLaw, Limits, Mat3T, Parameter, StatedInertia, Vec3T
from symdyn.spatial.rotation import identity, matmul, rotation_x, rotation_z

GRAVITY: Vec3T = (ZERO, ZERO, number("-9.81"))
_Z: Vec3T = (ZERO, ZERO, ONE)
_HERE: Vec3T = (ZERO, ZERO, ZERO)
_NOTHING = (ZERO,) * 10


@dataclass(frozen=True, slots=True)
class DHRow:
    """One row: a joint and the link that it moves.

    Attributes
    ----------
    alpha, theta : angles of the convention [rad]; ``theta`` is added to q of a revolute joint
    a, d : lengths of the convention [m]; ``d`` is added to q of a prismatic joint
    joint, link : names
    kind : ``revolute``, ``continuous`` or ``prismatic``
    phi : ten inertial parameters in the order of equation (7) about the origin of the frame that
        the caller of `standard_dh` names, or of the link frame (`modified_dh`); None if massless
    symbolic : per parameter, whether it stays a free argument
    stated : what the file says about the link, for diagnosis
    armature, damping, friction, law, limits, mimic : as in
        `symdyn.model.description.JointDescription`
    line : where the row stands in its file
    """

    alpha: Term
    a: Term
    d: Term
    theta: Term
    joint: str
    link: str
    kind: str = "revolute"
    phi: tuple[Term, ...] | None = None
    symbolic: tuple[bool, ...] = (True,) * 10
    stated: StatedInertia | None = None
    armature: Term = ZERO
    damping: Term = ZERO
    friction: Term = ZERO
    limits: Limits = field(default_factory=Limits)
    mimic: MimicDescription | None = None
    line: int | None = None
    law: JointLaw | None = None


def standard_dh(
    rows: Sequence[DHRow],
    *,
    inertial_frame: str,
    name: str = "robot",
    base: str = "base",
    gravity: Vec3T = GRAVITY,
    source: str = "",
    parameters: tuple[Parameter, ...] = (),
    notes: tuple[str, ...] = (),
) -> RobotDescription:
    """The chain of a standard DH table.

    Parameters
    ----------
    rows : from the base outwards
    inertial_frame : frame in which the rows give ``phi``: ``dh`` (the link frame of the table, at
        the far end of the link) or ``joint`` (our body frame, on the joint)
    name, base : of the robot and of its fixed link
    gravity : acceleration of free fall in the base frame [m/s^2]
    source, parameters, notes : handed on

    Returns
    -------
    RobotDescription : links ``link`` (frame on the joint) and ``link.dh`` (DH frame) for every row

    Raises
    ------
    InputError : an unknown joint kind or inertial frame
    """
    if inertial_frame not in ("dh", "joint"):
        raise InputError(
            f"inertial_frame {inertial_frame!r} is not possible",
            where=source,
            expected="dh (frame at the far end of the link) or joint (frame on the joint)",
        )
    links = [LinkDescription(base, None)]
    joints: list[JointDescription] = []
    previous = base
    for row in rows:
        frame = f"{row.link}.dh"
        full = (row.phi, row.line, row.symbolic, row.stated)
        bare = (_NOTHING, row.line, row.symbolic, None)
        here, there = (bare, full) if inertial_frame == "dh" else (full, bare)
        links.append(LinkDescription(row.link, *here))
        links.append(LinkDescription(frame, *there))
        joints.append(_joint(row, source, previous, _turn_z(row.theta), _HERE))
        joints.append(
            JointDescription(
                name=f"{row.joint}.dh",
                kind="fixed",
                parent=row.link,
                child=frame,
                rotation=_turn_x(row.alpha),
                translation=(row.a, ZERO, row.d),
                axis=_Z,
                line=row.line,
            )
        )
        previous = frame
    note = (
        "Standard DH: link frame i stands at the far end of link i, the body frames used here "
        "stand on the joints (z along z of frame i-1). "
    )
    note += (
        "The inertial parameters of the table refer to the DH frames; they were moved to the "
        "joints exactly. Those in the DH frame stand under the names 'LINK.dh'."
        if inertial_frame == "dh"
        else "The inertial parameters of the table refer to the frames on the joints."
    )
    return RobotDescription(
        name, tuple(links), tuple(joints), gravity, source, "file", parameters, (*notes, note)
    )


def modified_dh(
    rows: Sequence[DHRow],
    *,
    name: str = "robot",
    base: str = "base",
    gravity: Vec3T = GRAVITY,
    source: str = "",
    parameters: tuple[Parameter, ...] = (),
    notes: tuple[str, ...] = (),
) -> RobotDescription:
    """The chain of a modified DH table; ``alpha``, ``a`` of row i lead from frame i-1 to joint i.

    Parameters
    ----------
    rows : from the base outwards; ``phi`` about the origin of the link frame
    name, base : of the robot and of its fixed link
    gravity : acceleration of free fall in the base frame [m/s^2]
    source, parameters, notes : handed on

    Raises
    ------
    InputError : an unknown joint kind
    """
    links = [LinkDescription(base, None)]
    joints: list[JointDescription] = []
    previous = base
    for row in rows:
        links.append(LinkDescription(row.link, row.phi, row.line, row.symbolic, row.stated))
        turn = _turn_x(row.alpha)
        rotation = matmul(turn, _turn_z(row.theta))
        # Tz(d) commutes with Rz(theta): the origin lies d along the new z, the third column of Rx
        place = (row.a, turn[1][2] * row.d, turn[2][2] * row.d)
        joints.append(_joint(row, source, previous, rotation, place))
        previous = row.link
    note = "Modified DH: link frame i stands on joint i; it is the body frame used here."
    return RobotDescription(
        name, tuple(links), tuple(joints), gravity, source, "file", parameters, (*notes, note)
    )


def _joint(
    row: DHRow, source: str, parent: str, rotation: Mat3T, translation: Vec3T
) -> JointDescription:
    if row.kind not in ("revolute", "continuous", "prismatic"):
        place = source if row.line is None else f"{source}:{row.line}"
        raise InputError(
            f"a row of a DH table cannot be a {row.kind!r} joint",
            where=f"{place}: row of joint {row.joint!r}",
            expected="revolute, continuous or prismatic",
        )
    return JointDescription(
        name=row.joint,
        kind=row.kind,
        parent=parent,
        child=row.link,
        rotation=rotation,
        translation=translation,
        axis=_Z,
        mimic=row.mimic,
        armature=row.armature,
        damping=row.damping,
        friction=row.friction,
        limits=row.limits,
        line=row.line,
        law=row.law,
    )


def _turn_x(angle: Term) -> Mat3T:
    return rotation_x(TERMS, TERMS.cos(angle), TERMS.sin(angle))


def _turn_z(angle: Term) -> Mat3T:
    if angle.rational == 0:
        return identity(TERMS)
    return rotation_z(TERMS, TERMS.cos(angle), TERMS.sin(angle))
