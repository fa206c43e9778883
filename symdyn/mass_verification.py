"""Links given by what they are made of: their inertial parameters against numeric quadrature.

What is compared is what the robot is made of in the end, its exact terms, at two times inside the
interval that the distribution is meant for; where nothing changes, once. The quadrature is that of
`symdyn.mass.quadrature`, which shares nothing with the exact integrals where that can be helped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from symdyn._errors import UnsupportedError, VerificationError
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.term import ZERO, Term, lift
from symdyn.model.robot import TIME, LumpedLink, MadeOf, Robot

if TYPE_CHECKING:
    import sympy

    from symdyn.mass.quadrature import Verification

#: Where in the interval of time is compared.
_TIMES = (Fraction(5, 16), Fraction(13, 16))
_MP = MpAlgebra(40)


@dataclass(frozen=True, slots=True)
class MassCheck:
    """What is known of the mass of one link.

    Attributes
    ----------
    link : its name
    agreement : the comparison in words
    worst : largest relative difference; None if it could not be compared
    uncertain : of which part what was looked up in samples only, or not at all
    """

    link: str
    agreement: str
    worst: float | None
    uncertain: tuple[str, ...]


def verify_masses(
    robot: Robot, progress: Callable[[str], None] | None = None
) -> tuple[MassCheck, ...]:
    """Compare every link that is given by its parts.

    Parameters
    ----------
    robot : links without parts have nothing to compare
    progress : called with the name of each link

    Raises
    ------
    VerificationError : names the link and the entry that disagrees
    """
    found: list[MassCheck] = []
    links = [link for body in robot.bodies for link in body.links]
    for link in (*links, *robot.base_links):
        if link.made_of is not None:
            if progress is not None:
                progress(f"mass of {link.name}")
            found.append(_check(robot, link, link.made_of))
    return tuple(found)


def _check(robot: Robot, link: LumpedLink, made_of: MadeOf) -> MassCheck:
    from symdyn.mass.described import body_of
    from symdyn.mass.quadrature import compare

    values = {p.name: p.value for p in robot.parameters}
    body = body_of(made_of.parts, values, made_of.times)
    start, end = made_of.times
    times = [start + s * (end - start) for s in _TIMES] if made_of.motion else [start]

    def expected(t: sympy.Expr) -> dict[str, list[float]]:
        above, below = t.as_numer_denom()
        return _numbers(link, made_of, values, Fraction(int(above), int(below)))

    try:
        agreed: Verification = compare(body, expected, body.values, times)
    except VerificationError as error:
        raise VerificationError(f"link {link.name}: {error}") from error
    except UnsupportedError as error:
        return MassCheck(link.name, f"not compared: {error}", None, made_of.uncertain)
    return MassCheck(link.name, agreed.sentence(), agreed.worst, made_of.uncertain)


def _numbers(
    link: LumpedLink, made_of: MadeOf, values: dict[str, Fraction], t: Fraction
) -> dict[str, list[float]]:
    """The link's own terms at one time."""
    motion = made_of.motion
    still: tuple[Term, ...] = (ZERO,) * 12
    terms = (*link.phi, *still, ZERO)
    if motion is not None:
        terms = (*motion.phi, *motion.psi, motion.nu)
    known = {name: _MP.const(value) for name, value in {**values, TIME: t}.items()}
    found = [float(value) for value in lift(terms, _MP, known)]
    return {"phi": found[:10], "psi": found[10:22], "nu": found[22:]}
