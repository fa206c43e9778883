"""The look of the figures and the way to bytes: same scene, same bytes."""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

import io
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from symdyn.model.robot import JointKind

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK: Final = "#1f2933"
SOFT: Final = "#7b8794"
FAINT: Final = "#dde2e8"
PAPER: Final = "#ffffff"
BONE: Final = "#9fb0c3"

#: Colour and marker of each kind of joint.
KIND_COLOUR: Final[dict[JointKind, str]] = {
    JointKind.REVOLUTE: "#2457a6",
    JointKind.CONTINUOUS: "#1b8a8f",
    JointKind.PRISMATIC: "#c2571a",
    JointKind.HELICAL: "#7d3c98",
}
KIND_MARKER: Final[dict[JointKind, str]] = {
    JointKind.REVOLUTE: "o",
    JointKind.CONTINUOUS: "h",
    JointKind.PRISMATIC: "s",
    JointKind.HELICAL: "D",
}
AXIS_COLOUR: Final = ("#d1352b", "#2e8b3d", "#2457c5")


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of the given size in inches, independent of any user's settings."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor=PAPER)
    FigureCanvasAgg(figure)
    return figure


def bare_axes(figure: Figure, box: tuple[float, float, float, float]) -> Axes:
    """Axes without ticks or frame in a box (left, bottom, width, height) of the figure."""
    axes = figure.add_axes(box)
    axes.set_axis_off()
    return axes


@contextmanager
def house_style() -> Generator[None]:
    """The library's defaults and our settings, whatever the user has set; restored at the end."""
    import matplotlib as mpl

    with warnings.catch_warnings(), mpl.rc_context():
        # a letter that the font lacks is drawn as a box; the tables have it in full
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        mpl.rcdefaults()
        mpl.rcParams["svg.hashsalt"] = "symdyn"
        mpl.rcParams["svg.fonttype"] = "path"
        yield


def to_bytes(figure: Figure, form: str) -> bytes:
    """The figure as ``svg`` or ``png``; no date, no random identifiers, text as outlines."""
    sink = io.BytesIO()
    if form == "svg":
        figure.savefig(sink, format="svg", metadata={"Date": None, "Creator": None})
    else:
        figure.savefig(sink, format="png", dpi=130, metadata={"Software": None})
    return sink.getvalue()
