"""Outward recursion: twists, and accelerations with the velocity products in symmetric form.

The velocity products are written bilinear in two velocities qd and v. For v = qd they are the usual
ones; for v != qd their symmetric part is what the Christoffel form needs: C(q, qd) v is symmetric
in qd and v, and it is the polarisation of the quadratic C(q, qd) qd. So one recursion serves
inverse dynamics, its regressor and the regressor of equation (44).

Accelerations are those of the frame's origin, gravity included (a_0 = -gravity), in the body's
frame. ``U = S(alpha) + P`` with ``P = (S(w) S(u) + S(u) S(w)) / 2`` gives every velocity product
that the body's forces and the next origin need: a_child = E (a + U r). Source: Luh, Walker, Paul
1980; U as in Khalil and Dombre 2002, eq. (9.96).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from symdyn.algebra.protocol import S
from symdyn.dynamics.transform import SHIFTS, TURNS, JointTransform, coordinate_of, half
from symdyn.model.over import Link, Model
from symdyn.model.robot import JointKind
from symdyn.spatial.vector import Mat3, Vec3, add, apply, cross, scale


@dataclass(frozen=True, slots=True)
class Acceleration(Generic[S]):
    """Motion of a body as its inertia feels it, in the body's frame.

    Attributes
    ----------
    a : acceleration of the origin minus gravity [m/s^2]
    alpha : angular acceleration [rad/s^2]
    squares : w_i u_i
    products : symmetric products (w_2 u_3, w_3 u_1, w_1 u_2)
    U : S(alpha) + P
    """

    a: Vec3[S]
    alpha: Vec3[S]
    squares: Vec3[S]
    products: Vec3[S]
    U: Mat3[S]


def _joint_velocity(link: Link[S], zero: Vec3[S], x: Sequence[S]) -> tuple[Vec3[S], Vec3[S]]:
    """Linear and angular part of S x for one joint."""
    rate = coordinate_of(link, x)
    along = scale(rate, link.axis)
    linear = zero
    if link.kind is JointKind.PRISMATIC:
        linear = along
    elif link.kind is JointKind.HELICAL:
        linear = scale(link.pitch, along)
    return linear, (along if link.kind in TURNS else zero)


def angular_velocities(
    model: Model[S], X: Sequence[JointTransform[S]], qd: Sequence[S]
) -> list[Vec3[S]]:
    """Angular velocity of each body in its own frame [rad/s]."""
    z = model.algebra.const(0)
    zero = (z, z, z)
    out: list[Vec3[S]] = []
    for i, link in enumerate(model.links):
        w = X[i].to_child(out[link.parent]) if link.parent >= 0 else zero
        out.append(add(w, _joint_velocity(link, zero, qd)[1]))
    return out


def twists(
    model: Model[S], X: Sequence[JointTransform[S]], qd: Sequence[S]
) -> list[tuple[Vec3[S], Vec3[S]]]:
    """Body twist (v; w) of each body in its own frame. Source: Featherstone 2008, eq. (5.14)."""
    z = model.algebra.const(0)
    zero = (z, z, z)
    out: list[tuple[Vec3[S], Vec3[S]]] = []
    for i, link in enumerate(model.links):
        v, w = zero, zero
        if link.parent >= 0:
            vp, wp = out[link.parent]
            v, w = X[i].to_child(add(vp, cross(wp, X[i].r))), X[i].to_child(wp)
        linear, angular = _joint_velocity(link, zero, qd)
        out.append((add(v, linear), add(w, angular)))
    return out


def accelerations(
    model: Model[S],
    X: Sequence[JointTransform[S]],
    qd: Sequence[S],
    v: Sequence[S],
    a: Sequence[S],
) -> list[Acceleration[S]]:
    """Accelerations that belong to M a + C(qd) v + g, body by body.

    Pass the same sequence for ``qd`` and ``v`` to get the usual ones at half the cost.
    """
    A = model.algebra
    z = A.const(0)
    zero = (z, z, z)
    same = qd is v
    w = angular_velocities(model, X, qd)
    u = w if same else angular_velocities(model, X, v)
    out: list[Acceleration[S]] = []
    for i, link in enumerate(model.links):
        if link.parent >= 0:
            before = out[link.parent]
            origin = X[i].to_child(add(before.a, apply(before.U, X[i].r)))
            alpha = X[i].to_child(before.alpha)
        else:
            g = model.gravity
            origin = X[i].to_child((-g[0], -g[1], -g[2]))
            alpha = zero
        linear, angular = _joint_velocity(link, zero, qd)
        if link.kind in TURNS:
            # w_i x S qd = (E w_parent) x S qd, since S x S = 0
            turn = cross(w[i], angular)
            if not same:
                other = cross(u[i], angular)
                angular_v = _joint_velocity(link, zero, v)[1]
                turn = scale(half(model), add(other, cross(w[i], angular_v)))
            alpha = add(alpha, turn)
        if link.kind in SHIFTS:
            if same:
                sweep = cross(w[i], linear)
                sweep = add(sweep, sweep)
            else:
                linear_v = _joint_velocity(link, zero, v)[0]
                sweep = add(cross(u[i], linear), cross(w[i], linear_v))
            origin = add(origin, sweep)
        linear_a, angular_a = _joint_velocity(link, zero, a)
        out.append(_acceleration(model, add(origin, linear_a), add(alpha, angular_a), w[i], u[i]))
    return out


def _acceleration(
    model: Model[S], a: Vec3[S], alpha: Vec3[S], w: Vec3[S], u: Vec3[S]
) -> Acceleration[S]:
    squares = (w[0] * u[0], w[1] * u[1], w[2] * u[2])
    if w is u:
        products = (w[1] * w[2], w[2] * w[0], w[0] * w[1])
    else:
        products = scale(
            half(model),
            (
                w[1] * u[2] + w[2] * u[1],
                w[2] * u[0] + w[0] * u[2],
                w[0] * u[1] + w[1] * u[0],
            ),
        )
    p23, p31, p12 = products
    U = (
        (-(squares[1] + squares[2]), p12 - alpha[2], p31 + alpha[1]),
        (p12 + alpha[2], -(squares[0] + squares[2]), p23 - alpha[0]),
        (p31 - alpha[1], p23 + alpha[0], -(squares[0] + squares[1])),
    )
    return Acceleration(a, alpha, squares, products, U)
