"""From a robot to function specifications: which functions there are and what they take and give.

Each function gets a graph of its own, so that its generated text does not depend on what else was
derived. Names, arguments and their order are those of the table of functions in the documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from symdyn import dynamics
from symdyn._errors import InputError
from symdyn.algebra.term import Term
from symdyn.base_parameters import NO_GROUPS, ParameterGroups, parameter_groups, theta_names
from symdyn.codegen.optimise import optimise_function
from symdyn.codegen.spec import Argument, FunctionSpec, Result
from symdyn.dynamics.joint_friction import has_friction
from symdyn.expr.derive import forward
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.measure import operation_counts
from symdyn.joint_friction import (
    FUNCTIONS_OF_FRICTION,
    derive_friction,
    friction_functions,
    with_friction,
)
from symdyn.mass_recipes import FUNCTIONS_OF_TIME, changes, derive_mass
from symdyn.model.mass_motion import mass_at
from symdyn.model.over import Model, over
from symdyn.model.robot import PARAMETER_NAMES, TIME, Robot
from symdyn.motion_labels import label_motions

Inertial = Literal["symbolic", "numeric", "base"]

#: Arguments that belong to the robot, not to a state: all states of a batch share them.
ROBOT_ARGUMENTS: tuple[str, ...] = ("theta", "beta", "friction", "parameters")

#: What a robot whose mass changes or moves determines at each time, besides theta.
_OF_TIME = ("theta_dot", "psi", "psi_dot", "nu", "theta_source", "psi_source")

_DOCS: dict[str, tuple[str, str]] = {
    "q": ("rad | m", "joint positions"),
    "qd": ("rad/s | m/s", "joint velocities"),
    "qdd": ("rad/s^2 | m/s^2", "joint accelerations"),
    "v": ("rad/s | m/s", "reference velocities"),
    "a": ("rad/s^2 | m/s^2", "reference accelerations"),
    "tau": ("N m | N", "generalized forces"),
    "theta_dot": ("per s", "rates of theta, less the moments of sources"),
    "psi": ("kg m/s, kg m^2/s", "moments of relative momentum, twelve a body, equation (27)"),
    "psi_dot": ("N, N m", "rates of psi, less the momentum flux of sources"),
    "nu": ("J", "twice the kinetic energy of relative motion, one a body, equation (25)"),
    "theta_source": ("per s", "moments of mass that comes or goes, ten a body"),
    "psi_source": ("N, N m", "momentum flux of mass that comes or goes, twelve a body"),
    "theta": ("kg, kg m, kg m^2", "inertial parameters, ten a body: " + " ".join(PARAMETER_NAMES)),
    "beta": ("kg, kg m, kg m^2", "grouped inertial parameters, see base_names"),
    "parameters": ("", "declared parameters of the robot, see parameter_names"),
}


@dataclass(frozen=True, slots=True)
class _Inputs:
    """Nodes of everything a recipe may use; ``used`` names what it did use, in order."""

    robot: Robot
    model: Model[Node]
    vectors: dict[str, list[Node]]
    theta: list[Node]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one function is derived.

    Attributes
    ----------
    arguments : names of its vectors, in the order of its signature
    shape : shape of its result for given (n, N)
    build : entries of its result, row-major
    unit, doc : for headers and documentation
    """

    arguments: tuple[str, ...]
    shape: Callable[[int, int], tuple[int, ...]]
    build: Callable[[_Inputs], Sequence[Node]]
    unit: str
    doc: str


def _rows(matrix: Sequence[Sequence[Node]]) -> list[Node]:
    return [entry for row in matrix for entry in row]


#: Up to this many coordinates both roads to C are derived and the smaller one is kept. Beyond, the
#: recursion always wins: it grows with N depth, differentiated entries with N^2 depth.
_TWO_ROADS_UP_TO = 8


def _coriolis(x: _Inputs) -> list[Node]:
    q, qd = x.vectors["q"], x.vectors["qd"]
    recursive = _rows(dynamics.coriolis_matrix(x.model, q, qd, x.theta))
    if x.model.n > _TWO_ROADS_UP_TO:
        return recursive
    graph = q[0].graph
    derived = _rows(
        dynamics.coriolis_matrix_by_derivatives(
            x.model,
            dynamics.mass_matrix(x.model, q, x.theta),
            qd,
            lambda entry, k: Node(graph, forward(graph, [entry.id], q[k].id)[0]),
        )
    )
    return _smaller(recursive, derived)


