"""Numeric integrals of a distribution, and the comparison of exact moments with them.

The road shares as little as can be with the exact one: integrands are those of (8), (25) and (27)
in the body's own frame; solids, disks and spheres are cut into other coordinates than those of
their chart (`Shape.slices`: Cartesian slices, other poles), in which nothing exact is ever
integrated. Where a field is not smooth enough there, the chart itself takes over, and the result
says so. That the pieces of a domain make up a set is not assumed from here: see
`symdyn.mass.possible_domain`.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import sympy

from symdyn._errors import UnsupportedError, VerificationError
from symdyn.mass.body import MassDistribution, Part
from symdyn.mass.coordinates import TIME, ZERO, Number, Vector, X, exact, rate, replace
from symdyn.mass.cubature import Cubature, cubature
from symdyn.mass.domain import Domain, Piece
from symdyn.mass.integrate import field_on_chart, to_piece
from symdyn.mass.mass_moments import MassMoments
from symdyn.mass.sampling import Array, Values, put, values_at
from symdyn.spatial.vector import add, apply

#: Degree that rules of shapes without a chart have to integrate exactly.
_DEGREE = 10
#: Relative error from which on the second coordinates of a shape give way to its chart.
_GOOD = 1e-11
#: How far beyond its own estimate a numeric integral may be off.
_TRUST = 10.0


@dataclass(frozen=True, slots=True)
class Verification:
    """How far exact moments are from quadrature.

    Attributes
    ----------
    worst : largest difference, relative to the largest number of its kind
    entry : where it occurs, such as ``phi[4]``
    times : at which times was compared [s]
    error : estimated error of the quadrature itself, relative likewise
    is_independent : whether all of it was done in other coordinates than the exact integrals, or
        those were closed forms
    """

    worst: float
    entry: str
    times: tuple[float, ...]
    error: float = 0.0
    is_independent: bool = True

    def sentence(self) -> str:
        """Agreement, times and the quadrature's own error in words."""
        at = ", ".join(f"{t:.6g}" for t in self.times)
        road = "independent quadrature" if self.is_independent else "quadrature in the same chart"
        own = f", itself good to {_decade(self.error)}" if self.error > 1e-10 else ""
        return f"exact integrals agree with {road} to {_decade(self.worst)}{own}, at t = {at}"


def _decade(error: float) -> str:
    """An error rounded up to a power of ten, not below 1e-12: the same on every machine."""
    return f"1e{max(-12, math.ceil(math.log10(error)))}" if error > 0 else "1e-12"


