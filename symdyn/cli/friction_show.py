"""``symdyn friction show``: the catalogue, or one law."""

from __future__ import annotations

import argparse

from symdyn._errors import InputError
from symdyn.cli.friction_options import add_values_option, assumed, complete, numbers, put
from symdyn.cli.options import Subparsers

_EPILOG = """\
examples:
  symdyn friction show
  symdyn friction show lugre
  symdyn friction show stribeck-set --set Fc=0.2,Fs=0.3 # its words in URDF, MJCF and Simscape
  symdyn friction show stribeck --json
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "show",
        help="the laws, or one of them: formula, units, domains, source, words of other programs",
        description="Show all friction laws, or one of them.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("law", metavar="LAW", nargs="?", help="name of a law (default: all)")
    add_values_option(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Show, and return 0."""
    from symdyn.friction.catalog import LAWS, law_named
    from symdyn.friction.example import EXAMPLES
    from symdyn.report.friction_list import catalogue_lines, law_lines, law_record

    given = numbers(options.set, "--set")
    if options.law is None:
        if given:
            raise InputError("values belong to one law", where="--set", remedy="Name the law.")
        records = [law_record(law, EXAMPLES[law.name]) for law in LAWS.values()]
        return put(options, catalogue_lines(), records)
    law = law_named(options.law)
    if not given and set(EXAMPLES[law.name]) != {q.name for q in law.parameters}:
        return put(options, law_lines(law, {}), law_record(law, {}))  # gms:6 has no example
    values = complete(law, given)
    lines = law_lines(law, values)
    notes = assumed(law, given) if given else []
    return put(options, [*lines, *notes], law_record(law, values))
