"""Inertial parameters as mass, first moment and tensor; composites of subtrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from symdyn.algebra.protocol import S
from symdyn.dynamics.transform import JointTransform
from symdyn.model.over import Model
from symdyn.spatial.vector import Mat3, Vec3, add, dot, scale


@dataclass(frozen=True, slots=True)
class RigidInertia(Generic[S]):
    """Spatial inertia about a frame's origin: m [kg], h = m c [kg m], tensor [kg m^2]."""

    m: S
    h: Vec3[S]
    tensor: Mat3[S]

    def plus(self, other: RigidInertia[S]) -> RigidInertia[S]:
        """Both bodies as one, given in the same frame."""
        a, b = self.tensor, other.tensor
        xy, yz, xz = a[0][1] + b[0][1], a[1][2] + b[1][2], a[0][2] + b[0][2]
        return RigidInertia(
            self.m + other.m,
            add(self.h, other.h),
            (
                (a[0][0] + b[0][0], xy, xz),
                (xy, a[1][1] + b[1][1], yz),
                (xz, yz, a[2][2] + b[2][2]),
            ),
        )

    def to_parent(self, X: JointTransform[S]) -> RigidInertia[S]:
        """The same body seen from the parent's frame.

        With h1 = R h and h' = h1 + m r, the tensor is R I R' + (r.h' + r.h1) 1 - r h'' - h1 r',
        symmetric although written without symmetrisation.
        Source: parallel-axis theorem about an arbitrary point, Featherstone 2008, eq.
        (2.62)-(2.66).
        """
        h1 = X.to_parent(self.h)
        t = X.inertia_to_parent(self.tensor)
        r = X.r
        g = add(h1, scale(self.m, r))
        # products r_i g_i + h1_i r_i = r_i (g_i + h1_i)
        d0, d1, d2 = (r[0] * (g[0] + h1[0]), r[1] * (g[1] + h1[1]), r[2] * (g[2] + h1[2]))
        xy = t[0][1] - (r[0] * g[1] + h1[0] * r[1])
        yz = t[1][2] - (r[1] * g[2] + h1[1] * r[2])
        xz = t[0][2] - (r[0] * g[2] + h1[0] * r[2])
        return RigidInertia(
            self.m,
            g,
            (
                (t[0][0] + (d1 + d2), xy, xz),
                (xy, t[1][1] + (d0 + d2), yz),
                (xz, yz, t[2][2] + (d0 + d1)),
            ),
        )


def rigid_inertia(theta: Sequence[S], body: int) -> RigidInertia[S]:
    """Parameters of one body, taken out of theta in the order of equation (7)."""
    m, h1, h2, h3, I11, I22, I33, I12, I23, I13 = theta[10 * body : 10 * body + 10]
    return RigidInertia(m, (h1, h2, h3), ((I11, I12, I13), (I12, I22, I23), (I13, I23, I33)))


def parameters(inertia: RigidInertia[S]) -> tuple[S, ...]:
    """Ten parameters in the order of equation (7)."""
    t = inertia.tensor
    return (
        inertia.m, *inertia.h,
        t[0][0], t[1][1], t[2][2], t[0][1], t[1][2], t[0][2],
    )  # fmt: skip


def composites(
    model: Model[S], X: Sequence[JointTransform[S]], theta: Sequence[S]
) -> list[RigidInertia[S]]:
    """Inertia of each body with all that it carries, in the body's own frame.

    Source: Featherstone 2008, ch. 6, table 6.2.
    """
    out = [rigid_inertia(theta, i) for i in range(len(model.links))]
    for i in range(len(model.links) - 1, -1, -1):
        parent = model.links[i].parent
        if parent >= 0:
            out[parent] = out[parent].plus(out[i].to_parent(X[i]))
    return out


def momentum_columns(inertia: RigidInertia[S], v: Vec3[S], w: Vec3[S]) -> tuple[Vec3[S], Vec3[S]]:
    """Z (v; w): linear m v + w x h and angular h x v + I w."""
    m, h, t = inertia.m, inertia.h, inertia.tensor
    linear = (
        m * v[0] + (w[1] * h[2] - w[2] * h[1]),
        m * v[1] + (w[2] * h[0] - w[0] * h[2]),
        m * v[2] + (w[0] * h[1] - w[1] * h[0]),
    )
    angular = (
        dot(t[0], w) + (h[1] * v[2] - h[2] * v[1]),
        dot(t[1], w) + (h[2] * v[0] - h[0] * v[2]),
        dot(t[2], w) + (h[0] * v[1] - h[1] * v[0]),
    )
    return linear, angular
