"""What the friction commands share: values of parameters, figures, printing."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from symdyn._errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from symdyn.friction.law import FrictionLaw
    from symdyn.io.csv_table import NumberTable


def add_law_argument(parser: argparse.ArgumentParser, *, many: bool = False) -> None:
    """Add LAW, or LAW ..."""
    parser.add_argument(
        "law",
        metavar="LAW",
        nargs="+" if many else None,
        help="a friction law by name; `symdyn friction show` lists them",
    )


def add_values_option(parser: argparse.ArgumentParser) -> None:
    """Add ``--set``."""
    parser.add_argument(
        "-s",
        "--set",
        metavar="VALUES",
        action="append",
        default=[],
        help="parameters as NAME=NUMBER, separated by commas; may be repeated. What is left out "
        "takes the law's example value, which the output names.",
    )


def add_output_options(parser: argparse.ArgumentParser, *, figure: str) -> None:
    """Add ``--plot`` and ``--json``."""
    parser.add_argument("--plot", metavar="FILE", help=f"draw {figure}, .png or .svg")
    parser.add_argument("--json", action="store_true", help="print JSON")


def numbers(texts: Sequence[str], option: str) -> dict[str, float]:
    """``NAME=NUMBER,...`` as a mapping.

    Raises
    ------
    InputError : not of that form, no finite number, or a name twice
    """
    found: dict[str, float] = {}
    for part in ",".join(texts).split(",") if texts else []:
        name, equals, text = part.partition("=")
        name = name.strip()
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not name or not equals or not math.isfinite(value):
            raise InputError(
                "this is no NAME=NUMBER",
                where=option,
                expected="for example Fc=1,Fs=1.5",
                got=repr(part),
            )
        if name in found:
            raise InputError(f"{name} is given twice", where=option)
        found[name] = value
    return found


def number_list(text: str, option: str) -> list[float]:
    """Finite numbers separated by commas.

    Raises
    ------
    InputError : something else
    """
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if not found or not all(map(math.isfinite, found)):
        raise InputError(
            "no list of finite numbers", where=option, expected="for example 0.1,1,10",
            got=repr(text),
        )  # fmt: skip
    return found


def complete(
    law: FrictionLaw, given: Mapping[str, float], option: str = "--set"
) -> dict[str, float]:
    """Values of all parameters: those given, else the example's.

    Raises
    ------
    InputError : a name that the law does not have, or values that it refuses
    """
    from symdyn.friction.example import EXAMPLES

    names = [q.name for q in law.parameters]
    for name in given:
        if name not in names:
            raise InputError(
                f"{law.name} has no parameter {name!r}", where=option, expected=" ".join(names)
            )
    return law.check({**EXAMPLES.get(law.name, {}), **given}, where=option)


def assumed(law: FrictionLaw, given: Mapping[str, float]) -> list[str]:
    """A line that names what was not given."""
    from symdyn.friction.example import EXAMPLES

    left = [f"{n} = {x:g}" for n, x in EXAMPLES.get(law.name, {}).items() if n not in given]
    return [f"example values: {', '.join(left)}"] if left else []


def write_figure(path: str | None, draw: Callable[[str], bytes]) -> None:
    """Draw into a file, if one is named.

    Parameters
    ----------
    draw : gives the bytes for ``png`` or ``svg``
    """
    if path is not None:
        Path(path).write_bytes(draw(figure_form(path)))


def figure_form(path: str) -> str:
    """``png`` or ``svg``, from the name of a file.

    Raises
    ------
    InputError : another ending
    """
    form = Path(path).suffix[1:]
    if form not in ("png", "svg"):
        raise InputError("a figure is .png or .svg", where="--plot", got=repr(Path(path).name))
    return form


def put(options: argparse.Namespace, lines: Sequence[str], record: object) -> int:
    """Print for people, or for programs with ``--json``; returns exit status 0."""
    if options.json:
        json.dump(record, sys.stdout, ensure_ascii=False)
        sys.stdout.write("\n")
    else:
        sys.stdout.write("\n".join(lines) + "\n")
    return 0


def read_table(source: str) -> NumberTable:
    """A CSV file, or standard input for ``-``."""
    from symdyn.cli.options import read_text
    from symdyn.io.csv_table import parse_table

    where, text = read_text(source)
    return parse_table(text, where)


def renamed(texts: Sequence[str], option: str = "--columns") -> dict[str, str]:
    """``ROLE=NAME,...`` as a mapping.

    Raises
    ------
    InputError : not of that form
    """
    found: dict[str, str] = {}
    for part in ",".join(texts).split(",") if texts else []:
        role, equals, name = part.partition("=")
        if not role.strip() or not equals or not name.strip():
            raise InputError(
                "this is no ROLE=NAME", where=option, expected="for example v=speed,F=torque",
                got=repr(part),
            )  # fmt: skip
        found[role.strip()] = name.strip()
    return found


def refuse_unknown(given: dict[str, float], known: set[str], option: str) -> None:
    """Refuse names that no law has.

    Raises
    ------
    InputError : there is one
    """
    for name in given:
        if name not in known:
            raise InputError(
                f"no law named has {name!r}",
                where=option,
                expected=" ".join(sorted(known)) or "none",
            )
