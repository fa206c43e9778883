"""C code that CasADi generates from Pinocchio's algorithms, with parameters built in or given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.build import TIMED_FLAGS, cached, compile_program, version_of
from benchmarks.numbers import as_numbers, mass_parameters
from benchmarks.rivals.pinocchio_cpp import DEFINITIONS, headers, our_columns, versions
from benchmarks.rivals.protocol import FUNCTIONS, Contender, MissingRivalError, open_contender
from symdyn._errors import UnsupportedError
from symdyn.crosscheck.compilers import run_program
from symdyn.model.robot import Robot

_HERE = Path(__file__).parent
_SOURCES = (_HERE / "casadi_generate.cpp", _HERE / "rigid_tree.hpp")


@dataclass(frozen=True, slots=True)
class Counts:
    """Operations of one generated function; sums, sign changes and doublings count as additions."""

    add: int
    mul: int
    div: int
    trig: int
    other: int


def generator() -> Path:
    """The program that writes the C code; compiling it takes minutes and more than 2 GB.

    Raises
    ------
    MissingRivalError : headers or a compiler are missing, or it does not compile
    """
    include = headers()
    found = find_spec("casadi")
    places = list(found.submodule_search_locations or ()) if found else []
    if not places or not (Path(places[0]) / "include" / "casadi").is_dir():
        raise MissingRivalError("CasADi with its headers is missing: install casadi")
    home = Path(places[0])
    # Only the generated code is timed; the generator itself may be slow.
    flags = ["-std=c++17", "-O0", *DEFINITIONS]
    link = ["-L", str(home), "-lcasadi", f"-Wl,-rpath,{home}"]
    try:
        key = [version_of("g++"), versions("pin", "libpinocchio", "cmeel-eigen", "casadi"), *flags]
        key += [path.read_text() for path in _SOURCES]
        return cached(
            "casadi_generate",
            key,
            lambda out: compile_program(
                [
                    *("g++", *flags, *include, "-isystem", str(home / "include")),
                    *(str(_SOURCES[0]), "-o", str(out), *link),
                ],
                "Pinocchio on CasADi",
            ),
        )
    except UnsupportedError as error:
        raise MissingRivalError(str(error)) from None


def write_code(robot: Robot, folder: Path, functions: Sequence[str]) -> dict[str, Counts]:
    """Write the C files for a robot into ``folder``.

    Returns
    -------
    dict : operation counts by ``FUNCTION_numeric`` and ``FUNCTION_symbolic``

    Raises
    ------
    MissingRivalError : see `generator`, or the generator fails
    """
    model = folder / "robot.txt"
    model.write_text(as_numbers(robot))
    try:
        done = run_program([generator(), model, folder, *functions], limit=600)
    except UnsupportedError as error:
        raise MissingRivalError(str(error)) from None
    if done.status != 0:
        raise MissingRivalError(f"the CasADi generator fails: {done.errors.strip()[:200]}")
    counts: dict[str, Counts] = {}
    for line in done.output.splitlines():
        entry = json.loads(line)
        counts[entry["file"]] = Counts(
            entry["add"], entry["mul"], entry["div"], entry["trig"], entry["other"]
        )
    return counts


def contender(robot: Robot, folder: Path, *, symbolic: bool) -> tuple[Contender, dict[str, Counts]]:
    """CasADi's code on a robot, with its operation counts by function.

    Parameters
    ----------
    symbolic : inertial parameters as an argument, not built in

    Raises
    ------
    MissingRivalError : see `write_code`, or the code does not compile
    """
    place = folder / ("casadi_symbolic" if symbolic else "casadi_numeric")
    place.mkdir()
    functions = [name for name in FUNCTIONS if name != "regressor" or not symbolic]
    all_counts = write_code(robot, place, functions)
    suffix = "symbolic" if symbolic else "numeric"
    files = {name: f"{name}_{suffix}" for name in functions}
    loop = place / "loop.c"
    loop.write_text(_loop_text(robot, files, symbolic))
    library = place / "casadi.so"
    # The loop calls across object files: nothing can be moved out of it.
    try:
        objects: list[Path] = []
        for source in [loop, *(place / f"{file}.c" for file in files.values())]:
            text = source.read_text()
            objects.append(
                cached(
                    f"{source.stem}.o",
                    [version_of("gcc"), *TIMED_FLAGS, text, (_HERE / "timed_loop.h").read_text()],
                    lambda out, s=source: compile_program(
                        ["gcc", *TIMED_FLAGS, "-fPIC", "-I", _HERE, "-c", s, "-o", out], s.name
                    ),
                )
            )
        compile_program(["gcc", "-shared", *objects, "-o", library, "-lm"], "CasADi's code")
    except UnsupportedError as error:
        raise MissingRivalError(str(error)) from None
    numbers = {name: (k,) for k, name in enumerate(files)}
    name = f"CasADi C, parameters {'given' if symbolic else 'built in'}"
    opened = open_contender(name, library, "", numbers)
    fix = {"regressor": our_columns(robot)}
    opened = Contender(opened.name, opened.library, opened.handle, numbers, fix)
    return opened, {key: all_counts[file] for key, file in files.items()}


def _loop_text(robot: Robot, files: dict[str, str], symbolic: bool) -> str:
    n = robot.n
    values = ", ".join(repr(x) for x in mass_parameters(robot)) if symbolic else "0.0"
    largest = n * max(n, 10 * robot.n_bodies)
    lines = [
        '#include "timed_loop.h"',
        f"enum {{ N = {n} }};",
        f"static const double parameters[] = {{{values}}};",
        f"static double out[{largest}];",
        "typedef long long integer;",
    ]
    signature = "const double **arg, double **res, integer *iw, double *w, int mem"
    lines += [f"int {file}({signature});" for file in files.values()]
    lines += [
        "void *rival_open(const char *path) { (void)path; return out; }",
        "static void call(int (*f)(const double **, double **, integer *, double *, int),",
        "                 const double *q, const double *v, const double *x, double *result)",
        "{",
        "    const double *arg[4] = {q, v, x, parameters};",
        "    double *res[1] = {result};",
        "    f(arg, res, 0, 0, 0);",
        "}",
        "int rival_evaluate(void *h, int function, const double *state, double *result)",
        "{",
        "    (void)h;",
        "    switch (function) {",
    ]
    for k, file in enumerate(files.values()):
        lines.append(
            f"    case {k}: call({file}, state, state + N, state + 2 * N, result); return 0;"
        )
    lines += [
        "    default: return 1;",
        "    }",
        "}",
        "double rival_run(void *h, int function, const double *states, long count, long repeats,",
        "                 double *sink)",
        "{",
        "    (void)h;",
        "    switch (function) {",
    ]
    lines += [
        f"    case {k}: TIMED_LOOP(N, call({file}, q, v, x, out));"
        for k, file in enumerate(files.values())
    ]
    lines += ["    default: return -1.0;", "    }", "}", ""]
    return "\n".join(lines)
