"""What is wrong with a unit is said before anything is printed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from symdyn._errors import InputError, SizeError
from symdyn.codegen.generate import generate
from symdyn.codegen.spec import Argument, Constant, FunctionSpec, Result, SelfTest, Unit
from symdyn.expr.graph import Graph


def _spec() -> FunctionSpec:
    graph = Graph()
    x, y = graph.symbol("x"), graph.symbol("y")
    given = (Argument("q", (2,), (x.id, y.id)),)
    return FunctionSpec("f", graph, given, Result("out", (1,), ((x * y).id,)))


def _unit(*specs: FunctionSpec, test: SelfTest | None = None) -> Unit:
    return Unit("u", specs, (), (), test, "sha256:0")


GOOD = SelfTest({"q": (1.0, 2.0)}, {"f": (2.0,)}, 1e-9)


def test_the_example_is_accepted() -> None:
    assert set(generate(_unit(_spec(), test=GOOD), "c")) == {"u.h", "u.c"}


def _refused(unit: Unit, error: type[Exception], message: str, target: str = "numpy") -> None:
    with pytest.raises(error, match=message):
        generate(unit, target)


def test_units() -> None:
    _refused(_unit(), InputError, "no functions")
    _refused(_unit(_spec(), _spec()), InputError, "two functions are called 'f'")
    _refused(_unit(_spec()), InputError, "no target 'fortran'; expected one of numpy, c", "fortran")
    twice = replace(_unit(_spec()), constants=(Constant("a", "x"), Constant("a", "y")))
    _refused(twice, InputError, "two constants are called 'a'")
    mixed = replace(_unit(_spec()), constants=(Constant("a", ("x", 1.0)),))  # type: ignore[arg-type] # on purpose
    _refused(mixed, InputError, "constant 'a' mixes texts and numbers")


def test_arguments() -> None:
    spec = _spec()
    x, y = spec.arguments[0].symbols
    cases = [
        ((), InputError, "symbol 'x' belongs to no argument"),
        ((Argument("q", (2,), (x, x)), Argument("p", (1,), (y,))), InputError, "'x' stands twice"),
        ((Argument("q", (1,), (x,)), Argument("q", (1,), (y,))), InputError, "two arguments are"),
        ((Argument("q", (3,), (x, y)),), SizeError, "has 2 entries; expected 3"),
        ((*spec.arguments, Argument("e", (0,), ())), InputError, "'e' is an empty array"),
        ((Argument("q", (2,), (x, spec.result.entries[0])),), InputError, "which is no symbol"),
    ]
    for given, error, message in cases:
        _refused(_unit(replace(spec, arguments=given)), error, message)


def test_results() -> None:
    spec = _spec()
    empty = replace(spec, result=Result("out", (0, 3), ()))
    _refused(_unit(empty), InputError, "'out' is an empty array")
    short = replace(spec, result=Result("out", (2, 2), spec.result.entries))
    _refused(_unit(short), SizeError, "has 1 entry; expected 4")
    outside = replace(spec, result=Result("out", (1,), (10**6,)))
    _refused(_unit(outside), InputError, "not in the graph")


def test_self_tests() -> None:
    cases = [
        (replace(GOOD, expected={"g": (1.0,)}), InputError, "'g', which is no function"),
        (replace(GOOD, inputs={}), InputError, "no value for argument 'q'"),
        (replace(GOOD, inputs={"q": (1.0,)}), SizeError, "'q' has 1 entry; expected 2"),
        (replace(GOOD, expected={"f": (float("nan"),)}), InputError, "not finite"),
        (replace(GOOD, tolerance=0.0), InputError, "tolerance out of range"),
    ]
    for test, error, message in cases:
        _refused(_unit(_spec(), test=test), error, message)
