"""Friction of a robot's joints as functions to generate: torque, states, bounds, regressor.

The vector ``friction`` stacks the parameters of all joints: of a joint with a law those of the law,
in its order; of any other joint its viscous and Coulomb coefficient. S counts the states of all
joints, L the parameters in which friction is linear:

    friction_torque            [n]    on the left side of the equation of motion
    friction_state_rate        [S]    time derivatives of the states
    friction_state_update      [S]    states after a step dt of constant velocities
    friction_bounds            [n,2]  least and greatest friction of each coordinate at rest
    friction_regressor         [n,L]  columns of the linear parameters
    friction_regressor_rest    [n]    what they leave of friction_torque

They take qd, and q, friction_state, load and temperature as far as the laws need them. A joint that
follows another adds its friction to the coordinate times its multiplier.

`with_friction` puts friction into the equation of motion, both ways. Forwards, a joint at rest has
the friction that friction_torque gives. For a set-valued law that is one value out of those between
friction_bounds; which of them holds the joint depends on all joints at once, a complementarity
problem that `symdyn simulate --friction ideal` solves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from symdyn._errors import InputError
from symdyn.algebra.term import lift
from symdyn.codegen.spec import Argument, FunctionSpec, Result
from symdyn.dynamics.joint_friction import (
    SIGNALS,
    FrictionOver,
    friction_terms,
    has_laws,
    joint_friction,
)
from symdyn.expr.copy import copy_into
from symdyn.expr.derive import forward
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.substitute import substitute
from symdyn.model.over import Model, over
from symdyn.model.robot import TIME, Robot

#: Functions of friction besides friction_torque, in order.
FUNCTIONS_OF_FRICTION: tuple[str, ...] = (
    "friction_state_rate", "friction_state_update", "friction_bounds", "friction_regressor",
    "friction_regressor_rest",
)  # fmt: skip


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
    found = [SIGNALS[name][0] for name in SIGNALS if name in wanted]
    states = ["friction_state"] if any(d.states for d in data) else []
    return (*(x for x in found if x == "q"), *states, *(x for x in found if x != "q"))


def friction_functions(robot: Robot) -> tuple[str, ...]:
    """Names out of `FUNCTIONS_OF_FRICTION` that a robot has."""
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
    wanted = list(functions)
    if not wanted:
        return {}
    known = ("friction_torque", *friction_functions(robot))
    for name in wanted:
        if name not in known:
            raise InputError(
                f"no function {name!r}",
                where=f"friction of {robot.name!r}",
                expected=" ".join(known),
                remedy="" if has_laws(robot) else "Friction laws of joints bring more functions.",
            )
    return {name: _derive_one(robot, name, is_numeric) for name in known if name in wanted}


# -- in the equation ------------------------------------------------------------------------------


def with_friction(name: str, equation: FunctionSpec, friction: FunctionSpec) -> FunctionSpec:
    """An equation of motion with friction on its left side.

    Parameters
    ----------
    name : of the function
    equation : gives ``tau``, then friction is added; or takes it, then friction is taken off first
    friction : ``friction_torque`` of the same robot

    Returns
    -------
    FunctionSpec : arguments of the equation, then what friction needs besides; time and declared
        parameters last
    """
    graph = Graph()
    torque = copy_into(friction.graph, friction.result.entries, graph)
    tau = next((a.symbols for a in equation.arguments if a.name == "tau"), None)
    if tau is None:
        entries = copy_into(equation.graph, equation.result.entries, graph)
        entries = [graph.add(t, f) for t, f in zip(entries, torque, strict=True)]
        doc = f"{equation.name} + friction_torque"
    else:
        given = {
            s: graph.sub(graph.symbol(str(equation.graph.payload[s])).id, f)
            for s, f in zip(tau, torque, strict=True)
        }
        entries = copy_into(equation.graph, equation.result.entries, graph, given)
        doc = (
            f"{equation.name} at tau - friction_torque; set-valued friction holds no joint at rest"
        )
    found: dict[str, Argument] = {}
    for spec in (equation, friction):
        for a in spec.arguments:
            # copying keeps the names of symbols
            symbols = [graph.symbol(str(spec.graph.payload[s])).id for s in a.symbols]
            found.setdefault(a.name, replace(a, symbols=tuple(symbols)))
    last = [key for key in (TIME, "parameters") if key in found]
    order = [*(key for key in found if key not in last), *last]
    result = replace(equation.result, name=name, entries=tuple(entries), doc=doc)
    return FunctionSpec(name, graph, tuple(found[key] for key in order), result, doc)


# -- tracing --------------------------------------------------------------------------------------


class _Traced:
    """Everything a function of friction may use, in one graph."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.graph = Graph()
        self.A = GraphAlgebra(self.graph)
        declared = [p for p in robot.parameters if p.is_argument]
        self.declared = {
            p.name: self.graph.symbol(f"parameters[{i}]") for i, p in enumerate(declared)
        }
        sizes = {"friction": len(friction_terms(robot))}
        sizes["friction_state"] = len(friction_state_names(robot))
        self.vectors = {
            name: [self.graph.symbol(f"{name}[{i}]") for i in range(sizes.get(name, robot.n))]
            for name in ("q", "qd", "friction_state", "load", "temperature", "friction")
        }
        self.dt = self.graph.symbol("dt")
        model: Model[Node] = over(robot, self.A, self.declared)
        self.friction = FrictionOver(joint_friction(robot), model, self.vectors)

    def columns(self) -> list[Node]:
        """Derivatives of friction_torque by the linear parameters, row-major."""
        roots = [node.id for node in self.friction.torque()]
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
    if not has_laws(robot):
        return False
    x = _Traced(robot)
    return any(node.id != x.graph.zero for node in x.friction.torque(_linear(robot)))


def _derive_one(robot: Robot, name: str, is_numeric: bool) -> FunctionSpec:
    x = _Traced(robot)
    n, S, L = robot.n, len(friction_state_names(robot)), len(_linear(robot))
    match name:
        case "friction_torque":
            entries, shape, unit = x.friction.torque(), (n,), "N m | N"
            doc = "friction of the joints, on the left side of the equation"
        case "friction_state_rate":
            entries, shape, unit = x.friction.rates(), (S,), "per s"
            doc = "time derivatives of friction_state"
        case "friction_state_update":
            entries, shape, unit = x.friction.updates(x.dt), (S,), ""
            doc = "friction_state after a step dt of constant velocities; bounded for any step"
        case "friction_bounds":
            entries, shape, unit = x.friction.bounds(), (n, 2), "N m | N"
            doc = "least and greatest friction of each coordinate at rest"
        case "friction_regressor":
            entries, shape, unit = x.columns(), (n, L), ""
            doc = "columns of the parameters friction_linear_names in friction_torque"
        case _:
            entries, shape, unit = x.friction.torque(_linear(robot)), (n,), "N m | N"
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
    docs = {argument: (unit, doc) for argument, unit, doc in SIGNALS.values()}
    docs["qd"] = ("rad/s | m/s", "joint velocities")
    docs["friction_state"] = ("", "states of the joints' friction, see friction_state_names")
    docs["friction"] = (
        ("", "parameters of the joints' friction, see friction_names")
        if has_laws(x.robot)
        else ("N m s/rad | N s/m, N m | N", "viscous and Coulomb coefficient, two a joint")
    )
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
