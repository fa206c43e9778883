from __future__ import annotations

import json
import math

import pytest

from symdyn._errors import InputError, VerificationError
from symdyn.crosscheck.record import (
    Comparison,
    CrossCheckRecord,
    RoadNote,
    from_json,
    require_agreement,
    to_json,
)

AGREES = Comparison("mass_matrix", "c", "agrees", 20, 1, 1.25, 2.5e-16, 12.0, 0.125)
MISSING = Comparison("mass_matrix", "mujoco", "missing", reason="not installed")
DIFFERS = Comparison(
    "gravity_vector", "c", "differs", 20, 0, math.inf, math.inf, 3.0, math.inf, "entry 1"
)
FAILED = Comparison("regressor", "c", "failed", reason="does not compile")


def _record(*comparisons: Comparison) -> CrossCheckRecord:
    roads = (RoadNote("c", "generated C", "gcc 12"), RoadNote("mujoco", "MuJoCo", "", "absent"))
    return CrossCheckRecord("arm é", "symbolic", 1, {"random": 12}, 50, roads, comparisons)


def test_record_survives_json() -> None:
    record = _record(AGREES, MISSING, DIFFERS, FAILED)
    assert from_json(to_json(record)) == record


def test_json_is_plain_and_the_same_every_time() -> None:
    text = to_json(_record(AGREES, DIFFERS))
    assert text == to_json(_record(AGREES, DIFFERS))
    loaded = json.loads(text, parse_constant=pytest.fail)
    assert loaded["format"] == 1
    assert loaded["comparisons"][1]["error_ulps"] == "inf"


def test_numbers_have_three_digits() -> None:
    fine = Comparison("f", "c", "agrees", 1, 0, 1.23456, 2.74e-16, 9.87654, 0.1)
    (back,) = from_json(to_json(_record(fine))).comparisons
    assert (back.error_ulps, back.tolerance_ulps) == (1.23, 9.88)


def test_missing_oracle_is_no_failure_but_a_difference_is() -> None:
    assert _record(AGREES, MISSING).passed
    require_agreement(_record(AGREES, MISSING))
    assert not _record(AGREES, DIFFERS).passed
    with pytest.raises(VerificationError, match=r"2 of 3 .*gravity_vector.*entry 1.*regressor"):
        require_agreement(_record(AGREES, DIFFERS, FAILED))


def test_comparison_is_found_by_function_and_road() -> None:
    record = _record(AGREES, MISSING)
    assert record.of("mass_matrix", "mujoco") == MISSING
    assert record.of("mass_matrix", "numpy") is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "no JSON"),
        ("[]", "a JSON object"),
        ("{}", "unknown format"),
        ('{"format": 2}', "unknown format"),
        ('{"format": 1}', "not a record"),
    ],
)
def test_foreign_text_is_refused(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        from_json(text)


def test_unknown_verdict_is_refused() -> None:
    text = to_json(_record(AGREES)).replace('"agrees"', '"perfect"')
    with pytest.raises(InputError, match="unknown verdict 'perfect'"):
        from_json(text)
