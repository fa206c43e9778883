"""Closed forms of the Stribeck curve against mpmath's W in 40 digits, brentq, and the law."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import brentq

from symdyn._errors import InputError
from symdyn.algebra.dual import Dual, DualAlgebra
from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis.log_lambert import below_and_above, log_principal
from symdyn.analysis.steady_curve import (
    StribeckCurve,
    critical_steepness,
    critical_viscous,
    curve_of,
    shape,
)
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES

P1 = StribeckCurve(1.0, 1.5, 0.01, 2.0, 0.5)
#: alpha -> w-, w+, K_c, critical b, computed elsewhere with 50 digits.
TABLE = {
    0.5: (0.0, 0.081846926104750862, math.inf, math.inf),
    0.8: (0.0, 0.057159161474883022, math.inf, math.inf),
    1.0: (0.0, 0.046051701859880914, 1.0, 50.0),
    1.5: (4.4444470781924219e-7, 0.031474594021929475, 0.496815062611573, 37.261129695868),
    2.0: (5.0001250078131381e-5, 0.024922921575932727, 0.428881942480353, 42.8881942480353),
    3.0: (5.7740584346418463e-4, 0.019130374853067171, 0.391810592351538, 58.7715888527307),
    4.0: (1.3573623877902491e-3, 0.016550373536825618, 0.380693170780975, 76.1386341561951),
}


def mp_interval(curve: StribeckCurve) -> tuple[Any, Any]:
    """Falling interval for Fs > Fc, b > 0, alpha != 1, by mpmath's W in enough digits."""
    with mpmath.workdps(40):
        alpha = mpmath.mpf(curve.alpha)
        drop = mpmath.mpf(curve.Fs) - mpmath.mpf(curve.Fc)
        K = mpmath.mpf(curve.b) * mpmath.mpf(curve.vs) / (alpha * drop)
        c = (alpha - 1) / alpha
        x = -(K ** (1 / c)) / c

        def speed(branch: int) -> Any:
            y = -c * mpmath.lambertw(x, branch)
            return mpmath.mpf(curve.vs) * mpmath.re(y) ** (1 / alpha)

        return (mpmath.mpf(0) if alpha < 1 else speed(0)), speed(0 if alpha < 1 else -1)


@pytest.mark.parametrize("alpha", list(TABLE))
def test_the_interval_of_negative_slope_for_any_exponent(alpha: float) -> None:
    low, high, K, b = TABLE[alpha]
    curve = StribeckCurve(1.0, 1.5, 0.01, alpha, 0.5)
    ((lower, upper),) = shape(curve).falling
    assert lower == pytest.approx(low, rel=1e-12)
    assert upper == pytest.approx(high, rel=1e-14)
    assert critical_steepness(alpha) == pytest.approx(K, rel=1e-14)
    assert critical_viscous(curve) == pytest.approx(b, rel=1e-13)


def test_the_example_of_the_chapter() -> None:
    """Minimum 1.01346455346 at 0.0249229215759 rad/s, 0.48653544654 below Fs; kappa = 0.005."""
    found = shape(P1)
    (at_maximum, maximum), (at_minimum, minimum) = found.stationary
    assert P1.steepness == pytest.approx(0.005, rel=1e-15)
    assert critical_steepness(2.0) == pytest.approx(1 / math.sqrt(2 * math.e), rel=1e-15)
    assert at_maximum == pytest.approx(5.0001250078131381e-5, rel=1e-13)
    assert at_minimum == pytest.approx(0.024922921575932727, rel=1e-14)
    assert minimum == pytest.approx(1.0134645534600607, rel=1e-14)
    assert maximum == pytest.approx(1.5000125001562565, rel=1e-14)
    assert P1.Fs - minimum == pytest.approx(0.48653544653993930, rel=1e-14)
    v, slope = found.steepest
    assert v == pytest.approx(0.01 / math.sqrt(2), rel=1e-15)
    assert slope == pytest.approx(-42.388194248035340, rel=1e-14)


@given(
    alpha=st.floats(0.2, 8).filter(lambda a: abs(a - 1) > 1e-3),
    steepness=st.floats(1e-6, 0.99),
    drop=st.floats(1e-3, 10),
)
def test_closed_forms_equal_lambert_in_forty_digits(
    alpha: float, steepness: float, drop: float
) -> None:
    """K up to 99 % of the critical one; at it the two ends meet and their digits halve."""
    K = steepness * (critical_steepness(alpha) if alpha > 1 else 1.0)
    curve = StribeckCurve(1.0, 1.0 + drop, 0.02, alpha, K * alpha * drop / 0.02)
    assume(curve.drop > 0)
    ((lower, upper),) = shape(curve).falling
    low, high = mp_interval(curve)
    assert upper == pytest.approx(float(high), rel=1e-11)
    assert lower == pytest.approx(float(low), rel=1e-11, abs=1e-300)


@given(alpha=st.floats(1.001, 6), fraction=st.floats(0.02, 0.98))
def test_closed_forms_equal_brentq(alpha: float, fraction: float) -> None:
    curve = StribeckCurve(0.7, 1.1, 0.05, alpha)
    b = fraction * critical_viscous(curve)
    curve = StribeckCurve(0.7, 1.1, 0.05, alpha, b)
    found = shape(curve)
    at, _ = found.steepest
    ((lower, upper),) = found.falling
    assert upper == pytest.approx(brentq(curve.slope, at, 1.0, xtol=1e-15, rtol=1e-14), rel=1e-9)
    if curve.slope(at * 1e-12) > 0:
        assert lower == pytest.approx(
            brentq(curve.slope, at * 1e-12, at, xtol=1e-18, rtol=1e-14), rel=1e-9
        )
    assert curve.slope(math.sqrt(lower * upper) if lower else upper / 2) < 0
    assert curve.slope(1.001 * upper) > 0


