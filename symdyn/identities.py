"""The laws that the derived functions of every robot have to obey, checked exactly.

Each law compares functions that were derived by different recursions. They are brought together in
one graph: a function is copied with other expressions in place of its arguments (inverse dynamics
at qd = 0; forward dynamics of the torques of inverse dynamics), derivatives are graph derivatives,
and `symdyn.expr.identity.equal` decides. A law about all columns of a matrix is stated for a
direction of symbols u and w, which is the same thing. Small robots are also derived by Lagrange.

What is checked are the graphs that code is generated from, not the recursions that made them: a
sign turned anywhere on the way is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from symdyn._errors import UnsupportedError
from symdyn.algebra.term import lift
from symdyn.base_parameters import parameter_groups
from symdyn.codegen.spec import FunctionSpec
from symdyn.dynamics.joint_friction import FrictionOver, friction_terms, joint_friction
from symdyn.expr.copy import copy_into
from symdyn.expr.derive import forward, forward_along
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.identity import SEED, equal
from symdyn.expr.sympy_border import from_sympy
from symdyn.expr.trig_form import FormTooBigError
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.joint_friction import friction_state_names
from symdyn.mass_recipes import changes
from symdyn.model.mass_motion import mass_at
from symdyn.model.over import over
from symdyn.model.robot import TIME, Robot
from symdyn.recipes import BASE_FUNCTION
from symdyn.spatial.momentum import acting_momentum

if TYPE_CHECKING:
    from sympy import Basic, Expr

Sides = tuple[list[int], list[int]]
#: Robots up to so many bodies are also derived by Lagrange.
SMALL = 3
#: Laws of robots up to so many bodies are proved by the normal form.
PROVED = 4
#: Budget of the normal form for one law of a small robot. Each law for which it does not suffice
#: halves that of the laws after it, down to the least: they would mostly use it up in vain.
_FORM_LIMIT, _LEAST_FORM_LIMIT = 400_000, 100_000


class Functions:
    """All functions of one robot in one graph, ready to be put into each other.

    Parameters
    ----------
    robot : what the functions were derived for
    specs : by name, as `symdyn.recipes.derive` gives them
    """

    def __init__(self, robot: Robot, specs: Mapping[str, FunctionSpec]) -> None:
        arguments = {a.name for spec in specs.values() for a in spec.arguments}
        if "beta" in arguments:
            # grouped parameters stand for any values of theta, also of those fixed in the file
            bodies = tuple(replace(body, symbolic=(True,) * 10) for body in robot.bodies)
            robot = replace(robot, bodies=bodies)
        self.robot, self.specs = robot, specs
        self.graph = graph = Graph()
        n = robot.n
        declared = [p for p in robot.parameters if p.is_argument]
        sizes = {name: n for name in ("q", "qd", "qdd", "v", "a", "u", "w", "tau")}
        sizes |= {name: 10 * robot.n_bodies for name in ("theta_dot", "theta_source")}
        sizes |= {name: 12 * robot.n_bodies for name in ("psi", "psi_dot", "psi_source")}
        sizes |= {"nu": robot.n_bodies, "parameters": len(declared), TIME: 1}
        sizes |= {"load": n, "temperature": n, "friction": len(friction_terms(robot))}
        sizes |= {"friction_state": len(friction_state_names(robot))}
        self.vectors = {
            name: [graph.symbol(f"{name}[{i}]").id for i in range(size)]
            for name, size in sizes.items()
        }
        A = GraphAlgebra(graph)
        parameters = {
            p.name: Node(graph, i)
            for p, i in zip(declared, self.vectors["parameters"], strict=True)
        }
        model = over(robot, A, parameters)
        values = {p.name: A.const(p.value) for p in robot.parameters} | parameters
        now = mass_at(robot, A, Node(graph, self.vectors[TIME][0]), values)
        theta = now.theta
        if changes(robot):
            # Lagrange's equations hold for any values of theta, also for those of a time
            bodies = tuple(replace(body, symbolic=(True,) * 10) for body in robot.bodies)
            self.robot = replace(robot, bodies=bodies)
            for name, nodes in now.arguments().items():
                if name not in arguments:
                    self.vectors[name] = [node.id for node in nodes]
        if arguments & {"theta", "beta"}:
            free = [flag for body in robot.bodies for flag in body.symbolic]
            theta = [
                graph.symbol(f"theta[{k}]") if f else t
                for k, (f, t) in enumerate(zip(free, theta, strict=True))
            ]
        self.is_grouping_exact = True
        if "beta" in arguments:
            groups = parameter_groups(robot)
            self.is_grouping_exact = groups.is_exact
            if groups.is_exact:
                beta = groups.beta(model, theta)
            else:
                beta = [graph.symbol(f"beta[{k}]") for k in range(len(groups.columns))]
                theta = groups.theta(A.const(0), beta, len(theta))
            self.vectors["beta"] = [node.id for node in beta]
        self.vectors["theta"] = [t.id for t in theta]
        rotors = [A.const(0)] * n
        for link in model.links:
            rotor = link.multiplier * link.multiplier * link.armature
            rotors[link.coordinate] = rotors[link.coordinate] + rotor
        self.rotors = [r.id for r in rotors]
        self.zeros = [graph.zero] * n
        if "friction" not in arguments:
            self.vectors["friction"] = [x.id for x in lift(friction_terms(robot), A, values)]
        nodes = {name: [Node(graph, i) for i in ids] for name, ids in self.vectors.items()}
        self.friction = FrictionOver(joint_friction(robot), model, nodes)

    def call(self, name: str, **arguments: Sequence[int]) -> list[int]:
        """Entries of a function; arguments that are not given are its own symbols."""
        spec = self.specs[name]
        mapping: dict[int, int] = {}
        for argument in spec.arguments:
            values = arguments.get(argument.name) or self.vectors[argument.name]
            mapping.update(zip(argument.symbols, values, strict=True))
        return copy_into(spec.graph, spec.result.entries, self.graph, mapping)

    def matrix(self, name: str, **arguments: Sequence[int]) -> list[list[int]]:
        """The same as rows."""
        entries = self.call(name, **arguments)
        columns = self.specs[name].result.shape[-1]
        return [entries[k : k + columns] for k in range(0, len(entries), columns)]

    def along(self, roots: Sequence[int], **rates: str | Sequence[int]) -> list[int]:
        """Derivatives along ``argument = direction``, a vector or the name of one."""
        direction: dict[int, int] = {}
        for name, rate in rates.items():
            values = self.vectors[rate] if isinstance(rate, str) else rate
            direction.update(zip(self.vectors[name], values, strict=True))
        return forward_along(self.graph, roots, direction)

    def dot(self, a: Sequence[int], b: Sequence[int]) -> int:
        """a'b"""
        graph, total = self.graph, self.graph.zero
        for x, y in zip(a, b, strict=True):
            total = graph.add(total, graph.mul(x, y))
        return total

    def apply(self, matrix: Sequence[Sequence[int]], x: Sequence[int]) -> list[int]:
        """Matrix times vector."""
        return [self.dot(row, x) for row in matrix]

    def sum(self, *vectors: Sequence[int]) -> list[int]:
        """Sum of vectors."""
        graph, total = self.graph, list(vectors[0])
        for vector in vectors[1:]:
            total = [graph.add(x, y) for x, y in zip(total, vector, strict=True)]
        return total

    def minus(self, a: Sequence[int], b: Sequence[int]) -> list[int]:
        """a - b"""
        return [self.graph.sub(x, y) for x, y in zip(a, b, strict=True)]

    def momenta(self, name: str) -> list[int]:
        """(p; l) of every body, stacked, from ``psi`` or its rate."""
        nodes = [Node(self.graph, i) for i in self.vectors[name]]
        bodies = [nodes[k : k + 12] for k in range(0, len(nodes), 12)]
        return [x.id for body in bodies for part in acting_momentum(body) for x in part]

    def rotor_torques(self, x: Sequence[int]) -> list[int]:
        """Armature times accelerations: no part of the regressors."""
        return [self.graph.mul(r, y) for r, y in zip(self.rotors, x, strict=True)]


