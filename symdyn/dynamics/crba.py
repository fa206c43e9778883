"""Mass matrix by the composite-rigid-body algorithm."""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates, check_theta
from symdyn.dynamics.inertia import RigidInertia, composites, momentum_columns
from symdyn.dynamics.regroup import regroup
from symdyn.dynamics.rnea import (
    Wrench,
    armature_matrix,
    inverse_dynamics,
    joint_force,
    wrench_to_parent,
)
from symdyn.dynamics.transform import JointTransform, joint_transforms
from symdyn.model.over import Link, Model
from symdyn.model.robot import JointKind
from symdyn.spatial.vector import Vec3, scale


def motion_subspace(model: Model[S], link: Link[S]) -> tuple[Vec3[S], Vec3[S]]:
    """S = (linear; angular) of a joint in its own frame."""
    z = model.algebra.const(0)
    zero = (z, z, z)
    match link.kind:
        case JointKind.PRISMATIC:
            return link.axis, zero
        case JointKind.HELICAL:
            return scale(link.pitch, link.axis), link.axis
        case _:
            return zero, link.axis


def add_entry(model: Model[S], M: list[list[S]], row: Link[S], col: Link[S], value: S) -> None:
    """Add T' value T: the entry of two joints lands on the entry of their coordinates."""
    if row.has_multiplier:
        value = row.multiplier * value
    if col.has_multiplier:
        value = col.multiplier * value
    i, j = row.coordinate, col.coordinate
    M[i][j] = M[i][j] + value


def mass_matrix_of(
    model: Model[S], X: Sequence[JointTransform[S]], total: Sequence[RigidInertia[S]]
) -> list[list[S]]:
    """M from given transforms and composites, armature included."""
    n = model.n
    M = [[model.algebra.const(0)] * n for _ in range(n)]
    for i, link in enumerate(model.links):
        wrench: Wrench[S] = momentum_columns(total[i], *motion_subspace(model, link))
        add_entry(model, M, link, link, joint_force(link, wrench))
        j = i
        while model.links[j].parent >= 0:
            wrench = wrench_to_parent(X[j], wrench)
            j = model.links[j].parent
            value = joint_force(model.links[j], wrench)
            add_entry(model, M, model.links[j], link, value)
            add_entry(model, M, link, model.links[j], value)
    for k, rotor in enumerate(armature_matrix(model)):
        M[k][k] = M[k][k] + rotor
    return M


def mass_matrix(model: Model[S], q: Sequence[S], theta: Sequence[S]) -> list[list[S]]:
    """Joint-space inertia matrix M(q), symmetric and complete, armature on its diagonal.

    Parameters
    ----------
    q : (n,) [rad | m]
    theta : (10N,) in the order of equation (7)

    Returns
    -------
    M : (n, n) [kg m^2 | kg m | kg]

    Raises
    ------
    SizeError : a vector has the wrong length

    Notes
    -----
    O(N depth). Source: Featherstone 2008, table 6.2. Slow twin: `mass_matrix_by_columns`.
    With theta_dot in place of theta it is M(q, Theta') plus the diagonal of armature, which is
    constant and no part of Theta'.
    """
    check_coordinates("mass_matrix", model, q=q)
    check_theta("mass_matrix", model, theta)
    X = joint_transforms(model, q)
    return mass_matrix_of(model, X, composites(model, X, regroup(model, theta)))


def mass_matrix_by_columns(model: Model[S], q: Sequence[S], theta: Sequence[S]) -> list[list[S]]:
    """M column by column: tau of a unit acceleration at rest without gravity. The slow twin."""
    A = model.algebra
    zero, one = A.const(0), A.const(1)
    n = model.n
    weightless = Model(A, n, model.links, (zero, zero, zero))
    rest = [zero] * n
    columns = [
        inverse_dynamics(weightless, q, rest, [one if i == k else zero for i in range(n)], theta)
        for k in range(n)
    ]
    return [[columns[j][i] for j in range(n)] for i in range(n)]
