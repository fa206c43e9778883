"""Linear least squares that says which coefficients the data determine.

Columns are brought to comparable size, then decomposed by singular values: never by normal
equations, whose rank is lost at half the digits. A coefficient is determined exactly if no
combination that changes nothing (a null direction) contains it.
Source: Golub and Van Loan 2013, section 5.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from symdyn._errors import InputError
from symdyn.algebra.float64 import Array

#: Singular values below this share of the largest one are zero: rounding of columns of doubles.
RANK_TOLERANCE = 1e-11
#: A coefficient with less than this share of every null direction is determined.
_SHARE = 1e-6


@dataclass(frozen=True, slots=True)
class LinearSolution:
    """Least-squares solution of ``columns @ coefficients = y``.

    Attributes
    ----------
    names : (k,) of the coefficients
    coefficients : (k,), the one of smallest scaled norm; meaningful where ``is_determined``
    is_determined : (k,)
    rank : of the scaled columns
    singular_values : (k,) of the scaled columns, largest first
    condition : condition number of the columns, each brought to length one; infinite if dependent
    null : unit changes of the coefficients that change no value of y; one mapping a direction
    root : (k, rank); for independent errors of standard deviation s the covariance of the
        determined coefficients is s^2 root root'
    residuals : (m,) y - columns @ coefficients
    degrees : m - rank
    """

    names: tuple[str, ...]
    coefficients: Array
    is_determined: NDArray[np.bool_]
    rank: int
    singular_values: Array
    condition: float
    null: tuple[dict[str, float], ...]
    root: Array
    residuals: Array
    degrees: int

    @property
    def rss(self) -> float:
        """Sum of squared residuals."""
        return float(self.residuals @ self.residuals)

    def covariance(self, noise: float) -> Array:
        """(k, k) for errors of standard deviation ``noise``."""
        return noise**2 * (self.root @ self.root.T)

    def trade(self, name: str) -> str:
        """Which changes of other coefficients undo a change of this one, in words."""
        for direction in self.null:
            if name in direction:
                pivot = direction[name]
                others = [f"{-v / pivot:.3g} of {n}" for n, v in direction.items() if n != name]
                if not others:
                    return f"{name} changes nothing at these points"
                return f"one unit of {name} looks like {' plus '.join(others)} at these points"
        return ""


def solve(
    columns: Array,
    y: Array,
    names: Sequence[str],
    scale: Array | None = None,
    tolerance: float = RANK_TOLERANCE,
) -> LinearSolution:
    """Least squares with a verdict per coefficient.

    Parameters
    ----------
    columns : (m, k)
    y : (m,)
    names : (k,)
    scale : (k,) size of each column where its coefficient does act; a column far below it counts
        as zero. Left out: the largest entry of each column.
    tolerance : singular values below this share of the largest one are zero

    Returns
    -------
    LinearSolution

    Raises
    ------
    InputError : fewer points than coefficients, or a number that is not finite
    """
    m, k = columns.shape
    if m < k:
        raise InputError(
            "fewer points than parameters",
            where="least squares",
            expected=f"at least {k} points for {', '.join(names)}",
            got=str(m),
        )
    if not (np.isfinite(columns).all() and np.isfinite(y).all()):
        raise InputError("a number is not finite", where="least squares")
    size = np.max(np.abs(columns), axis=0) if scale is None else scale
    size = np.where(size > 0, size, 1.0)
    U, s, Vt = _thin_svd(columns / size)
    largest = s[0] if k else 0.0
    rank = int(np.sum(s > tolerance * largest)) if largest > 0 else 0
    inverse = Vt[:rank].T / s[:rank]
    scaled = inverse @ (U[:, :rank].T @ y)
    idle = Vt[rank:]
    determined = np.all(np.abs(idle) < _SHARE, axis=0) if rank < k else np.ones(k, dtype=bool)
    null: list[dict[str, float]] = []
    for direction in _echelon(idle):
        change = {
            n: float(v)
            for n, v, part in zip(names, direction / size, direction, strict=True)
            if abs(part) > _SHARE
        }
        null.append(change)
    coefficients = scaled / size
    return LinearSolution(
        names=tuple(names),
        coefficients=coefficients,
        is_determined=determined,
        rank=rank,
        singular_values=s,
        condition=_condition(columns) if rank == k else float("inf"),
        null=tuple(null),
        root=inverse / size[:, None],
        residuals=y - columns @ coefficients,
        degrees=m - rank,
    )


def _thin_svd(A: Array) -> tuple[Array, Array, Array]:
    """Singular value decomposition, by way of a triangle if the matrix is tall."""
    m, k = A.shape
    if m <= 3 * k:
        left, s, right = np.linalg.svd(A, full_matrices=False)
        return left, s, right
    Q, R = np.linalg.qr(A)
    left, s, right = np.linalg.svd(R)
    return Q @ left, s, right


def _condition(columns: Array) -> float:
    # by the largest entry first: squares of large entries overflow
    scaled = columns / np.max(np.abs(columns), axis=0, initial=0.0)
    length = np.linalg.norm(scaled, axis=0)
    s = np.linalg.svd(np.linalg.qr(scaled / length)[1], compute_uv=False)
    return float(s[0] / s[-1]) if s.size else 1.0


def _echelon(rows: Array) -> Array:
    """Reduced row echelon form with full pivoting: null directions of few parts."""
    R = rows.copy()
    for i in range(R.shape[0]):
        rest = np.abs(R[i:])
        at, column = np.unravel_index(int(np.argmax(rest)), rest.shape)
        if rest[at, column] == 0:
            break
        R[[i, i + int(at)]] = R[[i + int(at), i]]
        R[i] /= R[i, column]
        for j in range(R.shape[0]):
            if j != i:
                R[j] -= R[j, column] * R[i]
    return R
