"""Motions of robots whose mass changes or moves: end states, balances, conserved quantities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

from symdyn._errors import InputError
from symdyn.algebra.term import ONE, ZERO, number
from symdyn.mass import (
    TIME,
    Momentum,
    Part,
    X,
    ball,
    cylinder,
    distribution,
    moments,
    part,
    particle,
    source_of,
)
from symdyn.mass_recipes import mass_motion, with_mass
from symdyn.model.robot import Body, Joint, JointKind, Robot
from symdyn.simulate.changing_mass import simulate_changing_mass
from symdyn.simulate.mechanism import robot_mechanism
from symdyn.simulate.robot_run import RobotRun, Scenario, run_robot
from symdyn.simulate.semantics import Bristles, Semantics
from symdyn.simulate.trajectory import Trajectory
from tests.robots import random_robot

t = TIME


def planar_arm() -> Robot:
    """Horizontal, l1 = 1 m; with the first body's I33 = 0.9 and a ball of 1 kg, M = [[2.2, .3],
    [.3, .3]] as in the reference."""
    axis, along = (ZERO, ZERO, ONE), (ONE, ZERO, ZERO)
    untouched = ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), axis)
    joints = tuple(
        Joint(f"j{k}", JointKind.REVOLUTE, k - 1, untouched, along if k else (ZERO,) * 3, axis, k)
        for k in range(2)
    )
    nine = number("0.9")
    first = Body("upper", (ONE, ZERO, ZERO, ZERO, nine, nine, nine, ZERO, ZERO, ZERO))
    second = Body("fore", (ONE, *(ZERO,) * 9))
    return Robot("planar", (first, second), joints, ("j0", "j1"), (ZERO, ZERO, ZERO))


def loaded(momentum: Momentum) -> Trajectory:
    """Tip mass 0.5 + t at 0.8 m, constant torques (0.6, -0.2)."""
    tip = [sympy.Rational(4, 5), 0, 0]
    inner = part(ball(sympy.sqrt(sympy.Rational(3, 4))), mass=1)
    fore = moments(distribution(inner, particle(sympy.Rational(1, 2) + t, tip)))
    arm = with_mass(planar_arm(), {"fore": mass_motion(fore, source_of(fore, momentum))})
    push = np.array([0.6, -0.2])
    return simulate_changing_mass(
        arm, (0.3, 0.8), (1.2, -0.7), np.linspace(0, 1, 21).tolist(), lambda *_: push
    )


def test_loading_from_rest_ends_where_the_reference_does() -> None:
    run = loaded(Momentum.AT_REST)
    end = [*run.q[-1], *run.v[-1]]
    # an independent integration of event-free (39), printed to eleven decimals, good to ten
    reference = [1.59962992890, -0.86648622942, 1.30591980080, -1.89063927783]
    assert end == pytest.approx(reference, abs=1e-10)
    assert np.abs(run.imbalance).max() < 1e-10


def test_what_momentum_the_mass_carries_decides_the_motion() -> None:
    rest, co_moving = loaded(Momentum.AT_REST), loaded(Momentum.CO_MOVING)
    assert np.abs(rest.q[-1] - co_moving.q[-1]).max() > 0.1
    assert np.abs(co_moving.imbalance).max() < 1e-10


@pytest.mark.parametrize("seed", [3, 12])
def test_power_balance_of_spatial_arms_with_everything_moving(seed: int) -> None:
    arm = random_robot(seed, 3, kinds=(JointKind.REVOLUTE,), tree=False)
    spin = [-5 * X[1], 5 * X[0], 0]
    wheel = distribution(
        part(cylinder(1, 1), mass=2, velocity=spin, at=[sympy.sin(2 * t) / 2, 0, 1]),
        particle(1, [0, sympy.cos(3 * t) / 3, t / 4]),
    )
    radius = 1 + t / 4
    flow = [c / (4 * radius) for c in X]
    swelling = distribution(part(ball(radius), mass=1, velocity=flow, at=[1, 0, 0]))
    moved = {"body 1": mass_motion(moments(swelling)), "body 2": mass_motion(moments(wheel))}
    run = simulate_changing_mass(
        with_mass(arm, moved), [0.1, 0.5, -0.3], [0.4, -0.2, 1.0], [0, 0.5, 1.0]
    )
    assert run.mass is not None
    scale = np.abs(run.kinetic).max() + np.abs(run.mass.moved).max()
    assert scale > 1
    assert np.abs(run.imbalance).max() < 1e-10 * scale
    assert np.abs(run.work).max() == 0
    assert np.abs(run.mass.sources).max() == 0


def test_angular_momentum_of_a_swelling_ball_is_kept() -> None:
    """One free joint: (I0 + M (d^2 + 2/5 A^2)) qd is constant, by hand."""
    radius = sympy.Rational(1, 2) + t / 4
    flow = [c / (4 * radius) for c in X]
    hand = distribution(part(ball(radius), mass=2, velocity=flow, at=[1, 0, 0]))
    arm = planar_arm()
    one = Robot("one", arm.bodies[:1], arm.joints[:1], ("j0",), arm.gravity)
    run = simulate_changing_mass(
        with_mass(one, {"upper": mass_motion(moments(hand))}), [0.0], [3.0], [0.0, 1.0, 2.0]
    )
    inertia = [2 * (1 + 0.4 * (0.5 + s / 4) ** 2) for s in (0.0, 1.0, 2.0)]
    kept = [i * v for i, v in zip(inertia, run.v[:, 0], strict=True)]
    assert kept == pytest.approx([kept[0]] * 3, rel=1e-12)
    assert run.v[-1, 0] < 2.9


def test_sizes_are_checked() -> None:
    with pytest.raises(InputError, match=r"the start has the wrong size.*2 and 1"):
        simulate_changing_mass(planar_arm(), (0, 0), (0,), (0, 1))


# -- friction on robots whose mass moves -----------------------------------------------------------

#: Particles of the two-link arm: mass and place on the upper arm, mass and path on the forearm.
_M1, _C1, _M2 = 0.7, 0.6 + 0.2j, 1.3
_DRY, _VISCOUS, _EPS = (0.8, 0.3), (0.05, 0.1), 1e-2


def two_particles() -> Robot:
    """The planar arm upright in the x-y plane, a particle on each link, the outer one on a path."""
    arm = planar_arm()
    upper = moments(distribution(particle(sympy.Rational(7, 10), ["3/5", "1/5", 0])))
    fore = moments(
        distribution(particle(sympy.Rational(13, 10), [1 + sympy.sin(3 * t) / 2, t**2 / 4, 0]))
    )
    down = (ZERO, number("-9.81"), ZERO)
    moved = with_mass(
        replace(arm, gravity=down), {"upper": mass_motion(upper), "fore": mass_motion(fore)}
    )
    joints = tuple(
        replace(joint, friction=number(str(dry)), damping=number(str(viscous)))
        for joint, dry, viscous in zip(moved.joints, _DRY, _VISCOUS, strict=True)
    )
    return replace(moved, joints=joints)


def particles_rate(time: float, y: np.ndarray, dry: np.ndarray, viscous: np.ndarray) -> np.ndarray:
    """d'Alembert for two particles in the complex plane, with smoothed friction in the joints."""
    (a, b), (u, v) = y[:2], y[2:]
    A, B, w = np.exp(1j * a), np.exp(1j * (a + b)), u + v
    p = 1 + np.sin(3 * time) / 2 + 1j * time**2 / 4
    dp = 1.5 * np.cos(3 * time) + 0.5j * time
    ddp = -4.5 * np.sin(3 * time) + 0.5j
    slopes = np.array([[1j * A * _C1, 0], [1j * (A + B * p), 1j * B * p]])
    free = np.array([-A * _C1 * u**2, -A * u**2 + B * (ddp + 2j * w * dp - w**2 * p)]) + 9.81j
    masses = np.array([_M1, _M2])
    M = np.real(slopes.conj().T @ (masses[:, None] * slopes))
    bias = np.real(slopes.conj().T @ (masses * free))
    friction = dry * np.tanh(y[2:] / _EPS) + viscous * y[2:]
    return np.array([*y[2:], *np.linalg.solve(M, -bias - friction)])


