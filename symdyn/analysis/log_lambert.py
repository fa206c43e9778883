"""Two equations that Lambert's W solves, in logarithms, so that nothing over- or underflows.

W(x) solves W e^W = x. With x = -exp(-L) and u = -W it reads u - log u = L, which has the solutions
u = -W_0 <= 1 and u = -W_{-1} >= 1 for L >= 1; with x = exp(L) it reads u + log u = L, solved by
u = W_0. The argument of W leaves the range of a double where L is of order 1000, the solutions do
not. Source: Corless, Gonnet, Hare, Jeffrey, Knuth 1996, On the Lambert W function, section 4.
"""

from __future__ import annotations

import math

#: Newton's method doubles the right digits; from the starts below it needs at most eight rounds.
_ROUNDS = 60


def below_and_above(excess: float) -> tuple[float, float]:
    """log u and u of the two solutions of u - log u = 1 + excess.

    Parameters
    ----------
    excess : L - 1 >= 0, given as such because the two solutions meet at 0

    Returns
    -------
    (log u_below, u_above) : u_below <= 1 by its logarithm, since it may underflow; u_above >= 1
    """
    if excess == 0:
        return 0.0, 1.0
    return -_below(excess), _above(excess)


def _below(excess: float) -> float:
    """s >= 0 with exp(-s) + s = 1 + excess, that is expm1(-s) + s = excess; u = exp(-s)."""
    s = math.sqrt(2 * excess) if excess < 1 else 1 + excess
    for _ in range(_ROUNDS):
        step = (math.expm1(-s) + s - excess) / -math.expm1(-s)
        s -= step
        if abs(step) <= 1e-16 * s:
            break
    return s


def _above(excess: float) -> float:
    """u = 1 + t with t - log1p(t) = excess."""
    t = math.sqrt(2 * excess) + excess if excess < 1 else excess + math.log(2 + 2 * excess)
    for _ in range(_ROUNDS):
        step = (t - math.log1p(t) - excess) * (1 + t) / t
        t -= step
        if abs(step) <= 1e-16 * t:
            break
    return 1 + t


def log_principal(level: float) -> float:
    """log u for the solution u > 0 of u + log u = level."""
    if level < -40:
        return level  # u is below a unit in the last place of the level
    s = level - math.log1p(math.exp(level)) if level < 1 else math.log(level)
    for _ in range(_ROUNDS):
        u = math.exp(s)
        step = (u + s - level) / (1 + u)
        s -= step
        if abs(step) <= 1e-16 * max(1.0, abs(s)):
            break
    return s
