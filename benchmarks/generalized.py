"""The generalized equation beside the classical one: derivation time and operations."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.derivation import RUNS
from symdyn.expr.measure import operation_counts
from symdyn.io.load import load_robot
from symdyn.recipes import derive

#: Of equation (39); Theta, Theta', Psi and Psi' are arguments.
FUNCTIONS = (
    "generalized_inverse_dynamics",
    "mass_matrix",
    "coriolis_matrix",
    "gyroscopic_matrix",
    "momentum_map",
)
CLASSICAL = "inverse_dynamics"


@dataclass(frozen=True, slots=True)
class GeneralizedCost:
    """One robot.

    Attributes
    ----------
    robot, coordinates : which one
    derive : CPU seconds of deriving all `FUNCTIONS`, everything symbolic
    operations : by function, those of `FUNCTIONS` and of `CLASSICAL`
    """

    robot: str
    coordinates: int
    derive: float
    operations: dict[str, int]


def cost(name: str) -> GeneralizedCost:
    """Derive the generalized equation of a built-in robot."""
    robot = load_robot(name)
    seconds = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        derive(robot, FUNCTIONS)
        seconds = min(seconds, time.process_time() - start)
    specs = derive(robot, (CLASSICAL, *FUNCTIONS)).specs
    operations = {
        key: operation_counts(spec.graph, spec.result.entries).total for key, spec in specs.items()
    }
    return GeneralizedCost(name, robot.n, seconds, operations)


def costs(robots: Sequence[str], progress: Callable[[str], None]) -> list[GeneralizedCost]:
    """The same for several robots."""
    out: list[GeneralizedCost] = []
    for name in robots:
        progress(f"{name}: generalized equation")
        out.append(cost(name))
    return out
