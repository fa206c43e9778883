"""Canonical text of expressions and its hash: equal bytes for equal expressions, in every process.

The text lists the needed nodes, arguments first, one a line, and then the roots::

    %0 symbol "x"
    %1 const 1/3
    %2 mul %1 %0
    root %2

It does not depend on the order in which the graph was built or on what else the graph holds: the
arguments of commutative operations are ordered by the hashes of their own expressions, and nodes
are numbered as a walk from the roots meets them. A difference keeps the side on which its sign
stands (``a - b`` and ``-(b - a)`` are two texts).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256

from symdyn.expr.graph import Graph

_COMMUTATIVE = frozenset(("add", "mul", "min", "max", "eq"))


def canonical_text(graph: Graph, roots: Sequence[int]) -> str:
    """The roots as text, ASCII, lines ended by a line feed.

    Symbol names are JSON strings, so any name is one token on one line.
    """
    order = _ordered_arguments(graph, roots)
    number: dict[int, int] = {}
    lines: list[str] = []
    for root in roots:
        stack = [root]
        while stack:
            i = stack[-1]
            if i in number:
                stack.pop()
                continue
            missing = [a for a in order[i] if a not in number]
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            number[i] = len(number)
            arguments = "".join(f" %{number[a]}" for a in order[i])
            lines.append(f"%{number[i]} {graph.ops[i]}{arguments}{_payload(graph.payload[i])}\n")
    lines += [f"root %{number[root]}\n" for root in roots]
    return "".join(lines)


def digest(graph: Graph, roots: Sequence[int]) -> str:
    """``sha256:`` and the hash of the canonical text."""
    return "sha256:" + sha256(canonical_text(graph, roots).encode("ascii")).hexdigest()


def _ordered_arguments(graph: Graph, roots: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Arguments of each node in canonical order."""
    order: dict[int, tuple[int, ...]] = {}
    name: dict[int, bytes] = {}
    ops, args, payload = graph.ops, graph.args, graph.payload
    for i in graph.reachable(roots):
        inside = args[i]
        if ops[i] in _COMMUTATIVE:
            inside = tuple(sorted(inside, key=name.__getitem__))
        order[i] = inside
        text = ops[i] + _payload(payload[i])
        name[i] = sha256(b"".join([text.encode(), *(name[a] for a in inside)])).digest()
    return order


def _payload(payload: Fraction | str | int | None) -> str:
    if payload is None:
        return ""
    return f" {json.dumps(payload)}" if isinstance(payload, str) else f" {payload}"
