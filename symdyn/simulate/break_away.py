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

import numpy as np

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis.lugre import presliding as quasi_static
from symdyn.friction.lugre import LUGRE
from symdyn.simulate.drive import RAMP
from symdyn.simulate.joint import joint_system
from symdyn.simulate.march import Engine, Prepared, prepare, walk
from symdyn.simulate.observe import outputs
from symdyn.simulate.scheme import RK4


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
    InputError : the torque is not below break-away, or the ramp not positive
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
    step = span / max(1, math.ceil(span / dt))
    q, v, z = walk(joint, {**values, "ramp": ramp}, joint.system.start(), span, step).end
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
    UnsupportedError : the joint does not slide at four times the break-away level
    """
    if not ramp > 0:
        raise InputError("the ramp has to be positive", where="break_away", got=repr(ramp))
    own = {**values, "ramp": ramp}
    rise = values["Fs"] / ramp
    dt = min(1e-4, rise / 3000)
    done = walk(joint, own, joint.system.start(), 4 * rise, dt, every=1)
    seen = outputs(joint.system, own, done.times, done.states)
    F, u, v = seen["friction"], seen["torque"], done.states[:, 1]
    peaks = np.flatnonzero((F[1:-1] > F[:-2]) & (F[1:-1] >= F[2:]) & (F[1:-1] > values["Fc"] / 2))
    sliding = np.flatnonzero(v > values["vs"])
    if not peaks.size or not sliding.size:
        raise UnsupportedError(
            f"break_away: no sliding up to a torque of {4 * values['Fs']:g} N m at {ramp:g} N m/s"
        )
    k = int(peaks[0]) + 1
    a, b, c = float(F[k - 1]), float(F[k]), float(F[k + 1])
    shift = (a - c) / (2 * (a - 2 * b + c))
    j = int(sliding[0])
    part = (values["vs"] - v[j - 1]) / (v[j] - v[j - 1])
    return BreakAway(
        ramp=ramp,
        friction=b - (a - c) * shift / 4,
        velocity=float(v[k] + shift * (v[k + 1] - v[k - 1]) / 2),
        torque=float(u[k]) + shift * ramp * dt,
        torque_sliding=float(u[j - 1] + part * (u[j] - u[j - 1])),
    )
