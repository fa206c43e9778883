"""Velocities and accelerations from measured positions, without lag.

Positions go through a zero-phase low-pass filter and are differentiated centrally. Torques are left
as they are: their noise is what least squares averages out, and filtering them would round off the
jump of friction at every turning point, which the columns of the regressor do not have rounded.
Both ends, where the filter has not settled, are cut off.
Source: Gautier 1997 for the filter and the differences.
"""

# SciPy ships no types for its filters
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from symdyn._errors import InputError, SizeError
from symdyn.algebra.float64 import Array
from symdyn.identify.samples import check_time, uniform_step

_WHERE = "rates from positions"
_ORDER = 4
#: Periods of the cutoff after which the filter has settled: its slowest pole decays by e^-12.
_SETTLED = 5.0


@dataclass(frozen=True, slots=True)
class Rates:
    """A differentiated record.

    Attributes
    ----------
    t : (m,) [s]
    q, qd, qdd : (m, n)
    kept : which samples of the record these are
    """

    t: Array
    q: Array
    qd: Array
    qdd: Array
    kept: slice


def rates_from_positions(t: ArrayLike, q: ArrayLike, cutoff: float) -> Rates:
    """Differentiate positions twice.

    Parameters
    ----------
    t : (m,) evenly spaced [s]
    q : (m, n) positions
    cutoff : of the filter [Hz], well above what the motion holds and below half the sampling rate

    Returns
    -------
    Rates

    Raises
    ------
    InputError : uneven sampling, a cutoff beyond half the sampling rate, or too short a record
    SizeError : not one row an instant
    """
    from scipy.signal import butter, filtfilt

    time, _ = check_time(t, _WHERE)
    dt = uniform_step(time, _WHERE)
    if not 0 < cutoff < 0.5 / dt:
        raise InputError(
            "the cutoff is not below half the sampling rate",
            where=_WHERE,
            expected=f"0 to {0.5 / dt:g} Hz",
            got=f"{cutoff:g} Hz",
        )
    positions = np.asarray(q, dtype=np.float64)
    if positions.ndim != 2 or positions.shape[0] != time.size:
        raise SizeError(_WHERE, "q", time.size, positions.shape[0] if positions.ndim else 0)
    cut = ceil(_SETTLED / cutoff / dt) + 2
    if time.size < 2 * cut + 10:
        raise InputError(
            "the record is too short for this filter",
            where=_WHERE,
            expected=f"at least {2 * cut + 10} samples",
            got=str(time.size),
            remedy="Raise the cutoff, or record longer.",
        )
    numerator, denominator = cast(
        "tuple[Array, Array]", butter(_ORDER, 2 * cutoff * dt, output="ba")
    )
    smooth = filtfilt(numerator, denominator, positions, axis=0, padlen=cut)
    x = np.asarray(smooth, dtype=np.float64)
    # five points: errors of fourth order
    qd = (x[:-4] - 8 * x[1:-3] + 8 * x[3:-1] - x[4:]) / (12 * dt)
    qdd = (16 * (x[1:-3] + x[3:-1]) - x[:-4] - x[4:] - 30 * x[2:-2]) / (12 * dt * dt)
    kept = slice(cut, time.size - cut)
    inner = slice(cut - 2, time.size - 2 - cut)
    return Rates(time[kept], x[kept], qd[inner], qdd[inner], kept)
