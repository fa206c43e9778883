"""Closed forms of the monomial moments of simple solids: integral of x^i y^j z^k over the solid.

The integrals reduce to products of powers and Beta functions; with the arguments that occur these
are rationals and pi. The table is one road to every moment; the charts of `symdyn.mass.shape` are
the other, and the tests hold both against each other and against quadrature.

Source: Dirichlet's integral, Whittaker & Watson 1927, section 12.5; Folland 2001, "How to integrate
a polynomial over a sphere".
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import sympy

from symdyn.mass.coordinates import ONE, ZERO, Vector

#: Exponents (i, j, k) to the integral of x^i y^j z^k.
Monomial: TypeAlias = Callable[[int, int, int], sympy.Expr]


def gamma_half(n: int) -> sympy.Expr:
    """Gamma(n/2)."""
    return sympy.gamma(sympy.Rational(n, 2))


def quarter_wave(a: int, b: int) -> sympy.Expr:
    """The integral of sin^a cos^b over [0, pi/2], a Beta function."""
    return gamma_half(a + 1) * gamma_half(b + 1) / gamma_half(a + b + 2) / 2


def full_wave(a: int, b: int) -> sympy.Expr:
    """The integral of sin^a cos^b over a full turn; zero unless both are even."""
    return ZERO if a % 2 or b % 2 else 4 * quarter_wave(a, b)


def symmetric_power(length: sympy.Expr, n: int) -> sympy.Expr:
    """The integral of s^n over [-length/2, length/2]."""
    return ZERO if n % 2 else 2 * (length / 2) ** (n + 1) / (n + 1)


def box(a: sympy.Expr, b: sympy.Expr, c: sympy.Expr) -> Monomial:
    """Edges a, b, c along the axes, centre at the origin."""
    return lambda i, j, k: symmetric_power(a, i) * symmetric_power(b, j) * symmetric_power(c, k)


def ellipsoid(a: sympy.Expr, b: sympy.Expr, c: sympy.Expr) -> Monomial:
    """Semi-axes a, b, c along the axes, centre at the origin (Dirichlet)."""

    def moment(i: int, j: int, k: int) -> sympy.Expr:
        if i % 2 or j % 2 or k % 2:
            return ZERO
        unit = gamma_half(i + 1) * gamma_half(j + 1) * gamma_half(k + 1)
        return a ** (i + 1) * b ** (j + 1) * c ** (k + 1) * unit / gamma_half(i + j + k + 5)

    return moment


def half_ball(radius: sympy.Expr) -> Monomial:
    """The half z >= 0 of the ball about the origin."""

    def moment(i: int, j: int, k: int) -> sympy.Expr:
        n = i + j + k + 3
        return radius**n / n * full_wave(j, i) * quarter_wave(i + j + 1, k)

    return moment


def disk(radius: sympy.Expr, i: int, j: int) -> sympy.Expr:
    """The integral of x^i y^j over the disk about the origin."""
    return radius ** (i + j + 2) * full_wave(j, i) / (i + j + 2)


def half_disk(radius: sympy.Expr, i: int, j: int) -> sympy.Expr:
    """The same over its half x >= 0."""
    wave = ZERO if j % 2 else 2 * quarter_wave(j, i)
    return radius ** (i + j + 2) * wave / (i + j + 2)


def cylinder(radius: sympy.Expr, height: sympy.Expr) -> Monomial:
    """Axis z, centre at the origin."""
    return lambda i, j, k: disk(radius, i, j) * symmetric_power(height, k)


def half_cylinder(radius: sympy.Expr, height: sympy.Expr) -> Monomial:
    """The half x >= 0 of the cylinder."""
    return lambda i, j, k: half_disk(radius, i, j) * symmetric_power(height, k)


def cone(radius: sympy.Expr, height: sympy.Expr) -> Monomial:
    """Apex at the origin, axis z, base of that radius at z = height."""

    def moment(i: int, j: int, k: int) -> sympy.Expr:
        return disk(radius, i, j) * height ** (k + 1) / (i + j + k + 3)

    return moment


def torus(major: sympy.Expr, minor: sympy.Expr) -> Monomial:
    """Axis z, centre at the origin; the circle of centres has radius ``major``."""

    def moment(i: int, j: int, k: int) -> sympy.Expr:
        # rho = major + s cos(u), z = s sin(u): the binomials of rho^(i+j+1) over the tube's disk
        n = i + j + 1
        tube = [sympy.binomial(n, p) * major ** (n - p) * disk(minor, p, k) for p in range(n + 1)]
        return full_wave(j, i) * sympy.Add(*tube)

    return moment


def sphere_shell(radius: sympy.Expr) -> Monomial:
    """The sphere about the origin, as a surface."""

    def moment(i: int, j: int, k: int) -> sympy.Expr:
        if i % 2 or j % 2 or k % 2:
            return ZERO
        unit = gamma_half(i + 1) * gamma_half(j + 1) * gamma_half(k + 1)
        return 2 * radius ** (i + j + k + 2) * unit / gamma_half(i + j + k + 3)

    return moment


def cylinder_shell(radius: sympy.Expr, height: sympy.Expr) -> Monomial:
    """The lateral surface of the cylinder."""
    return lambda i, j, k: radius ** (i + j + 1) * full_wave(j, i) * symmetric_power(height, k)


def plate(a: sympy.Expr, b: sympy.Expr) -> Monomial:
    """The rectangle of edges a, b in the plane z = 0, centre at the origin."""
    return lambda i, j, k: ZERO if k else symmetric_power(a, i) * symmetric_power(b, j)


def disk_plate(radius: sympy.Expr) -> Monomial:
    """The disk in the plane z = 0, centre at the origin."""
    return lambda i, j, k: ZERO if k else disk(radius, i, j)


def segment(start: Vector, edge: Vector, length: sympy.Expr) -> Monomial:
    """The straight line from ``start`` to ``start + edge``, of that length."""
    s = sympy.Dummy("s")

    def moment(i: int, j: int, k: int) -> sympy.Expr:
        point = [p + s * e for p, e in zip(start, edge, strict=True)]
        power = sympy.Poly(point[0] ** i * point[1] ** j * point[2] ** k, s)
        terms = [c / (n[0] + 1) for n, c in power.terms()]
        return length * sympy.Add(*terms)

    return moment


def cloud(masses: tuple[sympy.Expr, ...], places: tuple[Vector, ...]) -> Monomial:
    """Points of these masses at these places."""

    def moment(i: int, j: int, k: int) -> sympy.Expr:
        terms = [m * x**i * y**j * z**k for m, (x, y, z) in zip(masses, places, strict=True)]
        return sympy.Add(*terms)

    return moment


def unit_point(i: int, j: int, k: int) -> sympy.Expr:
    """One unit at the origin."""
    return ZERO if i or j or k else ONE
