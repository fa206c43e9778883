"""Mimic joints as an exact reduction: q_joint = multiplier * q_leader + offset, chains resolved."""

from __future__ import annotations

from symdyn._errors import InputError
from symdyn.algebra.term import ONE, ZERO, Term
from symdyn.model.description import MOVING, JointDescription, place_of
from symdyn.model.names import did_you_mean, listing, shown
from symdyn.model.robot import JointKind

_ANGLES = frozenset((JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.HELICAL))


def reduce_mimics(
    joints: dict[str, JointDescription], source: str
) -> dict[str, tuple[str, Term, Term]]:
    """Per joint: the one that owns its coordinate, multiplier and offset (chains resolved)."""
    reduced: dict[str, tuple[str, Term, Term]] = {}
    for joint in joints.values():
        chain: list[JointDescription] = []
        on_chain: set[str] = set()
        here = joint
        while here.name not in reduced and here.mimic is not None and here.kind != "fixed":
            if here.name in on_chain:
                raise InputError(
                    "mimic joints follow each other in a circle",
                    where=place_of(source, here),
                    got=" -> ".join(shown(j.name) for j in [*chain[:6], here]),
                    remedy="One joint of the circle has to be free.",
                )
            chain.append(here)
            on_chain.add(here.name)
            here = _leader(here, joints, source)
        if here.name not in reduced:
            reduced[here.name] = (here.name, ONE, ZERO)
        leader, multiplier, offset = reduced[here.name]
        for follower in reversed(chain):
            assert follower.mimic is not None
            offset = follower.mimic.multiplier * offset + follower.mimic.offset
            multiplier = follower.mimic.multiplier * multiplier
            reduced[follower.name] = (leader, multiplier, offset)
    return reduced


def _leader(
    joint: JointDescription, joints: dict[str, JointDescription], source: str
) -> JointDescription:
    """The joint that a mimic joint names, if the relation makes sense."""
    mimic = joint.mimic
    assert mimic is not None
    leader = joints.get(mimic.leader)
    place = place_of(source, joint)
    if leader is None:
        movable = [other.name for other in joints.values() if other.kind in MOVING]
        raise InputError(
            "the joint to mimic is not in the file",
            where=place,
            expected=f"a moving joint ({listing(movable)})",
            got=shown(mimic.leader),
            remedy=did_you_mean(mimic.leader, movable),
        )
    if leader.kind not in MOVING:
        raise InputError(
            "the joint to mimic does not move",
            where=place,
            expected=f"a joint of type {', '.join(MOVING)}",
            got=f"joint {shown(leader.name)} of type {shown(leader.kind)}",
        )
    if mimic.multiplier.rational == 0:
        raise InputError(
            "a mimic joint with multiplier 0 never moves",
            where=place,
            expected="a multiplier other than 0",
            got="0",
            remedy="Make the joint fixed, turned or shifted by the offset.",
        )
    return leader


def mimic_notes(
    joints: dict[str, JointDescription], reduction: dict[str, tuple[str, Term, Term]]
) -> list[str]:
    followers = [joint for joint in joints.values() if joint.mimic is not None]
    still = [joint.name for joint in followers if joint.kind == "fixed"]
    mixed = [
        joint.name
        for joint in followers
        if joint.kind in MOVING and _turns(joint) != _turns(joints[reduction[joint.name][0]])
    ]
    notes: list[str] = []
    if still:
        notes.append(f"Fixed joints do not mimic: {listing(still)}.")
    if mixed:
        notes.append(
            "A length follows an angle, or an angle a length, and the multiplier carries the unit: "
            f"{listing(mixed)}."
        )
    return notes


def _turns(joint: JointDescription) -> bool:
    return MOVING[joint.kind] in _ANGLES
