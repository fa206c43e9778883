"""Moving inertia from a body to its parent without changing the equations of motion.

A change d of a body's parameters may be carried over to the parent as if it were bolted to it
exactly when the joint neither feels it (Z(d) S = 0) nor turns it (the moved parameters do not
depend on q). For a turning joint about coordinate axis k these are: a point mass on the axis (m and
h_k) and equal moments about the two directions across the axis; for a sliding joint: the six
moments, its orientation being constant. What is moved into the base has no effect at all. The
kinetic energy and the gravity torques stay as they are, so do M, C, g and the torques; only the
number of operations falls, since three (six) of ten parameters of each body become exact zeros.

Source: the grouping relations of Khalil and Dombre 2002, ch. 9.4, here derived from the two
conditions and therefore valid for trees and any placement. Not used where potential energy or
momenta of single bodies are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import S
from symdyn.dynamics.inertia import RigidInertia, parameters, rigid_inertia
from symdyn.dynamics.transform import PLANE, TURNS, JointTransform
from symdyn.model.over import Link, Model
from symdyn.model.robot import JointKind

#: Index within a body's ten parameters of the moments I11, I22, I33.
MOMENT = (4, 5, 6)


def moves(link: Link[S]) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The changes that may be moved to the parent.

    Returns
    -------
    moves : each a set of (index of parameter, sign) within the ten of the body; the first entry is
    the
        parameter that the move cancels. A joint about an axis in general position has none.
    """
    if link.kind in TURNS:
        if link.axis_index < 0:
            return ()
        i, j = PLANE[link.axis_index]
        across = ((MOMENT[j], 1), (MOMENT[i], 1))
        if link.kind is JointKind.HELICAL:
            # a point mass on the axis is lifted by a screw, so only the moments are free
            return (across,)
        return (((0, 1),), ((1 + link.axis_index, 1),), across)
    return tuple(((index, 1),) for index in range(4, 10))


def at_rest(model: Model[S], link: Link[S]) -> JointTransform[S]:
    """The link's placement without its joint motion: what is moved does not depend on q."""
    A = model.algebra
    return JointTransform(link.rotation, -1, A.const(1), A.const(0), link.translation)


def regroup(model: Model[S], theta: Sequence[S]) -> list[S]:
    """Parameters with the same equations of motion and more exact zeros.

    Parameters
    ----------
    theta : (10N,) in the order of equation (7)

    Returns
    -------
    grouped : (10N,); not physically consistent body by body
    """
    zero = model.algebra.const(0)
    out = list(theta)
    for k in range(len(model.links) - 1, -1, -1):
        link = model.links[k]
        moved = [zero] * 10
        for move in moves(link):
            amount = out[10 * k + move[0][0]]
            for index, _ in move:
                moved[index] = moved[index] + amount
        for move in moves(link):
            amount = out[10 * k + move[0][0]]
            for index, _ in move[1:]:
                out[10 * k + index] = out[10 * k + index] - amount
            out[10 * k + move[0][0]] = zero
        if link.parent >= 0:
            carried = parameters(rigid_inertia(moved, 0).to_parent(at_rest(model, link)))
            for index, value in enumerate(carried):
                at = 10 * link.parent + index
                out[at] = out[at] + value
    return out


def carried_unit(
    model: Model[S], link: Link[S], move: tuple[tuple[int, int], ...]
) -> tuple[S, ...]:
    """Ten parameters that a unit of ``move`` has in the parent's frame; constants only."""
    A = model.algebra
    unit = [A.const(0)] * 10
    for index, sign in move:
        unit[index] = A.const(sign)
    inertia: RigidInertia[S] = rigid_inertia(unit, 0)
    return parameters(inertia.to_parent(at_rest(model, link)))
