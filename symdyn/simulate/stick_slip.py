"""Stick-slip of a body that a spring pulls at constant velocity.

With a break-away level Fs above a constant sliding level Fc the cycle has a closed form; for other
laws it is found by simulation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.friction.law import FrictionLaw
from symdyn.simulate.joint_friction import JointFriction, slope
from symdyn.simulate.mechanism import constant_inertia
from symdyn.simulate.stick_slide import simulate_ideal
from symdyn.simulate.trajectory import Trajectory

#: Periods of the spring and the body that are followed: a minute of work.
_MOST_PERIODS = 5000


class PullKind(Enum):
    """What the body does at last."""

    CYCLE = "sticks and slips"
    SLIDING = "slides without sticking"
    REST = "does not move"
    OPEN = "has not settled in the time simulated"


@dataclass(frozen=True, slots=True)
class StickSlip:
    """One cycle, or that there is none.

    Attributes
    ----------
    stick, slip : how long the body rests and moves [s]; stick is 0 and slip infinite if it slides,
        the reverse if it rests, both are NaN if that is open
    cycles : number of cycles seen; 0 for a closed form
    kind : what the body does
    """

    stick: float
    slip: float
    cycles: int = 0
    kind: PullKind = PullKind.CYCLE

    @property
    def period(self) -> float:
        """[s]"""
        return self.stick + self.slip


#: Least swing of the velocity, (Fs - Fc)/sqrt(k J), beside the pull.
_LEAST_SWING = 0.1


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
    StickSlip

    Raises
    ------
    InputError : inertia, stiffness, pull or span are not positive, or the spring so stiff that so
        long a time takes minutes
    """
    _check(inertia, stiffness, pull, damping, span)
    _check_resolved(law, values, inertia, stiffness, pull, damping)

    def spring(t: float, q: Array, v: Array) -> Array:
        return stiffness * (pull * t - q) + damping * (pull - v)

    motion = simulate_ideal(
        constant_inertia([[inertia]]),
        [JointFriction(law, values)],
        spring,
        [0.0],
        [0.0],
        np.linspace(0, span, 2).tolist(),
        atol=min(1e-12, 1e-9 * (_levels(law, values)[0] / stiffness or 1.0)),
    )
    starts, stops = _switches(motion, 1e-9 * span)
    if not starts or (stops and stops[0] < starts[0]):
        starts.insert(0, 0.0)  # pulled away at once
    whole = [(a, s, b) for a, s, b in zip(starts, stops, starts[1:], strict=False)]
    if not motion.events and motion.v[-1, 0] == 0:
        return StickSlip(math.inf, 0.0, 0, PullKind.REST)
    oscillation = 2 * math.pi * math.sqrt(inertia / stiffness)
    usual = whole[-1][2] - whole[-1][0] if whole else oscillation
    is_moving = not stops or stops[-1] < starts[-1]
    if is_moving and span - starts[-1] > 2 * usual:
        return StickSlip(0.0, math.inf, len(whole), PullKind.SLIDING)
    if not whole:
        return StickSlip(math.nan, math.nan, 0, PullKind.OPEN)
    begin, stop, end = whole[-1]
    return StickSlip(end - stop, stop - begin, len(whole))


def _switches(motion: Trajectory, shortest: float) -> tuple[list[float], list[float]]:
    """When the body starts and when it stops; a moment of rest shorter than that is none."""
    out: list[tuple[float, bool]] = []
    for event in motion.events:
        is_start = event.kind.startswith("starts")
        if is_start and out and event.time - out[-1][0] < shortest:
            out.pop()
        else:
            out.append((event.time, is_start))
    return [t for t, is_start in out if is_start], [t for t, is_start in out if not is_start]


def usual_span(
    law: FrictionLaw, values: Mapping[str, float], inertia: float, stiffness: float, pull: float
) -> float:
    """Time until the spring is loaded, and for some sixty cycles; at most 30 s."""
    _check(inertia, stiffness, pull, 0.0, 1e-300)
    return min(30.0, loading_time(law, values, stiffness, pull) + 60 * _cycle(
        law, values, inertia, stiffness, pull
    ))  # fmt: skip


def loading_time(
    law: FrictionLaw, values: Mapping[str, float], stiffness: float, pull: float
) -> float:
    """When the spring reaches the break-away level [s]."""
    return _levels(law, values)[0] / (stiffness * pull)


def _cycle(
    law: FrictionLaw, values: Mapping[str, float], inertia: float, stiffness: float, pull: float
) -> float:
    """An estimate of the period: one oscillation, and the time in which Fs - Fc is loaded twice."""
    Fs, Fc = _levels(law, values)
    oscillation = 2 * math.pi * math.sqrt(inertia / stiffness)
    return oscillation + 2 * max(0.0, Fs - Fc) / stiffness / pull


def _levels(law: FrictionLaw, values: Mapping[str, float]) -> tuple[float, float]:
    """Fs and Fc; what a law without such levels holds at rest, twice."""
    p, u = law.check(values), {q.name: 0.0 for q in law.signals}
    if law.ends is not None:
        Fs, Fc, _ = law.ends(FLOAT64, u, p)
        return Fs, Fc
    held = law.at_rest(FLOAT64, u, p)[1] if law.at_rest is not None else 0.0
    return held, held


def _check_resolved(
    law: FrictionLaw,
    values: Mapping[str, float],
    inertia: float,
    stiffness: float,
    pull: float,
    damping: float,
) -> None:
    """Refuse swings too small beside the pull to tell sticking from sliding past it.

    Where friction falls with speed at the pull, no steady slide is stable and the body sticks;
    below this ratio of swing to pull the located events no longer show it.
    """
    is_falling = slope(JointFriction(law, values), 0.0, pull) + damping < 0
    Fs, Fc = _levels(law, values)
    swing = abs(Fs - Fc) / math.sqrt(stiffness * inertia)
    if is_falling and swing < _LEAST_SWING * pull:
        limit = (abs(Fs - Fc) / (_LEAST_SWING * pull)) ** 2 / inertia
        raise InputError(
            "the spring is too stiff for slips to be told from sliding",
            where="find_stick_slip",
            expected=f"a stiffness of at most {limit:.3g}",
            got=f"{stiffness:g}",
            remedy="Take a softer spring or a slower pull.",
        )


def _check(inertia: float, stiffness: float, pull: float, damping: float, span: float) -> None:
    numbers = {"inertia": inertia, "stiffness": stiffness, "pull": pull, "span": span}
    for name, value in numbers.items():
        if not 0 < value < math.inf:
            raise InputError(
                f"{name} has to be positive", where="find_stick_slip", got=f"{value:g}"
            )
    if not 0 <= damping < math.inf:
        raise InputError("damping is negative", where="find_stick_slip", got=f"{damping:g}")
    rate = (math.sqrt(stiffness / inertia) + damping / inertia) / (2 * math.pi)
    if span * rate > _MOST_PERIODS:
        raise InputError(
            "spring or damper are too stiff to be followed for so long",
            where="find_stick_slip",
            expected=f"a time of at most {_MOST_PERIODS / rate:.3g} s",
            got=f"{span:g} s",
            remedy="Take a shorter time, or a softer spring.",
        )
