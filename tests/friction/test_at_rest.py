"""Values and derivatives of every law at zero velocity, where formulas are easily NaN or wrong.

The convention: at v = 0 a derivative by v is that of the forward side, the limit of the slope as
v falls to 0; a derivative by a parameter is that of the value at v = 0. The reference is a divided
difference in 200 digits, which knows nothing of derivatives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from symdyn.algebra.dual import Dual, DualAlgebra
from symdyn.algebra.float64 import ARRAYS, FLOAT64
from symdyn.algebra.interval import INTERVAL
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.protocol import Algebra
from symdyn.expr.derive import forward, reverse
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import FrictionLaw
from tests.friction.examples import CASES, signals_of, states_of, variants

MP = MpAlgebra(200)
#: Time step of the update; far from the time constants of the examples.
STEP = 0.25
#: Fractions of the states' bounds that are tried: rest, inside, at the bound.
FRACTIONS = (0.0, 0.4, 1.0)
#: What a slope of order sqrt(1e-60) at the first point adds is far below.
TOLERANCE = 1e-11

Outputs = Callable[..., list[Any]]


def outputs(law: FrictionLaw) -> Outputs:
    """All that a law computes, as one list: force, steady force, rates, updated states."""

    def all_of(
        A: Algebra[Any], v: Any, x: Sequence[Any], u: Mapping[str, Any], p: Mapping[str, Any]
    ) -> list[Any]:
        found = [law.force(A, v, x, u, p), law.steady(A, v, x, u, p)]
        if law.rate is not None:
            found += law.rate(A, v, x, u, p)
        if law.update is not None:
            step = A.const(1) / A.const(4)
            found += law.update(A, v, x, u, p, step)
        return found

    return all_of


def at(
    law: FrictionLaw, A: Algebra[Any], number: Callable[[float], Any], x: Sequence[float]
) -> tuple[list[Any], dict[str, Any]]:
    """States and signals as numbers of one kind."""
    return [number(value) for value in x], {k: number(s) for k, s in signals_of(law).items()}


Derivatives = list[list[float]]


def reference(
    law: FrictionLaw, p: Mapping[str, float], x: Sequence[float]
) -> tuple[Derivatives, Derivatives]:
    """Derivatives of each output by v and by each parameter, at v = 0.

    Twice: by v always of the forward side; by a parameter, at whose value a state may just be at
    its bound, of both sides.
    """
    states, signals = at(law, MP, MP.number, x)
    numbers = {name: MP.number(value) for name, value in p.items()}
    compute = outputs(law)
    h = MP.number("1e-60")
    near = compute(MP, h, states, signals, numbers)
    nearer = compute(MP, h + h, states, signals, numbers)
    slopes = [float(MP.divide(b - a, h)) for a, b in zip(near, nearer, strict=True)]
    left, right = [slopes], [slopes]
    zero = MP.number(0)
    here = compute(MP, zero, states, signals, numbers)
    for name in p:
        up, down = dict(numbers), dict(numbers)
        up[name], down[name] = numbers[name] + h, numbers[name] - h
        above = compute(MP, zero, states, signals, up)
        below = compute(MP, zero, states, signals, down)
        right.append([float(MP.divide(a - b, h)) for a, b in zip(above, here, strict=True)])
        left.append([float(MP.divide(a - b, h)) for a, b in zip(here, below, strict=True)])
    return left, right


@dataclass(frozen=True)
class Derived:
    """The graph of all derivatives of a law, forward and reverse."""

    graph: Graph
    symbols: tuple[int, ...]
    outputs: int
    forward: tuple[int, ...]
    reverse: tuple[int, ...]


@cache
def derived(name: str) -> Derived:
    law = LAWS[name]
    graph = Graph()
    A = GraphAlgebra(graph)
    v = graph.symbol("v")
    states = [graph.symbol(f"x.{q.name}") for q in law.states]
    signals = {q.name: graph.symbol(f"u.{q.name}") for q in law.signals}
    parameters = {q.name: graph.symbol(f"p.{q.name}") for q in law.parameters}
    roots = [node.id for node in outputs(law)(A, v, states, signals, parameters)]
    wrt = [v.id, *(node.id for node in parameters.values())]
    ahead = [entry for symbol in wrt for entry in forward(graph, roots, symbol)]
    rows = [reverse(graph, root, wrt) for root in roots]
    back = [row[k] for k in range(len(wrt)) for row in rows]
    symbols = [v, *states, *signals.values(), *parameters.values()]
    ids = tuple(node.id for node in symbols)
    return Derived(graph, ids, len(roots), tuple(ahead), tuple(back))


def by_graph(
    law: FrictionLaw, p: Mapping[str, float], x: Sequence[float], arrays: bool, backward: bool
) -> Derivatives:
    """The same by differentiating the expression graph."""
    known = derived(law.name)
    ordered = [p[q.name] for q in law.parameters]
    numbers = [0.0, *x, *signals_of(law).values(), *ordered]
    values = dict(zip(known.symbols, numbers, strict=True))
    flat = known.reverse if backward else known.forward
    if arrays:
        batch = {key: np.full((2, 3), value) for key, value in values.items()}
        found = [float(np.ravel(e)[-1]) for e in evaluate(known.graph, flat, ARRAYS, batch)]
    else:
        found = evaluate(known.graph, flat, FLOAT64, values)
    size = known.outputs
    columns = [found[k : k + size] for k in range(0, len(found), size)]
    at = {q.name: k + 1 for k, q in enumerate(law.parameters)}
    return [columns[0], *(columns[at[name]] for name in p)]


def by_dual(law: FrictionLaw, p: Mapping[str, float], x: Sequence[float]) -> Derivatives:
    """The same by dual numbers."""
    A = DualAlgebra(FLOAT64)
    states, signals = at(law, A, A.constant, x)
    columns: list[list[float]] = []
    for name in ("", *p):
        numbers = {k: Dual(value, float(k == name)) for k, value in p.items()}
        v = Dual(0.0, float(name == ""))
        columns.append([e.rate for e in outputs(law)(A, v, states, signals, numbers)])
    return columns


ROADS: dict[str, Callable[..., Derivatives]] = {
    "graph": lambda law, p, x: by_graph(law, p, x, arrays=False, backward=False),
    "graph reverse": lambda law, p, x: by_graph(law, p, x, arrays=False, backward=True),
    "arrays": lambda law, p, x: by_graph(law, p, x, arrays=True, backward=False),
    "dual": by_dual,
}


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_derivatives_at_rest_are_one_sided_and_never_nan(name: str, variant: int) -> None:
    law = LAWS[name]
    p = variants(law)[variant]
    for fraction in FRACTIONS if law.states else FRACTIONS[:1]:
        for sign in (1, -1) if fraction else (1,):
            x = states_of(law, sign * fraction)
            left, right = reference(law, p, x)
            for road, derivatives in ROADS.items():
                found = derivatives(law, p, x)
                for label, *row in zip(("v", *p), left, right, found, strict=True):
                    for k, (a, b, c) in enumerate(zip(*row, strict=True)):
                        assert is_same(a, c) or is_same(b, c), (
                            f"{road}: d/d{label} of output {k} at x = {x} is {c!r}, not {a!r}"
                        )


def is_same(expected: float, found: float) -> bool:
    if math.isinf(found):  # a divided difference cannot be infinite, only huge
        return abs(expected) > 1e9 and expected * found > 0
    return abs(found - expected) <= TOLERANCE * (1 + abs(expected))


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_nothing_moves_at_rest(name: str, variant: int) -> None:
    """No velocity, no rate; the update returns the very state that it was given."""
    law = LAWS[name]
    p = variants(law)[variant]
    for fraction in (-1.0, -0.37, 0.0, 0.51, 1.0):
        x = states_of(law, fraction)
        if law.rate is not None:
            assert [abs(r) for r in law.rate(FLOAT64, 0.0, x, signals_of(law), p)] == [0.0] * len(x)
        if law.update is not None:
            assert law.update(FLOAT64, 0.0, x, signals_of(law), p, STEP) == x


@pytest.mark.parametrize(("name", "variant"), CASES)
@pytest.mark.parametrize("shape", [(), (4,), (2, 3)])
def test_values_keep_the_shape_of_the_velocity(
    name: str, variant: int, shape: tuple[int, ...]
) -> None:
    law = LAWS[name]
    p = {key: np.asarray(value) for key, value in variants(law)[variant].items()}
    u = {key: np.asarray(value) for key, value in signals_of(law).items()}
    x = [np.full(shape, value) for value in states_of(law, 0.4)]
    v = np.zeros(shape)
    if v.size > 1:
        v.flat[:3] = (-0.03, -0.0, 1e-300)
    with ARRAYS.scope():
        for found in outputs(law)(ARRAYS, v, x, u, p):
            assert np.shape(found) == shape
            assert np.isfinite(found).all()


@pytest.mark.parametrize(("name", "variant"), CASES)
def test_no_derivative_is_nan_at_any_velocity(name: str, variant: int) -> None:
    """By velocity, states and parameters; also where a state is just at its bound."""
    law = LAWS[name]
    p = variants(law)[variant]
    A = DualAlgebra(FLOAT64)
    for v in (0.0, 1e-300, -1e-300, 0.3, -2.0):
        for fraction in FRACTIONS if law.states else FRACTIONS[:1]:
            x = states_of(law, fraction)
            for name_of in ("v", *p, *range(len(x))):
                numbers = {k: Dual(value, float(k == name_of)) for k, value in p.items()}
                states = [Dual(value, float(k == name_of)) for k, value in enumerate(x)]
                _, signals = at(law, A, A.constant, x)
                found = outputs(law)(A, Dual(v, float(name_of == "v")), states, signals, numbers)
                for e in found:
                    assert not math.isnan(e.value)
                    assert not math.isnan(e.rate), (v, x, name_of)


@pytest.mark.parametrize("name", list(LAWS))
def test_intervals_around_rest_enclose(name: str) -> None:
    law, p = LAWS[name], EXAMPLES[name]
    if law.name == "viscous-power":
        return  # below 1 the slope of |v|^d at rest has no bound
    numbers = {key: INTERVAL.between(value, value) for key, value in p.items()}
    x = states_of(law, 0.5)
    states, signals = at(law, INTERVAL, lambda value: INTERVAL.between(value, value), x)
    wide = law.force(INTERVAL, INTERVAL.between(-1e-3, 2e-3), states, signals, numbers)
    assert wide.is_bounded
    low, high = (float(end) for end in wide.bounds())
    for v in (-1e-3, -1e-6, 0.0, 5e-4, 2e-3):
        assert low <= law.force(FLOAT64, v, x, signals_of(law), p) <= high
