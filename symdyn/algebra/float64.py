"""IEEE doubles: Python floats one at a time (`FLOAT64`) and NumPy arrays of them (`ARRAYS`).

Both follow the table of operations at its edges and never raise: an overflow is an infinity, a
number outside the domain of a function is NaN, as in compiled code.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def _nearest(value: Fraction | int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


# -- Python floats --------------------------------------------------------------------------------


def _guarded(function: Callable[[float], float]) -> Callable[[float], float]:
    """NaN outside the domain, infinity on overflow, where the math module raises."""

    def apply(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return math.nan
        except OverflowError:
            return -math.inf if function is math.sinh and x < 0 else math.inf

    return apply


def _log(x: float) -> float:
    if x == 0:
        return -math.inf
    return math.log(x) if x > 0 else math.nan


def _sign(x: float) -> float:
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0 if x == 0 else math.nan


_UNARY: dict[str, Callable[[float], float]] = {
    "sqrt": _guarded(math.sqrt),
    "cbrt": math.cbrt,
    "exp": _guarded(math.exp),
    "log": _log,
    "sin": _guarded(math.sin),
    "cos": _guarded(math.cos),
    "tan": _guarded(math.tan),
    "asin": _guarded(math.asin),
    "acos": _guarded(math.acos),
    "atan": math.atan,
    "sinh": _guarded(math.sinh),
    "cosh": _guarded(math.cosh),
    "tanh": math.tanh,
    "abs": abs,
    "sign": _sign,
}


def _divide(x: float, y: float) -> float:
    if y != 0:
        return x / y
    if x == 0 or x != x:
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


def _pow(x: float, y: float) -> float:
    if x < 0:
        return math.nan
    if x == 0 and y < 0:
        return math.inf
    try:
        return math.pow(x, y)
    except OverflowError:
        return math.inf


def _atan2(y: float, x: float) -> float:
    return 0.0 if y == 0 and x == 0 else math.atan2(y, x)


def _min(x: float, y: float) -> float:
    return math.nan if x != x or y != y else min(x, y)


def _max(x: float, y: float) -> float:
    return math.nan if x != x or y != y else max(x, y)


_BINARY: dict[str, Callable[[float, float], float]] = {
    "pow": _pow,
    "atan2": _atan2,
    "min": _min,
    "max": _max,
    "lt": lambda x, y: 1.0 if x < y else 0.0,
    "le": lambda x, y: 1.0 if x <= y else 0.0,
    "eq": lambda x, y: 1.0 if x == y else 0.0,
}


class FloatAlgebra:
    """Python floats, functions of the math module."""

    @property
    def name(self) -> str:
        return "float64"

    def const(self, value: Fraction | int, /) -> float:
        return _nearest(value)

    def pi(self) -> float:
        return math.pi

    def divide(self, x: float, y: float, /) -> float:
        """x / y with the infinities and NaN of IEEE 754 where Python raises."""
        return _divide(x, y)

    def powi(self, x: float, n: int, /) -> float:
        power, base, left = 1.0, x, abs(n)
        while left:
            if left & 1:
                power *= base
            base *= base
            left >>= 1
        return power if n >= 0 else _divide(1.0, power)

    def unary(self, op: str, x: float, /) -> float:
        return _UNARY[op](x)

    def binary(self, op: str, x: float, y: float, /) -> float:
        return _BINARY[op](x, y)

    def where(self, c: float, a: float, b: float, /) -> float:
        return a if c != 0 else b

    def sin(self, x: float, /) -> float:
        return _UNARY["sin"](x)

    def cos(self, x: float, /) -> float:
        return _UNARY["cos"](x)

    def sqrt(self, x: float, /) -> float:
        return _UNARY["sqrt"](x)


# -- NumPy arrays ---------------------------------------------------------------------------------


def _array_pow(x: Array, y: Array) -> Array:
    power = np.power(np.abs(x), y)
    return np.where(x < 0, np.nan, power)


def _array_atan2(y: Array, x: Array) -> Array:
    return np.where((x == 0) & (y == 0), 0.0, np.arctan2(y, x))


_ARRAY_UNARY: dict[str, Callable[[Array], Array]] = {
    "sqrt": np.sqrt,
    "cbrt": np.cbrt,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "abs": np.abs,
    "sign": np.sign,
}
_ARRAY_BINARY: dict[str, Callable[[Array, Array], Array]] = {
    "pow": _array_pow,
    "atan2": _array_atan2,
    "min": np.minimum,
    "max": np.maximum,
    "lt": lambda x, y: np.where(x < y, 1.0, 0.0),
    "le": lambda x, y: np.where(x <= y, 1.0, 0.0),
    "eq": lambda x, y: np.where(x == y, 1.0, 0.0),
}


class ArrayAlgebra:
    """Arrays of doubles of any broadcastable shapes: many states at once.

    A result that depends on no symbol has shape (): broadcast it to the shape of the batch.
    """

    @property
    def name(self) -> str:
        return "arrays"

    def scope(self) -> AbstractContextManager[object]:
        """Silences NumPy: infinities and NaN are values here, not accidents."""
        return np.errstate(all="ignore")

    def const(self, value: Fraction | int, /) -> Array:
        return np.asarray(_nearest(value))

    def pi(self) -> Array:
        return np.asarray(math.pi)

    def powi(self, x: Array, n: int, /) -> Array:
        power, base, left = np.ones_like(x), x, abs(n)
        while left:
            if left & 1:
                power = power * base
            base = base * base
            left >>= 1
        return power if n >= 0 else 1.0 / power

    def unary(self, op: str, x: Array, /) -> Array:
        return _ARRAY_UNARY[op](x)

    def binary(self, op: str, x: Array, y: Array, /) -> Array:
        return _ARRAY_BINARY[op](x, y)

    def where(self, c: Array, a: Array, b: Array, /) -> Array:
        return np.where(c != 0, a, b)

    def sin(self, x: Array, /) -> Array:
        return np.sin(x)

    def cos(self, x: Array, /) -> Array:
        return np.cos(x)

    def sqrt(self, x: Array, /) -> Array:
        return np.sqrt(x)


FLOAT64 = FloatAlgebra()
ARRAYS = ArrayAlgebra()
