"""Run an expression graph over any number kind.

One loop over the reachable nodes in order of index; each node is computed once. Cost: one algebra
operation a node. The same graph gives floats, arrays of states, 50-digit numbers, enclosures, SymPy
expressions or the nodes of another graph, depending on the algebra.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from fractions import Fraction
from typing import cast

from symdyn._errors import InputError
from symdyn.algebra.protocol import Algebra, S, Scoped, TotalDivision
from symdyn.expr.graph import Graph


def evaluate(
    graph: Graph, roots: Sequence[int], algebra: Algebra[S], symbols: Mapping[int, S]
) -> list[S]:
    """Values of the roots over ``algebra``.

    Parameters
    ----------
    graph : where the roots live
    roots : indices of the wanted nodes
    algebra : the number kind
    symbols : value of each needed ``symbol`` node, by its index. Any other node may be given a
        value too; it is then not computed.

    Returns
    -------
    list of len(roots) scalars

    Raises
    ------
    InputError : a needed symbol has no value
    """
    scope = algebra.scope() if isinstance(algebra, Scoped) else nullcontext()
    with scope:
        return _run(graph, roots, algebra, symbols)


def _run(
    graph: Graph, roots: Sequence[int], algebra: Algebra[S], symbols: Mapping[int, S]
) -> list[S]:
    ops, args, payload = graph.ops, graph.args, graph.payload
    total = cast("TotalDivision[S]", algebra) if isinstance(algebra, TotalDivision) else None
    value: dict[int, S] = {}
    for i in graph.reachable(roots):
        if i in symbols:
            value[i] = symbols[i]
            continue
        op = ops[i]
        a = args[i]
        if op == "mul":
            value[i] = value[a[0]] * value[a[1]]
        elif op == "add":
            value[i] = value[a[0]] + value[a[1]]
        elif op == "sub":
            value[i] = value[a[0]] - value[a[1]]
        elif op == "neg":
            value[i] = -value[a[0]]
        elif op == "const":
            value[i] = algebra.const(cast("Fraction", payload[i]))
        elif op == "div":
            x, y = value[a[0]], value[a[1]]
            value[i] = x / y if total is None else total.divide(x, y)
        elif op == "symbol":
            raise InputError(
                f"symbol {payload[i]!r} has no value",
                where="evaluate",
                remedy="Give a value for the index of every symbol node that the roots need.",
            )
        elif op == "powi":
            value[i] = algebra.powi(value[a[0]], cast("int", payload[i]))
        elif op == "pi":
            value[i] = algebra.pi()
        elif op == "where":
            value[i] = algebra.where(value[a[0]], value[a[1]], value[a[2]])
        elif len(a) == 1:
            value[i] = algebra.unary(op, value[a[0]])
        else:
            value[i] = algebra.binary(op, value[a[0]], value[a[1]])
    return [value[root] for root in roots]
