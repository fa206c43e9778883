"""Regressors: the torques as a matrix times the inertial parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates
from symdyn.dynamics.motion import Acceleration, accelerations
from symdyn.dynamics.regroup import carried_unit, moves
from symdyn.dynamics.rnea import Wrench, joint_force, wrench_to_parent
from symdyn.dynamics.transform import JointTransform, joint_transforms
from symdyn.model.over import Model
from symdyn.spatial.vector import column


def unit_wrenches(model: Model[S], acc: Acceleration[S]) -> list[Wrench[S]]:
    """Wrench (f; n) of a unit of each of the ten parameters, order of equation (7)."""
    z = model.algebra.const(0)
    zero = (z, z, z)
    a, (x, y, w) = acc.a, acc.alpha
    U = acc.U
    s1, s2, s3 = acc.squares
    p23, p31, p12 = acc.products
    return [
        (a, zero),
        (column(U, 0), (z, -a[2], a[1])),
        (column(U, 1), (a[2], z, -a[0])),
        (column(U, 2), (-a[1], a[0], z)),
        (zero, (x, p31, -p12)),
        (zero, (-p23, y, p12)),
        (zero, (p23, -p31, w)),
        (zero, (-U[2][0], U[2][1], s1 - s2)),
        (zero, (s2 - s3, -U[0][1], U[0][2])),
        (zero, (U[1][0], s3 - s1, -U[1][2])),
    ]


def slotine_li_regressor(
    model: Model[S], q: Sequence[S], qd: Sequence[S], v: Sequence[S], a: Sequence[S]
) -> list[list[S]]:
    """R(q, qd, v, a) with M a + C(q, qd) v + g = R theta and the Christoffel C, equation (44).

    Parameters
    ----------
    q, qd, v, a : (n,)

    Returns
    -------
    R : (n, 10N); rotor inertia (armature) is no part of theta and no column of it

    Raises
    ------
    SizeError : a vector has the wrong length

    Notes
    -----
    Columns of parameters that `regroup` would move are linear in the parent's columns with constant
    coefficients, so only seven (for a sliding joint four) of ten columns a body are carried
    inwards.
    """
    check_coordinates("slotine_li_regressor", model, q=q, qd=qd, v=v, a=a)
    X = joint_transforms(model, q)
    units = [unit_wrenches(model, acc) for acc in accelerations(model, X, qd, v, a)]
    return by_coordinate(model, inertial_columns(model, X, units))


def carry_inwards(
    model: Model[S], X: Sequence[JointTransform[S]], body: int, wrench: Wrench[S]
) -> Iterator[tuple[int, S]]:
    """What each joint from a body to the base feels of a wrench on that body."""
    links = model.links
    j = body
    while True:
        yield j, joint_force(links[j], wrench)
        if links[j].parent < 0:
            return
        wrench = wrench_to_parent(X[j], wrench)
        j = links[j].parent


def inertial_columns(
    model: Model[S], X: Sequence[JointTransform[S]], units: Sequence[Sequence[Wrench[S]]]
) -> list[list[S]]:
    """Columns of everything linear in inertial parameters, from the wrenches of unit parameters.

    Parameters
    ----------
    units : per body the ten wrenches that a unit of each parameter needs

    Returns
    -------
    Y : (N, 10N), a row per joint (`by_coordinate` gathers mimic joints)
    """
    zero = model.algebra.const(0)
    links = model.links
    Y = [[zero] * (10 * len(links)) for _ in links]
    for i, link in enumerate(links):
        dependent = moves(link)
        skipped = {move[0][0] for move in dependent}
        for index in range(10):
            if index not in skipped:
                for j, value in carry_inwards(model, X, i, units[i][index]):
                    Y[j][10 * i + index] = value
        for move in dependent:
            coefficients = carried_unit(model, link, move)
            j = i
            while j >= 0:
                value = zero
                if j != i:
                    for index, factor in enumerate(coefficients):
                        value = value + factor * Y[j][10 * link.parent + index]
                for index, _ in move[1:]:
                    value = value - Y[j][10 * i + index]
                Y[j][10 * i + move[0][0]] = value
                j = links[j].parent
    return Y


def by_coordinate(model: Model[S], Y: Sequence[Sequence[S]]) -> list[list[S]]:
    """T' Y: rows of joints that share a coordinate become one row."""
    zero = model.algebra.const(0)
    out = [[zero] * len(Y[0]) for _ in range(model.n)]
    for i, link in enumerate(model.links):
        for k, value in enumerate(Y[i]):
            scaled = link.multiplier * value if link.has_multiplier else value
            out[link.coordinate][k] = out[link.coordinate][k] + scaled
    return out


def regressor(model: Model[S], q: Sequence[S], qd: Sequence[S], qdd: Sequence[S]) -> list[list[S]]:
    """Y(q, qd, qdd) with tau = Y theta (plus armature times qdd); (n, 10N).

    Source: Atkeson, An, Hollerbach 1986. Slow twin: inverse dynamics of unit parameters.

    Raises
    ------
    SizeError : a vector has the wrong length
    """
    return slotine_li_regressor(model, q, qd, qd, qdd)
