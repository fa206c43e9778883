"""The twelve moments psi of relative momentum, and how they change with the frame; any scalar.

``psi = (p1, p2, p3, W11, W21, W31, W12, W22, W32, W13, W23, W33)`` as in equation (27):
p = int sigma rho v [kg m/s], W = int sigma rho x v^T [kg m^2/s], the index of the velocity slowest.
Of the twelve six act on a body, mu = (p; l) = Q psi with the constant Q of body twists.
"""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import S
from symdyn.spatial.rotation import matmul, matvec, transpose
from symdyn.spatial.vector import Mat3, Vec3

Psi = tuple[S, S, S, S, S, S, S, S, S, S, S, S]

#: Entries of psi whose difference is the moment of momentum about axis k: l_k = x_i v_j - x_j v_i
#: with (i, j, k) cyclic, and psi[3 + 3 i + j] = int sigma rho x_j v_i.
ANGULAR = ((10, 8), (5, 9), (6, 4))
#: Names of the six that act, (p; l).
MOMENTUM_NAMES = ("p1", "p2", "p3", "l1", "l2", "l3")


def acting_momentum(psi: Sequence[S]) -> tuple[Vec3[S], Vec3[S]]:
    """mu = Q psi = (p; l): momentum and moment of momentum of the relative motion, eq. (26)."""
    (a, b), (c, d), (e, f) = ANGULAR
    return (psi[0], psi[1], psi[2]), (psi[a] - psi[b], psi[c] - psi[d], psi[e] - psi[f])


def as_psi(values: Sequence[S]) -> Psi[S]:
    """Twelve numbers as a tuple of twelve."""
    p1, p2, p3, a, b, c, d, e, f, g, h, i = values
    return (p1, p2, p3, a, b, c, d, e, f, g, h, i)


def move_psi(R: Mat3[S], p: Vec3[S], psi: Psi[S]) -> Psi[S]:
    """psi given in frame B, seen from frame A, for the constant pose (R_AB, p_AB) of B in A.

    The momentum turns, and W_A = R W_B R^T + p (R p_B)^T.
    """
    momentum = matvec(R, (psi[0], psi[1], psi[2]))
    W = (
        (psi[3], psi[6], psi[9]),
        (psi[4], psi[7], psi[10]),
        (psi[5], psi[8], psi[11]),
    )
    T = matmul(matmul(R, W), transpose(R))
    return (
        *momentum,
        T[0][0] + p[0] * momentum[0], T[1][0] + p[1] * momentum[0], T[2][0] + p[2] * momentum[0],
        T[0][1] + p[0] * momentum[1], T[1][1] + p[1] * momentum[1], T[2][1] + p[2] * momentum[1],
        T[0][2] + p[0] * momentum[2], T[1][2] + p[1] * momentum[2], T[2][2] + p[2] * momentum[2],
    )  # fmt: skip


def add_psi(a: Psi[S], b: Psi[S]) -> Psi[S]:
    """psi of two bodies rigidly joined, both given in the same frame."""
    return as_psi([x + y for x, y in zip(a, b, strict=True)])
