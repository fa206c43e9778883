"""A ledger of a text's claims: each verdict follows from the number, and a surprise is an error.

A number of the text counts as reproduced if the number found rounds to the digits that the text
prints. The author says beforehand what is to come out; where something else does, the program
stops, so that a ledger that has been printed is one that holds.
"""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from symdyn._errors import InputError, VerificationError


class Mark(StrEnum):
    """What is found of a claim."""

    REPRODUCED = "reproduced"
    WRONG = "wrong"
    ADDED = "not in the text"


def rounds_to(found: float, printed: str) -> bool:
    """Whether a number rounds to the digits of a text.

    Parameters
    ----------
    found : any number; one that is not finite rounds to nothing
    printed : a decimal number; its last digit is the one that is rounded, so "80" and "8e1" differ

    Raises
    ------
    InputError : the text is no number

    Examples
    --------
    >>> rounds_to(0.0671935, "0.067"), rounds_to(0.0671935, "0.0685"), rounds_to(80.9, "8e1")
    (True, False, True)
    """
    try:
        stated = Decimal(printed)
        half = Decimal(1).scaleb(int(stated.as_tuple().exponent)) / 2
    except (InvalidOperation, ValueError) as error:
        raise InputError("the text is no number", where="ledger", got=repr(printed)) from error
    return math.isfinite(found) and abs(Decimal(found) - stated) <= half


def number(
    expected: Mark,
    claim: str,
    printed: str,
    found: float,
    *,
    value: str = "",
    assuming: str = "",
    note: str = "",
) -> str:
    """One line on a number.

    Parameters
    ----------
    expected : what the author expects to come out
    claim : what the number is, with its unit
    printed : the number with the digits of the text; of one that the text does not have, its digits
        from elsewhere
    found : the number computed
    value : its digits from an independent source, to which it has to round as well; a wrong number
        needs them
    assuming : what the text leaves out and was assumed
    note : what else is to be said

    Returns
    -------
    the line: verdict, claim, both numbers

    Raises
    ------
    VerificationError : another verdict than expected, or a number that is not `value`
    InputError : a wrong number without its right value

    Examples
    --------
    >>> number(Mark.WRONG, "amplitude [rad]", "0.0685", 0.06719351, value="0.06719")
    'wrong                         amplitude [rad]: printed 0.0685, found 0.06719'
    """
    if expected is Mark.WRONG and not value:
        raise InputError("a wrong number needs its right value", where=f"ledger: {claim}")
    if value and not rounds_to(found, value):
        raise VerificationError(f"{claim}: {found!r} is not {value}")
    came_out = rounds_to(found, printed) != (expected is Mark.WRONG)
    digits = len(Decimal(value or printed).as_tuple().digits) + (0 if value else 2)
    text = f"found {found:#.{digits}g}"
    if expected is not Mark.ADDED:
        text = f"printed {printed}, {text}"
    return _line(expected, claim, came_out, text + (f"; {note}" if note else ""), assuming)


def statement(expected: Mark, claim: str, holds: bool, found: str, *, assuming: str = "") -> str:
    """One line on a claim without a number.

    Parameters
    ----------
    expected, claim, assuming : as in `number`
    holds : whether the claim holds, computed where this is called
    found : what shows it, or what holds in its place

    Returns
    -------
    the line: verdict, claim, finding

    Raises
    ------
    VerificationError : the claim holds and was expected to be wrong, or the reverse
    """
    return _line(expected, claim, bool(holds) != (expected is Mark.WRONG), found, assuming)


def _line(expected: Mark, claim: str, came_out: bool, found: str, assuming: str) -> str:
    if not came_out:
        raise VerificationError(f"{claim}: expected {expected.value!r}, but {found}")
    if assuming and expected is not Mark.REPRODUCED:
        raise InputError("only what is reproduced rests on an assumption", where=f"ledger: {claim}")
    verdict = f"{expected.value} with an assumption" if assuming else expected.value
    return f"{verdict:30}{claim}: {found}" + (f"; assumed: {assuming}" if assuming else "")
