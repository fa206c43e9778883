"""Is a function at least so large everywhere in a box? Decided by intervals, if it can be.

The box is cut until an outward rounded interval evaluation is above the level on every piece, or a
point is found where the function is certainly below it. Where the function touches the level, or
has no enclosure (a pole), the cutting need not end; then the answer is "open" and nothing is
claimed.

Source: Moore, Kearfott and Cloud 2009.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count

import sympy

from symdyn._errors import UnsupportedError
from symdyn.algebra.interval import Interval, IntervalAlgebra
from symdyn.algebra.term import Term, lift
from symdyn.mass.terms import terms_of

_INTERVALS = IntervalAlgebra(60)
#: Most pieces that a box is cut into.
MOST_PIECES = 1500
_HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Decision:
    """``holds`` is None if it is open; a point (one fraction per letter) where it does not hold."""

    holds: bool | None
    point: tuple[Fraction, ...] = ()


def decide_at_least(
    field: sympy.Expr,
    level: Fraction,
    letters: Sequence[sympy.Symbol],
    outside: Sequence[Sequence[sympy.Expr]] = (),
    most: int = MOST_PIECES,
) -> Decision:
    """Whether field >= level on the unit box of the letters, outside of some sets.

    Parameters
    ----------
    field : in the letters alone
    outside : for each set the expressions that are all positive inside of it
    most : pieces after which it stays open
    """
    fields = [field, *chain.from_iterable(outside)]
    used = [s for s in letters if any(f.has(s) for f in fields)]
    names = {s: f"u{k}" for k, s in enumerate(used)}
    try:
        terms = terms_of(fields, names, branches=True)
    except UnsupportedError:
        return Decision(None)
    look = _Look(terms, [len(sides) for sides in outside], [names[s] for s in used])
    with _INTERVALS.scope():
        holds, point = _search(look, level, most)
    if not point:
        return Decision(holds)
    at = dict(zip(used, point, strict=True))
    return Decision(holds, tuple(at.get(s, _HALF) for s in letters))


@dataclass(frozen=True, slots=True)
class _Look:
    """The field and the inequalities of the sets that do not count."""

    terms: list[Term]
    sizes: list[int]
    names: list[str]

    def at(self, box: Sequence[tuple[Fraction, Fraction]]) -> tuple[Interval, bool, bool]:
        """The field on a box; whether all of it is in one of the sets, whether none of it is."""
        sides = [_INTERVALS.between(low, high) for low, high in box]
        found = lift(self.terms, _INTERVALS, dict(zip(self.names, sides, strict=True)))
        rest = iter(found[1:])
        is_in, is_out = False, True
        for size in self.sizes:
            inequalities = [next(rest) for _ in range(size)]
            is_in = is_in or all(i.is_bounded and i.lo > 0 for i in inequalities)
            is_out = is_out and any(i.is_bounded and i.hi < 0 for i in inequalities)
        return found[0], is_in, is_out


def _search(look: _Look, level: Fraction, most: int) -> tuple[bool | None, tuple[Fraction, ...]]:
    """Best first: the piece with the lowest bound is cut next."""
    bound = _INTERVALS.const(level)
    whole = [(Fraction(0), Fraction(1))] * len(look.names)
    heap: list[tuple[float, int, list[tuple[Fraction, Fraction]]]] = [(0.0, 0, whole)]
    order = count(1)
    for _ in range(most):
        if not heap:
            return True, ()
        _, _, box = heapq.heappop(heap)
        value, is_in, is_out = look.at(box)
        if is_in or (value.is_bounded and value.lo >= bound.hi):
            continue
        middle = tuple((low + high) / 2 for low, high in box)
        if value.is_bounded and value.hi < bound.lo and is_out:
            return False, middle
        here, _, is_out = look.at([(c, c) for c in middle])
        if here.is_bounded and here.hi < bound.lo and is_out:
            return False, middle
        if not box:
            return None, ()
        rank = float(value.lo) if value.is_bounded else -float("inf")
        k = max(range(len(box)), key=lambda i: box[i][1] - box[i][0])
        low, high = box[k]
        for half in ((low, middle[k]), (middle[k], high)):
            heapq.heappush(heap, (rank, next(order), [*box[:k], half, *box[k + 1 :]]))
    return (None if heap else True), ()
