"""States of a friction law along a measured motion: position in, friction out.

The motion is known, so nothing of the joint is simulated: the states follow from the law's exact
update at the velocity of each interval, and friction is compared with the measured one. This fits
any law with states: hysteresis loops in presliding, frictional lag.

    F = u - J dv/dt - gravity

is what is measured where friction itself is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import ARRAYS, Array
from symdyn.friction.law import FrictionLaw, Quantity
from symdyn.identify.dynamic_fit import DynamicFit, Trial, check_trial, match
from symdyn.identify.record_walk import walk_record
from symdyn.identify.samples import check_time
from symdyn.simulate.march import Prepared, prepare
from symdyn.simulate.prescribed import STEADY, prescribed_system
from symdyn.simulate.scheme import EXPONENTIAL

_WHERE = "fit along a motion"
_FORCE = Quantity("F", "N m", "friction")


@dataclass(frozen=True, slots=True)
class Follower:
    """A law made ready to be driven along a motion."""

    law: FrictionLaw
    step: Prepared

    def friction(self, values: Mapping[str, float], t: Array, position: Array) -> Array:
        """Friction at the middle of each interval; states start at zero.

        Parameters
        ----------
        values : of the law's parameters
        t, position : (m,)

        Returns
        -------
        F : (m - 1,) [N m]

        Notes
        -----
        Exact for piecewise constant velocity, hence of second order in the interval.
        """
        dts = np.diff(t)
        velocities = np.diff(position) / dts
        # half an interval to its middle, half to its end
        states = walk_record(
            self.step,
            values,
            [0.0] * len(self.law.states),
            np.repeat(0.5 * dts, 2),
            {"velocity": np.repeat(velocities, 2)},
            1,
        )
        middle = states[::2]
        p = {name: np.asarray(float(value)) for name, value in values.items()}
        with ARRAYS.scope():
            F = self.law.force(ARRAYS, velocities, list(middle.T), {}, p)
        return np.broadcast_to(F, velocities.shape).copy()


def follower(law: FrictionLaw) -> Follower:
    """Make a law ready; this compiles, following is cheap.

    Raises
    ------
    UnsupportedError : a law without states, without an exact update, or with signals
    """
    if law.update is None or law.signals:
        raise UnsupportedError(
            f"{_WHERE}: {law.name} has no states with an exact update, or needs signals."
        )
    return Follower(law, prepare(prescribed_system(law, STEADY), EXPONENTIAL))


def fit_along_motion(
    law: FrictionLaw,
    t: ArrayLike,
    position: ArrayLike,
    friction: ArrayLike,
    values: Mapping[str, float],
    free: Sequence[str],
    *,
    confidence: float = 0.95,
) -> DynamicFit:
    """Fit parameters of a law with states to friction along a motion.

    Parameters
    ----------
    law : a law with states, an exact update and no signals
    t : (m,) increasing [s]
    position : (m,) [rad]
    friction : (m,) at the same instants [N m]; compared at the middle of the intervals, as the
        mean of both ends
    values : of all parameters; of free ones a guess
    free : names to fit
    confidence : of the intervals

    Returns
    -------
    DynamicFit

    Raises
    ------
    InputError : bad data
    UnsupportedError : a law without states or with signals
    """
    prepared = follower(law)
    time, columns = check_time(t, _WHERE, position=position, friction=friction)
    q, F = columns["position"], columns["friction"]
    start, names = check_trial(_WHERE, law.parameters, values, free)
    if not np.any(np.diff(q)):
        raise InputError("the position never changes", where=_WHERE)

    def predict(p: Mapping[str, float]) -> Array:
        return prepared.friction(p, time, q)

    middle = 0.5 * (F[1:] + F[:-1])
    trial = Trial(law.parameters, start, names, predict, middle, _FORCE, shift=False, where=_WHERE)
    return match(trial, 0.5 * (time[1:] + time[:-1]), confidence)
