"""Outputs of a system along a walk, and friction along a measured motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from symdyn._errors import InputError, SizeError, UnsupportedError
from symdyn.algebra.float64 import ARRAYS, FLOAT64, Array
from symdyn.friction.law import FrictionLaw
from symdyn.simulate.system import System


def outputs(
    system: System, values: Mapping[str, float], times: Array, states: Array
) -> dict[str, Array]:
    """Outputs of a system at many states at once.

    Parameters
    ----------
    system, values : the system and its parameters
    times : (m,) [s]
    states : (m, n)

    Returns
    -------
    name of each output to (m,)

    Raises
    ------
    UnsupportedError : the system has no outputs
    """
    if system.observe is None:
        raise UnsupportedError(f"outputs: system {system.name} has none.")
    p = {name: np.asarray(value) for name, value in system.check(values).items()}
    columns = [states[:, k] for k in range(system.n)]
    with ARRAYS.scope():
        found = system.observe(ARRAYS, times, columns, p)
    return {
        q.name: np.broadcast_to(value, times.shape)
        for q, value in zip(system.outputs, found, strict=True)
    }


def friction_along(
    law: FrictionLaw,
    values: Mapping[str, float],
    times: Sequence[float],
    velocities: Sequence[float],
    *,
    state: Sequence[float] | None = None,
    signals: Mapping[str, float] | None = None,
) -> Array:
    """Friction of a law along a measured velocity.

    Parameters
    ----------
    law, values : any law and its parameters
    times : (m,) increasing [s]
    velocities : (m,) [rad/s | m/s]
    state : of the law at the first time; zero by default
    signals : constant values of the law's signals

    Returns
    -------
    force : (m,) [N m | N]

    Raises
    ------
    SizeError, InputError : the series do not fit, or times do not increase
    UnsupportedError : the law has states but no step of its own

    Notes
    -----
    Between two samples the states follow the law's own step at the mean of both velocities: bounded
    for any spacing, of second order in it.

    Examples
    --------
    >>> from symdyn.friction.dahl import DAHL
    >>> friction_along(DAHL, {"sigma0": 1e4, "Fc": 1, "i": 1}, [0, 0.1, 0.2], [0, 0.1, 0.1])
    array([0., 1., 1.])
    """
    if len(velocities) != len(times):
        raise SizeError("friction_along", "velocities", len(times), len(velocities))
    grid = np.array(times, dtype=float)
    v = [float(x) for x in velocities]
    if not bool(np.all(np.isfinite(grid))) or not bool(np.all(np.isfinite(v))):
        raise InputError("a time or velocity is not finite", where="friction_along")
    if bool(np.any(np.diff(grid) <= 0)):
        raise InputError(
            "times do not increase", where="friction_along", remedy="Sort the samples by time."
        )
    p = law.check(values)
    u = {name: float(value) for name, value in (signals or {}).items()}
    for signal in law.signals:
        if signal.name not in u:
            raise InputError(
                f"no value for the signal {signal.name!r}", where=f"friction law {law.name}"
            )
    if law.states and law.update is None:
        raise UnsupportedError(f"friction_along: {law.name} has no step of its own.")
    z = [float(x) for x in state] if state is not None else [0.0] * len(law.states)
    if len(z) != len(law.states):
        raise SizeError("friction_along", "state", len(law.states), len(z))
    out: list[float] = []
    for k, speed in enumerate(v):
        if k and law.update is not None:
            mean = (v[k - 1] + speed) / 2
            z = law.update(FLOAT64, mean, z, u, p, float(grid[k] - grid[k - 1]))
        out.append(law.force(FLOAT64, speed, z, u, p))
    return np.array(out)
