"""A law at high speed: a level and a viscous coefficient, which is all that many programs know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.protocol import Algebra
from symdyn.friction.law import FrictionLaw


@dataclass(frozen=True, slots=True)
class Asymptote:
    """F(v) tends to level sign(v) + viscous v as |v| grows [N m, N m s/rad].

    ``lost`` names what of the law that leaves out, one sentence each.
    """

    level: float
    viscous: float
    lost: tuple[str, ...]


def asymptote(
    A: Algebra[float],
    law: FrictionLaw,
    parameters: Mapping[str, float],
    signals: Mapping[str, float] | None = None,
) -> Asymptote:
    """Level and viscous coefficient of a law far above its Stribeck velocity.

    Of a law that differs between the directions, the mean of both.

    Parameters
    ----------
    A : doubles, `symdyn.algebra.float64.FLOAT64`
    law, parameters : the law and its parameters
    signals : values of the law's signals

    Raises
    ------
    InputError : parameters outside their domains, or a signal without a value
    UnsupportedError : the law grows in another way than v
    """
    u = dict(signals or {})
    p = law.check(parameters, signals=u)
    missing = [q.name for q in law.signals if q.name not in u]
    if missing:
        raise InputError(
            "a signal has no value",
            where=f"friction law {law.name}",
            expected=", ".join(missing),
        )
    if law.ends is None:
        raise UnsupportedError(
            f"the law {law.name} does not tend to a level plus a viscous part; no level and "
            "coefficient stand for it."
        )
    at_zero, level, viscous = law.ends(A, u, p)
    lost: list[str] = []
    if law.states:
        lost.append("the states: presliding, frictional lag, memory")
    if at_zero == 0 and level > 0:
        lost.append("the smoothing: near rest the law grows from 0, it does not jump")
    if at_zero not in (0.0, level):
        lost.append(f"the fall from {at_zero:.6g} to {level:.6g} N m at low speed")
    elif law.at_rest is not None and law.at_rest(A, u, p)[1] > level:
        lost.append(f"the break-away level {law.at_rest(A, u, p)[1]:.6g} N m")
    if law.signals:
        lost.append("the dependence on " + " and ".join(q.name for q in law.signals))
    speed = 1e6 * (1 + abs(level))  # where the two directions are compared
    odd = -law.steady(A, -speed, [], u, p)
    if odd != law.steady(A, speed, [], u, p):
        level, viscous = _backward(A, law, u, p, level, viscous)
        lost.append("the difference between the directions: their mean is taken")
    return Asymptote(level, viscous, tuple(lost))


def _backward(
    A: Algebra[float],
    law: FrictionLaw,
    u: Mapping[str, float],
    p: Mapping[str, float],
    level: float,
    viscous: float,
) -> tuple[float, float]:
    """Mean of the asymptotes of both directions; backwards they are straight from rest on."""
    back = -law.steady(A, -1.0, [], u, p), -law.steady(A, -2.0, [], u, p)
    slope = back[1] - back[0]
    return (level + back[0] - slope) / 2, (viscous + slope) / 2
