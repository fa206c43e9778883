"""Whether mass that changes stays mass for the time of a simulation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.mass_recipes import changes
from symdyn.model.mass_motion import mass_at
from symdyn.model.robot import Robot
from symdyn.spatial.inertia import as_phi, pseudo_inertia

#: Eigenvalues of f(Phi) below zero by less than this part of the largest one are rounding: those of
#: rods and points are zero.
_ROUNDING = 1e-9


def check_mass(robot: Robot, times: Sequence[float]) -> None:
    """Raise InputError at the first time at which a body that changes cannot exist.

    Looked at are the given times only; between them nothing is claimed.

    Raises
    ------
    InputError : its numbers are not finite, or its pseudo-inertia has a negative eigenvalue
    """
    if not changes(robot):
        return
    for t in times:
        try:
            theta = mass_at(robot, FLOAT64, t).theta
        except (ZeroDivisionError, OverflowError, ValueError):
            theta = [float("nan")] * (10 * robot.n_bodies)
        for k, body in enumerate(robot.bodies):
            if body.motion is None:
                continue
            f = np.array(pseudo_inertia(FLOAT64, as_phi(theta[10 * k : 10 * k + 10])))
            finite = bool(np.all(np.isfinite(f)))
            values = np.linalg.eigvalsh(f) if finite else f[0]
            if not finite or values[0] < -_ROUNDING * np.max(np.abs(values)):
                raise InputError(
                    f"no mass has the inertial parameters of {body.name!r} at t = {t:.6g} s",
                    where=f"simulate {robot.name!r}",
                    expected="f(Phi) without negative eigenvalues at all times of the motion",
                    got=f"eigenvalue {values[0]:.6g}" if finite else "numbers that are not finite",
                    remedy="Simulate a shorter time, or mend the distribution.",
                )
