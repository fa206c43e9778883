"""Kinetic and potential energy of the bodies, from their inertial parameters.

For the body frame's origin p, velocity v and angular velocity w, mass m, first moment h = m c and
inertia tensor I about the origin,

    T = 1/2 m v.v + v.(w x h) + 1/2 w.I w,    U = -gravity.(m p + R h),

which is the integral of 1/2 rho |v + w x r|^2 and of -rho gravity.r over the body: the distribution
of its mass enters through m, h, I only (equations (7), (24) and (36) of the paper, its g being the
negative of ``gravity``).
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from typing import TYPE_CHECKING

from symdyn.lagrange.coordinates import Coordinates
from symdyn.lagrange.kinematics import (
    geometric_jacobians,
    homogeneous_transforms,
    position_part,
    rotation_part,
)
from symdyn.model.robot import Robot

if TYPE_CHECKING:
    import sympy


def kinetic_energy(robot: Robot, x: Coordinates) -> sympy.Expr:
    """T(q, qd) of all bodies and rotors [J]; a rotor of inertia J adds 1/2 J (joint rate)^2."""
    import sympy

    half = sympy.Rational(1, 2)
    energies: list[sympy.Expr] = []
    for body, (v, w) in enumerate(body_twists(robot, x)):
        m, h, inertia = mass_properties(x, body)
        energies.append(half * m * v.dot(v) + v.dot(w.cross(h)) + half * w.dot(inertia * w))
    return sympy.Add(*energies, rotor_energy(robot, x))


def body_twists(robot: Robot, x: Coordinates) -> list[tuple[sympy.Matrix, sympy.Matrix]]:
    """v and w (3, 1) of each body's frame along the axes of the body, where h and I are at home."""
    import sympy

    qd = sympy.Matrix(x.qd)
    twists: list[tuple[sympy.Matrix, sympy.Matrix]] = []
    poses, jacobians = homogeneous_transforms(robot, x), geometric_jacobians(robot, x)
    for pose, jacobian in zip(poses, jacobians, strict=True):
        turn = rotation_part(pose).T
        linear, angular = jacobian[:3, :], jacobian[3:, :]
        twists.append((turn * (linear * qd), turn * (angular * qd)))
    return twists


def rotor_energy(robot: Robot, x: Coordinates) -> sympy.Expr:
    """Kinetic energy of the rotors against their joints [J]."""
    import sympy

    half = sympy.Rational(1, 2)
    energies: list[sympy.Expr] = []
    for joint in robot.joints:
        rate = x.number(joint.multiplier) * x.qd[joint.coordinate]
        energies.append(half * x.number(joint.armature) * rate**2)
    return sympy.Add(*energies)


def potential_energy(robot: Robot, x: Coordinates) -> sympy.Expr:
    """U(q) of all bodies, zero for masses at the base's origin [J]."""
    import sympy

    gravity = sympy.Matrix(x.numbers(robot.gravity))
    energies: list[sympy.Expr] = []
    for body, pose in enumerate(homogeneous_transforms(robot, x)):
        m, h, _ = mass_properties(x, body)
        energies.append(-gravity.dot(position_part(pose) * m + rotation_part(pose) * h))
    return sympy.Add(*energies)


def mass_properties(x: Coordinates, body: int) -> tuple[sympy.Expr, sympy.Matrix, sympy.Matrix]:
    """m, h (3, 1) and I (3, 3) of a body, out of theta."""
    import sympy

    m, h1, h2, h3, I11, I22, I33, I12, I23, I13 = x.theta[10 * body : 10 * body + 10]
    inertia = sympy.Matrix([[I11, I12, I13], [I12, I22, I23], [I13, I23, I33]])
    return m, sympy.Matrix([h1, h2, h3]), inertia
