"""Forces of set-valued friction on coupled joints: a complementarity problem with boxes.

Given M symmetric positive definite, find x and f with

    M x + f = r,   f_i = high_i where x_i > 0,  f_i = low_i where x_i < 0,
                   low_i <= f_i <= high_i where x_i = 0.

With x the next velocity this is one step of Moreau's scheme, with x the acceleration it decides
which resting joints start to move. The solution exists and is unique; it minimises
x'M x/2 - r'x + sum of max(high_i x_i, low_i x_i).

Method: block principal pivoting, falling back on Murty's single pivots, which end after finitely
many. Source: Judice and Pires 1994, Computers Ops. Res. 21(5); Murty 1974.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symdyn._errors import InputError, SizeError, VerificationError
from symdyn.algebra.float64 import Array

_LOW, _REST, _HIGH = -1, 0, 1
#: Block pivots without progress before single pivots take over.
_PATIENCE = 3


def solve_boxes(
    M: Array, r: Array, low: Array, high: Array, free: Sequence[bool] | None = None
) -> tuple[Array, Array]:
    """Solve M x + f = r with f in the boxes as the sign of x says.

    Parameters
    ----------
    M : (n, n) symmetric positive definite
    r : (n,)
    low, high : (n,) low <= high
    free : coordinates without a force; their boxes do not count

    Returns
    -------
    x : (n,), exactly 0 where a coordinate rests
    f : (n,)

    Raises
    ------
    SizeError, InputError : sizes differ, a box is empty, M is singular
    VerificationError : pivoting does not end, as for an M that is not positive definite

    Examples
    --------
    >>> solve_boxes(np.eye(2), np.array([0.5, 3.0]), -np.ones(2), np.ones(2))
    (array([0., 2.]), array([0.5, 1. ]))
    """
    n = len(r)
    for name, size in (("M", M.shape[0]), ("low", len(low)), ("high", len(high))):
        if size != n:
            raise SizeError("solve_boxes", name, n, size)
    is_free = np.zeros(n, dtype=bool) if free is None else np.asarray(free, dtype=bool)
    if bool(np.any((low > high) & ~is_free)):
        raise InputError("a box is empty", where="solve_boxes", expected="low <= high")
    side = np.where(is_free, _HIGH, _REST)
    fewest, patience = n + 1, _PATIENCE
    for _ in range(100 + 10 * n * n):
        x, f = _solve(M, r, low, high, side, is_free)
        # a rounding is no reason to pivot
        slack = 1e-12 * (np.abs(r).max(initial=0.0) + np.abs(f).max(initial=0.0))
        reach = 1e-12 * np.abs(x).max(initial=0.0)
        target = side.copy()
        target[(side == _REST) & (f > high + slack)] = _HIGH
        target[(side == _REST) & (f < low - slack)] = _LOW
        wrong = ((side == _HIGH) & (x < -reach)) | ((side == _LOW) & (x > reach))
        target[wrong & ~is_free] = _REST
        infeasible = np.flatnonzero(target != side)
        if infeasible.size == 0:
            return x, f
        if infeasible.size < fewest:
            fewest, patience = infeasible.size, _PATIENCE
            side = target
        elif patience > 0:
            patience -= 1
            side = target
        else:
            side[infeasible[-1]] = target[infeasible[-1]]
    raise VerificationError("solve_boxes: pivoting does not end; M is not positive definite")


def _solve(
    M: Array, r: Array, low: Array, high: Array, side: Array, is_free: Array
) -> tuple[Array, Array]:
    """x and f for given sides: x = 0 on resting coordinates, f at its bound on the others."""
    x = np.zeros(len(r))
    f = np.where(is_free, 0.0, np.where(side == _HIGH, high, low))
    moving = np.flatnonzero(side != _REST)
    if moving.size:
        try:
            x[moving] = np.linalg.solve(M[np.ix_(moving, moving)], (r - f)[moving])
        except np.linalg.LinAlgError:
            raise InputError(
                "M is singular",
                where="solve_boxes",
                expected="a positive definite matrix",
                got=f"one that is singular on the coordinates {', '.join(map(str, moving))}",
                remedy="Give what moves along them inertia or armature.",
            ) from None
    rest = side == _REST
    f[rest] = (r - M @ x)[rest]
    return x, f
