"""One Python module on NumPy: one state or any batch of states, by the same straight-line text.

The text of a function runs on Python floats for one state and on NumPy arrays, one per entry of an
argument, for a batch: arithmetic is the operators of both, everything else comes from one of two
tables of operations. A batch is cut into blocks that stay in the processor's cache.
"""

from __future__ import annotations

import math
import re
from typing import assert_never

from symdyn.codegen.header import file_comment, function_comment
from symdyn.codegen.lower import lower
from symdyn.codegen.mangle import NameRules, Names
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
from symdyn.codegen.reserved import PYTHON_MODULES, PYTHON_WORDS
from symdyn.codegen.spec import Constant, FunctionSpec, SelfTest, Unit
from symdyn.codegen.target import EntryPoints, Target
from symdyn.codegen.targets.numpy_support import AFTER, BEFORE, INFIX
from symdyn.codegen.text import python_docstring, visible

#: Names that the printer makes up inside a function: temporaries, sines, cosines, entries.
_INTERNAL = re.compile(r"[tsc]\d+|op|out|work|angles|.*_\d+")
_ARGUMENT_RULES = NameRules(reserved=PYTHON_WORDS, internal=_INTERNAL)
_RULES = NameRules(reserved=PYTHON_WORDS)
_MODULE_RULES = NameRules(reserved=PYTHON_WORDS | PYTHON_MODULES)


def entry_points(unit: Unit) -> EntryPoints:
    """Identifiers of a unit in this target."""
    module = Names(_MODULE_RULES).claim(unit.name)
    scope = Names(_RULES)
    functions = scope.claim_all([spec.name for spec in unit.functions])
    upper = {constant.name: constant.name.upper() for constant in unit.constants}
    claimed = scope.claim_all(list(upper.values()))
    constants = {name: claimed[text] for name, text in upper.items()}
    arguments = {
        spec.name: tuple(
            Names(_ARGUMENT_RULES).claim_all([a.name for a in spec.arguments]).values()
        )
        for spec in unit.functions
    }
    return EntryPoints(module, functions, functions, arguments, constants)


def _changed(unit: Unit, names: EntryPoints) -> list[tuple[str, str]]:
    pairs = [(unit.name, names.unit), *names.functions.items()]
    for spec in unit.functions:
        own = names.arguments[spec.name]
        pairs += [(a.name, text) for a, text in zip(spec.arguments, own, strict=True)]
    pairs += [(name, text) for name, text in names.constants.items() if text != name.upper()]
    return [(a, b) for a, b in dict.fromkeys(pairs) if a != b]


def emit(unit: Unit, target: Target) -> dict[str, str]:
    """The module of a unit."""
    names = entry_points(unit)
    lines = ['"""' + _docstring([*file_comment(unit, _changed(unit, names)), "", *_USE])]
    lines += ['"""', "", *BEFORE.split("\n"), ""]
    public = [*names.functions.values(), *names.constants.values(), "self_test"]
    lines.append("__all__ = [")
    lines += [f'    "{name}",' for name in sorted(public)]
    lines += ["]", ""]
    for constant in unit.constants:
        lines += _constant(constant, names.constants[constant.name])
    lines += ["", *AFTER.split("\n")]
    for spec in unit.functions:
        program = lower(spec, max_statements=target.max_statements, order=target.order)
        lines += ["", *_function(program, names)]
    lines += ["", *_self_test(unit, unit.self_test, names)]
    return {f"{names.unit}.py": "\n".join(lines) + "\n"}


_USE = [
    "Each function takes arrays whose last axes have the shape that its documentation states; axes",
    "before these are a batch and broadcast against each other. It returns the shape of the batch",
    "followed by that of the result: a float or array for one state, an array for many.",
    "Run as a program, the file tests itself.",
]


def _docstring(lines: list[str]) -> str:
    return "\n".join(python_docstring(line).rstrip() for line in lines)


def _constant(constant: Constant, name: str) -> list[str]:
    value = constant.value
    doc = [f"#: {visible(constant.doc)}"] if constant.doc else []
    if isinstance(value, str):
        return [*doc, f"{name} = {value!a}"]
    if value and not isinstance(value[0], str):
        numbers = [f"    {literal(float(number))}," for number in value]
        # read-only: a caller who scales it in place would change the robot for everyone
        return [*doc, f"{name} = _constant([", *numbers, "])"]
    return [*doc, f"{name} = (", *[f"    {text!a}," for text in value], ")"]


