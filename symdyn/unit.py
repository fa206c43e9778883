"""What goes into one generated file: functions, constants, conventions, test numbers."""

from __future__ import annotations

import hashlib
import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence

from symdyn.algebra.mp import MpAlgebra, Real
from symdyn.algebra.term import Term, lift
from symdyn.codegen.spec import Constant, FunctionSpec, SelfTest, Unit
from symdyn.dynamics.joint_friction import friction_terms, has_friction, has_laws
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph, GraphAlgebra
from symdyn.expr.serialize import canonical_text, digest
from symdyn.joint_friction import friction_linear_names, friction_names, friction_state_names
from symdyn.model.names import shown
from symdyn.model.over import over
from symdyn.model.robot import PARAMETER_NAMES, TIME, Robot
from symdyn.recipes import Derivation, theta_terms

#: Decimal digits of the evaluation that every expected number is rounded from.
REFERENCE_DIGITS = 50
_REFERENCE = MpAlgebra(REFERENCE_DIGITS)

#: Self-test tolerance, relative to the largest entry of a result: loose enough for any compiler and
#: for the condition of M, tight enough to catch a wrong sign. The cross-check is the sharp test.
SELF_TEST_TOLERANCE = 1e-9


def rounded(terms: Sequence[Term], robot: Robot) -> tuple[float, ...]:
    """Exact terms of a robot as correctly rounded doubles, declared parameters at their values."""
    values = {p.name: _REFERENCE.const(p.value) for p in robot.parameters}
    return tuple(float(x) for x in lift(terms, _REFERENCE, values))


def theta_values(robot: Robot) -> tuple[float, ...]:
    """The robot's inertial parameters as doubles, (10N,)."""
    return rounded(theta_terms(robot), robot)


def robot_digest(robot: Robot) -> str:
    """Hash of what the robot means: tree, joints, numbers, names; not of where it was read from."""
    graph = Graph()
    A = GraphAlgebra(graph)
    parameters = {p.name: graph.symbol(p.name) for p in robot.parameters}
    if any(body.motion is not None for body in robot.bodies):
        parameters[TIME] = graph.symbol(TIME)
    terms: list[Term] = [*robot.gravity, *theta_terms(robot), *friction_terms(robot)]
    words: list[str] = [robot.name, *robot.coordinates]
    for joint in robot.joints:
        terms += [entry for row in joint.rotation for entry in row]
        terms += [*joint.translation, *joint.axis]
        terms += [joint.multiplier, joint.offset, joint.pitch, joint.armature]
        words += [joint.name, joint.kind.value, str(joint.parent), str(joint.coordinate)]
        words += [] if joint.law is None else [joint.law.name]
    for body in robot.bodies:
        words += [body.name, "".join("01"[flag] for flag in body.symbolic)]
        if body.motion is not None:
            m = body.motion
            words += ["moving mass"]
            terms += [*m.phi, *m.phi_dot, *m.psi, *m.psi_dot, m.nu, *m.source_phi, *m.source_psi]
    for p in robot.parameters:
        words += [p.name, str(p.value), str(p.is_argument)]
    roots = [node.id for node in lift(terms, A, parameters)]
    text = "\x00".join(words) + "\x01" + canonical_text(graph, roots)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


#: What the equation is where mass changes or moves.
_GENERALIZED = (
    "With mass that changes or moves: M qdd + (C + M(q, theta_dot) + H(q, psi)) qd + g + friction",
    "  = tau - J'Q psi_dot, in the functions called generalized; the others take it as constant.",
)
#: Width of the convention block.
_WIDTH = 88


def convention(robot: Robot) -> tuple[str, ...]:
    """The convention block that every file starts with."""
    gravity = ", ".join(f"{g:.10g}" for g in rounded(robot.gravity, robot))
    return (
        "SI units: m, kg, s, rad, N, N m.",
        "Equation: M(q) qdd + C(q, qd) qd + g(q) + friction = tau.",
        *(_GENERALIZED if any(body.motion for body in robot.bodies) else ()),
        f"gravity = ({gravity}) m/s^2 is the acceleration of free fall in the base frame.",
        "theta stacks the bodies; of each body: " + ", ".join(PARAMETER_NAMES) + ";",
        "  h = m c is the first moment, I the inertia about the frame's origin (not the centre of",
        "  mass), I12 etc. with the sign of the matrix entry (I12 = -integral of x y).",
        "A body's frame is that of its joint and moves with it. Rigidly joined links are one body.",
        "Twists (v; w) and wrenches (f; n) have the linear part first, in the body's own frame.",
        "C is the Christoffel factorisation: dM/dt = C + C'. C' below is a transpose.",
        "Friction stands on the left: positive at positive velocity. Only functions that name it",
        "  have it. armature, N^2 J of the rotors, is on the diagonal of M.",
        "Comments name components of body motions: twist (v; w), acceleration a of the frame's",
        "  origin less gravity, angular acceleration alpha; -(...) is the negative of one.",
        "Arrays are row-major.",
        *_mass_lines(robot),
    )


