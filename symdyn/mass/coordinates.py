"""The symbols in which a mass distribution is written, and how numbers enter it exactly.

A density, a moving fraction or a velocity is a SymPy expression in ``X = (x, y, z)``, the Cartesian
coordinates of the solid's own frame [m], in the time ``TIME`` [s] and in any parameters. Functions
of time are ordinary SymPy functions, ``sympy.Function("A")(TIME)``.

Integers, fractions and SymPy numbers are taken as they are; a decimal text and a float are read as
the decimal fraction that they print as, so ``0.1`` is 1/10.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, cast

import sympy

from symdyn._errors import InputError, SizeError
from symdyn.spatial.vector import Mat3, Vec3

#: What a number of a mass distribution may be written as.
Number: TypeAlias = sympy.Expr | Fraction | int | float | str
Vector: TypeAlias = Vec3[sympy.Expr]
Matrix: TypeAlias = Mat3[sympy.Expr]

TIME: sympy.Symbol = sympy.Symbol("t", real=True)
X: tuple[sympy.Symbol, sympy.Symbol, sympy.Symbol] = (
    sympy.Symbol("x", real=True),
    sympy.Symbol("y", real=True),
    sympy.Symbol("z", real=True),
)
#: Distance from the z axis, and from the origin: write densities of round solids in them.
AXIAL_RADIUS: sympy.Expr = sympy.sqrt(X[0] ** 2 + X[1] ** 2)
RADIUS: sympy.Expr = sympy.sqrt(X[0] ** 2 + X[1] ** 2 + X[2] ** 2)

ZERO: sympy.Expr = sympy.Integer(0)
ONE: sympy.Expr = sympy.Integer(1)
ORIGIN: Vector = (ZERO, ZERO, ZERO)


def exact(value: Number, where: str = "") -> sympy.Expr:
    """A number as an exact SymPy expression; an expression is passed through.

    Raises
    ------
    InputError : a text that is no decimal number or fraction, a float that is not finite, an
        expression with floats or complex numbers in it, anything else that is no real number
    """
    if isinstance(value, sympy.Expr):
        if value.has(sympy.Float) or value.has(sympy.I):
            raise InputError(
                "an expression is not exact and real",
                where=where,
                expected="integers, rationals and symbols",
                got=str(value),
                remedy="Write sympy.Rational(1, 10) for 0.1.",
            )
        return value
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError("a number is not finite", where=where, got=repr(value))
    try:
        fraction = Fraction(repr(float(value)) if isinstance(value, float) else value)
    except (TypeError, ValueError, ZeroDivisionError):
        what = "a text is no number" if isinstance(value, str) else "this is no real number"
        raise InputError(
            what, where=where, expected="such as 0.1 or 1/10", got=repr(value)
        ) from None
    return sympy.Rational(fraction.numerator, fraction.denominator)


def exact_vector(values: Sequence[Number], where: str = "") -> Vector:
    """Three numbers as exact SymPy expressions."""
    if len(values) != 3:
        raise SizeError(where or "exact_vector", "vector", 3, len(values))
    a, b, c = (exact(value, where) for value in values)
    return a, b, c


def positive(value: Number, name: str, where: str) -> sympy.Expr:
    """A length or mass: refused when it is known not to be positive."""
    found = exact(value, where)
    if found.is_positive is False:
        raise InputError(
            f"{name} is not positive", where=where, expected="a positive number", got=str(found)
        )
    return found


def replace(value: sympy.Expr, names: Mapping[sympy.Symbol, sympy.Expr]) -> sympy.Expr:
    """The expression with symbols replaced, all at once."""
    return cast("sympy.Expr", value.xreplace(cast("dict[sympy.Basic, sympy.Basic]", dict(names))))


def rate(value: sympy.Expr) -> sympy.Expr:
    """The derivative in time."""
    return cast("sympy.Expr", sympy.diff(value, TIME))
