"""The generalized equation by Lagrange: from the mass distribution, and with every moment free."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy

from symdyn import dynamics
from symdyn._errors import SizeError
from symdyn.algebra.term import ONE, ZERO, number
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.identity import equal
from symdyn.expr.sympy_border import from_sympy
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.lagrange import coordinates, euler_lagrange, kinetic_energy, potential_energy
from symdyn.lagrange.closed_form import forms_of
from symdyn.lagrange.generalized import (
    body_kinetic_energy,
    free_moments,
    generalized_torques,
    kinetic_energy_of_mass,
    kinetic_energy_of_moments,
    potential_energy_of_mass,
    potential_energy_of_moments,
)
from symdyn.mass import (
    TIME,
    MassDistribution,
    MassMoments,
    X,
    ball,
    box,
    cylinder,
    distribution,
    from_functions,
    moments,
    part,
    particle,
    rod,
)
from symdyn.model.over import over
from symdyn.model.robot import Body, Joint, JointKind, Robot
from tests.robots import random_robot

t = TIME
HALF = sympy.Rational(1, 2)
FIXED = (JointKind.REVOLUTE, JointKind.PRISMATIC)


def planar_arm(n: int) -> Robot:
    """n parallel axes, links of length one, gravity in the plane."""
    axis, along = (ZERO, ZERO, ONE), (ONE, ZERO, ZERO)
    untouched = ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), axis)
    joints = tuple(
        Joint(f"j{k}", JointKind.REVOLUTE, k - 1, untouched, along if k else (ZERO,) * 3, axis, k)
        for k in range(n)
    )
    bodies = tuple(Body(f"b{k}", (ONE,) * 10, (), (False,) * 10) for k in range(n))
    names = tuple(j.name for j in joints)
    return Robot("planar", bodies, joints, names, (ZERO, number("-9.81"), ZERO))


def still(robot: Robot) -> Robot:
    """The robot without letters of its own: its moments come from elsewhere."""
    return replace(robot, bodies=tuple(replace(b, symbolic=(False,) * 10) for b in robot.bodies))


def decide(
    robot: Robot, torques: sympy.Matrix, bodies: tuple[MassMoments, ...], claim: str
) -> Verdict:
    """Lagrange's torques against the recursion over the same moments, in one graph."""
    x = coordinates(robot)
    graph = Graph()
    A = GraphAlgebra(graph)
    vectors = [[graph.symbol(s.name) for s in part] for part in (x.q, x.qd, x.qdd)]
    nodes = {s: n.id for part, v in zip((x.q, x.qd, x.qdd), vectors, strict=True)
             for s, n in zip(part, v, strict=True)}  # fmt: skip
    given = [
        [value for body in bodies for value in getattr(body, name)]
        for name in ("phi", "phi_dot", "psi", "psi_dot")
    ]
    flat = [value for block in given for value in block]
    # one reading, so that t is one symbol everywhere
    ids = from_sympy(graph, [*torques.flat(), *flat], nodes)
    left, rest = ids[: robot.n], [Node(graph, i) for i in ids[robot.n :]]
    blocks, start = [], 0
    for block in given:
        blocks.append(rest[start : start + len(block)])
        start += len(block)
    right = dynamics.generalized_inverse_dynamics(over(robot, A), *vectors, *blocks)
    return equal(graph, left, [node.id for node in right], claim=claim)


@pytest.mark.parametrize(
    ("seed", "n", "tree"),
    [
        (0, 1, False),
        (3, 2, False),
        (8, 2, True),
        pytest.param(5, 3, False, marks=pytest.mark.slow),
        pytest.param(6, 3, True, marks=pytest.mark.slow),
    ],
)
def test_free_moments_give_the_recursion_for_any_mass(seed: int, n: int, tree: bool) -> None:
    robot = still(random_robot(seed, n, tree=tree))
    x = coordinates(robot)
    free = free_moments(robot.n_bodies)
    T = kinetic_energy_of_moments(robot, x, free.bodies)
    U = potential_energy_of_moments(robot, x, free.bodies)
    verdict = decide(robot, generalized_torques(T, U, x, free.rates), free.bodies, "free")
    assert verdict.holds, verdict.text()


def moving_masses(n: int) -> list[MassDistribution]:
    """Bodies that change in every way: sliding, turning, swelling, stirred in part, arriving."""
    slug = distribution(
        part(rod([0, 0, 0], [1, 0, 0]), mass=1),
        part(box(1, 2, HALF), mass=2, at=[HALF + t**2 / 4, sympy.sin(t) / 3, 0]),
    )
    turn = [[sympy.cos(t), 0, sympy.sin(t)], [0, 1, 0], [-sympy.sin(t), 0, sympy.cos(t)]]
    wheel = distribution(
        part(
            cylinder(HALF, 1), mass=3, at=[t / 5, 0, 1], rotation=turn, moving=sympy.Rational(1, 3),
            velocity=[-2 * X[1], 2 * X[0], 0],
        ),
        particle(1, [t, 1, t**2]),
    )  # fmt: skip
    radius = 1 + t / 4
    swelling = distribution(
        part(ball(radius), mass=2, velocity=[c / (4 * radius) for c in X], at=[1, 0, 0]),
        particle(HALF + t, [0, 1, HALF]),
    )
    return [slug, wheel, swelling][:n]


