"""From energies to equations of motion: Euler–Lagrange, mass matrix, Christoffel symbols, gravity.

Every function takes expressions and symbols, no robot: it serves any system with kinetic energy
quadratic in the velocities. Source: Siciliano et al. 2009, section 7.1; equations (40) and (41) of
the paper.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sympy


def mass_matrix(T: sympy.Expr, qd: Sequence[sympy.Symbol]) -> sympy.Matrix:
    """M(q), (n, n): the Hessian of the kinetic energy T(q, qd) in the velocities."""
    import sympy

    n = len(qd)
    momenta = [sympy.diff(T, v) for v in qd]
    M = sympy.zeros(n, n)
    for i in range(n):
        for j in range(i, n):
            M[i, j] = M[j, i] = sympy.diff(momenta[i], qd[j])
    return M


def coriolis_matrix(
    M: sympy.Matrix, q: Sequence[sympy.Symbol], qd: Sequence[sympy.Symbol]
) -> sympy.Matrix:
    """C(q, qd), (n, n), from the Christoffel symbols of the first kind of M(q).

    C_ij = sum_k 1/2 (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) qd_k
    """
    import sympy

    n = len(q)
    # dM[k][i][j] = dM_ij / dq_k
    dM = [[[sympy.diff(M[i, j], s) for j in range(n)] for i in range(n)] for s in q]
    half = sympy.Rational(1, 2)
    C = sympy.zeros(n, n)
    for i in range(n):
        for j in range(n):
            C[i, j] = sympy.Add(
                *(half * (dM[k][i][j] + dM[j][i][k] - dM[i][j][k]) * qd[k] for k in range(n))
            )
    return C


def gravity_vector(U: sympy.Expr, q: Sequence[sympy.Symbol]) -> sympy.Matrix:
    """g(q) = dU/dq, (n, 1)."""
    import sympy

    return sympy.Matrix([sympy.diff(U, s) for s in q])


def euler_lagrange(
    T: sympy.Expr,
    U: sympy.Expr,
    q: Sequence[sympy.Symbol],
    qd: Sequence[sympy.Symbol],
    qdd: Sequence[sympy.Symbol],
    rates: Mapping[sympy.Symbol, sympy.Expr] | None = None,
) -> sympy.Matrix:
    """d/dt dL/dqd - dL/dq with L = T - U, (n, 1): the generalized forces that the motion needs.

    The derivative by time is written out, d/dt = sum_j qd_j d/dq_j + qdd_j d/dqd_j, so q and qd are
    plain symbols and no function of time is needed. Whatever else depends on time is named in
    ``rates``, symbol and derivative: ``{t: 1}``, or ``{m: m_dot}`` for a mass that changes; then
    d/dt has the terms sum_s rate_s d/ds as well.
    """
    import sympy

    L = T - U
    others = rates or {}
    rows: list[sympy.Expr] = []
    for s, v in zip(q, qd, strict=True):
        momentum = sympy.diff(L, v)
        rate = sympy.Add(
            *(
                sympy.diff(momentum, q[j]) * qd[j] + sympy.diff(momentum, qd[j]) * qdd[j]
                for j in range(len(q))
            ),
            *(sympy.diff(momentum, other) * speed for other, speed in others.items()),
        )
        rows.append(rate - sympy.diff(L, s))
    return sympy.Matrix(rows)
