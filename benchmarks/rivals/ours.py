"""The C code that symdyn generates: one state a call, and the batch entry point."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.build import TIMED_FLAGS, cached, compile_program, version_of
from benchmarks.rivals.protocol import FUNCTIONS, Contender, MissingRivalError, open_contender
from symdyn._errors import UnsupportedError
from symdyn.codegen.generate import generate
from symdyn.codegen.spec import Argument, FunctionSpec, Unit
from symdyn.codegen.target import EntryPoints
from symdyn.codegen.targets import TARGETS
from symdyn.model.robot import Robot
from symdyn.recipes import Derivation, Inertial, derive
from symdyn.unit import base_values, theta_values

_HERE = Path(__file__).parent
#: Where the arguments that vary stand in a state: q, qd, and one more vector.
_PLACES = {"q": 0, "qd": 1, "qdd": 2, "tau": 2}
BATCH, LOOP = "batch", "loop that keeps the results"
NAMES: dict[Inertial, str] = {
    "symbolic": "symdyn C, theta given",
    "base": "symdyn C, base parameters given",
    "numeric": "symdyn C, theta built in",
}


def contender(robot: Robot, folder: Path, inertial: Inertial) -> tuple[list[Contender], Derivation]:
    """Our code one state a call, in a loop that keeps every result, and by its batch entry point.

    The first writes each result over the one before, as the rivals do; the second is what the batch
    entry point has to be compared with.

    Raises
    ------
    MissingRivalError : no compiler, or the code does not compile
    """
    derivation = derive(robot, list(FUNCTIONS), inertial)
    unit = Unit("timed", tuple(derivation.specs.values()), (), (), None, "")
    place = folder / f"symdyn_{inertial}"
    place.mkdir()
    for name, text in generate(unit, "c").items():
        (place / name).write_text(text)
    loop = place / "loop.c"
    loop.write_text(_loop_text(unit, derivation))
    library = place / "symdyn.so"
    objects: list[Path] = []
    # The loop calls across object files: nothing can be moved out of it.
    try:
        for source in (loop, place / "timed.c"):
            key = [version_of("gcc"), *TIMED_FLAGS, source.read_text()]
            key += [(place / "timed.h").read_text(), (_HERE / "timed_loop.h").read_text()]
            command = ["gcc", *TIMED_FLAGS, "-fPIC", "-I", _HERE, "-I", place, "-c", source, "-o"]
            objects.append(
                cached(
                    f"{source.stem}.o",
                    key,
                    lambda out, c=command: compile_program([*c, out], "symdyn's code"),
                )
            )
        compile_program(["gcc", "-shared", *objects, "-o", library, "-lm"], "symdyn's code")
    except UnsupportedError as error:
        raise MissingRivalError(str(error)) from None
    count = len(derivation.specs)
    one = {name: (k,) for k, name in enumerate(derivation.specs)}
    batch = {name: (k + count,) for k, name in enumerate(derivation.specs)}
    kept = {name: (k + 2 * count,) for k, name in enumerate(derivation.specs)}
    name = NAMES[inertial]
    contenders = [open_contender(name, library, "", one)]
    contenders.append(open_contender(f"{name}, {BATCH}", library, "", batch))
    contenders.append(open_contender(f"{name}, {LOOP}", library, "", kept))
    return contenders, derivation


def _loop_text(unit: Unit, derivation: Derivation) -> str:
    names = TARGETS["c"].entry_points(unit)
    robot = derivation.robot
    shared = {"theta": theta_values(robot), "beta": base_values(derivation)}
    lines = [
        '#include "timed_loop.h"',
        '#include "timed.h"',
        "#include <stdlib.h>",
        f"enum {{ N = {robot.n} }};",
        f"static double out[{robot.n * max(robot.n, 10 * robot.n_bodies)}];",
    ]
    for name, values in shared.items():
        numbers = ", ".join(repr(x) for x in values) if values else "0.0"
        lines.append(f"static const double {name}[] = {{{numbers}}};")
    lines += [
        "static double *columns[3], *results;",
        "void *rival_open(const char *path) { (void)path; return out; }",
        "int rival_evaluate(void *h, int function, const double *state, double *result)",
        "{",
        "    const double *q = state, *v = state + N, *x = state + 2 * N;",
        "    (void)h; (void)q; (void)v; (void)x; (void)theta; (void)beta;",
        "    switch (function) {",
    ]
    specs = list(derivation.specs.values())
    for k, spec in enumerate(specs):
        lines.append(f"    case {k}: {_call(names, spec, 'result')}; return 0;")
    for k, spec in enumerate(specs):
        call = _batch_call(names, spec, "1", ("q", "v", "x"), "result")
        lines.append(f"    case {k + len(specs)}: {call}; return 0;")
    for k, spec in enumerate(specs):
        lines.append(f"    case {k + 2 * len(specs)}: {_call(names, spec, 'result')}; return 0;")
    lines += ["    default: return 1;", "    }", "}", *_prepare(robot)]
    lines += [
        "double rival_run(void *h, int function, const double *states, long count, long repeats,",
        "                 double *sink)",
        "{",
        "    (void)h;",
        "    double start;",
        "    switch (function) {",
    ]
    for k, spec in enumerate(specs):
        lines.append(f"    case {k}: TIMED_LOOP(N, {_call(names, spec, 'out')});")
    for k, spec in enumerate(specs):
        places = ("columns[0]", "columns[1]", "columns[2]")
        call = _batch_call(names, spec, "(size_t)count", places, "results")
        lines += [
            f"    case {k + len(specs)}:",
            f"        prepare(states, count, {len(spec.result.entries)});",
            "        start = thread_seconds();",
            f"        for (long r = 0; r < repeats; ++r) {{ {call}; *sink += results[0]; }}",
            "        return thread_seconds() - start;",
        ]
    for k, spec in enumerate(specs):
        size = len(spec.result.entries)
        keep = f"double *out = results + s * {size}; {_call(names, spec, 'out')}"
        lines += [
            f"    case {k + 2 * len(specs)}:",
            f"        prepare(states, count, {size});",
            f"        TIMED_LOOP(N, {keep});",
        ]
    lines += ["    default: return -1.0;", "    }", "}", ""]
    return "\n".join(lines)


def _prepare(robot: Robot) -> Sequence[str]:
    """One array per argument with a row per state, and room for the results."""
    return [
        "static void prepare(const double *states, long count, long entries)",
        "{",
        "    for (int a = 0; a < 3; ++a) {",
        "        free(columns[a]);",
        "        columns[a] = malloc((size_t)count * N * sizeof(double));",
        "        for (long s = 0; s < count; ++s)",
        "            for (int k = 0; k < N; ++k)",
        "                columns[a][s * N + k] = states[s * 3 * N + a * N + k];",
        "    }",
        "    free(results);",
        "    results = calloc((size_t)(count * entries), sizeof(double));",
        "}",
    ]


def _given(argument: Argument, places: Sequence[str]) -> str:
    return places[_PLACES[argument.name]] if argument.name in _PLACES else argument.name


def _call(names: EntryPoints, spec: FunctionSpec, out: str) -> str:
    given = [_given(argument, ("q", "v", "x")) for argument in spec.arguments]
    return f"{names.functions[spec.name]}({', '.join([*given, out])})"


def _batch_call(
    names: EntryPoints, spec: FunctionSpec, count: str, places: Sequence[str], out: str
) -> str:
    given = [_given(argument, places) for argument in spec.arguments]
    return f"{names.batches[spec.name]}({', '.join([count, *given, out])})"