@dataclass(frozen=True, slots=True)
class Law:
    """A law: its name, its statement, the functions it speaks of, and its two sides."""

    name: str
    claim: str
    needs: tuple[str, ...]
    sides: Callable[[Functions], Sides]


def _equation_of_motion(f: Functions) -> Sides:
    M, C = f.matrix("mass_matrix"), f.matrix("coriolis_matrix")
    qd, qdd = f.vectors["qd"], f.vectors["qdd"]
    right = f.sum(f.apply(M, qdd), f.apply(C, qd), f.call("gravity_vector"))
    return f.call("inverse_dynamics"), right


def _columns(f: Functions) -> Sides:
    u = f.vectors["u"]
    at_rest = f.call("inverse_dynamics", qd=f.zeros, qdd=f.zeros)
    moved = f.call("inverse_dynamics", qd=f.zeros, qdd=u)
    return f.apply(f.matrix("mass_matrix"), u), f.minus(moved, at_rest)


def _symmetry(f: Functions) -> Sides:
    M = f.matrix("mass_matrix")
    below = [(i, j) for i in range(len(M)) for j in range(i)]
    return [M[i][j] for i, j in below], [M[j][i] for i, j in below]


def _rate_of_M(f: Functions) -> Sides:
    C = f.matrix("coriolis_matrix")
    n = len(C)
    both = [f.graph.add(C[i][j], C[j][i]) for i in range(n) for j in range(n)]
    return f.along(f.call("mass_matrix"), q="qd"), both


