"""Pairs of terms that several sums (or products) have in common, taken out greedily.

Source: Hosangadi, Fallah, Kastner 2006, "Optimizing polynomial expressions by algebraic
factorization and common subexpression elimination", the extraction of two-term divisors.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping

Signed = tuple[int, int]
#: Two terms, the smaller index first, and the product of their signs.
Pair = tuple[int, int, int]


def share_pairs(
    terms: Mapping[int, list[Signed]], first_new: int
) -> tuple[dict[int, list[Signed]], dict[int, list[Signed]]]:
    """Replace frequent pairs of terms by new ones.

    Parameters
    ----------
    terms : (term, sign) of each sum, by the sum; at most a few dozen each
    first_new : number of the first new term

    Returns
    -------
    changed : the sums that hold new terms, in terms of these
    pairs : the two terms of each new term, with signs
    """
    lists = {i: list(found) for i, found in terms.items()}
    where: dict[Pair, dict[int, None]] = {}
    for i, found in lists.items():
        for a in range(len(found)):
            for b in range(a):
                if found[a][0] != found[b][0]:
                    where.setdefault(_pair(found[b], found[a]), {})[i] = None
    heap = [(-len(at), pair) for pair, at in where.items() if len(at) > 1]
    heapq.heapify(heap)
    changed: dict[int, list[Signed]] = {}
    pairs: dict[int, list[Signed]] = {}
    while heap:
        count, pair = heapq.heappop(heap)
        places = where[pair]
        if len(places) != -count:  # it changed since it was entered
            if len(places) > 1:
                heapq.heappush(heap, (-len(places), pair))
            continue
        a, b, relative = pair
        new = first_new + len(pairs)
        pairs[new] = [(a, 1), (b, relative)]
        touched: dict[Pair, None] = {}
        for i in list(places):
            found = lists[i]
            first, second = _positions(found, pair)
            for k in (first, second):
                for other in found:
                    if other[0] != found[k][0]:
                        where[_pair(found[k], other)].pop(i, None)
            term = (new, found[first][1])
            rest = [t for k, t in enumerate(found) if k not in (first, second)]
            for other in rest:
                key = _pair(term, other)
                where.setdefault(key, {})[i] = None
                touched[key] = None
            rest.insert(min(first, second), term)
            lists[i] = changed[i] = rest
        for key in touched:
            if len(where[key]) > 1:
                heapq.heappush(heap, (-len(where[key]), key))
    return changed, pairs


def _positions(found: list[Signed], pair: Pair) -> tuple[int, int]:
    """Where the two terms of a pair stand, with fitting signs."""
    a, b, relative = pair
    return next(
        (j, k)
        for j, (n, s) in enumerate(found)
        if n == a
        for k, (m, t) in enumerate(found)
        if m == b and s * t == relative
    )


def _pair(x: Signed, y: Signed) -> Pair:
    return (x[0], y[0], x[1] * y[1]) if x[0] < y[0] else (y[0], x[0], x[1] * y[1])
