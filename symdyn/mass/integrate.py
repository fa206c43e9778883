"""Exact integrals of a field over a domain.

Two roads. A polynomial in x, y, z is a sum of monomial moments, each in closed form. Anything else
goes over the shape's chart: the integrand is multiplied out into products of functions of one
coordinate each, powers and waves are integrated by formula, the rest by SymPy; what does not split
is integrated by SymPy coordinate by coordinate. An integral that diverges or has no closed form is
an error, never a number.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import sympy
from sympy.polys.polyutils import dict_from_expr

from symdyn._errors import InputError, UnsupportedError
from symdyn.mass.coordinates import ONE, ZERO, X, replace
from symdyn.mass.domain import IDENTITY, Domain, Piece
from symdyn.mass.monomials import quarter_wave
from symdyn.mass.shape import Chart, Range, Shape
from symdyn.spatial.vector import add, apply

#: Highest degree in x, y, z of a polynomial that is multiplied out.
_HIGHEST_DEGREE = 60
#: Most terms into which an integrand is multiplied out before it is split.
_MOST_TERMS = 400


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
    if shape.monomial is not None and field.is_polynomial(*X):
        if degree_bound(field) > _HIGHEST_DEGREE:
            raise UnsupportedError(
                f"{shape.name}: polynomials in x, y, z up to degree {_HIGHEST_DEGREE} are "
                "integrated; this one is higher."
            )
        terms, _ = dict_from_expr(field, gens=X)
        return _finite(
            sympy.Add(*(c * shape.monomial(*n) for n, c in terms.items())),
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
    return _finite(_over_chart(shape.chart, on_chart(shape.chart, field)), shape, field)


def degree_bound(field: sympy.Basic) -> int:
    """At least the degree in x, y, z of a polynomial, without multiplying it out."""
    if isinstance(field, sympy.Pow) and field.exp.is_Integer:
        return degree_bound(field.base) * int(field.exp)
    if field.is_Mul:
        return sum(degree_bound(a) for a in field.args)
    if field.is_Add:
        return max(degree_bound(a) for a in field.args)
    return int(field in X)


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
    roots: dict[sympy.Symbol, sympy.Expr] = {}
    for squares, root in chart.radii:
        letter = sympy.Dummy("w", nonnegative=True)
        replaced = field.subs(squares, letter**2)
        if replaced != field:
            field, roots[letter] = replaced, root
    placed = replace(field, dict(zip(X, chart.place, strict=True)))
    return replace(placed, roots) * chart.measure


def _finite(value: sympy.Expr, shape: Shape, field: sympy.Expr) -> sympy.Expr:
    if value.has(sympy.oo, -sympy.oo, sympy.zoo, sympy.nan):
        raise InputError(
            "an integral diverges",
            where=shape.name,
            expected="a density with finite second moments",
            got=f"the integral of {field}",
        )
    if value.has(sympy.Integral):
        raise UnsupportedError(
            f"{shape.name}: no closed form was found for the integral of {field}. Write the "
            "density as a polynomial, or in the coordinates of another shape."
        )
    return value


def _over_chart(chart: Chart, field: sympy.Expr) -> sympy.Expr:
    symbols = [r.symbol for r in chart.ranges]
    is_box = not any(
        (r.low.free_symbols | r.high.free_symbols) & set(symbols) for r in chart.ranges
    )
    if is_box:
        terms = sympy.Add.make_args(sympy.expand(field))
        if len(terms) <= _MOST_TERMS:
            split = [_split((term), symbols) for term in terms]
            if all(s is not None for s in split):
                return sympy.Add(*(_product(s, chart.ranges) for s in split if s is not None))
    for r in reversed(chart.ranges):
        field = _along(field, r)
        if field.has(sympy.Integral):
            break
    return field


def _split(term: sympy.Expr, symbols: Sequence[sympy.Symbol]) -> list[sympy.Expr] | None:
    """A term as [constant, f1(u1), f2(u2), ...] with every f tame at its ends; else None."""
    found = [ONE] * (len(symbols) + 1)
    for factor in sympy.Mul.make_args(term):
        of = [k for k, s in enumerate(symbols) if factor.has(s)]
        if len(of) > 1 or (of and not _is_tame(factor)):
            return None
        place = of[0] + 1 if of else 0
        found[place] = found[place] * factor
    return found


def _is_tame(factor: sympy.Expr) -> bool:
    """Whether a factor is a power or function without a pole: only those may be split by terms."""
    for power in factor.atoms(sympy.Pow):
        if power.exp.is_nonnegative is not True and not power.base.is_number:
            return False
    return not factor.has(sympy.log, sympy.tan, sympy.cot, sympy.sec, sympy.csc, sympy.Piecewise)


def _product(factors: Sequence[sympy.Expr], ranges: Sequence[Range]) -> sympy.Expr:
    parts = [_along(f, r) for f, r in zip(factors[1:], ranges, strict=True)]
    return sympy.Mul(factors[0], *parts)


def _along(field: sympy.Expr, r: Range) -> sympy.Expr:
    """The integral over one coordinate."""
    by_formula = _power_or_wave(field, r)
    if by_formula is not None:
        return by_formula
    limits = (r.symbol, r.low, r.high)
    found = cast("sympy.Expr", sympy.integrate(field, limits))
    if found.has(sympy.I):
        # Meijer's functions give real integrals of roots as differences of complex ones
        found = cast("sympy.Expr", sympy.integrate(field, limits, meijerg=False))
    return found


def _power_or_wave(field: sympy.Expr, r: Range) -> sympy.Expr | None:
    """c u^n over any interval, or sin^a u cos^b u over whole quarter turns; else None."""
    u = r.symbol
    constant, varying = field.as_independent(u, as_Add=False)
    if varying.is_polynomial(u) and r.low.is_finite is not False and r.high.is_finite is not False:
        power = sympy.Poly(varying, u)
        terms = [c * (r.high ** (n + 1) - r.low ** (n + 1)) / (n + 1) for (n,), c in power.terms()]
        return constant * sympy.Add(*terms)
    exponents = _wave(varying, u)
    quarters = _quarters(r)
    if exponents is None or quarters is None:
        return None
    a, b = exponents
    signs = ((1, 1), (1, -1), (-1, -1), (-1, 1))  # of sin and cos in the four quarters
    total = sum(signs[q % 4][0] ** a * signs[q % 4][1] ** b for q in range(*quarters))
    return constant * total * quarter_wave(a, b)


def _wave(field: sympy.Expr, u: sympy.Symbol) -> tuple[int, int] | None:
    """(a, b) if the field is sin(u)^a cos(u)^b."""
    a = b = 0
    for factor in sympy.Mul.make_args(field):
        base, exponent = factor.as_base_exp()
        if not exponent.is_Integer or int(exponent) < 0:
            return None
        if base == sympy.sin(u):
            a += int(exponent)
        elif base == sympy.cos(u):
            b += int(exponent)
        elif base != 1:
            return None
    return a, b


def _quarters(r: Range) -> tuple[int, int] | None:
    """The bounds in quarter turns, if they are whole."""
    low, high = (2 * end / sympy.pi for end in (r.low, r.high))
    if low.is_Integer and high.is_Integer:
        return int(low), int(high)
    return None
