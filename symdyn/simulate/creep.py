"""What a loaded joint does at rest under each kind of friction: it holds, creeps, or drifts.

A smoothed law has no force at rest, so a load below break-away makes the joint creep: at
v = eps atanh(load/Fc) for tanh and no viscous part. Set-valued friction holds. Bristles give way
like a spring and hold, but drift under a load that oscillates (Olsson et al. 1998, section 4).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from symdyn._errors import InputError
from symdyn.friction.law import FrictionLaw
from symdyn.simulate.joint_friction import JointFriction, bounds, sliding


def creep_speed(
    law: FrictionLaw,
    values: Mapping[str, float],
    load: float,
    signals: Mapping[str, float] | None = None,
) -> float:
    """Velocity at which a joint creeps under a constant load below break-away.

    Parameters
    ----------
    law, values : a static law and its parameters
    load : torque that the joint should hold [N m | N]
    signals : values of the law's signals

    Returns
    -------
    v : [rad/s | m/s], of the sign of the load; 0 if the joint holds; infinity if no slow motion
        carries the load: the joint breaks away

    Notes
    -----
    The smallest speed at which friction equals the load: found where the curve first reaches it,
    on a geometric grid of 200 speeds a decade of the law's smoothing width, then bisected to the
    last place.

    Examples
    --------
    >>> from symdyn.friction.coulomb import COULOMB_SET, COULOMB_SMOOTH
    >>> creep_speed(COULOMB_SMOOTH, {"Fc": 1, "b": 0, "eps": 1e-3}, 0.4905)
    0.000536...
    >>> creep_speed(COULOMB_SET, {"Fc": 1, "b": 0}, 0.4905)
    0.0
    """
    if law.states:
        raise InputError(
            f"{law.name} has states: it gives way and holds, it does not creep",
            where="creep_speed",
        )
    f = JointFriction(law, values, signals={"position": 0.0, **(signals or {})})
    low, high = bounds(f, 0.0)
    if low <= load <= high:
        return 0.0
    side = 1.0 if load > high else -1.0

    def reaches(speed: float) -> bool:
        return side * (sliding(f, 0.0, side * speed) - load) >= 0

    ratio = 10 ** (1 / 200)
    slow = fast = 1e-12
    while not reaches(fast):
        slow, fast = fast, fast * ratio
        if fast > 1e6:
            return side * math.inf
    if fast == slow:
        slow = 0.0
    while True:
        middle = (slow + fast) / 2
        if middle in (slow, fast):
            return side * fast
        slow, fast = (slow, middle) if reaches(middle) else (middle, fast)
