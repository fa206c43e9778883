"""What a URDF file makes the reader assume: counted while reading, told in the robot's notes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from symdyn.algebra.term import Term
from symdyn.friction.exchange import URDF_NOTE
from symdyn.io.decimal_text import Decimal, read_angle
from symdyn.io.xml_tree import Element
from symdyn.model.names import listing


@dataclass(slots=True)
class Findings:
    """What has to be told about the file although it is no fault.

    Attributes
    ----------
    source : what errors call the file
    snap : whether rounded angles are taken as the multiples of pi/4 that they print
    notes : sentences on single elements
    unknown : elements and attributes that were left out, and how often
    exact_angles : number of multiples of pi/4 printed to a double's precision
    snapped : change of each angle that was taken as the multiple that it prints [rad]
    could_snap : number of such angles that were left as printed
    without_limit : joints whose limits the file does not state
    with_friction : joints whose file gives them dry friction
    """

    source: str
    snap: bool
    notes: list[str] = field(default_factory=lambda: list[str]())
    unknown: Counter[str] = field(default_factory=lambda: Counter[str]())
    exact_angles: int = 0
    snapped: list[Fraction] = field(default_factory=lambda: list[Fraction]())
    could_snap: int = 0
    without_limit: list[str] = field(default_factory=lambda: list[str]())
    with_friction: list[str] = field(default_factory=lambda: list[str]())

    def where(self, element: Element, what: str) -> str:
        """File, line and place; a place that others continue may end with a comma."""
        return f"{self.source}, line {element.line}, {what.rstrip(',')}"

    def angle(self, decimal: Decimal) -> Term:
        angle = read_angle(decimal, self.snap)
        if angle.change is None:
            self.could_snap += angle.printed
        elif angle.printed:
            self.snapped.append(angle.change)
        else:
            self.exact_angles += 1
        return angle.term

    def summary(self) -> list[str]:
        notes: list[str] = []
        if self.exact_angles:
            notes.append(
                f"{_angles(self.exact_angles)} within 1e-13 rad of a multiple of pi/4 "
                "taken as that multiple."
            )
        if self.snapped:
            notes.append(
                f"{_angles(len(self.snapped))} taken as the multiple of pi/4 that is printed "
                f"(snap_angles); largest change {float(max(self.snapped)):.2g} rad."
            )
        if self.could_snap:
            notes.append(
                f"{_angles(self.could_snap)} taken as printed where a multiple of pi/4 prints so; "
                "snap_angles takes the multiple, which makes the code shorter."
            )
        if self.without_limit:
            notes.append(f"No limits in the file for joints {listing(self.without_limit)}.")
        if self.with_friction:
            notes.append(f"{URDF_NOTE}: joints {listing(self.with_friction)}.")
        if self.unknown:
            names = [f"{tag} ({count})" for tag, count in self.unknown.items()]
            notes.append(f"Not known and left out: {listing(names)}.")
        return notes


def _angles(count: int) -> str:
    return f"{count} angle{'' if count == 1 else 's'}"
