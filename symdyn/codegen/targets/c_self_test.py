"""The self-test of a generated C file: expected numbers, and a main program on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.codegen.spec import FunctionSpec, SelfTest, Unit
from symdyn.codegen.targets.c_functions import FunctionNames
from symdyn.codegen.targets.c_statements import literal
from symdyn.codegen.text import c_string, folded

_DIFFERS = """\
/* Numbers that differ by more than the tolerance times the largest expected one (at least 1). */
static int {prefix}_differs(size_t n, const double *got, const double *want)
{{
    double scale = 1.0;
    int failures = 0;
    for (size_t i = 0; i < n; ++i)
        if (fabs(want[i]) > scale) scale = fabs(want[i]);
    for (size_t i = 0; i < n; ++i)
        if (!(fabs(got[i] - want[i]) <= {tolerance} * scale)) ++failures;
    return failures;
}}
"""

#: States of the batch that is tested: more than a vector holds, and no multiple of it.
_STATES = 9


def self_test(
    unit: Unit, test: SelfTest, prefix: str, names: Mapping[str, FunctionNames]
) -> list[str]:
    """Lines of the self-test: every function with expected numbers, one state and a batch."""
    lines: list[str] = []
    tested = [spec for spec in unit.functions if spec.name in test.expected]
    if tested:
        tolerance = literal(test.tolerance)
        lines += _DIFFERS.format(prefix=prefix, tolerance=tolerance).split("\n")
    calls: list[str] = []
    for spec in tested:
        own = names[spec.name]
        lines += _one(spec, test, prefix, own)
        calls.append(f"    failures += {own.test}();")
    lines += [f"int {prefix}_self_test(void)", "{", "    int failures = 0;", *calls]
    lines += ["    return failures;", "}", ""]
    lines += [
        "#ifdef SYMDYN_SELF_TEST_MAIN",
        "int main(void)",
        "{",
        f"    const int failures = {prefix}_self_test();",
        f'    printf("%s: %d wrong numbers\\n", {c_string(unit.name)}, failures);',
        "    return failures != 0;",
        "}",
        "#endif",
    ]
    return lines


def _array(name: str, numbers: Sequence[float]) -> list[str]:
    texts = [literal(float(number)) for number in numbers]
    head = f"    static const double {name}[{len(numbers)}] = {{"
    return folded(head, texts, "};", " " * 8)


def _one(spec: FunctionSpec, test: SelfTest, prefix: str, names: FunctionNames) -> list[str]:
    size = len(spec.result.entries)
    lines = [f"static int {names.test}(void)", "{"]
    one: list[str] = []
    many: list[str] = [f"{_STATES}"]
    rows: list[str] = []
    for argument, name in zip(spec.arguments, names.arguments, strict=True):
        n = len(argument.symbols)
        lines += _array(name, test.inputs[argument.name])
        value = f"{name}[0]" if argument.shape == () else name
        one.append(value)
        if argument.shared:
            many.append(value)
        else:
            lines.append(f"    static double {name}_copy[{_STATES * n}];")
            rows.append(f"        memcpy({name}_copy + {n} * k, {name}, sizeof {name});")
            many.append(f"{name}_copy")
    one.append("out")
    many.append("out_copy")
    return [
        *lines,
        *_array("want", test.expected[spec.name]),
        f"    static double out[{size}], out_copy[{_STATES * size}];",
        f"    {names.function}({', '.join(one)});",
        f"    int failures = {prefix}_differs({size}, out, want);",
        f"    for (int k = 0; k < {_STATES}; ++k) {{" if rows else "    {",
        *rows,
        "    }",
        f"    {names.batch}({', '.join(many)});",
        f"    for (int k = 0; k < {_STATES}; ++k)",
        f"        failures += {prefix}_differs({size}, out_copy + {size} * k, want);",
        "    return failures;",
        "}",
        "",
    ]
