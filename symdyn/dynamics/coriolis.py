"""Coriolis matrix in Christoffel form by a recursion, without differentiating the mass matrix.

A particle at x of a body that moves with twist (v; w) adds ``rho dr/dq_j . d/dt(dr/dq_k)`` to C_jk:
in Cartesian coordinates the Christoffel form of a particle is just that. Summed over the body, with
J_k = X S_k and d/dt X_k = X_k ad(V_k) - ad(V) X_k, this is

    C_jk = sum_l J_j' (Z_l X ad(V_k) S_k + B_l X S_k),    B_l = [[0, -S(p)], [0, tr(W) 1 - W]]

with p = m v + w x h the linear momentum and W = integral rho (v + w x x) x' the second moment of
velocity, ``W = S(w) Sigma + v h'`` and ``Sigma = tr(I)/2 1 - I``. B is a tensor: p and W of a
subtree are sums, and W moves between frames by ``W' = R W R' + (R p) r'``. So per body twelve
numbers are composed next to the composite inertia, and every entry of C is a scalar product of a
carried wrench: O(N depth).

The same factorisation with dense 6x6 matrices: Echeandia and Wensing 2021, algorithm 1; the
reduction to (p, W) is derived above. Slow twin: `coriolis_matrix_by_derivatives`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates, check_theta
from symdyn.dynamics.crba import add_entry, motion_subspace
from symdyn.dynamics.inertia import RigidInertia, composites, momentum_columns, rigid_inertia
from symdyn.dynamics.motion import twists
from symdyn.dynamics.regroup import regroup
from symdyn.dynamics.rnea import joint_force, wrench_to_parent
from symdyn.dynamics.transform import JointTransform, half, joint_transforms
from symdyn.model.over import Model
from symdyn.spatial.vector import Mat3, Vec3, add, column, cross, dot, scale


@dataclass(frozen=True, slots=True)
class VelocityMoments(Generic[S]):
    """Zeroth and first moment of the velocity of a body or subtree.

    Attributes
    ----------
    p : integral rho xdot [kg m/s]
    W : integral rho xdot x' [kg m^2/s]
    """

    p: Vec3[S]
    W: Mat3[S]

    def plus(self, other: VelocityMoments[S]) -> VelocityMoments[S]:
        a, b = self.W, other.W
        return VelocityMoments(
            add(self.p, other.p), (add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2]))
        )

    def to_parent(self, X: JointTransform[S]) -> VelocityMoments[S]:
        p, W, r = X.to_parent(self.p), X.tensor_to_parent(self.W), X.r
        return VelocityMoments(
            p, (add(W[0], scale(p[0], r)), add(W[1], scale(p[1], r)), add(W[2], scale(p[2], r)))
        )

    def couple(self, a: Vec3[S]) -> Vec3[S]:
        """(tr(W) 1 - W) a"""
        return _minus_from_trace(self.W, a)

    def couple_transposed(self, a: Vec3[S]) -> Vec3[S]:
        """(tr(W) 1 - W)' a"""
        return _minus_from_trace((column(self.W, 0), column(self.W, 1), column(self.W, 2)), a)


def _minus_from_trace(W: Mat3[S], a: Vec3[S]) -> Vec3[S]:
    # the diagonal entry of a row cancels against the trace and is left out
    d0, d1, d2 = W[0][0], W[1][1], W[2][2]
    return (
        (d1 + d2) * a[0] - (W[0][1] * a[1] + W[0][2] * a[2]),
        (d2 + d0) * a[1] - (W[1][0] * a[0] + W[1][2] * a[2]),
        (d0 + d1) * a[2] - (W[2][0] * a[0] + W[2][1] * a[1]),
    )


def velocity_moments(
    model: Model[S], inertia: RigidInertia[S], v: Vec3[S], w: Vec3[S]
) -> VelocityMoments[S]:
    """p and W of one body with twist (v; w), about its frame origin."""
    m, h, t = inertia.m, inertia.h, inertia.tensor
    k = half(model)
    trace = k * (t[0][0] + t[1][1] + t[2][2])
    sigma = (
        (trace - t[0][0], -t[0][1], -t[0][2]),
        (-t[0][1], trace - t[1][1], -t[1][2]),
        (-t[0][2], -t[1][2], trace - t[2][2]),
    )
    turned = (cross(w, sigma[0]), cross(w, sigma[1]), cross(w, sigma[2]))

    def row(i: int) -> Vec3[S]:
        return (
            turned[0][i] + v[i] * h[0],
            turned[1][i] + v[i] * h[1],
            turned[2][i] + v[i] * h[2],
        )

    p = add(scale(m, v), cross(w, h))
    return VelocityMoments(p, (row(0), row(1), row(2)))


