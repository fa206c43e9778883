"""Figures of the boundaries of servos with friction."""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

import numpy as np

from symdyn.report.drawing import FAINT, PAPER, SOFT, house_style, new_figure, to_bytes
from symdyn.report.friction_axes import COLOURS, FALLING, legend, log_scale, plain_axes, title
from symdyn.report.friction_boundaries import HuntingMap, ObserverBounds
from symdyn.simulate.robustness_bounds import MOST


def hunting_map_figure(study: HuntingMap, form: str = "png") -> bytes:
    """The boundary Kv over Ki, one line for each Kp; below it the servo hunts."""
    with house_style():
        figure = new_figure(7.2, 4.6)
        axes = plain_axes(figure, (0.1, 0.12, 0.86, 0.76), "Ki [N m/(rad s)]", "Kv [N m s/rad]")
        Ki = sorted({p.Ki for p in study.points})
        log_scale(axes, Ki[0] / 1.15, Ki[-1] * 1.15)
        gains = list(dict.fromkeys(p.Kp for p in study.points))
        for k, Kp in enumerate(gains):
            own = sorted((p.Ki, p.Kv) for p in study.points if p.Kp == Kp)
            x, y = np.array(own).T
            colour = COLOURS[k % len(COLOURS)]
            if k == 0:
                axes.fill_between(x, 0, y, color=FALLING, lw=0, zorder=1)
            axes.plot(x, y, "o-", color=colour, ms=4.5, mfc=PAPER, lw=1.6, label=f"Kp = {Kp:g}")
        if np.isfinite(study.slide_boundary) and study.slide_boundary > 0:
            axes.axhline(
                study.slide_boundary, color=SOFT, lw=1, ls=(0, (4, 3)),
                label="slides are stable above",
            )  # fmt: skip
        highest = max((p.Kv for p in study.points if np.isfinite(p.Kv)), default=1.0)
        slides = study.slide_boundary if np.isfinite(study.slide_boundary) else 0.0
        axes.set_ylim(0, 1.15 * max(highest, slides))
        legend(axes, "lower right")
        words = "below a line the servo hunts"
        if len(gains) > 1:
            words += f"; shaded for Kp = {gains[0]:g}"
        title(figure, "PID servo with LuGre friction: the boundary of hunting", 0.1, words)
        return to_bytes(figure, form)


def observer_bounds_figure(study: ObserverBounds, form: str = "png") -> bytes:
    """Factors between which the error converges, a bar for each parameter and velocity gain."""
    with house_style():
        count = len(study.found)
        figure = new_figure(8.2, 1.5 + 0.27 * count)
        height = figure.get_size_inches()[1]
        box = (0.2, 0.55 / height, 0.77, 1 - 1.35 / height)
        axes = plain_axes(figure, box, "factor on the observer's value", "")
        log_scale(axes, 1 / MOST, MOST)
        names = list(dict.fromkeys(b.name for b in study.found))
        for k, b in enumerate(study.found):
            if np.isnan(b.above):
                axes.plot(1, k, "x", color=SOFT, ms=6)
                continue
            ends = max(b.below, 1 / MOST), min(b.above, MOST)
            colour = COLOURS[names.index(b.name) % len(COLOURS)]
            axes.plot(ends, (k, k), color=colour, lw=7, alpha=0.55, solid_capstyle="butt", zorder=2)
            for x in (b.linear_below, b.linear_above):
                if 1 / MOST < x < MOST:
                    axes.plot(x, k, "|", color=colour, ms=12, mew=2, zorder=3)
        axes.plot([], [], color=SOFT, lw=7, alpha=0.55, label="converges in simulations")
        axes.plot([], [], "|", color=SOFT, ms=12, mew=2, ls="", label="stability at rest ends")
        if any(np.isnan(b.above) for b in study.found):
            axes.plot([], [], "x", color=SOFT, ms=6, ls="", label="never converges")
        axes.axvline(1, color=FAINT, lw=1)
        axes.set_yticks(range(count), [f"{b.name}, Kv = {b.Kv:g}" for b in study.found])
        axes.set_ylim(count - 0.4, -0.6)
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, frameon=False, fontsize=8)
        gains = ", ".join(f"{n} = {x:g}" for n, x in study.gains.items())
        title(figure, f"How wrong the observer may be, {gains}", 0.02)
        return to_bytes(figure, form)
