"""Gravity torques from the masses and first moments of subtrees."""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates, check_theta
from symdyn.dynamics.regroup import regroup
from symdyn.dynamics.rnea import joint_force
from symdyn.dynamics.transform import joint_transforms
from symdyn.model.over import Model
from symdyn.spatial.vector import Vec3, add, cross, neg, scale


def gravity_vector(model: Model[S], q: Sequence[S], theta: Sequence[S]) -> list[S]:
    """Generalized forces that hold the robot still, g(q) = dU/dq.

    The weight of the subtree of joint k acts at its first moment: the wrench about the joint's
    origin is (m a; h x a) with a = -gravity in the joint's frame. Only h is carried inwards.

    Parameters
    ----------
    q : (n,) [rad | m]
    theta : (10N,) in the order of equation (7)

    Returns
    -------
    g : (n,) [N m | N]

    Raises
    ------
    SizeError : a vector has the wrong length
    """
    check_coordinates("gravity_vector", model, q=q)
    check_theta("gravity_vector", model, theta)
    X = joint_transforms(model, q)
    grouped = regroup(model, theta)
    links = model.links
    up: list[Vec3[S]] = []
    for i, link in enumerate(links):
        up.append(X[i].to_child(up[link.parent] if link.parent >= 0 else neg(model.gravity)))
    m = [grouped[10 * i] for i in range(len(links))]
    h = [(t[1], t[2], t[3]) for t in (grouped[10 * i : 10 * i + 4] for i in range(len(links)))]
    g = [model.algebra.const(0)] * model.n
    for i in range(len(links) - 1, -1, -1):
        link = links[i]
        force = joint_force(link, (scale(m[i], up[i]), cross(h[i], up[i])))
        if link.has_multiplier:
            force = link.multiplier * force
        g[link.coordinate] = g[link.coordinate] + force
        if link.parent >= 0:
            moved = add(X[i].to_parent(h[i]), scale(m[i], X[i].r))
            h[link.parent] = add(h[link.parent], moved)
            m[link.parent] = m[link.parent] + m[i]
    return g
