"""A system as compiled C: traced to a graph, generated, compiled, walked by ``march.c``.

Generation and compilation take a few tenths of a second and happen once a process for each text.
A call into C releases the interpreter lock, so runs in threads use all cores.
"""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np

from symdyn._errors import UnsupportedError
from symdyn.algebra.float64 import Array
from symdyn.codegen.generate import generate
from symdyn.codegen.spec import Argument, FunctionSpec, Result, Unit
from symdyn.codegen.targets import TARGETS
from symdyn.crosscheck.compilers import Compiler, compile_and_load, find_c_compiler
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.serialize import digest
from symdyn.simulate.scheme import Scheme
from symdyn.simulate.system import System

_POINTER = ctypes.POINTER(ctypes.c_double)


class March(Protocol):
    """``symdyn_march`` of march.c."""

    def __call__(self, *arguments: object) -> int: ...


@dataclass(frozen=True, slots=True)
class NativeStep:
    """A compiled step.

    Attributes
    ----------
    address : of ``void step(double t, const double *x, const double *p, double dt, double *out)``
    march : what walks it
    parameters : names of the entries of p, those that were not built in
    """

    address: ctypes.c_void_p
    march: March
    parameters: tuple[str, ...]


def is_available() -> bool:
    """Whether this machine has a C compiler."""
    return _compiler() is not None


def native_step(system: System, scheme: Scheme, fixed: Mapping[str, float]) -> NativeStep:
    """Generate, compile and load one step.

    Parameters
    ----------
    fixed : values of parameters to build in

    Raises
    ------
    UnsupportedError : there is no C compiler
    """
    library, name = _compiled(step_function(system, scheme, fixed))
    address = ctypes.cast(getattr(library, name), ctypes.c_void_p)
    return NativeStep(address, library.symdyn_march, free_parameters(system, fixed))


def native_rate(system: System, values: Mapping[str, float]) -> Callable[[float, Array], Array]:
    """The right side f(t, x) of a system in C, at given parameters.

    Raises
    ------
    UnsupportedError : there is no C compiler
    """
    graph = Graph()
    A = GraphAlgebra(graph)
    t = graph.symbol("t")
    x = [graph.symbol(f"x[{k}]") for k in range(system.n)]
    symbols = [graph.symbol(f"p[{k}]") for k in range(len(system.parameters))]
    p = {q.name: symbol for q, symbol in zip(system.parameters, symbols, strict=True)}
    arguments = (_scalar("t", t), _vector("x", x), _vector("p", symbols))
    out = system.rate(A, t, x, p)
    # parameters are arguments, so that one compilation serves all their values
    library, name = _compiled(FunctionSpec("rate", graph, arguments, _result("rate", out)))
    function = getattr(library, name)
    n = system.n
    numbers = np.array([values[q.name] for q in system.parameters])
    at = numbers.ctypes.data_as(_POINTER)

    def rate(time: float, state: Array) -> Array:
        given, found = np.ascontiguousarray(state), np.empty(n)
        function(
            ctypes.c_double(time),
            given.ctypes.data_as(_POINTER),
            at,
            found.ctypes.data_as(_POINTER),
        )
        return found

    return rate


def native_function(spec: FunctionSpec) -> Callable[..., Array]:
    """A specification whose arguments are vectors, in C: takes arrays, gives its entries flat.

    Raises
    ------
    UnsupportedError : there is no C compiler
    """
    library, name = _compiled(spec)
    function = getattr(library, name)
    size = len(spec.result.entries)

    def call(*arrays: Array) -> Array:
        given = [np.ascontiguousarray(array, dtype=float) for array in arrays]
        found = np.empty(size)
        function(*(a.ctypes.data_as(_POINTER) for a in (*given, found)))
        return found

    return call


def step_function(system: System, scheme: Scheme, fixed: Mapping[str, float]) -> FunctionSpec:
    """One step as a function specification: arguments t, x, p, dt.

    Parameters
    ----------
    fixed : values of parameters to build in
    """
    graph = Graph()
    A = GraphAlgebra(graph)
    t, dt = graph.symbol("t"), graph.symbol("dt")
    x = [graph.symbol(f"x[{k}]") for k in range(system.n)]
    free = free_parameters(system, fixed)
    symbols = [graph.symbol(f"p[{k}]") for k in range(len(free))]
    p: dict[str, Node] = {n: graph.constant(Fraction(value)) for n, value in fixed.items()}
    p |= zip(free, symbols, strict=True)
    out = scheme.step(system, A, t, x, p, dt)
    arguments = (_scalar("t", t), _vector("x", x), _vector("p", symbols), _scalar("dt", dt))
    doc = f"one step of {scheme.title} for {system.name}"
    return FunctionSpec("step", graph, arguments, _result("step", out), doc)


def free_parameters(system: System, fixed: Mapping[str, float]) -> tuple[str, ...]:
    """Parameters that stay arguments, in order: at least one, as C has no empty arrays."""
    free = tuple(q.name for q in system.parameters if q.name not in fixed)
    return free or tuple(q.name for q in system.parameters[:1])


def _scalar(name: str, node: Node) -> Argument:
    return Argument(name, (), (node.id,))


def _vector(name: str, nodes: Sequence[Node]) -> Argument:
    return Argument(name, (len(nodes),), tuple(node.id for node in nodes))


def _result(name: str, nodes: Sequence[Node]) -> Result:
    return Result(name, (len(nodes),), tuple(node.id for node in nodes))


def _compiled(spec: FunctionSpec) -> tuple[ctypes.CDLL, str]:
    """The library that holds a function, and the function's name in it."""
    unit = Unit(
        name="symdyn_system",
        functions=(spec,),
        constants=(),
        convention=("SI units.",),
        self_test=None,
        digest=digest(spec.graph, spec.result.entries),
    )
    library = _load(tuple(sorted(generate(unit, "c").items())))
    return library, TARGETS["c"].entry_points(unit).functions[spec.name]


@lru_cache(maxsize=1)
def _compiler() -> Compiler | None:
    return find_c_compiler()


@lru_cache(maxsize=64)
def _load(files: tuple[tuple[str, str], ...]) -> ctypes.CDLL:
    compiler = _compiler()
    if compiler is None:
        raise UnsupportedError(
            "no C compiler was found (cc, gcc or clang on PATH, or $CC). "
            'Ask for engine="python", which is slower.'
        )
    with tempfile.TemporaryDirectory(prefix="symdyn-") as folder:
        sources: list[Path] = []
        walker = Path(__file__).with_name("march.c").read_text(encoding="utf-8")
        for name, text in (*files, ("march.c", walker)):
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            if path.suffix == ".c":
                sources.append(path)
        return compile_and_load(compiler, sources)
