"""What moves: M(q) dv/dt + bias(q, v) = forces; a robot, or bodies of constant inertia."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from symdyn import dynamics
from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.algebra.protocol import Algebra, S
from symdyn.algebra.term import lift
from symdyn.codegen.spec import Argument, FunctionSpec, Result
from symdyn.dynamics.rnea import bias_force
from symdyn.expr.graph import Graph, GraphAlgebra
from symdyn.model.over import over
from symdyn.model.robot import Robot
from symdyn.recipes import theta_terms
from symdyn.simulate.march import Engine
from symdyn.simulate.native import is_available, native_function


class Terms(NamedTuple):
    """A mechanism at one state.

    Attributes
    ----------
    inertia : M, (n, n)
    bias : C(q, v) v + g(q), (n,)
    kinetic, potential : energies [J]
    """

    inertia: Array
    bias: Array
    kinetic: float
    potential: float


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Equations of motion without friction.

    Attributes
    ----------
    names : of the coordinates
    terms : M, bias and energies at (q, v)
    engine : ``native``, ``python``, or ``constant``
    """

    names: tuple[str, ...]
    terms: Callable[[Array, Array], Terms]
    engine: str = "constant"

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return len(self.names)


#: Torque of the drives at (t, q, v), (n,).
Actuation = Callable[[float, Array, Array], Array]


def constant_inertia(M: Sequence[Sequence[float]], load: Sequence[float] = ()) -> Mechanism:
    """Bodies with a constant inertia matrix under a constant load.

    Parameters
    ----------
    M : (n, n) symmetric positive definite
    load : (n,) constant forces against positive motion; none by default

    Raises
    ------
    InputError : M is not symmetric positive definite
    """
    inertia = np.array(M, dtype=float)
    n = len(inertia)
    weight = np.array(load if len(load) else [0.0] * n, dtype=float)
    ok = inertia.shape == (n, n) and weight.shape == (n,) and np.array_equal(inertia, inertia.T)
    if not ok or float(np.linalg.eigvalsh(inertia)[0]) <= 0:
        raise InputError("the inertia is not symmetric positive definite", where="constant_inertia")

    def terms(q: Array, v: Array) -> Terms:
        return Terms(inertia, weight, float(v @ inertia @ v) / 2, float(weight @ q))

    return Mechanism(tuple(f"q{k + 1}" for k in range(n)), terms)


def robot_mechanism(robot: Robot, engine: Engine = "auto") -> Mechanism:
    """A robot with its own inertial parameters.

    Parameters
    ----------
    robot : the robot
    engine : ``native`` derives M, bias and energies as one function and compiles it; ``python``
        runs the recursions over floats, slower

    Raises
    ------
    UnsupportedError : ``native`` without a compiler
    """
    n = robot.n
    if engine == "native" or (engine == "auto" and is_available()):
        flat = native_function(_terms_function(robot))

        def compiled(q: Array, v: Array) -> Terms:
            out = flat(q, v)
            M = out[: n * n].reshape(n, n)
            return Terms(M, out[n * n : -2], float(out[-2]), float(out[-1]))

        return Mechanism(robot.coordinates, compiled, "native")

    model = over(robot, FLOAT64)
    theta = _theta(robot, FLOAT64)

    def recursive(q: Array, v: Array) -> Terms:
        at, rate = q.tolist(), v.tolist()
        return Terms(
            np.array(dynamics.mass_matrix(model, at, theta)),
            np.array(bias_force(model, at, rate, theta)),
            dynamics.kinetic_energy(model, at, rate, theta),
            dynamics.potential_energy(model, at, theta),
        )

    return Mechanism(robot.coordinates, recursive, "python")


def _theta(robot: Robot, A: Algebra[S]) -> list[S]:
    return lift(theta_terms(robot), A, {p.name: A.const(p.value) for p in robot.parameters})


def _terms_function(robot: Robot) -> FunctionSpec:
    """M row by row, bias, kinetic and potential energy of (q, qd) as one function."""
    graph = Graph()
    A = GraphAlgebra(graph)
    model = over(robot, A)
    theta = _theta(robot, A)
    q, qd = ([graph.symbol(f"{s}[{k}]") for k in range(robot.n)] for s in ("q", "qd"))
    out = [entry for row in dynamics.mass_matrix(model, q, theta) for entry in row]
    out += bias_force(model, q, qd, theta)
    out.append(dynamics.kinetic_energy(model, q, qd, theta))
    out.append(dynamics.potential_energy(model, q, theta))
    arguments = tuple(
        Argument(name, (robot.n,), tuple(node.id for node in nodes))
        for name, nodes in (("q", q), ("qd", qd))
    )
    result = Result("terms", (len(out),), tuple(node.id for node in out))
    return FunctionSpec("terms", graph, arguments, result, "M, bias, energies")
