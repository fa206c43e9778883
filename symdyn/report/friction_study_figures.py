"""Figures of simulations of one joint: loading, break-away, lag loops, limit cycles, stick-slip."""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symdyn.report.drawing import INK, PAPER, SOFT, house_style, new_figure, to_bytes
from symdyn.report.friction_axes import COLOURS, legend, log_scale, plain_axes, points, title
from symdyn.report.friction_studies import (
    ROUNDING,
    CompensationStudy,
    HuntingStudy,
    LagStudy,
    PreslidingStudy,
    StickSlipStudy,
)
from symdyn.simulate.break_away import BreakAway
from symdyn.simulate.stick_slip import PullKind


def presliding_study_figure(study: PreslidingStudy, form: str = "png") -> bytes:
    """Position and deflection against the torque, beside the closed form."""
    p = study.values
    with house_style():
        figure = new_figure(7.2, 4.4)
        axes = plain_axes(figure, (0.12, 0.12, 0.85, 0.77), "torque [N m]", "angle [rad]")
        F = study.loads
        quasi = -p["Fs"] / p["sigma0"] * np.log1p(-np.minimum(F / p["Fs"], 1 - 1e-12))
        axes.plot(F, study.angles, color=COLOURS[0], lw=1.8, label="position", zorder=3)
        axes.plot(F, study.deflections, color=COLOURS[1], lw=1.8, label="deflection", zorder=3)
        for values, shape, label in (
            (quasi, (0, (4, 3)), "position, loaded infinitely slowly"),
            (F / p["sigma0"], (0, (1, 2)), "torque over sigma0"),
        ):
            axes.plot(F, values, color=INK, lw=1, ls=shape, label=label, zorder=4)
        legend(axes, "upper left")
        title(figure, f"Presliding: loaded at {study.ramp:g} N m/s", 0.12)
        return to_bytes(figure, form)


def break_away_figure(found: Sequence[BreakAway], Fs: float, form: str = "png") -> bytes:
    """Friction reached and torque applied, against the rate of the torque."""
    with house_style():
        figure = new_figure(7.2, 4.4)
        axes = plain_axes(
            figure, (0.11, 0.13, 0.86, 0.76), "rate of the torque [N m/s]", "torque [N m]"
        )
        ramps = np.array([b.ramp for b in found])
        log_scale(axes, float(ramps.min()) / 1.6, float(ramps.max()) * 1.6)
        for colour, marker, label, values in (
            (COLOURS[0], "o", "largest friction before sliding", [b.friction for b in found]),
            (COLOURS[1], "s", "torque applied then", [b.torque for b in found]),
            (COLOURS[2], "D", "torque applied when v passes vs", [b.torque_sliding for b in found]),
        ):
            axes.plot(ramps, values, color=colour, lw=1.2, zorder=3)
            points(axes, ramps, np.array(values), colour, marker, label)
        axes.axhline(Fs, color=SOFT, lw=1, ls=(0, (4, 3)), label="Fs", zorder=2)
        legend(axes, "upper left")
        title(figure, "Break-away against the rate of the torque", 0.11)
        return to_bytes(figure, form)


def lag_figure(study: LagStudy, form: str = "png") -> bytes:
    """Friction over velocity, one loop a frequency, with the direction of travel."""
    with house_style():
        figure = new_figure(7.2, 4.6)
        axes = plain_axes(figure, (0.12, 0.12, 0.85, 0.76), "v [rad/s]", "friction [N m]")
        first = study.loops[0]
        order = np.argsort(first.velocity)
        axes.plot(
            first.velocity[order], first.steady[order], color=INK, lw=1, ls=(0, (4, 3)),
            label="steady", zorder=4,
        )  # fmt: skip
        for k, (w, loop) in enumerate(zip(study.frequencies, study.loops, strict=True)):
            colour = COLOURS[k % len(COLOURS)]
            axes.plot(
                loop.velocity, loop.friction, color=colour, lw=1.5, label=f"{w:g} rad/s", zorder=3
            )
            at = int(np.argmin(np.abs(loop.velocity - np.median(loop.velocity))))
            ahead = min(at + len(loop.velocity) // 60, len(loop.velocity) - 1)
            axes.annotate(
                "",
                (loop.velocity[ahead], loop.friction[ahead]),
                (loop.velocity[at], loop.friction[at]),
                arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.4},
                zorder=4,
            )
        legend(axes)
        words = ", ".join(f"{n} = {x:g}" for n, x in study.values.items())
        title(figure, f"{study.law.title}: friction over an oscillating velocity", 0.12, words)
        return to_bytes(figure, form)


