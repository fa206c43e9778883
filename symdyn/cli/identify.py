"""``symdyn identify``: inertia and friction of a robot from a record of its motion."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from symdyn._errors import InputError
from symdyn.cli.friction_options import figure_form, numbers, put, read_table, write_figure
from symdyn.cli.options import Subparsers, add_robot_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symdyn.friction.law import FrictionLaw
    from symdyn.io.csv_table import NumberTable
    from symdyn.model.robot import Robot

_EPILOG = """\
FILE is CSV with a column per joint and quantity, named q[JOINT], qd[JOINT], qdd[JOINT] and
tau[JOINT] (or drive[JOINT], as `symdyn simulate --csv` writes it). Without qd and qdd there has to
be a column t, evenly spaced, and --cutoff: positions are then filtered and differentiated.

Base parameters are reported by the name of their first member; what each of them stands for is
listed. Parameters that the motion does not excite have no number.

Each joint may have its own law: --law JOINT=LAW, or JOINT=none; --law LAW is that of all others,
and --law file takes them from the robot's file.

examples:
  symdyn identify panda motion.csv --law coulomb --cutoff 10
  symdyn identify arm.urdf motion.csv --law stribeck --fix alpha=2 --slowest 0.005 --plot joints.png
  symdyn identify arm.urdf motion.csv --law file --law wrist=stribeck --fix alpha@wrist=2 --json
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "identify",
        help="inertia and friction of a robot from a record of its motion",
        description="Identify base parameters and joint friction from a record of motion.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_robot_argument(parser)
    parser.add_argument("file", metavar="FILE", help="CSV; - is standard input")
    parser.add_argument(
        "--law", action="append", default=[], metavar="[JOINT=]LAW",
        help="of every joint, or of one (default: coulomb); see below",
    )  # fmt: skip
    parser.add_argument(
        "--fix", metavar="VALUES", action="append", default=[],
        help="friction parameters held, as NAME=NUMBER or NAME@JOINT=NUMBER",
    )  # fmt: skip
    parser.add_argument("--no-offset", action="store_true", help="no constant beside the law")
    parser.add_argument(
        "--slowest", type=float, default=0.0, metavar="V",
        help="leave out a joint's equation while it is not faster (default: 0)",
    )  # fmt: skip
    parser.add_argument(
        "--cutoff", type=float, metavar="HZ", help="differentiate q behind a filter"
    )
    parser.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="of intervals (default: 0.95)"
    )
    parser.add_argument("--plot", metavar="FILE", help="draw the friction of all joints")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Identify, print and draw; returns 0."""
    from symdyn.identify.joint_laws import joint_frictions
    from symdyn.identify.rates import rates_from_positions
    from symdyn.identify.whole_robot import identify_robot
    from symdyn.io.load import load_robot
    from symdyn.report.friction_fit import robot_fit_record, robot_lines
    from symdyn.report.friction_robot_figure import robot_friction_figure

    if options.plot:
        figure_form(options.plot)
    if not 0 < options.confidence < 1:
        raise InputError("no probability", where="--confidence", got=repr(options.confidence))
    robot = load_robot(options.robot, snap_angles=options.snap_angles)
    joints = robot.coordinates
    friction = joint_frictions(
        robot,
        _laws(robot, ",".join(options.law or ["coulomb"])),
        numbers(options.fix, "--fix"),
        offset=not options.no_offset,
    )
    table = read_table(options.file)
    q, tau = (_rows(table, names, joints) for names in (("q",), ("tau", "drive")))
    if options.cutoff is not None:
        found = rates_from_positions(table.column("t"), q, options.cutoff)
        record = found.q, found.qd, found.qdd, tau[found.kept]
    else:
        record = q, _rows(table, ("qd",), joints), _rows(table, ("qdd",), joints), tau
    fit = identify_robot(
        robot, *record, friction, slowest=options.slowest, confidence=options.confidence
    )
    write_figure(options.plot, partial(robot_friction_figure, fit, joints, robot.name))
    return put(options, robot_lines(fit, joints, robot.name), robot_fit_record(fit, joints))


def _laws(robot: Robot, text: str) -> dict[str, FrictionLaw | None]:
    """``[JOINT=]LAW,...`` as the law of every coordinate."""
    from symdyn.friction.catalog import law_named
    from symdyn.identify.joint_laws import laws_of_file

    chosen: dict[str, FrictionLaw | None] = {}
    others: list[str] = []
    for part in text.split(","):
        joint, equals, name = (piece.strip() for piece in part.rpartition("="))
        if not equals:
            others.append(name)
        elif joint in chosen:
            raise InputError(f"{joint} is given two laws", where="--law")
        else:
            chosen[joint] = None if name == "none" else law_named(name)
    if len(others) > 1:
        raise InputError("two laws for all other joints", where="--law", got=" ".join(others))
    if set(robot.coordinates) <= set(chosen):
        return chosen
    match others:
        case ["file"]:
            rest = laws_of_file(robot, chosen)
        case ["none"]:
            rest = dict.fromkeys(robot.coordinates)
        case [name]:
            rest = dict.fromkeys(robot.coordinates, law_named(name))
        case _:
            rest = dict.fromkeys(robot.coordinates, law_named("coulomb"))
    return {**rest, **chosen}


def _rows(
    table: NumberTable, names: Sequence[str], joints: Sequence[str]
) -> list[tuple[float, ...]]:
    """Rows over time of one quantity of all joints."""
    columns: list[tuple[float, ...]] = []
    for joint in joints:
        possible = [f"{name}[{joint}]" for name in names]
        columns.append(table.column(table.first_of(possible) or possible[0]))
    return list(zip(*columns, strict=True))
