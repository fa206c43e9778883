"""``symdyn friction show``: the catalogue, or one law."""

from __future__ import annotations

import argparse

from symdyn.cli.friction_options import put
from symdyn.cli.options import Subparsers

_EPILOG = """\
examples:
  symdyn friction show
  symdyn friction show lugre
  symdyn friction show stribeck --json
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "show",
        help="the laws, or one of them: formula, units, domains, source",
        description="Show all friction laws, or one of them.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("law", metavar="LAW", nargs="?", help="name of a law (default: all)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Show, and return 0."""
    from symdyn.friction.catalog import LAWS, law_named
    from symdyn.friction.example import EXAMPLES
    from symdyn.report.friction_list import catalogue_lines, law_lines, law_record

    if options.law is None:
        records = [law_record(law, EXAMPLES[law.name]) for law in LAWS.values()]
        return put(options, catalogue_lines(), records)
    law = law_named(options.law)
    example = EXAMPLES.get(law.name, {})
    return put(options, law_lines(law, example), law_record(law, example))
