"""Our own robot format: TOML in which any number may be an expression of declared parameters.

    [robot]       name, gravity, sibling_order, source
    [parameters]  name = value   or   name = { value, unit, argument, source }
    [[link]]      name, inertial keys (`symdyn.io.toml_inertia`), source
    [[joint]]     name, type, parent, child, xyz, rpy | rotation, axis, mimic, armature | rotor, …
    [dh]          convention = "standard" | "modified"; rows under [[row]]

The page ``docs/reference/robot-toml.md`` describes every key. Rows of a DH table and blocks of
links and joints may stand in one file: a tool is a link on a fixed joint whose parent is a link of
the table.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from symdyn.algebra.term import ONE, TERMS, ZERO, Term, parameter
from symdyn.io.dh import GRAVITY, DHRow, modified_dh, standard_dh
from symdyn.io.exact_rotation import quaternion_of_rotation, rotation_of_quaternion
from symdyn.io.expression_tokens import is_parameter_name, normal_name
from symdyn.io.textfile import read_text
from symdyn.io.toml_document import Table, read_document
from symdyn.io.toml_friction import read_friction
from symdyn.io.toml_inertia import INERTIAL_KEYS, read_inertial
from symdyn.model.description import (
    JointDescription,
    LinkDescription,
    MimicDescription,
    RobotDescription,
)
from symdyn.model.robot import Limits, Mat3T, Parameter, Vec3T
from symdyn.spatial.rotation import identity, rpy_matrix

_Real = TypeVar("_Real", float, Fraction)
_HERE: Vec3T = (ZERO, ZERO, ZERO)
#: Keys of the tables, in the order of the documentation.
TOP_KEYS = ("format", "robot", "parameters", "link", "joint", "dh", "row")
ROBOT_KEYS = ("name", "gravity", "sibling_order", "source")
PARAMETER_KEYS = ("value", "unit", "argument", "source")
LINK_KEYS = ("name", *INERTIAL_KEYS, "source")
#: What a joint has whether it stands in a block or in a row of a DH table.
_DRIVE_KEYS = ("mimic", "armature", "rotor", "damping", "friction", "limits")
JOINT_KEYS = (
    "name", "type", "parent", "child", "xyz", "rpy", "rotation", "axis", "pitch", *_DRIVE_KEYS,
    "source",
)  # fmt: skip
_JOINT_TYPES = ("revolute", "continuous", "prismatic", "helical", "fixed")
DH_KEYS = ("convention", "inertial_frame", "base")
ROW_KEYS = (
    "joint", "link", "type", "alpha", "a", "d", "theta", "offset", *_DRIVE_KEYS, *INERTIAL_KEYS,
    "source",
)  # fmt: skip
_ROTOR_NOTE = (
    "Rotors behind gears are felt at their joints as N^2 J on the diagonal of M; their gyroscopic "
    "effect is left out."
)
#: How far a matrix of rounded numbers may be from orthonormal: seven printed digits.
_ORTHONORMAL = 1e-6
#: The same for a matrix of expressions, which only double arithmetic separates from exact.
_ORTHONORMAL_EXPRESSION = 1e-12


def read_toml(path: str | Path) -> RobotDescription:
    """The robot of a TOML file.

    Raises
    ------
    InputError : the file cannot be read or is not a robot; file, line, table, key, expected, got
    """
    return parse_toml(read_text(Path(path), limit=1_000_000), str(path))


def parse_toml(text: str, source: str = "text") -> RobotDescription:
    """The robot of a TOML text; ``source`` names it in messages.

    Raises
    ------
    InputError : as `read_toml`
    """
    top = read_document(text, source)
    for header, keys in (("dh", DH_KEYS), ("robot", ROBOT_KEYS)):
        for key in top.entries:
            if key in keys and key not in TOP_KEYS:
                raise top.error(
                    f"the key {key!r} stands outside of its table",
                    key,
                    remedy=f"Put it under [{header}].",
                )
    top.allow(TOP_KEYS)
    if top.entries.get("format", 1) != 1:
        raise top.error("unknown format", "format", expected="1")
    parameters = _parameters(top.table("parameters")) if top.has("parameters") else ()
    robot = top.table("robot")
    robot.allow(ROBOT_KEYS)
    name, gravity = robot.text("name"), robot.vector("gravity", GRAVITY)
    notes: list[str] = []
    if not robot.has("gravity"):
        notes.append("No gravity in the file, taken as (0, 0, -9.81) m/s^2.")
    if robot.has("source"):
        notes.append(f"Source: {robot.text('source')}")
    links: list[LinkDescription] = []
    joints: list[JointDescription] = []
    if top.has("dh"):
        chain = _chain(top, notes)
        links.extend(chain.links)
        joints.extend(chain.joints)
        notes.extend(chain.notes)
    elif top.has("row"):
        raise top.error(
            "rows of a DH table without [dh]",
            "row",
            expected='[dh] with convention = "standard" or "modified"',
            remedy="The same table gives two different robots in the two conventions.",
        )
    links.extend(_link(table, notes) for table in top.tables("link"))
    joints.extend(_joint(table, notes) for table in top.tables("joint"))
    if not links:
        raise top.error("the file has no links", expected="[[link]] and [[joint]], or [dh]")
    return RobotDescription(
        name=name,
        links=tuple(links),
        joints=tuple(joints),
        gravity=gravity,
        source=source,
        sibling_order=robot.choice("sibling_order", ("file", "name"), "file"),
        parameters=parameters,
        notes=tuple(notes),
    )


def _parameters(table: Table) -> tuple[Parameter, ...]:
    """Declared parameters, in order; one that uses those above it is an abbreviation only."""
    document = table.document
    found: list[Parameter] = []
    for written, entry in table.entries.items():
        here, name, value = table, normal_name(written), entry
        if isinstance(entry, dict):
            here = table.table(written).named(f"[parameters], {name}")
            here.allow(PARAMETER_KEYS)
            value = here.get("value")
        if name in document.meanings:
            raise table.error(
                f"the parameter {name!r} is declared twice", written, remedy="Delete or rename one."
            )
        if not is_parameter_name(name):
            raise table.error(
                f"a parameter cannot be called {name!r}",
                written,
                expected="one word of letters, digits and _ that does not start with a digit"
                + (" (pi is the circle constant)" if name == "pi" else ""),
            )
        term = document.number(value, here.where(written if here is table else "value"))
        is_argument = here is not table and here.flag("argument", False)
        if term.rational is None:
            if is_argument:
                raise here.error(
                    "a parameter that is an expression cannot be an argument",
                    "argument",
                    remedy="Make the parameters it depends on arguments.",
                )
            document.meanings[name] = term
            continue
        unit = "" if here is table else here.text("unit", "")
        origin = "" if here is table else here.text("source", "")
        found.append(Parameter(name, term.rational, unit, is_argument, origin))
        document.meanings[name] = parameter(name)
        document.values[name] = float(term.rational)
        document.exact[name] = term.rational
    return tuple(found)


def _link(table: Table, notes: list[str]) -> LinkDescription:
    name = table.text("name")
    table = table.named(f"[[link]] {name!r}")
    table.allow(LINK_KEYS)
    inertial = read_inertial(table)
    _source_note(table, f"Link {name}", notes)
    return LinkDescription(
        name,
        inertial.phi,
        table.line(),
        inertial.symbolic,
        inertial.stated,
        inertial.motion,
        inertial.made_of,
    )


def _joint(table: Table, notes: list[str]) -> JointDescription:
    name = table.text("name")
    table = table.named(f"[[joint]] {name!r}")
    table.allow(JOINT_KEYS)
    kind = table.choice("type", _JOINT_TYPES)
    if kind == "fixed":
        for key in ("axis", "pitch", *_DRIVE_KEYS):
            if table.has(key):
                raise table.error(
                    f"a fixed joint has no {key}", key, remedy="Delete it, or choose another type."
                )
    if table.has("pitch") and kind != "helical":
        raise table.error(
            f"a {kind} joint has no pitch", "pitch", remedy='Delete it, or write type = "helical".'
        )
    _source_note(table, f"Joint {name}", notes)
    armature, friction = _armature(table, notes), read_friction(table)
    return JointDescription(
        name=name,
        kind=kind,
        parent=table.text("parent"),
        child=table.text("child"),
        rotation=_rotation(table, notes),
        translation=table.vector("xyz", _HERE),
        axis=(ZERO, ZERO, ONE) if kind == "fixed" else table.vector("axis"),
        mimic=_mimic(table),
        pitch=table.number("pitch") if kind == "helical" else ZERO,
        armature=armature,
        damping=friction.damping,
        friction=friction.friction,
        limits=_limits(table),
        line=table.line(),
        law=friction.law,
    )


def _chain(top: Table, notes: list[str]) -> RobotDescription:
    """The links and joints of the DH table."""
    table = top.table("dh")
    table.allow(DH_KEYS)
    convention = table.choice("convention", ("standard", "modified"))
    rows = [_row(row, i + 1, notes) for i, row in enumerate(top.tables("row"))]
    if not rows:
        raise table.error("the table has no rows", expected="blocks under [[row]]")
    base, source = table.text("base", "base"), top.document.source
    if convention == "modified":
        table.choice("inertial_frame", ("dh", "joint"), "dh")
        return modified_dh(rows, base=base, source=source)
    if any(row.phi is not None for row in rows):
        frame = table.choice("inertial_frame", ("dh", "joint"))
    else:
        frame = "dh"
    return standard_dh(rows, inertial_frame=frame, base=base, source=source)


def _row(table: Table, index: int, notes: list[str]) -> DHRow:
    joint, link = table.text("joint", f"j{index}"), table.text("link", f"link{index}")
    table = table.named(f"[[row]] {index} (joint {joint!r})")
    table.allow(ROW_KEYS)
    kind = table.choice("type", ("revolute", "continuous", "prismatic"), "revolute")
    offset = table.number("offset", ZERO)
    if kind == "prismatic":
        theta, d = table.number("theta"), table.number("d", ZERO) + offset
    else:
        theta, d = table.number("theta", ZERO) + offset, table.number("d")
    inertial = read_inertial(table)
    friction = read_friction(table)
    _source_note(table, f"Link {link}", notes)
    return DHRow(
        alpha=table.number("alpha"),
        a=table.number("a"),
        d=d,
        theta=theta,
        joint=joint,
        link=link,
        kind=kind,
        phi=inertial.phi,
        symbolic=inertial.symbolic,
        stated=inertial.stated,
        armature=_armature(table, notes),
        damping=friction.damping,
        friction=friction.friction,
        limits=_limits(table),
        mimic=_mimic(table),
        line=table.line(),
        law=friction.law,
    )


def _rotation(table: Table, notes: list[str]) -> Mat3T:
    if not table.has("rotation"):
        if not table.has("rpy"):
            return identity(TERMS)
        return rpy_matrix(TERMS, *table.vector("rpy"))
    if table.has("rpy"):
        raise table.error("rpy and rotation at once", "rotation", expected="one of them")
    rows = table.rows("rotation", 3)
    values = [[table.document.value(entry) for entry in row] for row in rows]
    first, second, third = ((row[0], row[1], row[2]) for row in rows)
    if _is_exact_rotation(rows):
        return (first, second, third)
    defect = _defect(values)
    rational = all(entry.rational is not None for row in rows for entry in row)
    if not defect <= (_ORTHONORMAL if rational else _ORTHONORMAL_EXPRESSION):
        raise table.error(
            "the matrix is no rotation",
            "rotation",
            expected="orthonormal rows and determinant 1",
            got=f"a defect of {defect:.3g}",
        )
    if not rational:
        return (first, second, third)
    notes.append(
        f"The rotation of {table.title} is orthonormal to {defect:.1g} only; the exact rotation "
        "next to it is used."
    )
    return rotation_of_quaternion(quaternion_of_rotation(values))


def _is_exact_rotation(rows: list[list[Term]]) -> bool:
    m = [[entry.rational for entry in row] for row in rows]
    exact = [[value for value in row if value is not None] for row in m]
    if any(len(row) < 3 for row in exact):
        return False
    gram = [[sum(a * b for a, b in zip(r, s, strict=True)) for s in exact] for r in exact]
    return gram == [[1, 0, 0], [0, 1, 0], [0, 0, 1]] and _determinant(exact) == 1


def _defect(m: list[list[float]]) -> float:
    """Largest entry of R R^T - 1, or of det R - 1; NaN counts as infinite."""
    gram = [
        abs(sum(a * b for a, b in zip(m[i], m[j], strict=True)) - (i == j))
        for i in range(3)
        for j in range(3)
    ]
    worst = max(*gram, abs(_determinant(m) - 1))
    return worst if worst == worst else float("inf")


def _determinant(m: list[list[_Real]]) -> _Real:
    (a, b, c), (d, e, f), (g, h, i) = m
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def _armature(table: Table, notes: list[str]) -> Term:
    """Rotor inertia at the joint: given as felt there, or as N^2 J of a rotor behind a gear."""
    if not table.has("rotor"):
        return _not_negative(table, "armature")
    if table.has("armature"):
        raise table.error("armature and rotor at once", "rotor", expected="one of them")
    rotor = table.table("rotor")
    rotor.allow(("inertia", "gear_ratio"))
    ratio = rotor.number("gear_ratio")
    if _ROTOR_NOTE not in notes:
        notes.append(_ROTOR_NOTE)
    return TERMS.powi(ratio, 2) * _not_negative(rotor, "inertia")


def _not_negative(table: Table, key: str) -> Term:
    term = table.number(key, ZERO)
    if table.document.value(term) < 0:
        raise table.error("a negative value", key, expected="zero or more")
    return term


def _mimic(table: Table) -> MimicDescription | None:
    if not table.has("mimic"):
        return None
    mimic = table.table("mimic")
    mimic.allow(("joint", "multiplier", "offset"))
    return MimicDescription(
        mimic.text("joint"),
        mimic.number("multiplier", ONE),
        mimic.number("offset", ZERO),
        mimic.line(),
    )


def _limits(table: Table) -> Limits:
    if not table.has("limits"):
        return Limits()
    limits = table.table("limits")
    limits.allow(("lower", "upper", "velocity", "effort"))
    found = {
        key: limits.number(key) if limits.has(key) else None
        for key in ("lower", "upper", "velocity", "effort")
    }
    lower, upper = found["lower"], found["upper"]
    value = table.document.value
    if lower is not None and upper is not None and value(lower) > value(upper):
        raise limits.error("lower lies above upper", remedy="Exchange the two.")
    return Limits(lower, upper, found["velocity"], found["effort"])


def _source_note(table: Table, what: str, notes: list[str]) -> None:
    if table.has("source"):
        notes.append(f"{what}: {table.text('source')}")
