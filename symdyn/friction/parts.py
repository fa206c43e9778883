"""What several laws share: quantities, what they hold at rest, the ends of their steady curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.algebra.protocol import Algebra, S
from symdyn.friction.curves import jump, stribeck_drop
from symdyn.friction.law import Bounds, Domain, Ends, Quantity

#: The Stribeck curve of static laws; its levels may have either sign.
CURVE = (
    Quantity("Fc", "N m", "Coulomb level"),
    Quantity("Fs", "N m", "break-away level"),
    Quantity("vs", "rad/s", "Stribeck velocity", Domain.POSITIVE),
    Quantity("alpha", "1", "Stribeck exponent", Domain.POSITIVE),
)
#: The same of set-valued laws: at rest they hold any load up to Fs, so it is no less than 0.
HOLDING_CURVE = (
    CURVE[0],
    Quantity("Fs", "N m", "break-away level", Domain.NONNEGATIVE),
    *CURVE[2:],
)
#: The level that bristles saturate at, which is positive.
LEVEL = (
    Quantity("Fc", "N m", "Coulomb level", Domain.POSITIVE),
    Quantity("Fs", "N m", "break-away level", Domain.POSITIVE),
    *CURVE[2:],
)
VISCOUS_COEFFICIENT = Quantity("b", "N m s/rad", "viscous coefficient")
VISCOUS_BESIDE_BRISTLES = Quantity("sigma2", "N m s/rad", "viscous coefficient", Domain.NONNEGATIVE)
#: Level, stiffness and damping of bristles whose mean deflection is the state.
BRISTLES = (
    *LEVEL,
    Quantity("sigma0", "N m/rad", "bristle stiffness", Domain.POSITIVE),
    Quantity("sigma1", "N m s/rad", "bristle damping", Domain.NONNEGATIVE),
    VISCOUS_BESIDE_BRISTLES,
)
DEFLECTION = Quantity("z", "rad", "mean deflection of the bristles")


def holds(level: str) -> Bounds:
    """A law that holds any load up to the parameter ``level``."""

    def at_rest(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S]:
        return -p[level], p[level]

    return at_rest


def ends_at(start: str, level: str, viscous: str) -> Ends:
    """A law that jumps to ``start`` and tends to ``level`` plus ``viscous`` times the speed."""

    def ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
        return p[start], p[level], p[viscous]

    return ends


def smooth_ends_at(level: str, viscous: str) -> Ends:
    """The same for a law that passes through zero."""

    def ends(A: Algebra[S], u: Mapping[str, S], p: Mapping[str, S], /) -> tuple[S, S, S]:
        return A.const(0), p[level], p[viscous]

    return ends


def steady_bristles(
    A: Algebra[S], v: S, x: Sequence[S], u: Mapping[str, S], p: Mapping[str, S], /
) -> S:
    """Steady sliding of saturated bristles: Stribeck's curve, and sigma2."""
    drop = p["Fs"] - p["Fc"]
    dry = jump(A, v, p["Fs"], lambda s: stribeck_drop(A, s, drop, p["vs"], p["alpha"]))
    return dry + p["sigma2"] * v
