"""Stiffness from a slow loading: closed form, independent least squares, and errors as stated."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import least_squares, root

from symdyn._errors import InputError
from symdyn.friction.example import EXAMPLES
from symdyn.friction.lugre import LUGRE
from symdyn.identify.estimate import Estimate, by_name
from symdyn.identify.presliding import fit_presliding
from symdyn.simulate.drive import RAMP
from symdyn.simulate.joint import joint_system
from symdyn.simulate.march import prepare, walk
from symdyn.simulate.scheme import RK4

TRUE = EXAMPLES["lugre"]


def value(estimate: Estimate) -> float:
    assert estimate.value is not None, estimate
    return estimate.value


@pytest.mark.parametrize("known", [1.5, None])
def test_presliding_by_its_closed_form(known: float | None) -> None:
    F = np.linspace(0, 1.4, 100)
    q = 3e-5 - (1.5 / 1e4) * np.log1p(-F / 1.5)
    fit = fit_presliding(F, q, break_away=known)
    assert value(by_name(fit.estimates, "sigma0")) == pytest.approx(1e4, rel=1e-10)
    assert value(by_name(fit.estimates, "Fs")) == pytest.approx(1.5, rel=1e-10)
    assert value(by_name(fit.estimates, "origin")) == pytest.approx(3e-5, abs=1e-15)
    assert fit.curve([0.7])[0] == pytest.approx(3e-5 - 1.5e-4 * math.log1p(-0.7 / 1.5), rel=1e-10)
    back = fit_presliding(-F, -q, break_away=known)
    assert back.stiffness == pytest.approx(1e4, rel=1e-10)


def test_a_short_loading_tells_the_stiffness_but_not_break_away() -> None:
    rng = np.random.default_rng(7)
    F = np.linspace(0, 0.05, 200)
    q = -(1.5 / 1e4) * np.log1p(-F / 1.5) + 2e-7 * rng.normal(size=F.size)
    fit = fit_presliding(F, q)
    assert not by_name(fit.estimates, "Fs").is_identified
    assert value(by_name(fit.estimates, "sigma0")) == pytest.approx(1e4, rel=0.2)


def test_a_slow_ramp_of_a_simulated_joint_is_close() -> None:
    """0.1 N m/s up to 0.95 Fs: rate effects leave a few parts in a thousand."""
    joint = prepare(joint_system(LUGRE, RAMP), RK4)
    values = {**TRUE, "J": 1.0, "ramp": 0.1}
    run = walk(joint, values, joint.system.start(), 14.25, 1.25e-3, every=60)
    fit = fit_presliding(0.1 * run.times, run.states[:, 0], break_away=TRUE["Fs"])
    assert fit.stiffness == pytest.approx(1e4, rel=5e-3)


def test_the_best_fit_of_a_loading_is_given_with_sound_errors() -> None:
    """Stiffness open or not: chi-squared over repetitions, and no other start fits better."""
    rng = np.random.default_rng(21)
    F, noise = np.linspace(0, 1.35, 60), 1e-6
    q = -(1.5 / 1e4) * np.log1p(-F / 1.5)
    runs, scores = 200, []
    for run in range(runs):
        noisy = q + noise * rng.normal(size=F.size)
        fit = fit_presliding(F, noisy)
        for name, true in {"sigma0": 1e4, "Fs": 1.5, "origin": 0.0}.items():
            estimate = by_name(fit.estimates, name)
            scores.append((value(estimate) - true) / (estimate.sd or 1))
        if run:
            continue
        # SciPy, then a zero of the gradient: its steps end where the sum of squares is flat
        scale = np.array([1e-4, 1e-5, 1.5])

        def residuals(x: np.ndarray, data: np.ndarray = noisy, scale: np.ndarray = scale):
            c, origin, Fs = x * scale
            return data - origin + c * Fs * np.log1p(-F / Fs)

        def slopes(x: np.ndarray, data: np.ndarray = noisy, scale: np.ndarray = scale):
            c, _, Fs = x * scale
            by_Fs = c * (np.log1p(-F / Fs) + F / (Fs - F))
            return np.column_stack((Fs * np.log1p(-F / Fs), -np.ones_like(F), by_Fs)) * scale

        other = least_squares(residuals, [1.1, 0.0, 1.02], jac=slopes, xtol=1e-15, ftol=1e-15)
        exact = root(lambda x: slopes(x).T @ residuals(x) * 1e10, other.x, tol=1e-14)
        c, origin, Fs = exact.x * scale
        assert 1 / fit.stiffness == pytest.approx(c, rel=1e-9)
        assert fit.break_away == pytest.approx(Fs, rel=1e-9)
        assert fit.origin == pytest.approx(origin, abs=1e-14)
    assert 1 - 4 / math.sqrt(6 * runs) < np.std(scores) < 1 + 4 / math.sqrt(6 * runs)


def test_a_spring_is_the_best_fit_of_a_straight_line() -> None:
    F = np.linspace(0, 1, 30)
    fit = fit_presliding(F, F / 1e4)
    assert np.max(np.abs(fit.residuals)) < 1e-18
    assert value(by_name(fit.estimates, "sigma0")) == pytest.approx(1e4, rel=1e-12)
    assert not by_name(fit.estimates, "Fs").is_identified


@pytest.mark.parametrize(
    ("q", "message"),
    [(0.0, "does not follow the torque"), (1e250, "too large"), (1e-310, "too small")],
)
def test_a_loading_without_a_stiffness_is_one_clear_error(q: float, message: str) -> None:
    F = np.linspace(0, 1, 30)
    with pytest.raises(InputError, match=message):
        fit_presliding(F, q * F)


def test_a_joint_that_moves_against_the_torque_has_no_stiffness() -> None:
    F = np.linspace(0, 1, 30)
    assert "against" in by_name(fit_presliding(F, -F).estimates, "sigma0").note