def _christoffel(f: Functions) -> Sides:
    graph = f.graph
    u, w, qd = f.vectors["u"], f.vectors["w"], f.vectors["qd"]
    M = f.matrix("mass_matrix")

    def along(direction: str, x: Sequence[int], y: Sequence[int]) -> int:
        return f.along([f.dot(x, f.apply(M, y))], q=direction)[0]

    # u'C w = 1/2 (d_qd (u'M w) + d_w (u'M qd) - d_u (w'M qd))
    first, second, third = along("qd", u, w), along("w", u, qd), along("u", w, qd)
    twice = graph.sub(graph.add(first, second), third)
    left = f.dot(u, f.apply(f.matrix("coriolis_matrix"), w))
    return [graph.add(left, left)], [twice]


def _regressor(f: Functions) -> Sides:
    torques = f.apply(f.matrix("regressor"), f.vectors["theta"])
    return f.sum(torques, f.rotor_torques(f.vectors["qdd"])), f.call("inverse_dynamics")


def _grouping(f: Functions) -> Sides:
    theta = [f.graph.symbol(f"theta[{k}]").id for k in range(10 * f.robot.n_bodies)]
    torques = f.apply(f.matrix("regressor"), theta)
    grouped = f.call("inverse_dynamics", beta=f.call(BASE_FUNCTION, theta=theta))
    return grouped, f.sum(torques, f.rotor_torques(f.vectors["qdd"]))


def _slotine_li(f: Functions) -> Sides:
    v, a = f.vectors["v"], f.vectors["a"]
    torques = f.apply(f.matrix("slotine_li_regressor"), f.vectors["theta"])
    M, C = f.matrix("mass_matrix"), f.matrix("coriolis_matrix")
    right = f.sum(f.apply(M, a), f.apply(C, v), f.call("gravity_vector"))
    return f.sum(torques, f.rotor_torques(a)), right


def _round_trip(f: Functions) -> Sides:
    torques = f.call("inverse_dynamics")
    return f.call("forward_dynamics", tau=torques), f.vectors["qdd"]


def _kinetic(f: Functions) -> Sides:
    qd = f.vectors["qd"]
    (T,) = f.call("kinetic_energy")
    return [f.graph.add(T, T)], [f.dot(qd, f.apply(f.matrix("mass_matrix"), qd))]


def _potential(f: Functions) -> Sides:
    slope = f.along(f.call("potential_energy"), q="u")
    return [f.dot(f.vectors["u"], f.call("gravity_vector"))], slope


