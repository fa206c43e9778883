"""Presliding, break-away, frictional lag and stick-slip against numbers found by others."""

from __future__ import annotations

import math
import sys
from dataclasses import astuple

import mpmath
import numpy as np
import pytest

from symdyn._errors import InputError, UnsupportedError
from symdyn.friction.karnopp import KARNOPP
from symdyn.friction.lugre import LUGRE
from symdyn.friction.stribeck import STRIBECK_SET
from symdyn.simulate.break_away import break_away, presliding, ramped_joint
from symdyn.simulate.lag import friction_loop
from symdyn.simulate.observe import outputs
from symdyn.simulate.reference import solve
from symdyn.simulate.stick_slip import PullKind, find_stick_slip, two_level_cycle, usual_span
from tests.simulate.values import LUGRE as VALUES
from tests.simulate.values import SERVO


def test_presliding_up_to_nineteen_twentieths_of_break_away() -> None:
    at = presliding(ramped_joint(), SERVO, 0.1, 1.425)
    assert at.angle == pytest.approx(4.468266e-4, rel=1e-5)
    assert at.deflection == pytest.approx(1.4236634e-4, rel=1e-5)
    assert at.angle / at.deflection == pytest.approx(3.1386, abs=5e-5)
    assert at.deflection * 1e4 / at.friction - 1 == pytest.approx(-7.62e-4, abs=1e-6)
    assert at.quasi_static == pytest.approx(4.46710e-4, rel=1e-6)


def test_quasi_static_angle_is_the_integral_of_the_bristle_equation() -> None:
    # dtheta = dz / (1 - sigma0 z/Fs), at 30 digits
    with mpmath.workdps(30):
        stiffness, level = mpmath.mpf(10) ** 4, mpmath.mpf("1.5")
        angle = mpmath.quad(lambda z: 1 / (1 - stiffness * z / level), [0, 1.4e-4])
    at = presliding(ramped_joint(), SERVO, 1e-3, 1.4, dt=1e-3)
    assert at.quasi_static == pytest.approx(float(angle), rel=1e-2)
    assert at.angle == pytest.approx(at.quasi_static, rel=1e-4)


@pytest.mark.parametrize(
    ("ramp", "friction", "velocity", "torque", "torque_sliding"),
    [
        (0.1, 1.489424, 0.001458, 1.498734, 1.51435251),
        (1.0, 1.450036, 0.002990, 1.491665, 1.54856991),
        (10.0, 1.298222, 0.006180, 1.486656, 1.62057862),
        (100.0, 1.172733, 0.014208, 2.368783, 1.95445513),
    ],
)
def test_break_away_by_both_definitions(
    ramp: float, friction: float, velocity: float, torque: float, torque_sliding: float
) -> None:
    found = break_away(ramped_joint(), SERVO, ramp)
    assert found.friction == pytest.approx(friction, abs=1e-5)
    assert found.velocity == pytest.approx(velocity, abs=1e-6)
    assert found.torque == pytest.approx(torque, abs=2e-5)
    # by SciPy's Radau at 1e-11 with the event located; samples are joined by straight lines here
    assert found.torque_sliding == pytest.approx(torque_sliding, abs=2e-7)


def test_break_away_is_the_same_from_coarse_and_fine_samples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fine = break_away(ramped_joint(), SERVO, 1.0)
    # the package has a function of the module's name
    monkeypatch.setattr(sys.modules["symdyn.simulate.break_away"], "_ROWS", 700)
    coarse = break_away(ramped_joint(), SERVO, 1.0)
    assert astuple(coarse) == pytest.approx(astuple(fine), abs=1e-12)


