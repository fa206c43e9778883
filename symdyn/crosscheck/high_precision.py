"""The reference: the derived graph, and the recursion itself, in 50-digit arithmetic."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from symdyn.algebra.float64 import Array
from symdyn.algebra.mp import MpAlgebra, Real
from symdyn.codegen.spec import FunctionSpec
from symdyn.crosscheck.road import arguments_of
from symdyn.crosscheck.states import CheckState
from symdyn.expr.evaluate import evaluate

#: Decimal digits of the reference; a double has 16.
DIGITS = 50


def evaluate_high(spec: FunctionSpec, state: CheckState, mp: MpAlgebra) -> list[Real]:
    """Entries of a function's result at a state, every operation in ``mp``'s precision.

    The arguments are doubles and are taken exactly; so are the constants of the graph.
    """
    symbols = {
        symbol: mp.number(value)
        for argument, values in zip(spec.arguments, arguments_of(spec, state), strict=True)
        for symbol, value in zip(argument.symbols, values, strict=True)
    }
    return evaluate(spec.graph, spec.result.entries, mp, symbols)


def split(numbers: Sequence[Real], mp: MpAlgebra) -> tuple[Array, Array]:
    """High and low part of many-digit numbers as doubles; their sum holds 32 digits."""
    high = [float(x) for x in numbers]
    low = [
        float(x - mp.number(h)) if h and math.isfinite(h) else 0.0
        for x, h in zip(numbers, high, strict=True)
    ]
    return np.array(high), np.array(low)


def contract(numbers: Sequence[Real], vector: Sequence[float], mp: MpAlgebra) -> list[Real]:
    """Product of a row-major matrix with a vector."""
    width = len(vector)
    weights = [mp.number(value) for value in vector]
    out: list[Real] = []
    for start in range(0, len(numbers), width):
        total = mp.const(0)
        for x, w in zip(numbers[start : start + width], weights, strict=True):
            total = total + x * w
        out.append(total)
    return out
