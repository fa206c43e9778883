"""Certified extremes of the eigenvalues of f(Phi(t)): they enclose, and are as close as asked."""

from __future__ import annotations

import random
import re
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.expr.verdict import VerdictKind
from symdyn.mass import rod, solids
from symdyn.mass.body import distribution, part, particle
from symdyn.mass.bounds import period, uniform_bounds
from symdyn.mass.coordinates import TIME
from symdyn.mass.mass_moments import moments
from symdyn.mass.pseudo_inertia import pseudo_inertia
from symdyn.spatial.inertia import as_phi
from tests.robots import random_phi

t = TIME
r = sympy.Rational


def _sampled(phi: list[sympy.Expr], times: list[float]) -> tuple[float, float]:
    numeric = sympy.lambdify(t, phi, "math")
    values = [
        np.linalg.eigvalsh(
            np.array(pseudo_inertia(FLOAT64, as_phi([float(e) for e in numeric(s)])))
        )
        for s in times
    ]
    return min(v[0] for v in values), max(v[-1] for v in values)


def test_growing_sphere() -> None:
    # f = diag(m r^2/5, .., m) with m = 3, r = 1 + t/2
    phi = moments(distribution(part(solids.ball(1 + t / 2), mass=3))).phi
    found = uniform_bounds(phi, (0, 2))
    assert found.smallest.lo <= Fraction(3, 5) <= found.smallest.hi
    assert found.largest.lo <= 3 <= found.largest.hi
    assert found.smallest.hi - found.smallest.lo < 1e-5
    assert found.is_uniformly_consistent is True
    assert not found.for_all_times


def test_sphere_that_loses_its_mass() -> None:
    phi = moments(distribution(part(solids.ball(1), density=1 - t), times=(0, 1))).phi
    found = uniform_bounds(phi, (0, 1))
    # the infimum is 0 and attained: intervals enclose it, exact arithmetic finds it
    assert found.smallest.lo <= 0 <= found.smallest.hi < 1e-20
    assert found.is_uniformly_consistent is False
    assert found.consistency.witness is not None
    assert found.consistency.witness["t"] == "1"
    assert uniform_bounds(phi, (0, 2)).is_uniformly_consistent is False
    assert uniform_bounds(phi, (0, r(1, 2))).is_uniformly_consistent is True
    assert uniform_bounds(phi, (0, r(999999, 1000000))).is_uniformly_consistent is True


def ball_of(mass: sympy.Expr) -> list[sympy.Expr]:
    """A unit ball, its inertia 2/5 M."""
    moment = r(2, 5) * mass
    return [mass, *[sympy.S.Zero] * 3, *[moment] * 3, *[sympy.S.Zero] * 3]


@pytest.mark.parametrize(
    ("mass", "times", "near", "text"),
    [
        ((t - r(1, 3)) ** 2, (0, 1), 1 / 3, "1/3"),
        ((t**2 - 2) ** 2, (0, 2), 2**0.5, r"t = 1\.414.*zero x of x\*\*2 - 2"),
        ((t - r(1, 3)) ** 2 / (1 + t), (0, 1), 1 / 3, "1/3"),
        (sympy.pi * (t - r(1, 3)) ** 2, (0, 1), 1 / 3, "1/3"),
        (1 + sympy.cos(2 * t), None, np.pi / 2, "pi/2"),
        (1 + sympy.sin(sympy.pi * t), (1, 3), 3 / 2, r"tan\(g t/2\) = -1, g = pi"),
        (r(5, 3) + sympy.sin(t) + sympy.cos(t) * r(4, 3), None, 0.6435 + np.pi, r"tan\(g t/2\)"),
        ((t - r(1, 4)) ** 2 * sympy.exp(t), (0, 1), 1 / 4, "1/4"),
        ((t - 1) * (2 - t) * sympy.exp(t), (1, r(3, 2)), 1, "1"),
        (2 - t, (0, sympy.sqrt(5)), 2, "2"),
    ],
)
def test_an_infimum_of_zero_is_refuted_with_the_time(
    mass: sympy.Expr, times: tuple[object, object] | None, near: float, text: str
) -> None:
    found = uniform_bounds(ball_of(sympy.sympify(mass)), times)  # type: ignore[arg-type]  # numbers
    assert found.consistency.kind is VerdictKind.REFUTED
    witness = found.consistency.witness
    assert witness is not None
    if found.smallest.hi > 0:
        assert re.match(text, str(witness["t"]))
        assert witness["near"] == pytest.approx(near, abs=1e-4)


