"""Decimal floating point of any precision (mpmath): the slow, accurate reference."""

# mpmath ships no types; everything that leaves this file is an mpf.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import cast

import mpmath
from mpmath.ctx_mp import MPContext

from symdyn.algebra.protocol import Scalar

# Beyond 2^EXPONENT an exponential or the reduction of an angle would need astronomically many digits.
_LARGEST_EXPONENT = 60
_LARGEST_ANGLE = 1 << 20


class MpAlgebra:
    """Numbers of type mpf in a private context, so that no other precision setting interferes.

    Infinities and NaN are values, as in `FLOAT64`; nothing raises. The exponential of a number
    beyond 2^60 is infinite, the sine of one beyond 2^(2^20) is NaN.

    Parameters
    ----------
    dps : decimal digits, at least 15
    """

    def __init__(self, dps: int = 50) -> None:
        if dps < 15:
            raise ValueError(f"MpAlgebra needs at least 15 decimal digits; got {dps}")
        self.dps = dps
        context = MPContext()
        context.dps = dps
        self._context = context
        self._nan, self._inf = self.number("nan"), self.number("inf")
        self._zero, self._one = self.number(0), self.number(1)
        self._unary: dict[str, Callable[[Scalar], Scalar]] = {
            "sqrt": lambda x: context.sqrt(x) if x >= 0 else self._nan,
            "cbrt": lambda x: context.cbrt(x) if x >= 0 else -context.cbrt(-x),
            "exp": self._exp,
            "log": lambda x: context.log(x) if x >= 0 else self._nan,
            "sin": lambda x: self._circular(context.sin, x),
            "cos": lambda x: self._circular(context.cos, x),
            "tan": lambda x: self._circular(context.tan, x),
            "asin": lambda x: context.asin(x) if abs(x) <= 1 else self._nan,
            "acos": lambda x: context.acos(x) if abs(x) <= 1 else self._nan,
            "atan": context.atan,
            "sinh": lambda x: self._sign(x) * self._inf if self._is_large(x) else context.sinh(x),
            "cosh": lambda x: self._inf if self._is_large(x) else context.cosh(x),
            "tanh": lambda x: self._sign(x) if self._is_large(x) else context.tanh(x),
            "abs": abs,
            "sign": self._sign,
        }
