"""Frictional lag: the loop that friction draws over velocity when the velocity oscillates.

In pure lag friction is larger while the speed grows. Bristle damping turns the loop round: for
small amplitudes about v its direction changes where sigma1 = h(v)/|v|.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64, Array
from symdyn.friction.law import FrictionLaw
from symdyn.simulate.march import Engine, prepare, walk
from symdyn.simulate.observe import outputs
from symdyn.simulate.prescribed import WAVE, prescribed_system
from symdyn.simulate.scheme import RK4
from symdyn.simulate.stability import bristle_limit


@dataclass(frozen=True, slots=True)
class Loop:
    """One period of the settled loop.

    Attributes
    ----------
    velocity, friction : (m,) one period, the first point repeated at the end
    steady : friction of steady sliding at the same velocities (m,)
    area : integral of F dv over the loop, with sign: negative runs clockwise [N m rad/s]; it is no
        energy
    rms : of the distance to the steady curve [N m]
    """

    velocity: Array
    friction: Array
    steady: Array
    area: float
    rms: float

    def at(self, velocity: float) -> tuple[float, float]:
        """Friction while the velocity rises through a value, and while it falls through it.

        Raises
        ------
        InputError : the loop does not pass that velocity
        """
        v, F = self.velocity, self.friction
        out: list[float] = []
        for sign in (1, -1):
            a, b = sign * (v[:-1] - velocity), sign * (v[1:] - velocity)
            k = np.flatnonzero((a < 0) & (b >= 0))
            if not k.size:
                raise InputError(
                    "the loop does not pass this velocity",
                    where="Loop.at",
                    expected=f"between {v.min():g} and {v.max():g}",
                    got=f"{velocity:g}",
                )
            i = int(k[0])
            part = float((velocity - v[i]) / (v[i + 1] - v[i]))
            out.append(float(F[i] + part * (F[i + 1] - F[i])))
        return out[0], out[1]


def friction_loop(
    law: FrictionLaw,
    values: Mapping[str, float],
    mean: float,
    amplitude: float,
    frequency: float,
    *,
    points: int = 20_000,
    settle: float = 0.2,
    engine: Engine = "auto",
) -> Loop:
    """Friction over v = mean + amplitude sin(frequency t), once it repeats.

    Parameters
    ----------
    law, values : a law with states and its parameters
    mean, amplitude : of the velocity [rad/s]
    frequency : [rad/s]
    points : steps in a period, more where bristles would make them unstable
    settle : time before the period that is kept, at least one period [s]
    engine : see `march.prepare`

    Returns
    -------
    Loop
    """
    if not (frequency > 0 and amplitude != 0 and points >= 8 and settle >= 0):
        raise InputError(
            "a loop needs a frequency > 0, an amplitude and at least 8 points",
            where="friction_loop",
            got=f"frequency = {frequency}, amplitude = {amplitude}, points = {points}",
        )
    system = prescribed_system(law, WAVE)
    own = {**values, "mean": mean, "amplitude": amplitude, "frequency": frequency}
    prepared = prepare(system, RK4, engine=engine)
    period = 2 * math.pi / frequency
    before = max(1, math.ceil(settle / period))
    p = law.check({q.name: own[q.name] for q in law.parameters})
    bound = bristle_limit(law, p, abs(mean) + abs(amplitude))
    points = max(points, math.ceil(min(2 * period / bound, 1e15)))
    dt = period / points
    first = walk(prepared, own, system.start(), before * period, dt)
    # the phase is that of whole periods: the time starts at 0 again
    done = walk(prepared, own, first.end, period, dt, every=1)
    seen = outputs(system, own, done.times, done.states)
    v, F = seen["velocity"], seen["friction"]
    steady = np.array([law.steady(FLOAT64, x, (), {}, p) for x in v.tolist()])
    area = float(np.sum((F[1:] + F[:-1]) / 2 * np.diff(v)))
    rms = float(np.sqrt(np.mean((F - steady)[:-1] ** 2)))
    return Loop(v, F, steady, area, rms)
