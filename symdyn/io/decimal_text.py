"""Numbers as robot files print them: text in, the exact decimal fraction out, or one clear error.

Grammar: an optional sign, decimal digits with at most one point, an optional power of ten. Nothing
else: no nan, no inf, no hexadecimal, no underscores, no decimal comma. A vector is such numbers
separated by any of the white space of XML.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from symdyn._errors import InputError
from symdyn.algebra.term import PI, ZERO, Term, number
from symdyn.model.axis import ROUNDING
from symdyn.model.names import shown
from symdyn.model.sizes import LARGEST

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(\.[0-9]*)?|(\.[0-9]+))(?:[eE]([+-]?[0-9]+))?")
_XML_SPACE = " \t\n\r"
_MAX_DIGITS = 400
_MAX_EXPONENT = 400

#: pi to 60 places.
PI_DIGITS = Fraction("3.141592653589793238462643383279502884197169399375105820974944")
#: A rounded angle with fewer decimals could be anything.
_FEWEST_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class Decimal:
    """A number of a file: its value, and one unit in its last printed place."""

    value: Fraction
    place: Fraction


def parse_decimal(text: str) -> Decimal | None:
    """The number that a text prints, or None if it prints none."""
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > _MAX_DIGITS:
        return None
    exponent = match[3] or "0"
    if len(exponent) > 6 or abs(int(exponent)) > _MAX_EXPONENT:
        return None
    fraction = match[1] or match[2] or "."
    place = Fraction(10) ** (int(exponent) - (len(fraction) - 1))
    value = Fraction(text)
    return None if abs(value) > LARGEST else Decimal(value, place)


def read_numbers(text: str, count: int, where: str) -> tuple[Decimal, ...]:
    """The numbers of an attribute.

    Parameters
    ----------
    text : the attribute's value
    count : how many numbers it has to hold
    where : file, line, element and attribute, for the error

    Raises
    ------
    InputError : another number of words, or a word that is no number
    """
    words = [word for word in re.split(f"[{_XML_SPACE}]+", text) if word]
    numbers = [parse_decimal(word) for word in words]
    good = [n for n in numbers if n is not None]
    if len(words) == count and len(good) == count:
        return tuple(good)
    wanted = "1 decimal number" if count == 1 else f"{count} decimal numbers"
    bad = next((word for word, n in zip(words, numbers, strict=True) if n is None), None)
    if bad is None:
        what = f"{len(words) or 'no'} number{'' if len(words) == 1 else 's'}"
    elif _NUMBER.fullmatch(bad):
        what = f"{shown(bad, 60)!r} is too long or too large a number"
        wanted += " up to 1e100"
    else:
        what = f"{shown(bad, 60)!r} is no decimal number"
    raise InputError(
        what, where=where, expected=wanted, got=f'"{shown(text)}"', remedy=_remedy(text, bad)
    )


def _remedy(text: str, bad: str | None) -> str:
    if "${" in text or "$(" in text:
        return "The file is a xacro source: run xacro first and read its output."
    if bad is None:
        return ""
    if parse_decimal(bad.replace(",", ".")) or parse_decimal(bad.rstrip(",")):
        return "Write a decimal point, and blanks between the numbers."
    if parse_decimal(bad.replace("_", "")):
        return "Write the digits without underscores."
    match = _NUMBER.fullmatch(bad)
    if match is not None:
        return f"At most {_MAX_DIGITS} characters and powers of ten up to {_MAX_EXPONENT}."
    return ""


@dataclass(frozen=True, slots=True)
class Angle:
    """An angle of a file as an exact term.

    Attributes
    ----------
    term : the decimal as printed, or the multiple of pi/4 that it stands for [rad]
    change : what recognising the multiple changed [rad]; None if it was not
    printed : whether only the printed precision, not a double's, allows the multiple
    """

    term: Term
    change: Fraction | None = None
    printed: bool = False


def read_angle(decimal: Decimal, snap: bool) -> Angle:
    """An angle in rad; multiples of pi/4 are recognised.

    A number within 1e-13 rad of one is that multiple printed to a double's precision. With ``snap``
    this also holds within half a unit of the last printed place, given at least three decimals.
    """
    value = decimal.value
    eighths = round(value / (PI_DIGITS / 4))
    change = abs(value - eighths * PI_DIGITS / 4)
    printed = (
        decimal.place <= Fraction(1, 10**_FEWEST_DECIMALS)
        and change <= decimal.place / 2
        and eighths != 0
    )
    if change > ROUNDING and not (snap and printed):
        return Angle(number(value), printed=printed)
    if change == 0:
        return Angle(ZERO)
    exact = number(Fraction(eighths, 4)) * PI if eighths else ZERO
    return Angle(exact, change, change > ROUNDING)