def _power(f: Functions) -> Sides:
    T, U = f.call("kinetic_energy"), f.call("potential_energy")
    rate = f.along(f.sum(T, U), q="qd", qd="qdd")
    return [f.dot(f.vectors["qd"], f.call("inverse_dynamics"))], rate


def _friction_power(f: Functions) -> Sides:
    total = f.graph.zero
    for power in f.friction.powers():
        total = f.graph.add(total, power.id)
    return [f.dot(f.vectors["qd"], f.call("friction_torque"))], [total]


def _with_friction(f: Functions, name: str) -> Sides:
    both = f.sum(f.call(name), f.call("friction_torque"))
    return f.call(f"{name}_with_friction"), both


def _round_trip_with_friction(f: Functions, prefix: str) -> Sides:
    torques = f.call(f"{prefix}inverse_dynamics_with_friction")
    return f.call(f"{prefix}forward_dynamics_with_friction", tau=torques), f.vectors["qdd"]


def _power_with_friction(f: Functions) -> Sides:
    """The balance for every acceleration: no division, so the normal form takes it."""
    T, U, qd = f.call("kinetic_energy"), f.call("potential_energy"), f.vectors["qd"]
    rate = f.along(f.sum(T, U), q="qd", qd="qdd")
    taken = f.dot(qd, f.call("friction_torque"))
    return [f.dot(qd, f.call("inverse_dynamics_with_friction"))], f.sum(rate, [taken])


def _energy_balance(f: Functions) -> Sides:
    T, U = f.call("kinetic_energy"), f.call("potential_energy")
    qdd = f.call("forward_dynamics_with_friction")
    rate = f.along(f.sum(T, U), q="qd", qd=qdd)
    net = f.minus(f.vectors["tau"], f.call("friction_torque"))
    return rate, [f.dot(f.vectors["qd"], net)]


def _twists(f: Functions) -> Sides:
    graph = f.graph
    pose = f.call("forward_kinematics")
    rate = f.along(pose, q="qd")
    twists = f.apply(f.matrix("body_jacobian"), f.vectors["qd"])
    left: list[int] = []
    right: list[int] = []
    for body in range(f.robot.n_bodies):
        at = 16 * body
        R = [[pose[at + 4 * i + j] for j in range(3)] for i in range(3)]
        v, (x, y, z) = twists[6 * body : 6 * body + 3], twists[6 * body + 3 : 6 * body + 6]
        zero, neg = graph.zero, graph.neg
        # columns of S(w): the derivative of the pose is pose times [[S(w), v], [0, 0]]
        columns = [[zero, z, neg(y)], [neg(z), zero, x], [y, neg(x), zero], list(v)]
        for j, column in enumerate(columns):
            left.extend(rate[at + 4 * i + j] for i in range(3))
            right.extend(f.apply(R, column))
    return left, right


def _mass_matrix_of(f: Functions, theta: str, a: Sequence[int]) -> list[int]:
    """M(q, theta) a without armature, from the regressor."""

    def at_rest(a: Sequence[int]) -> list[int]:
        # R(q, 0, 0, a) theta = M(q, theta) a + g(q, theta)
        R = f.matrix("slotine_li_regressor", qd=f.zeros, v=f.zeros, a=a)
        return f.apply(R, f.vectors[theta])

    return f.minus(at_rest(a), at_rest(f.zeros))


def _generalized(f: Functions) -> Sides:
    qd = f.vectors["qd"]
    right = f.sum(
        f.call("inverse_dynamics"),
        _mass_matrix_of(f, "theta_dot", qd),
        f.apply(f.matrix("gyroscopic_matrix"), qd),
        f.apply(f.matrix("momentum_map"), f.vectors["psi_dot"]),
    )
    return f.call("generalized_inverse_dynamics"), right


def _generalized_regressor(f: Functions) -> Sides:
    momenta = [f.momenta(name) for name in ("psi", "psi_dot")]
    columns = [*f.vectors["theta"], *f.vectors["theta_dot"], *momenta[0], *momenta[1]]
    torques = f.apply(f.matrix("generalized_regressor"), columns)
    torques = f.sum(torques, f.rotor_torques(f.vectors["qdd"]))
    return torques, f.call("generalized_inverse_dynamics")