def coriolis_matrix(
    model: Model[S], q: Sequence[S], qd: Sequence[S], theta: Sequence[S]
) -> list[list[S]]:
    """Coriolis matrix C(q, qd) in Christoffel form (41): M' = C + C'.

    Parameters
    ----------
    q, qd : (n,) [rad | m, per s]
    theta : (10N,) in the order of equation (7)

    Returns
    -------
    C : (n, n); C qd is the vector of Coriolis and centrifugal forces [N m | N]

    Raises
    ------
    SizeError : a vector has the wrong length
    """
    check_coordinates("coriolis_matrix", model, q=q, qd=qd)
    check_theta("coriolis_matrix", model, theta)
    X = joint_transforms(model, q)
    grouped = regroup(model, theta)
    links = model.links
    V = twists(model, X, qd)
    total = composites(model, X, grouped)
    moments = [velocity_moments(model, rigid_inertia(grouped, i), *V[i]) for i in range(len(links))]
    for i in range(len(links) - 1, -1, -1):
        if links[i].parent >= 0:
            moved = moments[i].to_parent(X[i])
            moments[links[i].parent] = moments[links[i].parent].plus(moved)

    zero = model.algebra.const(0)
    C = [[zero] * model.n for _ in range(model.n)]
    rates: list[tuple[Vec3[S], Vec3[S]]] = []
    for i, link in enumerate(links):
        # ad(V) S = (w x S_lin + v x S_ang; w x S_ang)
        linear, angular = motion_subspace(model, link)
        v, w = V[i]
        rates.append((add(cross(w, linear), cross(v, angular)), cross(w, angular)))
    for k, link in enumerate(links):
        linear, angular = motion_subspace(model, link)
        p = moments[k].p
        f, n = momentum_columns(total[k], *rates[k])
        column_wrench = (add(f, cross(angular, p)), add(n, moments[k].couple(angular)))
        row_wrench = momentum_columns(total[k], linear, angular)
        row_couple = add(cross(p, linear), moments[k].couple_transposed(angular))
        add_entry(model, C, link, link, joint_force(link, column_wrench))
        j = k
        while links[j].parent >= 0:
            column_wrench, row_wrench = (
                wrench_to_parent(X[j], column_wrench),
                wrench_to_parent(X[j], row_wrench),
            )
            row_couple = X[j].to_parent(row_couple)
            j = links[j].parent
            add_entry(model, C, links[j], link, joint_force(links[j], column_wrench))
            lower = dot(rates[j][0], row_wrench[0]) + dot(rates[j][1], row_wrench[1])
            lower = lower + dot(motion_subspace(model, links[j])[1], row_couple)
            add_entry(model, C, link, links[j], lower)
    return C


def coriolis_matrix_by_derivatives(
    model: Model[S],
    M: Sequence[Sequence[S]],
    qd: Sequence[S],
    derivative: Callable[[S, int], S],
) -> list[list[S]]:
    """Christoffel symbols of the first kind from a mass matrix, equation (41). The slow twin.

    Parameters
    ----------
    M : (n, n) mass matrix
    qd : (n,)
    derivative : d(entry)/d(q_k) of an entry of M

    Returns
    -------
    C : (n, n) with C_kj = sum_i (dM_kj/dq_i + dM_ki/dq_j - dM_ij/dq_k) qd_i / 2
    """
    n = model.n
    zero, k2 = model.algebra.const(0), half(model)
    D = [[[zero] * n for _ in range(n)] for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            for k in range(n):
                D[i][j][k] = D[j][i][k] = derivative(M[i][j], k)
    C = [[zero] * n for _ in range(n)]
    for k in range(n):
        for j in range(n):
            total = zero
            for i in range(n):
                total = total + (D[k][j][i] + D[k][i][j] - D[i][j][k]) * qd[i]
            C[k][j] = k2 * total
    return C
