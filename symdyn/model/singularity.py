"""Structural singularity: does a motion of some joints move nothing that has inertia, at every q?

M(q) = sum of J^T I J is built here body by body, slowly and apart from `symdyn.dynamics`, at a
random configuration in ball arithmetic of 50 digits. If it is proved regular there, it is regular
for almost all q, since its determinant is analytic in q. Otherwise the rank there (and at a second
point) is the structural rank, the largest over all q, unless the points are unlucky, which has
probability zero. Each joint that depends on the ones before it is named with the motion that costs
no kinetic energy.

Source: Featherstone 2008, section 6.2 (composite bodies).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from flint import ctx

from symdyn.algebra.ball import BALL
from symdyn.algebra.protocol import Algebra, S
from symdyn.algebra.term import lift
from symdyn.model.dependence import BITS, Dependence, dependences
from symdyn.model.names import listing, shown
from symdyn.model.over import Link, Model, over
from symdyn.model.robot import JointKind, Robot
from symdyn.spatial.inertia import Phi, add_phi, as_phi, matrix_of, move_phi
from symdyn.spatial.rotation import compose, identity, rotation_about, zero_vector
from symdyn.spatial.vector import Mat3, Vec3, add, apply, cross, dot, scale

#: Configurations that have to agree on a deficient rank.
_POINTS = 2
#: Bits that the radius of a ball can gain when it is turned once more: log2 of sqrt(3), rounded up.
_BITS_OF_A_TURN = 1

Twist = tuple[Vec3[S], Vec3[S]]


@dataclass(frozen=True, slots=True)
class FreeMotion:
    """A motion that needs no kinetic energy, at every configuration.

    Attributes
    ----------
    joints : names of the joints that move
    rates : their speeds in proportion, the last one 1 [rad/s | m/s]
    cause : in words
    """

    joints: tuple[str, ...]
    rates: tuple[float, ...]
    cause: str


@dataclass(frozen=True, slots=True)
class SingularityReport:
    """The structural rank of M(q).

    Attributes
    ----------
    n : number of coordinates
    rank : largest rank of M(q) over all q
    motions : n - rank motions without kinetic energy; empty if M(q) is regular for almost all q
    """

    n: int
    rank: int
    motions: tuple[FreeMotion, ...]

    @property
    def is_singular(self) -> bool:
        """Whether M(q) is singular for all q."""
        return self.rank < self.n

    @property
    def verdict(self) -> str:
        """The finding in words."""
        if self.is_singular:
            return "M(q) singular for all q"
        return "M(q) regular for almost all q"


def structural_singularity(robot: Robot, seed: int = 1) -> SingularityReport:
    """The structural rank of the mass matrix, and which joints are to blame if it is deficient.

    Parameters
    ----------
    robot : inertial and declared parameters take the robot's values
    seed : of the random configurations
    """
    random = Random(seed)
    with ctx.workprec(BITS + 2 * _BITS_OF_A_TURN * _depth(robot)):
        parameters = {p.name: BALL.const(p.value) for p in robot.parameters}
        model = over(robot, BALL)
        flat = lift([x for body in robot.bodies for x in body.phi], BALL, parameters)
        phis = [as_phi(flat[10 * i : 10 * i + 10]) for i in range(robot.n_bodies)]
        best: list[Dependence] | None = None
        for _ in range(_POINTS):
            q = [
                BALL.const(Fraction(random.randint(-(10**6), 10**6), 10**6)) for _ in range(robot.n)
            ]
            found = dependences(*mass_matrix_of_bodies(model, q, phis))
            if best is None or len(found) < len(best):
                best = found
            if not best:
                break
    assert best is not None
    motions = tuple(_motion(robot, dependence) for dependence in best)
    return SingularityReport(robot.n, robot.n - len(motions), motions)


def _depth(robot: Robot) -> int:
    """Joints on the longest way from the base to a body."""
    depths: list[int] = []
    for joint in robot.joints:
        depths.append(1 + (depths[joint.parent] if joint.parent >= 0 else 0))
    return max(depths, default=0)


def mass_matrix_of_bodies(
    model: Model[S], q: Sequence[S], phis: Sequence[Phi[S]]
) -> tuple[list[list[S]], list[S]]:
    """M(q) by composite bodies seen from the base, and a bound of the parts of each diagonal entry.

    The slow twin of `symdyn.dynamics.crba.mass_matrix`: every quantity stands in the base frame.
    """
    A = model.algebra
    poses: list[tuple[Mat3[S], Vec3[S]]] = []
    twists: list[Twist[S]] = []
    composite: list[Phi[S]] = []
    for link, phi in zip(model.links, phis, strict=True):
        before = poses[link.parent] if link.parent >= 0 else (identity(A), zero_vector(A))
        rotation, origin = compose(before, (link.rotation, link.translation))
        twists.append(_twist(A, link, rotation, origin))
        turn, shift = _motion_of(A, link, link.multiplier * q[link.coordinate] + link.offset)
        pose = compose((rotation, origin), (turn, shift))
        poses.append(pose)
        composite.append(move_phi(pose[0], pose[1], phi))
    for i in range(len(model.links) - 1, -1, -1):
        parent = model.links[i].parent
        if parent >= 0:
            composite[parent] = add_phi(composite[parent], composite[i])
    zero = A.const(0)
    M = [[zero] * model.n for _ in range(model.n)]
    size = [zero] * model.n
    for i, link in enumerate(model.links):
        row, k = link.coordinate, link.multiplier
        momentum = _momentum(composite[i], twists[i])
        M[row][row] = M[row][row] + k * k * (_power(twists[i], momentum) + link.armature)
        size[row] = size[row] + k * k * (_size(A, composite[i], twists[i]) + link.armature)
        j = link.parent
        while j >= 0:
            column = model.links[j].coordinate
            entry = k * model.links[j].multiplier * _power(twists[j], momentum)
            M[row][column] = M[row][column] + entry
            M[column][row] = M[column][row] + entry
            j = model.links[j].parent
    return M, size


def _twist(A: Algebra[S], link: Link[S], rotation: Mat3[S], origin: Vec3[S]) -> Twist[S]:
    """The joint's unit twist seen from the base, reference point the base origin: (v; w)."""
    axis = apply(rotation, link.axis)
    match link.kind:
        case JointKind.REVOLUTE | JointKind.CONTINUOUS:
            return cross(origin, axis), axis
        case JointKind.PRISMATIC:
            return axis, zero_vector(A)
        case JointKind.HELICAL:
            return add(cross(origin, axis), scale(link.pitch, axis)), axis