#: phi [10], psi [12], nu [1] at one time.
Expected: TypeAlias = Mapping[str, Sequence[float]]


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
    VerificationError : a difference above the tolerance and ten times the quadrature's own error
    """
    known = {**body.values, **{k: exact(v, f"value of {k}") for k, v in (values or {}).items()}}
    groups = {"phi": exact_moments.phi, "psi": exact_moments.psi, "nu": (exact_moments.nu,)}

    def expected(t: sympy.Expr) -> Expected:
        return {name: _numbers(entries, known, t) for name, entries in groups.items()}

    return compare(body, expected, known, times, tolerance)


def compare(
    body: MassDistribution,
    expected: Callable[[sympy.Expr], Expected],
    values: Values,
    times: Sequence[Number],
    tolerance: float = 1e-10,
) -> Verification:
    """Compare numbers, however they were found, with quadrature of the distribution.

    Parameters
    ----------
    expected : at a time: phi [10], psi [12] and nu [1]
    values : for all symbols and functions of time in the distribution

    Raises
    ------
    InputError, VerificationError : as `verify`
    """
    worst, entry, own, is_independent = 0.0, "", 0.0, True
    for t in times:
        now = exact(t, "times")
        sums = by_quadrature(body, values, now)
        is_independent = is_independent and sums.is_independent
        wanted = expected(now)
        for name, part in (("phi", slice(10)), ("psi", slice(10, 22)), ("nu", slice(22, 23))):
            numeric, error = sums.found.values[part], sums.found.errors[part]
            scale = max(1e-300, *(abs(w) for w in wanted[name]), float(np.max(np.abs(numeric))))
            doubt = float(np.max(error)) / scale
            own = max(own, doubt)
            for k, (w, n) in enumerate(zip(wanted[name], numeric, strict=True)):
                off = abs(w - float(n)) / scale
                if not off <= worst:
                    worst, entry = off, f"{name}[{k}]"
                if not off <= max(tolerance, _TRUST * doubt):
                    raise VerificationError(
                        f"mass moments and quadrature disagree: {name}[{k}] by {off:.3g}, "
                        f"tolerance {tolerance:g}, at t = {float(now):.6g}."
                    )
    return Verification(worst, entry, tuple(float(exact(t)) for t in times), own, is_independent)


@dataclass(frozen=True, slots=True)
class Sums:
    """Integrals with their errors, and whether they share nothing with the exact road."""

    found: Cubature
    is_independent: bool


def by_quadrature(body: MassDistribution, values: Values, t: sympy.Expr) -> Sums:
    """phi [10], psi [12] and nu [1] at one time, by quadrature in the body's own frame.

    The integrands are those of (8), (25) and (27) with place R x + p and velocity R' x + p' + R v
    of the moving fraction, R' x + p' of the rest.
    """
    total, errors, is_independent = np.zeros(23), np.zeros(23), True
    now = {k: replace(v, {TIME: t}) for k, v in values.items()}
    for one in body.parts:
        fields = [replace(put(f, values), {TIME: t}) for f in _integrands(one)]
        sums = quadrature(one.domain, fields, {**now, TIME: t})
        total, errors = total + sums.found.values, errors + sums.found.errors
        is_independent = is_independent and sums.is_independent
    return Sums(Cubature(total, errors), is_independent)


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


def quadrature(domain: Domain, fields: Sequence[sympy.Expr], values: Values) -> Sums:
    """Integrals of expressions in x, y, z over a domain; ``values`` replace its parameters.

    Raises
    ------
    InputError : a symbol has no value
    UnsupportedError : a function that cannot be evaluated
    """
    total, errors, is_independent = np.zeros(len(fields)), np.zeros(len(fields)), True
    for piece in domain.pieces:
        local = [put(to_piece(piece, f), values) for f in fields]
        factor = float(values_at([put(piece.factor, values)], {})[0, 0]) * piece.sign
        sums = _over_piece(piece, local, values)
        total += factor * sums.found.values
        errors += abs(factor) * sums.found.errors
        is_independent = is_independent and sums.is_independent
    return Sums(Cubature(total, errors), is_independent)


def _over_piece(piece: Piece, fields: Sequence[sympy.Expr], values: Values) -> Sums:
    shape = piece.shape
    if shape.chart is None:
        if shape.rule is None:
            raise UnsupportedError(f"{shape.name}: there is no quadrature for this shape.")
        nodes, weights = shape.rule(_DEGREE)
        found = values_at(fields, dict(zip(X, nodes.T, strict=True))) @ weights
        return Sums(Cubature(found, np.zeros(len(fields))), True)
    by_formula = shape.monomial is not None and all(f.is_polynomial(*X) for f in fields)
    best: Sums | None = None
    for chart, is_other in ((shape.slices, True), (shape.chart, by_formula)):
        if chart is None:
            continue
        measure = put(chart.measure, values)
        local = [ZERO if f == 0 else field_on_chart(chart, f) * measure for f in fields]
        found = Sums(cubature(chart, local, values), is_other)
        if found.found.worst <= _GOOD:
            return found
        if best is None or found.found.worst < best.found.worst:
            best = found
    assert best is not None
    return best


def _numbers(values: Sequence[sympy.Expr], known: Values, t: sympy.Expr) -> list[float]:
    fields = [replace(put(v, known), {TIME: t}) for v in values]
    try:
        found: Array = values_at(fields, {})[:, 0]
    except UnsupportedError:  # functions that only exact integrals bring, such as erf
        return [float(sympy.N(f, 30)) for f in fields]
    return [float(v) for v in found]
