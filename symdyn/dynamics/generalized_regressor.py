"""Regressor of the generalized equation: (39) is linear in (Theta, Theta', mu, mu').

mu stacks the momentum (p; l) that the moving mass of each body carries, six numbers a body: of the
twelve entries of psi only these act, see `symdyn.dynamics.generalized`.
"""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates
from symdyn.dynamics.generalized import gyroscopic_wrench
from symdyn.dynamics.motion import accelerations, twists
from symdyn.dynamics.regressor import (
    by_coordinate,
    carry_inwards,
    inertial_columns,
    unit_wrenches,
)
from symdyn.dynamics.rnea import Wrench
from symdyn.dynamics.transform import JointTransform, joint_transforms
from symdyn.model.over import Model
from symdyn.spatial.vector import Vec3


def generalized_regressor(
    model: Model[S], q: Sequence[S], qd: Sequence[S], qdd: Sequence[S]
) -> list[list[S]]:
    """R with tau = R (Theta; Theta'; mu; mu') plus armature times qdd.

    Parameters
    ----------
    q, qd, qdd : (n,)

    Returns
    -------
    R : (n, 32N)
        10N columns for Theta, 10N for Theta', 6N for mu and 6N for mu'. Sources of open bodies
        enter with the columns of Theta' and mu', negative.

    Raises
    ------
    SizeError : a vector has the wrong length
    """
    check_coordinates("generalized_regressor", model, q=q, qd=qd, qdd=qdd)
    X = joint_transforms(model, q)
    V = twists(model, X, qd)
    zero = model.algebra.const(0)
    steady = [unit_wrenches(model, acc) for acc in accelerations(model, X, qd, qd, qdd)]
    rates = [_unit_momenta(zero, v, w) for v, w in V]
    units = _unit_vectors(model)
    gyroscopic = [[gyroscopic_wrench(unit, v, w) for unit in units] for v, w in V]
    blocks = (
        inertial_columns(model, X, steady),
        inertial_columns(model, X, rates),
        _columns(model, X, gyroscopic),
        _columns(model, X, [units] * len(V)),
    )
    rows = [[value for block in blocks for value in block[i]] for i in range(len(model.links))]
    return by_coordinate(model, rows)


def _unit_momenta(z: S, v: Vec3[S], w: Vec3[S]) -> list[Wrench[S]]:
    """Z (v; w) of a unit of each of the ten parameters."""
    zero = (z, z, z)
    x, y, k = w
    return [
        (v, zero),
        ((z, k, -y), (z, -v[2], v[1])),
        ((-k, z, x), (v[2], z, -v[0])),
        ((y, -x, z), (-v[1], v[0], z)),
        (zero, (x, z, z)),
        (zero, (z, y, z)),
        (zero, (z, z, k)),
        (zero, (y, x, z)),
        (zero, (z, k, y)),
        (zero, (k, z, x)),
    ]


def _unit_vectors(model: Model[S]) -> list[Wrench[S]]:
    z, o = model.algebra.const(0), model.algebra.const(1)
    zero, axes = (z, z, z), ((o, z, z), (z, o, z), (z, z, o))
    return [*((e, zero) for e in axes), *((zero, e) for e in axes)]


def _columns(
    model: Model[S], X: Sequence[JointTransform[S]], units: Sequence[Sequence[Wrench[S]]]
) -> list[list[S]]:
    zero = model.algebra.const(0)
    N = len(model.links)
    Y = [[zero] * (6 * N) for _ in range(N)]
    for i in range(N):
        for index, wrench in enumerate(units[i]):
            for j, value in carry_inwards(model, X, i, wrench):
                Y[j][6 * i + index] = value
    return Y
