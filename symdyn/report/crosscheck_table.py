"""The cross-check in a report: one row per function, one column per road."""

from __future__ import annotations

from collections.abc import Iterable

from symdyn._errors import counted
from symdyn.crosscheck.record import Comparison, CrossCheckRecord
from symdyn.report.markdown import bullets, code, plain, table

_WORDS = {"not applicable": "–", "missing": "missing", "failed": "**failed**", "undecided": "?"}


def crosscheck_sentence(record: CrossCheckRecord, targets: Iterable[str]) -> str:
    """One line: how much was compared, and how far the generated code is off."""
    if not record.passed:
        return f"the cross-check FAILED in {counted(len(record.faults), 'comparison')}"
    agreed = [c for c in record.comparisons if c.verdict == "agrees"]
    roads = len({c.road for c in agreed})
    states = sum(record.states.values())
    own = list(targets)
    return (
        f"{counted(len(agreed), 'comparison')} on {counted(roads, 'road')} at "
        f"{counted(states, 'state')} {'agrees' if len(agreed) == 1 else 'agree'}; generated code "
        f"is at most {largest_error(record, own):.3g} ulp off 50 digits{_place(record, own)}, "
        f"at most {100 * _largest_share(record, own):.0f} % of what rounding may do"
    )


def _place(record: CrossCheckRecord, targets: Iterable[str]) -> str:
    """Function, road and state of the largest error, in parentheses; empty if there is none."""
    worst = max(_of_code(record, targets), key=lambda c: c.error_ulps, default=None)
    if worst is None or worst.error_ulps == 0:
        return ""
    state = f", {worst.worst_state}" if worst.worst_state else ""
    return f" ({worst.function} in {worst.road}{state})"


def not_run(record: CrossCheckRecord, targets: Iterable[str]) -> list[str]:
    """Targets whose code was written but not run here, each with the reason."""
    reasons = {note.name: note.missing for note in record.roads if note.missing}
    return [f"{target}: {reasons[target]}" for target in targets if target in reasons]


def largest_error(record: CrossCheckRecord, targets: Iterable[str]) -> float:
    """Largest error of the generated code of these targets [ulp]."""
    return max((c.error_ulps for c in _of_code(record, targets)), default=0.0)


def _largest_share(record: CrossCheckRecord, targets: Iterable[str]) -> float:
    return max((c.share for c in _of_code(record, targets)), default=0.0)


def _of_code(record: CrossCheckRecord, targets: Iterable[str]) -> list[Comparison]:
    own = set(targets)
    return [c for c in record.comparisons if c.verdict == "agrees" and c.road.split()[0] in own]


def crosscheck_lines(record: CrossCheckRecord) -> Iterable[str]:
    """The section of the report."""
    states = ", ".join(f"{count} {kind}" for kind, count in record.states.items())
    yield f"Every function on every road to it, at states: {states} (seed {record.seed})."
    functions = list(dict.fromkeys(c.function for c in record.comparisons))
    roads = [
        note.name
        for note in record.roads
        if any(c.road == note.name and c.verdict != "missing" for c in record.comparisons)
    ]
    rows = [
        [code(function), *(_cell(record.of(function, road)) for road in roads)]
        for function in functions
    ]
    yield table(("largest error [ulp]", *roads), rows, right=range(1, len(roads) + 1))
    yield plain(record.measure)
    yield bullets(
        f"**{plain(note.name)}**: {plain(note.about)}"
        + (f" ({plain(note.program)})" if note.program else "")
        + (f" – not here: {plain(note.missing)}" if note.missing else "")
        for note in record.roads
    )
    remarks = [
        f"{code(c.function)} on {plain(c.road)}: {plain(c.reason)}"
        for c in record.comparisons
        if c.reason and c.verdict in ("differs", "failed", "undecided")
    ]
    if remarks:
        yield bullets(remarks)


def _cell(comparison: Comparison | None) -> str:
    if comparison is None:
        return ""
    if comparison.verdict in _WORDS:
        return _WORDS[comparison.verdict]
    text = "0" if comparison.error_ulps == 0 else f"{comparison.error_ulps:.3g}"
    return text if comparison.verdict == "agrees" else f"**{text}**"