def _smaller(first: list[Node], second: list[Node]) -> list[Node]:
    """The entries that cost fewer operations; the first ones if neither does."""
    a, b = (
        operation_counts(entries[0].graph, [node.id for node in entries]).total
        for entries in (first, second)
    )
    return second if b < a else first


#: Beyond this many coordinates a factorised M is not tried for forward dynamics: it grows with
#: N depth^2, articulated bodies with N.
_FACTORISED_UP_TO = 60


def _cheaper(
    model: Model[Node], factorised: Callable[[], list[Node]], articulated: Callable[[], list[Node]]
) -> list[Node]:
    """Accelerations by a factorised M or by articulated bodies, whichever costs less."""
    if model.n != len(model.links):
        return factorised()  # mimic joints: the only road
    if model.n > _FACTORISED_UP_TO:
        return articulated()
    return _smaller(factorised(), articulated())


def _forward_dynamics(x: _Inputs) -> list[Node]:
    state = (x.model, x.vectors["q"], x.vectors["qd"], x.vectors["tau"], x.theta)
    return _cheaper(
        x.model,
        lambda: dynamics.forward_dynamics(*state),
        lambda: dynamics.articulated_body(*state),
    )


def _generalized_forward_dynamics(x: _Inputs) -> list[Node]:
    state = (
        x.model, x.vectors["q"], x.vectors["qd"], x.vectors["tau"],
        x.theta, x.vectors["theta_dot"], x.vectors["psi"], x.vectors["psi_dot"],
    )  # fmt: skip
    return _cheaper(
        x.model,
        lambda: dynamics.generalized_forward_dynamics(*state),
        lambda: dynamics.generalized_articulated_body(*state),
    )


