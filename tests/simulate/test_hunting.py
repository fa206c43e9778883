"""Hunting: a limit cycle is found as such, a transient is not, and the boundary lies between."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq

from symdyn._errors import InputError, UnsupportedError
from symdyn.friction.lugre import LUGRE
from symdyn.friction.viscous import VISCOUS
from symdyn.simulate.drive import CONSTANT, PID, SPRING
from symdyn.simulate.hunting import hunt, is_loop_stable, servo, slide_boundary, slip_map
from symdyn.simulate.hunting_map import boundary_map, hunting_boundary
from symdyn.simulate.joint import joint_system
from symdyn.simulate.limit_cycle import CycleKind, Return, find_cycle, judge
from symdyn.simulate.march import Engine, Prepared, Section, prepare, walk
from symdyn.simulate.reference import solve
from symdyn.simulate.scheme import RK4
from tests.oracles import need_program
from tests.simulate.values import SERVO

GAINS = {"Kp": 3.0, "Kv": 6.0, "Ki": 4.0}


@pytest.fixture(scope="module")
def pid() -> Prepared:
    need_program("gcc")
    return servo({**SERVO, "Kp": 3.0})


def test_the_limit_cycle_is_detected(pid: Prepared) -> None:
    verdict = hunt(pid, {"Kv": 6.0, "Ki": 4.0})
    assert verdict.is_cycle
    assert verdict.amplitude == pytest.approx(0.0671935, rel=1e-6)
    assert verdict.period == pytest.approx(23.933036, rel=1e-7)
    assert verdict.change <= 1e-6


def test_the_largest_error_of_a_window_is_none(pid: Prepared) -> None:
    # at 40 s the transient still decays: 0.0685 is not the amplitude of the cycle
    done = walk(pid, {"Kv": 6.0, "Ki": 4.0}, pid.system.start(q=-1), 100, 1e-4, every=100)
    late = np.abs(done.states[done.times >= 40, 0])
    assert late.max() == pytest.approx(0.0685316, abs=1e-7)


def test_reference_integrator_agrees() -> None:
    system = joint_system(LUGRE, PID)
    values = {**SERVO, **GAINS, "target": 0.0}
    start = system.start(q=-1)
    walked = walk(prepare(system, RK4, SERVO), values, start, 50, 1e-4).end
    found = solve(system, values, start, [0, 50], method="LSODA", rtol=1e-10)
    assert found.states[-1][0] == pytest.approx(walked[0], rel=1e-7)
    assert found.states[-1][3] == pytest.approx(walked[3], rel=1e-6)


def test_a_decaying_transient_is_no_cycle(pid: Prepared) -> None:
    verdict = hunt(pid, {"Kv": 150.0, "Ki": 4.0}, span=1500, dt=5e-4)
    assert verdict.kind is CycleKind.DECAY
    assert not verdict.is_cycle
    assert "no limit cycle" in verdict.kind.value
    sizes = [r.size for r in verdict.returns[1:]]
    assert sizes == sorted(sizes, reverse=True)
    # the window 40 to 100 s, taken for an amplitude, would say 0.68
    in_window = [max(-r.low, r.high) for r in verdict.returns if 40 < r.time < 100]
    assert max(in_window) > 0.5


def test_an_unfinished_transient_stays_undecided(pid: Prepared) -> None:
    verdict = hunt(pid, {"Kv": 150.0, "Ki": 4.0}, span=150, dt=5e-4)
    assert verdict.kind is CycleKind.OPEN


def test_cycle_is_the_fixed_point_of_the_slip_map(pid: Prepared) -> None:
    gains = {"Kv": 6.0, "Ki": 4.0}
    (at,) = slip_map(pid, gains, [0.0671935])
    assert at == pytest.approx(1.0, abs=2e-3)

    def excess(e: float) -> float:
        return slip_map(pid, gains, [float(e)])[0] - 1

    assert brentq(excess, 0.05, 0.09, xtol=1e-6) == pytest.approx(0.0671935, rel=1e-3)


def test_slips_shrink_the_error_at_every_size_above_the_boundary(pid: Prepared) -> None:
    errors = np.geomspace(3e-3, 0.3, 9).tolist()
    assert max(slip_map(pid, {"Kv": 60.0, "Ki": 4.0}, errors, dt=5e-4)) < 1
    assert max(slip_map(pid, {"Kv": 20.0, "Ki": 4.0}, errors, dt=5e-4)) > 1


def test_boundary_of_hunting(pid: Prepared) -> None:
    at = hunting_boundary(pid, {"Ki": 4.0})
    assert at.Kv == pytest.approx(36.3066, rel=1e-3)  # at a step of 1e-4 s
    assert at.error == pytest.approx(0.01027, rel=1e-2)
    # simulated from rest on both sides of it
    below = hunt(pid, {"Kv": 0.98 * at.Kv, "Ki": 4.0}, span=3000, dt=5e-4, floor=6e-3)
    above = hunt(pid, {"Kv": 1.02 * at.Kv, "Ki": 4.0}, span=3000, dt=5e-4, floor=6e-3)
    assert below.is_cycle
    assert below.amplitude == pytest.approx(at.error, rel=0.1)
    assert above.kind is CycleKind.DECAY


@pytest.mark.slow
def test_boundary_over_the_gains() -> None:
    found = boundary_map(servo(SERVO), [3.0, 10.0], [1.0, 4.0, 16.0])
    assert [p.Kv for p in found[:3]] == pytest.approx([30.204, 36.303, 42.574], rel=2e-3)
    assert found[4].Kv == pytest.approx(25.085, rel=2e-3)
    # fast integral action carries it beyond the steepest fall of the curve
    assert found[2].Kv > slide_boundary(SERVO) > found[1].Kv


def test_servo_whose_friction_does_not_fall_does_not_hunt() -> None:
    flat = servo({**SERVO, "Fs": 1.0})
    (point,) = boundary_map(flat, [3.0], [1.0])
    assert math.isnan(point.Kv)


def test_proportional_servo_comes_to_rest(pid: Prepared) -> None:
    verdict = hunt(pid, {"Kv": 6.0, "Ki": 0.0}, span=60)
    assert verdict.kind is CycleKind.REST


def test_unstable_loop_is_said_to_grow() -> None:
    pid = servo(SERVO)
    gains = {"Kp": -3.0, "Kv": 6.0, "Ki": 4.0}
    assert not is_loop_stable({**SERVO, **gains})
    assert hunt(pid, gains, span=60).kind is CycleKind.GROWTH


def test_a_loop_that_only_dry_friction_bounds_hunts_from_large_and_small_errors() -> None:
    pid, gains = servo(SERVO), {"Kp": 3.0, "Kv": 0.5, "Ki": 4.0}
    assert not is_loop_stable({**SERVO, **gains})
    for error in (-1.0, -0.01):
        verdict = hunt(pid, gains, error=error)
        assert verdict.is_cycle
        assert verdict.amplitude == pytest.approx(0.2188429, rel=1e-5)
        assert verdict.period == pytest.approx(7.7549221, rel=1e-5)


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_walks_end_at_the_ceiling(engine: Engine) -> None:
    oscillator = prepare(joint_system(VISCOUS, SPRING), engine=engine)
    values = {"b": -0.3, "J": 1.0, "stiffness": 4.0, "damping": 0.0, "pull": 0.0}
    done = walk(oscillator, values, [1, 0], 100, 0.02, ceiling=2.0)
    assert 2 < abs(done.end[0]) < 2.2
    assert done.end_time < 20


@given(damping=st.floats(-5, 50), Kp=st.floats(-5, 50), Ki=st.floats(-5, 50), J=st.floats(0.1, 10))
def test_stability_of_the_loop_is_that_of_its_roots(
    damping: float, Kp: float, Ki: float, J: float
) -> None:
    rates = np.roots([J, damping, Kp, Ki] if Ki else [J, damping, Kp]).real
    assume(np.abs(rates).min() > 1e-6)
    values = {"J": J, "Kp": Kp, "Kv": damping - 0.5, "Ki": Ki, "sigma2": 0.5}
    assert is_loop_stable(values) == (rates.max() < 0)


def test_slide_boundary_is_the_steepest_fall_of_the_steady_curve() -> None:
    assert slide_boundary(SERVO) == pytest.approx(42.388194248035340, rel=1e-10)
    # bristle damping so large that it decides: sigma1 |v h'/h| at its largest
    damped = {**SERVO, "sigma1": 1e4, "J": 1e-6}
    assert slide_boundary(damped) > 1000
    assert slide_boundary({**SERVO, "Fs": 1.0}) == 0.0
    assert slide_boundary({**SERVO, "alpha": 0.8}) == math.inf


@pytest.mark.parametrize(("alpha", "steepest"), [(1.0, 50.0), (1.5, None), (3.0, None)])
def test_slide_boundary_of_other_exponents(alpha: float, steepest: float | None) -> None:
    v = np.geomspace(1e-9, 1, 400_001)
    r = (v / 0.01) ** alpha
    slope = 0.5 - 0.5 * np.exp(-r) * alpha * r / v
    expected = -float(slope.min()) if steepest is None else steepest - 0.5
    assert slide_boundary({**SERVO, "alpha": alpha}) == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("alpha", [1.0, 2.0, 3.0])
def test_slide_boundary_where_the_bristles_decide(alpha: float) -> None:
    values = {**SERVO, "alpha": alpha, "sigma1": 1e4, "J": 1e-6}
    v = np.geomspace(1e-6, 1, 400_001)
    r = (v / 0.01) ** alpha
    fall = -0.5 * np.exp(-r) * alpha * r / v
    need = -0.5 - (1e4 * fall + 1e-6 * 1e4) * v / (1 + 0.5 * np.exp(-r))
    assert slide_boundary(values) == pytest.approx(float(need.max()), rel=1e-8)


@pytest.mark.parametrize("v", [0.003, 0.00707, 0.02])
@pytest.mark.parametrize("change", [-0.5, 0.5])
def test_slides_are_stable_above_their_bound_and_not_below(v: float, change: float) -> None:
    # the linearised slide, by eigenvalues of its two states
    h = 1 + 0.5 * math.exp(-((v / 0.01) ** 2))
    fall = -0.5 * math.exp(-((v / 0.01) ** 2)) * 2 * v / 1e-4
    need = -(0.5 + fall)
    Kv = need + change
    rate = 1e4 * v / h
    # z' = (1 - rate z/v ...) linearised: dz' = v h'/h dv - rate dz
    gain = v * fall / h
    A = np.array([[-(Kv + 0.5 + 99.5 * gain), -(1e4 - 99.5 * rate)], [gain, -rate]])
    assert (np.linalg.eigvals(A).real.max() < 0) == (change > 0)


# -- the detector on systems with known answers ---------------------------------------------------


def test_a_free_oscillation_decays_below_the_floor_and_an_undamped_one_repeats() -> None:
    oscillator = prepare(joint_system(VISCOUS, SPRING), engine="python")
    values = {"b": 0.3, "J": 1.0, "stiffness": 4.0, "damping": 0.0, "pull": 0.0}
    section = Section("q", 0.0, 1)
    damped = find_cycle(oscillator, values, [1, 0], 100, 0.02, section, floor=0.01)
    assert damped.kind is CycleKind.DECAY
    slow = find_cycle(oscillator, {**values, "b": 1e-7}, [1, 0], 100, 0.02, section, floor=0.01)
    assert slow.kind is CycleKind.OPEN
    free = find_cycle(oscillator, {**values, "b": 0.0}, [1, 0], 100, 0.02, section)
    assert free.is_cycle
    assert free.period == pytest.approx(math.pi, rel=1e-6)
    assert free.amplitude == pytest.approx(1, rel=1e-3)


def test_a_growing_oscillation_and_a_body_at_rest() -> None:
    oscillator = prepare(joint_system(VISCOUS, SPRING), engine="python")
    values = {"b": -0.3, "J": 1.0, "stiffness": 4.0, "damping": 0.0, "pull": 0.0}
    section = Section("q", 0.0, 1)
    growing = find_cycle(oscillator, values, [1, 0], 100, 0.02, section, ceiling=10)
    assert growing.kind is CycleKind.GROWTH
    still = prepare(joint_system(VISCOUS, CONSTANT), engine="python")
    rest = {"b": 1.0, "J": 1.0, "torque": 0.0}
    verdict = find_cycle(still, rest, [0.5, 0], 10, 0.1, Section("v", 1.0))
    assert verdict.kind is CycleKind.REST


def series(sizes: list[float], periods: list[float]) -> list[Return]:
    out, t = [Return(0.0, (0.0,), -9.0, 9.0)], 0.0
    for size, period in zip(sizes, periods, strict=True):
        t += period
        out.append(Return(t, (0.0,), -size, size))
    return out


@pytest.mark.parametrize(
    ("sizes", "periods", "kind"),
    [
        ([1, 1, 1], [2, 2, 2], CycleKind.CYCLE),
        ([1, 1], [2, 2], CycleKind.OPEN),
        ([1, 1 - 4e-7, 1 - 8e-7], [2, 2, 2], CycleKind.OPEN),  # as far to go as ever
        ([1, 1 - 9e-7, 1 - 17e-7], [2, 2, 2], CycleKind.OPEN),  # 6.4e-6 to go
        ([1, 1 - 9e-7, 1 - 12e-7], [2, 2, 2], CycleKind.CYCLE),  # 1.5e-7 to go
        ([1, 1, 1], [2, 3, 4], CycleKind.OPEN),  # sizes alone do not make a cycle
        ([1, 0.5, 0.25], [2, 2, 2], CycleKind.OPEN),
        ([1, 0.5, 0.05], [2, 2, 2], CycleKind.DECAY),
        ([1, 10, 200], [2, 2, 2], CycleKind.GROWTH),
        ([], [], CycleKind.OPEN),
    ],
)
def test_judgement_of_series(sizes: list[float], periods: list[float], kind: CycleKind) -> None:
    assert judge(series(sizes, periods), floor=0.1, ceiling=100).kind is kind


def test_return_to_the_section_is_found_between_steps() -> None:
    oscillator = prepare(joint_system(VISCOUS, SPRING), engine="python")
    values = {"b": 0.0, "J": 1.0, "stiffness": 1.0, "damping": 0.0, "pull": 0.0}
    errors = []
    for dt in (0.2, 0.1):
        verdict = find_cycle(oscillator, values, [0, 1], 14, dt, Section("q", 0.3, 1), chunk=1)
        errors.append(abs(verdict.returns[0].time - math.asin(0.3)))
    assert errors[1] < 1e-5
    assert errors[0] / errors[1] > 10


def test_faults_of_hunting(pid: Prepared) -> None:
    with pytest.raises(InputError, match="without integral action"):
        slip_map(pid, {"Kv": 6.0, "Ki": 0.0}, [0.1])
    with pytest.raises(InputError, match="errors are sizes"):
        slip_map(pid, {"Kv": 6.0, "Ki": 4.0}, [-0.1])
    with pytest.raises(InputError, match="Ki has to be positive"):
        hunting_boundary(pid, {"Ki": 0.0})
    oscillator = prepare(joint_system(VISCOUS, SPRING), engine="python")
    fast = {"b": 0.0, "J": 1e-6, "stiffness": 1.0, "damping": 0.0, "pull": 0.0}
    with pytest.raises(UnsupportedError, match="passages, of which"):
        walk(oscillator, fast, [0, 1], 28, 1e-3, section=Section("q", 0.0, 0))
