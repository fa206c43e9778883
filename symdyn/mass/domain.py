"""Domains: shapes placed, scaled, added and taken away from each other.

A domain is a signed sum of affine images of shapes, x = A u + b with A a rotation times a scaling.
Its coordinates x, y, z are those in which densities and velocities on it are written. ``a + b``
are two pieces side by side; ``a - b`` is a with the hole b. Every place has to be counted once or
not at all: added pieces may touch, but not overlap, holes have to lie inside and apart from each
other. `symdyn.mass.possible_domain` looks after that.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sympy

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.sympy_ import SYMPY
from symdyn.mass.coordinates import (
    ONE,
    ORIGIN,
    ZERO,
    Matrix,
    Number,
    Vector,
    exact,
    exact_vector,
    positive,
)
from symdyn.mass.shape import Shape
from symdyn.mass.zero import decide_zero
from symdyn.spatial.rotation import rpy_matrix
from symdyn.spatial.vector import add, apply, column, cross, dot, multiply

IDENTITY: Matrix = ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE))


@dataclass(frozen=True, slots=True)
class Piece:
    """``sign`` times the image of a shape under x = A u + b, its measure times ``factor``.

    ``stretches`` are the factors by which it was scaled, which have to be positive at all times.
    """

    shape: Shape
    sign: int = 1
    matrix: Matrix = IDENTITY
    shift: Vector = ORIGIN
    factor: sympy.Expr = ONE
    stretches: tuple[sympy.Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Domain:
    """A signed sum of placed shapes of one dimension."""

    pieces: tuple[Piece, ...]

    @property
    def dimension(self) -> int:
        """3 solid, 2 surface, 1 line, 0 points."""
        return self.pieces[0].shape.dimension

    @property
    def name(self) -> str:
        """The shapes by name, holes with a minus."""
        parts = [("- " if p.sign < 0 else "+ ") + p.shape.name for p in self.pieces]
        return " ".join(parts).removeprefix("+ ")

    def __add__(self, other: Domain) -> Domain:
        return Domain(self.pieces + _same_dimension(self, other).pieces)

    def __sub__(self, other: Domain) -> Domain:
        holes = tuple(replace(p, sign=-p.sign) for p in _same_dimension(self, other).pieces)
        return Domain(self.pieces + holes)

    def placed(
        self,
        at: Sequence[Number] = ORIGIN,
        rotation: Sequence[Sequence[Number]] | None = None,
    ) -> Domain:
        """The domain moved rigidly: x = R u + p.

        Parameters
        ----------
        at : p, where the origin of the domain's frame goes [m]
        rotation : R, columns are the domain's axes; exactly orthonormal with determinant 1

        Raises
        ------
        InputError : R is no rotation
        """
        R = IDENTITY if rotation is None else rotation_matrix(rotation)
        p = exact_vector(at, "placed")
        return self._image(R, p, ONE)

    def scaled(self, *factors: Number) -> Domain:
        """The domain stretched about its origin by one factor, or by three along the axes.

        Raises
        ------
        InputError : a factor that is not positive
        UnsupportedError : three different factors for a surface or a line
        """
        if len(factors) not in (1, 3):
            raise InputError("scaled takes 1 or 3 factors", got=str(len(factors)))
        s = [positive(f, "factor", "scaled") for f in factors]
        if len(s) == 1:
            s = [s[0]] * 3
        if self.dimension == 3:
            measure = s[0] * s[1] * s[2]
        elif self.dimension == 0 or s[0] == s[1] == s[2]:
            measure = s[0] ** self.dimension
        else:
            raise UnsupportedError(
                "scaled: a surface or a line takes one factor; its measure changes from place to "
                "place otherwise. Use parametrised with the stretched map."
            )
        stretch: Matrix = ((s[0], ZERO, ZERO), (ZERO, s[1], ZERO), (ZERO, ZERO, s[2]))
        return self._image(stretch, ORIGIN, measure, tuple(s))

    def _image(
        self, A: Matrix, b: Vector, factor: sympy.Expr, stretches: tuple[sympy.Expr, ...] = ()
    ) -> Domain:
        return Domain(
            tuple(
                Piece(
                    piece.shape,
                    piece.sign,
                    multiply(A, piece.matrix),
                    add(apply(A, piece.shift), b),
                    piece.factor * factor,
                    piece.stretches + stretches,
                )
                for piece in self.pieces
            )
        )


def of_shape(shape: Shape) -> Domain:
    """The domain of one shape as it stands."""
    return Domain((Piece(shape),))


def rotation_matrix(rows: Sequence[Sequence[Number]], where: str = "rotation") -> Matrix:
    """A checked rotation matrix, exactly orthonormal with determinant 1.

    Raises
    ------
    InputError : names the entry of R^T R - 1 that is not zero, or the determinant
    """
    if len(rows) != 3:
        raise InputError("a rotation has three rows", where=where, got=str(len(rows)))
    a, b, c = (exact_vector(row, where) for row in rows)
    R = (a, b, c)
    for i in range(3):
        for j in range(i, 3):
            product = dot(column(R, i), column(R, j))
            if not decide_zero(product - int(i == j)).holds:
                raise InputError(
                    "a frame is not orthonormal",
                    where=where,
                    expected=f"columns {i + 1} and {j + 1} with the product {int(i == j)}",
                    got=str(product),
                    remedy="Give exact entries (fractions, square roots), or three angles.",
                )
    determinant = dot(a, cross(b, c))
    if not decide_zero(determinant - 1).holds:
        raise InputError(
            "a frame is left-handed", where=where, expected="determinant 1", got=str(determinant)
        )
    return R


def rpy(roll: Number, pitch: Number, yaw: Number) -> Matrix:
    """R_z(yaw) R_y(pitch) R_x(roll), as in URDF."""
    return rpy_matrix(SYMPY, exact(roll, "rpy"), exact(pitch, "rpy"), exact(yaw, "rpy"))


def _same_dimension(a: Domain, b: Domain) -> Domain:
    if a.dimension != b.dimension:
        raise InputError(
            f"{a.name} and {b.name} differ in dimension",
            expected="solids with solids, surfaces with surfaces",
            got=f"{a.dimension} and {b.dimension}",
            remedy="Give them as two parts with their own densities.",
        )
    return b
