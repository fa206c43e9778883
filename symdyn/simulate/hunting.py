"""Hunting of a PID servo with LuGre friction, and its boundary in the gains.

Integral action winds up while the joint sticks, until it slips past the target and sticks again.
A stop at the error e thus leads to a stop at e'; `slip_map` computes |e'|/|e|. Errors shrink where
that is below 1, and hunting is a stop at which it is 1. In `simulate.hunting_map` this gives the
boundary of hunting in the gains.

Above `slide_boundary` no slow slide is unstable.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from symdyn._errors import InputError, UnsupportedError
from symdyn.analysis.steady_curve import critical_viscous, curve_of
from symdyn.friction.lugre import LUGRE
from symdyn.simulate.drive import PID
from symdyn.simulate.joint import joint_system
from symdyn.simulate.limit_cycle import CycleVerdict, find_cycle
from symdyn.simulate.march import Engine, Prepared, Section, prepare, walk
from symdyn.simulate.scheme import EXPONENTIAL, RK4, Scheme

#: Cut where the error passes zero upwards: during a slip, hence at a definite velocity.
ERROR_RISES = Section("q")
#: An unstable loop is followed up to this multiple of the error at the start, or of that at which
#: dry friction balances the proportional action.
_GROWN = 10.0
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
    values = servo.system.check({**servo.fixed, **gains})
    servo, ceiling = followed(servo, values, error)
    return find_cycle(
        servo, gains, servo.system.start(q=error), span, dt, ERROR_RISES,
        tolerance=tolerance,
        floor=floor * abs(error),
        ceiling=ceiling,
        idle=() if values["Ki"] else ("integral",),
    )  # fmt: skip


def followed(servo: Prepared, values: Mapping[str, float], error: float) -> tuple[Prepared, float]:
    """The servo as it is followed from an error, and the error up to which it is.

    A stable loop is followed as it is, without end. What grows becomes too fast for explicit steps
    of the bristles, so an unstable one is taken in exponential steps, up to an error that dry
    friction has long ceased to bound.
    """
    if is_loop_stable(values):
        return servo, math.inf
    engine = "python" if servo.native is None else "native"
    servo = prepare(servo.system, EXPONENTIAL, servo.fixed, engine)
    return servo, _GROWN * max(abs(error), values["Fs"] / abs(values["Kp"] or math.inf))


def is_loop_stable(values: Mapping[str, float]) -> bool:
    """Whether the loop is stable with viscous friction alone, as it is far above the dry level.

    Parameters
    ----------
    values : J, Kp, Kv, Ki and sigma2

    Notes
    -----
    J s^3 + (Kv + sigma2) s^2 + Kp s + Ki by Routh; without integral action one degree less.
    """
    damping, Kp, Ki = values["Kv"] + values["sigma2"], values["Kp"], values["Ki"]
    if Ki == 0:
        return damping > 0 and Kp > 0
    return damping > 0 and Ki > 0 and damping * Kp > values["J"] * Ki


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
    list of |e'|/|e|, signed: positive if the slip passes the target. A slide that does not end in
        the time of some slow time constants counts with the error that is left.

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
        wait = values["Fs"] / (values["Ki"] * e) + 60 * math.sqrt(values["J"])
        wait += 20 * values["Kp"] / values["Ki"]
        done = walk(servo, gains, start, wait, dt, section=_STOPS, passages=1)
        if done.passages:
            out.append(done.passages[0].high / e)
        elif abs(done.end[0]) < e:
            out.append(done.end[0] / e)  # it slides towards the target without an end
        else:
            raise UnsupportedError(
                f"slip_map: no stop within {wait:.4g} s after sticking at an error of {e:g}"
            )
    return out


def slide_boundary(values: Mapping[str, float]) -> float:
    """Smallest velocity gain at which every steady slide is stable.

    Parameters
    ----------
    values : J and the parameters of LuGre friction

    Returns
    -------
    Kv : [N m s/rad]; 0 if the slides are stable without, infinite for alpha < 1, where the curve
        falls infinitely steeply at rest

    Notes
    -----
    Linearised about a slide at v, J s + Kv + sigma2 + (v h'/h)(sigma0 + sigma1 s)/(s + sigma0 v/h)
    is stable iff Kv + sigma2 + h' > 0 and J sigma0 v/h + Kv + sigma2 + sigma1 v h'/h > 0 (Routh).
    The first is the slope of the steady curve and usually decides: its maximum is
    `analysis.steady_curve.critical_viscous` for any exponent.
    """
    own = {q.name: values[q.name] for q in LUGRE.parameters}
    curve, p = curve_of(LUGRE, own), LUGRE.check(own)
    dry = replace(curve, b=0.0)
    static = critical_viscous(dry) - p["sigma2"]
    if static == math.inf:
        return static

    def dynamic(v: float) -> float:
        share = v / dry.force(v)
        return -p["sigma2"] - (p["sigma1"] * dry.slope(v) + values["J"] * p["sigma0"]) * share

    # the maximum over a grid, each finer than the one before about the best speed
    low, high = 1e-6 * p["vs"], 1e3 * p["vs"]
    for _ in range(4):
        speeds: list[float] = np.geomspace(low, high, 401).tolist()
        k = max(range(401), key=lambda i: dynamic(speeds[i]))
        low, high = speeds[max(k - 1, 0)], speeds[min(k + 1, 400)]
    return max(0.0, static, dynamic(math.sqrt(low * high)))
