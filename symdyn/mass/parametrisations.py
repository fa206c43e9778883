"""Coordinates of the cone of consistent inertial parameters: any numbers in, f(Phi) > 0 out.

Four of them. The first two work over any scalar and are one-to-one; an optimiser that varies them
can never leave the cone. The exponential is the one in which straight lines through zero are
geodesics of the affine-invariant metric. The ellipsoid is the one to picture.

Source: Rucker & Wensing 2022, "Smooth parameterization of rigid-body inertia", IEEE RA-L 7(2)
(log-Cholesky); Lee, Wensing & Park 2020, "Geometric robot dynamic identification" (metric).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from symdyn._errors import InputError, SizeError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.protocol import Algebra, S
from symdyn.mass.pseudo_inertia import phi_from_pseudo_inertia, pseudo_inertia
from symdyn.spatial.inertia import Phi, as_phi
from symdyn.spatial.vector import Mat3, Vec3

#: (row, column) of the ten free entries of a symmetric 4x4 matrix, upper triangle by rows.
_UPPER = tuple((i, j) for i in range(4) for j in range(i, 4))


def phi_of_log_cholesky(A: Algebra[S], coordinates: Sequence[S]) -> Phi[S]:
    """Phi from log-Cholesky coordinates: f = U U^T with U upper triangular.

    Parameters
    ----------
    coordinates : alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3 with
        U = e^alpha [[e^d1, s12, s13, t1], [0, e^d2, s23, t2], [0, 0, e^d3, t3], [0, 0, 0, 1]]

    Raises
    ------
    SizeError : not ten
    """
    _ten(coordinates, "phi_of_log_cholesky")
    alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3 = coordinates
    size = A.unary("exp", alpha + alpha)
    e1, e2, e3 = A.unary("exp", d1), A.unary("exp", d2), A.unary("exp", d3)
    s11 = size * (e1 * e1 + s12 * s12 + s13 * s13 + t1 * t1)
    s22 = size * (e2 * e2 + s23 * s23 + t2 * t2)
    s33 = size * (e3 * e3 + t3 * t3)
    return (
        size, size * t1, size * t2, size * t3,
        s22 + s33, s11 + s33, s11 + s22,
        -(size * (s12 * e2 + s13 * s23 + t1 * t2)),
        -(size * (s23 * e3 + t2 * t3)),
        -(size * (s13 * e3 + t1 * t3)),
    )  # fmt: skip


def log_cholesky(A: Algebra[S], phi: Phi[S]) -> list[S]:
    """The log-Cholesky coordinates of Phi; inverse of `phi_of_log_cholesky` where f > 0."""
    f = pseudo_inertia(A, phi)
    m = f[3][3]
    two = A.const(2)
    t1, t2, t3 = f[0][3] / m, f[1][3] / m, f[2][3] / m
    # what is left over m once t is taken off, from the last row upwards
    e3 = A.sqrt(f[2][2] / m - t3 * t3)
    s23 = (f[1][2] / m - t2 * t3) / e3
    s13 = (f[0][2] / m - t1 * t3) / e3
    e2 = A.sqrt(f[1][1] / m - t2 * t2 - s23 * s23)
    s12 = (f[0][1] / m - t1 * t2 - s13 * s23) / e2
    e1 = A.sqrt(f[0][0] / m - t1 * t1 - s13 * s13 - s12 * s12)
    return [
        A.unary("log", m) / two,
        A.unary("log", e1), A.unary("log", e2), A.unary("log", e3),
        s12, s23, s13, t1, t2, t3,
    ]  # fmt: skip


def phi_of_central(A: Algebra[S], coordinates: Sequence[S]) -> Phi[S]:
    """Phi from log mass, centre of mass and the logarithmic Cholesky factor about that centre.

    Parameters
    ----------
    coordinates : log m, c1, c2, c3, l1, l2, l3, l21, l31, l32 with the second moment about the
        centre of mass = L L^T, L = [[e^l1, 0, 0], [l21, e^l2, 0], [l31, l32, e^l3]]

    Raises
    ------
    SizeError : not ten
    """
    _ten(coordinates, "phi_of_central")
    size, c1, c2, c3, l1, l2, l3, l21, l31, l32 = coordinates
    m = A.unary("exp", size)
    e1, e2, e3 = A.unary("exp", l1), A.unary("exp", l2), A.unary("exp", l3)
    s11 = e1 * e1 + m * c1 * c1
    s22 = l21 * l21 + e2 * e2 + m * c2 * c2
    s33 = l31 * l31 + l32 * l32 + e3 * e3 + m * c3 * c3
    return (
        m, m * c1, m * c2, m * c3,
        s22 + s33, s11 + s33, s11 + s22,
        -(e1 * l21 + m * c1 * c2),
        -(l21 * l31 + e2 * l32 + m * c2 * c3),
        -(e1 * l31 + m * c1 * c3),
    )  # fmt: skip


def central(A: Algebra[S], phi: Phi[S]) -> list[S]:
    """The central coordinates of Phi; inverse of `phi_of_central` where f > 0."""
    f = pseudo_inertia(A, phi)
    m = f[3][3]
    c1, c2, c3 = f[0][3] / m, f[1][3] / m, f[2][3] / m
    e1 = A.sqrt(f[0][0] - m * c1 * c1)
    l21, l31 = (f[0][1] - m * c1 * c2) / e1, (f[0][2] - m * c1 * c3) / e1
    e2 = A.sqrt(f[1][1] - m * c2 * c2 - l21 * l21)
    l32 = (f[1][2] - m * c2 * c3 - l21 * l31) / e2
    e3 = A.sqrt(f[2][2] - m * c3 * c3 - l31 * l31 - l32 * l32)
    log = [A.unary("log", x) for x in (m, e1, e2, e3)]
    return [log[0], c1, c2, c3, log[1], log[2], log[3], l21, l31, l32]


def phi_of_ellipsoid(
    A: Algebra[S], mass: S, centre: Vec3[S], axes: Mat3[S], semi: Vec3[S]
) -> Phi[S]:
    """Phi of the solid ellipsoid of uniform density; every consistent Phi is that of one.

    Parameters
    ----------
    mass : > 0 [kg]
    centre : in the body's frame [m]
    axes : rotation whose columns are the directions of the semi-axes
    semi : semi-axes > 0 [m]; the second moment along each is m a^2 / 5
    """
    fifth = mass / A.const(5)
    f = [[mass * centre[i] * centre[j] for j in range(3)] for i in range(3)]
    for i in range(3):
        for j in range(3):
            for k in range(3):
                f[i][j] = f[i][j] + fifth * axes[i][k] * semi[k] * semi[k] * axes[j][k]
    first = [mass * c for c in centre]
    rows = [[*f[i], first[i]] for i in range(3)]
    return phi_from_pseudo_inertia([*rows, [*first, mass]])


def ellipsoid_of(phi: Sequence[float]) -> tuple[float, list[float], list[list[float]], list[float]]:
    """(mass, centre, axes, semi-axes) of the uniform ellipsoid with these parameters.

    Raises
    ------
    InputError : f is not positive definite
    """
    f = _definite(phi, "ellipsoid_of")
    m = float(f[3, 3])
    c = f[:3, 3] / m
    moments, axes = np.linalg.eigh(f[:3, :3] - m * np.outer(c, c))
    if np.linalg.det(axes) < 0:
        axes[:, 0] = -axes[:, 0]
    return m, c.tolist(), axes.tolist(), np.sqrt(5 * moments / m).tolist()


def phi_of_exponential(coordinates: Sequence[float]) -> list[float]:
    """Phi with f = exp(X), X symmetric with these ten entries (upper triangle by rows).

    Raises
    ------
    SizeError : not ten
    """
    _ten(coordinates, "phi_of_exponential")
    X = np.zeros((4, 4))
    for (i, j), value in zip(_UPPER, coordinates, strict=True):
        X[i, j] = X[j, i] = value
    values, vectors = np.linalg.eigh(X)
    f = (vectors * np.exp(values)) @ vectors.T
    return list(phi_from_pseudo_inertia(f.tolist()))


def exponential(phi: Sequence[float]) -> list[float]:
    """The entries of log f(Phi); inverse of `phi_of_exponential`.

    Raises
    ------
    InputError : f is not positive definite
    """
    values, vectors = np.linalg.eigh(_definite(phi, "exponential"))
    X = (vectors * np.log(values)) @ vectors.T
    return [float(X[i, j]) for i, j in _UPPER]


def _definite(phi: Sequence[float], where: str) -> NDArray[np.float64]:
    _ten(phi, where)
    f = np.array(pseudo_inertia(FLOAT64, as_phi([float(x) for x in phi])))
    smallest = float(np.linalg.eigvalsh(f)[0])
    if not smallest > 0:
        raise InputError(
            "the parameters are not in the open cone",
            where=where,
            expected="f(Phi) > 0",
            got=f"smallest eigenvalue {smallest:.3g}",
        )
    return f


def _ten(values: Sequence[object], where: str) -> None:
    if len(values) != 10:
        raise SizeError(where, "coordinates", 10, len(values))
