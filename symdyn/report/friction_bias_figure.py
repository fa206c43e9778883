"""The bias of an inertia against the speed of the trajectory: converged, and as sampled."""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symdyn.identify.inertia_bias import InertiaBias
from symdyn.report.drawing import SOFT, house_style, new_figure, to_bytes
from symdyn.report.friction_axes import COLOURS, legend, log_scale, plain_axes, points, title


def bias_figure(
    asked: Sequence[InertiaBias], curve: Sequence[InertiaBias], form: str = "png"
) -> bytes:
    """Draw biases of either sign over peak speeds.

    Parameters
    ----------
    asked : sampled ones at the speeds asked for
    curve : converged ones over the range
    """
    with house_style():
        figure = new_figure(7.6, 4.4)
        axes = plain_axes(
            figure, (0.13, 0.13, 0.84, 0.74), "largest speed of the trajectory [rad/s]",
            "bias of the inertia, share of it",
        )  # fmt: skip
        peaks = np.array([b.peak for b in curve])
        biases = np.array([b.inertia for b in curve])
        log_scale(axes, float(peaks.min()), float(peaks.max()))
        axes.set_yscale("symlog", linthresh=1e-3, linscale=0.5)
        axes.plot(
            peaks, biases, color=COLOURS[0], lw=1.5, label="integrals over a period", zorder=3
        )
        points(
            axes, np.array([b.peak for b in asked]), np.array([b.inertia for b in asked]),
            COLOURS[1], "s", f"{asked[0].samples} samples a period",
        )  # fmt: skip
        axes.axhline(0, color=SOFT, lw=0.8)
        legend(axes, "upper right")
        title(
            figure,
            "Inertia identified with Coulomb and viscous friction",
            0.13,
            "the joint has Stribeck friction; a fit that has its bend is exact",
        )
        return to_bytes(figure, form)
