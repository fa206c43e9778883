"""Checks of measured data: one clear error for what cannot be fitted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from symdyn._errors import InputError, SizeError
from symdyn.algebra.float64 import Array

#: Measured numbers whose cubes and products still have squares among the doubles; anything beyond
#: is no measurement in any unit.
SMALLEST, LARGEST = 1e-30, 1e30


def series(name: str, data: ArrayLike, where: str) -> Array:
    """One column of finite numbers.

    Raises
    ------
    InputError : not one-dimensional, empty, a number that is not finite (the message says which),
        or all too large or too small to be computed with
    """
    x = np.asarray(data, dtype=float)
    if x.ndim != 1 or x.size == 0:
        raise InputError(
            f"{name} is no list of numbers", where=where, got=f"an array of shape {x.shape}"
        )
    bad = np.flatnonzero(~np.isfinite(x))
    if bad.size:
        raise InputError(
            f"{name} is not finite",
            where=where,
            got=f"{x[bad[0]]} at point {int(bad[0]) + 1} of {x.size}",
            remedy="Remove the point.",
        )
    size = float(np.max(np.abs(x)))
    if size and not SMALLEST <= size <= LARGEST:
        raise _out_of_range(name, size, where)
    return x


def _out_of_range(name: str, size: float, where: str) -> InputError:
    return InputError(
        f"{name} is too {'large' if size > 1 else 'small'} to be computed with",
        where=where,
        expected=f"sizes from {SMALLEST:g} to {LARGEST:g}",
        got=f"{size:g}",
        remedy="Give it in another unit, or look at the column.",
    )


def check_noise(noise: float, where: str) -> float:
    """A standard deviation that can be computed with.

    Raises
    ------
    InputError : it is not positive, or beyond all measurements
    """
    if not noise > 0:
        raise InputError("noise is not positive", where=where, got=repr(noise))
    if not SMALLEST**2 <= noise <= LARGEST:
        raise _out_of_range("noise", noise, where)
    return float(noise)


def same_length(where: str, **columns: Array) -> None:
    """Columns of one table have one length.

    Raises
    ------
    SizeError : they do not
    """
    first = next(iter(columns.values()))
    for name, x in columns.items():
        if x.shape != first.shape:
            raise SizeError(where, name, first.shape[0], x.shape[0])


def check_steady(
    v: ArrayLike, F: ArrayLike, signals: Mapping[str, ArrayLike] | None, where: str
) -> tuple[Array, Array, dict[str, Array]]:
    """Points of a steady curve.

    Raises
    ------
    InputError : not finite, empty, a zero speed, or one speed only
    SizeError : columns of different lengths
    """
    speeds, forces = series("v", v, where), series("F", F, where)
    given = {name: series(name, x, where) for name, x in (signals or {}).items()}
    same_length(where, v=speeds, F=forces, **given)
    at_rest = np.flatnonzero(speeds == 0)
    if at_rest.size:
        raise InputError(
            "the speed is zero",
            where=where,
            got=f"v = 0 at point {int(at_rest[0]) + 1} of {speeds.size}",
            remedy="At rest friction takes any value up to break-away: remove these points.",
        )
    slowest = float(np.min(np.abs(speeds)))
    if slowest < SMALLEST:
        raise _out_of_range("v", slowest, where)
    if distinct_speeds(speeds).size == 1:
        raise InputError(
            "one speed only",
            where=where,
            got=f"|v| = {abs(float(speeds[0])):g} at all {speeds.size} points",
            remedy="Measure at several speeds: one speed determines one level and nothing else.",
        )
    return speeds, forces, given


def distinct_speeds(v: Array) -> Array:
    """Different values of |v|, sorted; values equal to 1e-9 count once."""
    speeds = np.sort(np.abs(v))
    keep = np.append(True, np.diff(speeds) > 1e-9 * speeds[1:])
    return speeds[keep]


def check_time(t: ArrayLike, where: str, **columns: ArrayLike) -> tuple[Array, dict[str, Array]]:
    """A record in time.

    Returns
    -------
    t : (m,) strictly increasing
    columns : (m,) each

    Raises
    ------
    InputError : not finite, fewer than two instants, or not sorted
    SizeError : columns of different lengths
    """
    time = series("t", t, where)
    others = {name: series(name, x, where) for name, x in columns.items()}
    same_length(where, t=time, **others)
    if time.size < 2:
        raise InputError("a record of one instant", where=where)
    back = np.flatnonzero(np.diff(time) <= 0)
    if back.size:
        k = int(back[0])
        raise InputError(
            "t is not increasing",
            where=where,
            got=f"{time[k]:g} at point {k + 1}, then {time[k + 1]:g}",
            remedy="Sort the record by time and remove repeated instants.",
        )
    return time, others


def uniform_step(t: Array, where: str) -> float:
    """The one step of an evenly sampled record [s].

    Raises
    ------
    InputError : steps differ by more than a thousandth
    """
    steps = np.diff(t)
    mean = float(t[-1] - t[0]) / steps.size
    worst = float(np.max(np.abs(steps - mean)))
    if worst > 1e-3 * mean:
        k = int(np.argmax(np.abs(steps - mean)))
        raise InputError(
            "the record is not evenly sampled",
            where=where,
            expected=f"steps of {mean:g} s",
            got=f"{steps[k]:g} s behind point {k + 1}",
            remedy="Resample it.",
        )
    return mean


def check_names(where: str, given: Sequence[str], allowed: Sequence[str], what: str) -> None:
    """All names are known.

    Raises
    ------
    InputError : the first that is not
    """
    for name in given:
        if name not in allowed:
            raise InputError(
                f"no {what} {name!r}", where=where, expected=" ".join(allowed), got=name
            )
