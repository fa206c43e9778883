"""A simulated motion: states and forces on a grid of times, events, and the energy balance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from symdyn.algebra.float64 import Array


@dataclass(frozen=True, slots=True)
class Event:
    """A change of a joint between rest and motion.

    Attributes
    ----------
    time : [s]
    joint : name of the coordinate
    kind : ``stops``, ``starts forwards`` or ``starts backwards``
    """

    time: float
    joint: str
    kind: str


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A motion of n coordinates at m times.

    Attributes
    ----------
    names : of the coordinates
    times : (m,) [s]
    q, v : (m, n) positions and velocities
    drive, friction : (m, n) torques of drives and of friction; friction stands on the left of the
        equation of motion
    kinetic, potential : (m,) energies [J]
    work, dissipated : (m,) work of the drives and energy taken by friction since the start [J]
    events : in order of time
    notes : what was assumed or noticed, one sentence each
    """

    names: tuple[str, ...]
    times: Array
    q: Array
    v: Array
    drive: Array
    friction: Array
    kinetic: Array
    potential: Array
    work: Array
    dissipated: Array
    events: tuple[Event, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def imbalance(self) -> Array:
        """Energy that appeared from nowhere since the start, (m,) [J]: a measure of the error."""
        energy = self.kinetic + self.potential
        return (energy - energy[0]) - (self.work - self.dissipated)

    def columns(self) -> Iterator[tuple[str, str, Array]]:
        """Name, unit and values of each column of the table."""
        yield "t", "s", self.times
        for name, unit, table in (
            ("q", "rad | m", self.q),
            ("qd", "rad/s | m/s", self.v),
            ("drive", "N m | N", self.drive),
            ("friction", "N m | N", self.friction),
        ):
            for k, joint in enumerate(self.names):
                yield f"{name}[{joint}]", unit, table[:, k]
        yield "kinetic", "J", self.kinetic
        yield "potential", "J", self.potential
        yield "work", "J", self.work
        yield "dissipated", "J", self.dissipated


def to_csv(trajectory: Trajectory) -> str:
    """The table as comma-separated values: a header, then one row a time, numbers that round-trip.

    A name that holds a comma or a quotation mark is quoted (RFC 4180).
    """
    names = [_quoted(name) for name, _, _ in trajectory.columns()]
    table = np.column_stack([values for _, _, values in trajectory.columns()])
    lines = [",".join(names)]
    lines += [",".join(repr(x) for x in row) for row in table.tolist()]
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    if any(c in name for c in ',"\r\n'):
        return '"' + name.replace('"', '""') + '"'
    return name
