"""The exception tree and the one shape of a message: what, where, expected, got, remedy."""

from __future__ import annotations


class SymdynError(Exception):
    """Root of every error that symdyn raises on purpose."""


class InputError(SymdynError, ValueError):
    """A file, an expression or an argument is not what it has to be.

    Parameters
    ----------
    what : one sentence that names the fault
    where : file, line and element, as far as known
    expected, got : what the place should hold and what it holds
    remedy : what the user can do
    """

    def __init__(
        self,
        what: str,
        *,
        where: str = "",
        expected: str = "",
        got: str = "",
        remedy: str = "",
    ) -> None:
        self.what, self.where = what, where
        self.expected, self.got, self.remedy = expected, got, remedy
        parts = [f"{where}: {what}" if where else what]
        if expected:
            parts.append(f"expected {expected}")
        if got:
            parts.append(f"got {got}")
        text = "; ".join(parts) + "."
        super().__init__(f"{text} {remedy}".rstrip())


class SizeError(SymdynError, ValueError):
    """A vector or matrix has the wrong number of entries."""

    def __init__(self, where: str, name: str, expected: int, got: int, remedy: str = "") -> None:
        text = f"{where}: {name} has {got} entries; expected {expected}."
        super().__init__(f"{text} {remedy}".rstrip())


class UnsupportedError(SymdynError, NotImplementedError):
    """A legal request that symdyn does not cover; the message says what does work."""


class VerificationError(SymdynError, AssertionError):
    """Two roads to the same quantity disagree."""
