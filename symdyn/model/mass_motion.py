"""Bodies whose mass changes or moves: lumped over links, and evaluated at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from symdyn.algebra.protocol import Algebra, S
from symdyn.algebra.term import TERMS, ZERO, Term, lift
from symdyn.model.robot import TIME, Body, MassMotion, Mat3T, Robot, Vec3T
from symdyn.spatial.inertia import Phi, add_phi, as_phi, move_phi, zero_phi
from symdyn.spatial.momentum import add_psi, as_psi, move_psi

if TYPE_CHECKING:
    from symdyn.mass.motion_terms import MotionTerms

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
    nu : (N,) twice the kinetic energy of the relative motion
    theta_source, psi_source : (10 N,), (12 N,) what sources took off the rates
    """

    theta: list[S]
    theta_dot: list[S]
    psi: list[S]
    psi_dot: list[S]
    nu: list[S]
    theta_source: list[S]
    psi_source: list[S]

    def arguments(self) -> dict[str, list[S]]:
        """All of them by name."""
        return {
            "theta": self.theta,
            "theta_dot": self.theta_dot,
            "psi": self.psi,
            "psi_dot": self.psi_dot,
            "nu": self.nu,
            "theta_source": self.theta_source,
            "psi_source": self.psi_source,
        }


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
    blocks: tuple[list[Term], ...] = ([], [], [], [], [], [], [])
    for body in robot.bodies:
        for block, part in zip(blocks, _parts(body), strict=True):
            block.extend(part)
    # one lift, so that shared parts are computed once
    numbers = iter(lift([term for block in blocks for term in block], algebra, known))
    return MassAtTime(*([next(numbers) for _ in block] for block in blocks))


def _parts(body: Body) -> tuple[Sequence[Term], ...]:
    """What one body contributes to each field of `MassAtTime`."""
    m = body.motion
    if m is None:
        ten, twelve = (ZERO,) * 10, (ZERO,) * 12
        return body.phi, ten, twelve, twelve, (ZERO,), ten, twelve
    return (
        m.phi,
        _less(m.phi_dot, m.source_phi),
        m.psi,
        _less(m.psi_dot, m.source_psi),
        (m.nu,),
        m.source_phi,
        m.source_psi,
    )


def as_motion(terms: MotionTerms) -> MassMotion:
    """Terms of a mass distribution as data of a robot."""
    return MassMotion(
        phi=terms.phi,
        phi_dot=terms.phi_dot,
        psi=terms.psi,
        psi_dot=terms.psi_dot,
        nu=terms.nu,
        source_phi=terms.source_phi,
        source_psi=terms.source_psi,
        statement=terms.statement,
        times=terms.times,
    )


def lump_motions(placed: Sequence[_Placed]) -> MassMotion | None:
    """The motion of a body from its links; None if no link has one.

    It is known to be possible at the times that the intervals of all of its links share.
    """
    if all(motion is None for _, motion, _, _ in placed):
        return None
    phis = [zero_phi(TERMS)] * 3
    psis = [as_psi((ZERO,) * 12)] * 3
    nu = ZERO
    statements: list[str] = []
    spans = [motion.times for _, motion, _, _ in placed if motion and motion.times]
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
        phis[0], phis[1], psis[0], psis[1], nu, phis[2], psis[2],
        " ".join(dict.fromkeys(statements)),
        (max(s for s, _ in spans), min(e for _, e in spans)) if spans else None,
    )  # fmt: skip


def _less(a: Sequence[Term], b: Sequence[Term]) -> list[Term]:
    return [x - y for x, y in zip(a, b, strict=True)]
