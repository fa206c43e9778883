"""``symdyn friction simulate``: one joint with friction, in the studies that tell laws apart."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

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
from symdyn.cli.progress import ProgressLine, add_progress_option
from symdyn.friction.law import FrictionLaw

if TYPE_CHECKING:
    from symdyn.simulate.robustness import Case

#: What a study says: lines for people, and JSON values.
_Answer = tuple[list[str], dict[str, object] | list[dict[str, float]]]

_EPILOG = """\
STUDY is one of
  presliding     a LuGre joint loaded slowly below break-away: --ramp, --torque
  break-away     the same until it slides, at several rates: --ramps
  lag            friction over an oscillating velocity: --law, --mean, --amplitude, --frequencies
  hunting        a PID servo with LuGre friction, judged by its returns: --gains Kp,Kv,Ki;
                 with --boundary the Kv at which hunting ends: --proportional, --integral
  compensation   a servo with a LuGre observer, exact and with wrong parameters: --gains Kp,Kv,k,
                 --wrong NAMES, --factors, --loads, --temperatures, --growth, --swing;
                 with --boundary how wrong parameters may be: --gains Kp,k, --wrong, --velocity
  stick-slip     a body on ideal friction pulled by a spring: --law, --stiffness, --pull

A robot with its friction is simulated by `symdyn simulate`.

