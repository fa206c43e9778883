"""From an expression graph to a program.

The plan (`plan`) says what each node is; here the nodes get their order and become statements:
shared ones first, then what leads to the angles, the angle blocks, and the rest. An entry of the
result is stored as soon as it is known. A program that is longer than the target allows is split
(`split`). Each step is one loop over the nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Literal as Choice

from symdyn.codegen.plan import Plan, make_plan
from symdyn.codegen.program import (
    AngleBlock,
    Assign,
    Block,
    Fill,
    Literal,
    Operand,
    Part,
    Program,
    Statement,
    Store,
    Temp,
)
from symdyn.codegen.spec import FunctionSpec
from symdyn.codegen.split import cut, exports_of, work_slots
from symdyn.expr.graph import Graph
from symdyn.expr.measure import OperationCounts

Order = Choice["creation", "depth_first"]

#: A shorter run of equal constants in the result is stored entry by entry.
SHORTEST_FILL = 8


def lower(
    spec: FunctionSpec,
    *,
    max_statements: int,
    order: Order = "creation",
    hoist: bool = False,
) -> Program:
    """Make the straight-line program of a function.

    Parameters
    ----------
    spec : the function; `check.check_function` has accepted it
    max_statements : a longer program is split into parts of at most that many
    order : ``creation`` follows the derivation, ``depth_first`` computes an operand just before it
        is needed
    hoist : put what depends on shared arguments only into the prelude

    Raises
    ------
    InputError : a symbol belongs to no argument
    """
    plan = make_plan(spec, hoist=hoist)
    nodes = plan.graph.reachable(plan.roots)
    sequence = nodes if order == "creation" else _depth_first(plan.graph, plan.roots)
    shared, *stages = _stages(plan, sequence)
    prelude = _assign(plan, shared)
    blocks: list[list[Statement] | AngleBlock] = []
    for angles, stage in zip(plan.blocks, stages[:-1], strict=True):
        blocks.append(_assign(plan, stage))
        operands = tuple([_operand(plan, a) for a in angles.angles])
        blocks.append(AngleBlock(angles.first, operands, angles.run))
    fills = _fills(plan)
    blocks.append(_assign(plan, stages[-1]) + _late_stores(plan, fills))
    return _assemble(spec, plan, prelude, blocks, fills, max_statements)


def _depth_first(graph: Graph, roots: Sequence[int]) -> list[int]:
    """Nodes in postorder, root after root, left operand first."""
    args = graph.args
    done: set[int] = set()
    out: list[int] = []
    for root in roots:
        stack = [root]
        while stack:
            i = stack[-1]
            if i in done:
                stack.pop()
                continue
            missing = [a for a in args[i] if a not in done]
            if missing:
                stack.extend(reversed(missing))
                continue
            stack.pop()
            done.add(i)
            out.append(i)
    return out


def _stages(plan: Plan, sequence: Sequence[int]) -> list[list[int]]:
    """Nodes that need a statement: shared ones, what leads to each angle block, the rest."""
    args, skip = plan.graph.args, plan.without_statement
    todo = [i for i in sequence if i not in plan.value and i not in skip]
    stages = [[i for i in todo if i in plan.shared]]
    done = set(stages[0])
    for block in plan.blocks:
        wanted = {a for a in block.angles if isinstance(a, int)}
        # operands have smaller indices, so one sweep downwards marks all that an angle needs
        for i in range(max(wanted, default=-1), -1, -1):
            if i in wanted:
                wanted.update(args[i])
        stage = [i for i in todo if i in wanted and i not in done]
        stages.append(stage)
        done.update(stage)
    stages.append([i for i in todo if i not in done])
    return stages


def _operand(plan: Plan, node: int | Operand) -> Operand:
    return plan.value[node] if isinstance(node, int) else node


def _assign(plan: Plan, nodes: Iterable[int]) -> list[Statement]:
    """Statements of the nodes; their temporaries are entered into the plan's values."""
    ops, args, labels = plan.graph.ops, plan.graph.args, plan.graph.labels
    value, rewritten, shared, positions = plan.value, plan.rewritten, plan.shared, plan.positions
    out: list[Statement] = []
    for i in nodes:
        if i in rewritten:
            op, given = rewritten[i]
            inputs = tuple([_operand(plan, a) for a in given])
        else:
            op = ops[i]
            inputs = tuple([value[a] for a in args[i]])
        temp = plan.next_temp()
        out.append(Assign(temp.index, op, inputs, labels.get(i, "")))
        value[i] = temp
        if i in positions and i not in shared:
            out.extend([Store(entry, temp) for entry in positions[i]])
    return out