@pytest.mark.parametrize("alpha", [1 + 1e-3, 1 + 1e-6, 1 + 1e-12])
def test_nothing_underflows_near_alpha_one(alpha: float) -> None:
    """K^{1/c} = K^1001 and beyond is no double; the interval tends to that of alpha = 1."""
    ((lower, upper),) = shape(StribeckCurve(1.0, 1.5, 0.01, alpha, 0.5)).falling
    assert lower == 0.0 or lower < 1e-200
    assert upper == pytest.approx(0.046051701859880914, rel=2 * (alpha - 1))


def test_the_critical_coefficient_is_strict() -> None:
    """At K = K_c the slope has a double root and is nowhere negative."""
    b = critical_viscous(StribeckCurve(1.0, 1.5, 0.01, 2.0))
    assert shape(StribeckCurve(1.0, 1.5, 0.01, 2.0, b * (1 + 1e-12))).falling == ()
    ((lower, upper),) = shape(StribeckCurve(1.0, 1.5, 0.01, 2.0, b * (1 - 1e-10))).falling
    assert lower < 0.01 / math.sqrt(2) < upper
    assert upper - lower < 1e-6
    assert shape(StribeckCurve(1.0, 1.5, 0.01, 1.0, 50.0)).falling == ()


@pytest.mark.parametrize(
    ("curve", "falling"),
    [
        (StribeckCurve(1, 1.5, 0.01, 2, 0), ((0, math.inf),)),
        (StribeckCurve(1, 1.5, 0.01, 2, -0.1), ((0, math.inf),)),
        (StribeckCurve(1, 1, 0.01, 2, 0.5), ()),
        (StribeckCurve(1, 1, 0.01, 2, 0), ()),
        (StribeckCurve(1, 1, 0.01, 2, -1), ((0, math.inf),)),
        (StribeckCurve(1.5, 1, 0.01, 2, 0.5), ()),
        (StribeckCurve(1.5, 1, 0.01, 2, 0), ()),
        (StribeckCurve(1.5, 1, 0.01, 2, -100), ((0, math.inf),)),
    ],
)
def test_the_cases_without_a_bounded_interval(
    curve: StribeckCurve, falling: tuple[tuple[float, float], ...]
) -> None:
    assert shape(curve).falling == falling
    assert shape(curve).stationary == ()


def test_a_rising_level_with_negative_viscosity_falls_twice() -> None:
    curve = StribeckCurve(1.5, 1.0, 0.01, 2.0, -0.5)
    (first, second) = shape(curve).falling
    assert first == (0.0, pytest.approx(5.0001250078131381e-5, rel=1e-12))
    assert second == (pytest.approx(0.024922921575932727, rel=1e-14), math.inf)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0, 3.0])
@given(v=st.floats(-2, 2))
def test_curve_and_slope_are_those_of_the_law(alpha: float, v: float) -> None:
    law, p = LAWS["stribeck"], {**EXAMPLES["stribeck"], "alpha": alpha}
    curve = curve_of(law, p)
    A = DualAlgebra(FLOAT64)
    numbers = {key: A.constant(value) for key, value in p.items()}
    found = law.force(A, Dual(v, 1.0), [], {}, numbers)
    assert curve.force(v) == pytest.approx(found.value, rel=1e-13)
    if math.isinf(found.rate):
        assert curve.slope(v) == found.rate
    else:
        # beside rest for alpha < 1 the slope is huge and so is its condition
        assert curve.slope(v) == pytest.approx(found.rate, rel=1e-9)


def test_laws_with_levels_have_a_curve_and_others_say_so() -> None:
    for name in ("stribeck", "stribeck-set", "lugre", "elasto-plastic", "gms"):
        assert curve_of(LAWS[name], EXAMPLES[name]) == P1
    with pytest.raises(InputError, match="the law has no Stribeck curve"):
        curve_of(LAWS["coulomb"], EXAMPLES["coulomb"])
    with pytest.raises(InputError, match="no Stribeck curve has these parameters"):
        StribeckCurve(1.0, 1.5, 0.0)


@given(excess=st.floats(0, 1e6))
def test_the_two_solutions_of_the_logarithmic_equation(excess: float) -> None:
    log_u, v = below_and_above(excess)
    with mpmath.workdps(40):
        L = 1 + mpmath.mpf(excess)
        for u in (mpmath.exp(mpmath.mpf(log_u)), mpmath.mpf(v)):
            residue = u - mpmath.log(u) - L
            assert abs(float(residue)) <= 4e-16 * (1 + float(L))
    assert log_u <= 0 <= v - 1


@given(level=st.floats(-1e4, 1e6))
def test_the_principal_solution(level: float) -> None:
    s = log_principal(level)
    with mpmath.workdps(40):
        residue = mpmath.exp(mpmath.mpf(s)) + mpmath.mpf(s) - mpmath.mpf(level)
        # the logarithm is right to a unit in its last place
        assert abs(float(residue)) <= 4e-16 * (1 + abs(level)) * (1 + abs(s))
