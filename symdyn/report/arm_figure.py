"""The robot with its frames at q = 0, in parallel projection: one view askew, one from the side.

Own projection and painter's order: nothing here depends on a 3-D toolkit, and the bytes depend on
the scene alone. Numbers are those of the tree figure.
"""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symdyn.report.drawing import (
    AXIS_COLOUR,
    BONE,
    FAINT,
    INK,
    KIND_COLOUR,
    PAPER,
    SOFT,
    bare_axes,
    house_style,
    new_figure,
    to_bytes,
)
from symdyn.report.scene import Point, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Flat = tuple[float, float]

_WIDTH, _LOWEST, _HIGHEST = 10.4, 3.4, 6.4  # inches


@dataclass(frozen=True, slots=True)
class Pens:
    """Sizes of what is drawn: lengths as shares of the robot's size, the rest in points.

    ``triad`` and ``label`` are the length of a frame's axes and the distance of its number; places
    closer than ``merge`` share a number; ``letter`` is the width of a character.
    """

    triad: float
    label: float
    merge: float
    letter: float
    bone: float
    line: float
    dot: float
    mark: float
    text: float


def _pens(count: int) -> Pens:
    """Thinner pens for more frames."""
    if count <= 12:
        return Pens(0.085, 0.075, 0.012, 0.011, 6.5, 2.0, 5.5, 5.5, 10.0)
    if count <= 48:
        return Pens(0.045, 0.05, 0.012, 0.006, 3.2, 1.3, 3.5, 3.0, 7.5)
    return Pens(0.018, 0.04, 0.045, 0.005, 2.0, 0.9, 2.0, 1.8, 7.0)


@dataclass(frozen=True, slots=True)
class View:
    """A parallel projection: unit vectors to the right and upward, and toward the viewer."""

    title: str
    right: Point
    up: Point
    toward: Point

    def flat(self, p: Point) -> Flat:
        """Where the point lands on the paper [m]."""
        return _dot(self.right, p), _dot(self.up, p)

    def depth(self, p: Point) -> float:
        """How far the point stands toward the viewer [m]."""
        return _dot(self.toward, p)


_PLAIN = (
    View("front view: y to the right, z up", (0, 1, 0), (0, 0, 1), (1, 0, 0)),
    View("side view: x to the right, z up", (1, 0, 0), (0, 0, 1), (0, -1, 0)),
    View("top view: x to the right, y up", (1, 0, 0), (0, 1, 0), (0, 0, 1)),
)


def _view(title: str, azimuth: float, elevation: float) -> View:
    """The view of a viewer at the given azimuth and elevation [degrees], z upward."""
    a, e = math.radians(azimuth), math.radians(elevation)
    toward = (math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e))
    right = (-math.sin(a), math.cos(a), 0.0)
    up = (-math.sin(e) * math.cos(a), -math.sin(e) * math.sin(a), math.cos(e))
    return View(title, right, up, toward)


def arm_figure(scene: Scene, form: str = "svg") -> bytes:
    """Draw the robot at q = 0: links as bones, frames as triads, joint axes, centres of mass.

    Parameters
    ----------
    scene : frames of all bodies
    form : ``svg`` or ``png``
    """
    with house_style():
        return to_bytes(_arm_figure(scene), form)


def _arm_figure(scene: Scene) -> Figure:
    spread = [_spread(scene, axis) for axis in range(3)]
    # the plain view that loses least: along the axis in which the robot is thinnest
    side = min(reversed(list(zip(spread, _PLAIN, strict=True))), key=lambda pair: pair[0])[1]
    size = max(*spread, 1e-3)
    views = (_view("from the side and above", -52, 22), side)
    extents = [_extent(scene, view, size) for view in views]
    shape = max((y1 - y0) / (x1 - x0) for (x0, x1), (y0, y1) in extents)
    height = min(max(0.5 * _WIDTH * shape / 0.88, _LOWEST), _HIGHEST)
    figure = new_figure(_WIDTH, height)
    boxes = ((0.01, 0.06, 0.52, 0.88), (0.54, 0.06, 0.45, 0.88))
    for view, box in zip(views, boxes, strict=True):
        _draw(bare_axes(figure, box), scene, view, size, box[2] * _WIDTH / (box[3] * height))
    figure.text(
        0.5,
        0.14 / height,
        "frames at q = 0: x red, y green, z blue     "
        "dashed: joint axis     ⊕: centre of mass     "
        f"grid: {_grid_step(size):g} m     numbers: as in the tree",
        ha="center",
        color=SOFT,
        fontsize=8.5,
    )
    return figure


