"""Numeric integrals over the box of a chart, with an estimate of their own error.

Gauss's rule in every coordinate, with fewer nodes in one at a time to see which of them it does not
do for. Those are cut where a function in them has a kink or jumps (|g|, sign, Max, Min, Piecewise,
Heaviside, the base of a root), and from both ends of every segment u = end + s^4 w is substituted,
which makes roots and poles at the ends smooth. That is done on the expressions, so that 1 + x is
s^4 w there and not a difference of nearly equal doubles. Infinite ranges take double exponential
rules. What is still rough is cut evenly.

Source: Golub & Welsch 1969 (Gauss); Takahasi & Mori 1974 (double exponential).
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TypeAlias, cast

import numpy as np
import sympy
from sympy.core.relational import Relational

from symdyn.mass.coordinates import ONE, ZERO, replace
from symdyn.mass.sampling import Array, Values, put, rational, values_at
from symdyn.mass.shape import Chart

#: Nodes per coordinate, and fewer to see the error.
_NODES, _FEWER = 24, 18
#: Into how many parts segments are cut one after the other, and most cells in all.
_PARTS, _MOST_CELLS = (1, 4, 16), 100
#: Nodes of a double exponential rule, and fewer for the error, by the number of infinite ranges.
_WIDE, _NARROW = {1: 301, 2: 141, 3: 91}, {1: 241, 2: 111, 3: 71}
#: Ranges of its parameter: symmetric, and on a half line, where the near end needs more.
_RANGE, _HALF_RANGE = (-3.15, 3.15), (-3.8, 3.0)
#: Error, relative to the largest integral, up to which nothing is refined.
SMOOTH = 1e-12
#: Exponent that takes ends of segments apart.
_GRADE = 4
#: Grid on which roots of a kink are looked for.
_GRID = 257
_KINKED = (sympy.Abs, sympy.sign, sympy.Heaviside, sympy.log)

_Rule: TypeAlias = tuple[Array, Array]


@dataclass(frozen=True, slots=True)
class Cubature:
    """Integrals [fields], and the estimated error of each."""

    values: Array
    errors: Array

    @property
    def worst(self) -> float:
        """Largest error relative to the largest integral."""
        return float(np.max(self.errors) / max(float(np.max(np.abs(self.values))), 1e-300))


@dataclass(frozen=True, slots=True)
class _Cell:
    """A coordinate as a function of a letter on the line of a rule, and its slope."""

    coordinate: sympy.Expr
    slope: sympy.Expr
    rule: str = "gauss"


def cubature(chart: Chart, fields: Sequence[sympy.Expr], values: Values) -> Cubature:
    """Integrals of fields over a chart; the fields are in its coordinates and hold its measure.

    Parameters
    ----------
    values : of all symbols in bounds and fields, the time among them

    Raises
    ------
    InputError : a symbol has no value
    UnsupportedError : a function that cannot be evaluated
    """
    letters = [sympy.Symbol(f"s{k}", positive=True) for k in range(len(chart.ranges))]
    ends = [(put(r.low, values), put(r.high, values)) for r in chart.ranges]
    cells = [[_plain(s, *pair)] for s, pair in zip(letters, ends, strict=True)]
    known = [put(f, values) for f in fields]
    found, rough = _over(chart, letters, cells, known, _NODES)
    if found.worst <= SMOOTH:
        return found
    for k in rough:
        low, high = ends[k]
        if cells[k][0].rule == "gauss":
            breaks = _breaks(chart, k, low, high, known)
            cells[k] = _graded(letters[k], [low, *breaks, high])
    best = found
    for parts in _PARTS:
        cut = [
            _cut(c, s, parts) if k in rough else c
            for k, (c, s) in enumerate(zip(cells, letters, strict=True))
        ]
        if math.prod(len(c) for c in cut) > _MOST_CELLS:
            break
        finer, _ = _over(chart, letters, cut, known, _NODES)
        best = min(best, finer, key=lambda c: c.worst)
        if best.worst <= SMOOTH:
            break
    return best


def _cut(cells: Sequence[_Cell], s: sympy.Symbol, parts: int) -> list[_Cell]:
    """Cells on Gauss's line, cut evenly."""
    if parts == 1 or cells[0].rule != "gauss":
        return list(cells)
    found: list[_Cell] = []
    for cell in cells:
        for j in range(parts):
            at = {s: (j + s) / parts}
            found.append(_Cell(replace(cell.coordinate, at), replace(cell.slope, at) / parts))
    return found


def _plain(s: sympy.Symbol, low: sympy.Expr, high: sympy.Expr) -> _Cell:
    if low.is_infinite and high.is_infinite:
        return _Cell(s, ONE, "line")
    if high.is_infinite:
        return _Cell(low + s, ONE, "half")
    if low.is_infinite:
        return _Cell(high - s, ONE, "half")
    return _Cell(low + s * (high - low), high - low)


def _graded(s: sympy.Symbol, stops: Sequence[sympy.Expr]) -> list[_Cell]:
    """Both halves of every segment, each from its end."""
    cells: list[_Cell] = []
    for low, high in pairwise(stops):
        half = (high - low) / 2
        slope = half * _GRADE * s ** (_GRADE - 1)
        cells += [_Cell(low + half * s**_GRADE, slope), _Cell(high - half * s**_GRADE, slope)]
    return cells


