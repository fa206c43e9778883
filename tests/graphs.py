"""Random expressions for property tests: a list of instructions, so that examples shrink well."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import assume
from hypothesis import strategies as st

from symdyn.algebra.protocol import Algebra, S
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
    """The last value of a program as a node; whatever folds has folded."""
    return run(GraphAlgebra(graph), program, [graph.symbol(n) for n in NAMES])


def run(A: Algebra[S], program: Sequence[Instruction], variables: Sequence[S]) -> S:
    """The last value of a program; its operands are counted back from the newest value."""
    values = [A.const(c) for c in CONSTANTS] + list(variables)
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
                new = a / b
            case "powi":
                new = A.powi(a, k % 7 - 3)
            case "where":
                new = A.where(a, b, c)
            case "pow" | "atan2" | "min" | "max" | "lt" | "le" | "eq":
                new = A.binary(op, a, b)
            case _:
                new = A.unary(op, a)
        values.append(new)
    return values[-1]


def built(program: Sequence[Instruction]) -> tuple[Graph, int]:
    """A new graph with the program; an example that divides by an exact zero is passed over."""
    graph = Graph()
    try:
        return graph, build(graph, program).id
    except ZeroDivisionError:
        assume(False)
        raise


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
