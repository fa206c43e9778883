"""Velocities and accelerations from positions."""

from __future__ import annotations

import numpy as np
import pytest

from symdyn._errors import InputError
from symdyn.identify.estimate import by_name
from symdyn.identify.rates import rates_from_positions
from symdyn.identify.whole_robot import identify_robot
from symdyn.io.load import load_robot
from tests.identify.records import excitation, torques
from tests.identify.test_whole_robot import COULOMB, base, coulomb, true_base

TIMES = np.arange(0, 10, 1e-3)


def test_slow_motion_is_differentiated_exactly() -> None:
    w = 2 * np.pi * 0.5
    q = np.column_stack((np.sin(w * TIMES), np.cos(w * TIMES)))
    found = rates_from_positions(TIMES, q, 20.0)
    inner = found.t
    assert found.qd[:, 0] == pytest.approx(w * np.cos(w * inner), abs=2e-5)
    assert found.qdd[:, 1] == pytest.approx(-w * w * np.cos(w * inner), abs=2e-4)
    assert inner == pytest.approx(TIMES[found.kept])
    assert 2 * found.kept.start + inner.size == TIMES.size


def test_a_robot_with_coulomb_friction_is_found_from_noisy_positions() -> None:
    robot = load_robot("planar2r")
    q, qd, qdd = excitation(robot.n, 8000)
    t = 10 * np.arange(8000) / 8000
    rng = np.random.default_rng(3)
    tau = torques(robot, q, qd, qdd) + coulomb(qd) + 0.05 * rng.standard_normal(q.shape)
    found = rates_from_positions(t, q + 1e-6 * rng.standard_normal(q.shape), 8.0)
    fit = identify_robot(robot, found.q, found.qd, found.qdd, tau[found.kept], COULOMB)
    scores = [
        ((e.value or 0.0) - value) / (e.sd or 1.0)
        for e, value in zip(base(fit), true_base(robot, fit), strict=True)
    ]
    assert np.max(np.abs(scores)) < 4
    assert by_name(fit.estimates, "Fc@joint2").value == pytest.approx(0.7, abs=0.01)
    assert fit.noise == pytest.approx([0.05, 0.05], rel=0.05)


@pytest.mark.parametrize(
    ("t", "cutoff", "message"),
    [
        (TIMES, 600.0, "not below half the sampling rate"),
        (TIMES, 0.0, "not below half the sampling rate"),
        (TIMES[:12], 50.0, "too short"),
        (TIMES**2, 5.0, "not evenly sampled"),
        (TIMES[::-1], 5.0, "not increasing"),
    ],
)
def test_bad_records_are_refused(t: np.ndarray, cutoff: float, message: str) -> None:
    q = np.zeros((t.size, 1))
    with pytest.raises(InputError, match=message):
        rates_from_positions(t, q, cutoff)
