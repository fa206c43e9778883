"""Simulations of one joint with friction: what was run, in words and as records for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.analysis.lugre import lag_loop
from symdyn.analysis.observer_servo import ServoReport, compensated_loop
from symdyn.friction.law import FrictionLaw
from symdyn.friction.lugre import LUGRE
from symdyn.report.friction_curves import finite
from symdyn.report.rows import Table, text_lines
from symdyn.simulate.break_away import BreakAway, Presliding, break_away, presliding, ramped_joint
from symdyn.simulate.hunting import followed, hunt, servo, slide_boundary
from symdyn.simulate.joint_friction import JointFriction
from symdyn.simulate.lag import Loop, friction_loop
from symdyn.simulate.limit_cycle import CycleKind, CycleVerdict
from symdyn.simulate.march import walk
from symdyn.simulate.mechanism import constant_inertia
from symdyn.simulate.robustness import (
    Case,
    Outcome,
    Tracking,
    compensated_servo,
    sweep,
    track,
    tracking_servo,
)
from symdyn.simulate.stick_slide import simulate_ideal
from symdyn.simulate.stick_slip import (
    PullKind,
    StickSlip,
    find_stick_slip,
    loading_time,
    usual_span,
)
from symdyn.simulate.trajectory import Trajectory

#: What remains of an error of 1 rad in doubles; the error is a state and could shrink further.
ROUNDING = 1e-16
_SAMPLES = 600
#: Periods of a limit cycle that are drawn, and time that is drawn where there is none [s].
_SHOWN_PERIODS, _SHOWN_TIME = 6, 200.0


# -- below break-away -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PreslidingStudy:
    """A slow loading: the end of it, and the way there."""

    values: Mapping[str, float]
    ramp: float
    torque: float
    end: Presliding
    loads: Array
    angles: Array
    deflections: Array


def study_presliding(
    values: Mapping[str, float], inertia: float, ramp: float, torque: float | None
) -> PreslidingStudy:
    """Load a resting LuGre joint slowly; by default up to 0.95 of break-away."""
    joint = ramped_joint()
    own = {**values, "J": inertia}
    goal = 0.95 * values["Fs"] if torque is None else torque
    end = presliding(joint, own, ramp, goal)
    span = goal / ramp
    steps = max(_SAMPLES, round(span / 1e-4))
    run = walk(
        joint, {**own, "ramp": ramp}, joint.system.start(), span, span / steps,
        every=max(1, steps // _SAMPLES),
    )  # fmt: skip
    return PreslidingStudy(
        values, ramp, goal, end, ramp * run.times, run.states[:, 0], run.states[:, 2]
    )


def presliding_study_lines(study: PreslidingStudy) -> list[str]:
    """The end of the loading in words."""
    sigma0, z = study.values["sigma0"], study.end.deflection
    return [
        f"Loaded at {study.ramp:g} N m/s up to {study.torque:g} N m, "
        f"{100 * study.torque / study.values['Fs']:.4g} % of break-away",
        f"position {study.end.angle:.7g} rad, deflection {z:.8g} rad, "
        f"ratio {study.end.angle / z:.5g}",
        f"sigma0 z over the friction, less 1: {sigma0 * z / study.end.friction - 1:.3g}",
        f"position by the quasi-static closed form: {study.end.quasi_static:.7g} rad",
    ]


def presliding_study_record(study: PreslidingStudy) -> dict[str, object]:
    """The end of the loading as JSON values."""
    return {
        "ramp": study.ramp,
        "torque": study.torque,
        "position": study.end.angle,
        "deflection": study.end.deflection,
        "friction": study.end.friction,
        "quasi_static_position": study.end.quasi_static,
    }


def study_break_away(
    values: Mapping[str, float], inertia: float, ramps: Sequence[float]
) -> tuple[BreakAway, ...]:
    """Load a resting LuGre joint at several rates until it slides."""
    joint = ramped_joint()
    return tuple(break_away(joint, {**values, "J": inertia}, ramp) for ramp in ramps)


def break_away_lines(found: Sequence[BreakAway]) -> list[str]:
    """Both definitions of break-away beside each other."""
    rows = tuple(
        (f"{b.ramp:g}", f"{b.friction:.6f}", f"{b.velocity:.6f}", f"{b.torque:.6f}",
         f"{b.torque_sliding:.6f}")
        for b in found
    )  # fmt: skip
    head = ("N m/s", "largest friction", "at rad/s", "torque there", "torque when v passes vs")
    order = sorted(found, key=lambda b: b.ramp)
    falls = all(b.friction < a.friction for a, b in pairwise(order))
    rises = all(b.torque_sliding > a.torque_sliding for a, b in pairwise(order))
    lines = [
        "Break-away against the rate of the torque [N m]",
        *text_lines(Table(head, rows, (0, 1, 2, 3, 4))),
    ]
    if len(found) > 1 and falls and rises:
        lines += [
            "",
            "The friction reached falls with the rate, the torque applied when sliding begins "
            "rises: the definition decides.",
        ]
    return lines


def break_away_record(found: Sequence[BreakAway]) -> list[dict[str, float]]:
    """Break-away as JSON values."""
    return [
        {
            "ramp": b.ramp,
            "largest_friction": b.friction,
            "velocity": b.velocity,
            "torque": b.torque,
            "torque_sliding": b.torque_sliding,
        }
        for b in found
    ]


# -- frictional lag -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LagStudy:
    """Loops at several frequencies about one mean velocity."""

    law: FrictionLaw
    values: Mapping[str, float]
    mean: float
    frequencies: tuple[float, ...]
    loops: tuple[Loop, ...]


def study_lag(
    law: FrictionLaw,
    values: Mapping[str, float],
    mean: float,
    amplitude: float,
    frequencies: Sequence[float],
) -> LagStudy:
    """Friction over v = mean + amplitude sin(frequency t), settled."""
    loops = tuple(friction_loop(law, values, mean, amplitude, w) for w in frequencies)
    return LagStudy(law, values, mean, tuple(frequencies), loops)


def lag_lines(study: LagStudy) -> list[str]:
    """Loops in words; for LuGre also which way round they run, and why."""
    low = study.loops[0].velocity.min()
    speed = float(low + 0.25 * (study.loops[0].velocity.max() - low))
    rows: list[tuple[str, ...]] = []
    for w, loop in zip(study.frequencies, study.loops, strict=True):
        rising, falling = loop.at(speed)
        rows.append(
            (f"{w:g}", f"{loop.area:.5e}", f"{loop.rms:.5e}", f"{rising:.6f}", f"{falling:.6f}")
        )
    head = (
        "rad/s", "signed area", "rms off steady", f"rising at {speed:g}", f"falling at {speed:g}",
    )  # fmt: skip
    lines = [
        f"{study.law.title}: friction over an oscillating velocity",
        *text_lines(Table(head, tuple(rows), (0, 1, 2, 3, 4))),
    ]
    if study.law.name == LUGRE.name and study.mean != 0:
        found = lag_loop(study.values, study.mean)
        way = "lags" if found.lags else "leads"
        lines += [
            "",
            f"For small loops about {study.mean:g} rad/s friction {way} the steady curve where it "
            f"falls: sigma1 = {study.values['sigma1']:g}, and the loop turns round at h/|v| = "
            f"{found.reversal:.6g}.",
        ]
    return lines


def lag_record(study: LagStudy) -> dict[str, object]:
    """Loops as JSON values."""
    return {
        "law": study.law.name,
        "mean": study.mean,
        "loops": [
            {"frequency": w, "area": loop.area, "rms": loop.rms}
            for w, loop in zip(study.frequencies, study.loops, strict=True)
        ],
    }


# -- servo ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HuntingStudy:
    """A PID servo: the verdict, and the motion that is drawn."""

    gains: Mapping[str, float]
    verdict: CycleVerdict
    slide_boundary: float
    times: Array
    errors: Array
    speeds: Array


def study_hunting(
    values: Mapping[str, float],
    inertia: float,
    gains: Mapping[str, float],
    error: float,
    span: float,
    dt: float,
) -> HuntingStudy:
    """Step response of a PID servo with LuGre friction, judged by its returns."""
    check_gains(gains, ("Kp", "Kv", "Ki"), "hunting")
    own = {**values, "J": inertia}
    prepared = servo(own)
    verdict = hunt(prepared, gains, error=error, span=span, dt=dt)
    shown = _SHOWN_PERIODS * verdict.period if verdict.is_cycle else min(span, _SHOWN_TIME)
    every = max(1, round(shown / dt) // 8000)
    prepared, ceiling = followed(prepared, {**own, **gains}, error)
    start = prepared.system.start(q=error)
    run = walk(prepared, gains, start, shown, dt, every=every, ceiling=ceiling)
    return HuntingStudy(
        gains, verdict, slide_boundary(own), run.times, run.states[:, 0], run.states[:, 1]
    )


def hunting_lines(study: HuntingStudy) -> list[str]:
    """The verdict in words."""
    v = study.verdict
    gains = ", ".join(f"{n} = {x:g}" for n, x in study.gains.items())
    lines = [f"PID servo with LuGre friction, {gains}", v.kind.value]
    if v.is_cycle:
        lines.append(
            f"amplitude {v.amplitude:.6g} rad, period {v.period:.7g} s, from {len(v.returns)} "
            f"returns that change by {v.change:.1e}"
        )
    if v.kind is CycleKind.REST:
        end = f"{study.errors[-1]:.6g} rad off the target"
        # the integral of an error goes on until there is none
        lines.append(
            f"at the target; {end} at t = {study.times[-1]:g} s" if study.gains["Ki"] else end
        )
    if v.kind is CycleKind.GROWTH:
        lines.append("the loop is unstable without dry friction")
    lines.append(slide_line(study.slide_boundary))
    return lines


def slide_line(boundary: float) -> str:
    """From which velocity gain on steady slides are stable, in words."""
    if boundary == np.inf:
        return "no Kv makes the slowest slides stable: the steady curve falls ever steeper at rest"
    if boundary == 0:
        return "steady slides are stable for any Kv > 0: the steady curve does not fall"
    return (
        f"steady slides are stable for Kv > {boundary:.6g}: the steepest fall of the steady curve"
    )


def hunting_record(study: HuntingStudy) -> dict[str, object]:
    """The verdict as JSON values."""
    v = study.verdict
    return {
        "gains": dict(study.gains),
        "verdict": v.kind.value,
        "is_limit_cycle": v.is_cycle,
        "amplitude": finite(v.amplitude) if v.is_cycle else None,
        "period": finite(v.period) if v.is_cycle else None,
        "change": finite(v.change),
        "returns": len(v.returns),
        "stable_slides_above_Kv": finite(study.slide_boundary),
    }


@dataclass(frozen=True, slots=True)
class CompensationStudy:
    """An observer that believes other parameters than the joint has."""

    gains: Mapping[str, float]
    report: ServoReport
    outcomes: tuple[Outcome, ...]
    swing: tuple[float, float] | None
    tracks: tuple[Tracking, ...]


def study_compensation(
    values: Mapping[str, float],
    inertia: float,
    gains: Mapping[str, float],
    changes: Sequence[Case],
    *,
    error: float = -1.0,
    dt: float = 1e-4,
    swing: tuple[float, float] | None = None,
) -> CompensationStudy:
    """Compensated servo with exact parameters, then with something that differs.

    Parameters
    ----------
    values, inertia : parameters of LuGre friction as the observer was given them, and J
    gains : Kp, Kv, k
    changes : see `simulate.robustness`
    error, dt : at the start, and step [rad, s]
    swing : amplitude and frequency of a target that is followed too [rad, rad/s]
    """
    check_gains(gains, ("Kp", "Kv", "k"), "compensation")
    nominal = {**values, "J": inertia}
    cases = [Case("exact", {}), *changes]
    outcomes = sweep(compensated_servo(), nominal, gains, cases, error=error, dt=dt)
    report = compensated_loop(values, inertia, gains["Kp"], gains["Kv"])
    tracks: tuple[Tracking, ...] = ()
    if swing is not None:
        tracks = track(
            tracking_servo(), nominal, gains, cases, amplitude=swing[0], frequency=swing[1], dt=dt
        )
    return CompensationStudy(gains, report, outcomes, swing, tracks)


def compensation_lines(study: CompensationStudy) -> list[str]:
    """What remains of the error in each case."""
    rows = tuple(
        (o.case.label, _size(o.residual), _size(o.mean),
         f"{o.verdict.period:.5g}" if o.verdict.is_cycle else "–", o.verdict.kind.value)
        for o in study.outcomes
    )  # fmt: skip
    is_strict = "strictly positive real" if study.report.is_strict else "not strictly positive real"
    lines = [
        f"Observer compensation: the loop is {is_strict} (Kv > {study.report.least_damping:.9g})",
        *text_lines(Table(("observer", "largest error", "mean", "period", ""), rows, (1, 2, 3))),
    ]
    if study.swing is not None:
        behind = tuple((t.case.label, _size(t.residual), tracking_verdict(t)) for t in study.tracks)
        lines += [
            "",
            f"Behind a target that swings by {study.swing[0]:g} rad at {study.swing[1]:g} rad/s",
            *text_lines(Table(("observer", "largest error", ""), behind, (1,))),
        ]
    return lines


def tracking_verdict(found: Tracking) -> str:
    """What the error behind a moving target does from period to period."""
    if found.residual < 1e-9:
        return "converges to zero"
    is_same = abs(found.residual - found.before) <= 1e-3 * found.residual
    return "repeats each period" if is_same else "still changes"


def _size(error: float) -> str:
    return f"{error:.3e}" if abs(error) >= ROUNDING else f"< {ROUNDING:g}"


def compensation_record(study: CompensationStudy) -> dict[str, object]:
    """What remains of the error as JSON values."""
    record: dict[str, object] = {
        "gains": dict(study.gains),
        "strictly_positive_real": study.report.is_strict,
        "least_Kv": study.report.least_damping,
        "rounding": ROUNDING,
        "cases": [
            {
                "observer": o.case.label,
                "largest_error": max(o.residual, ROUNDING),
                "mean_error": o.mean if abs(o.mean) >= ROUNDING else 0.0,
                "verdict": o.verdict.kind.value,
                "is_limit_cycle": o.verdict.is_cycle,
                "period": finite(o.verdict.period) if o.verdict.is_cycle else None,
            }
            for o in study.outcomes
        ],
    }
    if study.swing is not None:
        record["swing"] = list(study.swing)
        record["tracking"] = [
            {
                "observer": t.case.label,
                "largest_error": max(t.residual, ROUNDING),
                "verdict": tracking_verdict(t),
            }
            for t in study.tracks
        ]
    return record


# -- stick-slip -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StickSlipStudy:
    """A body pulled by a spring: the cycle, and the motion that is drawn."""

    cycle: StickSlip
    motion: Trajectory
    stiffness: float
    pull: float
    loaded: float


def study_stick_slip(
    law: FrictionLaw,
    values: Mapping[str, float],
    inertia: float,
    stiffness: float,
    pull: float,
    damping: float,
    span: float | None,
) -> StickSlipStudy:
    """Pull a body over ideal friction by a spring at constant velocity.

    Parameters
    ----------
    span : simulated time [s]; by default as many cycles as settle
    """
    if span is None:
        span = usual_span(law, values, inertia, stiffness, pull)
    cycle = find_stick_slip(
        law, values, inertia, stiffness, pull, damping=damping, span=span
    )  # fmt: skip

    def spring(t: float, q: Array, v: Array) -> Array:
        return stiffness * (pull * t - q) + damping * (pull - v)

    shown = min(span, 6 * cycle.period) if cycle.kind is PullKind.CYCLE else span
    motion = simulate_ideal(
        constant_inertia([[inertia]]), [JointFriction(law, values)], spring, [0.0], [0.0],
        np.linspace(0, shown, 2001).tolist(),
    )  # fmt: skip
    loaded = loading_time(law, values, stiffness, pull)
    return StickSlipStudy(cycle, motion, stiffness, pull, loaded)


def stick_slip_lines(study: StickSlipStudy) -> list[str]:
    """The cycle in words."""
    c = study.cycle
    pulled = f"Pulled at {study.pull:g} rad/s the body"
    if c.kind is PullKind.CYCLE:
        return [
            f"{pulled} sticks for {c.stick:.6g} s and slips for {c.slip:.6g} s: period "
            f"{c.period:.6g} s, {c.cycles} cycles seen"
        ]
    lines = [f"{pulled} {c.kind.value}"]
    if c.kind is PullKind.REST:
        lines.append(
            f"the spring reaches break-away after {study.loaded:.4g} s, beyond the "
            f"{study.motion.times[-1]:.4g} s simulated"
        )
    return lines


def stick_slip_record(study: StickSlipStudy) -> dict[str, object]:
    """The cycle as JSON values."""
    c = study.cycle
    return {
        "verdict": c.kind.value,
        "sticks": c.kind is PullKind.CYCLE,
        "stick": finite(c.stick),
        "slip": finite(c.slip),
        "period": finite(c.period),
        "cycles": c.cycles,
    }


def check_gains(gains: Mapping[str, float], names: Sequence[str], study: str) -> None:
    """Refuse gains that are not those of a study.

    Raises
    ------
    InputError : with the names
    """
    if set(gains) != set(names):
        raise InputError(
            "wrong set of gains",
            where=f"{study}, --gains",
            expected=" ".join(names),
            got=" ".join(gains) or "none",
        )
