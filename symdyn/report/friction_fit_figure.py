"""Figures of fits: points, curve, confidence band, residuals."""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from symdyn.algebra.float64 import Array
from symdyn.identify.dynamic_fit import DynamicFit
from symdyn.identify.estimate import Estimate, plus_minus
from symdyn.identify.presliding import PreslidingFit
from symdyn.identify.small_signal import SmallSignalFit
from symdyn.identify.steady import SteadyFit
from symdyn.report.drawing import INK, SOFT, house_style, new_figure, to_bytes
from symdyn.report.friction_axes import (
    BAND,
    COLOURS,
    legend,
    log_scale,
    plain_axes,
    points,
    title,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_UPPER = (0.09, 0.39, 0.595, 0.475)
_LOWER = (0.09, 0.11, 0.595, 0.21)
_SIDE = 0.715
_FINE = 401


def steady_figure(fit: SteadyFit, form: str = "png") -> bytes:
    """Friction against speed, both directions on one logarithmic axis, and the residuals."""
    with house_style():
        figure = new_figure(9.4, 5.0)
        upper = plain_axes(figure, _UPPER, "", "friction, against the motion [N m]")
        lower = plain_axes(figure, _LOWER, "|v| [rad/s]", "residual [N m]", share=upper)
        speeds = np.abs(fit.v)
        ends = float(np.min(speeds)) / 1.3, float(np.max(speeds)) * 1.3
        log_scale(upper, *ends)
        upper.tick_params(labelbottom=False)
        # beyond the points the curve of an undetermined parameter may go anywhere
        line = np.geomspace(float(np.min(speeds)), float(np.max(speeds)), _FINE)
        sides = [s for s in (1.0, -1.0) if np.any(np.sign(fit.v) == s)]
        both = len(sides) == 2
        names = {1.0: "forward" if both else "measured", -1.0: "backward" if both else "measured"}
        markers = {1.0: "o", -1.0: "s"}
        for colour, side in zip(COLOURS, sides, strict=False):
            here = np.sign(fit.v) == side
            mark, name = markers[side], names[side]
            points(upper, speeds[here], side * fit.F[here], colour, mark, name)
            points(lower, speeds[here], side * fit.residuals[here], colour, mark)
        for colour, side in zip(COLOURS, sides, strict=False):
            if fit.law.signals:
                break  # the curve is another one at each point
            curve, reach = side * fit.curve(side * line), fit.band(side * line)
            if side < 0 < len(sides) - 1 and np.allclose(curve, fit.curve(line)):
                continue  # odd: one curve for both directions
            upper.fill_between(
                line, curve - reach, curve + reach, color=BAND, lw=0, zorder=1,
                label=f"{100 * fit.confidence:g} % band of the curve" if side == sides[0] else None,
            )  # fmt: skip
            upper.plot(line, curve, color=colour, lw=1.5, zorder=3)
        lower.axhline(0, color=SOFT, lw=0.8, zorder=2)
        lower.axhspan(-fit.noise, fit.noise, color=BAND, alpha=0.6, lw=0, zorder=1)
        low, high = _room(np.sign(fit.v) * fit.F)
        upper.set_ylim(low, high)
        if low > 0 and low < 0.7 * high:
            upper.set_ylim(0, high)
        legend(upper)
        _values(figure, fit.estimates, 0.865)
        title(
            figure,
            f"{fit.law.title}: fit to {fit.v.size} points",
            _UPPER[0],
            f"noise {fit.noise:.3g} N m (grey-blue in the residuals), "
            f"rms of the residuals {fit.rms:.3g} N m",
        )
        return to_bytes(figure, form)


def _room(F: Array) -> tuple[float, float]:
    """Ends of an axis that holds the points, with a margin."""
    low, high = float(np.min(F)), float(np.max(F))
    margin = 0.12 * (high - low) or 0.1 * abs(high) or 1.0
    return low - margin, high + margin


def dynamic_figure(fit: DynamicFit, heading: str, form: str = "png") -> bytes:
    """A record and its model over time, and the residuals."""
    with house_style():
        figure = new_figure(9.4, 5.0)
        q = fit.quantity
        upper = plain_axes(figure, _UPPER, "", f"{q.doc} [{q.unit}]")
        lower = plain_axes(figure, _LOWER, "t [s]", f"residual [{q.unit}]", share=upper)
        upper.tick_params(labelbottom=False)
        _record(upper, fit.t, fit.measured, fit.model)
        lower.plot(fit.t, fit.residuals, color=COLOURS[0], lw=0.8, zorder=3)
        lower.axhspan(-fit.noise, fit.noise, color=BAND, alpha=0.6, lw=0, zorder=1)
        legend(upper)
        _values(figure, fit.estimates, 0.865)
        title(figure, heading, _UPPER[0], f"rms of the residuals {fit.rms:.3g} {q.unit}")
        return to_bytes(figure, form)


def small_signal_figure(fit: SmallSignalFit, form: str = "png") -> bytes:
    """A record and the response of a mass on a spring, and the residuals."""
    with house_style():
        figure = new_figure(9.4, 5.0)
        upper = plain_axes(figure, _UPPER, "", "position [rad]")
        lower = plain_axes(figure, _LOWER, "t [s]", "residual [rad]", share=upper)
        upper.tick_params(labelbottom=False)
        _record(upper, fit.t, fit.measured, fit.model)
        lower.plot(fit.t, fit.measured - fit.model, color=COLOURS[0], lw=0.8, zorder=3)
        lower.axhspan(-fit.noise, fit.noise, color=BAND, alpha=0.6, lw=0, zorder=1)
        legend(upper)
        _values(figure, fit.estimates, 0.865)
        words = f"{fit.natural_frequency:.4g} rad/s, damping ratio {fit.damping_ratio:.3g}"
        title(figure, "Small-signal response: a mass on a spring", _UPPER[0], words)
        return to_bytes(figure, form)


def loop_fit_figure(
    fit: DynamicFit, position: Sequence[float], heading: str, form: str = "png"
) -> bytes:
    """Friction over position: measured loops and the model's, and the residuals over time."""
    with house_style():
        figure = new_figure(9.4, 5.0)
        upper = plain_axes(figure, _UPPER, "position [rad]", "friction [N m]")
        box = (_LOWER[0], _LOWER[1] - 0.01, _LOWER[2], _LOWER[3] - 0.03)
        lower = plain_axes(figure, box, "t [s]", "residual [N m]")
        q = np.asarray(position)
        middle = 0.5 * (q[1:] + q[:-1])
        _record(upper, middle, fit.measured, fit.model)
        lower.plot(fit.t, fit.residuals, color=COLOURS[0], lw=0.8, zorder=3)
        legend(upper)
        _values(figure, fit.estimates, 0.865)
        title(figure, heading, _UPPER[0], f"rms of the residuals {fit.rms:.3g} N m")
        return to_bytes(figure, form)


def presliding_figure(fit: PreslidingFit, form: str = "png") -> bytes:
    """Position against torque below break-away, and the residuals."""
    with house_style():
        figure = new_figure(9.4, 5.0)
        upper = plain_axes(figure, _UPPER, "", "position [rad]")
        lower = plain_axes(figure, _LOWER, "torque [N m]", "residual [rad]", share=upper)
        upper.tick_params(labelbottom=False)
        line = np.linspace(float(np.min(fit.torque)), float(np.max(fit.torque)), _FINE)
        points(upper, fit.torque, fit.position, COLOURS[0], label="measured")
        upper.plot(line, fit.curve(line), color=COLOURS[1], lw=1.6, label="bristles", zorder=4)
        spring = fit.origin + line / fit.stiffness
        upper.plot(line, spring, color=SOFT, lw=1.1, ls=(0, (4, 2)), label="their spring alone")
        points(lower, fit.torque, fit.residuals, COLOURS[0])
        lower.axhline(0, color=SOFT, lw=0.8, zorder=2)
        legend(upper, "upper left")
        _values(figure, fit.estimates, 0.865)
        title(figure, "Presliding", _UPPER[0])
        return to_bytes(figure, form)


def _record(axes: Axes, x: Array, measured: Array, model: Array) -> None:
    axes.plot(x, measured, color=COLOURS[0], lw=2.4, alpha=0.45, label="measured", zorder=3)
    axes.plot(x, model, color=COLOURS[1], lw=1.1, label="model", zorder=4)


def _values(figure: Figure, estimates: Sequence[Estimate], top: float) -> None:
    """Names and values beside the panels."""
    shown = estimates[:14]
    for k, e in enumerate(shown):
        y = top - 0.052 * k
        figure.text(_SIDE, y, e.name, fontsize=8.5, color=INK, fontweight="bold", va="top")
        colour = SOFT if e.value is None else INK
        figure.text(_SIDE + 0.075, y, plus_minus(e), fontsize=8.5, color=colour, va="top")
