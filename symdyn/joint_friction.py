"""Friction of a robot's joints as functions to generate: torque, states, bounds, regressor.

The vector ``friction`` stacks the parameters of all joints: of a joint with a law those of the law,
in its order; of any other joint its viscous and Coulomb coefficient. A robot with laws has these
functions; S counts the states of all joints, L the parameters in which friction is linear:

    friction_torque            [n]    on the left side of the equation of motion
    friction_state_rate        [S]    time derivatives of the states
    friction_state_update      [S]    states after a step dt of constant velocities
    friction_bounds            [n,2]  least and greatest friction of each coordinate at rest
    friction_regressor         [n,L]  columns of the linear parameters
    friction_regressor_rest    [n]    what they leave of friction_torque

They take qd, and q, friction_state, load and temperature as far as the laws need them. A joint that
follows another adds its friction to the coordinate times its multiplier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from symdyn._errors import InputError
from symdyn.algebra.term import Term, lift
from symdyn.codegen.spec import Argument, FunctionSpec, Result
from symdyn.dynamics.transform import coordinate_of
from symdyn.expr.derive import forward
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.substitute import substitute
from symdyn.friction.catalog import law_named
from symdyn.friction.law import FrictionLaw, Quantity
from symdyn.friction.viscous_coulomb import viscous_coulomb
from symdyn.model.over import Link, Model, over
from symdyn.model.robot import Joint, Robot

#: Functions of a robot whose joints have friction laws, besides friction_torque, in order.
FUNCTIONS_OF_FRICTION: tuple[str, ...] = (
    "friction_state_rate", "friction_state_update", "friction_bounds", "friction_regressor",
    "friction_regressor_rest",
)  # fmt: skip

#: Parameters of a joint without a law.
_COEFFICIENTS = (
    Quantity("damping", "N m s/rad", "viscous coefficient"),
    Quantity("friction", "N m", "Coulomb level"),
)
#: Signals of laws: the argument that holds them, its unit and text.
_SIGNALS: dict[str, tuple[str, str, str]] = {
    "position": ("q", "rad | m", "joint positions"),
    "load": ("load", "N m | N", "torques that press the surfaces, one a coordinate"),
    "temperature": ("temperature", "K", "temperatures on the scale of the parameters, likewise"),
}


@dataclass(frozen=True, slots=True)
class JointFrictionData:
    """Friction of one joint: its law, None for the two coefficients, and where its numbers stand.

    Attributes
    ----------
    joint : the joint
    law : from the catalogue, or None
    parameters, states : their quantities
    first, first_state : index of the first of them in ``friction`` and ``friction_state``
    """

    joint: Joint
    law: FrictionLaw | None
    parameters: tuple[Quantity, ...]
    states: tuple[Quantity, ...]
    first: int
    first_state: int


def has_laws(robot: Robot) -> bool:
    """Whether some joint has a friction law."""
    return any(joint.law is not None for joint in robot.joints)


def joint_friction(robot: Robot) -> tuple[JointFrictionData, ...]:
    """Friction of each joint, in the order of the joints."""
    out: list[JointFrictionData] = []
    first = first_state = 0
    for joint in robot.joints:
        law = None if joint.law is None else law_named(joint.law.name)
        parameters = _COEFFICIENTS if law is None else law.parameters
        states = () if law is None else law.states
        out.append(JointFrictionData(joint, law, parameters, states, first, first_state))
        first += len(parameters)
        first_state += len(states)
    return tuple(out)


def friction_terms(robot: Robot) -> list[Term]:
    """Parameters of the friction of all joints, exact: the robot's own vector ``friction``."""
    out: list[Term] = []
    for joint in robot.joints:
        out += (joint.damping, joint.friction) if joint.law is None else joint.law.values
    return out


def friction_names(robot: Robot) -> tuple[str, ...]:
    """Name of each entry of ``friction``, ``parameter@joint``."""
    return tuple(f"{q.name}@{d.joint.name}" for d in joint_friction(robot) for q in d.parameters)


def friction_state_names(robot: Robot) -> tuple[str, ...]:
    """Name of each entry of ``friction_state``, ``state@joint``."""
    return tuple(f"{q.name}@{d.joint.name}" for d in joint_friction(robot) for q in d.states)


def friction_linear_names(robot: Robot) -> tuple[str, ...]:
    """Name of each column of ``friction_regressor``, ``parameter@joint``."""
    names = friction_names(robot)
    return tuple(names[k] for k in _linear(robot))


def friction_inputs(robot: Robot) -> tuple[str, ...]:
    """Arguments besides qd that the friction of the robot needs, in order."""
    data = joint_friction(robot)
    wanted = {q.name for d in data if d.law is not None for q in d.law.signals}
    found = [_SIGNALS[name][0] for name in _SIGNALS if name in wanted]
    states = ["friction_state"] if any(d.states for d in data) else []
    return (*(x for x in found if x == "q"), *states, *(x for x in found if x != "q"))


