"""Let nodes stand for their negatives where that saves negations.

A difference can be taken either way round, and a sum or product passes a sign on to its reader. So
the sign with which a node is stored is free; it costs an operation only where it does not work out:
at a root, at a product whose signs do not cancel, at a sum of two negative terms. Signs are
flipped, of a node and a few below it, as long as that saves an operation.
"""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.expr.copy import copy_into
from symdyn.expr.graph import Graph

_SUMS = ("add", "sub")
_PRODUCTS = ("mul", "div")
#: Nodes that are flipped together at most: a sign may have to go down through several products.
_LONGEST_CHAIN = 4


def choose_signs(graph: Graph, roots: Sequence[int]) -> tuple[Graph, list[int]]:
    """Flip the stored signs of nodes as long as that saves negations."""
    ops, args = graph.ops, graph.args
    nodes = graph.reachable(roots)
    base, inherent = _without_negations(graph, nodes)
    real = [i for i in nodes if ops[i] != "neg"]
    operands = {i: [(base[a], inherent[a]) for a in args[i]] for i in real}
    for i in real:
        if ops[i] == "sub":
            (x, s), (y, t) = operands[i]
            operands[i] = [(x, s), (y, -t)]
    readers: dict[int, list[int]] = {i: [] for i in real}
    for i in real:
        for a, _ in operands[i]:
            readers[a].append(i)
    at_root: dict[int, list[int]] = {}
    for root in roots:
        at_root.setdefault(base[root], []).append(inherent[root])
    sign = dict.fromkeys(real, 1)
    constant = _constants(graph, real, operands)

    def cost(i: int) -> int:
        """Negations that node i and the roots at it need with the present signs."""
        total = sum(1 for wanted in at_root.get(i, ()) if wanted != sign[i])
        kind = ops[i]
        if i in constant or not operands[i]:
            return total
        effective = [s * sign[a] for a, s in operands[i]]
        if any(a in constant for a, _ in operands[i]) and kind in (*_SUMS, *_PRODUCTS):
            return total
        if kind in _SUMS:
            return total + (effective[0] * sign[i] < 0 and effective[1] * sign[i] < 0)
        if kind in _PRODUCTS:
            return total + (effective[0] * effective[1] * sign[i] < 0)
        return total + sum(s < 0 for s in effective)

    def is_free(i: int) -> bool:
        return ops[i] in (*_SUMS, *_PRODUCTS) and i not in constant

    def cost_around(flipped: Sequence[int]) -> int:
        around: dict[int, None] = {}
        for i in flipped:
            around[i] = None
            around.update(dict.fromkeys(readers[i]))
        return sum(cost(k) for k in around)

    def flip(chain: Sequence[int]) -> int:
        """Flip all; the negations that this costs."""
        before = cost_around(chain)
        for i in chain:
            sign[i] = -sign[i]
        return cost_around(chain) - before

    def improve(start: int) -> list[int]:
        """Flip a node, and its operand, and that one's, until it pays; what was flipped."""
        chain = [start]
        while True:
            if flip(chain) < 0:
                return chain
            flip(chain)
            below = [a for a, _ in operands[chain[-1]] if is_free(a) and a not in chain]
            if not below or len(chain) == _LONGEST_CHAIN:
                return []
            costs: list[tuple[int, int]] = []
            for a in below:
                costs.append((flip([*chain, a]), a))
                flip([*chain, a])
            chain.append(min(costs)[1])

    if not any(cost(i) for i in real):
        return graph, list(roots)
    queue = [i for i in real if is_free(i)]
    queued = set(queue)
    while queue:
        i = queue.pop()
        queued.discard(i)
        if not cost_around([i]):
            continue
        for flipped in improve(i):
            for k in (*[a for a, _ in operands[flipped]], *readers[flipped]):
                if is_free(k) and k not in queued:
                    queue.append(k)
                    queued.add(k)
    return _rebuild(graph, roots, real, operands, sign, base, inherent)


def _without_negations(graph: Graph, nodes: Sequence[int]) -> tuple[dict[int, int], dict[int, int]]:
    """For each node the node below its negations, and the sign between them."""
    base: dict[int, int] = {}
    inherent: dict[int, int] = {}
    for i in nodes:
        if graph.ops[i] == "neg":
            (a,) = graph.args[i]
            base[i], inherent[i] = base[a], -inherent[a]
        else:
            base[i], inherent[i] = i, 1
    return base, inherent


def _constants(
    graph: Graph, real: Sequence[int], operands: dict[int, list[tuple[int, int]]]
) -> set[int]:
    constant: set[int] = set()
    for i in real:
        if graph.ops[i] in ("const", "pi") or (
            operands[i] and all(a in constant for a, _ in operands[i])
        ):
            constant.add(i)
    return constant


def _rebuild(
    graph: Graph,
    roots: Sequence[int],
    real: Sequence[int],
    operands: dict[int, list[tuple[int, int]]],
    sign: dict[int, int],
    base: dict[int, int],
    inherent: dict[int, int],
) -> tuple[Graph, list[int]]:
    """Build the stored nodes; a sum starts with its positive term."""
    out = Graph()
    new: dict[int, int] = {}

    def signed(node: int, s: int) -> int:
        return new[node] if s > 0 else out.neg(new[node])

    for i in real:
        op = graph.ops[i]
        effective = [(a, s * sign[a]) for a, s in operands[i]]
        if op in _SUMS:
            (x, s), (y, t) = [(a, e * sign[i]) for a, e in effective]
            if s > 0:
                new[i] = out.add(new[x], new[y]) if t > 0 else out.sub(new[x], new[y])
            else:
                new[i] = out.sub(new[y], new[x]) if t > 0 else _both_negative(out, new[x], new[y])
        elif op in _PRODUCTS:
            (x, s), (y, t) = effective
            value = out.mul(new[x], new[y]) if op == "mul" else out.div(new[x], new[y])
            new[i] = value if s * t * sign[i] > 0 else out.neg(value)
        else:
            inputs = tuple([signed(a, s) for a, s in effective])
            new[i] = out.rebuild(op, inputs, graph.payload[i])
        if i in graph.labels:
            text = graph.labels[i]
            out.labels.setdefault(new[i], text if sign[i] > 0 else f"-({text})")
    found = [signed(base[root], inherent[root] * sign[base[root]]) for root in roots]
    clean = Graph()
    return clean, copy_into(out, found, clean)


def _both_negative(graph: Graph, x: int, y: int) -> int:
    """-x - y; an exact constant takes the sign into itself."""
    for constant, other in ((x, y), (y, x)):
        if graph.is_const(constant):
            return graph.sub(graph.neg(constant), other)
    return graph.neg(graph.add(x, y))
