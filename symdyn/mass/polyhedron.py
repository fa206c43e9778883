"""Solids inside triangle meshes: exact moments by the divergence theorem.

A closed, outward oriented mesh is the signed sum of the tetrahedra (0, a, b, c) over its triangles,
and on a tetrahedron a monomial is a polynomial in barycentric coordinates, which Dirichlet's
formula integrates. Vertices are taken as exact numbers (doubles are binary fractions) and
everything is done in whole numbers over one denominator, so the only error is in the mesh itself.

Source: Mirtich 1996 (polyhedral mass properties); Dirichlet's formula, Grundmann & Moeller 1978.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

import numpy as np
import sympy
from numpy.typing import NDArray

from symdyn._errors import InputError
from symdyn.mass.domain import Domain, of_shape
from symdyn.mass.monomials import Monomial
from symdyn.mass.shape import Rule, Shape, Windings

#: Most solid angles that are added up for one look at a mesh.
_MOST_ANGLES = 4_000_000
#: Most triangles of a mesh that is looked at for places inside twice.
_MOST_WOUND = 20_000

Vertex = tuple[Fraction, Fraction, Fraction]
Face = tuple[int, int, int]
#: A polynomial in three barycentric coordinates: exponents to whole numbers, one per triangle.
_Polynomial = dict[tuple[int, int, int], NDArray[np.object_]]


def polyhedron(
    vertices: Sequence[Sequence[float | Fraction | int]], faces: Sequence[Sequence[int]]
) -> Domain:
    """The solid bounded by triangles.

    Parameters
    ----------
    vertices : places [m]; floats are taken as the binary fractions that they are
    faces : three vertices each, counter-clockwise seen from outside

    Raises
    ------
    InputError : an index out of range, a triangle with one vertex twice, an edge that is not shared
        by exactly two triangles of opposite direction (a hole, a flap, a flipped triangle), a mesh
        that is inside out

    Notes
    -----
    Whether triangles cut through each other is not checked here; where they do, space inside both
    counts twice. `symdyn.mass.body.distribution` refuses a body of which it finds such a place.
    """
    places = [_vertex(v, k) for k, v in enumerate(vertices)]
    triangles = [_face(f, k, len(places)) for k, f in enumerate(faces)]
    _check_closed(triangles)
    monomial = _moments(places, triangles)
    volume = monomial(0, 0, 0)
    if volume <= 0:
        raise InputError(
            "a mesh is inside out" if volume < 0 else "a mesh has no volume",
            where="polyhedron",
            expected="triangles counter-clockwise seen from outside",
            got=f"a volume of {float(volume):.6g} m^3",
            remedy="Reverse the order of the vertices of every triangle.",
        )
    name = f"polyhedron of {len(triangles)} triangles"
    corners = np.array([[[float(c) for c in places[i]] for i in f] for f in triangles])
    windings = _windings(corners) if len(corners) <= _MOST_WOUND else None
    inner = _inner(corners, windings)
    return of_shape(Shape(name, 3, monomial, rule=_rule(corners), places=inner, windings=windings))


def _vertex(v: Sequence[float | Fraction | int], k: int) -> Vertex:
    if len(v) != 3 or not all(math.isfinite(c) for c in v):
        raise InputError(
            "a vertex is no place",
            where=f"polyhedron, vertex {k}",
            expected="3 numbers",
            got=f"{v}",
        )
    return Fraction(v[0]), Fraction(v[1]), Fraction(v[2])


def _face(f: Sequence[int], k: int, count: int) -> Face:
    if len(f) != 3 or len(set(f)) != 3 or not all(0 <= i < count for i in f):
        raise InputError(
            "a face is no triangle",
            where=f"polyhedron, face {k}",
            expected=f"3 different vertices below {count}",
            got=", ".join(str(i) for i in f),
        )
    return int(f[0]), int(f[1]), int(f[2])


def _check_closed(faces: Sequence[Face]) -> None:
    """Every directed edge once, and its reverse once: watertight and consistently oriented."""
    edges = Counter(e for a, b, c in faces for e in ((a, b), (b, c), (c, a)))
    for (a, b), times in edges.items():
        back = edges.get((b, a), 0)
        if times == 1 and back == 1:
            continue
        if times > 1 and back == 0:
            what, got = "neighbouring triangles are turned against each other", "the same direction"
        elif back == 0:
            what, got = "a mesh has a hole", "one triangle"
        else:
            what, got = "a mesh is no surface", f"{times + back} triangles"
        raise InputError(
            what,
            where=f"polyhedron, edge from vertex {a} to {b}",
            expected="two triangles that run along it in opposite directions",
            got=got,
            remedy="Repair the mesh; its volume is not defined.",
        )


def _moments(places: Sequence[Vertex], faces: Sequence[Face]) -> Monomial:
    """Monomial moments in whole numbers over a common denominator."""
    unit = math.lcm(*(c.denominator for v in places for c in v)) if places else 1
    whole = [[int(c * unit) for c in v] for v in places]
    corners = np.array([[whole[i] for i in f] for f in faces], dtype=object)  # [F, 3, 3]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    sixfold = (
        a[:, 0] * (b[:, 1] * c[:, 2] - b[:, 2] * c[:, 1])
        + a[:, 1] * (b[:, 2] * c[:, 0] - b[:, 0] * c[:, 2])
        + a[:, 2] * (b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0])
    )  # six times the signed volumes
    axis: list[_Polynomial] = [
        {(1, 0, 0): a[:, k], (0, 1, 0): b[:, k], (0, 0, 1): c[:, k]} for k in range(3)
    ]

    @cache
    def moment(i: int, j: int, k: int) -> sympy.Expr:
        power: _Polynomial = {(0, 0, 0): np.ones(len(faces), dtype=object)}
        for factor, n in zip(axis, (i, j, k), strict=True):
            for _ in range(n):
                power = _times(power, factor)
        degree = i + j + k
        total = 0
        for (p, q, r), coefficient in power.items():
            weight = math.factorial(p) * math.factorial(q) * math.factorial(r)
            total += weight * int(np.sum(coefficient * sixfold))
        value = Fraction(total, math.factorial(degree + 3) * unit ** (degree + 3))
        return sympy.Rational(value.numerator, value.denominator)

    return moment


def _times(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    product: _Polynomial = {}
    for (p, q, r), u in a.items():
        for (s, t, w), v in b.items():
            key = (p + s, q + t, r + w)
            product[key] = product[key] + u * v if key in product else u * v
    return product


def _inner(corners: NDArray[np.float64], windings: Windings | None) -> NDArray[np.float64]:
    """Vertices, middles of triangles, and places behind them that are inside."""
    middles = np.mean(corners, axis=1)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    size = float(np.max(np.ptp(corners.reshape(-1, 3), axis=0)))
    keep = max(1, 8 * len(corners) ** 2 // _MOST_ANGLES)
    found = np.concatenate((corners.reshape(-1, 3), middles))[::keep]
    if windings is None:
        return found
    behind = np.concatenate([middles - size * depth * normals for depth in (1e-4, 0.01, 0.1)])
    behind = behind[::keep]
    return np.concatenate((found, behind[windings(behind) > 0.5]))


def _windings(corners: NDArray[np.float64]) -> Windings:
    """Winding numbers of the surface around places: the solid angle of all triangles by 4 pi.

    Source: Van Oosterom & Strackee 1983 (solid angle of a triangle); Jacobson et al. 2013.
    """

    def count(places: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros(len(places))
        for triangle in corners:
            a, b, c = (corner - places for corner in triangle)
            la, lb, lc = (np.linalg.norm(v, axis=1) for v in (a, b, c))
            top = np.einsum("ni,ni->n", a, np.cross(b, c))
            dots = [np.einsum("ni,ni->n", u, v) for u, v in ((a, b), (b, c), (c, a))]
            total += 2 * np.arctan2(top, la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb)
        return total / (4 * np.pi)

    return count


def _rule(corners: NDArray[np.float64]) -> Rule:
    """Gauss nodes in the tetrahedra by the map of the cube: for verification."""

    def rule(degree: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        n = degree // 2 + 2
        nodes, weights = np.polynomial.legendre.leggauss(n)
        s, w = (nodes + 1) / 2, weights / 2
        u, v, q = (g.ravel() for g in np.meshgrid(s, s, s, indexing="ij"))
        wu, wv, wq = (g.ravel() for g in np.meshgrid(w, w, w, indexing="ij"))
        barycentric = np.stack([u * (1 - v), u * v * (1 - q), u * v * q], axis=1)
        jacobian = wu * wv * wq * u**2 * v
        volumes = np.linalg.det(corners)
        x = np.einsum("nk,fkd->fnd", barycentric, corners).reshape(-1, 3)
        return x, np.outer(volumes, jacobian).ravel()

    return rule
