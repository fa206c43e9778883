"""Zero or not, also where that shows only far away or hardly at all."""

from __future__ import annotations

import pytest
import sympy

from symdyn.mass import TIME, Momentum, continuity_of, distribution, moments, particle, source_of
from symdyn.mass.zero import Zero, decide_zero

t = TIME
a = sympy.Symbol("a", positive=True)
x = sympy.Symbol("x", real=True)


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        (sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1, Zero.PROVED),
        (sympy.sin(2 * x) - 2 * sympy.sin(x) * sympy.cos(x), Zero.PROVED),
        (1 - sympy.tanh(10 * (t - 10)) ** 2, Zero.REFUTED),  # 1e-78 at t = 1
        (sympy.exp(-4 * (t - 10) ** 2), Zero.REFUTED),
        (sympy.Max(a - 3, 0), Zero.REFUTED),
        (sympy.Max(-x - 200, 0), Zero.REFUTED),
        (sympy.Abs(a - 4) - 4 + a, Zero.REFUTED),
        (sympy.Abs(x) - sympy.Max(x, -x), Zero.NUMERICALLY),
        (sympy.log(a**2) - 2 * sympy.log(a), Zero.NUMERICALLY),
    ],
)
def test_decisions(value: sympy.Expr, answer: Zero) -> None:
    found = decide_zero(value)
    assert found is answer or (answer is Zero.NUMERICALLY and found.holds)


def test_a_range_counts_where_it_is_known() -> None:
    later = sympy.Max(t - 5, 0)
    assert decide_zero(later, {t: (0, 4)}).holds
    assert not decide_zero(later, {t: (0, 6)}).holds
    assert not decide_zero(later).holds


@pytest.mark.parametrize(
    "mass",
    [
        2 + sympy.tanh(10 * (t - 10)) / 2,
        1 + sympy.exp(-4 * (t - 10) ** 2),
        2 + sympy.Max(t - 15, 0),
    ],
)
def test_mass_that_arrives_late_is_seen(mass: sympy.Expr) -> None:
    found = moments(distribution(particle(mass, (1, 0, 0)), times=(0, 20)))
    assert not continuity_of(found).is_closed
    assert source_of(found, Momentum.CO_MOVING).theta_dot[0] != 0
