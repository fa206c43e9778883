"""Nodes on a chart: exact ones at its corners and in between, irregular ones everywhere.

The coordinates of a chart, and the time, are written in fractions of their ranges, so that a place
is a function of numbers in [0, 1]; the same functions are evaluated at nodes and, by
`symdyn.mass.certain`, over boxes of such numbers. Irregular nodes are a Kronecker sequence: they
keep away from planes of symmetry and are the same in every run.

Source: Niederreiter 1992 (Kronecker sequences).
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from itertools import product
from typing import cast

import numpy as np
import sympy
from numpy.typing import NDArray
from sympy.core.function import AppliedUndef

from symdyn._errors import InputError
from symdyn.algebra.float64 import ARRAYS
from symdyn.algebra.term import lift
from symdyn.mass.coordinates import TIME, Vector, replace
from symdyn.mass.shape import Chart
from symdyn.mass.terms import terms_of

Array = NDArray[np.float64]
Values = Mapping[sympy.Expr, sympy.Expr]
#: Exact nodes along each coordinate of a chart, and in time, as fractions of the interval.
NODES: tuple[sympy.Expr, ...] = tuple(sympy.Rational(k, 8) for k in (0, 1, 3, 4, 7, 8))
TIMES: tuple[sympy.Expr, ...] = tuple(sympy.Rational(k, 16) for k in (0, 1, 3, 5, 7, 8, 11, 13, 16))
#: Irregular nodes of a chart.
IRREGULAR = 4096
#: A finite stand-in for an infinite bound.
_FAR = sympy.Integer(10)
#: The fraction of the interval of time.
_CLOCK = sympy.Symbol("clock", nonnegative=True)


class Certainty(IntEnum):
    """How well it is known that nothing is wrong; the larger, the less. `label` is the word."""

    CERTAIN = 0
    SAMPLED = 1
    NOT_EXAMINED = 2

    @property
    def label(self) -> str:
        """For messages."""
        return self.name.lower().replace("_", " ")


def certain(holds: bool) -> Certainty:
    """Certain, or else sampled."""
    return Certainty.CERTAIN if holds else Certainty.SAMPLED


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A chart in fractions of its ranges.

    Attributes
    ----------
    letters : a fraction per coordinate, and that of the time if anything depends on it
    coordinates : each coordinate, and the time, as functions of the letters
    is_whole : whether the ranges are finite; infinite ones are cut
    """

    letters: tuple[sympy.Symbol, ...]
    coordinates: Mapping[sympy.Symbol, sympy.Expr]
    is_whole: bool

    def on(self, field: sympy.Expr) -> sympy.Expr:
        """A field in the chart's coordinates and the time, as a function of the letters."""
        return replace(field, self.coordinates)


def unfold(
    chart: Chart | None, values: Values, times: tuple[sympy.Expr, sympy.Expr] | sympy.Expr
) -> Unfolded:
    """Fractions for the coordinates of a chart (none without one) and for the time.

    Parameters
    ----------
    times : an interval, or one time
    """
    coordinates: dict[sympy.Symbol, sympy.Expr] = {}
    if isinstance(times, tuple):
        coordinates[TIME] = times[0] + _CLOCK * (times[1] - times[0])
    else:
        coordinates[TIME] = times
    letters: list[sympy.Symbol] = []
    is_whole = True
    for k, r in enumerate(chart.ranges if chart is not None else ()):
        low, high = put(r.low, values), put(r.high, values)
        if low.is_infinite or high.is_infinite:
            is_whole = False
            low, high = _ends(low, high)
        letter = sympy.Symbol(f"fraction{k}", nonnegative=True)
        low, high = replace(low, coordinates), replace(high, coordinates)
        coordinates[r.symbol] = low + letter * (high - low)
        letters.append(letter)
    if isinstance(times, tuple):
        letters.append(_CLOCK)
    return Unfolded(tuple(letters), coordinates, is_whole)