def follow_particles(times: np.ndarray, method: str, dry: object, viscous: object) -> np.ndarray:
    """Positions and velocities by SciPy, (m, 4)."""
    found = solve_ivp(
        particles_rate, (0, 1), [0.3, 0.5, 0, 1], method=method, t_eval=times, rtol=1e-11,
        atol=1e-13, args=(np.array(dry), np.array(viscous)),
    )  # fmt: skip
    return found.y.T


def run_arm(semantics: Semantics, step: float | None = None) -> RobotRun:
    return run_robot(
        Scenario(
            two_particles(), (0.3, 0.5), (0.0, 1.0), 1.0, semantics=semantics, step=step,
            eps=_EPS, bristles=Bristles(give=1e-7), samples=20, rtol=1e-10,
        )
    )  # fmt: skip


def balance(run: RobotRun) -> float:
    """Largest imbalance, relative to the energies."""
    motion = run.trajectory
    scale = np.abs(motion.kinetic).max() + np.abs(motion.potential).max()
    return float(np.abs(motion.imbalance).max() / scale)


def test_free_motion_follows_the_particles() -> None:
    times = np.linspace(0, 1, 5)
    run = simulate_changing_mass(two_particles(), (0.3, 0.5), (0, 1), times.tolist())
    particles = follow_particles(times, "DOP853", (0, 0), (0, 0))
    assert np.hstack([run.q, run.v]) == pytest.approx(particles, abs=1e-9)


