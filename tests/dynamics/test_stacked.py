"""Three conventions for twists give the same numbers, and those of the recursions."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.dynamics.stacked import TwistConvention, stacked_mass_matrix, stacked_momentum
from symdyn.expr.derive import forward
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.identity import equal
from symdyn.model.over import over
from symdyn.recipes import theta_terms
from tests.robots import random_robot

TOLERANCE = 1e-11


CONVENTIONS = ["body", "hybrid", "mixed"]


@pytest.mark.parametrize("convention", CONVENTIONS)
@given(seed=st.integers(0, 10**6))
def test_stacked_forms_equal_the_recursions(convention: TwistConvention, seed: int) -> None:
    rng = random.Random(seed)
    robot = random_robot(seed, mimic=True)
    model = over(robot, FLOAT64)
    theta = lift(theta_terms(robot), FLOAT64)
    q = [rng.uniform(-3, 3) for _ in range(robot.n)]
    psi = [rng.uniform(-2, 2) for _ in range(12 * robot.n_bodies)]
    zero = [0.0] * len(theta)
    armature = np.array(dynamics.mass_matrix(model, q, zero))
    M = np.array(dynamics.mass_matrix(model, q, theta)) - armature
    slow = np.array(stacked_mass_matrix(model, q, theta, convention))
    assert np.abs(slow - M).max() <= TOLERANCE * max(1.0, np.abs(M).max())
    momentum = np.array(dynamics.momentum_map(model, q)) @ psi
    found = np.array(stacked_momentum(model, q, psi, convention))
    assert np.abs(found - momentum).max() <= TOLERANCE * max(1.0, np.abs(momentum).max())


def _dot(A: GraphAlgebra, row: Sequence[Node], column: Sequence[Node]) -> Node:
    total = A.const(0)
    for a, b in zip(row, column, strict=True):
        total = total + a * b
    return total


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_all_of_the_equation_comes_out_of_the_stacked_forms(convention: TwistConvention) -> None:
    """(39) from M = J'ZJ and J'QPsi by differentiation, as an identity, in each convention."""
    robot = random_robot(7, 3)
    graph = Graph()
    A = GraphAlgebra(graph)
    model = over(robot, A)
    n, N = robot.n, robot.n_bodies
    q, qd, qdd = ([graph.symbol(f"{x}{k}") for k in range(n)] for x in ("q", "qd", "qdd"))
    theta, theta_dot = ([graph.symbol(f"{x}{k}") for k in range(10 * N)] for x in ("a", "b"))
    psi, psi_dot = ([graph.symbol(f"{x}{k}") for k in range(12 * N)] for x in ("c", "d"))

    M = stacked_mass_matrix(model, q, theta, convention)
    p = stacked_momentum(model, q, psi, convention)

    def by_q(entry: Node, k: int) -> Node:
        return Node(graph, forward(graph, [entry.id], q[k].id)[0])

    H = [[by_q(p[i], k) - by_q(p[k], i) for k in range(n)] for i in range(n)]
    fast = dynamics.gyroscopic_matrix(model, q, psi)
    claim = f"H by derivatives, {convention}"
    assert equal(graph, _flat(H), _flat(fast), claim=claim).holds

    # d/dt (M qd + p) - d/dq (qd' M qd / 2 + p' qd), without gravity
    changing = stacked_mass_matrix(model, q, theta_dot, convention)
    still = stacked_momentum(model, q, psi_dot, convention)
    tau: list[Node] = []
    for i in range(n):
        total = _dot(A, M[i], qdd) + _dot(A, changing[i], qd) + still[i]
        for k in range(n):
            total = total + _dot(A, [by_q(e, k) for e in M[i]], qd) * qd[k]
            total = total + (by_q(p[i], k) - by_q(p[k], i)) * qd[k]
        kinetic = _dot(A, [_dot(A, row, qd) for row in M], qd)
        tau.append(total - by_q(kinetic, i) / A.const(2))
    zero = [A.const(0)] * len(theta)
    rigid = dynamics.generalized_inverse_dynamics(model, q, qd, qdd, theta, theta_dot, psi, psi_dot)
    weight = dynamics.gravity_vector(model, q, theta)
    rotors = dynamics.inverse_dynamics(model, q, qd, qdd, zero)
    fast_tau = [a - b - c for a, b, c in zip(rigid, weight, rotors, strict=True)]
    assert equal(graph, _ids(tau), _ids(fast_tau), claim=f"(39), {convention}").holds


def _ids(nodes: Sequence[Node]) -> list[int]:
    return [node.id for node in nodes]


def _flat(matrix: Sequence[Sequence[Node]]) -> list[int]:
    return [node.id for row in matrix for node in row]
