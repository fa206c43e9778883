from __future__ import annotations

import math

import numpy as np
import pytest

from symdyn.crosscheck.compare import Reference, compare
from symdyn.crosscheck.record import Comparison
from symdyn.crosscheck.road import Answer

ULP = 2.0**-52


def _compare(
    values: list[list[float]], high: list[list[float]], tolerance: list[list[float]]
) -> Comparison:
    reference = Reference(
        np.array(high), np.zeros((len(high), len(high[0]))), np.array(tolerance), ["random"] * 9
    )
    return compare("f", "road", Answer(np.array(values)), reference)


def test_error_is_measured_in_ulps_of_the_largest_entry() -> None:
    # the small entry is off by 3e-3 of itself, but by 3 ulp of the large one
    result = _compare([[1.0, 1e-13 + 3 * ULP]], [[1.0, 1e-13]], [[8 * ULP, 8 * ULP]])
    assert result.verdict == "agrees"
    assert result.error_ulps == pytest.approx(3.0, rel=1e-2)
    assert result.error_relative == pytest.approx(3 * ULP, rel=1e-2)
    assert result.share == pytest.approx(3 / 8, rel=1e-2)


def test_entry_beyond_its_own_tolerance_differs_whatever_the_others_are() -> None:
    result = _compare([[5.0, 1.0], [5.0, 1.0 + 4 * ULP]], [[5.0, 1.0]] * 2, [[1.0, 2 * ULP]] * 2)
    assert result.verdict == "differs"
    assert result.share == pytest.approx(2.0)
    assert "entry 1, state 1 (random)" in result.reason


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_number_that_is_none_differs(bad: float) -> None:
    result = _compare([[bad, 2.0]], [[1.0, 2.0]], [[1.0, 1.0]])
    assert result.verdict == "differs"
    assert math.isinf(result.error_ulps)


def test_state_without_promise_is_not_judged() -> None:
    result = _compare([[7.0], [1.0]], [[1.0], [1.0]], [[math.inf], [ULP]])
    assert (result.verdict, result.states) == ("agrees", 1)
    result = _compare([[7.0]], [[1.0]], [[math.nan]])
    assert result.verdict == "undecided"


def test_ill_conditioned_state_is_judged_but_not_shown() -> None:
    # the reference is 1e-9 where rounding alone makes 1e-16: half of the digits are gone
    good = _compare([[1e-9 + 1e-17], [1.0]], [[1e-9], [1.0]], [[2e-16], [ULP]])
    assert (good.verdict, good.states, good.ill_conditioned) == ("agrees", 2, 1)
    assert good.error_ulps == 0.0
    bad = _compare([[1e-9 + 1e-15], [1.0]], [[1e-9], [1.0]], [[2e-16], [ULP]])
    assert bad.verdict == "differs"


def test_exact_zero_has_to_be_met_exactly_where_nothing_is_rounded() -> None:
    assert _compare([[0.0, 0.0]], [[0.0, 0.0]], [[0.0, 0.0]]).verdict == "agrees"
    assert _compare([[-0.0, 0.0]], [[0.0, 0.0]], [[0.0, 0.0]]).verdict == "agrees"
    assert _compare([[1e-300, 0.0]], [[0.0, 0.0]], [[0.0, 0.0]]).verdict == "differs"


def test_low_parts_count_for_a_road_in_multiple_precision() -> None:
    reference = Reference(np.array([[1.0]]), np.array([[1e-20]]), np.array([[1e-28]]), ["random"])
    same = Answer(np.array([[1.0]]), np.array([[1e-20]]))
    assert compare("f", "r", same, reference).verdict == "agrees"
    other = Answer(np.array([[1.0]]), np.array([[2e-20]]))
    assert compare("f", "r", other, reference).verdict == "differs"


def test_wrong_number_of_entries_fails() -> None:
    result = _compare([[1.0, 2.0]], [[1.0]], [[1.0]])
    assert result.verdict == "failed"


def test_rounding_of_the_reference_is_no_difference() -> None:
    # an entry that is zero by structure on one road and 1e-50 in 50 digits on the other
    high = np.array([[2.0, -1.5e-50]])
    exact = Reference(high, np.zeros_like(high), np.array([[1e-15, 0.0]]), ["random"])
    assert compare("f", "road", Answer(np.array([[2.0, 0.0]])), exact).verdict == "agrees"
    assert compare("f", "road", Answer(np.array([[2.0, 1e-20]])), exact).verdict == "differs"


def test_the_state_of_the_largest_error_is_named() -> None:
    found = _compare([[1.0], [1.0 + 2 * ULP], [1.0 + ULP]], [[1.0]] * 3, [[8 * ULP]] * 3)
    assert found.worst_state == "state 1 (random)"
    assert _compare([[1.0]], [[1.0]], [[ULP]]).worst_state == ""
