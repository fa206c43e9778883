"""Derived functions brought together in one graph, to state laws about them.

A function is copied with other expressions in place of its arguments; derivatives are graph
derivatives. A law about all columns of a matrix is stated for a direction of symbols u and w.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from symdyn.algebra.term import lift
from symdyn.base_parameters import parameter_groups
from symdyn.codegen.spec import FunctionSpec
from symdyn.dynamics.joint_friction import FrictionOver, friction_terms, joint_friction
from symdyn.expr.copy import copy_into
from symdyn.expr.derive import forward_along
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.joint_friction import friction_state_names
from symdyn.mass_recipes import changes
from symdyn.model.mass_motion import mass_at
from symdyn.model.over import over
from symdyn.model.robot import TIME, Robot
from symdyn.spatial.momentum import acting_momentum

#: Budget of the normal form for one law of a small robot.
FORM_LIMIT = 400_000

Sides = tuple[list[int], list[int]]


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
