"""A robot as plain numbers for programs in other languages; format: see rivals/rigid_tree.hpp."""

from __future__ import annotations

from symdyn._errors import UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.crosscheck.conventions import mass_properties
from symdyn.model.over import over
from symdyn.model.robot import JointKind, Robot
from symdyn.unit import theta_values

_KINDS = {
    JointKind.REVOLUTE: 0,
    JointKind.CONTINUOUS: 0,
    JointKind.PRISMATIC: 1,
    JointKind.HELICAL: 2,
}


def mass_parameters(robot: Robot) -> list[float]:
    """Per body mass, centre of mass and central tensor (xx yy zz xy yz xz), ten numbers."""
    mp, theta = MpAlgebra(40), theta_values(robot)
    out: list[float] = []
    for body in range(robot.n_bodies):
        m, centre, tensor = mass_properties(mp, theta[10 * body : 10 * body + 10])
        out += [m, *centre, *tensor]
    return out


def as_numbers(robot: Robot) -> str:
    """The text that rivals/rigid_tree.hpp reads.

    Raises
    ------
    UnsupportedError : the robot has mimic joints
    """
    if robot.n != robot.n_bodies:
        raise UnsupportedError(f"robot {robot.name!r} has mimic joints; rivals get none of these")
    model = over(robot, FLOAT64)
    parameters = mass_parameters(robot)
    lines = [str(robot.n_bodies), _line(model.gravity)]
    for k, link in enumerate(model.links):
        rotation = [entry for row in link.rotation for entry in row]
        lines.append(
            _line(
                [
                    *(_KINDS[link.kind], link.parent, *link.axis, *rotation, *link.translation),
                    *(link.pitch, link.armature, *parameters[10 * k : 10 * k + 10]),
                    *(int(flag) for flag in robot.bodies[k].symbolic),
                ]
            )
        )
    return "\n".join(lines) + "\n"


def _line(values: list[float] | tuple[float, ...]) -> str:
    return " ".join(repr(value) for value in values)
