"""Axes of the friction figures: one look for all."""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from symdyn.algebra.float64 import Array
from symdyn.report.drawing import FAINT, INK, PAPER, SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours that differ in lightness too, in the order of use.
COLOURS: Final = ("#2457a6", "#c2571a", "#2e8b3d", "#7d3c98", "#1b8a8f", "#7b8794")
#: Ground of a region of negative slope, and of a confidence band.
FALLING: Final = "#fbe6d8"
FALLING_EDGE: Final = "#e8b894"
BAND: Final = "#cfdcf0"

Box = tuple[float, float, float, float]


def plain_axes(figure: Figure, box: Box, along: str, up: str, *, share: Axes | None = None) -> Axes:
    """Axes in a box (left, bottom, width, height) of the figure, with names on both."""
    axes = figure.add_axes(box, sharex=share)
    axes.set_xlabel(along, fontsize=9, color=INK)
    axes.set_ylabel(up, fontsize=9, color=INK)
    axes.tick_params(labelsize=8, colors=INK)
    for axis in (axes.xaxis, axes.yaxis):
        axis.get_offset_text().set(fontsize=8, color=INK)
    axes.grid(visible=True, color=FAINT, linewidth=0.6, zorder=0)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(SOFT)
    return axes


def log_scale(axes: Axes, low: float, high: float) -> None:
    """A logarithmic horizontal axis from ``low`` to ``high`` with numbers that can be read."""
    from math import log10

    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_xscale("log")
    axes.set_xlim(low, high)
    subs = (1.0,) if log10(high / low) > 2.2 else (1.0, 2.0, 5.0)
    axes.xaxis.set_major_locator(LogLocator(10, subs))
    axes.xaxis.set_minor_formatter(NullFormatter())

    def number(x: float, _: int | None) -> str:
        return f"{x:g}"

    axes.xaxis.set_major_formatter(FuncFormatter(number))


def points(
    axes: Axes, x: Array, y: Array, colour: str, marker: str = "o", label: str | None = None
) -> None:
    """Measured points."""
    axes.plot(x, y, marker=marker, ms=4, ls="", mfc=PAPER, mec=colour, label=label, zorder=4)


def title(figure: Figure, text: str, left: float, below: str = "") -> None:
    """One line above everything, and one in small print below it."""
    height = figure.get_size_inches()[1]
    figure.text(left, 1 - 0.2 / height, text, fontsize=10.5, color=INK, va="center")
    if below:
        figure.text(left, 1 - 0.42 / height, _short(below), fontsize=8, color=SOFT, va="center")


def _short(text: str, most: int = 150) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def legend(
    axes: Axes, place: Literal["best", "upper left", "upper right", "lower right"] = "best"
) -> None:
    """A legend without a frame."""
    axes.legend(loc=place, frameon=False, fontsize=8, labelcolor=INK, handlelength=1.8)
