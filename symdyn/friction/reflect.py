"""Friction of a motor as the joint feels it: through an ideal gear, by the units of the parameters.

With the ratio N = motor speed over joint speed and no loss in the gear, the torque at the joint is
N times that at the motor: F_joint(v) = N F_motor(N v). So whatever is measured in N m gains a
factor N, each rad in a numerator a factor 1/N, each rad in a denominator N: levels and load times
N, viscous coefficients, stiffnesses and bristle dampings times N^2, velocities and deflections
over N. Inertia gains N^2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from symdyn._errors import InputError
from symdyn.friction.law import FrictionLaw, Quantity


def reflect(law: FrictionLaw, parameters: Mapping[str, float], ratio: float) -> dict[str, float]:
    """Parameters of the same law on the side of the joint.

    Parameters
    ----------
    law : the law
    parameters : on the side of the motor
    ratio : N = motor speed over joint speed, > 0

    Returns
    -------
    dict in the order of the law's parameters

    Raises
    ------
    InputError : parameters or ratio outside their domains
    """
    p = law.check(parameters)
    _check_ratio(ratio)
    return {q.name: p[q.name] * factor(q, ratio, p) for q in law.parameters}


def reflect_inertia(inertia: float, ratio: float) -> float:
    """Inertia of the rotor as the joint feels it, N^2 J [kg m^2]."""
    _check_ratio(ratio)
    return inertia * ratio**2


def factor(q: Quantity, ratio: float, parameters: Mapping[str, float]) -> float:
    """What a quantity of the motor is multiplied by, by its unit.

    Parameters
    ----------
    q : a parameter, state or signal of a law
    ratio : N
    parameters : values of parameters that stand as exponents in units
    """
    return math.pow(ratio, gear_power(q, parameters))


def gear_power(q: Quantity, parameters: Mapping[str, float]) -> float:
    """The power of the gear ratio in `factor`: that of N in the unit less that of rad."""
    power = 0.0
    for name, exponent in _units(q.unit, parameters):
        power += {"N": exponent, "rad": -exponent}.get(name, 0.0)
    return power


def _units(unit: str, parameters: Mapping[str, float]) -> list[tuple[str, float]]:
    """Factors of a unit with their exponents, as in ``N m s^2/rad^d``."""
    above, *below = unit.split("/")
    out: list[tuple[str, float]] = []
    for part, sign in ((above, 1.0), *((b, -1.0) for b in below)):
        for item in part.split():
            name, _, exponent = item.partition("^")
            power = parameters[exponent] if exponent in parameters else float(exponent or 1)
            out.append((name, sign * power))
    return out


def _check_ratio(ratio: float) -> None:
    if not 0 < ratio < math.inf:
        raise InputError("the gear ratio is outside its domain", expected="> 0", got=repr(ratio))
