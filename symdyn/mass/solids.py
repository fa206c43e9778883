"""Solids by name: box, ball, ellipsoid, cylinder, cone, torus, half-cylinder, half-ball.

All stand in their own frame with the z axis as axis of symmetry and the centre of the full solid at
the origin; the cone has its apex there. Move them with `Domain.placed`, cut with ``-``.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import sympy

from symdyn._errors import InputError
from symdyn.mass import monomials
from symdyn.mass.coordinates import AXIAL_RADIUS, ONE, ZERO, Number, X, positive
from symdyn.mass.domain import Domain, of_shape
from symdyn.mass.shape import Chart, Range, Shape

_PI = cast("sympy.Expr", sympy.pi)


def box(a: Number, b: Number, c: Number) -> Domain:
    """Edges ``a``, ``b``, ``c`` along x, y, z [m]."""
    edges = [positive(e, "edge", "box") for e in (a, b, c)]
    x, y, z = _letter("x"), _letter("y"), _letter("z")
    ranges = tuple(Range(u, -e / 2, e / 2) for u, e in zip((x, y, z), edges, strict=True))
    chart = Chart(ranges, (x, y, z), ONE)
    inside = tuple(e**2 / 4 - s**2 for e, s in zip(edges, X, strict=True))
    sizes = {f"edge {k}": e for k, e in enumerate(edges, 1)}
    return _solid("box", sizes, monomials.box(edges[0], edges[1], edges[2]), chart, inside)


def ball(radius: Number) -> Domain:
    """A full sphere [m]."""
    R = positive(radius, "radius", "ball")
    return _ellipsoid("ball", R, R, R)


def ellipsoid(a: Number, b: Number, c: Number) -> Domain:
    """Semi-axes along x, y, z [m]."""
    p, q, r = (positive(e, "semi-axis", "ellipsoid") for e in (a, b, c))
    return _ellipsoid("ellipsoid", p, q, r)


def half_ball(radius: Number) -> Domain:
    """The half z >= 0 of a ball [m]."""
    R = positive(radius, "radius", "half_ball")
    chart = _spherical(R, R, R, _PI / 2)
    inside = (R**2 - X[0] ** 2 - X[1] ** 2 - X[2] ** 2, cast("sympy.Expr", X[2]))
    slices = _ellipsoid_slices(R, R, R, ZERO)
    return _solid("half_ball", {"radius": R}, monomials.half_ball(R), chart, inside, slices)


def cylinder(radius: Number, height: Number) -> Domain:
    """Axis z, from -height/2 to height/2 [m]."""
    R, H = positive(radius, "radius", "cylinder"), positive(height, "height", "cylinder")
    chart = _cylindrical(R, H, ZERO, 2 * _PI)
    inside = (R**2 - X[0] ** 2 - X[1] ** 2, H**2 / 4 - X[2] ** 2)
    slices = _cylinder_slices(R, H, -ONE)
    sizes = {"radius": R, "height": H}
    return _solid("cylinder", sizes, monomials.cylinder(R, H), chart, inside, slices)


def half_cylinder(radius: Number, height: Number) -> Domain:
    """The half x >= 0 of a cylinder [m]."""
    where = "half_cylinder"
    R, H = positive(radius, "radius", where), positive(height, "height", where)
    chart = _cylindrical(R, H, -_PI / 2, _PI / 2)
    inside = (
        R**2 - X[0] ** 2 - X[1] ** 2,
        H**2 / 4 - X[2] ** 2,
        cast("sympy.Expr", X[0]),
    )
    slices = _cylinder_slices(R, H, ZERO)
    sizes = {"radius": R, "height": H}
    return _solid("half_cylinder", sizes, monomials.half_cylinder(R, H), chart, inside, slices)


def cone(radius: Number, height: Number) -> Domain:
    """Apex at the origin, axis z, base of that radius in the plane z = height [m]."""
    R, H = positive(radius, "radius", "cone"), positive(height, "height", "cone")
    s, f, z = _letter("s"), _letter("f"), _letter("z")
    r = s * R * z / H
    chart = Chart(
        (Range(s, ZERO, ONE), Range(f, ZERO, 2 * _PI), Range(z, ZERO, H)),
        (r * sympy.cos(f), r * sympy.sin(f), z),
        s * (R * z / H) ** 2,
        ((X[0] ** 2 + X[1] ** 2, r),),
    )
    inside = (
        R**2 * X[2] ** 2 / H**2 - X[0] ** 2 - X[1] ** 2,
        X[2] * (H - X[2]),
    )
    sizes = {"radius": R, "height": H}
    slices = _disk_slices(R * z / H, Range(z, ZERO, H), -ONE)
    return _solid("cone", sizes, monomials.cone(R, H), chart, inside, slices)


def torus(major: Number, minor: Number) -> Domain:
    """Axis z; ``major`` is the radius of the circle of centres, ``minor`` that of the tube [m]."""
    R, a = positive(major, "major radius", "torus"), positive(minor, "minor radius", "torus")
    if (R - a).is_negative:
        raise InputError(
            "a torus overlaps itself",
            where="torus",
            expected="major radius >= minor radius",
            got=f"{R} < {a}",
        )
    s, u, f = _letter("s"), _letter("u"), _letter("f")
    r = R + s * sympy.cos(u)
    chart = Chart(
        (Range(s, ZERO, a), Range(u, ZERO, 2 * _PI), Range(f, ZERO, 2 * _PI)),
        (r * sympy.cos(f), r * sympy.sin(f), s * sympy.sin(u)),
        s * r,
        ((X[0] ** 2 + X[1] ** 2, r),),
    )
    inside = (a**2 - (AXIAL_RADIUS - R) ** 2 - X[2] ** 2,)
    b = _letter("b")
    width = a * sympy.cos(b)
    rho = R + s * width
    slices = Chart(
        (Range(b, -_PI / 2, _PI / 2), Range(s, -ONE, ONE), Range(f, ZERO, 2 * _PI)),
        (rho * sympy.sin(f), rho * sympy.cos(f), a * sympy.sin(b)),
        rho * width**2,
    )
    sizes = {"major radius": R, "minor radius": a}
    return _solid("torus", sizes, monomials.torus(R, a), chart, inside, slices)


def _ellipsoid(name: str, a: sympy.Expr, b: sympy.Expr, c: sympy.Expr) -> Domain:
    inside = (1 - (X[0] / a) ** 2 - (X[1] / b) ** 2 - (X[2] / c) ** 2,)
    sizes = {"semi-axis 1": a, "semi-axis 2": b, "semi-axis 3": c}
    if name == "ball":
        sizes = {"radius": a}
    chart = _spherical(a, b, c, _PI)
    slices = _ellipsoid_slices(a, b, c, -_PI / 2)
    return _solid(name, sizes, monomials.ellipsoid(a, b, c), chart, inside, slices)


def _spherical(a: sympy.Expr, b: sympy.Expr, c: sympy.Expr, polar: sympy.Expr) -> Chart:
    """Spherical coordinates stretched to the semi-axes; r in metres on a ball, in [0, 1] else."""
    r, f, th = _letter("r"), _letter("f"), _letter("h")
    is_round = a == b == c
    top, factor = (a, ONE) if is_round else (ONE, a * b * c)
    sa, sb, sc = (ONE, ONE, ONE) if is_round else (a, b, c)
    place = (
        sa * r * sympy.sin(th) * sympy.cos(f),
        sb * r * sympy.sin(th) * sympy.sin(f),
        sc * r * sympy.cos(th),
    )
    radii: tuple[tuple[sympy.Expr, sympy.Expr], ...] = ()
    if is_round:
        radii = (
            (X[0] ** 2 + X[1] ** 2 + X[2] ** 2, r),
            (X[0] ** 2 + X[1] ** 2, r * sympy.sin(th)),
        )
    ranges = (Range(r, ZERO, top), Range(f, ZERO, 2 * _PI), Range(th, ZERO, polar))
    return Chart(ranges, place, factor * r**2 * sympy.sin(th), radii)


def _cylindrical(R: sympy.Expr, H: sympy.Expr, low: sympy.Expr, high: sympy.Expr) -> Chart:
    r, f, z = _letter("r"), _letter("f"), _letter("z")
    return Chart(
        (Range(r, ZERO, R), Range(f, low, high), Range(z, -H / 2, H / 2)),
        (r * sympy.cos(f), r * sympy.sin(f), z),
        r,
        ((X[0] ** 2 + X[1] ** 2, r),),
    )


def _ellipsoid_slices(a: sympy.Expr, b: sympy.Expr, c: sympy.Expr, low: sympy.Expr) -> Chart:
    """Cartesian: z = c sin u, then y across the disk there, then x across the chord."""
    u = _letter("u")
    chart = _disk_slices(ONE, Range(u, low, _PI / 2), -ONE)
    x, y, _ = chart.place
    wide = sympy.cos(u)
    place = (a * wide * x, b * wide * y, c * sympy.sin(u))
    return Chart(chart.ranges, place, chart.measure * a * b * c * wide**3)


def _cylinder_slices(R: sympy.Expr, H: sympy.Expr, low: sympy.Expr) -> Chart:
    return _disk_slices(R, Range(_letter("z"), -H / 2, H / 2), low)


def _disk_slices(R: sympy.Expr, along: Range, low: sympy.Expr) -> Chart:
    """Cartesian over disks of radius R: y = R sin v across, then x = s R cos v on the chord."""
    v, s = _letter("v"), _letter("s")
    half = R * sympy.cos(v)
    return Chart(
        (along, Range(v, -_PI / 2, _PI / 2), Range(s, low, ONE)),
        (s * half, R * sympy.sin(v), cast("sympy.Expr", along.symbol)),
        half**2,
    )


def _solid(
    name: str,
    sizes: Mapping[str, sympy.Expr],
    moments: monomials.Monomial | None,
    chart: Chart,
    inside: tuple[sympy.Expr, ...],
    slices: Chart | None = None,
) -> Domain:
    title = f"{name}({', '.join(str(s) for s in sizes.values())})"
    lengths = tuple(sizes.items())
    return of_shape(Shape(title, 3, moments, chart, inside=inside, sizes=lengths, slices=slices))


def _letter(name: str) -> sympy.Symbol:
    """A coordinate of a chart."""
    return sympy.Dummy(name, real=True)
