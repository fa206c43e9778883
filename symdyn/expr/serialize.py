"""Canonical text of expressions and its hash: the same graph, the same bytes, anywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from symdyn.expr.graph import Graph

#: Changes when the text of an unchanged graph changes.
FORMAT = 1


def canonical_text(graph: Graph, roots: Sequence[int]) -> str:
    """The roots and all that they need, one node a line, numbered from 0 in order of construction.

    A line is the number, the operation, the numbers of its arguments, and for a constant its
    fraction, for a symbol its name (quoted, so that no name can look like another line), for a
    whole power its exponent. The last line lists the roots.
    """
    number: dict[int, int] = {}
    lines = [f"symdyn graph {FORMAT}"]
    for k, i in enumerate(graph.reachable(roots)):
        number[i] = k
        words = [str(k), graph.ops[i], *(str(number[j]) for j in graph.args[i])]
        payload = graph.payload[i]
        if payload is not None:
            words.append(ascii(payload) if isinstance(payload, str) else str(payload))
        lines.append(" ".join(words))
    lines.append("roots " + " ".join(str(number[root]) for root in roots))
    return "\n".join(lines) + "\n"


def digest(graph: Graph, roots: Sequence[int]) -> str:
    """``sha256:`` and the hash of `canonical_text`."""
    return "sha256:" + hashlib.sha256(canonical_text(graph, roots).encode()).hexdigest()
