"""What can be said of a law without simulating it, for a terminal and as records for programs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis.equilibria import Equilibrium, law_equilibria
from symdyn.analysis.law_curve import FASTEST, SLOWEST, law_shape, side_curve
from symdyn.analysis.lugre import (
    LagLoop,
    StickMode,
    deflection_bound,
    drift_per_cycle,
    lag_loop,
    stick_mode,
)
from symdyn.analysis.lugre_passivity import (
    SpeedLimits,
    dissipation_speed_limits,
    required_viscous,
)
from symdyn.analysis.observer_servo import ServoReport, compensated_loop
from symdyn.analysis.passivity import passivity
from symdyn.analysis.steady_curve import CurveShape, StribeckCurve, critical_viscous
from symdyn.expr.verdict import Verdict
from symdyn.friction.law import FrictionLaw
from symdyn.friction.lugre import LUGRE
from symdyn.identify.inertia_bias import InertiaBias
from symdyn.report.friction_curves import finite, shape_record
from symdyn.report.rows import Table, text_lines


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked beside the law itself; None where it is not.

    Attributes
    ----------
    torque : constant torque whose equilibria are wanted [N m]
    inertia : of the joint [kg m^2]
    velocity : about which the lag loop is linearised [rad/s]
    cycle : least and greatest torque of an oscillating load [N m]
    gains : Kp, Kv and perhaps Ki of a servo with an observer
    signals : load, temperature, position at which the steady curve is asked for; else 0
    """

    torque: float | None = None
    inertia: float | None = None
    velocity: float | None = None
    cycle: tuple[float, float] | None = None
    gains: Mapping[str, float] | None = None
    signals: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answers; None where the law has none or was not asked.

    ``curve`` is the steady curve where it is Stribeck's; ``backward`` is the shape of the other
    side if it differs; ``chatter`` is the torque up to which a law that jumps at rest, but holds
    nothing there, runs to and fro about rest.
    """

    law: FrictionLaw
    values: Mapping[str, float]
    shape: CurveShape
    passivity: Verdict
    curve: StribeckCurve | None = None
    backward: CurveShape | None = None
    chatter: float | None = None
    equilibria: tuple[Equilibrium, ...] | None = None
    torque: float = 0.0
    limits: SpeedLimits | None = None
    least_viscous: float | None = None
    bound: float | None = None
    mode: StickMode | None = None
    lag: LagLoop | None = None
    velocity: float = 0.0
    drift: float | None = None
    servo: ServoReport | None = None


def analyse(law: FrictionLaw, values: Mapping[str, float], question: Question) -> Analysis:
    """Everything that is known of a law without simulating it.

    Raises
    ------
    InputError : a question that the law cannot answer
    """
    constant = law.name == LUGRE.name
    if not constant:
        for name in ("inertia", "velocity", "cycle", "gains"):
            if getattr(question, name) is not None:
                raise InputError(f"{name} is a question to the law lugre", got=law.name)
    if question.gains is not None and question.inertia is None:
        raise InputError("gains need an inertia", where="--gains")
    p = dict(values)
    signals = {q.name: (question.signals or {}).get(q.name, 0.0) for q in law.signals}
    forward = law_shape(law, p, signals)
    backward = law_shape(law, p, signals, forward=False)
    return Analysis(
        law=law,
        values=values,
        shape=forward,
        passivity=passivity(law, p),
        curve=side_curve(law, p, signals),
        backward=backward if backward != forward else None,
        chatter=_chatter(law, p, signals),
        equilibria=law_equilibria(law, p, question.torque, signals)
        if question.torque is not None
        else None,
        torque=question.torque or 0.0,
        limits=dissipation_speed_limits(p) if constant else None,
        least_viscous=required_viscous(p) if constant else None,
        bound=deflection_bound(p) if constant else None,
        mode=stick_mode(p, question.inertia) if question.inertia is not None else None,
        lag=lag_loop(p, question.velocity) if question.velocity is not None else None,
        velocity=question.velocity or 0.0,
        drift=drift_per_cycle(p, *question.cycle) if question.cycle is not None else None,
        servo=compensated_loop(p, question.inertia, **_gains(question.gains))
        if question.gains is not None and question.inertia is not None
        else None,
    )


def _gains(given: Mapping[str, float]) -> dict[str, float]:
    if not {"Kp", "Kv"} <= set(given) <= {"Kp", "Kv", "Ki"}:
        raise InputError(
            "wrong set of gains", where="--gains", expected="Kp Kv, perhaps Ki",
            got=" ".join(given) or "none",
        )  # fmt: skip
    return dict(given)


def _chatter(law: FrictionLaw, p: Mapping[str, float], u: Mapping[str, float]) -> float | None:
    if law.states or law.at_rest is not None or law.ends is None:
        return None
    jump = law.ends(FLOAT64, u, p)[0]
    return jump if jump > 0 else None


def analysis_lines(a: Analysis) -> list[str]:
    """The answers in words."""
    words = ", ".join(f"{n} = {x:g}" for n, x in a.values.items())
    lines = [f"{a.law.title}: {words}"]
    lines += ["", "Steady curve", *_shape_lines(a.curve, a.shape)]
    if a.backward is not None:
        lines += ["", "Steady curve of backward motion", *_shape_lines(a.curve, a.backward)]
    lines += ["", "Passivity", f"  {a.passivity.kind.value}: {a.passivity.claim}"]
    lines += [f"  {a.passivity.detail}"] if a.passivity.detail else []
    if a.passivity.witness:
        witness = ", ".join(f"{k} = {_value(v)}" for k, v in a.passivity.witness.items())
        lines.append(f"  witness: {witness}")
    if a.least_viscous is not None and a.limits is not None and a.bound is not None:
        serves = "at every speed"
        if a.limits.reachable < math.inf:
            serves = f"up to {a.limits.reachable:.6g} rad/s"
        lines += [
            f"  passive from sigma2 = {a.least_viscous:.6g} N m s/rad on; far above vs the storage "
            f"sigma0 z²/2 serves {serves}",
            f"  |z| never exceeds {a.bound:.6g} rad",
        ]
    if a.equilibria is not None:
        lines += ["", f"Equilibria under {a.torque:g} N m"]
        lines += [f"  {_equilibrium(e)}" for e in a.equilibria] or ["  none"]
        if a.chatter is not None and 0 < abs(a.torque) <= a.chatter:
            lines.append(
                f"  at rest this law is 0 and holds nothing: started there, the joint runs to and "
                f"fro about 0, up to {a.chatter:.6g} N m; a set-valued law rests"
            )
    if a.mode is not None:
        lines += ["", "Stuck", f"  rings at {a.mode.frequency:.9g} rad/s, damping ratio "
                  f"{a.mode.damping_ratio:.9g}"]  # fmt: skip
    if a.lag is not None:
        way = "lags" if a.lag.lags else "leads"
        lines += [
            "",
            f"Small loops about {a.velocity:g} rad/s",
            f"  bristles decay at {a.lag.rate:.6g} 1/s; friction {way} where the curve falls, and "
            f"turns round at sigma1 = {a.lag.reversal:.6g} N m s/rad",
        ]
    if a.drift is not None:
        lines += ["", "Oscillating load", f"  drifts by {a.drift:.9g} rad a cycle"]
    if a.servo is not None:
        strict = "strictly" if a.servo.is_strict else "not strictly"
        lines += [
            "",
            "Servo with observer",
            f"  {strict} positive real; Kv has to exceed {a.servo.least_damping:.9g}",
            f"  {a.servo.report.reason}",
        ]
    return lines


def _shape_lines(curve: StribeckCurve | None, found: CurveShape) -> list[str]:
    lines = [f"  falls from {a:.12g} to {b:.12g} rad/s" for a, b in found.falling]
    if not lines and curve is not None and curve.drop > 0 and curve.alpha < 1:
        lines = [
            "  falls only at speeds that are less than any double, where its slope is infinite"
        ]
    lines = lines or ["  never falls with speed"]
    lines += [f"  stationary at {v:.12g} rad/s: {F:.12g} N m" for v, F in found.stationary]
    v, slope = found.steepest
    if found.falling:
        lines.append(f"  steepest at {v:.6g} rad/s: {slope:.12g} N m s/rad")
    extrema = {v for v, _ in found.stationary}
    lines += [
        f"  level to rounding above {b:.4g} rad/s"
        for _, b in found.falling[-1:]
        if b < math.inf and b not in extrema
    ]
    if curve is None:
        lines.append(f"  by enclosures of the slope from {SLOWEST:g} to {FASTEST:g} rad/s")
    elif curve.drop > 0 and curve.alpha >= 1:
        least = critical_viscous(curve)
        lines.append(f"  falls nowhere from a viscous coefficient of {least:.12g} N m s/rad on")
    return lines


def _equilibrium(e: Equilibrium) -> str:
    if e.is_rest:
        return f"rest, {e.stability.value}"
    if e.lower == e.upper:
        return f"{e.lower:.10g} rad/s, {e.stability.value}"
    return f"every speed from {e.lower:.6g} to {e.upper:.6g} rad/s, {e.stability.value}"


def _value(x: object) -> str:
    return f"{x:.6g}" if isinstance(x, float) else str(x)


def analysis_record(a: Analysis) -> dict[str, object]:
    """The answers as JSON values; what does not exist is left out."""
    record: dict[str, object] = {"law": a.law.name, "values": dict(a.values)}
    record["curve"] = shape_record(a.shape)
    if a.backward is not None:
        record["curve_backward"] = shape_record(a.backward)
    if a.curve is not None and a.curve.drop > 0:
        record["critical_viscous"] = finite(critical_viscous(a.curve))
    record["passivity"] = {
        "verdict": a.passivity.kind.value,
        "claim": a.passivity.claim,
        "detail": a.passivity.detail,
        "witness": dict(a.passivity.witness) if a.passivity.witness else None,
    }
    if a.least_viscous is not None:
        record["least_viscous"] = a.least_viscous
    if a.bound is not None:
        record["deflection_bound"] = a.bound
    if a.equilibria is not None:
        record["equilibria"] = [
            {"lower": finite(e.lower), "upper": finite(e.upper), "stability": e.stability.value}
            for e in a.equilibria
        ]
    if a.mode is not None:
        record["stick"] = {"frequency": a.mode.frequency, "damping_ratio": a.mode.damping_ratio}
    if a.lag is not None:
        record["lag"] = {"rate": a.lag.rate, "lags": a.lag.lags, "reversal": a.lag.reversal}
    if a.drift is not None:
        record["drift_per_cycle"] = a.drift
    if a.servo is not None:
        record["servo"] = {
            "strictly_positive_real": a.servo.is_strict,
            "least_Kv": finite(a.servo.least_damping),
            "reason": a.servo.report.reason,
        }
    return record


# -- inertia bias ---------------------------------------------------------------------------------


def bias_lines(rows: Sequence[tuple[InertiaBias, InertiaBias, InertiaBias]]) -> list[str]:
    """Sampled, converged and modelled biases, one line a peak speed."""
    table = Table(
        ("peak [rad/s]", "sampled", "converged", "with the bend", "correlation", "partial"),
        tuple(
            (
                f"{sampled.peak:g}",
                f"{100 * sampled.inertia:+.4g} %",
                f"{100 * exact.inertia:+.4g} %",
                f"{100 * modelled.inertia:+.1e} %",
                f"{exact.correlation:.1e}",
                f"{exact.partial:+.4f}",
            )
            for sampled, exact, modelled in rows
        ),
        (0, 1, 2, 3, 4, 5),
    )
    return [
        f"Bias of an inertia identified with Coulomb and viscous friction, {rows[0][0].samples} "
        "samples a period",
        *text_lines(table),
        "",
        "The bend does not correlate with the acceleration; what is left of both beside the other",
        "columns does, and that is the bias.",
    ]


def bias_record(
    rows: Sequence[tuple[InertiaBias, InertiaBias, InertiaBias]],
) -> list[dict[str, object]]:
    """Biases as JSON values."""
    return [
        {
            "peak": sampled.peak,
            "samples": sampled.samples,
            "inertia": sampled.inertia,
            "inertia_converged": exact.inertia,
            "inertia_with_bend": modelled.inertia,
            "gravity": sampled.gravity,
            "gravity_converged": exact.gravity,
            "correlation": exact.correlation,
            "partial_correlation": exact.partial,
        }
        for sampled, exact, modelled in rows
    ]
