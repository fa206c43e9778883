"""Links given by their mass distribution: the blocks ``[[link.part]]`` and ``[[link.flow]]``.

    [[link.part]]
    shape = "cylinder"        a name of `symdyn.mass.described.SHAPES`, region, cloud, mesh, ...
    radius = 0.05
    height = 0.2
    density = "2700*(1 + z)"  or mass = 1.2
    moving = 0.5              the fraction sigma that moves against the link
    velocity = ["-w*y", "w*x", 0]
    xyz, rpy                  pose in the link; may depend on t, then the mass is carried along
    plus, minus               further shapes and holes

    [[link.flow]]             mass that comes or goes
    momentum = "stream"       or at_rest, co_moving
    shape = "disk"
    radius = 0.01
    mass_rate = -0.2          or density_rate
    velocity = [0, 0, -30]    against the link, of a stream

The page ``docs/reference/robot-toml.md`` describes every key.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, cast

from symdyn._errors import InputError, UnsupportedError, counted
from symdyn.algebra.term import ONE, ZERO, Term
from symdyn.io.expression import parse_expression
from symdyn.io.toml_document import Table
from symdyn.model.mass_motion import as_motion
from symdyn.model.robot import MadeOf, MassMotion
from symdyn.model.sizes import LARGEST, LARGEST_TEXT

if TYPE_CHECKING:
    from symdyn.mass.described import PartDescription, ShapeDescription, SourceDescription

_NONE: tuple[Term, ...] = (ZERO, ZERO, ZERO)
_POSE_KEYS = ("xyz", "rpy")
PART_KEYS = (
    "shape", "density", "mass", "moving", "velocity", *_POSE_KEYS, "plus", "minus", "name",
    "source",
)  # fmt: skip
FLOW_KEYS = (
    "shape", "momentum", "density_rate", "mass_rate", "velocity", *_POSE_KEYS, "plus", "minus",
    "name", "source",
)  # fmt: skip
#: Keys of the shapes that are not plain numbers.
_OTHER_KEYS = {
    "region": ("limits",),
    "parametrised": ("limits", "place", "measure"),
    "cloud": ("points",),
    "mesh": ("file", "scale"),
}
#: Keys of a block by the words that the mass model has for them.
_KEYS = {
    "moving fraction": ("moving",), "velocity": ("velocity",), "at": ("xyz",), "rotation": ("rpy",),
    "shapes": ("minus", "plus", "shape"), "density": ("density", "mass"), "mass": ("mass",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class DistributedMass:
    """phi at t = 0, the motion if there is any, and what they are made of."""

    phi: tuple[Term, ...]
    motion: MassMotion | None
    made_of: MadeOf


def read_parts(table: Table) -> DistributedMass:
    """The inertial parameters of a link with parts.

    Raises
    ------
    InputError : a fault in a key, a density or fraction that cannot be, an integral that diverges,
        an open body without a momentum
    """
    from symdyn.mass.described import MOMENTA, PLACE_NAMES, TIME_NAME, integrate_parts

    for name in (*PLACE_NAMES, TIME_NAME):
        if name in table.document.meanings:
            raise table.error(
                f"{name!r} is a declared parameter",
                "part",
                expected="x, y, z and t free for place and time where a link has parts",
                remedy="Rename the parameter.",
            )
    parts = [(b, _part(b, _title("part", k, b))) for k, b in enumerate(_blocks(table, "part"), 1)]
    flows = [(b, _flow(b, _title("flow", k, b))) for k, b in enumerate(_blocks(table, "flow"), 1)]
    if not parts:
        raise table.error("the link has no parts", "part", expected="blocks under part")
    # a stream has its velocity, so it needs a block of its own
    words = [word for word in MOMENTA if word != "stream"]
    momentum = table.choice("momentum", words) if table.has("momentum") else None
    times = _rationals(table, "times", 2) if table.has("times") else (Fraction(0), Fraction(1))
    if times[0] == times[1]:
        got = f"from {times[0]} to {times[1]}"
        raise table.error("an interval of time is empty", "times", got=got)
    described = [part for _, part in parts], [flow for _, flow in flows]
    blocks = {each.name: block for block, each in (*parts, *flows)}
    try:
        found = integrate_parts(
            described[0], table.document.exact, momentum, (times[0], times[1]), described[1]
        )
    except InputError as error:
        raise _located(error, table, blocks) from error
    except UnsupportedError as error:
        name = next((n for n in blocks if str(error).startswith(f"{n}: ")), "")
        where = blocks[name].where() if name else table.where("part")
        raise UnsupportedError(f"{where}: {str(error).removeprefix(f'{name}: ')}") from error
    sizes = [abs(table.document.value(term)) for term in found.start]
    if not all(size <= LARGEST for size in sizes):
        raise table.error(
            "the inertial parameters of the parts are too large",
            "part",
            expected=LARGEST_TEXT,
            got=f"{max(sizes):.3g}",
        )
    motion = None if found.motion is None else as_motion(found.motion)
    made_of = MadeOf(tuple(described[0]), (times[0], times[1]), motion, found.uncertain)
    return DistributedMass(found.start, motion, made_of)


def _title(kind: str, number: int, block: Table) -> str:
    """How the mass model calls a block: unique in the link."""
    name = block.text("name", "")
    return f"{kind} {number}" + (f" {name!r}" if name else "")


def _located(error: InputError, table: Table, blocks: Mapping[str, Table]) -> InputError:
    """The fault with file, line and key in place of what the mass model calls the place."""
    name = next((n for n in blocks if error.where == n or error.where.startswith(f"{n}, ")), "")
    at, key, rest = table, "part", error.where
    if name:
        at, rest = blocks[name], error.where[len(name) + 2 :]
        key = _key_of(at, rest)
        rest = "" if key else rest
    elif error.where in ("momentum", "times"):
        key, rest = error.where, ""
    elif len(blocks) == 1:
        at, key = next(iter(blocks.values())), ""
    return at.error(
        f"{rest}: {error.what}" if rest else error.what,
        key,
        expected=error.expected,
        got=error.got,
        remedy=error.remedy,
    )


def _key_of(block: Table, words: str) -> str:
    """The key that a place such as "velocity 2" or "density" stands for, if the block has it."""
    plain = words.rstrip("0123456789 ")
    return next((key for key in _KEYS.get(plain, (plain,)) if block.has(key)), "")


def _blocks(table: Table, key: str) -> list[Table]:
    """The tables of ``[[link.part]]`` or of ``part = [{...}, ...]``, with their lines."""
    items = table.entries.get(key, [])
    if not isinstance(items, list) or not all(
        isinstance(i, dict) for i in cast("list[object]", items)
    ):
        raise table.error(f"{key!r} is not a list of tables", key, expected="blocks")
    blocks = cast("list[dict[str, object]]", items)
    path, lines = f"{table.path}.{key}", table.document.lines
    first = lines.get((table.path, table.index, ""), 0)
    last = lines.get((table.path, table.index + 1, ""))
    headers = [
        index
        for (p, index, k), line in lines.items()
        if p == path and not k and line > first and (last is None or line < last)
    ]
    found: list[Table] = []
    for i, entries in enumerate(blocks):
        title = f"{table.title}, {key} {i + 1}"
        if i < len(headers) and not table.inside:
            found.append(Table(table.document, entries, title, path, headers[i]))
        else:
            inside = table.inside or key
            found.append(Table(table.document, entries, title, table.path, table.index, inside))
    return found


def _part(table: Table, name: str) -> PartDescription:
    from symdyn.mass.described import PLACE_NAMES, TIME_NAME, PartDescription

    everywhere, pose = (*PLACE_NAMES, TIME_NAME), (TIME_NAME,)
    shapes = _shapes(table, PART_KEYS)
    _one_of(table, "density", "mass", "a part", "kg/m^3, kg/m^2, kg/m or kg by dimension", "kg")
    return PartDescription(
        name=name,
        shapes=shapes,
        density=_number(table, "density", everywhere) if table.has("density") else None,
        mass=_number(table, "mass", pose) if table.has("mass") else None,
        moving=_number(table, "moving", everywhere) if table.has("moving") else ONE,
        velocity=_vector(table, "velocity", everywhere),
        at=_vector(table, "xyz", pose),
        rpy=_vector(table, "rpy", pose),
    )


def _flow(table: Table, name: str) -> SourceDescription:
    from symdyn.mass.described import MOMENTA, PLACE_NAMES, TIME_NAME, SourceDescription

    everywhere, pose = (*PLACE_NAMES, TIME_NAME), (TIME_NAME,)
    shapes = _shapes(table, FLOW_KEYS)
    _one_of(
        table, "density_rate", "mass_rate", "a flow", "kg/s per m^3, m^2, m or point", "kg/s"
    )  # fmt: skip
    momentum = table.choice("momentum", tuple(MOMENTA))
    if (momentum == "stream") != table.has("velocity"):
        raise table.error(
            "a stream needs its velocity, and no other flow has one",
            "velocity" if table.has("velocity") else "momentum",
            expected='velocity = [x, y, z] against the link [m/s] with momentum = "stream" only',
        )
    return SourceDescription(
        name=name,
        shapes=shapes,
        momentum=momentum,
        density_rate=_number(table, "density_rate", everywhere)
        if table.has("density_rate")
        else None,
        mass_rate=_number(table, "mass_rate", pose) if table.has("mass_rate") else None,
        velocity=_vector(table, "velocity", everywhere),
        at=_vector(table, "xyz", pose),
        rpy=_vector(table, "rpy", pose),
    )


def _one_of(table: Table, one: str, other: str, what: str, unit: str, unit_other: str) -> None:
    """Refuse both keys, and neither."""
    if table.has(one) == table.has(other):
        raise table.error(
            f"{what} needs either {one} or {other}",
            one if table.has(one) else "",
            expected=f"{one} [{unit}], or {other} [{unit_other}]",
            got="both" if table.has(one) else "neither",
        )


def _shapes(table: Table, keys: Sequence[str]) -> tuple[ShapeDescription, ...]:
    """The shape of a block, and what is added to it and taken away."""
    further = [
        _shape(block, ("shape", *_POSE_KEYS), is_hole=key == "minus")
        for key in ("plus", "minus")
        for block in _blocks(table, key)
    ]
    return (_shape(table, keys, at_origin=True), *further)


def _shape(
    table: Table, keys: Sequence[str], *, is_hole: bool = False, at_origin: bool = False
) -> ShapeDescription:
    """The shape keys of a table; a part's own pose is that of all its shapes."""
    from symdyn.mass.described import (
        OTHER_SHAPES,
        SHAPES,
        TIME_NAME,
        ShapeDescription,
    )

    kind = table.choice("shape", (*SHAPES, *OTHER_SHAPES))
    sizes = SHAPES[kind][0] if kind in SHAPES else ()
    own = _OTHER_KEYS.get(kind, tuple(key for key, _ in sizes))
    table.allow((*keys, *own))
    names = (TIME_NAME,)
    numbers: Mapping[str, tuple[Term, ...]] = {
        key: (_number(table, key, names),) if n == 1 else _numbers(table, key, n, names)
        for key, n in sizes
    }
    placed = not at_origin
    scale = Fraction(1)
    if kind == "mesh" and table.has("scale"):
        scale = _rational(table.number("scale"), table, "scale")
    limits: tuple[tuple[str, Term, Term], ...] = ()
    if "limits" in own:
        limits = _limits(table, kind)
    letters = (TIME_NAME, *(name for name, _, _ in limits))
    return ShapeDescription(
        kind,
        numbers,
        at=_vector(table, "xyz", names) if placed else _NONE,
        rpy=_vector(table, "rpy", names) if placed else _NONE,
        is_hole=is_hole,
        limits=limits,
        place=_numbers(table, "place", 3, letters) if kind == "parametrised" else (),
        measure=_number(table, "measure", letters) if table.has("measure") else None,
        points=_points(table, names) if kind == "cloud" else (),
        file=_beside(table, table.text("file")) if kind == "mesh" else "",
        scale=scale,
    )


