"""C11: a header and a source file; no allocation, no global state, constant sizes.

Per function two entry points: one state, and a batch of states in rows. The batch text works on
vector types of GCC and Clang (one state per lane), so that it is vectorised at every optimisation
level, sine and cosine included; other compilers get a loop. The header can be included from C++.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from symdyn.codegen.header import file_comment, function_comment
from symdyn.codegen.lower import lower
from symdyn.codegen.mangle import NameRules, Names
from symdyn.codegen.program import Program
from symdyn.codegen.reserved import C_WORDS
from symdyn.codegen.spec import Constant, FunctionSpec, Unit
from symdyn.codegen.target import EntryPoints, Target
from symdyn.codegen.targets import c_support as support
from symdyn.codegen.targets.c_batch import batch, batch_loop
from symdyn.codegen.targets.c_functions import (
    FunctionNames,
    batch_signature,
    one_state,
    signature,
)
from symdyn.codegen.targets.c_self_test import self_test
from symdyn.codegen.targets.c_statements import literal
from symdyn.codegen.text import c_comment, c_string

#: Names that the printer makes up inside a function.
_INTERNAL = re.compile(
    r"t\d+|angles\d*|k|i|n|states|count|start|end|out|result|work|fixed|sines|cosines|want"
    r"|failures"
    r"|.*_(lanes|copy)"
)
RULES = NameRules(reserved=C_WORDS, internal=_INTERNAL)
_EXTERNAL = NameRules(reserved=C_WORDS, max_length=120)

#: Names behind the prefix that the support text takes.
_SUPPORT_NAMES = (
    "sincos", "sincos_few", "sincos_quad", "sincos_lanes", "batch_sincos", "libm_sincos", "quad",
    "quad_bits", "lanes", "lanes_bits", "load", "unload", "fill", "transpose4", "transpose8", "pow",
    "atan2", "sign", "min", "max", "self_test", "differs",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnitNames:
    """Identifiers of a unit: its prefix, its functions and its constants."""

    prefix: str
    functions: Mapping[str, FunctionNames]
    constants: Mapping[str, str]
    changed: tuple[tuple[str, str], ...]


def names_of(unit: Unit) -> UnitNames:
    """Mangle everything that gets an identifier; what changed is printed in the header."""
    prefix = Names(RULES).claim(unit.name)
    scope = Names(_EXTERNAL, [f"{prefix}_{name}" for name in _SUPPORT_NAMES])
    short = Names(NameRules(reserved=frozenset())).claim_all([s.name for s in unit.functions])
    functions = {name: scope.claim(f"{prefix}_{text}") for name, text in short.items()}
    constant_names = Names(NameRules(reserved=frozenset())).claim_all(
        [constant.name for constant in unit.constants]
    )
    constants = {name: scope.claim(f"{prefix}_{text}") for name, text in constant_names.items()}
    result: dict[str, FunctionNames] = {}
    changed: dict[tuple[str, str], None] = {}
    for spec in unit.functions:
        # nor the prefix: PREFIX_lanes is the vector type, NAME_lanes the array of an argument
        arguments = Names(RULES, [prefix]).claim_all([argument.name for argument in spec.arguments])
        function = functions[spec.name]
        result[spec.name] = FunctionNames(
            function=function,
            batch=scope.claim(f"{function}_batch"),
            block=scope.claim(f"{function}_block"),
            test=scope.claim(f"{function}_self_test"),
            arguments=tuple(arguments.values()),
            scope=scope,
        )
        changed.update({pair: None for pair in arguments.items() if pair[0] != pair[1]})
    pairs = [(unit.name, prefix), *short.items(), *constant_names.items(), *changed]
    return UnitNames(
        prefix, result, constants, tuple(dict.fromkeys((a, b) for a, b in pairs if a != b))
    )


def emit(unit: Unit, target: Target) -> dict[str, str]:
    """Header and source of a unit."""
    names = names_of(unit)
    programs = {
        spec.name: lower(spec, max_statements=target.max_statements, order=target.order)
        for spec in unit.functions
    }
    batches = {
        spec.name: lower(spec, max_statements=target.max_statements, order=target.order, hoist=True)
        for spec in unit.functions
        if sum(1 for _ in programs[spec.name].statements()) <= target.batch_statements
        and len(spec.result.entries) <= target.batch_entries
    }
    return {
        f"{names.prefix}.h": _header(unit, names, programs, batches),
        f"{names.prefix}.c": _source(unit, names, programs, batches),
    }


# -- header ---------------------------------------------------------------------------------------


def _comment(lines: list[str]) -> list[str]:
    text = [f" * {c_comment(line)}".rstrip() for line in lines]
    return ["/*", *text, " */"]


def _header(
    unit: Unit,
    names: UnitNames,
    programs: Mapping[str, Program],
    batches: Mapping[str, Program],
) -> str:
    prefix, upper = names.prefix, names.prefix.upper()
    lines = _comment([*file_comment(unit, names.changed), "", *_USE])
    lines += [
        f"#ifndef {upper}_H",
        f"#define {upper}_H",
        "",
        "#include <stddef.h>",
        "",
        "/* In C the arrays are promised to be long enough, and the result to overlap no argument.",
        "   Arguments are only read and may be the same array. */",
        "#if defined(__cplusplus) || defined(_MSC_VER)",
        f"#define {upper}_SIZE(n) n",
        f"#define {upper}_RESTRICT",
        "#else",
        f"#define {upper}_SIZE(n) static n",
        f"#define {upper}_RESTRICT restrict",
        "#endif",
        "",
        "#ifdef __cplusplus",
        'extern "C" {',
        "#endif",
        "",
    ]
    for constant in unit.constants:
        lines += _constant_declaration(constant, names.constants[constant.name])
    for spec in unit.functions:
        own = names.functions[spec.name]
        lines += _comment(function_comment(spec, programs[spec.name].counts))
        lines += signature(prefix, spec, own, ";")
        lines += ["", *_comment(_batch_comment(spec, own, batches.get(spec.name)))]
        lines += [*batch_signature(prefix, spec, own, ";"), ""]
    if unit.self_test is not None:
        lines += [
            "/* Compares every function with the expected numbers; the number of failures. */",
            f"int {prefix}_self_test(void);",
            "",
        ]
    lines += ["#ifdef __cplusplus", "}", "#endif", "", "#endif", ""]
    return "\n".join(lines)


_USE = [
    "Use: compile the .c file beside this header and link the mathematics library (-lm).",
    "Matrices are row-major. Nothing is allocated; there is no global state.",
    "Compiled with SYMDYN_SELF_TEST_MAIN defined, the .c file is a program that tests itself.",
]


#: A batch that needs more stack than that says so, in bytes.
_MUCH_STACK = 16 << 10


def _batch_comment(spec: FunctionSpec, names: FunctionNames, program: Program | None) -> list[str]:
    per_state = [n for a, n in zip(spec.arguments, names.arguments, strict=True) if not a.shared]
    shared = [n for a, n in zip(spec.arguments, names.arguments, strict=True) if a.shared]
    lines = [f"The same for count states: {', '.join([*per_state, 'out'])} hold one row a state."]
    if shared:
        lines.append(f"All states share {', '.join(shared)}.")
    if program is None:
        return [*lines, "Too long to be worth a vector version: a loop over the states."]
    loaded = sum(len(a.symbols) for a in spec.arguments if not a.shared)
    stack = 64 * (len(spec.result.entries) + program.work + loaded)
    if stack > _MUCH_STACK:
        lines.append(f"With 8 lanes it needs {-(-stack // 1024)} kB of stack and what spills.")
    return lines


def _constant_declaration(constant: Constant, name: str) -> list[str]:
    lines = _comment([constant.doc]) if constant.doc else []
    value = constant.value
    if isinstance(value, str):
        return [*lines, f"extern const char {name}[{len(_bytes(value)) + 1}];", ""]
    if not value:
        return ["/*", f" * {c_comment(constant.name)}: none", " */", ""]
    kind = "const char *const" if isinstance(value[0], str) else "const double"
    return [*lines, f"extern {kind} {name}[{len(value)}];", ""]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


# -- source ---------------------------------------------------------------------------------------


def _source(
    unit: Unit,
    names: UnitNames,
    programs: Mapping[str, Program],
    batches: Mapping[str, Program],
) -> str:
    prefix = names.prefix
    lines = _comment(file_comment(unit, ()))
    lines += [
        f'#include "{prefix}.h"',
        "",
        "#include <float.h>",
        "#include <math.h>",
        "#include <stdint.h>",
        "#include <string.h>",
    ]
    if unit.self_test is not None:
        lines += ["#ifdef SYMDYN_SELF_TEST_MAIN", "#include <stdio.h>", "#endif"]
    scheduled: list[str] = []
    plain: list[str] = []
    for spec in unit.functions:
        own, program = names.functions[spec.name], programs[spec.name]
        text = scheduled if _gains_from_scheduling(program) else plain
        text += [*one_state(prefix, program, own), ""]
        if spec.name in batches:
            text += [*batch(prefix, batches[spec.name], own), ""]
        else:
            text += [*batch_loop(prefix, spec, own), ""]
    if scheduled:
        scheduled = [support.SCHEDULE, *scheduled, support.UNSCHEDULE]
    text = [*scheduled, *plain]
    if unit.self_test is not None:
        text += self_test(unit, unit.self_test, prefix, names.functions)
    lines += ["", *_support(prefix, "\n".join(text))]
    for constant in unit.constants:
        lines += _constant_definition(constant, names.constants[constant.name])
    lines += ["", *text]
    return "\n".join(lines).rstrip("\n") + "\n"


def _gains_from_scheduling(program: Program) -> bool:
    """Whether arithmetic rules; functions that mostly store (regressors) lose by it (measured)."""
    stored = len(program.spec.result.entries) - sum(fill.count for fill in program.fills)
    return program.counts.total > 6 * stored


def _support(prefix: str, text: str) -> list[str]:
    """Support text that the functions mention, in order."""
    many, few = (f" {prefix}_{name}(" in text for name in ("sincos", "sincos_few"))
    one_state = many or few
    in_batch = f" {prefix}_batch_sincos(" in text
    functions = [t for name, t in support.FUNCTIONS.items() if f"{prefix}_{name}(" in text]
    in_rows = f"{prefix.upper()}_LANES" in text
    blocks: list[str] = []
    if one_state or in_rows or functions:
        blocks.append(support.INLINE)
    if one_state or in_rows:
        blocks.append(support.QUAD)
    if in_rows:
        blocks.append(support.LANES)
    if one_state:
        blocks.append(support.SINCOS)
    elif in_batch:
        blocks.append("#if @@_LANES > 1\n" + support.SINCOS + "#endif\n")
    if one_state:
        blocks.append(support.QUAD_KERNEL)
    if many:
        blocks.append(support.SINCOS_MANY)
    if few:
        blocks.append(support.SINCOS_FEW)
    if in_batch:
        blocks.append(support.SINCOS_LANES)
    for word, block in (("load", support.LOAD), ("unload", support.UNLOAD)):
        if f" {prefix}_{word}(" in text:
            blocks += [support.TRANSPOSE] if support.TRANSPOSE not in blocks else []
            blocks.append(block)
    if f" {prefix}_fill(" in text:
        blocks.append(support.FILL)
    blocks += functions
    return [support.instantiate(block, prefix) for block in blocks]


def _constant_definition(constant: Constant, name: str) -> list[str]:
    value = constant.value
    if isinstance(value, str):
        raw = _bytes(value)
        if len(raw) < 4000:
            return [f"const char {name}[{len(raw) + 1}] = {c_string(value)};"]
        # beyond what a compiler has to accept as one string
        return [f"const char {name}[{len(raw) + 1}] = {{{', '.join(str(b) for b in raw)}, 0}};"]
    if not value:
        return []
    if isinstance(value[0], str):
        texts = ",\n    ".join(c_string(str(text)) for text in value)
        return [f"const char *const {name}[{len(value)}] = {{\n    {texts}\n}};"]
    numbers = ",\n    ".join(literal(float(number)) for number in value)
    return [f"const double {name}[{len(value)}] = {{\n    {numbers}\n}};"]


def entry_points(unit: Unit) -> EntryPoints:
    """Identifiers of a unit in this target."""
    names = names_of(unit)
    return EntryPoints(
        unit=names.prefix,
        functions={name: own.function for name, own in names.functions.items()},
        batches={name: own.batch for name, own in names.functions.items()},
        arguments={name: own.arguments for name, own in names.functions.items()},
        constants=names.constants,
    )


TARGET = Target(
    name="c",
    title="C11, header and source, with a vectorised batch entry point",
    max_statements=1600,
    batch_statements=25000,
    batch_entries=4096,
    order="creation",
    emit=emit,
    entry_points=entry_points,
)
