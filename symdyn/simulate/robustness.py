"""How observer-based compensation fares when its parameters are wrong, by sweeps in parallel.

The joint keeps its parameters and the observer believes others; or the joint's levels change with
load and temperature and the observer's do not. Each case is simulated from the same start and what
is left of the error at the end is reported, with the verdict on a limit cycle.

Canudas de Wit et al. 1995 prove convergence for exact parameters only.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.friction.load_temperature import (
    LOAD_STRIBECK,
    TEMPERATURE_STRIBECK,
    loaded_levels,
    warm_curve,
)
from symdyn.friction.lugre import LUGRE
from symdyn.simulate.joint import joint_system
from symdyn.simulate.limit_cycle import CycleKind, CycleVerdict, Return, judge, return_of
from symdyn.simulate.march import Engine, Prepared, Section, prepare, walk
from symdyn.simulate.observer import HAT, OBSERVER, TRACKER, with_hats
from symdyn.simulate.scheme import RK4, Scheme

_RISES = Section("q")


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a sweep: a label, and parameters that differ from the nominal ones.

    Names as in the joint (``Fc``) change the joint, names with ``_hat`` the observer's belief,
    ``Kp Kv k J`` the controller and the inertia.
    """

    label: str
    changes: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one case.

    Attributes
    ----------
    case : the case
    residual : largest |error| over the last part of the simulation [rad]
    mean : mean error over that part: where the joint is held off the target [rad]
    verdict : on the returns of the error through zero
    """

    case: Case
    residual: float
    mean: float
    verdict: CycleVerdict


def compensated_servo(scheme: Scheme = RK4, engine: Engine = "auto") -> Prepared:
    """The servo with observer, every parameter an argument; target 0, so that q is the error."""
    return prepare(joint_system(LUGRE, OBSERVER), scheme, {"target": 0.0}, engine)


def sweep(
    servo: Prepared,
    nominal: Mapping[str, float],
    gains: Mapping[str, float],
    cases: Sequence[Case],
    *,
    error: float = -1.0,
    span: float = 40.0,
    last: float = 10.0,
    longest: float = 640.0,
    dt: float = 1e-4,
    floor: float = 1e-9,
    workers: int | None = None,
    warns: bool = True,
) -> tuple[Outcome, ...]:
    """Simulate every case; results in the order of the cases.

    Parameters
    ----------
    servo : from `compensated_servo`
    nominal : J and the parameters of LuGre friction, believed by the observer
    gains : Kp, Kv, k
    cases : what differs from it
    error : at the start, at rest [rad]
    span, last : simulated time, and the part at the end of which the error is reported [s]
    longest : where the returns leave the verdict open, the simulation goes on up to here [s]
    dt : step [s]
    floor : an error that stays below it has converged [rad]
    workers : threads; the number of cores by default. Compiled steps run side by side.
    warns : of unstable steps, as `march.walk` does

    Returns
    -------
    one Outcome a case

    Raises
    ------
    InputError : a case changes what does not exist or leaves a domain; the states of a case stop
        being finite
    """
    base = {**nominal, **with_hats(nominal), **gains}
    _check_names(servo, cases)

    def run(case: Case) -> Outcome:
        values = {**base, **case.changes}
        own = servo.system.check({**servo.fixed, **values})
        past = walk(servo, values, servo.system.start(q=error), span - last, dt, warns=warns)
        returns: list[Return] = []
        while True:
            start, t0 = past.end, past.end_time
            past = walk(servo, values, start, last, dt, t0=t0, every=1, section=_RISES, warns=warns)
            returns += [return_of(servo.system, own, _RISES, p, dt) for p in past.passages]
            errors = past.states[:, 0]
            residual = float(np.abs(errors).max())
            verdict = judge(returns)
            if residual < floor:
                verdict = replace(verdict, kind=CycleKind.DECAY)
            if verdict.kind is not CycleKind.OPEN or past.end_time > longest - last / 2:
                return Outcome(case, residual, float(errors.mean()), verdict)

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        return tuple(pool.map(run, cases))


def believed(name: str, nominal: Mapping[str, float], factors: Sequence[float]) -> list[Case]:
    """Cases in which the observer's value of one parameter is wrong by each factor."""
    return [Case(f"{name} x {f:g}", {f"{name}{HAT}": nominal[name] * f}) for f in factors]


