"""Rotations given by rounded numbers, made exactly orthonormal.

A rotation matrix or quaternion of doubles is orthonormal to 1e-16 only, which is too little for
exact identities. Turns by a multiple of 15 degrees about a coordinate axis become that angle; turns
by a multiple of 90 degrees become integers; every other one becomes the exact rational rotation of
the quaternion (w, x, y, z) of its numbers, R = 1 + 2 (w [v]x + [v]x^2) / (w^2 + |v|^2), whose
entries differ from the given ones by rounding only.

Source of the formula: Siciliano et al. 2009, equation (2.33), divided by the squared norm.
"""

from __future__ import annotations

import math
from fractions import Fraction

from symdyn.algebra.term import PI, TERMS, Term, number
from symdyn.model.robot import Mat3T
from symdyn.spatial.rotation import rotation_x, rotation_y, rotation_z

Quaternion = tuple[Fraction, Fraction, Fraction, Fraction]

#: Entries of a unit quaternion that differ by less are meant to be equal: a few units in the last
#: place of a double, far below anything a file could mean.
RECOGNISED = 1e-15


def rotation_of_quaternion(quaternion: Quaternion) -> Mat3T:
    """The exactly orthonormal rotation of a quaternion (w, x, y, z) of any length.

    Raises
    ------
    ValueError : the quaternion is zero
    """
    square = sum(part * part for part in quaternion)
    if square == 0:
        raise ValueError("the zero quaternion is no rotation")
    scale = 1 / math.sqrt(square)
    unit = [float(part) * scale for part in quaternion]
    integer = _quarter_turns(unit)
    if integer is not None:
        return integer
    turn = _turn_about_coordinate_axis(unit)
    if turn is not None:
        return turn
    w, x, y, z = quaternion
    k = 2 / square

    def entry(value: Fraction) -> Term:
        return number(value)

    return (
        (entry(1 - k * (y * y + z * z)), entry(k * (x * y - w * z)), entry(k * (x * z + w * y))),
        (entry(k * (x * y + w * z)), entry(1 - k * (x * x + z * z)), entry(k * (y * z - w * x))),
        (entry(k * (x * z - w * y)), entry(k * (y * z + w * x)), entry(1 - k * (x * x + y * y))),
    )


def quaternion_of_rotation(rows: list[list[float]]) -> Quaternion:
    """The quaternion of a matrix that is a rotation up to rounding, largest entry first.

    Source: Shepperd 1978 (the branch with the largest of trace and diagonal).
    """
    (a, b, c), (d, e, f), (g, h, i) = rows
    choices = (
        (a + e + i, (1 + a + e + i, h - f, c - g, d - b)),
        (a, (h - f, 1 + a - e - i, b + d, c + g)),
        (e, (c - g, b + d, 1 - a + e - i, f + h)),
        (i, (d - b, c + g, f + h, 1 - a - e + i)),
    )
    _, parts = max(choices, key=lambda choice: choice[0])
    length = math.sqrt(sum(part * part for part in parts))
    w, x, y, z = (Fraction(part / length) for part in parts)
    return (w, x, y, z)


def _quarter_turns(unit: list[float]) -> Mat3T | None:
    """The integer matrix of one of the 24 rotations of a cube, else None."""
    size = sorted(abs(part) for part in unit)
    half = math.sqrt(0.5)
    for shape in ((0, 0, 0, 1), (0, 0, half, half), (0.5, 0.5, 0.5, 0.5)):
        if all(abs(a - b) < RECOGNISED for a, b in zip(size, shape, strict=True)):
            break
    else:
        return None
    # every product of two entries is 0, 1/4, 1/2 or 1, so rounding doubles of them is exact
    signs = [0 if abs(part) < RECOGNISED else math.copysign(1, part) for part in unit]
    w, x, y, z = (Fraction(int(sign)) for sign in signs)
    k = 2 / (w * w + x * x + y * y + z * z)
    rows = (
        (1 - k * (y * y + z * z), k * (x * y - w * z), k * (x * z + w * y)),
        (k * (x * y + w * z), 1 - k * (x * x + z * z), k * (y * z - w * x)),
        (k * (x * z - w * y), k * (y * z + w * x), 1 - k * (x * x + y * y)),
    )
    first, second, third = ((number(r[0]), number(r[1]), number(r[2])) for r in rows)
    return (first, second, third)


def _turn_about_coordinate_axis(unit: list[float]) -> Mat3T | None:
    """The turn by a multiple of 15 degrees about x, y or z, as that exact angle, else None."""
    w = unit[0]
    moving = [i for i in (1, 2, 3) if abs(unit[i]) >= RECOGNISED]
    if len(moving) != 1:
        return None
    part = unit[moving[0]]
    twelfths = round(2 * math.atan2(part, w) * 12 / math.pi)
    half = twelfths * math.pi / 24
    if abs(math.cos(half) - w) > RECOGNISED or abs(math.sin(half) - part) > RECOGNISED:
        return None
    # within half a turn to either side: -11 … 12
    twelfths = (twelfths + 11) % 24 - 11
    angle = number(Fraction(twelfths, 12)) * PI
    build = {1: rotation_x, 2: rotation_y, 3: rotation_z}[moving[0]]
    return build(TERMS, TERMS.cos(angle), TERMS.sin(angle))
