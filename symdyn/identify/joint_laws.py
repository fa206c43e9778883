"""Which friction each joint of a robot is fitted with: chosen joint by joint, or the file's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from symdyn._errors import InputError, UnsupportedError
from symdyn.friction.catalog import law_named
from symdyn.friction.coulomb import COULOMB
from symdyn.friction.law import FrictionLaw
from symdyn.friction.viscous import VISCOUS
from symdyn.identify.robot_task import JointFriction
from symdyn.model.robot import Joint, Robot

_WHERE = "identification of a robot"


def laws_of_file(robot: Robot, chosen: Collection[str] = ()) -> dict[str, FrictionLaw | None]:
    """The law of each coordinate as the robot's file has it, None where it has no friction.

    Damping and Coulomb friction of a file are the law `COULOMB`, damping alone is `VISCOUS`.

    Parameters
    ----------
    robot : as read
    chosen : coordinates whose law the caller knows better; they may feel several of the file

    Raises
    ------
    UnsupportedError : a joint that follows another has friction of its own
    """
    found: dict[str, FrictionLaw | None] = dict.fromkeys(robot.coordinates)
    for joint in robot.joints:
        law = _law_of(joint)
        if law is None:
            continue
        coordinate = robot.coordinates[joint.coordinate]
        if joint.name != coordinate and coordinate not in chosen:
            raise UnsupportedError(
                f"{_WHERE}: {joint.name} follows {coordinate} and has friction of its own, so that "
                f"the coordinate may feel two laws at once. Choose one, {coordinate}=LAW."
            )
        found[coordinate] = law
    return found


def _law_of(joint: Joint) -> FrictionLaw | None:
    if joint.law is not None:
        return law_named(joint.law.name)
    if joint.friction.rational != 0:
        return COULOMB
    return VISCOUS if joint.damping.rational != 0 else None


def joint_frictions(
    robot: Robot,
    laws: Mapping[str, FrictionLaw | None],
    fixed: Mapping[str, float],
    *,
    offset: bool = True,
) -> list[JointFriction | None]:
    """What each coordinate is fitted with.

    Parameters
    ----------
    robot : whose coordinates they are
    laws : law of each coordinate, None for one without friction
    fixed : parameters that are not fitted, as ``PARAMETER`` in every joint whose law has it or as
        ``PARAMETER@JOINT`` in one
    offset : fit a constant beside each law

    Raises
    ------
    InputError : a coordinate or a parameter that does not exist, or a coordinate without an entry
    UnsupportedError : a law with states or signals
    """
    for name in laws:
        if name not in robot.coordinates:
            raise InputError(
                f"no coordinate {name!r}", where=_WHERE, expected=" ".join(robot.coordinates),
                got=name,
            )  # fmt: skip
    missing = [name for name in robot.coordinates if name not in laws]
    if missing:
        raise InputError("a joint has no law", where=_WHERE, got=" ".join(missing))
    out: list[JointFriction | None] = []
    used: set[str] = set()
    for name in robot.coordinates:
        law = laws[name]
        if law is None:
            out.append(None)
            continue
        if law.states or law.signals:
            raise UnsupportedError(
                f"{_WHERE}: the law {law.name} of {name} has states or signals; fit one without, "
                f"such as {name}=stribeck for the curve of steady sliding."
            )
        own: dict[str, float] = {}
        for q in law.parameters:
            for key in (q.name, f"{q.name}@{name}"):  # the narrower one counts
                if key in fixed:
                    own[q.name] = fixed[key]
                    used.add(key)
        out.append(JointFriction(law, own, offset))
    unused = [key for key in fixed if key not in used]
    if unused:
        raise InputError(
            f"no joint has a parameter {unused[0]!r}",
            where=_WHERE,
            expected="PARAMETER, or PARAMETER@JOINT, of a law that a joint is fitted with",
            got=unused[0],
        )
    return out


@dataclass(frozen=True, slots=True)
class JointVerdict:
    """What a record says of the friction of one joint.

    Attributes
    ----------
    joint : the coordinate
    law : that it was fitted with, None for none
    open : names of parameters that the record does not determine
    fitted : how many it was asked for
    """

    joint: str
    law: FrictionLaw | None
    open: tuple[str, ...]
    fitted: int

    @property
    def words(self) -> str:
        """The verdict."""
        if self.law is None:
            return "no friction fitted"
        if not self.open:
            return "identified"
        return "not identifiable" if len(self.open) == self.fitted else "identified in part"
