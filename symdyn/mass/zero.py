"""Is a short expression identically zero? Decided exactly where that is possible, else by numbers.

Exact: functions of time and their derivatives are independent symbols, angles are split with the
addition theorems, and the numerator is reduced as a polynomial modulo sin^2 + cos^2 = 1; this
decides every rational function of parameters, sines and cosines. Numbers: an enclosure without zero
at a random rational point refutes, however small the value is; if every enclosure holds zero the
answer is "numerically". A smooth expression that is not zero is so at hardly any point; one with
kinks (max, abs, cases) may be zero over a whole range, so points of many sizes and both signs are
looked at.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import random
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import cast

import sympy
from sympy.core.function import AppliedUndef

from symdyn._errors import UnsupportedError
from symdyn.algebra.interval import IntervalAlgebra
from symdyn.algebra.term import lift
from symdyn.mass.coordinates import Number
from symdyn.mass.terms import terms_of

_POINTS, _POINTS_OF_KINKS = 4, 200
#: About 75 digits.
_NUMBERS = IntervalAlgebra(bits=250)
#: What may make an expression zero over a range only.
_KINKS = (sympy.Max, sympy.Min, sympy.Abs, sympy.sign, sympy.Heaviside, sympy.Piecewise)
_SIZES = tuple(Fraction(10) ** k for k in range(-2, 4))
#: Longest expression that is multiplied out.
_MOST_OPERATIONS = 4000
#: Denominators of the random points; primes, so that no angle is a special one.
_PRIMES = (1009, 1013, 1019, 1021, 1031)


class Zero(Enum):
    """The answer; `NUMERICALLY`: no proof was found, and no witness against it."""

    PROVED = "zero"
    NUMERICALLY = "zero at random points to 70 digits"
    REFUTED = "not zero"
    UNKNOWN = "not decided: no number can be put in"

    @property
    def holds(self) -> bool:
        """Whether the expression is taken as zero."""
        return self in (Zero.PROVED, Zero.NUMERICALLY)


def decide_zero(
    value: sympy.Expr, within: Mapping[sympy.Symbol, tuple[Number, Number]] | None = None
) -> Zero:
    """Whether an expression vanishes for all values of its symbols and functions of time.

    Parameters
    ----------
    within : ranges of symbols that are known to stay in one, such as the time
    """
    plain = freeze(value)
    if plain == 0:
        return Zero.PROVED
    is_refuted = _refuted(plain, within or {})
    if is_refuted:
        return Zero.REFUTED
    if plain.count_ops() <= _MOST_OPERATIONS and _vanishes(plain):
        return Zero.PROVED
    return Zero.UNKNOWN if is_refuted is None else Zero.NUMERICALLY


def freeze(value: sympy.Expr) -> sympy.Expr:
    """Functions of time and their derivatives, replaced by symbols with the same assumptions."""
    derivatives = sorted(value.atoms(sympy.Derivative), key=lambda d: -d.derivative_count)
    names: dict[sympy.Basic, sympy.Basic] = {
        d: sympy.Dummy(f"d{k}", real=True) for k, d in enumerate(derivatives)
    }
    plain = value.xreplace(names)
    functions = sorted(plain.atoms(AppliedUndef), key=sympy.default_sort_key)
    stand_ins: dict[sympy.Basic, sympy.Basic] = {
        f: sympy.Dummy(f"f{k}", real=True, positive=f.is_positive) for k, f in enumerate(functions)
    }
    return cast("sympy.Expr", plain.xreplace(stand_ins))


def _refuted(
    value: sympy.Expr, within: Mapping[sympy.Symbol, tuple[Number, Number]]
) -> bool | None:
    """Whether the value at some random rational point is certainly not zero; None if unknown."""
    # the slope of max and abs, whose value at the kink itself does not matter
    steps = {step: (1 + sympy.sign(step.args[0])) / 2 for step in value.atoms(sympy.Heaviside)}
    value = cast("sympy.Expr", value.xreplace(steps))
    symbols = cast("list[sympy.Symbol]", sorted(value.free_symbols, key=sympy.default_sort_key))
    names = {s: f"x{k}" for k, s in enumerate(symbols)}
    try:
        terms = terms_of([value], names)
    except UnsupportedError:
        return None
    rng = random.Random(len(symbols))
    with _NUMBERS.scope():
        for k in range(_POINTS_OF_KINKS if value.has(*_KINKS) else _POINTS):
            point = {
                name: _NUMBERS.const(_drawn(symbol, within.get(symbol), rng, is_first=k < _POINTS))
                for symbol, name in names.items()
            }
            found = lift(terms, _NUMBERS, point)[0]
            if found.is_bounded and (found.lo > 0 or found.hi < 0):
                return True
    return False


def _drawn(
    symbol: sympy.Symbol,
    within: tuple[Number, Number] | None,
    rng: random.Random,
    *,
    is_first: bool,
) -> Fraction:
    prime = rng.choice(_PRIMES)
    if within is not None:
        low, high = (Fraction(float(end)) for end in within)
        return low + (high - low) * Fraction(rng.randrange(1, prime), prime)
    share = Fraction(rng.randrange(300, 1700), prime)
    if is_first:
        return share
    drawn = share * rng.choice(_SIZES)
    if symbol.is_negative or (not symbol.is_nonnegative and rng.random() < 0.5):
        return -drawn
    return drawn


def _vanishes(value: sympy.Expr) -> bool:
    numerator = sympy.numer(sympy.together(sympy.expand_trig(value)))
    numerator = sympy.expand(numerator)
    if numerator == 0:
        return True
    generators: list[sympy.Expr] = []
    relations: list[sympy.Expr] = []
    for angle in sorted(
        {f.args[0] for f in numerator.atoms(sympy.sin, sympy.cos)}, key=sympy.default_sort_key
    ):
        sine, cosine = sympy.sin(angle), sympy.cos(angle)
        generators.extend((sine, cosine))
        relations.append(sine**2 + cosine**2 - 1)
    if not relations:
        return False
    try:
        _, rest = sympy.reduced(numerator, relations, *generators)
    except sympy.PolynomialError:
        return False
    return bool(sympy.expand(rest) == 0)
