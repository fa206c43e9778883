"""Rounded rotations made exact: orthonormal to the last digit, and where they were."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.io.exact_rotation import (
    Quaternion,
    quaternion_of_rotation,
    rotation_of_quaternion,
)
from symdyn.model.robot import Mat3T


def exactly(*parts: float) -> Quaternion:
    w, x, y, z = (Fraction(part) for part in parts)
    return (w, x, y, z)


def doubles(R: Mat3T) -> list[list[float]]:
    return [lift(row, FLOAT64) for row in R]


part = st.floats(min_value=-1, max_value=1, width=64)


@given(part, part, part, part)
def test_a_general_quaternion_is_exactly_orthonormal(
    w: float, x: float, y: float, z: float
) -> None:
    if w * w + x * x + y * y + z * z < 1e-6:
        return
    R = rotation_of_quaternion(exactly(w, x, y, z))
    entries = [[e.rational for e in row] for row in R]
    if all(e is not None for row in entries for e in row):
        gram = [[sum(a * b for a, b in zip(r, s, strict=True)) for s in entries] for r in entries]
        assert gram == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    back = [float(v) for v in quaternion_of_rotation(doubles(R))]
    length = math.sqrt(w * w + x * x + y * y + z * z)
    sign = math.copysign(1, sum(a * b for a, b in zip(back, (w, x, y, z), strict=True)))
    assert_allclose([sign * v * length for v in back], [w, x, y, z], atol=1e-14)


def test_the_rotations_of_a_cube_are_integer_matrices() -> None:
    seen: set[tuple[Fraction | None, ...]] = set()
    half = math.sqrt(0.5)
    for parts in itertools.product((0.0, 0.5, -0.5, half, -half, 1.0, -1.0), repeat=4):
        if abs(sum(p * p for p in parts) - 1) > 1e-12 or len({abs(p) for p in parts if p}) > 1:
            continue
        noisy = exactly(*(p * (1 + 1e-16) for p in parts))
        seen.add(tuple(e.rational for row in rotation_of_quaternion(noisy) for e in row))
    assert len(seen) == 24
    assert all(e in (-1, 0, 1) for matrix in seen for e in matrix)


@pytest.mark.parametrize("twelfths", [1, 2, 3, 4, 5, 7, -1, -2, -3, 23])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_turns_by_multiples_of_15_degrees_stay_angles(twelfths: int, axis: int) -> None:
    angle = twelfths * math.pi / 12
    parts = [math.cos(angle / 2), 0.0, 0.0, 0.0]
    parts[axis + 1] = math.sin(angle / 2)
    R = rotation_of_quaternion(exactly(*parts))
    assert {e.op for row in R for e in row if e.rational is None} <= {"cos", "sin", "neg"}
    i, j = [k for k in range(3) if k != axis]
    assert doubles(R)[axis][axis] == 1
    assert_allclose(doubles(R)[i][i], math.cos(angle), atol=1e-15)
    assert_allclose(doubles(R)[j][i], math.sin(angle) * (-1 if axis == 1 else 1), atol=1e-15)


@given(part, part, part, part)
def test_length_and_sign_do_not_matter(w: float, x: float, y: float, z: float) -> None:
    if w * w + x * x + y * y + z * z < 1e-6:
        return
    one = doubles(rotation_of_quaternion(exactly(w, x, y, z)))
    other = doubles(rotation_of_quaternion(exactly(-3 * w, -3 * x, -3 * y, -3 * z)))
    assert_allclose(other, one, atol=1e-14)


def test_the_zero_quaternion_is_refused() -> None:
    with pytest.raises(ValueError, match="no rotation"):
        rotation_of_quaternion(exactly(0, 0, 0, 0))
