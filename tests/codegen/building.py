"""Units from a few nodes, and their generated code loaded into this process."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from symdyn.codegen.generate import generate
from symdyn.codegen.spec import Argument, FunctionSpec, Result, SelfTest, Unit
from symdyn.codegen.targets import TARGETS
from symdyn.expr.graph import Graph, Node
from tests.oracles import need_program

STRICT = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
#: As the benchmarks compile, and with the warnings of the strict build.
FAST = (*STRICT, "-O3", "-march=native")


def argument(name: str, nodes: Sequence[Node], shape: tuple[int, ...] | None = None, **more: Any):
    size = (len(nodes),) if shape is None else shape
    return Argument(name, size, tuple(node.id for node in nodes), **more)


def function(
    graph: Graph,
    arguments: Sequence[Argument],
    entries: Sequence[Node],
    shape: tuple[int, ...] | None = None,
    name: str = "f",
) -> FunctionSpec:
    size = (len(entries),) if shape is None else shape
    return FunctionSpec(
        name, graph, tuple(arguments), Result("y", size, tuple(e.id for e in entries))
    )


def unit(*functions: FunctionSpec, name: str = "unit", test: SelfTest | None = None) -> Unit:
    return Unit(name, functions, (), (), test, "sha256:0")


def scalars(graph: Graph, names: Sequence[str]) -> tuple[list[Node], list[Argument]]:
    """Symbols, each an argument of shape ()."""
    nodes = [graph.symbol(name) for name in names]
    return nodes, [argument(n, [x], ()) for n, x in zip(names, nodes, strict=True)]


def load_numpy(made: Unit, **options: Any) -> ModuleType:
    """The generated module, run from its text."""
    ((name, text),) = generate(made, "numpy", **options).items()
    module = ModuleType(Path(name).stem)
    exec(compile(text, name, "exec"), module.__dict__)
    return module


class CLibrary:
    """Compiled C of a unit with functions that take and give arrays."""

    def __init__(
        self,
        made: Unit,
        folder: Path,
        flags: Sequence[str] = FAST,
        texts: Mapping[str, str] | None = None,
    ) -> None:
        gcc = need_program("gcc")
        for name, text in (generate(made, "c") if texts is None else texts).items():
            (folder / name).write_text(text)
        self.names = TARGETS["c"].entry_points(made)
        source = folder / f"{self.names.unit}.c"
        library = folder / "unit.so"
        done = subprocess.run(
            [gcc, *flags, "-fPIC", "-shared", source, "-o", library, "-lm"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[:3000]
        self._library = ctypes.CDLL(str(library))
        self._specs = {spec.name: spec for spec in made.functions}

    def raw(self, name: str) -> Any:
        return getattr(self._library, name)

    def one(self, name: str, *inputs: Any) -> Any:
        """The function for one state."""
        spec = self._specs[name]
        call = self._library[self.names.functions[name]]
        call.restype = None
        given: list[Any] = []
        for a, value in zip(spec.arguments, inputs, strict=True):
            flat = np.asarray(value, dtype=float).ravel()
            given.append(ctypes.c_double(float(flat[0])) if a.shape == () else _pointer(flat))
        out = np.full(len(spec.result.entries), 777.0)
        call(*given, _pointer(out))
        return out.reshape(spec.result.shape)

    def many(self, name: str, count: int, *inputs: Any) -> Any:
        """The batch entry point; arguments that are shared have no leading axis."""
        spec = self._specs[name]
        call = self._library[self.names.batches[name]]
        call.restype = None
        given: list[Any] = [ctypes.c_size_t(count)]
        for a, value in zip(spec.arguments, inputs, strict=True):
            flat = np.ascontiguousarray(value, dtype=float).ravel()
            if a.shared and a.shape == ():
                given.append(ctypes.c_double(float(flat[0])))
            else:
                given.append(_pointer(flat))
        size = len(spec.result.entries)
        # guard numbers behind the result show whether the last block writes too far
        out = np.full(count * size + 16, 777.0)
        call(*given, _pointer(out))
        assert np.all(out[count * size :] == 777.0), "written beyond the result"
        return out[: count * size].reshape((count, *spec.result.shape))


def _pointer(array: Any) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


Caller = Callable[..., Any]
