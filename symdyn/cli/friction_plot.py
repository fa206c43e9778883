"""``symdyn friction plot``: steady curves as a figure."""

from __future__ import annotations

import argparse
from functools import partial

from symdyn.cli.friction_options import (
    add_law_argument,
    add_values_option,
    assumed,
    complete,
    figure_form,
    numbers,
    put,
    refuse_unknown,
    write_figure,
)
from symdyn.cli.options import Subparsers

_EPILOG = """\
The left panel shows both directions, the right one forward motion on a logarithmic axis, with the
speeds marked over which the curve falls. Several laws are drawn over one another, with a circle
where a curve turns; --set then goes to each law that has a parameter of that name.

examples:
  symdyn friction plot stribeck --plot curve.png
  symdyn friction plot stribeck hess-soom brown-mcphee --set Fs=2 --plot compare.svg
  symdyn friction plot load-stribeck --signals load=5 --plot loaded.png
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "plot",
        help="draw steady friction over speed",
        description="Draw the steady friction of one or more laws over speed.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_law_argument(parser, many=True)
    add_values_option(parser)
    parser.add_argument(
        "--signals", metavar="VALUES", action="append", default=[],
        help="load, temperature, position, as NAME=NUMBER (default: 0)",
    )  # fmt: skip
    parser.add_argument("--low", type=float, metavar="V", help="slowest speed drawn")
    parser.add_argument("--high", type=float, metavar="V", help="fastest speed drawn")
    parser.add_argument("--plot", metavar="FILE", required=True, help="file, .png or .svg")
    parser.add_argument("--json", action="store_true", help="print JSON: the extrema")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draw, say where the curves fall, and return 0."""
    from symdyn.friction.catalog import law_named
    from symdyn.report.friction_curves import (
        DrawnLaw,
        curve_figure,
        curve_lines,
        curve_record,
        speed_range,
    )

    figure_form(options.plot)
    given = numbers(options.set, "--set")
    signals = numbers(options.signals, "--signals")
    drawn: list[DrawnLaw] = []
    notes: list[str] = []
    laws = [law_named(name) for name in options.law]
    refuse_unknown(given, {q.name for law in laws for q in law.parameters}, "--set")
    refuse_unknown(signals, {q.name for law in laws for q in law.signals}, "--signals")
    for law in laws:
        own = {n: x for n, x in given.items() if any(q.name == n for q in law.parameters)}
        values = complete(law, own)
        known = {q.name: signals.get(q.name, 0.0) for q in law.signals}
        drawn.append(DrawnLaw(law, values, known))
        notes += [f"{law.name}: {line}" for line in assumed(law, own)]
    low, high = speed_range(drawn)
    low, high = options.low or low, options.high or high
    write_figure(options.plot, partial(curve_figure, drawn, low, high))
    return put(options, [*curve_lines(drawn), *notes], curve_record(drawn))
