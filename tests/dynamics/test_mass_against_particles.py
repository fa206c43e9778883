"""The whole way from a mass distribution to torques, against particles without any parameter."""

from __future__ import annotations

import mpmath
import pytest
import sympy

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.mass import TIME, cloud, distribution, moments, part, particle
from symdyn.mass_recipes import mass_motion, with_mass
from symdyn.model.mass_motion import mass_at
from symdyn.model.over import over
from symdyn.model.robot import MassMotion, Robot
from tests.particles import (
    Arm,
    Particle,
    Path1,
    exact,
    kinetic_energy,
    random_arm,
    random_state,
    robot_of,
    torques,
)


def expression(path: Path1) -> sympy.Expr:
    """A particle's coordinate as a function of time."""
    waves = [(sympy.sin, path.sines), (sympy.cos, path.cosines)]
    return sympy.Add(
        *(sympy.Rational(c) * TIME**k for k, c in enumerate(path.poly)),
        *(sympy.Rational(a) * f(sympy.Rational(w) * TIME) for f, terms in waves for w, a in terms),
    )


def motion_of(particles: tuple[Particle, ...]) -> MassMotion:
    """Particles at rest as one cloud, those that move as parts on paths."""
    rest = [p for p in particles if not p.moves]
    places = [[c.poly[0] for c in p.path] for p in rest]
    still = part(cloud([p.mass for p in rest], places), density=1)
    moving = [particle(p.mass, [expression(c) for c in p.path]) for p in particles if p.moves]
    return mass_motion(moments(distribution(still, *moving)))


def robot(arm: Arm) -> Robot:
    """The arm with its bodies given by their mass distributions."""
    made = robot_of(arm)
    names = [body.name for body in made.bodies]
    return with_mass(made, dict(zip(names, map(motion_of, arm.particles), strict=True)))


@pytest.mark.parametrize(
    ("seed", "n", "tree"),
    [(21, 2, False), (22, 3, True), pytest.param(23, 4, False, marks=pytest.mark.slow)],
)
def test_torques_and_energy_of_spatial_arms(seed: int, n: int, tree: bool) -> None:
    arm, state = random_arm(seed, n, tree=tree), random_state(seed, n)
    made = robot(arm)
    assert all("closed" in body.motion.statement for body in made.bodies if body.motion)
    mp = MpAlgebra(50)
    model, now = over(made, mp), mass_at(made, mp, mp.const(state.t))
    q, qd, qdd = ([mp.const(x) for x in part] for part in (state.q, state.qd, state.qdd))
    tau = dynamics.generalized_inverse_dynamics(
        model, q, qd, qdd, now.theta, now.theta_dot, now.psi, now.psi_dot
    )
    T = dynamics.generalized_kinetic_energy(model, q, qd, now.theta, now.psi, now.nu)
    expected = [*torques(arm, state), kinetic_energy(arm, state)]
    wanted = [mp.number(mpmath.nstr(value, 60)) for value in expected]
    solved = [
        road(model, q, qd, wanted[:n], now.theta, now.theta_dot, now.psi, now.psi_dot)
        for road in (dynamics.generalized_forward_dynamics, dynamics.generalized_articulated_body)
    ]
    scale = max(abs(float(x)) for x in expected)
    for found, value in zip([*tau, T, *solved[0], *solved[1]], [*wanted, *qdd, *qdd], strict=True):
        # differences of 100-digit numbers are good to 1e-40
        assert abs(found - value) <= mp.number("1e-30") * scale

    floats = mass_at(made, FLOAT64, float(state.t))
    low = [[float(exact(x)) for x in part] for part in (state.q, state.qd, state.qdd)]
    tau64 = dynamics.generalized_inverse_dynamics(
        over(made, FLOAT64), *low, floats.theta, floats.theta_dot, floats.psi, floats.psi_dot
    )
    for found64, value in zip(tau64, expected, strict=False):
        assert abs(found64 - float(value)) <= 1e-12 * scale
