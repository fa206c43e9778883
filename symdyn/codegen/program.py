"""The target-neutral program: typed straight-line statements, bounded in depth and length.

A program computes one function. Its operands are numbers that exist already (temporaries, entries
of arguments, literals, sines and cosines of its angles), so no statement nests and no target has to
think about precedence. Sines and cosines are gathered in `AngleBlock`s, which targets may compute
several at a time. Statements are grouped in `Part`s that stay below the target's limit; what a part
needs from an earlier one travels through numbered slots of a work array.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from symdyn.codegen.spec import FunctionSpec
from symdyn.expr.measure import OperationCounts


@dataclass(frozen=True, slots=True)
class Temp:
    """A temporary, numbered from 0 in order of appearance in its function."""

    index: int


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of an argument: position of the argument, flat position in it."""

    argument: int
    index: int


@dataclass(frozen=True, slots=True)
class Literal:
    """A double; everything that depends on no argument was folded into these."""

    value: float


@dataclass(frozen=True, slots=True)
class Sine:
    """The sine of the angle with that number."""

    angle: int


@dataclass(frozen=True, slots=True)
class Cosine:
    """The cosine of the angle with that number."""

    angle: int


Operand = Temp | Entry | Literal | Sine | Cosine


@dataclass(frozen=True, slots=True)
class Assign:
    """``target = op(args)``, op one of `symdyn.algebra.ops.OPS` without leaves and ``powi``."""

    target: int
    op: str
    args: tuple[Operand, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Store:
    """Entry ``entry`` of the result, flat and row-major, becomes ``value``."""

    entry: int
    value: Operand


Statement = Assign | Store


@dataclass(frozen=True, slots=True)
class Fill:
    """Entries ``first`` to ``first + count - 1`` of the result are one constant."""

    first: int
    count: int
    value: float


@dataclass(frozen=True, slots=True)
class AngleBlock:
    """Sine and cosine of angles ``first``, ``first + 1``, …

    Attributes
    ----------
    first : number of the first angle
    angles : their values in rad
    run : argument and first entry if the angles are consecutive entries of one argument, else None
    """

    first: int
    angles: tuple[Operand, ...]
    run: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Part:
    """Statements that run one after the other and make up one function of a split program.

    Attributes
    ----------
    statements : at most as many as the target allows
    exports : temporaries that later blocks read through the work array, ascending
    """

    statements: tuple[Statement, ...]
    exports: tuple[int, ...]


Block = Part | AngleBlock


@dataclass(frozen=True, slots=True)
class Program:
    """One function, ready to print.

    Attributes
    ----------
    spec : the function it computes
    prelude : parts that read shared arguments only: a batch runs them once (see `lower.lower`)
    blocks : what runs for each state
    fills : runs of entries of the result that are constant, in no block
    shared : temporaries of the prelude
    angles : number of angles
    is_split : whether parts are functions of their own; if not there is one part at most between
        two angle blocks and all temporaries are visible to all of them
    slots : slot of the work array of each exported temporary (of the prelude: of its own array)
    work, prelude_work : number of slots of the two arrays
    counts : operations of the statements
    """

    spec: FunctionSpec
    prelude: tuple[Part, ...]
    blocks: tuple[Block, ...]
    fills: tuple[Fill, ...]
    shared: frozenset[int]
    angles: int
    is_split: bool
    slots: Mapping[int, int]
    work: int
    prelude_work: int
    counts: OperationCounts

    def statements(self) -> Iterator[Statement]:
        """All statements in the order in which they run."""
        for part in self.prelude:
            yield from part.statements
        for block in self.blocks:
            if isinstance(block, Part):
                yield from block.statements
