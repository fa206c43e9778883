"""The C text of one function: for one state, and for a batch of states.

A program that was split becomes static functions that hand each other a work array; one that was
not is a single function. The batch entry point walks over the states in blocks of one vector,
calls the vector text on each, and fills the last block up with copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symdyn.codegen.mangle import Names
from symdyn.codegen.program import AngleBlock, Program
from symdyn.codegen.spec import Argument, FunctionSpec
from symdyn.codegen.targets.c_statements import Used, Writer, literal


@dataclass(frozen=True, slots=True)
class FunctionNames:
    """Identifiers of one function.

    Attributes
    ----------
    function, batch : external names
    block : of the vector text
    test : of its self-test
    arguments : one for each argument
    scope : where more names at file level come from
    """

    function: str
    batch: str
    block: str
    test: str
    arguments: tuple[str, ...]
    scope: Names


# -- signatures -----------------------------------------------------------------------------------


def parameter(prefix: str, argument: Argument, name: str) -> str:
    """Parameter of the function for one state."""
    if argument.shape == ():
        return f"double {name}"
    return f"const double {name}[{prefix.upper()}_SIZE({len(argument.symbols)})]"


def signature(prefix: str, spec: FunctionSpec, names: FunctionNames) -> str:
    """Prototype of the function for one state, without the semicolon."""
    parts = [parameter(prefix, a, n) for a, n in zip(spec.arguments, names.arguments, strict=True)]
    size = len(spec.result.entries)
    out = "*out" if spec.result.shape == () else f"out[{prefix.upper()}_SIZE({size})]"
    return f"void {names.function}({', '.join([*parts, f'double {out}'])})"


def batch_signature(prefix: str, spec: FunctionSpec, names: FunctionNames) -> str:
    """Prototype of the batch entry point, without the semicolon."""
    restrict = f"{prefix.upper()}_RESTRICT"
    parts = ["size_t count"]
    for argument, name in zip(spec.arguments, names.arguments, strict=True):
        if argument.shared:
            parts.append(parameter(prefix, argument, name))
        else:
            parts.append(f"const double *{restrict} {name}")
    return f"void {names.batch}({', '.join([*parts, f'double *{restrict} out'])})"


# -- one state ------------------------------------------------------------------------------------


def one_state(prefix: str, program: Program, names: FunctionNames) -> list[str]:
    """Lines of the function for one state, its parts before it."""
    writer = Writer(program, prefix, list(names.arguments), is_batch=False)
    lines, calls = _body(writer, names.scope, names.function)
    spec = program.spec
    unused = [n for k, n in enumerate(names.arguments) if k not in writer.used.arguments]
    return [
        *lines,
        signature(prefix, spec, names),
        "{",
        *[f"    (void){name};" for name in unused],
        *_indented(_arrays(writer)),
        *[
            f"    for (int i = {fill.first}; i < {fill.first + fill.count}; ++i)"
            f" out[i] = {literal(fill.value)};"
            for fill in program.fills
        ],
        *_indented(calls),
        "}",
    ]


def _arrays(writer: Writer) -> list[str]:
    """Declarations of the arrays that the function at the top holds."""
    out: list[str] = []
    program, kind = writer.program, writer.number_type
    angles = [name for name in ("sines", "cosines") if name in writer.used.names]
    if angles:
        out.append(f"{kind} {', '.join(f'{name}[{writer.angle_space}]' for name in angles)};")
    if "work" in writer.used.names:
        out.append(f"{kind} work[{program.work}];")
    if "result" in writer.used.names:
        out.append(f"{kind} result[{len(program.spec.result.entries)}];")
    return out


def _body(writer: Writer, scope: Names, base: str) -> tuple[list[str], list[str]]:
    """Static functions of the parts, and the lines of the function that runs them all."""
    program = writer.program
    functions: list[str] = []
    lines: list[str] = []
    total = Used()
    if not program.is_split:
        writer.start()
    number = 0
    for block in program.blocks:
        if program.is_split:
            writer.start()
        if isinstance(block, AngleBlock):
            lines.extend(writer.angles(block, number))
            number += 1
        elif program.is_split:
            text = writer.part(block, exports=True)
            name = scope.claim(f"{base}_part{len(functions)}")
            given, taken = _part_parameters(writer)
            functions.append(
                "\n".join(
                    [
                        f"static void {name}({', '.join(taken)})",
                        "{",
                        *[f"    {line}" for line in text],
                        "}",
                        "",
                    ]
                )
            )
            lines.append(f"{name}({', '.join(given)});")
        else:
            lines.extend(writer.part(block, exports=False))
        total.arguments |= writer.used.arguments
        total.names |= writer.used.names
    writer.used = total
    return functions, lines


def _part_parameters(writer: Writer) -> tuple[list[str], list[str]]:
    """Arguments of the call of a part, and its parameters."""
    spec, used, kind = writer.program.spec, writer.used, writer.number_type
    given: list[str] = []
    taken: list[str] = []
    for k in sorted(used.arguments):
        name, argument = writer.arguments[k], spec.arguments[k]
        given.append(name)
        if argument.shape == () and (argument.shared or not writer.is_batch):
            taken.append(f"double {name}")
        else:
            number = "double" if argument.shared else kind
            taken.append(f"const {number} *restrict {name}")
    for array in ("fixed", "sines", "cosines"):
        if array in used.names:
            given.append(array)
            taken.append(f"const {'double' if array == 'fixed' else kind} *restrict {array}")
    for array in ("work", "result", "out"):
        if array in used.names:
            given.append(array)
            taken.append(f"{'double' if array == 'out' else kind} *restrict {array}")
    return given, taken


# -- batch ----------------------------------------------------------------------------------------


def batch_loop(prefix: str, spec: FunctionSpec, names: FunctionNames) -> list[str]:
    """Lines of a batch entry point that calls the function for one state."""
    given: list[str] = []
    for argument, name in zip(spec.arguments, names.arguments, strict=True):
        if argument.shared:
            given.append(name)
        elif argument.shape == ():
            given.append(f"{name}[k]")
        else:
            given.append(_row(name, len(argument.symbols)))
    given.append(_row("out", len(spec.result.entries)))
    return [
        batch_signature(prefix, spec, names),
        "{",
        f"    for (size_t k = 0; k < count; ++k) {names.function}({', '.join(given)});",
        "}",
    ]


def batch(prefix: str, program: Program, names: FunctionNames) -> list[str]:
    """Lines of the batch entry point and of the vector text that it calls."""
    spec = program.spec
    upper = prefix.upper()
    vectors = [
        name if argument.shared else f"{name}_lanes"
        for argument, name in zip(spec.arguments, names.arguments, strict=True)
    ]
    writer = Writer(program, prefix, vectors, is_batch=True)
    fixed_functions, prelude = _prelude(writer, names.scope, f"{names.batch}_fixed")
    functions, calls = _body(writer, names.scope, names.block)
    used = writer.used
    loaded = [k for k, a in enumerate(spec.arguments) if not a.shared and k in used.arguments]
    given, taken = _block_parameters(writer, names, loaded)
    size = len(spec.result.entries)
    unused = [
        name
        for k, name in enumerate(names.arguments)
        if k not in used.arguments and k not in prelude.arguments
    ]
    return [
        f"#if {upper}_LANES > 1",
        *fixed_functions,
        *functions,
        f"static void {names.block}({', '.join(taken)})",
        "{",
        *_indented(_loads(writer, names, loaded)),
        *_indented(_arrays(writer)),
        *_indented(calls),
        *_indented(_unloads(writer)),
        "}",
        "",
        batch_signature(prefix, spec, names),
        "{",
        *[f"    (void){name};" for name in unused],
        *_indented(prelude.lines),
        f"    for (size_t k = 0; k < count; k += {upper}_LANES) {{",
        f"        const size_t states = count - k < {upper}_LANES ? count - k : {upper}_LANES;",
        f"        {names.block}({', '.join(given)});",
        "    }",
        "}",
        "#else",
        *batch_loop(prefix, spec, names),
        "#endif",
    ]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@dataclass(frozen=True, slots=True)
class _Prelude:
    """Lines that fill the ``fixed`` array, and the arguments that they read."""

    lines: list[str]
    arguments: frozenset[int]


def _prelude(writer: Writer, scope: Names, base: str) -> tuple[list[str], _Prelude]:
    program = writer.program
    functions: list[str] = []
    calls: list[str] = []
    arguments: set[int] = set()
    for part in program.prelude:
        writer.start()
        text = writer.part(part, exports=True)
        arguments |= writer.used.arguments
        given: list[str] = []
        taken: list[str] = []
        for k in sorted(writer.used.arguments):
            name = writer.arguments[k]
            given.append(name)
            scalar = program.spec.arguments[k].shape == ()
            taken.append(f"double {name}" if scalar else f"const double *restrict {name}")
        name = scope.claim(f"{base}{len(calls)}")
        functions.extend(
            [
                f"static void {name}({', '.join([*taken, 'double *restrict fixed'])})",
                "{",
                *[f"    {line}" for line in text],
                "}",
                "",
            ]
        )
        calls.append(f"{name}({', '.join([*given, 'fixed'])});")
    if not calls:
        return [], _Prelude([], frozenset())
    lines = [f"double fixed[{max(program.prelude_work, 1)}];", *calls]
    return functions, _Prelude(lines, frozenset(arguments))


def _block_parameters(
    writer: Writer, names: FunctionNames, loaded: Sequence[int]
) -> tuple[list[str], list[str]]:
    """Arguments of the call of a block of states that starts at state k, and its parameters."""
    spec, used = writer.program.spec, writer.used
    given = ["states"]
    taken = ["size_t states"]
    for k in sorted(used.arguments):
        name, argument = names.arguments[k], spec.arguments[k]
        if k in loaded:
            given.append(_row(name, len(argument.symbols)))
            taken.append(f"const double *restrict {name}")
        else:
            given.append(name)
            is_scalar = argument.shape == ()
            taken.append(f"double {name}" if is_scalar else f"const double *restrict {name}")
    if "fixed" in used.names:
        given.append("fixed")
        taken.append("const double *restrict fixed")
    given.append(_row("out", len(spec.result.entries)))
    return given, [*taken, "double *restrict out"]


def _row(name: str, size: int) -> str:
    """Where the row of state k starts."""
    return f"{name} + {size} * k" if size > 1 else f"{name} + k"


def _unloads(writer: Writer) -> list[str]:
    """Vectors of the result to rows of states, and its constant entries."""
    program, prefix = writer.program, writer.prefix
    size = len(program.spec.result.entries)
    lines: list[str] = []
    done = 0
    for first, count in [*((f.first, f.count) for f in program.fills), (size, 0)]:
        if first > done:
            source, place = (f"{name} + {done}" if done else name for name in ("result", "out"))
            lines.append(f"{prefix}_unload({first - done}, {size}, states, {source}, {place});")
        done = first + count
    for fill in program.fills:
        place = f"out + {fill.first}" if fill.first else "out"
        value = literal(fill.value)
        lines.append(f"{prefix}_fill({fill.count}, {size}, states, {value}, {place});")
    return lines


def _loads(writer: Writer, names: FunctionNames, loaded: Sequence[int]) -> list[str]:
    """Turn rows of states into one vector for each entry."""
    lines: list[str] = []
    for k in loaded:
        size = len(writer.program.spec.arguments[k].symbols)
        name, vector = names.arguments[k], writer.arguments[k]
        lines.append(f"{writer.number_type} {vector}[{size}];")
        lines.append(f"{writer.prefix}_load({size}, {size}, states, {name}, {vector});")
    return lines
