"""A friction law as data: one definition from which everything else follows.

A law declares its parameters with unit and domain, its states and signals, and its formulas as
functions over an abstract number kind. The SymPy view, derivatives, regressor columns, simulation,
code for every target and the catalogue in the documentation are made from this one object.

Convention: friction stands on the left of the equation of motion. ``force`` is positive at positive
velocity; v * force >= 0 is dissipation. A law serves rotation and translation alike: units are
written for rotation (N m, rad/s), for translation read N and m/s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from symdyn._errors import InputError
from symdyn.algebra.protocol import Algebra, S


class Domain(Enum):
    """Values that a parameter may take."""

    REAL = "any real number"
    NONNEGATIVE = ">= 0"
    POSITIVE = "> 0"

    def contains(self, value: float) -> bool:
        """Whether a finite number lies in the domain."""
        match self:
            case Domain.REAL:
                return True
            case Domain.NONNEGATIVE:
                return value >= 0
            case Domain.POSITIVE:
                return value > 0


@dataclass(frozen=True, slots=True)
class Quantity:
    """A parameter, a state or a signal: name, unit, domain, meaning."""

    name: str
    unit: str
    doc: str
    domain: Domain = Domain.REAL


@dataclass(frozen=True, slots=True)
class Relation:
    """A condition on several parameters, or on parameters and signals.

    Attributes
    ----------
    text : the condition as a formula
    names : what it mentions
    holds : whether it holds for these numbers
    why : what goes wrong otherwise, one sentence
    """

    text: str
    names: tuple[str, ...]
    holds: Callable[[Mapping[str, float]], bool]
    why: str


class Force(Protocol):
    """Friction force of (velocity, states, signals, parameters), all of one number kind."""

    def __call__(
        self, A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
    ) -> S: ...


class Rate(Protocol):
    """Time derivatives of the states."""

    def __call__(
        self, A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
    ) -> list[S]: ...


class Update(Protocol):
    """States after a step dt >= 0 of constant velocity, bounded for any dt; see ``step``."""

    def __call__(
        self, A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
    ) -> list[S]: ...


class Bounds(Protocol):
    """Lower and upper end of the set of forces at rest."""

    def __call__(self, A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S]: ...


class Ends(Protocol):
    """Steady forward friction at its two ends: its limit as v falls to 0, and the level and the
    coefficient with F(v) - level - coefficient v -> 0 as v grows.
    """

    def __call__(
        self, A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /
    ) -> tuple[S, S, S]: ...


@dataclass(frozen=True, slots=True)
class FrictionLaw:
    """One friction law.

    Attributes
    ----------
    name : as used in files and on the command line
    title : in words
    source : author, year and where
    formula : LaTeX of the law
    parameters, states, signals : what it depends on besides the velocity; signals are prescribed
        inputs such as load, temperature or position
    force : the force
    steady : force in steady sliding at constant velocity; equal to ``force`` for a law without
        states
    rate, update : of the states; None for a law without states
    step : how good ``update`` is at constant velocity, a few words
    at_rest : for a set-valued law, the interval of forces at zero velocity; else None
    ends : limits of the steady force in forward motion; None if it does not grow like v
    linear : all names of parameters in which the force is jointly linear, whatever the others:
        force = rest + sum of column times parameter (columns of a regressor)
    relations : conditions on several parameters at once
    rest : what the law does at zero velocity, one sentence
    limits : what it tends to at zero and at infinite velocity, one sentence
    """

    name: str
    title: str
    source: str
    formula: str
    parameters: tuple[Quantity, ...]
    force: Force
    steady: Force
    rest: str
    limits: str
    states: tuple[Quantity, ...] = ()
    signals: tuple[Quantity, ...] = ()
    rate: Rate | None = None
    update: Update | None = None
    at_rest: Bounds | None = None
    ends: Ends | None = None
    linear: tuple[str, ...] = ()
    step: str = ""
    relations: tuple[Relation, ...] = ()

    def check(
        self,
        values: Mapping[str, float],
        where: str = "",
        signals: Mapping[str, float] | None = None,
    ) -> dict[str, float]:
        """Parameters as given, complete and inside their domains.

        Parameters
        ----------
        values : one number for each parameter
        where : named in the error
        signals : if given, conditions that mention signals are checked at these

        Raises
        ------
        InputError : a parameter is missing, unknown, no finite number or outside its domain, or a
            relation between them does not hold
        """
        known = {q.name: q for q in self.parameters}
        place = where or f"friction law {self.name}"
        unknown = [name for name in values if name not in known]
        missing = [name for name in known if name not in values]
        if unknown or missing:
            raise InputError(
                "wrong set of parameters",
                where=place,
                expected=" ".join(known),
                got=" ".join(values) or "none",
                remedy=f"Give exactly {', '.join(known)}.",
            )
        numbers: dict[str, float] = {}
        for name, q in known.items():
            value = _finite(name, values[name], place)
            numbers[name] = value
            if not q.domain.contains(value):
                raise InputError(
                    f"{name} [{q.unit}] is outside its domain",
                    where=place,
                    expected=f"{name} {q.domain.value}",
                    got=repr(value),
                    remedy=f"{name} is the {q.doc}.",
                )
        seen = {**numbers, **(signals or {})}
        for relation in self.relations:
            if all(name in seen for name in relation.names) and not relation.holds(seen):
                raise InputError(
                    "the parameters do not go together",
                    where=place,
                    expected=relation.text,
                    got=", ".join(f"{name} = {seen[name]!r}" for name in relation.names),
                    remedy=relation.why,
                )
        return numbers


def _finite(name: str, value: object, place: str) -> float:
    """A number out of a file or a call, as a float."""
    try:
        number = float(value)  # type: ignore[arg-type]  # what is no number raises
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if isinstance(value, str | bool) or not -float("inf") < number < float("inf"):
        raise InputError(f"{name} is no finite number", where=place, got=repr(value))
    return number
