"""Times at which f(Phi(t)) is exactly singular, found and proved in exact arithmetic.

At a zero of det f(Phi(t)) an eigenvalue of f is zero, so that no lower bound above zero holds.
Numbers in intervals never tell a zero from what is merely small; here the zeros of polynomials are
counted by Sturm's theorem. Two families become polynomials: rational functions of t, and rational
functions of sines and cosines of multiples of one angle, by u = tan(angle / 2). Of other functions
the ends of the interval and simple numbers near a suspected time are put in.
Source: Basu, Pollack and Roy 2006, section 2.2.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import sympy
from sympy.polys.polyerrors import BasePolynomialError

from symdyn.algebra.sympy_ import SYMPY
from symdyn.mass.coordinates import TIME, rate
from symdyn.mass.pseudo_inertia import pseudo_inertia
from symdyn.mass.zero import Zero, decide_zero
from symdyn.spatial.inertia import as_phi

_U = sympy.Dummy("u", real=True)
_SINE, _COSINE = sympy.Dummy("s"), sympy.Dummy("c")
#: Most terms of an entry of f whose determinant is multiplied out.
_MOST_TERMS = 12
#: Largest denominators of the simple numbers that are tried.
_DENOMINATORS = (1, 4, 12, 60, 1000)
#: Digits of the places at which a candidate is held against the ends of the interval.
_DIGITS = 40


@dataclass(frozen=True, slots=True)
class SingularTime:
    """A time at which f is singular.

    Attributes
    ----------
    text : exact, or what it is a zero of
    near : to double precision [s]
    """

    text: str
    near: float


def singular_time(
    phi: Sequence[sympy.Expr], start: sympy.Expr, end: sympy.Expr, near: Fraction
) -> SingularTime | None:
    """A time in [start, end] at which det f(Phi) = 0, proved; None if none was found.

    Parameters
    ----------
    phi : [10] expressions in t alone
    start, end : real numbers
    near : where the smallest eigenvalue was seen to be small [s]
    """
    f = sympy.Matrix(pseudo_inertia(SYMPY, as_phi(list(phi))))
    det = _determinant(f)
    if det is not None and decide_zero(det) is Zero.PROVED:
        return SingularTime("every time: f is singular for all t", float(start.evalf()))
    for candidate in (start, end):
        if _is_singular(f, candidate):
            return SingularTime(str(candidate), float(candidate.evalf()))
    if det is not None:
        for find in (_of_polynomial, _of_waves):
            found = find(det, start, end)
            if found is not None:
                return found
    for candidate in _simple_numbers(near):
        if _is_inside(candidate, start, end) and _is_singular(f, candidate):
            return SingularTime(str(candidate), float(candidate.evalf()))
    return None


def _determinant(f: sympy.Matrix) -> sympy.Expr | None:
    """det f multiplied out, unless that takes too many terms."""
    entries = [sympy.expand(entry) for entry in f]
    if max(len(sympy.Add.make_args(entry)) for entry in entries) > _MOST_TERMS:
        return None
    return cast("sympy.Expr", sympy.expand(f.det(method="berkowitz")))


def _of_polynomial(det: sympy.Expr, start: sympy.Expr, end: sympy.Expr) -> SingularTime | None:
    """A zero of a rational function of t."""
    for factor in _factors(det, TIME):
        for root in cast("list[sympy.Expr]", factor.real_roots()):
            if _is_inside(root, start, end):
                return SingularTime(_root_text(root, factor, TIME.name), float(root.evalf()))
    return None


def _of_waves(det: sympy.Expr, start: sympy.Expr, end: sympy.Expr) -> SingularTime | None:
    """A zero of a rational function of sines and cosines of multiples of one angle g t."""
    rewritten = _in_half_tangent(det)
    if rewritten is None:
        return None
    in_u, base = rewritten
    places: list[tuple[sympy.Expr, str]] = []
    for factor in _factors(in_u, _U):
        for root in cast("list[sympy.Expr]", factor.real_roots()):
            text = _root_text(root, factor, "tan(g t/2)") + f", g = {base}"
            places.append((2 * sympy.atan(root) / base, text))
    # the one angle that no tangent reaches
    if decide_zero(cast("sympy.Expr", sympy.limit(in_u, _U, sympy.oo))) is Zero.PROVED:
        places.append((sympy.pi / base, str(sympy.pi / base)))
    turn = 2 * sympy.pi / base
    for place, text in places:
        laps = sympy.ceiling(((start - place) / turn).evalf(_DIGITS))
        for k in (laps - 1, laps, laps + 1):
            if _is_inside(place + k * turn, start, end):
                return SingularTime(text, float((place + k * turn).evalf()))
    return None


def _in_half_tangent(det: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr] | None:
    """The determinant in u = tan(g t/2), and g; None if t enters in another way."""
    waves = sorted(det.atoms(sympy.sin, sympy.cos), key=sympy.default_sort_key)
    rates = [rate(cast("sympy.Expr", wave.args[0])) for wave in waves]
    if not waves or any(
        r == 0 or sympy.expand(wave.args[0] - r * TIME) != 0
        for r, wave in zip(rates, waves, strict=True)
    ):
        return None
    ratios = [sympy.cancel(r / rates[0]) for r in rates]
    if not all(r.is_Rational for r in ratios):
        return None
    base = sympy.Abs(rates[0]) / sympy.ilcm(1, *(r.q for r in ratios))
    angle = sympy.Dummy("angle", real=True)
    half = {
        _SINE: 2 * _U / (1 + _U**2),
        _COSINE: (1 - _U**2) / (1 + _U**2),
    }
    letters = {sympy.sin(angle): _SINE, sympy.cos(angle): _COSINE}
    replaced: dict[sympy.Basic, sympy.Basic] = {}
    for wave, r in zip(waves, rates, strict=True):
        multiple = sympy.cancel(r / base)
        plain = sympy.expand_trig(wave.func(multiple * angle))
        replaced[wave] = plain.xreplace(letters).xreplace(half)
    in_u = cast("sympy.Expr", sympy.cancel(sympy.together(det.xreplace(replaced))))
    return None if in_u.has(TIME) else (in_u, base)


def _factors(value: sympy.Expr, variable: sympy.Symbol) -> Iterator[sympy.Poly]:
    """Factors of the numerator with rational coefficients in one variable alone.

    pi may be a letter of the numerator; factors of pi alone are not zero, and those of both are
    left out, as their zeros are not rational business.
    """
    try:
        numerator = sympy.numer(sympy.cancel(sympy.together(value)))
        letter = sympy.Dummy("pi")
        plain = numerator.xreplace({sympy.pi: letter})
        if not plain.free_symbols <= {variable, letter}:
            return
        found = cast("tuple[object, list[tuple[sympy.Expr, int]]]", sympy.factor_list(plain))
        for factor, _ in found[1]:
            if factor.free_symbols == {variable}:
                yield sympy.Poly(factor, variable, domain=sympy.QQ)
    except BasePolynomialError:
        return


def _root_text(root: sympy.Expr, factor: sympy.Poly, letter: str) -> str:
    if root.is_Rational:
        return str(root) if letter == TIME.name else f"{letter} = {root}"
    shown = str(factor.as_expr().subs(factor.gen, sympy.Symbol("x")))
    return f"{letter} = {root.evalf(17)}, a zero x of {shown}"


def _simple_numbers(near: Fraction) -> Iterator[sympy.Expr]:
    for unit in (sympy.Integer(1), sympy.pi):
        size = Fraction(str(unit.evalf(_DIGITS)))
        for most in _DENOMINATORS:
            simple = (near / size).limit_denominator(most)
            yield sympy.Rational(simple.numerator, simple.denominator) * unit


def _is_singular(f: sympy.Matrix, at: sympy.Expr) -> bool:
    numbers = f.subs(TIME, at)
    value = cast("sympy.Expr", numbers.det(method="berkowitz"))
    return all(e.is_finite for e in numbers) and decide_zero(value) is Zero.PROVED


def _is_inside(place: sympy.Expr, start: sympy.Expr, end: sympy.Expr) -> bool:
    """Whether start <= place <= end beyond doubt."""
    return all(bool(_sign(difference) >= 0) for difference in (place - start, end - place))


def _sign(value: sympy.Expr) -> int:
    """1 or -1 if the digits say so, 0 only for an exact zero, -1 if neither is certain."""
    digits = value.evalf(_DIGITS)
    if abs(digits) > sympy.Rational(1, 10**30):
        return 1 if digits > 0 else -1
    return 0 if decide_zero(value) is Zero.PROVED else -1
