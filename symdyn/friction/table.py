"""Friction as a table over the speed, straight between its points: Modelica's BearingFriction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import jump
from symdyn.friction.law import Domain, FrictionLaw, Quantity, Relation


def tabulated(points: int) -> FrictionLaw:
    """A table of ``points`` >= 2 torques t1, t2, … at the speeds 0, w2, w3, …

    Beyond the last point the last straight line goes on. At rest the law holds up to peak t1.
    """
    speeds = [f"w{k}" for k in range(2, points + 1)]
    torques = [f"t{k}" for k in range(1, points + 1)]

    def rise(A: Algebra[S], speed: S, p: Mapping[str, S]) -> S:
        """What is added to t1 at a speed >= 0."""
        corners = [A.const(0), *(p[w] for w in speeds)]
        found = A.const(0)
        # from the last line down to the first, each chosen below its upper corner
        for k in range(points - 2, -1, -1):
            slope = (p[torques[k + 1]] - p[torques[k]]) / (corners[k + 1] - corners[k])
            line = p[torques[k]] - p[torques[0]] + slope * (speed - corners[k])
            last = k == points - 2
            found = line if last else A.where(A.binary("lt", speed, corners[k + 1]), line, found)
        return found

    def force(A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /) -> S:
        return jump(A, v, p["t1"], lambda speed: rise(A, speed, p))

    def at_rest(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S]:
        return -(p["peak"] * p["t1"]), p["peak"] * p["t1"]

    def ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
        before = p[speeds[-2]] if points > 2 else A.const(0)
        slope = (p[torques[-1]] - p[torques[-2]]) / (p[speeds[-1]] - before)
        return p["t1"], p[torques[-1]] - slope * p[speeds[-1]], slope

    def rises(p: Mapping[str, float]) -> bool:
        corners = [0.0, *(p[w] for w in speeds)]
        return all(a < b for a, b in pairwise(corners))

    return FrictionLaw(
        name="table",
        title=f"Table of {points} points",
        source="Modelica Standard Library, Mechanics.Rotational.Components.BearingFriction",
        formula=(
            r"\tau = \operatorname{sgn}(v)\,t(|v|),\quad t \text{ straight between } "
            r"(0, t_1), (w_2, t_2), \dots"
        ),
        parameters=(
            *(Quantity(w, "rad/s", "speed of a point", Domain.POSITIVE) for w in speeds),
            *(Quantity(t, "N m", "torque at a point", Domain.NONNEGATIVE) for t in torques),
            Quantity("peak", "1", "break-away level over t1, >= 1", Domain.POSITIVE),
        ),
        relations=(
            Relation(
                "0 < " + " < ".join(speeds),
                tuple(speeds),
                rises,
                "The speeds of the table have to rise.",
            ),
            Relation("peak >= 1", ("peak",), lambda p: p["peak"] >= 1, "See the table's source."),
        ),
        force=force,
        steady=force,
        rest="holds any load up to peak t1",
        limits="tends to t1 sign(v) at 0 and to its last straight line at infinity",
        at_rest=at_rest,
        ends=ends,
        linear=tuple(torques),
    )
