from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from symdyn.algebra.mp import MpAlgebra
from symdyn.crosscheck.conventions import (
    columns_from_pinocchio,
    columns_to_pinocchio,
    mass_properties,
    mimic_map,
    momentum_selection,
    pinocchio_configuration,
    principal_inertia,
    quaternion_wxyz,
    spatial_inertia,
)
from symdyn.model.robot import PARAMETER_NAMES, JointKind
from tests.robots import random_phi, random_robot, rational_rotation

MP = MpAlgebra(40)
OURS = [f"{p}.{k}" for p in "AB" for k in PARAMETER_NAMES]
PINOCCHIO = ["m", "h1", "h2", "h3", "I11", "I12", "I22", "I13", "I23", "I33"]


def _matrix_of(quaternion: tuple[float, ...]) -> np.ndarray:
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def test_columns_go_to_pinocchio_and_back() -> None:
    there = [OURS[k] for k in columns_to_pinocchio(2)]
    assert there == [f"{p}.{k}" for p in "AB" for k in PINOCCHIO]
    back = [there[k] for k in columns_from_pinocchio(2)]
    assert back == OURS


def test_continuous_joints_become_cosine_and_sine() -> None:
    q = pinocchio_configuration(np.array([0.5, 0.6, 0.7]), [False, True, False])
    np.testing.assert_array_equal(q, [0.5, math.cos(0.6), math.sin(0.6), 0.7])


def test_mimic_map_gives_every_joint_position() -> None:
    robot = random_robot(11, 6, kinds=(JointKind.REVOLUTE,), mimic=True)
    assert robot.n < robot.n_bodies
    T, b = mimic_map(robot)
    q = np.arange(1.0, robot.n + 1)
    for i, joint in enumerate(robot.joints):
        k, o = joint.multiplier.rational, joint.offset.rational
        assert k is not None
        assert o is not None
        assert (T @ q + b)[i] == pytest.approx(float(k) * q[joint.coordinate] + float(o))


@pytest.mark.parametrize("seed", range(12))
def test_quaternion_of_a_rotation_gives_it_back(seed: int) -> None:
    rows = rational_rotation(random.Random(seed))
    quaternion = quaternion_wxyz(MP, [[MP.const(x) for x in row] for row in rows])
    numbers = tuple(float(x) for x in quaternion)
    assert numbers[0] >= 0
    wanted = np.array([[float(x) for x in row] for row in rows])
    np.testing.assert_allclose(_matrix_of(numbers), wanted, atol=3e-16)


@pytest.mark.parametrize("axis", range(3))
def test_quaternion_of_a_half_turn_is_exact(axis: int) -> None:
    rows = [
        [MP.const((1 if i == axis else -1) if i == j else 0) for j in range(3)] for i in range(3)
    ]
    wanted = [0.0] * 4
    wanted[1 + axis] = 1.0
    assert [float(x) for x in quaternion_wxyz(MP, rows)] == wanted


@pytest.mark.parametrize("seed", range(6))
def test_principal_inertia_gives_the_tensor_back(seed: int) -> None:
    phi = [float(x) for x in random_phi(random.Random(seed))]
    mass, centre, moments, turn = principal_inertia(MP, phi)
    m, c, six = mass_properties(MP, phi)
    assert (mass, centre) == (m, c)
    R = _matrix_of(turn)
    i11, i22, i33, i12, i23, i13 = six
    tensor = np.array([[i11, i12, i13], [i12, i22, i23], [i13, i23, i33]])
    np.testing.assert_allclose(R @ np.diag(moments) @ R.T, tensor, atol=4e-16 * max(moments))
    assert np.linalg.det(R) == pytest.approx(1.0)


def test_mass_properties_survive_a_frame_far_from_the_body() -> None:
    # Steiner's term is 1e16 times the tensor: doubles alone would give nothing
    tiny, far = Fraction(1, 10**10), Fraction(1000)
    m = Fraction(1)
    phi = [m, m * far, 0, 0, tiny, tiny + m * far**2, tiny + m * far**2, 0, 0, 0]
    _, _, six = mass_properties(MP, [float(x) for x in phi])
    # what the doubles that were given hold, not what was meant
    given = Fraction(float(tiny + m * far**2)) - far**2
    assert six[1] == float(given)


def test_massless_body_has_its_centre_at_the_origin() -> None:
    assert mass_properties(MP, [0.0] * 4 + [1.0, 2.0, 3.0, 0.0, 0.0, 0.0])[:2] == (
        0.0,
        (0.0, 0.0, 0.0),
    )


def test_spatial_inertia_gives_momentum_of_particles() -> None:
    rng = np.random.default_rng(5)
    masses, places = rng.uniform(0.1, 1, 5), rng.uniform(-1, 1, (5, 3))
    v, w = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)
    moving = [v + np.cross(w, x) for x in places]
    p = sum(m * u for m, u in zip(masses, moving, strict=True))
    ell = sum(m * np.cross(x, u) for m, x, u in zip(masses, places, moving, strict=True))
    tensor = sum(
        m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, places, strict=True)
    )
    h = masses @ places
    i = tensor
    phi = np.array([masses.sum(), *h, i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[1, 2], i[0, 2]])
    np.testing.assert_allclose(spatial_inertia(phi) @ [*v, *w], [*p, *ell], rtol=1e-12)


def test_momentum_selection_takes_moments_of_particles() -> None:
    rng = np.random.default_rng(6)
    x, v = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)
    psi = [*v, *(x[j] * v[i] for i in range(3) for j in range(3))]
    np.testing.assert_allclose(momentum_selection() @ psi, [*v, *np.cross(x, v)], rtol=1e-14)
