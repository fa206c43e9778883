"""``symdyn simulate``: a robot in motion under gravity, torques and a controller, with friction."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from symdyn._errors import InputError
from symdyn.cli.options import Subparsers, add_robot_argument, read_text
from symdyn.cli.printing import path_text, print_json, write_file
from symdyn.cli.progress import ProgressLine, add_progress_option

if TYPE_CHECKING:
    from symdyn.simulate.robot_run import Scenario

#: Sizes beyond which squares leave the range of a double.
_LARGEST = 1e100

_EPILOG = """\
Friction has a meaning at rest, and it is named:
  ideal        set-valued: a joint holds any load up to break-away and stops in finite time
  regularised  smoothed over the velocity --eps: no joint holds, the creep speed is printed
  dynamic      bristles that give way by --give at the Coulomb level, then hold
The friction itself is that of the robot file. Without --step the motion is integrated to a
tolerance, ideal friction between located events; with --step in fixed steps that stick exactly.

START is one JSON object with any of q, qd and tau (a constant torque), as for `symdyn eval`.
The controller adds kp (target - q) - kd qd; gains are one number, or one for each joint.

Where mass of the robot changes or moves it does so from t = 0 on, as the robot file says; the
energies then have the works of moving mass and of sources beside those of drives and friction.

examples:
  symdyn simulate planar2r --time 2
  symdyn simulate arm.urdf --time 60 --friction regularised --eps 1e-3
  echo '{"q": [0.3,-0.5,0,0]}' | symdyn simulate scara --start - --time 1 --kp 50 --kd 5 --csv a.csv
  symdyn simulate panda --time 0.5 --step 1e-3 --plot motion.png --json
  symdyn simulate feeder --time 2 --kp 300 --kd 30
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "simulate",
        help="motion under gravity, torques and a controller, with friction",
        description="Simulate a robot with its friction.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_robot_argument(parser)
    parser.add_argument(
        "--time", type=float, required=True, metavar="S", help="simulated time in seconds"
    )
    parser.add_argument(
        "--start", metavar="START", type=path_text, help="JSON file; - is standard input"
    )
    parser.add_argument(
        "--friction",
        choices=("ideal", "regularised", "dynamic"),
        default="ideal",
        help="what friction does at rest (default: ideal)",
    )
    parser.add_argument(
        "--eps",
        type=float,
        default=1e-3,
        metavar="V",
        help="velocity over which regularised friction is smoothed (default: 1e-3)",
    )
    parser.add_argument(
        "--give",
        type=float,
        default=1e-4,
        metavar="X",
        help="deflection of dynamic friction at the Coulomb level (default: 1e-4)",
    )
    parser.add_argument(
        "--signal",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of a law that depends on load or temperature; may be repeated",
    )
    parser.add_argument("--kp", metavar="GAINS", help="of the controller, separated by commas")
    parser.add_argument("--kd", metavar="GAINS", help="likewise")
    parser.add_argument(
        "--target", metavar="Q", help="what the controller holds (default: the start)"
    )
    parser.add_argument("--step", type=float, metavar="S", help="fixed step in seconds")
    parser.add_argument(
        "--samples", type=int, default=500, metavar="N", help="times that are kept (default: 500)"
    )
    parser.add_argument("--csv", metavar="FILE", type=path_text, help="write the motion as a table")
    parser.add_argument(
        "--plot", metavar="FILE", type=path_text, help="draw the motion, .png or .svg"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, the motion included")
    add_progress_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Simulate, write what was asked for, and return 0."""
    from symdyn.report.simulation import simulation_figure, simulation_lines, simulation_record
    from symdyn.simulate.robot_run import run_robot
    from symdyn.simulate.trajectory import to_csv

    figure = Path(options.plot) if options.plot else None
    if figure is not None and figure.suffix not in (".png", ".svg"):
        raise InputError(
            "the format of the figure is not known",
            where="--plot",
            expected="a file that ends in .png or .svg",
            got=repr(figure.name),
        )
    scenario = _scenario(options)
    progress = ProgressLine(options.progress)
    try:
        found = run_robot(scenario, progress)
    finally:
        progress.close()
    if options.csv:
        write_file(Path(options.csv), to_csv(found.trajectory))
    if figure is not None:
        write_file(figure, simulation_figure(found, figure.suffix[1:]))
    if options.json:
        print_json(simulation_record(found))
    else:
        sys.stdout.write("\n".join(simulation_lines(found)) + "\n")
    return 0


def _scenario(options: argparse.Namespace) -> Scenario:
    from symdyn.io.load import load_robot
    from symdyn.simulate.robot_run import Scenario
    from symdyn.simulate.robot_system import robot_drive
    from symdyn.simulate.semantics import Bristles, Semantics
    from symdyn.state import parse_state

    robot = load_robot(options.robot, snap_angles=options.snap_angles)
    where, text = read_text(options.start) if options.start else ("--start", "{}")
    state = parse_state(text, robot, where)
    unused = sorted(state.given - {"q", "qd", "tau"})
    if unused:
        raise InputError(
            f"{unused[0]} is nothing that a motion starts from",
            where=where,
            expected="q, qd, tau",
        )
    target = _numbers(options.target, "--target", robot.n) or state.q
    return Scenario(
        robot=robot,
        q0=state.q,
        v0=state.qd,
        span=options.time,
        drive=robot_drive(
            robot.n,
            state.tau,
            _gains(options.kp, "--kp", robot.n),
            _gains(options.kd, "--kd", robot.n),
            target,
        ),
        semantics=Semantics(options.friction),
        eps=options.eps,
        bristles=Bristles(give=options.give),
        step=options.step,
        samples=options.samples,
        signals=dict(_signal(text) for text in options.signal),
    )


def _signal(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not name or not math.isfinite(number):
        raise InputError(
            "no signal", where="--signal", expected="such as temperature=20", got=repr(text)
        )
    return name, number


def _gains(text: str | None, option: str, n: int) -> tuple[float, ...]:
    gains = _numbers(text, option, n)
    if min(gains, default=0.0) < 0:
        raise InputError(
            "a gain is negative: the controller drives away from its target",
            where=option,
            expected="zero or more",
            got=repr(text),
        )
    return gains


def _numbers(text: str | None, option: str, n: int) -> tuple[float, ...]:
    """Numbers separated by commas, one for each joint or one for all; none if not given."""
    if text is None:
        return ()
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    expected = "one number" if n == 1 else f"one number, or {n} separated by commas"
    if not numbers or not all(map(math.isfinite, numbers)):
        raise InputError(
            "no list of finite numbers", where=option, expected=expected, got=repr(text)
        )
    if max(map(abs, numbers)) > _LARGEST:
        raise InputError(
            "a number is too large", where=option, expected="sizes up to 1e100", got=repr(text)
        )
    if len(numbers) == 1:
        numbers *= n
    if len(numbers) != n:
        raise InputError(
            f"{len(numbers)} numbers for {n} {'joint' if n == 1 else 'joints'}",
            where=option,
            expected=expected,
            got=repr(text),
        )
    return numbers
