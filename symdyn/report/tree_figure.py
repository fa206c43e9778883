"""The kinematic tree as a picture: one row per body, a straight track per chain."""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

from typing import TYPE_CHECKING

from symdyn.report.drawing import (
    FAINT,
    INK,
    KIND_COLOUR,
    KIND_MARKER,
    PAPER,
    SOFT,
    bare_axes,
    house_style,
    new_figure,
    to_bytes,
)
from symdyn.report.scene import Frame, Scene
from symdyn.report.tree_order import depth_first

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW = 0.27  # inches a body
_TRACK = 0.24  # inches a level of branching
_CHARACTER = 0.083  # inches a character of the text size used
_MARGIN = 0.3


def tree_figure(scene: Scene, form: str = "svg") -> bytes:
    """Draw the tree of joints and bodies.

    Parameters
    ----------
    scene : names, kinds, parents and masses
    form : ``svg`` or ``png``
    """
    with house_style():
        return to_bytes(_tree_figure(scene), form)


def _tree_figure(scene: Scene) -> Figure:
    order = depth_first([frame.parent for frame in scene.frames])
    indents = {node: indent for node, indent in order}
    cells = [("#", "joint", "kind", "body", "mass [kg]"), ("", "", "", scene.base, "")]
    cells += [_cells(scene.frames[node]) for node, _ in order[1:]]
    widths = [max(len(row[c]) for row in cells) * _CHARACTER + 0.22 for c in range(5)]
    tracks = max(indents.values()) * _TRACK + 0.45
    width = 2 * _MARGIN + tracks + sum(widths)
    height = 2 * _MARGIN + (len(cells) + 1.4) * _ROW
    figure = new_figure(width, height)
    axes = bare_axes(figure, (0, 0, 1, 1))
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    starts = [_MARGIN + tracks + sum(widths[:c]) for c in range(5)]

    top = _MARGIN + 0.5 * _ROW
    heights = {node: top + (row + 1) * _ROW for row, (node, _) in enumerate(order)}
    across = {node: _MARGIN + 0.1 + indent * _TRACK for node, indent in indents.items()}
    for text, start in zip(cells[0], starts, strict=True):
        axes.text(start, top, text, color=SOFT, fontsize=9, va="center")
    axes.plot([_MARGIN, width - _MARGIN], [top + 0.55 * _ROW] * 2, color=FAINT, lw=1)
    for row, (node, _) in enumerate(order):
        if row % 2:
            axes.axhspan(
                heights[node] - 0.5 * _ROW, heights[node] + 0.5 * _ROW, color="#f6f8fa", zorder=-2
            )
    for node, _ in order[1:]:
        frame = scene.frames[node]
        _track(
            axes,
            (across[frame.parent], heights[frame.parent]),
            (across[node], heights[node]),
            dashed=frame.follows is not None,
        )
    axes.plot(across[-1], heights[-1], marker="s", ms=8, color=INK, zorder=3)
    for row, (node, _) in enumerate(order):
        if node >= 0:
            _station(axes, across[node], heights[node], scene.frames[node])
        for column, text in enumerate(cells[row + 1]):
            axes.text(
                starts[column],
                heights[node],
                text,
                parse_math=False,
                color=SOFT if column in (2, 4) else INK,
                fontsize=9,
                fontweight="bold" if column == 0 else "normal",
                va="center",
            )
    _legend(axes, scene, _MARGIN + 0.1, height - _MARGIN - 0.2 * _ROW)
    return figure


def _cells(frame: Frame) -> tuple[str, str, str, str, str]:
    kind = f"follows {frame.follows}" if frame.follows is not None else frame.kind.value
    return str(frame.number), frame.joint, kind, frame.body, f"{frame.mass:.4g}"


def _track(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], *, dashed: bool
) -> None:
    (x0, y0), (x1, y1) = start, end
    # down the parent's track, off it just above the child
    xs, ys = ([x0, x1], [y0, y1]) if x0 == x1 else ([x0, x0, x1], [y0, y1 - 0.9 * _ROW, y1])
    axes.plot(
        xs,
        ys,
        color="#8c9bab",
        lw=2.2,
        ls=(0, (2, 1.2)) if dashed else "-",
        solid_capstyle="round",
        solid_joinstyle="round",
        zorder=1,
    )


def _station(axes: Axes, x: float, y: float, frame: Frame) -> None:
    colour = KIND_COLOUR[frame.kind]
    axes.plot(
        x,
        y,
        marker=KIND_MARKER[frame.kind],
        ms=8.5 if KIND_MARKER[frame.kind] in "oh" else 7.5,
        mfc=PAPER if frame.follows is not None else colour,
        mec=colour,
        mew=1.6,
        zorder=3,
    )


def _legend(axes: Axes, scene: Scene, x: float, y: float) -> None:
    kinds = list(dict.fromkeys(frame.kind for frame in scene.frames))
    for kind in kinds:
        axes.plot(x, y, marker=KIND_MARKER[kind], ms=7, color=KIND_COLOUR[kind])
        axes.text(x + 0.13, y, kind.value, color=SOFT, fontsize=8, va="center")
        x += 0.42 + len(kind.value) * 0.075
    if any(frame.follows is not None for frame in scene.frames):
        axes.plot(x, y, marker="o", ms=7, mfc=PAPER, mec=SOFT, mew=1.6)
        axes.text(x + 0.13, y, "mimic", color=SOFT, fontsize=8, va="center")
