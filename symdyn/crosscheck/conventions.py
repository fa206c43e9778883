"""Orders and frames of other programs, and how to get from ours to theirs and back.

====================  ==========================  =======================  =======================
what                  symdyn                      Pinocchio                MuJoCo
====================  ==========================  =======================  =======================
inertial parameters   m h1 h2 h3, 11 22 33 12     m mc_x mc_y mc_z, xx xy  m, com, central tensor
                      23 13, about the origin     yy xz yz zz, origin      xx yy zz xy xz yz
twists, wrenches      linear first, body frame    the same                 angular first, world
order of joints       depth first, siblings by    the same when built      depth first, document
                      joint name                  here
continuous joint      one angle                   cosine and sine          one angle
mimic joint           no coordinate               a free joint here        a free joint here
quaternion            none                        x y z w                  w x y z
armature              in M, tau and T             in M and tau             in M and T, not in mj_rne
====================  ==========================  =======================  =======================

Mimic joints: with q_joint = T q + b, the outside program runs on q_joint and its results come back
as M = T' M_joint T, tau = T' tau_joint, Y = T' Y_joint; T is constant, so C reduces as M does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.algebra.mp import MpAlgebra, Real
from symdyn.model.over import Link, over
from symdyn.model.robot import JointKind, Robot
from symdyn.spatial.inertia import as_phi, central_from_phi, matrix_of
from symdyn.spatial.rotation import identity

#: Pinocchio's dynamic parameter k is ours number PINOCCHIO_PARAMETERS[k].
PINOCCHIO_PARAMETERS: tuple[int, ...] = (0, 1, 2, 3, 4, 7, 5, 9, 8, 6)


def columns_to_pinocchio(bodies: int) -> list[int]:
    """Index of our regressor's column for each column of Pinocchio's, for ``bodies`` bodies."""
    return [10 * body + k for body in range(bodies) for k in PINOCCHIO_PARAMETERS]


def columns_from_pinocchio(bodies: int) -> list[int]:
    """Index of Pinocchio's regressor column for each of ours."""
    there = columns_to_pinocchio(bodies)
    return [int(k) for k in np.argsort(there)]


def mimic_map(robot: Robot) -> tuple[Array, Array]:
    """T (N, n) and b (N,) with the positions of all moving joints = T q + b [rad | m]."""
    model = over(robot, FLOAT64)
    T, b = np.zeros((robot.n_bodies, robot.n)), np.zeros(robot.n_bodies)
    for i, link in enumerate(model.links):
        T[i, link.coordinate] = link.multiplier
        b[i] = link.offset
    return T, b


def pinocchio_configuration(positions: Array, continuous: Sequence[bool]) -> Array:
    """Pinocchio's q: cosine and sine in place of the angle of a continuous joint.

    Parameters
    ----------
    positions : (joints,) in the order of Pinocchio's velocities [rad | m]
    continuous : which of them are continuous
    """
    out: list[float] = []
    for position, turns in zip(positions, continuous, strict=True):
        angle = float(position)
        out.extend((math.cos(angle), math.sin(angle)) if turns else (angle,))
    return np.array(out)


def is_aligned(link: Link[float]) -> bool:
    """Whether Pinocchio has an own class for the axis: plus x, y or z."""
    return link.axis_index >= 0 and link.axis_sign > 0


def is_cosine_and_sine(link: Link[float]) -> bool:
    """Whether Pinocchio's model, as built here, carries the joint as cosine and sine.

    A continuous joint about a general axis is built as a revolute one: Pinocchio's Python interface
    cannot set the axis of the class for it.
    """
    return link.kind is JointKind.CONTINUOUS and is_aligned(link)


def quaternion_wxyz(mp: MpAlgebra, R: Sequence[Sequence[Real]]) -> tuple[Real, Real, Real, Real]:
    """Unit quaternion of a rotation matrix in MuJoCo's order, scalar part not negative.

    Takes the root of the largest of the four squares, so nothing cancels.
    Source: Shepperd 1978, Quaternion from rotation matrix.
    """
    one = mp.const(1)
    trace = R[0][0] + R[1][1] + R[2][2]
    squares = [one + trace] + [one + R[i][i] + R[i][i] - trace for i in range(3)]
    k = max(range(4), key=lambda i: float(squares[i]))
    root = mp.sqrt(squares[k])
    half = root / mp.const(2)
    scale = one / (root + root)
    skew = (R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1])
    if k == 0:
        return (half, skew[0] * scale, skew[1] * scale, skew[2] * scale)
    i = k - 1
    parts = [(R[i][j] + R[j][i]) * scale if j != i else half for j in range(3)]
    w = skew[i] * scale
    sign = one if w >= 0 else -one
    return (w * sign, parts[0] * sign, parts[1] * sign, parts[2] * sign)