def _over(
    chart: Chart,
    letters: Sequence[sympy.Symbol],
    cells: Sequence[Sequence[_Cell]],
    fields: Sequence[sympy.Expr],
    count: int,
) -> tuple[Cubature, list[int]]:
    """Sums over all combinations of cells, and the coordinates with a visible error."""
    total = np.zeros(len(fields))
    errors = np.zeros((len(letters), len(fields)))
    for combination in product(*cells):
        at: dict[sympy.Symbol, sympy.Expr] = {}
        slope = ONE
        for r, cell in zip(chart.ranges, combination, strict=True):
            slope = slope * replace(cell.slope, at)
            at[r.symbol] = replace(cell.coordinate, at)
        local = [ZERO if f == 0 else replace(f, at) * slope for f in fields]
        kinds = [cell.rule for cell in combination]
        best = _sum(letters, kinds, local, [count] * len(letters))
        total += best
        fewer = _FEWER * count // _NODES
        for k in range(len(letters)):
            orders = [fewer if j == k else count for j in range(len(letters))]
            errors[k] += np.abs(_sum(letters, kinds, local, orders) - best)
    scale = max(float(np.max(np.abs(total))), 1e-300)
    rough = [k for k in range(len(letters)) if np.max(errors[k]) > SMOOTH / 10 * scale]
    return Cubature(total, np.sum(errors, axis=0)), rough


def _sum(
    letters: Sequence[sympy.Symbol],
    kinds: Sequence[str],
    fields: Sequence[sympy.Expr],
    counts: Sequence[int],
) -> Array:
    infinite = sum(kind != "gauss" for kind in kinds)
    rules = [_rule(kind, count, infinite) for kind, count in zip(kinds, counts, strict=True)]
    grids = np.meshgrid(*(nodes for nodes, _ in rules), indexing="ij")
    weights = np.ones_like(grids[0])
    for w in np.meshgrid(*(w for _, w in rules), indexing="ij"):
        weights = weights * w
    found = values_at(fields, {s: g.ravel() for s, g in zip(letters, grids, strict=True)})
    return np.nan_to_num(found) @ weights.ravel()


def _rule(kind: str, count: int, infinite: int) -> _Rule:
    if kind == "gauss":
        nodes, weights = np.polynomial.legendre.leggauss(count)
        return (nodes + 1) / 2, weights / 2
    steps = (_WIDE if count >= _NODES else _NARROW)[infinite]
    if kind == "line":
        inner, slope = _substitution(_RANGE, steps)
        return np.sinh(inner), slope * np.cosh(inner)
    inner, slope = _substitution(_HALF_RANGE, steps)
    return np.exp(inner), slope * np.exp(inner)


def _substitution(ends: tuple[float, float], steps: int) -> _Rule:
    """pi/2 sinh(k) at equally spaced k, and its derivative times the step."""
    k, step = np.linspace(*ends, steps, retstep=True)
    return np.pi / 2 * np.sinh(k), step * np.pi / 2 * np.cosh(k)


# -- where to cut ----------------------------------------------------------------------------------


def _breaks(
    chart: Chart, k: int, low: sympy.Expr, high: sympy.Expr, fields: Sequence[sympy.Expr]
) -> list[sympy.Expr]:
    """Places inside a range with numbers for ends where a kink lies across it."""
    if low.free_symbols or high.free_symbols:
        return []
    u = chart.ranges[k].symbol
    found: set[sympy.Expr] = set()
    for g in {g for f in fields for g in _kinks(f)}:
        if not g.has(u):
            continue
        for factor in sympy.Mul.make_args(sympy.factor(g)):
            base = factor.as_base_exp()[0]
            if base.free_symbols == {u}:
                found.update(_roots(base, u, low, high))
    return sorted(found, key=float)


def _kinks(field: sympy.Expr) -> set[sympy.Expr]:
    """Functions at whose zeros the field is not smooth."""
    found = {cast("sympy.Expr", f.args[0]) for f in field.atoms(*_KINKED)}
    for f in field.atoms(sympy.Max, sympy.Min):
        args = cast("tuple[sympy.Expr, ...]", f.args)
        found.update(a - b for a in args for b in args if a != b)
    for f in field.atoms(Relational):
        left, right = cast("tuple[sympy.Expr, sympy.Expr]", f.args)
        found.add(left - right)
    for p in field.atoms(sympy.Pow):
        if not p.exp.is_integer or p.exp.is_negative:
            found.add(p.base)
    return found


def _roots(g: sympy.Expr, u: sympy.Symbol, low: sympy.Expr, high: sympy.Expr) -> list[sympy.Expr]:
    slope = sympy.diff(g, u)
    if not slope.has(u):
        root = -replace(g, {u: ZERO}) / slope
        return [root] if low < root < high else []
    grid = np.linspace(float(low), float(high), _GRID)[1:-1]
    values = values_at([g], {u: grid})[0]
    changes = np.flatnonzero(values[:-1] * values[1:] < 0)
    found = [*grid[values == 0], *(_between(g, u, grid[i], grid[i + 1]) for i in changes)]
    return [rational(float(x)) for x in found]


def _between(g: sympy.Expr, u: sympy.Symbol, low: float, high: float) -> float:
    """The root between two places of different sign, by bisection."""
    is_rising = values_at([g], {u: np.array([high])})[0, 0] > 0
    for _ in range(60):
        middle = (low + high) / 2
        if (values_at([g], {u: np.array([middle])})[0, 0] > 0) == is_rising:
            high = middle
        else:
            low = middle
    return (low + high) / 2
