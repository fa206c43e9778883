"""Structural singularity: does a motion of some joints move nothing that has inertia, at every q?

M(q) = sum of J^T I J is built here body by body, slowly and apart from `symdyn.dynamics`, at random
configurations with 50 digits. Its rank there is the structural rank (the largest over all q) unless
the point is unlucky, which has probability zero. Each joint that depends on the ones before it is
named with the motion that costs no kinetic energy.

Source: Featherstone 2008, section 6.2 (composite bodies); Golub & Van Loan 2013, section 4.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from symdyn.algebra.mp import MpAlgebra, Real
from symdyn.algebra.protocol import Algebra
from symdyn.algebra.term import lift
from symdyn.model.names import listing, shown
from symdyn.model.over import Link, Model, over
from symdyn.model.robot import JointKind, Robot
from symdyn.spatial.inertia import Phi, add_phi, as_phi, matrix_of, move_phi
from symdyn.spatial.rotation import compose, identity, rotation_about, zero_vector
from symdyn.spatial.vector import Mat3, Vec3, add, apply, cross, dot, scale

_DIGITS = 50
#: Relative size of a pivot that counts as zero: far above the rounding of 50 digits, far below what
#: any decimal of a file can make of a number that is not zero.
_ZERO = Fraction(1, 10**30)
#: Relative size of a speed that is nothing but rounding.
_NO_PART = 1e-15
_POINTS = 2

Twist = tuple[Vec3[Real], Vec3[Real]]


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
    algebra = MpAlgebra(_DIGITS)
    parameters = {p.name: algebra.const(p.value) for p in robot.parameters}
    model = over(robot, algebra)
    flat = lift([x for body in robot.bodies for x in body.phi], algebra, parameters)
    phis = [as_phi(flat[10 * i : 10 * i + 10]) for i in range(robot.n_bodies)]
    random = Random(seed)
    best: list[_Dependence] | None = None
    for _ in range(_POINTS):
        q = [
            algebra.const(Fraction(random.randint(-(10**6), 10**6), 10**6)) for _ in range(robot.n)
        ]
        M, size = mass_matrix_of_bodies(model, q, phis)
        found = _dependences(M, size, algebra)
        if best is None or len(found) < len(best):
            best = found
    assert best is not None
    motions = tuple(_motion(robot, dependence) for dependence in best)
    return SingularityReport(robot.n, robot.n - len(motions), motions)


@dataclass(frozen=True, slots=True)
class _Dependence:
    """Column ``index`` of M is minus the sum of ``factors`` times earlier columns."""

    index: int
    factors: dict[int, float]


def mass_matrix_of_bodies(
    model: Model[Real], q: Sequence[Real], phis: Sequence[Phi[Real]]
) -> tuple[list[list[Real]], list[Real]]:
    """M(q) by composite bodies seen from the base, and a bound of the parts of each diagonal entry.

    The slow twin of `symdyn.dynamics.crba.mass_matrix`: every quantity stands in the base frame.
    """
    A = model.algebra
    poses: list[tuple[Mat3[Real], Vec3[Real]]] = []
    twists: list[Twist] = []
    composite: list[Phi[Real]] = []
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
        size[row] = size[row] + k * k * (_size(composite[i], twists[i]) + link.armature)
        j = link.parent
        while j >= 0:
            column = model.links[j].coordinate
            entry = k * model.links[j].multiplier * _power(twists[j], momentum)
            M[row][column] = M[row][column] + entry
            M[column][row] = M[column][row] + entry
            j = model.links[j].parent
    return M, size


def _twist(A: Algebra[Real], link: Link[Real], rotation: Mat3[Real], origin: Vec3[Real]) -> Twist:
    """The joint's unit twist seen from the base, reference point the base origin: (v; w)."""
    axis = apply(rotation, link.axis)
    match link.kind:
        case JointKind.REVOLUTE | JointKind.CONTINUOUS:
            return cross(origin, axis), axis
        case JointKind.PRISMATIC:
            return axis, zero_vector(A)
        case JointKind.HELICAL:
            return add(cross(origin, axis), scale(link.pitch, axis)), axis


