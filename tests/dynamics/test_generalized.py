"""The generalized equation: limits, structure, and its closed forms against differentiation."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn import dynamics
from symdyn._errors import SizeError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.dynamics.generalized import (
    carried_momentum,
    gyroscopic_matrix_by_derivatives,
)
from symdyn.expr.derive import forward
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.measure import operation_counts
from symdyn.mass.continuity import L
from symdyn.model.over import over
from symdyn.model.robot import JointKind
from symdyn.recipes import derive, theta_terms
from tests.robots import random_robot

SEEDS = st.integers(0, 10**6)
TOLERANCE = 1e-11


def draw(seed: int) -> tuple[object, dict[str, list[float]]]:
    rng = random.Random(seed)
    robot = random_robot(seed, mimic=True)
    n, N = robot.n, robot.n_bodies
    sizes = {
        "q": n, "qd": n, "qdd": n, "theta_dot": 10 * N, "psi": 12 * N, "psi_dot": 12 * N, "nu": N,
    }  # fmt: skip
    x = {name: [rng.uniform(-2, 2) for _ in range(size)] for name, size in sizes.items()}
    x["theta"] = lift(theta_terms(robot), FLOAT64)
    return robot, x


def close(left: object, right: object, scale: float = 1.0) -> None:
    a, b = np.asarray(left, float), np.asarray(right, float)
    size = max(scale, float(np.abs(b).max(initial=0)))
    assert float(np.abs(a - b).max(initial=0)) <= TOLERANCE * size


@given(SEEDS)
def test_the_equation_is_the_sum_of_its_terms(seed: int) -> None:
    robot, x = draw(seed)
    m = over(robot, FLOAT64)
    qd = np.array(x["qd"])
    M = np.array(dynamics.mass_matrix(m, x["q"], x["theta"]))
    # M(q, Theta'): no rotor turns in Theta', so the armature that mass_matrix adds comes off again
    still = np.array(dynamics.mass_matrix(m, x["q"], [0.0] * len(x["theta"])))
    rate = np.array(dynamics.mass_matrix(m, x["q"], x["theta_dot"])) - still
    C = np.array(dynamics.coriolis_matrix(m, x["q"], x["qd"], x["theta"]))
    H = np.array(dynamics.gyroscopic_matrix(m, x["q"], x["psi"]))
    g = np.array(dynamics.gravity_vector(m, x["q"], x["theta"]))
    JQ = np.array(dynamics.momentum_map(m, x["q"]))
    tau = dynamics.generalized_inverse_dynamics(
        m, x["q"], x["qd"], x["qdd"], x["theta"], x["theta_dot"], x["psi"], x["psi_dot"]
    )
    close(tau, M @ x["qdd"] + (C + rate + H) @ qd + g + JQ @ x["psi_dot"])
    close(H, -H.T)


@given(SEEDS)
def test_gyroscopic_matrix_is_the_curl_of_the_momentum(seed: int) -> None:
    robot, x = draw(seed)
    graph = Graph()
    A = GraphAlgebra(graph)
    m = over(robot, A)
    q = [graph.symbol(f"q{i}") for i in range(robot.n)]
    psi = [graph.symbol(f"psi{i}") for i in range(12 * robot.n_bodies)]
    momentum: list[Node] = []
    for row in dynamics.momentum_map(m, q):
        total = A.const(0)
        for a, b in zip(row, psi, strict=True):
            total = total + a * b
        momentum.append(total)
    D = [[Node(graph, forward(graph, [p.id], s.id)[0]) for s in q] for p in momentum]
    slow = gyroscopic_matrix_by_derivatives(m, momentum, D)
    fast = dynamics.gyroscopic_matrix(m, q, psi)
    symbols = {s.id: v for s, v in zip(q + psi, x["q"] + x["psi"], strict=True)}
    roots = [e.id for matrix in (slow, fast) for row in matrix for e in row]
    values = evaluate(graph, roots, FLOAT64, symbols)
    close(values[: len(values) // 2], values[len(values) // 2 :])


@given(SEEDS)
def test_regressor_of_the_generalized_equation(seed: int) -> None:
    robot, x = draw(seed)
    m = over(robot, FLOAT64)
    N = robot.n_bodies
    R = np.array(dynamics.generalized_regressor(m, x["q"], x["qd"], x["qdd"]))
    mu, mu_dot = (
        [value for i in range(N) for part in carried_momentum(x[k], i) for value in part]
        for k in ("psi", "psi_dot")
    )
    tau = np.array(
        dynamics.generalized_inverse_dynamics(
            m, x["q"], x["qd"], x["qdd"], x["theta"], x["theta_dot"], x["psi"], x["psi_dot"]
        )
    )
    zero = [0.0] * (10 * N)
    rest = [0.0] * robot.n
    rotors = np.array(dynamics.inverse_dynamics(m, x["q"], rest, x["qdd"], zero))
    close(R @ np.concatenate([x["theta"], x["theta_dot"], mu, mu_dot]) + rotors, tau)


@given(SEEDS)
def test_forward_dynamics_solves_the_generalized_equation(seed: int) -> None:
    robot, x = draw(seed)
    m = over(robot, FLOAT64)
    rest = (x["theta"], x["theta_dot"], x["psi"], x["psi_dot"])
    tau = dynamics.generalized_inverse_dynamics(m, x["q"], x["qd"], x["qdd"], *rest)
    qdd = dynamics.generalized_forward_dynamics(m, x["q"], x["qd"], tau, *rest)
    M = np.array(dynamics.mass_matrix(m, x["q"], x["theta"]))
    close(qdd, x["qdd"], 10 * float(np.linalg.cond(M)))


@given(SEEDS)
def test_articulated_bodies_are_the_second_road_forwards(seed: int) -> None:
    robot = random_robot(seed)
    n, N = robot.n, robot.n_bodies
    rng = random.Random(seed)
    m = over(robot, FLOAT64)
    theta = lift(theta_terms(robot), FLOAT64)
    state = [[rng.uniform(-2, 2) for _ in range(n)] for _ in range(3)]
    rest = (theta, *([rng.uniform(-1, 1) for _ in range(k * N)] for k in (10, 12, 12)))
    close(
        dynamics.generalized_articulated_body(m, *state, *rest),
        np.array(dynamics.generalized_forward_dynamics(m, *state, *rest)),
        10 * float(np.linalg.cond(np.array(dynamics.mass_matrix(m, state[0], theta)))),
    )


@given(SEEDS)
def test_sources_are_taken_off_the_rates_or_added_to_the_torques(seed: int) -> None:
    robot, x = draw(seed)
    m = over(robot, FLOAT64)
    state = (x["q"], x["qd"], x["qdd"], x["theta"])
    rng = random.Random(seed)
    theta_source, psi_source = (
        [rng.uniform(-1, 1) for _ in x[name]] for name in ("theta_dot", "psi_dot")
    )
    raw = dynamics.generalized_inverse_dynamics(m, *state, x["theta_dot"], x["psi"], x["psi_dot"])
    acting = dynamics.generalized_inverse_dynamics(
        m,
        *state,
        [a - b for a, b in zip(x["theta_dot"], theta_source, strict=True)],
        x["psi"],
        [a - b for a, b in zip(x["psi_dot"], psi_source, strict=True)],
    )
    pushed = dynamics.source_torque(m, x["q"], x["qd"], theta_source, psi_source)
    close(np.array(acting) + pushed, raw)


@given(SEEDS)
def test_changing_mass_matrix_has_no_rotors(seed: int) -> None:
    robot, x = draw(seed)
    m = over(robot, FLOAT64)
    with_rotors = np.array(dynamics.mass_matrix(m, x["q"], x["theta_dot"]))
    rotors = np.array(dynamics.mass_matrix(m, x["q"], [0.0] * len(x["theta"])))
    close(dynamics.changing_mass_matrix(m, x["q"], x["theta_dot"]), with_rotors - rotors)


@given(SEEDS)
def test_kinetic_energy_gives_the_generalized_momentum(seed: int) -> None:
    robot, x = draw(seed)
    m = over(robot, FLOAT64)
    qd = np.array(x["qd"])
    M = np.array(dynamics.mass_matrix(m, x["q"], x["theta"]))
    momentum = np.array(dynamics.momentum_map(m, x["q"])) @ x["psi"]
    T = dynamics.generalized_kinetic_energy(m, x["q"], x["qd"], x["theta"], x["psi"], x["nu"])
    close(T, qd @ M @ qd / 2 + qd @ momentum + sum(x["nu"]) / 2, 10.0)


def test_without_changes_it_is_the_classical_equation_node_for_node() -> None:
    robot = random_robot(11, 5)
    graph = Graph()
    A = GraphAlgebra(graph)
    m = over(robot, A)
    q, qd, qdd = ([graph.symbol(f"{s}{i}") for i in range(robot.n)] for s in ("q", "qd", "qdd"))
    theta = [graph.symbol(f"theta{i}") for i in range(50)]
    zero = A.const(0)
    tau = dynamics.generalized_inverse_dynamics(
        m, q, qd, qdd, theta, [zero] * 50, [zero] * 60, [zero] * 60
    )
    assert tau == dynamics.inverse_dynamics(m, q, qd, qdd, theta)


def test_a_flywheel_in_a_body_keeps_theta_and_yet_turns_the_arm() -> None:
    # constant parameters, l != 0: only H acts
    robot = random_robot(4, 3, kinds=(JointKind.REVOLUTE,), tree=False)
    m = over(robot, FLOAT64)
    psi = [0.0] * 36
    psi[12 * 2 + 6], psi[12 * 2 + 4] = 0.25, -0.25  # l_3 = 0.5 in the last body
    H = np.array(dynamics.gyroscopic_matrix(m, [0.3, -0.5, 0.8], psi))
    assert np.abs(H).max() > 1e-3


@given(SEEDS)
def test_changes_of_closed_bodies_in_closed_form(seed: int) -> None:
    """M(q, Theta') + H = sum J' [[0, -2 S(p)], [0, 2 (tr W 1 - W')]] J if Phi' = L psi."""
    robot, x = draw(seed)
    m = over(robot, FLOAT64)
    N = robot.n_bodies
    psi = np.array(x["psi"]).reshape(N, 12)
    theta_dot = [sum(c * body[k] for k, c in row) for body in psi for row in L]
    slow = np.array(dynamics.changing_mass_matrix(m, x["q"], theta_dot))
    slow += np.array(dynamics.gyroscopic_matrix(m, x["q"], psi.ravel().tolist()))
    J = np.array(dynamics.body_jacobian(m, x["q"])).reshape(N, 6, robot.n)
    fast = np.zeros_like(slow)
    for body, J_l in zip(psi, J, strict=True):
        p, W = body[:3], body[3:].reshape(3, 3).T  # W[j, i] = psi[3 + 3 i + j]
        inner = np.zeros((6, 6))
        inner[:3, 3:] = -2 * np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])
        inner[3:, 3:] = 2 * (np.trace(W) * np.eye(3) - W.T)
        fast += J_l.T @ inner @ J_l
    close(slow, fast, max(1.0, np.abs(fast).max()))


def test_operations_of_H_stay_below_those_of_C() -> None:
    robot = random_robot(9, 7, tree=False)
    specs = derive(robot, ["gyroscopic_matrix", "coriolis_matrix"]).specs
    H, C = (
        operation_counts(specs[k].graph, specs[k].result.entries).total
        for k in ("gyroscopic_matrix", "coriolis_matrix")
    )
    assert H <= 1.5 * C


def test_sizes_are_checked() -> None:
    robot = random_robot(4, 3, tree=False)
    m = over(robot, FLOAT64)
    with pytest.raises(SizeError, match="psi has 35 entries; expected 36"):
        dynamics.gyroscopic_matrix(m, [0.0] * robot.n, [0.0] * 35)
