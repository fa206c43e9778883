"""Stick-slip of a body that a spring pulls at constant velocity.

With a break-away level Fs above a constant sliding level Fc the cycle has a closed form; for other
laws it is found by simulation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.friction.law import FrictionLaw
from symdyn.simulate.joint_friction import JointFriction
from symdyn.simulate.mechanism import constant_inertia
from symdyn.simulate.stick_slide import simulate_ideal


@dataclass(frozen=True, slots=True)
class StickSlip:
    """One cycle.

    Attributes
    ----------
    stick, slip : how long the body rests and moves [s]; stick is 0 if it slides steadily
    cycles : number of cycles seen; 0 for a closed form
    """

    stick: float
    slip: float
    cycles: int = 0

    @property
    def period(self) -> float:
        """[s]"""
        return self.stick + self.slip


def two_level_cycle(
    inertia: float, stiffness: float, pull: float, Fs: float, Fc: float
) -> StickSlip:
    """Closed form for friction that falls from Fs to Fc at once.

    Parameters
    ----------
    inertia, stiffness : [kg m^2, N m/rad | kg, N/m]
    pull : velocity of the far end of the spring, > 0
    Fs, Fc : break-away and sliding level, Fs >= Fc

    Notes
    -----
    In slip the elongation beyond Fc/k oscillates from y0 = (Fs - Fc)/k to -y0 with the rate pull at
    both ends: slip time (pi + 2 atan(pull/(w y0)))/w with w^2 = k/J, stick time 2 y0/pull.
    """
    if not (inertia > 0 and stiffness > 0 and pull > 0 and Fs >= Fc >= 0):
        raise InputError(
            "stick-slip needs positive inertia, stiffness and pull, and Fs >= Fc >= 0",
            where="two_level_cycle",
        )
    w, y0 = math.sqrt(stiffness / inertia), (Fs - Fc) / stiffness
    return StickSlip(2 * y0 / pull, (math.pi + 2 * math.atan2(pull, w * y0)) / w)


def find_stick_slip(
    law: FrictionLaw,
    values: Mapping[str, float],
    inertia: float,
    stiffness: float,
    pull: float,
    *,
    damping: float = 0.0,
    span: float,
) -> StickSlip:
    """Simulate from rest by located events and take the last whole cycle.

    Parameters
    ----------
    law, values : a static law, ideal at rest
    inertia, stiffness, damping : of the body and of the spring
    pull : velocity of the far end
    span : simulated time, several cycles [s]

    Returns
    -------
    StickSlip : with stick 0 if the body does not come to rest any more
    """

    def spring(t: float, q: Array, v: Array) -> Array:
        return stiffness * (pull * t - q) + damping * (pull - v)

    motion = simulate_ideal(
        constant_inertia([[inertia]]),
        [JointFriction(law, values)],
        spring,
        [0.0],
        [0.0],
        np.linspace(0, span, 2).tolist(),
    )
    starts = [e.time for e in motion.events if e.kind.startswith("starts")]
    stops = [e.time for e in motion.events if e.kind == "stops"]
    whole = [(a, s, b) for a, s, b in zip(starts, stops, starts[1:], strict=False)]
    if not whole or span - starts[-1] > 2 * (whole[-1][2] - whole[-1][0]):
        return StickSlip(0.0, math.inf, len(whole))
    begin, stop, end = whole[-1]
    return StickSlip(end - stop, stop - begin, len(whole))