def literal(value: float) -> str:
    """Shortest decimal that reads back as the same double."""
    if math.isnan(value):
        return "math.nan"
    if math.isinf(value):
        return "math.inf" if value > 0 else "(-math.inf)"
    return repr(value) if math.copysign(1.0, value) > 0 else f"({value!r})"


# -- functions ------------------------------------------------------------------------------------


def _function(program: Program, names: EntryPoints) -> list[str]:
    spec = program.spec
    name, arguments = names.functions[spec.name], names.arguments[spec.name]
    doc = [f"    {line}".rstrip() for line in function_comment(spec, program.counts)]
    given = ", ".join(
        f"({argument.name!a}, {argument.shape}, {own})"
        for argument, own in zip(spec.arguments, arguments, strict=True)
    )
    comma = "," if len(arguments) == 1 else ""
    return [
        f"def {name}({', '.join(arguments)}):",
        f'    """{_docstring(doc).lstrip()}',
        '    """',
        f"    return _run({spec.name!a}, _{name}_body, ({given}{comma}), {spec.result.shape})",
        "",
        "",
        *_Body(program, arguments, name).lines(),
    ]


class _Body:
    """Prints the straight-line text of one function."""

    def __init__(self, program: Program, arguments: tuple[str, ...], name: str) -> None:
        self._program = program
        self._arguments = arguments
        self._name = name
        self._local: set[int] = set()
        self._entries: set[Entry] = set()
        self._angles: set[Operand] = set()

    def lines(self) -> list[str]:
        """The function ``name`` and, if the program is split, the functions of its parts."""
        program = self._program
        parameters = ", ".join(["op", *self._arguments, "out"])
        # the result is zero to begin with
        fills = [
            f"op.fill(out, {fill.first}, {fill.count}, {literal(fill.value)})"
            for fill in program.fills
            if fill.value != 0.0
        ]
        if not program.is_split:
            text = list(fills)
            for block in program.blocks:
                text += self._block(block)
            return [
                f"def _{self._name}_body({parameters}):",
                *self._entry_lines(),
                *_indent(text or ["pass"]),
                "",
            ]
        functions: list[str] = []
        calls: list[str] = []
        shared = f"op, {', '.join([*self._arguments, 'angles', 'work', 'out'])}"
        for number, block in enumerate(program.blocks):
            self._local, self._entries, self._angles = set(), set(), set()
            text = self._block(block)
            if isinstance(block, Part):
                text += [f"work[{program.slots[t]}] = t{t}" for t in block.exports]
            functions += [
                f"def _{self._name}_part{number}({shared}):",
                *self._entry_lines(),
                *self._angle_lines(block),
                *_indent(text),
                "",
                "",
            ]
            calls.append(f"    _{self._name}_part{number}({shared})")
        return [
            *functions,
            f"def _{self._name}_body({parameters}):",
            f"    angles = [None] * {2 * program.angles}",
            f"    work = [None] * {program.work}",
            *_indent(fills),
            *calls,
            "",
        ]

    def _entry_lines(self) -> list[str]:
        """Unpack the entries of arguments that the text reads."""
        spec = self._program.spec
        lines: list[str] = []
        for k, (argument, name) in enumerate(zip(spec.arguments, self._arguments, strict=True)):
            read = sorted(e.index for e in self._entries if e.argument == k)
            if not read or argument.shape == ():
                continue
            if 2 * len(read) < len(argument.symbols):
                lines += [f"    {name}_{i} = {name}[{i}]" for i in read]
            else:
                wanted = set(read)
                targets = [
                    f"{name}_{i}" if i in wanted else "_" for i in range(len(argument.symbols))
                ]
                comma = "," if len(targets) == 1 else ""
                lines.append(f"    {', '.join(targets)}{comma} = {name}")
        return lines

    def _angle_lines(self, block: Part | AngleBlock) -> list[str]:
        if isinstance(block, AngleBlock):
            return []
        sines = sorted(a.angle for a in self._angles if isinstance(a, Sine))
        cosines = sorted(a.angle for a in self._angles if isinstance(a, Cosine))
        return [
            *[f"    s{angle} = angles[{2 * angle}]" for angle in sines],
            *[f"    c{angle} = angles[{2 * angle + 1}]" for angle in cosines],
        ]

    def _block(self, block: Part | AngleBlock) -> list[str]:
        if isinstance(block, Part):
            return [self._statement(s) for s in block.statements]
        lines: list[str] = []
        for k, operand in enumerate(block.angles):
            angle, text = block.first + k, self._operand(operand)
            if self._program.is_split:
                lines.append(f"angles[{2 * angle}] = op.sin({text})")
                lines.append(f"angles[{2 * angle + 1}] = op.cos({text})")
            else:
                lines.append(f"s{angle} = op.sin({text})")
                lines.append(f"c{angle} = op.cos({text})")
        return lines

    def _operand(self, operand: Operand) -> str:
        match operand:
            case Temp(index):
                if self._program.is_split and index not in self._local:
                    return f"work[{self._program.slots[index]}]"
                return f"t{index}"
            case Literal(value):
                return literal(value)
            case Entry(argument, index):
                self._entries.add(operand)
                name = self._arguments[argument]
                is_scalar = self._program.spec.arguments[argument].shape == ()
                return name if is_scalar else f"{name}_{index}"
            case Sine(angle):
                self._angles.add(operand)
                return f"s{angle}"
            case Cosine(angle):
                self._angles.add(operand)
                return f"c{angle}"
            case _:
                assert_never(operand)

    def _statement(self, statement: Statement) -> str:
        if isinstance(statement, Store):
            return f"out[{statement.entry}] = {self._operand(statement.value)}"
        return self._assign(statement)

    def _assign(self, statement: Assign) -> str:
        texts = [self._operand(a) for a in statement.args]
        self._local.add(statement.target)
        op = statement.op
        if op in INFIX:
            right = f"{texts[0]} {INFIX[op]} {texts[1]}"
        elif op == "neg":
            right = f"-{texts[0]}"
        else:
            right = f"op.{op}({', '.join(texts)})"
        label = f"  # {visible(statement.label)}" if statement.label else ""
        return f"t{statement.target} = {right}{label}"


