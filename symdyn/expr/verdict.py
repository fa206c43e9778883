"""What came out of checking a statement: five outcomes, never a bool.

- PROVED: established exactly, for all states.
- PROBABILISTIC: held at random points of finite fields; ``bound`` is the probability that a false
  statement would have passed.
- REFUTED: false; ``witness`` is a state at which both sides were computed and differ.
- INCOMPLETE: part of the argument is open; ``detail`` says which part.
- UNKNOWN: not decided, with the reason in ``detail``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

#: What JSON can hold.
Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]


class VerdictKind(Enum):
    """The five outcomes."""

    PROVED = "proved"
    PROBABILISTIC = "probabilistic"
    REFUTED = "refuted"
    INCOMPLETE = "incomplete"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for one claim.

    Attributes
    ----------
    kind : which of the five
    claim : the statement, as a sentence or a formula
    detail : what was done, what is open, or why it failed
    bound : probability of passing although false; None unless the outcome is PROBABILISTIC
    witness : state and values of both sides; None unless the outcome is REFUTED
    method : how the outcome was reached (``normal form``, ``finite field``, …)

    Raises
    ------
    ValueError : a probabilistic outcome without its bound, or a refutation without its witness
    """

    kind: VerdictKind
    claim: str
    detail: str = ""
    bound: Fraction | None = None
    witness: Mapping[str, Json] | None = None
    method: str = ""

    def __post_init__(self) -> None:
        if (self.kind is VerdictKind.PROBABILISTIC) != (self.bound is not None):
            raise ValueError("a probabilistic verdict, and no other, states its failure bound")
        if (self.kind is VerdictKind.REFUTED) != (self.witness is not None):
            raise ValueError("a refutation, and no other verdict, shows its witness")

    def __bool__(self) -> bool:
        raise TypeError(
            "a verdict is not a truth value: it may be unknown or probabilistic. "
            "Compare verdict.kind, or ask verdict.holds."
        )

    @property
    def holds(self) -> bool:
        """Whether the claim may be relied on: proved, or not refuted at random points."""
        return self.kind in (VerdictKind.PROVED, VerdictKind.PROBABILISTIC)

    def text(self) -> str:
        """One line: outcome, claim, bound or reason."""
        line = f"{self.kind.value}: {self.claim}"
        if self.bound is not None:
            line += f" (failure probability below {bound_text(self.bound)})"
        return f"{line} [{self.detail}]" if self.detail else line

    def to_json(self) -> dict[str, Json]:
        """Plain data for `json.dumps`; the bound as an exact fraction in text."""
        return {
            "kind": self.kind.value,
            "claim": self.claim,
            "detail": self.detail,
            "bound": None if self.bound is None else str(self.bound),
            "witness": None if self.witness is None else dict(self.witness),
            "method": self.method,
        }


def bound_text(bound: Fraction) -> str:
    """A power of two that is not below the bound, as text: ``2^-104``."""
    if bound <= 0:
        return "0"
    # exact also for bounds far below the smallest double
    exponent = bound.numerator.bit_length() - bound.denominator.bit_length() + 1
    while _power(exponent - 1) >= bound:
        exponent -= 1
    return f"2^{exponent}"


def _power(exponent: int) -> Fraction:
    return Fraction(2**exponent) if exponent >= 0 else Fraction(1, 2**-exponent)


def verdict_from_json(record: Mapping[str, Json]) -> Verdict:
    """Inverse of `Verdict.to_json`.

    Raises
    ------
    ValueError : the record is none of ours
    """
    bound, witness = record.get("bound"), record.get("witness")
    if bound is not None and not isinstance(bound, str):
        raise ValueError(f"bound of a verdict: expected a fraction as text, got {bound!r}")
    if witness is not None and not isinstance(witness, dict):
        raise ValueError(f"witness of a verdict: expected an object, got {witness!r}")
    return Verdict(
        kind=VerdictKind(record.get("kind")),
        claim=str(record.get("claim", "")),
        detail=str(record.get("detail", "")),
        bound=None if bound is None else Fraction(bound),
        witness=witness,
        method=str(record.get("method", "")),
    )