def friction_functions(robot: Robot) -> tuple[str, ...]:
    """Names out of `FUNCTIONS_OF_FRICTION` that a robot has."""
    if not has_laws(robot):
        return ()
    wanted = list(FUNCTIONS_OF_FRICTION)
    if not friction_state_names(robot):
        wanted = [name for name in wanted if "state" not in name]
    if not _linear(robot):
        wanted = [name for name in wanted if "regressor" not in name]
    elif not _has_rest(robot):
        wanted.remove("friction_regressor_rest")
    return tuple(wanted)


def derive_friction(
    robot: Robot, functions: Iterable[str], is_numeric: bool = False
) -> dict[str, FunctionSpec]:
    """Derive friction functions of a robot.

    Parameters
    ----------
    robot : the robot
    functions : ``friction_torque`` and names out of `friction_functions`
    is_numeric : whether the parameters are built in; else ``friction`` is an argument

    Returns
    -------
    specifications by name

    Raises
    ------
    InputError : the robot has no such function
    """
    known = ("friction_torque", *friction_functions(robot))
    wanted = list(functions)
    for name in wanted:
        if name not in known:
            raise InputError(
                f"no function {name!r}",
                where=f"friction of {robot.name!r}",
                expected=" ".join(known),
                remedy="" if has_laws(robot) else "Friction laws of joints bring more functions.",
            )
    return {name: _derive_one(robot, name, is_numeric) for name in known if name in wanted}


# -- tracing --------------------------------------------------------------------------------------