def test_break_away_of_light_joints_takes_steps_that_are_stable() -> None:
    values = {**SERVO, "J": 1e-4}
    found = break_away(ramped_joint(), values, 10.0)
    system, own = ramped_joint("python").system, {**values, "ramp": 10.0}
    times = np.linspace(0, 0.17, 20001)
    exact = solve(system, own, system.start(), times.tolist(), method="LSODA", rtol=1e-10)
    F = outputs(system, own, times, np.array(exact.states))["friction"]
    peaks = (F[1:-1] > F[:-2]) & (F[1:-1] > F[2:]) & (F[1:-1] > 0.5)
    assert found.friction == pytest.approx(F[1:-1][peaks][0], rel=1e-5)


def test_ramps_that_would_take_for_ever_are_refused() -> None:
    with pytest.raises(InputError, match=r"takes too many steps; expected a ramp of at least"):
        break_away(ramped_joint(), SERVO, 1e-9)
    with pytest.raises(InputError, match="takes too many steps"):
        presliding(ramped_joint(), SERVO, 1e-9, 1.0)


def test_slow_loops_take_as_many_steps_as_the_bristles_need() -> None:
    loop = friction_loop(LUGRE, VALUES, 0.5, 0.3, 0.5)
    assert loop.rms < 1e-3


@pytest.mark.parametrize(
    ("sigma1", "frequency", "area", "rising", "falling"),
    [
        (0.0, 1, 2.88846e-5, 1.019489, 1.018848),
        (0.0, 10, 2.79283e-4, 1.023742, 1.016755),
        (0.0, 30, 7.01292e-4, 1.042715, 1.014399),
        (0.0, 100, 1.21819e-3, 1.076380, 1.011971),
        (99.5, 1, -9.29593e-6, 1.018836, 1.019459),
        (99.5, 10, -9.68923e-5, 1.014702, 1.021493),
        (99.5, 30, -3.32719e-4, 0.996262, 1.023783),
        (99.5, 100, -1.10910e-3, 0.963541, 1.026143),
    ],
)
def test_frictional_lag(
    sigma1: float, frequency: float, area: float, rising: float, falling: float
) -> None:
    values = {**VALUES, "sigma1": sigma1}
    loop = friction_loop(LUGRE, values, 0.03, 0.02, frequency, points=8000)
    assert loop.area == pytest.approx(area, rel=1e-5)
    assert loop.at(0.02) == pytest.approx((rising, falling), abs=1e-6)
    assert loop.friction[0] == pytest.approx(loop.friction[-1], abs=1e-9)


def test_distance_to_the_steady_curve() -> None:
    for frequency, rms in ((1, 2.25346e-4), (10, 2.35579e-3), (30, 7.70766e-3), (100, 1.99968e-2)):
        loop = friction_loop(LUGRE, VALUES, 0.03, 0.02, frequency, points=4000)
        assert loop.rms == pytest.approx(rms, rel=1e-5)


def test_small_loop_has_the_linearised_area_and_turns_where_its_formula_says() -> None:
    w0, a = 0.02, 1e-5
    h = 1 + 0.5 * math.exp(-4)
    slope = -0.5 * math.exp(-4) * 2 * w0 / 1e-4
    turn = h / w0
    rate = 1e4 * w0 / h
    for sigma1, frequency in ((0.0, 50.0), (0.9 * turn, 100.0), (1.1 * turn, 100.0), (99.5, 30.0)):
        loop = friction_loop(
            LUGRE, {**VALUES, "sigma1": sigma1}, w0, a, frequency, points=4000, settle=0.3
        )
        area = (
            -math.pi * a**2 * (w0 * slope / h) * frequency
            * (1e4 - sigma1 * rate) / (rate**2 + frequency**2)
        )  # fmt: skip
        assert loop.area == pytest.approx(area, rel=1e-3, abs=1e-6 * a**2)
        assert (loop.area > 0) == (sigma1 < turn)


def test_stick_slip_of_two_levels_is_the_closed_form() -> None:
    found = find_stick_slip(
        KARNOPP, {"Fc": 1, "Fs": 1.5, "b": 0, "Dv": 1e-6}, 1.3, 0.8, 0.1, span=100
    )
    exact = two_level_cycle(1.3, 0.8, 0.1, 1.5, 1.0)
    assert found.stick == pytest.approx(exact.stick, rel=1e-8)
    assert found.slip == pytest.approx(exact.slip, rel=1e-8)
    assert found.period == pytest.approx(exact.period, rel=1e-8)
    # the body follows its pull over a cycle
    assert exact.stick == pytest.approx(2 * 0.5 / 0.8 / 0.1)


