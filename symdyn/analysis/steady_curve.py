"""The Stribeck curve in closed form, for any exponent: slope, extrema, where it falls.

F(v) = Fc + (Fs - Fc) e^{-r^alpha} + b v for v > 0, r = v/vs, odd in v. Its slope is
F'(v) = b - (alpha (Fs - Fc)/vs) r^{alpha-1} e^{-r^alpha}. With K = b vs/(alpha (Fs - Fc)) and
c = (alpha - 1)/alpha it vanishes where (r^alpha)^c e^{-r^alpha} = K, an equation that Lambert's W
solves: r^alpha = -c W(-K^{1/c}/c). For alpha > 1 that has two solutions iff K < (c/e)^c, and the
slope is steepest at r^alpha = c.

Source: for alpha = 2, Armstrong-Helouvry, Dupont, Canudas de Wit 1994, section 2, gives the curve;
the closed form for any alpha is derived in `derivations`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from symdyn._errors import InputError
from symdyn.algebra.dual import DualAlgebra
from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis.log_lambert import below_and_above, log_principal
from symdyn.analysis.sizes import check_sizes
from symdyn.friction.law import FrictionLaw
from symdyn.friction.stribeck import STRIBECK

_DUAL = DualAlgebra(FLOAT64)


@dataclass(frozen=True, slots=True)
class StribeckCurve:
    """The parameters of a Stribeck curve [N m, N m, rad/s, 1, N m s/rad].

    ``Fc``, ``Fs`` and ``b`` may be 0 or of either sign, ``vs`` and ``alpha`` are positive; all of a
    size that `check_sizes` takes.
    """

    Fc: float
    Fs: float
    vs: float
    alpha: float = 2.0
    b: float = 0.0

    def __post_init__(self) -> None:
        numbers = (self.Fc, self.Fs, self.vs, self.alpha, self.b)
        if not all(map(math.isfinite, numbers)) or self.vs <= 0 or self.alpha <= 0:
            raise InputError(
                "no Stribeck curve has these parameters",
                expected="finite numbers, vs > 0, alpha > 0",
                got=repr(numbers),
            )
        names = ("Fc", "Fs", "vs", "alpha", "b")
        check_sizes("Stribeck curve", dict(zip(names, numbers, strict=True)))

    @property
    def drop(self) -> float:
        """Fs - Fc."""
        return self.Fs - self.Fc

    def force(self, v: float) -> float:
        """F(v); 0 at v = 0."""
        return STRIBECK.force(FLOAT64, v, [], {}, self._numbers)

    def slope(self, v: float) -> float:
        """F'(v); at v = 0 the one-sided slope, which may be infinite."""
        if v == 0 or v / self.vs == 0:
            return self.slope_at_rest
        p = {name: _DUAL.constant(x) for name, x in self._numbers.items()}
        return STRIBECK.force(_DUAL, _DUAL.variable(abs(v)), [], {}, p).rate

    @property
    def _numbers(self) -> dict[str, float]:
        names = ("Fc", "Fs", "vs", "alpha", "b")
        return {name: getattr(self, name) for name in names}

    @property
    def slope_at_rest(self) -> float:
        """F'(0+)."""
        if self.alpha > 1 or self.drop == 0:
            return self.b
        if self.alpha == 1:
            return self.b - self.drop / self.vs
        return math.copysign(math.inf, -self.drop)

    @property
    def steepness(self) -> float:
        """K = b vs/(alpha (Fs - Fc)), the viscous slope over the scale of the fall."""
        if self.drop == 0:
            return math.nan if self.b == 0 else math.copysign(math.inf, self.b)
        return self.b * self.vs / (self.alpha * self.drop)


def curve_of(law: FrictionLaw, parameters: Mapping[str, float]) -> StribeckCurve:
    """The steady curve of a law that has Stribeck's levels.

    Parameters
    ----------
    law : one with the parameters Fc, Fs, vs, alpha and b or sigma2, not smoothed
    parameters : its parameters

    Raises
    ------
    InputError : parameters outside their domains, or a law without such a curve
    """
    p = law.check(parameters)
    viscous = "b" if "b" in p else "sigma2"
    if not {"Fc", "Fs", "vs", "alpha", viscous} <= set(p) or "eps" in p:
        raise InputError(
            "the law has no Stribeck curve",
            where=f"friction law {law.name}",
            expected="parameters Fc Fs vs alpha and b or sigma2",
            got=" ".join(p),
        )
    return StribeckCurve(p["Fc"], p["Fs"], p["vs"], p["alpha"], p[viscous])


