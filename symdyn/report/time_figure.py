"""Curves over time in panels, one under the other: same data, same bytes."""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from matplotlib.ticker import LogFormatterSciNotation, LogLocator, NullFormatter

from symdyn.algebra.float64 import Array
from symdyn.report.drawing import FAINT, INK, SOFT, house_style, new_figure, to_bytes

#: Colours that differ in lightness too, in the order of use.
COLOURS: Final = ("#2457a6", "#c2571a", "#2e8b3d", "#7d3c98", "#1b8a8f", "#7b8794")

_WIDTH, _PANEL, _REST = 7.6, 1.75, 0.72  # inches
_LEFT, _RIGHT = 0.115, 0.74  # shares of the width


@dataclass(frozen=True, slots=True)
class Curve:
    """One quantity over time; ``dashed`` for what it is compared with.

    Full and dashed curves of a panel each take the colours from the start, so that the first dashed
    curve looks like the first full one.
    """

    label: str
    times: Array
    values: Array
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves with one axis. ``is_log`` shows sizes other than 0 on a logarithmic scale."""

    axis: str
    curves: tuple[Curve, ...]
    is_log: bool = False


def time_figure(
    title: str,
    panels: Sequence[Panel],
    *,
    along: str = "t [s]",
    along_log: bool = False,
    form: Literal["png", "svg"] = "png",
) -> bytes:
    """Panels with a common horizontal axis, their legends beside them.

    Parameters
    ----------
    title : one line above
    panels : from top to bottom
    along : text of the horizontal axis
    along_log : whether it is logarithmic
    form : of the file
    """
    with house_style():
        height = _REST + _PANEL * len(panels)
        figure = new_figure(_WIDTH, height)
        share = (height - _REST) / height / len(panels)
        bottom = 0.48 / height
        for k, panel in enumerate(panels):
            low = bottom + share * (len(panels) - 1 - k)
            axes = figure.add_axes((_LEFT, low, _RIGHT - _LEFT, 0.86 * share))
            if along_log:
                axes.set_xscale("log")
                places = sorted({float(x) for curve in panel.curves for x in curve.times})
                axes.set_xticks(places, [f"{x:g}" for x in places])
                axes.set_xticks([], minor=True)
            if panel.is_log:
                axes.set_yscale("log")
                # a scale of few decades needs more than its powers of ten
                low_end, high_end = _ends(panel)
                if high_end < 100 * low_end:
                    axes.yaxis.set_minor_locator(LogLocator(subs=(2.0, 5.0)))
                    many = (math.inf, math.inf)
                    axes.yaxis.set_minor_formatter(LogFormatterSciNotation(minor_thresholds=many))
                else:
                    axes.yaxis.set_minor_formatter(NullFormatter())
            for colour, curve in zip(_colours(panel.curves), panel.curves, strict=True):
                axes.plot(
                    curve.times,
                    _sizes(curve.values) if panel.is_log else curve.values,
                    color=colour,
                    linewidth=1.1 if curve.dashed else 1.6,
                    linestyle=(0, (4, 2)) if curve.dashed else "-",
                    marker="o" if along_log else None,
                    markersize=3.5,
                    label=curve.label,
                )
            axes.set_ylabel(panel.axis, fontsize=8.5, color=INK)
            axes.tick_params(
                which="both", labelsize=8, colors=INK, labelbottom=k == len(panels) - 1
            )
            axes.grid(visible=True, color=FAINT, linewidth=0.6)
            for side in ("top", "right"):
                axes.spines[side].set_visible(False)
            for side in ("left", "bottom"):
                axes.spines[side].set_color(SOFT)
            axes.legend(
                loc="upper left",
                bbox_to_anchor=(1.01, 1.03),
                frameon=False,
                fontsize=8,
                labelcolor=INK,
                handlelength=1.6,
            )
            if k == len(panels) - 1:
                axes.set_xlabel(along, fontsize=8.5, color=INK)
        figure.text(_LEFT, 1 - 0.22 / height, title, fontsize=10.5, color=INK, va="center")
        return to_bytes(figure, form)


def _sizes(values: Array) -> Array:
    """Absolute values; none where there is nothing, as a logarithmic scale has no place for 0."""
    return np.where(values == 0, np.nan, np.abs(values))


def _ends(panel: Panel) -> tuple[float, float]:
    """Smallest and largest of the sizes that a logarithmic panel shows."""
    sizes = np.concatenate([_sizes(curve.values) for curve in panel.curves])
    shown = sizes[np.isfinite(sizes)]
    return (float(shown.min()), float(shown.max())) if shown.size else (1.0, 1.0)


def _colours(curves: Sequence[Curve]) -> list[str]:
    used = {False: 0, True: 0}
    found: list[str] = []
    for curve in curves:
        found.append(COLOURS[used[curve.dashed] % len(COLOURS)])
        used[curve.dashed] += 1
    return found
