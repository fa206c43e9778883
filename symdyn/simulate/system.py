"""An ordinary differential equation as data: dx/dt = f(t, x, p), over any number kind.

One definition serves integration in floats, at 40 digits, as compiled C (`simulate.native`) and
through SciPy (`simulate.reference`). Parameters and states are `friction.law.Quantity`, with unit
and domain, as those of a friction law are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from symdyn._errors import InputError, SizeError
from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Quantity, Relation


class Rate(Protocol):
    """Time derivatives of all states at (time, states, parameters), all of one number kind."""

    def __call__(self, A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], /) -> list[S]: ...


class Relax(Protocol):
    """All states after dt in which some states follow their exact flow and the others rest."""

    def __call__(
        self, A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], dt: S, /
    ) -> list[S]: ...


@dataclass(frozen=True, slots=True)
class System:
    """One system.

    Attributes
    ----------
    name : identifier, for generated code and messages
    states, parameters : what it has; order is the order of vectors
    rate : the right side f
    positions : states whose rate is a velocity that is a state: semi-implicit Euler takes it new
    velocity : the state that friction depends on: where it is largest, or passes zero, explicit
        steps have to be shortest; None if that is no state
    relax, relaxed : exact flow of stiff states with the others frozen, and which states those are;
        None and empty if there are none
    relations : conditions on several parameters at once
    outputs, observe : quantities that follow from the states (friction, torque), and the function
        that gives them in that order
    """

    name: str
    states: tuple[Quantity, ...]
    parameters: tuple[Quantity, ...]
    rate: Rate
    positions: tuple[int, ...] = ()
    velocity: int | None = None
    relax: Relax | None = None
    relaxed: tuple[int, ...] = ()
    relations: tuple[Relation, ...] = ()
    outputs: tuple[Quantity, ...] = ()
    observe: Rate | None = None

    @property
    def n(self) -> int:
        """Number of states."""
        return len(self.states)

    def index(self, state: str) -> int:
        """Place of a state in the vector of states.

        Raises
        ------
        InputError : there is no such state
        """
        for k, q in enumerate(self.states):
            if q.name == state:
                return k
        raise InputError(
            f"no state {state!r}",
            where=f"system {self.name}",
            expected="one of " + " ".join(q.name for q in self.states),
        )

    def check(self, values: Mapping[str, float]) -> dict[str, float]:
        """Parameters as given: complete, finite, inside their domains, in the order of vectors.

        Raises
        ------
        InputError : one is missing, unknown, not finite or outside its domain, or a relation
            between some does not hold
        """
        where = f"system {self.name}"
        known = {q.name: q for q in self.parameters}
        wrong = [name for name in (*known, *values) if (name in known) != (name in values)]
        if wrong:
            raise InputError(
                f"wrong set of parameters: {wrong[0]!r} is "
                + ("missing" if wrong[0] in known else "unknown"),
                where=where,
                expected=" ".join(known),
                got=" ".join(values) or "none",
            )
        for name, q in known.items():
            value = values[name]
            if not math.isfinite(value):
                raise InputError(f"{name} is not finite", where=where, got=repr(value))
            if not q.domain.contains(value):
                raise InputError(
                    f"{name} [{q.unit}] is outside its domain",
                    where=where,
                    expected=f"{name} {q.domain.value}",
                    got=repr(value),
                    remedy=f"{name} is the {q.doc}.",
                )
        for relation in self.relations:
            if not relation.holds(values):
                raise InputError(
                    "parameters do not go together",
                    where=where,
                    expected=relation.text,
                    got=", ".join(f"{name} = {values[name]!r}" for name in relation.names),
                    remedy=relation.why,
                )
        return {name: float(values[name]) for name in known}

    def start(self, **values: float) -> list[float]:
        """Vector of states; what is not named is zero.

        Raises
        ------
        InputError : a name is no state, or a value is not finite
        """
        x = [0.0] * self.n
        for name, value in values.items():
            if not math.isfinite(value):
                raise InputError(f"{name} is not finite", where=f"system {self.name}")
            x[self.index(name)] = float(value)
        return x

    def check_state(self, x: Sequence[float]) -> list[float]:
        """A vector of states as given.

        Raises
        ------
        SizeError : it has the wrong length
        InputError : an entry is not finite
        """
        if len(x) != self.n:
            raise SizeError(f"system {self.name}", "the vector of states", self.n, len(x))
        for q, value in zip(self.states, x, strict=True):
            if not math.isfinite(value):
                raise InputError(f"{q.name} is not finite", where=f"system {self.name}")
        return [float(value) for value in x]
