"""What a person probably did who typed or exported an impossible inertia tensor.

Each hypothesis is tried in exact arithmetic: undo the slip and see whether a body of full extent
has the result. A hypothesis that does not lead to a possible body is not mentioned. Only a repair
that is the single one of its kind is offered as such.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symdyn.spatial.inertia import matrix_of
from symdyn.spatial.symmetric import eigenvalues

#: Names of the six entries in the order of equation (7).
ENTRIES = ("ixx", "iyy", "izz", "ixy", "iyz", "ixz")
#: Six numbers in the order in which other programs write a tensor, put into the slots of URDF
#: (ixx, ixy, ixz, iyy, iyz, izz) one after the other; each is the list of what the slots then hold.
_ORDERS = {
    "xx yy zz xy xz yz": ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"),
    "xx yy zz xy yz xz": ("ixx", "iyy", "izz", "ixy", "iyz", "ixz"),
    "xx yy zz yz xz xy": ("ixx", "iyy", "izz", "iyz", "ixz", "ixy"),
    "xx xy yy xz yz zz": ("ixx", "ixy", "iyy", "ixz", "iyz", "izz"),
}
_SLOTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
#: How finely the lost izz of a row-major walk is searched for between 0 and ixx + iyy.
_STEPS = 24
_POWERS = tuple(k for k in range(-9, 10) if k)
#: A slip of the decimal point changes an entry tenfold. Where this part of one entry is enough to
#: mend the tensor, it is rather a measured or rounded one.
_SLIGHT = Fraction(1, 8)
#: A radius of gyration that is this many times the robot's extent is no part of it.
_TOO_LARGE = 3
#: Units of a tensor that is not in kg m^2, in kg m^2.
_UNITS = {
    "g m^2": Fraction(1, 10**3),
    "kg cm^2": Fraction(1, 10**4),
    "lb in^2": Fraction("0.00029263965343"),
    "kg mm^2": Fraction(1, 10**6),
    "g cm^2": Fraction(1, 10**7),
    "g mm^2": Fraction(1, 10**9),
}

Possible = Callable[[Fraction, Sequence[Fraction]], bool]
_First = tuple[Fraction, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Repair:
    """An entry of the tensor times a power of ten: ``value`` is the repaired entry [kg m^2]."""

    entry: str
    exponent: int
    value: Fraction

    def text(self) -> str:
        """The repair in words."""
        return f"{self.entry} times 10^{self.exponent}, that is {float(self.value):.12g}"


def causes_of(
    mass: Fraction, first: _First, six: Sequence[Fraction], reach: float, possible: Possible
) -> tuple[tuple[str, ...], Repair | None]:
    """Likely causes of an impossible body, and its unique repair by a power of ten if there is one.

    No slip is suspected where a slight change of one moment mends the tensor.

    Parameters
    ----------
    mass, first : mass [kg] and first moment [kg m]
    six : tensor about the centre of mass, in the order of equation (7) [kg m^2]
    reach : extent of the robot, into which a repaired body has to fit; 0 if it has none [m]
    possible : whether a mass and a central tensor make a body
    """
    if mass < 0:
        return ("the mass is negative",), None
    if mass == 0:
        return ("the mass is 0 but the first moment or the tensor is not",), None
    causes: list[str] = []
    repair = None
    pattern = _placeholder(six) or _row_walk(mass, six, possible)
    slight = "" if pattern else _slight(mass, six, possible)
    if pattern:
        causes.append(pattern)
    if not pattern and not slight:
        repair, text = _powers(mass, six, reach, possible)
        causes.extend(
            cause
            for cause in (
                text,
                _order(mass, six, possible),
                _negative_diagonal(mass, six, possible),
                _signs_of_products(mass, six, possible),
                _steiner_twice(mass, first, six, possible),
            )
            if cause
        )
    causes.append(_condition(six))
    causes += [slight] if slight else []
    return tuple(causes), repair


def remarks_on(
    mass: Fraction, first: _First, six: Sequence[Fraction], reach: float, possible: Possible
) -> tuple[str, ...]:
    """What is possible and yet looks like a slip."""
    found = (
        _row_walk(mass, six, possible),
        _placeholder(six),
        _about_origin(mass, first, six, possible),
        _units(mass, six, reach),
    )
    return tuple(text for text in found if text)


def _named(six: Sequence[Fraction]) -> dict[str, Fraction]:
    return dict(zip(ENTRIES, six, strict=True))


def _row_walk(mass: Fraction, six: Sequence[Fraction], possible: Possible) -> str:
    """The rows of the matrix written one after the other into the six slots of URDF.

    The slots then hold ixx ixy ixz | ixy iyy iyz, and izz is lost.
    """
    named = _named(six)
    if named["iyy"] != named["ixy"] or named["ixy"] == 0:
        return ""
    xx, yy, yz = named["ixx"], named["iyz"], named["izz"]
    trials = ((xx + yy) * Fraction(k, _STEPS) for k in range(1, _STEPS))
    if not any(possible(mass, (xx, yy, zz, named["ixy"], yz, named["ixz"])) for zz in trials):
        return ""
    return "iyy repeats ixy: looks like a row-major walk; izz is then not recoverable"


def _slight(mass: Fraction, six: Sequence[Fraction], possible: Possible) -> str:
    """A moment of which a small part, up or down, makes the body possible; the smallest such part.

    The part is found to a hundredth by halving, which the words then round up.
    """
    parts: list[tuple[Fraction, str]] = []
    for k, entry in enumerate(ENTRIES[:3]):
        for sign in (-1, 1):
            low, high = Fraction(0), _SLIGHT
            if not possible(mass, _changed(six, k, sign * high)):
                continue
            while high - low > Fraction(1, 1000):
                middle = (low + high) / 2
                fits = possible(mass, _changed(six, k, sign * middle))
                low, high = (low, middle) if fits else (middle, high)
            parts.append((high, f"{'more' if sign > 0 else 'less'} {entry}"))
    if not parts:
        return ""
    part, which = min(parts)
    return f"{_percent(part)} % {which} would do: measured or rounded numbers rather than a slip"


def _changed(six: Sequence[Fraction], k: int, part: Fraction) -> list[Fraction]:
    return [x * (1 + part) if i == k else x for i, x in enumerate(six)]


def _percent(part: Fraction) -> str:
    """The percentage, rounded up to a digit after the point."""
    return f"{math.ceil(1000 * part) / 10:g}"


def _powers(
    mass: Fraction, six: Sequence[Fraction], reach: float, possible: Possible
) -> tuple[Repair | None, str]:
    """A decimal point that is missing or misplaced in one entry."""
    found: list[Repair] = []
    for k, entry in enumerate(ENTRIES):
        if six[k] == 0:
            continue
        for power in _POWERS:
            trial = list(six)
            trial[k] = six[k] * Fraction(10) ** power
            if possible(mass, trial):
                found.append(Repair(entry, power, trial[k]))
    if len(found) == 1:
        trial = [found[0].value if e == found[0].entry else x for e, x in _named(six).items()]
        if 0 < _TOO_LARGE * reach < _size(mass, trial):
            return None, ""
        return found[0], f"{found[0].entry} is off by a power of ten (decimal point or unit)"
    # a product that is made small enough always fits: only the diagonal tells
    entries = list(dict.fromkeys(r.entry for r in found if r.entry in ENTRIES[:3]))
    if not entries:
        return None, ""
    return None, f"{' or '.join(entries)} may be off by a power of ten; several powers fit"


def _order(mass: Fraction, six: Sequence[Fraction], possible: Possible) -> str:
    named = _named(six)
    for text, order in _ORDERS.items():
        meant = {entry: named[slot] for slot, entry in zip(_SLOTS, order, strict=True)}
        if possible(mass, [meant[entry] for entry in ENTRIES]):
            return (
                f"the six numbers would fit in the order {text}; "
                "URDF wants them as ixx ixy ixz iyy iyz izz"
            )
    return ""


def _negative_diagonal(mass: Fraction, six: Sequence[Fraction], possible: Possible) -> str:
    negative = [entry for entry, x in zip(ENTRIES[:3], six, strict=False) if x < 0]
    if negative and possible(mass, [*map(abs, six[:3]), *six[3:]]):
        return f"the sign of {' and '.join(negative)}"
    return ""


def _signs_of_products(mass: Fraction, six: Sequence[Fraction], possible: Possible) -> str:
    if possible(mass, [*six[:3], *(-x for x in six[3:])]):
        return (
            "the sign of the products: ixy is the matrix entry, -integral of x y dm, "
            "and the file seems to hold +integral"
        )
    return ""


def _steiner(mass: Fraction, first: _First) -> tuple[Fraction, ...]:
    x, y, z = (h / mass for h in first)
    return (
        mass * (y * y + z * z), mass * (x * x + z * z), mass * (x * x + y * y),
        -mass * x * y, -mass * y * z, -mass * x * z,
    )  # fmt: skip


def _steiner_twice(
    mass: Fraction, first: _First, six: Sequence[Fraction], possible: Possible
) -> str:
    steiner = _steiner(mass, first)
    if not any(steiner):
        return ""
    if possible(mass, [a + b for a, b in zip(six, steiner, strict=True)]):
        return "the parallel-axis term m (|c|^2 1 - c c^T) was subtracted once too often"
    return ""


def _condition(six: Sequence[Fraction]) -> str:
    """Which condition fails, for the entries as they stand, and by how much."""
    for k, entry in enumerate(ENTRIES[:3]):
        if six[k] < 0:
            return f"{entry} is negative ({_figure(six[k])})"
    xx, yy, zz, xy, yz, xz = six
    for i, j, product, a, b in (
        ("ixx", "iyy", "ixy", (xx, yy), xy),
        ("iyy", "izz", "iyz", (yy, zz), yz),
        ("ixx", "izz", "ixz", (xx, zz), xz),
    ):
        if b * b > a[0] * a[1]:
            return (
                f"{product} is too large: its square, {_figure(b * b)}, exceeds {i} times {j}, "
                f"{_figure(a[0] * a[1])}"
            )
    for k, entry in enumerate(ENTRIES[:3]):
        if 2 * six[k] > xx + yy + zz:
            others = [e for e in ENTRIES[:3] if e != entry]
            excess = 2 * six[k] - xx - yy - zz
            return (
                f"{entry} exceeds {others[0]} + {others[1]} by {_figure(excess)} kg m^2 "
                "(triangle inequality)"
            )
    low, middle, high = eigenvalues(
        matrix_of((float(xx), float(yy), float(zz), float(xy), float(yz), float(xz)))
    )
    if low < 0:
        return f"a principal moment is negative ({_figure(low)})"
    return (
        f"the largest principal moment exceeds the sum of the other two by "
        f"{_figure(high - middle - low)} kg m^2 (triangle inequality)"
    )


def _figure(value: Fraction | float) -> str:
    return f"{float(value):.3g}"


def _placeholder(six: Sequence[Fraction]) -> str:
    if tuple(six) == (1, 1, 1, 0, 0, 0):
        return "the tensor is the unit matrix: looks like a placeholder"
    if len(set(six)) == 1 and six[0] != 0:
        return "all six entries are equal: looks like a placeholder"
    return ""


def _about_origin(
    mass: Fraction, first: _First, six: Sequence[Fraction], possible: Possible
) -> str:
    """A tensor about the frame origin in place of the centre of mass.

    Then the body's extent along the line from the origin to the centre of mass, measured by
    sqrt(Sigma_cc/m), is at least the distance c itself: a uniform rod about its end has 4/3 c^2,
    about its middle 1/3 c^2. Only told if the body is slender, where the middle is the rule.
    """
    square = sum(h * h for h in first) / mass**2
    if square == 0:
        return ""
    xx, yy, zz, xy, yz, xz = six
    half = (xx + yy + zz) / 2
    c = [h / mass for h in first]
    along = (half - xx) * c[0] ** 2 + (half - yy) * c[1] ** 2 + (half - zz) * c[2] ** 2
    along -= 2 * (xy * c[0] * c[1] + yz * c[1] * c[2] + xz * c[0] * c[2])
    along /= square
    across = half - along
    reduced = [a - b for a, b in zip(six, _steiner(mass, first), strict=True)]
    if 1 <= along / (mass * square) <= 2 and across * 8 < along and possible(mass, reduced):
        return "the tensor looks as if taken about the frame origin, not about the centre of mass"
    return ""


def _size(mass: Fraction, six: Sequence[Fraction]) -> float:
    """The radius of gyration about the centre of mass, sqrt(tr I/2m) [m]."""
    return math.sqrt(max(float((six[0] + six[1] + six[2]) / 2 / mass), 0.0))


def _units(mass: Fraction, six: Sequence[Fraction], reach: float) -> str:
    """A tensor whose radius of gyration does not fit into the robot."""
    size = _size(mass, six)
    if reach <= 0 or size <= _TOO_LARGE * reach:
        return ""
    fits = [
        unit
        for unit, scale in _UNITS.items()
        if 0.01 * reach < size * math.sqrt(scale) < 0.5 * reach
    ]
    text = f"a radius of gyration of {size:.3g} m in a robot of {reach:.3g} m"
    return f"{text}: the tensor may be in {' or '.join(fits)}" if fits else text
