"""Is every place of a domain counted once, or not at all?

A domain is a signed sum of pieces; it is the set that it is meant to be if the signs of the pieces
around a place add up to 1 or 0 at every place: added pieces overlap nowhere, holes lie in what is
there and overlap nowhere.

What is certain: two pieces whose inequalities are concave and at most quadratic (boxes, balls,
ellipsoids, cylinders and halves of them, simplices) are *apart* if some convex combination of all
inequalities is nowhere positive; that the best place of one lies within the other is a *witness*.
A piece is *inside* another one if the other's inequalities hold on all of its chart, by intervals.
If every two pieces are apart or nested, the signs around every place are known. What is not
decided that way is looked up: signs are added up at thousands of nodes of every piece, and at the
place that lies deepest in any two pieces. What is found is a fact; nothing found is no proof, and
the domain is then said to be open.

Source: Boyd & Vandenberghe 2004, 5.8 (theorems of alternatives).
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np
import sympy
from scipy.optimize import minimize, nnls

from symdyn.mass.certain import decide_at_least
from symdyn.mass.coordinates import TIME, ZERO, X, replace
from symdyn.mass.domain import Domain, Piece
from symdyn.mass.integrate import field_on_chart, to_piece
from symdyn.mass.sampling import (
    Array,
    Certainty,
    Values,
    certain,
    nodes,
    place_on,
    put,
    unfold,
    values_at,
)
from symdyn.spatial.vector import add, apply, sub

#: Depth, relative to the size of a piece, up to which two pieces may be in one another: what
#: doubles can tell, and far below what any moment would show.
DEPTH = 1e-7
#: Depth from which on a place counts as inside or outside.
_SURE = 1e-6
_SLACK = Fraction(1, 10**9)
#: Most pieces that are compared two by two.
_MOST_PAIRED = 60


@dataclass(frozen=True, slots=True)
class Fault:
    """A place that is counted ``count`` times, and the pieces around it."""

    place: tuple[float, float, float]
    count: int
    around: tuple[Piece, ...]


def look_at(domain: Domain, values: Values, t: sympy.Expr) -> Fault | Certainty:
    """A fault at one time; or else how certain it is that there is none.

    Parameters
    ----------
    values : for all symbols and functions of time in the domain
    """
    if any(not p.shape.inside and p.shape.windings is None for p in domain.pieces):
        return Certainty.NOT_EXAMINED
    placed = [_Placed(piece, values, t) for piece in domain.pieces]
    own = [p.nodes for p in placed]
    for k, places in enumerate(own):
        fault = _fault(placed, places, k)
        if fault is not None:
            return fault
    is_by_inequalities = all(p.sides for p in placed)
    if len(placed) > _MOST_PAIRED or domain.dimension != 3 or not is_by_inequalities:
        return Certainty.SAMPLED
    found = _by_pairs(placed)
    return found if isinstance(found, Fault) else certain(found)


class _Placed:
    """A piece at one time in numbers: its inequalities in the domain's coordinates, its nodes."""

    def __init__(self, piece: Piece, values: Values, t: sympy.Expr) -> None:
        self.piece = piece
        self._values, self._t = values, t
        back = sympy.Matrix([list(row) for row in piece.matrix]).inv()
        rows = [tuple(back.row(i)) for i in range(3)]
        inverse = ((rows[0]), (rows[1]), (rows[2]))
        shift = sub(X, piece.shift)
        own = apply(inverse, shift)
        at = dict(zip(X, own, strict=True))
        sides = [*piece.shape.inside]
        self.sides = [self._now(replace(side, at)) for side in sides]
        self.functions = [_Side(side) for side in self.sides]
        self._height = self._now(own[2]) if piece.shape.dimension == 2 else None
        self._own = [self._now(e) for e in own]
        self.nodes = self._nodes()
        sizes = values_at(self.sides, self._at(self.nodes))
        self.scales = np.maximum(np.max(np.abs(sizes), axis=1, initial=0.0), 1e-300)
        spread = np.ptp(self.nodes, axis=1)
        self.diameter = float(np.linalg.norm(spread))

    def _now(self, value: sympy.Expr) -> sympy.Expr:
        return sympy.expand(replace(put(value, self._values), {TIME: self._t}))

    def _at(self, places: Array) -> dict[sympy.Symbol, Array]:
        return dict(zip(X, places, strict=True))

    def _nodes(self) -> Array:
        """Nodes of the chart [3, n] in the domain's coordinates, its rim included."""
        chart, places = self.piece.shape.chart, self.piece.shape.places
        if chart is None:
            assert places is not None
            image = [self._now(e) for e in add(apply(self.piece.matrix, X), self.piece.shift)]
            return values_at(image, self._at(places.T))
        u = unfold(chart, self._values, self._t)
        place = place_on(chart, self._values, u)
        image = [self._now(e) for e in add(apply(self.piece.matrix, place), self.piece.shift)]
        _, numbers = nodes(u.letters)
        return values_at(image, dict(zip(u.letters, numbers, strict=True)))

    def depth(self, places: Array) -> Array:
        """How far inside places are, relative to the size; negative outside."""
        at = self._at(places)
        windings = self.piece.shape.windings
        if windings is not None:
            return 2 * windings(values_at(self._own, at).T) - 1
        deep = np.min(values_at(self.sides, at) / self.scales[:, None], axis=0)
        if self._height is not None:
            off = np.abs(values_at([self._height], at)[0]) > 1e-9 * self.diameter
            deep = np.where(off, -1.0, deep)
        return deep

    def lowest(self, other: _Placed) -> tuple[sympy.Expr, ...]:
        """The other piece's inequalities on this one's chart, as functions of its letters."""
        chart = self.piece.shape.chart
        assert chart is not None
        u = unfold(chart, self._values, self._t)
        return tuple(
            u.on(put(field_on_chart(chart, to_piece(self.piece, side)), self._values)) / _of(scale)
            for side, scale in zip(other.sides, other.scales, strict=True)
        )

    def letters(self) -> tuple[sympy.Symbol, ...]:
        return unfold(self.piece.shape.chart, self._values, self._t).letters


