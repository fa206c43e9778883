"""Reference integration of a system by SciPy: implicit methods for stiff systems, tight tolerances.

The right side runs in compiled C where there is a compiler. |v| in bristle laws makes the right
side only Lipschitz at v = 0, so that the order of a method falls there; the error control sees it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.simulate.march import Engine
from symdyn.simulate.native import is_available, native_rate
from symdyn.simulate.scipy_ import Method, integrate
from symdyn.simulate.system import System


@dataclass(frozen=True, slots=True)
class Solution:
    """States at the wanted times.

    Attributes
    ----------
    times : (m,) [s]
    states : (m, n)
    evaluations : of the right side
    engine : ``native`` or ``python``
    """

    times: Array
    states: Array
    evaluations: int
    engine: str


def right_side(
    system: System, values: Mapping[str, float], engine: Engine = "auto"
) -> tuple[Callable[[float, Array], Array], str]:
    """f(t, x) with the parameters built in, and the engine that runs it."""
    own = system.check(values)
    if engine == "native" or (engine == "auto" and is_available()):
        return native_rate(system, own), "native"

    def rate(t: float, x: Array) -> Array:
        return np.array(system.rate(FLOAT64, float(t), x.tolist(), own))

    return rate, "python"


def solve(
    system: System,
    values: Mapping[str, float],
    start: Sequence[float],
    times: Sequence[float],
    *,
    method: Method = "Radau",
    rtol: float = 1e-8,
    atol: float | Sequence[float] = 1e-12,
    largest_step: float = math.inf,
    engine: Engine = "auto",
) -> Solution:
    """Integrate a system adaptively.

    Parameters
    ----------
    system, values : what to integrate
    start : (n,) states at times[0]
    times : at which states are wanted, increasing [s]
    method : ``Radau``, ``BDF`` and ``LSODA`` are for stiff systems, ``DOP853`` for others
    rtol, atol : tolerances; atol may be given per state. Bristle deflections are small: keep it far
        below Fs/sigma0
    largest_step : [s]; bound it where the parameters change the system for a short time only
    engine : of the right side

    Returns
    -------
    Solution

    Raises
    ------
    InputError : values, start or times do not fit
    UnsupportedError : the method fails before the end

    Examples
    --------
    >>> from symdyn.friction.lugre import LUGRE
    >>> from symdyn.simulate.prescribed import STEADY, prescribed_system
    >>> values = dict(Fc=1, Fs=1.5, vs=0.01, alpha=2, sigma0=1e4, sigma1=99.5, sigma2=0.5)
    >>> found = solve(prescribed_system(LUGRE, STEADY), {**values, "velocity": 3}, [0], [0, 0.2])
    >>> float(1e4 * found.states[-1, 0])  # sigma0 z tends to h(3) = Fc
    1.0...
    """
    grid = np.array(times, dtype=float)
    if len(grid) < 2 or not bool(np.all(np.isfinite(grid))) or not bool(np.all(np.diff(grid) > 0)):
        raise InputError("times have to increase", where="solve", got=repr(times)[:60])
    x = np.array(system.check_state(start))
    rate, name = right_side(system, values, engine)
    tolerance = np.broadcast_to(np.array(atol, dtype=float), (system.n,))
    states, count = integrate(rate, x, grid, method, rtol, tolerance, largest_step)
    return Solution(grid, states, count, name)
