"""Equilibria under a constant torque: known cases, mpmath's root finder, and their stability."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis.equilibria import Equilibrium, Stability, equilibria, law_equilibria
from symdyn.analysis.steady_curve import StribeckCurve, shape
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES

PA = StribeckCurve(0.2, 0.3, 0.05, 1.0, 0.01)


def decimals(low: float, high: float) -> st.SearchStrategy[float]:
    """Numbers of an ordinary size, and 0."""
    return st.floats(low, high).map(lambda x: round(x, 9))


def speeds(found: tuple[Equilibrium, ...]) -> list[tuple[float, str]]:
    return [(e.lower, e.stability.value) for e in found]


def test_three_equilibria_at_a_quarter_of_a_newton_metre() -> None:
    """Rest, 0.0350086772 rad/s unstable, 5 rad/s stable; and mirrored."""
    rest, slow, fast = equilibria(PA, 0.25)
    assert rest == Equilibrium(0.0, 0.0, Stability.STABLE)
    assert rest.is_rest
    assert slow.lower == slow.upper == pytest.approx(0.035008677158186548, rel=1e-14)
    assert slow.stability is Stability.UNSTABLE
    assert fast.lower == fast.upper == pytest.approx(5.0, rel=1e-14)
    assert fast.stability is Stability.STABLE
    mirrored = equilibria(PA, -0.25)
    assert [e.lower for e in mirrored] == [-fast.lower, -slow.lower, 0.0]


@pytest.mark.parametrize("torque", [0.21, 0.2291, 0.25, 0.2999])
def test_running_equilibria_equal_mpmath(torque: float) -> None:
    with mpmath.workdps(40):
        Fc, Fs, vs, b, tau = (mpmath.mpf(x) for x in (0.2, 0.3, 0.05, 0.01, torque))

        def excess(v: object) -> object:
            return Fc + (Fs - Fc) * mpmath.exp(-v / vs) + b * v - tau

        ((low, _),) = shape(PA).stationary
        if PA.force(low) >= torque:
            assert [e.is_rest for e in equilibria(PA, torque)] == [True]
            return
        slow = mpmath.findroot(excess, (1e-12, low), solver="anderson")
        fast = mpmath.findroot(excess, (low, 100), solver="anderson")
    _, first, second = equilibria(PA, torque)
    assert first.lower == pytest.approx(float(slow), rel=1e-13)
    assert second.lower == pytest.approx(float(fast), rel=1e-13)


def test_without_viscous_friction_nothing_is_divided() -> None:
    coulomb = StribeckCurve(1.0, 1.0, 1.0)
    assert equilibria(coulomb, 0.5) == (Equilibrium(0.0, 0.0, Stability.STABLE),)
    assert equilibria(coulomb, 1.5) == ()
    assert equilibria(coulomb, 1.0) == (
        Equilibrium(0.0, 0.0, Stability.MARGINAL),
        Equilibrium(0.0, math.inf, Stability.MARGINAL),
    )
    assert equilibria(coulomb, -1.0) == (
        Equilibrium(-math.inf, 0.0, Stability.MARGINAL),
        Equilibrium(0.0, 0.0, Stability.MARGINAL),
    )
    stribeck = StribeckCurve(1.0, 1.5, 0.01, 2.0)
    rest, running = equilibria(stribeck, 1.2)
    assert rest.is_rest
    assert running.lower == pytest.approx(0.01 * math.sqrt(math.log(0.5 / 0.2)), rel=1e-13)
    assert running.stability is Stability.UNSTABLE
    assert equilibria(stribeck, 1.6) == ()


def test_rest_at_the_edge_of_break_away_is_marginal() -> None:
    curve = StribeckCurve(1.0, 1.5, 0.01, 2.0, 0.5)
    assert Equilibrium(0.0, 0.0, Stability.MARGINAL) in equilibria(curve, 1.5)
    assert not any(e.is_rest for e in equilibria(curve, math.nextafter(1.5, 2)))


def test_friction_that_drives_runs_by_itself() -> None:
    """Not passive: without torque the joint may rest, or run at the end of the driving range."""
    curve = StribeckCurve(-0.1, 1.0, 0.01, 2.0, 2.0)
    found = speeds(equilibria(curve, 0.0))
    assert [kind for _, kind in found] == ["stable", "unstable", "stable", "unstable", "stable"]
    assert found[0][0] == -found[4][0]
    for v, _ in found:
        assert abs(curve.force(v)) < 1e-15


@given(alpha=st.floats(0.3, 5), b=decimals(0, 2), torque=decimals(-4, 4), Fs=st.floats(0.1, 3))
def test_every_running_equilibrium_balances_and_none_is_missed(
    alpha: float, b: float, torque: float, Fs: float
) -> None:
    curve = StribeckCurve(1.0, Fs, 0.02, alpha, b)
    found = equilibria(curve, torque)
    for e in found:
        if e.is_rest:
            assert abs(torque) <= Fs
            continue
        if e.lower == e.upper:
            slack = 4e-16 * (4 + abs(curve.slope(e.lower) * e.lower))
            assert abs(curve.force(e.lower) - torque) <= slack
            slope = curve.slope(e.lower)
            if e.stability is not Stability.MARGINAL and abs(slope) > 1e-6:
                assert (slope > 0) == (e.stability is Stability.STABLE)
    # a scan over speeds sees no more changes of sign than there are single equilibria
    grid = [s * 10 ** (k / 40 - 6) for k in range(400) for s in (1, -1)]
    for side in (1, -1):
        values = [curve.force(v) - torque for v in sorted(v for v in grid if v * side > 0)]
        changes = sum((x > 0) != (y > 0) for x, y in pairwise(values))
        assert changes <= sum(e.lower * side > 0 for e in found)


def test_an_infinite_torque_is_refused() -> None:
    with pytest.raises(InputError, match="the torque is not finite"):
        equilibria(PA, math.inf)


# -- any law --------------------------------------------------------------------------------------

LESSON = {"Fc": 0.2, "Fs": 0.3, "vs": 0.05, "alpha": 1.0, "b": 0.01}
S, U, M = Stability.STABLE, Stability.UNSTABLE, Stability.MARGINAL
INF = math.inf


@pytest.mark.parametrize(
    ("name", "change", "torque", "expected"),
    [
        # the law with sgn holds nothing at rest; the set-valued one does; the smooth one creeps
        ("stribeck", LESSON, 0.25, [(0.03500867715818655, U), (5.0, S)]),
        ("stribeck-set", LESSON, 0.25, [(0.0, S), (0.03500867715818655, U), (5.0, S)]),
        (
            "stribeck-smooth", {**LESSON, "eps": 1e-3}, 0.25,
            [(0.0012213422932728763, S), (0.03500867715818656, U), (5.0, S)],
        ),
        ("stribeck", {}, 0.0, [(0.0, S)]),
        (
            "stribeck", {"Fs": -0.1}, 0.0,
            [(-0.00306235486883591, S), (0.0, U), (0.00306235486883591, S)],
        ),
        # b = 0: rest, every speed, none
        ("coulomb-set", {"b": 0.0}, -0.5, [(0.0, S)]),
        ("coulomb-set", {"b": 0.0}, 1.0, [(0.0, M), (0.0, INF, M)]),
        ("coulomb-set", {"b": 0.0}, 1.2, []),
        ("coulomb-smooth", {"b": 0.0}, 0.5, [(1e-3 * math.atanh(0.5), S)]),
        ("coulomb-smooth", {"b": 0.0}, -0.5, [(-1e-3 * math.atanh(0.5), S)]),
        ("coulomb-smooth", {"b": 0.0}, 1.2, []),
        ("stribeck-set", {"b": 0.0}, 1.2, [(0.0, S), (0.01 * math.sqrt(math.log(2.5)), U)]),
        ("dahl", {}, 0.5, [(0.0, S)]),
        ("viscous", {}, 1.0, [(2.0, S)]),
        ("viscous", {"b": 0.0}, 0.0, [(-INF, 0.0, M), (0.0, M), (0.0, INF, M)]),
        ("viscous-cubic", {"b3": 0.5}, 1.0, [(1.0, S)]),
        ("asymmetric", {}, 1.5, [(0.8, S)]),
        ("asymmetric", {}, -1.5, [(-1.0, S)]),
        ("asymmetric", {}, 0.5, [(0.0, S)]),
        ("karnopp", {}, 1.3, [(0.0, S), (0.6, S)]),
        ("table", {}, 1.1, [(0.0, S), (0.03 - 0.02 * 8 / 18, U), (0.03 + 0.97 * 8 / 48, S)]),
        ("table", {"t3": 1.2}, 1.2, [(0.0, S), (0.01, 0.03, M)]),
        ("maxwell-slip", {}, 1.5, [(1.0, S)]),
        ("lugre", {}, 1.2, [(0.0, S), (0.009699684512787564, U), (0.4, S)]),
    ],
)  # fmt: skip
def test_equilibria_of_any_law(
    name: str, change: dict[str, float], torque: float, expected: list[tuple[Any, ...]]
) -> None:
    found = law_equilibria(LAWS[name], {**EXAMPLES[name], **change}, torque)
    wanted = [e if len(e) == 3 else (e[0], *e) for e in expected]
    assert [(e.lower, e.upper, e.stability) for e in found] == [
        (pytest.approx(low, rel=1e-11), pytest.approx(high, rel=1e-11), s)
        for low, high, s in wanted
    ]


@pytest.mark.parametrize("name", list(LAWS))
@pytest.mark.parametrize("torque", [-1.7, 0.3, 1.2])
def test_none_is_missed_by_any_law(name: str, torque: float) -> None:
    """Sign changes of F - torque on a grid of both directions, one equilibrium each."""
    law, p = LAWS[name], EXAMPLES[name]
    u = {q.name: 0.0 for q in law.signals}
    found = law_equilibria(law, p, torque)
    for sign in (1, -1):
        grid = [sign * 10 ** (k / 60 - 8) for k in range(720)]
        over = [law.steady(FLOAT64, v, [], u, p) > torque for v in grid]
        crossings = sum(a != b for a, b in pairwise(over))
        assert sum(e.lower * sign > 0 for e in found) == crossings
    for e in found:
        if not e.is_rest:
            assert law.steady(FLOAT64, e.lower, [], u, p) == pytest.approx(torque, rel=1e-10)