def test_a_rod_is_singular_at_all_times() -> None:
    phi = moments(distribution(part(rod((0, 0, 0), (1, 0, 0)), mass=1 + t**2))).phi
    found = uniform_bounds(phi, (0, 1))
    assert found.is_uniformly_consistent is False
    # turned, so that rounding hides the zero
    turned = distribution(part(rod((0, 0, 0), (1, r(1, 3), r(1, 7))), mass=1 + t**2))
    found = uniform_bounds(moments(turned).phi, (0, 1))
    assert found.is_uniformly_consistent is False
    assert "every time" in str(found.consistency.witness)


@pytest.mark.parametrize(
    ("mass", "times"),
    [
        ((t - r(1, 3)) ** 2 + r(1, 10**12), (0, 1)),
        (1 + r(1, 10**9) + sympy.cos(3 * t), None),
        ((t - r(1, 4)) ** 2 * sympy.exp(t) + r(1, 10**10), (0, 1)),
    ],
)
def test_an_infimum_that_is_small_is_proved_positive(
    mass: sympy.Expr, times: tuple[int, int] | None
) -> None:
    found = uniform_bounds(ball_of(mass), times)
    assert found.consistency.kind is VerdictKind.PROVED
    assert 0 < found.smallest.lo <= found.smallest.hi < 1e-8


def test_a_zero_at_no_simple_time_is_left_open() -> None:
    found = uniform_bounds(ball_of((sympy.exp(t) - 2) ** 2), (0, 1))
    assert found.consistency.kind is VerdictKind.UNKNOWN
    assert found.is_uniformly_consistent is None
    assert "near t = 0.693147" in found.consistency.detail


def test_a_period_stands_for_all_times() -> None:
    slug = particle(1, (sympy.cos(2 * t) / 3, sympy.sin(3 * t) / 4, r(1, 5)))
    phi = moments(distribution(part(solids.box(1, r(1, 2), r(1, 3)), mass=2), slug)).phi
    found = uniform_bounds(phi)
    assert found.for_all_times
    assert abs(float(found.times[1]) - 2 * np.pi) < 1e-12
    assert float(found.times[1]) >= 2 * np.pi
    low, high = _sampled(list(phi), [7 * k / 997 for k in range(997)])
    assert float(found.smallest.lo) <= low < float(found.smallest.hi) + 1e-4
    assert float(found.largest.lo) - 1e-4 < high <= float(found.largest.hi)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([sympy.cos(2 * t)], np.pi),
        ([sympy.cos(2 * t), sympy.sin(3 * t)], 2 * np.pi),
        ([sympy.sin(sympy.pi * t / 3) + sympy.cos(sympy.pi * t)], 6),
        ([sympy.Integer(3)], 1),
    ],
)
def test_periods(values: list[sympy.Expr], expected: float) -> None:
    assert float(period(values)) == pytest.approx(expected, rel=1e-14)


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_samples_never_leave_the_enclosure(seed: int) -> None:
    """Paths between random consistent bodies, quadratic in time."""
    rng = random.Random(seed)
    a, b, c = (random_phi(rng) for _ in range(3))
    phi = [
        r(u) * (1 - t) ** 2 + r(v) * 2 * t * (1 - t) + r(w) * t**2
        for u, v, w in zip(a, b, c, strict=True)
    ]
    found = uniform_bounds([sympy.expand(e) for e in phi], (0, 1), tolerance=1e-4)
    low, high = _sampled(phi, [k / 200 for k in range(201)])
    assert float(found.smallest.lo) <= low + 1e-12
    assert low <= float(found.smallest.hi) + 1e-3 * high
    assert high <= float(found.largest.hi) + 1e-12
    assert found.is_uniformly_consistent is not False


def test_the_unit_of_length_changes_the_numbers_not_the_verdict() -> None:
    phi = moments(distribution(part(solids.ball(1 + t), mass=1))).phi
    one, half = uniform_bounds(phi, (0, 1)), uniform_bounds(phi, (0, 1), length=r(1, 2))
    assert float(half.smallest.hi) == pytest.approx(4 * float(one.smallest.hi))
    assert one.is_uniformly_consistent
    assert half.is_uniformly_consistent


def test_refusals() -> None:
    m = sympy.Symbol("m", positive=True)
    constant = [sympy.Integer(k) for k in (1, 0, 0, 0, 1, 1, 1, 0, 0, 0)]
    with pytest.raises(InputError, match="parameters besides t"):
        uniform_bounds([m, *constant[1:]], (0, 1))
    with pytest.raises(InputError, match="does not repeat"):
        uniform_bounds([1 + t**2, *constant[1:]])
    with pytest.raises(InputError, match="common measure"):
        uniform_bounds([3 + sympy.cos(t) + sympy.cos(sympy.sqrt(2) * t), *constant[1:]])
    with pytest.raises(InputError, match="is empty"):
        uniform_bounds(constant, (1, 0))
    with pytest.raises(UnsupportedError, match="no finite enclosure"):
        uniform_bounds([2 + 1 / t, *constant[1:]], (0, 1))
