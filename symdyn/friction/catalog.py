"""All friction laws by name: what is listed here exists for commands, targets and docs."""

from __future__ import annotations

from collections.abc import Callable

from symdyn._errors import InputError
from symdyn.friction.asymmetric import ASYMMETRIC
from symdyn.friction.bouc_wen import BOUC_WEN
from symdyn.friction.brown_mcphee import BROWN_MCPHEE
from symdyn.friction.coulomb import COULOMB, COULOMB_SET, COULOMB_SMOOTH
from symdyn.friction.dahl import DAHL
from symdyn.friction.elasto_plastic import ELASTO_PLASTIC
from symdyn.friction.hess_soom import HESS_SOOM
from symdyn.friction.karnopp import KARNOPP
from symdyn.friction.law import FrictionLaw
from symdyn.friction.load_temperature import LOAD_STRIBECK, TEMPERATURE_STRIBECK
from symdyn.friction.lugre import LUGRE, LUGRE_FADING
from symdyn.friction.makkar import MAKKAR
from symdyn.friction.maxwell_slip import generalised_maxwell_slip, maxwell_slip
from symdyn.friction.ripple import RIPPLE
from symdyn.friction.simscape import SIMSCAPE
from symdyn.friction.stribeck import STRIBECK, STRIBECK_SET, STRIBECK_SMOOTH
from symdyn.friction.table import tabulated
from symdyn.friction.viscous import VISCOUS, VISCOUS_CUBIC, VISCOUS_POWER

#: Elements of the Maxwell-slip laws of the catalogue; `maxwell_slip` makes any number.
ELEMENTS = 4
#: Points of the catalogue's table; `tabulated` makes any number.
POINTS = 4

LAWS: dict[str, FrictionLaw] = {
    law.name: law
    for law in (
        COULOMB, COULOMB_SET, COULOMB_SMOOTH,
        VISCOUS, VISCOUS_CUBIC, VISCOUS_POWER, ASYMMETRIC,
        STRIBECK, STRIBECK_SET, STRIBECK_SMOOTH,
        HESS_SOOM, MAKKAR, BROWN_MCPHEE, SIMSCAPE, tabulated(POINTS), KARNOPP,
        LOAD_STRIBECK, TEMPERATURE_STRIBECK, RIPPLE,
        DAHL, LUGRE, LUGRE_FADING, ELASTO_PLASTIC,
        maxwell_slip(ELEMENTS), generalised_maxwell_slip(ELEMENTS), BOUC_WEN,
    )
}  # fmt: skip


#: Laws of any number of elements or points, by the name before the colon.
FAMILIES: dict[str, Callable[[int], FrictionLaw]] = {
    "maxwell-slip": maxwell_slip, "gms": generalised_maxwell_slip, "table": tabulated,
}  # fmt: skip
#: More elements than anyone identifies; a bound on what a file can ask for.
_MOST = 100


def law_named(name: str) -> FrictionLaw:
    """The law called ``name``; ``gms:6`` is the generalised Maxwell slip of six elements.

    Raises
    ------
    InputError : there is none
    """
    if name in LAWS:
        return LAWS[name]
    family, _, size = name.partition(":")
    if family in FAMILIES and size.isascii() and size.isdecimal() and len(size) <= 3:
        count = int(size)
        if (2 if family == "table" else 1) <= count <= _MOST:
            return FAMILIES[family](count)
    raise InputError(
        "no such friction law",
        expected=" ".join((*LAWS, *(f"{family}:N" for family in FAMILIES))),
        got=repr(name),
        remedy="Choose from the list; `symdyn friction show` prints them.",
    )
