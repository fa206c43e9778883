"""Integrals of one coordinate: formulas against quadrature; what has no end is refused at once."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from scipy.integrate import quad

from symdyn._errors import InputError, UnsupportedError
from symdyn.mass import solids, thin
from symdyn.mass.antiderivative import along
from symdyn.mass.body import distribution, part
from symdyn.mass.coordinates import AXIAL_RADIUS, RADIUS, X
from symdyn.mass.integrate import integral
from symdyn.mass.mass_moments import moments
from symdyn.mass.sampling import values_at
from symdyn.mass.shape import Range

x, y, z = X
r = sympy.Rational
u = sympy.Symbol("u", real=True)

INTEGRANDS = {
    "root of a square": u**4 * sympy.sqrt(2 - u**2),
    "odd beside a root": (u**3 - u) * sympy.sqrt(2 - u**2) ** 3,
    "one by a root": (1 + u**2) / sympy.sqrt(2 - u**2),
    "root that grows": u**4 * sympy.sqrt(2 + 3 * u**2),
    "one by a root that grows": u**2 / sympy.sqrt(2 + 3 * u**2),
    "root of a line": (u**4 - u) * sympy.sqrt(2 + u),
    "cube root of a line": u**2 * sympy.cbrt(3 - 2 * u) ** 2,
    "one by a root of a line": u**4 / sympy.sqrt(1 + r(1, 2) * u),
    "sine beside what its cosine is in": sympy.sin(u) ** 3 * sympy.exp(2 * sympy.cos(u)),
    "cosine beside what its sine is in": sympy.cos(u) * sympy.exp(sympy.sin(u)),
    "kinks": u**2 * sympy.Abs(u - r(1, 3)) + sympy.Max(u, r(1, 7)),
    "exponential of a kink": sympy.exp(-sympy.Abs(u)),
    "bell curve": (u**4 - u) * sympy.exp(-2 * u**2),
    "bell curve aside": u**3 * sympy.exp(1 + u - 7 * u**2),
    "quotient": u**4 / (1 + u**2),
}


@pytest.mark.parametrize("name", INTEGRANDS)
def test_against_quadrature(name: str) -> None:
    field = INTEGRANDS[name]
    low, high = r(-9, 10), r(4, 5)
    found = along(field, Range(u, low, high)) if not field.is_Add else sympy.Add(
        *(along(term, Range(u, low, high)) for term in field.args)
    )  # fmt: skip

    def value(at: float) -> float:
        return float(values_at([field], {u: np.array([at])})[0, 0])

    wanted, _ = quad(value, float(low), float(high), points=[0, 1 / 7, 1 / 3], epsabs=1e-13)
    assert np.isclose(float(found), wanted, rtol=1e-11, atol=1e-12)


SLOW = {
    "bessel": (thin.cylinder_shell(1, 1), sympy.exp(x)),
    "nested": (solids.box(1, 1, 1), sympy.exp(sympy.cos(x))),
    "product": (solids.box(1, 1, 1), sympy.exp(x) / (2 + x)),
    "tangent": (solids.box(1, 1, 1), 2 + sympy.tan(x)),
    "wave of a square": (solids.box(1, 1, 1), 2 + sympy.sin(x**2)),
}


@pytest.mark.parametrize("name", SLOW)
def test_what_would_not_end_is_one_error_with_density_and_shape(name: str) -> None:
    domain, density = SLOW[name]
    body = distribution(part(domain, density=density, name="slab"))
    with pytest.raises(UnsupportedError) as error:
        moments(body)
    assert str(error.value).startswith(f"slab: density {density}: {domain.name}")
    assert "closed form" in str(error.value)


def test_moments_that_vanish_by_a_whole_turn_need_no_closed_form() -> None:
    """x z exp(z) on a sphere has none over the polar angle, but is odd in x."""
    shell = thin.sphere_shell(1)
    assert integral(shell, x * z * sympy.exp(z)) == 0
    assert integral(shell, sympy.exp(z)).equals(2 * sympy.pi * (sympy.E - 1 / sympy.E))


def test_roots_of_the_rim_are_integrated() -> None:
    assert integral(solids.ball(1), sympy.sqrt(1 - RADIUS**2)) == sympy.pi**2 / 4
    assert integral(thin.disk(1), sympy.sqrt(1 - AXIAL_RADIUS**2)) == 2 * sympy.pi / 3


def test_an_integral_that_is_complex_is_refused() -> None:
    with pytest.raises(InputError, match="no real number"):
        integral(solids.box(2, 2, 2), x ** r(-1, 3))
