"""Exact integrals of a field over a domain.

Two roads. A polynomial in x, y, z is a sum of monomial moments, each in closed form. Anything else
goes over the shape's chart, coordinate by coordinate: the integrand is multiplied out into products
of functions of one coordinate each, and `symdyn.mass.antiderivative` integrates those. What does
not split is not tried: such a search seldom ends. An integral that diverges or has no
closed form is an error, never a number.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import sympy
from sympy.polys.polyutils import dict_from_expr

from symdyn._errors import InputError, UnsupportedError
from symdyn.mass.antiderivative import along
from symdyn.mass.coordinates import ZERO, X, replace
from symdyn.mass.domain import IDENTITY, Domain, Piece
from symdyn.mass.shape import Chart, Range, Shape
from symdyn.spatial.vector import add, apply

#: Most terms into which an integrand is multiplied out.
_MOST_TERMS = 5000


def integral(domain: Domain, field: sympy.Expr) -> sympy.Expr:
    """The integral of ``field``, an expression in x, y, z, over the domain.

    Raises
    ------
    InputError : the integral diverges
    UnsupportedError : no closed form was found
    """
    if field == 0:
        return ZERO
    constant, varying = field.as_independent(*X, as_Add=False)
    parts = [
        piece.sign * piece.factor * _over_shape(piece.shape, to_piece(piece, varying))
        for piece in domain.pieces
    ]
    return cast("sympy.Expr", sympy.expand_mul(constant * sympy.Add(*parts), deep=False))


def to_piece(piece: Piece, field: sympy.Expr) -> sympy.Expr:
    """A field on the domain in the own coordinates of one of its shapes."""
    if piece.matrix == IDENTITY and not any(piece.shift):
        return field
    place = add(apply(piece.matrix, X), piece.shift)
    return replace(field, dict(zip(X, place, strict=True)))


def _over_shape(shape: Shape, field: sympy.Expr) -> sympy.Expr:
    terms = term_bound(field)
    if terms > _MOST_TERMS:
        raise UnsupportedError(
            f"{shape.name}: the integrand has up to {terms} terms when multiplied out; at most "
            f"{_MOST_TERMS} are integrated."
        )
    if shape.monomial is not None and field.is_polynomial(*X):
        powers, _ = dict_from_expr(field, gens=X)
        return _finite(
            sympy.Add(*(c * shape.monomial(*n) for n, c in powers.items())),
            shape,
            field,
        )
    if shape.dimension == 0:
        return _at_points(shape, field)
    if shape.chart is None:
        raise UnsupportedError(
            f"{shape.name}: densities and velocities have to be polynomials in x, y, z here; "
            f"got {field}."
        )
    try:
        found = _over_chart(shape.chart, on_chart(shape.chart, field))
    except UnsupportedError as error:
        raise UnsupportedError(f"{shape.name}: {error}") from error
    return _finite(found, shape, field)


def term_bound(field: sympy.Basic) -> int:
    """At least the number of terms that multiplying out would give."""
    if isinstance(field, sympy.Pow) and field.exp.is_Integer and field.exp > 0:
        base = term_bound(field.base)
        return math.comb(int(field.exp) + base - 1, base - 1)
    if field.is_Mul:
        return math.prod(term_bound(a) for a in field.args)
    if field.is_Add:
        return sum(term_bound(a) for a in field.args)
    return 1


def _at_points(shape: Shape, field: sympy.Expr) -> sympy.Expr:
    """A field at the one point of a shape without extent; clouds take polynomials only."""
    if shape.name != "point":
        raise UnsupportedError(
            f"{shape.name}: velocities have to be polynomials in x, y, z here; got {field}. "
            "Give the points one by one."
        )
    return replace(field, dict.fromkeys(X, ZERO))


def on_chart(chart: Chart, field: sympy.Expr) -> sympy.Expr:
    """field(x(u)) times the measure."""
    return field_on_chart(chart, field) * chart.measure


def field_on_chart(chart: Chart, field: sympy.Expr) -> sympy.Expr:
    """field(x(u)); sums of squares become the radii that they are."""
    roots: dict[sympy.Symbol, sympy.Expr] = {}
    for squares, root in chart.radii:
        letter = sympy.Dummy("w", nonnegative=True)
        replaced = field.subs(squares, letter**2)
        if replaced != field:
            field, roots[letter] = replaced, root
    placed = replace(field, dict(zip(X, chart.place, strict=True)))
    return replace(placed, roots)


def _finite(value: sympy.Expr, shape: Shape, field: sympy.Expr) -> sympy.Expr:
    if value.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan):
        raise InputError(
            "an integral diverges",
            where=shape.name,
            expected="a density with finite second moments",
            got=f"the integral of {field}",
        )
    if _is_complex(value):
        raise InputError(
            "an integral is no real number",
            where=shape.name,
            expected="fields that are real everywhere in the shape",
            got=f"{value}, the integral of {field}",
        )
    if value.has(sympy.Integral):
        raise UnsupportedError(
            f"{shape.name}: no closed form was found for the integral of {field}. Write the "
            "density as a polynomial, or in the coordinates of another shape."
        )
    return value


def _is_complex(value: sympy.Expr) -> bool:
    """Whether an imaginary unit occurs, also as a root or logarithm of a negative number."""
    roots = (p for p in value.atoms(sympy.Pow) if not p.exp.is_integer)
    return value.has(sympy.I) or any(p.base.is_negative for p in roots)


def _over_chart(chart: Chart, field: sympy.Expr) -> sympy.Expr:
    """Coordinate by coordinate; whole turns first, under which most moments vanish."""
    symbols = [r.symbol for r in chart.ranges]
    left = list(chart.ranges)
    while left and not field.has(sympy.Integral):
        r = _next(left)
        field = _step(field, r, [s for s in symbols if s != r.symbol])
        left.remove(r)
    return field


def _next(left: Sequence[Range]) -> Range:
    """A whole turn, or else the last one, out of those on which no bound depends."""
    free = [r for r in left if not any(e.has(r.symbol) for o in left for e in (o.low, o.high))]
    turns = [r for r in free if r.high - r.low == 2 * sympy.pi]
    return (turns or free)[-1]


def _step(field: sympy.Expr, r: Range, others: Sequence[sympy.Symbol]) -> sympy.Expr:
    """The integral over one coordinate, of what splits from the other coordinates.

    Raises
    ------
    UnsupportedError : a function mixes coordinates; no closed form is looked for then
    """
    if field.has(sympy.oo, sympy.zoo, sympy.nan):
        return field
    rest, own = field.as_independent(r.symbol, as_Add=False)
    if not own.has(*others):
        return rest * along(own, r)
    terms = sympy.Add.make_args(sympy.expand(_angles_apart(field, [r.symbol, *others])))
    parts: list[sympy.Expr] = []
    for term in terms:
        rest, own = term.as_independent(r.symbol, as_Add=False)
        if own.has(*others) or not _is_tame(own):
            raise UnsupportedError(
                f"the density mixes coordinates in {own}; it has to be a sum of products of "
                "functions of one coordinate each, in the coordinates of its shape."
            )
        parts.append(rest * along(own, r))
    return sympy.Add(*parts)


def _angles_apart(field: sympy.Expr, symbols: Sequence[sympy.Symbol]) -> sympy.Expr:
    """Sines and cosines of sums over several coordinates, by the addition theorems."""
    waves = [
        f
        for f in field.atoms(sympy.sin, sympy.cos)
        if len(f.free_symbols.intersection(symbols)) > 1
    ]
    for wave in waves:
        field = field.subs(wave, sympy.expand_trig(wave))
    return field


def _is_tame(factor: sympy.Expr) -> bool:
    """Whether a factor is a power or function without a pole: only those may be split by terms."""
    for power in factor.atoms(sympy.Pow):
        if power.exp.is_nonnegative is not True and not power.base.is_number:
            return False
    return not factor.has(sympy.log, sympy.tan, sympy.cot, sympy.sec, sympy.csc, sympy.Piecewise)
