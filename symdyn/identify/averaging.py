"""Symmetric averaging: friction from torques at equal and opposite speeds.

At one posture tau(v) = F(v) + g + o. For friction that is odd in v, half the difference of
tau(v) and tau(-v) is F(v), and half the sum is gravity plus offset. Friction that differs between
the directions, or depends on the load, has an even part too: it stands in the half sum, and no
measurement at one posture can tell it from gravity. Both parts are returned.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.identify.samples import same_length, series

_WHERE = "symmetric averaging"


@dataclass(frozen=True, slots=True)
class SymmetricParts:
    """Odd and even part of a measured torque.

    Attributes
    ----------
    v : (k,) speeds measured in both directions, increasing, positive [rad/s]
    odd : (k,) half the difference: friction, if it is odd in v [N m]
    even : (k,) half the sum: gravity, offset, and the even part of friction [N m]
    even_spread : largest deviation of ``even`` from its mean [N m]; what is not constant in it
        depends on the speed and is therefore friction, not gravity
    unmatched : (m,) velocities that have no partner of opposite sign
    """

    v: Array
    odd: Array
    even: Array
    even_spread: float
    unmatched: Array


def symmetric_average(v: ArrayLike, tau: ArrayLike, tolerance: float = 1e-6) -> SymmetricParts:
    """Split torques at speeds of both signs into odd and even part.

    Parameters
    ----------
    v : (m,) velocities, none of them zero [rad/s]
    tau : (m,) torques at one posture [N m]
    tolerance : speeds that differ by this share of themselves are one speed; repeated points are
        averaged

    Returns
    -------
    SymmetricParts

    Raises
    ------
    InputError : not finite, a zero speed, or no speed that occurs in both directions
    SizeError : columns of different lengths
    """
    speeds, torques = series("v", v, _WHERE), series("tau", tau, _WHERE)
    same_length(_WHERE, v=speeds, tau=torques)
    if np.any(speeds == 0):
        raise InputError(
            "the speed is zero",
            where=_WHERE,
            got=f"v = 0 at point {int(np.argmax(speeds == 0)) + 1}",
            remedy="At rest there is no direction to average over: remove these points.",
        )
    order = np.argsort(np.abs(speeds), kind="stable")
    groups: list[list[int]] = []
    for k in map(int, order):
        start = abs(speeds[groups[-1][0]]) if groups else 0.0
        if groups and abs(speeds[k]) - start <= tolerance * start:
            groups[-1].append(k)
        else:
            groups.append([k])
    found: list[tuple[float, float, float]] = []
    alone: list[float] = []
    for group in groups:
        forward = [torques[k] for k in group if speeds[k] > 0]
        backward = [torques[k] for k in group if speeds[k] < 0]
        if not forward or not backward:
            alone += [float(speeds[k]) for k in group]
            continue
        plus, minus = float(np.mean(forward)), float(np.mean(backward))
        speed = float(np.mean([abs(speeds[k]) for k in group]))
        found.append((speed, 0.5 * (plus - minus), 0.5 * (plus + minus)))
    if not found:
        raise InputError(
            "no speed occurs in both directions",
            where=_WHERE,
            got=f"{speeds.size} points, |v| from {np.min(np.abs(speeds)):g} to "
            f"{np.max(np.abs(speeds)):g}",
            remedy="Measure +v and -v at the same posture, or widen the tolerance.",
        )
    table = np.array(found)
    even = table[:, 2]
    return SymmetricParts(
        v=table[:, 0],
        odd=table[:, 1],
        even=even,
        even_spread=float(np.max(np.abs(even - np.mean(even)))),
        unmatched=np.array(alone),
    )
