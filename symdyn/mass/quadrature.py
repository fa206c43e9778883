"""Numeric integrals over domains, and the comparison of exact moments with them.

Nodes stand in the box of a shape's chart, the integrand is evaluated at all of them at once.
Gauss's rule does for smooth integrands; where two of its orders disagree or a bound is infinite,
double exponential rules take over, which do not mind what happens at the ends of an interval.

Source: Takahasi & Mori 1974 (double exponential); Golub & Welsch 1969 (Gauss).
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import sympy
from numpy.typing import NDArray

from symdyn._errors import InputError, UnsupportedError, VerificationError
from symdyn.algebra.float64 import ARRAYS
from symdyn.algebra.term import lift
from symdyn.mass.body import MassDistribution, Part
from symdyn.mass.coordinates import TIME, ZERO, Number, Vector, X, exact, rate, replace
from symdyn.mass.domain import Domain, Piece
from symdyn.mass.integrate import to_piece
from symdyn.mass.mass_moments import MassMoments
from symdyn.mass.sampling import put
from symdyn.mass.shape import Chart
from symdyn.mass.terms import terms_of
from symdyn.spatial.vector import add, apply

Array = NDArray[np.float64]
#: Gauss nodes per coordinate, and fewer for the error.
_GAUSS, _FEWER = 24, 20
#: Double exponential nodes, and the range of their parameter: symmetric, and on a half line, where
#: the near end needs more.
_NODES, _RANGE, _HALF_RANGE = 91, (-3.15, 3.15), (-3.8, 3.0)
#: Relative disagreement of two Gauss orders from which on the other rule is used.
_ROUGH = 1e-11
#: Degree that rules of shapes without a chart have to integrate exactly.
_DEGREE = 10


@dataclass(frozen=True, slots=True)
class Verification:
    """How far exact moments are from quadrature.

    Attributes
    ----------
    worst : largest difference, relative to the largest number of its kind
    entry : where it occurs, such as ``phi[4]``
    times : at which times was compared [s]
    """

    worst: float
    entry: str
    times: tuple[float, ...]


def verify(
    body: MassDistribution,
    exact_moments: MassMoments,
    values: Mapping[sympy.Expr, Number] | None = None,
    times: Sequence[Number] = (0, 1),
    tolerance: float = 1e-10,
) -> Verification:
    """Compare Phi, nu and psi with quadrature of the distribution itself.

    Parameters
    ----------
    body, exact_moments : what `symdyn.mass.mass_moments.moments` made of it
    values : for symbols and functions of time without a value in the distribution
    times : at which to compare [s]
    tolerance : of the difference, relative to the largest number of its kind

    Raises
    ------
    InputError : a symbol has no value
    VerificationError : a difference above the tolerance
    """
    known = {**body.values, **{k: exact(v, f"value of {k}") for k, v in (values or {}).items()}}
    found = Verification(0.0, "", tuple(float(exact(t)) for t in times))
    for t in times:
        now = exact(t, "times")
        expected = {
            "phi": _numbers(exact_moments.phi, known, now),
            "psi": _numbers(exact_moments.psi, known, now),
            "nu": _numbers([exact_moments.nu], known, now),
        }
        numeric = by_quadrature(body, known, now)
        for name, wanted in expected.items():
            scale = max(1e-300, *(abs(w) for w in wanted))
            for k, (w, n) in enumerate(zip(wanted, numeric[name], strict=True)):
                error = abs(w - n) / scale
                if not error <= found.worst:
                    found = Verification(error, f"{name}[{k}]", found.times)
    if not found.worst <= tolerance:
        raise VerificationError(
            f"mass moments and quadrature disagree: {found.entry} by {found.worst:.3g}, "
            f"tolerance {tolerance:g}."
        )
    return found


def by_quadrature(
    body: MassDistribution, values: Mapping[sympy.Expr, sympy.Expr], t: sympy.Expr
) -> dict[str, list[float]]:
    """phi [10], psi [12] and nu [1] at one time, by quadrature in the body's own frame.

    The integrands are those of (8), (25) and (27) with place R x + p and velocity R' x + p' + R v
    of the moving fraction, R' x + p' of the rest; nothing is shared with the exact road.
    """
    sums = np.zeros(23)
    for one in body.parts:
        fields = [replace(put(f, values), {TIME: t}) for f in _integrands(one)]
        sums += quadrature(
            one.domain, fields, {k: replace(v, {TIME: t}) for k, v in values.items()}
        )
    return {"phi": sums[:10].tolist(), "psi": sums[10:22].tolist(), "nu": [float(sums[22])]}


def _integrands(one: Part) -> list[sympy.Expr]:
    """Integrands of Phi (10), psi (12) and nu (1) in the part's coordinates."""
    R, p = one.rotation, one.at
    r = add(apply(R, X), p)
    carried = _rate(r)
    moving = add(carried, apply(R, one.velocity))
    stirred = one.moving * one.density
    resting = (1 - one.moving) * one.density
    square = r[0] ** 2 + r[1] ** 2 + r[2] ** 2
    phi = [
        sympy.Integer(1), *r,
        square - r[0] ** 2, square - r[1] ** 2, square - r[2] ** 2,
        -r[0] * r[1], -r[1] * r[2], -r[0] * r[2],
    ]  # fmt: skip
    flux = [stirred * u + resting * c for u, c in zip(moving, carried, strict=True)]
    energy = ZERO
    for u, c in zip(moving, carried, strict=True):
        energy += stirred * u**2 + resting * c**2
    psi = [*flux, *(f * x for f in flux for x in r)]
    return [*(one.density * e for e in phi), *psi, energy]


