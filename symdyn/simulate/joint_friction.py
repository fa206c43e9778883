"""Friction on the coordinates of a mechanism, in numbers: any static law as a set-valued one.

At rest the force may be anything between the limits from both sides (Filippov's convex set), or
what the law itself states. That makes ``coulomb`` and ``coulomb-set`` the same ideal friction.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.dual import Dual, DualAlgebra
from symdyn.algebra.float64 import FLOAT64
from symdyn.friction.law import FrictionLaw

#: Velocity that stands for the limit from one side: far below any scale of a law.
_NEXT_TO_REST = 1e-300
#: Time after which bristles have settled at any velocity that is not rest [s].
_LONG = 1e12
_DUAL = DualAlgebra(FLOAT64)


@dataclass(frozen=True)
class JointFriction:
    """One law on one coordinate.

    Attributes
    ----------
    law, values : the law and its parameters, checked
    coordinate : index of the coordinate
    multiplier, offset : the joint moves at multiplier times the coordinate's velocity; its position
        is multiplier q + offset
    signals : constant values of the law's signals; a position is the joint's own
    """

    law: FrictionLaw
    values: Mapping[str, float]
    coordinate: int = 0
    multiplier: float = 1.0
    offset: float = 0.0
    signals: Mapping[str, float] = field(default_factory=dict[str, float])

    def __post_init__(self) -> None:
        self.law.check(self.values)
        try:
            # sliding and rest may need fewer signals than the law has (Karnopp's load)
            sliding(self, 0.0, 1.0)
            bounds(self, 0.0)
        except KeyError as missing:
            raise InputError(
                f"no value for the signal {missing.args[0]!r}",
                where=f"friction law {self.law.name}",
                expected="values of " + " ".join(q.name for q in self.law.signals),
            ) from None

    def inputs(self, q: float) -> dict[str, float]:
        """Values of the law's signals at a position of the coordinate."""
        return {"position": self.multiplier * q + self.offset, **self.signals}


def sliding(f: JointFriction, q: float, v: float) -> float:
    """Force on the coordinate at velocity v, in steady sliding [N m | N]."""
    m = f.multiplier
    return m * f.law.steady(FLOAT64, m * v, (), f.inputs(q), f.values)


def sliding_limit(f: JointFriction, q: float, side: int) -> float:
    """Force on the coordinate as v tends to 0 from above (side = 1) or below (-1)."""
    force = sliding(f, q, side * _NEXT_TO_REST)
    # what a finite slope gives there is 0
    return force if abs(force) > 1e-200 else 0.0


def slope(f: JointFriction, q: float, v: float) -> float:
    """dF/dv at v; at rest that of the forward side."""
    p = {name: _DUAL.constant(value) for name, value in f.values.items()}
    u = {name: _DUAL.constant(value) for name, value in f.inputs(q).items()}
    m = _DUAL.constant(f.multiplier)
    force: Dual[float] = m * f.law.steady(_DUAL, m * _DUAL.variable(v), (), u, p)
    return force.rate


def continued(f: JointFriction, q: float, v: float, side: int) -> float:
    """Force of sliding in one direction, continued smoothly to the other side of rest.

    An integrator looks past the moment of stopping before it finds it; there it must not meet the
    jump of the law.
    """
    if v * side > 0:
        return sliding(f, q, v)
    limit = sliding_limit(f, q, side)
    steep = slope(f, q, side * _NEXT_TO_REST)
    # an infinite slope (Stribeck exponent below 1) is no continuation
    return limit + steep * v if math.isfinite(steep) and abs(steep * v) < abs(limit) else limit


def bounds(f: JointFriction, q: float) -> tuple[float, float]:
    """Lower and upper end of the forces on the coordinate at rest."""
    if f.law.at_rest is not None:
        ends = f.law.at_rest(FLOAT64, f.inputs(q), f.values)
        low, high = f.multiplier * ends[0], f.multiplier * ends[1]
    else:
        low, high = sliding_limit(f, q, -1), sliding_limit(f, q, 1)
    return (low, high) if f.multiplier > 0 else (high, low)


def settled_states(f: JointFriction, q: float, v: float) -> list[float]:
    """States of a law with bristles after long sliding at the coordinate's velocity; 0 at rest."""
    rest = [0.0] * len(f.law.states)
    if f.law.update is None:
        return rest
    return f.law.update(FLOAT64, f.multiplier * v, rest, f.inputs(q), f.values, _LONG)


def sticks(f: JointFriction, q: float) -> bool:
    """Whether the law holds a load at rest."""
    low, high = bounds(f, q)
    return low < high


def check_static(frictions: Sequence[JointFriction], n: int, where: str) -> None:
    """Raise unless all laws are static and act on existing coordinates.

    Raises
    ------
    UnsupportedError : a law has states
    InputError : a coordinate does not exist, or a law supplies energy at rest
    """
    for f in frictions:
        if f.law.states:
            raise UnsupportedError(
                f"{where}: {f.law.name} has states and is not set-valued. "
                "Use simulate.implicit or simulate.reference."
            )
        if not 0 <= f.coordinate < n:
            raise InputError(
                "friction on a coordinate that does not exist",
                where=where,
                expected=f"0 to {n - 1}",
                got=str(f.coordinate),
            )
        low, high = bounds(f, 0.0)
        if low > high:
            raise InputError(
                "friction that drives the joint from rest has no set-valued form",
                where=f"{where}: friction law {f.law.name}",
                expected="lower end of the force at rest <= upper end",
                got=f"{low:g} and {high:g}",
            )
