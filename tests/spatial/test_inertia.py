"""Maps of the ten inertial parameters against clouds of particles, in exact arithmetic."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import TERMS, number
from symdyn.spatial.inertia import (
    Phi,
    add_phi,
    as_phi,
    central_from_phi,
    inertia_about,
    move_phi,
    parallel_axis,
    phi_from_central,
    phi_from_pseudo_inertia,
    pseudo_inertia,
    rotate_phi,
    shift_phi,
    zero_phi,
)
from symdyn.spatial.rotation import (
    compose,
    identity,
    rotation_about,
    rotation_x,
    rotation_y,
    rotation_z,
    rpy_matrix,
    transpose,
)
from symdyn.spatial.vector import Mat3, Vec3, add, apply, multiply, scale
from tests.robots import random_phi, rational_rotation, small

Q = Fraction
SEEDS = range(12)


def vector(rng: random.Random) -> Vec3[Fraction]:
    return (small(rng), small(rng), small(rng))


def turn(rng: random.Random) -> Mat3[Fraction]:
    rows = [(row[0], row[1], row[2]) for row in rational_rotation(rng)]
    return (rows[0], rows[1], rows[2])


def cloud(points: list[tuple[Fraction, Vec3[Fraction]]]) -> Phi[Fraction]:
    """Phi of particles, from the definition I = sum m (|x|^2 1 - x x^T)."""
    m = sum((w for w, _ in points), Q(0))
    h = [sum((w * x[i] for w, x in points), Q(0)) for i in range(3)]

    def entry(i: int, j: int) -> Fraction:
        return sum(
            (w * ((sum(c * c for c in x) if i == j else 0) - x[i] * x[j]) for w, x in points), Q(0)
        )

    diagonal = [entry(i, i) for i in range(3)]
    return as_phi([m, *h, *diagonal, entry(0, 1), entry(1, 2), entry(0, 2)])


def particles(rng: random.Random) -> list[tuple[Fraction, Vec3[Fraction]]]:
    return [(Q(rng.randint(1, 9), 4), vector(rng)) for _ in range(5)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_body_seen_from_another_frame(seed: int) -> None:
    rng = random.Random(seed)
    points, R, p = particles(rng), turn(rng), vector(rng)
    phi = cloud(points)
    assert rotate_phi(R, phi) == cloud([(w, apply(R, x)) for w, x in points])
    assert shift_phi(p, phi) == cloud([(w, add(x, p)) for w, x in points])
    assert move_phi(R, p, phi) == cloud([(w, add(apply(R, x), p)) for w, x in points])


@pytest.mark.parametrize("seed", SEEDS)
def test_moving_twice_is_moving_by_the_product(seed: int) -> None:
    rng = random.Random(seed)
    phi = as_phi(random_phi(rng))
    outer, inner = (turn(rng), vector(rng)), (turn(rng), vector(rng))
    both = compose(outer, inner)
    assert move_phi(*outer, move_phi(*inner, phi)) == move_phi(*both, phi)


@pytest.mark.parametrize("seed", SEEDS)
def test_centre_of_mass_and_origin_round_trip(seed: int) -> None:
    rng = random.Random(seed)
    points = particles(rng)
    phi = cloud(points)
    m, com, six = central_from_phi(phi)
    assert com == scale(1 / m, (phi[1], phi[2], phi[3]))
    centred = [(w, (x[0] - com[0], x[1] - com[1], x[2] - com[2])) for w, x in points]
    assert (m, Q(0), Q(0), Q(0), *six) == cloud(centred)
    assert phi_from_central(m, com, six) == phi
    # the same tensor stated in turned axes
    R = turn(rng)
    stated = rotate_phi(transpose(R), as_phi([m, Q(0), Q(0), Q(0), *six]))[4:]
    assert phi_from_central(m, com, stated, R) == phi


@pytest.mark.parametrize("seed", SEEDS)
def test_pseudo_inertia_is_the_second_moment_of_x_y_z_1(seed: int) -> None:
    rng = random.Random(seed)
    points = particles(rng)
    phi = cloud(points)
    P = pseudo_inertia(_Rationals(), phi)
    homogeneous = [(w, (*x, Q(1))) for w, x in points]
    want = [
        [sum((w * x[i] * x[j] for w, x in homogeneous), Q(0)) for j in range(4)] for i in range(4)
    ]
    assert want == P
    assert phi_from_pseudo_inertia(P) == phi


@pytest.mark.parametrize("seed", SEEDS)
def test_moment_about_an_axis_is_mass_times_distance_squared(seed: int) -> None:
    rng = random.Random(seed)
    axis = apply(turn(rng), (Q(1), Q(0), Q(0)))
    points = particles(rng)
    want = sum(
        (
            w * (sum(c * c for c in x) - sum(a * c for a, c in zip(axis, x, strict=True)) ** 2)
            for w, x in points
        ),
        Q(0),
    )
    assert inertia_about(axis, cloud(points)[4:]) == want


def test_joined_bodies_add_up_and_nothing_is_neutral() -> None:
    rng = random.Random(1)
    a, b = particles(rng), particles(rng)
    assert add_phi(cloud(a), cloud(b)) == cloud([*a, *b])
    assert add_phi(cloud(a), zero_phi(_Rationals())) == cloud(a)
    assert parallel_axis(Q(2), (Q(1), Q(0), Q(0))) == (0, 2, 2, 0, 0, 0)


class _Rationals:
    """As much of an algebra as constants need."""

    name = "rational"

    def const(self, value: Fraction | int, /) -> Fraction:
        return Fraction(value)


# -- rotations ------------------------------------------------------------------------------------


def test_elementary_turns_are_right_handed() -> None:
    quarter = (Q(0), Q(1))
    x, y, z = ((Q(1), Q(0), Q(0)), (Q(0), Q(1), Q(0)), (Q(0), Q(0), Q(1)))
    A = _Rationals()
    assert apply(rotation_x(A, *quarter), y) == z
    assert apply(rotation_y(A, *quarter), z) == x
    assert apply(rotation_z(A, *quarter), x) == y


@pytest.mark.parametrize("seed", SEEDS)
def test_rodrigues_keeps_the_axis_and_equals_the_elementary_turns(seed: int) -> None:
    rng = random.Random(seed)
    A = _Rationals()
    t = small(rng)
    c, s = (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)
    R = turn(rng)
    axis = apply(R, (Q(0), Q(0), Q(1)))
    got = rotation_about(A, axis, c, s)
    assert apply(got, axis) == axis
    assert got == multiply(multiply(R, rotation_z(A, c, s)), transpose(R))
    assert multiply(got, transpose(got)) == identity(A)


def test_rpy_turns_about_fixed_axes_in_the_order_x_y_z() -> None:
    # roll by a quarter turn brings y to z, the yaw that follows leaves z alone
    half = number(Fraction(1, 2)) * TERMS.pi()
    zero = number(0)
    R = rpy_matrix(TERMS, half, zero, half)
    assert [c.rational for c in (R[0][1], R[1][1], R[2][1])] == [0, 0, 1]
    # the rotation of the inner axes would have brought it to x
    R = rpy_matrix(FLOAT64, 0.3, -0.4, 0.5)
    assert R[2][0] == pytest.approx(0.3894183423086505)  # -sin(pitch)
