"""``symdyn friction simulate``: one joint with friction, in the studies that tell laws apart."""

from __future__ import annotations

import argparse
from functools import partial

from symdyn._errors import InputError
from symdyn.cli.friction_options import (
    add_output_options,
    add_values_option,
    assumed,
    complete,
    figure_form,
    number_list,
    numbers,
    put,
    write_figure,
)
from symdyn.cli.options import Subparsers
from symdyn.friction.law import FrictionLaw

_STUDIES = ("presliding", "break-away", "lag", "hunting", "compensation", "stick-slip")
_EPILOG = """\
STUDY is one of
  presliding     a LuGre joint loaded slowly below break-away: --ramp, --torque
  break-away     the same until it slides, at several rates: --ramps
  lag            friction over an oscillating velocity: --law, --mean, --amplitude, --frequencies
  hunting        a PID servo with LuGre friction, judged by its returns: --gains Kp,Kv,Ki
  compensation   a servo with a LuGre observer, exact and with wrong parameters: --gains Kp,Kv,k,
                 --wrong NAMES, --factors
  stick-slip     a body on ideal friction pulled by a spring: --law, --stiffness, --pull

A robot with its friction is simulated by `symdyn simulate`.

examples:
  symdyn friction simulate hunting --gains Kp=3,Kv=6,Ki=4 --plot cycle.png
  symdyn friction simulate compensation --gains Kp=3,Kv=150,k=20 --wrong Fc,Fs --factors 0.9,1.1
  symdyn friction simulate break-away --ramps 0.1,1,10,100 --json
  symdyn friction simulate lag --frequencies 1,10,100 --set sigma1=0 --plot loops.svg
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "simulate",
        help="one joint: presliding, break-away, lag, hunting, compensation, stick-slip",
        description="Simulate one joint with friction.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("study", metavar="STUDY", choices=_STUDIES, help="see below")
    add_values_option(parser)
    option = parser.add_argument
    option("--law", metavar="LAW", help="default: lugre; for stick-slip stribeck-set")
    option("--inertia", type=float, default=1.0, metavar="J", help="of the joint (default: 1)")
    option("--ramp", type=float, default=0.1, metavar="R", help="rate of the torque (default: 0.1)")
    option("--torque", type=float, metavar="T", help="where loading ends (default: 0.95 Fs)")
    option("--ramps", default="0.1,1,10,100", metavar="LIST", help="rates of the torque")
    option("--mean", type=float, default=0.03, metavar="V", help="mean velocity (default: 0.03)")
    option("--amplitude", type=float, default=0.02, metavar="V", help="of it (default: 0.02)")
    option("--frequencies", default="1,10,30,100", metavar="LIST", help="rad/s")
    option("--gains", metavar="VALUES", action="append", default=[], help="of the controller")
    option("--error", type=float, default=-1.0, metavar="E", help="at the start (default: -1)")
    option("--span", type=float, metavar="S", help="longest simulated time")
    option("--dt", type=float, default=1e-4, metavar="S", help="step of the servo (default: 1e-4)")
    option("--wrong", default="", metavar="NAMES", help="parameters that the observer has wrong")
    option("--factors", default="0.8,0.9,1.1,1.2", metavar="LIST", help="by which they are wrong")
    option(
        "--stiffness", type=float, default=100.0, metavar="K", help="of the spring (default: 100)"
    )
    option("--damping", type=float, default=0.0, metavar="D", help="of the spring (default: 0)")
    option("--pull", type=float, default=0.01, metavar="V", help="of its far end (default: 0.01)")
    add_output_options(parser, figure="the study")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Simulate, print and draw; returns 0."""
    if options.plot:
        figure_form(options.plot)
    if not options.inertia > 0:
        raise InputError("the inertia is not positive", where="--inertia", got=str(options.inertia))
    match options.study:
        case "presliding":
            return _presliding(options)
        case "break-away":
            return _break_away(options)
        case "lag":
            return _lag(options)
        case "hunting":
            return _hunting(options)
        case "compensation":
            return _compensation(options)
        case _:
            return _stick_slip(options)