def _mass_lines(robot: Robot) -> Iterable[str]:
    """How the mass of bodies changes, and what momentum mass that comes or goes carries."""
    for body in robot.bodies:
        if body.motion is None:
            continue
        said = f"Mass of {shown(body.name)} changes or moves; {body.motion.statement}"
        if body.motion.times is not None:
            start, end = (f"{float(t):.6g}" for t in body.motion.times)
            said += f" Checked for t from {start} to {end} s."
        yield from textwrap.wrap(said, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


#: A temperature at which laws that know one were fitted, whatever their scale [K above its zero].
TEST_TEMPERATURE = 30.0


def state_value(argument: str, index: int) -> float:
    """Entry of the state that files test themselves at: a dyadic fraction, exact anywhere."""
    shift = sum(map(ord, argument)) % 19
    return ((7 * index + 5 * shift + 3) % 23 - 11) / 16


def inputs_at_test_state(
    derivation: Derivation, spec: FunctionSpec
) -> dict[str, tuple[float, ...]]:
    """Values of a function's arguments at the test state; the robot's own where it has them."""
    robot = derivation.robot
    out: dict[str, tuple[float, ...]] = {}
    for argument in spec.arguments:
        size = len(argument.symbols)
        match argument.name:
            case "theta":
                out["theta"] = theta_values(robot)
            case "friction":
                out["friction"] = rounded(friction_terms(robot), robot)
            case "parameters":
                declared = [p for p in robot.parameters if p.is_argument]
                out["parameters"] = tuple(float(p.value) for p in declared)
            case "beta":
                out["beta"] = base_values(derivation)
            case "friction_state":
                # small as deflections are, moderate as forces
                out["friction_state"] = tuple(state_value("z", k) / 4096 for k in range(size))
            case "temperature":
                out["temperature"] = (TEST_TEMPERATURE,) * size
            case "dt":
                out["dt"] = (2.0**-10,)
            case name:
                out[name] = tuple(state_value(name, k) for k in range(size))
    return out


def base_values(derivation: Derivation) -> tuple[float, ...]:
    """Values of the grouped parameters beta of a derivation with base parameters."""
    robot = derivation.robot
    mp = MpAlgebra(REFERENCE_DIGITS)
    values = {p.name: mp.const(p.value) for p in robot.parameters}
    theta = lift(theta_terms(robot), mp, values)
    return tuple(float(x) for x in derivation.groups.beta(over(robot, mp), theta))


def expected_at(spec: FunctionSpec, inputs: Mapping[str, Sequence[float]]) -> tuple[float, ...]:
    """Entries of one function's result, correctly rounded."""
    mp = MpAlgebra(REFERENCE_DIGITS)
    symbols: dict[int, Real] = {}
    for argument in spec.arguments:
        for node, value in zip(argument.symbols, inputs[argument.name], strict=True):
            symbols[node] = mp.number(value)
    return tuple(float(x) for x in evaluate(spec.graph, spec.result.entries, mp, symbols))


def _friction_constants(robot: Robot) -> list[Constant]:
    """Friction of the joints, and names of what its functions take and give."""
    doc = (
        "the robot's own parameters of friction, in the order of friction_names"
        if has_laws(robot)
        else "the robot's own viscous and Coulomb coefficients, two a joint"
    )
    constants = [Constant("friction", rounded(friction_terms(robot), robot), doc)]
    if not has_friction(robot):
        return constants
    if has_laws(robot):
        laws = tuple("" if joint.law is None else joint.law.name for joint in robot.joints)
        doc = "law of each joint; empty for two coefficients"
        constants.append(Constant("friction_laws", laws, doc))
    for name, names, doc in (
        ("friction_names", friction_names(robot), "in the order of friction"),
        ("friction_state_names", friction_state_names(robot), "in the order of friction_state"),
        ("friction_linear_names", friction_linear_names(robot), "columns of friction_regressor"),
    ):
        if names:
            constants.append(Constant(name, names, doc))
    return constants


def build_unit(robot: Robot, derivation: Derivation, name: str | None = None) -> Unit:
    """Gather a robot's derived functions with all that a generated file carries.

    Parameters
    ----------
    robot : the one that was derived
    derivation : its functions
    name : of the module or file; the robot's own if None

    Returns
    -------
    Unit
    """
    inputs: dict[str, tuple[float, ...]] = {}
    expected: dict[str, tuple[float, ...]] = {}
    for key, spec in derivation.specs.items():
        at = inputs_at_test_state(derivation, spec)
        inputs.update(at)
        values = expected_at(spec, at)
        # forward dynamics of a robot whose M is singular has no numbers to be held against
        if all(map(math.isfinite, values)):
            expected[key] = values
    constants = [
        Constant("joint_names", robot.coordinates, "coordinates, in the order of q"),
        Constant(
            "body_names", tuple(b.name for b in robot.bodies), "bodies, in the order of theta"
        ),
        Constant("parameter_order", PARAMETER_NAMES, "the ten parameters of a body"),
        Constant("theta", theta_values(robot), "the robot's own inertial parameters"),
        *_friction_constants(robot),
    ]
    declared = [p for p in robot.parameters if p.is_argument]
    if declared:
        names = tuple(p.name for p in declared)
        constants.append(Constant("parameter_names", names, "declared parameters, in order"))
        numbers = tuple(float(p.value) for p in declared)
        constants.append(Constant("parameters", numbers, "their values"))
    if derivation.inertial == "base":
        doc = "grouped parameters, in the order of beta, by the one that names the group"
        constants.append(Constant("base_names", derivation.base_names, doc))
        constants.append(Constant("beta", base_values(derivation), "their values for this robot"))
    parts = [robot_digest(robot)]
    parts += [digest(s.graph, s.result.entries) for s in derivation.specs.values()]
    total = "sha256:" + hashlib.sha256("\n".join(parts).encode()).hexdigest()
    return Unit(
        name=name or robot.name,
        functions=tuple(derivation.specs.values()),
        constants=tuple(constants),
        convention=convention(robot),
        self_test=SelfTest(inputs, expected, SELF_TEST_TOLERANCE),
        digest=total,
    )
