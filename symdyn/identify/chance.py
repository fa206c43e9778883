"""Quantiles of the distributions that intervals and tests need."""

from __future__ import annotations

# SciPy ships no types for these functions
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
from math import inf


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