examples:
  symdyn friction simulate hunting --gains Kp=3,Kv=6,Ki=4 --plot cycle.png
  symdyn friction simulate hunting --boundary --integral 1,4,16 --plot map.png
  symdyn friction simulate compensation --gains Kp=3,Kv=150,k=20 --wrong Fc,Fs --factors 0.9,1.1
  symdyn friction simulate compensation --gains Kp=3,Kv=150,k=20 --loads 2,10 --temperatures=-20,40
  symdyn friction simulate compensation --boundary --gains Kp=3,k=20 --wrong sigma0,sigma1
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
    parser.add_argument("study", metavar="STUDY", choices=tuple(_STUDIES), help="see below")
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
    option(
        "--dt", type=float, metavar="S",
        help="step of the servo (default: 1e-4; for the boundary of hunting 5e-4)",
    )  # fmt: skip
    option("--boundary", action="store_true", help="hunting, compensation: search its boundary")
    option("--proportional", default="3", metavar="LIST", help="Kp of the boundary (default: 3)")
    option(
        "--integral", default="1,2,4,8,16", metavar="LIST",
        help="Ki of the boundary (default: 1,2,4,8,16)",
    )  # fmt: skip
    option(
        "--velocity", default="110,150,300", metavar="LIST",
        help="Kv of the bounds on the observer (default: 110,150,300)",
    )  # fmt: skip
    option("--wrong", default="", metavar="NAMES", help="parameters that the observer has wrong")
    option("--factors", default="0.8,0.9,1.1,1.2", metavar="LIST", help="by which they are wrong")
    option("--loads", metavar="LIST", help="torques that press the joint's surfaces, unobserved")
    option("--temperatures", metavar="LIST", help="of the joint above those of its parameters")
    option(
        "--growth", metavar="VALUES", action="append", default=[],
        help="of the levels with load and temperature: FcL, FsL of the law load-stribeck, "
        "FsT, vsT, FvT, TV0 of temperature-stribeck",
    )  # fmt: skip
    option("--swing", metavar="A,W", help="follow a target of that amplitude and frequency, too")
    option(
        "--stiffness", type=float, default=100.0, metavar="K", help="of the spring (default: 100)"
    )
    option("--damping", type=float, default=0.0, metavar="D", help="of the spring (default: 0)")
    option("--pull", type=float, default=0.01, metavar="V", help="of its far end (default: 0.01)")
    add_output_options(parser, figure="the study")
    add_progress_option(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Simulate, print and draw; returns 0."""
    if options.plot:
        figure_form(options.plot)
    if not options.inertia > 0:
        raise InputError("the inertia is not positive", where="--inertia", got=str(options.inertia))
    if options.boundary and options.study not in ("hunting", "compensation"):
        raise InputError(f"{options.study} has no boundary", where="--boundary")
    from symdyn.simulate.stability import StepWarning

    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always", StepWarning)
        lines, record = _STUDIES[options.study](options)
    notes = _step_notes(seen)
    # break-away, a list, chooses its steps itself
    full = {**record, "warnings": notes} if isinstance(record, dict) else record
    return put(options, lines + [f"warning: {note}" for note in notes], full)


def _step_notes(seen: list[warnings.WarningMessage]) -> list[str]:
    """The worst of the warnings about steps; others are passed on."""
    from symdyn.simulate.stability import StepWarning

    steps: list[StepWarning] = []
    for warning in seen:
        if isinstance(warning.message, StepWarning):
            steps.append(warning.message)
        else:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
    return [str(min(steps, key=lambda w: w.limit.dt))] if steps else []


def _presliding(options: argparse.Namespace) -> _Answer:
    from symdyn.report.friction_studies import (
        presliding_study_lines,
        presliding_study_record,
        study_presliding,
    )
    from symdyn.report.friction_study_figures import presliding_study_figure

    values, notes = _lugre(options)
    found = study_presliding(values, options.inertia, options.ramp, options.torque)
    write_figure(options.plot, partial(presliding_study_figure, found))
    return presliding_study_lines(found) + notes, presliding_study_record(found)


def _break_away(options: argparse.Namespace) -> _Answer:
    from symdyn.report.friction_studies import (
        break_away_lines,
        break_away_record,
        study_break_away,
    )
    from symdyn.report.friction_study_figures import break_away_figure

    values, notes = _lugre(options)
    found = study_break_away(values, options.inertia, number_list(options.ramps, "--ramps"))
    write_figure(options.plot, partial(break_away_figure, found, values["Fs"]))
    return break_away_lines(found) + notes, break_away_record(found)


def _lag(options: argparse.Namespace) -> _Answer:
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
    return lag_lines(found) + notes, lag_record(found)


def _hunting(options: argparse.Namespace) -> _Answer:
    from symdyn.report.friction_studies import hunting_lines, hunting_record, study_hunting
    from symdyn.report.friction_study_figures import hunting_figure

    if options.boundary:
        return _hunting_boundary(options)
    values, notes = _lugre(options)
    found = study_hunting(
        values,
        options.inertia,
        numbers(options.gains, "--gains"),
        options.error,
        options.span or 2000.0,
        options.dt or 1e-4,
    )
    write_figure(options.plot, partial(hunting_figure, found))
    return hunting_lines(found) + notes, hunting_record(found)


def _hunting_boundary(options: argparse.Namespace) -> _Answer:
    from symdyn.report.friction_boundaries import (
        hunting_map_lines,
        hunting_map_record,
        study_hunting_map,
    )
    from symdyn.report.friction_boundary_figures import hunting_map_figure

    if options.gains:
        raise InputError(
            "the boundary is searched over the gains", where="--gains",
            remedy="Give --proportional and --integral.",
        )  # fmt: skip
    values, notes = _lugre(options)
    progress = ProgressLine(options.progress)
    found = study_hunting_map(
        values,
        options.inertia,
        number_list(options.proportional, "--proportional"),
        number_list(options.integral, "--integral"),
        options.dt or 5e-4,
        lambda done, count: progress("searching the boundary of hunting", done / count),
    )
    progress.close()
    write_figure(options.plot, partial(hunting_map_figure, found))
    return hunting_map_lines(found) + notes, hunting_map_record(found)


def _compensation(options: argparse.Namespace) -> _Answer:
    from symdyn.report.friction_studies import (
        compensation_lines,
        compensation_record,
        study_compensation,
    )
    from symdyn.report.friction_study_figures import compensation_figure

    if options.boundary:
        return _observer_bounds(options)
    values, notes = _lugre(options)
    cases, assumptions = _changes(options, values)
    found = study_compensation(
        values,
        options.inertia,
        numbers(options.gains, "--gains"),
        cases,
        error=options.error,
        dt=options.dt or 1e-4,
        swing=_swing(options.swing),
    )
    write_figure(options.plot, partial(compensation_figure, found))
    return compensation_lines(found) + notes + assumptions, compensation_record(found)


def _changes(
    options: argparse.Namespace, values: Mapping[str, float]
) -> tuple[list[Case], list[str]]:
    """Cases in which observer and joint differ, and what was assumed for them."""
    from symdyn.friction.example import EXAMPLES
    from symdyn.simulate.robustness import believed, heated, loaded

    cases: list[Case] = []
    factors = number_list(options.factors, "--factors")
    for name in _names(options.wrong):
        if name not in values:
            raise InputError(f"no parameter {name!r}", where="--wrong", expected=" ".join(values))
        cases += believed(name, values, factors)
    warm = EXAMPLES["temperature-stribeck"]
    usual: dict[str, float] = {}
    if options.loads is not None:
        usual |= {name: EXAMPLES["load-stribeck"][name] for name in ("FcL", "FsL")}
    if options.temperatures is not None:
        usual |= {name: warm[name] for name in ("FsT", "vsT", "TV0")}
        # that part of viscous friction which the example loses
        usual["FvT"] = values["sigma2"] * warm["FvT"] / (warm["Fv0"] + warm["FvT"])
    given = numbers(options.growth, "--growth")
    for name in given:
        if name not in usual:
            raise InputError(
                f"nothing grows by {name!r}", where="--growth",
                expected=" ".join(usual) or "--loads or --temperatures",
            )  # fmt: skip
    growth = {**usual, **given}
    by_load = {name: growth[name] for name in ("FcL", "FsL") if name in growth}
    by_heat = {name: x for name, x in growth.items() if name not in by_load}
    if options.loads is not None:
        cases += loaded(values, by_load, number_list(options.loads, "--loads"))
    if options.temperatures is not None:
        cases += heated(values, by_heat, number_list(options.temperatures, "--temperatures"))
    left = [f"{name} = {x:g}" for name, x in usual.items() if name not in given]
    return cases, [f"example growth: {', '.join(left)}"] if left else []


def _swing(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    found = number_list(text, "--swing")
    if len(found) != 2:
        raise InputError(
            "no amplitude and frequency", where="--swing", expected="for example 0.1,5"
        )
    return found[0], found[1]


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _observer_bounds(options: argparse.Namespace) -> _Answer:
    from symdyn.report.friction_boundaries import (
        observer_bounds_lines,
        observer_bounds_record,
        study_observer_bounds,
    )
    from symdyn.report.friction_boundary_figures import observer_bounds_figure

    values, notes = _lugre(options)
    progress = ProgressLine(options.progress)
    found = study_observer_bounds(
        values,
        options.inertia,
        numbers(options.gains, "--gains"),
        _names(options.wrong) or ["Fc", "Fs", "sigma0", "sigma1"],
        number_list(options.velocity, "--velocity"),
        lambda done, count: progress("searching bounds of convergence", done / count),
    )
    progress.close()
    write_figure(options.plot, partial(observer_bounds_figure, found))
    return observer_bounds_lines(found) + notes, observer_bounds_record(found)


def _stick_slip(options: argparse.Namespace) -> _Answer:
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
    return stick_slip_lines(found) + notes, stick_slip_record(found)


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


_STUDIES = {
    "presliding": _presliding,
    "break-away": _break_away,
    "lag": _lag,
    "hunting": _hunting,
    "compensation": _compensation,
    "stick-slip": _stick_slip,
}
