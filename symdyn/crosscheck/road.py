"""What a road is: one way to the numbers of a function. One file per road, one opener each.

A road is opened once for a robot (compile, load, build the other program's model) and then asked
for one function after another. Where it cannot answer it says why, by raising `NotApplicableError`
for a function or `RoadMissingError` at opening; nothing is ever left out silently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from symdyn.algebra.float64 import Array
from symdyn.codegen.spec import FunctionSpec, Unit
from symdyn.crosscheck.python_module import check_untouched
from symdyn.crosscheck.states import CheckState
from symdyn.model.robot import Robot
from symdyn.recipes import Derivation

#: What bounds a road's error: the running error of the derived graph (``graph``), that of the
#: recursion (``recursion``), the digits of multiple precision (``digits``), or the running error of
#: the recursion and what another program loses beyond it by working in other frames (``outside``).
Yardstick = Literal["graph", "recursion", "digits", "outside"]


class RoadMissingError(Exception):
    """The road cannot be opened here: a program is missing, or cannot hold this robot."""


class NotApplicableError(Exception):
    """The road has no answer for this function; the message says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Numbers of one function.

    Attributes
    ----------
    values : (states, entries), row-major
    low : what the values lack to their 32-digit numbers, for a road in multiple precision
    indices : which of the given states they are for; all if None
    contracted : argument whose product with the matrix it is, empty for the matrix itself: a
        program
        without a regressor still knows ``regressor @ theta``
    remark : why states were left out, if any were
    """

    values: Array
    low: Array | None = None
    indices: tuple[int, ...] | None = None
    contracted: str = ""
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Road:
    """An opened road.

    Attributes
    ----------
    answer : numbers of a function at states; raises `NotApplicableError`
    program : the outside program and its version, empty if none
    """

    answer: Callable[[FunctionSpec, Sequence[CheckState]], Answer]
    program: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a road may need to be opened.

    Attributes
    ----------
    robot, derivation : what was derived
    unit : the unit that was generated from the derivation
    directory : holds the generated files, one folder per target (``numpy``, ``c``)
    generated : by target, text of each file in its folder
    shared : what several roads need and only one of them makes (a compiled library), by a name
    """

    robot: Robot
    derivation: Derivation
    unit: Unit
    directory: Path
    generated: Mapping[str, Mapping[str, str]]
    shared: dict[str, object] = field(default_factory=dict[str, object])

    def files(self, target: str) -> list[Path]:
        """The generated files of a target, after checking that they hold what was generated.

        Raises
        ------
        RoadMissingError : the target was not generated
        VerificationError : a file is missing or was changed
        """
        texts = self.generated.get(target)
        if not texts:
            raise RoadMissingError(f"no {target} code was generated")
        paths = [self.directory / target / name for name in texts]
        for path, text in zip(paths, texts.values(), strict=True):
            check_untouched(path, text)
        return paths


@dataclass(frozen=True, slots=True)
class RoadKind:
    """A road before it is opened.

    Attributes
    ----------
    name : as in the record
    about : one line for the report
    open : opens it; raises `RoadMissingError` or `VerificationError` (the generated code does not
        compile)
    yardstick : what its error is measured against
    """

    name: str
    about: str
    open: Callable[[Setting], Road]
    yardstick: Yardstick


def arguments_of(spec: FunctionSpec, state: CheckState) -> list[tuple[float, ...]]:
    """Values of a function's arguments at a state, in the order of its signature."""
    return [state.values[argument.name] for argument in spec.arguments]


def entries_of(shape: Sequence[int]) -> int:
    """Number of entries of a result."""
    size = 1
    for k in shape:
        size *= k
    return size
