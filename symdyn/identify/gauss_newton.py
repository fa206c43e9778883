"""Gauss-Newton steps for non-linear least squares, damped where the full step does not serve.

Steps end when they no longer change the parameters. The sum of squares is no judge of that: near
its minimum it is flat to half the digits.
Source: Levenberg 1944, Marquardt 1963; Nocedal and Wright 2006, ch. 10.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from symdyn.algebra.float64 import Array

#: Of parameters x, the residuals (m,) data - model and the slopes (m, k) of the model.
Model = Callable[[Array], tuple[Array, Array]]

_STEPS = 200
_LONGEST = 2.0  # change of a logarithm in one step


@dataclass(frozen=True, slots=True)
class Descent:
    """Where the steps ended.

    Attributes
    ----------
    x : (k,)
    residuals : (m,)
    slopes : (m, k)
    is_still : whether the last step changed nothing; False if the number of steps ran out or no
        step lowered the sum of squares
    """

    x: Array
    residuals: Array
    slopes: Array
    is_still: bool

    @property
    def rss(self) -> float:
        """Sum of squared residuals."""
        return float(self.residuals @ self.residuals)


def descend(
    model: Model,
    start: Array,
    *,
    logs: Sequence[bool],
    low: Array | None = None,
    high: Array | None = None,
    floor: float = 0.0,
    still: float = 1e-14,
    steps: int = _STEPS,
    idle: float = 1e-13,
    gain: float = 0.0,
) -> Descent:
    """Walk from ``start`` to a minimum nearby.

    Parameters
    ----------
    model : residuals and slopes of given parameters
    start : (k,)
    logs : (k,) whether a parameter is positive and walks in its logarithm
    low, high : (k,) bounds; a step that leaves them ends on them
    floor : sum of squares that rounding alone may leave
    still : relative change of every parameter that ends the walk
    steps : at most
    idle : singular values of the scaled slopes below this share of the largest are rounding: a
        direction that changes nothing is not walked along
    gain : the walk ends where ten steps lower the sum of squares by less than this share of it
    """
    is_log = np.array(logs, dtype=bool)
    x = start.copy()
    r, slopes = model(x)
    cost = float(r @ r)
    damping = 0.0
    if not (np.isfinite(cost) and np.isfinite(slopes).all()):
        return Descent(x, r, slopes, is_still=False)
    before = cost
    for count in range(1, steps + 1):
        if gain and count % 10 == 0:
            if before - cost <= gain * before:
                break
            before = cost
        scaled = slopes * np.where(is_log, x, 1.0)
        size = np.linalg.norm(scaled, axis=0)
        size = np.where(size > 0, size, 1.0)
        step = _damped(scaled / size, r, damping, idle) / size
        trial = np.where(is_log, x * np.exp(np.clip(step, -_LONGEST, _LONGEST)), x + step)
        if low is not None and high is not None:
            trial = np.clip(trial, low, high)
        largest = np.maximum(np.abs(trial), np.abs(x))
        moved = float(np.max(np.abs(trial - x) / np.where(largest > 0, largest, 1.0), initial=0.0))
        r_new, slopes_new = model(trial)
        new = float(r_new @ r_new)
        is_usable = np.isfinite(new) and np.isfinite(slopes_new).all()
        if is_usable and new <= cost * (1 + 1e-12) + floor:
            x, r, slopes, cost = trial, r_new, slopes_new, new
            damping = damping / 10 if damping > 1e-8 else 0.0
            if moved <= still:
                return Descent(x, r, slopes, is_still=True)
        else:
            damping = max(10 * damping, 1e-6)
            if damping > 1e8:
                break
    return Descent(x, r, slopes, is_still=False)


def _damped(slopes: Array, r: Array, damping: float, idle: float) -> Array:
    """Least-squares step; directions that change nothing get none."""
    m, k = slopes.shape
    left, y = slopes, r
    if m > 3 * k:
        Q, left = np.linalg.qr(slopes)
        y = Q.T @ r
    if damping > 0:
        left = np.concatenate((left, np.sqrt(damping) * np.eye(k)))
        y = np.append(y, np.zeros(k))
    return np.asarray(np.linalg.lstsq(left, y, rcond=idle)[0], dtype=np.float64)
