"""Motions of robots whose mass changes or moves: end states, balances, conserved quantities."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

from symdyn._errors import SizeError
from symdyn.algebra.term import ONE, ZERO, number
from symdyn.mass import (
    TIME,
    Momentum,
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
from symdyn.simulate.changing_mass import ChangingMassRun, simulate_changing_mass
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


def loaded(momentum: Momentum) -> ChangingMassRun:
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
    end = [*run.q[-1], *run.qd[-1]]
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
    scale = np.abs(run.kinetic).max() + np.abs(run.carried).max()
    assert scale > 1
    assert np.abs(run.imbalance).max() < 1e-10 * scale
    assert np.abs(run.drives).max() == 0


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
    kept = [i * v for i, v in zip(inertia, run.qd[:, 0], strict=True)]
    assert kept == pytest.approx([kept[0]] * 3, rel=1e-12)
    assert run.qd[-1, 0] < 2.9


def test_sizes_are_checked() -> None:
    with pytest.raises(SizeError, match="qd0 has 1 entries; expected 2"):
        simulate_changing_mass(planar_arm(), (0, 0), (0,), (0, 1))
