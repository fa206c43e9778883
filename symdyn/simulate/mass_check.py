"""Whether mass that changes stays mass for the time of a simulation."""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.mass_recipes import impossible_mass
from symdyn.model.robot import Robot


def check_mass(robot: Robot, times: Sequence[float]) -> None:
    """Raise InputError at the first time at which a body that changes cannot exist.

    Looked at are the given times only; between them nothing is claimed.

    Raises
    ------
    InputError : its numbers are not finite, its pseudo-inertia has a negative eigenvalue, or its
        relative momentum takes more energy than it has
    """
    found = impossible_mass(robot, times)
    if found is not None:
        raise found.error(
            f"simulate {robot.name!r}", "Simulate a shorter time, or mend the distribution."
        )
