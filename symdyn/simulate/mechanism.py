"""What moves: M(q) dv/dt + bias(q, v) = forces; a robot, or bodies of constant inertia.

Where mass of a robot changes or moves, M and the bias depend on the time, and the bias is that of
the generalized equation (39),

    bias = (C + M(q, Theta'_act) + H(q, Psi)) v + g + J'Q Psi'_act,

with Theta'_act = Theta' - Theta'_src and Psi'_act = Psi' - Psi_src. As dM/dt = C + C' + M(q,
Theta') and H is skew, the energy T + U = v'Mv/2 + U(q, Theta) then also changes by two powers
besides those of drives and friction,

    of mass that moves:   -(v' M(q, Theta'_act) v / 2 + v' J'Q Psi') + U(q, Theta'_act)
    of sources:             v' M(q, Theta'_src) v / 2 + v' J'Q Psi_src + U(q, Theta'_src),

none of which holds armature. What all kinetic energy has beyond T is v' J'Q Psi + sum nu / 2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from symdyn import dynamics
from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.algebra.protocol import S
from symdyn.codegen.spec import Argument, FunctionSpec, Result
from symdyn.dynamics.generalized import without_rotors
from symdyn.dynamics.rnea import bias_force
from symdyn.expr.graph import Graph, GraphAlgebra
from symdyn.mass_recipes import changes
from symdyn.model.mass_motion import MassAtTime, mass_at
from symdyn.model.over import Model, over
from symdyn.model.robot import TIME, Robot
from symdyn.simulate.march import Engine
from symdyn.simulate.native import is_available, native_function
from symdyn.simulate.trajectory import Event, MassWorks, Trajectory


class Terms(NamedTuple):
    """A mechanism at one time and state.

    Attributes
    ----------
    inertia : M, (n, n)
    bias : C(q, v) v + g(q), (n,), and what changing mass adds to it
    kinetic, potential : energies v'Mv/2 and U [J]
    relative : what the kinetic energy of all mass has beyond v'Mv/2 [J]
    powers : of mass that moves and of sources [W]; none where no mass changes
    """

    inertia: Array
    bias: Array
    kinetic: float
    potential: float
    relative: float = 0.0
    powers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Equations of motion without friction.

    Attributes
    ----------
    names : of the coordinates
    terms : M, bias, energies and powers at (t, q, v)
    engine : ``native``, ``python``, or ``constant``
    is_changing : whether mass changes or moves, so that there are powers
    """

    names: tuple[str, ...]
    terms: Callable[[float, Array, Array], Terms]
    engine: str = "constant"
    is_changing: bool = False

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return len(self.names)

    @property
    def works(self) -> int:
        """How many works a simulation adds up: of drives, friction, moving mass and sources."""
        return 4 if self.is_changing else 2


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

    def terms(t: float, q: Array, v: Array) -> Terms:
        return Terms(inertia, weight, float(v @ inertia @ v) / 2, float(weight @ q))

    return Mechanism(tuple(f"q{k + 1}" for k in range(n)), terms)


def robot_mechanism(robot: Robot, engine: Engine = "auto") -> Mechanism:
    """A robot with its own inertial parameters, and with what its mass does in time.

    Parameters
    ----------
    robot : the robot
    engine : ``native`` derives M, bias, energies and powers as one function and compiles it;
        ``python`` runs the recursions over floats, slower

    Raises
    ------
    UnsupportedError : ``native`` without a compiler
    """
    is_changing = changes(robot)
    compiles = engine == "native" or (engine == "auto" and is_available())
    entries = _compiled(robot) if compiles else _recursive(robot)
    n = robot.n

    def terms(t: float, q: Array, v: Array) -> Terms:
        out = entries(t, q, v)
        M = out[: n * n].reshape(n, n)
        kinetic, potential, *rest = out[n * (n + 1) :].tolist()
        if not is_changing:
            return Terms(M, out[n * n : n * (n + 1)], kinetic, potential)
        _check_inertia(robot, t, M)
        relative, *powers = rest
        return Terms(M, out[n * n : n * (n + 1)], kinetic, potential, relative, tuple(powers))

    kind = "native" if compiles else "python"
    return Mechanism(robot.coordinates, terms, kind, is_changing)


def _check_inertia(robot: Robot, t: float, M: Array) -> None:
    """Raise InputError unless M is positive definite: mass that changes may cease to be mass."""
    try:
        np.linalg.cholesky(M)
    except np.linalg.LinAlgError:
        raise InputError(
            f"M(q) is not positive definite at t = {t:.6g} s",
            where=f"simulate {robot.name!r}",
            expected="bodies whose changing mass stays physically consistent, and no joint that "
            "feels no inertia",
        ) from None