@pytest.mark.parametrize(("seed", "n"), [(1, 1), (4, 2), (7, 3)])
def test_straight_from_the_mass_distribution(seed: int, n: int) -> None:
    """No Phi, nu or psi on the left, nothing but them on the right."""
    robot = still(random_robot(seed, n, kinds=FIXED, tree=False))
    x = coordinates(robot)
    bodies = moving_masses(n)
    T, U = kinetic_energy_of_mass(robot, x, bodies), potential_energy_of_mass(robot, x, bodies)
    found = tuple(moments(body) for body in bodies)
    verdict = decide(robot, generalized_torques(T, U, x), found, "from the distribution")
    assert verdict.holds, verdict.text()
    # a check that can fail: rates of psi that are none of this body
    changed = tuple(value + k for k, value in enumerate(found[-1].psi_dot))
    wrong = (*found[:-1], replace(found[-1], psi_dot=changed))
    refuted = decide(robot, generalized_torques(T, U, x), wrong, "wrong")
    assert refuted.kind is VerdictKind.REFUTED


def test_energy_of_a_body_is_its_integral() -> None:
    """A stirred ball by hand: T = m v^2 / 2 + I w^2 / 2 + sigma (w I s + I s^2 / 2)."""
    s, m, r, sigma = sympy.symbols("s m r sigma", positive=True)
    stirred = distribution(
        part(ball(r), mass=m, moving=sigma, velocity=[-s * X[1], s * X[0], 0]),
        values={sigma: HALF},
    )
    v, w = sympy.symbols("v1:4", real=True), sympy.symbols("w1:4", real=True)
    inertia = sympy.Rational(2, 5) * m * r**2
    by_hand = (
        m * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2) / 2
        + inertia * (w[0] ** 2 + w[1] ** 2 + w[2] ** 2) / 2
        + sigma * inertia * (s * w[2] + s**2 / 2)
    )
    assert sympy.expand(body_kinetic_energy(stirred, v, w) - by_hand) == 0


def test_three_joints_in_the_plane() -> None:
    """Axes parallel: the normal form is small, so the verdict is a proof."""
    flat = planar_arm(3)
    x = coordinates(flat)
    free = free_moments(3)
    T = kinetic_energy_of_moments(flat, x, free.bodies)
    U = potential_energy_of_moments(flat, x, free.bodies)
    verdict = decide(flat, generalized_torques(T, U, x, free.rates), free.bodies, "planar")
    assert verdict.kind is VerdictKind.PROVED


@pytest.mark.parametrize("seed", [2, 9])
def test_without_changes_it_is_the_classical_equation(seed: int) -> None:
    """The limit Theta' = 0, Psi = 0, for free Theta: the same normal form, entry by entry."""
    robot = random_robot(seed, 2)
    x = coordinates(robot)
    theta = [x.theta[10 * i : 10 * i + 10] for i in range(robot.n_bodies)]
    zero = sympy.Integer(0)
    rest = tuple(from_functions(phi, [zero] * 12, zero) for phi in theta)
    T, U = kinetic_energy_of_moments(robot, x, rest), potential_energy_of_moments(robot, x, rest)
    assert (kinetic_energy(robot, x), potential_energy(robot, x)) == (T, U)
    general = generalized_torques(T, U, x)
    classical = euler_lagrange(T, U, x.q, x.qd, x.qdd)
    assert general == classical


def test_a_spinning_flywheel_leaves_H_although_phi_is_constant() -> None:
    """Phi' = 0, ell != 0: what Lagrange has beyond the classical equation is H qd."""
    robot = still(random_robot(4, 2, kinds=(JointKind.REVOLUTE,), tree=False))
    x = coordinates(robot)
    M, r, w, d = (sympy.Rational(*v) for v in ((3, 1), (1, 2), (7, 1), (1, 3)))
    spin = [-w * X[1], w * X[0], 0]
    wheel = distribution(part(cylinder(r, 1), mass=M, velocity=spin, at=[d, 0, 0]))
    plain = distribution(part(cylinder(r, 1), mass=M, at=[d, 0, 0]))
    link = distribution(part(ball(r), mass=1, at=[0, 0, d]))
    found = moments(wheel)
    assert all(e == 0 for e in found.phi_dot)
    assert found.mu == (0, 0, 0, 0, 0, M * r**2 * w / 2)
    torques = []
    for last in (wheel, plain):
        T = kinetic_energy_of_mass(robot, x, [link, last])
        U = potential_energy_of_mass(robot, x, [link, last])
        torques.append(generalized_torques(T, U, x))
    rest = torques[0] - torques[1]
    # H is skew: its force takes no power
    assert all(form.is_zero for form in forms_of([(rest.T * sympy.Matrix(x.qd))[0]]))
    assert not any(form.is_zero for form in forms_of(rest.flat()))
    assert decide(robot, torques[0], (moments(link), found), "flywheel").holds


def test_one_distribution_per_body() -> None:
    robot = still(random_robot(4, 2, tree=False))
    x = coordinates(robot)
    with pytest.raises(SizeError, match="bodies has 1 entry; expected 2"):
        kinetic_energy_of_mass(robot, x, moving_masses(1))
    with pytest.raises(SizeError, match="Give one per body"):
        potential_energy_of_moments(robot, x, free_moments(3).bodies)
