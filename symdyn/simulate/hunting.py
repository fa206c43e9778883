"""Hunting of a PID servo with LuGre friction, and its boundary in the gains.

Integral action winds up while the joint sticks, until it slips past the target and sticks again.
A stop at the error e thus leads to a stop at e'; `slip_map` computes |e'|/|e|. Errors shrink where
that is below 1, and hunting is a stop at which it is 1: `hunting_boundary` is the velocity gain at
which the largest ratio over all errors falls to 1.

Above `slide_boundary` no slow slide is unstable. There friction falls with speed too slowly to
throw the joint past the target; the boundary of hunting lies below it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import Array
from symdyn.friction.lugre import LUGRE
from symdyn.simulate.drive import PID
from symdyn.simulate.joint import joint_system
from symdyn.simulate.limit_cycle import CycleVerdict, find_cycle
from symdyn.simulate.march import Engine, Prepared, Section, prepare, walk
from symdyn.simulate.scheme import RK4, Scheme

#: Cut where the error passes zero upwards: during a slip, hence at a definite velocity.
ERROR_RISES = Section("q")
#: The end of a slip.
_STOPS = Section("v", 0.0, -1, "q")


def servo(values: Mapping[str, float], scheme: Scheme = RK4, engine: Engine = "auto") -> Prepared:
    """The PID servo with LuGre friction, ready to walk; target 0, so that q is the error.

    Parameters
    ----------
    values : J and the parameters of LuGre friction; gains may be among them
    """
    return prepare(joint_system(LUGRE, PID), scheme, {**values, "target": 0.0}, engine)


def hunt(
    servo: Prepared,
    gains: Mapping[str, float],
    *,
    error: float = -1.0,
    span: float = 400.0,
    dt: float = 1e-4,
    floor: float = 0.01,
    tolerance: float = 1e-6,
) -> CycleVerdict:
    """Step response of the servo, judged: does it hunt?

    Parameters
    ----------
    servo : from `servo`
    gains : Kp, Kv, Ki, those that are not built in
    error : at the start, at rest [rad]
    span : longest time to simulate [s]
    dt : step [s]
    floor : below that part of the error at the start the motion counts as decayed
    tolerance : of the returns, relative

    Returns
    -------
    CycleVerdict

    Examples
    --------
    >>> lugre = dict(Fc=1, Fs=1.5, vs=0.01, alpha=2, sigma0=1e4, sigma1=99.5, sigma2=0.5)
    >>> verdict = hunt(servo({**lugre, "J": 1, "Kp": 3, "Ki": 4}), {"Kv": 6})
    >>> verdict.kind.value, round(verdict.amplitude, 6), round(verdict.period, 4)
    ('limit cycle', 0.067194, 23.933)
    """
    start = servo.system.start(q=error)
    size = floor * abs(error)
    return find_cycle(servo, gains, start, span, dt, ERROR_RISES, floor=size, tolerance=tolerance)


def slip_map(
    servo: Prepared,
    gains: Mapping[str, float],
    errors: Sequence[float],
    *,
    loaded: float = 0.9,
    dt: float = 1e-4,
) -> list[float]:
    """Where the servo stops next, for each error at which it sticks.

    Parameters
    ----------
    servo, gains : as for `hunt`
    errors : sizes of the error at the stop, > 0 [rad]
    loaded : the walk starts when the wound-up torque is that part of the break-away level
    dt : step [s]

    Returns
    -------
    list of |e'|/|e|, signed: positive if the slip passes the target

    Notes
    -----
    The start is the elastic equilibrium under the torque loaded Fs, from where the integral winds
    up further; what came before it is forgotten, as bristles creep little below 0.9 Fs.
    """
    values = servo.system.check({**servo.fixed, **gains})
    if values["Ki"] <= 0:
        raise InputError("a servo without integral action does not slip from rest", where="Ki")
    out: list[float] = []
    for e in errors:
        if not e > 0:
            raise InputError("errors are sizes, > 0", where="slip_map", got=repr(e))
        torque = loaded * values["Fs"]
        integral = (values["Kp"] * e - torque) / values["Ki"]
        start = servo.system.start(q=-e, z=torque / values["sigma0"], integral=integral)
        wait = 4 * values["Fs"] / (values["Ki"] * e) + 60 * math.sqrt(values["J"])
        done = walk(servo, gains, start, wait, dt, section=_STOPS, passages=1)
        if not done.passages:
            raise UnsupportedError(
                f"slip_map: no stop within {wait:.4g} s after sticking at an error of {e:g}"
            )
        out.append(done.passages[0].high / e)
    return out


def hunting_boundary(
    servo: Prepared,
    gains: Mapping[str, float],
    bracket: tuple[float, float],
    errors: Sequence[float],
    *,
    dt: float = 1e-4,
    tolerance: float = 1e-3,
    workers: int | None = None,
) -> float:
    """Velocity gain at which hunting ends: the largest ratio of the slip map falls to 1.

    Parameters
    ----------
    servo : with Kv not built in
    gains : Kp and Ki, if they are not built in
    bracket : a Kv that hunts and a larger one that does not
    errors : at which the slip map is taken; a jump of the map between two of them is not seen, so
        they have to be dense where slips begin
    dt : step [s]
    tolerance : relative width to which Kv is bisected
    workers : threads; the number of cores by default

    Returns
    -------
    Kv : [N m s/rad]

    Raises
    ------
    InputError : the bracket does not hold the boundary
    """

    def largest(Kv: float) -> float:
        def ratio(error: float) -> float:
            return slip_map(servo, {**gains, "Kv": Kv}, [error], dt=dt)[0]

        with ThreadPoolExecutor(workers) as pool:
            return max(pool.map(ratio, errors))

    low, high = bracket
    at_low, at_high = largest(low), largest(high)
    if not at_low > 1 > at_high:
        raise InputError(
            "the bracket does not hold the boundary of hunting",
            where="hunting_boundary",
            expected="a largest ratio above 1 at the lower and below 1 at the upper end",
            got=f"{at_low:.4g} at Kv = {low:g}, {at_high:.4g} at Kv = {high:g}",
        )
    while high - low > tolerance * high:
        middle = (low + high) / 2
        low, high = (middle, high) if largest(middle) > 1 else (low, middle)
    return (low + high) / 2


def slide_boundary(values: Mapping[str, float]) -> float:
    """Smallest velocity gain at which every steady slide is stable.

    Parameters
    ----------
    values : J and the parameters of LuGre friction

    Returns
    -------
    Kv : [N m s/rad]; 0 if the slides are stable without

    Notes
    -----
    Linearised about a slide at v, J s + Kv + sigma2 + (v h'/h)(sigma0 + sigma1 s)/(s + sigma0 v/h)
    is stable iff Kv + sigma2 + h' > 0 and J sigma0 v/h + Kv + sigma2 + sigma1 v h'/h > 0 (Routh).
    The first is the slope of the steady curve and usually decides.
    """
    p = LUGRE.check({q.name: values[q.name] for q in LUGRE.parameters})
    J, speeds = values["J"], p["vs"] * np.geomspace(1e-6, 1e3, 20001)
    k = int(np.argmax(_needed(speeds, p, J)))
    ends = float(speeds[max(k - 1, 0)]), float(speeds[min(k + 1, len(speeds) - 1)])
    near: Array = np.linspace(*ends, 20001)
    return max(0.0, float(_needed(near, p, J).max()))


def _needed(v: Array, p: Mapping[str, float], J: float) -> Array:
    """Kv that both conditions need at each speed."""
    r = (v / p["vs"]) ** p["alpha"]
    fall = (p["Fs"] - p["Fc"]) * np.exp(-r)
    h, slope = p["Fc"] + fall, -fall * p["alpha"] * r / v
    static = -(p["sigma2"] + slope)
    dynamic = -(p["sigma2"] + (p["sigma1"] * slope + J * p["sigma0"]) * v / h)
    return np.maximum(static, dynamic)
