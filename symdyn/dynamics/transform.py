"""How a joint carries vectors, couples and second moments between the frames of a body and its
parent.

The rotation from child to parent is ``R R_J(q)``: a constant placement and a turn about the joint
axis. It is applied in these two steps and never multiplied out when the axis is a coordinate axis,
since a turn in a coordinate plane costs 4 multiplications and 2 additions and a placement by
quarter turns costs nothing. A general axis uses one matrix ``A0 + c A1 + s A2`` with constant A
(Rodrigues). Source: Featherstone 2008, ch. 4 and appendix A; Rodrigues: Lynch and Park 2017, eq.
(3.51).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

from symdyn.algebra.protocol import S
from symdyn.model.over import Link, Model
from symdyn.model.robot import JointKind
from symdyn.spatial.vector import Mat3, Vec3, add, apply, apply_transposed, dot, multiply, scale

#: Indices of the two directions that a turn about coordinate axis k mixes, in right-handed order.
PLANE = ((1, 2), (2, 0), (0, 1))

#: Whether a joint kind turns its body, and whether it shifts it.
TURNS = frozenset((JointKind.REVOLUTE, JointKind.CONTINUOUS, JointKind.HELICAL))
SHIFTS = frozenset((JointKind.PRISMATIC, JointKind.HELICAL))


@dataclass(frozen=True, slots=True)
class JointTransform(Generic[S]):
    """The placement of a body's frame in its parent's frame at one q.

    Attributes
    ----------
    placement : constant rotation R, or the whole rotation for a general axis
    axis_index : coordinate axis of the turn, -1 if ``placement`` is the whole rotation (or no turn)
    c, s : cosine and sine of the turn about that (positive) axis
    r : origin of the body's frame in the parent's frame [m]
    """

    placement: Mat3[S]
    axis_index: int
    c: S
    s: S
    r: Vec3[S]

    def to_child(self, a: Vec3[S]) -> Vec3[S]:
        """Components of a vector of the parent's frame in the body's frame."""
        b = apply_transposed(self.placement, a)
        if self.axis_index < 0:
            return b
        i, j = PLANE[self.axis_index]
        out = list(b)
        out[i] = self.c * b[i] + self.s * b[j]
        out[j] = self.c * b[j] - self.s * b[i]
        return (out[0], out[1], out[2])

    def to_parent(self, a: Vec3[S]) -> Vec3[S]:
        """Components of a vector of the body's frame in the parent's frame."""
        if self.axis_index >= 0:
            i, j = PLANE[self.axis_index]
            out = list(a)
            out[i] = self.c * a[i] - self.s * a[j]
            out[j] = self.c * a[j] + self.s * a[i]
            a = (out[0], out[1], out[2])
        return apply(self.placement, a)

    def tensor_to_parent(self, w: Mat3[S]) -> Mat3[S]:
        """R_full W R_full' of any 3x3 tensor W given in the body's frame."""
        if self.axis_index >= 0:
            w = turn_tensor(w, self.axis_index, self.c, self.s)
        r0, r1, r2 = multiply(self.placement, w)
        p0, p1, p2 = self.placement
        return (_row(r0, p0, p1, p2), _row(r1, p0, p1, p2), _row(r2, p0, p1, p2))

    def inertia_to_parent(self, w: Mat3[S]) -> Mat3[S]:
        """As `tensor_to_parent` for a symmetric tensor; three entries are mirrored."""
        if self.axis_index >= 0:
            w = turn_tensor(w, self.axis_index, self.c, self.s)
        R = self.placement
        t0, t1, t2 = multiply(R, w)
        xx, xy, xz = dot(t0, R[0]), dot(t0, R[1]), dot(t0, R[2])
        yy, yz, zz = dot(t1, R[1]), dot(t1, R[2]), dot(t2, R[2])
        return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def _row(r: Vec3[S], p0: Vec3[S], p1: Vec3[S], p2: Vec3[S]) -> Vec3[S]:
    return (dot(r, p0), dot(r, p1), dot(r, p2))


def turn_tensor(w: Mat3[S], axis: int, c: S, s: S) -> Mat3[S]:
    """R_axis(c, s) W R_axis(c, s)' with 12 multiplications and 11 additions (8 and 7 if W = W').

    The block in the plane of the turn splits into invariants (trace, skew part) and a part that
    turns by twice the angle; ``y = c (s D + c B)`` with D the difference of the diagonal and B the
    sum of the off-diagonal entries does both at once.
    """
    i, j = PLANE[axis]
    k = axis
    out = [list(row) for row in w]
    d = w[i][i] - w[j][j]
    b = w[i][j] + w[j][i]
    t = s * d + c * b
    u, y = s * t, c * t
    out[i][i] = w[i][i] - u
    out[j][j] = w[j][j] + u
    out[i][j] = y - w[j][i]
    out[j][i] = y - w[i][j]
    out[i][k] = c * w[i][k] - s * w[j][k]
    out[j][k] = s * w[i][k] + c * w[j][k]
    out[k][i] = c * w[k][i] - s * w[k][j]
    out[k][j] = s * w[k][i] + c * w[k][j]
    return (
        (out[0][0], out[0][1], out[0][2]),
        (out[1][0], out[1][1], out[1][2]),
        (out[2][0], out[2][1], out[2][2]),
    )


def coordinate_of(link: Link[S], x: Sequence[S]) -> S:
    """Velocity or acceleration of a joint: multiplier * x[coordinate]."""
    value = x[link.coordinate]
    return link.multiplier * value if link.has_multiplier else value


def joint_transforms(model: Model[S], q: Sequence[S]) -> list[JointTransform[S]]:
    """The transform of every joint at q, in the order of the links."""
    A = model.algebra
    out: list[JointTransform[S]] = []
    for link in model.links:
        position = coordinate_of(link, q) + link.offset
        r = link.translation
        if link.kind in SHIFTS:
            advance = link.pitch * position if link.kind is JointKind.HELICAL else position
            r = add(r, apply(link.rotation, scale(advance, link.axis)))
        if link.kind not in TURNS:
            out.append(JointTransform(link.rotation, -1, A.const(1), A.const(0), r))
            continue
        c, s = A.cos(position), A.sin(position)
        if link.axis_index >= 0:
            s = s if link.axis_sign > 0 else -s
            out.append(JointTransform(link.rotation, link.axis_index, c, s, r))
        else:
            whole = _turn_about(model, link, c, s)
            out.append(JointTransform(whole, -1, c, s, r))
    return out


def _turn_about(model: Model[S], link: Link[S], c: S, s: S) -> Mat3[S]:
    """R R_J for an axis in general position: R aa' + c (R - R aa') + s R S(a)."""
    A = model.algebra
    zero = A.const(0)
    a, R = link.axis, link.rotation
    along = multiply(R, (scale(a[0], a), scale(a[1], a), scale(a[2], a)))
    skew = ((zero, -a[2], a[1]), (a[2], zero, -a[0]), (-a[1], a[0], zero))
    turning = multiply(R, skew)

    def entry(i: int, j: int) -> S:
        return along[i][j] + c * (R[i][j] - along[i][j]) + s * turning[i][j]

    return (
        (entry(0, 0), entry(0, 1), entry(0, 2)),
        (entry(1, 0), entry(1, 1), entry(1, 2)),
        (entry(2, 0), entry(2, 1), entry(2, 2)),
    )


def half(model: Model[S]) -> S:
    """The constant 1/2 of the model's number kind."""
    return model.algebra.const(Fraction(1, 2))