def _presliding(options: argparse.Namespace) -> int:
    from symdyn.report.friction_studies import (
        presliding_study_lines,
        presliding_study_record,
        study_presliding,
    )
    from symdyn.report.friction_study_figures import presliding_study_figure

    values, notes = _lugre(options)
    found = study_presliding(values, options.inertia, options.ramp, options.torque)
    write_figure(options.plot, partial(presliding_study_figure, found))
    return put(options, presliding_study_lines(found) + notes, presliding_study_record(found))


def _break_away(options: argparse.Namespace) -> int:
    from symdyn.report.friction_studies import (
        break_away_lines,
        break_away_record,
        study_break_away,
    )
    from symdyn.report.friction_study_figures import break_away_figure

    values, notes = _lugre(options)
    found = study_break_away(values, options.inertia, number_list(options.ramps, "--ramps"))
    write_figure(options.plot, partial(break_away_figure, found, values["Fs"]))
    return put(options, break_away_lines(found) + notes, break_away_record(found))


def _lag(options: argparse.Namespace) -> int:
    from symdyn.report.friction_studies import lag_lines, lag_record, study_lag
    from symdyn.report.friction_study_figures import lag_figure

    law, values, notes = _law(options, "lugre")
    found = study_lag(
        law,
        values,
        options.mean,
        options.amplitude,
        number_list(options.frequencies, "--frequencies"),
    )
    write_figure(options.plot, partial(lag_figure, found))
    return put(options, lag_lines(found) + notes, lag_record(found))


def _hunting(options: argparse.Namespace) -> int:
    from symdyn.report.friction_studies import hunting_lines, hunting_record, study_hunting
    from symdyn.report.friction_study_figures import hunting_figure

    values, notes = _lugre(options)
    found = study_hunting(
        values,
        options.inertia,
        numbers(options.gains, "--gains"),
        options.error,
        options.span or 2000.0,
        options.dt,
    )
    write_figure(options.plot, partial(hunting_figure, found))
    return put(options, hunting_lines(found) + notes, hunting_record(found))


def _compensation(options: argparse.Namespace) -> int:
    from symdyn.report.friction_studies import (
        compensation_lines,
        compensation_record,
        study_compensation,
    )
    from symdyn.report.friction_study_figures import compensation_figure

    values, notes = _lugre(options)
    found = study_compensation(
        values,
        options.inertia,
        numbers(options.gains, "--gains"),
        [name.strip() for name in options.wrong.split(",") if name.strip()],
        number_list(options.factors, "--factors"),
    )
    write_figure(options.plot, partial(compensation_figure, found))
    return put(options, compensation_lines(found) + notes, compensation_record(found))


def _stick_slip(options: argparse.Namespace) -> int:
    from symdyn.report.friction_studies import (
        stick_slip_lines,
        stick_slip_record,
        study_stick_slip,
    )
    from symdyn.report.friction_study_figures import stick_slip_figure

    law, values, notes = _law(options, "stribeck-set")
    found = study_stick_slip(
        law,
        values,
        options.inertia,
        options.stiffness,
        options.pull,
        options.damping,
        options.span,
    )
    write_figure(options.plot, partial(stick_slip_figure, found))
    return put(options, stick_slip_lines(found) + notes, stick_slip_record(found))


def _law(
    options: argparse.Namespace, default: str
) -> tuple[FrictionLaw, dict[str, float], list[str]]:
    from symdyn.friction.catalog import law_named

    law = law_named(options.law or default)
    given = numbers(options.set, "--set")
    return law, complete(law, given), assumed(law, given)


def _lugre(options: argparse.Namespace) -> tuple[dict[str, float], list[str]]:
    if options.law not in (None, "lugre"):
        raise InputError(f"{options.study} is a study of LuGre friction", where="--law")
    _, values, notes = _law(options, "lugre")
    return values, notes
