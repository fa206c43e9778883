"""The frame of fixed steps: midpoint position, two passes, works and rows; friction is put in.

With M, bias and drives at the time t + h/2 and the position q_m = q + h v/2, the velocity w after
the step solves

    M (w - v) + h f = h (drive - bias),   f the friction of the step,

first with bias and drives at the old velocity, then at the mean one (v + w)/2; the position goes on
by h (v + w)/2. How f depends on w is what `simulate.moreau` and `simulate.implicit` add. Without
friction the scheme is of second order in h, also where M depends on the time.
Source: Moreau 1988; Acary and Brogliato 2008, ch. 10.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.simulate.mechanism import Actuation, Mechanism, motion_of
from symdyn.simulate.trajectory import Event, Trajectory


class StepFriction(Protocol):
    """Friction of one step after another.

    Attributes
    ----------
    sticking : names of the coordinates that can stick, empty for the others
    """

    sticking: Sequence[str]

    def begin(self, t: float, q: Array, v: Array) -> None:
        """A step begins at time t with velocity v; q is the position in its middle."""
        ...

    def solve(self, M: Array, right: Array, w: Array) -> tuple[Array, Array]:
        """Velocity with M w + h f(w) = right, from the guess w, and the friction f, (n,) each."""
        ...


class _Row(NamedTuple):
    """What is kept of a time, or all that is kept, as columns."""

    q: Array
    v: Array
    drive: Array
    friction: Array
    works: Array


def walk_steps(
    where: str,
    mechanism: Mechanism,
    friction_from: Callable[[Array, Array], StepFriction],
    actuation: Actuation,
    q0: Sequence[float],
    v0: Sequence[float],
    span: float,
    dt: float,
    every: int,
) -> Trajectory:
    """Motion of a mechanism in steps of ``dt``.

    Parameters
    ----------
    where : name of the scheme, for messages
    mechanism, actuation : as for `stick_slide.simulate_ideal`
    friction_from : gives the scheme's friction from the start (q, v)
    q0, v0 : (n,) start
    span, dt : simulated time, rounded to whole steps, and step [s]
    every : keep each ``every``-th state

    Returns
    -------
    Trajectory : drives and friction are those of the step that ends at a time (at the start, of the
        first step); events carry the time of the grid point at which a joint first rests or moves

    Raises
    ------
    InputError : sizes, span or step do not fit; the velocity stops being finite
    """
    _check(where, mechanism.n, q0, v0, span, dt, every)
    q, v = np.array(q0, dtype=float), np.array(v0, dtype=float)
    friction = friction_from(q, v)
    works = np.zeros(mechanism.works)
    rows: list[_Row] = []
    times: list[float] = []
    events: list[Event] = []
    for step in range(max(1, round(span / dt))):
        t = step * dt
        middle = q + dt / 2 * v
        friction.begin(t, middle, v)
        # first with bias and drives at the old velocity, then at the mean one
        w, _, _ = _pass(mechanism, friction, actuation, t, dt, middle, v, v, v)
        w, drive, force = _pass(mechanism, friction, actuation, t, dt, middle, v, (v + w) / 2, w)
        mean = (v + w) / 2
        if step == 0:
            times.append(0.0)
            rows.append(_Row(q, v, drive, force, works))
        powers = [float(drive @ mean), float(force @ mean)]
        if mechanism.is_changing:
            powers += mechanism.terms(t + dt / 2, middle, mean).powers
        works = works + dt * np.array(powers)
        events += _changes(friction.sticking, t + dt, v, w)
        q, v = middle + dt / 2 * w, w
        if not bool(np.all(np.isfinite(v))):
            raise InputError(
                f"the velocity stops being finite at t = {t:g} s",
                where=where,
                got=f"a step of {dt:g} s",
                remedy="Take a smaller step: drives and Coriolis terms are explicit.",
            )
        if (step + 1) % every == 0:
            times.append(t + dt)
            rows.append(_Row(q, v, drive, force, works))
    kept = _Row(*(np.array(column) for column in zip(*rows, strict=True)))
    return motion_of(
        mechanism, np.array(times), kept.q, kept.v, kept.drive, kept.friction, kept.works, events
    )


def _pass(
    mechanism: Mechanism,
    friction: StepFriction,
    actuation: Actuation,
    t: float,
    dt: float,
    middle: Array,
    v: Array,
    mean: Array,
    guess: Array,
) -> tuple[Array, Array, Array]:
    """Velocity after the step, drives and friction, with bias and drives at the velocity mean."""
    terms = mechanism.terms(t + dt / 2, middle, mean)
    drive = actuation(t + dt / 2, middle, mean)
    w, force = friction.solve(terms.inertia, terms.inertia @ v + dt * (drive - terms.bias), guess)
    return w, drive, force


def _check(
    where: str,
    n: int,
    q0: Sequence[float],
    v0: Sequence[float],
    span: float,
    dt: float,
    every: int,
) -> None:
    if not (0 < dt < math.inf and 0 < span < math.inf) or every < 1:
        raise InputError(
            "span, step and stride have to be positive",
            where=where,
            got=f"span = {span}, dt = {dt}, every = {every}",
        )
    if len(q0) != n or len(v0) != n:
        raise InputError(f"the start needs {n} positions and velocities", where=where)


def _changes(names: Sequence[str], t: float, v: Array, w: Array) -> list[Event]:
    """Changes of the coordinates that can stick."""
    out: list[Event] = []
    for name, a, b in zip(names, v.tolist(), w.tolist(), strict=True):
        if not name:
            continue
        if a != 0 and b == 0:
            out.append(Event(t, name, "stops"))
        elif a == 0 and b != 0:
            out.append(Event(t, name, f"starts {'forwards' if b > 0 else 'backwards'}"))
    return out
