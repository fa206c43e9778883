"""Compile with a cache: the same sources, flags and compiler are compiled once per machine.

The cache lies in the user's cache directory, never in the repository.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from symdyn._errors import UnsupportedError
from symdyn.crosscheck.compilers import run_program

#: What everything that is timed is compiled with, ours and the rivals' alike.
TIMED_FLAGS: tuple[str, ...] = ("-O3", "-march=native")
#: Seconds one compilation may take; Pinocchio on CasADi's symbols is the slow one.
LIMIT = 3600.0


def cache_directory() -> Path:
    """Where compiled rivals are kept; ``SYMDYN_BENCH_CACHE`` names another place."""
    asked = os.environ.get("SYMDYN_BENCH_CACHE")
    base = Path(asked) if asked else Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser()
    path = base if asked else base / "symdyn-benchmarks"
    path.mkdir(parents=True, exist_ok=True)
    return path


def cached(name: str, key: Sequence[str], make: Callable[[Path], None]) -> Path:
    """The file made by ``make``, from the cache if it was made before with the same ``key``.

    Parameters
    ----------
    name : file name
    key : everything that the content depends on
    make : writes the file to the path it is given
    """
    digest = hashlib.sha256("\x00".join(key).encode()).hexdigest()[:16]
    place = cache_directory() / digest / name
    if place.exists():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        fresh = Path(folder) / name
        make(fresh)
        fresh.rename(place)
    return place


def compile_program(command: Sequence[str | Path], what: str) -> None:
    """Run a compiler, at low priority: it may take minutes.

    Raises
    ------
    UnsupportedError : it fails; the message holds its first error
    """
    done = run_program(["nice", "-n", "10", *command], limit=LIMIT)
    if done.status != 0:
        errors = [line for line in done.errors.splitlines() if "error" in line]
        first = (errors or done.errors.splitlines() or ["no message"])[0]
        raise UnsupportedError(f"{what} does not compile: {first[:300]}")


def version_of(compiler: str) -> str:
    """First line of what a compiler says about itself.

    Raises
    ------
    UnsupportedError : it cannot be started
    """
    return run_program([compiler, "--version"], limit=20).output.splitlines()[0]
