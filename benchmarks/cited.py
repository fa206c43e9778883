"""Figures of programs that are not re-measured here: measured elsewhere, quoted as constants.

Measured in November 2026 on a machine with two Zen 3 cores (AVX2), Python 3.11, gcc 12.2, from the
programs' public sources: SymPyBotics at commit 5d4613a on SymPy 1.14, OpenSYMORO (Python 3 port) at
commit bb86bca, urdf2casadi at commit 36886aa, sympy.physics.mechanics of SymPy 1.14. They are not
on the package index, or take minutes to hours, so a benchmark run cannot repeat them.
"""

from __future__ import annotations

from dataclasses import dataclass

STATEMENT = (
    "Cited, not measured in this run: taken once on another machine from the programs' public "
    "sources (SymPyBotics 5d4613a, OpenSYMORO bb86bca, urdf2casadi 36886aa, SymPy 1.14). "
    "Times are CPU time there; compare operation counts, which are exact, rather than times."
)


@dataclass(frozen=True, slots=True)
class CitedCount:
    """Operations of a rival's code: additions and multiplications, sines and cosines apart.

    Attributes
    ----------
    program, robot, function : which one
    inertial : ``symbolic`` (ten a link), ``base`` or ``numeric``
    add, mul : operations
    remark : what has to be known to compare
    """

    program: str
    robot: str
    function: str
    inertial: str
    add: int
    mul: int
    remark: str = ""


