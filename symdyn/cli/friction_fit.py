"""``symdyn friction fit``: parameters from measurements, with what the data cannot tell."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from symdyn._errors import InputError
from symdyn.cli.friction_options import (
    figure_form,
    numbers,
    put,
    read_table,
    renamed,
    write_figure,
)
from symdyn.cli.options import Subparsers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from symdyn.friction.law import FrictionLaw
    from symdyn.identify.dynamic_fit import DynamicFit
    from symdyn.io.csv_table import NumberTable

    Columns = Mapping[str, tuple[float, ...]]


_KINDS = ("steady", "presliding", "small-signal", "response", "motion")
_EPILOG = """\
FILE is CSV with names in its first line; - is standard input. What it holds is said by --as:

  steady        v, F            speeds held constant and the friction at them (default); for
                                laws with signals also load, temperature, position
  presliding    tau, q          one slow loading from rest, below break-away
  small-signal  t, tau, q       motion too small to slide: stiffness and damping of the bristles
  response      t, tau, q       torque in, position out, through break-away: needs --guess of J and
                                all parameters of a law with states, and --free
  motion        t, q, F         position and friction: needs --guess of all parameters of a law with
                                states, and --free

A parameter that the data do not determine is reported as not identifiable, with the reason, and has
no number. Values are those of the best fit found, and intervals hold it; those of velocities and
exponents are profile-likelihood intervals. Speeds may stand in any order; time must increase.

examples:
  symdyn friction fit sweep.csv --law stribeck --fix alpha=2
  symdyn friction fit torques.csv --average --columns v=speed,F=torque --plot fit.png
  symdyn friction fit load.csv --as presliding --fix Fs=1.5
  symdyn friction fit ring.csv --as small-signal --fix J=1 --json
  symdyn friction fit slip.csv --as response --law lugre --free sigma0,sigma1 \\
      --guess J=1,Fc=1,Fs=1.5,vs=0.01,alpha=2,sigma0=5000,sigma1=50,sigma2=0.5
"""


def add_to(commands: Subparsers) -> None:
    """Add the command to the grammar."""
    parser = commands.add_parser(
        "fit",
        help="parameters from measurements, with uncertainty",
        description="Fit a friction law to measurements.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="CSV; - is standard input")
    parser.add_argument(
        "--as", dest="kind", choices=_KINDS, default="steady", help="what FILE holds"
    )
    parser.add_argument("--law", metavar="LAW", help="law to fit (default: stribeck, or lugre)")
    parser.add_argument(
        "--columns", metavar="ROLES", action="append", default=[],
        help="names of columns, as ROLE=NAME separated by commas",
    )  # fmt: skip
    parser.add_argument(
        "--fix", metavar="VALUES", action="append", default=[],
        help="parameters held, as NAME=NUMBER; for presliding Fs, for small-signal J",
    )  # fmt: skip
    parser.add_argument(
        "--guess", metavar="VALUES", action="append", default=[], help="start of a fit with states"
    )
    parser.add_argument("--free", metavar="NAMES", help="what such a fit changes")
    parser.add_argument(
        "--average", action="store_true", help="steady: average over +v and -v first"
    )
    parser.add_argument(
        "--offset", action="store_true", help="steady: fit a constant beside the law"
    )
    parser.add_argument(
        "--noise", type=float, metavar="SD", help="known standard deviation of one measurement"
    )
    parser.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="of intervals (default: 0.95)"
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="draw points, fit and residuals, .png or .svg"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Fit, print and draw; returns 0."""
    if options.plot:
        figure_form(options.plot)
    if not 0 < options.confidence < 1:
        raise InputError("no probability", where="--confidence", got=repr(options.confidence))
    if options.noise is not None and not 0 < options.noise < float("inf"):
        raise InputError("no positive number", where="--noise", got=repr(options.noise))
    table = read_table(options.file)
    match options.kind:
        case "steady":
            return _steady(options, table)
        case "presliding":
            return _presliding(options, table)
        case "small-signal":
            return _small_signal(options, table)
        case "response":
            return _response(options, table)
        case _:
            return _motion(options, table)


def _steady(options: argparse.Namespace, table: NumberTable) -> int:
    from symdyn.identify.averaging import symmetric_average
    from symdyn.identify.steady import fit_steady
    from symdyn.io.csv_table import named_columns
    from symdyn.report.friction_fit import steady_lines, steady_record
    from symdyn.report.friction_fit_figure import steady_figure

    law = _law(options, "stribeck")
    roles = {"v": _SPEED, "F": _FORCE} | {q.name: (q.name,) for q in law.signals}
    columns = named_columns(table, roles, renamed(options.columns))
    measured = columns.pop("v"), columns.pop("F")
    parts = None
    if options.average:
        if columns:
            raise InputError("signals cannot be averaged over", where="--average")
        parts = symmetric_average(*measured)
        measured = tuple(parts.v.tolist()), tuple(parts.odd.tolist())
    fit = fit_steady(
        law,
        *measured,
        fixed=numbers(options.fix, "--fix"),
        signals=columns,
        offset=options.offset,
        noise=options.noise,
        confidence=options.confidence,
    )
    write_figure(options.plot, partial(steady_figure, fit))
    return put(options, steady_lines(fit, parts), steady_record(fit, parts))


