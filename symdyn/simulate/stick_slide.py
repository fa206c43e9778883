"""Ideal friction by events: each joint sticks or slides, and switches at a located moment.

While the modes last, the motion is smooth and integrated by DOP853 to a tight tolerance. A sliding
joint that reaches rest stops exactly; a resting joint starts when the force that holds it would
leave the set of friction at rest. At every switch the complementarity problem of
`simulate.complementarity` decides for all resting joints together which of them start and where to.
Source: Filippov 1988; Pfeiffer and Glocker 1996, ch. 5; DOP853: Hairer, Norsett, Wanner 1993.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import Array
from symdyn.simulate.complementarity import solve_boxes
from symdyn.simulate.events import Watch
from symdyn.simulate.joint_friction import (
    JointFriction,
    bounds,
    check_static,
    continued,
    sliding,
    sticks,
)
from symdyn.simulate.mechanism import Actuation, Mechanism, motion_of
from symdyn.simulate.scipy_ import Dop853
from symdyn.simulate.trajectory import Event, Trajectory

#: Switches at one moment after which the modes are taken to have no consistent choice.
_SWITCHES_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class _Rates:
    acceleration: Array
    friction: Array
    drive: Array
    low: Array
    high: Array
    powers: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Problem:
    """Mechanism, friction by coordinate, drives; ``dry`` marks coordinates that can stick.

    A mode is the direction of sliding, 0 at rest; a coordinate that cannot stick has the mode 1 at
    either sign of its velocity.
    """

    mechanism: Mechanism
    frictions: tuple[tuple[JointFriction, ...], ...]
    actuation: Actuation
    dry: tuple[bool, ...]

    def sets(self, q: Array) -> tuple[Array, Array]:
        """Ends of the forces at rest, (n,) each."""
        ends = [[bounds(f, q[k]) for f in own] for k, own in enumerate(self.frictions)]
        low = np.array([sum((e[0] for e in own), 0.0) for own in ends])
        high = np.array([sum((e[1] for e in own), 0.0) for own in ends])
        return low, high

    def sliding(self, q: Array, v: Array, modes: Sequence[int]) -> Array:
        """Friction of the sliding coordinates; 0 for those at rest."""
        out = np.zeros(len(q))
        for k, own in enumerate(self.frictions):
            for f in own:
                if not self.dry[k]:
                    out[k] += sliding(f, q[k], v[k])
                elif modes[k]:
                    out[k] += continued(f, q[k], v[k], modes[k])
        return out

    def rates(self, t: float, q: Array, v: Array, modes: Sequence[int]) -> _Rates:
        """Acceleration and friction while the modes last."""
        n = self.mechanism.n
        terms = self.mechanism.terms(t, q, v)
        drive = self.actuation(t, q, v)
        friction = self.sliding(q, v, modes)
        right = drive - terms.bias - friction
        a = np.zeros(n)
        moving = [k for k in range(n) if modes[k]]
        resting = [k for k in range(n) if not modes[k]]
        if moving:
            a[moving] = np.linalg.solve(terms.inertia[np.ix_(moving, moving)], right[moving])
        low, high = np.zeros(n), np.zeros(n)
        if resting:
            friction[resting] = (right - terms.inertia @ a)[resting]
            low, high = self.sets(q)
        return _Rates(a, friction, drive, low, high, terms.powers)


def simulate_ideal(
    mechanism: Mechanism,
    frictions: Sequence[JointFriction],
    actuation: Actuation,
    q0: Sequence[float],
    v0: Sequence[float],
    times: Sequence[float],
    *,
    rtol: float = 1e-10,
    atol: float = 1e-12,
    largest_step: float = math.inf,
    most_events: int = 100_000,
) -> Trajectory:
    """Motion of a mechanism with ideal, set-valued friction.

    Parameters
    ----------
    mechanism : what moves
    frictions : static laws, each on a coordinate; a coordinate may have none or several
    actuation : torques of the drives
    q0, v0 : (n,) start at times[0]; a velocity of exactly 0 is rest
    times : at which the motion is wanted, increasing [s]
    rtol, atol : tolerances of the integrator
    largest_step : of the integrator [s]; bound it where a drive acts for a short time only
    most_events : after which the simulation gives up

    Returns
    -------
    Trajectory : with the events; a joint at rest has the velocity 0 exactly

    Raises
    ------
    UnsupportedError : a law has states; more events than allowed
    InputError : sizes, times, or laws that do not fit

    Examples
    --------
    >>> from symdyn.friction.coulomb import COULOMB_SET
    >>> from symdyn.simulate.mechanism import constant_inertia
    >>> motion = simulate_ideal(
    ...     constant_inertia([[0.1]]), [JointFriction(COULOMB_SET, {"Fc": 0.2, "b": 0.01})],
    ...     lambda t, q, v: 0 * q, [0], [0.5], [0, 1])
    >>> motion.events[0].time, motion.v[-1].tolist()
    (0.246926..., [0.0])
    """
    n = mechanism.n
    grid = np.array(times, dtype=float)
    if len(grid) < 2 or not bool(np.all(np.diff(grid) > 0)) or not bool(np.all(np.isfinite(grid))):
        raise InputError("times have to increase", where="simulate_ideal", got=repr(times)[:60])
    if len(q0) != n or len(v0) != n:
        raise InputError(
            "the start has the wrong size",
            where="simulate_ideal",
            expected=f"{n} positions and velocities",
            got=f"{len(q0)} and {len(v0)}",
        )
    problem = _problem(mechanism, frictions, actuation, q0)
    y = np.concatenate(
        [np.array(q0, dtype=float), np.array(v0, dtype=float), np.zeros(mechanism.works + n)]
    )
    modes = [_direction(v0[k]) if problem.dry[k] else 1 for k in range(n)]
    modes = _settled(problem, grid[0], y, modes)
    rows: list[Array] = []
    row_modes: list[tuple[int, ...]] = []
    events: list[Event] = []
    t, at_once = float(grid[0]), 0
    while True:
        end, y, hit = _segment(problem, t, y, modes, grid, rows, rtol, atol, largest_step)
        row_modes += [tuple(modes)] * (len(rows) - len(row_modes))
        if hit < 0:
            break
        at_once = at_once + 1 if end == t else 0
        if len(events) >= most_events or at_once > _SWITCHES_AT_ONCE:
            raise UnsupportedError(
                f"simulate_ideal: {len(events)} switches between rest and motion up to "
                f"t = {end:.6g} s. simulate.moreau takes them in fixed steps."
            )
        t = end
        before = list(modes)
        if modes[hit]:
            y[n + hit] = 0.0
            modes[hit] = 0
            modes = _settled(problem, t, y, modes)
        else:
            now = problem.rates(t, y[:n], y[n : 2 * n], modes)
            modes[hit] = 1 if now.friction[hit] >= (now.low[hit] + now.high[hit]) / 2 else -1
            modes = _settled(problem, t, y, modes)
        events += _changes(mechanism.names, t, before, modes)
    return _trajectory(problem, grid, np.array(rows), row_modes, events)


def _problem(
    mechanism: Mechanism,
    frictions: Sequence[JointFriction],
    actuation: Actuation,
    q0: Sequence[float],
) -> _Problem:
    check_static(frictions, mechanism.n, "simulate_ideal")
    by_coordinate = tuple(
        tuple(f for f in frictions if f.coordinate == k) for k in range(mechanism.n)
    )
    dry = tuple(any(sticks(f, q0[k]) for f in own) for k, own in enumerate(by_coordinate))
    return _Problem(mechanism, by_coordinate, actuation, dry)


def _direction(x: float) -> int:
    return (x > 0) - (x < 0)


def _settled(problem: _Problem, t: float, y: Array, modes: Sequence[int]) -> list[int]:
    """Modes in which each resting coordinate either stays or starts, all of them consistent."""
    n = problem.mechanism.n
    q, v = y[:n], y[n : 2 * n]
    terms = problem.mechanism.terms(t, q, v)
    right = problem.actuation(t, q, v) - terms.bias - problem.sliding(q, v, modes)
    low, high = problem.sets(q)
    a, _ = solve_boxes(terms.inertia, right, low, high, [m != 0 for m in modes])
    return [m if m else _direction(x) for m, x in zip(modes, a.tolist(), strict=True)]


def _changes(
    names: Sequence[str], t: float, before: Sequence[int], after: Sequence[int]
) -> list[Event]:
    out: list[Event] = []
    for name, a, b in zip(names, before, after, strict=True):
        if a and a != b:
            out.append(Event(t, name, "stops"))
        if b and a != b:
            out.append(Event(t, name, f"starts {'forwards' if b > 0 else 'backwards'}"))
    return out


def _segment(
    problem: _Problem,
    t: float,
    y: Array,
    modes: Sequence[int],
    grid: Array,
    rows: list[Array],
    rtol: float,
    atol: float,
    largest_step: float,
) -> tuple[float, Array, int]:
    """Integrate until a mode ends or the grid does; appends the wanted states to ``rows``.

    Returns the time, the state, and the coordinate whose mode ends (-1 at the end of the grid).
    """
    n = problem.mechanism.n

    def rate(time: float, state: Array) -> Array:
        now = problem.rates(time, state[:n], state[n : 2 * n], modes)
        v = state[n : 2 * n]
        powers = [float(now.drive @ v), float(now.friction @ v), *now.powers]
        # The impulses of friction are integrated for the step control alone: where all joints rest
        # nothing else tells it how fast the loads change.
        return np.concatenate([v, now.acceleration, powers, now.friction])

    def guards(time: float, state: Array) -> Array:
        """Positive while the modes last: speed of a sliding joint, room of a resting one."""
        v = state[n : 2 * n]
        out = np.array([m * x for m, x in zip(modes, v, strict=True)])
        if 0 in modes:
            now = problem.rates(time, state[:n], v, modes)
            room = np.minimum(now.high - now.friction, now.friction - now.low)
            out = np.where(np.array(modes) == 0, room, out)
        return np.where(problem.dry, out, math.inf)

    end = float(grid[-1])
    if t >= end:
        _collect(rows, grid, end, lambda _: y)
        return end, y, -1
    solver = Dop853(rate, t, y, end, rtol, atol, largest_step)
    watch = Watch(guards, t, y)
    while solver.is_running:
        began, dense = solver.step()
        ending = watch.over(began, solver.t, dense)
        if ending is not None:
            while rows and grid[len(rows) - 1] > ending.time:
                rows.pop()  # it lies in the step before
            _collect(rows, grid, ending.time, dense)
            return ending.time, ending.state, ending.guard
        _collect(rows, grid, solver.t, dense)
    _collect(rows, grid, math.inf, lambda _: solver.y)
    return end, solver.y, -1


def _collect(rows: list[Array], grid: Array, until: float, dense: Callable[[float], Array]) -> None:
    while len(rows) < len(grid) and grid[len(rows)] <= until:
        rows.append(np.array(dense(float(grid[len(rows)]))))


def _trajectory(
    problem: _Problem,
    grid: Array,
    rows: Array,
    modes: Sequence[Sequence[int]],
    events: Sequence[Event],
) -> Trajectory:
    n = problem.mechanism.n
    q, v = rows[:, :n], rows[:, n : 2 * n]
    v = np.where(np.array(modes) == 0, 0.0, v)
    drive, friction = np.empty_like(q), np.empty_like(q)
    for k, t in enumerate(grid):
        now = problem.rates(float(t), q[k], v[k], modes[k])
        drive[k], friction[k] = now.drive, now.friction
    works = rows[:, 2 * n : 2 * n + problem.mechanism.works]
    return motion_of(problem.mechanism, grid, q, v, drive, friction, works, events)
