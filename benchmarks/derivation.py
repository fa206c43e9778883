"""Time, operation counts and memory of derivation and export."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from symdyn.codegen.generate import generate
from symdyn.expr.measure import OperationCounts, operation_counts
from symdyn.io.load import load_robot
from symdyn.recipes import Inertial, derive
from symdyn.unit import build_unit

#: Runs of which the fastest counts: a slow moment of the machine only adds.
RUNS = 3


@dataclass(frozen=True, slots=True)
class DerivationTimes:
    """Deriving and exporting all functions of a robot; CPU seconds of the process.

    Attributes
    ----------
    robot, coordinates, bodies : which one
    functions : number of functions derived
    derive : deriving them, symbolic inertial parameters
    export : gathering the unit with its test numbers and printing NumPy and C
    bytes_numpy, bytes_c : size of the files
    """

    robot: str
    coordinates: int
    bodies: int
    functions: int
    derive: float
    export: float
    bytes_numpy: int
    bytes_c: int


def time_derivation(name: str) -> DerivationTimes:
    """Derive and export everything for a built-in robot."""
    robot = load_robot(name)
    best_derive = best_export = float("inf")
    sizes: dict[str, int] = {}
    count = 0
    for _ in range(RUNS):
        start = time.process_time()
        derivation = derive(robot)
        middle = time.process_time()
        unit = build_unit(robot, derivation)
        files = {target: generate(unit, target) for target in ("numpy", "c")}
        stop = time.process_time()
        best_derive, best_export = min(best_derive, middle - start), min(best_export, stop - middle)
        sizes = {t: sum(len(text.encode()) for text in f.values()) for t, f in files.items()}
        count = len(derivation.specs)
    return DerivationTimes(
        name,
        robot.n,
        robot.n_bodies,
        count,
        best_derive,
        best_export,
        sizes["numpy"],
        sizes["c"],
    )


def count_operations(name: str, inertial: Inertial) -> dict[str, OperationCounts]:
    """Operation counts of every function of a built-in robot; exact, the same everywhere."""
    derivation = derive(load_robot(name), inertial=inertial)
    return {
        key: operation_counts(spec.graph, spec.result.entries)
        for key, spec in derivation.specs.items()
    }


_CHILD = (
    "import json, sys\n"
    "from benchmarks.derivation import derive_and_measure\n"
    "print(json.dumps(derive_and_measure(sys.argv[1])))\n"
)


def derive_and_measure(name: str) -> dict[str, float]:
    """Derive everything in this process; seconds of CPU and peak memory [MiB] before and after."""
    robot = load_robot(name)
    before = _peak_mebibytes()
    start = time.process_time()
    derivation = derive(robot)
    seconds = time.process_time() - start
    nodes = sum(len(spec.graph) for spec in derivation.specs.values())
    return {"before": before, "after": _peak_mebibytes(), "seconds": seconds, "nodes": nodes}


def _peak_mebibytes() -> float:
    """Peak of the resident memory of this process; what ran before ``exec`` does not count."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
    (line,) = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) / 2**10


def measure_memory(name: str) -> dict[str, float]:
    """`derive_and_measure` in a process of its own: peak memory cannot be reset."""
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, name], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def time_robots(names: list[str], progress: Callable[[str], None]) -> list[DerivationTimes]:
    """`time_derivation` of several robots."""
    out: list[DerivationTimes] = []
    for name in names:
        progress(f"{name}: deriving and exporting")
        out.append(time_derivation(name))
    return out
