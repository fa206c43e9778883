"""Mass distributions as a file describes them: parts in exact terms in, moments in exact terms out.

The door between readers, which know no SymPy, and the integrals. The letters x, y, z are the
coordinates of a part's own frame, t is the time; every other name is a declared parameter, which is
taken to keep the sign of its value.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, TypeVar

import sympy

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.sympy_ import SYMPY
from symdyn.algebra.term import Term, lift
from symdyn.mass import solids, thin
from symdyn.mass.body import MassDistribution, Part, distribution, part
from symdyn.mass.coordinates import TIME, ZERO, Matrix, X, replace
from symdyn.mass.domain import Domain, rpy
from symdyn.mass.mass_moments import moments
from symdyn.mass.mesh_file import read_mesh
from symdyn.mass.motion_terms import MotionTerms, motion_terms
from symdyn.mass.region import parametrised, region
from symdyn.mass.sources import WORDS, Flow, Momentum, flow, source_of
from symdyn.mass.terms import terms_of

#: Names that are no parameters in a mass distribution.
PLACE_NAMES: tuple[str, ...] = ("x", "y", "z")
TIME_NAME: str = "t"
#: The words for what mass that comes or goes carries along.
MOMENTA: dict[str, Momentum] = {word: momentum for momentum, word in WORDS.items()}

_Described = TypeVar("_Described")
_Made = TypeVar("_Made")
_Make: TypeAlias = Callable[[Mapping[str, Sequence[sympy.Expr]]], Domain]

#: Shapes by name: the keys of their dimensions, how many numbers each holds, and the constructor.
SHAPES: dict[str, tuple[tuple[tuple[str, int], ...], _Make]] = {
    "box": ((("size", 3),), lambda v: solids.box(*v["size"])),
    "ball": ((("radius", 1),), lambda v: solids.ball(*v["radius"])),
    "half_ball": ((("radius", 1),), lambda v: solids.half_ball(*v["radius"])),
    "ellipsoid": ((("semi_axes", 3),), lambda v: solids.ellipsoid(*v["semi_axes"])),
    "cylinder": (
        (("radius", 1), ("height", 1)),
        lambda v: solids.cylinder(*v["radius"], *v["height"]),
    ),
    "half_cylinder": (
        (("radius", 1), ("height", 1)),
        lambda v: solids.half_cylinder(*v["radius"], *v["height"]),
    ),
    "cone": ((("radius", 1), ("height", 1)), lambda v: solids.cone(*v["radius"], *v["height"])),
    "torus": ((("major", 1), ("minor", 1)), lambda v: solids.torus(*v["major"], *v["minor"])),
    "sphere_shell": ((("radius", 1),), lambda v: thin.sphere_shell(*v["radius"])),
    "cylinder_shell": (
        (("radius", 1), ("height", 1)),
        lambda v: thin.cylinder_shell(*v["radius"], *v["height"]),
    ),
    "plate": ((("size", 2),), lambda v: thin.plate(*v["size"])),
    "disk": ((("radius", 1),), lambda v: thin.disk(*v["radius"])),
    "rod": ((("start", 3), ("end", 3)), lambda v: thin.rod(v["start"], v["end"])),
    "point": ((), lambda _: thin.point()),
}
#: Shapes whose keys are not plain numbers.
OTHER_SHAPES: tuple[str, ...] = ("region", "parametrised", "cloud", "mesh")


@dataclass(frozen=True, slots=True)
class ShapeDescription:
    """One shape, where it is, and whether it is a hole.

    Attributes
    ----------
    kind : of `SHAPES` or `OTHER_SHAPES`
    sizes : numbers by key
    at, rpy : pose in the part's frame
    is_hole : taken away from the shapes before it
    limits : of a region or parametrisation: letter, lower and upper bound, outermost first
    place, measure : of a parametrisation: x, y, z in the letters of its limits, and, if given, the
        volume, area or length per unit of them
    points : of a cloud: mass and place
    file, scale : of a mesh
    """

    kind: str
    sizes: Mapping[str, tuple[Term, ...]]
    at: tuple[Term, ...]
    rpy: tuple[Term, ...]
    is_hole: bool = False
    limits: tuple[tuple[str, Term, Term], ...] = ()
    place: tuple[Term, ...] = ()
    measure: Term | None = None
    points: tuple[tuple[Term, ...], ...] = ()
    file: str = ""
    scale: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class PartDescription:
    """One material: `density` or else `mass`, the moving fraction and its velocity, the pose."""

    name: str
    shapes: tuple[ShapeDescription, ...]
    density: Term | None
    mass: Term | None
    moving: Term
    velocity: tuple[Term, ...]
    at: tuple[Term, ...]
    rpy: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class SourceDescription:
    """Mass that comes or goes: `density_rate` or else `mass_rate`, and the momentum it carries."""

    name: str
    shapes: tuple[ShapeDescription, ...]
    momentum: str
    density_rate: Term | None
    mass_rate: Term | None
    velocity: tuple[Term, ...]
    at: tuple[Term, ...]
    rpy: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class DescribedMass:
    """Moments in terms of the declared parameters and of the time.

    Attributes
    ----------
    start : [10] Phi at t = 0
    motion : as functions of time; None if nothing depends on time and nothing moves
    uncertain : of the distribution, what was looked up in samples only, or not at all
    """

    start: tuple[Term, ...]
    motion: MotionTerms | None
    uncertain: tuple[str, ...]


def integrate_parts(
    parts: Sequence[PartDescription],
    parameters: Mapping[str, Fraction],
    momentum: str | None = None,
    times: tuple[Fraction, Fraction] = (Fraction(0), Fraction(1)),
    sources: Sequence[SourceDescription] = (),
) -> DescribedMass:
    """The moments of a described body.

    Parameters
    ----------
    parts : its materials
    parameters : declared parameters by name
    momentum : key of `MOMENTA`, of the mass that no source accounts for
    times : interval on which signs are checked [s]
    sources : mass that comes or goes

    Raises
    ------
    InputError, UnsupportedError : as the constructors and integrals do; ``where`` begins with the
        name of the part or source
    """
    letters = _Letters(parameters)
    body = letters.body(parts, parameters, times)
    found = moments(body)
    flows = [_within(s.name, letters.flow, s) for s in sources]
    source = source_of(found, None if momentum is None else MOMENTA[momentum], flows)
    names = {symbol: name for name, symbol in letters.symbols.items()}
    start = tuple(terms_of([_at_start(e) for e in found.phi], names))
    if not found.depends_on_time and not flows:
        return DescribedMass(start, None, body.uncertain)
    motion = motion_terms(found, source, body.times, names)
    return DescribedMass(start, motion, body.uncertain)


def _within(name: str, make: Callable[[_Described], _Made], described: _Described) -> _Made:
    """Make something; faults begin with its name."""
    try:
        return make(described)
    except InputError as error:
        inside = error.where == name or error.where.startswith(f"{name},")
        where = error.where if inside else ", ".join(w for w in (name, error.where) if w)
        raise InputError(
            error.what, where=where, expected=error.expected, got=error.got, remedy=error.remedy
        ) from error
    except UnsupportedError as error:
        raise UnsupportedError(f"{name}: {error}") from error


def body_of(
    parts: Sequence[PartDescription],
    parameters: Mapping[str, Fraction],
    times: tuple[Fraction, Fraction],
) -> MassDistribution:
    """The distribution of a described body, checked as `integrate_parts` does."""
    return _Letters(parameters).body(parts, parameters, times)


def _at_start(value: sympy.Expr) -> sympy.Expr:
    found = replace(value, {TIME: ZERO})
    if found.has(sympy.zoo, sympy.nan, sympy.oo):
        raise InputError("Phi has no value at t = 0", got=str(value))
    return found


class _Letters:
    """Terms into expressions: the symbols of parameters, of the place and of the time."""

    def __init__(self, parameters: Mapping[str, Fraction]) -> None:
        self.symbols = {name: _symbol(name, value) for name, value in parameters.items()}
        own = dict(zip(PLACE_NAMES, X, strict=True)) | {TIME_NAME: TIME}
        self._known: dict[str, sympy.Expr] = {**self.symbols, **own}

    def one(self, term: Term) -> sympy.Expr:
        return lift([term], SYMPY, self._known)[0]

    def many(self, terms: Sequence[Term]) -> tuple[sympy.Expr, ...]:
        return tuple(lift(terms, SYMPY, self._known))

    def body(
        self,
        parts: Sequence[PartDescription],
        parameters: Mapping[str, Fraction],
        times: tuple[Fraction, Fraction],
    ) -> MassDistribution:
        return distribution(
            *(_within(p.name, self.part, p) for p in parts),
            values={self.symbols[name]: value for name, value in parameters.items()},
            times=times,
        )

    def part(self, described: PartDescription) -> Part:
        domain = self._domain(described.shapes)
        return part(
            domain,
            density=None if described.density is None else self.one(described.density),
            mass=None if described.mass is None else self.one(described.mass),
            moving=self.one(described.moving),
            velocity=self.many(described.velocity),
            at=self.many(described.at),
            rotation=self._turn(described.rpy),
            name=described.name,
        )

    def flow(self, described: SourceDescription) -> Flow:
        rate, whole = described.density_rate, described.mass_rate
        return flow(
            self._domain(described.shapes),
            MOMENTA[described.momentum],
            density_rate=None if rate is None else self.one(rate),
            mass_rate=None if whole is None else self.one(whole),
            velocity=self.many(described.velocity),
            at=self.many(described.at),
            rotation=self._turn(described.rpy),
            name=described.name,
        )

    def _domain(self, shapes: Sequence[ShapeDescription]) -> Domain:
        domain = self._shape(shapes[0])
        for shape in shapes[1:]:
            other = self._shape(shape)
            domain = domain - other if shape.is_hole else domain + other
        return domain

    def _shape(self, shape: ShapeDescription) -> Domain:
        at = self.many(shape.at)
        made = self._make(shape)
        return made.placed((at[0], at[1], at[2]), self._turn(shape.rpy))

    def _make(self, shape: ShapeDescription) -> Domain:
        if shape.kind == "region":
            letters = dict(zip(PLACE_NAMES, X, strict=True))
            return region(
                [(letters[name], self.one(a), self.one(b)) for name, a, b in shape.limits]
            )
        if shape.kind == "parametrised":
            return self._parametrised(shape)
        if shape.kind == "cloud":
            rows = [self.many(row) for row in shape.points]
            return thin.cloud([row[0] for row in rows], [row[1:] for row in rows])
        if shape.kind == "mesh":
            return read_mesh(shape.file, shape.scale)
        sizes = {key: self.many(values) for key, values in shape.sizes.items()}
        return SHAPES[shape.kind][1](sizes)

    def _parametrised(self, shape: ShapeDescription) -> Domain:
        own = {name: sympy.Symbol(name, real=True) for name, _, _ in shape.limits}
        known = {**self._known, **own}

        def put(term: Term) -> sympy.Expr:
            return lift([term], SYMPY, known)[0]

        return parametrised(
            [put(e) for e in shape.place],
            [(own[name], put(a), put(b)) for name, a, b in shape.limits],
            None if shape.measure is None else put(shape.measure),
        )

    def _turn(self, angles: Sequence[Term]) -> Matrix | None:
        roll, pitch, yaw = self.many(angles)
        return None if roll == pitch == yaw == 0 else rpy(roll, pitch, yaw)


def _symbol(name: str, value: Fraction) -> sympy.Symbol:
    if value > 0:
        return sympy.Symbol(name, positive=True)
    return sympy.Symbol(name, negative=True) if value < 0 else sympy.Symbol(name, real=True)
