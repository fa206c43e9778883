"""Viscous and Coulomb friction of a joint, as robot files state it."""

from __future__ import annotations

from symdyn.algebra.protocol import Algebra, S


def viscous_coulomb(algebra: Algebra[S], velocity: S, damping: S, friction: S) -> S:
    """tau_f = damping v + friction sign(v), on the left side of the equation of motion.

    Parameters
    ----------
    velocity : of the joint [rad/s | m/s]
    damping : viscous coefficient [N m s/rad | N s/m], >= 0
    friction : Coulomb torque or force [N m | N], >= 0

    Returns
    -------
    tau_f : positive at positive velocity, 0 at rest (sign(0) = 0) [N m | N]

    Notes
    -----
    At rest ideal Coulomb friction is any value in [-friction, friction]; this is its value without
    load. Source: Olsson et al. 1998, section 2.1.
    """
    return damping * velocity + friction * algebra.unary("sign", velocity)
