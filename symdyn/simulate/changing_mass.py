"""Motion of a robot whose bodies change or carry moving mass: equation (39) with its balance.

    M qdd + (C + M(q, Theta'_act) + H) qd + g + J'Q Psi'_act = tau

with Theta'_act = Theta' - Theta'_src and Psi'_act = Psi' - Psi_src. Since dM/dt = C + C' +
M(q, Theta') and H is skew,

    d/dt (qd' M qd / 2) = qd' tau - qd' g
                          + qd' M(q, Theta') qd / 2 - qd' M(q, Theta'_act) qd - qd' J'Q Psi'_act,

and the three works on the right are integrated beside the motion: their sum against the energy on
the left is the measure of the error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from symdyn import dynamics
from symdyn._errors import SizeError
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.dynamics.generalized import without_rotors
from symdyn.expr.derive import forward
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.model.mass_motion import mass_at
from symdyn.model.over import over
from symdyn.model.robot import TIME, Robot
from symdyn.simulate.scipy_ import integrate

#: Torques of the drives at (t, q, qd).
Torques = Callable[[float, Array, Array], Array]


@dataclass(frozen=True, slots=True)
class ChangingMassRun:
    """A motion at m times.

    Attributes
    ----------
    times : (m,) [s]
    q, qd : (m, n) coordinates and velocities
    kinetic : (m,) qd' M qd / 2 [J]
    potential : (m,) U(q, t) [J]
    relative : (m,) qd' J'Q Psi + sum(nu) / 2, what the kinetic energy has beyond ``kinetic`` [J]
    drives, gravity, carried : (m,) works since the start: of tau, of gravity, and of everything
        that changes in the bodies [J]
    """

    times: Array
    q: Array
    qd: Array
    kinetic: Array
    potential: Array
    relative: Array
    drives: Array
    gravity: Array
    carried: Array

    @property
    def imbalance(self) -> Array:
        """Gain of qd' M qd / 2 less the three works, (m,) [J]: zero but for integration errors."""
        return (self.kinetic - self.kinetic[0]) - (self.drives + self.gravity + self.carried)


def simulate_changing_mass(
    robot: Robot,
    q0: Sequence[float],
    qd0: Sequence[float],
    times: Sequence[float],
    torques: Torques | None = None,
    *,
    tolerance: float = 1e-12,
) -> ChangingMassRun:
    """Integrate the generalized robotics equation with DOP853.

    Parameters
    ----------
    robot : its bodies with the motion of their mass, see `symdyn.mass_recipes.with_mass`
    q0, qd0 : (n,) start [rad | m, per s]
    times : (m,) increasing; the motion starts at the first [s]
    torques : of the drives; zero if None
    tolerance : relative and absolute, of every state and of the works

    Raises
    ------
    SizeError : a vector has the wrong length
    UnsupportedError : the integrator fails before the end
    """
    n = robot.n
    for name, given in (("q0", q0), ("qd0", qd0)):
        if len(given) != n:
            raise SizeError("simulate_changing_mass", name, n, len(given))
    traced = _trace(robot)
    still = np.zeros(n)

    def push(t: float, q: Array, qd: Array) -> Array:
        return still if torques is None else torques(t, q, qd)

    def rate(t: float, y: Array) -> Array:
        q, qd = y[:n], y[n : 2 * n]
        tau = push(t, q, qd)
        found = traced.at(traced.rates, t, q, qd, tau)
        return np.array([*qd, *found[:n], float(tau @ qd), *found[n:]])

    start = np.array([*q0, *qd0, 0.0, 0.0, 0.0])
    grid = np.array(times, dtype=float)
    bound = np.full(len(start), tolerance)
    states, _ = integrate(rate, start, grid, "DOP853", tolerance, bound, np.inf)
    energies = np.array(
        [
            traced.at(traced.energies, t, y[:n], y[n : 2 * n], still)
            for t, y in zip(grid.tolist(), states, strict=True)
        ]
    )
    return ChangingMassRun(
        grid,
        states[:, :n],
        states[:, n : 2 * n],
        *(energies[:, k] for k in range(3)),
        *(states[:, 2 * n + k] for k in range(3)),
    )


@dataclass(frozen=True, slots=True)
class _Traced:
    """The right side as one graph: roots of rates (qdd, two powers) and of energies."""

    graph: Graph
    inputs: tuple[int, ...]
    rates: tuple[int, ...]
    energies: tuple[int, ...]

    def at(self, roots: Sequence[int], t: float, q: Array, qd: Array, tau: Array) -> list[float]:
        given = [t, *q.tolist(), *qd.tolist(), *tau.tolist()]
        return evaluate(self.graph, roots, FLOAT64, dict(zip(self.inputs, given, strict=True)))


def _trace(robot: Robot) -> _Traced:
    graph = Graph()
    A = GraphAlgebra(graph)
    t = graph.symbol(TIME)
    q, qd, tau = ([graph.symbol(f"{s}[{i}]") for i in range(robot.n)] for s in ("q", "qd", "tau"))
    m = over(robot, A)
    now = mass_at(robot, A, t)
    theta, acting, psi, psi_dot = now.theta, now.theta_dot, now.psi, now.psi_dot
    raw = [Node(graph, i) for i in forward(graph, [entry.id for entry in theta], t.id)]
    qdd = dynamics.generalized_forward_dynamics(m, q, qd, tau, theta, acting, psi, psi_dot)
    gravity = -_dot(A, qd, dynamics.gravity_vector(m, q, theta))
    rest = _dot(A, qd, _times(A, dynamics.momentum_map(m, q), psi_dot))
    quiet = without_rotors(m)
    carried = (
        dynamics.kinetic_energy(quiet, q, qd, raw)
        - A.const(2) * dynamics.kinetic_energy(quiet, q, qd, acting)
        - rest
    )
    kinetic = dynamics.kinetic_energy(m, q, qd, theta)
    whole = dynamics.generalized_kinetic_energy(m, q, qd, theta, psi, now.nu)
    potential = dynamics.potential_energy(m, q, theta)
    return _Traced(
        graph,
        tuple(node.id for node in (t, *q, *qd, *tau)),
        tuple(node.id for node in (*qdd, gravity, carried)),
        tuple(node.id for node in (kinetic, potential, whole - kinetic)),
    )


def _dot(A: GraphAlgebra, a: Sequence[Node], b: Sequence[Node]) -> Node:
    total = A.const(0)
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total


def _times(A: GraphAlgebra, matrix: Sequence[Sequence[Node]], x: Sequence[Node]) -> list[Node]:
    return [_dot(A, row, x) for row in matrix]
