"""The command ``symdyn``: arguments in, exit status out; what it does stands in the library.

Exit status: 0 success; 1 two roads to the same number disagree, or a check found a difference;
2 the input or the usage is at fault (one line on standard error); 130 interrupted.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from symdyn import __version__
from symdyn._errors import InputError, SymdynError, VerificationError, file_error
from symdyn.cli import derive, evaluate, friction, identify, show, simulate

SUCCESS, FAILED, FAULT, INTERRUPTED = 0, 1, 2, 130

_ROBOT = """\
ROBOT is a path to a .urdf, MJCF .xml or symdyn .toml file, or the name of a built-in robot; see
`symdyn show --list`."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        # an argument may hold a line break
        line = " ".join(message.split())
        self.exit(FAULT, f"symdyn: error: {line} (see `{self.prog} --help`)\n")


def parser() -> Parser:
    """The whole grammar of the command line."""
    root = Parser(
        prog="symdyn",
        description="Symbolic derivation of robot dynamics, verified and exported as code.",
        epilog=_ROBOT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    root.add_argument("--version", action="version", version=f"symdyn {__version__}")
    commands = root.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", required=True, parser_class=Parser
    )
    for module in (show, derive, evaluate, simulate, friction, identify):
        module.add_to(commands)
    return root


#: Options that name a file to be written.
_WRITTEN = ("csv", "plot", "output")


def refuse_to_replace_input(options: argparse.Namespace) -> None:
    """Refuse outputs that are also read.

    Raises
    ------
    InputError : a file to be written is the robot or the data that the command reads
    """
    named = {k: str(v) for k, v in vars(options).items() if isinstance(v, (str, Path))}
    for out in _WRITTEN:
        for name, value in named.items():
            if name != out and out in named and _is_same_file(named[out], value):
                raise InputError(
                    "the file to be written is one that is read or written besides",
                    where=f"--{out}",
                    got=named[out],
                    remedy="Name another file.",
                )


def _is_same_file(one: str, other: str) -> bool:
    try:
        return Path(one).is_file() and Path(one).samefile(other)
    except (OSError, ValueError):
        return False  # the other is no file, or no path at all


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    options = parser().parse_args(arguments)
    try:
        refuse_to_replace_input(options)
        status: int = options.run(options)
        sys.stdout.flush()
    except VerificationError as error:
        return _complain(str(error), FAILED)
    except SymdynError as error:
        return _complain(str(error), FAULT)
    except BrokenPipeError:
        # the reader of our output went away: nothing more to say, also not at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        return _complain(str(file_error(error)), FAULT)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)
    return status


def _complain(message: str, status: int) -> int:
    sys.stderr.write(f"symdyn: error: {' '.join(message.split())}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
