"""Rotation matrices and poses over any scalar.

``R_AB`` turns the coordinates of a vector from frame B to frame A: ``v_A = R_AB v_B``. Rotations
are built from a cosine and a sine, so they are exactly orthogonal wherever ``c*c + s*s = 1`` holds
exactly (rational circle points, elements of GF(p), symbolic angles).

Source: Siciliano et al. 2009, section 2.4 (fixed-axis angles); Lynch & Park 2017, appendix B.1.1.
"""

from __future__ import annotations

from symdyn.algebra.protocol import Algebra, S
from symdyn.spatial.vector import Mat3, Vec3, add
from symdyn.spatial.vector import apply as matvec
from symdyn.spatial.vector import multiply as matmul

__all__ = [
    "compose", "identity", "matmul", "matvec", "rotation_about", "rotation_x", "rotation_y",
    "rotation_z", "rpy_matrix", "transpose", "zero_vector",
]  # fmt: skip


def identity(A: Algebra[S]) -> Mat3[S]:
    """The unit matrix."""
    one, zero = A.const(1), A.const(0)
    return ((one, zero, zero), (zero, one, zero), (zero, zero, one))


def zero_vector(A: Algebra[S]) -> Vec3[S]:
    """The zero vector."""
    zero = A.const(0)
    return (zero, zero, zero)


def rotation_x(A: Algebra[S], c: S, s: S) -> Mat3[S]:
    """Rotation about x by the angle with cosine ``c`` and sine ``s``."""
    one, zero = A.const(1), A.const(0)
    return ((one, zero, zero), (zero, c, -s), (zero, s, c))


def rotation_y(A: Algebra[S], c: S, s: S) -> Mat3[S]:
    """Rotation about y by the angle with cosine ``c`` and sine ``s``."""
    one, zero = A.const(1), A.const(0)
    return ((c, zero, s), (zero, one, zero), (-s, zero, c))


def rotation_z(A: Algebra[S], c: S, s: S) -> Mat3[S]:
    """Rotation about z by the angle with cosine ``c`` and sine ``s``."""
    one, zero = A.const(1), A.const(0)
    return ((c, -s, zero), (s, c, zero), (zero, zero, one))


def rotation_about(A: Algebra[S], axis: Vec3[S], c: S, s: S) -> Mat3[S]:
    """Rotation about the unit vector ``axis``: c 1 + s [a]x + (1 - c) a a^T (Rodrigues).

    Source: Lynch & Park 2017, equation (3.51).
    """
    x, y, z = axis
    k = A.const(1) - c
    kx, ky, kz = k * x, k * y, k * z
    sx, sy, sz = s * x, s * y, s * z
    return (
        (c + kx * x, kx * y - sz, kx * z + sy),
        (kx * y + sz, c + ky * y, ky * z - sx),
        (kx * z - sy, ky * z + sx, c + kz * z),
    )


def rpy_matrix(A: Algebra[S], roll: S, pitch: S, yaw: S) -> Mat3[S]:
    """R = Rz(yaw) Ry(pitch) Rx(roll), turns about fixed axes in the order x, y, z. [rad]

    Source: Siciliano et al. 2009, equation (2.21); the ``rpy`` of URDF.
    """
    first = rotation_x(A, A.cos(roll), A.sin(roll))
    second = rotation_y(A, A.cos(pitch), A.sin(pitch))
    third = rotation_z(A, A.cos(yaw), A.sin(yaw))
    return matmul(third, matmul(second, first))


def transpose(a: Mat3[S]) -> Mat3[S]:
    """The transposed matrix; of a rotation the inverse."""
    return (
        (a[0][0], a[1][0], a[2][0]),
        (a[0][1], a[1][1], a[2][1]),
        (a[0][2], a[1][2], a[2][2]),
    )


def compose(
    outer: tuple[Mat3[S], Vec3[S]], inner: tuple[Mat3[S], Vec3[S]]
) -> tuple[Mat3[S], Vec3[S]]:
    """The pose of C in A from the pose of B in A (``outer``) and of C in B (``inner``).

    A pose is a pair (R_AB, p_AB): rotation, and origin of B in A [m].
    """
    return matmul(outer[0], inner[0]), add(outer[1], matvec(outer[0], inner[1]))
