"""``symdyn friction``: laws, their curves, fits, simulations and analyses."""

from __future__ import annotations

import argparse

from symdyn.cli import (
    friction_analyze,
    friction_design,
    friction_fit,
    friction_plot,
    friction_show,
    friction_simulate,
)
from symdyn.cli.options import Subparsers

_EPILOG = """\
Each of these has its own --help.

examples:
  symdyn friction show
  symdyn friction plot stribeck --set Fc=1,Fs=1.5,vs=0.01,b=0.5 --plot curve.png
  symdyn friction fit sweep.csv --law stribeck --fix alpha=2 --plot fit.png
  symdyn friction analyze lugre --inertia 1
  symdyn friction simulate hunting --gains Kp=3,Kv=6,Ki=4
"""


def add_to(commands: Subparsers) -> None:
    """Add the command and its own commands to the grammar."""
    parser = commands.add_parser(
        "friction",
        help="friction laws: show, plot, fit, design, simulate, analyze",
        description="Friction laws: their formulas and curves, what measurements say of them, and "
        "what they do.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    own: Subparsers = parser.add_subparsers(
        title="commands", dest="friction_command", metavar="COMMAND", required=True,
        parser_class=type(parser),
    )  # fmt: skip
    for module in (
        friction_show, friction_plot, friction_fit, friction_design, friction_simulate,
        friction_analyze,
    ):  # fmt: skip
        module.add_to(own)
