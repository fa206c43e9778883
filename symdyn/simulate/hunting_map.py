"""The boundary of hunting in the gains of a PID servo with LuGre friction.

Where the servo hunts, slips from some error lead to a larger one (`simulate.hunting.slip_map`). The
ratio of the errors jumps up where slips begin and falls from there; `worst_slip` bisects that jump.
The boundary is the velocity gain at which the worst ratio falls to 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from symdyn._errors import InputError
from symdyn.friction.lugre import LUGRE
from symdyn.simulate.hunting import slide_boundary, slip_map
from symdyn.simulate.march import Prepared
from symdyn.simulate.stability import bristle_limit

#: Errors that are tried, relative to Fs/Kp, at which a servo without integral action would stick.
_ERRORS = (1e-3, 1.0, 22)
#: Halvings of the interval in which slips begin: to one part in a thousand.
_HALVINGS = 9
#: Velocity gains below this part of the first one are not tried.
_LEAST = 1 / 64


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip: the error it starts from, and the size of the error it ends at relative to that."""

    error: float
    ratio: float


@dataclass(frozen=True, slots=True)
class BoundaryPoint:
    """One point of the boundary.

    Attributes
    ----------
    Kp, Ki : gains
    Kv : at which hunting ends; NaN if the servo hunts at none of those tried
    error : at which it hunts there [rad]; NaN
    """

    Kp: float
    Ki: float
    Kv: float
    error: float


def worst_slip(
    servo: Prepared,
    gains: Mapping[str, float],
    *,
    about: float | None = None,
    dt: float = 5e-4,
) -> Slip:
    """The slip with the largest ratio.

    Parameters
    ----------
    servo, gains : as for `hunt`
    about : an error near which slips begin; all sizes are tried by default
    dt : longest step [s]
    """
    values = servo.system.check({**servo.fixed, **gains})
    law = {q.name: values[q.name] for q in LUGRE.parameters}
    low, high, count = _ERRORS
    scale = values["Fs"] / values["Kp"]
    if about is not None:
        low, high, count, scale = 0.6, 1.7, 4, about
    errors: list[float] = (scale * np.geomspace(low, high, count)).tolist()
    fast = math.sqrt(values["Kp"] / values["J"])

    def ratio_of(error: float) -> float:
        # slips are about as fast as the oscillation of the loop without damping, twice at most
        limit = bristle_limit(LUGRE, law, fast * error, servo.scheme)
        return slip_map(servo, gains, [error], dt=min(dt, limit / 2))[0]

    ratios = [ratio_of(error) for error in errors]
    k = max(range(count), key=lambda i: ratios[i])
    best = Slip(errors[k], ratios[k])
    if k == 0:
        return best
    below = errors[k - 1]
    for _ in range(_HALVINGS):
        middle = math.sqrt(below * best.error)
        ratio = ratio_of(middle)
        if ratio >= best.ratio:
            best = Slip(middle, ratio)
        else:
            below = middle
    return best


def hunting_boundary(
    servo: Prepared,
    gains: Mapping[str, float],
    *,
    dt: float = 5e-4,
    tolerance: float = 1e-3,
) -> BoundaryPoint:
    """Velocity gain at which hunting ends: the worst ratio of the slip map falls to 1.

    Parameters
    ----------
    servo : with Kv not built in
    gains : Kp and Ki, if they are not built in
    dt : step [s]
    tolerance : relative width to which Kv is bisected

    Returns
    -------
    BoundaryPoint

    Raises
    ------
    InputError : Kp, Ki, dt or tolerance are not positive
    """
    known = {**servo.fixed, **gains}
    for name, value in (("Kp", known["Kp"]), ("Ki", known["Ki"]), ("tolerance", tolerance)):
        if not value > 0:
            raise InputError(
                f"{name} has to be positive", where="hunting_boundary", got=f"{value:g}"
            )

    def worst(Kv: float, about: float | None = None) -> Slip:
        return worst_slip(servo, {**gains, "Kv": Kv}, about=about, dt=dt)

    first = slide_boundary(servo.fixed)
    if not 0 < first < math.inf:
        first = 2 * math.sqrt(known["Kp"] * known["J"])
    low = high = first
    if (at := worst(high)).ratio > 1:
        while at.ratio > 1 and high < first / _LEAST:
            low, high = high, 1.5 * high
            at = worst(high)
    else:
        while at.ratio <= 1:
            low, high = low / 1.5, low
            if low < _LEAST * first:
                return BoundaryPoint(known["Kp"], known["Ki"], math.nan, math.nan)
            at = worst(low)
    onset = worst(low).error
    while True:
        top = high
        while high - low > tolerance * high:
            middle = (low + high) / 2
            near = worst(middle, onset)
            if near.ratio > 1:
                low, onset = middle, near.error
            else:
                high = middle
        # slips of another size may still grow
        if high == top or (other := worst(high)).ratio <= 1:
            return BoundaryPoint(known["Kp"], known["Ki"], (low + high) / 2, onset)
        low, high, onset = high, top, other.error


def boundary_map(
    servo: Prepared,
    proportional: Sequence[float],
    integral: Sequence[float],
    *,
    dt: float = 5e-4,
    tolerance: float = 1e-3,
    workers: int | None = None,
    done: Callable[[int, int], None] | None = None,
) -> tuple[BoundaryPoint, ...]:
    """The boundary Kv(Kp, Ki) of hunting, in threads.

    Parameters
    ----------
    servo : with no gain built in
    proportional, integral : gains Kp and Ki; each is combined with each
    dt, tolerance : as for `hunting_boundary`
    workers : threads; the number of cores by default
    done : told after each point how many of how many there are

    Returns
    -------
    points : for each Kp all Ki, in order
    """
    pairs = [(Kp, Ki) for Kp in proportional for Ki in integral]

    def point(pair: tuple[float, float]) -> BoundaryPoint:
        gains = {"Kp": pair[0], "Ki": pair[1]}
        return hunting_boundary(servo, gains, dt=dt, tolerance=tolerance)

    found: list[BoundaryPoint] = []
    with ThreadPoolExecutor(workers) as pool:
        for result in pool.map(point, pairs):
            found.append(result)
            if done is not None:
                done(len(found), len(pairs))
    return tuple(found)
