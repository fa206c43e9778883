"""Literals read back as the same double, the sign of zero included, behind any operator."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn.codegen.targets.number_text import number_text


@given(x=st.floats(allow_nan=False, allow_infinity=False))
def test_a_literal_is_its_double(x: float) -> None:
    text = number_text(x, "nan", "inf")
    assert math.copysign(1.0, x) < 0 or "(" not in text
    back = float(text.strip("()"))
    assert (back, math.copysign(1.0, back)) == (x, math.copysign(1.0, x))
    assert text.startswith(("(-", *"0123456789"))


@pytest.mark.parametrize(
    ("value", "text"),
    [(math.inf, "INFINITY"), (-math.inf, "(-INFINITY)"), (math.nan, "NAN"), (-0.0, "(-0.0)")],
)
def test_what_has_a_name(value: float, text: str) -> None:
    assert number_text(value, "NAN", "INFINITY") == text