def _fills(plan: Plan) -> tuple[Fill, ...]:
    """Runs of entries that are one constant; of zeros, a regressor has hundreds."""
    out: list[Fill] = []
    entry = 0
    for value, run in groupby(plan.value.get(root) for root in plan.roots):
        count = len(list(run))
        if isinstance(value, Literal) and count >= SHORTEST_FILL:
            out.append(Fill(entry, count, value.value))
        entry += count
    return tuple(out)


def _late_stores(plan: Plan, fills: Iterable[Fill]) -> list[Statement]:
    """Entries that are literals, arguments, sines, cosines or shared: known without a statement."""
    filled = {entry for fill in fills for entry in range(fill.first, fill.first + fill.count)}
    out: list[Statement] = []
    for entry, root in enumerate(plan.roots):
        value = plan.value[root]
        if entry not in filled and (not isinstance(value, Temp) or root in plan.shared):
            out.append(Store(entry, value))
    return out


def _assemble(
    spec: FunctionSpec,
    plan: Plan,
    prelude: list[Statement],
    blocks: list[list[Statement] | AngleBlock],
    fills: tuple[Fill, ...],
    max_statements: int,
) -> Program:
    length = len(prelude) + sum(len(b) for b in blocks if isinstance(b, list))
    is_split = length > max_statements
    limit = max_statements if is_split else max(length, 1)
    cut_blocks: list[list[Statement] | AngleBlock] = []
    for block in blocks:
        if isinstance(block, list):
            cut_blocks.extend(cut(block, limit))
        else:
            cut_blocks.append(block)
    cut_prelude = cut(prelude, limit)
    everything: list[list[Statement] | AngleBlock] = [*cut_prelude, *cut_blocks]
    exports = exports_of(everything)
    n = len(cut_prelude)
    prelude_parts = [Part(tuple(s), e) for s, e in zip(cut_prelude, exports[:n], strict=True)]
    body: list[Block] = [
        Part(tuple(b), e) if isinstance(b, list) else b
        for b, e in zip(cut_blocks, exports[n:], strict=True)
    ]
    # the prelude's temporaries live through the whole batch: they keep their slots
    shared_slots = {t: k for k, t in enumerate(t for part in prelude_parts for t in part.exports)}
    slots, work = work_slots(body)
    return Program(
        spec=spec,
        prelude=tuple(prelude_parts),
        blocks=tuple(body),
        fills=fills,
        shared=frozenset(s.target for s in prelude if isinstance(s, Assign)),
        angles=sum(len(b.angles) for b in blocks if isinstance(b, AngleBlock)),
        is_split=is_split,
        slots={**shared_slots, **slots},
        work=work,
        prelude_work=len(shared_slots),
        counts=_count(plan, [s for b in everything if isinstance(b, list) for s in b]),
    )


def _count(plan: Plan, statements: Iterable[Statement]) -> OperationCounts:
    counts = {"add": 0, "mul": 0, "div": 0}
    functions: dict[str, int] = dict(plan.angle_functions)
    for statement in statements:
        if isinstance(statement, Assign):
            op = statement.op
            if op in ("add", "sub", "neg"):
                counts["add"] += 1
            elif op in counts:
                counts[op] += 1
            else:
                functions[op] = functions.get(op, 0) + 1
    return OperationCounts(**counts, functions=dict(sorted(functions.items())))
