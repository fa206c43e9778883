"""One rule for every reader: numbers of a robot are at most 1e100 in size.

No robot has larger ones, and their squares leave the range of a double, so that every result would
be NaN. What is checked is what a file states, not what is computed from it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import Term, lift
from symdyn.model.description import (
    JointDescription,
    LinkDescription,
    RobotDescription,
    place_of,
)
from symdyn.model.names import shown
from symdyn.model.robot import PARAMETER_NAMES

#: The largest size of a number of a robot.
LARGEST = Fraction(10) ** 100
#: The same in messages.
LARGEST_TEXT = "a size of at most 1e100"
_REMEDY = "Check the unit and the exponent."


def check_sizes(description: RobotDescription) -> None:
    """Refuse numbers that no robot has.

    Raises
    ------
    InputError : a number, or the value of an expression at the declared parameters, is larger than
        1e100 in size or is not finite; the message names link or joint and the number
    """
    values: dict[str, float] = {}
    for p in description.parameters:
        place = f"{description.source}, parameter {shown(p.name)}"
        _refuse(p.value if abs(p.value) > LARGEST else 0.0, "its value", place)
        values[p.name] = float(p.value)
    known: dict[int, float] = {}
    _check({"gravity": description.gravity}, description.source, values, known)
    for link in description.links:
        _check(_of_link(link), place_of(description.source, link), values, known)
    for joint in description.joints:
        _check(_of_joint(joint), place_of(description.source, joint), values, known)


def _of_link(link: LinkDescription) -> dict[str, Sequence[Term]]:
    if link.stated is not None:
        stated = link.stated
        return {"mass": (stated.mass,), "centre of mass": stated.com, "inertia": stated.tensor}
    if link.phi is None:
        return {}
    return {name: (entry,) for name, entry in zip(PARAMETER_NAMES, link.phi, strict=True)}


def _of_joint(joint: JointDescription) -> dict[str, Sequence[Term]]:
    limits = joint.limits
    found: dict[str, Sequence[Term]] = {
        "translation": joint.translation,
        "axis": joint.axis,
        "pitch": (joint.pitch,),
        "armature": (joint.armature,),
        "damping": (joint.damping,),
        "friction": (joint.friction,),
        "limit": [
            bound
            for bound in (limits.lower, limits.upper, limits.velocity, limits.effort)
            if bound is not None
        ],
    }
    if joint.mimic is not None:
        found["mimic relation"] = (joint.mimic.multiplier, joint.mimic.offset)
    if joint.law is not None:
        found["friction law"] = joint.law.values
    return found


def _check(
    named: Mapping[str, Sequence[Term]],
    place: str,
    values: Mapping[str, float],
    known: dict[int, float],
) -> None:
    for name, terms in named.items():
        for term in terms:
            exact = term.rational
            if exact is None:
                _refuse(_value(term, values, known), f"its {name}", place)
            elif abs(exact) > LARGEST:
                _refuse(exact, f"its {name}", place)


def _value(term: Term, values: Mapping[str, float], known: dict[int, float]) -> float:
    try:
        return lift([term], FLOAT64, values, known)[0]
    except (ZeroDivisionError, OverflowError):
        return math.nan


def _refuse(value: Fraction | float, what: str, place: str) -> None:
    if abs(value) <= (float(LARGEST) if isinstance(value, float) else LARGEST):
        return
    raise InputError(
        f"{what} is no number that a robot has",
        where=place,
        expected=LARGEST_TEXT,
        got=_figure(value),
        remedy=_REMEDY,
    )


def _figure(value: Fraction | float) -> str:
    """A number of any size: 1.5e+200."""
    if isinstance(value, float):
        return f"{value:.3g}"
    digits = math.floor(math.log10(abs(value.numerator)) - math.log10(value.denominator))
    return f"{float(value / Fraction(10) ** digits):.3g}e+{digits}"
