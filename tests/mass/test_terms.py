"""SymPy to terms: the value survives, what cannot be carried is named."""

from __future__ import annotations

import math

import pytest
import sympy

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.mass.terms import terms_of
from symdyn.mass.zero import Zero, decide_zero

a, b = sympy.symbols("a b", positive=True)
t = sympy.Symbol("t", real=True)
VALUES = {"a": 1.3, "b": 0.4, "t": -0.7}
EXPRESSIONS = [
    a + b - 3 * t / 7,
    a / (b * (1 + t**2)),
    -a * sympy.sin(2 * t) ** 3 / sympy.sqrt(b),
    (a + b) ** sympy.Rational(-3, 2),
    a ** sympy.Rational(1, 3) * b**-2,
    sympy.exp(-a * t) + sympy.E * sympy.log(b) - sympy.pi,
    sympy.Abs(t) + sympy.sign(t) + sympy.Max(a, b, t) - sympy.Min(a, t),
    sympy.atan2(t, a) + sympy.tanh(b) + sympy.acos(b) + sympy.asin(b) + sympy.atan(t),
    sympy.Rational(-5, 3),
    a**b,
]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_terms_have_the_value_of_the_expression(expression: sympy.Expr) -> None:
    found = lift(terms_of([expression]), FLOAT64, VALUES)[0]
    expected = float(expression.subs({a: 1.3, b: 0.4, t: -0.7}))
    assert math.isclose(found, expected, rel_tol=1e-13)


def test_shared_parts_stay_shared() -> None:
    part = sympy.sin(a + b)
    one, two = terms_of([part**2, part * t])
    assert one.args[0] in two.args


def test_refusals() -> None:
    with pytest.raises(InputError, match="has no expression"):
        terms_of([sympy.Function("f")(t) + 1])
    with pytest.raises(UnsupportedError, match="gamma"):
        terms_of([sympy.gamma(a)])
    with pytest.raises(InputError, match="two symbols"):
        terms_of([a + sympy.Symbol("a")])


def test_zero_is_decided_exactly_where_it_can_be() -> None:
    f = sympy.Function("f")(t)
    assert decide_zero(sympy.sin(f) ** 2 + sympy.cos(f) ** 2 - 1) is Zero.PROVED
    assert decide_zero(sympy.sin(2 * t) - 2 * sympy.sin(t) * sympy.cos(t)) is Zero.PROVED
    assert decide_zero((a**2 - b**2) / (a - b) - a - b) is Zero.PROVED
    assert decide_zero(f.diff(t) - f) is Zero.REFUTED
    assert decide_zero(sympy.sin(a) - a) is Zero.REFUTED
    unknown = sympy.exp(a) * sympy.exp(b) - sympy.exp(a + b) + sympy.sqrt(a**2) - a
    assert decide_zero(unknown).holds
