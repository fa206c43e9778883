"""f(Phi), its inverse, and Z(Phi): the two matrices that Phi is equivalent to; over any scalar.

    f(Phi) = [[Sigma, h], [h^T, m]],  Sigma = tr(I)/2 1 - I      eq. (9)
    Z(Phi) = [[m 1, -S(h)], [-S(h)^T, I]]                         eq. (24), twists (v; omega)

They are tied by xi^T Z xi = tr(Xi f Xi^T) with Xi = [S(omega) v]: Z >= 0 is implied by f >= 0, not
the other way round.
"""

from __future__ import annotations

from symdyn.algebra.protocol import Algebra, S
from symdyn.spatial.inertia import Phi, phi_from_pseudo_inertia, pseudo_inertia

__all__ = [
    "phi_from_pseudo_inertia",
    "pseudo_inertia",
    "spatial_inertia",
    "twice_kinetic_energy",
]


def spatial_inertia(A: Algebra[S], phi: Phi[S]) -> list[list[S]]:
    """Z(Phi), the (6, 6) inertia over body twists with the linear part first."""
    m, h1, h2, h3, i11, i22, i33, i12, i23, i13 = phi
    o = A.const(0)
    return [
        [m, o, o, o, h3, -h2],
        [o, m, o, -h3, o, h1],
        [o, o, m, h2, -h1, o],
        [o, -h3, h2, i11, i12, i13],
        [h3, o, -h1, i12, i22, i23],
        [-h2, h1, o, i13, i23, i33],
    ]


def twice_kinetic_energy(A: Algebra[S], phi: Phi[S], twist: list[S]) -> S:
    """xi^T Z(Phi) xi as tr(Xi f(Phi) Xi^T): the second road to the same number.

    Parameters
    ----------
    twist : xi = (v; omega), 6 numbers
    """
    v1, v2, v3, w1, w2, w3 = twist
    o = A.const(0)
    rows = ((o, -w3, w2, v1), (w3, o, -w1, v2), (-w2, w1, o, v3))
    f = pseudo_inertia(A, phi)
    total = o
    for row in rows:
        for i in range(4):
            for j in range(4):
                total = total + row[i] * f[i][j] * row[j]
    return total
