"""Numbers of a size that closed forms in doubles can work with.

A friction parameter of 1e-40 N m or 1e40 N m is a slip of the pen, not a joint. Rather than an
overflow somewhere inside, it gets one answer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from symdyn._errors import InputError
from symdyn.friction.law import FrictionLaw

#: Sizes that are taken besides 0, and exponents.
LEAST, MOST = 1e-30, 1e30
LEAST_EXPONENT, MOST_EXPONENT = 0.02, 50.0
_EXPONENTS = ("alpha", "d", "i", "n")


def check_sizes(where: str, values: Mapping[str, float]) -> None:
    """Refuse numbers whose powers leave the doubles.

    Parameters
    ----------
    where : named in the error
    values : by name; ``alpha``, ``d``, ``i`` and ``n`` are exponents

    Raises
    ------
    InputError : one is not finite, too large or too small
    """
    for name, value in values.items():
        low, high = (LEAST_EXPONENT, MOST_EXPONENT) if name in _EXPONENTS else (LEAST, MOST)
        if value != 0 and not low <= abs(value) <= high:
            raise InputError(
                f"{name} is of a size that doubles cannot work with here",
                where=where,
                expected=f"0, or {low:g} to {high:g} in size",
                got=repr(value),
                remedy="Check the number and its unit.",
            )


def sized(law: FrictionLaw, parameters: Mapping[str, float]) -> dict[str, float]:
    """The parameters of a law as `FrictionLaw.check` gives them, of sizes to work with.

    Raises
    ------
    InputError : outside their domains, too large or too small
    """
    p = law.check(parameters)
    check_sizes(f"friction law {law.name}", p)
    return p


def finite(name: str, value: float) -> float:
    """A result, which has to be a number.

    Raises
    ------
    InputError : it overflowed
    """
    if not math.isfinite(value):
        raise InputError(
            f"the {name} leaves the range of doubles", remedy="Check the sizes of the inputs."
        )
    return value
