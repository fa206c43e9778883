"""LuGre linearised and bounded, against integration of the law itself and dual numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError
from symdyn.algebra.dual import Dual, DualAlgebra
from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis.lugre import (
    deflection_bound,
    drift_per_cycle,
    lag_loop,
    presliding,
    stick_mode,
)
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES

LAW = LAWS["lugre"]
P2 = EXAMPLES["lugre"]


def test_the_stick_mode_of_the_example() -> None:
    mode = stick_mode(P2, 1.0)
    assert mode.frequency == pytest.approx(100.0, rel=1e-12)
    assert mode.damping_ratio == pytest.approx(0.5, rel=1e-12)


@given(
    sigma0=st.floats(1, 1e6), sigma1=st.integers(0, 10**6).map(lambda k: k / 1000),
    sigma2=st.integers(0, 10**4).map(lambda k: k / 1000), inertia=st.floats(1e-3, 10),
)  # fmt: skip
def test_the_stick_mode_is_that_of_the_jacobian(
    sigma0: float, sigma1: float, sigma2: float, inertia: float
) -> None:
    """Eigenvalues of (v, z) at rest, from the derivatives of the law."""
    assert LAW.rate is not None
    p = {**P2, "sigma0": sigma0, "sigma1": sigma1, "sigma2": sigma2}
    A = DualAlgebra(FLOAT64)
    numbers = {key: A.constant(value) for key, value in p.items()}
    columns: list[list[float]] = []
    for dv, dz in ((1.0, 0.0), (0.0, 1.0)):
        v, z = Dual(0.0, dv), Dual(0.0, dz)
        force = LAW.force(A, v, [z], {}, numbers)
        (rate,) = LAW.rate(A, v, [z], {}, numbers)
        columns.append([-force.rate / inertia, rate.rate])
    mode = stick_mode(p, inertia)
    (a, c), (b, d) = columns
    assert a * d - b * c == pytest.approx(mode.frequency**2, rel=1e-12)
    assert -(a + d) == pytest.approx(2 * mode.damping_ratio * mode.frequency, rel=1e-12)


def test_the_lag_loop_turns_round_at_sigma1_equal_to_h_over_v() -> None:
    loop = lag_loop(P2, 0.02)
    assert loop.reversal == pytest.approx(50.45789097221835, rel=1e-14)
    assert not loop.lags
    for sigma1, lags in ((0.0, True), (50.4, True), (50.5, False), (99.5, False)):
        loop = lag_loop({**P2, "sigma1": sigma1}, 0.02)
        assert loop.lags is lags
        assert (loop.area(1.0, 1e-4) > 0) is lags
        assert (loop.area(100.0, 1e-4) > 0) is lags


@pytest.mark.parametrize("sigma1", [0.0, 99.5])
@pytest.mark.parametrize("frequency", [10.0, 200.0])
@pytest.mark.parametrize(
    ("velocity", "alpha"), [(0.02, 2.0), (-0.01, 0.8), (0.015, 1.0), (0.012, 3.0)]
)
def test_the_area_of_small_loops(
    sigma1: float, frequency: float, velocity: float, alpha: float
) -> None:
    """Against cycles of the law's own exact steps, 4000 of them each."""
    assert LAW.update is not None
    p = {**P2, "sigma1": sigma1, "alpha": alpha}
    amplitude, steps = 1e-4, 4000
    period = 2 * math.pi / frequency
    dt = period / steps
    z = [math.copysign(LAW.steady(FLOAT64, abs(velocity), [], {}, p) / p["sigma0"], velocity)]
    cycles = 2 + int(10 / (lag_loop(p, velocity).rate * period))
    area = 0.0
    for k in range(cycles * steps):
        t = k * dt
        v, then = (velocity + amplitude * math.sin(frequency * s) for s in (t, t + dt))
        before = LAW.force(FLOAT64, v, z, {}, p)
        z = LAW.update(FLOAT64, (v + then) / 2, z, {}, p, dt)
        after = LAW.force(FLOAT64, then, z, {}, p)
        if k >= (cycles - 1) * steps:
            area += (before + after) / 2 * (then - v)
    expected = lag_loop(p, velocity).area(frequency, amplitude)
    assert area == pytest.approx(expected, rel=2e-3)


def test_the_response_is_between_its_limits() -> None:
    """At frequency 0 the slope of the steady curve; at infinity sigma1 gain + sigma2."""
    loop = lag_loop(P2, 0.02)
    slope = (
        LAW.steady(FLOAT64, 0.02 + 1e-7, [], {}, P2) - LAW.steady(FLOAT64, 0.02 - 1e-7, [], {}, P2)
    ) / 2e-7
    assert loop.response(0.0) == pytest.approx(slope, rel=1e-6)
    assert loop.response(1e12).real == pytest.approx(99.5 * loop.gain + 0.5, rel=1e-9)


