"""A hundred seconds of a hunting servo with LuGre friction: ours beside SciPy's integrators.

The servo is that of `derivations/14_friction_servo.py`: one joint, LuGre friction, PID, Kv = 6.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from symdyn.algebra.float64 import Array
from symdyn.friction.lugre import LUGRE
from symdyn.simulate.drive import PID
from symdyn.simulate.hunting import servo
from symdyn.simulate.joint import joint_system
from symdyn.simulate.march import Engine, walk
from symdyn.simulate.reference import solve
from symdyn.simulate.scheme import EXPONENTIAL, RK4, Scheme
from symdyn.simulate.scipy_ import Method

SPAN = 100.0
_JOINT = {
    "J": 1.0,
    "Fc": 1.0,
    "Fs": 1.5,
    "vs": 0.01,
    "alpha": 2.0,
    "sigma0": 1e4,
    "sigma1": 99.5,
    "sigma2": 0.5,
}
_GAINS = {"Kp": 3.0, "Kv": 6.0, "Ki": 4.0}


@dataclass(frozen=True, slots=True)
class ServoTime:
    """One way to simulate the servo.

    Attributes
    ----------
    method : name with its step or tolerance
    seconds : CPU time of 100 s of motion
    error : largest difference of the position from the most accurate run [rad]
    """

    method: str
    seconds: float
    error: float


def measure(progress: Callable[[str], None]) -> list[ServoTime]:
    """Simulate by every method; the compilation of our step is not timed."""
    values = {**_JOINT, **_GAINS, "target": 0.0}
    times: list[float] = np.linspace(0.0, SPAN, 1001).tolist()
    timed: list[tuple[str, float, Array]] = []

    def add(method: str, run: Callable[[], Array]) -> None:
        progress(f"servo: {method}")
        start = time.process_time()
        positions = run()
        timed.append((method, time.process_time() - start, positions))

    def ours(scheme: Scheme, engine: Engine, dt: float) -> Callable[[], Array]:
        prepared = servo(_JOINT, scheme, engine)
        start = prepared.system.start(q=-1.0)
        every = round(SPAN / (len(times) - 1) / dt)
        return lambda: walk(prepared, _GAINS, start, SPAN, dt, every=every).states[:, 0]

    def scipys(method: Method, rtol: float) -> Callable[[], Array]:
        system = joint_system(LUGRE, PID)
        start = system.start(q=-1.0)
        return lambda: solve(system, values, start, times, method=method, rtol=rtol).states[:, 0]

    add("symdyn, compiled, RK4, 2e-5 s", ours(RK4, "native", 2e-5))
    add("symdyn, compiled, RK4, 1e-4 s", ours(RK4, "native", 1e-4))
    add("symdyn, compiled, exponential, 1e-4 s", ours(EXPONENTIAL, "native", 1e-4))
    add("symdyn, Python floats, RK4, 1e-4 s", ours(RK4, "python", 1e-4))
    add("SciPy LSODA, rtol 1e-10", scipys("LSODA", 1e-10))
    add("SciPy Radau, rtol 1e-8", scipys("Radau", 1e-8))
    best = timed[0][2]
    return [
        ServoTime(method, seconds, float(np.abs(positions - best).max()))
        for method, seconds, positions in timed
    ]
