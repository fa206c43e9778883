"""Statements of a program as C text, for one state (``double``) and for a batch (vector types).

Each statement is one line with at most one operation. In the batch text a temporary is a vector
with one number per state, except for those that depend on shared arguments only: they are doubles,
and the compiler broadcasts them. What libm computes is computed state by state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from symdyn.codegen.program import (
    AngleBlock,
    Assign,
    Cosine,
    Entry,
    Literal,
    Operand,
    Part,
    Program,
    Sine,
    Statement,
    Store,
    Temp,
)
from symdyn.codegen.targets.c_support import COMPARE, FUNCTIONS, INFIX, LIBM
from symdyn.codegen.targets.number_text import number_text
from symdyn.codegen.text import c_comment

#: The kernel computes that many angles at a time; shorter blocks are filled up with zeros.
QUAD = 4


def literal(value: float) -> str:
    """Shortest decimal that reads back as the same double."""
    return number_text(value, "NAN", "INFINITY")


@dataclass(slots=True)
class Used:
    """What the text of a function mentions: its parameters follow from it."""

    arguments: set[int] = field(default_factory=set[int])
    names: set[str] = field(default_factory=set[str])


@dataclass(slots=True)
class Writer:
    """Prints the statements of one program.

    Attributes
    ----------
    program : what to print
    prefix : of the unit
    arguments : C name of each argument; of a vector copy of it where ``is_batch`` and not shared
    is_batch : vector text
    """

    program: Program
    prefix: str
    arguments: list[str]
    is_batch: bool
    used: Used = field(default_factory=Used)
    _local: set[int] = field(default_factory=set[int])
    _angle_slots: Mapping[int, int] = field(default_factory=dict[int, int])
    _angle_space: int = 0

    def __post_init__(self) -> None:
        slots: dict[int, int] = {}
        for block in self.program.blocks:
            if isinstance(block, AngleBlock):
                for k in range(len(block.angles)):
                    slots[block.first + k] = self._angle_space + k
                self._angle_space += self._space_of(block)
        self._angle_slots = slots

    def _space_of(self, block: AngleBlock) -> int:
        """Numbers that the kernel writes for a block: what is gathered is filled up with zeros."""
        size = len(block.angles)
        if self.is_batch or (block.run is not None and size >= QUAD):
            return size
        return -(-size // QUAD) * QUAD

    @property
    def angle_space(self) -> int:
        """Length of the arrays of sines and cosines; short blocks are padded."""
        return self._angle_space

    @property
    def number_type(self) -> str:
        return f"{self.prefix}_lanes" if self.is_batch else "double"

    def start(self) -> None:
        """Begin a new C function: no temporaries yet, nothing used yet."""
        self._local = set()
        self.used = Used()

    # -- operands -------------------------------------------------------------------------------

    def operand(self, operand: Operand) -> str:
        match operand:
            case Temp(index):
                if index in self._local:
                    return f"t{index}"
                array = "fixed" if index in self.program.shared else "work"
                self.used.names.add(array)
                return f"{array}[{self.program.slots[index]}]"
            case Literal(value):
                return literal(value)
            case Entry(argument, index):
                self.used.arguments.add(argument)
                name = self.arguments[argument]
                given = self.program.spec.arguments[argument]
                is_plain = given.shape == () and (given.shared or not self.is_batch)
                return name if is_plain else f"{name}[{index}]"
            case Sine(angle):
                self.used.names.add("sines")
                return f"sines[{self._angle_slots[angle]}]"
            case Cosine(angle):
                self.used.names.add("cosines")
                return f"cosines[{self._angle_slots[angle]}]"
            case _:
                assert_never(operand)

    def is_vector(self, operand: Operand) -> bool:
        """Whether the operand has a number per state in this text."""
        if not self.is_batch:
            return False
        match operand:
            case Temp(index):
                return index not in self.program.shared
            case Entry(argument, _):
                return not self.program.spec.arguments[argument].shared
            case Literal():
                return False
            case Sine() | Cosine():
                return True
            case _:
                assert_never(operand)

    # -- statements -----------------------------------------------------------------------------

    def part(self, part: Part, *, exports: bool) -> list[str]:
        """Lines of a part; with ``exports`` its exported temporaries go to their array."""
        lines: list[str] = []
        wanted = set(part.exports) if exports else set[int]()
        for statement in part.statements:
            lines.append(self._statement(statement))
            if isinstance(statement, Assign) and statement.target in wanted:
                target = statement.target
                array = "fixed" if target in self.program.shared else "work"
                self.used.names.add(array)
                lines.append(f"{array}[{self.program.slots[target]}] = t{target};")
        return lines

    def _statement(self, statement: Statement) -> str:
        if isinstance(statement, Store):
            return self._store(statement)
        inputs = statement.args
        is_vector = any(self.is_vector(a) for a in inputs)
        op, target = statement.op, statement.target
        texts = [self.operand(a) for a in inputs]
        self._local.add(target)
        label = f" /* {c_comment(statement.label)} */" if statement.label else ""
        if is_vector and op not in INFIX and op != "neg":
            each = [
                f"{text}[k]" if self.is_vector(a) else text
                for text, a in zip(texts, inputs, strict=True)
            ]
            body = self._scalar_expression(op, each)
            kind = self.number_type
            macro = f"{self.prefix.upper()}_EACH"
            return f"{kind} t{target} = {{0}}; {macro} t{target}[k] = {body};{label}"
        kind = self.number_type if is_vector else "double"
        return f"const {kind} t{target} = {self._scalar_expression(op, texts)};{label}"

    def _scalar_expression(self, op: str, args: list[str]) -> str:
        if op in INFIX:
            return f"{args[0]} {INFIX[op]} {args[1]}"
        if op == "neg":
            return f"-{args[0]}"
        if op in LIBM:
            return f"{LIBM[op]}({args[0]})"
        if op in COMPARE:
            return f"{args[0]} {COMPARE[op]} {args[1]} ? 1.0 : 0.0"
        if op == "where":
            return f"{args[0]} != 0.0 ? {args[1]} : {args[2]}"
        assert op in FUNCTIONS, f"operation {op!r} has no C text"
        return f"{self.prefix}_{op}({', '.join(args)})"

    def _store(self, statement: Store) -> str:
        value = self.operand(statement.value)
        if self.is_batch:
            self.used.names.add("result")
            if not self.is_vector(statement.value):
                value = f"{self.prefix.upper()}_ALL({value})"
            return f"result[{statement.entry}] = {value};"
        self.used.names.add("out")
        is_scalar = self.program.spec.result.shape == ()
        return f"*out = {value};" if is_scalar else f"out[{statement.entry}] = {value};"

    def angles(self, block: AngleBlock, number: int) -> list[str]:
        """Lines that compute the sines and cosines of a block."""
        at, n = self._angle_slots[block.first], len(block.angles)
        texts = [self.operand(angle) for angle in block.angles]
        self.used.names.update(("sines", "cosines"))
        sines, cosines = (f"{name} + {at}" if at else name for name in ("sines", "cosines"))
        if n < QUAD and not self.is_batch:
            three = ", ".join([*texts, "0.0", "0.0"][:3])
            return [f"{self.prefix}_sincos_few({n}, {three}, {sines}, {cosines});"]
        lines: list[str] = []
        if block.run is not None:
            first = block.run[1]
            source = self.arguments[block.run[0]] + (f" + {first}" if first else "")
        else:
            source, n = f"angles{number}", self._space_of(block)
            lines.append(f"const {self.number_type} {source}[{n}] = {{{', '.join(texts)}}};")
        call = "batch_sincos" if self.is_batch else "sincos"
        lines.append(f"{self.prefix}_{call}({n}, {source}, {sines}, {cosines});")
        return lines
