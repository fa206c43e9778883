"""Function specification: what a generated function takes and gives, and the graph behind it."""

from __future__ import annotations

from dataclasses import dataclass

from symdyn.expr.graph import Graph


@dataclass(frozen=True, slots=True)
class Argument:
    """One input of a generated function.

    Attributes
    ----------
    name : as users write it (``q``, ``theta``); targets mangle it where they must
    shape : sizes, () for a scalar; row-major
    symbols : graph indices of its ``symbol`` nodes, flat in row-major order
    unit, doc : for the printed header
    shared : whether all states of a batch have one value of it (parameters of the robot); what
        depends on shared arguments only is then computed once a batch
    """

    name: str
    shape: tuple[int, ...]
    symbols: tuple[int, ...]
    unit: str = ""
    doc: str = ""
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """One output: its name, its shape, and the graph indices of its entries, row-major."""

    name: str
    shape: tuple[int, ...]
    entries: tuple[int, ...]
    unit: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class FunctionSpec:
    """A function to generate; every symbol its result needs belongs to exactly one argument."""

    name: str
    graph: Graph
    arguments: tuple[Argument, ...]
    result: Result
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant that a unit carries: text list, number list or plain text."""

    name: str
    value: tuple[str, ...] | tuple[float, ...] | str
    doc: str = ""


@dataclass(frozen=True, slots=True)
class SelfTest:
    """One state with the numbers each function has to give there (correctly rounded)."""

    inputs: dict[str, tuple[float, ...]]
    expected: dict[str, tuple[float, ...]]
    tolerance: float


@dataclass(frozen=True, slots=True)
class Unit:
    """Everything that goes into one generated file of a target: a robot's functions and constants.

    Attributes
    ----------
    name : becomes the module or file name after mangling
    functions : in the order they are printed
    constants : joint names, body names, theta, parameter order, operation counts, …
    convention : lines of the convention block
    self_test : numbers the file can check itself against
    digest : hash of the model and the graph, for the header
    """

    name: str
    functions: tuple[FunctionSpec, ...]
    constants: tuple[Constant, ...]
    convention: tuple[str, ...]
    self_test: SelfTest | None
    digest: str