_RECIPES: dict[str, Recipe] = {
    "inverse_dynamics": Recipe(
        ("q", "qd", "qdd", "theta"),
        lambda n, N: (n,),
        lambda x: dynamics.inverse_dynamics(
            x.model, x.vectors["q"], x.vectors["qd"], x.vectors["qdd"], x.theta
        ),
        "N m | N",
        "tau = M(q) qdd + C(q, qd) qd + g(q), friction apart",
    ),
    "forward_dynamics": Recipe(
        ("q", "qd", "tau", "theta"),
        lambda n, N: (n,),
        _forward_dynamics,
        "rad/s^2 | m/s^2",
        "qdd with M qdd + C qd + g = tau, friction apart",
    ),
    "mass_matrix": Recipe(
        ("q", "theta"),
        lambda n, N: (n, n),
        lambda x: _rows(dynamics.mass_matrix(x.model, x.vectors["q"], x.theta)),
        "kg m^2 | kg m | kg",
        "M(q), symmetric and complete, armature on the diagonal",
    ),
    "coriolis_matrix": Recipe(
        ("q", "qd", "theta"),
        lambda n, N: (n, n),
        _coriolis,
        "N m s/rad | N s/m",
        "C(q, qd) in Christoffel form: dM/dt = C + C'",
    ),
    "gravity_vector": Recipe(
        ("q", "theta"),
        lambda n, N: (n,),
        lambda x: dynamics.gravity_vector(x.model, x.vectors["q"], x.theta),
        "N m | N",
        "g(q) = dU/dq",
    ),
    "regressor": Recipe(
        ("q", "qd", "qdd"),
        lambda n, N: (n, 10 * N),
        lambda x: _rows(
            dynamics.regressor(x.model, x.vectors["q"], x.vectors["qd"], x.vectors["qdd"])
        ),
        "",
        "Y with tau = Y theta (armature times qdd apart)",
    ),
    "slotine_li_regressor": Recipe(
        ("q", "qd", "v", "a"),
        lambda n, N: (n, 10 * N),
        lambda x: _rows(
            dynamics.slotine_li_regressor(
                x.model, x.vectors["q"], x.vectors["qd"], x.vectors["v"], x.vectors["a"]
            )
        ),
        "",
        "R with M a + C(q, qd) v + g = R theta (armature times a apart), equation (44)",
    ),
    "kinetic_energy": Recipe(
        ("q", "qd", "theta"),
        lambda n, N: (),
        lambda x: [dynamics.kinetic_energy(x.model, x.vectors["q"], x.vectors["qd"], x.theta)],
        "J",
        "T = qd' M qd / 2",
    ),
    "potential_energy": Recipe(
        ("q", "theta"),
        lambda n, N: (),
        lambda x: [dynamics.potential_energy(x.model, x.vectors["q"], x.theta)],
        "J",
        "U(q), zero for masses at the base's origin",
    ),
    "forward_kinematics": Recipe(
        ("q",),
        lambda n, N: (N, 4, 4),
        lambda x: [
            e for T in dynamics.forward_kinematics(x.model, x.vectors["q"]) for e in _rows(T)
        ],
        "-, m",
        "homogeneous transforms from the bodies' frames to the base frame",
    ),
    "body_jacobian": Recipe(
        ("q",),
        lambda n, N: (6 * N, n),
        lambda x: _rows(dynamics.body_jacobian(x.model, x.vectors["q"])),
        "m | -, -",
        "J: J qd stacks the body twists (v; w), linear part first, in the bodies' frames",
    ),
    "generalized_inverse_dynamics": Recipe(
        ("q", "qd", "qdd", "theta", "theta_dot", "psi", "psi_dot"),
        lambda n, N: (n,),
        lambda x: dynamics.generalized_inverse_dynamics(
            x.model,
            x.vectors["q"],
            x.vectors["qd"],
            x.vectors["qdd"],
            x.theta,
            x.vectors["theta_dot"],
            x.vectors["psi"],
            x.vectors["psi_dot"],
        ),
        "N m | N",
        "tau = M qdd + (C + M(q, theta_dot) + H(q, psi)) qd + g + J'Q psi_dot, equation (39)",
    ),
    "generalized_forward_dynamics": Recipe(
        ("q", "qd", "tau", "theta", "theta_dot", "psi", "psi_dot"),
        lambda n, N: (n,),
        _generalized_forward_dynamics,
        "rad/s^2 | m/s^2",
        "qdd that solves equation (39) for tau, friction apart",
    ),
    "generalized_regressor": Recipe(
        ("q", "qd", "qdd"),
        lambda n, N: (n, 32 * N),
        lambda x: _rows(
            dynamics.generalized_regressor(
                x.model, x.vectors["q"], x.vectors["qd"], x.vectors["qdd"]
            )
        ),
        "per unit",
        "R: tau = R (theta; theta_dot; mu; mu_dot) + armature qdd is equation (39), mu = (p; l) "
        "the six of psi that act, per body",
    ),
    "generalized_kinetic_energy": Recipe(
        ("q", "qd", "theta", "psi", "nu"),
        lambda n, N: (),
        lambda x: [
            dynamics.generalized_kinetic_energy(
                x.model,
                x.vectors["q"],
                x.vectors["qd"],
                x.theta,
                x.vectors["psi"],
                x.vectors["nu"],
            )
        ],
        "J",
        "T = qd' M qd / 2 + qd' J'Q psi + sum(nu) / 2",
    ),
    "changing_mass_matrix": Recipe(
        ("q", "theta_dot"),
        lambda n, N: (n, n),
        lambda x: _rows(
            dynamics.changing_mass_matrix(x.model, x.vectors["q"], x.vectors["theta_dot"])
        ),
        "kg m^2/s | kg m/s | kg/s",
        "M(q, theta_dot) without armature: dM/dt = C + C' + M(q, theta_dot)",
    ),
    "source_torque": Recipe(
        ("q", "qd", "theta_source", "psi_source"),
        lambda n, N: (n,),
        lambda x: dynamics.source_torque(
            x.model,
            x.vectors["q"],
            x.vectors["qd"],
            x.vectors["theta_source"],
            x.vectors["psi_source"],
        ),
        "N m | N",
        "M(q, theta_source) qd + J'Q psi_source, beside tau in equation (39) with whole rates",
    ),
    "gyroscopic_matrix": Recipe(
        ("q", "psi"),
        lambda n, N: (n, n),
        lambda x: _rows(dynamics.gyroscopic_matrix(x.model, x.vectors["q"], x.vectors["psi"])),
        "N m s/rad | N s/m",
        "H(q, psi), skew-symmetric, equation (43)",
    ),
    "momentum_map": Recipe(
        ("q",),
        lambda n, N: (n, 12 * N),
        lambda x: _rows(dynamics.momentum_map(x.model, x.vectors["q"])),
        "m | -",
        "J'Q: times psi_dot it is the last term of equation (39)",
    ),
}