def motion_of(
    mechanism: Mechanism,
    times: Array,
    q: Array,
    v: Array,
    drive: Array,
    friction: Array,
    works: Array,
    events: Sequence[Event] = (),
) -> Trajectory:
    """A trajectory with its energies.

    Parameters
    ----------
    times : (m,)
    q, v, drive, friction : (m, n)
    works : (m, mechanism.works) since the start [J]
    """
    energies = np.array(
        [mechanism.terms(t, a, b)[2:5] for t, a, b in zip(times.tolist(), q, v, strict=True)]
    )
    mass = None
    if mechanism.is_changing:
        mass = MassWorks(works[:, 2], works[:, 3], energies[:, 2])
    return Trajectory(
        mechanism.names, times, q, v, drive, friction,
        energies[:, 0], energies[:, 1], works[:, 0], works[:, 1], tuple(events), mass=mass,
    )  # fmt: skip


def _recursive(robot: Robot) -> Callable[[float, Array, Array], Array]:
    """All entries of `Terms` by the recursions over floats."""
    model = over(robot, FLOAT64)
    steady = None if changes(robot) else mass_at(robot, FLOAT64, 0.0)

    def entries(t: float, q: Array, v: Array) -> Array:
        now = mass_at(robot, FLOAT64, t) if steady is None else steady
        return np.array(_entries(model, now, q.tolist(), v.tolist(), steady is None))

    return entries


def _compiled(robot: Robot) -> Callable[[float, Array, Array], Array]:
    """The same as one compiled function."""
    graph = Graph()
    t = graph.symbol(TIME)
    q, v = ([graph.symbol(f"{s}[{k}]") for k in range(robot.n)] for s in ("q", "qd"))
    A = GraphAlgebra(graph)
    is_changing = changes(robot)
    out = _entries(over(robot, A), mass_at(robot, A, t), q, v, is_changing)
    arguments = tuple(
        Argument(name, (len(nodes),), tuple(node.id for node in nodes))
        for name, nodes in ((TIME, [t]), ("q", q), ("qd", v))
        if is_changing or name != TIME
    )
    result = Result("terms", (len(out),), tuple(node.id for node in out))
    doc = "M, bias, energies" + (", powers" if is_changing else "")
    flat = native_function(FunctionSpec("terms", graph, arguments, result, doc))
    if is_changing:
        return lambda t, q, v: flat(np.array([t]), q, v)
    return lambda t, q, v: flat(q, v)


def _entries(
    model: Model[S], now: MassAtTime[S], q: Sequence[S], v: Sequence[S], is_changing: bool
) -> list[S]:
    """M row by row, bias, kinetic and potential energy; of changing mass also energy and powers."""
    theta = now.theta
    out = [entry for row in dynamics.mass_matrix(model, q, theta) for entry in row]
    if is_changing:
        rest = [model.algebra.const(0)] * model.n
        out += dynamics.generalized_inverse_dynamics(
            model, q, v, rest, theta, now.theta_dot, now.psi, now.psi_dot
        )
    else:
        out += bias_force(model, q, v, theta)
    out.append(dynamics.kinetic_energy(model, q, v, theta))
    out.append(dynamics.potential_energy(model, q, theta))
    if is_changing:
        nothing = [model.algebra.const(0)] * len(theta)
        out.append(
            dynamics.generalized_kinetic_energy(
                without_rotors(model), q, v, nothing, now.psi, now.nu
            )
        )
        out += mass_powers(model, now, q, v)
    return out


def mass_powers(model: Model[S], now: MassAtTime[S], q: Sequence[S], v: Sequence[S]) -> list[S]:
    """Powers of mass that moves and of sources, see the module's text [W]."""
    quiet = without_rotors(model)
    still = [model.algebra.const(0)] * len(now.nu)
    whole = [a + b for a, b in zip(now.psi_dot, now.psi_source, strict=True)]
    lost = dynamics.generalized_kinetic_energy(quiet, q, v, now.theta_dot, whole, still)
    brought = dynamics.generalized_kinetic_energy(
        quiet, q, v, now.theta_source, now.psi_source, still
    )
    return [
        dynamics.potential_energy(model, q, now.theta_dot) - lost,
        dynamics.potential_energy(model, q, now.theta_source) + brought,
    ]
