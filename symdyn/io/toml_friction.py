"""Friction of a joint in a TOML robot: two coefficients, or a law of the catalogue.

damping = 0.5, friction = 1.0
friction = { law = "stribeck", Fc = 1, Fs = 1.5, vs = 0.01, alpha = 2, b = 0.5 }
friction = { law = "coulomb", Fc = 0.01, b = 1e-4, side = "motor" }, rotor = { gear_ratio = 100 }
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symdyn._errors import InputError
from symdyn.algebra.term import TERMS, ZERO, Term
from symdyn.friction.catalog import law_named
from symdyn.friction.law import FrictionLaw
from symdyn.friction.reflect import gear_power
from symdyn.io.toml_document import Table
from symdyn.model.robot import JointLaw


@dataclass(frozen=True, slots=True)
class FrictionOfJoint:
    """What a joint or a row of a table states; ``law`` is None for the two coefficients."""

    damping: Term = ZERO
    friction: Term = ZERO
    law: JointLaw | None = None


def read_friction(table: Table) -> FrictionOfJoint:
    """The friction of a joint.

    Raises
    ------
    InputError : negative coefficients, an unknown law, a missing or unknown parameter or one
        outside its domain, ``damping`` beside a law, a motor side without a gear ratio
    """
    if not table.has("friction") or not isinstance(table.get("friction"), dict):
        return FrictionOfJoint(_not_negative(table, "damping"), _not_negative(table, "friction"))
    if table.has("damping"):
        raise table.error(
            "damping beside a friction law",
            "damping",
            remedy="Give the viscous part as a parameter of the law.",
        )
    friction = table.table("friction")
    law = _law(friction)
    names = [q.name for q in law.parameters]
    friction.allow(("law", "side", *names))
    values = [friction.number(name) for name in names]
    document = friction.document
    numbers = law.check(
        dict(zip(names, map(document.value, values), strict=True)), friction.where()
    )
    if friction.choice("side", ("joint", "motor"), "joint") == "motor":
        ratio = _gear_ratio(table, friction)
        values = [
            value * _power(ratio, gear_power(q, numbers))
            for value, q in zip(values, law.parameters, strict=True)
        ]
    return FrictionOfJoint(law=JointLaw(friction.text("law"), tuple(values)))


def _law(friction: Table) -> FrictionLaw:
    name = friction.text("law")
    try:
        return law_named(name)
    except InputError as error:
        raise friction.error(
            error.what, "law", expected=error.expected, got=error.got, remedy=error.remedy
        ) from None


def _gear_ratio(table: Table, friction: Table) -> Term:
    """The ratio of the joint's rotor, positive."""
    if not table.has("rotor"):
        raise friction.error(
            "friction on the side of the motor needs the gear",
            "side",
            expected="rotor = { inertia, gear_ratio } in the joint",
        )
    ratio = table.table("rotor").number("gear_ratio")
    if table.document.value(ratio) <= 0:
        raise friction.error(
            "friction is reflected through positive gear ratios only",
            "side",
            remedy="State it on the side of the joint.",
        )
    return ratio


def _power(base: Term, exponent: float) -> Term:
    if exponent == int(exponent):
        return TERMS.powi(base, int(exponent))
    return TERMS.binary("pow", base, TERMS.const(Fraction(exponent)))


def _not_negative(table: Table, key: str) -> Term:
    term = table.number(key, ZERO)
    if table.document.value(term) < 0:
        raise table.error("a negative value", key, expected="zero or more")
    return term
