"""What `symdyn.analysis` says in closed form, found again by simulating."""

from __future__ import annotations

import math

import pytest

from symdyn.analysis import (
    Stability,
    StribeckCurve,
    compensated_loop,
    critical_viscous,
    curve_of,
    deflection_bound,
    drift_per_cycle,
    equilibria,
    lag_loop,
    presliding,
    shape,
    stick_mode,
)
from symdyn.friction.lugre import LUGRE
from symdyn.friction.stribeck import STRIBECK_SET
from symdyn.simulate import (
    CONSTANT,
    RK4,
    SINE,
    JointFriction,
    Section,
    compensated_servo,
    constant_inertia,
    find_cycle,
    friction_loop,
    joint_system,
    prepare,
    simulate_ideal,
    slide_boundary,
    sweep,
    walk,
)
from symdyn.simulate.robustness import Case
from tests.simulate.values import LESSON, LESSON_INERTIA, SERVO
from tests.simulate.values import LUGRE as VALUES


@pytest.mark.parametrize(
    ("Kv", "is_strict"), [(6.0, False), (100.5, False), (100.6, True), (150.0, True)]
)
def test_compensation_converges_where_the_loop_is_strictly_positive_real(
    Kv: float, is_strict: bool
) -> None:
    loop = compensated_loop(VALUES, 1.0, 3.0, Kv)
    assert loop.is_strict is is_strict
    assert loop.least_damping == pytest.approx(100.502513, abs=1e-6)
    if Kv > 120:  # next to the boundary the theorem holds, but convergence takes minutes
        gains = {"Kp": 3.0, "Kv": Kv, "k": 20.0}
        (found,) = sweep(compensated_servo(), SERVO, gains, [Case("exact", {})], span=25, last=5)
        assert found.residual < 1e-9


def test_equality_is_not_strict() -> None:
    # sigma0 J / sigma1 = 100 exactly
    assert not compensated_loop({**VALUES, "sigma1": 100.0}, 1.0, 3.0, 100.0).is_strict
    assert compensated_loop({**VALUES, "sigma1": 100.0}, 1.0, 3.0, 100.0001).is_strict


def test_every_equilibrium_keeps_its_velocity_and_the_unstable_one_loses_it() -> None:
    curve = StribeckCurve(**LESSON)
    body = constant_inertia([[LESSON_INERTIA]]), [JointFriction(STRIBECK_SET, LESSON)]
    found = equilibria(curve, 0.25)
    assert len(found) == 3
    assert [e.stability for e in found].count(Stability.UNSTABLE) == 1
    for equilibrium in found:
        v = equilibrium.lower
        for push in (-1e-4, 1e-4):
            start = v + push if v else 0.0
            motion = simulate_ideal(
                *body, lambda t, q, w: 0 * q + 0.25, [0], [start], [0, 100], largest_step=1.0
            )
            distance = abs(motion.v[-1, 0] - v)
            assert (distance < 1e-6) == (equilibrium.stability is not Stability.UNSTABLE)


def test_drift_in_a_slow_cycle_of_a_load_below_break_away() -> None:
    joint = prepare(joint_system(LUGRE, SINE), RK4)
    slow = 0.05
    values = {**SERVO, "mean": 1.0, "amplitude": 0.3, "frequency": slow}
    period = 2 * math.pi / slow
    first = walk(joint, values, joint.system.start(), 2 * period, 1e-3)
    second = walk(joint, values, first.end, period, 1e-3, t0=first.end_time)
    drift = second.end[0] - first.end[0]
    assert drift == pytest.approx(drift_per_cycle(VALUES, 0.7, 1.3), rel=5e-3)
    # as large as a deflection, every cycle, for ever
    assert drift > 1e-4


def test_slow_loading_gives_way_by_the_quasi_static_angle() -> None:
    joint = prepare(joint_system(LUGRE, CONSTANT), RK4)
    # from the elastic equilibrium nothing moves any more
    angle, z = presliding(VALUES, 1.2)
    done = walk(joint, {**SERVO, "torque": 1.2}, joint.system.start(q=angle, z=z), 20, 1e-3)
    assert done.end[0] == pytest.approx(angle, rel=1e-9)


def test_stick_mode_oscillates_as_linearised() -> None:
    weak = {**VALUES, "sigma1": 2.0, "sigma2": 0.0}
    mode = stick_mode(weak, 1.0)
    joint = prepare(joint_system(LUGRE, CONSTANT), RK4)
    verdict = find_cycle(
        joint, {**weak, "J": 1.0, "torque": 0.0}, joint.system.start(v=1e-7), 2.0, 1e-4,
        Section("v"), tolerance=1e-12, chunk=30,
    )  # fmt: skip
    sizes = [r.size for r in verdict.returns[1:8]]
    root = math.sqrt(1 - mode.damping_ratio**2)
    period = 2 * math.pi / (mode.frequency * root)
    decay = math.exp(-2 * math.pi * mode.damping_ratio / root)
    assert verdict.returns[3].time - verdict.returns[2].time == pytest.approx(period, rel=1e-4)
    assert sizes[1] / sizes[0] == pytest.approx(decay, rel=1e-3)


def test_bristles_stay_within_their_bound_in_a_simulation() -> None:
    joint = prepare(joint_system(LUGRE, SINE), RK4)
    values = {**SERVO, "mean": 0.2, "amplitude": 5.0, "frequency": 3.0}
    done = walk(joint, values, joint.system.start(), 20, 1e-4, every=10)
    assert abs(done.states[:, 2]).max() <= deflection_bound(VALUES) * (1 + 1e-12)


@pytest.mark.parametrize("v", [0.01, 0.02, 0.05])
def test_small_loops_turn_where_the_linearisation_says(v: float) -> None:
    turn = lag_loop(VALUES, v).reversal
    for sigma1 in (0.95 * turn, 1.05 * turn):
        values = {**VALUES, "sigma1": sigma1}
        loop = friction_loop(LUGRE, values, v, 1e-3 * v, 40.0, points=2000, settle=0.5)
        assert (loop.area > 0) == (sigma1 < turn)
        assert loop.area == pytest.approx(lag_loop(values, v).area(40.0, 1e-3 * v), rel=1e-2)


def test_slide_boundary_is_the_critical_viscous_coefficient_less_the_own() -> None:
    curve = curve_of(LUGRE, VALUES)
    assert slide_boundary(SERVO) == pytest.approx(critical_viscous(curve) - 0.5, rel=1e-10)
    assert slide_boundary(SERVO) == pytest.approx(-shape(curve).steepest[1], rel=1e-10)
