"""Names of a robot file as identifiers of a target: injective, deterministic, with a map to print.

Names come from files: they hold slashes, blanks, Greek letters, keywords and macros, or nothing at
all. A name that is a plain identifier and not reserved stays as it is. Any other one is spelled
with ASCII letters, digits and underscores (Greek letters by their names, other characters by their
code), and what is then reserved or already taken gets an underscore or a number behind it. Plain
names are served first, so that an odd name never changes a plain one. Nothing here depends on a
Unicode database, a hash seed or the Python version.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*_?")
_GREEK_LETTERS = "αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΦΨΩςϑϕϵϖϱ"
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma"
    " tau upsilon phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
    " sigma theta phi epsilon pi rho"
)
_GREEK = dict(zip(_GREEK_LETTERS, _GREEK_NAMES.split(), strict=True))


@dataclass(frozen=True, slots=True)
class NameRules:
    """What a target forbids.

    Attributes
    ----------
    reserved : words that cannot be used
    internal : pattern of the names that the printer makes up itself
    max_length : longer names are cut and get a hash
    """

    reserved: frozenset[str]
    internal: re.Pattern[str] | None = None
    max_length: int = 48

    def forbids(self, name: str) -> bool:
        """Whether the target cannot use this identifier for a name of ours."""
        if name in self.reserved:
            return True
        return self.internal is not None and self.internal.fullmatch(name) is not None


def spell(text: str) -> str:
    """ASCII letters, digits and underscores for any text; not injective by itself."""
    parts: list[str] = []
    for char in text:
        if char.isascii() and char.isalnum():
            parts.append(char)
        elif char.isascii():
            parts.append("_")
        elif char in _GREEK:
            parts.append(f"_{_GREEK[char]}_")
        else:
            parts.append(f"_u{ord(char):04x}_")
    name = re.sub("_+", "_", "".join(parts)).strip("_")
    if not name:
        return "unnamed"
    return f"n{name}" if name[0].isdigit() else name


class Names:
    """The identifiers of one scope.

    Parameters
    ----------
    rules : of the target
    taken : identifiers that the scope already holds
    """

    def __init__(self, rules: NameRules, taken: Iterable[str] = ()) -> None:
        self._rules = rules
        self._taken = set(taken)

    def claim(self, text: str) -> str:
        """An identifier for ``text`` that nothing else in this scope has."""
        rules = self._rules
        plain = _PLAIN.fullmatch(text) is not None
        name = text if plain else spell(text)
        if len(name) > rules.max_length:
            mark = sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:8]
            name = f"{name[: rules.max_length - 9].rstrip('_')}_{mark}"
        candidate = f"{name}_" if rules.forbids(name) and not name.endswith("_") else name
        number = 1
        while candidate in self._taken or rules.forbids(candidate):
            number += 1
            # a letter before the number: internal names may end in a number alone
            candidate = f"{name.rstrip('_')}_v{number}"
        self._taken.add(candidate)
        return candidate

    def claim_all(self, texts: Sequence[str]) -> dict[str, str]:
        """Identifiers for distinct texts; those that can keep their spelling are served first."""
        distinct = list(dict.fromkeys(texts))
        kept = [
            t
            for t in distinct
            if _PLAIN.fullmatch(t)
            and len(t) <= self._rules.max_length
            and not self._rules.forbids(t)
            and t not in self._taken
        ]
        names = {t: self.claim(t) for t in kept}
        names.update({t: self.claim(t) for t in distinct if t not in names})
        return {t: names[t] for t in distinct}
