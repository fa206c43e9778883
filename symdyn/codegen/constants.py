"""Doubles of constant expressions, correctly rounded.

A rational constant is rounded once from its exact value. Anything else is evaluated in decimal
floating point at 40 and 80 digits; only when both agree far beyond a double is the value rounded,
else the precision is doubled again. A value that keeps shrinking with the precision is an exact
zero that was written in a complicated way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from symdyn.algebra.mp import MpAlgebra, Real
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph

_DIGITS = (40, 80, 160, 320)
#: Relative agreement of two precisions that settles a double with 8 digits to spare.
_AGREEMENT = Fraction(1, 10**25)
#: A nonzero constant of a robot is far larger; what is smaller at 320 digits is rounding error.
_ZERO = Fraction(1, 10**100)


def nearest_double(value: Fraction | int) -> float:
    """The double nearest to an exact number; an infinity beyond the largest double."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def constant_doubles(graph: Graph, nodes: Sequence[int]) -> list[float]:
    """The doubles nearest to the values of nodes that depend on no symbol."""
    found: dict[int, float] = {}
    open_nodes: list[int] = []
    for node in nodes:
        if graph.ops[node] == "const":
            found[node] = nearest_double(graph.const_value(node))
        else:
            open_nodes.append(node)
    coarse: list[Real] = []
    for digits in _DIGITS:
        if not open_nodes:
            break
        algebra = MpAlgebra(digits)
        fine = evaluate(graph, open_nodes, algebra, {})
        if coarse:
            last = digits == _DIGITS[-1]
            agreement, zero = algebra.const(_AGREEMENT), algebra.const(_ZERO)
            rest: list[tuple[int, Real]] = []
            for node, a, b in zip(open_nodes, coarse, fine, strict=True):
                if b != b or a == b or abs(a - b) <= agreement * abs(b):
                    found[node] = float(b)
                elif last:
                    found[node] = 0.0 if abs(b) < zero else float(b)
                else:
                    rest.append((node, b))
            open_nodes = [node for node, _ in rest]
            fine = [value for _, value in rest]
        coarse = fine
    return [found[node] for node in nodes]
