"""Bristle stiffness from presliding: how far a joint gives way before it slides.

Loaded slowly from rest, a LuGre joint below break-away follows (dz/dq = 1 - s0 z/Fs, F = s0 z)

    q = -(Fs/s0) ln(1 - F/Fs),

a spring of stiffness s0 at first, softer near Fs. For a known Fs the inverse stiffness is linear;
else Fs is searched above the largest torque. Damping, inertia and viscous friction are left out: at
a ramp of r N m/s the stiffness comes out wrong by about s1 r/(s0 F).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.identify.chance import f_quantile, t_quantile
from symdyn.identify.estimate import Estimate, held, identified, unknown
from symdyn.identify.gauss_newton import descend
from symdyn.identify.least_squares import solve
from symdyn.identify.samples import check_noise, same_length, series

_WHERE = "fit of presliding"
#: Break-away levels that are searched, as shares of the largest torque.
_FACTORS = 1 + np.geomspace(1e-6, 1e15, 421)


@dataclass(frozen=True, slots=True)
class PreslidingFit:
    """Stiffness of the bristles.

    Attributes
    ----------
    estimates : sigma0, Fs and the position of the unloaded joint
    stiffness, break_away, origin : their values in the best fit
    noise : standard deviation of one position [rad]
    torque, position : (m,) the points
    residuals : (m,) [rad]
    """

    estimates: tuple[Estimate, ...]
    stiffness: float
    break_away: float
    origin: float
    noise: float
    torque: Array
    position: Array
    residuals: Array

    def curve(self, torque: ArrayLike) -> Array:
        """Position at a torque below break-away [rad]."""
        F = np.asarray(torque, dtype=np.float64)
        return self.origin + _compliance(F, self.break_away) / self.stiffness


def _compliance(F: Array, Fs: float | Array) -> Array:
    """Position times stiffness, odd in the torque."""
    return -Fs * np.sign(F) * np.log1p(-np.abs(F) / Fs)


def fit_presliding(
    torque: ArrayLike,
    position: ArrayLike,
    *,
    break_away: float | None = None,
    noise: float | None = None,
    confidence: float = 0.95,
) -> PreslidingFit:
    """Fit the stiffness of bristles to a slow loading from rest.

    Parameters
    ----------
    torque : (m,) the loading only, of one direction, below break-away [N m]
    position : (m,) [rad]; that of the unloaded joint is fitted too
    break_away : Fs if it is known [N m]; else it is fitted, if the curve bends enough
    noise : known standard deviation of one position [rad]
    confidence : of the intervals

    Returns
    -------
    PreslidingFit

    Raises
    ------
    InputError : bad data, torques of both signs, or torques not below break-away
    SizeError : columns of different lengths
    """
    F, q = series("torque", torque, _WHERE), series("position", position, _WHERE)
    if noise is not None:
        noise = check_noise(noise, _WHERE)
    same_length(_WHERE, torque=F, position=q)
    peak = float(np.max(np.abs(F)))
    if peak == 0 or (np.min(F) < 0 < np.max(F)):
        raise InputError(
            "the torque is zero or of both signs",
            where=_WHERE,
            expected="one loading from rest",
            got=f"{np.min(F):g} to {np.max(F):g} N m",
        )
    if break_away is not None and not peak < break_away:
        raise InputError(
            "the torque reaches break-away",
            where=_WHERE,
            expected=f"|torque| < {break_away:g}",
            got=f"{peak:g}",
            remedy="Leave out what is not presliding.",
        )
    count = 2 if break_away is not None else 3
    if F.size <= count:
        raise InputError(
            "fewer points than parameters", where=_WHERE, expected=f"more than {count}",
            got=str(F.size),
        )  # fmt: skip
    floor = (8 * np.finfo(float).eps * max(float(np.max(np.abs(q))), 1e-300)) ** 2
    degrees = 0 if noise is not None else F.size - count

    if break_away is not None:
        x, r = _for(break_away, F, q)
        Fs, is_open = break_away, False
    else:
        table = _table(peak * _FACTORS, F, q)
        at = int(np.argmin(table))
        x, r, Fs = _refine(peak * float(_FACTORS[at]), F, q, peak, F.size * floor)
        rss = float(r @ r)
        variance = noise**2 if noise is not None else max(rss / degrees, floor)
        # a spring is the limit of a large Fs
        is_open = table[-1] - rss <= f_quantile(confidence, 1, degrees) * variance
    variance = noise**2 if noise is not None else max(float(r @ r) / degrees, floor)
    columns = [_compliance(F, Fs), np.ones_like(F)]
    names = ["1/sigma0", "origin"]
    if break_away is None:
        columns.append(x[0] * _compliance_slope(F, Fs))
        names.append("Fs")
    solution = solve(np.column_stack(columns), r, names)
    sd = np.sqrt(variance * np.sum(solution.root**2, axis=1))
    quantile = t_quantile(confidence, degrees)
    if x[0] == 0:
        raise InputError("the position does not follow the torque", where=_WHERE)
    stiffness = 1 / float(x[0])
    if x[0] < 0:
        first = unknown("sigma0", "N m/rad", "The joint moves against the torque.")
    elif not solution.is_determined[0] or abs(sd[0]) > 0.5 * abs(x[0]):
        first = unknown("sigma0", "N m/rad", "The joint gives way by less than the noise.")
    else:
        first = identified("sigma0", "N m/rad", stiffness, float(sd[0]) * stiffness**2, quantile)
    if break_away is not None:
        level = held("Fs", "N m", break_away)
    elif is_open:
        level = unknown("Fs", "N m", "The curve does not bend enough below this torque.")
    else:
        level = identified("Fs", "N m", Fs, float(sd[2]), quantile)
    rest = identified("origin", "rad", float(x[1]), float(sd[1]), quantile)
    return PreslidingFit(
        estimates=(first, level, rest),
        stiffness=stiffness,
        break_away=Fs,
        origin=float(x[1]),
        noise=sqrt(variance),
        torque=F,
        position=q,
        residuals=r,
    )


def _table(levels: Array, F: Array, q: Array) -> Array:
    """Sums of squares that the best stiffness and origin leave, for each level of break-away."""
    shapes = _compliance(F, levels[:, None])
    shapes = shapes - np.mean(shapes, axis=1, keepdims=True)
    y = q - np.mean(q)
    norm = np.sum(shapes**2, axis=1)
    inverse = (shapes @ y) / np.where(norm > 0, norm, 1.0)
    return np.sum((y - inverse[:, None] * shapes) ** 2, axis=1)


def _for(Fs: float, F: Array, q: Array) -> tuple[Array, Array]:
    """Inverse stiffness and origin for a known break-away, and the residuals."""
    solution = solve(
        np.column_stack((_compliance(F, Fs), np.ones_like(F))), q, ("1/sigma0", "origin")
    )
    return solution.coefficients, solution.residuals


def _refine(Fs: float, F: Array, q: Array, peak: float, floor: float) -> tuple[Array, Array, float]:
    x, _ = _for(Fs, F, q)

    def model(p: Array) -> tuple[Array, Array]:
        shape = _compliance(F, float(p[2]))
        slopes = np.column_stack((shape, np.ones_like(F), p[0] * _compliance_slope(F, float(p[2]))))
        return q - p[0] * shape - p[1], slopes

    end = descend(
        model,
        np.array([x[0], x[1], Fs]),
        logs=[False, False, True],
        low=np.array([-np.inf, -np.inf, peak * float(_FACTORS[0])]),
        high=np.array([np.inf, np.inf, peak * float(_FACTORS[-1])]),
        floor=floor,
    )
    return end.x[:2], end.residuals, float(end.x[2])


def _compliance_slope(F: Array, Fs: float) -> Array:
    """Derivative of `_compliance` by Fs."""
    r = np.abs(F) / Fs
    # the sum of (1 - 1/k) r^k: both terms nearly cancel where r is small
    small = r * r * (1 / 2 + r * (2 / 3 + r * (3 / 4 + r * 4 / 5)))
    return -np.sign(F) * np.where(r < 1e-3, small, np.log1p(-r) + r / (1 - r))
