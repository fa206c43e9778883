"""Derivatives of the functions in the table of operations, over any number kind.

The one definition that graph derivatives and dual numbers share. A partial derivative is given as a
factor over a divisor, so that no operation is spent on a 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import Algebra, S

#: functions whose derivative is 0 almost everywhere
FLAT = frozenset(("sign", "lt", "le", "eq"))


def function_partial(
    A: Algebra[S], op: str, args: Sequence[S], value: S, k: int, n: int = 0
) -> tuple[S | None, S | None]:
    """Partial derivative of a function with respect to its argument number ``k``.

    Parameters
    ----------
    op : a function of the table that is neither in `FLAT` nor ``where``, ``min``, ``max``
    args : its arguments
    value : its value
    n : the exponent of ``powi``

    Returns
    -------
    (factor, divisor) with None for 1

    Raises
    ------
    KeyError : no derivative is defined for ``op``
    """
    x = args[0]
    one = A.const(1)
    match op:
        case "powi":
            return A.const(n) * A.powi(x, n - 1), None
        case "pow" if k == 0:
            return args[1] * A.binary("pow", x, args[1] - one), None
        case "pow":
            # x^y log x tends to 0 as x does (y > 0); the bare product would be 0 times -inf
            zero = A.const(0)
            return A.where(A.binary("eq", x, zero), zero, value * A.unary("log", x)), None
        case "sqrt":
            return None, A.const(2) * value
        case "cbrt":
            return None, A.const(3) * (value * value)
        case "exp":
            return value, None
        case "log":
            return None, x
        case "sin":
            return A.cos(x), None
        case "cos":
            return -A.sin(x), None
        case "tan":
            return one + value * value, None
        case "asin":
            return None, A.sqrt(one - x * x)
        case "acos":
            return None, -A.sqrt(one - x * x)
        case "atan":
            return None, one + x * x
        case "atan2":
            y, x = args
            return (x if k == 0 else -y), y * y + x * x
        case "sinh":
            return A.unary("cosh", x), None
        case "cosh":
            return A.unary("sinh", x), None
        case "tanh":
            return one - value * value, None
        case "abs":
            return A.unary("sign", x), None
        case _:
            raise KeyError(f"no derivative in the table for {op!r}")
