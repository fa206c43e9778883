"""What acts on one joint besides friction: a torque, with states of its own if it needs them.

Like a friction law, a drive is data whose formulas run over any number kind. ``q`` and ``v`` are
position and velocity of the joint, ``y`` the drive's own states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.law import Domain, Quantity


class Torque(Protocol):
    """Torque on the joint."""

    def __call__(
        self, A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /
    ) -> S: ...


class OwnRate(Protocol):
    """Time derivatives of the drive's own states."""

    def __call__(
        self, A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /
    ) -> list[S]: ...


@dataclass(frozen=True, slots=True)
class Drive:
    """One drive: its name, what it does, its parameters and states, its formulas."""

    name: str
    doc: str
    parameters: tuple[Quantity, ...]
    torque: Torque
    states: tuple[Quantity, ...] = ()
    rate: OwnRate | None = None


def _constant(A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /) -> S:
    return p["torque"]


def _ramp(A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /) -> S:
    return p["ramp"] * t


def _sine(A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /) -> S:
    return p["mean"] + p["amplitude"] * A.unary("sin", p["frequency"] * t)


def _spring(A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /) -> S:
    return p["stiffness"] * (p["pull"] * t - q) + p["damping"] * (p["pull"] - v)


def _pid(A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /) -> S:
    return -(p["Kp"] * (q - p["target"]) + p["Kv"] * v + p["Ki"] * y[0])


def _pid_rate(A: Algebra[S], t: S, q: S, v: S, y: Sequence[S], p: Mapping[str, S], /) -> list[S]:
    return [q - p["target"]]


CONSTANT = Drive("constant", "a constant torque", (Quantity("torque", "N m", "torque"),), _constant)

RAMP = Drive(
    "ramp", "a torque that grows with time", (Quantity("ramp", "N m/s", "rate of torque"),), _ramp
)

SINE = Drive(
    "sine",
    "a torque that oscillates about a mean",
    (
        Quantity("mean", "N m", "mean torque"),
        Quantity("amplitude", "N m", "amplitude of the torque"),
        Quantity("frequency", "rad/s", "angular frequency"),
    ),
    _sine,
)

SPRING = Drive(
    "spring",
    "a spring and damper whose far end is pulled at constant velocity",
    (
        Quantity("stiffness", "N m/rad", "stiffness of the spring", Domain.POSITIVE),
        Quantity("damping", "N m s/rad", "damping of the spring", Domain.NONNEGATIVE),
        Quantity("pull", "rad/s", "velocity of the far end"),
    ),
    _spring,
)

#: u = -Kp e - Kv v - Ki int(e) with e = q - target. With target 0 the position is the error itself,
#: so that it can shrink far below the rounding of a position near 1.
PID = Drive(
    "pid",
    "a PID controller of the position",
    (
        Quantity("Kp", "N m/rad", "proportional gain"),
        Quantity("Kv", "N m s/rad", "velocity gain"),
        Quantity("Ki", "N m/(rad s)", "integral gain"),
        Quantity("target", "rad", "position to reach"),
    ),
    _pid,
    (Quantity("integral", "rad s", "integral of the error"),),
    _pid_rate,
)

DRIVES: dict[str, Drive] = {d.name: d for d in (CONSTANT, RAMP, SINE, SPRING, PID)}
