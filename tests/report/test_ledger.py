"""Verdicts of a ledger follow from the numbers; a surprise stops the program."""

from __future__ import annotations

import math

import pytest

from symdyn._errors import InputError, VerificationError
from symdyn.report.ledger import Mark, number, rounds_to, statement


@pytest.mark.parametrize(
    ("found", "printed", "holds"),
    [
        (0.48653544653993930, "0.49", True),
        (0.48653544653993930, "0.490", False),
        (5.0001250078131381e-5, "5.0e-5", True),
        (5.06e-5, "5.0e-5", False),
        (80.9, "8e1", True),
        (80.9, "80", False),
        (80.9, "81", True),
        (-0.5, "0.5", False),
        (0.125, "0.12", True),  # half of the last digit rounds either way
        (0.125, "0.13", True),
        (math.nan, "0", False),
        (math.inf, "1e300", False),
    ],
)
def test_the_last_printed_digit_decides(found: float, printed: str, holds: bool) -> None:
    assert rounds_to(found, printed) is holds


@pytest.mark.parametrize("text", ["", "about 3", "1.2.3", "nan", "inf"])
def test_a_text_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no number"):
        rounds_to(1.0, text)


def test_lines() -> None:
    assert number(Mark.REPRODUCED, "period [s]", "23.9", 23.933036) == (
        "reproduced                    period [s]: printed 23.9, found 23.933"
    )
    line = number(Mark.REPRODUCED, "sd", "7e-4", 7.346e-4, value="7.346e-4", assuming="the sweep")
    assert line.startswith("reproduced with an assumption sd: printed 7e-4, found 0.0007346; ")
    assert line.endswith("assumed: the sweep")
    assert number(Mark.ADDED, "peak", "1.50", 1.5000125, note="above Fs") == (
        "not in the text               peak: found 1.5000; above Fs"
    )
    assert statement(Mark.WRONG, "it sticks", False, "it creeps") == (
        "wrong                         it sticks: it creeps"
    )


@pytest.mark.parametrize("expected", [Mark.REPRODUCED, Mark.ADDED])
def test_a_number_that_should_agree_and_does_not(expected: Mark) -> None:
    with pytest.raises(VerificationError, match="expected '"):
        number(expected, "amplitude", "0.0685", 0.0671935)


def test_a_number_that_should_be_wrong_and_agrees() -> None:
    with pytest.raises(VerificationError, match="expected 'wrong'"):
        number(Mark.WRONG, "amplitude", "0.067", 0.0671935, value="0.0671935")


@pytest.mark.parametrize("expected", [Mark.REPRODUCED, Mark.WRONG])
def test_a_number_that_is_not_the_independent_one(expected: Mark) -> None:
    with pytest.raises(VerificationError, match=r"is not 0\.06719"):
        number(expected, "amplitude", "0.07", 0.0685, value="0.06719")


def test_a_wrong_number_needs_the_right_one() -> None:
    with pytest.raises(InputError, match="needs its right value"):
        number(Mark.WRONG, "amplitude", "0.0685", 0.0671935)


@pytest.mark.parametrize(
    ("expected", "holds"), [(Mark.REPRODUCED, False), (Mark.ADDED, False), (Mark.WRONG, True)]
)
def test_a_statement_that_comes_out_otherwise(expected: Mark, holds: bool) -> None:
    with pytest.raises(VerificationError, match="it sticks: expected"):
        statement(expected, "it sticks", holds, "found")


def test_what_is_wrong_rests_on_no_assumption() -> None:
    with pytest.raises(InputError, match="rests on an assumption"):
        statement(Mark.WRONG, "it sticks", False, "it creeps", assuming="set-valued")