def _spread(scene: Scene, axis: int) -> float:
    values = [0.0]
    for frame in scene.frames:
        values += [p[axis] for p in (frame.origin, frame.centre, frame.tip) if p is not None]
    return max(values) - min(values)


def _draw(axes: Axes, scene: Scene, view: View, size: float, shape: float) -> None:
    pens = _pens(len(scene.frames))
    triad, bone = size * pens.triad, pens.bone
    _ground(axes, scene, view, size)
    for frame in scene.frames:
        start = scene.frames[frame.parent].origin if frame.parent >= 0 else (0.0, 0.0, 0.0)
        middle = _mix(start, frame.origin, 0.5)
        z = 10 + view.depth(middle) / size
        _line(axes, view, start, frame.origin, color=PAPER, lw=bone + 2, zorder=z - 0.01)
        _line(axes, view, start, frame.origin, color=BONE, lw=bone, zorder=z)
        if frame.tip is not None:
            _line(axes, view, frame.origin, frame.tip, color=BONE, lw=bone / 2, zorder=z)
    for frame in scene.frames:
        z = 20 + view.depth(frame.origin) / size
        reach = 1.7 * triad
        _line(
            axes,
            view,
            _along(frame.origin, frame.axis, -reach),
            _along(frame.origin, frame.axis, reach),
            color=KIND_COLOUR[frame.kind],
            lw=1.0,
            ls=(0, (4, 2)),
            zorder=z - 0.2,
        )
        for direction, colour in zip((frame.x, frame.y, frame.z), AXIS_COLOUR, strict=True):
            tip = _along(frame.origin, direction, triad)
            _line(axes, view, frame.origin, tip, color=colour, lw=pens.line, zorder=z)
        x, y = view.flat(frame.origin)
        axes.plot(
            x,
            y,
            marker="o",
            ms=pens.dot,
            mfc=PAPER,
            mec=KIND_COLOUR[frame.kind],
            mew=1.4,
            zorder=z + 0.1,
        )
        if frame.centre is not None:
            cx, cy = view.flat(frame.centre)
            axes.plot(cx, cy, marker="o", ms=pens.mark, mfc=PAPER, mec=INK, mew=0.8, zorder=40)
            axes.plot(cx, cy, marker="+", ms=pens.mark, mec=INK, mew=0.8, zorder=41)
    _limits(axes, scene, view, size, shape)
    _labels(axes, scene, view, size, pens)
    _gravity(axes, scene, view, size)
    axes.set_title(view.title, color=SOFT, fontsize=9, loc="left")


def _grid_step(size: float) -> float:
    """The widest of 1, 2, 5 times a power of ten that fits four times into ``size``."""
    power = 10 ** math.floor(math.log10(size / 4))
    return max(step for step in (power, 2 * power, 5 * power) if 4 * step <= size * (1 + 1e-9))


def _grid_range(scene: Scene, axis: int, size: float) -> tuple[int, int]:
    step = _grid_step(size)
    values = [0.0, *(frame.origin[axis] for frame in scene.frames)]
    return math.floor(min(values) / step - 0.5), math.ceil(max(values) / step + 0.5)


def _ground(axes: Axes, scene: Scene, view: View, size: float) -> None:
    step = _grid_step(size)
    (x0, x1), (y0, y1) = (_grid_range(scene, axis, size) for axis in range(2))
    ends = [((i, y0), (i, y1)) for i in range(x0, x1 + 1)]
    ends += [((x0, j), (x1, j)) for j in range(y0, y1 + 1)]
    for (ax, ay), (bx, by) in ends:
        a, b = (ax * step, ay * step, 0.0), (bx * step, by * step, 0.0)
        _line(axes, view, a, b, color=FAINT, lw=0.8, zorder=0)
    axes.plot(*view.flat((0.0, 0.0, 0.0)), marker="s", ms=7, color=INK, zorder=18)


def _extent(scene: Scene, view: View, size: float) -> tuple[Flat, Flat]:
    """Ranges to the right and upward that hold everything, with a margin [m]."""
    step = _grid_step(size)
    ranges = [_grid_range(scene, axis, size) for axis in range(2)]
    points = [view.flat((x * step, y * step, 0.0)) for x in ranges[0] for y in ranges[1]]
    for frame in scene.frames:
        points += [view.flat(p) for p in (frame.origin, frame.centre, frame.tip) if p is not None]
    pad = 0.14 * size
    low = [min(p[i] for p in points) - pad for i in range(2)]
    high = [max(p[i] for p in points) + pad for i in range(2)]
    return (low[0], high[0]), (low[1], high[1])


