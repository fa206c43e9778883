"""The record of a cross-check: frozen data, and its JSON form in both directions."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast, get_args

from symdyn._errors import InputError, VerificationError, counted

#: Version of the JSON form.
FORMAT = 1
#: How errors are measured; stands in every record and report.
MEASURE = (
    "Errors are in units in the last place (ulp) of the entry of largest magnitude of the result "
    "at the same state, against the derived graph evaluated with 50 digits. Tolerances come from "
    "a running error analysis of the same computation at the same state, in the same unit; "
    "crosscheck.json holds the one of the state that came closest to it. A state at which a double "
    "cannot promise half of its digits is judged by its tolerance but left out of the largest "
    "error."
)

Verdict = Literal["agrees", "differs", "not applicable", "missing", "failed", "undecided"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One function on one road.

    Attributes
    ----------
    function, road : names
    verdict : ``agrees``; ``differs``; ``not applicable`` (the road has no such function);
        ``missing`` (the road could not be opened); ``failed`` (it should have answered and did
        not); ``undecided`` (no state allows a judgement)
    states : number of states compared
    ill_conditioned : how many of them are left out of the two errors, see `MEASURE`
    error_ulps : largest error [ulp of the largest entry]
    error_relative : the same relative to the largest entry
    tolerance_ulps : tolerance at the state that came closest to it
    share : largest error as a share of the tolerance at its state; more than 1 is ``differs``
    reason : why there are no or fewer numbers; at a difference, where it is
    worst_state : where the largest error is: number of the state among those compared, and kind
    """

    function: str
    road: str
    verdict: Verdict
    states: int = 0
    ill_conditioned: int = 0
    error_ulps: float = 0.0
    error_relative: float = 0.0
    tolerance_ulps: float = 0.0
    share: float = 0.0
    reason: str = ""
    worst_state: str = ""


@dataclass(frozen=True, slots=True)
class RoadNote:
    """What is to say about a road: what it is, which program it ran, why it is missing."""

    name: str
    about: str
    program: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class CrossCheckRecord:
    """All comparisons of one derivation.

    Attributes
    ----------
    robot : its name
    inertial : ``symbolic``, ``numeric`` or ``base``
    seed : of the states
    states : number of states by kind
    digits : decimal digits of the reference
    roads, comparisons : in the order in which they were made
    measure : how errors are measured
    format : version of the JSON form
    """

    robot: str
    inertial: str
    seed: int
    states: dict[str, int]
    digits: int
    roads: tuple[RoadNote, ...]
    comparisons: tuple[Comparison, ...]
    measure: str = MEASURE
    format: int = FORMAT

    @property
    def passed(self) -> bool:
        """Whether nothing differs and nothing failed; what is missing is no failure."""
        return not self.faults

    @property
    def faults(self) -> tuple[Comparison, ...]:
        """Comparisons that differ or failed."""
        return tuple(c for c in self.comparisons if c.verdict in ("differs", "failed"))

    def of(self, function: str, road: str) -> Comparison | None:
        """The comparison of a function on a road, None if it was not made."""
        for comparison in self.comparisons:
            if comparison.function == function and comparison.road == road:
                return comparison
        return None


def require_agreement(record: CrossCheckRecord) -> None:
    """Raise unless the record passed.

    Raises
    ------
    VerificationError : names each function and road that differs or failed
    """
    if record.passed:
        return
    lines = [f"{c.function} on road {c.road!r} {_fault(c)}" for c in record.faults]
    raise VerificationError(
        f"cross-check of {record.robot!r}: {len(lines)} of "
        f"{counted(len(record.comparisons), 'comparison')} "
        f"{'does' if len(lines) == 1 else 'do'} not hold: "
        + "; ".join(lines[:6])
        + (" …" if len(lines) > 6 else "")
    )


def _fault(c: Comparison) -> str:
    if c.verdict == "failed":
        return f"gives no numbers: {c.reason}"
    return f"is off by {c.error_ulps:.3g} ulp, allowed {c.tolerance_ulps:.3g} ({c.reason})"


def to_json(record: CrossCheckRecord) -> str:
    """The record as JSON text; numbers have three digits, infinities and NaN are words."""
    return json.dumps(_plain(asdict(record)), indent=1, ensure_ascii=False) + "\n"


def _plain(value: object) -> object:
    if isinstance(value, float):
        if not math.isfinite(value):
            return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
        return float(f"{value:.3g}")
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in cast("list[object]", value)]
    return value


def from_json(text: str, where: str = "cross-check record") -> CrossCheckRecord:
    """Read what `to_json` wrote.

    Raises
    ------
    InputError : no JSON, another format version, a missing or foreign entry
    """
    try:
        loaded: Any = json.loads(text)
    except ValueError as error:
        raise InputError(f"no JSON: {error}", where=where) from None
    if not isinstance(loaded, dict):
        raise InputError("a record is a JSON object", where=where)
    table = cast("dict[str, Any]", loaded)
    if table.get("format") != FORMAT:
        raise InputError(
            "unknown format of the record",
            where=where,
            expected=str(FORMAT),
            got=repr(table.get("format")),
        )
    try:
        roads = tuple(RoadNote(**note) for note in table.pop("roads"))
        comparisons = tuple(_comparison(entry) for entry in table.pop("comparisons"))
        return CrossCheckRecord(**table, roads=roads, comparisons=comparisons)
    except (TypeError, KeyError, ValueError) as error:
        raise InputError(f"not a record: {error}", where=where) from None


def _comparison(entry: dict[str, Any]) -> Comparison:
    for name in ("error_ulps", "error_relative", "tolerance_ulps", "share"):
        entry[name] = float(entry[name])
    if entry["verdict"] not in get_args(Verdict):
        raise ValueError(f"unknown verdict {entry['verdict']!r}")
    return Comparison(**entry)