def hunting_figure(study: HuntingStudy, form: str = "png") -> bytes:
    """The error over time and, in the phase plane, where it ends."""
    verdict = study.verdict
    with house_style():
        figure = new_figure(9.4, 4.4)
        left = plain_axes(figure, (0.075, 0.13, 0.41, 0.73), "t [s]", "error [rad]")
        right = plain_axes(figure, (0.575, 0.13, 0.4, 0.73), "error [rad]", "speed [rad/s]")
        left.plot(study.times, study.errors, color=COLOURS[0], lw=1.3, zorder=3)
        late = study.times > study.times[-1] - (verdict.period if verdict.is_cycle else np.inf)
        early = ~late | ~np.full(late.shape, verdict.is_cycle)
        right.plot(study.errors[early], study.speeds[early], color=SOFT, lw=0.8, zorder=2)
        if verdict.is_cycle:
            right.plot(
                study.errors[late], study.speeds[late], color=COLOURS[1], lw=1.8,
                label="limit cycle", zorder=3,
            )  # fmt: skip
            for level in (-verdict.amplitude, verdict.amplitude):
                left.axhline(level, color=COLOURS[1], lw=0.9, ls=(0, (4, 3)), zorder=2)
            reach = 2.2 * verdict.amplitude
            right.set_xlim(-reach, reach)
            top = 1.4 * float(np.max(np.abs(study.speeds[late])))
            right.set_ylim(-top, top)
            legend(right, "upper right")
        gains = ", ".join(f"{n} = {x:g}" for n, x in study.gains.items())
        words = verdict.kind.value
        if verdict.is_cycle:
            words = f"limit cycle: amplitude {verdict.amplitude:.5g} rad, period "
            words += f"{verdict.period:.6g} s"
        title(figure, f"PID servo with LuGre friction, {gains}", 0.075, words)
        return to_bytes(figure, form)


def compensation_figure(study: CompensationStudy, form: str = "png") -> bytes:
    """What remains of the error in each case."""
    with house_style():
        count = len(study.outcomes)
        figure = new_figure(8.4, 1.35 + 0.27 * count)
        height = figure.get_size_inches()[1]
        box = (0.2, 0.55 / height, 0.77, 1 - 1.2 / height)
        axes = plain_axes(figure, box, "largest error that remains [rad]", "")
        residuals = np.array([max(o.residual, ROUNDING) for o in study.outcomes])
        axes.set_xscale("log")
        start = max(1e-2 * float(np.min(residuals)), 1e-2 * ROUNDING)
        for k, (x, o) in enumerate(zip(residuals, study.outcomes, strict=True)):
            colour = COLOURS[1] if o.verdict.is_cycle else COLOURS[0]
            axes.plot([start, x], [k, k], color=colour, lw=1, alpha=0.5, zorder=2)
            axes.plot(x, k, "o", ms=5, mfc=PAPER, mec=colour, mew=1.5, zorder=3)
        for is_cycle, label in ((False, "at rest or decaying"), (True, "limit cycle")):
            if any(o.verdict.is_cycle == is_cycle for o in study.outcomes):
                colour = COLOURS[1] if is_cycle else COLOURS[0]
                axes.plot([], [], "o", ms=5, mfc=PAPER, mec=colour, mew=1.5, label=label)
        axes.set_yticks(range(count), [o.case.label for o in study.outcomes])
        axes.set_ylim(count - 0.4, -0.6)
        axes.set_xlim(start, 1e2 * float(np.max(residuals)))
        axes.legend(
            loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False, fontsize=8,
            labelcolor=INK,
        )  # fmt: skip
        gains = ", ".join(f"{n} = {x:g}" for n, x in study.gains.items())
        strict = (
            "strictly positive real" if study.report.is_strict else "not strictly positive real"
        )
        title(figure, f"Observer compensation, {gains}", 0.02, f"the loop is {strict}")
        return to_bytes(figure, form)


def stick_slip_figure(study: StickSlipStudy, form: str = "png") -> bytes:
    """Positions of the body and of the spring's far end, and the speed."""
    m = study.motion
    with house_style():
        figure = new_figure(8.2, 4.8)
        upper = plain_axes(figure, (0.1, 0.5, 0.87, 0.38), "", "position [rad]")
        lower = plain_axes(figure, (0.1, 0.11, 0.87, 0.31), "t [s]", "speed [rad/s]", share=upper)
        upper.tick_params(labelbottom=False)
        upper.plot(m.times, study.pull * m.times, color=SOFT, lw=1.2, label="far end of the spring")
        upper.plot(m.times, m.q[:, 0], color=COLOURS[0], lw=1.6, label="body", zorder=3)
        lower.plot(m.times, m.v[:, 0], color=COLOURS[0], lw=1.4, zorder=3)
        lower.axhline(study.pull, color=SOFT, lw=1)
        legend(upper, "upper left")
        c = study.cycle
        words = c.kind.value
        if c.kind is PullKind.CYCLE:
            words = f"sticks {c.stick:.4g} s, slips {c.slip:.4g} s"
        title(figure, f"Stick-slip at {study.pull:g} rad/s", 0.1, words)
        return to_bytes(figure, form)
