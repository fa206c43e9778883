"""The ten inertial parameters of a rigid body, and how they change with the frame; over any scalar.

``phi = (m, h1, h2, h3, I11, I22, I33, I12, I23, I13)`` as in equation (7): mass [kg], first moment
h = m c [kg m], and the inertia tensor about the frame *origin* [kg m^2], products with the sign of
the matrix entry (I12 = -integral of x y). All maps are linear in phi; only the split into mass,
centre of mass and central tensor divides by m.

Source: Featherstone 2008, section 2.13; Wensing, Kim & Slotine 2018 for the pseudo-inertia.
"""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.spatial.rotation import transpose
from symdyn.spatial.vector import Mat3, Vec3, apply, dot, multiply, scale

#: The six entries of a symmetric tensor in the order of equation (7): 11, 22, 33, 12, 23, 13.
Six = tuple[S, S, S, S, S, S]
Phi = tuple[S, S, S, S, S, S, S, S, S, S]


def as_phi(values: Sequence[S]) -> Phi[S]:
    """Ten numbers as a tuple of ten."""
    m, h1, h2, h3, i11, i22, i33, i12, i23, i13 = values
    return (m, h1, h2, h3, i11, i22, i33, i12, i23, i13)


def matrix_of(six: Six[S]) -> Mat3[S]:
    """The symmetric matrix of six entries."""
    i11, i22, i33, i12, i23, i13 = six
    return ((i11, i12, i13), (i12, i22, i23), (i13, i23, i33))


def six_of(matrix: Mat3[S]) -> Six[S]:
    """The six entries of a symmetric matrix, read from its upper triangle."""
    return (
        matrix[0][0],
        matrix[1][1],
        matrix[2][2],
        matrix[0][1],
        matrix[1][2],
        matrix[0][2],
    )


def rotate_six(R: Mat3[S], six: Six[S]) -> Six[S]:
    """R I R^T: the tensor given in frame B, seen from frame A, for R = R_AB."""
    return six_of(multiply(multiply(R, matrix_of(six)), transpose(R)))


def parallel_axis(m: S, c: Vec3[S]) -> Six[S]:
    """m (|c|^2 1 - c c^T): the tensor of a point mass at ``c`` (Steiner's term)."""
    x, y, z = c
    xx, yy, zz = m * (x * x), m * (y * y), m * (z * z)
    return (yy + zz, xx + zz, xx + yy, -(m * (x * y)), -(m * (y * z)), -(m * (x * z)))


def phi_from_central(m: S, com: Vec3[S], six: Six[S], R: Mat3[S] | None = None) -> Phi[S]:
    """phi from mass, centre of mass and the tensor about the centre of mass.

    Parameters
    ----------
    m : mass [kg]
    com : centre of mass in the body frame [m]
    six : tensor about the centre of mass, in the axes of the inertial frame [kg m^2]
    R : the inertial frame's axes seen from the body frame; None for parallel axes
    """
    central = six if R is None else rotate_six(R, six)
    steiner = parallel_axis(m, com)
    return (
        m, *scale(m, com),
        central[0] + steiner[0], central[1] + steiner[1], central[2] + steiner[2],
        central[3] + steiner[3], central[4] + steiner[4], central[5] + steiner[5],
    )  # fmt: skip


def central_from_phi(phi: Phi[S]) -> tuple[S, Vec3[S], Six[S]]:
    """Mass, centre of mass and the tensor about it in the body's axes; divides by the mass."""
    m = phi[0]
    com = (phi[1] / m, phi[2] / m, phi[3] / m)
    steiner = parallel_axis(m, com)
    return m, com, (
        phi[4] - steiner[0], phi[5] - steiner[1], phi[6] - steiner[2],
        phi[7] - steiner[3], phi[8] - steiner[4], phi[9] - steiner[5],
    )  # fmt: skip


def rotate_phi(R: Mat3[S], phi: Phi[S]) -> Phi[S]:
    """phi given in frame B, seen from frame A with the same origin, for R = R_AB."""
    h = apply(R, (phi[1], phi[2], phi[3]))
    six = rotate_six(R, (phi[4], phi[5], phi[6], phi[7], phi[8], phi[9]))
    return (phi[0], *h, *six)


def shift_phi(p: Vec3[S], phi: Phi[S]) -> Phi[S]:
    """phi given in frame B, seen from the parallel frame A in which B's origin stands at ``p``.

    I_A = I_B + 2 (h.p) 1 - h p^T - p h^T + m (|p|^2 1 - p p^T), h_A = h_B + m p.
    """
    m, h1, h2, h3, i11, i22, i33, i12, i23, i13 = phi
    x, y, z = p
    # the diagonal of the correction is (k.p) - k_i p_i with k = 2 h + m p
    k1, k2, k3 = h1 + h1 + m * x, h2 + h2 + m * y, h3 + h3 + m * z
    a, b, c = k1 * x, k2 * y, k3 * z
    g1, g2, g3 = h1 + m * x, h2 + m * y, h3 + m * z
    return (
        m, g1, g2, g3,
        i11 + (b + c), i22 + (a + c), i33 + (a + b),
        i12 - (h1 * y + x * g2), i23 - (h2 * z + y * g3), i13 - (h1 * z + x * g3),
    )  # fmt: skip


def move_phi(R: Mat3[S], p: Vec3[S], phi: Phi[S]) -> Phi[S]:
    """phi given in frame B, seen from frame A, for the pose (R_AB, p_AB) of B in A."""
    return shift_phi(p, rotate_phi(R, phi))


def add_phi(a: Phi[S], b: Phi[S]) -> Phi[S]:
    """phi of two bodies rigidly joined, both given in the same frame."""
    return (
        a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4],
        a[5] + b[5], a[6] + b[6], a[7] + b[7], a[8] + b[8], a[9] + b[9],
    )  # fmt: skip


def zero_phi(A: Algebra[S]) -> Phi[S]:
    """phi of nothing."""
    z = A.const(0)
    return (z, z, z, z, z, z, z, z, z, z)


def pseudo_inertia(A: Algebra[S], phi: Phi[S]) -> list[list[S]]:
    """The 4x4 pseudo-inertia [[Sigma, h], [h^T, m]] with Sigma = tr(I)/2 1 - I.

    It is the second moment of the mass distribution over (x, y, z, 1); a body can exist exactly
    when it is positive semidefinite. Source: Wensing, Kim & Slotine 2018, equation (10).
    """
    m, h1, h2, h3, i11, i22, i33, i12, i23, i13 = phi
    half = A.const(1) / A.const(2) * (i11 + i22 + i33)
    return [
        [half - i11, -i12, -i13, h1],
        [-i12, half - i22, -i23, h2],
        [-i13, -i23, half - i33, h3],
        [h1, h2, h3, m],
    ]


def phi_from_pseudo_inertia(P: Sequence[Sequence[S]]) -> Phi[S]:
    """phi of a 4x4 pseudo-inertia: I = tr(Sigma) 1 - Sigma."""
    s11, s22, s33 = P[0][0], P[1][1], P[2][2]
    return (
        P[3][3], P[0][3], P[1][3], P[2][3],
        s22 + s33, s11 + s33, s11 + s22,
        -P[0][1], -P[1][2], -P[0][2],
    )  # fmt: skip


def inertia_about(axis: Vec3[S], six: Six[S]) -> S:
    """a^T I a: the moment about the unit vector ``axis`` through the point of reference."""
    return dot(axis, apply(matrix_of(six), axis))
