"""Whether friction of a robot's joints can only take energy, joint by joint.

With the energy balance d/dt (T + U) = qd' tau - sum of v F(v) over the joints (an identity of the
derived functions), v F >= 0 at every joint makes friction dissipate whatever the robot does. A law
with states takes v F - dV/dt >= 0 with a storage V instead. What is decided is about the robot's
own numbers; a joint that follows another has its own velocity, so its verdict is its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.protocol import Algebra, S
from symdyn.analysis.passivity import passivity
from symdyn.dynamics.joint_friction import friction_terms, joint_friction
from symdyn.expr.verdict import Json, Verdict, VerdictKind
from symdyn.friction.coulomb import COULOMB
from symdyn.friction.law import FrictionLaw
from symdyn.model.robot import Robot
from symdyn.unit import rounded

_CLAIM = "friction of the joint only takes energy"
#: Digits and speeds at which the law itself is asked; a force below this share of the largest
#: parameter is rounding.
_DIGITS, _NOTHING = 40, 1e-30
_DECADES = range(-6, 4)


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
        values = {q.name: value for q, value in zip(d.parameters, own, strict=True)}
        if d.law is not None:
            found.append(JointPassivity(d.joint.name, d.law.name, law_passivity(d.law, values)))
        elif any(own):
            plain = {"Fc": values["friction"], "b": values["damping"]}
            found.append(JointPassivity(d.joint.name, "", law_passivity(COULOMB, plain)))
    return tuple(found)


def law_passivity(law: FrictionLaw, values: Mapping[str, float]) -> Verdict:
    """The verdict on a law, from its own force and by the criterion that is known for it.

    Friction that drives in steady sliding yields energy for ever, whatever its states store: such a
    speed refutes any law. UNKNOWN where none is found and no criterion is known.
    """
    driving = _driving_speed(law, values)
    if driving is not None:
        detail = "at v = {v:g} steady friction is {force:g}".format(**driving)
        return Verdict(VerdictKind.REFUTED, _CLAIM, detail, witness=driving, method="evaluation")
    try:
        return passivity(law, values)
    except InputError as reason:
        return Verdict(VerdictKind.UNKNOWN, _CLAIM, str(reason))


def _driving_speed(law: FrictionLaw, values: Mapping[str, float]) -> dict[str, Json] | None:
    """A velocity at which the law's steady force points forward, looked for over all decades."""
    if law.signals:
        return None
    largest = max((abs(value) for value in values.values()), default=0.0)
    for decade in _DECADES:
        for sign in (1, -1):
            v = sign * Fraction(10) ** decade
            # doubles see most, many digits are slow
            if sign * _steady(law, FLOAT64, v, values) >= 0:
                continue
            force = float(_steady(law, MpAlgebra(_DIGITS), v, values))
            if sign * force < -_NOTHING * largest:
                return {"v": float(v), "force": force}
    return None


def _steady(law: FrictionLaw, A: Algebra[S], v: Fraction, values: Mapping[str, float]) -> S:
    """The law's steady force at rest of all signals."""
    p = {name: A.const(Fraction(value)) for name, value in values.items()}
    u = {q.name: A.const(0) for q in law.signals}
    return law.steady(A, A.const(v), [A.const(0) for _ in law.states], u, p)


def driving_friction(found: tuple[JointPassivity, ...]) -> tuple[str, ...]:
    """A sentence for each joint whose friction can drive it."""
    return tuple(
        f"friction of joint {x.joint}{f', {x.law},' if x.law else ''} can drive it: "
        f"{x.verdict.detail}"
        for x in found
        if x.verdict.kind is VerdictKind.REFUTED
    )
