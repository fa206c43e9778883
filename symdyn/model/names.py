"""Names of links, joints and robots: which are refused, and how they are shown on one line."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches

from symdyn._errors import InputError

#: Characters that end a string, a statement or a comment in some language. Names with blanks,
#: slashes, dashes, brackets and letters of any script are fine: every target mangles them.
_REFUSED = frozenset("\"'`\\;{}$")
_REFUSED_PAIRS = ("*/", "/*")
#: Unicode categories of characters that do not show or break a line.
_UNSEEN = frozenset(("Cc", "Cs", "Cn", "Zl", "Zp"))
_LONGEST = 1000
#: Names among which a likely one is searched for: the search compares letter by letter.
_SEARCHED = 1000


def shown(text: str, longest: int = 80) -> str:
    """A text from a file on one printable line, cut if long."""
    clean = text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
    return clean if len(clean) <= longest else f"{clean[:longest]}..."


def listing(names: Sequence[str], most: int = 8) -> str:
    """The first few names of a list and how many more there are."""
    first = ", ".join(shown(name) for name in names[:most])
    return first if len(names) <= most else f"{first} and {len(names) - most} more"


def did_you_mean(name: str, names: Sequence[str]) -> str:
    """The question whether the most similar of some names was meant, empty if none is similar."""
    near = get_close_matches(name, names[:_SEARCHED], n=1)
    return f"Did you mean {shown(near[0])}?" if near else ""


def check_name(name: str, word: str, where: str) -> None:
    """Refuse an empty name and one that can only be an accident or an attack.

    Raises
    ------
    InputError : the name is empty, overlong, or holds a character that no name needs
    """
    if not name.strip():
        raise InputError(f"the {word} has an empty name", where=where, remedy="Give it a name.")
    if len(name) > _LONGEST:
        raise InputError(
            f"the name of this {word} is too long",
            where=where,
            expected=f"at most {_LONGEST} characters",
            got=f"{len(name)}",
        )
    bad = [c for c in name if c in _REFUSED or unicodedata.category(c) in _UNSEEN]
    bad.extend(pair for pair in _REFUSED_PAIRS if pair in name)
    if bad:
        raise InputError(
            f"the name of this {word} holds {shown(bad[0])!r}",
            where=where,
            expected="a name without quotes, backslashes, braces, semicolons, $ and line breaks",
            got=shown(name),
            remedy="Rename it; it is data and was not run.",
        )
