"""Continuity: what Phi(t) and psi(t) of one body have to do with each other.

No mass appears or vanishes in a *closed* body, rho' = -div(sigma rho v), and then

    Phi' = L psi:   m' = 0,   h' = p,   Sigma' = W + W^T,   I' = 2 tr(W) 1 - W - W^T

with p = psi[0:3] and W[j,i] = psi[3+3i+j]. L has rank 9; together with the six rows Q of
mu = (p; ell) it has rank 12, so psi and (h', I', ell) determine each other, and the free data of a
closed body are a constant m, h(t), I(t) and ell(t): Phi' and psi are not independent inputs.

An *open* body has a source, rho' = -div(sigma rho v) + s; Phi' - L psi are the moments of s. What
the mass brings along or takes away has to be stated (`symdyn.mass.sources`).
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy

from symdyn._errors import InputError, SizeError, counted
from symdyn.mass.coordinates import ONE, TIME, ZERO, Number, Vector, exact, rate
from symdyn.mass.mass_moments import MassMoments, from_functions
from symdyn.mass.realisable import least_energy, require_possible, twelve
from symdyn.mass.zero import Zero, decide_zero
from symdyn.spatial.momentum import acting_momentum

#: Phi' = L psi for a closed body: (index of psi, coefficient) per entry of Phi, order of (7).
L: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    ((0, 1),), ((1, 1),), ((2, 1),),
    ((7, 2), (11, 2)), ((3, 2), (11, 2)), ((3, 2), (7, 2)),
    ((4, -1), (6, -1)), ((8, -1), (10, -1)), ((5, -1), (9, -1)),
)  # fmt: skip
#: The equation that each row of L states, for messages; s = psi[3:].
EQUATIONS: tuple[str, ...] = (
    "dm/dt = 0",
    "dh1/dt = psi[0]", "dh2/dt = psi[1]", "dh3/dt = psi[2]",
    "dI11/dt = 2 (s4 + s8)", "dI22/dt = 2 (s0 + s8)", "dI33/dt = 2 (s0 + s4)",
    "dI12/dt = -(s1 + s3)", "dI23/dt = -(s5 + s7)", "dI13/dt = -(s2 + s6)",
)  # fmt: skip

#: A longer expression is cut in a sentence.
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Continuity:
    """Whether a body is closed.

    Attributes
    ----------
    is_closed : Phi' = L psi
    is_proved : whether that was decided exactly (else at random points to 70 digits)
    residual : [10] Phi' - L psi, the moments of the source; all zero if closed
    violated : the equations that a closed body would satisfy and this one does not
    """

    is_closed: bool
    is_proved: bool
    residual: tuple[sympy.Expr, ...]
    violated: tuple[str, ...]

    def sentence(self) -> str:
        """The verdict in one line."""
        how = "" if self.is_proved else " (at random points to 70 digits)"
        if self.is_closed:
            return f"closed: Phi' = L psi{how}."
        rest = _short(next(r for r in self.residual if r != 0))
        others = len(self.violated) - 1
        also = f", and {counted(others, 'further equation')} of a closed body" if others else ""
        return f"open: {self.violated[0]} fails by {rest}{also}{how}."


def continuity_of(body: MassMoments) -> Continuity:
    """Decide whether a body is closed, with the residual of every equation.

    Where it takes numbers, they are times at which the distribution is known, and letters near
    their values.
    """
    known: dict[sympy.Symbol, tuple[sympy.Expr, sympy.Expr]] = {}
    if body.body is not None:
        known = {
            letter: (value / 2, 3 * value / 2)
            for letter, value in body.body.values.items()
            if isinstance(letter, sympy.Symbol) and value.is_number and value != 0
        }
        known[TIME] = body.body.times
    residual = [d - e for d, e in zip(body.phi_dot, phi_rate(body.psi), strict=True)]
    verdicts = [decide_zero(r, known) for r in residual]
    return Continuity(
        is_closed=all(v.holds for v in verdicts),
        is_proved=all(v is not Zero.NUMERICALLY for v in verdicts),
        residual=tuple(
            ZERO if v.holds else sympy.factor_terms(r)
            for r, v in zip(residual, verdicts, strict=True)
        ),
        violated=tuple(e for e, v in zip(EQUATIONS, verdicts, strict=True) if not v.holds),
    )


def require_closed(body: MassMoments, where: str = "") -> None:
    """Refuse a body whose Phi' is not what psi makes of it.

    Raises
    ------
    InputError : names the equation that is violated and by how much
    """
    found = continuity_of(body)
    if not found.is_closed:
        k = EQUATIONS.index(found.violated[0])
        raise InputError(
            "Phi' and psi contradict each other",
            where=where,
            expected=f"{EQUATIONS[k]} for a closed body",
            got=f"a difference of {_short(found.residual[k])}",
            remedy="Give one of them only (closed_body), or state the source of the mass.",
        )


def phi_rate(psi: Sequence[sympy.Expr]) -> tuple[sympy.Expr, ...]:
    """L psi: the rate of Phi that the relative motion alone makes."""
    twelve(psi, "phi_rate")
    return tuple(_row(row, psi) for row in L)


def closed_psi(phi_dot: Sequence[sympy.Expr], ell: Sequence[sympy.Expr]) -> tuple[sympy.Expr, ...]:
    """The psi of a closed body: the inverse of (L; Q).

    Parameters
    ----------
    phi_dot : [10], its first entry zero
    ell : [3] moment of momentum of the relative motion about the frame origin [kg m^2/s]

    Raises
    ------
    InputError : the mass changes
    """
    if len(phi_dot) != 10:
        raise SizeError("closed_psi", "phi_dot", 10, len(phi_dot))
    if len(ell) != 3:
        raise SizeError("closed_psi", "ell", 3, len(ell))
    if not decide_zero(phi_dot[0]).holds:
        raise InputError(
            "a closed body keeps its mass",
            where="closed_psi",
            expected=EQUATIONS[0],
            got=str(phi_dot[0]),
        )
    _, p1, p2, p3, i11, i22, i33, i12, i23, i13 = phi_dot
    half = sympy.Rational(1, 2)
    # the symmetric part of W is half the rate of Sigma, the antisymmetric part is ell
    w11, w22, w33 = (i22 + i33 - i11) / 4, (i11 + i33 - i22) / 4, (i11 + i22 - i33) / 4
    w12, w21 = half * (-i12 + ell[2]), half * (-i12 - ell[2])
    w23, w32 = half * (-i23 + ell[0]), half * (-i23 - ell[0])
    w31, w13 = half * (-i13 + ell[1]), half * (-i13 - ell[1])
    # psi[3 + 3 i + j] = W[j, i]
    return (p1, p2, p3, w11, w21, w31, w12, w22, w32, w13, w23, w33)


def free_data(psi: Sequence[sympy.Expr]) -> tuple[tuple[sympy.Expr, ...], Vector]:
    """(Phi', ell) of a closed body with this psi; inverse of `closed_psi`."""
    twelve(psi, "free_data")
    return phi_rate(psi), acting_momentum(psi)[1]


def closed_body(
    phi: Sequence[Number],
    ell: Sequence[Number] = (ZERO, ZERO, ZERO),
    nu: Number | None = None,
    *,
    times: tuple[Number, Number] = (ZERO, ONE),
) -> MassMoments:
    """The moments of a closed body from its free data: m constant, h(t), I(t), ell(t).

    Parameters
    ----------
    phi : [10] functions of time
    ell : [3] functions of time
    nu : twice the kinetic energy of the relative motion; None for the least that is possible, that
        of an affine flow (`least_energy`)
    times : interval on which it is looked at whether such a body can exist [s]

    Raises
    ------
    InputError : the mass changes; no body has these moments, see `symdyn.mass.realisable`
    """
    given = [exact(e, f"phi[{k}]") for k, e in enumerate(phi)]
    turn = [exact(e, f"ell[{k}]") for k, e in enumerate(ell)]
    psi = closed_psi([rate(e) for e in given], turn)
    energy = least_energy(given, psi) if nu is None else exact(nu, "nu")
    interval = exact(times[0], "times"), exact(times[1], "times")
    require_possible(given, psi, energy, {}, interval, "closed_body")
    return from_functions(given, psi, energy)


def _short(value: sympy.Expr) -> str:
    """For a sentence: a long expression is cut."""
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 4]} ..."


def _row(row: tuple[tuple[int, int], ...], psi: Sequence[sympy.Expr]) -> sympy.Expr:
    total = ZERO
    for k, c in row:
        total += c * psi[k]
    return total
