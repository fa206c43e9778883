"""SymPy expressions as a number kind: what users read. SymPy is imported on first use.

Every symbol stands for a real number. SymPy simplifies a little while it builds (``sqrt(x**2)`` is
``Abs(x)``); where the table of operations has a value at an isolated point that SymPy's function
lacks, ``atan2(0, 0) = 0``, that is kept for numbers and not spelled out for symbols.
"""

# SymPy ships partial types: members of its expressions count as unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from sympy import Expr

# names of the functions that are one SymPy class
SYMPY_NAMES: dict[str, str] = {
    "exp": "exp", "log": "log", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "asin",
    "acos": "acos", "atan": "atan", "atan2": "atan2", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "abs": "Abs", "sign": "sign", "min": "Min", "max": "Max", "sqrt": "sqrt",
    "lt": "Lt", "le": "Le", "eq": "Eq",
}  # fmt: skip
_COMPARISONS = frozenset(("lt", "le", "eq"))


class SympyAlgebra:
    """SymPy expressions over real symbols.

    ``where`` and the comparisons become ``Piecewise``; ``cbrt(x)`` of a number that may be negative
    becomes ``sign(x) Abs(x)**(1/3)``, since SymPy's own cube root is complex there; ``pow`` with a
    base that may be negative becomes a ``Piecewise`` that is NaN for it.
    """

    @property
    def name(self) -> str:
        return "sympy"

    def symbol(self, name: str) -> Expr:
        """The real symbol called ``name``; nothing in the name is interpreted."""
        import sympy

        return sympy.Symbol(name, real=True)

    def const(self, value: Fraction | int, /) -> Expr:
        import sympy

        value = Fraction(value)
        return sympy.Rational(value.numerator, value.denominator)

    def pi(self) -> Expr:
        import sympy

        return sympy.pi

    def powi(self, x: Expr, n: int, /) -> Expr:
        import sympy

        return x ** sympy.Integer(n)

    def unary(self, op: str, x: Expr, /) -> Expr:
        import sympy

        if op == "cbrt":
            third = sympy.Rational(1, 3)
            if x.is_nonnegative:
                return x**third
            return sympy.sign(x) * sympy.Abs(x) ** third
        if op in ("sqrt", "log") and x.is_negative:
            return sympy.nan
        if op in ("asin", "acos") and x.is_number and (1 - x * x).is_negative:
            return sympy.nan
        return cast("Expr", getattr(sympy, SYMPY_NAMES[op])(x))

    def binary(self, op: str, x: Expr, y: Expr, /) -> Expr:
        import sympy

        if op in _COMPARISONS:
            holds = getattr(sympy, SYMPY_NAMES[op])(x, y)
            return cast("Expr", sympy.Piecewise((sympy.S.One, holds), (sympy.S.Zero, True)))
        if op == "pow":
            return self._pow(x, y)
        if op == "atan2" and x.is_zero and y.is_zero:
            return sympy.S.Zero
        return cast("Expr", getattr(sympy, SYMPY_NAMES[op])(x, y))

    def _pow(self, x: Expr, y: Expr) -> Expr:
        import sympy

        if x.is_nonnegative:
            return x**y
        return cast("Expr", sympy.Piecewise((x**y, x >= 0), (sympy.nan, True)))

    def where(self, c: Expr, a: Expr, b: Expr, /) -> Expr:
        import sympy

        # a Piecewise in the last branch continues the list of branches
        rest = b.args if isinstance(b, sympy.Piecewise) else ((b, True),)
        return cast("Expr", sympy.Piecewise((a, _condition(c)), *rest))

    def sin(self, x: Expr, /) -> Expr:
        return self.unary("sin", x)

    def cos(self, x: Expr, /) -> Expr:
        return self.unary("cos", x)

    def sqrt(self, x: Expr, /) -> Expr:
        return self.unary("sqrt", x)


def _condition(c: Expr) -> object:
    """``c != 0`` as SymPy's logic; the Piecewise of a comparison gives the comparison back."""
    import sympy

    if isinstance(c, sympy.Piecewise) and len(c.args) == 2:
        (first, holds), (second, _) = (pair.args for pair in c.args)
        if first == 1 and second == 0:
            return holds
    return sympy.Ne(c, 0)


SYMPY = SympyAlgebra()
