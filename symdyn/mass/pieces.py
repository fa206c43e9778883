"""Pieces of a domain at exact nodes: places, inequalities, and what is known of them.

What still has symbols is judged by their assumptions.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import sympy

from symdyn.mass.coordinates import TIME, Vector, X, replace
from symdyn.mass.domain import Domain, Piece
from symdyn.mass.sampling import (
    NODES,
    TIMES,
    Array,
    Values,
    is_known,
    place_on,
    put,
    rational,
    unfold,
)
from symdyn.spatial.vector import add, apply, sub

#: An interval of time.
Interval = tuple[sympy.Expr, sympy.Expr]


def moments_in(times: Interval) -> list[sympy.Expr]:
    """Exact times, the ends of the interval among them."""
    return [times[0] + s * (times[1] - times[0]) for s in TIMES]


def is_known_piece(piece: Piece, values: Values) -> bool:
    """Whether the values leave no symbols in it but coordinates and the time."""
    chart = piece.shape.chart
    letters = [TIME, *X]
    fields: list[sympy.Expr] = [*(e for row in piece.matrix for e in row), *piece.shift]
    fields += [piece.factor, *piece.shape.inside]
    if chart is not None:
        letters += [r.symbol for r in chart.ranges]
        fields += [*chart.place, chart.measure, *(e for r in chart.ranges for e in (r.low, r.high))]
    return is_known(*(put(f, values) for f in fields), letters=letters)


def is_known_domain(domain: Domain, values: Values) -> bool:
    """Whether that holds for all pieces."""
    return all(is_known_piece(piece, values) for piece in domain.pieces)


def moves(domain: Domain, values: Values) -> bool:
    """Whether the shapes or where they are depend on the time."""
    return any(
        put(e, values).has(TIME)
        for p in domain.pieces
        for e in (*(c for row in p.matrix for c in row), *p.shift, p.factor, *p.shape.inside)
    )


def open_nodes(domain: Domain, values: Values) -> Iterator[Vector]:
    """Exact nodes of the solids that lie in no hole."""
    holes = [p for p in domain.pieces if p.sign < 0]
    for piece in domain.pieces:
        if piece.sign > 0:
            for place in piece_nodes(piece, values):
                if not any(_may_be_inside(hole, place, values) for hole in holes):
                    yield place


def piece_nodes(piece: Piece, values: Values) -> Iterator[Vector]:
    """Exact nodes of one piece, in the domain's coordinates."""
    chart = piece.shape.chart
    if chart is None:
        points = points_of(piece)
        for node in points if points is not None else ():
            a, b, c = (rational(float(e)) for e in node)
            yield image_of(piece, (a, b, c), values)
        return
    u = unfold(chart, values, TIME)
    place = image_of(piece, place_on(chart, values, u), values)
    for fractions in product(NODES, repeat=len(u.letters)):
        at = dict(zip(u.letters, fractions, strict=True))
        yield replace(place[0], at), replace(place[1], at), replace(place[2], at)


def image_of(piece: Piece, place: Vector, values: Values) -> Vector:
    """A place of the shape in the domain's coordinates."""
    a, b, c = (put(e, values) for e in add(apply(piece.matrix, place), piece.shift))
    return a, b, c


def _may_be_inside(piece: Piece, place: Vector, values: Values) -> bool:
    """Whether a place is in the open piece or cannot be told apart from it."""
    sides = sides_at(piece, place, values)
    return not sides or not any(s == 0 or s.is_nonpositive for s in sides)


def sides_at(piece: Piece, place: Vector, values: Values) -> list[sympy.Expr]:
    """The inequalities of a piece's shape, evaluated at a place of the domain."""
    back = sympy.Matrix([list(row) for row in piece.matrix]).inv()
    own = back * sympy.Matrix(list(sub(place, piece.shift)))
    at = dict(zip(X, list(own), strict=True))
    return [sympy.expand(put(replace(side, at), values)) for side in piece.shape.inside]


def is_negative(value: sympy.Expr) -> bool:
    """Whether it is known to be negative."""
    if value.is_negative is None and value.is_number is False:
        value = sympy.factor_terms(sympy.expand(value))
    return value.is_negative is True


def points_of(piece: Piece) -> Array | None:
    """Points of a shape without a chart, in its own coordinates."""
    if piece.shape.places is not None:
        return piece.shape.places
    return None if piece.shape.rule is None else piece.shape.rule(1)[0]


def value_text(value: sympy.Expr) -> str:
    """A value for a message: as it is if it is short, else six digits."""
    text = str(value)
    return text if len(text) <= 20 or not value.is_number else str(sympy.N(value, 6))