def _rate(v: Vector) -> Vector:
    return rate(v[0]), rate(v[1]), rate(v[2])


def quadrature(
    domain: Domain, fields: Sequence[sympy.Expr], values: Mapping[sympy.Expr, sympy.Expr]
) -> Array:
    """Integrals of expressions in x, y, z over a domain; ``values`` replace its parameters.

    Raises
    ------
    InputError : a symbol has no value
    """
    total = np.zeros(len(fields))
    for piece in domain.pieces:
        local = [put(to_piece(piece, f), values) for f in fields]
        factor = _evaluate([put(piece.factor, values)], {})[0, 0] * piece.sign
        total += factor * _over_piece(piece, local, values)
    return total


def _over_piece(
    piece: Piece, fields: Sequence[sympy.Expr], values: Mapping[sympy.Expr, sympy.Expr]
) -> Array:
    shape = piece.shape
    if shape.chart is None:
        if shape.rule is None:
            raise UnsupportedError(f"{shape.name}: there is no quadrature for this shape.")
        nodes, weights = shape.rule(_DEGREE)
        return _evaluate(fields, dict(zip(X, nodes.T, strict=True))) @ weights
    chart = shape.chart
    at = {x: put(u, values) for x, u in zip(X, chart.place, strict=True)}
    measure = put(chart.measure, values)
    integrands = [replace(f, at) * measure for f in fields]
    bounds = [(put(r.low, values), put(r.high, values)) for r in chart.ranges]
    is_finite = all(e.is_finite is not False for pair in bounds for e in pair)
    if is_finite:
        fine = _on_box(chart, bounds, integrands, _gauss(_GAUSS))
        rough = _on_box(chart, bounds, integrands, _gauss(_FEWER))
        scale = max(float(np.max(np.abs(fine))), 1e-300)
        if np.all(np.abs(fine - rough) <= _ROUGH * scale):
            return fine
    return _on_box(chart, bounds, integrands, _double_exponential())


@dataclass(frozen=True, slots=True)
class _Line:
    """Nodes and weights on [0, 1], on [0, inf) and on the whole line; None where there are none."""

    unit: tuple[Array, Array]
    half: tuple[Array, Array] | None = None
    whole: tuple[Array, Array] | None = None


def _on_box(
    chart: Chart,
    bounds: Sequence[tuple[sympy.Expr, sympy.Expr]],
    integrands: Sequence[sympy.Expr],
    line: _Line,
) -> Array:
    """The tensor rule on the chart's box; bounds may depend on the coordinates before."""
    count = len(line.unit[0])
    grid = np.array(list(product(range(count), repeat=len(bounds))), dtype=np.intp)
    u: dict[sympy.Symbol, Array] = {}
    total = np.ones(len(grid))
    for k, (r, (low, high)) in enumerate(zip(chart.ranges, bounds, strict=True)):
        where = grid[:, k]
        if low.is_infinite and high.is_infinite:
            assert line.whole is not None
            u[r.symbol], w = line.whole[0][where], line.whole[1][where]
        elif low.is_infinite or high.is_infinite:
            assert line.half is not None
            s, w = line.half[0][where], line.half[1][where]
            end = _evaluate([high if low.is_infinite else low], u)[0]
            u[r.symbol] = end - s if low.is_infinite else end + s
        else:
            a, b = _evaluate([low, high], u)
            u[r.symbol], w = a + line.unit[0][where] * (b - a), line.unit[1][where] * (b - a)
        total = total * w
    # one by one: millions of nodes are a lot of memory
    return np.array([_evaluate([f], u)[0] @ total if f != 0 else 0.0 for f in integrands])


def _evaluate(fields: Sequence[sympy.Expr], at: Mapping[sympy.Symbol, Array]) -> Array:
    """Values [fields, nodes]."""
    names = {s: f"u{k}" for k, s in enumerate(at)}
    free = {s for f in fields for s in f.free_symbols} - set(at)
    if free:
        raise InputError(
            "a symbol has no value",
            where="quadrature",
            got=", ".join(sorted(str(s) for s in free)),
            remedy="Give it in values.",
        )
    length = len(next(iter(at.values()))) if at else 1
    with ARRAYS.scope():
        found = lift(
            terms_of(list(fields), names), ARRAYS, {names[s]: np.asarray(v) for s, v in at.items()}
        )
    return np.array([np.broadcast_to(np.nan_to_num(f), (length,)) for f in found])


def _gauss(n: int) -> _Line:
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return _Line(((nodes + 1) / 2, weights / 2))


def _double_exponential() -> _Line:
    """The trapezoidal rule after a substitution whose integrand falls off doubly exponentially."""
    inner, slope = _substitution(*_RANGE)
    unit = 1 / (1 + np.exp(-2 * inner)), slope / (2 * np.cosh(inner) ** 2)
    whole = np.sinh(inner), slope * np.cosh(inner)
    inner, slope = _substitution(*_HALF_RANGE)
    return _Line(unit, (np.exp(inner), slope * np.exp(inner)), whole)


def _substitution(low: float, high: float) -> tuple[Array, Array]:
    """pi/2 sinh(k) at equally spaced k, and its derivative times the step."""
    k, step = np.linspace(low, high, _NODES, retstep=True)
    return np.pi / 2 * np.sinh(k), step * np.pi / 2 * np.cosh(k)


def _numbers(
    values: Sequence[sympy.Expr], known: Mapping[sympy.Expr, sympy.Expr], t: sympy.Expr
) -> list[float]:
    fields = [replace(put(v, known), {TIME: t}) for v in values]
    return [float(v) for v in _evaluate(fields, {})[:, 0]]
