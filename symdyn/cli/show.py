"""``symdyn show``: what a robot file says, and whether it can be true."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from symdyn._errors import InputError
from symdyn.cli.options import Subparsers, add_robot_argument
from symdyn.cli.printing import json_text, print_json
from symdyn.cli.progress import ProgressLine, add_progress_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from symdyn.analysis.joint_passivity import JointPassivity
    from symdyn.model.consistency import BodyDiagnosis
    from symdyn.model.robot import Robot
    from symdyn.model.singularity import SingularityReport

_EPILOG = """\
The verdict on physical consistency is per body, with the likely cause of a fault. An inconsistent
body does not change the exit status: showing it is what the command is for.

examples:
  symdyn show panda
  symdyn show arm.urdf --json
  symdyn show ur5 --base
  symdyn show --list
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "show",
        help="tree, joints, inertial parameters, physical consistency",
        description="Show a robot: tree, joints, inertial parameters, physical consistency.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_robot_argument(parser, optional=True)
    parser.add_argument("--list", action="store_true", help="list the built-in robots")
    parser.add_argument(
        "--base",
        action="store_true",
        help="show base parameters too, also of the generalized equation; takes half a minute for "
        "30 bodies",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_progress_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Show, and return 0."""
    from symdyn.analysis.joint_passivity import joint_passivity
    from symdyn.io.builtin import NAMES
    from symdyn.io.load import load_robot
    from symdyn.mass_recipes import changes
    from symdyn.model.consistency import diagnose
    from symdyn.model.singularity import structural_singularity
    from symdyn.report.base_parameters import base_lines, base_record
    from symdyn.report.record import robot_record

    if options.list:
        if options.robot is not None:
            raise InputError("--list takes no robot", remedy="Leave one of the two out.")
        if options.json:
            print_json(list(NAMES))
        else:
            sys.stdout.write("\n".join(NAMES) + "\n")
        return 0
    if options.robot is None:
        raise InputError(
            "no robot is named", remedy="`symdyn show --list` lists the built-in ones."
        )
    progress = ProgressLine(options.progress)
    try:
        progress("read")
        robot = load_robot(options.robot, snap_angles=options.snap_angles)
        progress("physical consistency")
        diagnoses = diagnose(robot)
        progress("rank of the mass matrix")
        singularity = structural_singularity(robot)
        progress("friction of the joints")
        friction = joint_passivity(robot)
        if options.base:
            progress("base parameters")
        elif changes(robot):
            progress("bounds of changing mass")
        if options.json:
            record = robot_record(robot, diagnoses, singularity, friction)
            record |= base_record(robot) if options.base else {}
            text = json_text(record, indent=1) + "\n"
        else:
            base = base_lines(robot) if options.base else []
            lines = _lines(robot, diagnoses, singularity, friction, base)
            text = "\n".join(lines) + "\n"
    finally:
        progress.close()
    sys.stdout.write(text)
    return 0


def _lines(
    robot: Robot,
    diagnoses: Sequence[BodyDiagnosis],
    singularity: SingularityReport,
    friction: tuple[JointPassivity, ...],
    base: Sequence[str],
) -> list[str]:
    from symdyn.analysis.joint_passivity import driving_friction
    from symdyn.report.joint_laws import law_table
    from symdyn.report.rows import (
        base_mass_sentence,
        consistency_table,
        joint_table,
        lumped_table,
        parameter_table,
        text_lines,
        tree_lines,
    )
    from symdyn.report.summary import size_line

    lines = [size_line(robot)]
    lines += [f"source: {robot.source}"] if robot.source else []
    lines += ["", *tree_lines(robot), "", "Joints", *text_lines(joint_table(robot))]
    laws = law_table(robot)
    if laws.rows:
        lines += ["", "Friction laws, parameters as the joints feel them", *text_lines(laws)]
    lumped = lumped_table(robot)
    if lumped.rows:
        lines += ["", "Links that are rigidly part of a body", *text_lines(lumped)]
    if base_mass_sentence(robot):
        lines += ["", base_mass_sentence(robot)]
    lines += [
        "",
        "Inertial parameters about each body's frame origin [kg, kg m, kg m²]",
        *text_lines(parameter_table(robot)),
        *_changing(robot),
        *(["", *base] if base else []),
        "",
        "Physical consistency",
        *text_lines(consistency_table(diagnoses)),
    ]
    lines += ["", singularity.verdict, *(f"  {motion.cause}" for motion in singularity.motions)]
    driving = driving_friction(friction)
    if driving:
        lines += ["", "Friction that does not only take energy", *(f"- {text}" for text in driving)]
    if robot.notes:
        lines += ["", "Notes of the reader", *(f"- {note}" for note in robot.notes)]
    return lines


def _changing(robot: Robot) -> list[str]:
    """What depends on time in the bodies; nothing for a robot of rigid bodies."""
    from symdyn.mass_recipes import changes
    from symdyn.report.changing_rows import changing_table, uniform_table
    from symdyn.report.rows import text_lines

    if not changes(robot):
        return []
    return [
        "",
        "Mass that changes or moves: parameters at time t (above: at t = 0); momentum p and moment",
        "of momentum l of the relative motion, and twice its energy, nu [kg m/s, kg m²/s, J]",
        *text_lines(changing_table(robot)),
        "",
        "Uniform consistency: certified bounds of the eigenvalues of f(Phi(t)) [kg, kg m, kg m²]",
        *text_lines(uniform_table(robot)),
    ]
