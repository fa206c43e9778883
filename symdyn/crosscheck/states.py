"""States at which roads are compared: random, boundary, singular, near singular and large-angle
ones.

All numbers are doubles and reproducible: the same robot and seed give the same states on every
machine (Python's Mersenne Twister and its ``random()`` only, no platform's mathematics library).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from symdyn.algebra.float64 import FLOAT64
from symdyn.base_parameters import NO_GROUPS, ParameterGroups
from symdyn.dynamics import body_jacobian
from symdyn.dynamics.joint_friction import friction_terms, has_laws
from symdyn.joint_friction import friction_state_names
from symdyn.mass_recipes import changes
from symdyn.model.over import Model, over
from symdyn.model.robot import TIME, JointKind, Robot
from symdyn.spatial.inertia import as_phi, phi_from_pseudo_inertia, pseudo_inertia
from symdyn.unit import rounded, theta_values

#: Arguments with one number per coordinate that are drawn at random.
_RATES = ("qd", "qdd", "v", "a", "tau")
#: Poses among which the most singular one is looked for.
_CANDIDATES = 60
#: Gram determinants closer than this are called equal, or rounding would choose the pose.
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class CheckState:
    """One state: a value for every argument that a function may have.

    Attributes
    ----------
    kind : ``random``, ``other parameters``, ``zero``, ``lower limits``, ``upper limits``,
        ``quarter turns``, ``singular``, ``near singular``, ``large angles``, ``fast``
    values : arguments by name, flat, row-major
    own_theta : whether theta is the robot's own
    own_parameters : whether the declared parameters that are arguments have the robot's own values
    """

    kind: str
    values: dict[str, tuple[float, ...]]
    own_theta: bool = True
    own_parameters: bool = True


def check_states(
    robot: Robot,
    *,
    count: int = 12,
    seed: int = 1,
    vary_theta: bool = True,
    groups: ParameterGroups = NO_GROUPS,
) -> tuple[CheckState, ...]:
    """States for a robot.

    Parameters
    ----------
    robot : the robot; its limits bound the random positions
    count : number of random states; nine others are added
    seed : of the random source
    vary_theta : whether every third random state has inertial parameters other than the robot's
        own (if the robot marks some as fixed, none vary); declared parameters vary there too
    groups : the map from theta to the grouped parameters ``beta``
    """
    source = random.Random(seed)
    model = over(robot, FLOAT64)
    n, bodies = robot.n, robot.n_bodies
    vary = vary_theta and all(all(body.symbolic) for body in robot.bodies)
    own = theta_values(robot)
    declared = tuple(float(p.value) for p in robot.parameters if p.is_argument)

    def state(kind: str, q: Sequence[float], rate: float = 1.0, other: bool = False) -> CheckState:
        theta = _moved_theta(own, source) if other and vary else own
        values = {"q": tuple(q), "theta": tuple(theta)}
        for name in _RATES:
            values[name] = tuple(rate * _between(source, -2.0, 2.0) for _ in range(n))
        for name, size in (
            ("theta_dot", 10 * bodies),
            ("psi", 12 * bodies),
            ("psi_dot", 12 * bodies),
            ("nu", bodies),
            ("theta_source", 10 * bodies),
            ("psi_source", 12 * bodies),
        ):
            values[name] = tuple(rate * _between(source, -0.3, 0.3) for _ in range(size))
        values["beta"] = tuple(groups.beta(model, theta))
        values["friction"] = rounded(friction_terms(robot), robot)
        if has_laws(robot):
            values |= _friction_inputs(robot, source, rate)
        values["parameters"] = declared
        if changes(robot):
            values[TIME] = (_between(source, 0.0, 1.0),)
        if other:
            values["parameters"] = tuple(x * _between(source, 0.8, 1.2) for x in declared)
        return CheckState(kind, values, not (other and vary), not (other and declared))

    def pose() -> list[float]:
        return [_between(source, low, high) for low, high in ranges]

    ranges = position_ranges(robot)
    turning = _turning(robot)
    states: list[CheckState] = []
    for k in range(count):
        other = bool(vary or declared) and k % 3 == 2
        states.append(state("other parameters" if other else "random", pose(), other=other))
    states.append(state("zero", [0.0] * n, rate=0.0))
    states.append(state("zero", [0.0] * n))
    states.append(state("lower limits", [low for low, _ in ranges]))
    states.append(state("upper limits", [high for _, high in ranges]))
    states.append(state("quarter turns", _quarter_turns(source, turning)))
    singular = _most_singular(model, source, turning)
    states.append(state("singular", singular))
    near = [x + _between(source, -1e-7, 1e-7) for x in singular]
    states.append(state("near singular", near))
    large = [x * 1e5 if turns else x for x, turns in zip(pose(), turning, strict=True)]
    states.append(state("large angles", large))
    states.append(state("fast", pose(), rate=50.0))
    return tuple(states)


def _friction_inputs(
    robot: Robot, source: random.Random, rate: float
) -> dict[str, tuple[float, ...]]:
    """States and signals of the joints' friction, and a step."""
    states = len(friction_state_names(robot))
    return {
        "friction_state": tuple(rate * _between(source, -2e-4, 2e-4) for _ in range(states)),
        "load": tuple(rate * _between(source, -2.0, 2.0) for _ in range(robot.n)),
        "temperature": tuple(_between(source, 15.0, 45.0) for _ in range(robot.n)),
        "dt": (_between(source, 0.0, 1e-2),),
    }


