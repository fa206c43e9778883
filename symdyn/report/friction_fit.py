"""Fits of friction for a terminal and as records for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from symdyn.friction.law import FrictionLaw
from symdyn.identify.averaging import SymmetricParts
from symdyn.identify.chance import is_patterned
from symdyn.identify.design import ComparedDesign
from symdyn.identify.dynamic_fit import DynamicFit
from symdyn.identify.estimate import Covariance, Estimate, Standing, with_digits
from symdyn.identify.joint_laws import JointVerdict
from symdyn.identify.presliding import PreslidingFit
from symdyn.identify.small_signal import SmallSignalFit
from symdyn.identify.steady import SteadyFit
from symdyn.identify.whole_robot import RobotFit
from symdyn.report.rows import Table, text_lines

_SHOWN_CONDITION = 1e3


def estimate_table(estimates: Sequence[Estimate], confidence: float) -> Table:
    """Parameters with values, uncertainties and what is to be said of them."""
    rows: list[tuple[str, ...]] = []
    for e in estimates:
        match e.standing:
            case Standing.FIXED:
                assert e.value is not None
                rows.append((e.name, f"{e.value:.6g}", "", "", e.unit, "held fixed"))
            case Standing.IDENTIFIED:
                assert e.value is not None
                assert e.sd is not None
                assert e.low is not None
                assert e.high is not None
                ends = " to ".join(with_digits(x, e.sd) for x in (e.low, e.high))
                rows.append(
                    (e.name, with_digits(e.value, e.sd), f"{e.sd:.2g}", ends, e.unit, e.note)
                )
            case Standing.NOT_IDENTIFIABLE:
                rows.append(
                    (e.name, "–", "–", _open_interval(e), e.unit, f"not identifiable: {e.note}")
                )
    head = ("parameter", "value", "sd", f"{100 * confidence:g} % interval", "unit", "")
    return Table(head, tuple(rows), (1, 2))


def _open_interval(e: Estimate) -> str:
    if e.low is not None and e.high is not None:
        return f"{e.low:.4g} to {e.high:.4g}"
    if e.low is not None:
        return f"> {e.low:.4g}"
    return f"< {e.high:.4g}" if e.high is not None else "–"


def estimate_records(estimates: Sequence[Estimate]) -> dict[str, dict[str, object]]:
    """Estimates by name; value and sd are null where there is none."""
    return {
        e.name: {
            "unit": e.unit,
            "standing": e.standing.value,
            "value": e.value,
            "sd": e.sd,
            "low": e.low,
            "high": e.high,
            "note": e.note,
        }
        for e in estimates
    }


def covariance_record(covariance: Covariance) -> dict[str, object]:
    """Names and matrix."""
    return {"names": list(covariance.names), "matrix": covariance.matrix.tolist()}


# -- steady curves --------------------------------------------------------------------------------


def steady_lines(fit: SteadyFit, parts: SymmetricParts | None = None) -> list[str]:
    """The fit of a steady curve in words and a table."""
    given = "given" if fit.degrees == 0 else f"estimated with {fit.degrees} degrees of freedom"
    lines = [
        f"{fit.law.title}, fitted to {fit.v.size} points, |v| from "
        f"{np.min(np.abs(fit.v)):.4g} to {np.max(np.abs(fit.v)):.4g} rad/s",
        *text_lines(estimate_table(fit.estimates, fit.confidence)),
        "",
        f"residuals: rms {fit.rms:.4g}, largest {fit.worst:.4g} N m; noise {fit.noise:.4g} N m, "
        f"{given}",
        f"rank {fit.rank}, condition number {fit.condition:.3g}",
    ]
    lines += averaging_lines(parts) if parts is not None else []
    lines += [f"warning: {text}" for text in steady_warnings(fit)]
    return lines


def averaging_lines(parts: SymmetricParts) -> list[str]:
    """What symmetric averaging took out."""
    lines = [
        f"averaged over both directions at {parts.v.size} speeds; even part (gravity, offset) "
        f"{np.mean(parts.even):.4g} N m, up to {parts.even_spread:.2g} off its mean",
    ]
    if parts.unmatched.size:
        lines.append(f"left out: {parts.unmatched.size} points without a partner at the other sign")
    return lines


def steady_warnings(fit: SteadyFit) -> list[str]:
    """What is odd about a fit."""
    found: list[str] = []
    domains = {q.name: q for q in fit.law.parameters}
    for e in fit.estimates:
        if e.is_identified and e.name in domains and e.value is not None:
            q = domains[e.name]
            if not q.domain.contains(e.value):
                found.append(f"{e.name} = {e.value:.4g} is outside its domain {q.domain.value}")
    values = {e.name: e.value for e in fit.estimates if e.value is not None}
    found += [
        f"{relation.text} does not hold. {relation.why}"
        for relation in fit.law.relations
        if all(n in values for n in relation.names) and not relation.holds(values)
    ]
    if np.isfinite(fit.condition) and fit.condition > _SHOWN_CONDITION:
        found.append("the columns are nearly dependent: the values are correlated")
    if _is_patterned(fit):
        found.append("the residuals follow a pattern: the law misses something of the curve")
    return found


def _is_patterned(fit: SteadyFit) -> bool:
    """Whether residuals keep one sign along v, or |v|, longer than chance does once in 1000."""
    if fit.rms < 1e-12 * float(np.max(np.abs(fit.F))):
        return False
    outward = np.argsort(np.abs(fit.v), kind="stable")
    orders = (
        fit.residuals[np.argsort(fit.v)],
        (fit.residuals * np.sign(fit.v))[outward],  # as an odd law sees it
    )
    return any(is_patterned(residuals, 0.5e-3) for residuals in orders)


def steady_record(fit: SteadyFit, parts: SymmetricParts | None = None) -> dict[str, object]:
    """The fit of a steady curve as JSON values."""
    record: dict[str, object] = {
        "law": fit.law.name,
        "parameters": estimate_records(fit.estimates),
        "confidence": fit.confidence,
        "covariance": covariance_record(fit.covariance),
        "noise": fit.noise,
        "noise_is_given": fit.degrees == 0,
        "degrees": fit.degrees,
        "rank": fit.rank,
        "condition": fit.condition if np.isfinite(fit.condition) else None,
        "rms": fit.rms,
        "largest_residual": fit.worst,
        "points": fit.v.size,
        "residuals": fit.residuals.tolist(),
        "warnings": steady_warnings(fit),
    }
    if parts is not None:
        record["even_part"] = {
            "mean": float(np.mean(parts.even)),
            "spread": parts.even_spread,
            "unmatched": parts.unmatched.tolist(),
        }
    return record


# -- bristles -------------------------------------------------------------------------------------


def dynamic_lines(fit: DynamicFit, heading: str) -> list[str]:
    """A fit of bristles in words and a table."""
    lines = [
        f"{heading}, {fit.measured.size} samples",
        *text_lines(estimate_table(fit.estimates, fit.confidence)),
        "",
        f"residuals: rms {fit.rms:.4g} {fit.quantity.unit}",
    ]
    return lines + [f"warning: {text}" for text in dynamic_warnings(fit)]


def dynamic_warnings(fit: DynamicFit) -> list[str]:
    """What is odd about a fit of bristles."""
    found: list[str] = []
    if not fit.is_converged:
        found.append("the steps did not settle; start nearer to the truth")
    largest = float(np.max(np.abs(fit.measured - np.mean(fit.measured))))
    if fit.rms > 1e-6 * largest and is_patterned(fit.residuals):
        found.append("the residuals follow a pattern: the model misses something of the record")
    return found


def dynamic_record(fit: DynamicFit, kind: str) -> dict[str, object]:
    """A fit of bristles as JSON values."""
    return {
        "kind": kind,
        "parameters": estimate_records(fit.estimates),
        "confidence": fit.confidence,
        "covariance": covariance_record(fit.covariance),
        "noise": fit.noise,
        "degrees": fit.degrees,
        "rms": fit.rms,
        "converged": fit.is_converged,
        "warnings": dynamic_warnings(fit),
    }


def presliding_lines(fit: PreslidingFit, confidence: float) -> list[str]:
    """A fit of presliding in words and a table."""
    return [
        f"Presliding, {fit.torque.size} points up to {np.max(np.abs(fit.torque)):.4g} N m",
        *text_lines(estimate_table(fit.estimates, confidence)),
        "",
        f"residuals: rms {np.sqrt(np.mean(fit.residuals**2)):.4g} rad",
        *(f"warning: {text}" for text in presliding_warnings(fit)),
    ]


def presliding_warnings(fit: PreslidingFit) -> list[str]:
    """Whether the loading was another than that of bristles."""
    size = float(np.max(np.abs(fit.position - np.mean(fit.position))))
    rms = float(np.sqrt(np.mean(fit.residuals**2)))
    ordered = fit.residuals[np.argsort(np.abs(fit.torque), kind="stable")]
    if rms > 1e-6 * size and is_patterned(ordered):
        return ["the residuals follow a pattern: this is no loading of bristles below break-away"]
    return []


def presliding_record(fit: PreslidingFit) -> dict[str, object]:
    """A fit of presliding as JSON values."""
    return {
        "kind": "presliding",
        "parameters": estimate_records(fit.estimates),
        "noise": fit.noise,
        "rms": float(np.sqrt(np.mean(fit.residuals**2))),
        "warnings": presliding_warnings(fit),
    }


def small_signal_lines(
    fit: SmallSignalFit, confidence: float, break_away: float | None
) -> list[str]:
    """A fit of a small-signal response in words and a table."""
    lines = [
        f"Small-signal response, {fit.t.size} samples",
        *text_lines(estimate_table(fit.estimates, confidence)),
        "",
        f"natural frequency {fit.natural_frequency:.6g} rad/s, "
        f"damping ratio {fit.damping_ratio:.4g}",
        "damping is sigma1 + sigma2: take sigma2 from the steady curve",
    ]
    if break_away is not None and fit.amplitude > 0:
        error = fit.stiffness_error(break_away)
        lines.append(
            f"the motion reaches {fit.amplitude:.3g} rad: sigma0 is read low by about "
            f"{100 * error:.2g} %"
        )
    return lines + [f"warning: {text}" for text in small_signal_warnings(fit)]


def small_signal_warnings(fit: SmallSignalFit) -> list[str]:
    """Whether the joint was more than a mass on a spring."""
    residuals = fit.measured - fit.model
    size = float(np.max(np.abs(fit.measured - np.mean(fit.measured))))
    rms = float(np.sqrt(np.mean(residuals**2)))
    if rms > 1e-6 * size and is_patterned(residuals):
        return [
            "the residuals follow a pattern: the motion was not small enough for a mass on a "
            "spring, and the values are off by more than their sd; fit the response of the joint"
        ]
    return []


def small_signal_record(fit: SmallSignalFit, break_away: float | None) -> dict[str, object]:
    """A fit of a small-signal response as JSON values."""
    return {
        "kind": "small-signal",
        "parameters": estimate_records(fit.estimates),
        "natural_frequency": fit.natural_frequency,
        "damping_ratio": fit.damping_ratio,
        "amplitude": fit.amplitude,
        "stiffness_error": None if break_away is None else fit.stiffness_error(break_away),
        "noise": fit.noise,
        "warnings": small_signal_warnings(fit),
    }


# -- design ---------------------------------------------------------------------------------------


def design_lines(found: ComparedDesign, guess: Mapping[str, float], law: FrictionLaw) -> list[str]:
    """The best speeds, and what they gain over log-spaced ones."""
    design, units = found.design, {q.name: q.unit for q in law.parameters}
    speeds = Table(
        ("speed [rad/s]", "measurements", "share"),
        tuple(
            (f"{v:.4g}", str(n), f"{100 * w:.1f} %")
            for v, n, w in zip(design.v, design.counts, design.weights, strict=True)
        ),
        (0, 1, 2),
    )
    precision = Table(
        ("parameter", "guess", "sd here", "sd log-spaced", "unit"),
        tuple(
            (name, f"{guess[name]:.6g}", _sd(sd), _sd(found.spaced.sd[name]), units[name])
            for name, sd in found.best.sd.items()
        ),
        (1, 2, 3),
    )
    return [
        f"Best speeds for {sum(design.counts)} measurements, certain to be "
        f"{100 * design.efficiency:.1f} % efficient or better",
        *text_lines(speeds),
        "",
        "Precision to expect, beside as many log-spaced speeds",
        *text_lines(precision),
        "",
        "For a law that is odd in v measure half of each in either direction.",
    ]


def _sd(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"


def design_record(found: ComparedDesign) -> dict[str, object]:
    """The best speeds as JSON values."""
    return {
        "speeds": found.design.v.tolist(),
        "measurements": list(found.design.counts),
        "weights": found.design.weights.tolist(),
        "efficiency_at_least": found.design.efficiency,
        "sd": dict(found.best.sd),
        "sd_log_spaced": dict(found.spaced.sd),
    }


# -- whole robots ---------------------------------------------------------------------------------


def robot_lines(fit: RobotFit, joints: Sequence[str], name: str) -> list[str]:
    """A robot identified, in words and tables."""
    count = fit.grouping.base.count
    own = fit.grouping.base.independent
    words = [f"  {name} = {fit.grouping.words(k)}" for k, name in enumerate(own)]
    noise = ", ".join(f"{joint} {x:.3g}" for joint, x in zip(joints, fit.noise, strict=True))
    rubbing = sum(law is not None for law in fit.laws)
    friction = f" and the friction of {rubbing} joint{'s' * (rubbing != 1)}" if rubbing else ""
    return [
        f"{name}: {count} base parameters{friction} from {fit.residuals.shape[0]} instants",
        "",
        "Base parameters",
        *text_lines(estimate_table(fit.estimates[:count], fit.confidence)),
        "",
        "Friction",
        *(text_lines(estimate_table(fit.estimates[count:], fit.confidence)) if rubbing else ()),
        *("  " + _verdict_line(v) for v in fit.verdicts(joints)),
        "",
        "What the base parameters stand for",
        *(
            text
            for text, single in zip(words, own, strict=True)
            if text != f"  {single} = {single}"
        ),
        "",
        f"noise of the joints [N m]: {noise}",
        f"rank {fit.rank}, condition number {fit.condition:.3g}",
    ]


def _verdict_line(v: JointVerdict) -> str:
    law = "" if v.law is None else f"{v.law.name}, "
    lost = f"; open: {', '.join(v.open)}" if v.open else ""
    return f"{v.joint}: {law}{v.words}{lost}"


def robot_fit_record(fit: RobotFit, joints: Sequence[str]) -> dict[str, object]:
    """A robot identified, as JSON values."""
    count = fit.grouping.base.count
    deviations = np.sqrt(np.mean(fit.residuals**2, axis=0))
    return {
        "base_parameters": estimate_records(fit.estimates[:count]),
        "friction": estimate_records(fit.estimates[count:]),
        "joints": {
            v.joint: {
                "law": None if v.law is None else v.law.name,
                "verdict": v.words,
                "not_identifiable": list(v.open),
                "parameters": estimate_records(
                    [replace(e, name=e.name.partition("@")[0]) for e in fit.joint(v.joint)]
                ),
                "noise": float(noise),
                "rms": float(rms),
            }
            for v, noise, rms in zip(fit.verdicts(joints), fit.noise, deviations, strict=True)
        },
        "grouping": {
            own: fit.grouping.words(k) for k, own in enumerate(fit.grouping.base.independent)
        },
        "confidence": fit.confidence,
        "covariance": covariance_record(fit.covariance),
        "noise": dict(zip(joints, fit.noise.tolist(), strict=True)),
        "rank": fit.rank,
        "condition": fit.condition if np.isfinite(fit.condition) else None,
        "rms": deviations.tolist(),
    }
