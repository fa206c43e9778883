"""The particle oracle itself: two roads agree, and the reference arms come out."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from mpmath import mpf

from tests.particles import (
    DIGITS,
    ReferenceArm,
    exact,
    moments,
    random_arm,
    random_state,
    reference_arms,
    torques,
    torques_by_forces,
)

REFERENCES = reference_arms()
# the stored numbers are doubles
PRINTED = 1e-13
# central differences of 100 digits at steps of 1e-25
DIFFERENCES = 1e-40


def _flat(values: object) -> list[float]:
    if isinstance(values, list):
        return [x for value in values for x in _flat(value)]
    return [float(values)]  # type: ignore[arg-type]  # a number


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda r: r.name)
def test_torques_of_the_reference_arms(reference: ReferenceArm) -> None:
    found = [float(x) for x in torques(reference.arm, reference.state)]
    assert found == pytest.approx(reference.values["tau"], rel=PRINTED, abs=0)


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda r: r.name)
def test_moments_of_the_reference_arms(reference: ReferenceArm) -> None:
    found = moments(reference.arm, reference.state.t)
    pairs = {
        "Theta": found.theta,
        "Thetadot": found.theta_dot,
        "nu": found.nu,
        "psi": found.psi,
        "psidot": found.psi_dot,
        "mu": found.mu,
    }
    for name, values in pairs.items():
        assert _flat(values) == pytest.approx(
            _flat(reference.values[name]), rel=PRINTED, abs=1e-16
        ), name


@pytest.mark.parametrize("seed", range(3))
def test_euler_lagrange_and_dalembert_agree_on_random_trees(seed: int) -> None:
    arm = random_arm(seed, 2 + seed % 3, tree=True)
    state = random_state(seed, arm.n)
    for a, b in zip(torques(arm, state), torques_by_forces(arm, state), strict=True):
        assert abs(a - b) < mpf(DIFFERENCES) * (1 + abs(b))


def test_rates_of_the_moments_are_differences_of_the_moments() -> None:
    arm = random_arm(5, 2)
    t, h = Fraction(1, 3), Fraction(1, 10**25)
    here, ahead, back = moments(arm, t), moments(arm, t + h), moments(arm, t - h)
    with mpmath.workdps(DIGITS):
        for name in ("theta", "psi", "mu"):
            for body in range(arm.n):
                rates = getattr(here, f"{name}_dot")[body]
                high, low = getattr(ahead, name)[body], getattr(back, name)[body]
                for rate, a, b in zip(rates, high, low, strict=True):
                    assert abs(rate - (a - b) / (2 * exact(h))) < DIFFERENCES
