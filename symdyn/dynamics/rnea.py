"""Inverse dynamics by the recursive Newton-Euler algorithm, in link frames."""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates, check_theta
from symdyn.dynamics.motion import Acceleration, accelerations
from symdyn.dynamics.regroup import regroup
from symdyn.dynamics.transform import JointTransform, joint_transforms
from symdyn.model.over import Link, Model
from symdyn.model.robot import JointKind
from symdyn.spatial.vector import Vec3, add, apply, cross, dot, scale

Wrench = tuple[Vec3[S], Vec3[S]]


def body_wrench(theta: Sequence[S], body: int, acc: Acceleration[S]) -> Wrench[S]:
    """Force and moment about the origin that move one body as ``acc`` says.

    f = m a + U h and n = I alpha + w x I w + h x a, the middle term written with the entries of U,
    so that 15 multiplications do for the whole moment. Source: Khalil and Dombre 2002, eq. (9.97),
    with the products worked out.
    """
    m, h1, h2, h3, I11, I22, I33, I12, I23, I13 = theta[10 * body : 10 * body + 10]
    h = (h1, h2, h3)
    U, alpha = acc.U, acc.alpha
    s1, s2, s3 = acc.squares
    p23, p31, p12 = acc.products
    f = add(scale(m, acc.a), apply(U, h))
    n = (
        I11 * alpha[0] + (I33 - I22) * p23 + (s2 - s3) * I23 + (U[1][0] * I13 - U[2][0] * I12),
        I22 * alpha[1] + (I11 - I33) * p31 + (s3 - s1) * I13 + (U[2][1] * I12 - U[0][1] * I23),
        I33 * alpha[2] + (I22 - I11) * p12 + (s1 - s2) * I12 + (U[0][2] * I23 - U[1][2] * I13),
    )
    return f, add(n, cross(h, acc.a))


def joint_force(link: Link[S], wrench: Wrench[S]) -> S:
    """S' (f; n): what the joint's actuator feels of a wrench [N m | N]."""
    f, n = wrench
    match link.kind:
        case JointKind.PRISMATIC:
            return dot(link.axis, f)
        case JointKind.HELICAL:
            return dot(link.axis, n) + link.pitch * dot(link.axis, f)
        case _:
            return dot(link.axis, n)


def wrench_to_parent(X: JointTransform[S], wrench: Wrench[S]) -> Wrench[S]:
    """The same wrench about the parent's origin, in the parent's frame."""
    f = X.to_parent(wrench[0])
    return f, add(X.to_parent(wrench[1]), cross(X.r, f))


def collect(
    model: Model[S], X: Sequence[JointTransform[S]], wrenches: Sequence[Wrench[S]]
) -> list[S]:
    """Inward recursion: generalized forces of all coordinates from the wrenches on the bodies."""
    total = list(wrenches)
    tau = [model.algebra.const(0)] * model.n
    for i in range(len(model.links) - 1, -1, -1):
        link = model.links[i]
        force = joint_force(link, total[i])
        if link.has_multiplier:
            force = link.multiplier * force
        tau[link.coordinate] = tau[link.coordinate] + force
        if link.parent >= 0:
            f, n = wrench_to_parent(X[i], total[i])
            fp, np = total[link.parent]
            total[link.parent] = (add(fp, f), add(np, n))
    return tau


def armature_matrix(model: Model[S]) -> list[S]:
    """Reflected rotor inertia of each coordinate, the diagonal that `armature` adds to M."""
    out = [model.algebra.const(0)] * model.n
    for link in model.links:
        value = link.armature
        if link.has_multiplier:
            value = link.multiplier * link.multiplier * value
        out[link.coordinate] = out[link.coordinate] + value
    return out


def polarised_inverse_dynamics(
    model: Model[S],
    q: Sequence[S],
    qd: Sequence[S],
    v: Sequence[S],
    a: Sequence[S],
    theta: Sequence[S],
) -> list[S]:
    """M(q) a + C(q, qd) v + g(q) with the Christoffel C, without forming a matrix; see `motion`."""
    X = joint_transforms(model, q)
    grouped = regroup(model, theta)
    acc = accelerations(model, X, qd, v, a)
    tau = collect(model, X, [body_wrench(grouped, i, acc[i]) for i in range(len(acc))])
    rotors = armature_matrix(model)
    return [tau[k] + rotors[k] * a[k] for k in range(model.n)]


def inverse_dynamics(
    model: Model[S], q: Sequence[S], qd: Sequence[S], qdd: Sequence[S], theta: Sequence[S]
) -> list[S]:
    """Generalized forces tau = M(q) qdd + C(q, qd) qd + g(q); friction is apart.

    Parameters
    ----------
    model : the robot over the scalar's number kind
    q, qd, qdd : (n,) positions, velocities, accelerations [rad | m, per s, per s^2]
    theta : (10N,) inertial parameters in the order of equation (7)

    Returns
    -------
    tau : (n,) [N m | N]

    Raises
    ------
    SizeError : a vector has the wrong length

    Notes
    -----
    O(N). Source: Luh, Walker, Paul 1980; Featherstone 2008, table 5.1. Slow twin: the Lagrange
    road.
    """
    check_coordinates("inverse_dynamics", model, q=q, qd=qd, qdd=qdd)
    check_theta("inverse_dynamics", model, theta)
    return polarised_inverse_dynamics(model, q, qd, qd, qdd, theta)


def bias_force(model: Model[S], q: Sequence[S], qd: Sequence[S], theta: Sequence[S]) -> list[S]:
    """C(q, qd) qd + g(q): (n,) [N m | N]."""
    return inverse_dynamics(model, q, qd, [model.algebra.const(0)] * model.n, theta)
