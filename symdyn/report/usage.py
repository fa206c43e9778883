"""How to call the generated code: one program per target that runs as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from symdyn.codegen.spec import Argument, FunctionSpec
from symdyn.codegen.target import EntryPoints
from symdyn.codegen.targets import TARGETS
from symdyn.mass_recipes import ARGUMENTS_OF_TIME, changes
from symdyn.model.robot import TIME
from symdyn.recipes import BASE_FUNCTION
from symdyn.report.findings import Findings
from symdyn.report.markdown import fenced

#: Entry of q in the examples, so that the answer is not that of the zero state.
_ANGLE = "0.3"
#: Time in the examples.
_TIME = "0.5"


def usage_lines(findings: Findings) -> Iterable[str]:
    """The section of the report."""
    yield "## How to call the code"
    for target in findings.code:
        if target in _EXAMPLES:
            yield from _EXAMPLES[target](findings)


def example_function(findings: Findings) -> FunctionSpec:
    """The function that the examples call."""
    specs = findings.derivation.specs
    names = ["inverse_dynamics"]
    if changes(findings.robot):
        # the classical function takes the mass as constant
        names.insert(0, "generalized_inverse_dynamics")
    return next((specs[name] for name in names if name in specs), next(iter(specs.values())))


def made_by(findings: Findings, spec: FunctionSpec) -> dict[str, str]:
    """For each argument that changes with time, the function of time whose result it is."""
    if not changes(findings.robot):
        return {}
    present = findings.derivation.specs
    makers = {"beta": BASE_FUNCTION, **ARGUMENTS_OF_TIME}
    wanted = {a.name for a in spec.arguments}
    found = {a: f for a, f in makers.items() if a in wanted and f in present}
    if "beta" in found:
        found["theta"] = ARGUMENTS_OF_TIME["theta"]
    return found


def _in_order(makers: Mapping[str, str]) -> list[str]:
    """beta last: it is made of theta."""
    return sorted(makers, key=lambda name: name == "beta")


def _built(function: FunctionSpec, names: EntryPoints) -> list[Argument]:
    """Arguments of a function of time that are constants of the unit."""
    return [a for a in function.arguments if a.name in names.constants and a.name != "theta"]


def python_program(findings: Findings) -> str:
    """A Python program to be run in the directory of the report."""
    unit, spec = findings.unit, example_function(findings)
    names = TARGETS["numpy"].entry_points(unit)
    lines = [
        "import sys",
        "",
        "import numpy as np",
        "",
        'sys.path.insert(0, "numpy")  # the folder of the generated module',
        f"import {names.unit} as robot",
        "",
    ]
    called: list[str] = []
    scalars: set[str] = set()
    makers = made_by(findings, spec)
    if makers:
        lines.append(f"t = {_TIME}")
    for made in _in_order(makers):
        function = findings.derivation.specs[makers[made]]
        own = {a.name: f"robot.{names.constants[a.name]}" for a in _built(function, names)}
        given = [own.get(a.name, a.name) for a in function.arguments]
        lines.append(f"{made} = robot.{names.functions[function.name]}({', '.join(given)})")
    for argument, name in zip(spec.arguments, names.arguments[spec.name], strict=True):
        if argument.name in makers:
            called.append(argument.name)
            continue
        if argument.name in names.constants:
            called.append(f"robot.{names.constants[argument.name]}")
            continue
        if argument.shape == ():
            lines.append(f"{name} = {_TIME if argument.name == TIME else 0.0}")
            called.append(name)
            scalars.add(name)
            continue
        lines.append(f"{name} = np.zeros({len(argument.symbols)})")
        if argument.name == "q":
            lines.append(f"{name}[0] = {_ANGLE}")
        called.append(name)
    lines += [f"print(robot.{names.functions[spec.name]}({', '.join(called)}))"]
    batched = [name for name in called if not name.startswith("robot.")]
    if batched:
        lines += ["", "# many states at once: leading axes"]
        lines += [
            f"{name} = np.tile({name}, {'1000' if name in scalars else '(1000, 1)'})"
            for name in batched
        ]
        lines += [f"print(robot.{names.functions[spec.name]}({', '.join(called)}).shape)"]
    return "\n".join(lines) + "\n"


def c_program(findings: Findings) -> str:
    """A C program that includes the generated header."""
    unit, spec = findings.unit, example_function(findings)
    names = TARGETS["c"].entry_points(unit)
    lines = [
        "#include <stdio.h>",
        "",
        f'#include "{names.unit}.h"',
        "",
        "int main(void)",
        "{",
    ]
    called: list[str] = []
    makers = made_by(findings, spec)
    if makers:
        lines.append(f"    const double t = {_TIME};")
    for made in _in_order(makers):
        function = findings.derivation.specs[makers[made]]
        own = {a.name: names.constants[a.name] for a in _built(function, names)}
        given = [own.get(a.name, a.name) for a in function.arguments]
        lines.append(f"    double {made}[{len(function.result.entries)}];")
        lines.append(f"    {names.functions[function.name]}({', '.join([*given, made])});")
    for argument, name in zip(spec.arguments, names.arguments[spec.name], strict=True):
        if argument.name in makers:
            called.append(argument.name)
            continue
        if argument.name in names.constants:
            called.append(names.constants[argument.name])
            continue
        lines.append(f"    {_c_declaration(argument, name)}")
        called.append(name)
    size = len(spec.result.entries)
    scalar = spec.result.shape == ()
    lines += [
        "    double out;" if scalar else f"    double out[{size}];",
        "",
        f"    {names.functions[spec.name]}({', '.join([*called, '&out' if scalar else 'out'])});",
    ]
    if scalar:
        lines.append('    printf("%.17g\\n", out);')
    else:
        lines += [f"    for (int i = 0; i < {size}; i++)", '        printf("%.17g\\n", out[i]);']
    failures = f"{names.unit}_self_test()" if unit.self_test is not None else "0"
    lines += [f"    return {failures};", "}"]
    return "\n".join(lines) + "\n"


def c_command(findings: Findings) -> str:
    """The command that compiles and runs the C program, in the directory of the report."""
    prefix = TARGETS["c"].entry_points(findings.unit).unit
    return f"cc -std=c11 -O2 -I c example.c c/{prefix}.c -lm -o example && ./example"


def _c_declaration(argument: Argument, name: str) -> str:
    value = {"q": _ANGLE, TIME: _TIME}.get(argument.name, "0")
    if argument.shape == ():
        return f"const double {name} = {value};"
    return f"const double {name}[{len(argument.symbols)}] = {{{value}}};"


def _python_example(findings: Findings) -> Iterable[str]:
    yield "### Python with NumPy"
    yield fenced(python_program(findings), "python")


def _c_example(findings: Findings) -> Iterable[str]:
    yield "### C"
    yield "Save as `example.c` beside this report:"
    yield fenced(c_program(findings), "c")
    yield fenced(c_command(findings), "sh")


_EXAMPLES: dict[str, Callable[[Findings], Iterable[str]]] = {
    "numpy": _python_example,
    "c": _c_example,
}
