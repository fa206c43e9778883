"""The exception tree and the one shape of a message: what, where, expected, got, remedy."""

from __future__ import annotations

import errno


def counted(count: int, noun: str, many: str = "") -> str:
    """A number and what it counts: "1 pair", "2 pairs", "3 bodies".

    Parameters
    ----------
    count : how many
    noun : what, in the singular
    many : the plural, where it is not regular
    """
    if count == 1:
        return f"{count} {noun}"
    regular = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count} {many or regular}"


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
        text = f"{where}: {name} has {counted(got, 'entry')}; expected {expected}."
        super().__init__(f"{text} {remedy}".rstrip())


class UnsupportedError(SymdynError, NotImplementedError):
    """A legal request that symdyn does not cover; the message says what does work."""


class VerificationError(SymdynError, AssertionError):
    """Two roads to the same quantity disagree."""


#: What the operating system objects to, in a sentence, and what to do, for reading and for writing.
_FILE_FAULTS: dict[int, tuple[str, str, str]] = {
    errno.ENOENT: (
        "there is no such file or directory",
        "Check the path.",
        "Make the directory first, or check the path.",
    ),
    errno.EACCES: (
        "the permissions do not allow this",
        "Ask for the right to read it, or copy it.",
        "Name a place that you may write to.",
    ),
    errno.EPERM: (
        "the permissions do not allow this",
        "Ask for the right to read it, or copy it.",
        "Name a place that you may write to.",
    ),
    errno.EISDIR: ("this is a directory, not a file", "Name a file.", "Name a file."),
    errno.ENOTDIR: (
        "a part of the path is a file, not a directory",
        "Check the path.",
        "Name another path.",
    ),
    errno.EEXIST: (
        "a part of the path is a file, not a directory",
        "Check the path.",
        "Name another path.",
    ),
    errno.ENAMETOOLONG: (
        "the path is too long for the file system",
        "Check the path.",
        "Take shorter names.",
    ),
    errno.ENOSPC: ("the disk is full", "", "Make room, or name another place."),
    errno.EROFS: ("the file system is read-only", "", "Name a place that you may write to."),
    errno.ELOOP: ("links of the path lead to each other", "Check the path.", "Check the path."),
    errno.EBUSY: (
        "the file or directory is in use",
        "Try again later.",
        "Name another place, or leave that directory first.",
    ),
}
_LONGEST_PATH = 300


def file_error(error: OSError, path: object = None, *, writing: bool = False) -> InputError:
    """What the operating system said, as a sentence with a remedy.

    Parameters
    ----------
    error : from the operating system
    path : what was to be read or written; None for the one that the error names
    writing : whether it was to be written
    """
    name = str(error.filename if path is None and error.filename is not None else path or "")
    where = name if len(name) <= _LONGEST_PATH else f"{name[:_LONGEST_PATH]}..."
    where = where if where.isprintable() else where.encode("unicode_escape").decode("ascii")
    verb = "written" if writing else "read"
    known = _FILE_FAULTS.get(error.errno or 0)
    if known is None:
        reason = error.strerror or str(error) or type(error).__name__
        return InputError(f"this cannot be {verb}: {reason[:1].lower()}{reason[1:]}", where=where)
    what, reading_remedy, writing_remedy = known
    return InputError(what, where=where, remedy=writing_remedy if writing else reading_remedy)
