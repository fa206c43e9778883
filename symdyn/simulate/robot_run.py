"""A robot from rest or in motion under gravity, torques and a controller, with its friction.

The kind of friction is chosen by name (`simulate.semantics`) and what it does to each joint at the
start is said beside the motion: whether the joint holds its load, creeps, gives way or breaks away.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from symdyn._errors import InputError, UnsupportedError, counted
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.analysis.joint_passivity import law_passivity
from symdyn.analysis.lugre import presliding
from symdyn.expr.verdict import VerdictKind
from symdyn.friction.catalog import law_named
from symdyn.friction.coulomb import COULOMB_SET
from symdyn.friction.law import FrictionLaw
from symdyn.friction.lugre import LUGRE
from symdyn.friction.viscous import VISCOUS
from symdyn.mass_recipes import remarks_on_times
from symdyn.model.robot import Robot
from symdyn.simulate.creep import creep_speed
from symdyn.simulate.effort import (
    check_mechanism,
    check_motion,
    check_request,
    check_signals,
)
from symdyn.simulate.implicit import simulate_implicit
from symdyn.simulate.joint_friction import JointFriction, bounds, settled_states
from symdyn.simulate.march import Engine
from symdyn.simulate.mass_check import check_mass
from symdyn.simulate.mechanism import Mechanism, motion_of, robot_mechanism
from symdyn.simulate.moreau import simulate_moreau
from symdyn.simulate.reference import solve
from symdyn.simulate.robot_system import (
    RobotDrive,
    actuation,
    robot_drive,
    robot_system,
    system_values,
)
from symdyn.simulate.semantics import Bristles, Semantics, dynamic, ideal, regularised
from symdyn.simulate.stability import controller_limit
from symdyn.simulate.stick_slide import simulate_ideal
from symdyn.simulate.trajectory import Trajectory
from symdyn.unit import rounded


@dataclass(frozen=True, slots=True)
class Scenario:
    """What is simulated.

    Attributes
    ----------
    robot : the robot
    q0, v0 : (n,) start
    span : simulated time [s]
    drive : torques and controller; none of them if None
    semantics : kind of friction
    eps : velocity over which regularised friction is smoothed [rad/s | m/s]
    bristles : stiffness and damping of dynamic friction
    step : fixed step [s]; None integrates to a tolerance, by events or an implicit method
    samples : number of times at which the motion is kept, besides the start
    rtol : tolerance of the adaptive integrators
    laws : index of a joint, law and values, in place of the robot's own friction
    signals : constant values of signals that laws need (load, temperature); a position is the
        joint's own
    engine : of the equations of motion
    """

    robot: Robot
    q0: tuple[float, ...]
    v0: tuple[float, ...]
    span: float
    drive: RobotDrive | None = None
    semantics: Semantics = Semantics.IDEAL
    eps: float = 1e-3
    bristles: Bristles = field(default_factory=Bristles)
    step: float | None = None
    samples: int = 500
    rtol: float = 1e-9
    laws: tuple[tuple[int, FrictionLaw, Mapping[str, float]], ...] | None = None
    signals: Mapping[str, float] = field(default_factory=dict[str, float])
    engine: Engine = "auto"


@dataclass(frozen=True, slots=True)
class Hold:
    """What friction does to one coordinate at the start, were it at rest.

    Attributes
    ----------
    joint : name of the coordinate
    load : torque of drives, gravity and moving mass that friction has to hold [N m | N]
    limit : largest load of that sign that the joint's set-valued friction holds [N m | N]
    creep_speed : [rad/s | m/s]; 0 if the joint holds, infinite if it breaks away, None if the
        question has no answer (several laws on one coordinate, bristles)
    give : how far the bristles give way [rad | m]; None without bristles
    """

    joint: str
    load: float
    limit: float
    creep_speed: float | None
    give: float | None

    @property
    def verdict(self) -> str:
        """In words."""
        if self.load == 0:
            return "no load"
        if abs(self.load) > self.limit:
            return "moves if the others do not: the load is above what friction holds"
        if self.give is not None:
            return f"gives way by {self.give:.4g} and holds"
        if self.creep_speed is None:
            return "below what friction holds"
        if self.creep_speed == 0:
            return "holds"
        if math.isinf(self.creep_speed):
            return "breaks away below the ideal limit: smoothing lowers the peak"
        return f"creeps at {self.creep_speed:.6g}"


@dataclass(frozen=True, slots=True)
class RobotRun:
    """The motion and what was assumed.

    Attributes
    ----------
    scenario : what was simulated
    trajectory : the motion
    frictions : laws as simulated, by coordinate
    holds : the start, joint by joint
    method : the integrator, in words
    notes : what the motion left out of account, one sentence each
    """

    scenario: Scenario
    trajectory: Trajectory
    frictions: tuple[JointFriction, ...]
    holds: tuple[Hold, ...]
    method: str
    notes: tuple[str, ...]


def joint_laws(robot: Robot) -> list[tuple[int, FrictionLaw, dict[str, float]]]:
    """Friction of each joint of the file that has any: index of the joint, law, values."""
    out: list[tuple[int, FrictionLaw, dict[str, float]]] = []
    for k, joint in enumerate(robot.joints):
        if joint.law is not None:
            law = law_named(joint.law.name)
            numbers = rounded(joint.law.values, robot)
            names = [q.name for q in law.parameters]
            out.append((k, law, dict(zip(names, numbers, strict=True))))
            continue
        b, Fc = rounded((joint.damping, joint.friction), robot)
        if Fc:
            out.append((k, COULOMB_SET, {"Fc": Fc, "b": b}))
        elif b:
            out.append((k, VISCOUS, {"b": b}))
    return out


def robot_frictions(scenario: Scenario, mechanism: Mechanism) -> tuple[JointFriction, ...]:
    """The robot's friction in the chosen semantics, on its coordinates.

    Raises
    ------
    UnsupportedError : a law has no form in that semantics
    InputError : eps or the bristles are not positive, a joint does not exist
    """
    robot = scenario.robot
    if not scenario.eps > 0:
        raise InputError("eps has to be positive", where="simulate", got=repr(scenario.eps))
    inertia = np.diag(mechanism.terms(0.0, np.array(scenario.q0), np.zeros(robot.n)).inertia)
    out: list[JointFriction] = []
    laws = joint_laws(robot) if scenario.laws is None else scenario.laws
    check_signals(scenario, {q.name for _, law, _ in laws for q in law.signals} - {"position"})
    for k, law, values in laws:
        if not 0 <= k < len(robot.joints):
            raise InputError(
                "a law for a joint that does not exist",
                where="simulate",
                expected=f"an index from 0 to {len(robot.joints) - 1}",
                got=str(k),
            )
        joint = robot.joints[k]
        multiplier, offset = rounded((joint.multiplier, joint.offset), robot)
        if multiplier == 0:
            continue
        match scenario.semantics:
            case Semantics.IDEAL:
                own = ideal(law, values)
            case Semantics.REGULARISED:
                own = regularised(law, values, scenario.eps)
            case Semantics.DYNAMIC:
                felt = float(inertia[joint.coordinate]) / multiplier**2
                own = dynamic(law, values, scenario.bristles, felt)
        needed = {q.name for q in own[0].signals}
        signals = {name: x for name, x in scenario.signals.items() if name in needed}
        out.append(JointFriction(*own, joint.coordinate, multiplier, offset, signals))
    return tuple(out)


def run_robot(scenario: Scenario, progress: Callable[[str], None] = lambda stage: None) -> RobotRun:
    """Simulate a scenario.

    Parameters
    ----------
    scenario : what to simulate
    progress : called with the name of each stage

    Returns
    -------
    RobotRun

    Raises
    ------
    InputError : sizes, span, step or samples do not fit
    UnsupportedError : a law has no form in the chosen semantics, or an integrator fails

    Examples
    --------
    >>> from symdyn import load_robot
    >>> arm = load_robot("planar2r")
    >>> found = run_robot(Scenario(arm, (0.0, 0.0), (0.0, 0.0), 0.5, samples=5))
    >>> found.trajectory.q[-1]
    array([-1.185...,  0.531...])
    """
    robot = scenario.robot
    n = robot.n
    drive = scenario.drive or robot_drive(n)
    for name, entries in (("q0", scenario.q0), ("v0", scenario.v0), ("tau", drive.tau)):
        if len(entries) != n:
            raise InputError(
                f"{name} has {counted(len(entries), 'entry')}", where="simulate", expected=f"{n}"
            )
    check_request(scenario)
    check_mass(robot, np.linspace(0, scenario.span, scenario.samples + 1).tolist())
    progress("derive the equations of motion")
    mechanism = robot_mechanism(robot, scenario.engine)
    check_mechanism(scenario, mechanism, drive)
    frictions = robot_frictions(scenario, mechanism)
    holds = tuple(_holds(scenario, mechanism, frictions, drive))
    progress("simulate")
    try:
        with np.errstate(all="ignore"):  # what leaves the range of a double is told below
            trajectory, method = _motion(scenario, mechanism, frictions, drive)
    except np.linalg.LinAlgError:
        raise UnsupportedError(
            "simulate: M(q) becomes singular on the way. Give the links inertia or the joints "
            "armature, or start elsewhere."
        ) from None
    check_motion(trajectory)
    notes = tuple(_notes(robot, frictions, trajectory))
    return RobotRun(scenario, trajectory, frictions, holds, method, notes)


def _notes(robot: Robot, frictions: Sequence[JointFriction], trajectory: Trajectory) -> list[str]:
    out = [] if frictions else ["No joint has friction."]
    for f in frictions:
        verdict = law_passivity(f.law, f.values)
        if verdict.kind is VerdictKind.REFUTED:
            joint = robot.coordinates[f.coordinate]
            out.append(f"Friction {f.law.name} can drive joint {joint!r}: {verdict.detail}.")
    out += [
        f"Mass changes or moves in body {body.name!r}: {body.motion.statement}"
        for body in robot.bodies
        if body.motion is not None
    ]
    first, last = float(trajectory.times[0]), float(trajectory.times[-1])
    out += [f"{r[0].upper()}{r[1:]}." for r in remarks_on_times(robot, first, last)]
    for joint in robot.joints:
        lower, upper = joint.limits.lower, joint.limits.upper
        if joint.follows or lower is None or upper is None:
            continue
        low, high = rounded((lower, upper), robot)
        q = trajectory.q[:, joint.coordinate]
        outside = np.flatnonzero((q < low) | (q > high))
        if outside.size:
            at = float(trajectory.times[outside[0]])
            out.append(
                f"Joint {joint.name!r} is beyond its limits from t = {at:.4g} s; it has no stops."
            )
    return out


def _motion(
    scenario: Scenario,
    mechanism: Mechanism,
    frictions: Sequence[JointFriction],
    drive: RobotDrive,
) -> tuple[Trajectory, str]:
    start = scenario.q0, scenario.v0
    parts = mechanism, frictions, actuation(drive), *start
    is_ideal = scenario.semantics is Semantics.IDEAL
    if scenario.step is None:
        times: Array = np.linspace(0, scenario.span, scenario.samples + 1)
        if is_ideal:
            motion = simulate_ideal(*parts, times.tolist(), rtol=scenario.rtol)
            return motion, "DOP853 between located events"
        return _by_reference(scenario, mechanism, frictions, drive, times), "Radau"
    limit = controller_limit(
        mechanism.terms(0.0, np.array(scenario.q0), np.zeros(mechanism.n)).inertia,
        drive.kp,
        drive.kd,
    )
    if scenario.step > limit:
        raise InputError(
            "the step is too large for the controller",
            where="simulate",
            expected=f"at most {limit:.4g} s at the start",
            got=f"{scenario.step:g} s",
            remedy="Take a smaller step or smaller gains, or leave the step out.",
        )
    every = max(1, round(scenario.span / scenario.step) // scenario.samples)
    simulate = simulate_moreau if is_ideal else simulate_implicit
    motion = simulate(*parts, scenario.span, scenario.step, every=every)
    name = "Moreau's scheme" if is_ideal else "implicit Euler, bristles by their own step"
    return motion, f"{name}, step {scenario.step:g} s"


def _by_reference(
    scenario: Scenario,
    mechanism: Mechanism,
    frictions: Sequence[JointFriction],
    drive: RobotDrive,
    times: Array,
) -> Trajectory:
    n = mechanism.n
    system = robot_system(scenario.robot, frictions, drive)
    values = system_values(frictions, drive)
    bristles = [
        z
        for f in frictions
        for z in settled_states(f, scenario.q0[f.coordinate], scenario.v0[f.coordinate])
    ]
    start = [*scenario.q0, *scenario.v0, *bristles, *[0.0] * mechanism.works]
    # bristle deflections are far smaller than positions
    small = 1e-6 * scenario.bristles.give if scenario.semantics is Semantics.DYNAMIC else 1e-12
    atol = [1e-10] * (2 * n) + [small] * len(bristles) + [1e-10] * mechanism.works
    found = solve(
        system, values, start, times.tolist(), rtol=scenario.rtol, atol=atol, engine=scenario.engine
    )
    q, v = found.states[:, :n], found.states[:, n : 2 * n]
    assert system.observe is not None
    own = system.check(values)
    seen = np.array(
        [
            system.observe(FLOAT64, t, x, own)
            for t, x in zip(found.times.tolist(), found.states.tolist(), strict=True)
        ]
    )
    works = found.states[:, -mechanism.works :]
    return motion_of(mechanism, found.times, q, v, seen[:, :n], seen[:, n:], works)


def _holds(
    scenario: Scenario,
    mechanism: Mechanism,
    frictions: Sequence[JointFriction],
    drive: RobotDrive,
) -> list[Hold]:
    q = np.array(scenario.q0)
    rest = np.zeros(mechanism.n)
    loads = actuation(drive)(0.0, q, rest) - mechanism.terms(0.0, q, rest).bias
    # an axis along gravity has no load; what is left of it is rounding
    loads[np.abs(loads) <= 1e-12 * np.max(np.abs(loads), initial=0.0)] = 0.0
    out: list[Hold] = []
    for k, name in enumerate(mechanism.names):
        own = [f for f in frictions if f.coordinate == k]
        load = float(loads[k])
        limit, speed, give = 0.0, None, None
        for f in own:
            held = JointFriction(*ideal(f.law, f.values), k, f.multiplier, f.offset, f.signals)
            low, high = bounds(held, float(q[k]))
            limit += high if load >= 0 else -low
        if len(own) == 1 and own[0].law.name == LUGRE.name:
            m = abs(own[0].multiplier)
            share = abs(load) / m
            breaks = share >= own[0].values["Fs"]
            give = math.inf if breaks else presliding(own[0].values, share)[0] / m
        elif len(own) == 1 and not own[0].law.states:
            m = own[0].multiplier
            signals = own[0].inputs(float(q[k]))
            speed = creep_speed(own[0].law, own[0].values, load / m, signals) / m
        elif not own:
            speed = math.inf if load else 0.0
        out.append(Hold(name, load, limit, speed, give))
    return out
