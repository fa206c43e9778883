"""``symdyn eval``: numbers for one state, as JSON."""

from __future__ import annotations

import argparse

from symdyn._errors import InputError
from symdyn.cli.options import Subparsers, add_robot_argument, read_text
from symdyn.cli.printing import path_text, print_json

_EPILOG = """\
The state is one JSON object with any of the keys
  q qd qdd v a tau           a number per joint
  theta theta_dot            ten numbers per body: m h1 h2 h3 I11 I22 I33 I12 I23 I13
  psi psi_dot                twelve numbers per body
  nu                         a number per body
  theta_source psi_source    ten and twelve numbers per body, of mass that comes or goes
  t                          the time
  load temperature           a number per joint, for friction laws that depend on them
  friction_state             the states of friction laws, in the order of their joints
  dt                         the step of friction laws with states
each a list in the robot's order, or an object by joint name (by body name where they
go by bodies).
What is left out is zero, also for a joint that an object does not name. Only theta left out, whole
or for a body, is the robot's own, and where mass changes or moves in the robot, what goes by bodies
and is left out is that of the time t. No key is required, and every function has its result.

The answer is one JSON object: "joints", "bodies", and under its function name every result. Where a
function has no finite result here (forward_dynamics where M is singular, numbers beyond a double),
it is missing and "notes" holds a sentence that says why; the exit status is 0 all the same. Where
joints have friction, "notes" says which results have it in them; where mass changes or moves, which
take it as constant, and whether t lies where the mass was checked. A time at which a body cannot
exist, its mass negative, say, is an error.

examples:
  echo '{"q": [0.3, -0.5], "qd": [1, 0]}' | symdyn eval planar2r --state -
  symdyn eval panda --state state.json
  symdyn eval arm.urdf --state state.json --functions mass_matrix,gravity_vector
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "eval",
        help="numbers for one state, as JSON",
        description="Evaluate every function of a robot at one state.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_robot_argument(parser)
    parser.add_argument(
        "--state",
        required=True,
        metavar="FILE",
        type=path_text,
        help="JSON file with the state; - is standard input",
    )
    parser.add_argument(
        "--functions", metavar="NAMES", help="names separated by commas (default: all)"
    )
    parser.add_argument(
        "--json", action="store_true", help="accepted for uniformity: the answer is always JSON"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Evaluate and print; exit status 0."""
    from symdyn.evaluation import evaluate_state
    from symdyn.io.load import load_robot
    from symdyn.recipes import ALL_FUNCTIONS
    from symdyn.state import parse_state

    chosen: list[str] | None = None
    if options.functions is not None:
        chosen = [name.strip() for name in str(options.functions).split(",") if name.strip()]
        unknown = [name for name in chosen if name not in ALL_FUNCTIONS]
        if unknown or not chosen:
            raise InputError(
                f"unknown function {unknown[0]!r}" if unknown else "no function is named",
                where="--functions",
                expected=f"some of {', '.join(ALL_FUNCTIONS)}",
            )
    robot = load_robot(options.robot, snap_angles=options.snap_angles)
    where, text = read_text(options.state)
    state = parse_state(text, robot, where)
    evaluation = evaluate_state(robot, state, chosen)
    answer: dict[str, object] = {"joints": evaluation.joints, "bodies": evaluation.bodies}
    answer.update(evaluation.values)
    if evaluation.notes:
        answer["notes"] = evaluation.notes
    print_json(answer)
    return 0
