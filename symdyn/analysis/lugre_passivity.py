"""When the LuGre model only dissipates: from velocity to force, with constant and fading sigma1.

With the storage V = sigma0 z^2/2 and x = sigma0 |z| the power left over is, for z v > 0,

    F v - dV/dt = (|v|/h) [x^2 - sigma1 |v| x + h (sigma1 + sigma2) |v|],

and for z v <= 0 the same with + sigma1 |v| x, a sum of terms that are >= 0. It is >= 0 for every
x iff sigma1^2 |v| <= 4 h (sigma1 + sigma2), which fails at high speed for any constant sigma1 > 0.
But x never exceeds X = max(Fc, Fs); for sigma1 |v| > 2 X the bracket is least at x = X.

With constant sigma1 and Fs >= Fc the model is passive, with whatever storage, iff

    sigma2 >= sigma1 (Fs - Fc)/Fc.

Sufficient by V. Necessary: slide slowly until z = Fs/sigma0, then move a fixed small distance at
speed W; the energy supplied tends to -infinity with W. Source: Barabanov and Ortega 2000, IEEE TAC
45(4); both directions are derived in `derivations`. With constant sigma1 and Fs < Fc it always is,
and with fading sigma1 the question is decided by `symdyn.analysis.lugre_storage`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.interval import INTERVAL, Interval
from symdyn.analysis.lugre_storage import ScaledBristles, find_cycle, find_storage
from symdyn.analysis.sizes import check_sizes, sized
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.friction.curves import stiction_level
from symdyn.friction.law import FrictionLaw
from symdyn.friction.lugre import LUGRE, LUGRE_FADING

_PASSIVE = "friction is passive from velocity to force"
_STORAGE = "with the storage sigma0 z^2/2 friction dissipates at every speed and deflection"
#: Bisections of a range of speeds before a statement is left open.
_BOXES = 20_000


def required_viscous(parameters: Mapping[str, float]) -> float:
    """Least sigma2 with which constant sigma1 is passive: sigma1 (Fs - Fc)/Fc, 0 for Fs <= Fc."""
    p = sized(LUGRE, parameters)
    return max(0.0, p["sigma1"] * (p["Fs"] - p["Fc"]) / p["Fc"])


def dissipation(parameters: Mapping[str, float], velocity: float, z: float) -> float:
    """F v - d(sigma0 z^2/2)/dt at one velocity and deflection [N m/s]."""
    p = sized(LUGRE, parameters)
    check_sizes("dissipation", {"velocity": velocity, "z": z})
    zdot = velocity - p["sigma0"] * z / _level_at(p, velocity) * abs(velocity)
    force = p["sigma0"] * z + p["sigma1"] * zdot + p["sigma2"] * velocity
    return force * velocity - p["sigma0"] * z * zdot


@dataclass(frozen=True, slots=True)
class SpeedLimits:
    """Speeds up to which F v >= d(sigma0 z^2/2)/dt holds, far above vs, where h = Fc [rad/s].

    Attributes
    ----------
    any_deflection : for every z, 4 Fc (sigma1 + sigma2)/sigma1^2
    reachable : for |z| <= max(Fc, Fs)/sigma0, which is never left
    """

    any_deflection: float
    reachable: float


def dissipation_speed_limits(parameters: Mapping[str, float]) -> SpeedLimits:
    """Speed limits of the dissipation inequality with the level at Fc.

    For Fs >= Fc the level is never less, so below these speeds the inequality holds with the true
    level too.
    """
    p = sized(LUGRE, parameters)
    s1, s2, Fc, X = p["sigma1"], p["sigma2"], p["Fc"], max(p["Fc"], p["Fs"])
    if s1 == 0:
        return SpeedLimits(math.inf, math.inf)
    anywhere = 4 * Fc * (s1 + s2) / s1**2
    if anywhere <= 2 * X / s1:
        return SpeedLimits(anywhere, anywhere)
    slope = s1 * X - (s1 + s2) * Fc
    return SpeedLimits(anywhere, X * X / slope if slope > 0 else math.inf)


def lugre_passivity(law: FrictionLaw, parameters: Mapping[str, float]) -> Verdict:
    """Decide passivity from velocity to force.

    Parameters
    ----------
    law : `LUGRE` or `LUGRE_FADING`
    parameters : its parameters

    Returns
    -------
    Verdict : PROVED, in closed form or with a storage whose every link is checked in interval
        arithmetic; REFUTED with a motion as witness that returns more energy than it takes, once
        (constant sigma1) or in every cycle (fading sigma1); UNKNOWN for fading sigma1 where the
        two are too close to tell apart, or parameters too many decades apart to search

    Raises
    ------
    InputError : another law, or parameters outside their domains
    """
    p = _of_lugre(law, parameters)
    if law.name == LUGRE.name and p["Fs"] < p["Fc"]:
        detail = "Fs < Fc: speeds that unload the bristles are below those that load them"
        return Verdict(VerdictKind.PROVED, _PASSIVE, detail, method="closed form")
    if law.name == LUGRE.name:
        Fs, Fc, s1, s2 = (Fraction(p[name]) for name in ("Fs", "Fc", "sigma1", "sigma2"))
        least = required_viscous(p)
        if s2 * Fc >= s1 * (Fs - Fc):
            detail = f"sigma2 = {p['sigma2']:.6g} >= sigma1 (Fs - Fc)/Fc = {least:.6g}"
            return Verdict(VerdictKind.PROVED, _PASSIVE, detail, method="closed form")
        detail = f"sigma2 = {p['sigma2']:.6g} < sigma1 (Fs - Fc)/Fc = {least:.6g}"
        witness = _extracting_motion(p)
        return Verdict(VerdictKind.REFUTED, _PASSIVE, detail, witness=witness, method="closed form")
    storage = storage_dissipation(law, p)
    if storage.kind is VerdictKind.PROVED:
        return Verdict(VerdictKind.PROVED, _PASSIVE, storage.claim, method=storage.method)
    return _fading(p, storage.detail)


def _of_lugre(law: FrictionLaw, parameters: Mapping[str, float]) -> dict[str, float]:
    if law.name not in (LUGRE.name, LUGRE_FADING.name):
        raise InputError(
            "this is a question to LuGre laws",
            where=f"friction law {law.name}",
            expected=f"{LUGRE.name} or {LUGRE_FADING.name}",
            remedy="Ask `passivity`, which knows all laws.",
        )
    return sized(law, parameters)


def _fading(p: Mapping[str, float], usual: str) -> Verdict:
    """The verdict where the storage sigma0 z^2/2 does not tell; ``usual`` says why."""
    law = ScaledBristles.of(p)
    if not law.is_searchable:
        detail = "the parameters are too many decades apart to search for a storage or a motion"
        return Verdict(VerdictKind.UNKNOWN, _PASSIVE, detail)
    cycle = find_cycle(law)
    if cycle is not None:
        X = max(p["Fc"], p["Fs"])
        witness = {
            "z between": cycle.low * X / p["sigma0"],
            "and": cycle.high * X / p["sigma0"],
            "loading at speed": cycle.up * p["vs"],
            "unloading at speed": cycle.down * p["vs"],
            "energy of a cycle": cycle.energy * X * (X / p["sigma0"]),
        }
        detail = "a cycle of two speeds in the same direction yields energy every time"
        return Verdict(VerdictKind.REFUTED, _PASSIVE, detail, witness=witness, method="intervals")
    links = find_storage(law)
    if links is None:
        detail = f"not with the storage sigma0 z^2/2 ({usual}); too close to tell with another"
        return Verdict(VerdictKind.UNKNOWN, _PASSIVE, detail)
    detail = f"with the storage of slope max(sigma0 z, c), c constant on {len(links)} intervals"
    return Verdict(VerdictKind.PROVED, _PASSIVE, detail, method="intervals")


def _extracting_motion(p: Mapping[str, float]) -> dict[str, str | int | float | bool | None]:
    """Slow loading to z = u Fs/sigma0, then a distance at a speed, with negative energy in total.

    Loading takes (Fs^2/sigma0) (-log(1 - u) - u). At speed W >> vs, over the distance d, with
    q = 1 - exp(-sigma0 d/Fc), the motion takes
    Fc d + (Fc/sigma0) q (u Fs - Fc) + W [sigma2 d - drive (Fc/sigma0) q],
    drive = sigma1 (u Fs/Fc - 1). The gain is largest at exp(-sigma0 d/Fc) = sigma2/drive.
    Differences of nearly equal numbers are taken exactly.
    """
    Fc, Fs, s0, s1, s2 = (p[name] for name in ("Fc", "Fs", "sigma0", "sigma1", "sigma2"))
    ratio = Fraction(Fs) / Fraction(Fc)
    short = (1 - (1 + Fraction(s2) / Fraction(s1)) / ratio) / 2  # 1 - u, half way to the criterion
    u = float(1 - short)
    loading = Fs * Fs / s0 * (-math.log(short) - u)
    drive = Fraction(s1) * ((1 - short) * ratio - 1)
    q = min(float(1 - Fraction(s2) / drive), 0.95)
    d = -Fc / s0 * math.log1p(-q)
    per_speed = Fc / s0 * (-float(drive) * q - s2 * math.log1p(-q))
    if q < 1e-4:  # where both terms cancel, their series
        per_speed = -Fc / s0 * float(drive) * (q * q / 2 + q**3 / 6)
    fixed = loading + Fc * d + Fc / s0 * q * (u * Fs - Fc)
    W = max(-2 * fixed / per_speed, _far_above(p))
    return {
        "loaded to z": u * Fs / s0,
        "energy of loading": loading,
        "then speed": W,
        "over distance": d,
        "energy in total": fixed + W * per_speed,
    }


def _far_above(p: Mapping[str, float]) -> float:
    """A speed at which the level is Fc to the last bit."""
    return p["vs"] * math.pow(40.0, 1 / p["alpha"])


def storage_dissipation(law: FrictionLaw, parameters: Mapping[str, float]) -> Verdict:
    """Decide F v >= d(sigma0 z^2/2)/dt for all speeds and all |z| <= max(Fc, Fs)/sigma0.

    Parameters
    ----------
    law : `LUGRE` or `LUGRE_FADING`
    parameters : its parameters

    Returns
    -------
    Verdict : PROVED by interval arithmetic over the speeds where it is not plain; REFUTED with a
        speed and deflection; UNKNOWN if the bisections do not suffice

    Raises
    ------
    InputError : another law, or parameters outside their domains
    """
    p = _of_lugre(law, parameters)
    fades = law.name == LUGRE_FADING.name
    margin = _Margin(p, p["vd"] if fades else math.inf)
    ends = margin.range_in_doubt()
    if ends is None:
        return Verdict(VerdictKind.PROVED, _STORAGE, "sigma1 |v| is never large", method="bound")
    beyond = margin.negative_beyond()
    bad = margin.negative_in(*ends) if beyond is None else (beyond,)
    if bad is None:
        return Verdict(VerdictKind.UNKNOWN, _STORAGE, "too close to zero to tell")
    if not bad:
        detail = f"interval arithmetic over {ends[0]:.3g} <= |v| <= {ends[1]:.3g} rad/s"
        return Verdict(VerdictKind.PROVED, _STORAGE, detail, method="intervals")
    (v,) = bad
    witness = {"v": v, "z": margin.worst_x(v) / p["sigma0"], "dissipation/|v|": margin.at(v)}
    detail = f"fails at |v| = {v:.6g} rad/s"
    return Verdict(VerdictKind.REFUTED, _STORAGE, detail, witness=witness, method="intervals")


@dataclass(frozen=True, slots=True)
class _Margin:
    """m(v) = min over x in [0, X] of x^2/v - sigma1 x + h (sigma1 + sigma2), for v > 0."""

    p: Mapping[str, float]
    vd: float

    @property
    def X(self) -> float:
        return max(self.p["Fc"], self.p["Fs"])

    def sigma1(self, v: float) -> float:
        return self.p["sigma1"] * math.exp(-((v / self.vd) ** 2))

    def worst_x(self, v: float) -> float:
        return min(self.sigma1(v) * v / 2, self.X)

    def at(self, v: float) -> float:
        x, s1 = self.worst_x(v), self.sigma1(v)
        h = _level_at(self.p, v)
        return x * x / v - s1 * x + h * (s1 + self.p["sigma2"])

    def range_in_doubt(self) -> tuple[float, float] | None:
        """Speeds outside of which m > 0 for a plain reason; None if that is everywhere.

        Where sigma1(v) v <= 2 min(h), m >= h sigma1 - sigma1^2 v/4 > 0. With constant sigma1 there
        is an upper end too, unless `negative_beyond`: m = X^2/v - sigma1 X + Fc (sigma1 + sigma2)
        + (h - Fc) (sigma1 + sigma2), of which the last term is negative for Fs < Fc only, and
        then dies away faster than the first.
        """
        small = 2 * min(self.p["Fc"], self.p["Fs"])
        s1 = self.p["sigma1"]
        if s1 == 0:
            return None
        low = small / s1
        if self.vd == math.inf:
            return low, self._tail(max(low, 2 * self.X / s1, _far_above(self.p)))
        peak = self.vd / math.sqrt(2)
        if self.sigma1(peak) * peak <= small:
            return None
        high = peak
        while self.sigma1(high) * high > small:
            high *= 1.25
        return min(low, peak), high

    def _tail(self, v: float) -> float:
        """From here on X^2/v outweighs (Fc - h)(sigma1 + sigma2) twice, for constant sigma1."""
        p = self.p
        most = max(0.0, p["Fc"] - p["Fs"]) * (p["sigma1"] + p["sigma2"])
        while most * FLOAT64.unary("exp", -_power(p, v)) * v > self.X**2 / 2:
            v *= 2
        return v

    def negative_beyond(self) -> float | None:
        """For constant sigma1, a speed with m < 0 if the limit at infinity is; else None."""
        Fc, X, s1, s2 = (
            Fraction(a) for a in (self.p["Fc"], self.X, self.p["sigma1"], self.p["sigma2"])
        )
        limit = Fc * (s1 + s2) - s1 * X
        if self.vd < math.inf or limit >= 0:
            return None
        least = max(2 * self.X / float(s1), _far_above(self.p))
        return max(float(-2 * X * X / limit), self._tail(least))

    def negative_in(self, low: float, high: float) -> tuple[float, ...] | None:
        """A speed with m(v) < 0, an empty tuple if m > 0 throughout, None if undecided."""
        boxes = [(low, high)]
        for _ in range(_BOXES):
            if not boxes:
                return ()
            a, b = boxes.pop()
            if self._is_positive(a, b):
                continue
            middle = math.sqrt(a * b)
            for v in (a, middle, b):
                if self.at(v) < -1e-12 * self.p["sigma1"] * self.X:
                    return (v,)
            if not a < middle < b:
                return None
            boxes += [(middle, b), (a, middle)]
        return None

    def _is_positive(self, a: float, b: float) -> bool:
        """Whether m > 0 on [a, b] for certain."""
        A, p = INTERVAL, self.p
        v = A.between(a, b)
        s1 = _exact(p["sigma1"])
        if self.vd < math.inf:
            r = v / _exact(self.vd)
            s1 = s1 * A.unary("exp", -(r * r))
        power = A.binary("pow", v / _exact(p["vs"]), _exact(p["alpha"]))
        drop = _exact(p["Fs"]) - _exact(p["Fc"])
        h = _exact(p["Fc"]) + drop * A.unary("exp", -power)
        viscous = h * _exact(p["sigma2"])
        X = _exact(self.X)
        # x = X t: the least over t in [0, 1] is at t = sigma1 v/(2 X) or at t = 1; factored, so
        # that intervals meet fewer times
        inner = s1 * (h - s1 * v / A.const(4)) + viscous
        outer = X * X / v - s1 * (X - h) + viscous
        if _lower(inner) > 0:
            return True
        beyond = s1 * v - A.const(2) * X
        return _lower(beyond) > 0 and _lower(outer) > 0


def _power(p: Mapping[str, float], speed: float) -> float:
    """(speed/vs)^alpha, which may be infinite."""
    return FLOAT64.binary("pow", speed / p["vs"], p["alpha"])


def _level_at(p: Mapping[str, float], velocity: float) -> float:
    """h(v) of the law itself."""
    return stiction_level(FLOAT64, velocity, p["Fc"], p["Fs"], p["vs"], p["alpha"])


def _exact(value: float) -> Interval:
    return INTERVAL.const(Fraction(value))


def _lower(x: Interval) -> float:
    return float(x.bounds()[0]) if x.is_bounded else -math.inf
