"""Verdicts carry what they claim, and survive JSON."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from symdyn.expr.verdict import Verdict, VerdictKind, bound_text, verdict_from_json

EXAMPLES = (
    Verdict(VerdictKind.PROVED, "M = M'", method="normal form"),
    Verdict(VerdictKind.PROBABILISTIC, "a = b", bound=Fraction(3, 2**122 - 1)),
    Verdict(
        VerdictKind.REFUTED, "a = b", witness={"state": {"q": [0.5]}, "left": "1", "right": "2"}
    ),
    Verdict(VerdictKind.INCOMPLETE, "a = b", "roots were not compared"),
    Verdict(VerdictKind.UNKNOWN, "a = b", "too big"),
)


@pytest.mark.parametrize("verdict", EXAMPLES, ids=lambda v: v.kind.value)
def test_json_round_trip(verdict: Verdict) -> None:
    assert verdict_from_json(json.loads(json.dumps(verdict.to_json()))) == verdict


def test_a_verdict_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match=r"verdict\.kind"):
        bool(EXAMPLES[0])


def test_only_proved_and_probabilistic_hold() -> None:
    assert [v.holds for v in EXAMPLES] == [True, True, False, False, False]


def test_no_bound_no_probabilistic_verdict() -> None:
    with pytest.raises(ValueError, match="failure bound"):
        Verdict(VerdictKind.PROBABILISTIC, "a = b")
    with pytest.raises(ValueError, match="witness"):
        Verdict(VerdictKind.REFUTED, "a = b")


@pytest.mark.parametrize(
    ("bound", "text"),
    [
        (Fraction(1, 8), "2^-3"),
        (Fraction(1, 7), "2^-2"),
        (Fraction(1, 9), "2^-3"),
        (Fraction(3), "2^2"),
        (Fraction(1, 2**2000 + 1), "2^-2000"),
        (Fraction(0), "0"),
    ],
)
def test_bounds_are_rounded_up(bound: Fraction, text: str) -> None:
    assert bound_text(bound) == text


def test_foreign_records_are_refused() -> None:
    with pytest.raises(ValueError, match="maybe"):
        verdict_from_json({"kind": "maybe"})
    with pytest.raises(ValueError, match="bound"):
        verdict_from_json({"kind": "proved", "bound": 0.5})
    with pytest.raises(ValueError, match="witness"):
        verdict_from_json({"kind": "proved", "witness": "q"})
