"""Links given by their mass distribution: the blocks ``[[link.part]]``.

    [[link.part]]
    shape = "cylinder"        a name of `symdyn.mass.described.SHAPES`, region, cloud or mesh
    radius = 0.05
    height = 0.2
    density = "2700*(1 + z)"  or mass = 1.2
    moving = 0.5              the fraction sigma that moves against the link
    velocity = ["-w*y", "w*x", 0]
    xyz, rpy                  pose in the link; may depend on t, then the mass is carried along
    plus, minus               further shapes and holes

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
from symdyn.model.robot import MassMotion

if TYPE_CHECKING:
    from symdyn.mass.described import PartDescription, ShapeDescription

_NONE: tuple[Term, ...] = (ZERO, ZERO, ZERO)
_POSE_KEYS = ("xyz", "rpy")
PART_KEYS = (
    "shape", "density", "mass", "moving", "velocity", *_POSE_KEYS, "plus", "minus", "name",
    "source",
)  # fmt: skip
#: Keys of the shapes that are not plain numbers.
_OTHER_KEYS = {"region": ("limits",), "cloud": ("points",), "mesh": ("file", "scale")}


@dataclass(frozen=True, slots=True)
class DistributedMass:
    """phi at t = 0, and the motion if there is any."""

    phi: tuple[Term, ...]
    motion: MassMotion | None


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
    described = [_part(block) for block in _blocks(table, "part")]
    if not described:
        raise table.error("the link has no parts", "part", expected="blocks under part")
    momentum = table.choice("momentum", tuple(MOMENTA)) if table.has("momentum") else None
    times = _rationals(table, "times", 2) if table.has("times") else (Fraction(0), Fraction(1))
    parameters = table.document.exact
    try:
        found = integrate_parts(described, parameters, momentum, (times[0], times[1]))
    except InputError as error:
        where = "momentum" if "momentum" in error.what else "part"
        raise table.error(
            f"{error.where}: {error.what}" if error.where else error.what,
            where,
            expected='momentum = "at_rest" or "co_moving"'
            if where == "momentum"
            else error.expected,
            got=error.got,
            remedy=error.remedy,
        ) from error
    except UnsupportedError as error:
        raise UnsupportedError(f"{table.where('part')}: {error}") from error
    if not found.changes:
        return DistributedMass(found.start, None)
    return DistributedMass(
        found.start,
        MassMotion(
            phi=found.phi,
            phi_dot=found.phi_dot,
            psi=found.psi,
            psi_dot=found.psi_dot,
            nu=found.nu,
            source_phi=found.source_phi,
            source_psi=found.source_psi,
            statement=found.statement,
        ),
    )


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


def _part(table: Table) -> PartDescription:
    from symdyn.mass.described import PLACE_NAMES, TIME_NAME, PartDescription

    everywhere, pose = (*PLACE_NAMES, TIME_NAME), (TIME_NAME,)
    shape = _shape(table, PART_KEYS, at_origin=True)
    further = [
        _shape(block, ("shape", *_POSE_KEYS), is_hole=key == "minus")
        for key in ("plus", "minus")
        for block in _blocks(table, key)
    ]
    if table.has("density") == table.has("mass"):
        raise table.error(
            "a part needs either density or mass",
            "density" if table.has("density") else "",
            expected="density [kg/m^3, kg/m^2, kg/m or kg by dimension], or mass [kg]",
            got="both" if table.has("density") else "neither",
        )
    return PartDescription(
        name=table.text("name", "") or table.title,
        shapes=(shape, *further),
        density=_number(table, "density", everywhere) if table.has("density") else None,
        mass=_number(table, "mass", pose) if table.has("mass") else None,
        moving=_number(table, "moving", everywhere) if table.has("moving") else ONE,
        velocity=_numbers(table, "velocity", 3, everywhere) if table.has("velocity") else _NONE,
        at=_numbers(table, "xyz", 3, pose) if table.has("xyz") else _NONE,
        rpy=_numbers(table, "rpy", 3, pose) if table.has("rpy") else _NONE,
    )


def _shape(
    table: Table, keys: Sequence[str], *, is_hole: bool = False, at_origin: bool = False
) -> ShapeDescription:
    """The shape keys of a table; a part's own pose is that of all its shapes."""
    from symdyn.mass.described import (
        OTHER_SHAPES,
        PLACE_NAMES,
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
    return ShapeDescription(
        kind,
        numbers,
        at=_numbers(table, "xyz", 3, names) if placed and table.has("xyz") else _NONE,
        rpy=_numbers(table, "rpy", 3, names) if placed and table.has("rpy") else _NONE,
        is_hole=is_hole,
        limits=_limits(table, (*PLACE_NAMES, TIME_NAME)) if kind == "region" else (),
        points=_points(table, names) if kind == "cloud" else (),
        file=_beside(table, table.text("file")) if kind == "mesh" else "",
        scale=scale,
    )


def _limits(table: Table, names: Collection[str]) -> tuple[tuple[str, Term, Term], ...]:
    """``[["z", 0, "h"], ["y", 0, "z"], ["x", 0, 1]]``, outermost first."""
    found: list[tuple[str, Term, Term]] = []
    for k, row in enumerate(_rows(table, "limits", 3, 3)):
        where = f"limits[{k}]"
        if row[0] not in ("x", "y", "z"):
            raise table.error("no coordinate", where, expected="x, y or z", got=repr(row[0]))
        low, high = (_term(table, where, value, names) for value in row[1:])
        found.append((str(row[0]), low, high))
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


def _numbers(table: Table, key: str, count: int, names: Collection[str]) -> tuple[Term, ...]:
    value = table.get(key)
    items = cast("list[object]", value) if isinstance(value, list) else None
    if items is None or len(items) != count:
        raise table.error("not a list", key, expected=f"{count} numbers")
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
