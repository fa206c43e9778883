"""The table of operations: name, number of arguments, exact meaning at edge cases.

Every number kind (`symdyn.algebra`), the expression graph and every code target implement exactly
these operations with exactly these meanings; a test runs the table against each of them.

Edge cases that languages disagree on, fixed here:

- ``sign(0) = sign(-0) = 0``; ``sign(nan) = nan``.
- ``min``/``max`` return NaN if either argument is NaN.
- ``where(c, a, b)`` is ``a`` if ``c != 0`` else ``b``; the branch that is not taken never matters,
  not even as NaN.
- ``lt``/``le``/``eq`` give 1 or 0, and 0 as soon as an argument is NaN.
- ``pow(x, y)`` is the real power; the first that applies holds: NaN for x < 0 (also for integer y:
  whole exponents are written ``powi``), 1 for y = 0, ``pow(0, y)`` = 0 for y > 0 and +inf for
  y < 0. A zero base counts as +0.
- ``cbrt`` is the real cube root, negative for negative arguments.
- ``powi(x, n)`` has a whole exponent n, positive or negative; ``powi(x, 0) = 1``.
- ``atan2(0, 0) = 0``.

Derivatives are taken almost everywhere: 0 for ``sign`` and the comparisons, ``sign(x)`` for
``abs``, the taken branch for ``where``, ``min`` and ``max``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Op:
    """One operation.

    Parameters
    ----------
    name : the name used everywhere, from the graph to the code targets
    arity : number of arguments that are expressions (a whole exponent of ``powi`` is not one)
    kind : ``leaf``, ``arithmetic``, ``function`` or ``logic``
    meaning : the formula, with its edge cases
    """

    name: str
    arity: int
    kind: str
    meaning: str


OPS: dict[str, Op] = {
    op.name: op
    for op in (
        Op("const", 0, "leaf", "an exact rational number"),
        Op("pi", 0, "leaf", "the circle constant"),
        Op("symbol", 0, "leaf", "a named real number"),
        Op("neg", 1, "arithmetic", "-x"),
        Op("add", 2, "arithmetic", "x + y"),
        Op("sub", 2, "arithmetic", "x - y"),
        Op("mul", 2, "arithmetic", "x * y"),
        Op("div", 2, "arithmetic", "x / y"),
        Op("powi", 1, "arithmetic", "x^n, n a whole number; x^0 = 1"),
        Op("pow", 2, "function", "real power x^y; NaN for x < 0; 0^y = 0 for y > 0; x^0 = 1"),
        Op("sqrt", 1, "function", "square root; NaN for x < 0"),
        Op("cbrt", 1, "function", "real cube root, odd"),
        Op("exp", 1, "function", "e^x"),
        Op("log", 1, "function", "natural logarithm; -inf at 0, NaN for x < 0"),
        Op("sin", 1, "function", "sine, x in rad"),
        Op("cos", 1, "function", "cosine, x in rad"),
        Op("tan", 1, "function", "tangent, x in rad"),
        Op("asin", 1, "function", "inverse sine in [-pi/2, pi/2]"),
        Op("acos", 1, "function", "inverse cosine in [0, pi]"),
        Op("atan", 1, "function", "inverse tangent in (-pi/2, pi/2)"),
        Op("atan2", 2, "function", "angle of the point (y, x) given as (y, x); atan2(0, 0) = 0"),
        Op("sinh", 1, "function", "hyperbolic sine"),
        Op("cosh", 1, "function", "hyperbolic cosine"),
        Op("tanh", 1, "function", "hyperbolic tangent"),
        Op("abs", 1, "function", "|x|"),
        Op("sign", 1, "function", "-1, 0 or 1; sign(0) = 0; NaN for NaN"),
        Op("min", 2, "function", "the smaller one; NaN if either is NaN"),
        Op("max", 2, "function", "the larger one; NaN if either is NaN"),
        Op("lt", 2, "logic", "1 if x < y else 0"),
        Op("le", 2, "logic", "1 if x <= y else 0"),
        Op("eq", 2, "logic", "1 if x = y else 0"),
        Op("where", 3, "logic", "a if c != 0 else b"),
    )
}

UNARY_FUNCTIONS: tuple[str, ...] = tuple(
    op.name for op in OPS.values() if op.kind == "function" and op.arity == 1
)
BINARY_FUNCTIONS: tuple[str, ...] = tuple(
    op.name for op in OPS.values() if op.kind in ("function", "logic") and op.arity == 2
)
