"""Three conventions for twists give the same numbers, and those of the recursions."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.dynamics.stacked import TwistConvention, stacked_mass_matrix, stacked_momentum
from symdyn.model.over import over
from symdyn.recipes import theta_terms
from tests.robots import random_robot

TOLERANCE = 1e-11


@pytest.mark.parametrize("convention", ["body", "hybrid", "mixed"])
@given(seed=st.integers(0, 10**6))
def test_stacked_forms_equal_the_recursions(convention: TwistConvention, seed: int) -> None:
    rng = random.Random(seed)
    robot = random_robot(seed, mimic=True)
    model = over(robot, FLOAT64)
    theta = lift(theta_terms(robot), FLOAT64)
    q = [rng.uniform(-3, 3) for _ in range(robot.n)]
    psi = [rng.uniform(-2, 2) for _ in range(12 * robot.n_bodies)]
    zero = [0.0] * len(theta)
    armature = np.array(dynamics.mass_matrix(model, q, zero))
    M = np.array(dynamics.mass_matrix(model, q, theta)) - armature
    slow = np.array(stacked_mass_matrix(model, q, theta, convention))
    assert np.abs(slow - M).max() <= TOLERANCE * max(1.0, np.abs(M).max())
    momentum = np.array(dynamics.momentum_map(model, q)) @ psi
    found = np.array(stacked_momentum(model, q, psi, convention))
    assert np.abs(found - momentum).max() <= TOLERANCE * max(1.0, np.abs(momentum).max())
