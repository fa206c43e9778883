"""The stacked form of the paper, M = J' Z J and momentum J' Q Psi, in three conventions for twists.

``body``: v and w in the body's frame. Z(Phi) of equation (24) and Q = diag(1, -S T) are constant.
``hybrid``: v and w in the base frame. Z becomes diag(R, R) Z diag(R, R)', Q = diag(R, -R S T).
``mixed``: v in the base frame, w in the body's. Z becomes diag(R, 1) Z diag(R, 1)', Q = diag(R, -S
T).

All three give the same M and the same momentum, hence the same H; the tests hold them to it. The
printed (18)-(26) take J in the base frame with Z and Q of the body frame, which is none of them.
These are the slow twins of `mass_matrix` and `momentum_map`: dense, body by body, nothing shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates, check_theta
from symdyn.dynamics.generalized import carried_momentum, check_psi
from symdyn.dynamics.inertia import momentum_columns, rigid_inertia
from symdyn.dynamics.kinematics import body_jacobian, poses
from symdyn.dynamics.transform import joint_transforms
from symdyn.model.over import Model
from symdyn.spatial.vector import Mat3, Vec3, apply, apply_transposed, dot

TwistConvention = Literal["body", "hybrid", "mixed"]


def stacked_jacobian(model: Model[S], q: Sequence[S], convention: TwistConvention) -> list[list[S]]:
    """Geometric Jacobians of all bodies, (6N, n), linear part first, in the given convention."""
    J = body_jacobian(model, q)
    if convention == "body":
        return J
    out = [list(row) for row in J]
    for i, (R, _) in enumerate(poses(model, joint_transforms(model, q))):
        for k in range(model.n):
            v, w = _twist(J, i, k)
            v = apply(R, v)
            w = apply(R, w) if convention == "hybrid" else w
            for row, value in enumerate((*v, *w)):
                out[6 * i + row][k] = value
    return out


def stacked_mass_matrix(
    model: Model[S], q: Sequence[S], theta: Sequence[S], convention: TwistConvention
) -> list[list[S]]:
    """sum_l J_l' Z_l J_l without armature, equation (31) with Z in the given convention.

    Raises
    ------
    SizeError : a vector has the wrong length
    """
    check_coordinates("stacked_mass_matrix", model, q=q)
    check_theta("stacked_mass_matrix", model, theta)
    J = stacked_jacobian(model, q, convention)
    n = model.n
    zero = model.algebra.const(0)
    M = [[zero] * n for _ in range(n)]
    for i, (R, _) in enumerate(poses(model, joint_transforms(model, q))):
        inertia = rigid_inertia(theta, i)
        for k in range(n):
            v, w = _to_body(R, _twist(J, i, k), convention)
            f, m = _from_body(R, momentum_columns(inertia, v, w), convention)
            for j in range(n):
                vj, wj = _twist(J, i, j)
                M[j][k] = M[j][k] + (dot(vj, f) + dot(wj, m))
    return M


def stacked_momentum(
    model: Model[S], q: Sequence[S], psi: Sequence[S], convention: TwistConvention
) -> list[S]:
    """J' Q Psi, the generalized momentum of the mass that moves in the bodies, equation (30).

    Raises
    ------
    SizeError : a vector has the wrong length
    """
    check_coordinates("stacked_momentum", model, q=q)
    check_psi("stacked_momentum", "psi", model, psi)
    J = stacked_jacobian(model, q, convention)
    out = [model.algebra.const(0)] * model.n
    for i, (R, _) in enumerate(poses(model, joint_transforms(model, q))):
        p, ell = _from_body(R, carried_momentum(psi, i), convention)
        for k in range(model.n):
            v, w = _twist(J, i, k)
            out[k] = out[k] + (dot(v, p) + dot(w, ell))
    return out


def _twist(J: Sequence[Sequence[S]], body: int, k: int) -> tuple[Vec3[S], Vec3[S]]:
    a, b, c, d, e, f = (J[6 * body + row][k] for row in range(6))
    return (a, b, c), (d, e, f)


def _to_body(
    R: Mat3[S], twist: tuple[Vec3[S], Vec3[S]], convention: TwistConvention
) -> tuple[Vec3[S], Vec3[S]]:
    v, w = twist
    if convention == "body":
        return v, w
    return apply_transposed(R, v), apply_transposed(R, w) if convention == "hybrid" else w


def _from_body(
    R: Mat3[S], wrench: tuple[Vec3[S], Vec3[S]], convention: TwistConvention
) -> tuple[Vec3[S], Vec3[S]]:
    f, n = wrench
    if convention == "body":
        return f, n
    return apply(R, f), apply(R, n) if convention == "hybrid" else n
