"""Forward dynamics of the generalized equation: the two roads of `forward` and `articulated`.

Both start from the bias of (39), what it asks for at qdd = 0, and M(q, Theta) is the classical one:
mass that changes or moves is in the bias alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import S
from symdyn.dynamics.articulated import solve_articulated
from symdyn.dynamics.check import check_coordinates
from symdyn.dynamics.crba import mass_matrix
from symdyn.dynamics.forward import solve_mass
from symdyn.dynamics.generalized import (
    check_state,
    generalized_inverse_dynamics,
    generalized_wrenches,
)
from symdyn.dynamics.regroup import regroup
from symdyn.dynamics.transform import joint_transforms
from symdyn.model.over import Model


def generalized_forward_dynamics(
    model: Model[S],
    q: Sequence[S],
    qd: Sequence[S],
    tau: Sequence[S],
    theta: Sequence[S],
    theta_dot: Sequence[S],
    psi: Sequence[S],
    psi_dot: Sequence[S],
) -> list[S]:
    """Accelerations qdd that solve equation (39) for given generalized forces.

    Parameters
    ----------
    q, qd, tau : (n,) [rad | m, per s, N m | N]
    theta, theta_dot : (10N,) inertial parameters and their rates, order of equation (7)
    psi, psi_dot : (12N,) moments of relative momentum and their rates, order of equation (27)

    Returns
    -------
    qdd : (n,) [rad/s^2 | m/s^2]; not finite where M(q) is singular

    Raises
    ------
    SizeError : a vector has the wrong length

    Notes
    -----
    O(N depth^2) with a small constant; `generalized_articulated_body` is O(N).
    """
    check_coordinates("generalized_forward_dynamics", model, tau=tau)
    rest = [model.algebra.const(0)] * model.n
    bias = generalized_inverse_dynamics(model, q, qd, rest, theta, theta_dot, psi, psi_dot)
    right = [tau[k] - bias[k] for k in range(model.n)]
    return solve_mass(model, mass_matrix(model, q, theta), right)


def generalized_articulated_body(
    model: Model[S],
    q: Sequence[S],
    qd: Sequence[S],
    tau: Sequence[S],
    theta: Sequence[S],
    theta_dot: Sequence[S],
    psi: Sequence[S],
    psi_dot: Sequence[S],
) -> list[S]:
    """The same by the articulated-body algorithm; arguments as `generalized_forward_dynamics`.

    Raises
    ------
    SizeError : a vector has the wrong length
    UnsupportedError : the robot has mimic joints, which couple bodies across the tree
    """
    where = "generalized_articulated_body"
    check_state(where, model, q, qd, theta, theta_dot, psi, psi_dot, tau=tau)
    X = joint_transforms(model, q)
    grouped = regroup(model, theta)
    rest = [model.algebra.const(0)] * model.n
    biases = generalized_wrenches(model, X, qd, rest, grouped, theta_dot, psi, psi_dot)
    return solve_articulated(model, X, grouped, biases, tau)
