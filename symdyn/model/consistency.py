"""Physical consistency of inertial parameters: can a body with these ten numbers exist?

It can exactly if the mass is positive and the second moment of the mass about its centre,
Sigma = tr(I)/2 1 - I, is positive semidefinite, which is the same as a positive semidefinite 4x4
pseudo-inertia (principal moments not negative, each at most the sum of the other two). The boundary
is legal: a point mass, a thin rod, a flat plate. The decision is exact where the numbers are
rational; the only tolerance is the precision to which the file prints them.

Source: Wensing, Kim & Slotine 2018, equations (10) to (12); Traversaro et al. 2016.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction

from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.term import TERMS, Term, lift, number
from symdyn.model.consistency_causes import Repair, causes_of, remarks_on
from symdyn.model.robot import LumpedLink, Robot
from symdyn.spatial.inertia import as_phi, matrix_of, pseudo_inertia
from symdyn.spatial.symmetric import eigenvalues, semidefinite_rank

#: Relative error of a tensor that was computed in doubles before it was printed.
_DOUBLES = 1e-12
#: Digits for numbers that are not rational, and what cancellation leaves of a zero computed so.
_DIGITS = 50
_LEFT = Fraction(1, 10**40)
#: A number with fewer digits than this is taken as exact, not as rounded.
_FEWEST_DIGITS = 3
_SHAPES = {1: "point mass", 2: "thin rod", 3: "flat plate"}


class Consistency(Enum):
    """Whether a body with these parameters can exist."""

    CONSISTENT = "consistent"
    DEGENERATE = "degenerate"
    MASSLESS = "massless"
    INCONSISTENT = "inconsistent"


@dataclass(frozen=True, slots=True)
class BodyDiagnosis:
    """The verdict on one link of the file, or on one body with everything lumped in.

    Attributes
    ----------
    name, element, line : what was diagnosed: ``link`` or ``body``, and where the file states it
    verdict : degenerate is legal, inconsistent is not
    rank : of the 4x4 pseudo-inertia; None if inconsistent
    is_exact : whether the decision was made in exact arithmetic
    mass : [kg]
    principal_moments : about the centre of mass, ascending [kg m^2]
    pseudo_inertia_eigenvalues : of the 4x4 matrix in the link's frame, ascending
    margin : smallest eigenvalue of Sigma over the largest in size; negative if inconsistent
    triangle_margin : sum of the two smaller principal moments less the largest [kg m^2]
    radii_of_gyration : sqrt(I_kk/m) in the axes of the inertial frame [m]; None where I_kk/m < 0
    causes : what is likely wrong, most telling first; empty unless inconsistent
    repair : the one change of a number that mends it, if there is exactly one
    remarks : what is legal and looks like a slip
    links : the links that make up a body (empty for a link)
    """

    name: str
    element: str
    line: int | None
    verdict: Consistency
    rank: int | None
    is_exact: bool
    mass: float
    principal_moments: tuple[float, ...]
    pseudo_inertia_eigenvalues: tuple[float, ...]
    margin: float
    triangle_margin: float
    radii_of_gyration: tuple[float | None, ...]
    causes: tuple[str, ...] = ()
    repair: Repair | None = None
    remarks: tuple[str, ...] = ()
    links: tuple[BodyDiagnosis, ...] = ()

    @property
    def is_consistent(self) -> bool:
        """Whether a body with these parameters can exist (no mass at all included)."""
        return self.verdict is not Consistency.INCONSISTENT

    @property
    def degenerate(self) -> str:
        """The kind of degeneracy, empty if there is none."""
        if self.verdict is not Consistency.DEGENERATE or self.rank is None:
            return ""
        return f"rank {self.rank} pseudo-inertia ({_SHAPES.get(self.rank, 'boundary')})"

    def sentence(self) -> str:
        """Verdict, margin and cause on one line."""
        where = "" if self.line is None else f" (line {self.line})"
        head = f"{self.element} {self.name}{where}: {self.verdict.value}"
        if self.verdict is Consistency.MASSLESS:
            return f"{head}."
        parts = [head, f"margin {self.margin:.3g}"]
        if self.degenerate:
            parts.append(f"legal, {self.degenerate}")
        parts.extend(self.causes)
        if self.repair is not None:
            parts.append(f"the only repair by a power of ten: {self.repair.text()}")
        return "; ".join(parts) + "."


def diagnose(robot: Robot) -> tuple[BodyDiagnosis, ...]:
    """The verdict on each body and, inside it, on each link of the file that it is made of.

    Parameters
    ----------
    robot : declared parameters take the robot's values

    Returns
    -------
    one diagnosis per body, in the order of the bodies
    """
    values = {p.name: number(p.value) for p in robot.parameters}
    reach = _reach(robot, values)
    found: list[BodyDiagnosis] = []
    for body in robot.bodies:
        parts = [(link, _from_link(link, values)) for link in body.links]
        links = tuple(_link(link, central, reach) for link, central in parts)
        if len(links) == 1:
            # the file's own numbers and their printed precision tell more than the sum
            found.append(replace(links[0], element="body", links=links))
            continue
        allowance = sum(_printed(central) for _, central in parts)
        whole = _verdict(body.name, "body", None, _from_phi(body.phi, values), reach, allowance)
        found.append(replace(whole, links=links))
    return tuple(found)


def diagnose_links(robot: Robot, links: Iterable[LumpedLink]) -> tuple[BodyDiagnosis, ...]:
    """The verdict on links one by one, such as those of the base, which no equation needs."""
    values = {p.name: number(p.value) for p in robot.parameters}
    reach = _reach(robot, values)
    return tuple(_link(link, _from_link(link, values), reach) for link in links)


@dataclass(frozen=True, slots=True)
class _Central:
    """Mass, and tensor about the centre of mass in some axes, as rationals.

    ``at_origin`` are the eigenvalues of the pseudo-inertia about the frame origin; ``first`` is the
    first moment; ``places`` is one printed unit of each entry of the tensor, 0 if exact; ``size``
    is that of the numbers that the tensor was computed from.
    """

    mass: Fraction
    first: tuple[Fraction, Fraction, Fraction]
    six: tuple[Fraction, ...]
    at_origin: tuple[float, ...]
    places: tuple[Fraction, ...]
    size: Fraction
    is_exact: bool


def _numbers(terms: Sequence[Term], values: dict[str, Term]) -> tuple[list[Fraction], bool]:
    """Rational values of terms, and whether they are exact (else to 50 digits)."""
    folded = lift(terms, TERMS, values)
    exact = [t.rational for t in folded]
    if all(v is not None for v in exact):
        return [v for v in exact if v is not None], True
    return [Fraction(str(x)) for x in lift(folded, MpAlgebra(_DIGITS))], False


def _from_phi(phi: Sequence[Term], values: dict[str, Term]) -> _Central:
    v, is_exact = _numbers(phi, values)
    m, h = v[0], (v[1], v[2], v[3])
    six = tuple(v[4:10])
    size = max(map(abs, six))
    if m != 0:
        xx, yy, zz = h[0] * h[0] / m, h[1] * h[1] / m, h[2] * h[2] / m
        steiner = (yy + zz, xx + zz, xx + yy, -h[0] * h[1] / m, -h[1] * h[2] / m, -h[0] * h[2] / m)
        six = tuple(a - b for a, b in zip(six, steiner, strict=True))
    return _Central(m, h, six, _at_origin(v), (Fraction(0),) * 6, size, is_exact)


def _from_link(link: LumpedLink, values: dict[str, Term]) -> _Central:
    stated = link.stated
    if stated is None:
        return _from_phi(link.phi, values)
    v, is_exact = _numbers([stated.mass, *stated.com, *stated.tensor], values)
    phi, _ = _numbers(link.phi, values)
    m, six = v[0], tuple(v[4:10])
    places = (Fraction(0),) * 6
    if stated.places:
        places = tuple(
            place if abs(x) >= place * 10 ** (_FEWEST_DIGITS - 1) else Fraction(0)
            for x, place in zip(six, stated.places[4:], strict=True)
        )
    first = (m * v[1], m * v[2], m * v[3])
    return _Central(m, first, six, _at_origin(phi), places, max(map(abs, six)), is_exact)


def _at_origin(phi: Sequence[Fraction]) -> tuple[float, ...]:
    return eigenvalues(pseudo_inertia(FLOAT64, as_phi([float(x) for x in phi])))


def _link(link: LumpedLink, central: _Central, reach: float) -> BodyDiagnosis:
    line = link.line if link.stated is None else link.stated.line
    return _verdict(link.name, "link", line, central, reach, _printed(central))


def _sigma(six: Sequence[Fraction]) -> list[list[Fraction]]:
    """The second moment tr(I)/2 1 - I."""
    xx, yy, zz, xy, yz, xz = six
    half = (xx + yy + zz) / 2
    return [[half - xx, -xy, -xz], [-xy, half - yy, -yz], [-xz, -yz, half - zz]]


def _printed(central: _Central) -> float:
    """How far the printed tensor's Sigma can be from the unrounded one's, in the spectral norm."""
    xx, yy, zz, xy, yz, xz = (place / 2 for place in central.places)
    diagonal = (xx + yy + zz) / 2
    return float(max(diagonal + xy + xz, diagonal + xy + yz, diagonal + yz + xz))


def _verdict(
    name: str,
    element: str,
    line: int | None,
    central: _Central,
    reach: float,
    allowance: float,
) -> BodyDiagnosis:
    m, six = central.mass, central.six
    xx, yy, zz, xy, yz, xz = (float(x) for x in six)
    moments = eigenvalues(matrix_of((xx, yy, zz, xy, yz, xz)))
    spread = eigenvalues([[float(x) for x in row] for row in _sigma(six)])
    largest = max(abs(x) for x in spread)
    rounding = _DOUBLES * largest + float(central.size * _LEFT)
    verdict, rank = _decide(central, spread, max(allowance, rounding))
    causes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    repair = None
    if verdict is Consistency.INCONSISTENT:
        causes, repair = causes_of(m, central.first, six, reach, is_possible)
    elif verdict is not Consistency.MASSLESS and element == "link":
        remarks = remarks_on(m, central.first, six, reach, is_possible)
    return BodyDiagnosis(
        name=name,
        element=element,
        line=line,
        verdict=verdict,
        rank=rank,
        is_exact=central.is_exact,
        mass=float(m),
        principal_moments=moments,
        pseudo_inertia_eigenvalues=central.at_origin,
        margin=spread[0] / largest if largest > 0 else 0.0,
        triangle_margin=moments[0] + moments[1] - moments[2],
        radii_of_gyration=tuple(_radius(x, m) for x in six[:3]),
        causes=causes,
        repair=repair,
        remarks=remarks,
    )


def _decide(
    central: _Central, spread: Sequence[float], tolerance: float
) -> tuple[Consistency, int | None]:
    m = central.mass
    if m == 0:
        empty = not any(central.six) and not any(central.first)
        return (Consistency.MASSLESS, 0) if empty else (Consistency.INCONSISTENT, None)
    if m < 0:
        return Consistency.INCONSISTENT, None
    rank = semidefinite_rank(_sigma(central.six)) if central.is_exact else None
    if rank == 3:
        return Consistency.CONSISTENT, 4
    if rank is not None:
        return Consistency.DEGENERATE, rank + 1
    if not central.is_exact and spread[0] > tolerance:
        return Consistency.CONSISTENT, 4
    if spread[0] < -tolerance:
        return Consistency.INCONSISTENT, None
    return Consistency.DEGENERATE, 1 + sum(x > tolerance for x in spread)


def is_possible(mass: Fraction, six: Sequence[Fraction]) -> bool:
    """Whether a body of full extent has this mass and this tensor about its centre of mass."""
    return mass > 0 and semidefinite_rank(_sigma(six)) == 3


def _radius(moment: Fraction, mass: Fraction) -> float | None:
    if mass == 0 or moment / mass < 0:
        return None
    return math.sqrt(moment / mass)


def _reach(robot: Robot, values: dict[str, Term]) -> float:
    """The sum of all offsets between joints [m]: what the robot's parts have to fit into."""
    offsets = [t for joint in robot.joints for t in joint.translation]
    numbers = lift(lift(offsets, TERMS, values), FLOAT64)
    total = sum(math.hypot(*numbers[k : k + 3]) for k in range(0, len(numbers), 3))
    return total + max(_distance(body.phi, values) for body in robot.bodies)


def _distance(phi: Sequence[Term], values: dict[str, Term]) -> float:
    m, *h = lift(lift(phi[:4], TERMS, values), FLOAT64)
    return math.hypot(*h) / abs(m) if m else 0.0