def _motion_of(A: Algebra[Real], link: Link[Real], x: Real) -> tuple[Mat3[Real], Vec3[Real]]:
    """The joint's own displacement at position ``x``."""
    match link.kind:
        case JointKind.REVOLUTE | JointKind.CONTINUOUS:
            return rotation_about(A, link.axis, A.cos(x), A.sin(x)), zero_vector(A)
        case JointKind.PRISMATIC:
            return identity(A), scale(x, link.axis)
        case JointKind.HELICAL:
            turn = rotation_about(A, link.axis, A.cos(x), A.sin(x))
            return turn, scale(link.pitch * x, link.axis)


def _momentum(phi: Phi[Real], twist: Twist) -> Twist:
    """Linear and angular momentum about the origin of a body that moves with ``twist``."""
    v, w = twist
    h = (phi[1], phi[2], phi[3])
    tensor = matrix_of((phi[4], phi[5], phi[6], phi[7], phi[8], phi[9]))
    return add(scale(phi[0], v), cross(w, h)), add(apply(tensor, w), cross(h, v))


def _power(twist: Twist, momentum: Twist) -> Real:
    return dot(twist[0], momentum[0]) + dot(twist[1], momentum[1])


def _size(phi: Phi[Real], twist: Twist) -> Real:
    """An upper bound of the sizes of the parts that add up to twist^T I twist."""
    v, w = (abs(t[0]) + abs(t[1]) + abs(t[2]) for t in twist)
    h = abs(phi[1]) + abs(phi[2]) + abs(phi[3])
    inertia = sum((abs(x) for x in phi[5:]), abs(phi[4]))
    return abs(phi[0]) * v * v + h * v * w + h * v * w + inertia * w * w


def _dependences(
    M: Sequence[Sequence[Real]], size: Sequence[Real], A: MpAlgebra
) -> list[_Dependence]:
    """Columns of M that depend on earlier ones: bordered LDL^T without pivoting.

    For a positive semidefinite M a pivot vanishes exactly where the column depends on earlier ones,
    and the column is then left out. Where impossible bodies make M indefinite, a pivot can vanish
    for another reason; the dependence is therefore checked in every row.
    """
    zero, tiny = A.const(0), A.const(_ZERO)
    kept: list[int] = []
    lower: list[list[Real]] = []
    pivots: list[Real] = []
    found: list[_Dependence] = []
    for j in range(len(M)):
        work: list[Real] = []  # column j of D L^T
        for a, i in enumerate(kept):
            value = M[i][j]
            for b in range(a):
                if lower[a][b] != zero and work[b] != zero:
                    value = value - lower[a][b] * work[b]
            work.append(value)
        row = [w / d for w, d in zip(work, pivots, strict=True)]
        pivot = M[j][j]
        for w, r in zip(work, row, strict=True):
            pivot = pivot - w * r
        if abs(pivot) > tiny * size[j]:
            kept.append(j)
            lower.append(row)
            pivots.append(pivot)
            continue
        # back substitution: L^T x = row
        x = list(row)
        for a in range(len(kept) - 1, -1, -1):
            for b in range(a):
                x[b] = x[b] - lower[a][b] * x[a]
        if all(
            abs(M[k][j] - sum((M[k][i] * v for i, v in zip(kept, x, strict=True)), zero))
            <= tiny * A.sqrt(size[k] * size[j] + tiny)
            for k in range(len(M))
        ):
            largest = max((abs(float(v)) for v in x), default=0.0)
            factors = {
                i: -float(v)
                for i, v in zip(kept, x, strict=True)
                if abs(float(v)) > _NO_PART * max(largest, 1.0)
            }
            found.append(_Dependence(j, factors))
    return found


def _motion(robot: Robot, dependence: _Dependence) -> FreeMotion:
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