def critical_steepness(alpha: float) -> float:
    """K_c = (c/e)^c, c = (alpha - 1)/alpha: the curve falls somewhere iff K < K_c (alpha > 1).

    1 at alpha = 1; 1/sqrt(2 e) at alpha = 2. For alpha < 1 the curve falls near rest for every K,
    and the result is infinite.
    """
    if alpha < 1:
        return math.inf
    c = (alpha - 1) / alpha
    return 1.0 if c == 0 else math.exp(c * (math.log(c) - 1))


def critical_viscous(curve: StribeckCurve) -> float:
    """Viscous coefficient from which on the curve does not fall anywhere [N m s/rad].

    Added by a controller, that is the damping it needs: it is also the negative of the steepest
    slope of the curve without its viscous part. 0 if Fs <= Fc, infinite for alpha < 1.
    """
    if curve.drop <= 0:
        return 0.0
    return curve.alpha * curve.drop / curve.vs * critical_steepness(curve.alpha)


@dataclass(frozen=True, slots=True)
class CurveShape:
    """Where a Stribeck curve rises and falls, for v > 0; for v < 0 it is odd.

    Attributes
    ----------
    falling : open intervals of negative slope, in order; an end may be infinite
    stationary : speeds where the slope vanishes, each with the force there: a maximum where the
        curve stops rising, a minimum where it stops falling
    steepest : speed and value of the least slope; at rest it may be -inf
    """

    falling: tuple[tuple[float, float], ...]
    stationary: tuple[tuple[float, float], ...]
    steepest: tuple[float, float]


def shape(curve: StribeckCurve) -> CurveShape:
    """Falling intervals, extrema and steepest slope, in closed form.

    Notes
    -----
    Where K is close to its critical value the two stationary speeds meet and their condition is
    that of a double root.
    """
    if curve.drop > 0:
        lower, upper = _above_level(curve.alpha, curve.steepness)
        falling = () if lower == upper else ((lower * curve.vs, upper * curve.vs),)
        at = _steepest(curve)
        return CurveShape(falling, _stationary(curve, falling), (at, curve.slope(at)))
    if curve.drop == 0 or curve.b >= 0:
        falling = ((0.0, math.inf),) if curve.b < 0 else ()
        at = math.inf if curve.drop < 0 else 0.0  # where a rise from Fs has died away
        return CurveShape(falling, (), (at, curve.b))
    # Fs < Fc and b < 0: the curve rises only while the exponential rise outweighs b
    lower, upper = _above_level(curve.alpha, curve.steepness)
    lower, upper = lower * curve.vs, upper * curve.vs
    if lower == upper:
        falling = ((0.0, math.inf),)
    else:
        falling = tuple(pair for pair in ((0.0, lower), (upper, math.inf)) if pair[0] < pair[1])
    return CurveShape(falling, _stationary(curve, falling), (math.inf, curve.b))


def _above_level(alpha: float, K: float) -> tuple[float, float]:
    """The interval of r in which r^{alpha-1} e^{-r^alpha} > K; two equal ends if there is none."""
    if K <= 0:
        return 0.0, math.inf
    if alpha == 1:
        return 0.0, max(0.0, -math.log(K))
    c = (alpha - 1) / alpha
    if alpha < 1:
        # y = r^alpha = -c u with u + log u = log(1/K)/(-c) - log(-c)
        log_u = log_principal(math.log(K) / c - math.log(-c))
        return 0.0, math.exp((math.log(-c) + log_u) / alpha)
    critical = critical_steepness(alpha)
    if critical <= K:
        return 0.0, 0.0
    # y = c u with u - log u = 1 + log(K_c/K)/c
    near = (critical - K) / K
    excess = (math.log1p(near) if near < 1 else math.log(critical) - math.log(K)) / c
    log_below, above = below_and_above(excess)
    lower = math.exp((math.log(c) + log_below) / alpha)
    return lower, math.exp((math.log(c) + math.log(above)) / alpha)


def _steepest(curve: StribeckCurve) -> float:
    """Speed of the least slope for Fs > Fc: vs c^{1/alpha}, or at rest for alpha <= 1."""
    if curve.alpha <= 1:
        return 0.0
    return curve.vs * math.pow((curve.alpha - 1) / curve.alpha, 1 / curve.alpha)


def _stationary(
    curve: StribeckCurve, falling: tuple[tuple[float, float], ...]
) -> tuple[tuple[float, float], ...]:
    ends = sorted({end for pair in falling for end in pair if 0 < end < math.inf})
    return tuple((v, _stationary_force(curve, v)) for v in ends)


def _stationary_force(curve: StribeckCurve, v: float) -> float:
    """Force where the slope vanishes: Fc + b vs (r + r^{1-alpha}/alpha), unless that overflows."""
    r = v / curve.vs
    found = curve.Fc + curve.b * curve.vs * (r + math.pow(r, 1 - curve.alpha) / curve.alpha)
    return found if math.isfinite(found) else curve.force(v)
