"""Integrals of functions of one coordinate: by formula, by substitution, or by SymPy where it ends.

Formulas: polynomials; sin^a cos^b over quarter turns; u^n (A + B u^2)^(k/2) by its reduction
formula; u^n (A + B u)^q; u^n times a bell curve. Substitution: sin(u) F(cos(u)) and
cos(u) F(sin(u)). Everything else is given to SymPy only if it is of a kind of which every integral
ends soon; a search without end is no answer. What no rule covers is an error that says what may be
written.

Source: Gradshteyn & Ryzhik 2.110, 2.260 (reduction formulas).
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from typing import cast

import sympy

from symdyn._errors import UnsupportedError
from symdyn.mass.coordinates import ONE, ZERO, replace
from symdyn.mass.monomials import quarter_wave
from symdyn.mass.shape import Range

_WAVES = (sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh)
_SINGLE = (sympy.log, sympy.atan, sympy.asin, sympy.acos, sympy.tanh)
_KINKS = (sympy.Abs, sympy.sign, sympy.Max, sympy.Min, sympy.Piecewise, sympy.Heaviside)
#: Highest power of a coordinate beside a root that the reduction formula goes down from.
_MOST = 60


def along(field: sympy.Expr, r: Range) -> sympy.Expr:
    """The integral over one coordinate of a function of that coordinate alone.

    Raises
    ------
    UnsupportedError : it is of no kind whose integrals end
    """
    found = _power_or_wave(field, r)
    if found is None:
        found = _beside_root(field, r)
    if found is None:
        found = _beside_bell(field, r)
    if found is None:
        found = _by_substitution(field, r)
    if found is not None:
        return found
    _require_kind(field, r.symbol)
    limits = (r.symbol, r.low, r.high)
    found = cast("sympy.Expr", sympy.integrate(field, limits))
    if found.has(sympy.I):
        # Meijer's functions give real integrals of roots as differences of complex ones
        found = cast("sympy.Expr", sympy.integrate(field, limits, meijerg=False))
    return found


# -- formulas --------------------------------------------------------------------------------------


def _power_or_wave(field: sympy.Expr, r: Range) -> sympy.Expr | None:
    """c u^n over any interval, or sin^a u cos^b u over whole quarter turns; else None."""
    u = r.symbol
    constant, varying = field.as_independent(u, as_Add=False)
    if varying.is_polynomial(u) and _is_finite(r):
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


def _is_finite(r: Range) -> bool:
    return r.low.is_finite is not False and r.high.is_finite is not False


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


def _beside_root(field: sympy.Expr, r: Range) -> sympy.Expr | None:
    """Polynomial times a power of A + B u, or an odd half power of A + B u^2, A > 0; else None."""
    u = r.symbol
    factors = [f for f in sympy.Mul.make_args(field) if f.has(u)]
    roots = [f for f in factors if isinstance(f, sympy.Pow) and f.exp.is_Rational]
    roots = [f for f in roots if not f.exp.is_integer]
    if len(roots) != 1 or not _is_finite(r):
        return None
    root = roots[0]
    rest = sympy.expand(field / root)
    base, exponent = root.base, cast("sympy.Rational", root.exp)
    if not rest.is_polynomial(u) or not base.is_polynomial(u):
        return None
    powers = sympy.Poly(rest, u)
    slope = sympy.diff(base, u)
    A, B1 = (replace(e, {u: ZERO}) for e in (base, slope))
    B2 = sympy.diff(slope, u) / 2
    degree = sympy.Poly(base, u).degree()
    if degree == 1 and A != 0:
        return _beside_linear_root(rest, base, B1, exponent, r)
    if degree != 2 or B1 != 0 or exponent.q != 2 or exponent.p < -1 or powers.degree() > _MOST:
        return None
    if not A.is_positive or not (B2.is_positive or B2.is_negative):
        return None
    ends = [_reduced(powers, A, B2, int(exponent.p), end) for end in (r.low, r.high)]
    return ends[1] - ends[0]


def _beside_linear_root(
    rest: sympy.Expr, base: sympy.Expr, slope: sympy.Expr, exponent: sympy.Rational, r: Range
) -> sympy.Expr:
    """With w = A + B u: sums of w^(j + q), no exponent of which is -1."""
    u, w = r.symbol, sympy.Dummy("w", nonnegative=True)
    shift = replace(base, {u: ZERO})
    terms = sympy.Poly(sympy.expand(replace(rest, {u: (w - shift) / slope})), w).terms()
    ends = [replace(base, {u: end}) for end in (r.low, r.high)]
    parts = [
        c * (ends[1] ** (j + exponent + 1) - ends[0] ** (j + exponent + 1)) / (j + exponent + 1)
        for (j,), c in terms
    ]
    return sympy.Add(*parts) / slope


def _reduced(powers: sympy.Poly, A: sympy.Expr, B: sympy.Expr, k: int, u: sympy.Expr) -> sympy.Expr:
    """The antiderivative at u of a polynomial times W^(k/2), W = A + B u^2, k odd and >= -1.

    I(n, k) = [u^(n-1) W^(k/2+1) - (n - 1) A I(n-2, k)] / ((n + k + 1) B)
    I(0, k) = [u W^(k/2) + k A I(0, k-2)] / (k + 1)
    """
    W = A + B * u**2
    if B.is_negative:
        low = sympy.asin(u * sympy.sqrt(-B / A)) / sympy.sqrt(-B)
    else:
        low = sympy.log(u * sympy.sqrt(B / A) + sympy.sqrt(W / A)) / sympy.sqrt(B)
    for j in range(1, k + 1, 2):
        low = (u * W ** sympy.Rational(j, 2) + j * A * low) / (j + 1)
    above = W ** sympy.Rational(k + 2, 2)
    known = [low, above / ((k + 2) * B)]
    for n in range(2, int(powers.degree()) + 1):
        known.append((u ** (n - 1) * above - (n - 1) * A * known[n - 2]) / ((n + k + 1) * B))
    return sympy.Add(*(c * known[n] for (n,), c in powers.terms()))


def _beside_bell(field: sympy.Expr, r: Range) -> sympy.Expr | None:
    """Polynomial times exp(c + b u - a u^2), a > 0, over any interval; else None.

    With v = u - b/(2 a): J(n) = [-v^(n-1) exp(-a v^2) + (n - 1) J(n-2)] / (2 a), J(0) by erf.
    """
    u = r.symbol
    bells = [f for f in sympy.Mul.make_args(field) if isinstance(f, sympy.exp) and f.has(u)]
    if len(bells) != 1:
        return None
    rest, argument = sympy.expand(field / bells[0]), cast("sympy.Expr", bells[0].args[0])
    if not rest.is_polynomial(u) or _degree(argument, u) != 2 or argument.has(*_KINKS):
        return None
    slope = sympy.diff(argument, u)
    a, b, c = -sympy.diff(slope, u) / 2, replace(slope, {u: ZERO}), replace(argument, {u: ZERO})
    if not a.is_positive:
        return None
    v = sympy.Dummy("v", real=True)
    middle = b / (2 * a)
    powers = sympy.Poly(sympy.expand(replace(rest, {u: v + middle})), v)
    low, high = (_bell_moments(powers, a, end - middle) for end in (r.low, r.high))
    return sympy.exp(c + b * middle / 2) * (high - low)


def _bell_moments(powers: sympy.Poly, a: sympy.Expr, v: sympy.Expr) -> sympy.Expr:
    known = [sympy.sqrt(sympy.pi / a) / 2 * sympy.erf(sympy.sqrt(a) * v)]
    is_far = v.is_infinite
    bell = ZERO if is_far else sympy.exp(-a * v**2)
    known.append(-bell / (2 * a))
    for n in range(2, int(powers.degree()) + 1):
        edge = ZERO if is_far else v ** (n - 1) * bell
        known.append(((n - 1) * known[n - 2] - edge) / (2 * a))
    return sympy.Add(*(c * known[n] for (n,), c in powers.terms()))


# -- substitution ----------------------------------------------------------------------------------


def _by_substitution(field: sympy.Expr, r: Range) -> sympy.Expr | None:
    """sin(u)^odd F(cos(u)) with w = cos(u), and the like with both exchanged; else None."""
    u = r.symbol
    if not _is_nested(field, u):
        return None
    w = sympy.Dummy("w", real=True)
    for slope, inner, sign in ((sympy.sin(u), sympy.cos(u), -1), (sympy.cos(u), sympy.sin(u), 1)):
        power, rest = 0, ONE
        for factor in sympy.Mul.make_args(field):
            base, exponent = factor.as_base_exp()
            if base == slope and exponent.is_Integer:
                power += int(exponent)
            else:
                rest = rest * factor
        image = rest.subs(inner, w)
        if power < 1 or power % 2 == 0 or image.has(u):
            continue
        ends = [inner.subs(u, end) for end in (r.low, r.high)]
        whole = sign * image * (1 - w**2) ** ((power - 1) // 2)
        terms = sympy.Add.make_args(sympy.expand(whole))
        return sympy.Add(*(along(term, Range(w, ends[0], ends[1])) for term in terms))
    return None


def _is_nested(field: sympy.Expr, u: sympy.Symbol) -> bool:
    """Whether some function or root has a sine or cosine of u in its argument."""
    outer = [*field.atoms(sympy.Function), *(p for p in field.atoms(sympy.Pow) if not _is_whole(p))]
    return any(arg.has(sympy.sin(u), sympy.cos(u)) for f in outer for arg in f.args)


def _is_whole(power: sympy.Pow) -> bool:
    return bool(power.exp.is_Integer and power.exp.is_positive)


# -- what SymPy is asked ---------------------------------------------------------------------------


def _require_kind(field: sympy.Expr, u: sympy.Symbol) -> None:
    """Polynomials beside exponentials and waves, or beside one other function, kinks everywhere."""
    functions = [f for f in field.atoms(sympy.Function) if f.has(u)]
    roots = [p for p in field.atoms(sympy.Pow) if p.has(u) and not _is_whole(p)]
    smooth = [f for f in functions if not isinstance(f, _KINKS)]
    is_flat = not any(_has_function(arg, u) for f in (*smooth, *roots) for arg in f.args)
    waves = [f for f in smooth if isinstance(f, _WAVES)]
    others = [f for f in smooth if not isinstance(f, _WAVES)]
    bells = [f for f in waves if not _is_linear(f.args[0], u)]
    is_known = all(isinstance(f, _SINGLE) for f in others) and all(
        isinstance(f, sympy.exp) and _degree(f.args[0], u) == 2 for f in bells
    )
    is_known = is_known and all(_degree(p.base, u) in (1, 2) or p.exp.is_integer for p in roots)
    if len(bells) + len(others) + len(roots) > 1:
        is_known = False
    if waves and len(waves) != len(bells) and (bells or others or roots):
        is_known = False
    if not (is_flat and is_known):
        raise UnsupportedError(
            f"no closed form is looked for the integral of {field}. Per coordinate of the shape "
            "there may be a polynomial beside exponentials, sines and cosines of linear arguments, "
            "or beside one root, logarithm, quotient or bell curve; |.|, sign, Max, Min and "
            "Piecewise anywhere."
        )


def _has_function(value: sympy.Basic, u: sympy.Symbol) -> bool:
    inner = [f for f in value.atoms(sympy.Function) if f.has(u) and not isinstance(f, _KINKS)]
    return bool(inner) or any(not _is_whole(p) for p in value.atoms(sympy.Pow) if p.has(u))


def _is_linear(value: sympy.Basic, u: sympy.Symbol) -> bool:
    return _degree(value, u) <= 1


def _degree(value: sympy.Basic, u: sympy.Symbol) -> int:
    """Of a polynomial in u, kinks of it counting as it; 99 of what is none."""
    expression = cast("sympy.Expr", value)
    kinks = cast("dict[sympy.Symbol, sympy.Expr]", {k: u for k in expression.atoms(*_KINKS)})
    expression = replace(expression, kinks)
    return int(sympy.Poly(expression, u).degree()) if expression.is_polynomial(u) else 99