def _indent(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


# -- self-test ------------------------------------------------------------------------------------


def _self_test(unit: Unit, test: SelfTest | None, names: EntryPoints) -> list[str]:
    lines = ["_TESTS = ("]
    for spec in unit.functions:
        if test is not None and spec.name in test.expected:
            lines += _one_test(spec, test, names)
    lines += [")", ""]
    tolerance = literal(test.tolerance) if test is not None else "1e-9"
    return [*lines, "", *_SELF_TEST.replace("@", tolerance).split("\n")]


def _one_test(spec: FunctionSpec, test: SelfTest, names: EntryPoints) -> list[str]:
    lines = ["    (", f"        {names.functions[spec.name]},", "        ("]
    for argument in spec.arguments:
        numbers = ", ".join(literal(float(x)) for x in test.inputs[argument.name])
        lines.append(f"            (({numbers},), {argument.shape}),")
    numbers = ", ".join(literal(float(x)) for x in test.expected[spec.name])
    return [
        *lines,
        "        ),",
        f"        ({numbers},),",
        f"        {spec.result.shape},",
        "    ),",
    ]


_SELF_TEST = '''\
def self_test():
    """Compare every function with the expected numbers, for one state and for batches.

    Returns the largest error of each, relative to the largest expected number or to 1.
    Raises AssertionError if one exceeds @.
    """
    errors = {}
    for function, inputs, numbers, shape in _TESTS:
        given = [np.reshape(values, own) for values, own in inputs]
        wanted = np.reshape(numbers, shape)
        scale = max(1.0, float(np.max(np.abs(wanted))))
        worst = 0.0
        for batch in ((), (3,), (2, 2)):
            got = np.asarray(function(*[np.broadcast_to(x, batch + x.shape) for x in given]))
            assert got.shape == batch + shape, f"{function.__name__}: shape {got.shape}"
            error = float(np.max(np.abs(got - wanted))) / scale
            assert error <= @, f"{function.__name__}: error {error:.3g} at batch shape {batch}"
            worst = max(worst, error)
        errors[function.__name__] = worst
    return errors


if __name__ == "__main__":
    for _name, _error in self_test().items():
        print(f"{_name}: largest error {_error:.3g}")'''


TARGET = Target(
    name="numpy",
    title="Python module on NumPy, for one state or any batch of states",
    max_statements=2000,
    batch_statements=0,
    batch_entries=0,
    order="creation",
    emit=emit,
    entry_points=entry_points,
)
