"""Every quantity of a URDF robot from Pinocchio, and the largest difference from ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.model.over import Model, over
from symdyn.model.robot import Robot
from tests.oracles import need

Array = NDArray[np.float64]

#: Pinocchio's order of the ten parameters of a body, given ours: m, h, xx, xy, yy, xz, yz, zz.
TO_OURS = [0, 1, 2, 3, 4, 6, 9, 5, 8, 7]


@dataclass(frozen=True)
class Reference:
    """All quantities of a state, from Pinocchio, with mimic joints reduced by T."""

    mass_matrix: Array
    coriolis_matrix: Array
    coriolis_force: Array
    gravity_vector: Array
    inverse_dynamics: Array
    regressor: Array
    body_jacobian: Array


def _reference(path: str, model: Model[float]) -> Callable[[Array, Array, Array], Reference]:
    """A function from (q, qd, qdd) to `Reference`."""
    pin = need("pinocchio")
    full = pin.buildModelFromUrdf(path, mimic=False)
    data = full.createData()
    N, n = len(model.links), model.n
    assert list(full.names)[1:] == [link.name for link in model.links]
    T, offset = np.zeros((N, n)), np.zeros(N)
    for i, link in enumerate(model.links):
        T[i, link.coordinate], offset[i] = link.multiplier, link.offset

    def configuration(q: Array) -> Array:
        entries: list[float] = []
        for joint, angle in zip(list(full.joints)[1:], q, strict=True):
            # an angle without limits is a point of the circle there
            entries.extend((np.cos(angle), np.sin(angle)) if joint.nq == 2 else (angle,))
        return np.array(entries)

    def at(q: Array, qd: Array, qdd: Array) -> Reference:
        x, v, a = configuration(T @ q + offset), T @ qd, T @ qdd
        upper = np.triu(pin.crba(full, data, x))
        C = T.T @ pin.computeCoriolisMatrix(full, data, x, v) @ T
        Y = T.T @ pin.computeJointTorqueRegressor(full, data, x, v, a)
        pin.computeJointJacobians(full, data, x)
        J = [pin.getJointJacobian(full, data, i + 1, pin.LOCAL) @ T for i in range(N)]
        return Reference(
            mass_matrix=T.T @ (upper + np.triu(upper, 1).T) @ T,
            coriolis_matrix=C,
            coriolis_force=C @ qd,
            gravity_vector=T.T @ pin.computeGeneralizedGravity(full, data, x),
            inverse_dynamics=T.T @ pin.rnea(full, data, x, v, a),
            regressor=Y.reshape(n, N, 10)[:, :, TO_OURS].reshape(n, 10 * N),
            body_jacobian=np.vstack(J),
        )

    return at


def worst_errors(robot: Robot, path: str, states: int, seed: int) -> dict[str, float]:
    """The largest error of each quantity over random states, relative to its largest entry."""
    model = over(robot, FLOAT64)
    theta = [x for body in robot.bodies for x in lift(body.phi, FLOAT64)]
    reference = _reference(path, model)
    random = np.random.default_rng(seed)
    worst: dict[str, float] = {}
    for _ in range(states):
        q, qd, qdd = (random.uniform(-3, 3, robot.n) for _ in range(3))
        want = reference(q, qd, qdd)
        ql, qdl, qddl = q.tolist(), qd.tolist(), qdd.tolist()
        C = np.array(dynamics.coriolis_matrix(model, ql, qdl, theta))
        M = np.array(dynamics.mass_matrix(model, ql, theta))
        got = Reference(
            mass_matrix=M,
            coriolis_matrix=C,
            coriolis_force=C @ qd,
            gravity_vector=np.array(dynamics.gravity_vector(model, ql, theta)),
            inverse_dynamics=np.array(dynamics.inverse_dynamics(model, ql, qdl, qddl, theta)),
            regressor=np.array(dynamics.regressor(model, ql, qdl, qddl)),
            body_jacobian=np.array(dynamics.body_jacobian(model, ql)),
        )
        # what is zero but for rounding is measured by the size of its parts
        floor = 1e-3 * float(np.abs(M).max())
        for quantity, value in vars(want).items():
            error = np.abs(getattr(got, quantity) - value).max()
            scale = max(np.abs(value).max(), floor)
            worst[quantity] = max(worst.get(quantity, 0.0), float(error / scale))
    return worst
