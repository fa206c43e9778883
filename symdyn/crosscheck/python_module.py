"""Load a generated Python module from its file: only if the file is, byte for byte, what was
generated.

Loading a module runs it. So the text is compared with the generator's own output first, and a file
that anybody has touched is refused unrun. Nothing is entered into ``sys.modules`` and no byte code
is written beside the file.
"""

from __future__ import annotations

import importlib.util
from importlib.abc import InspectLoader
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from symdyn._errors import VerificationError


class _VerifiedSource(InspectLoader):
    """Runs one text that is already in memory; there is no file left to exchange."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, fullname: str) -> str:
        del fullname
        return self._text


def check_untouched(path: Path, expected: str) -> None:
    """Raise unless a generated file holds exactly the text that was generated for it.

    Raises
    ------
    VerificationError : the file cannot be read or holds another text
    """
    try:
        found = path.read_bytes()
    except OSError as error:
        raise VerificationError(f"{path.name} cannot be read: {error.strerror}") from None
    if found != expected.encode("utf-8"):
        raise VerificationError(
            f"{path.name} does not hold what was generated for it; it was not run. "
            "Generate it again."
        )


def load_module(path: Path, expected: str) -> ModuleType:
    """The module in ``path``.

    Parameters
    ----------
    path : the generated file
    expected : the text that the generator gave for it

    Raises
    ------
    VerificationError : as `check_untouched`
    """
    check_untouched(path, expected)
    spec = ModuleSpec(f"symdyn_generated_{path.stem}", _VerifiedSource(expected), origin=str(path))
    module = importlib.util.module_from_spec(spec)
    assert spec.loader is not None
    spec.loader.exec_module(module)
    return module
