"""The generalized robotics equation: inertial parameters that change and mass that moves in the
bodies.

    M(q, Theta) qdd + (C + M(q, Theta') + H(q, Psi)) qd + g = tau - J' Q Psi'          (39)

Of the twelve entries of psi of a body only six act, the momentum p = integral sigma rho v and the
angular momentum l = integral sigma rho x x v that the mass carries relative to the body: Q psi =
(p; l) is constant in body frames. With them every term of (39) is a wrench on a body, and one
outward and one inward recursion gives the torques; no matrix is formed.

Where mass enters or leaves a body (a source), its part of Theta' and Psi' does not act on the
equation of motion: pass Theta' minus the moments of the source and Psi' minus its momentum flux.
The printed equation is the case without that term: mass that arrives with zero absolute momentum.

J is the geometric body Jacobian and Q that of body twists; the printed (17)-(26) mix frames and are
wrong for planar arms too. The errata page of the derivations shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symdyn._errors import SizeError
from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates, check_theta
from symdyn.dynamics.crba import add_entry, mass_matrix, motion_subspace
from symdyn.dynamics.energy import kinetic_energy
from symdyn.dynamics.inertia import momentum_columns, rigid_inertia
from symdyn.dynamics.kinematics import body_jacobian
from symdyn.dynamics.motion import accelerations, twists
from symdyn.dynamics.regroup import regroup
from symdyn.dynamics.rnea import (
    Wrench,
    armature_matrix,
    body_wrench,
    collect,
    joint_force,
    wrench_to_parent,
)
from symdyn.dynamics.transform import JointTransform, half, joint_transforms
from symdyn.model.over import Model
from symdyn.spatial.momentum import ANGULAR, acting_momentum
from symdyn.spatial.vector import Vec3, add, cross, dot, neg


def check_psi(where: str, name: str, model: Model[S], psi: Sequence[S]) -> None:
    """Raise SizeError unless psi has twelve entries per body."""
    expected = 12 * len(model.links)
    if len(psi) != expected:
        raise SizeError(where, name, expected, len(psi), "Give twelve values per body, (27).")


def carried_momentum(psi: Sequence[S], body: int) -> Wrench[S]:
    """Q psi of one body: (p; l) that its moving mass carries relative to it, body frame."""
    return acting_momentum(psi[12 * body : 12 * body + 12])


def gyroscopic_wrench(mu: Wrench[S], v: Vec3[S], w: Vec3[S]) -> Wrench[S]:
    """Wrench that a body's carried momentum opposes to its twist: -[[0, S(p)], [S(p), S(l)]] (v;
    w).

    Source: closed form of H = sum_l J_l' dQ.../dq terms by the Lie bracket of body Jacobians,
    d_j J_k - d_k J_j = ad(J_k) J_j; checked against differentiation in the tests.
    """
    p, ell = mu
    return neg(cross(p, w)), neg(add(cross(p, v), cross(ell, w)))


def generalized_inverse_dynamics(
    model: Model[S],
    q: Sequence[S],
    qd: Sequence[S],
    qdd: Sequence[S],
    theta: Sequence[S],
    theta_dot: Sequence[S],
    psi: Sequence[S],
    psi_dot: Sequence[S],
) -> list[S]:
    """tau = M qdd + (C + M(q, Theta') + H(q, Psi)) qd + g + J' Q Psi', equation (39).

    Parameters
    ----------
    q, qd, qdd : (n,) [rad | m, per s, per s^2]
    theta, theta_dot : (10N,) inertial parameters and their rates, order of equation (7)
    psi, psi_dot : (12N,) moments of relative momentum and their rates, order of equation (27)

    Returns
    -------
    tau : (n,) [N m | N]

    Raises
    ------
    SizeError : a vector has the wrong length

    Notes
    -----
    O(N). With theta_dot, psi and psi_dot zero it is `inverse_dynamics`. Source terms of open bodies
    are subtracted from theta_dot and psi_dot by the caller, see the module's text.
    """
    check_state(
        "generalized_inverse_dynamics", model, q, qd, theta, theta_dot, psi, psi_dot, qdd=qdd
    )
    X = joint_transforms(model, q)
    wrenches = generalized_wrenches(
        model, X, qd, qdd, regroup(model, theta), theta_dot, psi, psi_dot
    )
    tau = collect(model, X, wrenches)
    rotors = armature_matrix(model)
    return [tau[k] + rotors[k] * qdd[k] for k in range(model.n)]


def check_state(
    where: str,
    model: Model[S],
    q: Sequence[S],
    qd: Sequence[S],
    theta: Sequence[S],
    theta_dot: Sequence[S],
    psi: Sequence[S],
    psi_dot: Sequence[S],
    **vectors: Sequence[S],
) -> None:
    """Raise SizeError unless all arguments of the generalized equation have their lengths."""
    check_coordinates(where, model, q=q, qd=qd, **vectors)
    check_theta(where, model, theta)
    check_theta(where, model, theta_dot)
    check_psi(where, "psi", model, psi)
    check_psi(where, "psi_dot", model, psi_dot)


def generalized_wrenches(
    model: Model[S],
    X: Sequence[JointTransform[S]],
    qd: Sequence[S],
    qdd: Sequence[S],
    grouped: Sequence[S],
    theta_dot: Sequence[S],
    psi: Sequence[S],
    psi_dot: Sequence[S],
) -> list[Wrench[S]]:
    """Wrench that each body needs for its motion, for its changes and for the mass it carries.

    ``grouped`` is theta after `regroup`; the rest as in `generalized_inverse_dynamics`.
    """
    V = twists(model, X, qd)
    sources = _rate_wrenches(model, V, theta_dot, psi_dot)
    wrenches: list[Wrench[S]] = []
    for i, acc in enumerate(accelerations(model, X, qd, qd, qdd)):
        f, n = body_wrench(grouped, i, acc)
        for part in (sources[i], gyroscopic_wrench(carried_momentum(psi, i), *V[i])):
            f, n = add(f, part[0]), add(n, part[1])
        wrenches.append((f, n))
    return wrenches


def _rate_wrenches(
    model: Model[S],
    V: Sequence[tuple[Vec3[S], Vec3[S]]],
    theta_dot: Sequence[S],
    psi_dot: Sequence[S],
) -> list[Wrench[S]]:
    """Z(Phi') V + Q psi' of each body."""
    grouped = regroup(model, theta_dot)
    out: list[Wrench[S]] = []
    for i, twist in enumerate(V):
        f, n = momentum_columns(rigid_inertia(grouped, i), *twist)
        p, ell = carried_momentum(psi_dot, i)
        out.append((add(f, p), add(n, ell)))
    return out


def source_torque(
    model: Model[S],
    q: Sequence[S],
    qd: Sequence[S],
    theta_source: Sequence[S],
    psi_source: Sequence[S],
) -> list[S]:
    """M(q, Theta'_src) qd + J' Q Psi_src: what mass that comes or goes adds to tau in (39).

    Parameters
    ----------
    q, qd : (n,) [rad | m, per s]
    theta_source : (10N,) moments of the sources, order of equation (7), per s
    psi_source : (12N,) their momentum flux relative to the bodies, order of equation (27) [N, N m]

    Returns
    -------
    forces : (n,) [N m | N]; equation (39) with the whole rates Theta' and Psi' has tau plus these
        on its right side. The thrust of a jet is one

    Raises
    ------
    SizeError : a vector has the wrong length
    """
    check_coordinates("source_torque", model, q=q, qd=qd)
    check_theta("source_torque", model, theta_source)
    check_psi("source_torque", "psi_source", model, psi_source)
    X = joint_transforms(model, q)
    V = twists(model, X, qd)
    return collect(model, X, _rate_wrenches(model, V, theta_source, psi_source))


def changing_mass_matrix(model: Model[S], q: Sequence[S], theta_dot: Sequence[S]) -> list[list[S]]:
    """M(q, Theta'): the part of dM/dt that comes from inertial parameters that change.

    Parameters
    ----------
    q : (n,) [rad | m]
    theta_dot : (10N,) rates of the inertial parameters, order of equation (7)

    Returns
    -------
    M' : (n, n), symmetric; no rotor turns in Theta', so it holds no armature. dM/dt along a motion
        is C + C' plus this

    Raises
    ------
    SizeError : a vector has the wrong length
    """
    return mass_matrix(without_rotors(model), q, theta_dot)


def without_rotors(model: Model[S]) -> Model[S]:
    """The same robot without armature, which belongs to M(q, Theta) only."""
    zero = model.algebra.const(0)
    return replace(model, links=tuple(replace(link, armature=zero) for link in model.links))


def gyroscopic_matrix(model: Model[S], q: Sequence[S], psi: Sequence[S]) -> list[list[S]]:
    """H(q, Psi), skew-symmetric: gyroscopic coupling by mass that moves inside the bodies.

    Parameters
    ----------
    q : (n,) [rad | m]
    psi : (12N,) order of equation (27)

    Returns
    -------
    H : (n, n) [N m s/rad | N s/m]

    Raises
    ------
    SizeError : a vector has the wrong length

    Notes
    -----
    O(N depth). The carried momentum of a subtree is a sum and moves between frames like a wrench.
    Slow twin: `gyroscopic_matrix_by_derivatives`.
    """
    check_coordinates("gyroscopic_matrix", model, q=q)
    check_psi("gyroscopic_matrix", "psi", model, psi)
    links = model.links
    X = joint_transforms(model, q)
    total = [carried_momentum(psi, i) for i in range(len(links))]
    for i in range(len(links) - 1, -1, -1):
        parent = links[i].parent
        if parent >= 0:
            p, ell = wrench_to_parent(X[i], total[i])
            total[parent] = (add(total[parent][0], p), add(total[parent][1], ell))
    zero = model.algebra.const(0)
    H = [[zero] * model.n for _ in range(model.n)]
    for k, link in enumerate(links):
        wrench = gyroscopic_wrench(total[k], *motion_subspace(model, link))
        j = k
        while links[j].parent >= 0:
            wrench = wrench_to_parent(X[j], wrench)
            j = links[j].parent
            value = joint_force(links[j], wrench)
            add_entry(model, H, links[j], link, value)
            add_entry(model, H, link, links[j], -value)
    return H


def momentum_map(model: Model[S], q: Sequence[S]) -> list[list[S]]:
    """J' Q: generalized momentum of a unit of each entry of Psi; (n, 12N), times Psi' in (39).

    Raises
    ------
    SizeError : q has the wrong length
    """
    check_coordinates("momentum_map", model, q=q)
    zero = model.algebra.const(0)
    N = len(model.links)
    J = body_jacobian(model, q)
    out = [[zero] * (12 * N) for _ in range(model.n)]
    for body in range(N):
        for k in range(model.n):
            row = out[k]
            for axis in range(3):
                row[12 * body + axis] = J[6 * body + axis][k]
                plus, minus = ANGULAR[axis]
                row[12 * body + plus] = J[6 * body + 3 + axis][k]
                row[12 * body + minus] = -J[6 * body + 3 + axis][k]
    return out


def generalized_kinetic_energy(
    model: Model[S],
    q: Sequence[S],
    qd: Sequence[S],
    theta: Sequence[S],
    psi: Sequence[S],
    nu: Sequence[S],
) -> S:
    """T = qd' M qd / 2 + qd' J' Q Psi + sum(nu) / 2 [J].

    Parameters
    ----------
    nu : (N,) integral sigma rho v.v of each body, equation (25)

    Raises
    ------
    SizeError : a vector has the wrong length
    """
    check_psi("generalized_kinetic_energy", "psi", model, psi)
    if len(nu) != len(model.links):
        raise SizeError("generalized_kinetic_energy", "nu", len(model.links), len(nu))
    X = joint_transforms(model, q)
    inner = model.algebra.const(0)
    total = kinetic_energy(model, q, qd, theta)
    for i, (v, w) in enumerate(twists(model, X, qd)):
        p, ell = carried_momentum(psi, i)
        total = total + (dot(v, p) + dot(w, ell))
        inner = inner + nu[i]
    return total + half(model) * inner


def gyroscopic_matrix_by_derivatives(
    model: Model[S],
    momentum: Sequence[S],
    derivative: Sequence[Sequence[S]],
) -> list[list[S]]:
    """H_kj = d(momentum_k)/dq_j - d(momentum_j)/dq_k with momentum = J' Q Psi. The slow twin.

    Parameters
    ----------
    momentum : (n,) J' Q Psi, only its length is used
    derivative : (n, n) derivative[k][j] = d(momentum_k)/dq_j

    Notes
    -----
    From d/dt dT/dqd - dT/dq for the part of T linear in qd, equation (43).
    """
    n = len(momentum)
    zero = model.algebra.const(0)
    return [
        [zero if k == j else derivative[k][j] - derivative[j][k] for j in range(n)]
        for k in range(n)
    ]
