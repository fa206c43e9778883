"""The inertial keys of a link, in one of the forms below; each is complete, forms are never mixed.

- ``mass``, ``com``, ``inertia_com`` (and ``rpy``): tensor about the centre of mass, in axes that
  ``rpy`` turns against the link frame;
- ``mass``, ``first_moment``, ``inertia_origin``: everything about the origin of the link frame;
- ``phi``: the ten numbers m, h1, h2, h3, I11, I22, I33, I12, I23, I13 of equation (7);
- ``part``: the mass distribution itself, which may move (`symdyn.io.toml_mass`).

A further form is one more entry of `_FORMS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symdyn.algebra.term import TERMS, ZERO, Term
from symdyn.io.toml_document import Table
from symdyn.io.toml_mass import read_parts
from symdyn.model.robot import PARAMETER_NAMES, MadeOf, MassMotion, Mat3T, StatedInertia
from symdyn.spatial.inertia import Six, phi_from_central
from symdyn.spatial.rotation import identity, rpy_matrix


@dataclass(frozen=True, slots=True)
class Inertial:
    """What a link's keys say: phi about the link's origin, flags, statement, moving mass, parts."""

    phi: tuple[Term, ...] | None = None
    symbolic: tuple[bool, ...] = (True,) * 10
    stated: StatedInertia | None = None
    motion: MassMotion | None = None
    made_of: MadeOf | None = None


_Reader = Callable[[Table], Inertial]


def read_inertial(table: Table) -> Inertial:
    """The inertial parameters of a link; none if the table has none of the keys.

    Raises
    ------
    InputError : keys of two forms, a missing key, a number that is none
    """
    present = [form for form in _FORMS if form[0] in table.entries]
    stray = [key for key in INERTIAL_KEYS if table.has(key) and key != "symbolic"]
    if not present:
        if stray:
            raise table.error(
                f"the key {stray[0]!r} stands alone",
                stray[0],
                expected="; or ".join(", ".join(form[1]) for form in _FORMS),
            )
        return Inertial(symbolic=_symbolic(table))
    if len(present) > 1:
        raise table.error(
            "two forms of inertial parameters at once",
            present[1][0],
            expected=f"{present[0][0]} or {present[1][0]}, not both",
        )
    key, required, optional, reader = present[0]
    for other in stray:
        if other not in (*required, *optional):
            raise table.error(
                f"the key {other!r} does not go with {key!r}",
                other,
                expected=", ".join((*required, *optional)),
            )
    read = reader(table)
    return Inertial(read.phi, _symbolic(table), read.stated, read.motion, read.made_of)


def _symbolic(table: Table) -> tuple[bool, ...]:
    """``symbolic = true | false | [names of the parameters that stay arguments]``."""
    if not isinstance(table.entries.get("symbolic", True), list):
        return (table.flag("symbolic", True),) * 10
    names = table.names("symbolic")
    for name in names:
        if name not in PARAMETER_NAMES:
            raise table.error(
                f"{name!r} is no inertial parameter",
                "symbolic",
                expected=f"true, false or some of {', '.join(PARAMETER_NAMES)}",
            )
    return tuple(name in names for name in PARAMETER_NAMES)


def _tensor(table: Table, key: str) -> Six[Term]:
    """``{ xx, yy, zz, xy, yz, xz }``: the diagonal is required, a product left out is zero."""
    tensor = table.table(key)
    tensor.allow(("xx", "yy", "zz", "xy", "yz", "xz"))
    xx, yy, zz = (tensor.number(name) for name in ("xx", "yy", "zz"))
    xy, yz, xz = (tensor.number(name, ZERO) for name in ("xy", "yz", "xz"))
    if table.choice("products", ("matrix", "positive"), "matrix") == "positive":
        return (xx, yy, zz, -xy, -yz, -xz)
    return (xx, yy, zz, xy, yz, xz)


def _central(table: Table) -> Inertial:
    mass, com = table.number("mass"), table.vector("com")
    tensor = _tensor(table, "inertia_com")
    turn: Mat3T = identity(TERMS)
    if table.has("rpy"):
        turn = rpy_matrix(TERMS, *table.vector("rpy"))
    stated = StatedInertia(mass, com, turn, tensor, line=table.line("inertia_com"))
    phi = phi_from_central(mass, com, tensor, turn if table.has("rpy") else None)
    return Inertial(phi, stated=stated)


def _about_origin(table: Table) -> Inertial:
    phi = (
        table.number("mass"),
        *table.vector("first_moment"),
        *_tensor(table, "inertia_origin"),
    )
    return Inertial(phi)


def _distribution(table: Table) -> Inertial:
    found = read_parts(table)
    return Inertial(found.phi, motion=found.motion, made_of=found.made_of)


def _ten(table: Table) -> Inertial:
    return Inertial(tuple(table.numbers("phi", 10)))


#: The key that tells the form, the keys it requires, those it may have, its reader.
_FORMS: tuple[tuple[str, tuple[str, ...], tuple[str, ...], _Reader], ...] = (
    ("inertia_com", ("mass", "com", "inertia_com"), ("rpy", "products"), _central),
    (
        "inertia_origin",
        ("mass", "first_moment", "inertia_origin"),
        ("products",),
        _about_origin,
    ),
    ("phi", ("phi",), (), _ten),
    ("part", ("part",), ("flow", "momentum", "times"), _distribution),
)

#: Every key that `read_inertial` knows, in the order of the documentation.
INERTIAL_KEYS: tuple[str, ...] = (
    "mass", "com", "inertia_com", "rpy", "first_moment", "inertia_origin", "products", "phi",
    "part", "flow", "momentum", "times", "symbolic",
)  # fmt: skip
