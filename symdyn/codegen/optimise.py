"""Passes that lower the operation count of a graph by algebra that holds exactly.

- ``gather``: equal terms of a sum are counted, its constants and those of a product combined.
- ``factor``: a b + a c becomes a (b + c), the most frequent factor first.
- ``share_sums``, ``share_products``: a pair of terms that stands in several sums is added once, the
  most frequent pair first (Hosangadi, Fallah, Kastner 2006, the two-term case).
- ``choose_signs``: a node may stand for its negative, where that saves negations.

Each pass builds a new graph. The runner keeps the result only if it counts fewer operations, so no
pass can make a function dearer. Rounding may differ by units in the last place, values do not.
Cost: linear in the number of nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from symdyn.codegen.choose_signs import choose_signs
from symdyn.codegen.nary import NaryView, Signed, nary_view
from symdyn.codegen.share_pairs import share_pairs
from symdyn.codegen.spec import FunctionSpec
from symdyn.expr.copy import copy_into
from symdyn.expr.graph import Graph
from symdyn.expr.measure import OperationCounts, operation_counts

Result = tuple[Graph, list[int]]


@dataclass(frozen=True, slots=True)
class PassReport:
    """What one pass did: operations before and after; equal if its result was not kept."""

    name: str
    before: OperationCounts
    after: OperationCounts


class Rebuilder:
    """A new graph that grows node by node from an old one.

    Attributes
    ----------
    graph : the new graph
    new : index in it of each node of the old one that was built
    """

    def __init__(self, source: Graph) -> None:
        self.source = source
        self.graph = Graph()
        self.new: dict[int, int] = {}

    def copy(self, i: int) -> int:
        """Build a node as it stands."""
        source, new = self.source, self.new
        found = self.graph.rebuild(
            source.ops[i], tuple([new[a] for a in source.args[i]]), source.payload[i]
        )
        self.keep(i, found)
        return found

    def keep(self, i: int, found: int) -> None:
        """Let ``found`` stand for node i."""
        self.new[i] = found
        if i in self.source.labels:
            self.graph.labels.setdefault(found, self.source.labels[i])

    def total(self, terms: Sequence[Signed]) -> int:
        """Sum of new nodes with signs, in order, a positive one first."""
        graph = self.graph
        first = next((k for k, (_, sign) in enumerate(terms) if sign > 0), None)
        if first is None:
            return graph.neg(self.total([(node, 1) for node, _ in terms]))
        value = terms[first][0]
        for k, (node, sign) in enumerate(terms):
            if k != first:
                value = graph.add(value, node) if sign > 0 else graph.sub(value, node)
        return value

    def product(self, factors: Sequence[int]) -> int:
        """Product of new nodes, in order."""
        value = factors[0]
        for node in factors[1:]:
            value = self.graph.mul(value, node)
        return value

    def finish(self, roots: Sequence[int]) -> Result:
        """The new graph without what nothing needs."""
        clean = Graph()
        return clean, copy_into(self.graph, [self.new[root] for root in roots], clean)


def gather(graph: Graph, roots: Sequence[int]) -> Result:
    """Combine equal terms and the constants of each sum, and the constants of each product."""
    view = nary_view(graph, roots)
    sums = {i: terms for i, terms in view.sums.items() if _can_gather(terms, view)}
    products = {
        i: factors
        for i, factors in view.products.items()
        if sum(node in view.constant for node in factors) > 1
    }
    if not sums and not products:
        return graph, list(roots)
    build = Rebuilder(graph)
    for i in view.nodes:
        if i in sums:
            build.keep(i, _gathered(build, sums[i], view))
        elif i in products:
            fixed = [build.new[n] for n in products[i] if n in view.constant]
            rest = [build.new[n] for n in products[i] if n not in view.constant]
            build.keep(i, build.product([build.product(fixed), *rest]))
        else:
            build.copy(i)
    return build.finish(roots)


def _can_gather(terms: Sequence[Signed], view: NaryView) -> bool:
    nodes = [node for node, _ in terms]
    return len(set(nodes)) < len(nodes) or sum(node in view.constant for node in nodes) > 1


def _gathered(build: Rebuilder, terms: Sequence[Signed], view: NaryView) -> int:
    coefficient: dict[int, int] = {}
    for node, sign in terms:
        coefficient[node] = coefficient.get(node, 0) + sign
    graph = build.graph
    fixed = graph.zero
    rest: list[Signed] = []
    for node, count in coefficient.items():
        value = graph.mul(graph.const_id(abs(count)), build.new[node])
        if node in view.constant:
            fixed = graph.add(fixed, value) if count > 0 else graph.sub(fixed, value)
        elif count:
            rest.append((value, 1 if count > 0 else -1))
    return build.total([*rest, (fixed, 1)])


# -- factoring ------------------------------------------------------------------------------------


def factor(graph: Graph, roots: Sequence[int]) -> Result:
    """Take common factors out of sums, the most frequent one first."""
    view = nary_view(graph, roots)
    found = {i: _products_of(view, terms) for i, terms in view.sums.items()}
    sums = {i: items for i, items in found.items() if _most_frequent(items) is not None}
    if not sums:
        return graph, list(roots)
    build = Rebuilder(graph)
    for i in view.nodes:
        if i in sums:
            items = [(sign, tuple([build.new[f] for f in fs])) for sign, fs in sums[i]]
            build.keep(i, _factored(build, items))
        else:
            build.copy(i)
    return build.finish(roots)


Item = tuple[int, tuple[int, ...]]


def _products_of(view: NaryView, terms: Sequence[Signed]) -> list[Item]:
    """Terms of a sum as (sign, factors); a term that is read elsewhere too has one factor."""
    items: list[Item] = []
    for node, sign in terms:
        single = view.uses[node] == 1 and node in view.products
        items.append((sign, tuple(view.products[node]) if single else (node,)))
    return items


def _most_frequent(items: Sequence[Item]) -> int | None:
    """The factor that stands in most products of several factors, if in two at least."""
    counts: dict[int, int] = {}
    for _, factors in items:
        if len(factors) > 1:
            for node in dict.fromkeys(factors):
                counts[node] = counts.get(node, 0) + 1
    best = max(counts, key=lambda node: (counts[node], -node), default=None)
    return best if best is not None and counts[best] > 1 else None


def _factored(build: Rebuilder, items: list[Item]) -> int:
    """Build the sum with its common factors taken out.

    The depth of calls is bounded by the number of factors of a product, which is bounded by
    `nary.LONGEST`.
    """
    terms: list[Signed] = []
    rest = items
    while (common := _most_frequent(rest)) is not None:
        inside: list[Item] = []
        outside: list[Item] = []
        for sign, factors in rest:
            if len(factors) > 1 and common in factors:
                at = factors.index(common)
                inside.append((sign, factors[:at] + factors[at + 1 :]))
            else:
                outside.append((sign, factors))
        terms.append((build.graph.mul(common, _factored(build, inside)), 1))
        rest = outside
    return build.total([*terms, *[(build.product(factors), sign) for sign, factors in rest]])


# -- sharing --------------------------------------------------------------------------------------


def share_sums(graph: Graph, roots: Sequence[int]) -> Result:
    """Add pairs of terms once that stand in several sums."""
    view = nary_view(graph, roots)
    return _share(graph, roots, view.nodes, view.sums, is_sum=True)


def share_products(graph: Graph, roots: Sequence[int]) -> Result:
    """Multiply pairs of factors once that stand in several products."""
    view = nary_view(graph, roots)
    factors = {i: [(node, 1) for node in found] for i, found in view.products.items()}
    return _share(graph, roots, view.nodes, factors, is_sum=False)


def _share(
    graph: Graph,
    roots: Sequence[int],
    nodes: Sequence[int],
    terms: Mapping[int, list[Signed]],
    *,
    is_sum: bool,
) -> Result:
    changed, pairs = share_pairs(terms, len(graph))
    if not changed:
        return graph, list(roots)
    build = Rebuilder(graph)

    def operand(node: int) -> int:
        """A new node; a pair is built when it is first needed, and pairs nest."""
        stack = [node]
        while stack:
            top = stack[-1]
            if top in build.new:
                stack.pop()
                continue
            inner = pairs[top]
            missing = [n for n, _ in inner if n not in build.new]
            if missing:
                stack += missing
                continue
            stack.pop()
            build.new[top] = combine(inner)
        return build.new[node]

    def combine(inner: Sequence[Signed]) -> int:
        signed = [(build.new[n], s) for n, s in inner]
        return build.total(signed) if is_sum else build.product([n for n, _ in signed])

    for i in nodes:
        if i in changed:
            for node, _ in changed[i]:
                operand(node)
            build.keep(i, combine(changed[i]))
        else:
            build.copy(i)
    return build.finish(roots)


# -- running --------------------------------------------------------------------------------------

PASSES: tuple[tuple[str, Callable[[Graph, Sequence[int]], Result]], ...] = (
    ("gather", gather),
    ("factor", factor),
    ("share sums", share_sums),
    ("share products", share_products),
    ("choose signs", choose_signs),
)


def optimise(graph: Graph, roots: Sequence[int]) -> tuple[Graph, list[int], list[PassReport]]:
    """Run all passes; each result is kept only if it has fewer operations.

    Parameters
    ----------
    graph, roots : what to compute; not changed

    Returns
    -------
    graph, roots : the same values; symbols keep their names
    reports : one for each pass
    """
    reports: list[PassReport] = []
    found = list(roots)
    before = operation_counts(graph, found)
    for name, apply in PASSES:
        new_graph, new_roots = apply(graph, found)
        after = before if new_graph is graph else operation_counts(new_graph, new_roots)
        if after.total < before.total:
            reports.append(PassReport(name, before, after))
            graph, found, before = new_graph, new_roots, after
        else:
            reports.append(PassReport(name, before, before))
    return graph, found, reports


def optimise_function(spec: FunctionSpec) -> tuple[FunctionSpec, list[PassReport]]:
    """A function with the same arguments and values and no more operations; see `optimise`."""
    graph, roots, reports = optimise(spec.graph, spec.result.entries)
    if graph is spec.graph:
        return spec, reports
    names = spec.graph.payload
    arguments = tuple(
        replace(a, symbols=tuple([graph.symbol(str(names[s])).id for s in a.symbols]))
        for a in spec.arguments
    )
    result = replace(spec.result, entries=tuple(roots))
    return replace(spec, graph=graph, arguments=arguments, result=result), reports