def test_smoothed_friction_follows_the_particles() -> None:
    run = run_arm(Semantics.REGULARISED)
    particles = follow_particles(run.trajectory.times, "Radau", _DRY, _VISCOUS)
    assert run.method == "Radau"
    assert run.trajectory.q == pytest.approx(particles[:, :2], abs=1e-7)
    assert run.trajectory.v == pytest.approx(particles[:, 2:], abs=1e-6)
    assert balance(run) < 1e-8
    stepped = run_arm(Semantics.REGULARISED, 1e-3)
    assert stepped.trajectory.q[-1] == pytest.approx(particles[-1, :2], abs=5e-3)


def test_all_meanings_of_friction_are_close_and_balanced() -> None:
    ideal = run_arm(Semantics.IDEAL)
    assert balance(ideal) < 1e-8
    assert any(event.kind == "stops" for event in ideal.trajectory.events)
    dynamic = run_arm(Semantics.DYNAMIC)
    assert balance(dynamic) < 1e-7
    end = ideal.trajectory.q[-1]
    # with the bristles' damping the difference goes as the root of their deflection: 5.6e-4
    assert dynamic.trajectory.q[-1] == pytest.approx(end, abs=1e-3)
    assert run_arm(Semantics.REGULARISED).trajectory.q[-1] == pytest.approx(end, abs=3e-2)


def test_fixed_steps_converge_where_mass_moves() -> None:
    """Moreau's scheme on the free arm is of second order, its balance too."""
    arm = replace(two_particles(), joints=planar_arm().joints)
    times = np.linspace(0, 1, 11).tolist()
    exact = simulate_changing_mass(arm, (0.3, 0.5), (0, 1), times)
    errors: list[tuple[float, float]] = []
    for dt in (2e-3, 1e-3):
        motion = run_robot(Scenario(arm, (0.3, 0.5), (0, 1), 1.0, step=dt, samples=10)).trajectory
        away = np.abs(motion.q - exact.q).max()
        errors.append((float(away), float(np.abs(motion.imbalance).max())))
    (coarse, open_), (fine, closed) = errors
    assert coarse < 2e-3
    assert 3.5 < coarse / fine < 4.5
    assert 3.5 < open_ / closed < 4.5


def one_joint(body: Sequence[Part], gravity: str, *, dry: str) -> Robot:
    arm = planar_arm()
    joint = replace(arm.joints[0], friction=number(dry))
    one = Robot("one", arm.bodies[:1], (joint,), ("j0",), (ZERO, number(gravity), ZERO))
    return with_mass(one, {"upper": mass_motion(moments(distribution(*body)))})


