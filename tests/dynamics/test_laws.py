"""Laws that hold on every robot, over random trees of every joint kind."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn import dynamics
from symdyn._errors import SizeError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.term import lift
from symdyn.dynamics.regroup import regroup
from symdyn.expr.derive import forward
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.model.over import over
from symdyn.model.robot import Robot
from symdyn.recipes import theta_terms
from tests.robots import random_robot

SEEDS = st.integers(0, 10**6)
# rounding of a few thousand operations on numbers of order one, relative to the largest entry
TOLERANCE = 1e-11


class State:
    """A robot over floats at a random state."""

    def __init__(self, robot: Robot, seed: int) -> None:
        rng = random.Random(seed)
        self.robot = robot
        self.model = over(robot, FLOAT64)
        self.theta = lift(theta_terms(robot), FLOAT64)
        n = robot.n
        self.q, self.qd, self.v, self.a, self.tau = (
            [rng.uniform(-3, 3) for _ in range(n)] for _ in range(5)
        )
        self.armature = np.zeros(n)
        for joint in robot.joints:
            k = float(joint.multiplier.rational or 0)
            self.armature[joint.coordinate] += k * k * float(joint.armature.rational or 0)

    def mass_matrix(self) -> np.ndarray:
        return np.array(dynamics.mass_matrix(self.model, self.q, self.theta))

    def coriolis_matrix(self) -> np.ndarray:
        return np.array(dynamics.coriolis_matrix(self.model, self.q, self.qd, self.theta))

    def gravity_vector(self) -> np.ndarray:
        return np.array(dynamics.gravity_vector(self.model, self.q, self.theta))


def close(left: object, right: object, scale: float = 1.0) -> None:
    a, b = np.asarray(left, float), np.asarray(right, float)
    size = max(scale, float(np.abs(b).max(initial=0)))
    assert float(np.abs(a - b).max(initial=0)) <= TOLERANCE * size


@given(SEEDS, st.booleans())
def test_inverse_dynamics_is_the_sum_of_its_terms(seed: int, mimic: bool) -> None:
    s = State(random_robot(seed, mimic=mimic), seed)
    tau = dynamics.inverse_dynamics(s.model, s.q, s.qd, s.a, s.theta)
    close(tau, s.mass_matrix() @ s.a + s.coriolis_matrix() @ s.qd + s.gravity_vector())


@given(SEEDS, st.booleans())
def test_mass_matrix_equals_its_slow_twin_and_is_positive(seed: int, mimic: bool) -> None:
    s = State(random_robot(seed, mimic=mimic), seed)
    M = s.mass_matrix()
    close(M, dynamics.mass_matrix_by_columns(s.model, s.q, s.theta))
    assert (M == M.T).all()
    assert np.linalg.eigvalsh(M).min() > 0


@given(SEEDS, st.booleans())
def test_regressors_times_parameters_give_the_torques(seed: int, mimic: bool) -> None:
    s = State(random_robot(seed, mimic=mimic), seed)
    Y = np.array(dynamics.regressor(s.model, s.q, s.qd, s.a))
    tau = dynamics.inverse_dynamics(s.model, s.q, s.qd, s.a, s.theta)
    close(Y @ s.theta + s.armature * s.a, tau)
    R = np.array(dynamics.slotine_li_regressor(s.model, s.q, s.qd, s.v, s.a))
    right = s.mass_matrix() @ s.a + s.coriolis_matrix() @ s.v + s.gravity_vector()
    close(R @ s.theta + s.armature * s.a, right)


@given(SEEDS)
def test_regressor_columns_are_torques_of_unit_parameters(seed: int) -> None:
    s = State(random_robot(seed, mimic=True), seed)
    Y = np.array(dynamics.regressor(s.model, s.q, s.qd, s.a))
    for k in range(len(s.theta)):
        unit = [1.0 if i == k else 0.0 for i in range(len(s.theta))]
        tau = np.array(dynamics.inverse_dynamics(s.model, s.q, s.qd, s.a, unit))
        close(Y[:, k], tau - s.armature * s.a)


@given(SEEDS, st.booleans())
def test_forward_dynamics_inverts_inverse_dynamics(seed: int, mimic: bool) -> None:
    s = State(random_robot(seed, mimic=mimic), seed)
    tau = dynamics.inverse_dynamics(s.model, s.q, s.qd, s.a, s.theta)
    condition = float(np.linalg.cond(s.mass_matrix()))
    close(dynamics.forward_dynamics(s.model, s.q, s.qd, tau, s.theta), s.a, 10 * condition)
    if not mimic:
        close(dynamics.articulated_body(s.model, s.q, s.qd, tau, s.theta), s.a, 10 * condition)


@given(SEEDS, st.booleans())
def test_energies(seed: int, mimic: bool) -> None:
    s = State(random_robot(seed, mimic=mimic), seed)
    qd = np.array(s.qd)
    energy = dynamics.kinetic_energy(s.model, s.q, s.qd, s.theta)
    close(energy, qd @ s.mass_matrix() @ qd / 2)
    J = np.array(dynamics.body_jacobian(s.model, s.q))
    assert J.shape == (6 * s.robot.n_bodies, s.robot.n)


def symbolic(robot: Robot) -> tuple[Graph, list[Node], list[Node], list[Node]]:
    graph = Graph()
    n = robot.n
    q = [graph.symbol(f"q{i}") for i in range(n)]
    qd = [graph.symbol(f"qd{i}") for i in range(n)]
    return graph, q, qd, lift(theta_terms(robot), GraphAlgebra(graph))


@given(SEEDS)
def test_coriolis_recursion_equals_differentiated_mass_matrix(seed: int) -> None:
    robot = random_robot(seed, mimic=True)
    graph, q, qd, theta = symbolic(robot)
    model = over(robot, GraphAlgebra(graph))
    M = dynamics.mass_matrix(model, q, theta)
    slow = dynamics.coriolis_matrix_by_derivatives(
        model, M, qd, lambda entry, k: Node(graph, forward(graph, [entry.id], q[k].id)[0])
    )
    fast = dynamics.coriolis_matrix(model, q, qd, theta)
    mp = MpAlgebra(40)
    s = State(robot, seed)
    symbols = {x.id: mp.number(v) for x, v in zip(q + qd, s.q + s.qd, strict=True)}
    roots = [e.id for C in (fast, slow) for row in C for e in row]
    values = [float(x) for x in evaluate(graph, roots, mp, symbols)]
    half = len(values) // 2
    close(values[:half], values[half:])
    close(values[:half], s.coriolis_matrix().ravel())


@given(SEEDS)
def test_gravity_vector_is_the_gradient_of_potential_energy(seed: int) -> None:
    robot = random_robot(seed, mimic=True)
    graph, q, _, theta = symbolic(robot)
    model = over(robot, GraphAlgebra(graph))
    U = dynamics.potential_energy(model, q, theta).id
    gradient = [forward(graph, [U], x.id)[0] for x in q]
    s = State(robot, seed)
    symbols = {x.id: v for x, v in zip(q, s.q, strict=True)}
    close(evaluate(graph, gradient, FLOAT64, symbols), s.gravity_vector(), 10.0)


@given(SEEDS)
def test_body_jacobian_is_the_velocity_of_the_frames(seed: int) -> None:
    robot = random_robot(seed, mimic=True)
    graph, q, _, _ = symbolic(robot)
    model = over(robot, GraphAlgebra(graph))
    T = dynamics.forward_kinematics(model, q)
    flat = [e.id for M in T for row in M for e in row]
    s = State(robot, seed)
    symbols = {x.id: v for x, v in zip(q, s.q, strict=True)}
    pose = np.array(evaluate(graph, flat, FLOAT64, symbols)).reshape(-1, 4, 4)
    J = np.array(dynamics.body_jacobian(s.model, s.q))
    for k, x in enumerate(q):
        rate = evaluate(graph, forward(graph, flat, x.id), FLOAT64, symbols)
        for i, dT in enumerate(np.array(rate).reshape(-1, 4, 4)):
            R = pose[i, :3, :3]
            spin = R.T @ dT[:3, :3]
            close(J[6 * i : 6 * i + 3, k], R.T @ dT[:3, 3])
            close(J[6 * i + 3 : 6 * i + 6, k], [spin[2, 1], spin[0, 2], spin[1, 0]])


@given(SEEDS)
def test_regrouped_parameters_are_zero_where_they_were_moved_from(seed: int) -> None:
    s = State(random_robot(seed), seed)
    grouped = regroup(s.model, s.theta)
    for i, link in enumerate(s.model.links):
        if link.kind.value in ("revolute", "continuous") and link.axis_index >= 0:
            assert grouped[10 * i] == 0
            assert grouped[10 * i + 1 + link.axis_index] == 0


def test_sizes_are_checked() -> None:
    s = State(random_robot(3, 3, tree=False), 3)
    with pytest.raises(SizeError, match="inverse_dynamics: qdd has 2 entries; expected 3"):
        dynamics.inverse_dynamics(s.model, s.q, s.qd, s.a[:2], s.theta)
    with pytest.raises(SizeError, match="theta has 29 entries; expected 30"):
        dynamics.mass_matrix(s.model, s.q, s.theta[:-1])


def test_articulated_body_refuses_mimic_joints_by_name() -> None:
    robot = next(r for r in (random_robot(k, 4, mimic=True) for k in range(50)) if r.n < 4)
    s = State(robot, 1)
    with pytest.raises(UnsupportedError, match="forward_dynamics"):
        dynamics.articulated_body(s.model, s.q, s.qd, s.tau, s.theta)
