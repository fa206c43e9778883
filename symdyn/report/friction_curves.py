"""Steady curves of friction laws as a figure: both directions, and where a curve falls."""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array
from symdyn.analysis.law_curve import law_shape
from symdyn.analysis.steady_curve import CurveShape
from symdyn.friction.law import FrictionLaw
from symdyn.identify.columns import steady_force
from symdyn.report.drawing import INK, PAPER, SOFT, house_style, new_figure, to_bytes
from symdyn.report.friction_axes import (
    COLOURS,
    FALLING,
    FALLING_EDGE,
    legend,
    log_scale,
    plain_axes,
    title,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_POINTS = 801


#: Characters of the names of laws that fit below the title; lines of them beside it otherwise.
_LINE, _LINES = 120, 4
#: Scale of speed where no curve has one of its own [rad/s].
_NO_BEND = 0.1


@dataclass(frozen=True, slots=True)
class DrawnLaw:
    """A law with values, ready to draw.

    Attributes
    ----------
    law : the law
    values : of its parameters
    signals : load, temperature, position; constants
    """

    law: FrictionLaw
    values: Mapping[str, float]
    signals: Mapping[str, float]

    def force(self, v: Array) -> Array:
        """Steady friction; at v = 0 what the law's formula gives."""
        signals = {name: np.full_like(v, x) for name, x in self.signals.items()}
        return steady_force(self.law, self.values, v, signals)

    def shape(self) -> CurveShape | None:
        """Extrema and falling intervals; None for numbers too large or small to find them."""
        try:
            return law_shape(self.law, self.values, self.signals)
        except InputError:
            return None

    def scale(self) -> float | None:
        """A speed at which the curve bends [rad/s], None for one that does not."""
        # a table falls, if it does, at its first points
        return min(self._speeds(), default=None) if self._is_table else self.last()

    def last(self) -> float | None:
        """The largest speed at which the curve bends [rad/s]."""
        return max(self._speeds(), default=None)

    @property
    def _is_table(self) -> bool:
        return self.law.name == "table"

    def _speeds(self) -> list[float]:
        numbers = {q.name: q.unit for q in self.law.parameters if q.name not in ("eps", "Dv")}
        speeds = [self.values[n] for n, unit in numbers.items() if unit == "rad/s"]
        return speeds + [1 / self.values[n] for n, unit in numbers.items() if unit == "s/rad"]


def speed_range(laws: Sequence[DrawnLaw]) -> tuple[float, float]:
    """Slowest and fastest speed worth drawing."""
    scales = _scales(laws)
    return min(scales) / 500, max(100 * max(scales), *(2 * (law.last() or 0.0) for law in laws))


def _scales(laws: Sequence[DrawnLaw]) -> list[float]:
    """Speeds at which the curves bend, of those that do."""
    known = [law.scale() for law in laws]
    return [x for x in known if x is not None] or [_NO_BEND]


def curve_figure(laws: Sequence[DrawnLaw], low: float, high: float, form: str = "png") -> bytes:
    """Draw steady curves.

    Parameters
    ----------
    laws : drawn over one another
    low, high : speeds of the right panel [rad/s]; the left one shows both directions up to the
        speed where the bends are past
    form : ``png`` or ``svg``

    Raises
    ------
    InputError : an empty range of speeds
    """
    if not 0 < low < high or not np.isfinite(high):
        raise InputError("the range of speeds is empty", got=f"{low:g} to {high:g} rad/s")
    with house_style():
        figure = new_figure(9.4, 4.1)
        both = plain_axes(figure, (0.075, 0.125, 0.36, 0.72), "v [rad/s]", "friction [N m]")
        forward = plain_axes(figure, (0.515, 0.125, 0.465, 0.72), "v [rad/s]", "friction [N m]")
        log_scale(forward, low, high)
        reach = min(high, 8 * max(_scales(laws)))
        for k, drawn in enumerate(laws):
            look = _look(k, len(laws))
            _both_directions(both, drawn, reach, look)
            _forward(forward, drawn, low, high, look, alone=len(laws) == 1)
        _from_zero(forward)
        only = laws[0]
        words = ", ".join(f"{k} = {x:g}" for k, x in (*only.values.items(), *only.signals.items()))
        if len(laws) == 1:
            title(figure, only.law.title, 0.075, words)
        else:
            title(figure, "Steady friction", 0.075)
            forward.set_title("○ where a curve turns", fontsize=8, color=SOFT, loc="right")
            _names_below_title(figure, both)
        return to_bytes(figure, form)


class _Look(NamedTuple):
    """How one of several curves is drawn."""

    colour: str
    width: float
    dashes: str


def _look(k: int, count: int) -> _Look:
    """Earlier curves are wider, so that one which a later one covers shows at its edges."""
    width = 1.6 + min(0.8, 2.4 / count) * (count - 1 - k)
    return _Look(COLOURS[k % len(COLOURS)], width, "--" if k >= len(COLOURS) else "-")


def _names_below_title(figure: Figure, axes: Axes) -> None:
    """The names of the laws where they cover no curve: a line below the title, or beside it."""
    handles, names = axes.get_legend_handles_labels()
    fit_one_line = sum(map(len, names)) + 5 * len(names) < _LINE
    place = (0.065, 0.93) if fit_one_line else (0.24, 1.0)
    columns = len(names) if fit_one_line else -(-len(names) // _LINES)
    figure.legend(
        handles, names, loc="upper left", bbox_to_anchor=place, ncols=columns,
        frameon=False, fontsize=8 if fit_one_line else 6.5, labelspacing=0.3, labelcolor=INK,
        handlelength=1.8, columnspacing=1.6,
    )  # fmt: skip


def _both_directions(axes: Axes, drawn: DrawnLaw, reach: float, look: _Look) -> None:
    colour, width, dashes = look
    fine = np.geomspace(reach * 1e-7, reach, _POINTS)
    halves = (-fine[::-1], fine)
    forces = [drawn.force(v) for v in halves]
    for k, (v, F) in enumerate(zip(halves, forces, strict=True)):
        label = None if k else drawn.law.title
        axes.plot(v, F, color=colour, lw=width, ls=dashes, label=label, zorder=3)
    limits = _at_rest(drawn)
    rest = float(drawn.force(np.zeros(1))[0])
    if limits is not None:
        axes.plot([0, 0], limits, color=colour, lw=width, zorder=3)
    elif abs(forces[1][0] - rest) > 1e-3 * float(np.max(np.abs(forces[1]))):
        # a jump: the value at rest stands alone
        axes.plot(0, rest, marker="o", ms=4, color=colour, zorder=4)
        for end in (forces[0][-1], forces[1][0]):
            axes.plot(0, end, marker="o", ms=4.5, mfc=PAPER, mec=colour, mew=1.2, zorder=4)
    axes.set_xlim(-reach, reach)


def _at_rest(drawn: DrawnLaw) -> tuple[float, float] | None:
    """Ends of the set of forces at rest."""
    if drawn.law.at_rest is None:
        return None
    from symdyn.algebra.float64 import FLOAT64

    low, high = drawn.law.at_rest(FLOAT64, drawn.signals, drawn.values)
    return float(low), float(high)


def _forward(
    axes: Axes, drawn: DrawnLaw, low: float, high: float, look: _Look, *, alone: bool
) -> None:
    colour, width, dashes = look
    v = np.geomspace(low, high, _POINTS)
    F = drawn.force(v)
    found = drawn.shape()
    if alone and found is not None:
        for k, (a, b) in enumerate(found.falling):
            axes.axvspan(
                max(a, low),
                min(b, high),
                facecolor=FALLING,
                edgecolor=FALLING_EDGE,
                linewidth=0.8,
                zorder=0.5,
                label="falls with speed" if k == 0 else None,
            )
    axes.plot(v, F, color=colour, lw=width, ls=dashes, zorder=3)
    if not alone and found is not None:
        for speed, force in found.stationary:
            if low < speed < high:
                axes.plot(speed, force, marker="o", ms=4.5, mfc=PAPER, mec=colour, zorder=5)
    if alone and found is not None:
        tops = {start for start, _ in found.falling}
        for speed, force in found.stationary:
            if low < speed < high:
                name = "largest" if speed in tops else "least"
                text = f"{name} {force:.4f} N m\nat {speed:.4g} rad/s"
                _mark(axes, speed, force, text, colour, above=speed in tops)
        if found.falling:
            legend(axes, "upper right")


def _mark(axes: Axes, v: float, F: float, text: str, colour: str, *, above: bool) -> None:
    from matplotlib.patheffects import withStroke

    axes.plot(v, F, marker="o", ms=5, mfc=PAPER, mec=colour, mew=1.5, zorder=5)
    low, high = axes.get_xlim()
    share = float(np.log(v / low) / np.log(high / low))
    axes.annotate(
        text,
        (v, F),
        xytext=(0, 9 if above else -13),
        textcoords="offset points",
        ha="left" if share < 0.25 else "right" if share > 0.75 else "center",
        va="bottom" if above else "top",
        fontsize=8,
        color=INK,
        path_effects=[withStroke(linewidth=2.5, foreground=PAPER)],
    )


def _from_zero(axes: Axes) -> None:
    """Levels are compared by their height above zero, so zero is shown."""
    low, high = axes.get_ylim()
    axes.set_ylim(min(0.0, low), high + 0.14 * (high - min(0.0, low)))


def curve_lines(laws: Sequence[DrawnLaw]) -> list[str]:
    """Where each curve falls, in words."""
    lines: list[str] = []
    for drawn in laws:
        found = drawn.shape()
        if found is None:
            continue
        if not found.falling:
            lines.append(f"{drawn.law.name}: friction never falls with speed")
        for a, b in found.falling:
            lines.append(f"{drawn.law.name}: friction falls from {a:.6g} to {b:.6g} rad/s")
        lines += [
            f"{drawn.law.name}: stationary at {v:.6g} rad/s with {F:.6g} N m"
            for v, F in found.stationary
        ]
        v, slope = found.steepest
        if found.falling:
            lines.append(f"{drawn.law.name}: steepest slope {slope:.6g} N m s/rad at {v:.6g} rad/s")
    return lines


def curve_record(laws: Sequence[DrawnLaw]) -> list[dict[str, object]]:
    """Laws, values and shapes as JSON values; infinite ends are null."""
    records: list[dict[str, object]] = []
    for drawn in laws:
        found = drawn.shape()
        record: dict[str, object] = {
            "law": drawn.law.name,
            "values": dict(drawn.values),
            "signals": dict(drawn.signals),
        }
        if found is not None:
            record |= shape_record(found)
        records.append(record)
    return records


def shape_record(found: CurveShape) -> dict[str, object]:
    """A shape as JSON values; infinite ends are null."""
    return {
        "falling": [[finite(x) for x in pair] for pair in found.falling],
        "stationary": [{"v": v, "F": F} for v, F in found.stationary],
        "steepest": {"v": finite(found.steepest[0]), "slope": finite(found.steepest[1])},
    }


def finite(x: float) -> float | None:
    """None for an infinity or NaN, which JSON does not have."""
    return x if np.isfinite(x) else None
