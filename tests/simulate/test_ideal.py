"""Ideal friction: true sticking, finite stops, and two methods that share only the box solver."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError, UnsupportedError, VerificationError
from symdyn.friction.catalog import LAWS
from symdyn.friction.coulomb import COULOMB, COULOMB_SET, COULOMB_SMOOTH
from symdyn.friction.example import EXAMPLES
from symdyn.friction.karnopp import KARNOPP
from symdyn.friction.law import FrictionLaw
from symdyn.friction.lugre import LUGRE
from symdyn.friction.stribeck import STRIBECK_SET, STRIBECK_SMOOTH
from symdyn.friction.viscous import VISCOUS
from symdyn.simulate.complementarity import solve_boxes
from symdyn.simulate.creep import creep_speed
from symdyn.simulate.joint_friction import JointFriction, bounds, sliding_limit, sticks
from symdyn.simulate.mechanism import constant_inertia
from symdyn.simulate.moreau import simulate_moreau
from symdyn.simulate.stick_slide import simulate_ideal
from symdyn.simulate.trajectory import to_csv
from tests.oracles import need
from tests.simulate.values import EPS, LESSON, LESSON_INERTIA


def no_drive(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return 0 * q


def on(law: FrictionLaw, values: dict[str, float], coordinate: int = 0) -> JointFriction:
    return JointFriction(law, values, coordinate)


# -- the box problem ------------------------------------------------------------------------------


@st.composite
def box_problems(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    n = draw(st.integers(1, 4))
    number = st.floats(-3, 3, allow_subnormal=False)
    A = np.array(draw(st.lists(st.lists(number, min_size=n, max_size=n), min_size=n, max_size=n)))
    r = np.array(draw(st.lists(number, min_size=n, max_size=n)))
    low = -np.array(draw(st.lists(st.floats(0, 2), min_size=n, max_size=n)))
    high = np.array(draw(st.lists(st.floats(0, 2), min_size=n, max_size=n)))
    return A @ A.T + 0.3 * np.eye(n), r, low, high


@given(box_problems())
def test_box_problem_is_solved_and_its_solution_is_the_minimum(
    problem: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
) -> None:
    M, r, low, high = problem
    x, f = solve_boxes(M, r, low, high)
    assert M @ x + f == pytest.approx(r, abs=1e-9)
    assert np.all(f <= high + 1e-9)
    assert np.all(f >= low - 1e-9)
    assert np.all((x <= 1e-9) | (np.abs(f - high) <= 1e-9))
    assert np.all((x >= -1e-9) | (np.abs(f - low) <= 1e-9))
    # the slow twin: every choice of low, rest, high; the feasible one has the smallest energy
    best = min(
        energy(M, r, low, high, candidate)
        for sides in itertools.product((-1, 0, 1), repeat=len(r))
        if (candidate := solution_for(M, r, low, high, sides)) is not None
    )
    assert energy(M, r, low, high, x) <= best + 1e-9


def solution_for(
    M: np.ndarray, r: np.ndarray, low: np.ndarray, high: np.ndarray, sides: Sequence[int]
) -> np.ndarray | None:
    moving = [k for k, s in enumerate(sides) if s]
    x = np.zeros(len(r))
    if moving:
        force = np.array([high[k] if sides[k] > 0 else low[k] for k in moving])
        x[moving] = np.linalg.solve(M[np.ix_(moving, moving)], r[moving] - force)
    return x if all(s * a >= 0 for s, a in zip(sides, x, strict=True)) else None


def energy(M: np.ndarray, r: np.ndarray, low: np.ndarray, high: np.ndarray, x: np.ndarray) -> float:
    return float(x @ M @ x / 2 - r @ x + np.maximum(high * x, low * x).sum())


def test_box_problem_of_many_strongly_coupled_joints() -> None:
    generator = np.random.default_rng(5)
    for _ in range(20):
        A = generator.normal(size=(30, 30))
        M = A @ A.T + 1e-3 * np.eye(30)
        r, bound = 10 * generator.normal(size=30), generator.uniform(0, 5, 30)
        x, f = solve_boxes(M, r, -bound, bound)
        assert M @ x + f == pytest.approx(r, abs=1e-6)
        assert np.all(np.abs(f) <= bound * (1 + 1e-9))
        assert np.all((np.abs(x) <= 1e-6) | (f * x > 0))


def test_faults_of_the_box_problem() -> None:
    one = np.ones(1)
    with pytest.raises(InputError, match="a box is empty"):
        solve_boxes(np.eye(1), one, one, -one)
    with pytest.raises(ValueError, match="low has 2 entries; expected 1"):
        solve_boxes(np.eye(1), one, np.zeros(2), one)
    with pytest.raises((VerificationError, InputError)):
        solve_boxes(-np.eye(1), 3 * one, -one, one)
    with pytest.raises(InputError, match="singular"):
        solve_boxes(np.zeros((1, 1)), 3 * one, -one, one)


# -- one joint ------------------------------------------------------------------------------------


def test_coulomb_stops_in_the_closed_form_time() -> None:
    with mpmath.workdps(40):
        J, b, Fc, w = map(mpmath.mpf, ("0.1", "0.01", "0.2", "0.5"))
        time = J / b * mpmath.log(1 + b * w / Fc)
        way = J / b * (w - Fc / b * mpmath.log(1 + b * w / Fc))
    motion = simulate_ideal(
        constant_inertia([[0.1]]),
        [on(COULOMB_SET, {"Fc": 0.2, "b": 0.01})],
        no_drive,
        [0],
        [0.5],
        np.linspace(0, 1, 11).tolist(),
    )
    (stop,) = motion.events
    assert (stop.kind, stop.joint) == ("stops", "q1")
    assert stop.time == pytest.approx(float(time), abs=1e-11)
    assert float(time) == pytest.approx(0.24692612590, abs=1e-10)
    assert motion.q[-1, 0] == pytest.approx(float(way), abs=1e-11)
    assert np.all(motion.v[motion.times > stop.time] == 0.0)
    assert np.max(np.abs(motion.imbalance)) < 1e-12


@pytest.mark.parametrize("torque", [-0.2, -0.1, 0.0, 0.19999, 0.2])
def test_it_holds_any_load_up_to_break_away(torque: float) -> None:
    motion = simulate_ideal(
        constant_inertia([[0.1]]),
        [on(COULOMB_SET, {"Fc": 0.2, "b": 0.01})],
        lambda t, q, v: 0 * q + torque,
        [0.3],
        [0],
        [0, 5, 10],
    )
    assert np.all(motion.v == 0.0)
    assert np.all(motion.q == 0.3)
    assert motion.friction[-1, 0] == pytest.approx(torque, abs=1e-15)


def test_stribeck_joint_under_constant_torque_and_its_stop() -> None:
    body = constant_inertia([[LESSON_INERTIA]]), [on(STRIBECK_SET, LESSON)]
    pulled = simulate_ideal(*body, lambda t, q, v: 0 * q + 0.4, [0], [0], [0, 2])
    assert pulled.q[-1, 0] == pytest.approx(3.68401964, abs=1e-6)
    assert pulled.v[-1, 0] == pytest.approx(3.59685363, abs=1e-6)
    coasting = simulate_ideal(*body, no_drive, [0], [0.5], [0, 1])
    assert coasting.events[0].time == pytest.approx(0.23684298626, abs=1e-9)
    assert coasting.q[-1, 0] == pytest.approx(0.060922950389, abs=1e-9)


def test_two_stable_ends_and_an_unstable_one_between_them() -> None:
    # under 0.25 N m the joint sticks, or slides at 5 rad/s; between lies 0.035008677158 rad/s
    body = constant_inertia([[LESSON_INERTIA]]), [on(STRIBECK_SET, LESSON)]
    for start, end in ((0.0350, 0.0), (0.03501, 5.0)):
        motion = simulate_ideal(
            *body, lambda t, q, v: 0 * q + 0.25, [0], [start], [0, 300], largest_step=1.0
        )
        assert motion.v[-1, 0] == pytest.approx(end, abs=1e-9)


@pytest.mark.parametrize("h", [0.1, 0.02])
def test_block_stops_at_a_fixed_step_and_is_exact_before(h: float) -> None:
    motion = simulate_moreau(
        constant_inertia([[1]]), [on(COULOMB_SET, {"Fc": 2.94, "b": 0})], no_drive, [0], [10], 10, h
    )
    assert motion.v[-1, 0] == 0.0
    assert motion.v[round(3 / h), 0] == pytest.approx(1.18, abs=1e-12)
    before = motion.times <= 10 / 2.94
    exact = 10 - 2.94 * motion.times[before]
    assert motion.v[before, 0] == pytest.approx(exact, abs=1e-11)
    assert motion.events[0].time == pytest.approx(3.4013605442176873, abs=h)
    assert np.max(np.abs(motion.imbalance)) < 1e-11
    located = simulate_ideal(
        constant_inertia([[1]]),
        [on(COULOMB_SET, {"Fc": 2.94, "b": 0})],
        no_drive,
        [0],
        [10],
        [0, 9],
    )
    assert located.events[0].time == pytest.approx(3.4013605442176873, abs=1e-12)


@pytest.mark.parametrize("law", [COULOMB, COULOMB_SET], ids=lambda law: law.name)
def test_sign_at_rest_is_filled_in(law: FrictionLaw) -> None:
    f = on(law, {"Fc": 0.7, "b": 0.1})
    assert bounds(f, 0.0) == (-0.7, 0.7)
    assert sticks(f, 0.0)
    assert not sticks(on(VISCOUS, {"b": 2.0}), 0.0)
    assert not sticks(on(STRIBECK_SMOOTH, {**LESSON, "eps": 1e-3}), 0.0)


def test_a_joint_that_moves_backwards_with_its_coordinate_has_its_friction_mirrored() -> None:
    values = {"Fc_plus": 1.0, "Fc_minus": 3.0, "b_plus": 0.0, "b_minus": 0.0, "offset": 0.5}
    plain = JointFriction(LAWS["asymmetric"], values)
    mirrored = JointFriction(LAWS["asymmetric"], values, multiplier=-2.0)
    assert bounds(plain, 0.0) == (-2.5, 1.5)
    assert bounds(mirrored, 0.0) == (-3.0, 5.0)
    assert sliding_limit(mirrored, 0.0, 1) == 5.0


@pytest.mark.parametrize("frequency", [0.3, 20.0, 500.0])
def test_no_break_away_of_a_long_rest_is_overlooked(frequency: float) -> None:
    # the load passes break-away by a thousandth, for a short part of each half period
    motion = simulate_ideal(
        constant_inertia([[0.1]]),
        [on(COULOMB_SET, {"Fc": 0.2, "b": 0.01})],
        lambda t, q, v: 0 * q + 0.2002 * math.sin(frequency * t),
        [0],
        [0],
        [0, 10 * math.pi / frequency],
    )
    starts = [e for e in motion.events if e.kind.startswith("starts")]
    assert len(starts) == 10
    first = math.asin(0.2 / 0.2002) / frequency
    assert starts[0].time == pytest.approx(first, rel=1e-9)


def test_karnopp_holds_to_its_break_away_level_and_slides_at_the_lower_one() -> None:
    body = constant_inertia([[1.0]]), [on(KARNOPP, {"Fc": 1, "Fs": 1.5, "b": 0, "Dv": 1e-6})]
    motion = simulate_ideal(*body, lambda t, q, v: 0 * q + 0.1 * t, [0], [0], [0, 20])
    (start,) = motion.events
    assert start.time == pytest.approx(15.0, abs=1e-9)
    # afterwards dv/dt = 0.1 t - 1
    assert motion.v[-1, 0] == pytest.approx(0.05 * (20**2 - 15**2) - 5, abs=1e-9)


# -- several joints -------------------------------------------------------------------------------

M3 = [[3.0, 1.0, 0.5], [1.0, 2.0, -0.7], [0.5, -0.7, 1.5]]
DRY3 = [
    on(COULOMB_SET, {"Fc": 0.8, "b": 0.1}, 0),
    on(STRIBECK_SET, {"Fc": 0.5, "Fs": 0.7, "vs": 0.1, "alpha": 2, "b": 0.2}, 1),
    on(VISCOUS, {"b": 0.3}, 2),
]


def shaken(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.array([2 * math.sin(2 * t), 1.5 * math.cos(3 * t), 0.4]) - 2 * q


def test_coupled_joints_by_events_and_by_fixed_steps() -> None:
    times = np.linspace(0, 3, 31)
    located = simulate_ideal(
        constant_inertia(M3), DRY3, shaken, [0, 0, 0], [0, 0.2, 0], times.tolist()
    )
    assert {e.joint for e in located.events} == {"q1", "q2"}
    assert np.max(np.abs(located.imbalance)) < 1e-9
    assert np.all(np.diff(located.dissipated) >= 0)
    errors = []
    for dt in (4e-3, 2e-3):
        stepped = simulate_moreau(
            constant_inertia(M3), DRY3, shaken, [0, 0, 0], [0, 0.2, 0], 3, dt,
            every=round(0.1 / dt),
        )  # fmt: skip
        assert stepped.times == pytest.approx(times)
        errors.append(float(np.max(np.abs(stepped.q - located.q))))
    assert errors[1] < 4e-3
    assert errors[1] < 0.75 * errors[0]


def test_a_resting_joint_feels_its_neighbours_through_the_inertia() -> None:
    # joint 1 rests while joint 2 is driven: holding it needs M12 a2
    motion = simulate_ideal(
        constant_inertia([[1, 0.4], [0.4, 1]]),
        [on(COULOMB_SET, {"Fc": 1.0, "b": 0}, 0)],
        lambda t, q, v: np.array([0.0, 2.0]),
        [0, 0],
        [0, 0],
        [0, 1],
    )
    assert motion.q[-1].tolist() == pytest.approx([0, 1.0])
    assert motion.friction[-1, 0] == pytest.approx(-0.4 * 2.0)


def test_energy_never_comes_from_friction() -> None:
    motion = simulate_moreau(constant_inertia(M3), DRY3, no_drive, [0, 0, 0], [1, -2, 0.5], 3, 1e-2)
    assert np.all(np.diff(motion.kinetic) <= 1e-15)
    assert motion.dissipated[-1] == pytest.approx(motion.kinetic[0] - motion.kinetic[-1])


# -- against MuJoCo -------------------------------------------------------------------------------

BLOCK = """
<mujoco><option timestep="1e-4" gravity="0 0 0" iterations="50" tolerance="1e-12"/>
<worldbody><body><joint name="j" type="hinge" axis="0 0 1" damping="0.5" frictionloss="1"
  solimpfriction="0.9999 0.9999 0.001"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>
