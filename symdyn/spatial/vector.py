"""Three-vectors and 3x3 matrices as tuples over any scalar.

Written out component by component: over graph nodes exact zeros and ones vanish while an expression
is being built, so nothing here needs to know which entries are structurally zero.
"""

from __future__ import annotations

from symdyn.algebra.protocol import S

Vec3 = tuple[S, S, S]
Mat3 = tuple[Vec3[S], Vec3[S], Vec3[S]]


def add(a: Vec3[S], b: Vec3[S]) -> Vec3[S]:
    """a + b"""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a: Vec3[S], b: Vec3[S]) -> Vec3[S]:
    """a - b"""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def neg(a: Vec3[S]) -> Vec3[S]:
    """-a"""
    return (-a[0], -a[1], -a[2])


def scale(k: S, a: Vec3[S]) -> Vec3[S]:
    """k a"""
    return (k * a[0], k * a[1], k * a[2])


def dot(a: Vec3[S], b: Vec3[S]) -> S:
    """a . b"""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec3[S], b: Vec3[S]) -> Vec3[S]:
    """a x b"""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def apply(m: Mat3[S], a: Vec3[S]) -> Vec3[S]:
    """M a"""
    return (dot(m[0], a), dot(m[1], a), dot(m[2], a))


def apply_transposed(m: Mat3[S], a: Vec3[S]) -> Vec3[S]:
    """M' a"""
    return (
        m[0][0] * a[0] + m[1][0] * a[1] + m[2][0] * a[2],
        m[0][1] * a[0] + m[1][1] * a[1] + m[2][1] * a[2],
        m[0][2] * a[0] + m[1][2] * a[1] + m[2][2] * a[2],
    )


def column(m: Mat3[S], j: int) -> Vec3[S]:
    """Column j of M."""
    return (m[0][j], m[1][j], m[2][j])


def multiply(a: Mat3[S], b: Mat3[S]) -> Mat3[S]:
    """A B"""
    c0, c1, c2 = column(b, 0), column(b, 1), column(b, 2)
    r0, r1, r2 = a
    return (
        (dot(r0, c0), dot(r0, c1), dot(r0, c2)),
        (dot(r1, c0), dot(r1, c1), dot(r1, c2)),
        (dot(r2, c0), dot(r2, c1), dot(r2, c2)),
    )
