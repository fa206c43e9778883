"""Forward dynamics by the articulated-body algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from symdyn._errors import UnsupportedError
from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates, check_theta
from symdyn.dynamics.crba import motion_subspace
from symdyn.dynamics.inertia import RigidInertia, rigid_inertia
from symdyn.dynamics.motion import accelerations
from symdyn.dynamics.regroup import regroup
from symdyn.dynamics.rnea import Wrench, body_wrench, joint_force, wrench_to_parent
from symdyn.dynamics.transform import JointTransform, joint_transforms
from symdyn.model.over import Model
from symdyn.spatial.vector import (
    Mat3,
    Vec3,
    add,
    apply,
    apply_transposed,
    column,
    cross,
    dot,
    scale,
    sub,
)


@dataclass(frozen=True, slots=True)
class ArticulatedInertia(Generic[S]):
    """Symmetric 6x6 matrix [[A, B], [B', D]] from twists (v; w) to wrenches (f; n)."""

    A: Mat3[S]
    B: Mat3[S]
    D: Mat3[S]

    def times(self, v: Vec3[S], w: Vec3[S]) -> Wrench[S]:
        return (
            add(apply(self.A, v), apply(self.B, w)),
            add(apply_transposed(self.B, v), apply(self.D, w)),
        )

    def plus(self, other: ArticulatedInertia[S]) -> ArticulatedInertia[S]:
        return ArticulatedInertia(
            _sum(self.A, other.A), _sum(self.B, other.B), _sum(self.D, other.D)
        )

    def to_parent(self, X: JointTransform[S]) -> ArticulatedInertia[S]:
        """Turn, then shift by r: B -= A S(r)', D += S(r) B + (S(r) B)' + S(r) A S(r)'."""
        A, B = X.inertia_to_parent(self.A), X.tensor_to_parent(self.B)
        D = X.inertia_to_parent(self.D)
        # rows of A S(r)' are r x (row of A); the shifted B is B + A S(r)'
        shifted = _sum(B, (cross(X.r, A[0]), cross(X.r, A[1]), cross(X.r, A[2])))
        # D' = D + S(r) B' + B^T S(r)' with B' shifted: column j of S(r) B' is r x (column j)
        first = [cross(X.r, column(shifted, j)) for j in range(3)]
        second = [cross(X.r, column(B, j)) for j in range(3)]

        def entry(i: int, j: int) -> S:
            return D[i][j] + (first[j][i] + second[i][j])

        xy, xz, yz = entry(0, 1), entry(0, 2), entry(1, 2)
        return ArticulatedInertia(
            A, shifted, ((entry(0, 0), xy, xz), (xy, entry(1, 1), yz), (xz, yz, entry(2, 2)))
        )


def _sum(a: Mat3[S], b: Mat3[S]) -> Mat3[S]:
    return (add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2]))


def _minus_square(M: Mat3[S], a: Vec3[S], b: Vec3[S], k: S) -> Mat3[S]:
    """M - k a b'"""
    ka = scale(k, a)
    return (
        sub(M[0], scale(ka[0], b)),
        sub(M[1], scale(ka[1], b)),
        sub(M[2], scale(ka[2], b)),
    )


def _from_rigid(model: Model[S], inertia: RigidInertia[S]) -> ArticulatedInertia[S]:
    z = model.algebra.const(0)
    m, (h1, h2, h3) = inertia.m, inertia.h
    return ArticulatedInertia(
        ((m, z, z), (z, m, z), (z, z, m)),
        ((z, h3, -h2), (-h3, z, h1), (h2, -h1, z)),
        inertia.tensor,
    )


def articulated_body(
    model: Model[S], q: Sequence[S], qd: Sequence[S], tau: Sequence[S], theta: Sequence[S]
) -> list[S]:
    """Accelerations qdd by the articulated-body algorithm; same arguments as `forward_dynamics`.

    Raises
    ------
    SizeError : a vector has the wrong length
    UnsupportedError : the robot has mimic joints, which couple bodies across the tree

    Notes
    -----
    O(N). Source: Featherstone 2008, table 7.1. The bias wrenches are those of inverse dynamics at
    qdd = 0, so the recursion carries the acceleration that qdd adds to them.
    """
    check_coordinates("articulated_body", model, q=q, qd=qd, tau=tau)
    check_theta("articulated_body", model, theta)
    X = joint_transforms(model, q)
    grouped = regroup(model, theta)
    rest = [model.algebra.const(0)] * model.n
    biases = [
        body_wrench(grouped, i, acc) for i, acc in enumerate(accelerations(model, X, qd, qd, rest))
    ]
    return solve_articulated(model, X, grouped, biases, tau)


def solve_articulated(
    model: Model[S],
    X: Sequence[JointTransform[S]],
    theta: Sequence[S],
    biases: Sequence[Wrench[S]],
    tau: Sequence[S],
) -> list[S]:
    """Accelerations qdd from the wrenches that the bodies need at qdd = 0.

    Parameters
    ----------
    X : transforms of the joints at q
    theta : (10N,) grouped inertial parameters, see `regroup`
    biases : of each body, in its frame
    tau : (n,) [N m | N]

    Raises
    ------
    UnsupportedError : the robot has mimic joints, which couple bodies across the tree
    """
    if model.n != len(model.links):
        raise UnsupportedError(
            "articulated_body: the robot has mimic joints. Use forward_dynamics, which takes them."
        )
    A = model.algebra
    zero = A.const(0)
    links = model.links
    inertias = [_from_rigid(model, rigid_inertia(theta, i)) for i in range(len(links))]
    wrenches = list(biases)
    U: list[Wrench[S]] = []
    inverse: list[S] = []
    u: list[S] = []
    for i in range(len(links) - 1, -1, -1):
        link = links[i]
        Ui = inertias[i].times(*motion_subspace(model, link))
        d = joint_force(link, Ui) + link.armature
        invd = A.const(1) / d
        ui = tau[link.coordinate] - joint_force(link, wrenches[i])
        U.append(Ui)
        inverse.append(invd)
        u.append(ui)
        if link.parent >= 0:
            f, n = Ui
            whole = inertias[i]
            reduced = ArticulatedInertia(
                _minus_square(whole.A, f, f, invd),
                _minus_square(whole.B, f, n, invd),
                _minus_square(whole.D, n, n, invd),
            )
            k = invd * ui
            pf, pn = wrenches[i]
            carried = wrench_to_parent(X[i], (add(pf, scale(k, f)), add(pn, scale(k, n))))
            pf, pn = wrenches[link.parent]
            wrenches[link.parent] = (add(pf, carried[0]), add(pn, carried[1]))
            inertias[link.parent] = inertias[link.parent].plus(reduced.to_parent(X[i]))
    U.reverse()
    inverse.reverse()
    u.reverse()
    added: list[tuple[Vec3[S], Vec3[S]]] = []
    qdd = [zero] * model.n
    for i, link in enumerate(links):
        dv, dw = (zero, zero, zero), (zero, zero, zero)
        if link.parent >= 0:
            pv, pw = added[link.parent]
            dv, dw = X[i].to_child(add(pv, cross(pw, X[i].r))), X[i].to_child(pw)
        f, n = U[i]
        value = (u[i] - (dot(f, dv) + dot(n, dw))) * inverse[i]
        qdd[link.coordinate] = value
        linear, angular = motion_subspace(model, link)
        added.append((add(dv, scale(value, linear)), add(dw, scale(value, angular))))
    return qdd