def _limits(table: Table, kind: str) -> tuple[tuple[str, Term, Term], ...]:
    """``[["z", 0, "h"], ["y", 0, "z"], ["x", 0, 1]]``, outermost first.

    Of a region the letters are x, y and z; of a parametrisation any others.
    """
    from symdyn.mass.described import PLACE_NAMES, TIME_NAME

    is_region = kind == "region"
    found: list[tuple[str, Term, Term]] = []
    for k, row in enumerate(_rows(table, "limits", 3 if is_region else None, 3)):
        where = f"limits[{k}]"
        letter = row[0]
        if is_region and letter not in PLACE_NAMES:
            raise table.error("no coordinate", where, expected="x, y or z", got=repr(letter))
        taken = (*PLACE_NAMES, TIME_NAME, "pi", *table.document.meanings)
        if not is_region and (
            not isinstance(letter, str) or not letter.isidentifier() or letter in taken
        ):
            raise table.error(
                "no name of a coordinate",
                where,
                expected="a word other than x, y, z, t, pi and declared parameters",
                got=repr(letter),
            )
        names = PLACE_NAMES if is_region else [name for name, _, _ in found]
        low, high = (_term(table, where, value, (*names, TIME_NAME)) for value in row[1:])
        found.append((str(letter), low, high))
    return tuple(found)


