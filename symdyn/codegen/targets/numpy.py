"""One Python module on NumPy: one state or any batch of states, by the same straight-line text.

The text of a function runs on Python floats for one state and on NumPy arrays, one per entry of an
argument, for a batch: arithmetic is the operators of both, everything else comes from one of two
tables of operations. A batch is cut into blocks that stay in the processor's cache.
"""

from __future__ import annotations

import re

from symdyn.codegen.header import file_comment, function_comment
from symdyn.codegen.lower import lower
from symdyn.codegen.mangle import NameRules, Names
from symdyn.codegen.program import Program
from symdyn.codegen.reserved import PYTHON_MODULES, PYTHON_WORDS
from symdyn.codegen.spec import Constant, FunctionSpec, SelfTest, Unit
from symdyn.codegen.target import EntryPoints, Target
from symdyn.codegen.targets.numpy_body import body, literal
from symdyn.codegen.targets.numpy_support import AFTER, BEFORE
from symdyn.codegen.text import folded, python_docstring, visible

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
        *body(program, arguments, name),
    ]


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
        numbers = [literal(float(x)) for x in test.inputs[argument.name]]
        lines += folded("            ((", numbers, f",), {argument.shape}),", " " * 16)
    numbers = [literal(float(x)) for x in test.expected[spec.name]]
    lines += ["        ),", *folded("        (", numbers, ",),", " " * 12)]
    return [*lines, f"        {spec.result.shape},", "    ),"]


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
        # a function without arguments has no batch
        for batch in ((), (3,), (2, 2)) if inputs else ((),):
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