COUNTS: tuple[CitedCount, ...] = (
    CitedCount("OpenSYMORO", "puma560", "inverse_dynamics", "base", 240, 301, "live equations"),
    CitedCount("OpenSYMORO", "puma560", "inverse_dynamics", "symbolic", 296, 345, "modified DH"),
    CitedCount("OpenSYMORO", "puma560", "mass_matrix", "symbolic", 244, 323, "as written"),
    CitedCount("OpenSYMORO", "puma560", "regressor", "symbolic", 749, 1323, "as written"),
    CitedCount("OpenSYMORO", "puma560", "forward_dynamics", "symbolic", 1178, 1524, "as written"),
    CitedCount("OpenSYMORO", "panda", "inverse_dynamics", "base", 288, 361, "live equations"),
    CitedCount("OpenSYMORO", "panda", "inverse_dynamics", "symbolic", 354, 414, "live equations"),
    CitedCount("OpenSYMORO", "panda", "mass_matrix", "symbolic", 300, 405, "as written"),
    CitedCount("OpenSYMORO", "panda", "regressor", "symbolic", 1033, 1814, "as written"),
    CitedCount("OpenSYMORO", "panda", "forward_dynamics", "symbolic", 1462, 1874, "as written"),
    CitedCount("SymPyBotics", "planar2r", "inverse_dynamics", "symbolic", 34, 54),
    CitedCount("SymPyBotics", "planar2r", "mass_matrix", "symbolic", 15, 20),
    CitedCount("SymPyBotics", "planar2r", "gravity_vector", "symbolic", 11, 24),
    CitedCount("SymPyBotics", "planar2r", "coriolis_matrix", "symbolic", 40, 52, "not Christoffel"),
    CitedCount("SymPyBotics", "planar2r", "regressor", "symbolic", 29, 46),
    CitedCount("SymPyBotics", "puma560", "inverse_dynamics", "symbolic", 401, 503),
    CitedCount("SymPyBotics", "puma560", "inverse_dynamics", "numeric", 294, 400),
    CitedCount("SymPyBotics", "puma560", "mass_matrix", "symbolic", 323, 411),
    CitedCount("SymPyBotics", "puma560", "mass_matrix", "numeric", 189, 280),
    CitedCount("SymPyBotics", "puma560", "gravity_vector", "symbolic", 70, 115),
    CitedCount(
        "SymPyBotics", "puma560", "coriolis_matrix", "symbolic", 3006, 3195, "not Christoffel"
    ),
    CitedCount(
        "SymPyBotics", "puma560", "coriolis_matrix", "numeric", 1856, 2216, "not Christoffel"
    ),
    CitedCount("SymPyBotics", "puma560", "regressor", "symbolic", 685, 1015),
    CitedCount("SymPyBotics", "ur5", "inverse_dynamics", "symbolic", 414, 517),
    CitedCount("SymPyBotics", "ur5", "mass_matrix", "symbolic", 325, 399),
    CitedCount("SymPyBotics", "ur5", "gravity_vector", "symbolic", 72, 118),
    CitedCount("SymPyBotics", "ur5", "coriolis_matrix", "symbolic", 2947, 3027, "does not compile"),
    CitedCount("SymPyBotics", "ur5", "regressor", "symbolic", 684, 1011),
    CitedCount("SymPyBotics", "panda", "inverse_dynamics", "symbolic", 358, 428),
    CitedCount("SymPyBotics", "panda", "inverse_dynamics", "numeric", 358, 459),
    CitedCount("SymPyBotics", "panda", "mass_matrix", "symbolic", 561, 742),
    CitedCount("SymPyBotics", "panda", "mass_matrix", "numeric", 558, 723),
    CitedCount("SymPyBotics", "panda", "gravity_vector", "symbolic", 85, 129),
    CitedCount(
        "SymPyBotics", "panda", "coriolis_matrix", "symbolic", 4756, 5010, "not Christoffel"
    ),
    CitedCount("SymPyBotics", "panda", "regressor", "symbolic", 739, 1219),
    CitedCount("RNEA on CasADi SX", "puma560", "inverse_dynamics", "symbolic", 303, 385),
    CitedCount("RNEA on CasADi SX", "panda", "inverse_dynamics", "symbolic", 351, 447),
    CitedCount(
        "Pinocchio on CasADi SX", "puma560", "inverse_dynamics", "numeric", 265, 351, "clean"
    ),
    CitedCount(
        "Pinocchio on CasADi SX", "puma560", "inverse_dynamics", "symbolic", 371, 467, "clean"
    ),
    CitedCount("Pinocchio on CasADi SX", "panda", "inverse_dynamics", "numeric", 451, 556, "clean"),
    CitedCount(
        "Pinocchio on CasADi SX", "panda", "inverse_dynamics", "symbolic", 451, 567, "clean"
    ),
    CitedCount("urdf2casadi", "puma560", "inverse_dynamics", "numeric", 343, 438, "wrong numbers"),
    CitedCount("urdf2casadi", "panda", "inverse_dynamics", "numeric", 567, 687),
)


@dataclass(frozen=True, slots=True)
class CitedTime:
    """CPU seconds of a rival's derivation, or nanoseconds of its code."""

    program: str
    robot: str
    what: str
    value: str


TIMES: tuple[CitedTime, ...] = (
    CitedTime("SymPyBotics", "panda", "derive inverse dynamics + C text", "0.25 s + 0.16 s"),
    CitedTime("SymPyBotics", "panda", "derive all but forward dynamics", "11.4 s"),
    CitedTime("OpenSYMORO", "panda", "derive inverse dynamics", "0.32 s"),
    CitedTime("sympy KanesMethod", "panda", "derive M and forcing", "20.4 s + 5.9 s cse"),
    CitedTime("sympy LagrangesMethod", "panda", "derive", "not finished in 300 s"),
    CitedTime("SymPyBotics C", "panda", "inverse_dynamics, symbolic", "197 ns"),
    CitedTime("SymPyBotics C", "panda", "mass_matrix, symbolic", "271 ns"),
    CitedTime("SymPyBotics C", "panda", "coriolis_matrix (not Christoffel)", "2295 ns"),
    CitedTime("SymPyBotics C", "panda", "regressor", "509 ns"),
    CitedTime("SymPyBotics C", "panda", "gravity_vector", "114 ns"),
    CitedTime("urdf2casadi C", "panda", "forward_dynamics", "807 ns"),
)
