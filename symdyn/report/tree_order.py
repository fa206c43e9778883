"""The order in which a tree is drawn, as a picture or as text."""

from __future__ import annotations

from collections.abc import Sequence


def depth_first(parents: Sequence[int]) -> list[tuple[int, int]]:
    """Order of drawing a tree: (node, indent), parents before children, -1 for the base.

    Of several children the last keeps its parent's indent and the others stand one deeper, so that
    a chain is one straight line and lines never cross. No recursion.
    """
    children: dict[int, list[int]] = {}
    for child, parent in enumerate(parents):
        children.setdefault(parent, []).append(child)
    order: list[tuple[int, int]] = []
    stack = [(-1, 0)]
    while stack:
        node, indent = stack.pop()
        order.append((node, indent))
        below = children.get(node, [])
        stack.extend(
            (child, indent + (child != below[-1])) for child in reversed(below)
        )  # the first child is popped first
    return order
