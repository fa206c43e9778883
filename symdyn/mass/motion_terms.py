"""What equation (39) takes from one body, as exact terms: Phi(t), psi(t), their rates, sources.

The last step of every road from mass distributions to a robot: expressions of SymPy become terms
that any number kind can evaluate.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy

from symdyn._errors import InputError
from symdyn.algebra.term import Term
from symdyn.mass.continuity import continuity_of
from symdyn.mass.coordinates import TIME, ZERO
from symdyn.mass.domain import Domain
from symdyn.mass.mass_moments import MassMoments
from symdyn.mass.sources import Momentum, Source
from symdyn.mass.terms import terms_of
from symdyn.mass.zero import Zero, decide_zero


@dataclass(frozen=True, slots=True)
class MotionTerms:
    """Moments of one body in terms of declared parameters and of the time.

    Attributes
    ----------
    phi, phi_dot : [10] Phi and its rate, order of equation (7)
    psi, psi_dot : [12] psi and its rate, order of equation (27)
    nu : twice the energy of the relative motion
    source_phi, source_psi : what (39) takes from the two rates, by the momentum of the sources
    statement : closed or open, and the momentum that goes with the mass
    times : interval on which the body was looked at [s]; None if it is possible at all times
    """

    phi: tuple[Term, ...]
    phi_dot: tuple[Term, ...]
    psi: tuple[Term, ...]
    psi_dot: tuple[Term, ...]
    nu: Term
    source_phi: tuple[Term, ...]
    source_psi: tuple[Term, ...]
    statement: str
    times: tuple[Fraction, Fraction] | None


def motion_terms(
    body: MassMoments,
    source: Source,
    times: tuple[sympy.Expr, sympy.Expr],
    names: Mapping[sympy.Symbol, str] | None = None,
) -> MotionTerms:
    """Exact terms of a body and of its sources.

    Parameters
    ----------
    times : interval on which the body was looked at [s]
    names : of symbols; others keep their own name

    Raises
    ------
    InputError : a function of time without an expression, a path without a second rate
    UnsupportedError : a function that the table of operations lacks
    """
    groups = (
        body.phi, body.phi_dot, body.psi, body.psi_dot, (body.nu,), source.theta_dot, source.psi,
    )  # fmt: skip
    values = [_plain(e) for group in groups for e in group]
    for value in values:
        _check_smooth(value)
    terms = iter(terms_of(values, names))
    phi, phi_dot, psi, psi_dot, (nu,), source_phi, source_psi = (
        tuple(next(terms) for _ in group) for group in groups
    )
    span = None if _is_of_all_times(body, source) else (_fraction(times[0]), _fraction(times[1]))
    return MotionTerms(
        phi, phi_dot, psi, psi_dot, nu, source_phi, source_psi, statement(body, source), span
    )


def statement(body: MassMoments, source: Source) -> str:
    """Whether the body is closed, and what momentum goes with its mass, for reports."""
    said = continuity_of(body).sentence()
    if source.momenta == (Momentum.NONE,):
        return said
    words = source.sentence()
    return f"{said} {words[0].upper()}{words[1:]}."


def _is_of_all_times(body: MassMoments, source: Source) -> bool:
    """Whether nothing that decides if the body is possible depends on the time: poses may."""
    if source.momenta != (Momentum.NONE,):
        return False
    if body.body is None:
        return not any(e.has(TIME) for e in (*body.phi, *body.psi, body.nu))
    return not any(
        field.has(TIME)
        for part in body.body.parts
        for field in (part.density, part.moving, *part.velocity, *_fields(part.domain))
    )


def _fields(domain: Domain) -> Iterator[sympy.Expr]:
    """What a domain is made with, as far as its pieces tell."""
    for piece in domain.pieces:
        yield from piece.shift
        for row in piece.matrix:
            yield from row
        yield from (size for _, size in piece.shape.sizes)
        chart = piece.shape.chart
        if chart is not None:
            yield from (*chart.place, chart.measure)
            yield from (end for r in chart.ranges for end in (r.low, r.high))


def _plain(value: sympy.Expr) -> sympy.Expr:
    """Zero for what is proved to be zero, so that no target computes a rounding error of it."""
    return ZERO if value != 0 and decide_zero(value) is Zero.PROVED else value


def _check_smooth(value: sympy.Expr) -> None:
    if value.has(sympy.DiracDelta, sympy.Heaviside, sympy.Subs):
        raise InputError(
            "a rate of the moments does not exist at some time",
            expected="places, turns and velocities with a second (velocities: a first) derivative "
            "in t",
            got="abs, sign, min or max of something that depends on t",
            remedy="Use a smooth function, such as sqrt(x^2 + c^2) for abs(x).",
        )


def _fraction(value: sympy.Expr) -> Fraction:
    """An end of an interval; one that is no rational to double precision."""
    if isinstance(value, sympy.Rational):
        return Fraction(int(value.p), int(value.q))
    return Fraction(float(value))
