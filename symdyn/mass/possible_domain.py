"""Whether a domain can be the set that it is meant to be: sizes, limits, maps, places counted once.

Signs of functions are decided as in `symdyn.mass.possible`; how often places are counted, in
`symdyn.mass.overlap`.
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
from symdyn.mass.overlap import Fault, look_at
from symdyn.mass.pieces import (
    Interval,
    is_known_domain,
    is_known_piece,
    is_negative,
    moments_in,
    moves,
    piece_nodes,
    sides_at,
    value_text,
)
from symdyn.mass.sampling import (
    Certainty,
    Unfolded,
    Values,
    certain,
    is_known,
    nodes,
    put,
    rational,
    shown,
    spelled,
    unfold,
    values_at,
)
from symdyn.mass.twice import second_way

#: What counts as negative, relative to the largest value: the rounding of doubles.
_ROUNDING = 1e-9


def check_domain(domain: Domain, where: str, values: Values, times: Interval) -> Certainty:
    """Refuse sizes that turn negative, limits and maps that turn over, places counted twice.

    Returns
    -------
    how certain it is that the domain is the set that it is meant to be

    Raises
    ------
    InputError : names what is wrong, and a place or a time where it is
    """
    found = Certainty.CERTAIN
    for piece in domain.pieces:
        name = piece.shape.name
        lengths = [*piece.shape.sizes, *(("factor", s) for s in piece.stretches)]
        if piece.shape.dimension == 0:
            lengths = [("mass", piece.factor)]
        for word, length in lengths:
            text = f"the {word} of {name} is negative"
            found = max(found, certain(_check_length(put(length, values), text, where, times)))
        if not piece.shape.sizes:
            found = max(found, certain(_check_chart(piece, where, values, times)))
    if domain.dimension == 0 or (len(domain.pieces) == 1 and domain.pieces[0].shape.chart):
        return found
    if not is_known_domain(domain, values):
        return max(found, _count_by_assumptions(domain, where, values))
    is_moving = moves(domain, values)
    for t in moments_in(times) if is_moving else [ZERO]:
        fault = look_at(domain, values, t)
        if isinstance(fault, Fault):
            _refuse_count(fault, where, t if is_moving else None)
        else:
            found = max(found, fault, certain(not is_moving))
    return found


def _check_length(length: sympy.Expr, text: str, where: str, times: Interval) -> bool:
    """A function of time that must not be negative."""
    if not length.has(TIME):
        if length.is_negative:
            raise InputError(text, where=where, expected="a positive number", got=str(length))
        return length.is_nonnegative is True
    if not is_known(length, letters=(TIME,)):
        return length.is_nonnegative is True
    u = unfold(None, {}, times)
    return _check_above(u, u.on(length), text, where, {TIME: u.on(TIME)})


def _check_above(
    u: Unfolded,
    value: sympy.Expr,
    text: str,
    where: str,
    at: dict[sympy.Symbol, sympy.Expr],
) -> bool:
    """A function of the letters that must not be negative; whether that is certain."""
    if value.is_polynomial(*u.letters):
        value = sympy.factor(value)  # intervals see zeros at the rim of a product
    exact, numbers = nodes(u.letters)
    found = values_at([value], dict(zip(u.letters, numbers, strict=True)))[0]
    scale = float(np.max(np.abs(found[np.isfinite(found)]), initial=1e-300))
    wrong = np.flatnonzero(found < -_ROUNDING * scale)
    node: tuple[sympy.Expr, ...] = ()
    is_certain = False
    if len(wrong):
        k = int(wrong[0])
        node = exact[k] if k < len(exact) else tuple(rational(float(c)) for c in numbers[:, k])
    elif u.is_whole:
        decision = decide_at_least(value, -Fraction(scale * _ROUNDING), u.letters)
        is_certain = decision.holds is True
        if decision.holds is False:
            node = tuple(sympy.Rational(c.numerator, c.denominator) for c in decision.point)
    if node:
        letters = dict(zip(u.letters, node, strict=True))
        place = {s: replace(e, letters) for s, e in at.items()}
        got = f"{value_text(replace(value, letters))} at {spelled(place)}"
        raise InputError(text, where=where, expected=">= 0", got=got)
    return is_certain


def _check_chart(piece: Piece, where: str, values: Values, times: Interval) -> bool:
    """Limits in order, and a map that does not turn over, everywhere in the box."""
    chart = piece.shape.chart
    if chart is None:
        return True
    letters = [r.symbol for r in chart.ranges]
    if not is_known_piece(piece, values):
        return False
    is_certain = True
    used = chart.measure.has(TIME) or any(
        e.has(TIME) for r in chart.ranges for e in (r.low, r.high)
    )
    u = unfold(chart, values, times if used else times[0])
    for k, r in enumerate(chart.ranges):
        width = put(r.high - r.low, values)
        if width.is_infinite or width.is_nonnegative:
            continue
        before = [s for s in (*letters[:k], TIME) if width.has(s)]
        text = f"the limits of {r.symbol} are reversed on a part of the {piece.shape.name}"
        at = {s: u.on(s) for s in before}
        is_certain &= _check_above(u, u.on(width), text, where, at)
    measure = put(chart.measure, values)
    if not measure.is_nonnegative:
        text = f"the map of a {piece.shape.name} turns over on a part of its box"
        at = {s: u.on(s) for s in (*letters, TIME) if measure.has(s)}
        is_certain &= _check_above(u, u.on(measure), text, where, at)
    if len(letters) == 3 and not set(letters) & set(X):
        _check_one_way(piece, where, values, times)
        is_certain = False
    return is_certain


def _check_one_way(piece: Piece, where: str, values: Values, times: Interval) -> None:
    """Refuse the map of a solid that covers a place twice."""
    chart = piece.shape.chart
    assert chart is not None
    for t in (times[0], times[1]) if any(e.has(TIME) for e in chart.place) else (times[0],):
        place = second_way(chart, values, t)
        if place is not None:
            raise InputError(
                "a map covers a place twice",
                where=where,
                expected="one place of the box for every place of the solid",
                got=f"the place ({', '.join(f'{c:.6g}' for c in place)}), reached two ways",
            )


def _refuse_count(fault: Fault, where: str, t: sympy.Expr | None) -> None:
    spot = ", ".join(f"{c:.6g}" for c in fault.place)
    got = f"the place ({spot}) is in " + " and ".join(
        ("hole " if p.sign < 0 else "") + p.shape.name for p in fault.around
    )
    if t is not None:
        got += f", at t = {shown(t)}"
    holes = [p for p in fault.around if p.sign < 0]
    if fault.count > 1 and len(fault.around) == 1:
        what, expected = "a mesh cuts through itself", "a place inside of it once"
        remedy = "Unite its shells in the program that made it."
    elif fault.count > 1:
        what, expected = "pieces that are added overlap", "every place in one of them at most"
        remedy = "Give them as parts of their own if both materials are there, or as one region."
    elif len(holes) == len(fault.around):
        what = "a hole reaches out of its solid"
        expected, remedy = "holes inside of what they are taken from", ""
    else:
        what, expected = "holes overlap", "every place taken away once"
        remedy = "Make one hole of them, or shorten one to where the other begins."
    raise InputError(what, where=where, expected=expected, got=got, remedy=remedy)


def _count_by_assumptions(domain: Domain, where: str, values: Values) -> Certainty:
    """Signs at exact nodes of every piece, where assumptions tell inside from outside."""
    if any(not piece.shape.inside for piece in domain.pieces):
        return Certainty.NOT_EXAMINED
    for own in domain.pieces:
        for place in piece_nodes(own, values):
            around = [own]
            for other in domain.pieces:
                if other is own:
                    continue
                sides = sides_at(other, place, values)
                if all(s.is_positive for s in sides):
                    around.append(other)
                elif not any(is_negative(s) for s in sides):
                    break
            else:
                count = sum(p.sign for p in around)
                if count not in (0, 1):
                    _refuse_exact_count(around, count, place, where)
    return Certainty.SAMPLED


def _refuse_exact_count(around: Sequence[Piece], count: int, place: Vector, where: str) -> None:
    what = "holes overlap"
    if count > 1:
        what = "pieces that are added overlap"
    elif all(p.sign < 0 for p in around):
        what = "a hole reaches out of its solid"
    names = " and ".join(("hole " if p.sign < 0 else "") + p.shape.name for p in around)
    raise InputError(
        what,
        where=where,
        expected="every place counted once or not at all",
        got=f"the place ({', '.join(str(c) for c in place)}) is in {names}",
    )
