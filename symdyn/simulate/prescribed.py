"""Friction alone, under a motion that is prescribed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from symdyn._errors import UnsupportedError
from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import half
from symdyn.friction.law import FrictionLaw, Quantity
from symdyn.simulate.joint import FORCE, parameter_relations
from symdyn.simulate.system import System


class Velocity(Protocol):
    """A prescribed velocity as a function of time."""

    def __call__(self, A: Algebra[S], t: S, p: Mapping[str, S], /) -> S: ...


@dataclass(frozen=True, slots=True)
class Motion:
    """A prescribed motion: its name, its parameters, its velocity."""

    name: str
    doc: str
    parameters: tuple[Quantity, ...]
    velocity: Velocity


def _steady(A: Algebra[S], t: S, p: Mapping[str, S], /) -> S:
    return p["velocity"]


def _wave(A: Algebra[S], t: S, p: Mapping[str, S], /) -> S:
    return p["mean"] + p["amplitude"] * A.unary("sin", p["frequency"] * t)


STEADY = Motion(
    "steady", "constant velocity", (Quantity("velocity", "rad/s", "velocity"),), _steady
)

WAVE = Motion(
    "wave",
    "a velocity that oscillates about a mean",
    (
        Quantity("mean", "rad/s", "mean velocity"),
        Quantity("amplitude", "rad/s", "amplitude of the velocity"),
        Quantity("frequency", "rad/s", "angular frequency"),
    ),
    _wave,
)


def prescribed_system(law: FrictionLaw, motion: Motion) -> System:
    """Friction of a prescribed motion: the states are those of the law, the output is its force.

    Parameters
    ----------
    law : a law with states and without signals
    motion : its velocity

    Raises
    ------
    UnsupportedError : the law has no states (then its force is a formula) or needs signals
    """
    if law.rate is None or law.signals:
        raise UnsupportedError(
            f"prescribed_system: {law.name} has no states or needs signals. "
            "For a law without states evaluate its force."
        )
    own_rate = law.rate

    def rate(A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], /) -> list[S]:
        return own_rate(A, motion.velocity(A, t, p), x, {}, p)

    def relax(A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], dt: S, /) -> list[S]:
        assert law.update is not None
        middle = motion.velocity(A, t + half(A) * dt, p)
        return law.update(A, middle, x, {}, p, dt)

    def observe(A: Algebra[S], t: S, x: Sequence[S], p: Mapping[str, S], /) -> list[S]:
        v = motion.velocity(A, t, p)
        return [law.force(A, v, x, {}, p), v]

    return System(
        name=f"{law.name}-{motion.name}",
        states=law.states,
        parameters=(*law.parameters, *motion.parameters),
        rate=rate,
        relax=None if law.update is None else relax,
        relaxed=() if law.update is None else tuple(range(len(law.states))),
        relations=parameter_relations(law),
        outputs=(FORCE, Quantity("velocity", "rad/s", "prescribed velocity")),
        observe=observe,
    )
