"""Angles as exact combinations: which sines and cosines of a graph share a circle point.

The argument of a sine is read as r pi + sum of k_i a_i with rational r, k_i and *atoms* a_i:
symbols, and whatever else is neither a sum, a difference nor a rational multiple. By the addition
theorem its sine and cosine are then polynomials in those of a_i / L, L the common denominator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from symdyn.expr.graph import Graph

_ZERO, _ONE = Fraction(0), Fraction(1)
TRIGONOMETRIC = frozenset(("sin", "cos", "tan"))
# A combination beyond these sizes counts as an atom: it loses relations, it gains no wrong ones.
_MOST_ATOMS = 64
_LARGEST_COEFFICIENT = 1 << 14


@dataclass(frozen=True, slots=True)
class AngleSum:
    """r pi + sum of coefficients times atoms.

    Attributes
    ----------
    turns : r, the multiple of pi
    atoms : (index of the atom, coefficient), ascending in the index, no coefficient zero
    """

    turns: Fraction
    atoms: tuple[tuple[int, Fraction], ...]


def angle_sums(graph: Graph, roots: Sequence[int]) -> dict[int, AngleSum]:
    """The combination of every node that is an argument of a sine, cosine or tangent.

    Parameters
    ----------
    roots : only arguments of functions that these need are read

    Returns
    -------
    dict from the argument's index to its combination
    """
    nodes = graph.reachable(roots)
    wanted = {graph.args[i][0] for i in nodes if graph.ops[i] in TRIGONOMETRIC}
    inside = set(wanted)
    for i in reversed(nodes):
        if i in inside and graph.ops[i] in ("add", "sub", "neg", "mul"):
            inside.update(graph.args[i])
    known: dict[int, AngleSum] = {}
    for i in nodes:
        if i in inside:
            known[i] = _combine(graph, i, known)
    return {i: known[i] for i in nodes if i in wanted}


def common_denominator(sums: Mapping[int, AngleSum]) -> int:
    """L such that every coefficient of every atom is a whole multiple of 1/L."""
    return lcm(*(k.denominator for s in sums.values() for _, k in s.atoms))


def _combine(graph: Graph, i: int, known: Mapping[int, AngleSum]) -> AngleSum:
    args = graph.args[i]
    found: AngleSum | None = None
    match graph.ops[i]:
        case "pi":
            return AngleSum(_ONE, ())
        case "const" if graph.const_value(i) == 0:
            return AngleSum(_ZERO, ())
        case "neg":
            found = _sum(known[args[0]], -_ONE, None)
        case "add":
            found = _sum(known[args[0]], _ONE, known[args[1]])
        case "sub":
            found = _sum(known[args[1]], -_ONE, known[args[0]])
        case "mul" if graph.is_const(args[0]):
            found = _sum(known[args[1]], graph.const_value(args[0]), None)
        case _:
            pass
    if found is None or len(found.atoms) > _MOST_ATOMS:
        return AngleSum(_ZERO, ((i, _ONE),))
    for _, k in found.atoms:
        if k.denominator > _LARGEST_COEFFICIENT or abs(k.numerator) > _LARGEST_COEFFICIENT:
            return AngleSum(_ZERO, ((i, _ONE),))
    return found


def _sum(a: AngleSum, factor: Fraction, b: AngleSum | None) -> AngleSum:
    """factor * a + b."""
    total = dict(b.atoms) if b is not None else {}
    for atom, k in a.atoms:
        scaled = k if factor is _ONE else factor * k
        total[atom] = total[atom] + scaled if atom in total else scaled
    turns = factor * a.turns if a.turns else _ZERO
    if b is not None and b.turns:
        turns += b.turns
    return AngleSum(turns, tuple(sorted(item for item in total.items() if item[1])))
