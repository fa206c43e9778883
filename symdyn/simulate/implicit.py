"""Fixed steps for friction with states, or smoothed, on a mechanism: stable for any step.

Friction is implicit in the velocity w after the step (backward Euler), and the bristles follow
their own step at that velocity:

    M (w - v) + h F(w, Z(w)) = h (drive - bias),   Z(w) = update of the bristles over h at w,

so that neither the stiffness of the bristles nor a small smoothing width limits h. The rest is the
frame of `simulate.fixed_step`. With friction the scheme is of first order in h. Each joint's
friction depends on its own velocity alone, so the Jacobian is M plus a diagonal, which dual numbers
give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.dual import DualAlgebra
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.simulate.fixed_step import walk_steps
from symdyn.simulate.joint_friction import JointFriction, settled_states
from symdyn.simulate.mechanism import Actuation, Mechanism
from symdyn.simulate.trajectory import Trajectory

_DUAL = DualAlgebra(FLOAT64)
#: Newton's method ends at that residual, relative to the largest term of the equation.
_TOLERANCE = 1e-12
_ITERATIONS = 100


@dataclass(frozen=True, slots=True)
class _Pushed:
    """Friction by coordinate after a step at given velocities, its slope, and the new states."""

    force: Array
    slope: Array
    states: list[list[float]]


def simulate_implicit(
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
    """Motion of a mechanism with smoothed or dynamic friction, in steps of ``dt``.

    Parameters
    ----------
    mechanism, actuation : as for `stick_slide.simulate_ideal`
    frictions : laws that are smooth, or have states and a step of their own; a joint that moves at
        the start has been sliding
    q0, v0 : (n,) start
    span, dt : simulated time, rounded to whole steps, and step [s]
    every : keep each ``every``-th state

    Returns
    -------
    Trajectory

    Raises
    ------
    UnsupportedError : a law has states but no step; the implicit equation is not solved
    InputError : sizes, span or step do not fit
    """
    _check(frictions, mechanism.n)

    def bristles(q: Array, v: Array) -> _Bristles:
        states = [
            settled_states(f, float(q[f.coordinate]), float(v[f.coordinate])) for f in frictions
        ]
        return _Bristles(frictions, dt, mechanism.n, states)

    return walk_steps("simulate_implicit", mechanism, bristles, actuation, q0, v0, span, dt, every)


class _Bristles:
    """Friction after the step at the velocity after the step, its states included."""

    def __init__(
        self,
        frictions: Sequence[JointFriction],
        dt: float,
        n: int,
        states: list[list[float]],
    ) -> None:
        self.frictions, self.dt = frictions, dt
        self.sticking: Sequence[str] = ("",) * n
        self.old = self.new = states
        self.t, self.q, self.v = 0.0, np.zeros(n), np.zeros(n)

    def begin(self, t: float, q: Array, v: Array) -> None:
        self.t, self.q, self.v, self.old = t, q, v, self.new

    def solve(self, M: Array, right: Array, w: Array) -> tuple[Array, Array]:
        w, pushed = _solve(M, right, self.frictions, self.q, w, self.old, self.dt, self.t)
        self.new = pushed.states
        return w, pushed.force


def _check(frictions: Sequence[JointFriction], n: int) -> None:
    where = "simulate_implicit"
    for f in frictions:
        if f.law.states and f.law.update is None:
            raise UnsupportedError(
                f"{where}: {f.law.name} has no step of its own. Use simulate.reference."
            )
        if not 0 <= f.coordinate < n:
            raise InputError("friction on a coordinate that does not exist", where=where)


def _push(
    frictions: Sequence[JointFriction],
    q: Array,
    w: Array,
    states: Sequence[Sequence[float]],
    dt: float,
) -> _Pushed:
    n = len(w)
    force, slope = np.zeros(n), np.zeros(n)
    after: list[list[float]] = []
    for f, own in zip(frictions, states, strict=True):
        k = f.coordinate
        p = {name: _DUAL.constant(value) for name, value in f.values.items()}
        u = {name: _DUAL.constant(value) for name, value in f.inputs(float(q[k])).items()}
        m = _DUAL.constant(f.multiplier)
        speed = m * _DUAL.variable(float(w[k]))
        z = [_DUAL.constant(value) for value in own]
        if f.law.update is not None:
            z = f.law.update(_DUAL, speed, z, u, p, _DUAL.constant(dt))
        pushed = m * f.law.force(_DUAL, speed, z, u, p)
        force[k] += pushed.value
        slope[k] += pushed.rate
        after.append([number.value for number in z])
    return _Pushed(force, slope, after)


def _solve(
    M: Array,
    right: Array,
    frictions: Sequence[JointFriction],
    q: Array,
    v: Array,
    states: Sequence[Sequence[float]],
    dt: float,
    t: float,
) -> tuple[Array, _Pushed]:
    """Velocity w with M w + dt F(w) = right, by Newton's method with a line search."""
    w = v
    pushed = _push(frictions, q, w, states, dt)
    residual = M @ w + dt * pushed.force - right
    for _ in range(_ITERATIONS):
        # friction may be a small difference of large terms: bristles that relax against each other
        scale = _size(M @ w) + dt * _size(pushed.force) + _size(right)
        scale += dt * _size(pushed.slope * np.maximum(np.abs(w), np.abs(v)))
        size = _size(residual)
        if size <= _TOLERANCE * scale:
            return w, pushed
        step = -np.linalg.solve(M + dt * np.diag(pushed.slope), residual)
        length = 1.0
        while True:
            next_w = w + length * step
            next_pushed = _push(frictions, q, next_w, states, dt)
            next_residual = M @ next_w + dt * next_pushed.force - right
            if _size(next_residual) < size or length < 1e-9:
                break
            length /= 2
        w, pushed, residual = next_w, next_pushed, next_residual
    raise UnsupportedError(
        f"simulate_implicit: the velocity after t = {t:g} s is not found in {_ITERATIONS} "
        f"iterations. Take a smaller step than {dt:g} s, or simulate.reference."
    )


def _size(x: Array) -> float:
    return float(np.max(np.abs(x)))
