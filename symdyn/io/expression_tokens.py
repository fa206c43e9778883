"""The words of an expression: numbers, names, operators, parentheses, each with its column.

    number   = digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ]
    name     = (letter | "_") { letter | digit | "_" | accent }

Digits of a number are 0 to 9 only; letters of a name are those of any script.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from symdyn._errors import InputError


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text: a number, name, operator, open, close, comma or end; column from 1."""

    kind: str
    text: str
    column: int


class SourceText:
    """The text with the place it came from: makes the errors."""

    def __init__(self, text: str, where: str) -> None:
        self.text, self.where = text, where

    def error(self, what: str, column: int, *, expected: str = "", remedy: str = "") -> InputError:
        shown = self.text if len(self.text) <= 120 else f"{self.text[:117]}..."
        place = f"column {column}"
        return InputError(
            what,
            where=f"{self.where}, {place}" if self.where else place,
            expected=expected,
            got=repr(shown),
            remedy=remedy,
        )


def normal_name(name: str) -> str:
    """The name with each letter and its accents as one code point where there is one (NFC)."""
    return unicodedata.normalize("NFC", name)


def is_parameter_name(name: str) -> bool:
    """Whether ``name`` can be declared: one word of letters, digits and ``_``, but not ``pi``."""
    return bool(name) and _name_end(name, 0) == len(name) and name != "pi"


def _name_end(text: str, start: int) -> int:
    """End of the word that begins at ``start``; ``start`` itself if none does."""
    if not (text[start] == "_" or text[start].isalpha()):
        return start
    end = start + 1
    while end < len(text) and (
        text[end] == "_" or text[end].isalnum() or unicodedata.category(text[end]) in ("Mn", "Mc")
    ):
        end += 1
    return end


def _digits_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and text[end] in "0123456789":
        end += 1
    return end


def _number_end(text: str, start: int) -> int:
    """End of the decimal number that begins at ``start``; ``start`` itself if none does."""
    end = _digits_end(text, start)
    digits = end - start
    if end < len(text) and text[end] == ".":
        after = _digits_end(text, end + 1)
        digits += after - end - 1
        end = after
    if digits == 0:
        return start
    if end < len(text) and text[end] in "eE":
        mantissa = end + 1
        if mantissa < len(text) and text[mantissa] in "+-":
            mantissa += 1
        after = _digits_end(text, mantissa)
        if after > mantissa:
            return after
    return end


def tokens_of(source: SourceText) -> list[Token]:
    text = source.text
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        char, column = text[at], at + 1
        if char in " \t\r\n":
            at += 1
            continue
        end = _number_end(text, at) if char in "0123456789." else at
        if end > at:
            tokens.append(Token("number", text[at:end], column))
            if end < len(text) and (text[end] in "._" or text[end].isalnum()):
                raise source.error(
                    f"the number {text[at:end]!r} is followed directly by {text[end]!r}",
                    end + 1,
                    expected="an operator",
                    remedy="Write numbers as plain decimals and * for products.",
                )
            at = end
            continue
        end = _name_end(text, at)
        if end > at:
            tokens.append(Token("name", normal_name(text[at:end]), column))
        elif text.startswith("**", at):
            tokens.append(Token("operator", "^", column))
            end = at + 2
        elif char in "+-*/^":
            tokens.append(Token("operator", char, column))
            end = at + 1
        elif char in "(),":
            kind = {"(": "open", ")": "close", ",": "comma"}[char]
            tokens.append(Token(kind, char, column))
            end = at + 1
        else:
            raise source.error(
                f"the character {char!r} has no meaning in an expression",
                column,
                expected="numbers, + - * / ^, parentheses, functions, declared parameters",
            )
        at = end
    tokens.append(Token("end", "", len(text) + 1))
    return tokens
