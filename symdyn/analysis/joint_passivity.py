"""Whether friction of a robot's joints can only take energy, joint by joint.

With the energy balance d/dt (T + U) = qd' tau - sum of v F(v) over the joints (an identity of the
derived functions), v F >= 0 at every joint makes friction dissipate whatever the robot does. A law
with states takes v F - dV/dt >= 0 with a storage V instead. What is decided is about the robot's
own numbers; a joint that follows another has its own velocity, so its verdict is its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from symdyn._errors import InputError, UnsupportedError
from symdyn.analysis.lugre_passivity import lugre_passivity
from symdyn.analysis.static_passivity import curve_passivity, static_passivity
from symdyn.analysis.steady_curve import StribeckCurve
from symdyn.dynamics.joint_friction import friction_terms, joint_friction
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.friction.law import FrictionLaw
from symdyn.friction.lugre import LUGRE, LUGRE_FADING
from symdyn.model.robot import Robot
from symdyn.unit import rounded

_CLAIM = "friction of the joint only takes energy"


@dataclass(frozen=True, slots=True)
class JointPassivity:
    """The verdict on the friction of one joint.

    Attributes
    ----------
    joint : its name
    law : name of its law; empty for a viscous and a Coulomb coefficient
    verdict : PROVED, REFUTED with a motion in which friction drives the joint, or UNKNOWN
    """

    joint: str
    law: str
    verdict: Verdict


def joint_passivity(robot: Robot) -> tuple[JointPassivity, ...]:
    """Verdicts on all joints that have friction, in the order of the joints."""
    numbers = rounded(friction_terms(robot), robot)
    found: list[JointPassivity] = []
    for d in joint_friction(robot):
        own = numbers[d.first : d.first + len(d.parameters)]
        if d.law is None:
            if any(own):
                damping, level = own
                verdict = curve_passivity(StribeckCurve(level, level, 1.0, 2.0, damping))
                found.append(JointPassivity(d.joint.name, "", verdict))
            continue
        values = {q.name: value for q, value in zip(d.parameters, own, strict=True)}
        found.append(JointPassivity(d.joint.name, d.law.name, law_passivity(d.law, values)))
    return tuple(found)


def law_passivity(law: FrictionLaw, values: Mapping[str, float]) -> Verdict:
    """The verdict on a law by the criterion that is known for it; UNKNOWN where none is."""
    try:
        if law.name in (LUGRE.name, LUGRE_FADING.name):
            return lugre_passivity(law, values)
        return static_passivity(law, values)
    except (InputError, UnsupportedError) as reason:
        return Verdict(VerdictKind.UNKNOWN, _CLAIM, str(reason))


def driving_friction(found: tuple[JointPassivity, ...]) -> tuple[str, ...]:
    """A sentence for each joint whose friction can drive it."""
    return tuple(
        f"friction of joint {x.joint}{f', {x.law},' if x.law else ''} can drive it: "
        f"{x.verdict.detail}"
        for x in found
        if x.verdict.kind is VerdictKind.REFUTED
    )