def _of(scale: float) -> sympy.Expr:
    exact = Fraction(scale)
    return sympy.Rational(exact.numerator, exact.denominator)


def _fault(placed: Sequence[_Placed], places: Array, own: int | None = None) -> Fault | None:
    """The first place, out of those whose pieces are beyond doubt, that is counted wrongly."""
    deep = np.array([p.depth(places) for p in placed])
    if own is not None and placed[own].piece.shape.windings is None:
        deep[own] = 1.0  # nodes on the rim belong to the piece
    signs = np.array([p.piece.sign for p in placed])
    # a mesh that cuts through itself holds places more than once: depths 1, 3, 5, ...
    layers = np.where(deep > 2, np.round((deep + 1) / 2), np.where(deep > 0, 1, 0))
    is_in = layers > 0
    count = signs @ layers
    is_sure = np.all(np.abs(deep) > _SURE, axis=0)
    wrong = np.flatnonzero(is_sure & ((count < 0) | (count > 1)))
    if not len(wrong):
        return None
    # the place that is deepest inside shows most
    best = wrong[np.argmax(np.min(np.abs(deep[:, wrong]), axis=0))]
    x, y, z = (float(c) for c in places[:, best])
    around = tuple(p.piece for p, here in zip(placed, is_in[:, best], strict=True) if here)
    return Fault((x, y, z), int(count[best]), around)


def _by_pairs(placed: Sequence[_Placed]) -> Fault | bool:
    """The deepest places of all pairs; whether all pairs are apart or nested with right signs."""
    inside: dict[int, set[int]] = {k: {k} for k in range(len(placed))}
    is_certain = True
    for i, j in combinations(range(len(placed)), 2):
        place, is_apart = _deepest(placed[i], placed[j])
        if is_apart:
            continue
        fault = _fault(placed, place)
        if fault is not None:
            return fault
        nested = False
        for low, high in ((i, j), (j, i)):
            if _is_inside(placed[low], placed[high]):
                inside[low].add(high)
                nested = True
        is_certain = is_certain and nested
    if not is_certain:
        return False
    return all(sum(placed[j].piece.sign for j in around) in (0, 1) for around in inside.values())