@pytest.mark.parametrize("step", [None, 1e-3])
def test_a_joint_sticks_until_mass_that_moves_is_too_much(step: float | None) -> None:
    """2 kg creep outwards at 0.1 m/s: the load m g s(t) reaches Fc at a known time."""
    robot = one_joint([particle(2, [t / 10, 0, 0]), part(ball(1), mass=1)], "-9.81", dry="0.5")
    run = run_robot(Scenario(robot, (0.0,), (0.0,), 0.4, step=step, samples=40))
    leaves = 0.5 / (2 * 9.81 * 0.1)
    (event,) = run.trajectory.events
    assert event.kind == "starts backwards"
    # the step whose middle is the first beyond ends up to a step and a half later
    assert event.time == pytest.approx(leaves, abs=1e-9 if step is None else 1.5e-3)
    resting = run.trajectory.times < leaves - 1e-3
    assert np.all(run.trajectory.v[resting] == 0)
    assert run.trajectory.v[-1, 0] < -1e-3
    held = run.trajectory.friction[resting, 0]
    if step is None:
        load = -2 * 9.81 * run.trajectory.times[resting] / 10
        assert held == pytest.approx(load, abs=1e-9)
        assert balance(run) < 1e-8


@pytest.mark.parametrize("step", [None, 1e-3])
def test_a_swelling_joint_stops_when_its_momentum_is_spent(step: float | None) -> None:
    """d/dt (I(t) qd) = -Fc, whatever I does: it stops at I(0) qd(0) / Fc."""
    radius = sympy.Rational(1, 2) + t
    swelling = part(ball(radius), mass=2, velocity=[c / radius for c in X])
    robot = one_joint([swelling], "0", dry="0.4")
    run = run_robot(Scenario(robot, (0.0,), (2.0,), 1.5, step=step))
    (event,) = run.trajectory.events
    assert event.kind == "stops"
    stops = 0.4 * 2 * 0.25 * 2.0 / 0.4
    assert event.time == pytest.approx(stops, abs=1e-8 if step is None else 1.1e-3)
    assert run.trajectory.v[-1].tolist() == [0.0]
    if step is None:
        assert balance(run) < 1e-8


@pytest.mark.parametrize("momentum", [Momentum.AT_REST, Momentum.CO_MOVING])
def test_balance_of_open_bodies_with_friction_and_gravity(momentum: Momentum) -> None:
    fore = moments(
        distribution(part(ball(1), mass=1), particle(1 + 2 * t, [sympy.Rational(4, 5), 0, 0]))
    )
    open_ = mass_motion(fore, source_of(fore, momentum))
    arm = with_mass(two_particles(), {"fore": open_})
    for semantics, step, tolerance in (
        (Semantics.IDEAL, None, 1e-8),
        (Semantics.REGULARISED, None, 1e-7),
        (Semantics.IDEAL, 1e-3, 1e-4),
    ):
        run = run_robot(
            Scenario(arm, (0.3, 0.5), (0, 1), 0.5, semantics=semantics, step=step, eps=_EPS)
        )
        assert balance(run) < tolerance
        mass = run.trajectory.mass
        assert mass is not None
        brings = np.abs(mass.sources).max()
        assert brings == 0 if momentum is Momentum.AT_REST else brings > 0.1


def test_native_and_python_engines_agree() -> None:
    arm = two_particles()
    q, v = np.array([0.3, -0.5]), np.array([1.0, 2.0])
    native, python = (robot_mechanism(arm, engine) for engine in ("native", "python"))
    for a, b in zip(native.terms(0.4, q, v), python.terms(0.4, q, v), strict=True):
        assert np.asarray(a) == pytest.approx(np.asarray(b), rel=1e-12, abs=1e-12)


def test_mass_that_ceases_to_be_mass_is_refused() -> None:
    emptying = moments(distribution(particle(1 - t, [1, 0, 0]), times=(0, 1)))
    source = source_of(emptying, Momentum.CO_MOVING)
    arm = with_mass(planar_arm(), {"fore": mass_motion(emptying, source)})
    with pytest.raises(InputError, match=r"no mass has the .* of 'fore' at t = 1\."):
        run_robot(Scenario(arm, (0, 0), (0, 0), 2.0, samples=100))
    with pytest.raises(InputError, match="not positive definite at t = 1"):
        simulate_changing_mass(arm, (0, 0), (0, 0), [0, 2])
