"""Whether fields can be what they claim: densities, moving fractions, velocities.

Three means, in this order. Exact nodes, corners and ends of the interval of time among them: a
value that still has symbols is judged by their assumptions. Thousands of irregular nodes in
doubles. Intervals, which decide the sign for certain or leave it open. What is found is a witness:
the place, the time, the value.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import sympy

from symdyn._errors import InputError
from symdyn.mass.certain import decide_at_least
from symdyn.mass.coordinates import TIME, ZERO, Vector, X, replace
from symdyn.mass.domain import Domain, Piece
from symdyn.mass.integrate import field_on_chart, to_piece
from symdyn.mass.pieces import (
    Interval,
    image_of,
    is_known_domain,
    is_negative,
    moments_in,
    open_nodes,
    points_of,
    sides_at,
    value_text,
)
from symdyn.mass.sampling import (
    Certainty,
    Values,
    certain,
    is_known,
    nodes,
    place_on,
    put,
    rational,
    spelled,
    unfold,
    values_at,
)
from symdyn.mass.zero import freeze

#: What counts as below a bound, relative to the largest value: the rounding of doubles.
_ROUNDING = 1e-9


def check_field(
    domain: Domain,
    field: sympy.Expr,
    where: str,
    low: sympy.Expr | None,
    high: sympy.Expr | None,
    values: Values,
    times: Interval,
) -> Certainty:
    """Refuse a field that is below ``low``, above ``high`` or no real number somewhere.

    Returns
    -------
    how certain it is that it is not

    Raises
    ------
    InputError : names bound, place, time and value
    """
    field = put(field, values)
    if not field.has(TIME, *X):
        _check_exact(field, where, low, high, {})
        return certain(_is_between(field, low, high))
    if not is_known(field, letters=(TIME, *X)) or not is_known_domain(domain, values):
        if low is not None or high is not None:
            _check_by_assumptions(domain, freeze(field), where, low, high, values, times)
        return Certainty.SAMPLED
    pieces = [p for p in domain.pieces if p.sign > 0] if field.has(*X) else domain.pieces[:1]
    holes = [p for p in domain.pieces if p.sign < 0] if field.has(*X) else []
    return max(_check_on(p, holes, field, where, low, high, values, times) for p in pieces)


def _check_on(
    piece: Piece,
    holes: Sequence[Piece],
    field: sympy.Expr,
    where: str,
    low: sympy.Expr | None,
    high: sympy.Expr | None,
    values: Values,
    times: Interval,
) -> Certainty:
    """The same on one piece, in fractions of its chart and of the interval of time."""
    chart = piece.shape.chart if field.has(*X) else None
    if chart is None and field.has(*X):
        return _check_at_points(piece, field, where, low, high, values, times)
    u = unfold(chart, values, times)
    place = (ZERO, ZERO, ZERO)
    local = field
    if chart is not None:
        local = put(field_on_chart(chart, to_piece(piece, field)), values)
        place = image_of(piece, place_on(chart, values, u), values)
    local = u.on(local)
    spot = [u.on(e) for e in (*place, TIME)]
    sides = [[u.on(s) for s in sides_at(h, place, values)] for h in holes if h.shape.inside]
    exact, numbers = nodes(u.letters)
    at = dict(zip(u.letters, numbers, strict=True))
    found = values_at([local, *(s for group in sides for s in group)], at)
    found, rest = found[0], found[1:]
    is_out = np.ones(len(found), dtype=bool)
    for group in sides:
        inside, rest = rest[: len(group)], rest[len(group) :]
        scale = np.max(np.abs(inside), axis=1, keepdims=True)
        is_out &= ~np.all(inside > _ROUNDING * scale, axis=0)
    scale = float(np.max(np.abs(found[np.isfinite(found)]), initial=1e-300))
    wrong = np.zeros(len(found), dtype=bool)
    wrong[len(exact) :] = np.isnan(found[len(exact) :])
    if low is not None:
        wrong |= found < float(low) - _ROUNDING * scale
    if high is not None:
        wrong |= found > float(high) + _ROUNDING * scale
    bad = np.flatnonzero(wrong & is_out)
    if len(bad):
        k = int(bad[0])
        node = exact[k] if k < len(exact) else tuple(rational(float(c)) for c in numbers[:, k])
        _refuse(where, low, high, local, spot, dict(zip(u.letters, node, strict=True)), field)
    if not u.is_whole:
        return Certainty.SAMPLED
    slack = Fraction(scale * _ROUNDING)
    is_certain = True
    bounds = [(local, low, 1)] if low is not None else []
    bounds += [(-local, high, -1)] if high is not None else []
    for value, bound, sign in bounds:
        level = sign * Fraction(float(bound)) - slack
        decision = decide_at_least(value, level, u.letters, sides)
        if decision.holds is False:
            node = tuple(sympy.Rational(c.numerator, c.denominator) for c in decision.point)
            _refuse(where, low, high, local, spot, dict(zip(u.letters, node, strict=True)), field)
        is_certain = is_certain and decision.holds is True
    return certain(is_certain)


def _check_at_points(
    piece: Piece,
    field: sympy.Expr,
    where: str,
    low: sympy.Expr | None,
    high: sympy.Expr | None,
    values: Values,
    times: Interval,
) -> Certainty:
    """A shape without a chart: at its points and at exact times. Certain for points at rest."""
    places = points_of(piece)
    if places is None:
        return Certainty.NOT_EXAMINED
    letters = dict(zip(X, places.T, strict=True))
    moments = moments_in(times) if field.has(TIME) else [ZERO]
    local = put(to_piece(piece, field), values)
    for t in moments:
        found = values_at([replace(local, {TIME: t})], letters)[0]
        scale = float(np.max(np.abs(found), initial=1e-300))
        wrong = np.isnan(found)
        if low is not None:
            wrong |= found < float(low) - _ROUNDING * scale
        if high is not None:
            wrong |= found > float(high) + _ROUNDING * scale
        if np.any(wrong):
            a, b, c = (rational(float(e)) for e in places[int(np.argmax(wrong))])
            spot = [*image_of(piece, (a, b, c), values), t]
            at = dict(zip(X, (a, b, c), strict=True)) | {TIME: t}
            _refuse(where, low, high, local, spot, at, field)
    return certain(piece.shape.dimension == 0 and not field.has(TIME))


def _refuse(
    where: str,
    low: sympy.Expr | None,
    high: sympy.Expr | None,
    local: sympy.Expr,
    spot: Sequence[sympy.Expr],
    letters: dict[sympy.Symbol, sympy.Expr],
    field: sympy.Expr,
) -> None:
    """With the value and the place exactly."""
    place = dict(zip((*X, TIME), (replace(e, letters) for e in spot), strict=True))
    used = {s: v for s, v in place.items() if field.has(s)}
    _complain(where, low, high, replace(local, letters), used)


def _complain(
    where: str,
    low: sympy.Expr | None,
    high: sympy.Expr | None,
    value: sympy.Expr,
    at: dict[sympy.Symbol, sympy.Expr],
) -> None:
    expected, what = "a real number", "a field is no real number"
    if value.is_real is not False:
        what = "a density is negative" if high is None else "a moving fraction is no fraction"
        expected = f">= {low}" if high is None else f"between {low} and {high}"
    raise InputError(
        what, where=where, expected=expected,
        got=value_text(value) + (f" at {spelled(at)}" if at else ""),
    )  # fmt: skip


def _check_exact(
    value: sympy.Expr,
    where: str,
    low: sympy.Expr | None,
    high: sympy.Expr | None,
    at: dict[sympy.Symbol, sympy.Expr],
) -> None:
    is_low = low is not None and is_negative(value - low)
    is_high = high is not None and is_negative(high - value)
    if is_low or is_high or (value.is_number and value.is_real is False):
        _complain(where, low, high, value, at)


def _is_between(value: sympy.Expr, low: sympy.Expr | None, high: sympy.Expr | None) -> bool:
    return bool(
        (low is None or (value - low).is_nonnegative)
        and (high is None or (high - value).is_nonnegative)
        and value.is_real
    )


def _check_by_assumptions(
    domain: Domain,
    field: sympy.Expr,
    where: str,
    low: sympy.Expr | None,
    high: sympy.Expr | None,
    values: Values,
    times: Interval,
) -> None:
    """At exact nodes, by what is assumed of symbols without a value."""
    places: list[Vector | None] = list(open_nodes(domain, values)) if field.has(*X) else [None]
    for t in moments_in(times) if field.has(TIME) else [ZERO]:
        for place in places:
            at: dict[sympy.Symbol, sympy.Expr] = {TIME: t}
            if place is not None:
                at.update(zip(X, place, strict=True))
            used = {s: v for s, v in at.items() if field.has(s)}
            _check_exact(replace(field, at), where, low, high, used)
