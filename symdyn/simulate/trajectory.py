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
class MassWorks:
    """What mass that changes or moves does with the energy, (m,) each [J].

    Attributes
    ----------
    moved, sources : works since the start on ``kinetic + potential``, of mass that moves in the
        bodies or arrives at rest, and of mass that comes or goes otherwise
    relative : what the kinetic energy of all mass has beyond ``kinetic``
    """

    moved: Array
    sources: Array
    relative: Array


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
    kinetic, potential : (m,) energies v'Mv/2 and U [J]
    work, dissipated : (m,) work of the drives and energy taken by friction since the start [J]
    events : in order of time
    notes : what was assumed or noticed, one sentence each
    mass : None where no mass changes or moves
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
    mass: MassWorks | None = None

    @property
    def imbalance(self) -> Array:
        """Energy that appeared from nowhere since the start, (m,) [J]: a measure of the error."""
        energy = self.kinetic + self.potential
        works = self.work - self.dissipated
        if self.mass is not None:
            works = works + self.mass.moved + self.mass.sources
        return (energy - energy[0]) - works

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
        if self.mass is not None:
            yield "moved mass", "J", self.mass.moved
            yield "sources", "J", self.mass.sources
            yield "relative", "J", self.mass.relative


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
