"""``symdyn friction design``: which speeds to measure at."""

from __future__ import annotations

import argparse
from functools import partial

from symdyn.cli.friction_options import (
    add_law_argument,
    add_output_options,
    add_values_option,
    assumed,
    complete,
    figure_form,
    numbers,
    put,
    write_figure,
)
from symdyn.cli.options import Subparsers

_EPILOG = """\
The guess of the parameters decides where the curve bends, hence where to measure. --spread K makes
a design that serves velocities from 1/K to K times the guess; it has more speeds, and speeds to
spare to see a misfit by.

examples:
  symdyn friction design stribeck --set vs=0.01 --fixed alpha --low 0.002 --high 2 --noise 0.05
  symdyn friction design stribeck --fixed alpha --low 0.001 --high 2 --spread 3 --plot design.png
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "design",
        help="the best speeds to measure at, and the precision to expect",
        description="Find the speeds that determine a law's parameters best.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_law_argument(parser)
    add_values_option(parser)
    parser.add_argument("--low", type=float, required=True, metavar="V", help="slowest speed")
    parser.add_argument("--high", type=float, required=True, metavar="V", help="fastest speed")
    parser.add_argument(
        "--count", type=int, default=50, metavar="N", help="measurements (default: 50)"
    )
    parser.add_argument(
        "--noise", type=float, default=0.05, metavar="SD",
        help="standard deviation of one measurement (default: 0.05)",
    )  # fmt: skip
    parser.add_argument("--fixed", default="", metavar="NAMES", help="parameters not to be fitted")
    parser.add_argument(
        "--spread", type=float, default=1.0, metavar="K", help="factor of doubt about velocities"
    )
    add_output_options(parser, figure="curve, speeds and sensitivities")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Design, print and draw; returns 0."""
    from symdyn.friction.catalog import law_named
    from symdyn.identify.design import compare_designs
    from symdyn.report.friction_design_figure import design_figure
    from symdyn.report.friction_fit import design_lines, design_record

    if options.plot:
        figure_form(options.plot)
    law = law_named(options.law)
    given = numbers(options.set, "--set")
    guess = complete(law, given)
    fixed = [name.strip() for name in options.fixed.split(",") if name.strip()]
    found = compare_designs(
        law,
        guess,
        options.low,
        options.high,
        fixed=fixed,
        count=options.count,
        noise=options.noise,
        spread=options.spread,
    )
    write_figure(options.plot, partial(design_figure, law, guess, found, fixed))
    return put(
        options, [*design_lines(found, guess, law), *assumed(law, given)], design_record(found)
    )