def _points(table: Table, names: Collection[str]) -> tuple[tuple[Term, ...], ...]:
    """Rows of mass and place."""
    return tuple(
        tuple(_term(table, f"points[{k}]", value, names) for value in row)
        for k, row in enumerate(_rows(table, "points", None, 4))
    )


def _rows(table: Table, key: str, count: int | None, width: int) -> list[list[object]]:
    value = table.get(key)
    rows = cast("list[object]", value) if isinstance(value, list) else []
    good = [cast("list[object]", r) for r in rows if isinstance(r, list)]
    if not good or len(good) != len(rows) or any(len(r) != width for r in good):
        raise table.error("not a list of rows", key, expected=f"rows of {width} entries")
    if count is not None and len(good) != count:
        raise table.error(counted(len(good), "row"), key, expected=str(count))
    return good


def _beside(table: Table, file: str) -> str:
    """A mesh file, looked for beside the robot's file."""
    return str(Path(table.document.source).parent / file)


def _number(table: Table, key: str, names: Collection[str]) -> Term:
    return _term(table, key, table.get(key), names)


def _vector(table: Table, key: str, names: Collection[str]) -> tuple[Term, ...]:
    """Three numbers; zeros if the key is missing."""
    return _numbers(table, key, 3, names) if table.has(key) else _NONE


def _numbers(table: Table, key: str, count: int, names: Collection[str]) -> tuple[Term, ...]:
    value = table.get(key)
    items = cast("list[object]", value) if isinstance(value, list) else None
    if items is None:
        raise table.error("not a list", key, expected=f"{count} numbers")
    if len(items) != count:
        raise table.error(counted(len(items), "number"), key, expected=f"{count} numbers")
    return tuple(_term(table, f"{key}[{k}]", item, names) for k, item in enumerate(items))


def _term(table: Table, key: str, value: object, names: Collection[str]) -> Term:
    """A number, or an expression that may use ``names`` besides the declared parameters."""
    where, document = table.where(key), table.document
    if isinstance(value, str):
        return parse_expression(value, names, where, meanings=document.meanings)
    return document.number(value, where)


def _rational(term: Term, table: Table, key: str) -> Fraction:
    if term.rational is None:
        raise table.error("not a plain number", key, expected="a number without parameters")
    return term.rational


def _rationals(table: Table, key: str, count: int) -> list[Fraction]:
    return [_rational(term, table, key) for term in table.numbers(key, count)]
