"""Strict positive reality: exact at equality, known functions, grids of frequencies, SymPy."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from symdyn._errors import InputError
from symdyn.analysis.observer_servo import compensated_loop
from symdyn.analysis.positive_real import Reality, positive_reality
from symdyn.friction.example import EXAMPLES

P2 = EXAMPLES["lugre"]
STRICT, PR, NOT, UNSTABLE = Reality


@pytest.mark.parametrize(
    ("numerator", "denominator", "expected"),
    [
        ([1], [1, 1], STRICT),  # 1/(s + 1)
        ([1], [0, 1], UNSTABLE),  # 1/s is positive real, with its pole on the axis
        ([0, 1], [1, 1], PR),  # s/(s + 1) vanishes at w = 0
        ([1], [1, 1, 1], NOT),  # relative degree 2
        ([1, 1], [1, 1], STRICT),  # 1 after cancelling
        ([1, 1], [2, 3, 1], STRICT),  # (s + 1)/((s + 1)(s + 2))
        ([3, 1], [2, 3, 1], PR),  # w^2 Re G tends to 0: sum of poles equals the zero
        ([2, 1], [2, 3, 1], STRICT),
        ([4, 1], [2, 3, 1], NOT),
        ([1, 0, 1], [1, 2, 1], PR),  # Re G = (1 - w^2)^2/...: a double zero
        ([-1], [1, 1], NOT),
        ([1], [-1, 1], UNSTABLE),
        ([1, 1, 1], [1, 1, 1, 1, 1], UNSTABLE),
        ([5], [1], STRICT),
    ],
)
def test_known_functions(numerator: list[int], denominator: list[int], expected: Reality) -> None:
    assert positive_reality(numerator, denominator).reality is expected


def test_the_servo_of_the_example() -> None:
    """SPR iff Kv > sigma0 J/sigma1 = 100.502513 N m s/rad."""
    assert compensated_loop(P2, 1.0, 3.0, 150.0).is_strict
    assert not compensated_loop(P2, 1.0, 3.0, 6.0).is_strict
    assert compensated_loop(P2, 1.0, 3.0, 6.0).least_damping == pytest.approx(100.502513, abs=1e-6)


def test_equality_is_positive_real_but_not_strictly() -> None:
    """sigma1 Kv = sigma0 J, which a grid of frequencies would pass."""
    p = {**P2, "sigma1": 100.0}
    at = compensated_loop(p, 1.0, 3.0, 100.0)
    assert at.report.reality is PR
    assert not at.is_strict
    assert "tends to 0 at infinity" in at.report.reason
    for frequency in np.geomspace(1e-6, 1e4, 500):
        s = 1j * frequency
        G = (100.0 * s + 1e4) / (s * s + 100.0 * s + 3.0)
        assert G.real > 0
    assert compensated_loop(p, 1.0, 3.0, math.nextafter(100.0, 200)).is_strict
    assert compensated_loop(p, 1.0, 3.0, math.nextafter(100.0, 0)).report.reality is NOT


def test_the_other_ends_of_the_gains() -> None:
    assert compensated_loop(P2, 1.0, 0.0, 150.0).report.reality is UNSTABLE  # Kp > 0 is needed
    assert compensated_loop(P2, 1.0, 3.0, 0.0).report.reality is UNSTABLE
    without = compensated_loop({**P2, "sigma1": 0.0}, 1.0, 3.0, 1e6)
    assert without.report.reality is NOT
    assert without.least_damping == math.inf
    integral = compensated_loop(P2, 1.0, 3.0, 150.0, 4.0)
    assert integral.report.reality is PR
    assert not integral.is_strict
    assert compensated_loop(P2, 1.0, 3.0, 150.0, 1e6).report.reality is UNSTABLE


def test_a_zero_that_meets_a_pole_is_reported() -> None:
    """Kp = sigma0 (sigma1 Kv - sigma0 J)/sigma1^2."""
    p = {**P2, "sigma0": 8.0, "sigma1": 4.0}
    found = compensated_loop(p, 1.0, 8.0 * (4.0 * 3.0 - 8.0) / 16.0, 3.0)
    assert found.cancels
    assert found.is_strict
    assert not compensated_loop(p, 1.0, 2.5, 3.0).cancels


def test_the_numerator_of_the_real_part() -> None:
    """Re G = [sigma0 Kp + (sigma1 Kv - sigma0 J) w^2]/|d(jw)|^2."""
    w, s0, s1, J, Kp, Kv = sympy.symbols("w s0 s1 J Kp Kv", positive=True)
    s = sympy.I * w
    denominator = J * s**2 + Kv * s + Kp
    product = sympy.expand((s1 * s + s0) * sympy.conjugate(denominator))
    assert sympy.expand(sympy.re(product) - (s0 * Kp + (s1 * Kv - s0 * J) * w**2)) == 0


whole = st.integers(-6, 6)


@given(
    numerator=st.lists(whole, min_size=1, max_size=4),
    roots=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), min_size=1, max_size=2),
)
def test_verdicts_agree_with_a_grid_of_frequencies(
    numerator: list[int], roots: list[tuple[int, int]]
) -> None:
    """Denominators from their roots; the sign of Re G on a grid, its zeros by SymPy."""
    s = sympy.Symbol("s")
    product = sympy.Integer(1)
    for a, b in roots:
        product *= s + a if b == 0 else (s + a) ** 2 + b**2
    denominator = [int(c) for c in reversed(sympy.Poly(product, s).all_coeffs())]
    assume(any(numerator))
    while numerator[-1] == 0:
        numerator = numerator[:-1]
    assume(len(numerator) <= len(denominator))
    found = positive_reality(numerator, denominator)
    reduced = sympy.fraction(
        sympy.cancel(sum(c * s**k for k, c in enumerate(numerator)) / sympy.expand(product))
    )
    poles = sympy.Poly(reduced[1], s).nroots() if reduced[1].has(s) else []
    assert (found.reality is UNSTABLE) == any(sympy.re(pole) > -1e-9 for pole in poles)
    if found.reality is UNSTABLE:
        return
    w = np.concatenate([[0.0], np.geomspace(1e-3, 1e4, 800)])
    n = np.polyval(numerator[::-1], 1j * w)
    d = np.polyval(denominator[::-1], 1j * w)
    with np.errstate(all="ignore"):
        real = (n / d).real
    real = real[np.isfinite(real)]
    if found.reality is NOT:
        assert real.min() < 1e-6
    else:
        assert real.min() > -1e-9
    if found.reality is STRICT:
        assert real.min() > 0


def test_routh_with_exact_numbers() -> None:
    """(s + 1)^2 (s + 2) (s^2 + s + 1), and with a pair of roots moved onto the axis."""
    s = sympy.Symbol("s")
    stable = sympy.Poly((s + 1) ** 2 * (s + 2) * (s**2 + s + 1), s)
    on_axis = sympy.Poly((s + 1) ** 2 * (s + 2) * (s**2 + 1), s)
    for polynomial, is_stable in ((stable, True), (on_axis, False)):
        coefficients = [Fraction(int(c)) for c in reversed(polynomial.all_coeffs())]
        found = positive_reality([1], coefficients)
        assert (found.reality is not UNSTABLE) is is_stable


def test_faulty_input_is_refused() -> None:
    for numerator, denominator, message in (
        ([0, 0], [1, 1], "the numerator is zero"),
        ([1], [], "the denominator is zero"),
        ([1, 2, 3], [1, 1], "not proper"),
        ([math.nan], [1, 1], "not finite"),
        ([1], [1, math.inf], "not finite"),
    ):
        with pytest.raises(InputError, match=message):
            positive_reality(numerator, denominator)
    with pytest.raises(InputError, match="Kv is outside its domain"):
        compensated_loop(P2, 1.0, 3.0, -1.0)
    with pytest.raises(InputError, match="the inertia is outside its domain"):
        compensated_loop(P2, 0.0, 3.0, 1.0)
