"""A body as a distribution of mass: parts with density, moving fraction and relative velocity.

A part is a domain filled with density rho(x, t), of which the fraction sigma(x, t) moves with the
velocity v(x, t) against the rest, as in section 3 of the paper; x are the coordinates of the
domain, v has its components along the domain's axes. A part may be placed in the body's frame by a
rotation and a translation; if these depend on time, all of the part's mass is carried along, and v
comes on top. A body is the sum of its parts: several materials are several parts.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import sympy

from symdyn._errors import InputError
from symdyn.mass.coordinates import (
    ONE,
    ORIGIN,
    ZERO,
    Matrix,
    Number,
    Vector,
    X,
    exact,
    exact_vector,
    positive,
)
from symdyn.mass.domain import IDENTITY, Domain, rotation_matrix
from symdyn.mass.integrate import integral
from symdyn.mass.possible import check_field
from symdyn.mass.possible_domain import check_domain
from symdyn.mass.sampling import Certainty
from symdyn.mass.thin import point

_UNITS = ("kg", "kg/m", "kg/m^2", "kg/m^3")


@dataclass(frozen=True, slots=True)
class Part:
    """One domain with one material.

    Attributes
    ----------
    name : for messages
    domain : where the mass is
    density : rho(x, t) >= 0 [kg/m^dimension]
    moving : sigma(x, t) in [0, 1], the fraction that moves against the rest
    velocity : v(x, t) of that fraction, along the domain's axes [m/s]
    rotation, at : the domain's pose in the body's frame; may depend on time
    """

    name: str
    domain: Domain
    density: sympy.Expr
    moving: sympy.Expr
    velocity: Vector
    rotation: Matrix
    at: Vector


@dataclass(frozen=True, slots=True)
class MassDistribution:
    """A body: the sum of its parts, with the values of its parameters that are known.

    Attributes
    ----------
    parts : materials and solids
    values : of symbols, and expressions for functions of time; used to check signs and to verify
    times : the interval of time on which rho >= 0 and 0 <= sigma <= 1 were checked [s]
    uncertain : of which part what was looked up at nodes only or could not be looked at, such as
        ``"ball(1), density: sampled"``
    """

    parts: tuple[Part, ...]
    values: Mapping[sympy.Expr, sympy.Expr]
    times: tuple[sympy.Expr, sympy.Expr]
    uncertain: tuple[str, ...] = ()


def part(
    domain: Domain,
    *,
    density: Number | None = None,
    mass: Number | None = None,
    moving: Number = 1,
    velocity: Sequence[Number] = ORIGIN,
    at: Sequence[Number] = ORIGIN,
    rotation: Sequence[Sequence[Number]] | None = None,
    name: str = "",
) -> Part:
    """A domain with its material.

    Parameters
    ----------
    domain : a solid, surface, line or set of points
    density : rho(x, t); or else
    mass : spread evenly over the domain [kg]
    moving, velocity : sigma and v; without a velocity nothing moves and sigma does not matter
    at, rotation : pose in the body's frame; where it depends on time, the mass is carried along

    Raises
    ------
    InputError : density and mass both given or both missing; a mass that is not positive; a domain
        without content; a rotation that is not orthonormal
    """
    title = name or domain.name
    if (density is None) == (mass is None):
        raise InputError(
            "a part needs either its density or its mass",
            where=title,
            expected=f"density [{_UNITS[domain.dimension]}] or mass [kg]",
            got="both" if mass is not None else "neither",
        )
    if density is not None:
        rho = exact(density, f"{title}, density")
    else:
        assert mass is not None
        total = positive(mass, "mass", title)
        rho = total / content(domain)
    R = IDENTITY if rotation is None else rotation_matrix(rotation, f"{title}, rotation")
    p = exact_vector(at, f"{title}, at")
    for entry in (*p, *(e for row in R for e in row)):
        if entry.has(*X):
            raise InputError(
                "a pose depends on the place", where=title, expected="parameters and time only"
            )
    sigma = exact(moving, f"{title}, moving")
    v = exact_vector(velocity, f"{title}, velocity")
    return Part(title, domain, rho, sigma, v, R, p)


def content(domain: Domain) -> sympy.Expr:
    """Volume, area, length or number of points [m^dimension].

    Raises
    ------
    InputError : the domain is infinite or has no content (a hole as large as the solid), or counts
        places twice, as `distribution` finds it
    """
    check_domain(domain, domain.name, {}, (ZERO, ONE))
    found = sympy.factor_terms(integral(domain, ONE))
    if not found.is_positive and (found.is_nonpositive or found == 0):
        raise InputError(
            "a domain has no content", where=domain.name, expected="more than 0", got=str(found)
        )
    return found


def distribution(
    *parts: Part,
    values: Mapping[sympy.Expr, Number] | None = None,
    times: tuple[Number, Number] = (0, 1),
) -> MassDistribution:
    """A body of parts; refused if a density is negative or a moving fraction leaves [0, 1].

    Parameters
    ----------
    parts : at least one
    values : numbers for symbols, expressions in t for functions of time, as far as known
    times : interval on which the signs are checked [s]

    Raises
    ------
    InputError : no parts; rho < 0, sigma outside [0, 1], a velocity that is no real number, a size
        that turns negative, a hole that overlaps another one or reaches out of its solid, added
        pieces that overlap, limits or a map that turn over: with a place and a time where it is

    Notes
    -----
    Signs are decided by intervals wherever they decide them, else looked up at 4096 irregular and
    some exact nodes, corners and ends of the interval of time among them; `uncertain` of the result
    says of what. Symbols without a value are judged by their assumptions; declare them positive.
    """
    if not parts:
        raise InputError("a body has no parts", where="distribution", expected="at least one")
    known = {key: exact(value, f"value of {key}") for key, value in (values or {}).items()}
    interval = exact(times[0], "times"), exact(times[1], "times")
    if (interval[1] - interval[0]).is_negative:
        raise InputError(
            "an interval of time is reversed",
            where="times",
            got=f"from {interval[0]} to {interval[1]}",
        )
    looks: list[tuple[str, Certainty]] = []
    for one in parts:
        looks.append((f"{one.name}, shapes", check_domain(one.domain, one.name, known, interval)))
        for word, field, low, high in (
            ("density", one.density, ZERO, None),
            ("moving fraction", one.moving, ZERO, ONE),
            *((f"velocity {k}", v, None, None) for k, v in enumerate(one.velocity, 1)),
        ):
            title = f"{one.name}, {word}"
            look = check_field(one.domain, field, title, low, high, known, interval)
            looks.append((title, look))
    uncertain = tuple(f"{t}: {look.label}" for t, look in looks if look is not Certainty.CERTAIN)
    return MassDistribution(tuple(parts), MappingProxyType(known), interval, uncertain)


def particle(mass: Number, path: Sequence[Number], *, name: str = "particle") -> Part:
    """A point of constant or changing mass on a path x(t) in the body's frame.

    Its velocity is the path's derivative; a mass that changes makes the body an open one.
    """
    return part(point(), density=positive(mass, "mass", name), at=path, name=name)
