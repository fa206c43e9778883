"""The three meanings that a joint's friction can have at rest, by name.

``ideal``: set-valued; a joint holds any load up to break-away and stops in finite time.
``regularised``: smoothed over a velocity eps; no joint ever holds, it creeps (`simulate.creep`).
``dynamic``: bristles; a joint gives way like a spring, holds, and drifts under oscillating loads.

A simulator that does not say which of them it uses has still chosen one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from symdyn._errors import InputError, UnsupportedError
from symdyn.friction.coulomb import COULOMB, COULOMB_SET, COULOMB_SMOOTH
from symdyn.friction.law import FrictionLaw
from symdyn.friction.lugre import LUGRE
from symdyn.friction.stribeck import STRIBECK, STRIBECK_SET, STRIBECK_SMOOTH
from symdyn.friction.viscous import VISCOUS, VISCOUS_CUBIC, VISCOUS_POWER


class Semantics(Enum):
    """What friction does at rest."""

    IDEAL = "ideal"
    REGULARISED = "regularised"
    DYNAMIC = "dynamic"

    @property
    def meaning(self) -> str:
        """One sentence for reports."""
        match self:
            case Semantics.IDEAL:
                return "set-valued friction: joints hold any load up to break-away"
            case Semantics.REGULARISED:
                return "smoothed friction: loaded joints creep, none of them holds"
            case Semantics.DYNAMIC:
                return "bristle friction: loaded joints give way like springs and hold"


@dataclass(frozen=True, slots=True)
class Bristles:
    """How stiff the bristles are that stand for a joint's dry friction.

    Attributes
    ----------
    give : deflection at the Coulomb level, Fc/sigma0 [rad | m]
    damping : ratio of the bristles with the inertia at the joint, sigma1 = 2 damping sqrt(sigma0 J)
    """

    give: float = 1e-4
    damping: float = 1.0


_COULOMB = (COULOMB.name, COULOMB_SET.name, COULOMB_SMOOTH.name)
_STRIBECK = (STRIBECK.name, STRIBECK_SET.name, STRIBECK_SMOOTH.name)
_VISCOUS = (VISCOUS.name, VISCOUS_CUBIC.name, VISCOUS_POWER.name)


def ideal(law: FrictionLaw, values: Mapping[str, float]) -> tuple[FrictionLaw, dict[str, float]]:
    """The set-valued law behind a law: its steady curve, with the limits at rest filled in.

    Smoothing widths are left away; what has states becomes its steady curve.
    """
    own = law.check(values)
    if law.name in _COULOMB:
        return COULOMB_SET, {k: own[k] for k in ("Fc", "b")}
    if law.name in _STRIBECK:
        return STRIBECK_SET, {k: own[k] for k in ("Fc", "Fs", "vs", "alpha", "b")}
    if law.states:
        steady = replace(
            law,
            name=f"{law.name}-steady",
            states=(),
            force=law.steady,
            rate=None,
            update=None,
            step="",
        )
        return steady, own
    return law, own


def regularised(
    law: FrictionLaw, values: Mapping[str, float], eps: float
) -> tuple[FrictionLaw, dict[str, float]]:
    """A law smoothed over the velocity eps; one that is smooth already stays as it is.

    Raises
    ------
    UnsupportedError : the law has no smoothed form
    """
    own = law.check(values)
    if law.name in (COULOMB.name, COULOMB_SET.name):
        return COULOMB_SMOOTH, {**own, "eps": eps}
    if law.name in (STRIBECK.name, STRIBECK_SET.name):
        return STRIBECK_SMOOTH, {**own, "eps": eps}
    if law.name == LUGRE.name:
        curve = {k: own[k] for k in ("Fc", "Fs", "vs", "alpha")}
        return STRIBECK_SMOOTH, {**curve, "b": own["sigma2"], "eps": eps}
    if law.states or law.at_rest is not None:
        raise UnsupportedError(f"friction law {law.name} has no regularised form; use ideal.")
    return law, own


def dynamic(
    law: FrictionLaw, values: Mapping[str, float], bristles: Bristles, inertia: float
) -> tuple[FrictionLaw, dict[str, float]]:
    """A law as LuGre friction with the same steady curve; laws with states stay as they are.

    Parameters
    ----------
    inertia : felt at the joint, for the damping of the bristles [kg m^2 | kg]

    Raises
    ------
    UnsupportedError : the steady curve is not one of LuGre friction
    InputError : the bristles are not stiff or damped by a positive number
    """
    own = law.check(values)
    if law.states or law.name in _VISCOUS:
        return law, own
    if law.name not in (*_COULOMB, *_STRIBECK):
        raise UnsupportedError(f"friction law {law.name} has no dynamic form; use ideal.")
    if not (bristles.give > 0 and bristles.damping >= 0 and inertia > 0):
        raise InputError(
            "bristles need a positive deflection and inertia, and damping >= 0",
            where="dynamic friction",
            got=f"give = {bristles.give}, damping = {bristles.damping}, inertia = {inertia}",
        )
    Fc = own["Fc"]
    if Fc == 0:
        return VISCOUS, {"b": own["b"]}
    stiffness = Fc / bristles.give
    return LUGRE, {
        "Fc": Fc,
        "Fs": own.get("Fs", Fc),
        # without a Stribeck hump its velocity and exponent do not matter
        "vs": own.get("vs", 1.0),
        "alpha": own.get("alpha", 2.0),
        "sigma0": stiffness,
        "sigma1": 2 * bristles.damping * (stiffness * inertia) ** 0.5,
        "sigma2": own["b"],
    }
