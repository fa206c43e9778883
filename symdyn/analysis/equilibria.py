"""Velocities at which a joint under a constant torque stays as it is, and which of them are stable.

J dv/dt = tau - F(v). With a set-valued Stribeck or Coulomb law the joint rests under |tau| up to
the break-away level; it runs steadily where F(v) = tau, stably where F rises there. Nothing is
divided by the viscous coefficient, so b = 0 has its own cases: no speed, one, or every speed. Other
laws are followed over the stretches on which they rise and fall (`law_curve`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis.law_curve import FASTEST, SLOWEST, checked, side_curve, stretches
from symdyn.analysis.sizes import check_sizes
from symdyn.analysis.steady_curve import StribeckCurve, shape
from symdyn.friction.law import FrictionLaw

#: A level stretch is met by a torque that differs from it by no more than this part.
_ROUNDING = 4e-16


class Stability(Enum):
    """What a small push does to an equilibrium."""

    STABLE = "stable"
    UNSTABLE = "unstable"
    MARGINAL = "marginal"


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """One velocity, or an interval of velocities, that a constant torque keeps.

    Attributes
    ----------
    lower, upper : ends of the interval of velocities [rad/s]; equal for a single velocity; an end
        may be infinite, then it does not belong to it
    stability : MARGINAL where neighbours are equilibria too, at the edge of break-away, and where
        the curve is level at the speed
    """

    lower: float
    upper: float
    stability: Stability

    @property
    def is_rest(self) -> bool:
        """Whether it is the joint at rest."""
        return self.lower == 0 == self.upper


def equilibria(curve: StribeckCurve, torque: float) -> tuple[Equilibrium, ...]:
    """All equilibria under a constant torque, in order of velocity.

    Parameters
    ----------
    curve : a set-valued law, which at rest takes every value up to its break-away level Fs
    torque : applied, load included [N m]

    Returns
    -------
    tuple, empty if there is none

    Raises
    ------
    InputError : the torque is not finite
    """
    _check(torque)
    rest = _held(-curve.Fs, curve.Fs, torque)
    return _in_order(_running(curve, torque), _running(curve, -torque), rest)


def law_equilibria(
    law: FrictionLaw,
    parameters: Mapping[str, float],
    torque: float,
    signals: Mapping[str, float] | None = None,
) -> tuple[Equilibrium, ...]:
    """All equilibria of a joint with any law under a constant torque, in order of velocity.

    At rest a set-valued law holds what lies in its interval, bristles what is below the start of
    their steady curve, and a formula with a value at 0 that value alone.

    Parameters
    ----------
    law, parameters : the law and its parameters
    torque : applied, load included [N m]
    signals : load, temperature, position, held constant; 0 if left out

    Raises
    ------
    InputError : the torque is not finite, or parameters outside their domains
    """
    _check(torque)
    p, u = checked(law, parameters, signals)
    forward = list(_side(law, p, u, torque, forward=True))
    backward = list(_side(law, p, u, -torque, forward=False))
    return _in_order(forward, backward, _rest(law, p, u, torque))


def _check(torque: float) -> None:
    if not math.isfinite(torque):
        raise InputError("the torque is not finite", got=repr(torque))
    check_sizes("equilibria", {"torque": torque})


def _in_order(
    forward: Iterable[Equilibrium], backward: Iterable[Equilibrium], rest: Stability | None
) -> tuple[Equilibrium, ...]:
    found = [*forward, *(Equilibrium(-e.upper, -e.lower, e.stability) for e in backward)]
    if rest is not None:
        found.append(Equilibrium(0.0, 0.0, rest))
    return tuple(sorted(found, key=lambda e: (e.lower, e.upper)))


def _held(low: float, high: float, torque: float) -> Stability | None:
    """Rest under a torque within an interval of forces; None beyond it."""
    if not low <= torque <= high:
        return None
    return Stability.MARGINAL if torque in (low, high) else Stability.STABLE


def _rest(
    law: FrictionLaw, p: Mapping[str, float], u: Mapping[str, float], torque: float
) -> Stability | None:
    if law.at_rest is not None:
        return _held(*law.at_rest(FLOAT64, u, p), torque)
    if law.states and law.ends is not None:
        level = law.ends(FLOAT64, u, p)[0]
        return _held(-level, level, torque)
    if torque != law.steady(FLOAT64, 0.0, [], u, p):
        return None
    above = law.steady(FLOAT64, SLOWEST, [], u, p) - torque
    if above == 0:
        return Stability.MARGINAL
    return Stability.STABLE if above > 0 else Stability.UNSTABLE


def _side(
    law: FrictionLaw,
    p: Mapping[str, float],
    u: Mapping[str, float],
    torque: float,
    *,
    forward: bool,
) -> Iterator[Equilibrium]:
    """Equilibria with v > 0 of the law, or of its mirror image."""
    curve = side_curve(law, p, u, forward=forward)
    if curve is not None:
        yield from _running(curve, torque)
        return

    def over(v: float) -> float:
        return law.steady(FLOAT64, v, [], u, p) - torque

    found = stretches(law, p, u)
    levels = {end for s in found if s.trend == 0 for end in (s.low, s.high)}
    for s in found:
        low, high = max(s.low, SLOWEST), min(s.high, FASTEST)
        at_low, at_high = over(low), over(high)
        if s.trend == 0:
            if abs(at_low) <= _ROUNDING * abs(torque):
                yield Equilibrium(s.low, s.high, Stability.MARGINAL)
        elif at_high == 0 and s.high < math.inf and s.high not in levels:
            yield Equilibrium(high, high, Stability.MARGINAL)
        elif at_low < 0 < at_high or at_high < 0 < at_low:
            v = _bisect(over, low, high)
            yield Equilibrium(v, v, Stability.STABLE if s.trend > 0 else Stability.UNSTABLE)


def _running(curve: StribeckCurve, torque: float) -> Iterator[Equilibrium]:
    """Equilibria with v > 0."""
    if curve.b == 0 and curve.drop == 0:
        if torque == curve.Fc:
            yield Equilibrium(0.0, math.inf, Stability.MARGINAL)
        return
    stationary = [v for v, _ in shape(curve).stationary]
    ends = [0.0, *stationary, math.inf]
    for v, force in shape(curve).stationary:
        if force == torque:
            yield Equilibrium(v, v, Stability.MARGINAL)
    for low, high in pairwise(ends):
        v = _root(curve, torque, low, high)
        if v is None:
            continue
        rises = _at(curve, high, torque) > _at(curve, low, torque)
        yield Equilibrium(v, v, Stability.STABLE if rises else Stability.UNSTABLE)


def _at(curve: StribeckCurve, v: float, torque: float) -> float:
    """F - torque for v >= 0, with its limits at 0 and infinity."""
    if v == 0:
        return curve.Fs - torque
    if v == math.inf:
        return curve.b * math.inf if curve.b else curve.Fc - torque
    return curve.force(v) - torque


def _root(curve: StribeckCurve, torque: float, low: float, high: float) -> float | None:
    """Where the curve meets the torque inside of an open interval on which it is monotone."""
    a, b = _at(curve, low, torque), _at(curve, high, torque)
    if not (a < 0 < b or b < 0 < a):
        return None
    if curve.b == 0:
        # Fc + drop e^{-r^alpha} = torque
        y = -math.log((torque - curve.Fc) / curve.drop)
        return curve.vs * math.pow(y, 1 / curve.alpha)
    if high == math.inf:
        high = max(2 * low, curve.vs)
        while (_at(curve, high, torque) > 0) != (b > 0):
            high *= 2
    found = _bisect(lambda v: _at(curve, v, torque), low, high)
    return _polished(curve, torque, found, low, high)


def _bisect(f: Callable[[float], float], low: float, high: float) -> float:
    """A root to the last bit or nearly: halving of the interval, in ratio where that is wide."""
    rises = f(high) > 0
    for _ in range(2200):
        wide = low > 0 and high > 2 * low
        middle = math.sqrt(low) * math.sqrt(high) if wide else low + (high - low) / 2
        if not low < middle < high:
            break
        if (f(middle) > 0) == rises:
            high = middle
        else:
            low = middle
    return low + (high - low) / 2


def _polished(curve: StribeckCurve, torque: float, v: float, low: float, high: float) -> float:
    """One step of Newton's method; kept if it stays inside."""
    slope = curve.slope(v)
    if slope == 0 or not math.isfinite(slope):
        return v
    better = v - _at(curve, v, torque) / slope
    return better if low < better < high else v