def mass_properties(
    mp: MpAlgebra, phi: Sequence[float]
) -> tuple[float, tuple[float, float, float], tuple[float, ...]]:
    """Mass, centre of mass and central tensor (11 22 33 12 23 13), each rounded once.

    A body without mass has its centre at the origin. The split is made in many digits, because the
    central tensor is a difference of large numbers where the frame lies far from the body.
    """
    numbers = as_phi([mp.number(value) for value in phi])
    if phi[0] == 0:
        return 0.0, (0.0, 0.0, 0.0), tuple(float(x) for x in numbers[4:])
    m, c, six = central_from_phi(numbers)
    return float(m), (float(c[0]), float(c[1]), float(c[2])), tuple(float(x) for x in six)


def spatial_inertia(phi: Array) -> Array:
    """6x6 inertia of ten parameters about the frame's origin, linear part first.

    Source: Featherstone 2008, equation (2.63), its blocks exchanged.
    """
    m, h1, h2, h3, i11, i22, i33, i12, i23, i13 = phi
    S = np.array([[0, -h3, h2], [h3, 0, -h1], [-h2, h1, 0]])
    tensor = np.array([[i11, i12, i13], [i12, i22, i23], [i13, i23, i33]])
    return np.block([[m * np.eye(3), -S], [S, tensor]])


def momentum_selection() -> Array:
    """Q (6, 12) of one body: psi to linear and angular momentum, (p; l) = Q psi, equation (27).

    psi = (integral v, then integral x_j v_i at 3 + 3 i + j), so l = integral x cross v takes the
    difference of two entries an axis.
    """
    Q = np.zeros((6, 12))
    Q[:3, :3] = np.eye(3)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        Q[3 + k, 3 + 3 * j + i] = 1.0
        Q[3 + k, 3 + 3 * i + j] = -1.0
    return Q


def principal_inertia(
    mp: MpAlgebra, phi: Sequence[float]
) -> tuple[float, tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Mass, centre, principal moments and the quaternion (w x y z) of their axes, rounded once.

    Axes nearly parallel to the body's are named in another order: MuJoCo takes an inertial frame
    that is turned or moved by less than 1e-6 for the body's own frame.

    By Jacobi's rotations in many digits; they keep the axes right-handed. Source: Golub and Van
    Loan 2013, section 8.5.
    """
    m, c, six = central_from_phi(as_phi([mp.number(value) for value in phi]))
    A = [list(row) for row in matrix_of(six)]
    V = [list(row) for row in identity(mp)]
    size = max(abs(float(x)) for x in six)
    for _ in range(_SWEEPS):
        if max(abs(float(A[p][r])) for p, r in _PAIRS) <= size * 10.0 ** (5 - mp.dps):
            break
        for p, r in _PAIRS:
            _rotate(mp, A, V, p, r)
    order = (0, 1, 2)
    turn = quaternion_wxyz(mp, V)
    if max(abs(float(x)) for x in turn[1:]) < _NEARLY_PARALLEL:
        order = (1, 2, 0)
        turn = quaternion_wxyz(mp, [[row[k] for k in order] for row in V])
    return (
        float(m),
        tuple(float(x) for x in c),
        tuple(float(A[k][k]) for k in order),
        tuple(float(x) for x in turn),
    )


_PAIRS = ((0, 1), (0, 2), (1, 2))
_SWEEPS = 20
_NEARLY_PARALLEL = 1e-4


def _rotate(mp: MpAlgebra, A: list[list[Real]], V: list[list[Real]], p: int, r: int) -> None:
    """One Jacobi rotation in the plane (p, r), annihilating A[p][r]."""
    if A[p][r] == 0:
        return
    one = mp.const(1)
    ratio = (A[r][r] - A[p][p]) / (A[p][r] + A[p][r])
    root = mp.sqrt(one + ratio * ratio)
    t = one / (ratio + root) if ratio >= 0 else one / (ratio - root)
    c = one / mp.sqrt(one + t * t)
    s = t * c
    for row in A:
        row[p], row[r] = c * row[p] - s * row[r], s * row[p] + c * row[r]
    A[p], A[r] = (
        [c * x - s * y for x, y in zip(A[p], A[r], strict=True)],
        [s * x + c * y for x, y in zip(A[p], A[r], strict=True)],
    )
    for row in V:
        row[p], row[r] = c * row[p] - s * row[r], s * row[p] + c * row[r]
