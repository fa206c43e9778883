"""Copy expressions from one graph into another, through the canonical constructors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.expr.graph import Graph
from symdyn.expr.substitute import needed_above


def copy_into(
    source: Graph, roots: Sequence[int], target: Graph, mapping: Mapping[int, int] | None = None
) -> list[int]:
    """Rebuild the roots of ``source`` in ``target``.

    Parameters
    ----------
    source, roots : what to copy; only what the roots need is copied, so this is also how dead
        nodes are dropped
    target : graph that receives them
    mapping : index in ``target`` to use for an index of ``source`` (any node, not only symbols);
        what only mapped nodes need is not copied. Other symbols keep their names.

    Returns
    -------
    list of len(roots) indices in ``target``; labels travel along
    """
    given: Mapping[int, int] = {} if mapping is None else mapping
    new: dict[int, int] = {}
    ops, args, payload, labels = source.ops, source.args, source.payload, source.labels
    rebuild = target.rebuild
    for i in needed_above(source, roots, given):
        if i in given:
            new[i] = given[i]
            continue
        new[i] = rebuild(ops[i], tuple([new[a] for a in args[i]]), payload[i])
        if i in labels:
            target.labels.setdefault(new[i], labels[i])
    return [new[root] for root in roots]
