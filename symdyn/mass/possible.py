"""Whether densities and moving fractions can be what they claim: looked up at a grid of places.

Nodes are exact, so a node at the rim of a solid is on the rim; a value is judged by SymPy's
assumptions if it still has symbols. What is found is a witness: the place, the time, the value.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import cast

import sympy

from symdyn._errors import InputError
from symdyn.mass.coordinates import TIME, ZERO, Vector, X, replace
from symdyn.mass.domain import Domain, Piece
from symdyn.spatial.vector import add, apply, sub

#: Nodes along each coordinate of a chart, and in time, as fractions of the interval.
_NODES = tuple(sympy.Rational(k, 8) for k in (0, 1, 3, 4, 7, 8))
_TIMES = tuple(sympy.Rational(k, 16) for k in (0, 1, 3, 5, 7, 8, 11, 13, 16))
#: A finite stand-in for an infinite bound.
_FAR = sympy.Integer(10)


def check_field(
    domain: Domain,
    field: sympy.Expr,
    where: str,
    low: sympy.Expr,
    high: sympy.Expr | None,
    values: Mapping[sympy.Expr, sympy.Expr],
    times: tuple[sympy.Expr, sympy.Expr],
) -> None:
    """Refuse a field that is below ``low`` or above ``high`` at some node.

    Raises
    ------
    InputError : names bound, place, time and value
    """
    field = put(field, values)
    moments = [ZERO]
    if field.has(TIME):
        moments = [(times[0] + s * (times[1] - times[0])) for s in _TIMES]
    places: list[Vector | None] = [None]
    if field.has(*X):
        places = list(_nodes(domain, values))
    for t in moments:
        for place in places:
            at: dict[sympy.Symbol, sympy.Expr] = {TIME: t}
            if place is not None:
                at.update(zip(X, place, strict=True))
            value = replace(field, at)
            is_low = _is_negative(value - low)
            if is_low or (high is not None and _is_negative(high - value)):
                used = {s: v for s, v in at.items() if field.has(s)}
                _refuse(where, low, high, value, used)


def _refuse(
    where: str,
    low: sympy.Expr,
    high: sympy.Expr | None,
    value: sympy.Expr,
    at: Mapping[sympy.Symbol, sympy.Expr],
) -> None:
    spot = ", ".join(f"{s} = {v}" for s, v in at.items())
    raise InputError(
        "a density is negative" if high is None else "a moving fraction is no fraction",
        where=where,
        expected=f">= {low}" if high is None else f"between {low} and {high}",
        got=f"{value}" + (f" at {spot}" if spot else ""),
    )


def check_holes(domain: Domain, where: str, values: Mapping[sympy.Expr, sympy.Expr]) -> None:
    """Refuse a hole that reaches out of the solid it is taken from.

    Raises
    ------
    InputError : names the hole and a place of it outside
    """
    solids = [p for p in domain.pieces if p.sign > 0]
    if any(not p.shape.inside for p in solids):
        return
    for hole in (p for p in domain.pieces if p.sign < 0):
        for place in _piece_nodes(hole, values):
            if all(_is_outside(solid, place, values) for solid in solids):
                raise InputError(
                    "a hole reaches out of its solid",
                    where=where,
                    expected=f"{hole.shape.name} inside {solids[0].shape.name}",
                    got=f"the place ({', '.join(str(c) for c in place)}) outside",
                )


def _nodes(domain: Domain, values: Mapping[sympy.Expr, sympy.Expr]) -> Iterator[Vector]:
    """Nodes of the solids that lie in no hole."""
    holes = [p for p in domain.pieces if p.sign < 0]
    for piece in domain.pieces:
        if piece.sign > 0:
            for place in _piece_nodes(piece, values):
                if not any(_may_be_inside(hole, place, values) for hole in holes):
                    yield place


def _piece_nodes(piece: Piece, values: Mapping[sympy.Expr, sympy.Expr]) -> Iterator[Vector]:
    """Nodes of one piece, in the domain's coordinates."""
    chart = piece.shape.chart
    if chart is None:
        if piece.shape.rule is None:
            return
        for node in piece.shape.rule(1)[0]:
            a, b, c = (sympy.Rational(float(e)) for e in node)
            yield _image(piece, (a, b, c), values)
        return
    for fractions in product(_NODES, repeat=len(chart.ranges)):
        u: dict[sympy.Symbol, sympy.Expr] = {}
        for r, s in zip(chart.ranges, fractions, strict=True):
            low, high = _ends(put(r.low, values), put(r.high, values))
            u[r.symbol] = replace(low + s * (high - low), u)
        a, b, c = (replace(put(e, values), u) for e in chart.place)
        yield _image(piece, (a, b, c), values)


def _ends(low: sympy.Expr, high: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    if low.is_infinite and high.is_infinite:
        return cast("sympy.Expr", -_FAR), cast("sympy.Expr", _FAR)
    if high.is_infinite:
        return low, low + _FAR
    if low.is_infinite:
        return high - _FAR, high
    return low, high


def _image(piece: Piece, place: Vector, values: Mapping[sympy.Expr, sympy.Expr]) -> Vector:
    a, b, c = (put(e, values) for e in add(apply(piece.matrix, place), piece.shift))
    return a, b, c


def _is_outside(piece: Piece, place: Vector, values: Mapping[sympy.Expr, sympy.Expr]) -> bool:
    return any(_is_negative(side) for side in _sides(piece, place, values))


def _may_be_inside(piece: Piece, place: Vector, values: Mapping[sympy.Expr, sympy.Expr]) -> bool:
    """Whether a place is in the open piece or cannot be told apart from it."""
    sides = _sides(piece, place, values)
    return not sides or not any(s == 0 or s.is_nonpositive for s in sides)


def _sides(
    piece: Piece, place: Vector, values: Mapping[sympy.Expr, sympy.Expr]
) -> list[sympy.Expr]:
    """The inequalities of a piece's shape, evaluated at a place of the domain."""
    back = sympy.Matrix([list(row) for row in piece.matrix]).inv()
    own = back * sympy.Matrix(list(sub(place, piece.shift)))
    at = dict(zip(X, list(own), strict=True))
    return [sympy.expand(put(replace(side, at), values)) for side in piece.shape.inside]


def _is_negative(value: sympy.Expr) -> bool:
    if value.is_negative is None and value.is_number is False:
        value = sympy.factor_terms(sympy.expand(value))
    return value.is_negative is True


def put(value: sympy.Expr, values: Mapping[sympy.Expr, sympy.Expr]) -> sympy.Expr:
    """An expression with known values put in; derivatives of known functions are carried out."""
    if not values:
        return value
    functions = [(k, v) for k, v in values.items() if not isinstance(k, sympy.Symbol)]
    if functions:
        value = value.subs(functions).doit()
    return replace(value, {k: v for k, v in values.items() if isinstance(k, sympy.Symbol)})
