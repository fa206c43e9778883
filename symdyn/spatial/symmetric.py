"""Small symmetric matrices: exact semidefiniteness over the rationals, eigenvalues in floats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

#: Rotations of a 4x4 matrix converge quadratically; a handful of sweeps suffice.
_SWEEPS = 60


def semidefinite_rank(matrix: Sequence[Sequence[Fraction]]) -> int | None:
    """The rank of a positive semidefinite rational matrix, None if it is not semidefinite.

    LDL^T with diagonal pivots, in exact arithmetic: a semidefinite matrix without a positive
    diagonal entry is zero. Source: Higham 2002, section 10.3.
    """
    rest = [list(row) for row in matrix]
    rank = 0
    while rest:
        n = len(rest)
        if any(rest[i][i] < 0 for i in range(n)):
            return None
        k = next((i for i in range(n) if rest[i][i] > 0), None)
        if k is None:
            return rank if all(x == 0 for row in rest for x in row) else None
        pivot, column = rest[k][k], [rest[i][k] for i in range(n)]
        kept = [i for i in range(n) if i != k]
        rest = [[rest[i][j] - column[i] * column[j] / pivot for j in kept] for i in kept]
        rank += 1
    return rank


def eigenvalues(matrix: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """The eigenvalues of a symmetric matrix, ascending, by Jacobi's rotations.

    Source: Golub & Van Loan 2013, section 8.5.
    """
    a = [[float(x) for x in row] for row in matrix]
    n = len(a)
    for _ in range(_SWEEPS):
        off = sum(a[i][j] ** 2 for i in range(n) for j in range(n) if i != j)
        if off == 0.0 or not math.isfinite(off):
            break
        for p in range(n):
            for q in range(p + 1, n):
                _rotate(a, p, q)
    return tuple(sorted(a[i][i] for i in range(n)))


def _rotate(a: list[list[float]], p: int, q: int) -> None:
    """Turn the plane (p, q) so that a[p][q] vanishes."""
    if a[p][q] == 0.0:
        return
    ratio = (a[q][q] - a[p][p]) / (2.0 * a[p][q])
    t = math.copysign(1.0, ratio) / (abs(ratio) + math.hypot(1.0, ratio))
    c = 1.0 / math.hypot(1.0, t)
    s = t * c
    for k in range(len(a)):
        x, y = a[k][p], a[k][q]
        a[k][p], a[k][q] = c * x - s * y, s * x + c * y
    for k in range(len(a)):
        x, y = a[p][k], a[q][k]
        a[p][k], a[q][k] = c * x - s * y, s * x + c * y
    a[p][q] = a[q][p] = 0.0
