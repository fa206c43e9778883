"""How wrong the observer may be: the loop at rest by its eigenvalues, and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn.friction.lugre import LUGRE as LUGRE_LAW
from symdyn.simulate.joint import joint_system
from symdyn.simulate.march import Prepared
from symdyn.simulate.observer import OBSERVER, with_hats
from symdyn.simulate.robustness import compensated_servo
from symdyn.simulate.robustness_bounds import (
    bounds,
    is_rest_stable,
    linear_bounds,
    simulated_bound,
)
from symdyn.simulate.stability import jacobian
from tests.oracles import need_program
from tests.simulate.values import LUGRE, SERVO

GAINS = {"Kp": 3.0, "k": 20.0}
FACTOR = st.floats(0.1, 3.0)


@given(Kv=st.floats(1, 400), sigma0=FACTOR, sigma1=FACTOR, sigma2=FACTOR, Fc=FACTOR)
def test_the_loop_at_rest_is_stable_as_its_eigenvalues_say(
    Kv: float, sigma0: float, sigma1: float, sigma2: float, Fc: float
) -> None:
    hats = with_hats(LUGRE)
    for name, factor in (("sigma0", sigma0), ("sigma1", sigma1), ("sigma2", sigma2), ("Fc", Fc)):
        hats[f"{name}_hat"] *= factor
    values = {**SERVO, **hats, **GAINS, "Kv": Kv, "target": 0.0}
    matrix = jacobian(joint_system(LUGRE_LAW, OBSERVER), values, [0.0, 0.0, 0.0, 0.0])
    rates = np.linalg.eigvals(matrix)
    # one mode persists: bristles and joint may rest anywhere
    rates = np.delete(rates, np.argmin(np.abs(rates)))
    if np.abs(rates.real).min() > 1e-6 * np.abs(rates).max():
        assert is_rest_stable(values) == (rates.real.max() < 0)


@pytest.mark.parametrize("name", ["sigma0", "sigma1", "sigma2"])
@pytest.mark.parametrize("Kv", [110.0, 150.0, 300.0])
def test_linear_bounds_are_where_stability_ends(name: str, Kv: float) -> None:
    gains = {**GAINS, "Kv": Kv}

    def is_stable(factor: float) -> bool:
        hats = {**with_hats(LUGRE), f"{name}_hat": factor * LUGRE[name]}
        return is_rest_stable({**SERVO, **hats, **gains})

    below, above = linear_bounds(SERVO, gains, name)
    assert 0 <= below < 1 < above
    assert is_stable(above * (1 - 1e-9))
    assert not is_stable(above * (1 + 1e-9))
    if below:
        assert is_stable(below * (1 + 1e-9))
        assert not is_stable(below * (1 - 1e-9))
    else:
        assert all(is_stable(f) for f in np.linspace(1e-6, 1, 50))


def test_levels_have_no_linear_bound_and_weak_damping_none_at_all() -> None:
    assert linear_bounds(SERVO, {**GAINS, "Kv": 150.0}, "Fc") == (0.0, math.inf)
    assert all(map(math.isnan, linear_bounds(SERVO, {**GAINS, "Kv": 100.0}, "Fc")))
    # with a quick observer the condition is that of the strictly positive real loop
    quick = {"Kp": 3.0, "k": 1e9}
    hats = with_hats(LUGRE)
    assert not is_rest_stable({**SERVO, **hats, **quick, "Kv": 100.502})
    assert is_rest_stable({**SERVO, **hats, **quick, "Kv": 100.503})


@pytest.fixture(scope="module")
def observer() -> Prepared:
    need_program("gcc")
    return compensated_servo()


def test_simulated_bounds_of_stiffness_and_levels(observer: Prepared) -> None:
    told: list[tuple[int, int]] = []
    stiff, level = bounds(
        observer, SERVO, GAINS, ["sigma0", "Fs"], [150.0],
        done=lambda n, count: told.append((n, count)),
    )  # fmt: skip
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert (stiff.below, level.below) == (0.0, 0.0)
    assert stiff.linear_above == pytest.approx(1.0582, abs=1e-4)
    assert stiff.above == pytest.approx(stiff.linear_above, rel=0.02)
    # large motions bound what small ones do not
    assert level.linear_above == math.inf
    assert level.above == pytest.approx(2.76, rel=0.03)


def test_no_bound_where_exact_parameters_do_not_converge(observer: Prepared) -> None:
    gains = {**GAINS, "Kv": 60.0}
    assert math.isnan(simulated_bound(observer, SERVO, gains, "Fc", 10.0))


@pytest.mark.slow
def test_simulated_bounds_of_damping_are_the_linear_ones(observer: Prepared) -> None:
    for found in bounds(observer, SERVO, GAINS, ["sigma1"], [110.0, 150.0, 300.0]):
        assert found.below == pytest.approx(found.linear_below, rel=0.05)
        assert found.above == pytest.approx(found.linear_above, rel=0.05)
