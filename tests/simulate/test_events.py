"""Guards that end: crossings, touches between looks, and dips across two steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn.simulate.events import Ending, Watch


def watch_over(functions: list[Callable[[float], float]], grid: list[float]) -> Ending | None:
    """The first ending along steps between the points of a grid; the state is the time itself."""

    def guards(t: float, y: np.ndarray) -> np.ndarray:
        assert y[0] == t
        return np.array([f(t) for f in functions])

    def dense(t: float) -> np.ndarray:
        return np.array([t])

    watch = Watch(guards, grid[0], dense(grid[0]))
    for began, end in pairwise(grid):
        ending = watch.over(began, end, dense)
        if ending is not None:
            return ending
    return None


def test_crossing_is_found_and_the_earliest_counts() -> None:
    found = watch_over([lambda t: 2 - t, lambda t: 1.5 - t], [0, 3])
    assert found is not None
    assert found.guard == 1
    assert found.time == pytest.approx(1.5, abs=1e-15)
    assert found.state[0] == found.time


def test_what_stays_positive_never_ends() -> None:
    assert watch_over([lambda t: 1 + t, lambda t: math.inf], [0, 1, 5]) is None
    assert watch_over([lambda t: (t - 1.3) ** 2 + 1e-9], [0, 1, 2, 3]) is None


def test_a_guard_may_start_from_zero() -> None:
    assert watch_over([lambda t: t], [0, 1]) is None
    found = watch_over([lambda t: t * (2 - t)], [0, 1, 3])
    assert found is not None
    assert found.time == pytest.approx(2)
    at_once = watch_over([lambda t: -t], [0, 1])
    assert at_once is not None
    assert at_once.time == 0


@given(place=st.floats(0.2, 2.8), depth=st.floats(1e-6, 1e-2), step=st.floats(0.3, 1.5))
def test_a_shallow_dip_between_looks_is_found(place: float, depth: float, step: float) -> None:
    def dip(t: float) -> float:
        return 1 - math.cos(t - place) - depth

    if dip(0.0) <= 0:
        return
    count = math.ceil(3.5 / step)
    found = watch_over([dip], [k * step for k in range(count + 1)])
    assert found is not None
    assert found.time == pytest.approx(place - math.acos(1 - depth), abs=1e-9)


def test_a_dip_in_the_last_part_of_the_step_before_is_found_there() -> None:
    # looks at 0.75 and 1 are positive; only the next look shows that a minimum lay between them
    def dip(t: float) -> float:
        return (t - 0.93) ** 2 - 1e-4

    found = watch_over([dip], [0, 1, 2])
    assert found is not None
    assert found.time == pytest.approx(0.92, abs=1e-9)
