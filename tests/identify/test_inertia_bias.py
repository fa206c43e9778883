"""The bias that an unmodelled bend puts on an inertia: the documented samples, and converged."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.integrate import quad

from symdyn._errors import InputError
from symdyn.friction.stribeck import STRIBECK
from symdyn.identify.inertia_bias import Trajectory, inertia_bias
from tests.identify.sweeps import TRUE


@pytest.mark.parametrize(
    ("peak", "sampled", "converged"),
    [
        (0.05, 0.19480, 0.278675044367704),
        (0.2, 0.91835, 0.936796815354983),
        (1.0, 0.00837, 0.00927798324003138),
    ],
)
def test_reference_biases(peak: float, sampled: float, converged: float) -> None:
    """Sampled 2000 times a period, and integrals (30 digits, Gauss-Legendre on other panels)."""
    assert inertia_bias(STRIBECK, TRUE, peak, samples=2000).inertia == pytest.approx(
        sampled, abs=1e-5
    )
    assert inertia_bias(STRIBECK, TRUE, peak).inertia == pytest.approx(converged, abs=1e-10)


def test_estimate_at_the_reference_speed() -> None:
    found = inertia_bias(STRIBECK, TRUE, 0.2, samples=2000)
    assert found.estimates["J"] == pytest.approx(0.95918, abs=1e-5)
    assert found.gravity == pytest.approx(0.0130, abs=1e-4)


@pytest.mark.parametrize("peak", [0.05, 0.2, 1.0])
@pytest.mark.parametrize("samples", [0, 2000])
def test_with_the_column_of_the_bend_the_fit_is_exact(peak: float, samples: int) -> None:
    found = inertia_bias(STRIBECK, TRUE, peak, samples=samples, modelled=True)
    assert abs(found.inertia) < 1e-10
    assert abs(found.gravity) < 1e-10
    for name in ("Fc", "Fs", "b"):
        assert found.estimates[name] == pytest.approx(TRUE[name], abs=1e-10)


@pytest.mark.parametrize("peak", [0.02, 0.05, 0.2, 1.0])
def test_the_bend_is_not_correlated_with_the_acceleration(peak: float) -> None:
    """It is a function of the velocity: its integral over a closed path of velocities is zero."""
    found = inertia_bias(STRIBECK, TRUE, peak)
    assert abs(found.correlation) < 1e-13
    assert abs(found.partial) > 1e-4
    assert np.sign(found.partial) == np.sign(found.inertia)


def test_no_speed_bounds_the_bias_and_its_sign_changes() -> None:
    biases = [inertia_bias(STRIBECK, TRUE, peak).inertia for peak in (0.01, 0.02, 0.08, 0.2)]
    assert biases[0] > 20
    assert biases[1] < -100
    assert biases[2] > biases[3]


def test_integrals_are_those_of_another_program() -> None:
    """Mean of friction times acceleration and of friction times sin q over a period."""
    from symdyn.identify.inertia_bias import _bend, _quadrature

    path = Trajectory()
    w = path.frequency(0.2)
    x, weights = _quadrature(path, w, _bend(STRIBECK, TRUE))
    turns = path.turning_points()
    edges = np.append(turns, turns[0] + 2 * np.pi)

    def bend(v: np.ndarray) -> np.ndarray:
        return np.exp(-((v / TRUE["vs"]) ** 2)) * np.sign(v)

    for pick in (0, 2):

        def integrand(phase: float, pick: int = pick) -> float:
            at = path.at(np.array([phase]), w)
            return float(bend(at[1])[0] * np.sin(at[pick][0]))

        inner = [np.linspace(a, b, 60) for a, b in itertools.pairwise(edges)]
        total = sum(
            quad(integrand, a, b, epsabs=1e-13)[0]
            for points in inner
            for a, b in itertools.pairwise(points)
        )
        at = path.at(x, w)
        ours = float(weights @ (bend(at[1]) * np.sin(at[pick])))
        assert ours == pytest.approx(total / (2 * np.pi), abs=1e-11)
    assert np.sum(weights) == pytest.approx(1.0, abs=1e-14)


def test_peak_speed_is_reached_and_not_exceeded() -> None:
    path = Trajectory(amplitude=0.4, second=0.9, phase=2.0)
    x = np.linspace(0, 2 * np.pi, 200_001)
    assert np.max(np.abs(path.at(x, path.frequency(0.7))[1])) == pytest.approx(0.7, rel=1e-8)


@pytest.mark.parametrize(("peak", "samples"), [(0.0, 0), (-1.0, 0), (float("nan"), 0), (0.2, 3)])
def test_wrong_questions_are_refused(peak: float, samples: int) -> None:
    with pytest.raises(InputError):
        inertia_bias(STRIBECK, TRUE, peak, samples=samples)