def test_a_damped_spring_ends_stick_slip() -> None:
    found = find_stick_slip(
        STRIBECK_SET,
        {"Fc": 1, "Fs": 1.05, "vs": 0.1, "alpha": 2, "b": 1.0},
        1.0, 1.0, 0.5, damping=3.0, span=60,
    )  # fmt: skip
    assert found.kind is PullKind.SLIDING
    assert (found.stick, found.slip) == (0.0, math.inf)


PULLED = {"Fc": 1, "Fs": 1.5, "vs": 0.01, "alpha": 2, "b": 0.5}


def test_a_body_that_never_moves_does_not_slide() -> None:
    found = find_stick_slip(STRIBECK_SET, PULLED, 1.0, 1e-3, 0.01, span=30)
    assert found.kind is PullKind.REST
    assert found.stick == math.inf
    # loaded after 1.5 s; what it does after one slip is not known yet
    found = find_stick_slip(STRIBECK_SET, PULLED, 1.0, 100.0, 0.01, span=2)
    assert found.kind is PullKind.OPEN


def test_stiff_springs_are_followed_for_as_long_as_they_need() -> None:
    soft = usual_span(STRIBECK_SET, PULLED, 1.0, 100.0, 0.01)
    assert soft == 30
    span = usual_span(STRIBECK_SET, PULLED, 1.0, 1e9, 0.01)
    assert span == pytest.approx(1.5e-7 + 60 * (2 * math.pi / math.sqrt(1e9) + 1e-7), rel=1e-12)
    with pytest.raises(InputError, match=r"too stiff .* expected a time of at most 0\.993 s"):
        find_stick_slip(STRIBECK_SET, PULLED, 1.0, 1e9, 0.01, span=30)
    for stiffness, pull in ((0.0, 0.01), (100.0, 0.0), (100.0, -1.0)):
        with pytest.raises(InputError, match="has to be positive"):
            find_stick_slip(STRIBECK_SET, PULLED, 1.0, stiffness, pull, span=30)
    with pytest.raises(InputError, match="damping is negative"):
        find_stick_slip(STRIBECK_SET, PULLED, 1.0, 1.0, 1.0, damping=-1, span=30)


def test_faults_of_studies() -> None:
    joint = ramped_joint("python")
    with pytest.raises(InputError, match=r"expected 0 < torque < 1\.5"):
        presliding(joint, SERVO, 0.1, 2.0)
    with pytest.raises(InputError, match="the ramp has to be positive"):
        break_away(joint, SERVO, 0.0)
    with pytest.raises(InputError, match="a loop needs a frequency"):
        friction_loop(LUGRE, VALUES, 0.03, 0.02, 0.0)
    loop = friction_loop(LUGRE, VALUES, 0.03, 0.02, 100, points=200, settle=0, engine="python")
    with pytest.raises(InputError, match="does not pass this velocity"):
        loop.at(0.2)
    with pytest.raises(InputError, match="positive inertia"):
        two_level_cycle(0, 1, 1, 1, 1)
    with pytest.raises(UnsupportedError, match="no sliding up to a torque"):
        break_away(joint, {**SERVO, "Fc": 10.0, "Fs": 10.0, "J": 1e9}, 1e4)
    assert np.isfinite(loop.area)


def test_slips_too_small_to_be_seen_are_refused() -> None:
    # at 1e7 the body sticks for 74 us and slips for 1.9 ms; located events do not resolve that
    with pytest.raises(InputError, match=r"too stiff for slips .* at most 2\.5e\+05; got 1e\+07"):
        find_stick_slip(STRIBECK_SET, PULLED, 1.0, 1e7, 0.01, span=0.2)
