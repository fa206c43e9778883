"""Motion of a robot whose bodies change or carry moving mass, without friction, to a tolerance.

Equation (39) in the frame that every motion has: `simulate.mechanism` holds the equation and its
balance of energy, `simulate.stick_slide` integrates it with DOP853. `simulate.robot_run` takes the
friction of a robot file, controllers and fixed steps as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.algebra.float64 import Array
from symdyn.model.robot import Robot
from symdyn.simulate.mechanism import Actuation, robot_mechanism
from symdyn.simulate.stick_slide import simulate_ideal
from symdyn.simulate.trajectory import Trajectory


def simulate_changing_mass(
    robot: Robot,
    q0: Sequence[float],
    v0: Sequence[float],
    times: Sequence[float],
    torques: Actuation | None = None,
    *,
    tolerance: float = 1e-12,
) -> Trajectory:
    """Integrate the generalized robotics equation.

    Parameters
    ----------
    robot : its bodies with the motion of their mass, see `symdyn.mass_recipes.with_mass`
    q0, v0 : (n,) start [rad | m, per s]
    times : (m,) increasing; the motion starts at the first [s]
    torques : of the drives at (t, q, v); zero if None
    tolerance : relative and absolute, of every state and of the works

    Returns
    -------
    Trajectory : `Trajectory.mass` has what the changing mass does with the energy

    Raises
    ------
    InputError : a size or the times do not fit; M(q) ceases to be positive definite
    UnsupportedError : the integrator fails before the end
    """
    return simulate_ideal(
        robot_mechanism(robot), (), torques or _no_torque, q0, v0, times,
        rtol=tolerance, atol=tolerance,
    )  # fmt: skip


def _no_torque(t: float, q: Array, v: Array) -> Array:
    return 0 * q