def _is_inside(small: _Placed, big: _Placed) -> bool:
    """Certainly, up to a slack of 1e-9 of the size."""
    if np.min(big.depth(small.nodes)) < -1e-9:
        return False
    letters = small.letters()
    return all(decide_at_least(side, -_SLACK, letters).holds is True for side in small.lowest(big))


def _deepest(a: _Placed, b: _Placed) -> tuple[Array, bool]:
    """The place [3, 1] that is deepest in both pieces, and whether they are certainly apart."""
    sides = [*a.functions, *b.functions]
    scales = np.concatenate((a.scales, b.scales))

    def depths(p: Array) -> Array:
        return np.array([side.value(p[:3]) for side in sides]) / scales

    def rates(p: Array) -> Array:
        return np.array([side.slope(p[:3]) for side in sides]) / scales[:, None]

    both = np.concatenate((a.nodes, b.nodes), axis=1)
    start = both[:, np.argmax(np.minimum(a.depth(both), b.depth(both)))]

    def level(p: Array) -> float:
        return -float(p[3])

    def falls(_: Array) -> Array:
        return np.array([0.0, 0.0, 0.0, -1.0])

    def above_level(p: Array) -> Array:
        return depths(p) - p[3]

    def above_rates(p: Array) -> Array:
        return np.column_stack((rates(p), -np.ones(len(scales))))

    found = minimize(
        level,
        np.append(start, np.min(depths(start))),
        jac=falls,
        constraints={"type": "ineq", "fun": above_level, "jac": above_rates},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 200},
    )
    place = found.x[:3] if np.all(np.isfinite(found.x)) else start
    deep = depths(place)
    if all(side.is_concave for side in sides):
        # weights >= 0 with sum 1, on the lowest inequalities, whose sum has no slope at the place
        above = deep - np.min(deep)
        system = np.vstack((rates(place).T * a.diameter, above, np.ones(len(scales))))
        weights, _ = nnls(system, np.array([0.0, 0.0, 0.0, 0.0, 1.0]))
        weights /= max(float(np.sum(weights)), 1e-300)
        slope = np.linalg.norm(weights @ rates(place))
        reach = a.diameter + float(np.linalg.norm(np.mean(a.nodes, axis=1) - place))
        # the sum is concave: nowhere in a above its value here plus slope times distance
        if weights @ deep + slope * reach <= DEPTH:
            return place[:, None], True
    return place[:, None], False


class _Side:
    """An inequality as a function of a place: by its coefficients if it is at most quadratic."""

    def __init__(self, side: sympy.Expr) -> None:
        self._side = side
        self._slopes = [sympy.diff(side, x) for x in X]
        hessian = [[sympy.diff(s, x) for x in X] for s in self._slopes]
        self._hessian: Array | None = None
        self.is_concave = False
        if not any(e.free_symbols for row in hessian for e in row):
            origin = dict.fromkeys(X, ZERO)
            self._hessian = np.array([[float(e) for e in row] for row in hessian])
            self._at_origin = float(replace(side, origin))
            self._slope = np.array([float(replace(s, origin)) for s in self._slopes])
            largest = float(np.max(np.linalg.eigvalsh(self._hessian)))
            self.is_concave = largest <= 1e-12 * max(1.0, float(np.max(np.abs(self._hessian))))

    def value(self, p: Array) -> float:
        if self._hessian is not None:
            return float(self._at_origin + self._slope @ p + p @ self._hessian @ p / 2)
        return float(values_at([self._side], dict(zip(X, p[:, None], strict=True)))[0, 0])

    def slope(self, p: Array) -> Array:
        if self._hessian is not None:
            return self._slope + self._hessian @ p
        return values_at(self._slopes, dict(zip(X, p[:, None], strict=True)))[:, 0]
