"""From graphs to programs: literals, order, angles, negations, splitting; any depth."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn.algebra.float64 import FLOAT64
from symdyn.codegen.constants import constant_doubles, nearest_double
from symdyn.codegen.lower import Order, lower
from symdyn.codegen.plan import MAX_ANGLE_LEVELS
from symdyn.codegen.program import (
    AngleBlock,
    Assign,
    Cosine,
    Entry,
    Literal,
    Operand,
    Part,
    Program,
    Sine,
    Store,
    Temp,
)
from symdyn.codegen.spec import FunctionSpec
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra
from symdyn.expr.measure import operation_counts
from tests.codegen.building import argument, function, scalars
from tests.graphs import CHOICE, CIRCLE, FIELD, NAMES, Instruction, build, programs


def run(program: Program, inputs: Mapping[str, list[float]]) -> list[float]:
    """The meaning of a program, statement by statement; reads through the work array only."""
    spec = program.spec
    values = [inputs[a.name] for a in spec.arguments]
    out = [math.nan] * len(spec.result.entries)
    for fill in program.fills:
        out[fill.first : fill.first + fill.count] = [fill.value] * fill.count
    work: dict[tuple[str, int], float] = {}
    angles: dict[int, float] = {}
    temps: dict[int, float] = {}

    def read(operand: Operand) -> float:
        match operand:
            case Temp(index):
                if index in temps:
                    return temps[index]
                place = "fixed" if index in program.shared else "work"
                return work[place, program.slots[index]]
            case Entry(k, index):
                return values[k][index]
            case Literal(value):
                return value
            case Sine(k):
                return math.sin(angles[k])
            case Cosine(k):
                return math.cos(angles[k])

    for block in (*program.prelude, *program.blocks):
        if program.is_split or block in program.prelude:
            temps.clear()
        if isinstance(block, AngleBlock):
            for k, angle in enumerate(block.angles):
                angles[block.first + k] = read(angle)
            continue
        for statement in block.statements:
            if isinstance(statement, Store):
                out[statement.entry] = read(statement.value)
                continue
            args = [read(a) for a in statement.args]
            temps[statement.target] = _apply(statement.op, args)
        for temp in block.exports:
            place = "fixed" if temp in program.shared else "work"
            work[place, program.slots[temp]] = temps[temp]
    return out


def _apply(op: str, args: list[float]) -> float:
    match op:
        case "add":
            return args[0] + args[1]
        case "sub":
            return args[0] - args[1]
        case "mul":
            return args[0] * args[1]
        case "neg":
            return -args[0]
        case "div":
            return FLOAT64.divide(*args)
        case "where":
            return FLOAT64.where(*args)
        case _:
            return FLOAT64.unary(op, *args) if len(args) == 1 else FLOAT64.binary(op, *args)


def reference(spec: FunctionSpec, inputs: Mapping[str, list[float]]) -> list[float]:
    symbols = {s: inputs[a.name][k] for a in spec.arguments for k, s in enumerate(a.symbols)}
    return evaluate(spec.graph, list(spec.result.entries), FLOAT64, symbols)


def same(a: float, b: float) -> bool:
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= 1e-12 * max(abs(a), abs(b))


@pytest.mark.parametrize("order", ["creation", "depth_first"])
@pytest.mark.parametrize("hoist", [False, True])
@given(
    first=programs((*FIELD, *CHOICE, *CIRCLE)),
    second=programs(FIELD),
    limit=st.integers(1, 12),
    state=st.lists(st.sampled_from([-1.5, -0.25, 0.5, 2.0]), min_size=3, max_size=3),
)
def test_programs_mean_what_their_graphs_mean(
    order: Order,
    hoist: bool,
    first: tuple[Instruction, ...],
    second: tuple[Instruction, ...],
    limit: int,
    state: list[float],
) -> None:
    graph = Graph()
    roots = [build(graph, first), build(graph, second)]
    roots.append(-roots[0])
    x, y, z = (graph.symbol(name) for name in NAMES)
    arguments = [argument("a", [x, y]), argument("b", [z], (), shared=True)]
    spec = function(graph, arguments, roots)
    inputs = {"a": state[:2], "b": state[2:]}
    expected = reference(spec, inputs)
    for size in (limit, 10**6):
        program = lower(spec, max_statements=size, order=order, hoist=hoist)
        for part in (*program.prelude, *program.blocks):
            if isinstance(part, Part):
                assert len(part.statements) <= size
        found = run(program, inputs)
        assert all(map(same, found, expected)), (found, expected)


def test_counts_are_those_of_the_measure_or_below() -> None:
    graph = Graph()
    (x, y, z), arguments = scalars(graph, ["x", "y", "z"])
    A = GraphAlgebra(graph)
    entry = A.sin(x) * (y - z) + A.powi(y, 5) / z - A.cos(x)
    spec = function(graph, arguments, [entry, -entry])
    counts = lower(spec, max_statements=1000).counts
    assert counts == operation_counts(graph, list(spec.result.entries))


def test_negations_are_absorbed() -> None:
    graph = Graph()
    (x, y, z), arguments = scalars(graph, ["x", "y", "z"])
    entries = [-(x - y), -(graph.constant(3) * x), -((y - z) * x)]
    spec = function(graph, arguments, entries)
    program = lower(spec, max_statements=1000)
    assert not any(isinstance(s, Assign) and s.op == "neg" for s in program.statements())
    assert (program.counts.add, program.counts.mul) == (2, 2)
    inputs = {"x": [2.0], "y": [5.0], "z": [-7.0]}
    assert run(program, inputs) == [3.0, -6.0, -24.0]


def test_shared_positive_values_keep_their_negation() -> None:
    graph = Graph()
    (x, y), arguments = scalars(graph, ["x", "y"])
    spec = function(graph, arguments, [x - y, -(x - y)])
    assert lower(spec, max_statements=1000).counts.add == 2


def test_angles_are_gathered_before_everything_else() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    q = [graph.symbol(f"q{k}") for k in range(5)]
    product = q[0] * q[1]
    entries = [product * A.sin(q[1]) + A.cos(q[2]), A.sin(q[4])]
    program = lower(function(graph, [argument("q", q)], entries), max_statements=1000)
    block = program.blocks[0]
    assert isinstance(block, AngleBlock)
    # q1, q2, q4 fill half of a run, so the whole run is computed
    assert block.run == (0, 1)
    assert block.angles == tuple(Entry(0, k) for k in range(1, 5))


def test_scattered_angles_are_listed() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    q = [graph.symbol(f"q{k}") for k in range(9)]
    program = lower(
        function(graph, [argument("q", q)], [A.sin(q[0]) + A.sin(q[8])]), max_statements=1000
    )
    block = program.blocks[0]
    assert isinstance(block, AngleBlock)
    assert block.run is None
    assert len(block.angles) == 2


def test_angles_of_angles_get_their_own_level_up_to_a_limit() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x = graph.symbol("x")
    node = x
    for _ in range(10):
        node = A.sin(node) + A.cos(node)
    spec = function(graph, [argument("x", [x])], [node])
    program = lower(spec, max_statements=1000)
    assert sum(isinstance(b, AngleBlock) for b in program.blocks) == MAX_ANGLE_LEVELS
    assert run(program, {"x": [0.3]}) == pytest.approx(reference(spec, {"x": [0.3]}), rel=1e-14)
    assert program.counts == operation_counts(graph, [node.id])


def test_shared_arguments_go_into_the_prelude() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    q, m, length = (graph.symbol(n) for n in ("q", "m", "l"))
    torque = (m * length) * A.cos(q) + A.sin(m)
    arguments = [argument("q", [q]), argument("theta", [m, length], shared=True)]
    spec = function(graph, arguments, [torque, m + length])
    program = lower(spec, max_statements=1000, hoist=True)
    assert len(program.shared) == 3
    assert not any(isinstance(s, Store) for part in program.prelude for s in part.statements)
    inputs = {"q": [0.5], "theta": [2.0, 3.0]}
    assert run(program, inputs) == pytest.approx(reference(spec, inputs))


def test_work_slots_are_used_again() -> None:
    graph = Graph()
    x, y = (graph.symbol(n) for n in "xy")
    a, b = x, y
    for _ in range(2000):
        a, b = a * y + b, a - b * x
    spec = function(graph, [argument("x", [x, y])], [a, b])
    program = lower(spec, max_statements=50)
    assert len(program.blocks) > 100
    assert program.work < 10


@pytest.mark.parametrize("order", ["creation", "depth_first"])
def test_a_chain_of_depth_100000_passes(order: Order) -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x = graph.symbol("x")
    node = x
    for k in range(50000):
        node = A.unary("tanh", node * x) if k % 1000 == 0 else node * x + x
    spec = function(graph, [argument("x", [x])], [node])
    program = lower(spec, max_statements=2000, order=order)
    assert program.counts.total == operation_counts(graph, [node.id]).total
    assert run(program, {"x": [0.5]}) == reference(spec, {"x": [0.5]})


def test_a_deep_chain_of_angles_passes() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x = graph.symbol("x")
    node = x
    for _ in range(20000):
        node = A.cos(node)
    spec = function(graph, [argument("x", [x])], [node])
    assert run(lower(spec, max_statements=500), {"x": [0.2]}) == [pytest.approx(0.7390851332151607)]


# -- literals -------------------------------------------------------------------------------------


def test_constants_are_rounded_once() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    third = graph.constant(Fraction(1, 3))
    root = A.sqrt(graph.constant(2))
    zero = root * root - graph.constant(2)
    # sqrt(2) sqrt(2) - 2 is zero although no digit of it is
    found = constant_doubles(graph, [third.id, (root * third).id, A.pi().id, zero.id])
    assert found == [1 / 3, 0.47140452079103168, math.pi, 0.0]


def test_constants_that_cancel_are_still_correct() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    # sin(10^-30) - 10^-30 = -10^-90/6: at 40 digits nothing is left of it
    small = graph.constant(Fraction(1, 10**30))
    node = A.sin(small) - small
    assert constant_doubles(graph, [node.id]) == [pytest.approx(-1e-90 / 6, rel=1e-15, abs=0)]


def test_constants_without_a_finite_value() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    log0 = A.unary("log", graph.constant(0))
    bad = A.sqrt(graph.constant(-1))
    found = constant_doubles(graph, [log0.id, bad.id])
    assert found[0] == -math.inf
    assert math.isnan(found[1])
    assert nearest_double(Fraction(-(10**400))) == -math.inf


def test_every_expression_without_symbols_becomes_one_literal() -> None:
    graph = Graph()
    A = GraphAlgebra(graph)
    x = graph.symbol("x")
    c = A.cos(A.pi() * graph.constant(Fraction(1, 5))) + A.unary("exp", graph.constant(1))
    program = lower(function(graph, [argument("x", [x])], [x * c, c]), max_statements=100)
    (assign, first, second) = program.statements()
    assert isinstance(assign, Assign)
    assert assign.args == (Entry(0, 0), Literal(math.cos(math.pi / 5) + math.e)) or assign.args == (
        Literal(math.cos(math.pi / 5) + math.e),
        Entry(0, 0),
    )
    assert first == Store(0, Temp(0))
    assert isinstance(second, Store)
    assert isinstance(second.value, Literal)


def test_many_random_constants_are_the_nearest_doubles() -> None:
    random.seed(5)
    graph = Graph()
    values = [Fraction(random.getrandbits(200), random.getrandbits(190) | 1) for _ in range(300)]
    found = constant_doubles(graph, [graph.constant(v).id for v in values])
    for value, double in zip(values, found, strict=True):
        error = abs(Fraction(double) - value)
        assert error <= abs(Fraction(math.nextafter(double, math.inf)) - value)
        assert error <= abs(Fraction(math.nextafter(double, -math.inf)) - value)


def test_runs_of_constants_are_filled() -> None:
    graph = Graph()
    x, zero, two = graph.symbol("x"), graph.constant(0), graph.constant(2)
    entries = [x, *[zero] * 9, two, *[two] * 8, x, zero, zero]
    program = lower(function(graph, [argument("x", [x])], entries), max_statements=100)
    assert [(f.first, f.count, f.value) for f in program.fills] == [(1, 9, 0.0), (10, 9, 2.0)]
    assert len(list(program.statements())) == 4
    assert run(program, {"x": [3.0]}) == [3.0, *[0.0] * 9, *[2.0] * 9, 3.0, 0.0, 0.0]
