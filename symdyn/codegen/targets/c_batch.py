"""The C text of the batch entry point of one function.

States are taken in blocks of one vector, a state per lane; the last block is filled up with copies.
What depends on shared arguments only is computed once and handed on in the array ``fixed``. If all
angles are entries of one argument, as joint angles are, those of several blocks are loaded and
their sines and cosines computed together: a block's arithmetic then never waits for its own angles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symdyn.codegen.mangle import Names
from symdyn.codegen.program import AngleBlock, Program
from symdyn.codegen.spec import FunctionSpec
from symdyn.codegen.targets.c_functions import (
    FunctionNames,
    arrays,
    batch_signature,
    body,
    indented,
)
from symdyn.codegen.targets.c_statements import Writer, literal
from symdyn.codegen.text import folded

#: Vectors of angles that are computed together: long enough to hide the latency of one block, short
#: enough for the cache.
_ANGLE_VECTORS = 32


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
        *batch_signature(prefix, spec, names),
        "{",
        f"    for (size_t k = 0; k < count; ++k) {names.function}({', '.join(given)});",
        "}",
    ]


def batch(prefix: str, program: Program, names: FunctionNames) -> list[str]:
    """Lines of the batch entry point and of the vector text that it calls."""
    spec = program.spec
    vectors = [
        name if argument.shared else f"{name}_lanes"
        for argument, name in zip(spec.arguments, names.arguments, strict=True)
    ]
    writer = Writer(program, prefix, vectors, is_batch=True)
    fixed_functions, prelude = _prelude(writer, names.scope, f"{names.batch}_fixed")
    ahead = _angles_ahead(program)
    blocks = program.blocks if ahead is None else program.blocks[1:]
    functions, calls = body(writer, names.scope, names.block, blocks)
    used = writer.used
    loaded = [k for k, a in enumerate(spec.arguments) if not a.shared and k in used.arguments]
    given, taken = _block_parameters(writer, names, loaded)
    if ahead is None:
        own_arrays = arrays(writer)
        loop = [
            f"for (size_t k = 0; k < count; k += {prefix.upper()}_LANES)",
            *indented(folded(f"{names.block}(", [_states(prefix, "count"), *given], ");")),
        ]
    else:
        read = {"sines", "cosines"} & used.names
        used.names -= {"sines", "cosines"}
        own_arrays = arrays(writer)
        for array in sorted(read):
            given.append(f"{array} + n")
            taken.append(f"const {writer.number_type} *restrict {array}")
        loop = _loop_with_angles(prefix, ahead, names, given)
    known = used.arguments | prelude.arguments | ({ahead.argument} if ahead else set[int]())
    unused = [name for k, name in enumerate(names.arguments) if k not in known]
    return [
        f"#if {prefix.upper()}_LANES > 1",
        *fixed_functions,
        *functions,
        *folded(f"static void {names.block}(", ["size_t states", *taken], ")"),
        "{",
        *indented(_loads(writer, names, loaded)),
        *indented(own_arrays),
        *indented(calls),
        *indented(_unloads(writer)),
        "}",
        "",
        *batch_signature(prefix, spec, names),
        "{",
        *[f"    (void){name};" for name in unused],
        *indented(prelude.lines),
        *indented(loop),
        "}",
        "#else",
        *batch_loop(prefix, spec, names),
        "#endif",
    ]


# -- angles of several blocks ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Angles:
    """The run of entries of one argument that holds all angles.

    Attributes
    ----------
    argument, first, count : which entries
    size : length of the argument
    """

    argument: int
    first: int
    count: int
    size: int


def _angles_ahead(program: Program) -> _Angles | None:
    """The angles, if they can be computed before the blocks that need them."""
    angle_blocks = [block for block in program.blocks if isinstance(block, AngleBlock)]
    if len(angle_blocks) != 1 or program.blocks[0] is not angle_blocks[0]:
        return None
    (block,) = angle_blocks
    if block.run is None or program.spec.arguments[block.run[0]].shared:
        return None
    argument, first = block.run
    size = len(program.spec.arguments[argument].symbols)
    return _Angles(argument, first, len(block.angles), size)


def _loop_with_angles(
    prefix: str, angles: _Angles, names: FunctionNames, given: Sequence[str]
) -> list[str]:
    lanes = f"{prefix.upper()}_LANES"
    group = max(1, _ANGLE_VECTORS // angles.count)
    space = group * angles.count
    name = names.arguments[angles.argument]
    source = f"{_row(name, angles.size)}" + (f" + {angles.first}" if angles.first else "")
    states = _states(prefix, "end")
    load = [str(angles.count), str(angles.size), states, source, "angles + n"]
    return [
        f"{prefix}_lanes angles[{space}], sines[{space}], cosines[{space}];",
        "size_t end;",
        "for (size_t start = 0; start < count; start = end) {",
        f"    end = count - start < {group} * {lanes} ? count : start + {group} * {lanes};",
        "    int n = 0;",
        f"    for (size_t k = start; k < end; k += {lanes}, n += {angles.count})",
        *indented(indented(folded(f"{prefix}_load(", load, ");"))),
        f"    {prefix}_batch_sincos(n, angles, sines, cosines);",
        "    n = 0;",
        f"    for (size_t k = start; k < end; k += {lanes}, n += {angles.count})",
        *indented(indented(folded(f"{names.block}(", [states, *given], ");"))),
        "}",
    ]


def _states(prefix: str, end: str) -> str:
    """How many states the block that starts at state k holds."""
    lanes = f"{prefix.upper()}_LANES"
    return f"{end} - k < {lanes} ? {end} - k : {lanes}"


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
    given: list[str] = []
    taken: list[str] = []
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
