"""Theorem 1: which ten numbers are the inertial parameters of a distribution of mass.

Two modes. For *densities*, functions that can be integrated, the exact condition is f(Phi) > 0.
Rods and points are *measures*; for them it is f(Phi) >= 0 and m > 0, and the rank says what the
body is: 1 a point, 2 a thin rod, 3 a flat plate, 4 extended. A spherical shell is a measure with
f > 0, so a positive f does not tell a density from a measure.

Source: Traversaro et al. 2016; Wensing, Kim & Slotine 2018, theorem 3.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import sympy

from symdyn._errors import InputError, SizeError
from symdyn.algebra.sympy_ import SYMPY
from symdyn.mass.coordinates import Number, exact
from symdyn.mass.pseudo_inertia import pseudo_inertia
from symdyn.mass.zero import Zero, decide_zero
from symdyn.spatial.inertia import as_phi

_NAMES = ("the mass", "h", "the second moment", "the second moment")


class Mode(Enum):
    """What may carry the mass."""

    DENSITY = "density: f > 0"
    MEASURE = "measure: f >= 0 and m > 0"


@dataclass(frozen=True, slots=True)
class Consistency:
    """The verdict of Theorem 1.

    Attributes
    ----------
    mode : what may carry the mass
    is_consistent : None where the signs of symbols leave it open
    rank : of f, None if f is not >= 0 or the signs are open
    conditions : the pivots of f in the order m, then the second moments about the centre of mass;
        consistent exactly if all are > 0 (density)
    reason : one sentence
    """

    mode: Mode
    is_consistent: bool | None
    rank: int | None
    conditions: tuple[sympy.Expr, ...]
    reason: str


def theorem_1(phi: Sequence[Number], mode: Mode = Mode.DENSITY) -> Consistency:
    """Whether some distribution of mass has these parameters; exact.

    Parameters
    ----------
    phi : ten numbers or expressions, order of equation (7); signs of symbols by assumption

    Raises
    ------
    SizeError : not ten
    """
    if len(phi) != 10:
        raise SizeError("theorem_1", "phi", 10, len(phi))
    values = [exact(value, "theorem_1") for value in phi]
    f = pseudo_inertia(SYMPY, as_phi(values))
    # the mass first: the rest is then the second moment about the centre of mass
    order = (3, 0, 1, 2)
    rest = [[f[i][j] for j in order] for i in order]
    pivots: list[sympy.Expr] = []
    rank = 0
    while rest:
        signs = [_sign(rest[k][k]) for k in range(len(rest))]
        first = not pivots
        k = 0 if first else next((i for i, s in enumerate(signs) if s == 1), 0)
        pivot, sign = rest[k][k], signs[k]
        pivots.append(pivot)
        if -1 in signs[: 1 if first else None]:
            return Consistency(mode, False, None, tuple(pivots), _negative(first))
        if sign is None:
            reason = f"the sign of {pivot} is open"
            return Consistency(mode, None, None, tuple(pivots), reason)
        if sign == 0:
            return _singular(mode, rest, rank, pivots, first)
        rest = _schur(rest, k)
        rank += 1
    return Consistency(mode, True, rank, tuple(pivots), "f is positive definite")


def require_consistent(phi: Sequence[Number], mode: Mode, where: str = "") -> None:
    """Refuse parameters that are certainly not consistent.

    Raises
    ------
    InputError : with the reason
    """
    verdict = theorem_1(phi, mode)
    if verdict.is_consistent is False:
        raise InputError(
            "inertial parameters are not physically consistent",
            where=where,
            expected=mode.value,
            got=verdict.reason,
        )


def _negative(is_mass: bool) -> str:
    return "the mass is negative" if is_mass else "a second moment about the centre is negative"


def _singular(
    mode: Mode, rest: list[list[sympy.Expr]], rank: int, pivots: list[sympy.Expr], is_mass: bool
) -> Consistency:
    """No positive pivot is left: f >= 0 only if everything left is zero."""
    found = tuple(pivots)
    if is_mass:
        return Consistency(mode, False, None, found, "the mass is zero")
    if any(_sign(entry) not in (0, None) for row in rest for entry in row):
        return Consistency(mode, False, None, found, _negative(False))
    if any(_sign(entry) is None for row in rest for entry in row):
        return Consistency(mode, None, None, found, "the sign of a second moment is open")
    reason = f"f has rank {rank}"
    return Consistency(mode, mode is Mode.MEASURE, rank, found, reason)


def _schur(m: list[list[sympy.Expr]], k: int) -> list[list[sympy.Expr]]:
    kept = [i for i in range(len(m)) if i != k]
    return [[sympy.factor(m[i][j] - m[i][k] * m[k][j] / m[k][k]) for j in kept] for i in kept]


def _sign(value: sympy.Expr) -> int | None:
    """1, 0 or -1; None if the assumptions leave it open."""
    if value.is_positive:
        return 1
    if value.is_negative:
        return -1
    if decide_zero(value) is Zero.PROVED:
        return 0
    factored = sympy.factor(value)
    if factored.is_positive:
        return 1
    return -1 if factored.is_negative else None
