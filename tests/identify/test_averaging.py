"""Symmetric averaging returns both parts, and says what neither of them is."""

from __future__ import annotations

import numpy as np
import pytest

from symdyn._errors import InputError, SizeError
from symdyn.friction.asymmetric import ASYMMETRIC
from symdyn.identify.averaging import symmetric_average
from symdyn.identify.columns import steady_force
from tests.identify.sweeps import WIDE, friction

GRAVITY, OFFSET = 3.7, -0.21


def test_gravity_and_offset_cancel_for_odd_friction() -> None:
    parts = symmetric_average(WIDE, friction(WIDE) + GRAVITY + OFFSET)
    speeds = WIDE[WIDE > 0]
    assert np.max(np.abs(parts.v - speeds)) == 0
    assert np.max(np.abs(parts.odd - friction(speeds))) < 1e-14
    assert np.max(np.abs(parts.even - GRAVITY - OFFSET)) < 1e-14
    assert parts.even_spread < 1e-14
    assert parts.unmatched.size == 0


def test_asymmetric_friction_gives_its_odd_and_its_even_part() -> None:
    values = {"Fc_plus": 1.0, "Fc_minus": 1.4, "b_plus": 0.5, "b_minus": 0.3, "offset": 0.0}
    tau = steady_force(ASYMMETRIC, values, WIDE) + GRAVITY
    parts = symmetric_average(WIDE, tau)
    assert parts.odd == pytest.approx(1.2 + 0.4 * parts.v, abs=1e-14)
    # the even part is no constant: what of it grows with the speed is friction
    assert parts.even == pytest.approx(GRAVITY - 0.2 + 0.1 * parts.v, abs=1e-14)
    assert parts.even_spread > 0.1


def test_order_repetitions_and_lonely_speeds() -> None:
    v = [0.5, -0.1, 0.1, 0.1, -0.1 * (1 + 1e-9), 2.0]
    tau = [9.0, -1.0, 1.2, 1.4, -1.2, 5.0]
    parts = symmetric_average(v, tau)
    assert parts.v == pytest.approx([0.1])
    assert parts.odd == pytest.approx([1.2])
    assert parts.even == pytest.approx([0.1])
    assert list(parts.unmatched) == [0.5, 2.0]


@pytest.mark.parametrize(
    ("v", "tau", "message"),
    [
        ([0.1, -0.1], [1.0], "2"),
        ([0.1, 0.0], [1.0, 1.0], "v = 0 at point 2"),
        ([0.1, 0.2], [1.0, 1.0], "no speed occurs in both directions"),
        ([0.1, float("nan")], [1.0, 1.0], "nan at point 2"),
        ([], [], "no list of numbers"),
    ],
)
def test_bad_data_are_one_clear_error(v: list[float], tau: list[float], message: str) -> None:
    with pytest.raises((InputError, SizeError)) as caught:
        symmetric_average(v, tau)
    assert message in str(caught.value)
