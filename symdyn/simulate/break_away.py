"""A LuGre joint under a torque that grows from rest: presliding, and the moment of break-away.

Below break-away the joint gives way by more than its bristles deflect (`analysis.lugre.presliding`
for a torque that grows infinitely slowly). Break-away depends on the rate of the torque, and on
what is called break-away: the largest friction falls with the rate, the torque at which the joint
passes the Stribeck velocity rises with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.analysis.lugre import presliding as quasi_static
from symdyn.friction.lugre import LUGRE
from symdyn.simulate.drive import RAMP
from symdyn.simulate.joint import joint_system
from symdyn.simulate.march import Engine, Prepared, Section, Walk, prepare, walk
from symdyn.simulate.observe import outputs
from symdyn.simulate.scheme import RK4
from symdyn.simulate.stability import step_limit

#: A few seconds of work, and states that are kept at most in the first look.
_MOST_STEPS, _ROWS = 5e7, 400_000


@dataclass(frozen=True, slots=True)
class Presliding:
    """State of the joint when the torque is reached.

    Attributes
    ----------
    angle, deflection : of joint and bristles [rad]
    friction : torque of friction; the torque less what accelerates the joint [N m]
    quasi_static : angle by the closed form for that deflection [rad]
    """

    angle: float
    deflection: float
    friction: float
    quasi_static: float


@dataclass(frozen=True, slots=True)
class BreakAway:
    """The moment of break-away for one rate of the torque.

    Attributes
    ----------
    ramp : rate of the torque [N m/s]
    friction : first maximum of the friction torque [N m]
    velocity, torque : at that moment [rad/s, N m]
    torque_sliding : when the velocity passes the Stribeck velocity [N m]
    """

    ramp: float
    friction: float
    velocity: float
    torque: float
    torque_sliding: float


def ramped_joint(engine: Engine = "auto") -> Prepared:
    """A LuGre joint under a growing torque, ready to walk."""
    return prepare(joint_system(LUGRE, RAMP), RK4, engine=engine)


def presliding(
    joint: Prepared, values: Mapping[str, float], ramp: float, torque: float, dt: float = 1e-4
) -> Presliding:
    """Load a resting joint slowly up to a torque below break-away.

    Parameters
    ----------
    joint : from `ramped_joint`
    values : J and the parameters of LuGre friction
    ramp : rate of the torque [N m/s]
    torque : where to stop, 0 < torque < Fs [N m]
    dt : step [s]

    Raises
    ------
    InputError : the torque is not below break-away, or the ramp not positive or too slow
    """
    Fs = values["Fs"]
    if not (0 < torque < Fs and ramp > 0):
        raise InputError(
            "presliding needs a positive ramp to a torque below break-away",
            where="presliding",
            expected=f"0 < torque < {Fs:g}",
            got=f"torque = {torque:g}, ramp = {ramp:g}",
        )
    span = torque / ramp
    own = {**values, "ramp": ramp}
    dt = min(dt, _stable_step(joint, own))
    _check_steps(span / dt, ramp, "presliding")
    step = span / max(1, math.ceil(span / dt))
    q, v, z = walk(joint, own, joint.system.start(), span, step).end
    p = {own.name: float(values[own.name]) for own in LUGRE.parameters}
    friction = LUGRE.force(FLOAT64, v, [z], {}, p)
    slow, _ = quasi_static(p, p["sigma0"] * z)
    return Presliding(q, z, friction, slow)


def break_away(joint: Prepared, values: Mapping[str, float], ramp: float) -> BreakAway:
    """Load a resting joint until it slides.

    Parameters
    ----------
    joint : from `ramped_joint`
    values : J and the parameters of LuGre friction
    ramp : rate of the torque [N m/s]

    Returns
    -------
    BreakAway : the first maximum of friction above Fc/2 counts, found by a parabola through three
        samples

    Raises
    ------
    InputError : the ramp is not positive, or so slow that the walk would take minutes
    UnsupportedError : the joint does not slide at four times the break-away level
    """
    if not ramp > 0:
        raise InputError("the ramp has to be positive", where="break_away", got=repr(ramp))
    own, system = {**values, "ramp": ramp}, joint.system
    rise = values["Fs"] / ramp
    dt = min(1e-4, rise / 3000, _stable_step(joint, own))
    _check_steps(4 * rise / dt, ramp, "break_away")
    stride = max(1, math.ceil(4 * rise / dt / _ROWS))
    sliding = Section("v", values["vs"])
    done = walk(joint, own, system.start(), 4 * rise, dt, every=stride, section=sliding, passages=1)
    found = _Samples.of(joint, own, done)
    if not done.passages:
        raise _no_sliding(values, ramp)
    passage = done.passages[0]
    # friction may still rise when sliding begins
    while (k := found.peak(values["Fc"] / 2)) is None:
        if done.end_time > 4 * rise:
            raise _no_sliding(values, ramp)
        done = walk(joint, own, done.end, rise / 10, dt, t0=done.end_time, every=1)
        found, stride = found.and_then(_Samples.of(joint, own, done)), 1
    if stride > 1:
        t0 = float(found.times[k - 1])
        done = walk(joint, own, found.states[k - 1], 2 * stride * dt, dt, t0=t0, every=1)
        found = _Samples.of(joint, own, done)
        k = found.peak(values["Fc"] / 2) or k
    F, v = found.friction, found.states[:, 1]
    a, b, c = float(F[k - 1]), float(F[k]), float(F[k + 1])
    shift = (a - c) / (2 * (a - 2 * b + c))
    part = (values["vs"] - passage.before[1]) / (passage.after[1] - passage.before[1])
    return BreakAway(
        ramp=ramp,
        friction=b - (a - c) * shift / 4,
        velocity=float(v[k] + shift * (v[k + 1] - v[k - 1]) / 2),
        torque=ramp * (float(found.times[k]) + shift * dt),
        torque_sliding=ramp * (passage.time + part * dt),
    )


class _Samples(NamedTuple):
    """Times, states and friction of a walk."""

    times: Array
    states: Array
    friction: Array

    @classmethod
    def of(cls, joint: Prepared, own: Mapping[str, float], done: Walk) -> _Samples:
        seen = outputs(joint.system, own, done.times, done.states)
        return cls(done.times, done.states, seen["friction"])

    def and_then(self, later: _Samples) -> _Samples:
        """Both, without the state that they share."""
        keep = self.times < later.times[0]
        parts = ((own[keep], new) for own, new in zip(self, later, strict=True))
        return _Samples(*(np.concatenate(pair) for pair in parts))

    def peak(self, above: float) -> int | None:
        """Index of the first maximum of friction above a level."""
        F = self.friction
        found = np.flatnonzero((F[1:-1] > F[:-2]) & (F[1:-1] >= F[2:]) & (F[1:-1] > above))
        return int(found[0]) + 1 if found.size else None


def _stable_step(joint: Prepared, own: Mapping[str, float]) -> float:
    """A quarter of the largest stable step at rest."""
    return step_limit(joint.system, own, joint.system.start(), joint.scheme) / 4


def _check_steps(steps: float, ramp: float, where: str) -> None:
    if steps > _MOST_STEPS:
        raise InputError(
            "so slow a ramp takes too many steps",
            where=where,
            expected=f"a ramp of at least {ramp * steps / _MOST_STEPS:.2g} N m/s",
            got=f"{ramp:g} N m/s, which takes {steps:.2g} steps",
            remedy="The quasi-static closed form is the limit (`symdyn.analysis.lugre`).",
        )


def _no_sliding(values: Mapping[str, float], ramp: float) -> UnsupportedError:
    return UnsupportedError(
        f"break_away: no sliding up to a torque of {4 * values['Fs']:g} N m at {ramp:g} N m/s"
    )
