"""Ideal friction in fixed steps: Moreau's midpoint scheme, which sticks exactly and never chatters.

With M, bias and drives at the midpoint, position q_m = q + h v/2 and velocity (v + w)/2 of a first
pass, the next velocity w solves

    M (w - v) + h f = h (drive - bias),   f in the set-valued friction of w,

a problem of `simulate.complementarity`; then q + h (v + w)/2. The dry part is implicit, so that no
regularisation and no limit on the step is needed; what friction gains with speed enters linearised.
For a block under Coulomb friction the step is w = sgn(v) max(|v| - h Fc/m, 0), exact at every grid
point before the stop. Without friction the scheme is of second order in h; levels that fall with
speed are taken at the old speed, of first.
Source: Moreau 1988; Acary and Brogliato 2008, ch. 10.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.simulate.complementarity import solve_boxes
from symdyn.simulate.joint_friction import (
    JointFriction,
    bounds,
    check_static,
    sliding,
    slope,
    sticks,
)
from symdyn.simulate.mechanism import Actuation, Mechanism
from symdyn.simulate.trajectory import Event, Trajectory


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
    n = mechanism.n
    check_static(frictions, n, "simulate_moreau")
    if not (0 < dt < math.inf and 0 < span < math.inf) or every < 1:
        raise InputError(
            "span, step and stride have to be positive",
            where="simulate_moreau",
            got=f"span = {span}, dt = {dt}, every = {every}",
        )
    if len(q0) != n or len(v0) != n:
        raise InputError(f"the start needs {n} positions and velocities", where="simulate_moreau")
    q, v = np.array(q0, dtype=float), np.array(v0, dtype=float)
    steps = max(1, round(span / dt))
    work = lost = 0.0
    drive, friction = actuation(0.0, q, v), np.zeros(n)
    rows: list[tuple[float, Array, Array, Array, Array, float, float]] = []
    events: list[Event] = []
    is_free = [not any(f.coordinate == k for f in frictions) for k in range(n)]
    dry = {f.coordinate for f in frictions if sticks(f, float(q[f.coordinate]))}
    names = [name if k in dry else "" for k, name in enumerate(mechanism.names)]
    for step in range(steps):
        t = step * dt
        middle = q + dt / 2 * v
        low, high, rising = _boxes(frictions, middle, v)
        mean, w = v, v
        for _ in range(2):
            # first with bias and drives at the old velocity, then at the mean one
            terms = mechanism.terms(middle, mean)
            drive = actuation(t + dt / 2, middle, mean)
            left = terms.inertia + dt * np.diag(rising)
            right = terms.inertia @ v + dt * (drive - terms.bias)
            w, impulse = solve_boxes(left, right, dt * low, dt * high, is_free)
            friction = impulse / dt + rising * w
            mean = (v + w) / 2
        if step == 0:
            rows.append((0.0, q, v, drive, friction, work, lost))
        work += dt * float(drive @ mean)
        lost += dt * float(friction @ mean)
        events += _changes(names, t + dt, v, w)
        q, v = middle + dt / 2 * w, w
        if not bool(np.all(np.isfinite(v))):
            raise InputError(
                f"the velocity stops being finite at t = {t:g} s",
                where="simulate_moreau",
                got=f"a step of {dt:g} s",
                remedy="Take a smaller step: drives and Coriolis terms are explicit.",
            )
        if (step + 1) % every == 0:
            rows.append((t + dt, q, v, drive, friction, work, lost))
    kept = _Rows(*(np.array(column) for column in zip(*rows, strict=True)))
    energies = np.array([mechanism.terms(a, b)[2:] for a, b in zip(kept.q, kept.v, strict=True)])
    return Trajectory(
        mechanism.names, kept.times, kept.q, kept.v, kept.drive, kept.friction,
        energies[:, 0], energies[:, 1], kept.work, kept.lost, tuple(events),
    )  # fmt: skip


class _Rows(NamedTuple):
    """Columns of what was kept."""

    times: Array
    q: Array
    v: Array
    drive: Array
    friction: Array
    work: Array
    lost: Array


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


def _changes(names: Sequence[str], t: float, v: Array, w: Array) -> list[Event]:
    """Changes of the coordinates that can stick; the others have no name here."""
    out: list[Event] = []
    for name, a, b in zip(names, v.tolist(), w.tolist(), strict=True):
        if not name:
            continue
        if a != 0 and b == 0:
            out.append(Event(t, name, "stops"))
        elif a == 0 and b != 0:
            out.append(Event(t, name, f"starts {'forwards' if b > 0 else 'backwards'}"))
    return out
