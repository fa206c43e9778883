"""A target as data: its limits, its words, and the one function that prints a unit in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from symdyn.codegen.lower import Order
from symdyn.codegen.spec import Unit


@dataclass(frozen=True, slots=True)
class EntryPoints:
    """Identifiers of a unit in one target, by the names that the unit gives.

    Attributes
    ----------
    unit : file name without suffix; prefix of external names where the target needs one
    functions, batches : identifier of each function and of its entry point for many states
    arguments : identifiers of the arguments of each function, in order
    constants : identifier of each constant
    """

    unit: str
    functions: Mapping[str, str]
    batches: Mapping[str, str]
    arguments: Mapping[str, tuple[str, ...]]
    constants: Mapping[str, str]


#: Changes only when the text of generated files changes for the same unit.
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Target:
    """A language or library that units are printed for.

    Attributes
    ----------
    name : as given on the command line
    title : one line for catalogues
    max_statements : longer functions are split into parts of at most that many statements, so that
        compilers and byte-code formats keep up
    batch_statements : longer functions get no vectorised batch entry point (their batch loops over
        the function for one state)
    batch_entries : likewise for results with more entries
    order : order of emission that measured best
    emit : prints a checked unit; file name to text
    entry_points : identifiers that callers of the generated code use
    """

    name: str
    title: str
    max_statements: int
    batch_statements: int
    batch_entries: int
    order: Order
    emit: Callable[[Unit, Target], Mapping[str, str]]
    entry_points: Callable[[Unit], EntryPoints]
