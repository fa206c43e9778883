"""SymPy expressions as exact terms: the door from a mass distribution to every other number kind.

A `Term` is what robots are made of; `symdyn.algebra.term.lift` carries it into floats, arrays,
multiprecision numbers, intervals and graph nodes, so no expression is ever printed and read back.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce

import sympy
from sympy.core.function import AppliedUndef

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.sympy_ import SYMPY_NAMES
from symdyn.algebra.term import ONE, PI, TERMS, ZERO, Term, number, parameter

_UNARY = {
    SYMPY_NAMES[op]: op
    for op in (
        "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "abs",
        "sign",
    )
}  # fmt: skip
_BINARY = {"atan2": "atan2", "Min": "min", "Max": "max"}


def terms_of(
    values: Sequence[sympy.Expr],
    names: Mapping[sympy.Symbol, str] | None = None,
    *,
    branches: bool = False,
) -> list[Term]:
    """Exact terms of SymPy expressions; shared parts stay shared.

    Parameters
    ----------
    values : expressions in symbols, rationals, pi and the functions of the table of operations
    names : of symbols; others keep their own name
    branches : whether Piecewise and Heaviside are taken; no derivative of such terms is right where
        they jump, so they are for fields that are evaluated only

    Raises
    ------
    InputError : two different symbols of one name, a function of time without an expression
    UnsupportedError : a function that the table of operations lacks
    """
    known: dict[sympy.Basic, Term] = {}
    owners: dict[str, sympy.Symbol] = {}
    for root in values:
        stack: list[sympy.Basic] = [root]
        while stack:
            here = stack[-1]
            if here in known:
                stack.pop()
                continue
            if isinstance(here, AppliedUndef | sympy.Derivative):
                raise InputError(
                    f"{here} has no expression",
                    where="terms_of",
                    expected="an expression in t",
                    remedy="Put one in with MassMoments.put({function: expression}).",
                )
            parts = here.args
            if branches and isinstance(here, sympy.Piecewise):
                parts = tuple(part for pair in here.args for part in pair.args)
            missing = [a for a in parts if a not in known]
            if missing and not here.is_Rational:
                stack.extend(missing)
                continue
            stack.pop()
            if isinstance(here, sympy.Symbol):
                name = (names or {}).get(here, here.name)
                if owners.setdefault(name, here) != here:
                    raise InputError(f"two symbols are called {name!r}", where="terms_of")
                known[here] = parameter(name)
            elif branches and isinstance(here, sympy.Piecewise):
                known[here] = _piecewise(here, known)
            elif branches and type(here).__name__ in _BRANCHING:
                known[here] = _BRANCHING[type(here).__name__]([known[a] for a in here.args])
            else:
                known[here] = _term(here, [known[a] for a in here.args])
    return [known[root] for root in values]


def _less(name: str, swap: bool) -> Callable[[Sequence[Term]], Term]:
    return lambda args: TERMS.binary(name, args[swap], args[not swap])


_BRANCHING: dict[str, Callable[[Sequence[Term]], Term]] = {
    "StrictLessThan": _less("lt", False),
    "LessThan": _less("le", False),
    "StrictGreaterThan": _less("lt", True),
    "GreaterThan": _less("le", True),
    "And": lambda args: reduce(lambda a, b: a * b, args),
    "Or": lambda args: reduce(lambda a, b: TERMS.binary("max", a, b), args),
    "BooleanTrue": lambda _: ONE,
    "BooleanFalse": lambda _: ZERO,
    "Heaviside": lambda args: (TERMS.unary("sign", args[0]) + ONE) / number(2),
}


def _piecewise(here: sympy.Piecewise, known: Mapping[sympy.Basic, Term]) -> Term:
    pairs = [(pair.args[0], pair.args[1]) for pair in here.args]
    if pairs[-1][1] != sympy.true:
        raise UnsupportedError(f"terms_of: {here} has no value where none of its conditions hold.")
    found = known[pairs[-1][0]]
    for value, condition in reversed(pairs[:-1]):
        found = TERMS.where(known[condition], known[value], found)
    return found


def _term(here: sympy.Basic, args: Sequence[Term]) -> Term:
    if isinstance(here, sympy.Rational):
        return number(Fraction(int(here.p), int(here.q)))
    if here is sympy.pi:
        return PI
    if here is sympy.E:
        return TERMS.unary("exp", ONE)
    if here.is_Add:
        return reduce(lambda a, b: a + b, args)
    if here.is_Mul:
        return _product(here, args)
    if isinstance(here, sympy.Pow):
        return _power(here, args[0], args[1])
    name = type(here).__name__
    if name in _UNARY:
        return TERMS.unary(_UNARY[name], args[0])
    if name in _BINARY:
        return reduce(lambda a, b: TERMS.binary(_BINARY[name], a, b), args)
    raise UnsupportedError(f"terms_of: {here} is no operation of the table (symdyn.algebra.ops).")


def _product(here: sympy.Basic, args: Sequence[Term]) -> Term:
    """Factors with a negative exponent become one division."""
    above, below = ONE, ONE
    for factor, term in zip(here.args, args, strict=True):
        if isinstance(factor, sympy.Pow) and term.op == "div" and term.args[0] is ONE:
            below = below * term.args[1]
        else:
            above = above * term
    return above if below is ONE else above / below


def _power(here: sympy.Pow, base: Term, exponent: Term) -> Term:
    n = exponent.rational
    if here.base is sympy.E:
        return TERMS.unary("exp", exponent)
    if n is None:
        return TERMS.binary("pow", base, exponent)
    if n < 0:
        positive = _rational_power(base, -n)
        return Term("div", (ONE, positive)) if positive.rational is None else ONE / positive
    return _rational_power(base, n)


def _rational_power(base: Term, n: Fraction) -> Term:
    """base^n for n > 0: whole powers, square roots, anything else as a real power."""
    if n.denominator == 1:
        return base if n == 1 else TERMS.powi(base, int(n))
    if n.denominator == 2:
        root = TERMS.sqrt(base)
        return root if n == Fraction(1, 2) else TERMS.powi(root, n.numerator)
    return TERMS.binary("pow", base, number(n))
