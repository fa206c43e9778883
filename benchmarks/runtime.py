"""Nanoseconds a call of generated code and of other programs, side by side in one run.

All contenders get the same random states; their numbers are first compared with ours. Then they
take turns, so that a slow moment of the machine meets all of them; the median of the repetitions
counts, in CPU time of the thread.
"""

from __future__ import annotations

import random
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.rivals import casadi_code, mujoco_, ours, pinocchio_cpp
from benchmarks.rivals.casadi_code import Counts
from benchmarks.rivals.protocol import FUNCTIONS, Contender, MissingRivalError
from symdyn.algebra.float64 import Array
from symdyn.codegen.spec import FunctionSpec
from symdyn.crosscheck.states import position_ranges
from symdyn.expr.measure import operation_counts
from symdyn.model.robot import Robot

STATES = 256
#: Share of a second that one repetition lasts at least.
SHORTEST = 0.02
REPETITIONS = 9
#: Largest difference to our numbers, relative to the largest entry. MuJoCo's quaternions and
#: forward dynamics at badly conditioned states set it; a wrong model is off by more than 1e-3.
AGREEMENT = 1e-7


@dataclass(frozen=True, slots=True)
class Timing:
    """One contender on one function of one robot.

    Attributes
    ----------
    contender : its name
    nanoseconds : median CPU time a call
    spread : interquartile range relative to the median
    difference : largest difference to our numbers, relative to the largest entry at its state
    """

    contender: str
    nanoseconds: float
    spread: float
    difference: float


@dataclass(frozen=True, slots=True)
class RobotTimings:
    """All timings of one robot.

    Attributes
    ----------
    robot : name
    coordinates : n
    functions : timings by function name, ours first
    counts : operation counts of CasADi's code by contender and function
    missing : why contenders are not there
    """

    robot: str
    coordinates: int
    functions: dict[str, tuple[Timing, ...]]
    counts: dict[str, dict[str, Counts]]
    missing: dict[str, str]


def random_states(robot: Robot, third: str, seed: int = 7) -> Array:
    """(STATES, 3 n): positions within the limits, rates of order one."""
    source = random.Random(f"{seed} {third}")
    ranges = position_ranges(robot)
    rows = [
        [source.uniform(low, high) for low, high in ranges]
        + [source.uniform(-2, 2) for _ in range(2 * robot.n)]
        for _ in range(STATES)
    ]
    return np.array(rows)


def time_robot(
    name: str, robot: Robot, *, rivals: bool = True, progress: Callable[[str], None] | None = None
) -> RobotTimings:
    """Time every contender on every function of a robot."""
    say = progress or _be_silent
    missing: dict[str, str] = {}
    counts: dict[str, dict[str, Counts]] = {}
    with tempfile.TemporaryDirectory(prefix="symdyn-bench-") as scratch:
        folder = Path(scratch)
        contenders: list[Contender] = []
        for inertial in ("symbolic", "base", "numeric"):
            say(f"{name}: compiling our code, {inertial}")
            found, derivation = ours.contender(robot, folder, inertial)
            contenders += found if inertial == "symbolic" else found[:2]
            specs = derivation.specs.items()
            counts[found[0].name] = {key: _our_counts(spec) for key, spec in specs}
        if rivals:
            for label, build in _RIVALS.items():
                say(f"{name}: compiling {label}")
                try:
                    rival, of_rival = build(robot, folder)
                    contenders.append(rival)
                    if of_rival:
                        counts[rival.name] = of_rival
                except MissingRivalError as error:
                    missing[label] = str(error)
        functions: dict[str, tuple[Timing, ...]] = {}
        for function, third in FUNCTIONS.items():
            say(f"{name}: timing {function}")
            states = random_states(robot, third)
            functions[function] = _time_function(robot, function, states, contenders, missing)
    return RobotTimings(name, robot.n, functions, counts, missing)


def _be_silent(text: str) -> None:
    del text


def _our_counts(spec: FunctionSpec) -> Counts:
    found = operation_counts(spec.graph, spec.result.entries)
    trig = sum(n for op, n in found.functions.items() if op in ("sin", "cos"))
    other = sum(found.functions.values()) - trig
    return Counts(found.add, found.mul, found.div, trig, other)


def _pinocchio(robot: Robot, folder: Path) -> tuple[Contender, dict[str, Counts]]:
    return pinocchio_cpp.contender(robot, folder), {}


def _mujoco(robot: Robot, folder: Path) -> tuple[Contender, dict[str, Counts]]:
    return mujoco_.contender(robot, folder), {}


def _casadi_symbolic(robot: Robot, folder: Path) -> tuple[Contender, dict[str, Counts]]:
    return casadi_code.contender(robot, folder, symbolic=True)


def _casadi_numeric(robot: Robot, folder: Path) -> tuple[Contender, dict[str, Counts]]:
    return casadi_code.contender(robot, folder, symbolic=False)


_RIVALS: dict[str, Callable[[Robot, Path], tuple[Contender, dict[str, Counts]]]] = {
    "Pinocchio C++": _pinocchio,
    "CasADi C, parameters given": _casadi_symbolic,
    "CasADi C, parameters built in": _casadi_numeric,
    "MuJoCo": _mujoco,
}


def _time_function(
    robot: Robot,
    function: str,
    states: Array,
    contenders: Sequence[Contender],
    missing: dict[str, str],
) -> tuple[Timing, ...]:
    right = contenders[0].evaluate(robot, function, contenders[0].numbers[function][0], states)
    largest = np.max(np.abs(right), axis=1)
    entrants: list[tuple[Contender, int, float]] = []
    for contender in contenders:
        for number in contender.numbers.get(function, ()):
            values = contender.evaluate(robot, function, number, states)
            off = float(np.max(np.max(np.abs(values - right), axis=1) / largest))
            if not off <= AGREEMENT:
                missing[f"{contender.name}, {function}"] = (
                    f"its numbers differ from ours: {off:.1e}"
                )
                continue
            entrants.append((contender, number, off))
    repeats = [_repeats(contender, number, states) for contender, number, _ in entrants]
    samples: list[list[float]] = [[] for _ in entrants]
    for _ in range(REPETITIONS):
        for k, (contender, number, _) in enumerate(entrants):
            seconds = contender.seconds(number, states, repeats[k])
            samples[k].append(1e9 * seconds / (repeats[k] * len(states)))
    best: dict[str, Timing] = {}
    for (contender, _, off), values in zip(entrants, samples, strict=True):
        low, middle, high = statistics.quantiles(values, n=4)
        timing = Timing(contender.name, middle, (high - low) / middle, off)
        known = best.get(contender.name)
        if known is None or timing.nanoseconds < known.nanoseconds:
            best[contender.name] = timing
    return tuple(best.values())


def _repeats(contender: Contender, number: int, states: Array) -> int:
    """Repeats that last long enough to be timed; the first run also warms the caches."""
    contender.seconds(number, states, 1)
    repeats = 1
    while True:
        seconds = contender.seconds(number, states, repeats)
        if seconds >= SHORTEST:
            return repeats
        grown = SHORTEST / seconds if seconds > 0 else 8.0
        repeats = max(repeats + 1, min(int(repeats * grown * 1.2) + 1, repeats * 64))