def _generalized_round_trip(f: Functions) -> Sides:
    torques = f.call("generalized_inverse_dynamics")
    return f.call("generalized_forward_dynamics", tau=torques), f.vectors["qdd"]


def _generalized_kinetic(f: Functions) -> Sides:
    graph, qd = f.graph, f.vectors["qd"]
    (T,) = f.call("generalized_kinetic_energy")
    classical = f.dot(qd, f.apply(f.matrix("mass_matrix"), qd))
    mixed = f.dot(qd, f.apply(f.matrix("momentum_map"), f.vectors["psi"]))
    twice = graph.add(classical, graph.add(mixed, mixed))
    for own in f.vectors["nu"]:
        twice = graph.add(twice, own)
    return [graph.add(T, T)], [twice]


def _changing_mass(f: Functions) -> Sides:
    u = f.vectors["u"]
    return f.apply(f.matrix("changing_mass_matrix"), u), _mass_matrix_of(f, "theta_dot", u)


def _sources(f: Functions) -> Sides:
    flux = f.apply(f.matrix("momentum_map"), f.vectors["psi_source"])
    return f.call("source_torque"), f.sum(_mass_matrix_of(f, "theta_source", f.vectors["qd"]), flux)


def _gyroscopic(f: Functions) -> Sides:
    u, w = f.vectors["u"], f.vectors["w"]
    carried = f.apply(f.matrix("momentum_map"), f.vectors["psi"])
    (first,) = f.along([f.dot(u, carried)], q="w")
    (second,) = f.along([f.dot(w, carried)], q="u")
    left = f.dot(u, f.apply(f.matrix("gyroscopic_matrix"), w))
    return [left], [f.graph.sub(first, second)]


def _rates_of_time(f: Functions, name: str, rates: str, sources: str) -> Sides:
    """What a source takes off the rates is what it says it is."""
    slopes = forward(f.graph, f.call(name), f.vectors[TIME][0])
    whole = [f.graph.add(a, b) for a, b in zip(f.call(rates), f.call(sources), strict=True)]
    return whole, slopes


def _lagrange(f: Functions) -> Sides:
    from symdyn.lagrange.closed_form import closed_form
    from symdyn.lagrange.equations import euler_lagrange

    form = closed_form(f.robot, limit=_FORM_LIMIT)
    x = form.coordinates
    torques = euler_lagrange(form.T, form.U, x.q, x.qd, x.qdd)
    nodes: dict[Basic, int] = {}
    for symbols, name in ((x.q, "q"), (x.qd, "qd"), (x.qdd, "qdd")):
        nodes.update(zip(symbols, f.vectors[name], strict=True))
    declared = [x.parameters[p.name] for p in f.robot.parameters if p.is_argument]
    nodes.update(zip(declared, f.vectors["parameters"], strict=True))
    nodes.update(
        (symbol, node)
        for symbol, node in zip(x.theta, f.vectors["theta"], strict=True)
        if symbol.is_Symbol
    )
    entries: list[Expr] = [*form.M.flat(), *form.C.flat(), *form.g.flat(), *torques.flat()]
    names = ("mass_matrix", "coriolis_matrix", "gravity_vector", "inverse_dynamics")
    recursive = [entry for name in names for entry in f.call(name)]
    return recursive, from_sympy(f.graph, entries, nodes)


LAGRANGE = Law(
    "lagrange",
    "M, C, g, inverse_dynamics = those of Lagrange's equations in SymPy",
    ("mass_matrix", "coriolis_matrix", "gravity_vector", "inverse_dynamics"),
    _lagrange,
)

#: The law of grouped parameters.
GROUPING = Law(
    "grouping",
    "inverse_dynamics of base_parameters of theta = regressor theta + armature qdd",
    (BASE_FUNCTION, "inverse_dynamics", "regressor"),
    _grouping,
)