def test_presliding_displacement_against_the_law() -> None:
    """theta 4.46710e-4 rad at 0.95 Fs; a slow ramp of the law's deflection gives the same."""
    assert LAW.update is not None
    theta, z = presliding(P2, 1.425)
    assert theta == pytest.approx(4.4935984103e-4, rel=1e-9)
    assert z == pytest.approx(1.425e-4, rel=1e-14)
    at, _ = presliding(P2, 1e4 * 1.4236634e-4)
    assert at == pytest.approx(4.46710e-4, rel=1e-5)
    x, moved, v = [0.0], 0.0, 1e-9
    while x[0] < z:
        x = LAW.update(FLOAT64, v, x, {}, P2, 20.0)
        moved += 20.0 * v
    assert moved == pytest.approx(theta, rel=2e-4)
    assert presliding(P2, -1.0)[0] == -presliding(P2, 1.0)[0]


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-0.3, 0.9), (-1.0, 1.0), (0.5, 1.4)])
def test_drift_per_cycle_against_the_law(low: float, high: float) -> None:
    """Motion at 1e-9 rad/s between two deflections, there and back."""
    assert LAW.update is not None
    x, moved, step = [low / 1e4], 0.0, 100.0
    for v, reached in ((1e-9, lambda z: z >= high / 1e4), (-1e-9, lambda z: z <= low / 1e4)):
        while not reached(x[0]):
            x = LAW.update(FLOAT64, v, x, {}, P2, step)
            moved += step * v
    expected = drift_per_cycle(P2, low, high)
    assert moved == pytest.approx(expected, abs=2e-7 * 4)
    if low == -high:
        assert expected == 0.0


def test_elasto_plastic_bristles_do_not_drift() -> None:
    p = EXAMPLES["elasto-plastic"]
    assert drift_per_cycle(p, 0.1, 0.69) == 0.0
    with pytest.raises(InputError, match="the bristles slip at these torques"):
        drift_per_cycle(p, 0.1, 0.71)


@given(data=st.data())
def test_deflections_stay_within_their_bound(data: st.DataObject) -> None:
    """Random velocities and steps from any deflection inside; strictly, in floating point."""
    assert LAW.update is not None
    bound = deflection_bound(P2)
    assert bound == 1.5e-4
    z = [data.draw(st.floats(-bound, bound))]
    for v, exponent in data.draw(
        st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-9, 3)), max_size=30)
    ):
        z = LAW.update(FLOAT64, v, z, {}, P2, 10**exponent)
        assert abs(z[0]) <= bound


def test_arguments_outside_their_range_are_refused() -> None:
    for call, message in (
        (lambda: stick_mode(P2, 0.0), "the inertia is outside its domain"),
        (lambda: lag_loop(P2, 0.0), "steady sliding needs a velocity"),
        (lambda: lag_loop(P2, math.nan), "steady sliding needs a velocity"),
        (lambda: presliding(P2, 1.5), "not below break-away"),
        (lambda: drift_per_cycle(P2, -1.6, 0.0), "not below break-away"),
        (lambda: drift_per_cycle(P2, 1.0, 0.5), "not in order"),
    ):
        with pytest.raises(InputError, match=message):
            call()


def test_linearised_response_by_finite_frequencies() -> None:
    """Amplitude and phase of the first harmonic of the force over a tenth of a microradian/s."""
    assert LAW.update is not None
    frequency, amplitude, steps = 150.0, 1e-6, 400
    dt = 2 * math.pi / frequency / steps
    z = [LAW.steady(FLOAT64, 0.02, [], {}, {**P2, "sigma2": 0.0}) / 1e4]
    forces: list[float] = []
    for k in range(6 * steps):
        v, then = (0.02 + amplitude * math.sin(frequency * s) for s in (k * dt, (k + 1) * dt))
        forces.append(LAW.force(FLOAT64, v, z, {}, P2))
        z = LAW.update(FLOAT64, (v + then) / 2, z, {}, P2, dt)
    last = np.array(forces[-steps:])
    phase = np.exp(-1j * frequency * dt * np.arange(5 * steps, 6 * steps))
    found = 2j * np.mean(last * phase) / amplitude
    expected = lag_loop(P2, 0.02).response(frequency)
    assert abs(found - expected) <= 1e-3 * abs(expected)
