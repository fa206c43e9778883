"""Replace nodes of a graph by other nodes of the same graph."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from symdyn.expr.graph import Graph


def substitute(graph: Graph, roots: Sequence[int], mapping: Mapping[int, int]) -> list[int]:
    """The roots with every key of ``mapping`` replaced by its value, all at once.

    Parameters
    ----------
    graph : is appended to
    roots : indices of the expressions
    mapping : index of a node (any, not only symbols) -> index of what takes its place. The
        replacements themselves are not searched: exchanging x and y works.

    Returns
    -------
    list of len(roots) indices; a root that needs no key is returned as it is
    """
    ops, args, payload = graph.ops, graph.args, graph.payload
    new: dict[int, int] = {}
    for i in needed_above(graph, roots, mapping):
        if i in mapping:
            new[i] = mapping[i]
            continue
        old = args[i]
        changed = tuple([new[a] for a in old])
        new[i] = i if changed == old else graph.rebuild(ops[i], changed, payload[i])
    return [new[root] for root in roots]


def needed_above(graph: Graph, roots: Sequence[int], cut: Container[int]) -> list[int]:
    """Indices that the roots need, ascending, without what only nodes of ``cut`` need."""
    if not roots:
        return []
    args = graph.args
    needed = bytearray(max(roots) + 1)
    for root in roots:
        needed[root] = 1
    for i in range(len(needed) - 1, -1, -1):
        if needed[i] and i not in cut:
            for a in args[i]:
                needed[a] = 1
    return [i for i, flag in enumerate(needed) if flag]