LAWS: tuple[Law, ...] = (
    Law(
        "equation_of_motion",
        "inverse_dynamics = M qdd + C qd + g",
        ("inverse_dynamics", "mass_matrix", "coriolis_matrix", "gravity_vector"),
        _equation_of_motion,
    ),
    Law(
        "columns",
        "mass_matrix = columns of inverse_dynamics",
        ("mass_matrix", "inverse_dynamics"),
        _columns,
    ),
    Law("symmetry", "M = M'", ("mass_matrix",), _symmetry),
    Law("rate_of_M", "dM/dt = C + C'", ("mass_matrix", "coriolis_matrix"), _rate_of_M),
    Law(
        "christoffel",
        "coriolis_matrix = Christoffel symbols of mass_matrix",
        ("mass_matrix", "coriolis_matrix"),
        _christoffel,
    ),
    Law(
        "regressor",
        "regressor theta + armature qdd = inverse_dynamics",
        ("regressor", "inverse_dynamics"),
        _regressor,
    ),
    Law(
        "slotine_li",
        "slotine_li_regressor theta + armature a = M a + C v + g",
        ("slotine_li_regressor", "mass_matrix", "coriolis_matrix", "gravity_vector"),
        _slotine_li,
    ),
    Law(
        "round_trip",
        "forward_dynamics of inverse_dynamics = qdd",
        ("forward_dynamics", "inverse_dynamics"),
        _round_trip,
    ),
    Law(
        "kinetic_energy",
        "2 kinetic_energy = qd' M qd",
        ("kinetic_energy", "mass_matrix"),
        _kinetic,
    ),
    Law(
        "potential_energy",
        "gravity_vector = d potential_energy / dq",
        ("gravity_vector", "potential_energy"),
        _potential,
    ),
    Law(
        "power",
        "qd' inverse_dynamics = d/dt (kinetic_energy + potential_energy)",
        ("inverse_dynamics", "kinetic_energy", "potential_energy"),
        _power,
    ),
    Law(
        "twists",
        "body_jacobian qd = twists of the moving forward_kinematics",
        ("body_jacobian", "forward_kinematics"),
        _twists,
    ),
    Law(
        "generalized",
        "generalized_inverse_dynamics = inverse_dynamics + (M(q, theta_dot) + H) qd + J'Q psi_dot",
        (
            "generalized_inverse_dynamics",
            "inverse_dynamics",
            "slotine_li_regressor",
            "gyroscopic_matrix",
            "momentum_map",
        ),
        _generalized,
    ),
    Law(
        "generalized_round_trip",
        "generalized_forward_dynamics of generalized_inverse_dynamics = qdd",
        ("generalized_forward_dynamics", "generalized_inverse_dynamics"),
        _generalized_round_trip,
    ),
    Law(
        "generalized_regressor",
        "generalized_regressor (theta; theta_dot; mu; mu_dot) + armature qdd "
        "= generalized_inverse_dynamics",
        ("generalized_regressor", "generalized_inverse_dynamics"),
        _generalized_regressor,
    ),
    Law(
        "generalized_kinetic_energy",
        "2 generalized_kinetic_energy = qd' M qd + 2 qd' J'Q psi + sum(nu)",
        ("generalized_kinetic_energy", "mass_matrix", "momentum_map"),
        _generalized_kinetic,
    ),
    Law(
        "changing_mass_matrix",
        "changing_mass_matrix = M(q, theta_dot) of the regressor",
        ("changing_mass_matrix", "slotine_li_regressor"),
        _changing_mass,
    ),
    Law(
        "source_torque",
        "source_torque = M(q, theta_source) qd + J'Q psi_source",
        ("source_torque", "slotine_li_regressor", "momentum_map"),
        _sources,
    ),
    Law(
        "gyroscopic",
        "gyroscopic_matrix_ij = d(J'Q psi)_i / dq_j - d(J'Q psi)_j / dq_i",
        ("gyroscopic_matrix", "momentum_map"),
        _gyroscopic,
    ),
    LAGRANGE,
)

