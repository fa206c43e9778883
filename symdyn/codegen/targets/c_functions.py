"""The C text of one function for one state, and what it shares with the batch text.

A program that was split becomes static functions that hand each other a work array; one that was
not is a single function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symdyn.codegen.mangle import Names
from symdyn.codegen.program import AngleBlock, Block, Program
from symdyn.codegen.spec import Argument, FunctionSpec
from symdyn.codegen.targets.c_statements import Used, Writer, literal
from symdyn.codegen.text import folded


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


def signature(prefix: str, spec: FunctionSpec, names: FunctionNames, end: str = "") -> list[str]:
    """Lines of the prototype of the function for one state, with ``end`` behind it."""
    parts = [parameter(prefix, a, n) for a, n in zip(spec.arguments, names.arguments, strict=True)]
    size = len(spec.result.entries)
    upper = prefix.upper()
    out = "*out" if spec.result.shape == () else f"out[{upper}_RESTRICT {upper}_SIZE({size})]"
    return folded(f"void {names.function}(", [*parts, f"double {out}"], f"){end}")


def batch_signature(
    prefix: str, spec: FunctionSpec, names: FunctionNames, end: str = ""
) -> list[str]:
    """Lines of the prototype of the batch entry point, with ``end`` behind it."""
    restrict = f"{prefix.upper()}_RESTRICT"
    parts = ["size_t count"]
    for argument, name in zip(spec.arguments, names.arguments, strict=True):
        if argument.shared:
            parts.append(parameter(prefix, argument, name))
        else:
            parts.append(f"const double *{name}")
    return folded(f"void {names.batch}(", [*parts, f"double *{restrict} out"], f"){end}")


# -- one state ------------------------------------------------------------------------------------


def one_state(prefix: str, program: Program, names: FunctionNames) -> list[str]:
    """Lines of the function for one state, its parts before it."""
    writer = Writer(program, prefix, list(names.arguments), is_batch=False)
    lines, calls = body(writer, names.scope, names.function, program.blocks)
    spec = program.spec
    unused = [n for k, n in enumerate(names.arguments) if k not in writer.used.arguments]
    return [
        *lines,
        *signature(prefix, spec, names),
        "{",
        *[f"    (void){name};" for name in unused],
        *indented(arrays(writer)),
        *[
            f"    for (int i = {fill.first}; i < {fill.first + fill.count}; ++i)"
            f" out[i] = {literal(fill.value)};"
            for fill in program.fills
        ],
        *indented(calls),
        "}",
    ]


def arrays(writer: Writer) -> list[str]:
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


def indented(lines: Sequence[str]) -> list[str]:
    """Lines of a function's body."""
    return [f"    {line}" for line in lines]


def body(
    writer: Writer, scope: Names, base: str, blocks: Sequence[Block]
) -> tuple[list[str], list[str]]:
    """Static functions of the parts, and the lines of the function that runs them all."""
    program = writer.program
    functions: list[str] = []
    lines: list[str] = []
    total = Used()
    if not program.is_split:
        writer.start()
    number = 0
    for block in blocks:
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
                        *folded(f"static void {name}(", taken, ")"),
                        "{",
                        *[f"    {line}" for line in text],
                        "}",
                        "",
                    ]
                )
            )
            lines.extend(folded(f"{name}(", given, ");"))
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
