"""Homogeneous transforms and geometric Jacobians, written out as in a first course.

Source: Siciliano et al. 2009, sections 2.7 and 3.1; Rodrigues' formula: eq. (2.25) there.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from symdyn.lagrange.coordinates import Coordinates
from symdyn.model.robot import Joint, JointKind, Robot

if TYPE_CHECKING:
    import sympy


def joint_transform(joint: Joint, x: Coordinates) -> sympy.Matrix:
    """(4, 4) pose of the body's frame in its parent's frame: placement times motion."""
    import sympy

    angle_or_shift = x.number(joint.multiplier) * x.q[joint.coordinate] + x.number(joint.offset)
    axis = sympy.Matrix(x.numbers(joint.axis))
    turn, shift = sympy.eye(3), sympy.zeros(3, 1)
    match joint.kind:
        case JointKind.REVOLUTE | JointKind.CONTINUOUS:
            turn = rotation_about(axis, angle_or_shift)
        case JointKind.PRISMATIC:
            shift = axis * angle_or_shift
        case JointKind.HELICAL:
            turn = rotation_about(axis, angle_or_shift)
            shift = axis * (x.number(joint.pitch) * angle_or_shift)
    rotation = sympy.Matrix([x.numbers(row) for row in joint.rotation])
    translation = sympy.Matrix(x.numbers(joint.translation))
    return homogeneous(rotation, translation) * homogeneous(turn, shift)


def rotation_about(axis: sympy.Matrix, angle: sympy.Expr) -> sympy.Matrix:
    """cos I + (1 - cos) a a' + sin S(a) for a unit axis a."""
    import sympy

    c, s = sympy.cos(angle), sympy.sin(angle)
    return sympy.eye(3) * c + axis * axis.T * (1 - c) + skew(axis) * s


def skew(a: sympy.Matrix) -> sympy.Matrix:
    """S(a) with S(a) b = a x b."""
    import sympy

    x, y, z = a.flat()
    return sympy.Matrix([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def homogeneous(rotation: sympy.Matrix, translation: sympy.Matrix) -> sympy.Matrix:
    """[[R, p], [0, 1]]"""
    import sympy

    bottom = sympy.Matrix([[0, 0, 0, 1]])
    return rotation.row_join(translation).col_join(bottom)


def rotation_part(pose: sympy.Matrix) -> sympy.Matrix:
    """R (3, 3) of a homogeneous transform."""
    return cast("sympy.Matrix", pose[:3, :3])


def position_part(pose: sympy.Matrix) -> sympy.Matrix:
    """p (3, 1) of a homogeneous transform."""
    return cast("sympy.Matrix", pose[:3, 3])


def homogeneous_transforms(robot: Robot, x: Coordinates) -> list[sympy.Matrix]:
    """(4, 4) pose of each body's frame in the base frame, in the order of the bodies."""
    poses: list[sympy.Matrix] = []
    for joint in robot.joints:
        step = joint_transform(joint, x)
        poses.append(step if joint.parent < 0 else poses[joint.parent] * step)
    return poses


def geometric_jacobians(robot: Robot, x: Coordinates) -> list[sympy.Matrix]:
    """(6, n) Jacobian of each body, from qd to the velocity of its frame, both in the base frame.

    Rows 1-3: velocity of the frame's origin [m/s]; rows 4-6: angular velocity [rad/s]. The column
    of a joint on the way to the body is (z x (p_l - p_j); z) if it turns about z, (z; 0) if it
    shifts along z, their sum with the pitch if it is helical. Joints that follow another one add to
    the column of its coordinate, times their multiplier.
    """
    import sympy

    poses = homogeneous_transforms(robot, x)
    # the axis is the same in the frame before and after the joint's motion
    axes = [
        rotation_part(poses[j]) * sympy.Matrix(x.numbers(joint.axis))
        for j, joint in enumerate(robot.joints)
    ]
    jacobians: list[sympy.Matrix] = []
    for body in range(robot.n_bodies):
        jacobian = sympy.zeros(6, robot.n)
        j = body
        while j >= 0:
            joint, z = robot.joints[j], axes[j]
            arm = position_part(poses[body]) - position_part(poses[j])
            linear, angular = sympy.zeros(3, 1), sympy.zeros(3, 1)
            if joint.kind is JointKind.PRISMATIC:
                linear = z
            else:
                linear, angular = z.cross(arm), z
                if joint.kind is JointKind.HELICAL:
                    linear = linear + z * x.number(joint.pitch)
            column = linear.col_join(angular) * x.number(joint.multiplier)
            jacobian[:, joint.coordinate] = jacobian.col(joint.coordinate) + column
            j = joint.parent
        jacobians.append(jacobian)
    return jacobians
