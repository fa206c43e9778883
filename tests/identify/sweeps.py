"""The sweep and the parameters that the reference numbers of the steady curve belong to."""

from __future__ import annotations

import numpy as np

from symdyn.algebra.float64 import Array
from symdyn.friction.stribeck import STRIBECK
from symdyn.identify.columns import steady_force

#: A joint of moderate size; alpha = 2.
TRUE = {"Fc": 1.0, "Fs": 1.5, "vs": 0.01, "alpha": 2.0, "b": 0.5}
FITTED = ("Fc", "Fs", "vs", "b")
NOISE = 0.05


def both_ways(low: float, high: float, count: int = 25) -> Array:
    """Log-spaced speeds in both directions."""
    speeds = np.geomspace(low, high, count)
    return np.concatenate((-speeds[::-1], speeds))


def friction(v: Array) -> Array:
    """Exact friction at these speeds."""
    return steady_force(STRIBECK, TRUE, v)


WIDE = both_ways(0.002, 2.0)
SLOW = both_ways(0.002, 0.05)
FAST = both_ways(0.2, 2.0)
