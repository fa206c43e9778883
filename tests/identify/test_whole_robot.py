"""Inertia and friction together: exact on exact records, honest about what none of them moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from symdyn._errors import InputError, SizeError, UnsupportedError
from symdyn.algebra.float64 import Array
from symdyn.friction.catalog import LAWS
from symdyn.identify.columns import steady_force
from symdyn.identify.estimate import Estimate, by_name
from symdyn.identify.grouping import base_values, grouping
from symdyn.identify.least_squares import solve
from symdyn.identify.robot_task import JointFriction
from symdyn.identify.whole_robot import RobotFit, identify_robot
from symdyn.io.load import load_robot
from symdyn.model.robot import Robot
from symdyn.unit import theta_values
from tests.identify.records import excitation, torques
from tests.related_robots import RELATED, chain
from tests.robots import random_robot

COULOMB = JointFriction(LAWS["coulomb"])
STRIBECK = JointFriction(LAWS["stribeck"], {"alpha": 2.0})


def coulomb(qd: Array) -> Array:
    """Different in every joint, with an offset."""
    k = np.arange(qd.shape[1])
    return (0.5 + 0.2 * k) * np.sign(qd) + (0.3 - 0.02 * k) * qd + 0.1 * k


def stribeck(qd: Array) -> Array:
    """Bends at different speeds."""
    columns = []
    for k, v in enumerate(qd.T):
        true = {"Fc": 1.0, "Fs": 1.6, "vs": 0.05 + 0.02 * k, "alpha": 2.0, "b": 0.4}
        columns.append(steady_force(LAWS["stribeck"], true, v))
    return np.array(columns).T


def true_base(robot: Robot, fit: RobotFit) -> Array:
    return base_values(fit.grouping, [float(x) for x in theta_values(robot)])


def base(fit: RobotFit) -> tuple[Estimate, ...]:
    return fit.estimates[: fit.grouping.base.count]


@pytest.mark.parametrize("name", ["planar2r", "scara", "puma560"])
def test_exact_records_give_base_parameters_and_friction(name: str) -> None:
    robot = load_robot(name)
    q, qd, qdd = excitation(robot.n, 300)
    fit = identify_robot(robot, q, qd, qdd, torques(robot, q, qd, qdd) + coulomb(qd), COULOMB)
    assert fit.rank == fit.grouping.base.count + 3 * robot.n
    for estimate, value in zip(base(fit), true_base(robot, fit), strict=True):
        assert estimate.value == pytest.approx(value, abs=1e-10)
    for k, joint in enumerate(robot.coordinates):
        assert by_name(fit.estimates, f"Fc@{joint}").value == pytest.approx(0.5 + 0.2 * k, abs=1e-9)
        assert by_name(fit.estimates, f"b@{joint}").value == pytest.approx(0.3 - 0.02 * k, abs=1e-9)
        assert by_name(fit.estimates, f"constant@{joint}").value == pytest.approx(0.1 * k, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "count"), [("an axis along a diagonal", 17), ("axes on one line", 17)]
)
def test_all_base_parameters_of_a_robot_with_oblique_axes_are_identified(
    name: str, count: int
) -> None:
    robot = chain(*RELATED[name][0])
    q, qd, qdd = excitation(robot.n, 300)
    fit = identify_robot(robot, q, qd, qdd, torques(robot, q, qd, qdd) + coulomb(qd), COULOMB)
    assert fit.grouping.base.count == count
    assert fit.rank == count + 3 * robot.n
    for estimate, value in zip(base(fit), true_base(robot, fit), strict=True):
        assert estimate.value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("seed", [3, 5, 8])
def test_random_trees_with_mimic_joints(seed: int) -> None:
    # a sliding joint feels gravity as a constant, so a constant cannot be told beside it
    robot = random_robot(seed, 3, mimic=True)
    q, qd, qdd = excitation(robot.n, 200, seed)
    tau = torques(robot, q, qd, qdd) + coulomb(qd) - 0.1 * np.arange(robot.n)
    fit = identify_robot(robot, q, qd, qdd, tau, replace(COULOMB, offset=False))
    for estimate, value in zip(base(fit), true_base(robot, fit), strict=True):
        assert estimate.value == pytest.approx(value, abs=1e-8 * (1 + abs(value)))


def test_stribeck_velocities_are_found_with_the_inertia() -> None:
    robot = load_robot("planar2r")
    q, qd, qdd = excitation(robot.n, 500)
    tau = torques(robot, q, qd, qdd) + stribeck(qd)
    fit = identify_robot(robot, q, qd, qdd, tau, STRIBECK)
    for estimate, value in zip(base(fit), true_base(robot, fit), strict=True):
        assert estimate.value == pytest.approx(value, abs=1e-10)
    for k, joint in enumerate(robot.coordinates):
        found = {n: by_name(fit.estimates, f"{n}@{joint}").value for n in ("Fc", "Fs", "vs", "b")}
        assert found == pytest.approx(
            {"Fc": 1.0, "Fs": 1.6, "vs": 0.05 + 0.02 * k, "b": 0.4}, rel=1e-9
        )


def test_leaving_the_bend_out_biases_the_inertia_beyond_its_own_interval() -> None:
    robot = load_robot("planar2r")
    q, qd, qdd = excitation(robot.n, 500, size=0.1)
    tau = torques(robot, q, qd, qdd) + stribeck(qd)
    tau = tau + 0.005 * np.random.default_rng(4).standard_normal(tau.shape)
    without = identify_robot(robot, q, qd, qdd, tau, COULOMB)
    full = identify_robot(robot, q, qd, qdd, tau, STRIBECK)

    def worst(fit: RobotFit) -> float:
        pairs = zip(base(fit), true_base(robot, fit), strict=True)
        return max(abs((e.value or 0.0) - value) / (e.sd or 1.0) for e, value in pairs)

    assert worst(without) > 4
    assert worst(full) < 4
    assert np.all(full.noise < 0.007)
    assert np.all(without.noise > 0.02)


def test_errors_are_as_large_as_stated_and_joints_have_their_own_noise() -> None:
    robot = load_robot("planar2r")
    q, qd, qdd = excitation(robot.n, 300)
    clean = torques(robot, q, qd, qdd) + coulomb(qd)
    rng = np.random.default_rng(6)
    scores: list[float] = []
    squares: list[float] = []
    for _ in range(40):
        tau = clean + rng.standard_normal(clean.shape) * [0.5, 0.02]
        fit = identify_robot(robot, q, qd, qdd, tau, COULOMB)
        assert fit.noise == pytest.approx([0.5, 0.02], rel=0.2)
        for estimate, value in zip(base(fit), true_base(robot, fit), strict=True):
            assert estimate.value is not None
            assert estimate.sd is not None
            scores.append((estimate.value - value) / estimate.sd)
        sure = [e for e in fit.estimates if e.is_identified]
        assert fit.covariance.names == tuple(e.name for e in sure)
        sd = [e.sd for e in sure]
        assert np.sqrt(np.diag(fit.covariance.matrix)) == pytest.approx(sd, rel=1e-12)
        own = true_base(robot, fit)
        errors = np.array([e.value for e in base(fit)], dtype=float) - own
        part = fit.covariance.matrix[: len(own), : len(own)]
        squares.append(float(errors @ np.linalg.solve(part, errors)))
    assert 0.85 < np.std(scores) < 1.15
    # chi-squared with one degree of freedom a parameter
    assert np.mean(squares) == pytest.approx(len(own), abs=4 * np.sqrt(2 * len(own) / 40))


def test_equal_speeds_leave_the_rank_deficient_and_are_not_numbered() -> None:
    """One link that only ever turns at plus or minus one speed."""
    v = 0.7
    t = np.linspace(0, 10, 200)
    qd = np.where(np.sin(t) >= 0, v, -v)
    columns = np.column_stack((np.sign(qd), qd, np.ones_like(qd)))
    solution = solve(columns, columns @ [1.0, 0.5, 0.1], ("Fc", "b", "offset"))
    assert solution.rank == 2
    assert solution.condition == float("inf")
    assert list(solution.is_determined) == [False, False, True]
    assert "one unit of Fc looks like 1.43 of b" in solution.trade("Fc")

    robot = load_robot("planar2r")
    q, rates, qdd = excitation(robot.n, 200)
    rates[:, 0] = qd
    tau = torques(robot, q, rates, qdd) + coulomb(rates)
    fit = identify_robot(robot, q, rates, qdd, tau, COULOMB)
    for name in ("Fc@joint1", "b@joint1"):
        estimate = by_name(fit.estimates, name)
        assert estimate.value is None
        assert "looks like" in estimate.note
    assert by_name(fit.estimates, "Fc@joint2").value == pytest.approx(0.7, abs=1e-9)
    assert fit.condition == float("inf")


def test_a_joint_that_never_moves_has_no_friction_to_find() -> None:
    robot = load_robot("planar2r")
    q, qd, qdd = excitation(robot.n, 200)
    q[:, 1], qd[:, 1], qdd[:, 1] = 0.3, 0.0, 0.0
    tau = torques(robot, q, qd, qdd) + coulomb(qd)
    fit = identify_robot(robot, q, qd, qdd, tau, COULOMB)
    assert "never moves" in by_name(fit.estimates, "Fc@joint2").note
    assert by_name(fit.estimates, "Fc@joint1").value == pytest.approx(0.5, abs=1e-9)
    # what the second body adds to the first is known, what is its own is not
    assert not by_name(fit.estimates, "I33@link2").is_identified


def test_a_record_too_fast_for_the_bend_says_so() -> None:
    robot = load_robot("planar2r")
    q, qd, qdd = excitation(robot.n, 400, size=2.0)
    tau = torques(robot, q, qd, qdd) + coulomb(qd)
    tau = tau + 0.02 * np.random.default_rng(2).standard_normal(tau.shape)
    fit = identify_robot(robot, q, qd, qdd, tau, STRIBECK, slowest=0.3)
    for joint in robot.coordinates:
        assert not by_name(fit.estimates, f"vs@{joint}").is_identified
        assert not by_name(fit.estimates, f"Fs@{joint}").is_identified
        assert by_name(fit.estimates, f"Fc@{joint}").is_identified
    for estimate, value in zip(base(fit), true_base(robot, fit), strict=True):
        assert estimate.value == pytest.approx(value, abs=5 * (estimate.sd or 0.0))


def test_groupings_read_like_the_book() -> None:
    found = grouping(load_robot("planar2r"))
    words = dict(zip(found.base.independent, map(found.words, range(6)), strict=True))
    assert words["h1@link1"] == "h1@link1 + m@link2"
    assert words["I33@link1"] == "I33@link1 + m@link2"
    assert words["I33@link2"] == "I33@link2"


@pytest.mark.slow
def test_panda_with_stribeck_friction_in_every_joint() -> None:
    robot = load_robot("panda")
    q, qd, qdd = excitation(robot.n, 600)
    tau = torques(robot, q, qd, qdd) + stribeck(qd)
    fit = identify_robot(robot, q, qd, qdd, tau, STRIBECK)
    assert fit.rank == 43 + 7 * 5
    for estimate, value in zip(base(fit), true_base(robot, fit), strict=True):
        assert estimate.value == pytest.approx(value, abs=1e-9)


def test_wrong_records_are_refused() -> None:
    robot = load_robot("planar2r")
    q, qd, qdd = excitation(robot.n, 50)
    tau = torques(robot, q, qd, qdd)
    with pytest.raises(SizeError, match="q has 3 entries; expected 2"):
        identify_robot(robot, np.zeros((50, 3)), qd, qdd, tau, COULOMB)
    with pytest.raises(SizeError, match="qdd has 49 entries; expected 50"):
        identify_robot(robot, q, qd, qdd[1:], tau, COULOMB)
    bad = tau.copy()
    bad[7, 1] = np.nan
    with pytest.raises(InputError, match="nan at instant 8, coordinate 2"):
        identify_robot(robot, q, qd, qdd, bad, COULOMB)
    with pytest.raises(InputError, match="fewer equations than parameters"):
        identify_robot(robot, q[:6], qd[:6], qdd[:6], tau[:6], COULOMB)
    with pytest.raises(SizeError, match="friction has 1 entry"):
        identify_robot(robot, q, qd, qdd, tau, [COULOMB])
    with pytest.raises(UnsupportedError, match="lugre has states"):
        identify_robot(robot, q, qd, qdd, tau, JointFriction(LAWS["lugre"]))
