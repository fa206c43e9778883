"""Records of motion: periodic excitation, torques from the library's own inverse dynamics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symdyn import dynamics
from symdyn.algebra.float64 import ARRAYS, Array
from symdyn.model.over import over
from symdyn.model.robot import Robot
from symdyn.unit import theta_values


def excitation(
    n: int, count: int, seed: int = 0, size: float = 0.5, harmonics: int = 5, period: float = 10.0
) -> tuple[Array, Array, Array]:
    """Random Fourier series over one period: q, qd, qdd of shape (count, n)."""
    random = np.random.default_rng(seed)
    x = 2 * np.pi * np.arange(count) / count
    q, qd, qdd = np.zeros((count, n)), np.zeros((count, n)), np.zeros((count, n))
    for k in range(1, harmonics + 1):
        a, b = size * random.normal(size=(2, n)) / k
        w = 2 * np.pi * k / period
        s, c = np.sin(k * x)[:, None], np.cos(k * x)[:, None]
        q += a * s + b * c
        qd += w * (a * c - b * s)
        qdd -= w * w * (a * s + b * c)
    return q, qd, qdd


def torques(robot: Robot, q: Array, qd: Array, qdd: Array) -> Array:
    """Rigid-body torques, (count, n), armature included."""
    theta = [np.asarray(float(x)) for x in theta_values(robot)]
    states: Sequence[list[Array]] = [list(x.T) for x in (q, qd, qdd)]
    tau = dynamics.inverse_dynamics(over(robot, ARRAYS), *states, theta)
    return np.array([np.broadcast_to(x, (q.shape[0],)) for x in tau]).T
