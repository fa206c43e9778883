"""``symdyn friction analyze``: what is known of a law without simulating it."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from symdyn._errors import InputError
from symdyn.cli.friction_options import (
    add_law_argument,
    add_output_options,
    add_values_option,
    assumed,
    complete,
    figure_form,
    number_list,
    numbers,
    put,
    refuse_unknown,
    write_figure,
)
from symdyn.cli.options import Subparsers

if TYPE_CHECKING:
    from symdyn.friction.law import FrictionLaw

_EPILOG = """\
Always: where the steady curve falls, its extrema, and whether the law is passive, with a witness if
it is not; in closed form, or certified in interval arithmetic. On request:
  --signals NAME=   load, temperature, position at which the curve is asked for
  --torque T        all equilibria under a constant torque, with their stability
  --inertia J       lugre: frequency and damping of the stuck joint
  --velocity V      lugre: direction of small loops about a velocity
  --cycle=A,B       lugre: drift a cycle under a load between A and B
  --gains Kp=,Kv=   lugre, with --inertia: strict positive reality of the compensated loop
  --inertia-bias    stribeck: what leaving the bend out does to an identified inertia, at these
                    largest speeds

examples:
  symdyn friction analyze stribeck-set --set Fc=0.2,Fs=0.3,vs=0.05,alpha=1,b=0.01 --torque 0.25
  symdyn friction analyze lugre --inertia 1 --gains Kp=3,Kv=150
  symdyn friction analyze stribeck --inertia-bias 0.05,0.2,1 --plot bias.png
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "analyze",
        help="curve, equilibria, passivity, stability: closed forms and verdicts",
        description="Analyze a friction law without simulating it.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_law_argument(parser)
    add_values_option(parser)
    parser.add_argument(
        "--signals", metavar="VALUES", action="append", default=[],
        help="load, temperature, position, as NAME=NUMBER (default: 0)",
    )  # fmt: skip
    parser.add_argument("--torque", type=float, metavar="T", help="constant torque")
    parser.add_argument("--inertia", type=float, metavar="J", help="of the joint")
    parser.add_argument("--velocity", type=float, metavar="V", help="of steady sliding")
    parser.add_argument("--cycle", metavar="A,B", help="ends of an oscillating load")
    parser.add_argument("--gains", metavar="VALUES", action="append", help="of a servo")
    parser.add_argument("--inertia-bias", metavar="LIST", help="largest speeds of the trajectory")
    parser.add_argument(
        "--samples", type=int, default=2000, metavar="N",
        help="of such a trajectory, per period (default: 2000)",
    )  # fmt: skip
    add_output_options(parser, figure="the steady curve, or the bias")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Analyze, print and draw; returns 0."""
    from symdyn.friction.catalog import law_named
    from symdyn.report.friction_analysis import (
        Question,
        analyse,
        analysis_lines,
        analysis_record,
    )
    from symdyn.report.friction_curves import DrawnLaw, curve_figure, speed_range

    if options.plot:
        figure_form(options.plot)
    law = law_named(options.law)
    given = numbers(options.set, "--set")
    values = complete(law, given)
    if options.inertia_bias is not None:
        return _bias(options, law, values, assumed(law, given))
    cycle = None
    if options.cycle is not None:
        ends = number_list(options.cycle, "--cycle")
        if len(ends) != 2:
            raise InputError("no two torques", where="--cycle", got=repr(options.cycle))
        cycle = (ends[0], ends[1])
    signals = numbers(options.signals, "--signals")
    refuse_unknown(signals, {q.name for q in law.signals}, "--signals")
    question = Question(
        torque=options.torque,
        inertia=options.inertia,
        velocity=options.velocity,
        cycle=cycle,
        gains=numbers(options.gains, "--gains") if options.gains else None,
        signals=signals,
    )
    answer = analyse(law, values, question)
    if options.plot:
        drawn = [DrawnLaw(law, values, {q.name: signals.get(q.name, 0.0) for q in law.signals})]
        write_figure(options.plot, partial(curve_figure, drawn, *speed_range(drawn)))
    notes = assumed(law, given)
    lines = [*analysis_lines(answer), *([""] if notes else []), *notes]
    return put(options, lines, analysis_record(answer))


def _bias(
    options: argparse.Namespace, law: FrictionLaw, values: dict[str, float], notes: list[str]
) -> int:
    from symdyn.identify.inertia_bias import bias_curve, inertia_bias
    from symdyn.report.friction_analysis import bias_lines, bias_record
    from symdyn.report.friction_bias_figure import bias_figure

    if law.states or law.signals:
        raise InputError("this is a study of laws without states", where="--inertia-bias")
    peaks = number_list(options.inertia_bias, "--inertia-bias")
    rows = [
        (
            inertia_bias(law, values, peak, samples=options.samples),
            inertia_bias(law, values, peak),
            inertia_bias(law, values, peak, modelled=True),
        )
        for peak in peaks
    ]
    if options.plot:
        asked = [sampled for sampled, _, _ in rows]
        curve = bias_curve(law, values, min(peaks) / 2, max(peaks) * 2)
        write_figure(options.plot, partial(bias_figure, asked, curve))
    return put(options, [*bias_lines(rows), *notes], bias_record(rows))
