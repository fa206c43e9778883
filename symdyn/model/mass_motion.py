"""Bodies whose mass changes or moves: lumped over links, and evaluated at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from symdyn.algebra.protocol import Algebra, S
from symdyn.algebra.term import TERMS, ZERO, Term, lift
from symdyn.model.robot import TIME, MassMotion, Mat3T, Robot, Vec3T
from symdyn.spatial.inertia import Phi, add_phi, as_phi, move_phi, zero_phi
from symdyn.spatial.momentum import add_psi, as_psi, move_psi

#: A link's phi, its motion if it has one, and its pose in the body.
_Placed = tuple[Phi[Term], MassMotion | None, Mat3T, Vec3T]


@dataclass(frozen=True, slots=True)
class MassAtTime(Generic[S]):
    """The arguments of the generalized equation at one time, bodies stacked.

    Attributes
    ----------
    theta : (10 N,) inertial parameters
    theta_dot : (10 N,) their rates, less the moments of sources
    psi : (12 N,) moments of relative momentum
    psi_dot : (12 N,) their rates, less the momentum flux of sources
    nu : twice the kinetic energy of the relative motion of all bodies
    """

    theta: list[S]
    theta_dot: list[S]
    psi: list[S]
    psi_dot: list[S]
    nu: S


def mass_at(
    robot: Robot, algebra: Algebra[S], t: S, parameters: Mapping[str, S] | None = None
) -> MassAtTime[S]:
    """Theta, its rate, Psi and its rate at time t, over any number kind.

    Parameters
    ----------
    robot : bodies without a motion contribute their own phi and zeros
    algebra : the number kind; over a graph these are the functions of t to generate
    t : time [s]
    parameters : values of declared parameters; those left out take the robot's own value
    """
    known = {p.name: algebra.const(p.value) for p in robot.parameters}
    known.update(parameters or {})
    known[TIME] = t
    zero = (ZERO,)
    theta: list[Term] = []
    rates: list[Term] = []
    psi: list[Term] = []
    psi_rates: list[Term] = []
    nu = ZERO
    for body in robot.bodies:
        m = body.motion
        theta.extend(body.phi if m is None else m.phi)
        rates.extend(zero * 10 if m is None else _less(m.phi_dot, m.source_phi))
        psi.extend(zero * 12 if m is None else m.psi)
        psi_rates.extend(zero * 12 if m is None else _less(m.psi_dot, m.source_psi))
        nu = nu if m is None else nu + m.nu
    # one lift, so that shared parts are computed once
    numbers = lift([*theta, *rates, *psi, *psi_rates, nu], algebra, known)
    n, k = len(theta), len(psi)
    return MassAtTime(
        numbers[:n],
        numbers[n : 2 * n],
        numbers[2 * n : 2 * n + k],
        numbers[2 * n + k : 2 * n + 2 * k],
        numbers[-1],
    )


def lump_motions(placed: Sequence[_Placed]) -> MassMotion | None:
    """The motion of a body from its links; None if no link has one."""
    if all(motion is None for _, motion, _, _ in placed):
        return None
    phis = [zero_phi(TERMS)] * 3
    psis = [as_psi((ZERO,) * 12)] * 3
    nu = ZERO
    statements: list[str] = []
    for phi, motion, R, p in placed:
        if motion is None:
            phis[0] = add_phi(phis[0], move_phi(R, p, phi))
            continue
        for k, part in enumerate((motion.phi, motion.phi_dot, motion.source_phi)):
            phis[k] = add_phi(phis[k], move_phi(R, p, as_phi(part)))
        for k, part in enumerate((motion.psi, motion.psi_dot, motion.source_psi)):
            psis[k] = add_psi(psis[k], move_psi(R, p, as_psi(part)))
        nu = nu + motion.nu
        statements.append(motion.statement)
    return MassMotion(
        phis[0], phis[1], psis[0], psis[1], nu, phis[2], psis[2], " ".join(statements)
    )


def _less(a: Sequence[Term], b: Sequence[Term]) -> list[Term]:
    return [x - y for x, y in zip(a, b, strict=True)]
