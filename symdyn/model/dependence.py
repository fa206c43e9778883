"""Which columns of a symmetric matrix depend on earlier ones, and a proof where none does.

The matrix comes as balls (`symdyn.algebra.ball`). That it is regular is proved: a linear system
with it is solved in ball arithmetic, which succeeds only if every matrix within the balls has an
inverse. Where that fails, the bordered factorisation L D L^T of the midpoints tells which columns
depend, zero being what is below 1e-30 of the size of the parts that cancelled.

Source: Golub & Van Loan 2013, section 4.2; Johansson 2017, Arb, IEEE Trans. Computers 66(8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import mul

from flint import arb, arb_mat, ctx, fmpq

#: 50 digits and a few more.
BITS = 192
#: Enough to condition a scaled matrix, and faster; where it is not, the factorisation decides.
_BITS_OF_PROOF = 96
#: Relative size of a pivot that counts as zero: far above the rounding of 50 digits, far below what
#: any decimal of a file can make of a number that is not zero.
_ZERO = Fraction(1, 10**30)
#: Relative size of a factor that is nothing but rounding.
_NO_PART = 1e-15


@dataclass(frozen=True, slots=True)
class Dependence:
    """Column ``index`` is minus the sum of ``factors`` times earlier columns."""

    index: int
    factors: dict[int, float]


def dependences(M: Sequence[Sequence[arb]], size: Sequence[arb]) -> list[Dependence]:
    """The columns that depend on earlier ones; none if the matrix is proved regular.

    Parameters
    ----------
    M : (n, n) symmetric
    size : (n,) upper bounds of the sizes of the parts that add up to each diagonal entry
    """
    with ctx.workprec(BITS):
        tiny = arb(fmpq(_ZERO.numerator, _ZERO.denominator))
        n = len(M)
        empty = [j for j in range(n) if _is_empty(M, size, j, tiny)]
        kept = [j for j in range(n) if j not in set(empty)]
        found = [Dependence(j, {}) for j in empty]
        if not _is_regular([[M[i][j] for j in kept] for i in kept], [size[j] for j in kept]):
            found += _factorised(M, size, kept, tiny)
        return sorted(found, key=lambda dependence: dependence.index)


def _is_empty(M: Sequence[Sequence[arb]], size: Sequence[arb], j: int, tiny: arb) -> bool:
    """Whether a column is zero from top to bottom."""
    if abs(M[j][j].mid()) > tiny * size[j]:
        return False
    return all(
        x == 0 or abs(x.mid()) <= tiny * (size[k] * size[j] + tiny).sqrt()
        for k, x in enumerate(M[j])
    )


def _is_regular(M: Sequence[Sequence[arb]], size: Sequence[arb]) -> bool:
    """Whether every matrix within the balls is proved to have an inverse."""
    n = len(M)
    if n == 0:
        return True
    # units of very different size would cost digits
    roots = [1 / s.mid().sqrt() if s > 0 else arb(1) for s in size]
    scaled = [
        [x * a * b for x, b in zip(row, roots, strict=True)]
        for row, a in zip(M, roots, strict=True)
    ]
    try:
        with ctx.workprec(_BITS_OF_PROOF):
            solution = arb_mat(scaled).solve(arb_mat(n, 1, [arb(1)] * n))
    except ZeroDivisionError:
        return False
    # a matrix that is not finite can give a vector that is not
    return all(x.is_finite() for x in solution.entries())


def _factorised(
    M: Sequence[Sequence[arb]], size: Sequence[arb], columns: Sequence[int], tiny: arb
) -> list[Dependence]:
    """Bordered L D L^T without pivoting, on midpoints.

    For a positive semidefinite M a pivot vanishes exactly where the column depends on earlier ones,
    and the column is then left out. Where impossible bodies make M indefinite, a pivot can vanish
    for another reason; the dependence is therefore checked in every row.
    """
    zero = arb(0)
    kept: list[int] = []
    lower: list[list[arb]] = []
    pivots: list[arb] = []
    found: list[Dependence] = []
    for j in columns:
        work: list[arb] = []  # column j of D L^T
        for a, i in enumerate(kept):
            work.append((M[i][j] - sum(map(mul, lower[a], work), zero)).mid())
        row = [(w / d).mid() for w, d in zip(work, pivots, strict=True)]
        pivot = (M[j][j] - sum(map(mul, work, row), zero)).mid()
        if abs(pivot) > tiny * size[j]:
            kept.append(j)
            lower.append(row)
            pivots.append(pivot)
            continue
        # back substitution: L^T x = row
        x = list(row)
        for a in range(len(kept) - 1, -1, -1):
            for b in range(a):
                x[b] = (x[b] - lower[a][b] * x[a]).mid()
        if all(
            abs((M[k][j] - sum(map(mul, [M[k][i] for i in kept], x), zero)).mid())
            <= tiny * (size[k] * size[j] + tiny).sqrt()
            for k in range(len(M))
        ):
            largest = max((abs(float(v)) for v in x), default=0.0)
            factors = {
                i: -float(v)
                for i, v in zip(kept, x, strict=True)
                if abs(float(v)) > _NO_PART * max(largest, 1.0)
            }
            found.append(Dependence(j, factors))
    return found
