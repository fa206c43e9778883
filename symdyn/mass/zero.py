"""Is a short expression identically zero? Decided exactly where that is possible, else by numbers.

Exact: functions of time and their derivatives are independent symbols, angles are split with the
addition theorems, and the numerator is reduced as a polynomial modulo sin^2 + cos^2 = 1; this
decides every rational function of parameters, sines and cosines. Numbers: a value that is not zero
at a random rational point refutes; if all are zero to 40 digits the answer is "numerically".
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import random
from enum import Enum
from fractions import Fraction
from typing import cast

import sympy
from sympy.core.function import AppliedUndef

from symdyn._errors import UnsupportedError
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.term import lift
from symdyn.mass.terms import terms_of

_POINTS = 4
_MP = MpAlgebra(60)
#: What counts as zero among numbers of order one and 60 digits.
_TINY = _MP.const(Fraction(1, 10**40))
#: Longest expression that is multiplied out.
_MOST_OPERATIONS = 4000
#: Denominators of the random points; primes, so that no angle is a special one.
_PRIMES = (1009, 1013, 1019, 1021, 1031)


class Zero(Enum):
    """The answer; `NUMERICALLY` says that no proof was found and no witness against it."""

    PROVED = "zero"
    NUMERICALLY = "zero at random points to 40 digits"
    REFUTED = "not zero"

    @property
    def holds(self) -> bool:
        """Whether the expression is taken as zero."""
        return self is not Zero.REFUTED


def decide_zero(value: sympy.Expr) -> Zero:
    """Whether an expression vanishes for all values of its symbols and functions of time."""
    plain = freeze(value)
    if plain == 0:
        return Zero.PROVED
    if _refuted(plain):
        return Zero.REFUTED
    if plain.count_ops() <= _MOST_OPERATIONS and _vanishes(plain):
        return Zero.PROVED
    return Zero.NUMERICALLY


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


def _refuted(value: sympy.Expr) -> bool:
    """Whether the value at some random rational point is certainly not zero."""
    symbols = cast("list[sympy.Symbol]", sorted(value.free_symbols, key=sympy.default_sort_key))
    names = {s: f"x{k}" for k, s in enumerate(symbols)}
    try:
        terms = terms_of([value], names)
    except UnsupportedError:
        return False
    rng = random.Random(len(symbols))
    for _ in range(_POINTS):
        point = {
            name: _MP.const(Fraction(rng.randrange(300, 1700), rng.choice(_PRIMES)))
            for name in names.values()
        }
        found = lift(terms, _MP, point)[0]
        if found == found and abs(found) > _TINY:
            return True
    return False


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