def loaded(
    nominal: Mapping[str, float], growth: Mapping[str, float], loads: Sequence[float]
) -> list[Case]:
    """Cases in which the joint carries a load that its levels grow with.

    Parameters
    ----------
    nominal : parameters of LuGre friction without load
    growth : FcL and FsL of the law ``load-stribeck``, whose levels the joint then has
    loads : torques that press the surfaces [N m]

    Raises
    ------
    InputError : growth is not that of the law, or leaves its domain
    """
    own = LOAD_STRIBECK.check(
        {
            **growth, "Fc0": nominal["Fc"], "Fs0": nominal["Fs"], "vs": nominal["vs"],
            "alpha": nominal["alpha"], "b": nominal["sigma2"],
        }
    )  # fmt: skip
    cases: list[Case] = []
    for load in loads:
        Fc, Fs = loaded_levels(FLOAT64, {"load": load}, own)
        cases.append(Case(f"load {load:g} N m", {"Fc": Fc, "Fs": Fs}))
    return cases


def heated(
    nominal: Mapping[str, float], growth: Mapping[str, float], temperatures: Sequence[float]
) -> list[Case]:
    """Cases in which the joint is warmer than when the observer's parameters were found.

    Parameters
    ----------
    nominal : parameters of LuGre friction at the zero of the scale
    growth : FsT, vsT, FvT, TV0 of the law ``temperature-stribeck``: the hump and the Stribeck
        velocity grow linearly, the viscous coefficient falls by FvT (1 - exp(-T/TV0))
    temperatures : above that zero [K]

    Raises
    ------
    InputError : growth is not that of the law, or a temperature leaves the range of the law
    """
    given = {
        **growth, "Fc0": nominal["Fc"], "FcL": 0.0, "Fs0": nominal["Fs"] - nominal["Fc"],
        "FsL": 0.0, "vs0": nominal["vs"], "alpha": nominal["alpha"],
        "Fv0": nominal["sigma2"] - growth.get("FvT", 0.0),
    }  # fmt: skip
    own = TEMPERATURE_STRIBECK.check(given)
    cases: list[Case] = []
    for T in temperatures:
        Fc, hump, vs, viscous = warm_curve(FLOAT64, {"temperature": T, "load": 0.0}, own)
        changes = {"Fs": Fc + hump, "vs": vs, "sigma2": viscous}
        cases.append(Case(f"{abs(T):g} K {'warmer' if T >= 0 else 'colder'}", changes))
    return cases


@dataclass(frozen=True, slots=True)
class Tracking:
    """What came of one case behind a moving target.

    Attributes
    ----------
    case : the case
    before, residual : largest |error| over the last period but one and over the last [rad]
    """

    case: Case
    before: float
    residual: float


def tracking_servo(scheme: Scheme = RK4, engine: Engine = "auto") -> Prepared:
    """The servo behind a target that swings, every parameter an argument."""
    return prepare(joint_system(LUGRE, TRACKER), scheme, engine=engine)


def track(
    servo: Prepared,
    nominal: Mapping[str, float],
    gains: Mapping[str, float],
    cases: Sequence[Case],
    *,
    amplitude: float,
    frequency: float,
    periods: int = 20,
    dt: float = 1e-4,
    workers: int | None = None,
) -> tuple[Tracking, ...]:
    """Follow the target amplitude sin(frequency t) from rest; it turns round twice a period.

    Parameters
    ----------
    servo : from `tracking_servo`
    nominal, gains, cases : as for `sweep`
    amplitude, frequency : of the target, both > 0 [rad, rad/s]
    periods : that are simulated, at least 2
    dt, workers : as for `sweep`

    Raises
    ------
    InputError : as for `sweep`; amplitude or frequency are not positive
    """
    if not (amplitude > 0 and frequency > 0 and periods >= 2):
        raise InputError(
            "a target that swings needs an amplitude and a frequency > 0, and two periods",
            where="track",
            got=f"{amplitude:g} rad, {frequency:g} rad/s, {periods} periods",
        )
    wave = {"amplitude": amplitude, "frequency": frequency, "J_hat": nominal["J"]}
    base = {**nominal, **with_hats(nominal), **gains, **wave}
    _check_names(servo, cases)
    period = 2 * np.pi / frequency
    index = servo.system.index("error")

    def run(case: Case) -> Tracking:
        values = {**base, **case.changes}
        past = walk(servo, values, servo.system.start(), (periods - 2) * period + dt, dt)
        found: list[float] = []
        for _ in range(2):
            past = walk(servo, values, past.end, period, dt, t0=past.end_time, every=1)
            found.append(float(np.abs(past.states[:, index]).max()))
        return Tracking(case, found[0], found[1])

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        return tuple(pool.map(run, cases))


def _check_names(servo: Prepared, cases: Sequence[Case]) -> None:
    known = {q.name for q in servo.system.parameters}
    for case in cases:
        for name in case.changes:
            if name not in known:
                raise InputError(
                    f"case {case.label!r} changes {name!r}, which is no parameter",
                    where="sweep",
                    expected="one of " + " ".join(sorted(known)),
                )
