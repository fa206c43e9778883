"""What a unit has to be before anything is printed: complete, consistent, no empty arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence

from symdyn._errors import InputError, SizeError
from symdyn.codegen.spec import Argument, FunctionSpec, SelfTest, Unit


def check_unit(unit: Unit) -> None:
    """Raise on the first fault of a unit.

    Raises
    ------
    InputError : no functions, a repeated name, a symbol in no or two arguments, an empty array,
        a self-test number that is missing or not finite
    SizeError : a shape and its list of nodes disagree, or a self-test vector has the wrong length
    """
    where = f"unit {unit.name!r}"
    if not unit.functions:
        raise InputError("no functions to generate", where=where, remedy="Give at least one.")
    _check_distinct(where, "function", [spec.name for spec in unit.functions])
    _check_distinct(where, "constant", [constant.name for constant in unit.constants])
    for spec in unit.functions:
        check_function(spec)
    for constant in unit.constants:
        if isinstance(constant.value, tuple) and len({type(v) for v in constant.value}) > 1:
            raise InputError(f"constant {constant.name!r} mixes texts and numbers", where=where)
    if unit.self_test is not None:
        _check_self_test(unit, unit.self_test)


def check_function(spec: FunctionSpec) -> None:
    """Raise on the first fault of a function; see `check_unit`."""
    where = f"function {spec.name!r}"
    _check_distinct(where, "argument", [argument.name for argument in spec.arguments])
    owner: dict[int, str] = {}
    for argument in spec.arguments:
        _check_shape(where, argument.name, argument.shape, len(argument.symbols))
        _check_symbols(where, spec, argument, owner)
    result = spec.result
    _check_shape(where, result.name, result.shape, len(result.entries))
    if any(not 0 <= entry < len(spec.graph) for entry in result.entries):
        raise InputError(
            f"result {result.name!r} names a node that is not in the graph", where=where
        )


def _check_symbols(
    where: str, spec: FunctionSpec, argument: Argument, owner: dict[int, str]
) -> None:
    for symbol in argument.symbols:
        if not 0 <= symbol < len(spec.graph) or spec.graph.ops[symbol] != "symbol":
            raise InputError(
                f"argument {argument.name!r} lists node {symbol}, which is no symbol", where=where
            )
        if symbol in owner:
            raise InputError(
                f"symbol {spec.graph.payload[symbol]!r} stands twice in the arguments",
                where=where,
                expected="each symbol in exactly one place",
                got=f"it in {owner[symbol]!r} and in {argument.name!r}",
            )
        owner[symbol] = argument.name


def _check_shape(where: str, name: str, shape: Sequence[int], entries: int) -> None:
    if any(size < 1 for size in shape):
        raise InputError(
            f"{name!r} is an empty array",
            where=where,
            expected="every size at least 1",
            got=f"shape {tuple(shape)}",
            remedy="Leave it out: compiled languages have no empty arrays.",
        )
    if math.prod(shape) != entries:
        raise SizeError(where, f"{name!r} of shape {tuple(shape)}", math.prod(shape), entries)


def _check_distinct(where: str, what: str, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"two {what}s are called {name!r}", where=where)
        seen.add(name)


def _check_self_test(unit: Unit, test: SelfTest) -> None:
    where = f"self-test of unit {unit.name!r}"
    functions = {spec.name: spec for spec in unit.functions}
    for name, numbers in test.expected.items():
        if name not in functions:
            raise InputError(f"expected numbers for {name!r}, which is no function", where=where)
        spec = functions[name]
        _check_numbers(where, name, numbers, len(spec.result.entries))
        for argument in spec.arguments:
            if argument.name not in test.inputs:
                raise InputError(
                    f"no value for argument {argument.name!r} of {name!r}", where=where
                )
            given = test.inputs[argument.name]
            _check_numbers(where, argument.name, given, len(argument.symbols))
    if not 0 < test.tolerance < 1:
        raise InputError("tolerance out of range", where=where, got=repr(test.tolerance))


def _check_numbers(where: str, name: str, numbers: Sequence[float], size: int) -> None:
    if len(numbers) != size:
        raise SizeError(where, repr(name), size, len(numbers))
    if not all(math.isfinite(number) for number in numbers):
        raise InputError(f"a number of {name!r} is not finite", where=where)
