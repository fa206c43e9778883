"""What is used of SciPy, with types: adaptive integrators and a bracketed root."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportAttributeAccessIssue=false
# pyright: reportArgumentType=false
# SciPy's integrators and root finders are typed only in part
from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

import numpy as np
from scipy.integrate import DOP853, solve_ivp
from scipy.optimize import brentq

from symdyn._errors import UnsupportedError
from symdyn.algebra.float64 import Array

Method = Literal["Radau", "BDF", "LSODA", "DOP853"]


class Dop853:
    """Explicit Runge-Kutta method of order 8, step by step, with dense output.

    Source: Hairer, Norsett, Wanner 1993, section II.5.
    """

    def __init__(
        self,
        rate: Callable[[float, Array], Array],
        t: float,
        y: Array,
        end: float,
        rtol: float,
        atol: float,
        largest_step: float,
    ) -> None:
        self._solver = DOP853(rate, t, y, end, rtol=rtol, atol=atol, max_step=largest_step)

    @property
    def is_running(self) -> bool:
        """Whether the end is not reached."""
        return bool(self._solver.status == "running")

    @property
    def t(self) -> float:
        """Present time."""
        return float(self._solver.t)

    @property
    def y(self) -> Array:
        """Present state."""
        return cast("Array", np.array(self._solver.y))

    def step(self) -> tuple[float, Callable[[float], Array]]:
        """Take one step; returns where it began, and the state as a function of time within it.

        Raises
        ------
        UnsupportedError : the step size falls below the spacing of numbers
        """
        began = self.t
        message = self._solver.step()
        if self._solver.status == "failed":
            raise UnsupportedError(f"the integrator fails at t = {self.t:g} s: {message}")
        return began, cast("Callable[[float], Array]", self._solver.dense_output())


def root(f: Callable[[float], float], low: float, high: float) -> float:
    """Zero of f between two points at which it has different signs, to the last place."""
    return float(cast("float", brentq(f, low, high, xtol=1e-15, rtol=8.9e-16)))


def integrate(
    rate: Callable[[float, Array], Array],
    start: Array,
    times: Array,
    method: Method,
    rtol: float,
    atol: Array,
    largest_step: float,
) -> tuple[Array, int]:
    """States at ``times``, (m, n), and the number of evaluations of ``rate``.

    Raises
    ------
    UnsupportedError : the method fails before the end
    """
    count = 0

    def counted(t: float, x: Array) -> Array:
        nonlocal count
        count += 1
        return rate(t, x)

    # SciPy's own differences grow without bound for a state that nothing depends on
    is_implicit = method in ("Radau", "BDF")
    extra = {"jac": _differences(counted, _TYPICAL * atol)} if is_implicit else {}
    done = solve_ivp(
        counted,
        (times[0], times[-1]),
        start,
        method=method,
        t_eval=times,
        rtol=rtol,
        atol=atol,
        max_step=largest_step,
        **extra,
    )
    if not done.success:
        raise UnsupportedError(f"{method} fails: {done.message}")
    return cast("Array", np.array(done.y.T)), count


#: Size of a state below which differences shrink no further, in units of its tolerance.
_TYPICAL = 1e6


def _differences(
    rate: Callable[[float, Array], Array], typical: Array
) -> Callable[[float, Array], Array]:
    """df/dx by forward differences."""

    def jacobian(t: float, x: Array) -> Array:
        base = rate(t, x)
        columns: list[Array] = []
        for k in range(len(x)):
            moved = np.array(x)
            moved[k] += 1.5e-8 * max(abs(float(x[k])), float(typical[k]))
            columns.append((rate(t, moved) - base) / (moved[k] - x[k]))
        return np.array(columns).T

    return jacobian
