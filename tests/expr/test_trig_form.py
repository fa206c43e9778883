"""The normal form is unique: equal expressions, and only those, have equal forms."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn.algebra.float64 import FLOAT64
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.trig_form import FormTooBigError, TrigForm, trig_forms

G = Graph()
A = GraphAlgebra(G)
X, Y, Z, K = (G.symbol(name) for name in "xyzk")


def number(value: str | int) -> Node:
    return G.constant(Fraction(value))


def twelfths(k: int) -> Node:
    return G.pi() * number(f"{k}/12")


ZEROS = {
    "pythagoras": A.sin(X) * A.sin(X) + A.cos(X) * A.cos(X) - number(1),
    "sum of angles": A.cos(X) * A.cos(Y) - A.sin(X) * A.sin(Y) - A.cos(X + Y),
    "difference of angles": A.sin(X) * A.cos(Y) - A.cos(X) * A.sin(Y) - A.sin(X - Y),
    "difference, other order": A.sin(Y - X) + A.sin(X - Y),
    "triple angle": number(4) * A.powi(A.cos(X), 3) - number(3) * A.cos(X) - A.cos(number(3) * X),
    "half angle": number(2) * A.powi(A.cos(number("1/2") * X), 2) - number(1) - A.cos(X),
    "gear": A.sin(number("-1.25") * X) + A.sin(number("5/4") * X),
    "constant angles": (
        number(2) * A.cos(number("0.3")) * A.cos(number("0.2"))
        - A.cos(number("0.5"))
        - A.cos(number("0.1"))
    ),
    "pi/4": A.sqrt(number(2)) * A.cos(X + twelfths(3)) - A.cos(X) + A.sin(X),
    "pi/12": number(4) * A.sin(twelfths(1)) - A.sqrt(number(6)) + A.sqrt(number(2)),
    "7 pi/12": A.cos(twelfths(7)) + A.sin(twelfths(1)),
    "roots": A.sqrt(number(2)) * A.sqrt(number("9/2")) - number(3),
    "inverse root": number(1) / A.sqrt(number(2)) - number("1/2") * A.sqrt(number(2)),
    "large root": A.powi(A.sqrt(number(1009 * 1013)), 2) - number(1009 * 1013),
    "product in an angle": number(2) * A.sin(K * X) * A.cos(K * X) - A.sin(X * (K + K)),
    "monomial divisor": X * X / Y * Y - X * X,
    "negative power": A.powi(X * Y, -2) * X * Y * Y - number(1) / X,
    "opaque": A.unary("exp", X + Y) - A.unary("exp", Y + X),
    "opaque of equals": A.binary("atan2", A.sin(X + Y), K)
    - A.binary("atan2", A.sin(X) * A.cos(Y) + A.cos(X) * A.sin(Y), K),
    "third of an angle finer than the unit": A.sin(number("1/17") * X) - A.sin(X * number("1/17")),
    "angle in an angle": A.cos(A.sin(X + Y)) - A.cos(A.sin(X) * A.cos(Y) + A.sin(Y) * A.cos(X)),
    "constants fold": A.unary("abs", number(-3)) - number(3) * A.unary("sign", number("0.5")),
    "square root of zero": A.sqrt(A.sin(X) * number(0)),
    "where, condition known": A.where(A.powi(A.sqrt(number(3)), 2) - number(3), X, Y) - Y,
}


@pytest.mark.parametrize("name", ZEROS)
def test_true_identities_give_the_zero_form(name: str) -> None:
    (form,) = trig_forms(G, [ZEROS[name].id])
    assert form.is_zero


NON_ZEROS = {
    "wrong sign": A.cos(X) * A.cos(Y) + A.sin(X) * A.sin(Y) - A.cos(X + Y),
    "missing term": A.sin(X) * A.sin(X) + A.cos(X) * A.cos(X),
    "wrong factor": A.sin(X) * A.cos(X) - A.sin(X + X),
    "symbol against its angle": X - A.sin(X),
    "different roots": A.sqrt(number(2)) - A.sqrt(number(3)),
    "pi is no rational": G.pi() - number("22/7"),
}


@pytest.mark.parametrize("name", NON_ZEROS)
def test_false_identities_do_not(name: str) -> None:
    (form,) = trig_forms(G, [NON_ZEROS[name].id])
    assert not form.is_zero


def test_textbook_form_of_two_angles() -> None:
    left, right = trig_forms(G, [(A.cos(X) * A.cos(Y)).id, A.cos(X + Y).id])
    assert left.size == 2
    (term,) = right.parts()
    assert term.coefficient == 1
    assert not term.is_sine
    assert term.combination == ((0, Fraction(1)), (1, Fraction(1)))


def test_forms_are_hashable_and_have_constants() -> None:
    a, b, c = trig_forms(G, [A.cos(X + Y).id, A.cos(Y + X).id, number("7/3").id])
    assert {a: 1}[b] == 1
    assert a != 1
    assert c.constant == Fraction(7, 3)
    assert a.constant is None
    assert (a - b).constant == 0
    assert repr(a) == "TrigForm(1 terms)"


def test_budget_stops_what_would_not_end() -> None:
    product = number(1)
    for i in range(40):
        q = G.symbol(f"q{i}")
        product = product * (A.cos(q) + A.sin(q) + q)
    with pytest.raises(FormTooBigError, match="5000 term updates"):
        trig_forms(G, [product.id], limit=5000)


def test_exponents_beyond_the_packing_are_refused() -> None:
    with pytest.raises(FormTooBigError, match="exponent"):
        trig_forms(G, [A.powi(X, 2**31).id])


def test_too_many_generators_or_angles_are_refused() -> None:
    node = X
    for _ in range(2100):
        node = A.unary("tanh", node)
    with pytest.raises(FormTooBigError, match="2048 generators"):
        trig_forms(G, [node.id])
    total = X
    for i in range(300):
        total = total + A.sin(G.symbol(f"angle{i}"))
    with pytest.raises(FormTooBigError, match="256 angles"):
        trig_forms(G, [total.id])


def test_depth_is_no_limit() -> None:
    node = X
    for _ in range(50_000):
        node = node * number("1/2") + Y
    (form,) = trig_forms(G, [node.id])
    assert form.size == 2


@st.composite
def expressions(draw: st.DrawFn) -> Node:
    """Polynomials in x, y and in sines and cosines of combinations of x, y and constants."""
    pool = [
        X,
        Y,
        A.sin(X),
        A.cos(X - Y),
        A.cos(number("0.3") + X),
        A.sqrt(number(2)),
        number("-3/2"),
    ]
    for _ in range(draw(st.integers(1, 6))):
        a, b = draw(st.sampled_from(pool)), draw(st.sampled_from(pool))
        pool.append(draw(st.sampled_from([a + b, a - b, a * b, A.sin(X + Y + Y), -a])))
    return pool[-1]


def value(form: TrigForm, symbols: dict[str, float]) -> float:
    """The form summed up in floats, angles resolved in order of creation."""
    algebra = form.algebra
    known = [
        symbols[g.name]
        if g.kind == "symbol"
        else math.sqrt(g.radicand)
        if g.kind == "root"
        else math.pi
        for g in algebra.generators
    ]
    angles: list[float] = []
    for angle in algebra.angles:
        index = angle.monomial.bit_length() // 32
        angles.append(known[index] if angle.monomial else 1.0)
    total = 0.0
    for term in form.parts():
        part = float(term.coefficient) * math.prod(known[i] ** n for i, n in term.powers)
        a = sum(float(k) * angles[i] for i, k in term.combination)
        total += part * (math.sin(a) if term.is_sine else math.cos(a))
    return total


# sums of at most a few hundred terms of size below 1e4, in doubles
TOLERANCE = 1e-9


@given(expressions(), st.floats(-2, 2), st.floats(-2, 2))
def test_form_has_the_value_of_the_expression(node: Node, x: float, y: float) -> None:
    (form,) = trig_forms(G, [node.id])
    (expected,) = evaluate(G, [node.id], FLOAT64, {X.id: x, Y.id: y})
    scale = max(1.0, abs(expected))
    assert value(form, {"x": x, "y": y}) == pytest.approx(expected, abs=TOLERANCE * scale)


@given(expressions(), expressions(), expressions())
def test_ring_laws(a: Node, b: Node, c: Node) -> None:
    nodes = [(a + b) * c, a * c + b * c, a * b, b * a, a - b, -(b - a)]
    forms = trig_forms(G, [n.id for n in nodes])
    assert forms[0] == forms[1]
    assert forms[2] == forms[3]
    assert forms[4] == forms[5]
