"""Poses of the bodies and their body Jacobians."""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates
from symdyn.dynamics.crba import motion_subspace
from symdyn.dynamics.transform import JointTransform, joint_transforms
from symdyn.model.over import Model
from symdyn.spatial.vector import Mat3, Vec3, add, apply, cross, scale


def poses(model: Model[S], X: Sequence[JointTransform[S]]) -> list[tuple[Mat3[S], Vec3[S]]]:
    """Rotation and origin of each body's frame in the base frame."""
    A = model.algebra
    z, o = A.const(0), A.const(1)
    base: tuple[Mat3[S], Vec3[S]] = (((o, z, z), (z, o, z), (z, z, o)), (z, z, z))
    out: list[tuple[Mat3[S], Vec3[S]]] = []
    for i, link in enumerate(model.links):
        R, p = out[link.parent] if link.parent >= 0 else base
        # column j of R E' is R applied to the image of e_j: keep it in rows by carrying rows of R
        # down
        rows = (X[i].to_child(R[0]), X[i].to_child(R[1]), X[i].to_child(R[2]))
        out.append((rows, add(p, apply(R, X[i].r))))
    return out


def forward_kinematics(model: Model[S], q: Sequence[S]) -> list[list[list[S]]]:
    """Homogeneous transforms of the bodies' frames in the base frame.

    Parameters
    ----------
    q : (n,) [rad | m]

    Returns
    -------
    T : (N, 4, 4); T[i] takes coordinates in body i's frame to the base frame [-, m]

    Raises
    ------
    SizeError : q has the wrong length
    """
    check_coordinates("forward_kinematics", model, q=q)
    A = model.algebra
    zero, one = A.const(0), A.const(1)
    out: list[list[list[S]]] = []
    for R, p in poses(model, joint_transforms(model, q)):
        rows = [[*R[i], p[i]] for i in range(3)]
        out.append([*rows, [zero, zero, zero, one]])
    return out


def body_jacobian(model: Model[S], q: Sequence[S]) -> list[list[S]]:
    """Stacked body Jacobians: J qd holds (v; w) of every body in its own frame, linear part first.

    Parameters
    ----------
    q : (n,) [rad | m]

    Returns
    -------
    J : (6N, n)

    Raises
    ------
    SizeError : q has the wrong length

    Notes
    -----
    Source: Lynch and Park 2017, eq. (5.18), with the linear part first as in the paper.
    """
    check_coordinates("body_jacobian", model, q=q)
    zero = model.algebra.const(0)
    links = model.links
    X = joint_transforms(model, q)
    J = [[zero] * model.n for _ in range(6 * len(links))]
    columns: list[dict[int, tuple[Vec3[S], Vec3[S]]]] = []
    for i, link in enumerate(links):
        here: dict[int, tuple[Vec3[S], Vec3[S]]] = {}
        if link.parent >= 0:
            for j, (v, w) in columns[link.parent].items():
                here[j] = (X[i].to_child(add(v, cross(w, X[i].r))), X[i].to_child(w))
        linear, angular = motion_subspace(model, link)
        if link.has_multiplier:
            linear, angular = scale(link.multiplier, linear), scale(link.multiplier, angular)
        here[i] = (linear, angular)
        columns.append(here)
        for j, (v, w) in here.items():
            k = links[j].coordinate
            for row, value in enumerate((*v, *w)):
                J[6 * i + row][k] = J[6 * i + row][k] + value
    return J