#: Laws of the functions of friction.
LAWS_OF_FRICTION: tuple[Law, ...] = (
    Law(
        "friction_power",
        "qd' friction_torque = sum over the joints of velocity times the force of its law",
        ("friction_torque",),
        _friction_power,
    ),
    *(
        Law(
            f"{name}_with_friction",
            f"{name}_with_friction = {name} + friction_torque",
            (f"{name}_with_friction", name, "friction_torque"),
            partial(_with_friction, name=name),
        )
        for name in ("inverse_dynamics", "generalized_inverse_dynamics")
    ),
    *(
        Law(
            f"{prefix}round_trip_with_friction",
            f"{prefix}forward_dynamics_with_friction of "
            f"{prefix}inverse_dynamics_with_friction = qdd",
            (
                f"{prefix}forward_dynamics_with_friction",
                f"{prefix}inverse_dynamics_with_friction",
            ),
            partial(_round_trip_with_friction, prefix=prefix),
        )
        for prefix in ("", "generalized_")
    ),
    Law(
        "power_with_friction",
        "qd' inverse_dynamics_with_friction = d/dt (kinetic_energy + potential_energy) "
        "+ qd' friction_torque",
        (
            "inverse_dynamics_with_friction",
            "friction_torque",
            "kinetic_energy",
            "potential_energy",
        ),
        _power_with_friction,
    ),
    Law(
        "energy_balance",
        "d/dt (kinetic_energy + potential_energy) along forward_dynamics_with_friction "
        "= qd' tau - qd' friction_torque",
        (
            "forward_dynamics_with_friction",
            "friction_torque",
            "kinetic_energy",
            "potential_energy",
        ),
        _energy_balance,
    ),
)

#: Laws of the functions of time that a robot with changing or moving mass has.
LAWS_OF_TIME: tuple[Law, ...] = tuple(
    Law(
        rates,
        f"{rates} + {sources} = d/dt {name}",
        (name, rates, sources),
        partial(_rates_of_time, name=name, rates=rates, sources=sources),
    )
    for name, rates, sources in (
        ("inertial_parameters", "inertial_parameter_rates", "inertial_parameter_sources"),
        ("relative_momentum", "relative_momentum_rates", "relative_momentum_sources"),
    )
)


def check_robot(
    robot: Robot,
    specs: Mapping[str, FunctionSpec],
    *,
    points: int = 3,
    seed: int = SEED,
    progress: Callable[[str], None] | None = None,
) -> tuple[Verdict, ...]:
    """Check every law that the given functions can be held against.

    Parameters
    ----------
    robot : what the functions were derived for
    specs : by name; laws whose functions are missing are left out
    points, seed : see `symdyn.expr.identity.equal`
    progress : called with the claim before each check

    Returns
    -------
    one verdict a law, in the order of `LAWS`, `LAWS_OF_FRICTION`, `LAWS_OF_TIME` and `GROUPING`
    """
    functions = Functions(robot, specs)
    verdicts: list[Verdict] = []
    limit = _FORM_LIMIT if functions.robot.n_bodies <= PROVED else 0
    for law in laws_for(robot, specs):
        if law is GROUPING and not functions.is_grouping_exact:
            continue  # factors of 60 digits obey no exact law; `parameter_groups` has checked them
        if progress is not None:
            progress(law.claim)
        verdict = _check(functions, law, points, seed, limit)
        if limit and verdict.kind in (VerdictKind.PROBABILISTIC, VerdictKind.INCOMPLETE):
            limit = max(limit // 2, _LEAST_FORM_LIMIT)
        verdicts.append(verdict)
    return tuple(verdicts)


def _check(functions: Functions, law: Law, points: int, seed: int, limit: int) -> Verdict:
    try:
        lefts, rights = law.sides(functions)
    except (FormTooBigError, UnsupportedError) as error:
        return Verdict(VerdictKind.UNKNOWN, law.claim, str(error), method="normal form")
    graph = functions.graph
    return equal(graph, lefts, rights, claim=law.claim, points=points, seed=seed, limit=limit)


def laws_for(robot: Robot, names: Iterable[str]) -> tuple[Law, ...]:
    """The laws that functions of these names can be held against."""
    present = set(names)
    return tuple(
        law
        for law in (*LAWS, *LAWS_OF_FRICTION, *LAWS_OF_TIME, GROUPING)
        if present.issuperset(law.needs) and (law is not LAGRANGE or robot.n_bodies <= SMALL)
    )
