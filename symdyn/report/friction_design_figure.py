"""A sweep design as a figure: the curve, the speeds chosen, what each parameter feels of them."""

# pyright: reportUnknownMemberType=false
# matplotlib types most of its methods only in part
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from symdyn.friction.law import FrictionLaw
from symdyn.identify.columns import steady_gradient
from symdyn.identify.design import ComparedDesign
from symdyn.report.drawing import INK, SOFT, house_style, new_figure, to_bytes
from symdyn.report.friction_axes import COLOURS, legend, log_scale, plain_axes, title

_FINE = 401


def design_figure(
    law: FrictionLaw,
    guess: Mapping[str, float],
    found: ComparedDesign,
    fixed: Sequence[str],
    form: str = "png",
) -> bytes:
    """Draw a design.

    Parameters
    ----------
    law, guess : the law and the guess of its parameters
    found : the design
    fixed : parameters that are not fitted
    """
    names = [q.name for q in law.parameters if q.name not in fixed]
    v = np.geomspace(found.low, found.high, _FINE)
    F, J = steady_gradient(law, guess, names, v)
    with house_style():
        figure = new_figure(8.6, 5.0)
        upper = plain_axes(figure, (0.09, 0.54, 0.88, 0.36), "", "friction [N m]")
        lower = plain_axes(
            figure, (0.09, 0.11, 0.88, 0.36), "speed [rad/s]", "slope over its largest", share=upper
        )
        log_scale(upper, found.low / 1.25, found.high * 1.25)
        upper.tick_params(labelbottom=False)
        upper.plot(v, F, color=SOFT, lw=1.6, zorder=3)
        level = np.interp(np.log(found.design.v), np.log(v), F)
        for speed, force, count, weight in zip(
            found.design.v, level, found.design.counts, found.design.weights, strict=True
        ):
            upper.plot(
                speed, force, "o", ms=26 * float(weight) ** 0.5, color=COLOURS[0], alpha=0.75
            )
            upper.annotate(
                f"{count} at {speed:.3g}", (speed, force), xytext=(0, 14),
                textcoords="offset points", ha="center", fontsize=8, color=INK,
            )  # fmt: skip
            lower.axvline(speed, color=COLOURS[0], lw=0.9, ls=(0, (3, 2)), zorder=2)
        upper.set_ylim(0, 1.3 * float(np.max(F)))
        upper.set_xlim(found.low / 1.5, found.high * 1.5)
        for name, column, colour in zip(names, J.T, COLOURS, strict=False):
            lower.plot(v, column / np.max(np.abs(column)), color=colour, lw=1.5, label=name)
        legend(lower)
        title(
            figure,
            f"{law.title}: speeds for {sum(found.design.counts)} measurements",
            0.09,
            f"at least {100 * found.design.efficiency:.1f} % of the best possible",
        )
        return to_bytes(figure, form)