def _motion_of(A: Algebra[S], link: Link[S], x: S) -> tuple[Mat3[S], Vec3[S]]:
    """The joint's own displacement at position ``x``."""
    match link.kind:
        case JointKind.REVOLUTE | JointKind.CONTINUOUS:
            return rotation_about(A, link.axis, A.cos(x), A.sin(x)), zero_vector(A)
        case JointKind.PRISMATIC:
            return identity(A), scale(x, link.axis)
        case JointKind.HELICAL:
            turn = rotation_about(A, link.axis, A.cos(x), A.sin(x))
            return turn, scale(link.pitch * x, link.axis)


def _momentum(phi: Phi[S], twist: Twist[S]) -> Twist[S]:
    """Linear and angular momentum about the origin of a body that moves with ``twist``."""
    v, w = twist
    h = (phi[1], phi[2], phi[3])
    tensor = matrix_of((phi[4], phi[5], phi[6], phi[7], phi[8], phi[9]))
    return add(scale(phi[0], v), cross(w, h)), add(apply(tensor, w), cross(h, v))


def _power(twist: Twist[S], momentum: Twist[S]) -> S:
    return dot(twist[0], momentum[0]) + dot(twist[1], momentum[1])


def _size(A: Algebra[S], phi: Phi[S], twist: Twist[S]) -> S:
    """An upper bound of the sizes of the parts that add up to twist^T I twist."""
    v, w = (_sum_of_sizes(A, part) for part in twist)
    mass, h, inertia = (_sum_of_sizes(A, part) for part in (phi[:1], phi[1:4], phi[4:]))
    return mass * v * v + h * v * w + h * v * w + inertia * w * w


def _sum_of_sizes(A: Algebra[S], values: Sequence[S]) -> S:
    return sum((A.unary("abs", x) for x in values), A.const(0))


def _motion(robot: Robot, dependence: Dependence) -> FreeMotion:
    index, factors = dependence.index, dependence.factors
    names = (*(robot.coordinates[i] for i in factors), robot.coordinates[index])
    rates = (*factors.values(), 1.0)
    if factors:
        moved = " and ".join(f"{shown(n)} ({r:+.6g})" for n, r in zip(names, rates, strict=True))
        cause = f"joints {moved}: moving together at these rates they move no mass"
        return FreeMotion(names, rates, cause)
    movers = [i for i, joint in enumerate(robot.joints) if joint.coordinate == index]
    bodies = [robot.bodies[i].name for i in movers]
    kinds = {robot.joints[i].kind for i in movers}
    if kinds == {JointKind.PRISMATIC}:
        what = "the mass that it moves is 0"
    elif kinds <= {JointKind.REVOLUTE, JointKind.CONTINUOUS}:
        what = "rotational inertia about its axis is 0"
    else:
        what = "the inertia along its motion is 0"
    noun = "link" if len(bodies) == 1 else "links"
    cause = f"joint {shown(names[0])}: {what} ({noun} {listing(bodies)} and all below)"
    return FreeMotion(names, rates, cause)
