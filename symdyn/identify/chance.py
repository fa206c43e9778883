"""Quantiles of the distributions that intervals and tests need, and the test for patterns."""

from __future__ import annotations

# SciPy ships no types for these functions
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from fractions import Fraction
from math import comb, inf

import numpy as np

from symdyn.algebra.float64 import Array

#: Beyond so many residuals they are thinned: exact chances of thousands take long and say no more.
_MOST_SIGNS = 400


def t_quantile(confidence: float, degrees: int) -> float:
    """Half-width of a two-sided interval in standard deviations.

    Parameters
    ----------
    confidence : of the interval, in (0, 1)
    degrees : of freedom of the estimated noise; 0 for a known noise (normal distribution)

    >>> round(t_quantile(0.95, 0), 3), round(t_quantile(0.95, 10), 3)
    (1.96, 2.228)
    """
    from scipy.special import ndtri, stdtrit

    upper = 0.5 * (1 + confidence)
    return float(ndtri(upper)) if degrees == 0 else float(stdtrit(degrees, upper))


def f_quantile(confidence: float, numerator: int, degrees: int) -> float:
    """Quantile of the ratio of two mean squares; ``degrees`` 0 for a known noise."""
    from scipy.special import chdtri, fdtri

    if numerator == 0:
        return inf
    if degrees == 0:
        return float(chdtri(numerator, 1 - confidence)) / numerator
    return float(fdtri(numerator, degrees, confidence))


def is_patterned(residuals: Array, chance: float = 1e-3) -> bool:
    """Whether residuals in order keep one sign for longer than happens with that chance.

    Parameters
    ----------
    residuals : (m,) in the order of time or of speed
    chance : below which it is no accident
    """
    signs = np.sign(residuals)
    signs = signs[:: 1 + (signs.size - 1) // _MOST_SIGNS]
    plus, minus = int(np.sum(signs > 0)), int(np.sum(signs < 0))
    return few_runs(plus, minus, 1 + int(np.sum(signs[1:] != signs[:-1]))) < chance


def few_runs(plus: int, minus: int, runs: int) -> float:
    """Chance of so few runs of one sign among so many of either (Wald and Wolfowitz 1940)."""
    if not plus or not minus:
        return 1.0
    ways = 0
    for r in range(2, runs + 1):
        k = r // 2
        if r % 2:
            ways += comb(plus - 1, k) * comb(minus - 1, k - 1)
            ways += comb(plus - 1, k - 1) * comb(minus - 1, k)
        else:
            ways += 2 * comb(plus - 1, k - 1) * comb(minus - 1, k - 1)
    return float(Fraction(ways, comb(plus + minus, plus)))
