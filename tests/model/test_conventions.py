"""Orders and reference points of inertial parameters: round trips, and pinocchio as the judge."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError, SizeError
from symdyn.model.conventions import ORDERS, from_order, phi_from_urdf, to_order, urdf_from_phi
from symdyn.model.robot import PARAMETER_NAMES
from symdyn.spatial.inertia import move_phi, phi_from_central
from tests.oracles import need
from tests.robots import random_phi, rational_rotation, small


@given(st.sampled_from(sorted(ORDERS)), st.integers(1, 3))
def test_orders_are_permutations_with_inverse(order: str, bodies: int) -> None:
    numbers = list(range(10 * bodies))
    there = to_order(numbers, order)
    assert sorted(there) == numbers
    assert from_order(there, order) == numbers
    assert to_order(from_order(numbers, order), order) == numbers


@pytest.mark.parametrize(
    ("order", "names"),
    [
        ("paper", "m h1 h2 h3 I11 I22 I33 I12 I23 I13"),
        ("rows", "m h1 h2 h3 I11 I12 I13 I22 I23 I33"),
        ("pinocchio", "m h1 h2 h3 I11 I12 I22 I13 I23 I33"),
        ("symoro", "I11 I12 I13 I22 I23 I33 h1 h2 h3 m"),
    ],
)
def test_each_order_names_its_entries(order: str, names: str) -> None:
    assert to_order([*PARAMETER_NAMES], order) == names.split()


@given(st.integers(0, 10**6))
def test_urdf_numbers_round_trip_exactly(seed: int) -> None:
    phi = random_phi(random.Random(seed))
    mass, com, inertia = urdf_from_phi(phi)
    assert list(phi_from_urdf(mass, com, inertia)) == phi
    # the tensor about the centre of mass is the smallest: its trace misses 2 m |c|^2
    square = sum(c * c for c in com)
    assert phi[4] + phi[5] + phi[6] - (inertia[0] + inertia[3] + inertia[5]) == 2 * mass * square


@given(st.integers(0, 10**6))
def test_pinocchio_reads_its_order_from_us(seed: int) -> None:
    pinocchio = need("pinocchio")
    import numpy as np

    phi = random_phi(random.Random(seed))
    mass, com, (xx, xy, xz, yy, yz, zz) = urdf_from_phi(phi)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=float)
    theirs = pinocchio.Inertia(float(mass), np.array(com, dtype=float), tensor)
    ours = np.array([float(v) for v in to_order(phi, "pinocchio")])
    np.testing.assert_allclose(theirs.toDynamicParameters(), ours, rtol=1e-13, atol=1e-14)


@given(st.integers(0, 10**6))
def test_pinocchio_moves_inertias_as_we_do(seed: int) -> None:
    pinocchio = need("pinocchio")
    import numpy as np

    rng = random.Random(seed)
    phi = random_phi(rng)
    rows = rational_rotation(rng)
    R = (tuple(rows[0]), tuple(rows[1]), tuple(rows[2]))
    p = (small(rng), small(rng), small(rng))
    mine = move_phi(R, p, tuple(phi))
    pose = pinocchio.SE3(np.array(rows, dtype=float), np.array(p, dtype=float))
    theirs = pose.act(
        pinocchio.Inertia.FromDynamicParameters(
            np.array([float(v) for v in to_order(phi, "pinocchio")])
        )
    )
    back = from_order(list(theirs.toDynamicParameters()), "pinocchio")
    np.testing.assert_allclose(back, [float(v) for v in mine], rtol=1e-12, atol=1e-12)


def test_turned_inertial_frames_are_the_tensor_turned() -> None:
    quarter = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
    R = tuple(tuple(Fraction(v) for v in row) for row in quarter)
    one = Fraction(1)
    six = (one, 2 * one, 3 * one, one / 10, one / 5, one / 4)
    phi = phi_from_central(one, (0 * one, 0 * one, 0 * one), six, R)
    assert phi[4:] == (2, 1, 3, -one / 10, one / 4, -one / 5)


def test_wrong_lengths_and_orders_are_named() -> None:
    with pytest.raises(SizeError, match="has 11 entries; expected 20"):
        to_order([0.0] * 11, "paper")
    with pytest.raises(InputError, match="unknown order 'drake'; expected one of paper, rows"):
        from_order([0.0] * 10, "drake")
