"""The tables of a benchmark run, made from its measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks import cited
from benchmarks.derivation import DerivationTimes
from benchmarks.generalized import CLASSICAL, GeneralizedCost
from benchmarks.generalized import FUNCTIONS as GENERALIZED
from benchmarks.growth import FUNCTIONS, Growth, exponent
from benchmarks.rivals.casadi_code import Counts
from benchmarks.rivals.ours import BATCH, LOOP, NAMES
from benchmarks.rivals.protocol import FUNCTIONS as TIMED
from benchmarks.runtime import STATES, RobotTimings, Timing
from benchmarks.servo import SPAN, ServoTime
from benchmarks.tables import Table

_CASADI = {
    "symbolic": "CasADi C, parameters given",
    "numeric": "CasADi C, parameters built in",
}


@dataclass(frozen=True, slots=True)
class Measurements:
    """Everything that one run measured; what was left out is empty.

    Attributes
    ----------
    machine : in general terms
    derivation, generalized, growth, timings, servo : by part
    memory : of deriving the humanoid, see `derivation.derive_and_measure`
    """

    machine: dict[str, str]
    derivation: list[DerivationTimes] = field(default_factory=list[DerivationTimes])
    generalized: list[GeneralizedCost] = field(default_factory=list[GeneralizedCost])
    growth: list[Growth] = field(default_factory=list[Growth])
    servo: list[ServoTime] = field(default_factory=list[ServoTime])
    timings: list[RobotTimings] = field(default_factory=list[RobotTimings])
    memory: dict[str, dict[str, float]] = field(default_factory=dict[str, dict[str, float]])


def tables(run: Measurements) -> list[Table]:
    """All tables for which there is something to show."""
    out: list[Table] = []
    if run.derivation:
        out.append(_derivation(run.derivation))
    if run.memory:
        out.append(_memory(run.memory))
    if run.generalized:
        out.append(_generalized(run.generalized))
    if run.timings:
        out.append(_ratios(run.timings))
        out += [_times(timings) for timings in run.timings]
        out.append(_batch(run.timings))
        out += [_counts(timings) for timings in run.timings]
    if run.growth:
        out.append(_growth(run.growth))
    if run.servo:
        out.append(_servo(run.servo))
    if run.timings or run.derivation:
        out.append(_cited_times())
    return out


def _derivation(rows: Sequence[DerivationTimes]) -> Table:
    return Table(
        "Derivation and export",
        ("robot", "joints", "functions", "derive [s]", "export [s]", "NumPy [kB]", "C [kB]"),
        tuple(
            (
                row.robot,
                str(row.coordinates),
                str(row.functions),
                f"{row.derive:.2f}",
                f"{row.export:.2f}",
                f"{row.bytes_numpy / 1e3:.0f}",
                f"{row.bytes_c / 1e3:.0f}",
            )
            for row in rows
        ),
        (
            "All functions, all ten inertial parameters of every body symbolic. Export gathers the "
            "unit with its 50-digit test numbers and prints NumPy and C. CPU time, best of three.",
        ),
    )


def _memory(found: Mapping[str, Mapping[str, float]]) -> Table:
    return Table(
        "Memory of a derivation",
        ("robot", "peak before [MiB]", "peak after [MiB]", "nodes", "derive [s]"),
        tuple(
            (
                name,
                f"{row['before']:.0f}",
                f"{row['after']:.0f}",
                f"{row['nodes']:.0f}",
                f"{row['seconds']:.2f}",
            )
            for name, row in found.items()
        ),
        ("All functions in a fresh process; before: interpreter and packages loaded.",),
    )


def _generalized(rows: Sequence[GeneralizedCost]) -> Table:
    return Table(
        "The generalized equation",
        ("robot", "joints", "derive [s]", CLASSICAL, *GENERALIZED, "H / C"),
        tuple(
            (
                row.robot,
                str(row.coordinates),
                f"{row.derive:.2f}",
                *(str(row.operations[name]) for name in (CLASSICAL, *GENERALIZED)),
                f"{row.operations['gyroscopic_matrix'] / row.operations['coriolis_matrix']:.2f}",
            )
            for row in rows
        ),
        (
            f"Theta, its rate, Psi and its rate symbolic. CPU time of deriving {GENERALIZED[0]} to "
            f"{GENERALIZED[-1]}, best of three; operations of all kinds together.",
        ),
    )


def _servo(rows: Sequence[ServoTime]) -> Table:
    return Table(
        f"{SPAN:g} s of a hunting servo with LuGre friction",
        ("method", "time [s]", "error of the position [rad]"),
        tuple((row.method, f"{row.seconds:.2f}", f"{row.error:.1e}") for row in rows),
        (
            "CPU time, the right side compiled for SciPy too; the error is the largest difference "
            "from the first row at 1001 instants.",
        ),
    )


def _named(timings: Sequence[Timing]) -> dict[str, Timing]:
    return {timing.contender: timing for timing in timings}


def _ratios(runs: Sequence[RobotTimings]) -> Table:
    rows: list[tuple[str, ...]] = []
    for run in runs:
        for function, timings in run.functions.items():
            found = _named(timings)
            ours = found[NAMES["symbolic"]].nanoseconds
            numeric = found[NAMES["numeric"]].nanoseconds
            casadi = "symbolic" if function != "regressor" else "numeric"
            rows.append(
                (
                    f"{run.robot} {function}",
                    f"{ours:.0f}",
                    _ratio(ours, found.get("Pinocchio C++")),
                    _ratio(ours, found.get(_CASADI[casadi])),
                    _ratio(numeric, found.get(_CASADI["numeric"])),
                    _ratio(ours, found.get("MuJoCo")),
                )
            )
    return Table(
        "Our generated C beside its rivals",
        (
            "robot, function",
            "ours [ns]",
            "/ Pinocchio",
            "/ CasADi, given",
            "/ CasADi, built in",
            "/ MuJoCo",
        ),
        tuple(rows),
        (
            "Time of our scalar C divided by that of the rival, parameters given as an argument "
            "(in the last but one column built in, on both sides). Below 1 is faster.",
        ),
    )


def _ratio(ours: float, rival: Timing | None) -> str:
    return "–" if rival is None else f"{ours / rival.nanoseconds:.2f}"


def _times(run: RobotTimings) -> Table:
    names = list(dict.fromkeys(t.contender for row in run.functions.values() for t in row))
    functions = list(run.functions)
    rows = [
        (
            name,
            *(_nanoseconds(_named(run.functions[function]).get(name)) for function in functions),
        )
        for name in names
    ]
    notes = [
        f"Nanoseconds of CPU time a call, median; the same {STATES} random states for all, taking "
        "turns in one process, gcc -O3 -march=native. All numbers were compared with ours first."
    ]
    notes += [f"Missing: {name}: {why}" for name, why in run.missing.items()]
    title = f"Run time, {run.robot} ({run.coordinates} joints)"
    return Table(title, ("ns a call", *functions), tuple(rows), tuple(notes))


def _nanoseconds(timing: Timing | None) -> str:
    return "–" if timing is None else f"{timing.nanoseconds:.0f}"


def _batch(runs: Sequence[RobotTimings]) -> Table:
    rows: list[tuple[str, ...]] = []
    for run in runs:
        cells: list[str] = []
        for function in TIMED:
            found = _named(run.functions[function])
            loop = found[f"{NAMES['symbolic']}, {LOOP}"]
            batch = found[f"{NAMES['symbolic']}, {BATCH}"]
            cells.append(f"{loop.nanoseconds / batch.nanoseconds:.1f}")
        rows.append((run.robot, *cells))
    return Table(
        "Throughput of the batch entry point over a loop of single calls",
        ("robot", *TIMED),
        tuple(rows),
        ("One core, parameters given, both keep the results of all states. Above 1 is faster.",),
    )


def _counts(run: RobotTimings) -> Table:
    functions = list(run.functions)
    rows = [
        (name, *(_cell(counts.get(function)) for function in functions))
        for name, counts in run.counts.items()
    ]
    quoted: dict[str, dict[str, str]] = {}
    for entry in cited.COUNTS:
        if entry.robot == run.robot:
            name = f"{entry.program}, {entry.inertial} (cited)"
            mark = "*" if entry.remark else ""
            quoted.setdefault(name, {})[entry.function] = f"{entry.add} + {entry.mul}{mark}"
    rows += [
        (name, *(cells.get(function, "–") for function in functions))
        for name, cells in quoted.items()
    ]
    remarks = sorted(
        f"{entry.program} {entry.function} {entry.inertial}: {entry.remark}"
        for entry in cited.COUNTS
        if entry.robot == run.robot and entry.remark
    )
    notes = [
        "Additions + multiplications; divisions behind a slash; sines and cosines apart. Sums, "
        "differences, sign changes and doublings count as additions.",
        cited.STATEMENT,
    ]
    if remarks:
        notes.append("* " + "; ".join(remarks) + ".")
    title = f"Operations, {run.robot}"
    return Table(title, ("additions + multiplications", *functions), tuple(rows), tuple(notes))


def _cell(counts: Counts | None) -> str:
    if counts is None:
        return "–"
    return f"{counts.add} + {counts.mul}" + (f" / {counts.div}" if counts.div else "")


def _growth(rows: Sequence[Growth]) -> Table:
    lengths = list(dict.fromkeys(row.links for row in rows))
    cells: list[tuple[str, ...]] = []
    by_key = {(row.function, row.links): row for row in rows}
    for links in lengths:
        line = [str(links)]
        for function in FUNCTIONS:
            row = by_key[function, links]
            line += [f"{row.seconds:.3f}", str(row.operations), f"{row.code / 1e3:.0f}"]
        cells.append(tuple(line))
    head = ["links"]
    for function in FUNCTIONS:
        head += [f"{function} [s]", "operations", "C [kB]"]
    notes = ["Revolute chains, derived anew for each length, CPU time."]
    for function, power in FUNCTIONS.items():
        operations, code = exponent(rows, function)
        notes.append(
            f"{function}: operations grow with the power {operations:.2f} of the number of links, "
            f"code with {code:.2f} (expected {power})."
        )
    return Table("Growth of chains", tuple(head), tuple(cells), tuple(notes))


def _cited_times() -> Table:
    rows = tuple((entry.program, entry.robot, entry.what, entry.value) for entry in cited.TIMES)
    return Table(
        "Cited times of other programs",
        ("program", "robot", "what", "time"),
        rows,
        (cited.STATEMENT,),
    )