def _presliding(options: argparse.Namespace, table: NumberTable) -> int:
    from symdyn.identify.presliding import fit_presliding
    from symdyn.io.csv_table import named_columns
    from symdyn.report.friction_fit import presliding_lines, presliding_record
    from symdyn.report.friction_fit_figure import presliding_figure

    columns = named_columns(table, {"tau": _TORQUE, "q": _POSITION}, renamed(options.columns))
    fixed = _only(options, ("Fs",))
    fit = fit_presliding(
        columns["tau"],
        columns["q"],
        break_away=fixed.get("Fs"),
        noise=options.noise,
        confidence=options.confidence,
    )
    write_figure(options.plot, partial(presliding_figure, fit))
    return put(options, presliding_lines(fit, options.confidence), presliding_record(fit))


def _small_signal(options: argparse.Namespace, table: NumberTable) -> int:
    from symdyn.identify.small_signal import fit_small_signal
    from symdyn.io.csv_table import named_columns
    from symdyn.report.friction_fit import small_signal_lines, small_signal_record
    from symdyn.report.friction_fit_figure import small_signal_figure

    columns = named_columns(
        table, {"t": _TIME, "tau": _TORQUE, "q": _POSITION}, renamed(options.columns)
    )
    fixed = _only(options, ("J", "Fs"))
    fit = fit_small_signal(
        columns["t"],
        columns["tau"],
        columns["q"],
        inertia=fixed.get("J"),
        confidence=options.confidence,
    )
    write_figure(options.plot, partial(small_signal_figure, fit))
    level = fixed.get("Fs")
    lines = small_signal_lines(fit, options.confidence, level)
    return put(options, lines, small_signal_record(fit, level))


def _response(options: argparse.Namespace, table: NumberTable) -> int:
    from symdyn.identify.response import fit_response
    from symdyn.report.friction_fit_figure import dynamic_figure

    def draw(fit: DynamicFit, columns: Columns, heading: str) -> Callable[[str], bytes]:
        return partial(dynamic_figure, fit, heading)

    roles = {"t": _TIME, "tau": _TORQUE, "q": _POSITION}
    words = "response of the joint to its torque"
    return _with_states(options, table, roles, fit_response, draw, words)


def _motion(options: argparse.Namespace, table: NumberTable) -> int:
    from symdyn.identify.motion import fit_along_motion
    from symdyn.report.friction_fit_figure import loop_fit_figure

    def draw(fit: DynamicFit, columns: Columns, heading: str) -> Callable[[str], bytes]:
        return partial(loop_fit_figure, fit, columns["q"], heading)

    roles = {"t": _TIME, "q": _POSITION, "F": _FORCE}
    return _with_states(options, table, roles, fit_along_motion, draw, "friction along a motion")


def _with_states(
    options: argparse.Namespace,
    table: NumberTable,
    roles: Mapping[str, tuple[str, ...]],
    fit_record: Callable[..., DynamicFit],
    draw: Callable[[DynamicFit, Columns, str], Callable[[str], bytes]],
    words: str,
) -> int:
    """Fit a law with states to the columns of a record, print and draw."""
    from symdyn.io.csv_table import named_columns
    from symdyn.report.friction_fit import dynamic_lines, dynamic_record

    law = _law(options, "lugre")
    columns = named_columns(table, roles, renamed(options.columns))
    values, free = _guess(options)
    first, second, third = (columns[role] for role in roles)
    fit = fit_record(law, first, second, third, values, free, confidence=options.confidence)
    heading = f"{law.title}: {words}"
    write_figure(options.plot, draw(fit, columns, heading))
    return put(options, dynamic_lines(fit, heading), dynamic_record(fit, options.kind))


_TIME = ("t", "time")
_SPEED = ("v", "qd", "w", "speed", "velocity")
_FORCE = ("F", "friction", "tau", "torque", "force")
_TORQUE = ("tau", "torque", "u", "F")
_POSITION = ("q", "theta", "position", "x")


def _law(options: argparse.Namespace, default: str) -> FrictionLaw:
    from symdyn.friction.catalog import law_named

    return law_named(options.law or default)


def _only(options: argparse.Namespace, allowed: tuple[str, ...]) -> dict[str, float]:
    """What is held, of the few names that a kind of fit knows."""
    fixed = numbers(options.fix, "--fix")
    for name in fixed:
        if name not in allowed:
            raise InputError(
                f"--as {options.kind} holds no {name!r}", where="--fix", expected=" ".join(allowed)
            )
    return fixed


def _guess(options: argparse.Namespace) -> tuple[dict[str, float], list[str]]:
    if not options.guess or not options.free:
        raise InputError(
            f"--as {options.kind} needs a start and names to fit",
            where="symdyn friction fit",
            expected="--guess NAME=NUMBER,... and --free NAME,...",
        )
    values = {**numbers(options.guess, "--guess"), **numbers(options.fix, "--fix")}
    return values, [name.strip() for name in options.free.split(",") if name.strip()]
