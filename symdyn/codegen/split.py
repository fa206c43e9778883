"""Cutting a long program into parts, and the slots through which temporaries cross the cuts.

A cut is placed where few temporaries are alive. A slot of the work array is used again as soon as
the last part that reads it is over, so the array stays short.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from symdyn.codegen.program import AngleBlock, Assign, Block, Part, Statement, Store, Temp


def reads(statement: Statement) -> list[int]:
    """Temporaries that a statement reads."""
    if isinstance(statement, Store):
        return [statement.value.index] if isinstance(statement.value, Temp) else []
    return [a.index for a in statement.args if isinstance(a, Temp)]


def cut(statements: list[Statement], limit: int) -> list[list[Statement]]:
    """Pieces of at most ``limit`` statements; none for an empty list."""
    n = len(statements)
    if n <= limit:
        return [statements] if statements else []
    alive = _crossing(statements)
    pieces: list[list[Statement]] = []
    start = 0
    while n - start > limit:
        low, high = start + max(1, limit // 2), start + limit
        best = min(range(low, high + 1), key=lambda at: (alive[at], -at))
        pieces.append(statements[start:best])
        start = best
    pieces.append(statements[start:])
    return pieces


def _crossing(statements: Sequence[Statement]) -> list[int]:
    """Temporaries of the list that are defined before position k and read at or after it."""
    defined: dict[int, int] = {}
    last: dict[int, int] = {}
    for k, statement in enumerate(statements):
        for temp in reads(statement):
            if temp in defined:
                last[temp] = k
        if isinstance(statement, Assign):
            defined[statement.target] = k
    change = [0] * (len(statements) + 2)
    for temp, end in last.items():
        change[defined[temp] + 1] += 1
        change[end + 1] -= 1
    alive: list[int] = []
    total = 0
    for step in change:
        total += step
        alive.append(total)
    return alive


def exports_of(blocks: Sequence[list[Statement] | AngleBlock]) -> list[tuple[int, ...]]:
    """For each block the temporaries that it defines and a later block reads, ascending."""
    home: dict[int, int] = {}
    exported: list[set[int]] = [set() for _ in blocks]
    for k, block in enumerate(blocks):
        if isinstance(block, AngleBlock):
            needed = [a.index for a in block.angles if isinstance(a, Temp)]
        else:
            for statement in block:
                if isinstance(statement, Assign):
                    home[statement.target] = k
            needed = [temp for statement in block for temp in reads(statement)]
        for temp in needed:
            if home[temp] != k:
                exported[home[temp]].add(temp)
    return [tuple(sorted(temps)) for temps in exported]


def work_slots(blocks: Sequence[Block]) -> tuple[dict[int, int], int]:
    """Slot of each exported temporary, and how many slots there are.

    A slot is free again after the last block that reads it, not within it: a block may write its
    own exports before its last read.
    """
    last: dict[int, int] = {}
    for k, block in enumerate(blocks):
        if isinstance(block, AngleBlock):
            last.update({a.index: k for a in block.angles if isinstance(a, Temp)})
        else:
            last.update({temp: k for s in block.statements for temp in reads(s)})
    slots: dict[int, int] = {}
    free: list[int] = []
    ending: dict[int, list[int]] = {}
    size = 0
    for k, block in enumerate(blocks):
        for slot in ending.pop(k - 1, ()):
            heapq.heappush(free, slot)
        if not isinstance(block, Part):
            continue
        for temp in block.exports:
            if free:
                slot = heapq.heappop(free)
            else:
                slot, size = size, size + 1
            slots[temp] = slot
            ending.setdefault(last[temp], []).append(slot)
    return slots, size


def name_slots(blocks: Sequence[Block]) -> dict[int, int]:
    """A small number for each temporary that the blocks define, used again after its last read.

    The target of a statement may take the number of an operand that is read there for the last
    time.
    """
    last: dict[int, int] = {}
    position = 0
    for block in blocks:
        if isinstance(block, AngleBlock):
            last.update({a.index: position for a in block.angles if isinstance(a, Temp)})
            position += 1
            continue
        for statement in block.statements:
            last.update(dict.fromkeys(reads(statement), position))
            position += 1
    slots: dict[int, int] = {}
    free: list[int] = []
    size = 0
    position = 0
    for block in blocks:
        if isinstance(block, AngleBlock):
            ending = [a.index for a in block.angles if isinstance(a, Temp)]
            position = _release(ending, last, position, slots, free)
            continue
        for statement in block.statements:
            position = _release(reads(statement), last, position, slots, free)
            if isinstance(statement, Assign):
                if not free:
                    heapq.heappush(free, size)
                    size += 1
                slots[statement.target] = heapq.heappop(free)
                if statement.target not in last:
                    heapq.heappush(free, slots[statement.target])
    return slots


def _release(
    read: Sequence[int],
    last: dict[int, int],
    position: int,
    slots: dict[int, int],
    free: list[int],
) -> int:
    """Free the slots of what is read here for the last time; the next position."""
    for temp in dict.fromkeys(read):
        if temp in slots and last[temp] == position:
            heapq.heappush(free, slots[temp])
    return position + 1