"""


def test_sliding_and_stop_of_mujocos_frictionloss() -> None:
    mujoco = need("mujoco")
    model = mujoco.MjModel.from_xml_string(BLOCK)
    data = mujoco.MjData(model)
    data.qvel[0] = 2.0
    while data.time < 0.6 - 1e-9:
        mujoco.mj_step(model, data)
    body = constant_inertia([[1.0]]), [on(COULOMB_SET, {"Fc": 1.0, "b": 0.5})]
    ours = simulate_ideal(*body, no_drive, [0], [2], [0, 0.6, 3])
    assert ours.v[1, 0] == pytest.approx(data.qvel[0], abs=2e-4)
    assert ours.q[1, 0] == pytest.approx(data.qpos[0], abs=2e-4)
    while data.time < 3 - 1e-9:
        mujoco.mj_step(model, data)
    assert ours.v[2, 0] == 0.0
    assert ours.q[2, 0] == pytest.approx(data.qpos[0], abs=1e-3)


# -- creep ----------------------------------------------------------------------------------------


def test_creep_of_the_smoothed_joint_is_its_equilibrium() -> None:
    smooth = {**LESSON, "eps": EPS}
    assert creep_speed(STRIBECK_SMOOTH, smooth, 0.1) == pytest.approx(
        3.474283378800864e-4, rel=1e-12
    )
    assert creep_speed(STRIBECK_SMOOTH, smooth, -0.1) == pytest.approx(
        -3.474283378800864e-4, rel=1e-12
    )


@pytest.mark.parametrize("load", [1e-6, 0.1, 0.4905, 0.999])
def test_creep_of_tanh_is_the_closed_form(load: float) -> None:
    found = creep_speed(COULOMB_SMOOTH, {"Fc": 1, "b": 0, "eps": 1e-3}, load)
    assert found == pytest.approx(1e-3 * math.atanh(load), rel=1e-12)


def test_no_creep_where_the_law_holds_and_none_where_nothing_holds() -> None:
    assert creep_speed(COULOMB_SET, {"Fc": 1, "b": 0}, 0.9) == 0.0
    assert creep_speed(COULOMB_SET, {"Fc": 1, "b": 0}, 1.1) == math.inf
    assert creep_speed(COULOMB_SET, {"Fc": 1, "b": 0}, -1.1) == -math.inf
    assert creep_speed(VISCOUS, {"b": 2}, 1.0) == pytest.approx(0.5)
    with pytest.raises(InputError, match="gives way and holds"):
        creep_speed(LUGRE, {}, 1.0)


# -- faults ---------------------------------------------------------------------------------------


def test_faults_of_ideal_simulations() -> None:
    body = constant_inertia([[1.0]])
    dry = [on(COULOMB_SET, {"Fc": 1.0, "b": 0.0})]
    with pytest.raises(InputError, match="times have to increase"):
        simulate_ideal(body, dry, no_drive, [0], [0], [0, 1, 1])
    with pytest.raises(InputError, match="the start has the wrong size"):
        simulate_ideal(body, dry, no_drive, [0], [0, 0], [0, 1])
    with pytest.raises(InputError, match="coordinate that does not exist"):
        simulate_ideal(body, [on(COULOMB_SET, {"Fc": 1, "b": 0}, 1)], no_drive, [0], [0], [0, 1])
    hot = {**EXAMPLES["temperature-stribeck"], "FsT": -0.1}
    driving = JointFriction(
        LAWS["temperature-stribeck"], hot, signals={"temperature": 40.0, "load": 0.0}
    )
    with pytest.raises(InputError, match="drives the joint from rest"):
        simulate_ideal(body, [driving], no_drive, [0], [0], [0, 1])
    with pytest.raises(InputError, match="span, step and stride have to be positive"):
        simulate_moreau(body, dry, no_drive, [0], [0], 1, 0)
    with pytest.raises(InputError, match="symmetric positive definite"):
        constant_inertia([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(InputError, match="no value for the signal 'load'"):
        JointFriction(LAWS["load-stribeck"], LAWS_VALUES)
    with pytest.raises(UnsupportedError, match="has states"):
        simulate_ideal(body, [on(LUGRE, EXAMPLES["lugre"])], no_drive, [0], [0], [0, 1])


LAWS_VALUES = {
    "Fc0": 1.0, "FcL": 0.1, "Fs0": 1.5, "FsL": 0.1, "vs": 0.1, "alpha": 1.0, "b": 0.0,
}  # fmt: skip


def test_table_of_a_motion_round_trips() -> None:
    motion = simulate_moreau(
        constant_inertia([[1]]), [on(COULOMB_SET, {"Fc": 1, "b": 0})], no_drive, [0], [1], 1, 0.25
    )
    head, *rows = to_csv(motion).splitlines()
    assert head == ("t,q[q1],qd[q1],drive[q1],friction[q1],kinetic,potential,work,dissipated")
    assert [float(row.split(",")[1]) for row in rows] == motion.q[:, 0].tolist()
