"""Find a C compiler, compile generated C strictly, load it; every program run under a time limit.

Commands are argument lists, never text for a shell. Warnings are errors: generated code has none.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from symdyn._errors import UnsupportedError, VerificationError

#: C11 without extensions (so no contraction of a*b + c), optimised, every warning an error.
STRICT_FLAGS: tuple[str, ...] = ("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror")
#: Seconds a compilation may take. gcc -O2 needs 11 s for a 30-joint mass matrix in one function.
COMPILE_LIMIT = 600.0

_CANDIDATES = ("cc", "gcc", "clang")
_SHOWN_LINES = 12


@dataclass(frozen=True, slots=True)
class Compiler:
    """A C compiler: where it is, and the first line of what it says about itself."""

    path: str
    version: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A program that ended in time: its exit status and what it wrote."""

    status: int
    output: str
    errors: str


def run_program(
    command: Sequence[str | Path], *, limit: float, directory: Path | None = None
) -> Finished:
    """Run a program without a shell and without standard input.

    Parameters
    ----------
    command : program and arguments
    limit : seconds after which it is killed
    directory : where it runs

    Raises
    ------
    UnsupportedError : it cannot be started, or does not end in time
    """
    arguments = [str(part) for part in command]
    try:
        done = subprocess.run(
            arguments,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit,
            cwd=directory,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise UnsupportedError(f"{Path(arguments[0]).name} did not end in {limit:g} s") from None
    except OSError as error:
        raise UnsupportedError(
            f"{Path(arguments[0]).name} cannot be started: {error.strerror}"
        ) from None
    return Finished(done.returncode, done.stdout, done.stderr)


def find_c_compiler(environment: Mapping[str, str] | None = None) -> Compiler | None:
    """The C compiler of this machine, or None.

    Parameters
    ----------
    environment : where ``CC`` (a program, no arguments) and ``PATH`` are looked up; the process's
        own if None
    """
    variables = os.environ if environment is None else environment
    asked = variables.get("CC", "").strip()
    for name in (asked, *_CANDIDATES) if asked else _CANDIDATES:
        path = shutil.which(name, path=variables.get("PATH"))
        if path is None:
            continue
        try:
            said = run_program([path, "--version"], limit=20)
        except UnsupportedError:
            continue
        if said.status == 0 and said.output.strip():
            return Compiler(path, said.output.strip().splitlines()[0])
    return None


def compile_library(
    compiler: Compiler,
    sources: Sequence[Path],
    library: Path,
    *,
    flags: Sequence[str] = STRICT_FLAGS,
    limit: float = COMPILE_LIMIT,
) -> None:
    """Compile C sources into a shared library.

    Parameters
    ----------
    sources : C files; headers are looked for beside each
    library : file to write
    flags : in place of `STRICT_FLAGS`
    limit : seconds

    Raises
    ------
    VerificationError : the compiler refuses; the message holds its first lines
    UnsupportedError : it does not end in time
    """
    folders = dict.fromkeys(source.parent for source in sources)
    includes = [part for folder in folders for part in ("-I", str(folder))]
    done = run_program(
        [compiler.path, *flags, "-fPIC", "-shared", *includes, *sources, "-o", library, "-lm"],
        limit=limit,
    )
    if done.status != 0:
        raise VerificationError(
            f"{' '.join(source.name for source in sources)} does not compile with "
            f"{' '.join(flags)}: {_first_lines(done.errors, sources)}"
        )


def compile_and_load(
    compiler: Compiler,
    sources: Sequence[Path],
    *,
    flags: Sequence[str] = STRICT_FLAGS,
    limit: float = COMPILE_LIMIT,
) -> ctypes.CDLL:
    """Compile C sources in a temporary directory and load them into this process.

    Raises
    ------
    VerificationError, UnsupportedError : as `compile_library`
    """
    with tempfile.TemporaryDirectory(prefix="symdyn-") as folder:
        library = Path(folder) / "generated.so"
        compile_library(compiler, sources, library, flags=flags, limit=limit)
        # The loader keeps the file mapped, so the directory may go.
        return ctypes.CDLL(str(library))


def _first_lines(text: str, sources: Sequence[Path]) -> str:
    """The beginning of a compiler's complaint, without the directories of this machine."""
    for source in sources:
        text = text.replace(f"{source.parent}{os.sep}", "")
    lines = [line for line in text.splitlines() if line.strip()]
    more = f" … ({len(lines)} lines)" if len(lines) > _SHOWN_LINES else ""
    return "\n".join(lines[:_SHOWN_LINES]) + more