def position_ranges(robot: Robot) -> list[tuple[float, float]]:
    """Smallest and largest position of each coordinate; a turn or a metre where none is given."""
    out: list[tuple[float, float]] = [(0.0, 0.0)] * robot.n
    for joint in robot.joints:
        if joint.is_mimic and joint.name != robot.coordinates[joint.coordinate]:
            continue
        slides = joint.kind is JointKind.PRISMATIC
        reach = 1.0 if slides else math.pi
        low, high = -reach, reach
        given = [t for t in (joint.limits.lower, joint.limits.upper) if t is not None]
        if len(given) == 2 and joint.kind is not JointKind.CONTINUOUS:
            lower, upper = rounded(given, robot)
            if math.isfinite(lower) and math.isfinite(upper) and lower < upper:
                # a file's "no limit" of 1e16 says nothing about where the joint moves
                low, high = max(lower, -10 * reach), min(upper, 10 * reach)
                if low >= high:
                    low, high = -reach, reach
        out[joint.coordinate] = (low, high)
    return out


def _between(source: random.Random, low: float, high: float) -> float:
    return low + (high - low) * source.random()


def _turning(robot: Robot) -> list[bool]:
    """Which coordinates are angles."""
    out = [True] * robot.n
    for joint in robot.joints:
        if joint.kind is JointKind.PRISMATIC:
            out[joint.coordinate] = False
    return out


def _quarter_turns(source: random.Random, turning: Sequence[bool]) -> list[float]:
    return [
        source.randrange(-4, 5) * (math.pi / 2) if turns else 0.5 * source.randrange(-1, 2)
        for turns in turning
    ]


def _most_singular(
    model: Model[float], source: random.Random, turning: Sequence[bool]
) -> list[float]:
    """Of some poses at quarter turns, the one whose last body has the most degenerate Jacobian.

    Measured by the Gram determinant of the columns of the joints that move the last body, columns
    of joints at rest left out; it is zero where two axes coincide or three meet.
    """
    n = model.n
    rows = 6 * len(model.links)
    path: list[int] = []
    i = len(model.links) - 1
    while i >= 0:
        path.append(model.links[i].coordinate)
        i = model.links[i].parent
    path = sorted(set(path))[-6:]
    best, least = [0.0] * n, math.inf
    for _ in range(_CANDIDATES if n <= 12 else 6):
        q = _quarter_turns(source, turning)
        J = body_jacobian(model, q)[rows - 6 : rows]
        gram = [[sum(J[k][a] * J[k][b] for k in range(6)) for b in path] for a in path]
        value = _determinant(gram)
        if value < least - _SAME:
            best, least = q, value
    return best


def _determinant(matrix: list[list[float]]) -> float:
    """By elimination with row exchange."""
    rows = [list(row) for row in matrix]
    value = 1.0
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda i: abs(rows[i][k]))
        if rows[pivot][k] == 0:
            return 0.0
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            value = -value
        value *= rows[k][k]
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            for j in range(k + 1, len(rows)):
                rows[i][j] -= factor * rows[k][j]
    return abs(value)


def _moved_theta(theta: Sequence[float], source: random.Random) -> list[float]:
    """Other inertial parameters, physically consistent wherever the given ones are.

    The pseudo-inertia P of each body becomes A P A' with A near the unit matrix, so it stays
    positive semidefinite. Source: Wensing, Kim and Slotine 2018 (P is the second moment of
    (x, y, z, 1), and A acts on that vector).
    """
    out: list[float] = []
    for body in range(len(theta) // 10):
        P = pseudo_inertia(FLOAT64, as_phi(theta[10 * body : 10 * body + 10]))
        A = [
            [(1.0 if r == c else 0.0) + _between(source, -0.2, 0.2) for c in range(3)] + [0.0]
            for r in range(3)
        ]
        A.append([0.0, 0.0, 0.0, 1.0 + _between(source, -0.2, 0.2)])
        for r in range(3):
            A[r][3] = _between(source, -0.02, 0.02)
        Q = [
            [sum(A[r][a] * P[a][b] * A[c][b] for a in range(4) for b in range(4)) for c in range(4)]
            for r in range(4)
        ]
        out.extend(phi_from_pseudo_inertia(Q))
    return out
