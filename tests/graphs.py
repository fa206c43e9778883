"""Random expressions for property tests: a list of instructions, so that examples shrink well."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st

from symdyn.expr.graph import Graph, GraphAlgebra, Node

FIELD = ("add", "sub", "mul", "div", "neg", "powi")
CHOICE = ("abs", "sign", "min", "max", "lt", "le", "eq", "where")
CIRCLE = ("sin", "cos")
SMOOTH = (
    "sqrt", "exp", "log", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "pow",
    "cbrt",
)  # fmt: skip
NAMES = ("x", "y", "z")
CONSTANTS = tuple(map(Fraction, ("2", "-3", "1/2", "-2/3", "0.316", "5")))

Instruction = tuple[str, int, int, int]


def programs(
    ops: Sequence[str], *, longest: int = 25
) -> st.SearchStrategy[tuple[Instruction, ...]]:
    """Straight-line programs over three symbols and some constants."""
    index = st.integers(0, 40)
    step = st.tuples(st.sampled_from(ops), index, index, index)
    return st.lists(step, min_size=1, max_size=longest).map(tuple)


def build(graph: Graph, program: Sequence[Instruction]) -> Node:
    """The last value of a program; its operands are counted back from the newest value."""
    A = GraphAlgebra(graph)
    values = [A.const(c) for c in CONSTANTS] + [graph.symbol(n) for n in NAMES]
    for op, i, j, k in program:
        a, b, c = (values[-1 - n % len(values)] for n in (i, j, k))
        match op:
            case "neg":
                new = -a
            case "add":
                new = a + b
            case "sub":
                new = a - b
            case "mul":
                new = a * b
            case "div":
                new = a if graph.is_const(b.id) and graph.const_value(b.id) == 0 else a / b
            case "powi":
                n = k % 7 - 3
                is_zero = graph.is_const(a.id) and graph.const_value(a.id) == 0
                new = a if is_zero else A.powi(a, n)
            case "where":
                new = A.where(a, b, c)
            case "pow" | "atan2" | "min" | "max" | "lt" | "le" | "eq":
                new = A.binary(op, a, b)
            case _:
                new = A.unary(op, a)
        values.append(new)
    return values[-1]


def symbols(graph: Graph) -> list[int]:
    """Indices of the three symbols."""
    return [graph.symbol(n).id for n in NAMES]


#: states with short exact coordinates, none of them special to a function
states = st.tuples(
    *(
        st.sampled_from([Fraction(n, 16) for n in (-29, -19, -13, -7, -3, 3, 5, 11, 17, 23, 37)])
        for _ in NAMES
    )
)
