"""A friction law as data: one definition from which everything else follows.

A law declares its parameters with unit and domain, its states and signals, and its formulas as
functions over an abstract number kind. The SymPy view, derivatives, regressor columns, simulation,
code for every target and the catalogue in the documentation are made from this one object.

Convention: friction stands on the left of the equation of motion. ``force`` is positive at positive
velocity; v * force >= 0 is dissipation. A law serves rotation and translation alike: units are
written for rotation (N m, rad/s), for translation read N and m/s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """States after a step dt of constant velocity; exact, hence bounded for any step."""

    def __call__(
        self, A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], dt: S, /
    ) -> list[S]: ...


class Bounds(Protocol):
    """Lower and upper end of the set of forces at rest."""

    def __call__(self, A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S]: ...


@dataclass(frozen=True, slots=True)
class FrictionLaw:
    """One friction law.

    Attributes
    ----------
    name : as used in files and on the command line
    title : in words
    source : author, year and equation
    formula : LaTeX of the law
    parameters, states, signals : what it depends on besides the velocity; signals are prescribed
    inputs
        such as load, temperature or position
    force : the force
    steady : force in steady sliding at constant velocity; equal to ``force`` for a law without
    states
    rate, update : of the states; None for a law without states
    at_rest : for a set-valued law, the interval of forces at zero velocity; else None
    linear : names of parameters in which the force is linear (columns of a regressor)
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
    linear: tuple[str, ...] = ()

    def check(self, values: Mapping[str, float], where: str = "") -> dict[str, float]:
        """Parameters as given, complete and inside their domains.

        Raises
        ------
        InputError : a parameter is missing, unknown, not finite or outside its domain
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
        for name, value in values.items():
            q = known[name]
            if value != value or value in (float("inf"), float("-inf")):
                raise InputError(f"{name} is not finite", where=place, got=repr(value))
            if not q.domain.contains(value):
                raise InputError(
                    f"{name} [{q.unit}] is outside its domain",
                    where=place,
                    expected=f"{name} {q.domain.value}",
                    got=repr(value),
                    remedy=f"{name} is the {q.doc}.",
                )
        return {name: float(values[name]) for name in known}
