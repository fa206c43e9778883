"""The straight-line text of one function in Python, for floats and arrays alike.

A name is used again as soon as its value is not needed any more: freed arrays are still in the
cache when the next one takes their place, and floats come from Python's free list. That makes a
batch of large functions twice as fast.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from symdyn.codegen.program import (
    AngleBlock,
    Assign,
    Block,
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
from symdyn.codegen.split import name_slots
from symdyn.codegen.targets.number_text import number_text
from symdyn.codegen.targets.numpy_support import INFIX
from symdyn.codegen.text import visible


def literal(value: float) -> str:
    """Shortest decimal that reads back as the same double."""
    return number_text(value, "math.nan", "math.inf")


def body(program: Program, arguments: Sequence[str], name: str) -> list[str]:
    """Lines of the function ``_name_body`` and, of a split program, of its parts before it."""
    wanted = _angle_operands(program)
    # the result is zero to begin with
    fills = [
        f"op.fill(out, {fill.first}, {fill.count}, {literal(fill.value)})"
        for fill in program.fills
        if fill.value != 0.0
    ]
    parameters = ", ".join(["op", *arguments, "out"])
    head = f"def _{name}_body({parameters}):"
    if not program.is_split:
        text = _Text(program, arguments, wanted)
        lines = text.blocks(program.blocks)
        return [head, *text.unpacking(), *_indent([*fills, *lines] or ["pass"]), ""]
    shared = ", ".join(["op", *arguments, "angles", "work", "out"])
    functions: list[str] = []
    calls: list[str] = []
    for number, block in enumerate(program.blocks):
        text = _Text(program, arguments, wanted)
        lines = text.blocks([block])
        functions.append(f"def _{name}_part{number}({shared}):")
        functions += [*text.unpacking(), *_indent(lines), "", ""]
        calls.append(f"_{name}_part{number}({shared})")
    arrays = [f"angles = [None] * {2 * program.angles}", f"work = [None] * {program.work}"]
    return [*functions, head, *_indent([*arrays, *fills, *calls]), ""]


def _indent(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _angle_operands(program: Program) -> set[Operand]:
    """Sines and cosines that are read somewhere."""
    read: set[Operand] = set()
    for block in program.blocks:
        if isinstance(block, AngleBlock):
            read.update(block.angles)
            continue
        for statement in block.statements:
            read.update((statement.value,) if isinstance(statement, Store) else statement.args)
    return {operand for operand in read if isinstance(operand, Sine | Cosine)}


@dataclass(slots=True)
class _Text:
    """Prints the blocks of one Python function.

    Attributes
    ----------
    program : what they belong to
    arguments : Python name of each argument
    wanted : sines and cosines that are read somewhere
    """

    program: Program
    arguments: Sequence[str]
    wanted: set[Operand]
    _names: Mapping[int, int] = field(default_factory=dict[int, int])
    _entries: set[Entry] = field(default_factory=set[Entry])
    _angles: set[Operand] = field(default_factory=set[Operand])

    def blocks(self, blocks: Sequence[Block]) -> list[str]:
        """Lines of the blocks, without indentation."""
        self._names = name_slots(blocks)
        lines: list[str] = []
        for block in blocks:
            lines += self._part(block) if isinstance(block, Part) else self._angle_block(block)
        return lines

    def unpacking(self) -> list[str]:
        """Lines that give names to the entries and angles that the text reads."""
        lines: list[str] = []
        given = zip(self.program.spec.arguments, self.arguments, strict=True)
        for k, (argument, name) in enumerate(given):
            read = sorted(entry.index for entry in self._entries if entry.argument == k)
            if not read or argument.shape == ():
                continue
            size = len(argument.symbols)
            if 2 * len(read) < size:
                lines += [f"{name}_{i} = {name}[{i}]" for i in read]
            else:
                wanted = set(read)
                targets = [f"{name}_{i}" if i in wanted else "_" for i in range(size)]
                comma = "," if size == 1 else ""
                lines.append(f"{', '.join(targets)}{comma} = {name}")
        if self.program.is_split:
            lines += [
                f"{self._angle_name(angle)} = {self._angle_place(angle)}"
                for angle in sorted(self._angles, key=self._angle_name)
            ]
        return _indent(lines)

    def _part(self, part: Part) -> list[str]:
        exports = set(part.exports) if self.program.is_split else set[int]()
        lines: list[str] = []
        for statement in part.statements:
            lines.append(self._statement(statement))
            if isinstance(statement, Assign) and statement.target in exports:
                target = statement.target
                lines.append(f"work[{self.program.slots[target]}] = t{self._names[target]}")
        return lines

    def _angle_block(self, block: AngleBlock) -> list[str]:
        lines: list[str] = []
        for k, operand in enumerate(block.angles):
            pair = ((Sine(block.first + k), "sin"), (Cosine(block.first + k), "cos"))
            for angle, function in pair:
                if angle in self.wanted:
                    place = self._angle_place if self.program.is_split else self._angle_name
                    lines.append(f"{place(angle)} = op.{function}({self._operand(operand)})")
        return lines

    def _angle_name(self, operand: Operand) -> str:
        assert isinstance(operand, Sine | Cosine)
        return f"{'s' if isinstance(operand, Sine) else 'c'}{operand.angle}"

    def _angle_place(self, operand: Operand) -> str:
        """Where the functions of a split program hand each other sines and cosines."""
        assert isinstance(operand, Sine | Cosine)
        return f"angles[{2 * operand.angle + isinstance(operand, Cosine)}]"

    def _operand(self, operand: Operand) -> str:
        match operand:
            case Temp(index):
                if index in self._names:
                    return f"t{self._names[index]}"
                return f"work[{self.program.slots[index]}]"
            case Literal(value):
                return literal(value)
            case Entry(argument, index):
                self._entries.add(operand)
                name = self.arguments[argument]
                is_scalar = self.program.spec.arguments[argument].shape == ()
                return name if is_scalar else f"{name}_{index}"
            case Sine() | Cosine():
                self._angles.add(operand)
                return self._angle_name(operand)
            case _:
                assert_never(operand)

    def _statement(self, statement: Statement) -> str:
        if isinstance(statement, Store):
            return f"out[{statement.entry}] = {self._operand(statement.value)}"
        op = statement.op
        texts = [self._operand(a) for a in statement.args]
        if op in INFIX:
            right = f"{texts[0]} {INFIX[op]} {texts[1]}"
        elif op == "neg":
            right = f"-{texts[0]}"
        else:
            right = f"op.{op}({', '.join(texts)})"
        label = f"  # {visible(statement.label)}" if statement.label else ""
        return f"t{self._names[statement.target]} = {right}{label}"
