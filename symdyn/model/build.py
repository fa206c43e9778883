"""The one validating constructor: what a reader found becomes a `Robot`.

Checks names, tree shape, joint kinds, axes and mimic relations; lumps fixed links into the body
that carries them; numbers bodies depth first, so ``parent < i``. There is no recursion: a chain of
any length passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import NamedTuple, TypeVar

from symdyn._errors import InputError, UnsupportedError, counted
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import TERMS, Term, lift
from symdyn.friction.catalog import law_named
from symdyn.model.axis import unit_axis
from symdyn.model.description import (
    MOVING,
    JointDescription,
    LinkDescription,
    RobotDescription,
    place_of,
)
from symdyn.model.mass_motion import lump_motions
from symdyn.model.mimic import mimic_notes, reduce_mimics
from symdyn.model.names import check_name, did_you_mean, listing, shown
from symdyn.model.robot import Body, Joint, LumpedLink, Mat3T, Robot, Vec3T
from symdyn.model.sizes import check_sizes
from symdyn.spatial.inertia import Phi, add_phi, as_phi, move_phi, zero_phi
from symdyn.spatial.rotation import compose, identity, zero_vector

_MANY_COORDINATES = {
    "floating": "three prismatic joints (x, y, z) followed by three revolute joints",
    "planar": "two prismatic joints (x, y) followed by one revolute joint (z)",
    "spherical": "three revolute joints (x, y, z) that share an origin",
}


class _Pose(NamedTuple):
    rotation: Mat3T
    translation: Vec3T


_AT_ORIGIN = _Pose(identity(TERMS), zero_vector(TERMS))


def build_robot(description: RobotDescription) -> Robot:
    """The robot of a description.

    Parameters
    ----------
    description : links and joints in any order, as a reader found them

    Returns
    -------
    the robot: bodies numbered depth first (siblings by joint name, or as in the file), fixed links
    lumped, axes of unit length, mimic joints reduced to q_f = k q_d + b

    Raises
    ------
    InputError : the links and joints are no tree, a name is used twice or unusable, an axis is
        zero, a mimic relation leads nowhere, a friction law does not fit, a number is larger than
        1e100, or nothing moves
    UnsupportedError : a joint with several degrees of freedom
    """
    check_sizes(description)
    source = description.source
    links = _by_name(description.links, "link", source)
    joints = _by_name(description.joints, "joint", source)
    children = _tree(description, links, source)
    root = _root(description, links, source)
    steps, base = _walk(description, links, children, root, source)
    if not steps:
        raise InputError(
            "no joint moves, so there are no equations of motion",
            where=source,
            expected="at least one revolute, continuous, prismatic or helical joint",
            got=f"{counted(len(joints), 'joint')}, all fixed" if joints else "no joint",
        )
    reduction = reduce_mimics(joints, source)
    coordinates = tuple(s.joint.name for s in steps if s.joint.mimic is None)
    index = {name: i for i, name in enumerate(coordinates)}
    notes = list(description.notes)
    built: list[Joint] = []
    for step in steps:
        leader, multiplier, offset = reduction[step.joint.name]
        axis, note = _axis(step.joint, source)
        if note:
            notes.append(f"Axis of joint {shown(step.joint.name)}: {note}.")
        follows = "" if leader == step.joint.name else leader
        if step.joint.law is not None:
            notes.append(_law_note(step.joint, description))
        built.append(_joint(step, axis, index[leader], multiplier, offset, follows))
    notes.extend(mimic_notes(joints, reduction))
    bodies = tuple(_body(step.carried) for step in steps)
    notes.extend(_massless_notes(steps))
    notes.extend(
        f"Mass of link {shown(link.name)}: {link.motion.statement}"
        for step in steps
        for link, _ in step.carried
        if link.motion is not None
    )
    notes.extend(
        f"Mass of link {shown(link.name)}, not proved: {'; '.join(link.made_of.uncertain)}."
        for step in steps
        for link, _ in step.carried
        if link.made_of is not None and link.made_of.uncertain
    )
    return Robot(
        name=description.name,
        bodies=bodies,
        joints=tuple(built),
        coordinates=coordinates,
        gravity=description.gravity,
        parameters=description.parameters,
        base_links=tuple(_lumped(link, pose) for link, pose in base),
        source=PurePath(description.source).name,
        notes=tuple(notes),
    )


_E = TypeVar("_E", LinkDescription, JointDescription)
_Carried = list[tuple[LinkDescription, _Pose]]


class _Step(NamedTuple):
    """One moving joint on the walk: the body it stands on, its placement there, what it carries."""

    joint: JointDescription
    parent: int
    placement: _Pose
    carried: _Carried


def _by_name(elements: Sequence[_E], word: str, source: str) -> dict[str, _E]:
    found: dict[str, _E] = {}
    for element in elements:
        check_name(element.name, word, place_of(source, element))
        if element.name in found:
            first = found[element.name].line
            raise InputError(
                f"the name of this {word} is used twice",
                where=place_of(source, element),
                expected="unique names",
                got=f"{shown(element.name)!r}" + (f" also in line {first}" if first else ""),
            )
        found[element.name] = element
    return found


def _tree(
    description: RobotDescription, links: dict[str, LinkDescription], source: str
) -> dict[str, list[JointDescription]]:
    """Joints by the name of the parent link, siblings in order; a link has one parent at most."""
    joints = description.joints
    if description.sibling_order == "name":
        joints = tuple(sorted(joints, key=lambda joint: joint.name))
    elif description.sibling_order != "file":
        raise InputError(
            "unknown order of siblings", expected="name or file", got=description.sibling_order
        )
    children: dict[str, list[JointDescription]] = {name: [] for name in links}
    parent_of: dict[str, JointDescription] = {}
    for joint in joints:
        for end, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in links:
                raise InputError(
                    f"the {end} link is not in the file",
                    where=place_of(source, joint),
                    expected=f"a link of the file ({listing(list(links))})",
                    got=shown(name),
                    remedy=did_you_mean(name, list(links)),
                )
        if joint.parent == joint.child:
            raise InputError(
                "parent and child are the same link",
                where=place_of(source, joint),
                got=shown(joint.child),
                remedy="Name the link that the joint moves as child.",
            )
        other = parent_of.get(joint.child)
        if other is not None:
            raise InputError(
                f"link {shown(joint.child)} has two parents",
                where=place_of(source, joint),
                expected="a tree, in which each link is the child of one joint",
                got=f"joints {shown(other.name)} and {shown(joint.name)}",
                remedy="Closed loops have to be cut: drop one of the two joints.",
            )
        parent_of[joint.child] = joint
        children[joint.parent].append(joint)
    return children


def _root(
    description: RobotDescription, links: dict[str, LinkDescription], source: str
) -> LinkDescription:
    if not links:
        raise InputError("there is no link", where=source, expected="two links and a joint")
    carried = {joint.child for joint in description.joints}
    roots = [link for link in description.links if link.name not in carried]
    if not roots:
        raise _cycle(description, set(links), source)
    if len(roots) > 1:
        raise InputError(
            f"{len(roots)} links have no parent",
            where=place_of(source, roots[1]),
            expected="one base link that all others hang on",
            got=listing([link.name for link in roots]),
            remedy="Connect them by fixed joints or delete the link that is not used.",
        )
    return roots[0]


def _cycle(description: RobotDescription, among: set[str], source: str) -> InputError:
    """The error for a set of links in which each has a parent in the set."""
    parent_joint = {joint.child: joint for joint in description.joints}
    name = next(link.name for link in description.links if link.name in among)
    seen: dict[str, None] = {}
    while name not in seen:
        seen[name] = None
        name = parent_joint[name].parent
    path = list(seen)
    loop = path[path.index(name) :][::-1]
    first = loop.index(name)
    loop = loop[first:] + loop[:first]
    return InputError(
        "the links form a cycle",
        where=place_of(source, parent_joint[loop[0]]),
        expected="a tree",
        got=" -> ".join(
            shown(n) for n in [*loop[:6], *(["..."] if len(loop) > 6 else []), loop[0]]
        ),
        remedy="Closed loops have to be cut: drop one joint of the cycle.",
    )


def _walk(
    description: RobotDescription,
    links: dict[str, LinkDescription],
    children: dict[str, list[JointDescription]],
    root: LinkDescription,
    source: str,
) -> tuple[list[_Step], _Carried]:
    """Depth first from the root: the moving joints in order, and what is fixed to the base."""
    steps: list[_Step] = []
    base: _Carried = [(root, _AT_ORIGIN)]
    reached = {root.name}
    pending = [(joint, -1, _AT_ORIGIN) for joint in reversed(children[root.name])]
    while pending:
        joint, body, pose = pending.pop()
        link = links[joint.child]
        reached.add(link.name)
        placement = _Pose(joint.rotation, joint.translation)
        if pose is not _AT_ORIGIN:
            placement = _Pose(*compose(pose, placement))
        if joint.kind == "fixed":
            (steps[body].carried if body >= 0 else base).append((link, placement))
        elif joint.kind in MOVING:
            steps.append(_Step(joint, body, placement, [(link, _AT_ORIGIN)]))
            body, placement = len(steps) - 1, _AT_ORIGIN
        else:
            raise _unknown_kind(joint, source)
        pending.extend((child, body, placement) for child in reversed(children[link.name]))
    if len(reached) < len(links):
        raise _cycle(description, set(links) - reached, source)
    return steps, base


def _unknown_kind(joint: JointDescription, source: str) -> Exception:
    instead = _MANY_COORDINATES.get(joint.kind)
    if instead is None:
        return InputError(
            "unknown type of joint",
            where=place_of(source, joint),
            expected=", ".join([*MOVING, "fixed"]),
            got=shown(joint.kind),
        )
    return UnsupportedError(
        f"{place_of(source, joint)}: a joint of type {joint.kind} has several degrees of freedom; "
        f"symdyn covers joints with one. Model it by {instead}, "
        "with massless links between them."
    )


def _axis(joint: JointDescription, source: str) -> tuple[Vec3T, str]:
    found = unit_axis(joint.axis)
    if found is None:
        raise InputError(
            "the axis of a moving joint is zero",
            where=place_of(source, joint),
            expected="a direction such as 0 0 1",
            got="0 0 0",
        )
    return found


def _joint(
    step: _Step, axis: Vec3T, coordinate: int, multiplier: Term, offset: Term, follows: str
) -> Joint:
    joint = step.joint
    return Joint(
        name=joint.name,
        kind=MOVING[joint.kind],
        parent=step.parent,
        rotation=step.placement.rotation,
        translation=step.placement.translation,
        axis=axis,
        coordinate=coordinate,
        multiplier=multiplier,
        offset=offset,
        pitch=joint.pitch,
        armature=joint.armature,
        damping=joint.damping,
        friction=joint.friction,
        limits=joint.limits,
        follows=follows,
        law=joint.law,
    )


def _law_note(joint: JointDescription, description: RobotDescription) -> str:
    """The joint's friction law in words, after a check of its parameters.

    Raises
    ------
    InputError : no such law, a wrong number of parameters, one outside its domain, or damping and
        friction beside the law
    """
    law, place = joint.law, place_of(description.source, joint)
    assert law is not None
    known = law_named(law.name)
    names = [q.name for q in known.parameters]
    if len(law.values) != len(names):
        raise InputError(
            f"friction law {law.name}: {counted(len(law.values), 'parameter')}",
            where=place,
            expected=" ".join(names),
        )
    if joint.damping.rational != 0 or joint.friction.rational != 0:
        raise InputError(
            "damping and friction beside a friction law",
            where=place,
            remedy="Give the viscous and the Coulomb part as parameters of the law.",
        )
    declared = {p.name: FLOAT64.const(p.value) for p in description.parameters}
    values = known.check(dict(zip(names, lift(law.values, FLOAT64, declared), strict=True)), place)
    listed = ", ".join(f"{name} = {value:.6g}" for name, value in values.items())
    return f"Friction of joint {shown(joint.name)}: {known.title} ({law.name}) with {listed}."


def _phi(link: LinkDescription) -> Phi[Term]:
    return zero_phi(TERMS) if link.phi is None else as_phi(link.phi)


def _lumped(link: LinkDescription, pose: _Pose) -> LumpedLink:
    return LumpedLink(
        link.name,
        pose.rotation,
        pose.translation,
        _phi(link),
        link.line,
        link.stated,
        link.made_of,
    )


def _body(carried: _Carried) -> Body:
    """The body of a joint's child link (first) and the links fixed to it, in the first's frame."""
    first = carried[0][0]
    phi = _phi(first)
    symbolic = first.symbolic
    for link, pose in carried[1:]:
        if link.phi is None:
            continue
        phi = add_phi(phi, move_phi(pose.rotation, pose.translation, as_phi(link.phi)))
        symbolic = tuple(a or b for a, b in zip(symbolic, link.symbolic, strict=True))
    links = tuple(_lumped(*item) for item in carried)
    placed = [(_phi(link), link.motion, pose.rotation, pose.translation) for link, pose in carried]
    return Body(first.name, phi, links, symbolic, lump_motions(placed))


def _massless_notes(steps: Iterable[_Step]) -> list[str]:
    silent = [link.name for step in steps for link, _ in step.carried if link.phi is None]
    if not silent:
        return []
    return [f"No inertial properties in the file, taken as massless: {listing(silent)}."]
