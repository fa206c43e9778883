"""Kinetic and potential energy."""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.protocol import S
from symdyn.dynamics.check import check_coordinates, check_theta
from symdyn.dynamics.inertia import momentum_columns, rigid_inertia
from symdyn.dynamics.kinematics import poses
from symdyn.dynamics.motion import twists
from symdyn.dynamics.regroup import regroup
from symdyn.dynamics.rnea import armature_matrix
from symdyn.dynamics.transform import half, joint_transforms
from symdyn.model.over import Model
from symdyn.spatial.vector import add, apply, dot, scale


def kinetic_energy(model: Model[S], q: Sequence[S], qd: Sequence[S], theta: Sequence[S]) -> S:
    """T(q, qd) = qd' M qd / 2, summed over the bodies, rotors included [J].

    Raises
    ------
    SizeError : a vector has the wrong length
    """
    check_coordinates("kinetic_energy", model, q=q, qd=qd)
    check_theta("kinetic_energy", model, theta)
    X = joint_transforms(model, q)
    grouped = regroup(model, theta)
    total = model.algebra.const(0)
    for i, (v, w) in enumerate(twists(model, X, qd)):
        f, n = momentum_columns(rigid_inertia(grouped, i), v, w)
        total = total + (dot(v, f) + dot(w, n))
    for k, rotor in enumerate(armature_matrix(model)):
        total = total + rotor * (qd[k] * qd[k])
    return half(model) * total


def potential_energy(model: Model[S], q: Sequence[S], theta: Sequence[S]) -> S:
    """U(q) = -sum_l gravity . (m_l p_l + R_l h_l), zero for masses at the base's origin [J].

    Equation (36) of the paper with g = -gravity and both terms under the sum. The sum is over the
    moving bodies: masses that are rigidly part of the base add a constant, which is left out, as
    Pinocchio leaves it out.

    Raises
    ------
    SizeError : a vector has the wrong length
    """
    check_coordinates("potential_energy", model, q=q)
    check_theta("potential_energy", model, theta)
    total = model.algebra.const(0)
    for i, (R, p) in enumerate(poses(model, joint_transforms(model, q))):
        inertia = rigid_inertia(theta, i)
        total = total - dot(model.gravity, add(scale(inertia.m, p), apply(R, inertia.h)))
    return total
