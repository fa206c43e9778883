"""Ideal friction in fixed steps: Moreau's midpoint scheme, which sticks exactly and never chatters.

In the frame of `simulate.fixed_step` the next velocity w solves

    M (w - v) + h f = h (drive - bias),   f in the set-valued friction of w,

a problem of `simulate.complementarity`. The dry part is implicit, so that no regularisation and no
limit on the step is needed; what friction gains with speed enters linearised. For a block under
Coulomb friction the step is w = sgn(v) max(|v| - h Fc/m, 0), exact at every grid point before the
stop. Levels that fall with speed are taken at the old speed, to first order in h.
Source: Moreau 1988; Acary and Brogliato 2008, ch. 10.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from symdyn.algebra.float64 import Array
from symdyn.simulate.complementarity import solve_boxes
from symdyn.simulate.fixed_step import walk_steps
from symdyn.simulate.joint_friction import (
    JointFriction,
    bounds,
    check_static,
    sliding,
    slope,
    sticks,
)
from symdyn.simulate.mechanism import Actuation, Mechanism
from symdyn.simulate.trajectory import Trajectory


def simulate_moreau(
    mechanism: Mechanism,
    frictions: Sequence[JointFriction],
    actuation: Actuation,
    q0: Sequence[float],
    v0: Sequence[float],
    span: float,
    dt: float,
    *,
    every: int = 1,
) -> Trajectory:
    """Motion of a mechanism with ideal friction, in steps of ``dt``.

    Parameters
    ----------
    mechanism, frictions, actuation : as for `stick_slide.simulate_ideal`
    q0, v0 : (n,) start
    span, dt : simulated time, rounded to whole steps, and step [s]
    every : keep each ``every``-th state

    Returns
    -------
    Trajectory : events carry the time of the grid point at which the joint first rests or moves

    Raises
    ------
    UnsupportedError : a law has states
    InputError : sizes, span or step do not fit

    Examples
    --------
    >>> from symdyn.friction.coulomb import COULOMB_SET
    >>> from symdyn.simulate.mechanism import constant_inertia
    >>> block = constant_inertia([[1]]), [JointFriction(COULOMB_SET, {"Fc": 2.94, "b": 0})]
    >>> simulate_moreau(*block, lambda t, q, v: 0 * q, [0], [10], 10, 0.1).v[[30, -1], 0]
    array([1.18, 0.  ])
    """
    check_static(frictions, mechanism.n, "simulate_moreau")
    is_free = [not any(f.coordinate == k for f in frictions) for k in range(mechanism.n)]

    def boxes(q: Array, v: Array) -> _Boxes:
        dry = {f.coordinate for f in frictions if sticks(f, float(q[f.coordinate]))}
        names = [name if k in dry else "" for k, name in enumerate(mechanism.names)]
        return _Boxes(frictions, dt, is_free, names)

    return walk_steps("simulate_moreau", mechanism, boxes, actuation, q0, v0, span, dt, every)


class _Boxes:
    """Set-valued friction: between two levels at rest, on a line in sliding."""

    def __init__(
        self,
        frictions: Sequence[JointFriction],
        dt: float,
        is_free: Sequence[bool],
        sticking: Sequence[str],
    ) -> None:
        self.frictions, self.dt, self.is_free, self.sticking = frictions, dt, is_free, sticking
        self.low = self.high = self.rising = np.zeros(len(is_free))

    def begin(self, t: float, q: Array, v: Array) -> None:
        self.low, self.high, self.rising = _boxes(self.frictions, q, v)

    def solve(self, M: Array, right: Array, w: Array) -> tuple[Array, Array]:
        h = self.dt
        left = M + h * np.diag(self.rising)
        w, impulse = solve_boxes(left, right, h * self.low, h * self.high, self.is_free)
        return w, impulse / h + self.rising * w


def _boxes(frictions: Sequence[JointFriction], q: Array, v: Array) -> tuple[Array, Array, Array]:
    """Set-valued part at the present speed, and the slope that is taken implicitly.

    In sliding the set runs between the forces of both directions at the present speed, less the
    linear part; the slope is held below the secant through both, so that no set is empty.
    """
    low, high, rising = np.zeros(len(q)), np.zeros(len(q)), np.zeros(len(q))
    for f in frictions:
        k = f.coordinate
        speed = abs(float(v[k]))
        if speed == 0 or speed < f.values.get("Dv", 0.0):
            # at rest, or inside the band that Karnopp's law counts as rest
            ends = bounds(f, q[k])
            linear = max(0.0, slope(f, q[k], 0.0)) if f.law.at_rest is None else 0.0
            linear = linear if math.isfinite(linear) else 0.0
            low[k] += ends[0]
            high[k] += ends[1]
        else:
            forward, backward = sliding(f, q[k], speed), sliding(f, q[k], -speed)
            secant = (forward - backward) / (2 * speed)
            linear = min(max(0.0, slope(f, q[k], float(v[k]))), max(0.0, secant))
            low[k] += backward + linear * speed
            high[k] += forward - linear * speed
        rising[k] += linear
    return low, high, rising
