"""Friction of every joint of an identified robot: what the inertia leaves, and the law."""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symdyn.identify.whole_robot import RobotFit
from symdyn.report.drawing import house_style, new_figure, to_bytes
from symdyn.report.friction_axes import COLOURS, plain_axes, title

_COLUMNS = 3
_WIDTH, _HEIGHT = 3.1, 2.5  # inches a panel
_MOST = 24


def robot_friction_figure(
    fit: RobotFit, joints: Sequence[str], name: str, form: str = "png"
) -> bytes:
    """One panel a joint: measured torque less the rigid body's, over speed, and the fitted law."""
    shown = list(joints)[:_MOST]
    rows = -(-len(shown) // _COLUMNS)
    across = min(_COLUMNS, len(shown))
    width, height = across * _WIDTH + 0.3, rows * _HEIGHT + 0.6
    with house_style():
        figure = new_figure(width, height)
        for k, joint in enumerate(shown):
            row, column = divmod(k, _COLUMNS)
            box = (
                (0.75 + column * _WIDTH) / width,
                1 - (0.55 + (row + 1) * _HEIGHT - 0.45) / height,
                (_WIDTH - 0.75) / width,
                (_HEIGHT - 0.75) / height,
            )
            axes = plain_axes(figure, box, "speed [rad/s]", "friction [N m]" if not column else "")
            v, F = fit.speeds[:, k], fit.friction[:, k]
            axes.plot(
                v, F + fit.residuals[:, k], ".", ms=2.2, color=COLOURS[0], alpha=0.35, zorder=2
            )
            order = np.argsort(v)
            for side in (v[order] < 0, v[order] > 0):
                axes.plot(v[order][side], F[order][side], color=COLOURS[1], lw=1.5, zorder=3)
            law = fit.laws[k]
            words = joint if law is None else f"{joint}: {law.title}"
            axes.set_title(words, fontsize=9, loc="left")
        title(figure, f"{name}: what the identified inertia leaves, and the law", 0.75 / width)
        return to_bytes(figure, form)