#: Functions that are derived, if not by name, only where mass changes or moves: they are large.
OF_CHANGING_MASS: tuple[str, ...] = ("generalized_regressor",)

#: Functions that every robot has, in the order in which they are derived and printed.
FUNCTIONS: tuple[str, ...] = (
    *(name for name in _RECIPES if name not in OF_CHANGING_MASS),
    "friction_torque",
)

#: The equation of motion with friction on its left side, and without.
WITH_FRICTION: dict[str, str] = {
    f"{name}_with_friction": name
    for name in (
        "inverse_dynamics", "forward_dynamics",
        "generalized_inverse_dynamics", "generalized_forward_dynamics",
    )
}  # fmt: skip

#: Functions that take mass as constant and at rest in the bodies, and those that know more.
OF_CONSTANT_MASS: dict[str, str] = {
    name: f"generalized_{name}"
    for name in (
        "inverse_dynamics", "forward_dynamics", "kinetic_energy",
        "inverse_dynamics_with_friction", "forward_dynamics_with_friction",
    )
}  # fmt: skip

#: Functions that divide by M(q), and have no result where it is singular.
FORWARD_FUNCTIONS = (
    "forward_dynamics", "generalized_forward_dynamics",
    "forward_dynamics_with_friction", "generalized_forward_dynamics_with_friction",
)  # fmt: skip

#: Names of all functions of any robot, in the order in which they are derived and printed.
ALL_FUNCTIONS = (
    *FUNCTIONS, *OF_CHANGING_MASS, *WITH_FRICTION, *FUNCTIONS_OF_FRICTION, *FUNCTIONS_OF_TIME,
)  # fmt: skip

#: The map from theta to beta, a function of its own where parameters are grouped.
BASE_FUNCTION = "base_parameters"

