"""Bristles from the response of a joint: torque in, position out.

    J dv/dt = u(t) - F(v, z),  dq/dt = v

The position is simulated under the recorded torque, a straight line between samples, and the free
parameters are those for which it comes closest to the measured one (output error). The record must
start at rest without load in the bristles, and should hold both small motion, which shows stiffness
and damping, and break-away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, sqrt

import numpy as np
from numpy.typing import ArrayLike

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import Array
from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Domain, FrictionLaw, Quantity
from symdyn.identify.dynamic_fit import DynamicFit, Trial, check_trial, match
from symdyn.identify.record_walk import walk_record
from symdyn.identify.samples import check_time
from symdyn.simulate.drive import Drive
from symdyn.simulate.joint import joint_system
from symdyn.simulate.march import prepare
from symdyn.simulate.scheme import RK4

_WHERE = "fit of a response"
_POSITION = Quantity("q", "rad", "position")
#: Steps of the integrator per radian of the stuck joint's ringing.
_FINE = 12
_MOST_STEPS = 20_000_000


def _line(A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /) -> S:
    return p["level"] + p["slope"] * t


_LINE = Drive(
    "line",
    "a torque that is a straight line in time",
    (Quantity("level", "N m", "torque at t = 0"), Quantity("slope", "N m/s", "rate of torque")),
    _line,
)

INERTIA = Quantity("J", "kg m^2", "inertia of the joint", Domain.POSITIVE)


def fit_response(
    law: FrictionLaw,
    t: ArrayLike,
    torque: ArrayLike,
    position: ArrayLike,
    values: Mapping[str, float],
    free: Sequence[str],
    *,
    substeps: int = 0,
    confidence: float = 0.95,
) -> DynamicFit:
    """Fit parameters of a joint to its response.

    Parameters
    ----------
    law : a law with states and without signals
    t : (m,) increasing [s]
    torque : (m,) on the joint, gravity removed [N m]
    position : (m,) [rad]; a constant is fitted beside it
    values : ``J`` and all parameters of the law; of free ones a guess, right to a factor of a few
    free : names to fit, ``J`` among them if wanted
    substeps : of the integrator per sample; 0 for enough to follow the ringing
    confidence : of the intervals

    Returns
    -------
    DynamicFit

    Raises
    ------
    InputError : bad data, or values that cannot be simulated
    UnsupportedError : the law has no states, or needs signals
    """
    if not law.states or law.signals:
        raise UnsupportedError(
            f"{_WHERE}: {law.name} has no states or needs signals. Fit a law without states to its "
            "steady curve."
        )
    time, columns = check_time(t, _WHERE, torque=torque, position=position)
    u, q = columns["torque"], columns["position"]
    quantities = (INERTIA, *law.parameters)
    start, names = check_trial(_WHERE, quantities, values, free)
    prepared = prepare(joint_system(law, _LINE), RK4)
    steps = _steps(start, time, q, substeps)
    dts = np.diff(time)
    lines = {"level": u[:-1], "slope": np.diff(u) / dts}

    def predict(p: Mapping[str, float]) -> Array:
        states = walk_record(prepared, p, prepared.system.start(), dts, lines, steps)
        return np.append(0.0, states[:, 0])

    trial = Trial(quantities, start, names, predict, q, _POSITION, shift=True, where=_WHERE)
    return match(trial, time, confidence)


def _steps(values: Mapping[str, float], t: Array, q: Array, substeps: int) -> int:
    """Steps per sample that follow the ringing and stay stable while sliding."""
    if substeps < 0:
        raise InputError("a negative number of substeps", where=_WHERE, got=str(substeps))
    if substeps:
        return substeps
    dt = float(np.max(np.diff(t)))
    rate = 0.0
    if "sigma0" in values:
        stiffness = values["sigma0"]
        fastest = float(np.max(np.abs(np.diff(q) / np.diff(t))))
        level = min(values.get("Fc", np.inf), values.get("Fs", np.inf))
        # twice as stiff while searching; Runge-Kutta is stable up to 2.78 over the rate
        rate = max(_FINE * sqrt(2 * stiffness / values["J"]), 2 * stiffness * fastest / level)
        damping = values.get("sigma1", 0.0) + values.get("sigma2", 0.0)
        rate = max(rate, 4 * damping / values["J"])
    steps = max(4, ceil(dt * rate))
    if steps * t.size > _MOST_STEPS:
        raise InputError(
            "the record is too long for so stiff a law",
            where=_WHERE,
            got=f"{steps:.3g} steps a sample, {t.size} samples",
            remedy="Cut it to the part near rest, or sample it more densely.",
        )
    return steps
