"""A shape: a solid, surface, line or set of points in its own frame, as data.

Every shape carries its moments twice: as closed forms (`monomial`) for integrands that are
polynomials in x, y, z, and as a chart (coordinates, map and measure) in which any other integrand
is integrated and in which quadrature checks both.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import sympy
from numpy.typing import NDArray

from symdyn.mass.coordinates import Vector
from symdyn.mass.monomials import Monomial

#: Nodes [n, 3] and weights [n] that integrate polynomials up to the given degree exactly.
Rule: TypeAlias = Callable[[int], tuple[NDArray[np.float64], NDArray[np.float64]]]
#: Winding numbers of a closed surface around places [n, 3].
Windings: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Range:
    """A coordinate of a chart and its bounds; these may depend on the coordinates before it."""

    symbol: sympy.Symbol
    low: sympy.Expr
    high: sympy.Expr


@dataclass(frozen=True, slots=True)
class Chart:
    """x(u), u in the box of ``ranges``; the measure is ``measure`` du, not negative.

    ``radii`` are sums of squares of x, y, z and their roots in these coordinates, such as
    (x^2 + y^2, r); the sums are replaced before x(u) is put in.
    """

    ranges: tuple[Range, ...]
    place: Vector
    measure: sympy.Expr
    radii: tuple[tuple[sympy.Expr, sympy.Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape in its own frame.

    Attributes
    ----------
    name : for messages and reports, with its dimensions
    dimension : 3 solid, 2 surface, 1 line, 0 points: the unit of its density is kg/m^dimension
    monomial : closed forms of the integrals of x^i y^j z^k; None if there are none
    chart : None if there is none (points, polyhedra)
    rule : quadrature for shapes without a chart
    inside : expressions in x, y, z that are all >= 0 exactly on the solid, of a flat surface in its
        plane z = 0; empty if not known
    sizes : lengths by name, which have to be positive at all times
    places : points [n, 3] of a solid without a chart at which fields are looked at
    windings : how often a solid without a chart holds places [n, 3]: 1 inside, 0 outside, 1/2 on
        the rim
    slices : the same set in other coordinates, for quadrature that shares nothing with the chart
    """

    name: str
    dimension: int
    monomial: Monomial | None
    chart: Chart | None = None
    rule: Rule | None = None
    inside: tuple[sympy.Expr, ...] = ()
    sizes: tuple[tuple[str, sympy.Expr], ...] = ()
    slices: Chart | None = None
    places: NDArray[np.float64] | None = None
    windings: Windings | None = None
