"""A text file read with care: what is wrong with it is said in one line, before any parsing."""

from __future__ import annotations

from pathlib import Path

from symdyn._errors import InputError, file_error
from symdyn.model.names import shown


def read_text(path: Path, limit: int) -> str:
    """The UTF-8 text of a file.

    Parameters
    ----------
    path : of the file
    limit : largest size [bytes]

    Raises
    ------
    InputError : it is missing, a directory, empty, too large, binary, not UTF-8, or not readable
    """
    where = shown(str(path), 300)
    try:
        if path.is_dir():
            raise InputError("this is a directory", where=where, expected="a file")
        if not path.exists():
            raise InputError("there is no such file", where=where, remedy="Check the path.")
        if not path.is_file():
            raise InputError("this is no ordinary file", where=where, expected="a file of text")
        size = path.stat().st_size
        if size > limit:
            raise InputError(
                "the file is too large",
                where=where,
                expected=f"at most {limit / 1e6:g} MB",
                got=f"{size / 1e6:.3g} MB",
            )
        content = path.read_bytes()
    except OSError as error:
        raise file_error(error, path) from None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            "no path can hold a null character", where=where, remedy="Check the path."
        ) from None
    if not content.strip():
        raise InputError("the file is empty", where=where, expected="a robot")
    if b"\0" in content[:4096] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("this is a binary file", where=where, expected="text in UTF-8")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            "the text is not UTF-8",
            where=f"{where}:{line}",
            got=f"byte {content[error.start]:#04x} at offset {error.start}",
            remedy="Save it as UTF-8.",
        ) from None
