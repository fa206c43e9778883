"""Rotor inertias in the transmissions of a URDF file.

The specification has no rotor inertia; Drake's extension (``drake:rotor_inertia``,
``drake:gear_ratio``) and the plain spelling ``rotorInertia`` beside ``mechanicalReduction`` are
read. The inertia that the joint feels is N^2 J. A reduction without a rotor inertia has no effect.
"""

from __future__ import annotations

from symdyn._errors import InputError, counted
from symdyn.algebra.term import ONE, Term, number
from symdyn.io.decimal_text import read_numbers
from symdyn.io.xml_tree import Element
from symdyn.model.names import shown

_ROTOR = frozenset(("rotorInertia", "rotor_inertia", "drake:rotor_inertia"))
_RATIO = frozenset(("mechanicalReduction", "gear_ratio", "drake:gear_ratio"))


def read_armatures(root: Element, source: str) -> dict[str, Term]:
    """N^2 J of each joint whose transmission states a rotor inertia J. [kg m^2 | kg]

    Raises
    ------
    InputError : a transmission with a rotor inertia names no joint or several, or repeats a number
    """
    armatures: dict[str, Term] = {}
    for transmission in root.named("transmission"):
        parts = transmission.descendants()
        rotor = _value(parts, _ROTOR, source)
        if rotor is None:
            continue
        ratio = _value(parts, _RATIO, source) or ONE
        names = list(dict.fromkeys(
            part.attributes["name"]
            for part in parts
            if part.tag == "joint" and "name" in part.attributes
        ))  # fmt: skip
        where = f"{source}, line {transmission.line}, transmission"
        if len(names) != 1:
            raise InputError(
                "a transmission with a rotor inertia has to name one joint",
                where=where,
                got=counted(len(names), "joint"),
                remedy="Write one <transmission> for each joint.",
            )
        if names[0] in armatures:
            raise InputError(
                f"a second transmission states a rotor inertia for joint {shown(names[0])}",
                where=where,
                remedy="Delete one of the two.",
            )
        armatures[names[0]] = ratio * ratio * rotor
    return armatures


def _value(parts: list[Element], tags: frozenset[str], source: str) -> Term | None:
    found = [part for part in parts if part.tag in tags]
    if not found:
        return None
    where = f"{source}, line {found[-1].line}, transmission {shown(found[-1].tag)}"
    if len(found) > 1:
        raise InputError(
            "the same number is stated twice in one transmission",
            where=where,
            remedy="Delete one of the two.",
        )
    text = found[0].attributes.get("value", found[0].text)
    return number(read_numbers(text, 1, where)[0].value)