#: Functions whose value does not change when parameters are regrouped.
_GROUPABLE = frozenset(
    (
        "mass_matrix", "coriolis_matrix", "gravity_vector", "kinetic_energy",
        "generalized_kinetic_energy", *WITH_FRICTION.values(),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Derivation:
    """The functions of one robot, derived.

    Attributes
    ----------
    robot : the exact data
    inertial : ``symbolic`` (theta is an argument), ``numeric`` (its values are built in) or
    ``base``
        (grouped parameters beta are the argument)
    specs : by function name, in the order of `ALL_FUNCTIONS`, then `BASE_FUNCTION`
    groups : the map from theta to beta (empty unless ``base``)
    """

    robot: Robot
    inertial: Inertial
    specs: dict[str, FunctionSpec]
    groups: ParameterGroups = NO_GROUPS

    @property
    def base_names(self) -> tuple[str, ...]:
        """Name of each entry of beta, that of the parameter that names the group."""
        names = theta_names(self.robot)
        return tuple(names[k] for k in self.groups.columns)


def theta_terms(robot: Robot) -> list[Term]:
    """The robot's own inertial parameters, (10N,) exact, in the order of equation (7)."""
    return [value for body in robot.bodies for value in body.phi]


def argument_names(
    name: str, inertial: Inertial = "symbolic", *, is_changing: bool = False
) -> tuple[str, ...]:
    """Arguments of a function, in order.

    The time comes behind them where what changes with it is built in, and declared parameters that
    stay arguments come last. ``is_changing``: whether mass changes or moves in the robot; then all
    that it changes is built in where the inertial parameters are.
    """
    names = _recipe(name).arguments
    if inertial == "numeric":
        built_in = ("theta", *(_OF_TIME if is_changing else ()))
        return tuple(a for a in names if a not in built_in)
    if inertial == "base" and name in _GROUPABLE:
        return tuple("beta" if a == "theta" else a for a in names)
    return names


def _recipe(name: str) -> Recipe:
    try:
        return _RECIPES[name]
    except KeyError:
        raise InputError(
            "no such function",
            where="derive",
            expected=" ".join(ALL_FUNCTIONS),
            got=repr(name),
            remedy="Choose from the list.",
        ) from None


def derive(
    robot: Robot,
    functions: Iterable[str] | None = None,
    inertial: Inertial = "symbolic",
    progress: Callable[[str], None] | None = None,
) -> Derivation:
    """Derive functions of a robot as expression graphs.

    Parameters
    ----------
    robot : what to derive for
    functions : names out of `ALL_FUNCTIONS`, and `BASE_FUNCTION` where parameters are grouped;
        those of `default_functions`, and that one, if None
    inertial : whether inertial parameters are arguments (``symbolic``; per parameter, those that
        the robot marks as fixed are built in), built in (``numeric``; where mass changes or moves,
        as functions of the argument ``t``, with theta_dot, psi and psi_dot), or grouped into as few
        arguments as the joints can tell apart (``base``); where declared parameters are arguments,
        as few as they can for all values of those
    progress : called with the name of each function before it is derived

    Returns
    -------
    Derivation

    Raises
    ------
    InputError : an unknown function or mode
    """
    if inertial not in ("symbolic", "numeric", "base"):
        raise InputError(
            "unknown treatment of inertial parameters",
            where="derive",
            expected="symbolic, numeric or base",
            got=repr(inertial),
            remedy="Choose one of the three.",
        )
    is_grouped = inertial == "base"
    wanted = set(default_functions(robot) if functions is None else functions)
    for name in wanted.difference(ALL_FUNCTIONS, (BASE_FUNCTION,) if is_grouped else ()):
        _recipe(name)
    if is_grouped and functions is None:
        wanted = wanted - {"potential_energy"} | {BASE_FUNCTION}
    groups = parameter_groups(robot) if is_grouped else NO_GROUPS
    specs: dict[str, FunctionSpec] = {}
    is_numeric = inertial == "numeric"

    def spec_of(name: str) -> FunctionSpec:
        if name in specs:
            return specs[name]
        if name in _RECIPES:
            return _derive_one(robot, name, inertial, groups)
        return derive_friction(robot, [name], is_numeric)[name]

    for name in (*FUNCTIONS, *OF_CHANGING_MASS, *WITH_FRICTION):
        if name in wanted:
            if progress is not None:
                progress(name)
            if name in WITH_FRICTION:
                parts = spec_of(WITH_FRICTION[name]), spec_of("friction_torque")
                specs[name] = optimise_function(with_friction(name, *parts))[0]
            else:
                specs[name] = spec_of(name)
    specs |= derive_friction(robot, wanted.intersection(FUNCTIONS_OF_FRICTION), is_numeric)
    specs |= derive_mass(robot, wanted.intersection(FUNCTIONS_OF_TIME))
    if BASE_FUNCTION in wanted:
        specs[BASE_FUNCTION] = _derive_base(robot, groups)
    return Derivation(robot, inertial, specs, groups)


def default_functions(robot: Robot) -> tuple[str, ...]:
    """What is derived if nothing is named: functions of friction only where joints have some,
    functions of time only where mass changes or moves.
    """
    of_time = (*OF_CHANGING_MASS, *FUNCTIONS_OF_TIME) if changes(robot) else ()
    if not has_friction(robot):
        return (*FUNCTIONS, *of_time)
    both = [name for name in WITH_FRICTION if changes(robot) or "generalized" not in name]
    return (*FUNCTIONS, *both, *friction_functions(robot), *of_time)


def _is_built_in_at_t(robot: Robot, recipe: Recipe, inertial: Inertial) -> bool:
    """Whether a function holds parameters of a body that changes, hence takes the time."""
    moved = [body for body in robot.bodies if body.motion is not None]
    if inertial == "numeric":
        return bool(moved) and not {"theta", *_OF_TIME}.isdisjoint(recipe.arguments)
    fixed = any(not all(body.symbolic) for body in moved)
    return inertial == "symbolic" and fixed and "theta" in recipe.arguments


def _derive_base(robot: Robot, groups: ParameterGroups) -> FunctionSpec:
    graph = Graph()
    theta = [graph.symbol(f"theta[{k}]") for k in range(10 * robot.n_bodies)]
    unit, doc = _DOCS["theta"]
    arguments = [Argument("theta", (len(theta),), _ids(theta), unit, doc, shared=True)]
    declared, parameters = _declared(robot, graph)
    beta = groups.beta(over(robot, GraphAlgebra(graph), parameters), theta)
    doc = "beta of given theta; where mass changes, that of inertial_parameters at a time"
    result = Result(BASE_FUNCTION, (len(beta),), _ids(beta), _DOCS["beta"][0], doc)
    return FunctionSpec(BASE_FUNCTION, graph, (*arguments, *declared), result, doc)


def _declared(robot: Robot, graph: Graph) -> tuple[list[Argument], dict[str, Node]]:
    """The argument of declared parameters, if the robot has any, and the symbol of each."""
    names = [p.name for p in robot.parameters if p.is_argument]
    nodes = [graph.symbol(f"parameters[{i}]") for i in range(len(names))]
    unit, doc = _DOCS["parameters"]
    argument = Argument("parameters", (len(names),), _ids(nodes), unit, doc, shared=True)
    return ([argument] if names else []), dict(zip(names, nodes, strict=True))


def _ids(nodes: Iterable[Node]) -> tuple[int, ...]:
    return tuple(node.id for node in nodes)


def _derive_one(
    robot: Robot, name: str, inertial: Inertial, groups: ParameterGroups
) -> FunctionSpec:
    recipe = _recipe(name)
    graph = Graph()
    A = GraphAlgebra(graph)
    n, N = robot.n, robot.n_bodies
    sizes = {
        "theta": 10 * N, "theta_dot": 10 * N, "psi": 12 * N, "psi_dot": 12 * N, "nu": N,
        "theta_source": 10 * N, "psi_source": 12 * N, "beta": len(groups.columns),
    }  # fmt: skip
    declared, parameters = _declared(robot, graph)
    vectors: dict[str, list[Node]] = {}
    arguments: list[Argument] = []
    for argument in argument_names(name, inertial, is_changing=changes(robot)):
        size = sizes.get(argument, n)
        vectors[argument] = [graph.symbol(f"{argument}[{i}]") for i in range(size)]
        unit, doc = _DOCS[argument]
        symbols = tuple(node.id for node in vectors[argument])
        arguments.append(
            Argument(argument, (size,), symbols, unit, doc, shared=argument in ROBOT_ARGUMENTS)
        )
    model = over(robot, A, parameters)
    time = graph.symbol(TIME)
    now = mass_at(robot, A, time, parameters)
    if _is_built_in_at_t(robot, recipe, inertial):
        arguments.append(Argument(TIME, (), (time.id,), "s", "time"))
    arguments += declared
    if inertial == "numeric" and changes(robot):
        vectors |= {name: now.arguments()[name] for name in _OF_TIME}
    theta: list[Node]
    if "beta" in vectors:
        theta = groups.theta(A.const(0), vectors["beta"], 10 * N)
    else:
        theta = now.theta
        if "theta" in vectors:
            free = [flag for body in robot.bodies for flag in body.symbolic]
            theta = [s if f else t for s, f, t in zip(vectors["theta"], free, theta, strict=True)]
    try:
        entries = tuple(node.id for node in recipe.build(_Inputs(robot, model, vectors, theta)))
    except ZeroDivisionError:
        raise InputError(
            "M(q) is singular for every q: a joint feels no inertia",
            where=f"derive {name} of {robot.name!r}",
            remedy="See `symdyn show` for the joint, give it inertia or armature, or leave this "
            "function out.",
        ) from None
    doc = recipe.doc
    if changes(robot) and name in OF_CONSTANT_MASS:
        doc += f"; as if mass were constant and at rest, see {OF_CONSTANT_MASS[name]}"
    result = Result(name, recipe.shape(n, N), entries, recipe.unit, doc)
    spec = FunctionSpec(name, graph, tuple(arguments), result, doc)
    label_motions(graph, model, [body.name for body in robot.bodies], vectors)
    return optimise_function(spec)[0]


def inputs_of(robot: Robot, spec: FunctionSpec) -> tuple[str, ...]:
    """Names of the arguments of a specification that depend on the state, not on the robot."""
    return tuple(a.name for a in spec.arguments if a.name not in ROBOT_ARGUMENTS)


def as_inertial(text: str) -> Inertial:
    """Check a word given by a user."""
    if text not in ("symbolic", "numeric", "base"):
        raise InputError(
            "unknown treatment of inertial parameters",
            expected="symbolic, numeric or base",
            got=repr(text),
            remedy="Choose one of the three.",
        )
    return text