class _Traced:
    """Everything a function of friction may use, in one graph."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.data = joint_friction(robot)
        self.graph = Graph()
        self.A = GraphAlgebra(self.graph)
        declared = [p for p in robot.parameters if p.is_argument]
        self.declared = {
            p.name: self.graph.symbol(f"parameters[{i}]") for i, p in enumerate(declared)
        }
        self.model: Model[Node] = over(robot, self.A, self.declared)
        sizes = {"friction": len(friction_terms(robot))}
        sizes["friction_state"] = len(friction_state_names(robot))
        self.vectors = {
            name: [self.graph.symbol(f"{name}[{i}]") for i in range(sizes.get(name, robot.n))]
            for name in ("q", "qd", "friction_state", "load", "temperature", "friction")
        }
        self.dt = self.graph.symbol("dt")

    def parameters(self, d: JointFrictionData) -> dict[str, Node]:
        found = self.vectors["friction"][d.first : d.first + len(d.parameters)]
        return {q.name: node for q, node in zip(d.parameters, found, strict=True)}

    def states(self, d: JointFrictionData) -> list[Node]:
        return self.vectors["friction_state"][d.first_state : d.first_state + len(d.states)]

    def velocity(self, link: Link[Node]) -> Node:
        return coordinate_of(link, self.vectors["qd"])

    def signals(self, d: JointFrictionData, link: Link[Node]) -> dict[str, Node]:
        if d.law is None:
            return {}
        out: dict[str, Node] = {}
        for q in d.law.signals:
            vector = self.vectors[_SIGNALS[q.name][0]]
            if q.name == "position":
                out[q.name] = coordinate_of(link, vector) + link.offset
            else:
                out[q.name] = vector[link.coordinate]
        return out

    def force(self, d: JointFrictionData, link: Link[Node], p: Mapping[str, Node]) -> Node:
        v = self.velocity(link)
        if d.law is None:
            return viscous_coulomb(self.A, v, p["damping"], p["friction"])
        return d.law.force(self.A, v, self.states(d), self.signals(d, link), p)

    def torque(self, zeroed: Sequence[int] = ()) -> list[Node]:
        """friction_torque, some parameters put to zero."""
        zero = self.A.const(0)
        out = [zero] * self.model.n
        for d, link in zip(self.data, self.model.links, strict=True):
            p = {
                name: zero if d.first + k in zeroed else node
                for k, (name, node) in enumerate(self.parameters(d).items())
            }
            self._add(out, link, self.force(d, link, p))
        return out

    def _add(self, out: list[Node], link: Link[Node], force: Node) -> None:
        felt = link.multiplier * force if link.has_multiplier else force
        out[link.coordinate] = out[link.coordinate] + felt

    def rates(self) -> list[Node]:
        out: list[Node] = []
        for d, link in zip(self.data, self.model.links, strict=True):
            if d.law is not None and d.law.rate is not None:
                v, u, p = self.velocity(link), self.signals(d, link), self.parameters(d)
                out += d.law.rate(self.A, v, self.states(d), u, p)
        return out

    def updates(self) -> list[Node]:
        out: list[Node] = []
        for d, link in zip(self.data, self.model.links, strict=True):
            if d.law is not None and d.law.update is not None:
                v, u, p = self.velocity(link), self.signals(d, link), self.parameters(d)
                out += d.law.update(self.A, v, self.states(d), u, p, self.dt)
        return out

    def bounds(self) -> list[Node]:
        """Least and greatest friction of each coordinate at rest, alternating."""
        A, zero = self.A, self.A.const(0)
        low, high = [zero] * self.model.n, [zero] * self.model.n
        for d, link in zip(self.data, self.model.links, strict=True):
            a, b = self._ends(d, link)
            if link.has_multiplier:
                a, b = link.multiplier * a, link.multiplier * b
                a, b = A.binary("min", a, b), A.binary("max", a, b)
            low[link.coordinate] = low[link.coordinate] + a
            high[link.coordinate] = high[link.coordinate] + b
        return [end for pair in zip(low, high, strict=True) for end in pair]

    def _ends(self, d: JointFrictionData, link: Link[Node]) -> tuple[Node, Node]:
        p = self.parameters(d)
        if d.law is None:
            return -p["friction"], p["friction"]
        u = self.signals(d, link)
        if d.law.at_rest is not None:
            return d.law.at_rest(self.A, u, p)
        held = d.law.force(self.A, self.A.const(0), self.states(d), u, p)
        return held, held

    def columns(self) -> list[Node]:
        """Derivatives of friction_torque by the linear parameters, row-major."""
        roots = [node.id for node in self.torque()]
        wrt = [self.vectors["friction"][k].id for k in _linear(self.robot)]
        columns = [forward(self.graph, roots, symbol) for symbol in wrt]
        return [Node(self.graph, column[i]) for i in range(len(roots)) for column in columns]


def _linear(robot: Robot) -> tuple[int, ...]:
    """Indices into ``friction`` of the parameters in which friction is jointly linear."""
    return tuple(
        d.first + k
        for d in joint_friction(robot)
        for k, q in enumerate(d.parameters)
        if d.law is None or q.name in d.law.linear
    )


def _has_rest(robot: Robot) -> bool:
    x = _Traced(robot)
    return any(node.id != x.graph.zero for node in x.torque(_linear(robot)))


def _derive_one(robot: Robot, name: str, is_numeric: bool) -> FunctionSpec:
    x = _Traced(robot)
    n, S, L = robot.n, len(friction_state_names(robot)), len(_linear(robot))
    match name:
        case "friction_torque":
            entries, shape, unit = x.torque(), (n,), "N m | N"
            doc = "friction of the joints, on the left side of the equation"
        case "friction_state_rate":
            entries, shape, unit = x.rates(), (S,), "per s"
            doc = "time derivatives of friction_state"
        case "friction_state_update":
            entries, shape, unit = x.updates(), (S,), ""
            doc = "friction_state after a step dt of constant velocities; bounded for any step"
        case "friction_bounds":
            entries, shape, unit = x.bounds(), (n, 2), "N m | N"
            doc = "least and greatest friction of each coordinate at rest"
        case "friction_regressor":
            entries, shape, unit = x.columns(), (n, L), ""
            doc = "columns of the parameters friction_linear_names in friction_torque"
        case _:
            entries, shape, unit = x.torque(_linear(robot)), (n,), "N m | N"
            doc = "what friction_regressor leaves of friction_torque"
    roots = [node.id for node in entries]
    if is_numeric:
        own = {p.name: x.A.const(p.value) for p in robot.parameters} | x.declared
        values = lift(friction_terms(robot), x.A, own)
        mapping = {s.id: v.id for s, v in zip(x.vectors["friction"], values, strict=True)}
        roots = substitute(x.graph, roots, mapping)
    result = Result(name, shape, tuple(roots), unit, doc)
    return FunctionSpec(name, x.graph, tuple(_arguments(x, name, is_numeric)), result, doc)


def _arguments(x: _Traced, name: str, is_numeric: bool) -> list[Argument]:
    needed = friction_inputs(x.robot)
    if name == "friction_bounds":
        # at rest; states count only for laws that hold by them
        names = list(needed)
    else:
        names = [*(k for k in needed if k == "q"), "qd", *(k for k in needed if k != "q")]
    if not is_numeric:
        names.append("friction")
    docs = {argument: (unit, doc) for argument, unit, doc in _SIGNALS.values()}
    docs["qd"] = ("rad/s | m/s", "joint velocities")
    docs["friction_state"] = ("", "states of the joints' friction, see friction_state_names")
    docs["friction"] = ("", "parameters of the joints' friction, see friction_names")
    out: list[Argument] = []
    for argument in names:
        ids = tuple(node.id for node in x.vectors[argument])
        unit, doc = docs[argument]
        shared = argument == "friction"
        out.append(Argument(argument, (len(ids),), ids, unit, doc, shared))
    if name == "friction_state_update":
        out.append(Argument("dt", (), (x.dt.id,), "s", "length of the step, >= 0"))
    if x.declared:
        ids = tuple(node.id for node in x.declared.values())
        doc = "declared parameters of the robot, see parameter_names"
        out.append(Argument("parameters", (len(ids),), ids, "", doc, shared=True))
    return out