def _ends(low: sympy.Expr, high: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    if low.is_infinite and high.is_infinite:
        return cast("sympy.Expr", -_FAR), cast("sympy.Expr", _FAR)
    return (low, low + _FAR) if high.is_infinite else (high - _FAR, high)


def nodes(letters: Sequence[sympy.Symbol]) -> tuple[list[tuple[sympy.Expr, ...]], Array]:
    """Exact nodes, latest times last, and all nodes as numbers [letters, nodes]: exact ones first.

    The letter of time, if there is one, is the last.
    """
    ranges = [TIMES if letter == _CLOCK else NODES for letter in letters]
    grid: list[tuple[sympy.Expr, ...]] = [rest[::-1] for rest in product(*reversed(ranges))]
    exact = np.array([[float(c) for c in node] for node in grid]).reshape(len(grid), len(letters))
    return grid, np.concatenate((exact.T, irregular(len(letters))), axis=1)


def irregular(size: int, count: int = IRREGULAR) -> Array:
    """A Kronecker sequence in the open unit cube [size, count] with the steps root^-1, root^-2, ...

    The root is that of x^(size + 1) = x + 1: steps that fractions approximate badly.
    """
    root = 1.5
    for _ in range(60):
        root = (1 + root) ** (1 / (size + 1))
    steps = root ** -np.arange(1.0, size + 1)
    return np.mod(0.5 + np.outer(steps, np.arange(1, count + 1)), 1.0)


def values_at(fields: Sequence[sympy.Expr], at: Mapping[sympy.Symbol, Array]) -> Array:
    """Values [fields, nodes] in doubles; NaN where a field is no real number.

    Raises
    ------
    InputError : a symbol has no value
    UnsupportedError : a function that cannot be evaluated
    """
    names = {s: f"u{k}" for k, s in enumerate(at)}
    free = {s for f in fields for s in f.free_symbols} - set(at)
    if free:
        raise InputError(
            "a symbol has no value",
            where="mass distribution",
            got=", ".join(sorted(str(s) for s in free)),
            remedy="Give it in values.",
        )
    length = len(next(iter(at.values()))) if at else 1
    with ARRAYS.scope():
        found = lift(
            terms_of(list(fields), names, branches=True),
            ARRAYS,
            {names[s]: np.asarray(v) for s, v in at.items()},
        )
    return np.array([np.broadcast_to(f, (length,)) for f in found]).reshape(len(found), length)


def is_known(*fields: sympy.Expr, letters: Sequence[sympy.Symbol] = ()) -> bool:
    """Whether fields hold no symbols but these, and no function of time without an expression."""
    return not any(f.free_symbols - set(letters) or f.atoms(AppliedUndef) for f in fields)


def put(value: sympy.Expr, values: Values) -> sympy.Expr:
    """An expression with known values put in; derivatives of known functions are carried out."""
    if not values:
        return value
    functions = [(k, v) for k, v in values.items() if not isinstance(k, sympy.Symbol)]
    if functions:
        value = value.subs(functions).doit()
    return replace(value, {k: v for k, v in values.items() if isinstance(k, sympy.Symbol)})


def rational(value: float) -> sympy.Expr:
    """A double as it is."""
    exact = Fraction(value)
    return sympy.Rational(exact.numerator, exact.denominator)


def spelled(at: Mapping[sympy.Symbol, sympy.Expr]) -> str:
    """A place and a time in words: exact numbers if they are short, else six digits."""
    return ", ".join(f"{s} = {shown(v)}" for s, v in at.items())


def shown(value: sympy.Expr) -> str:
    """An exact number if it is short, else six digits."""
    text = str(value)
    return text if len(text) <= 12 or not value.is_number else f"{float(value):.6g}"


def place_on(chart: Chart, values: Values, u: Unfolded) -> Vector:
    """The place x(u) as a function of the letters."""
    a, b, c = (u.on(put(e, values)) for e in chart.place)
    return a, b, c
