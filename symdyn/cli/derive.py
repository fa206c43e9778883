"""``symdyn derive``: the main job, from a robot file to checked code and a report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from symdyn._errors import InputError, counted
from symdyn.cli.options import Subparsers, add_robot_argument
from symdyn.cli.printing import path, print_json
from symdyn.cli.progress import ProgressLine, add_progress_option

if TYPE_CHECKING:
    from symdyn.pipeline import DeriveResult

_EPILOG = """\
DIR then holds
  report.md        the equations, the verdicts and how to call the code, to read
  record.json      the same facts for a program, with a SHA-256 for every file
  crosscheck.json  every comparison of the cross-check (not with --no-crosscheck)
  numpy/, c/       the code, one folder per target
  figures/         the tree and the arm, as the report shows them (not with --no-figures)
It is written whole or not at all; files that symdyn did not write are never replaced.

exit status: 0 if every check held; 1 if one failed or --check found a difference; 2 for bad input.

examples:
  symdyn derive panda -o out/panda
  symdyn derive arm.urdf -o out/arm --targets c --inertial numeric
  symdyn derive ur5 -o out/ur5 --functions inverse_dynamics,mass_matrix --states 1000
  symdyn derive --check generated
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "derive",
        help="derive, verify, export, cross-check, report: the main job",
        description="Derive a robot's equations, verify them, and export them as checked code.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_robot_argument(parser, optional=True)
    parser.add_argument("-o", "--output", metavar="DIR", type=path, help="directory to write")
    parser.add_argument(
        "--targets", metavar="NAMES", default="numpy,c", help="languages (default: numpy,c)"
    )
    parser.add_argument(
        "--inertial",
        choices=("symbolic", "numeric", "base"),
        default="symbolic",
        help="inertial parameters as an argument, built in as numbers, or grouped into as few as "
        "the joints can tell apart (default: symbolic)",
    )
    parser.add_argument(
        "--functions", metavar="NAMES", help="names separated by commas (default: all)"
    )
    parser.add_argument(
        "--states",
        metavar="N",
        type=_natural,
        default=100,
        help="random states of the cross-check (default: 100)",
    )
    parser.add_argument("--no-identities", action="store_true", help="leave the proofs out")
    parser.add_argument("--no-crosscheck", action="store_true", help="neither compile nor compare")
    parser.add_argument("--no-figures", action="store_true", help="draw nothing")
    parser.add_argument(
        "--check",
        metavar="DIR",
        nargs="?",
        const="generated",
        type=path,
        help="derive everything below DIR again in memory and list every difference",
    )
    parser.add_argument(
        "--update",
        metavar="DIR",
        nargs="?",
        const="generated",
        type=path,
        help="as --check, but write the differences into DIR",
    )
    parser.add_argument("--json", action="store_true", help="print a summary as JSON")
    add_progress_option(parser)
    parser.set_defaults(run=run)


#: States of the cross-check have fewer digits than this.
_DIGITS = 8


def _natural(text: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) < _DIGITS
    if not is_number or int(text) == 0:
        expected = f"a whole number from 1 to {10 ** (_DIGITS - 1) - 1:,}"
        raise argparse.ArgumentTypeError(f"expected {expected}, got {text!r}")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Derive, or check a committed tree; exit status as in the help."""
    progress = ProgressLine(options.progress)
    try:
        if options.check is not None or options.update is not None:
            return _run_on_tree(options, progress)
        return _run_on_robot(options, progress)
    finally:
        progress.close()


def _run_on_robot(options: argparse.Namespace, progress: ProgressLine) -> int:
    if options.robot is None:
        raise InputError("no robot is named", remedy="See `symdyn derive --help`.")
    if options.output is None:
        raise InputError("no output directory is named", remedy="Name one with -o DIR.")
    from symdyn.io.load import load_robot
    from symdyn.pipeline import derive_robot

    result = derive_robot(
        load_robot(options.robot, snap_angles=options.snap_angles),
        options.output,
        targets=_names(options.targets, "--targets"),
        inertial=options.inertial,
        functions=None if options.functions is None else _names(options.functions, "--functions"),
        states=options.states,
        identities=not options.no_identities,
        crosscheck=not options.no_crosscheck,
        figures=not options.no_figures,
        progress=progress,
    )
    progress.close()
    _print_result(result, as_json=options.json)
    return 0


def _run_on_tree(options: argparse.Namespace, progress: ProgressLine) -> int:
    check: Path | None = options.check
    update: Path | None = options.update
    if options.robot is not None or options.output is not None:
        raise InputError(
            "--check and --update take neither a robot nor an output directory",
            remedy="Leave ROBOT and -o out: MANIFEST.json in DIR says what is derived.",
        )
    if check is not None and update is not None:
        raise InputError("--check and --update exclude each other", remedy="Give one of them.")
    from symdyn.generated_tree import check_tree, update_tree

    if update is not None:
        changed = update_tree(update, progress)
        progress.close()
        _print_tree("written", update, changed, as_json=options.json)
        return 0
    assert check is not None, "one of the two brought us here"
    differences = check_tree(check, progress)
    progress.close()
    _print_tree("different", check, differences, as_json=options.json)
    if differences:
        remedy = f"symdyn derive --update {check}"
        sys.stderr.write(
            f"symdyn: error: {counted(len(differences), 'difference')}; mend: {remedy}\n"
        )
    return 1 if differences else 0


def _names(text: str, option: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise InputError("no name is given", where=option, expected="names separated by commas")
    return names


def _print_result(result: DeriveResult, *, as_json: bool) -> None:
    from symdyn.report.summary import summary_lines, summary_record

    parts = (result.findings, result.directory, result.files, result.seconds)
    if as_json:
        print_json(summary_record(*parts), indent=1)
    else:
        sys.stdout.write("\n".join(summary_lines(*parts)) + "\n")


def _print_tree(word: str, directory: Path, differences: list[str], *, as_json: bool) -> None:
    if as_json:
        print_json({"directory": str(directory), word: differences}, indent=1)
    elif differences:
        sys.stdout.writelines(f"{line}\n" for line in differences)
    else:
        nothing = "nothing to write" if word == "written" else "no difference"
        sys.stdout.write(f"{directory}: {nothing}\n")
