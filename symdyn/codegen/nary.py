"""Sums and products of many terms, seen through the binary nodes of a graph.

A node that only one sum (product) reads is part of that sum (product); one that is read elsewhere
or is a root stands on its own. A view never grows beyond `LONGEST` terms, so a chain of any length
is seen as several sums, and passes over all pairs of terms stay linear in the size of the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symdyn.expr.graph import Graph

#: Terms of one view at most.
LONGEST = 32

Signed = tuple[int, int]


@dataclass(frozen=True, slots=True)
class NaryView:
    """The sums and products that a graph computes for its roots.

    Attributes
    ----------
    nodes : all needed nodes, ascending
    uses : how often each is read, a root once more
    constant : nodes that depend on no symbol
    sums : (node, sign) of each term, for each node that is a sum of its own
    products : factors, for each node that is a product of its own
    """

    nodes: Sequence[int]
    uses: dict[int, int]
    constant: frozenset[int]
    sums: dict[int, list[Signed]]
    products: dict[int, list[int]]


def nary_view(graph: Graph, roots: Sequence[int]) -> NaryView:
    """Look at a graph as sums and products of many terms."""
    ops, args = graph.ops, graph.args
    nodes = graph.reachable(roots)
    uses: dict[int, int] = dict.fromkeys(nodes, 0)
    constant: set[int] = set()
    for i in nodes:
        for a in args[i]:
            uses[a] += 1
        if ops[i] in ("const", "pi") or (args[i] and all(a in constant for a in args[i])):
            constant.add(i)
    for root in roots:
        uses[root] += 1
    terms: dict[int, list[Signed]] = {}
    factors: dict[int, list[int]] = {}
    for i in nodes:
        if i in constant:
            continue
        op = ops[i]
        if op in ("add", "sub", "neg"):
            found: list[Signed] = []
            for k, a in enumerate(args[i]):
                sign = -1 if op == "neg" or (op == "sub" and k) else 1
                inner = terms.get(a) if uses[a] == 1 else None
                if inner is not None and len(inner) < LONGEST // 2:
                    found += [(node, s * sign) for node, s in inner]
                    del terms[a]
                else:
                    found.append((a, sign))
            terms[i] = found
        elif op == "mul":
            product: list[int] = []
            for a in args[i]:
                inner_factors = factors.get(a) if uses[a] == 1 else None
                if inner_factors is not None and len(inner_factors) < LONGEST // 2:
                    product += inner_factors
                    del factors[a]
                else:
                    product.append(a)
            factors[i] = product
    return NaryView(nodes, uses, frozenset(constant), terms, factors)
