"""Derivatives of a graph: forward along directions, and reverse from one root to many variables.

Both are loops over the reachable nodes that append to the same graph; what does not depend on a
variable costs nothing. Derivatives are those almost everywhere of `symdyn.algebra.ops`: 0 for
``sign`` and comparisons, ``sign(x)`` for ``abs``, the branch taken for ``where``, ``min``, ``max``.

A branch that is not taken does not matter to a derivative either, not even as NaN. Forward that is
plain: the derivative of ``where(c, a, b)`` is ``where(c, da, db)``. In reverse, an adjoint of 0
times an infinite partial derivative would be NaN. There each adjoint carries a guard, the condition
under which its node matters, and is selected by it when it meets an adjoint under another guard.

Source: Griewank and Walther 2008, Evaluating Derivatives, ch. 3.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping, Sequence

from symdyn.algebra.partials import FLAT, function_partial
from symdyn.expr.graph import Graph, GraphAlgebra, Node

# A partial derivative as factor over divisor; None stands for 1.
Partial = tuple[int | None, int | None]


def forward(graph: Graph, roots: Sequence[int], wrt: int) -> list[int]:
    """Derivatives of the roots with respect to one node, usually a symbol.

    Returns
    -------
    list of len(roots) indices; every other symbol is held constant
    """
    return forward_along(graph, roots, {wrt: graph.one})


def forward_along(graph: Graph, roots: Sequence[int], direction: Mapping[int, int]) -> list[int]:
    """Derivatives of the roots along a direction: the sum of df/ds times ``direction[s]``.

    Parameters
    ----------
    roots : indices of the expressions
    direction : index of a node, usually a symbol -> index of its rate. With q -> qd it gives the
        total time derivative.

    Returns
    -------
    list of len(roots) indices
    """
    ops, args = graph.ops, graph.args
    add, sub, mul, div, neg = graph.add, graph.sub, graph.mul, graph.div, graph.neg
    rate: dict[int, int] = {}
    zero = graph.zero
    for i in graph.reachable(roots):
        if i in direction:
            found = direction[i]
            if found != zero:
                rate[i] = found
            continue
        op, a = ops[i], args[i]
        if not a:
            continue
        if op == "mul":
            u, v = rate.get(a[0]), rate.get(a[1])
            if u is None:
                if v is None:
                    continue
                found = mul(a[0], v)
            elif v is None:
                found = mul(u, a[1])
            else:
                found = add(mul(u, a[1]), mul(a[0], v))
        elif op == "add":
            u, v = rate.get(a[0]), rate.get(a[1])
            if u is None:
                if v is None:
                    continue
                found = v
            else:
                found = u if v is None else add(u, v)
        elif op == "sub":
            u, v = rate.get(a[0]), rate.get(a[1])
            if v is None:
                if u is None:
                    continue
                found = u
            else:
                found = neg(v) if u is None else sub(u, v)
        elif op == "neg":
            u = rate.get(a[0])
            if u is None:
                continue
            found = neg(u)
        elif op in FLAT or not any(j in rate for j in a):
            continue
        elif op == "div":
            u, v = rate.get(a[0]), rate.get(a[1])
            top = zero if u is None else u
            found = div(top if v is None else sub(top, mul(i, v)), a[1])
        elif op == "atan2":
            u, v = rate.get(a[0], zero), rate.get(a[1], zero)
            top = sub(mul(a[1], u), mul(a[0], v))
            found = div(top, add(mul(a[0], a[0]), mul(a[1], a[1])))
        elif op in ("where", "min", "max"):
            condition, first, second = _branches(graph, i)
            found = graph.where(condition, rate.get(first, zero), rate.get(second, zero))
        else:
            found = zero
            for k, j in enumerate(a):
                if j in rate:
                    found = add(found, _scaled(graph, rate[j], partial(graph, i, k)))
        if found != zero:
            rate[i] = found
    return [rate.get(root, zero) for root in roots]


def reverse(graph: Graph, root: int, wrt: Sequence[int]) -> list[int]:
    """Derivatives of one root with respect to many nodes, usually symbols, in one sweep.

    Returns
    -------
    list of len(wrt) indices

    Notes
    -----
    At most a small constant times the operations of the root, whatever the number of variables.
    """
    targets = frozenset(wrt)
    nodes = graph.reachable([root])
    active: set[int] = set()
    for i in nodes:
        if i in targets or any(a in active for a in graph.args[i]):
            active.add(i)
    sweep = _Reverse(graph, active)
    if root in active:
        sweep.give(root, _ALWAYS, graph.one)
    result: dict[int, int] = {}
    for i in reversed(nodes):
        if i not in active:
            continue
        guard, adjoint = sweep.collect(i)
        if i in targets:
            result[i] = sweep.guards.select(guard, adjoint)
        elif adjoint != graph.zero:
            sweep.spread(i, guard, adjoint)
    return [result.get(i, graph.zero) for i in wrt]


def partial(graph: Graph, i: int, k: int) -> Partial:
    """Partial derivative of node ``i`` with respect to its argument number ``k``."""
    args = graph.args[i]
    match graph.ops[i]:
        case "mul":
            return args[1 - k], None
        case "add":
            return None, None
        case "sub":
            return (None if k == 0 else graph.minus_one), None
        case "neg":
            return graph.minus_one, None
        case "div":
            return (None if k == 0 else graph.neg(i)), args[1]
        case op:
            n = graph.payload[i]
            nodes = [Node(graph, a) for a in args]
            factor, divisor = function_partial(
                GraphAlgebra(graph), op, nodes, Node(graph, i), k, n if isinstance(n, int) else 0
            )
            return _index(factor), _index(divisor)


def _index(node: Node | None) -> int | None:
    return None if node is None else node.id


def _scaled(graph: Graph, rate: int, by: Partial) -> int:
    factor, divisor = by
    if factor is not None:
        rate = graph.mul(rate, factor)
    return rate if divisor is None else graph.div(rate, divisor)


def _branches(graph: Graph, i: int) -> tuple[int, int, int]:
    """``where``, ``min`` and ``max`` as condition, branch if true, branch if false."""
    a = graph.args[i]
    if graph.ops[i] == "where":
        return a[0], a[1], a[2]
    if graph.ops[i] == "min":
        return graph.binary("le", a[0], a[1]), a[0], a[1]
    return graph.binary("le", a[1], a[0]), a[0], a[1]


class _Reverse:
    """Adjoints on their way down, by node and guard."""

    def __init__(self, graph: Graph, active: set[int]) -> None:
        self.graph, self.active = graph, active
        self.guards = _Guards(graph)
        self.waiting: dict[int, dict[int, int]] = {}

    def give(self, i: int, guard: int, amount: int) -> None:
        """Add ``amount`` to the adjoint of node ``i`` under a guard."""
        parts = self.waiting.setdefault(i, {})
        parts[guard] = self.graph.add(parts[guard], amount) if guard in parts else amount

    def collect(self, i: int) -> tuple[int, int]:
        """The guard of node ``i`` and its whole adjoint."""
        parts = self.waiting.pop(i, None)
        if parts is None:
            return _ALWAYS, self.graph.zero
        return self.guards.join(parts) if len(parts) > 1 else next(iter(parts.items()))

    def spread(self, i: int, guard: int, adjoint: int) -> None:
        """Pass the adjoint of node ``i`` on to its arguments."""
        graph, active = self.graph, self.active
        op = graph.ops[i]
        if op in FLAT:
            return
        if op in ("where", "min", "max"):
            condition, first, second = _branches(graph, i)
            if first in active:
                self.give(first, self.guards.literal(guard, condition, True), adjoint)
            if second in active:
                self.give(second, self.guards.literal(guard, condition, False), adjoint)
            return
        for k, j in enumerate(graph.args[i]):
            if j in active:
                self.give(j, guard, _scaled(graph, adjoint, partial(graph, i, k)))


_ALWAYS = 0


class _Guards:
    """Conditions under which nodes matter: always; a parent and a condition; one of several.

    A guard is an index; parents have smaller ones.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._parent: list[tuple[int, int, bool] | None] = [None]
        self._flag: list[int] = [graph.one]
        self._known: dict[tuple[object, ...], int] = {}

    def literal(self, parent: int, condition: int, holds: bool) -> int:
        """``parent`` and ``condition != 0`` (or ``= 0``)."""
        key = (parent, condition, holds)
        found = self._known.get(key)
        if found is None:
            zero, flag = self.graph.zero, self._flag[parent]
            a, b = (flag, zero) if holds else (zero, flag)
            found = self._new(key, key, self.graph.where(condition, a, b))
        return found

    def select(self, guard: int, value: int) -> int:
        """``value`` where the guard holds, else 0."""
        if guard == _ALWAYS:
            return value
        made_of = self._parent[guard]
        if made_of is not None and made_of[0] == _ALWAYS:
            return self._choose(made_of, value)
        return self.graph.where(self._flag[guard], value, self.graph.zero)

    def join(self, parts: Mapping[int, int]) -> tuple[int, int]:
        """One guard and one sum for adjoints under several guards."""
        left = dict(parts)
        # Innermost first: two branches of one condition, or a branch beside its parent, become the
        # parent. Repeated choices thus do not pile up.
        pending = sorted(left)
        while pending:
            guard = pending.pop()
            made_of = self._parent[guard]
            if guard not in left or made_of is None:
                continue
            parent, condition, holds = made_of
            other = self._known.get((parent, condition, not holds))
            if other in left:
                value, opposite = left.pop(guard), left.pop(other)
                a, b = (value, opposite) if holds else (opposite, value)
                merged = self.graph.where(condition, a, b)
            elif parent in left:
                merged = self._choose(made_of, left.pop(guard))
            else:
                continue
            if parent in left:
                left[parent] = self.graph.add(left[parent], merged)
            else:
                left[parent] = merged
                insort(pending, parent)
        if len(left) == 1:
            return next(iter(left.items()))
        total = self.graph.zero
        for guard, value in sorted(left.items()):
            total = self.graph.add(total, self.select(guard, value))
        return self._any(tuple(sorted(left))), total

    def _choose(self, made_of: tuple[int, int, bool], value: int) -> int:
        _, condition, holds = made_of
        zero = self.graph.zero
        return self.graph.where(condition, *((value, zero) if holds else (zero, value)))

    def _any(self, guards: tuple[int, ...]) -> int:
        if _ALWAYS in guards:
            return _ALWAYS
        found = self._known.get(guards)
        if found is None:
            flag = self._flag[guards[0]]
            for guard in guards[1:]:
                flag = self.graph.binary("max", flag, self._flag[guard])
            found = self._new(guards, None, flag)
        return found

    def _new(
        self, key: tuple[object, ...], made_of: tuple[int, int, bool] | None, flag: int
    ) -> int:
        self._parent.append(made_of)
        self._flag.append(flag)
        self._known[key] = len(self._flag) - 1
        return self._known[key]
