"""Echelon forms against exact ones of SymPy, and what happens where digits run out."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from symdyn.algebra.echelon import Echelon, PrecisionError

BITS = 384
small = st.integers(-4, 4)


def matrices() -> st.SearchStrategy[list[list[int]]]:
    """Products of thin matrices: their ranks are below their sizes."""
    return st.tuples(st.integers(1, 5), st.integers(1, 6), st.integers(0, 3)).flatmap(
        lambda size: st.tuples(
            st.lists(st.lists(small, min_size=size[2], max_size=size[2]), min_size=1, max_size=6),
            st.lists(
                st.lists(small, min_size=size[1], max_size=size[1]),
                min_size=size[2],
                max_size=size[2],
            ),
            st.just(size[1]),
        ).map(
            lambda parts: [
                [sum(a * b[k] for a, b in zip(row, parts[1], strict=True)) for k in range(parts[2])]
                for row in parts[0]
            ]
        )
    )


@given(matrices(), st.integers(-40, 40))
def test_leading_columns_and_combinations_are_those_of_the_exact_form(
    matrix: list[list[int]], unit: int
) -> None:
    echelon = Echelon(BITS)
    # thirds have no finite binary form, so that there is rounding to be told from zero
    scale = (1 << (BITS + unit)) // 3
    added = [echelon.insert([x * scale for x in row]) for row in matrix]
    exact, leading = sympy.Matrix(matrix).rref()
    assert sorted(echelon.rows) == list(leading)
    assert sum(added) == len(leading)
    assert echelon.largest < 1e-80
    for column in range(len(matrix[0])):
        found = echelon.combination(column)
        for k, lead in enumerate(leading):
            want = sympy.Rational(exact[k, column])
            assert abs(sympy.Rational(found.get(lead, 0), 1 << BITS) - want) < sympy.Rational(
                1, 10**80
            )


def test_a_small_difference_counts_and_one_at_the_edge_is_refused() -> None:
    one = 1 << BITS

    def second(difference: int) -> Echelon:
        echelon = Echelon(BITS)
        assert echelon.insert([one, one, 0])
        echelon.insert([one, one + difference, 0])
        return echelon

    assert sorted(second(one >> 100).rows) == [0, 1]
    assert second(one >> 100).smallest == pytest.approx(2.0**-101)
    assert sorted(second(one >> 300).rows) == [0]
    assert second(one >> 300).largest == pytest.approx(2.0**-301)
    with pytest.raises(PrecisionError, match="2\\^-20"):
        second(one >> 200)
