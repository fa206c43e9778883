"""Regions of one's own: by iterated limits, or by a map from a box with its measure.

    region(((z, 0, h), (y, -z, z), (x, 0, 1 - y**2)))

is the set 0 <= z <= h, -z <= y <= z, 0 <= x <= 1 - y^2; each bound may depend on the coordinates
before it. `parametrised` takes a curve, a surface or a solid as x(u).
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

import sympy

from symdyn._errors import InputError
from symdyn.mass.coordinates import ONE, Number, Vector, X, exact, exact_vector, replace
from symdyn.mass.domain import Domain, of_shape
from symdyn.mass.shape import Chart, Range, Shape
from symdyn.mass.zero import decide_zero
from symdyn.spatial.vector import cross, dot

#: A coordinate, its lower and its upper bound.
Limit: TypeAlias = tuple[sympy.Symbol, Number, Number]


def region(limits: Sequence[Limit]) -> Domain:
    """The solid between iterated limits in x, y and z.

    Parameters
    ----------
    limits : (symbol, low, high) for each of x, y, z in any order; a bound may use the symbols that
        stand before it, and may be infinite

    Raises
    ------
    InputError : a coordinate missing or twice, a bound that uses a later coordinate, low > high
    """
    ranges = _ranges(limits, "region")
    if {r.symbol for r in ranges} != set(X):
        raise InputError(
            "a region needs limits for x, y and z, once each",
            where="region",
            got=", ".join(str(r.symbol) for r in ranges) or "none",
        )
    inside = tuple(
        (side)
        for r in ranges
        for side in (r.symbol - r.low, r.high - r.symbol)
        if side.is_finite is not False
    )
    return of_shape(Shape("region", 3, None, Chart(ranges, X, ONE), inside=inside))


def parametrised(
    place: Sequence[Number], limits: Sequence[Limit], measure: Number | None = None
) -> Domain:
    """The image x(u) of a box: one coordinate a line, two a surface, three a solid.

    Parameters
    ----------
    place : x(u), three expressions in the coordinates
    limits : (symbol, low, high) per coordinate, as in `region`
    measure : length, area or volume per du, as a shorter form of what is computed for None: the
        determinant of dx/du for a solid, else the root of Gram's

    Raises
    ------
    InputError : as `region`; a coordinate called like x, y, z; a determinant whose sign is not
        known or that is negative; a measure that is not that of the map

    Notes
    -----
    Where the determinant changes its sign in the box, the map folds. `symdyn.mass.distribution`
    refuses that with a place, and a solid that covers a place twice if it finds one.
    """
    ranges = _ranges(limits, "parametrised")
    if not 1 <= len(ranges) <= 3 or any(r.symbol in X for r in ranges):
        raise InputError(
            "a parametrisation has one to three coordinates other than x, y, z",
            where="parametrised",
            got=", ".join(str(r.symbol) for r in ranges) or "none",
        )
    x = exact_vector(place, "parametrised")
    computed = _measure(x, [r.symbol for r in ranges])
    density = computed if measure is None else exact(measure, "parametrised")
    if not decide_zero(density**2 - computed**2).holds:
        raise InputError(
            "the measure is not that of the map",
            where="parametrised",
            expected=str(computed),
            got=str(density),
            remedy="Leave it out, or put what it has beside into the density.",
        )
    _not_negative(density, ranges, is_given=measure is not None)
    name = ("line", "surface", "solid")[len(ranges) - 1]
    chart = Chart(ranges, x, density)
    return of_shape(Shape(f"parametrised {name}", len(ranges), None, chart))


def _ranges(limits: Sequence[Limit], where: str) -> tuple[Range, ...]:
    found: list[Range] = []
    symbols = [symbol for symbol, _, _ in limits]
    for k, (symbol, low, high) in enumerate(limits):
        ends = exact(low, where), exact(high, where)
        late = {s for end in ends for s in end.free_symbols} & set(symbols[k:])
        if late or symbols.index(symbol) != k:
            raise InputError(
                f"the limits of {symbol} use {', '.join(sorted(str(s) for s in late)) or 'it'}",
                where=where,
                expected="only coordinates that stand before it, each once",
            )
        if (ends[1] - ends[0]).is_negative:
            raise InputError(
                f"the limits of {symbol} are reversed", where=where, got=f"{ends[0]} > {ends[1]}"
            )
        found.append(Range(symbol, *ends))
    return tuple(found)


def _measure(x: Vector, symbols: Sequence[sympy.Symbol]) -> sympy.Expr:
    """Length, area or volume per du."""
    tangents: list[Vector] = [
        (sympy.diff(x[0], u), sympy.diff(x[1], u), sympy.diff(x[2], u)) for u in symbols
    ]
    if len(symbols) == 3:
        determinant = dot(tangents[0], cross(tangents[1], tangents[2]))
        return cast("sympy.Expr", sympy.trigsimp(sympy.expand(determinant)))
    gram = [[dot(a, b) for b in tangents] for a in tangents]
    square = gram[0][0]
    if len(symbols) == 2:
        square = gram[0][0] * gram[1][1] - gram[0][1] ** 2
    return sympy.sqrt(sympy.factor(sympy.trigsimp(sympy.expand(square))))


def _not_negative(measure: sympy.Expr, ranges: tuple[Range, ...], is_given: bool) -> None:
    """Refuse a measure that is negative in the middle of the box, or unknown there if computed."""
    middle: dict[sympy.Symbol, sympy.Expr] = {}
    for r in ranges:
        middle[r.symbol] = replace((r.low + r.high) / 2, middle)
    value = replace(measure, middle)
    if value.is_negative or (not is_given and not value.is_nonnegative):
        raise InputError(
            "the measure of a parametrisation is negative or of unknown sign",
            where="parametrised",
            expected="a measure >= 0",
            got=str(measure),
            remedy="Exchange two coordinates, declare symbols positive, or give the measure.",
        )