def _limits(axes: Axes, scene: Scene, view: View, size: float, shape: float) -> None:
    """Fit everything into the box, one metre as long to the right as upward."""
    (x0, x1), (y0, y1) = _extent(scene, view, size)
    width = max(x1 - x0, (y1 - y0) * shape)
    axes.set_xlim((x0 + x1 - width) / 2, (x0 + x1 + width) / 2)
    axes.set_ylim((y0 + y1 - width / shape) / 2, (y0 + y1 + width / shape) / 2)


def _labels(axes: Axes, scene: Scene, view: View, size: float, pens: Pens) -> None:
    """Number each place once, on the side where the fewest things stand already."""
    from matplotlib.patheffects import withStroke

    places: dict[Flat, list[int]] = {}
    for frame in scene.frames:
        spot = view.flat(frame.origin)
        near = next((p for p in places if math.dist(p, spot) < pens.merge * size), spot)
        places.setdefault(near, []).append(frame.number)
    taken: list[Flat] = list(places)
    triad = size * pens.triad
    for frame in scene.frames:
        taken += [view.flat(_along(frame.origin, d, triad)) for d in (frame.x, frame.y, frame.z)]
        if frame.centre is not None:
            taken.append(view.flat(frame.centre))
    for frame in scene.frames:
        start = scene.frames[frame.parent].origin if frame.parent >= 0 else (0.0, 0.0, 0.0)
        taken += [view.flat(_mix(start, frame.origin, k / 12)) for k in range(1, 12)]
    distance = size * pens.label
    for (x, y), numbers in places.items():
        text = _ranges(numbers)
        wide = distance + pens.letter * size * (len(text) - 1)
        candidates = [
            (x + wide * math.cos(angle), y + 0.8 * distance * math.sin(angle))
            for angle in (math.pi * k / 8 for k in range(16))
        ]
        best = min(candidates, key=lambda c: sum(_push(c, t, distance) for t in taken))
        taken.append(best)
        axes.text(
            *best,
            text,
            fontsize=pens.text,
            fontweight="bold",
            color=INK,
            ha="center",
            va="center",
            zorder=60,
            path_effects=[withStroke(linewidth=2.4, foreground=PAPER)],
        )


def _push(a: Flat, b: Flat, distance: float) -> float:
    squared = ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) / distance**2
    return math.exp(-1.5 * squared)


def _ranges(numbers: list[int]) -> str:
    """Runs of numbers written short: 1, 2, 3, 7 as ``1–3, 7``."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(
        str(p[0]) if len(p) == 1 else f"{p[0]}, {p[1]}" if len(p) == 2 else f"{p[0]}–{p[-1]}"
        for p in parts
    )


def _gravity(axes: Axes, scene: Scene, view: View, size: float) -> None:
    length = math.sqrt(_dot(scene.gravity, scene.gravity))
    if length == 0:
        return
    gx, gy, gz = scene.gravity
    down = view.flat((gx / length, gy / length, gz / length))
    left, right = axes.get_xlim()
    bottom, top = axes.get_ylim()
    reach = 0.11 * size
    x, y = right - 0.06 * (right - left), top - 0.08 * (top - bottom)
    if math.hypot(*down) < 0.2:
        return
    axes.annotate(
        "",
        (x + reach * down[0], y + reach * down[1]),
        (x, y),
        arrowprops={"arrowstyle": "-|>", "color": SOFT, "lw": 1.4},
    )
    axes.text(
        x + 0.5 * reach * down[0] + 0.03 * size,
        y + 0.5 * reach * down[1],
        "$g$",
        color=SOFT,
        fontsize=10,
        va="center",
    )


def _line(
    axes: Axes,
    view: View,
    a: Point,
    b: Point,
    *,
    color: str,
    lw: float,
    zorder: float,
    ls: str | tuple[int, tuple[int, int]] = "-",
) -> None:
    (x0, y0), (x1, y1) = view.flat(a), view.flat(b)
    axes.plot([x0, x1], [y0, y1], color=color, lw=lw, ls=ls, zorder=zorder, solid_capstyle="round")


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _mix(a: Point, b: Point, t: float) -> Point:
    return (
        a[0] + t * (b[0] - a[0]),
        a[1] + t * (b[1] - a[1]),
        a[2] + t * (b[2] - a[2]),
    )


def _along(p: Point, direction: Point, length: float) -> Point:
    return (
        p[0] + length * direction[0],
        p[1] + length * direction[1],
        p[2] + length * direction[2],
    )
