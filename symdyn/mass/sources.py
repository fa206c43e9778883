"""Sources of open bodies: what mass that arrives or leaves does to equation (39).

With a source s(x, t) whose mass arrives (s > 0) or leaves (s < 0) with the velocity v_s against the
body, the balance of momentum is

    M qdd + (C + M(q, Theta' - Theta'_src) + H) qd + G = tau + w - J^T Q (Psi' - Psi_src)

with Theta'_src the moments of s and Psi_src = int s (1; A(x)) v_s. Equation (39) as printed is
right exactly if the momentum that the source brings vanishes, M(q, Theta'_src) qd + J^T Q Psi_src =
0: closed bodies, or mass that arrives at rest in the inertial frame. Which one holds is no property
of Phi(t); it has to be said, and every result says it.

A body may have several sources: each is a `Flow`, and one convention may be given for what they
leave over of Phi' - L psi.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

import numpy as np
import sympy

from symdyn._errors import InputError, UnsupportedError
from symdyn.mass.body import MassDistribution, Part, content, part
from symdyn.mass.certain import decide_at_least
from symdyn.mass.continuity import EQUATIONS, continuity_of, require_closed
from symdyn.mass.coordinates import (
    ONE,
    ORIGIN,
    TIME,
    ZERO,
    Number,
    Vector,
    exact,
    replace,
)
from symdyn.mass.domain import Domain
from symdyn.mass.mass_moments import MassMoments, moments
from symdyn.mass.possible_domain import check_domain
from symdyn.mass.realisable import ROUNDING, scaled_pseudo_inertia
from symdyn.mass.sampling import is_known, nodes, put, rational, shown, unfold, values_at
from symdyn.mass.zero import decide_zero


class Momentum(Enum):
    """What momentum the mass of a source carries; the text goes into reports."""

    NONE = "closed body, no source"
    AT_REST = "mass arrives at rest in the inertial frame and brings no momentum: (39) as printed"
    CO_MOVING = "mass arrives or leaves with the velocity of the body at its place"
    STREAM = "mass arrives or leaves with a given velocity against the body"


#: The word for each in messages and files.
WORDS: dict[Momentum, str] = {
    Momentum.AT_REST: "at_rest",
    Momentum.CO_MOVING: "co_moving",
    Momentum.STREAM: "stream",
}


@dataclass(frozen=True, slots=True)
class Flow:
    """One source of a body: where mass comes or goes, how much, and with what momentum.

    Attributes
    ----------
    momentum : what the mass carries
    inflow : the place, with s(x, t) [kg/s/m^dimension] for density and v_s(x, t) for velocity,
        which has its components along the domain's axes and is taken against the body
    """

    momentum: Momentum
    inflow: Part


@dataclass(frozen=True, slots=True)
class Source:
    """What the source terms of (39) are.

    Attributes
    ----------
    momenta : the conventions, each once
    arriving : [10] moments of all mass that comes or goes, Phi' - L psi
    theta_dot : [10] Theta'_src, to be taken from Theta' in M(q, Theta')
    psi : [12] Psi_src, to be taken from Psi' in J^T Q Psi'
    """

    momenta: tuple[Momentum, ...]
    arriving: tuple[sympy.Expr, ...]
    theta_dot: tuple[sympy.Expr, ...]
    psi: tuple[sympy.Expr, ...]

    def sentence(self) -> str:
        """The conventions in words, for the report."""
        words = [m.value for m in self.momenta if m is not Momentum.NONE]
        return "; some ".join(words) if words else Momentum.NONE.value


def flow(
    domain: Domain,
    momentum: Momentum,
    *,
    density_rate: Number | None = None,
    mass_rate: Number | None = None,
    velocity: Sequence[Number] = ORIGIN,
    at: Sequence[Number] = ORIGIN,
    rotation: Sequence[Sequence[Number]] | None = None,
    name: str = "",
) -> Flow:
    """One source of a body.

    Parameters
    ----------
    domain : where mass comes or goes
    momentum : what it carries
    density_rate : s(x, t) [kg/s/m^dimension], negative where mass leaves; or else
    mass_rate : spread evenly over the domain [kg/s]
    velocity : v_s(x, t) against the body, along the domain's axes [m/s]; only of a stream
    at, rotation : pose of the domain in the body's frame; its own motion carries nothing along

    Raises
    ------
    InputError : both rates or none, a velocity of mass that is no stream, what `part` objects to
    """
    title = name or f"source {domain.name}"
    if (density_rate is None) == (mass_rate is None):
        raise InputError(
            "a source needs either density_rate or mass_rate",
            where=title,
            expected="density_rate [kg/s per m^3, m^2, m or point], or mass_rate [kg/s]",
            got="both" if mass_rate is not None else "neither",
        )
    if momentum is Momentum.NONE:
        raise InputError("a source has a momentum", where=title, expected=", ".join(WORDS.values()))
    if density_rate is None:
        assert mass_rate is not None
        s = exact(mass_rate, f"{title}, mass_rate") / content(domain)
    else:
        s = exact(density_rate, f"{title}, density_rate")
    made = part(domain, density=s, velocity=velocity, at=at, rotation=rotation, name=title)
    if momentum is not Momentum.STREAM and any(c != 0 for c in made.velocity):
        raise InputError(
            f"mass of the kind {WORDS[momentum]} has no velocity of its own",
            where=f"{title}, velocity",
            expected=f"none, or {WORDS[Momentum.STREAM]}",
        )
    return Flow(momentum, made)


def source_of(
    body: MassMoments,
    momentum: Momentum | None = None,
    flows: Sequence[Flow] = (),
    *,
    times: tuple[Number, Number] | None = None,
) -> Source:
    """The source terms of a body.

    Parameters
    ----------
    body : its sources are what continuity leaves over, Phi' - L psi
    momentum : what the mass carries that no flow accounts for; may be left out if there is none
    flows : sources that are known one by one
    times : interval on which mass that arrives at rest is looked at [s]; if None that of the
        body's distribution, else [0, 1]

    Raises
    ------
    InputError : mass that comes or goes without a convention, with the equation that says so;
        ``STREAM`` for it (a stream is a flow); mass at rest that leaves, which no mechanism
        produces, with a time; places of a flow that count twice
    """
    found = continuity_of(body)
    values, interval = known_of(body, times)
    for one in flows:
        check_domain(one.inflow.domain, one.inflow.name, values, interval)
    taken = [_moments_of(one) for one in flows]
    rest = [
        _without_zero(r - sum((phi[k] for phi, _ in taken), ZERO))
        for k, r in enumerate(found.residual)
    ]
    for one, (phi, _) in zip(flows, taken, strict=True):
        if one.momentum is Momentum.AT_REST:
            _check_arrival(phi, one.inflow.name, values, interval)
    kinds = [one.momentum for one in flows]
    theta_dot, psi = [ZERO] * 10, [ZERO] * 12
    for one, (phi, momenta) in zip(flows, taken, strict=True):
        if one.momentum is not Momentum.AT_REST:
            theta_dot = [a + b for a, b in zip(theta_dot, phi, strict=True)]
        psi = [a + b for a, b in zip(psi, momenta, strict=True)]
    if any(r != 0 for r in rest):
        _check_convention(body, momentum, rest, len(flows))
        assert momentum is not None
        kinds.append(momentum)
        if momentum is Momentum.AT_REST:
            _check_arrival(rest, "momentum", values, interval)
        else:
            theta_dot = [a + b for a, b in zip(theta_dot, rest, strict=True)]
    momenta = tuple(m for m in Momentum if m in kinds) or (Momentum.NONE,)
    return Source(momenta, found.residual, tuple(theta_dot), tuple(psi))


def stream(
    body: MassMoments, domain: Domain, rate: Number, velocity: Sequence[Number] = ORIGIN
) -> Source:
    """The source terms of a body whose only source is one stream.

    Parameters
    ----------
    body : the body with the mass that has arrived
    domain : where, in the body's frame
    rate : s(x, t) [kg/s/m^dimension], negative where mass leaves
    velocity : v_s(x, t) against the body [m/s]

    Raises
    ------
    InputError : the source does not account for Phi' - L psi; names the equation
    """
    one = flow(domain, Momentum.STREAM, density_rate=rate, velocity=velocity, name="stream")
    return source_of(body, None, [one])


def known_of(
    body: MassMoments, times: tuple[Number, Number] | None
) -> tuple[Mapping[sympy.Expr, sympy.Expr], tuple[sympy.Expr, sympy.Expr]]:
    """Values of letters, and the interval of time."""
    values = {} if body.body is None else body.body.values
    if times is not None:
        return values, (exact(times[0], "times"), exact(times[1], "times"))
    return values, (ZERO, ONE) if body.body is None else body.body.times


def _moments_of(one: Flow) -> tuple[tuple[sympy.Expr, ...], tuple[sympy.Expr, ...]]:
    """Moments of s, and of s v_s: those of a part at rest whose density is s."""
    now: sympy.Symbol = sympy.Dummy("now", real=True)
    to: dict[sympy.Symbol, sympy.Expr] = {TIME: now}
    back: dict[sympy.Symbol, sympy.Expr] = {now: TIME}
    p = one.inflow
    held = Part(
        p.name,
        p.domain,
        p.density,
        ONE,
        p.velocity,
        (_put(p.rotation[0], to), _put(p.rotation[1], to), _put(p.rotation[2], to)),
        _put(p.at, to),
    )
    found = moments(MassDistribution((held,), {}, (ZERO, ONE)))
    return (
        tuple(replace(e, back) for e in found.phi),
        tuple(replace(e, back) for e in found.psi),
    )


def _put(v: Vector, names: Mapping[sympy.Symbol, sympy.Expr]) -> Vector:
    return replace(v[0], names), replace(v[1], names), replace(v[2], names)


def _without_zero(value: sympy.Expr) -> sympy.Expr:
    return ZERO if decide_zero(value).holds else value


def _check_convention(
    body: MassMoments, momentum: Momentum | None, rest: Sequence[sympy.Expr], flows: int
) -> None:
    """Refuse to guess what mass carries that no flow accounts for."""
    k = next(k for k, r in enumerate(rest) if r != 0)
    found = continuity_of(body)
    need = found.residual[k]
    if momentum is None or momentum is Momentum.NONE:
        if flows:
            raise InputError(
                "the sources do not account for the change of Phi",
                where="momentum",
                expected=f"{need} in {EQUATIONS[k]}",
                got=f"{sympy.factor_terms(need - rest[k])}",
                remedy="Mend a rate, or state the momentum of the rest.",
            )
        if body.body is None and rest[0] == 0:
            require_closed(body, "source_of")
        raise InputError(
            "an open body needs the momentum of the mass it gains or loses",
            where="momentum",
            expected="at_rest or co_moving, or a flow for each source",
            got=found.sentence().removesuffix("."),
        )
    if momentum is Momentum.STREAM:
        raise InputError(
            "a stream needs its velocity",
            where="momentum",
            expected="a flow of the kind stream, with place, rate and velocity",
        )


_AT_REST = "mass that leaves does not come to rest in the inertial frame"
_REMEDY = (
    "Take co_moving, or a stream with its velocity; (39) as printed for any rate is "
    "generalized_inverse_dynamics with theta_dot."
)


def _check_arrival(
    arriving: Sequence[sympy.Expr],
    where: str,
    values: Mapping[sympy.Expr, sympy.Expr],
    times: tuple[sympy.Expr, sympy.Expr],
) -> None:
    """Refuse mass at rest unless all of it arrives: the moments of s >= 0 have dm >= 0, f >= 0.

    The sign of dm/dt is decided by intervals where they decide it; f is looked at at many times.
    """
    known = [put(e, values) for e in arriving]
    if known[0].is_negative:
        raise _leaving(where, f"dm/dt = {known[0]}")
    if known[0] == 0 and any(e != 0 for e in known):
        raise _leaving(where, "dm/dt = 0, so that as much leaves as arrives")
    if not is_known(*known, letters=(TIME,)):
        return
    u = unfold(None, values, times)
    fields = [u.on(e) for e in known]
    grid, numbers = nodes(u.letters)
    try:
        found = values_at(fields, dict(zip(u.letters, numbers, strict=True)))
    except UnsupportedError:
        return
    found = np.where(np.isfinite(found), found, 0.0)
    scale = float(np.max(np.abs(found[0]), initial=1e-300))
    f, _ = scaled_pseudo_inertia(found)
    eigenvalues = np.linalg.eigvalsh(f)
    size = np.max(np.abs(eigenvalues), axis=1)
    is_bad = eigenvalues[:, 0] < -ROUNDING * np.max(size, initial=1e-300)
    bad = np.flatnonzero((found[0] < -ROUNDING * scale) | is_bad)
    if len(bad):
        k = int(bad[0])
        node = grid[k] if k < len(grid) else tuple(rational(float(c)) for c in numbers[:, k])
        t = shown(replace(u.on(TIME), dict(zip(u.letters, node, strict=True))))
        if found[0, k] < 0:
            raise _leaving(where, f"dm/dt = {found[0, k]:.6g} at t = {t}")
        raise _leaving(
            where, f"at t = {t} more than dm/dt = {found[0, k]:.6g} arrives, some leaves"
        )
    decision = decide_at_least(fields[0], -Fraction(scale * ROUNDING), u.letters)
    if decision.holds is False:
        at = [sympy.Rational(c.numerator, c.denominator) for c in decision.point]
        t = shown(replace(u.on(TIME), dict(zip(u.letters, at, strict=True))))
        raise _leaving(where, f"dm/dt < 0 at t = {t}")


def _leaving(where: str, got: str) -> InputError:
    return InputError(
        _AT_REST,
        where=where,
        expected="mass that arrives everywhere at all times",
        got=got,
        remedy=_REMEDY,
    )
