"""Surfaces, lines and points: shells, plates, disks, rods, single masses.

Their density is a mass per area, per length or a mass. They are measures, not densities in space:
the pseudo-inertia of a rod or a point is singular, which Theorem 1 in its measure form allows.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import sympy
from numpy.typing import NDArray

from symdyn._errors import InputError, SizeError
from symdyn.mass import monomials
from symdyn.mass.coordinates import (
    ONE,
    ORIGIN,
    ZERO,
    Number,
    Vector,
    X,
    exact_vector,
    positive,
)
from symdyn.mass.domain import Domain, Piece, of_shape
from symdyn.mass.shape import Chart, Range, Shape
from symdyn.spatial.vector import dot

_PI = cast("sympy.Expr", sympy.pi)


def sphere_shell(radius: Number) -> Domain:
    """The surface of a ball about the origin [m]."""
    R = positive(radius, "radius", "sphere_shell")
    f, h = _letter("f"), _letter("h")
    sine = sympy.sin(h)
    chart = Chart(
        (Range(f, ZERO, 2 * _PI), Range(h, ZERO, _PI)),
        (R * sine * sympy.cos(f), R * sine * sympy.sin(f), R * sympy.cos(h)),
        R**2 * sine,
        (
            (X[0] ** 2 + X[1] ** 2 + X[2] ** 2, R),
            (X[0] ** 2 + X[1] ** 2, R * sine),
        ),
    )
    slices = Chart(
        chart.ranges, (chart.place[2], chart.place[0], chart.place[1]), chart.measure
    )  # poles on the x axis
    return _thin(
        f"sphere_shell({R})", 2, monomials.sphere_shell(R), chart, sizes={"radius": R},
        slices=slices,
    )  # fmt: skip


def cylinder_shell(radius: Number, height: Number) -> Domain:
    """The lateral surface of a cylinder, axis z, from -height/2 to height/2 [m]."""
    where = "cylinder_shell"
    R, H = positive(radius, "radius", where), positive(height, "height", where)
    f, z = _letter("f"), _letter("z")
    chart = Chart(
        (Range(f, ZERO, 2 * _PI), Range(z, -H / 2, H / 2)),
        (R * sympy.cos(f), R * sympy.sin(f), z),
        R,
        ((X[0] ** 2 + X[1] ** 2, R),),
    )
    sizes = {"radius": R, "height": H}
    return _thin(f"cylinder_shell({R}, {H})", 2, monomials.cylinder_shell(R, H), chart, sizes=sizes)


def plate(a: Number, b: Number) -> Domain:
    """A rectangle of edges ``a``, ``b`` along x and y in the plane z = 0, about the origin [m]."""
    p, q = positive(a, "edge", "plate"), positive(b, "edge", "plate")
    x, y = _letter("x"), _letter("y")
    ranges = (Range(x, -p / 2, p / 2), Range(y, -q / 2, q / 2))
    chart = Chart(ranges, (x, y, ZERO), ONE)
    inside = (p**2 / 4 - X[0] ** 2, q**2 / 4 - X[1] ** 2)
    sizes = {"edge 1": p, "edge 2": q}
    return _thin(f"plate({p}, {q})", 2, monomials.plate(p, q), chart, inside, sizes)


def disk(radius: Number) -> Domain:
    """A disk in the plane z = 0 about the origin [m]."""
    R = positive(radius, "radius", "disk")
    r, f = _letter("r"), _letter("f")
    chart = Chart(
        (Range(r, ZERO, R), Range(f, ZERO, 2 * _PI)),
        (r * sympy.cos(f), r * sympy.sin(f), ZERO),
        r,
        ((X[0] ** 2 + X[1] ** 2 + X[2] ** 2, r), (X[0] ** 2 + X[1] ** 2, r)),
    )
    v, s = _letter("v"), _letter("s")
    half = R * sympy.cos(v)
    slices = Chart(
        (Range(v, -_PI / 2, _PI / 2), Range(s, -ONE, ONE)),
        (s * half, R * sympy.sin(v), ZERO),
        half**2,
    )
    inside = (R**2 - X[0] ** 2 - X[1] ** 2,)
    return _thin(f"disk({R})", 2, monomials.disk_plate(R), chart, inside, {"radius": R}, slices)


def rod(start: Sequence[Number], end: Sequence[Number]) -> Domain:
    """The straight line from ``start`` to ``end`` [m].

    Raises
    ------
    InputError : both ends in one place
    """
    a, b = exact_vector(start, "rod"), exact_vector(end, "rod")
    edge = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    length = sympy.sqrt(dot(edge, edge))
    if length == 0:
        raise InputError("a rod has no length", where="rod", got=f"both ends at {a}")
    s = _letter("s")
    point: Vector = (a[0] + s * edge[0], a[1] + s * edge[1], a[2] + s * edge[2])
    chart = Chart((Range(s, ZERO, ONE),), point, length)
    return _thin(
        f"rod({a}, {b})", 1, monomials.segment(a, edge, length), chart, sizes={"length": length}
    )


def point(at: Sequence[Number] = ORIGIN) -> Domain:
    """One place; its density is the mass there [kg]."""
    place = exact_vector(at, "point")
    shape = Shape("point", 0, monomials.unit_point, rule=_one_node)
    return Domain((Piece(shape, shift=place),))


def cloud(masses: Sequence[Number], places: Sequence[Sequence[Number]]) -> Domain:
    """Many places with weights: the mass at each is its weight times the density (say 1).

    Raises
    ------
    InputError : no points, a weight that is not positive
    SizeError : not one place per weight
    """
    if len(masses) != len(places):
        raise SizeError("cloud", "places", len(masses), len(places))
    if not masses:
        raise InputError("a cloud has no points", where="cloud", expected="at least one")
    m = tuple(positive(value, "mass", f"cloud, point {k}") for k, value in enumerate(masses))
    r = tuple(exact_vector(value, f"cloud, point {k}") for k, value in enumerate(places))
    numbers = [*m, *(c for place in r for c in place)]
    if any(value.free_symbols for value in numbers):
        return Domain(
            tuple(
                Piece(Shape("point", 0, monomials.unit_point, rule=_one_node), shift=p, factor=w)
                for w, p in zip(m, r, strict=True)
            )
        )
    nodes = np.array([[float(c) for c in place] for place in r])
    weights = np.array([float(w) for w in m])
    name = f"cloud of {len(m)} points"
    return of_shape(Shape(name, 0, monomials.cloud(m, r), rule=lambda _degree: (nodes, weights)))


def _one_node(_degree: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.zeros((1, 3)), np.ones(1)


def _thin(
    name: str,
    dimension: int,
    moments: monomials.Monomial,
    chart: Chart,
    inside: tuple[sympy.Expr, ...] = (),
    sizes: Mapping[str, sympy.Expr] | None = None,
    slices: Chart | None = None,
) -> Domain:
    lengths = tuple((sizes or {}).items())
    return of_shape(
        Shape(name, dimension, moments, chart, inside=inside, sizes=lengths, slices=slices)
    )


def _letter(name: str) -> sympy.Symbol:
    return sympy.Dummy(name, real=True)
