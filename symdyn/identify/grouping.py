"""What a base parameter stands for: itself, and the parameters that move with it.

Columns of the regressor outside of the base are combinations of those in it, the same ones at
every state. So tau = Y_b beta with beta = theta_b + K theta_d. K is read off the columns of random
states; that it holds at others is checked.
Source: Gautier and Khalil 1990; Khalil and Dombre 2002, ch. 9.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from symdyn import dynamics
from symdyn._errors import VerificationError
from symdyn.algebra.float64 import ARRAYS, Array
from symdyn.base_parameters import BaseParameters, base_parameters
from symdyn.model.over import over
from symdyn.model.robot import Robot
from symdyn.recipes import theta_names

_SEED = 20240607
#: Coefficients below this are rounding of zero.
_ZERO = 1e-9


@dataclass(frozen=True, slots=True)
class Grouping:
    """The map from all inertial parameters to the base parameters.

    Attributes
    ----------
    base : count, names and the chance that there are more
    columns : (b,) indices of the base in theta
    matrix : (b, 10N) with beta = matrix @ theta
    names : (10N,) of theta
    """

    base: BaseParameters
    columns: tuple[int, ...]
    matrix: Array
    names: tuple[str, ...]

    def parts(self, index: int) -> tuple[tuple[float, str], ...]:
        """What base parameter number ``index`` is the sum of."""
        row = self.matrix[index]
        return tuple(
            (float(row[k]), self.names[k]) for k in np.flatnonzero(np.abs(row) > _ZERO).tolist()
        )

    def words(self, index: int) -> str:
        """The same, to read: ``I33@link1 + 0.25 m@link2``."""
        text = ""
        own = self.columns[index]
        ordered = sorted(self.parts(index), key=lambda part: self.names[own] != part[1])
        for factor, name in ordered:
            size = "" if abs(abs(factor) - 1) < _ZERO else f"{abs(factor):.6g} "
            joint = " - " if factor < 0 else " + "
            text += f"{joint if text else '-' * (factor < 0)}{size}{name}"
        return text


def regressor_rows(robot: Robot, q: Array, qd: Array, qdd: Array) -> Array:
    """Regressor of many states.

    Parameters
    ----------
    q, qd, qdd : (m, n)

    Returns
    -------
    Y : (n, m, 10N), joint by joint
    """
    m = q.shape[0]
    model = over(robot, ARRAYS)
    Y = dynamics.regressor(model, list(q.T), list(qd.T), list(qdd.T))
    return np.array([np.column_stack([np.broadcast_to(x, (m,)) for x in row]) for row in Y])


def grouping(robot: Robot) -> Grouping:
    """Base parameters of a robot and what each of them stands for.

    Raises
    ------
    VerificationError : the combination found at some states does not hold at others
    """
    base = base_parameters(robot)
    names = theta_names(robot)
    columns = tuple(names.index(name) for name in base.independent)
    states = 4 * len(names) // max(1, robot.n) + 20
    random = np.random.default_rng(_SEED)

    def draw() -> Array:
        q, qd, qdd = (random.uniform(-2, 2, (states, robot.n)) for _ in range(3))
        return regressor_rows(robot, q, qd, qdd).reshape(-1, len(names))

    W, other = draw(), draw()
    size = np.max(np.abs(W[:, columns]), axis=0)
    left, right = np.linalg.qr(W[:, columns] / size)
    K = np.linalg.solve(right, left.T @ W) / size[:, None]
    K[np.abs(K) < _ZERO] = 0.0
    worst = float(np.max(np.abs(other[:, columns] @ K - other)))
    if worst > 1e-8 * float(np.max(np.abs(other))):
        raise VerificationError(
            f"grouping of {robot.name!r}: the base does not span the regressor (off by {worst:.3g})"
        )
    return Grouping(base, columns, K, tuple(names))


def base_values(found: Grouping, theta: Sequence[float]) -> Array:
    """Values of the base parameters for given inertial parameters, (b,)."""
    return found.matrix @ np.asarray(theta, dtype=np.float64)
