"""A double as a literal that reads back as the same double, for languages that write them alike."""

from __future__ import annotations

import math


def number_text(value: float, nan: str, infinity: str) -> str:
    """Shortest decimal; in brackets if it is negative, so that no sign follows an operator.

    Parameters
    ----------
    nan, infinity : what the language calls them
    """
    if math.isnan(value):
        return nan
    text = infinity if math.isinf(value) else repr(abs(value))
    return text if math.copysign(1.0, value) > 0 else f"(-{text})"
