"""Size of an expression: operation counts, depth, nodes, and the size it would have as a tree.

Counted is what a straight-line program executes. A node counts once however often it is used. What
depends on no symbol counts nothing: it is folded to one literal when it is printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from symdyn.expr.graph import Graph

_LEAVES = frozenset(("const", "pi", "symbol"))


@dataclass(frozen=True, slots=True)
class OperationCounts:
    """Operations of a straight-line program.

    Attributes
    ----------
    add : additions, subtractions and negations
    mul : multiplications; a whole power counts those of repeated squaring
    div : divisions
    functions : calls of each function, comparison and ``where``, by name, names sorted
    """

    add: int
    mul: int
    div: int
    functions: Mapping[str, int]

    @property
    def total(self) -> int:
        """All operations together."""
        return self.add + self.mul + self.div + sum(self.functions.values())


def operation_counts(graph: Graph, roots: Sequence[int]) -> OperationCounts:
    """Count the operations that the roots need together."""
    ops, args, payload = graph.ops, graph.args, graph.payload
    counts = {"add": 0, "mul": 0, "div": 0}
    functions: dict[str, int] = {}
    constant: set[int] = set()
    for i in graph.reachable(roots):
        op = ops[i]
        if op in _LEAVES:
            if op != "symbol":
                constant.add(i)
            continue
        if all(a in constant for a in args[i]):
            constant.add(i)
        elif op in ("add", "sub", "neg"):
            counts["add"] += 1
        elif op in ("mul", "div"):
            counts[op] += 1
        elif op == "powi":
            n = cast("int", payload[i])
            counts["mul"] += power_multiplications(n)
            counts["div"] += n < 0
        else:
            functions[op] = functions.get(op, 0) + 1
    return OperationCounts(
        counts["add"], counts["mul"], counts["div"], dict(sorted(functions.items()))
    )


def power_multiplications(n: int) -> int:
    """Multiplications of x^|n| by repeated squaring."""
    size = abs(n)
    return size.bit_length() - 1 + size.bit_count() - 1 if size else 0


def node_count(graph: Graph, roots: Sequence[int]) -> int:
    """Number of nodes that the roots need together, leaves included."""
    return len(graph.reachable(roots))


def depth(graph: Graph, roots: Sequence[int]) -> int:
    """Operations on the longest way from a leaf to a root; 0 for leaves."""
    level: dict[int, int] = {}
    args = graph.args
    for i in graph.reachable(roots):
        level[i] = 1 + max(level[a] for a in args[i]) if args[i] else 0
    return max((level[root] for root in roots), default=0)


def tree_size(graph: Graph, roots: Sequence[int]) -> int:
    """Nodes of the roots written out as trees without sharing; may have thousands of digits."""
    args = graph.args
    nodes = graph.reachable(roots)
    last: dict[int, int] = {}
    for i in nodes:
        for a in args[i]:
            last[a] = i
    keep = frozenset(roots)
    size: dict[int, int] = {}
    for i in nodes:
        size[i] = 1 + sum(size[a] for a in args[i])
        # Sizes of a deep graph are huge numbers: each is dropped after its last use.
        for a in args[i]:
            if last[a] == i and a not in keep:
                size.pop(a, None)
    return sum(size[root] for root in roots)
