"""What is known about each node before a program is emitted.

Whole powers are written out as products (repeated squaring, squares shared). What depends on no
symbol becomes a literal. ``-(a - b)`` becomes ``b - a``, ``-(c x)`` becomes ``(-c) x`` and
``-((a - b) x)`` becomes ``(b - a) x`` where nothing else needs the positive one. Angles of sines
and cosines are numbered level by level: an angle of level k needs k angle blocks before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from symdyn._errors import InputError
from symdyn.codegen.constants import constant_doubles
from symdyn.codegen.program import Cosine, Entry, Literal, Operand, Sine, Temp
from symdyn.codegen.spec import FunctionSpec
from symdyn.expr.graph import Graph

#: Angles that depend on angles that depend on angles …: deeper ones are ordinary function calls.
MAX_ANGLE_LEVELS = 4


def _expand_powers(spec: FunctionSpec) -> tuple[Graph, list[int], dict[int, Entry]]:
    """The graph with products in place of whole powers, its roots, and the argument entries."""
    graph, roots = spec.graph, list(spec.result.entries)
    entries = {
        symbol: Entry(a, k)
        for a, argument in enumerate(spec.arguments)
        for k, symbol in enumerate(argument.symbols)
    }
    nodes = graph.reachable(roots)
    if all(graph.ops[i] != "powi" for i in nodes):
        return graph, roots, entries
    copy = Graph()
    new: dict[int, int] = {}
    for i in nodes:
        args = tuple([new[a] for a in graph.args[i]])
        if graph.ops[i] == "powi" and not copy.is_const(args[0]):
            new[i] = _product(copy, args[0], cast("int", graph.payload[i]))
        else:
            new[i] = copy.rebuild(graph.ops[i], args, graph.payload[i])
        if i in graph.labels:
            copy.labels.setdefault(new[i], graph.labels[i])
    return copy, [new[r] for r in roots], {new[s]: e for s, e in entries.items() if s in new}


def _product(graph: Graph, base: int, n: int) -> int:
    """base^n by repeated squaring; the graph shares the squares."""
    left, square, power = abs(n), base, graph.one
    while left:
        if left & 1:
            power = graph.mul(power, square)
        left >>= 1
        if left:
            square = graph.mul(square, square)
    return power if n >= 0 else graph.div(graph.one, power)


@dataclass(frozen=True, slots=True)
class AnglePlan:
    """An `AngleBlock` to be: angles are nodes, or entries of one argument if they are a run."""

    first: int
    angles: tuple[int | Entry, ...]
    run: tuple[int, int] | None


@dataclass(slots=True)
class Plan:
    """The nodes of one function on their way to statements.

    Attributes
    ----------
    graph, roots : the function, whole powers written out
    value : operand of each node that has one: literals, argument entries, sines and cosines from
        the start, temporaries as their statements are emitted
    rewritten : operation and operands in place of a node's own, where a negation was absorbed
    without_statement : constants inside constants, and nodes whose negation was absorbed
    shared : nodes that depend on shared arguments only (empty without hoisting)
    blocks : the angle blocks, level by level
    angle_functions : how many sines and cosines the blocks compute, by name
    positions : entries of the result that are this node
    """

    graph: Graph
    roots: tuple[int, ...]
    value: dict[int, Operand]
    rewritten: Mapping[int, tuple[str, tuple[int | Operand, ...]]]
    without_statement: frozenset[int]
    shared: frozenset[int]
    blocks: Sequence[AnglePlan]
    angle_functions: Mapping[str, int]
    positions: Mapping[int, list[int]]
    _temps: int = field(default=0)

    def next_temp(self) -> Temp:
        """A new temporary."""
        self._temps += 1
        return Temp(self._temps - 1)


def make_plan(spec: FunctionSpec, *, hoist: bool) -> Plan:
    """Look at every node that the function needs; see the attributes of `Plan`."""
    graph, roots, entries = _expand_powers(spec)
    nodes = graph.reachable(roots)
    value, constant = _leaves(spec, graph, roots, nodes, entries)
    shared = _shared_nodes(spec, graph, nodes, entries, constant) if hoist else frozenset[int]()
    rewritten, absorbed = _absorb_negations(graph, roots, nodes, value)
    outside = constant | shared
    levels = _angle_levels(graph, nodes, outside)
    blocks, functions = _number_angles(spec, graph, levels, nodes, outside, value)
    positions: dict[int, list[int]] = {}
    for entry, root in enumerate(roots):
        positions.setdefault(root, []).append(entry)
    return Plan(
        graph=graph,
        roots=tuple(roots),
        value=value,
        rewritten=rewritten,
        without_statement=constant | absorbed,
        shared=shared,
        blocks=blocks,
        angle_functions=functions,
        positions=positions,
    )


def _leaves(
    spec: FunctionSpec,
    graph: Graph,
    roots: Sequence[int],
    nodes: Sequence[int],
    entries: Mapping[int, Entry],
) -> tuple[dict[int, Operand], frozenset[int]]:
    ops, args = graph.ops, graph.args
    constant: set[int] = set()
    wanted: dict[int, None] = {}
    value: dict[int, Operand] = {}
    for i in nodes:
        op, operands = ops[i], args[i]
        if op == "symbol":
            if i not in entries:
                raise InputError(
                    f"symbol {graph.payload[i]!r} belongs to no argument",
                    where=f"function {spec.name!r}",
                    remedy="List its node in the symbols of exactly one argument.",
                )
            value[i] = entries[i]
        elif op in ("const", "pi"):
            constant.add(i)
        else:
            inside = [a for a in operands if a in constant]
            if len(inside) == len(operands):
                constant.add(i)
            else:
                wanted.update(dict.fromkeys(inside))
    wanted.update(dict.fromkeys(r for r in roots if r in constant))
    for i, number in zip(wanted, constant_doubles(graph, list(wanted)), strict=True):
        value[i] = Literal(number)
    return value, frozenset(constant)


def _shared_nodes(
    spec: FunctionSpec,
    graph: Graph,
    nodes: Sequence[int],
    entries: Mapping[int, Entry],
    constant: frozenset[int],
) -> frozenset[int]:
    fixed = [argument.shared for argument in spec.arguments]
    shared: set[int] = set()
    for i in nodes:
        if i in constant:
            continue
        if graph.ops[i] == "symbol":
            if fixed[entries[i].argument]:
                shared.add(i)
        elif all(a in shared or a in constant for a in graph.args[i]):
            shared.add(i)
    return frozenset(shared)


def _absorb_negations(
    graph: Graph, roots: Sequence[int], nodes: Sequence[int], value: Mapping[int, Operand]
) -> tuple[dict[int, tuple[str, tuple[int | Operand, ...]]], frozenset[int]]:
    """Negations that cost nothing because the negated node has no other use."""
    ops, args = graph.ops, graph.args
    uses: dict[int, int] = {}
    negations: list[int] = []
    for i in nodes:
        if i in value:
            continue
        for a in args[i]:
            uses[a] = uses.get(a, 0) + 1
        if ops[i] == "neg":
            negations.append(i)
    if not negations:
        return {}, frozenset()
    for r in roots:
        uses[r] = uses.get(r, 0) + 1
    rewritten: dict[int, tuple[str, tuple[int | Operand, ...]]] = {}
    absorbed: set[int] = set()
    for i in negations:
        inner = args[i][0]
        if uses[inner] != 1 or inner in value:
            continue
        operation = ops[inner]
        if operation == "sub":
            rewritten[i] = ("sub", (args[inner][1], args[inner][0]))
            absorbed.add(inner)
        elif operation in ("mul", "div"):
            a, b = args[inner]
            factor = value.get(a)
            if isinstance(factor, Literal):
                rewritten[i] = (operation, (Literal(-factor.value), b))
                absorbed.add(inner)
                continue
            turned = next((x for x in (a, b) if ops[x] == "sub" and uses[x] == 1), None)
            if turned is not None and turned not in rewritten:
                rewritten[turned] = ("sub", (args[turned][1], args[turned][0]))
                rewritten[i] = (operation, (a, b))
                absorbed.add(inner)
    return rewritten, frozenset(absorbed)


def _angle_levels(graph: Graph, nodes: Sequence[int], outside: frozenset[int]) -> list[list[int]]:
    """Arguments of sines and cosines by how many angle blocks they need before them."""
    ops, args = graph.ops, graph.args
    level: dict[int, int] = {}
    levels: list[dict[int, None]] = []
    for i in nodes:
        deepest = 0
        for a in args[i]:
            if level[a] > deepest:
                deepest = level[a]
        if ops[i] in ("sin", "cos") and i not in outside and deepest < MAX_ANGLE_LEVELS:
            if deepest == len(levels):
                levels.append({})
            levels[deepest][args[i][0]] = None
            deepest += 1
        level[i] = deepest
    return [list(angles) for angles in levels]


def _number_angles(
    spec: FunctionSpec,
    graph: Graph,
    levels: Sequence[Sequence[int]],
    nodes: Sequence[int],
    outside: frozenset[int],
    value: dict[int, Operand],
) -> tuple[list[AnglePlan], dict[str, int]]:
    """Number the angles; nodes that the blocks compute become `Sine` and `Cosine` operands."""
    number: dict[int, int] = {}
    plans: list[AnglePlan] = []
    first = 0
    for angles in levels:
        operands = [value.get(a) for a in angles]
        run = _run_of(spec, operands)
        if run is None:
            plan = AnglePlan(first, tuple(angles), None)
            number.update({a: first + k for k, a in enumerate(angles)})
        else:
            argument, low, high = run
            filled = tuple([Entry(argument, k) for k in range(low, high + 1)])
            plan = AnglePlan(first, filled, (argument, low))
            for a, operand in zip(angles, operands, strict=True):
                number[a] = first + cast("Entry", operand).index - low
        plans.append(plan)
        first += len(plan.angles)
    functions: dict[str, int] = {}
    for i in nodes:
        op = graph.ops[i]
        if op in ("sin", "cos") and i not in outside:
            angle = number.get(graph.args[i][0])
            if angle is not None:
                value[i] = Sine(angle) if op == "sin" else Cosine(angle)
                functions[op] = functions.get(op, 0) + 1
    return plans, functions


def _run_of(spec: FunctionSpec, operands: Sequence[Operand | None]) -> tuple[int, int, int] | None:
    """(argument, first, last) if the angles are entries of one array and fill half of a run."""
    found = [operand for operand in operands if isinstance(operand, Entry)]
    if len(found) < len(operands) or len({entry.argument for entry in found}) != 1:
        return None
    argument = found[0].argument
    low = min(entry.index for entry in found)
    high = max(entry.index for entry in found)
    if spec.arguments[argument].shape == () or high - low + 1 > 2 * len(found):
        return None
    return argument, low, high
