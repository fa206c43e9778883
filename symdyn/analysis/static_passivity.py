"""Whether a static law can only dissipate: v F(v) >= 0 for every velocity.

For a Stribeck curve, any alpha > 0: never if b < 0; for b = 0 iff Fs >= 0 and Fc >= 0; for b > 0
iff Fs >= 0 and the least value of the curve over v > 0 is >= 0. Fs >= Fc is not needed, and with
b > 0 even Fc may be negative. The least value is Fs, or that at the minimum of the curve, which is
known in closed form (`steady_curve.shape`).

Other laws have plain cases: sums of terms that are >= 0. Outside of them the force is enclosed by
interval arithmetic over all speeds between `law_curve.SLOWEST` and `law_curve.FASTEST`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from symdyn._errors import InputError
from symdyn.algebra.dual import Dual
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.interval import Interval
from symdyn.algebra.mp import MpAlgebra, Real
from symdyn.analysis.law_curve import FASTEST, INTERVALS, SLOWEST, enclosed, octaves
from symdyn.analysis.sizes import sized
from symdyn.analysis.steady_curve import StribeckCurve, curve_of, shape
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.friction.law import FrictionLaw

_CLAIM = "velocity times friction is never negative"
#: Digits in which a minimum is evaluated; a double leaves its sign open near zero.
_DIGITS = 60
#: A minimum closer to 0 than this, relative to the levels, is not decided.
_UNDECIDED = 1e-40
#: Temperatures that a law is asked about.
_KELVIN = 1000
#: Boxes of speed, and their least width over the speed, before a sign is left open.
_BOXES, _WIDTH = 20_000, 1e-12


def static_passivity(law: FrictionLaw, parameters: Mapping[str, float]) -> Verdict:
    """Decide whether a static law is passive.

    Parameters
    ----------
    law : one without states
    parameters : its parameters

    Returns
    -------
    Verdict : PROVED, or REFUTED with a velocity at which friction drives the joint as witness, with
        load and temperature where they matter; UNKNOWN if the force is too close to 0 to tell

    Raises
    ------
    InputError : parameters outside their domains, or a law with states
    """
    if law.states:
        raise InputError(
            "the law has states",
            where=f"friction law {law.name}",
            remedy="Ask `passivity`, which takes its storage into account.",
        )
    p = sized(law, parameters)
    match law.name:
        case "coulomb" | "coulomb-set":
            return curve_passivity(StribeckCurve(p["Fc"], p["Fc"], 1.0, 2.0, p["b"]), start="Fc")
        case "karnopp":
            # inside the band the joint counts as being at rest, where no power flows
            outside = max(1.0, 2 * p["Dv"])
            curve = StribeckCurve(p["Fc"], p["Fc"], outside, 2.0, p["b"])
            return curve_passivity(curve, start="Fc")
        case "stribeck" | "stribeck-set":
            return curve_passivity(curve_of(law, p))
        case "viscous":
            return _powers({1.0: p["b"]}, "b v")
        case "viscous-power":
            return _powers({p["d"]: p["b"]}, "b |v|^d sgn v")
        case "viscous-cubic":
            return _powers({1.0: p["b1"], 3.0: p["b3"]}, "b1 v + b3 v^3")
        case "asymmetric":
            forward = StribeckCurve(
                p["Fc_plus"] + p["offset"], p["Fc_plus"] + p["offset"], 1.0, 2.0, p["b_plus"]
            )
            level = p["Fc_minus"] - p["offset"]
            backward = StribeckCurve(level, level, 1.0, 2.0, p["b_minus"])
            return _both(
                curve_passivity(forward, start="Fc_plus + offset"),
                curve_passivity(backward, start="Fc_minus - offset"),
            )
        case "temperature-stribeck":
            return _heated(law, p)
        case "ripple":
            return _rippled(law, p)
        case _:
            reason = _plain(law, p)
            return _over_speeds(law, p) if reason is None else _proved(reason)


def _plain(law: FrictionLaw, p: Mapping[str, float]) -> str | None:
    """Why all terms of the law are >= 0 for v > 0; None if they are not."""

    def positive(*names: str) -> bool:
        return all(p[name] >= 0 for name in names)

    match law.name:
        case "coulomb-smooth" if positive("Fc", "b"):
            return "Fc and b are >= 0"
        case "stribeck-smooth" | "hess-soom" if positive("Fc", "Fs", "b"):
            return "the levels and b are >= 0"
        case "brown-mcphee" if positive("Fc", "b") and p["Fs"] >= p["Fc"]:
            return "Fc, Fs - Fc and b are >= 0"
        case "simscape" if p["Tbrk"] >= p["TC"]:
            return "TC, Tbrk - TC and f are >= 0"
        case "makkar" if p["g2"] >= p["g3"]:
            return "g2 >= g3, and no coefficient is negative"
        case "load-stribeck":
            return "both levels are >= 0 at every load, and b is"
        case _ if law.name == "table" and law.ends is not None:
            slope = law.ends(FLOAT64, {}, p)[2]
            return "no torque of the table is negative, nor its last slope" if slope >= 0 else None
        case _:
            return None


def _over_speeds(law: FrictionLaw, p: Mapping[str, float]) -> Verdict:
    """The verdict on a law that is odd, box by box: its value at the slow end and its slope."""
    over = enclosed(law, p, {})
    # from 1 rad/s outwards: of several witnesses, the one that is easiest to picture
    boxes = sorted(octaves(), key=lambda box: -abs(math.log(box[0])))
    for _ in range(_BOXES):
        if not boxes:
            claim = f"{_CLAIM} at speeds from {SLOWEST:g} to {FASTEST:g} rad/s"
            return Verdict(VerdictKind.PROVED, claim, "interval arithmetic", method="intervals")
        a, b = boxes.pop()
        middle = math.sqrt(a) * math.sqrt(b)
        if _is_positive(over, a, b):
            continue
        if float(_law_value(law, p, {}, middle)) < 0:
            witness = {"v": middle, "force": float(_law_value(law, p, {}, middle))}
            detail = f"at v = {middle:.6g} rad/s friction drives the joint"
            return Verdict(VerdictKind.REFUTED, _CLAIM, detail, witness=witness, method="intervals")
        if b - a <= _WIDTH * a:
            break
        boxes += [(a, middle), (middle, b)]
    detail = "the force is too close to 0 somewhere to tell its sign"
    return Verdict(VerdictKind.UNKNOWN, _CLAIM, detail, method="intervals")


def _is_positive(over: Callable[[float, float], Dual[Interval]], a: float, b: float) -> bool:
    """Whether the force is > 0 from a to b: all of its values, or that at a and its slope."""
    force = over(a, b)
    if force.value.is_bounded and force.value.lo > 0:
        return True
    with INTERVALS.scope():
        step = INTERVALS.between(0, Fraction(b) - Fraction(a))
        sum_ = over(a, a).value + force.rate * step
    return bool(sum_.is_bounded and sum_.lo > 0)


def _law_value(law: FrictionLaw, p: Mapping[str, float], u: Mapping[str, float], v: float) -> Real:
    """The law's force in `_DIGITS` digits."""
    A = MpAlgebra(_DIGITS)
    numbers = {name: A.number(x) for name, x in p.items()}
    return law.steady(A, A.number(v), [], {name: A.number(x) for name, x in u.items()}, numbers)


def _heated(law: FrictionLaw, p: Mapping[str, float]) -> Verdict:
    """Passive iff the level at rest, linear in the temperature, is >= 0 at both ends of its range.

    The Coulomb level and viscous friction are >= 0 in the law's domain; load only adds. The law
    holds where its Stribeck velocity is positive; of that, what lies within `_KELVIN` of its zero.
    """
    level, slope = Fraction(p["Fc0"]) + Fraction(p["Fs0"]), Fraction(p["FsT"])
    width, growth = Fraction(p["vs0"]), Fraction(p["vsT"])
    low, high = Fraction(-_KELVIN), Fraction(_KELVIN)
    if growth > 0:
        low = max(low, -width / growth)
    elif growth < 0:
        high = min(high, -width / growth)
    claim = f"{_CLAIM} at temperatures within {_KELVIN} K of the zero of its scale"
    if low >= high or (growth == 0 and width <= 0):
        return Verdict(VerdictKind.UNKNOWN, claim, "no temperature gives a Stribeck velocity > 0")
    end = low if slope > 0 else high
    if level + slope * end >= 0:
        detail = "both levels are >= 0 at every load and temperature of the law's range"
        return Verdict(VerdictKind.PROVED, claim, detail, method="closed form")
    # the level is 0 at -level/slope, or negative throughout
    T = float((end + min(max(-level / slope, low), high)) / 2)
    u = {"load": 0.0, "temperature": T}

    def force(v: float) -> float:
        return float(_law_value(law, p, u, v))

    v = _negative(force, p["vs0"] + p["vsT"] * T, 0.5)
    found = {"v": v, "temperature": T, "load": 0.0, "force": force(v)}
    detail = "at this temperature the level at rest is negative"
    return Verdict(VerdictKind.REFUTED, claim, detail, witness=found, method="closed form")


def _rippled(law: FrictionLaw, p: Mapping[str, float]) -> Verdict:
    """A ripple in position has a potential, -(a/k) cos(k q + phase); for k = 0 it is an offset."""
    if p["b"] < 0:
        u = {"position": 0.0}
        v = 2 * (p["Fc"] + p["a"] + 1) / -p["b"]
        return _refuted(lambda v: float(_law_value(law, p, u, v)), v, "b < 0: at speed it drives")
    if p["k"] != 0:
        claim = "friction takes energy, but for what the ripple's potential -(a/k) cos gives back"
        detail = "Fc and b are >= 0; the ripple is the slope of that potential"
        return Verdict(VerdictKind.PROVED, claim, detail, method="closed form")
    A = MpAlgebra(_DIGITS)
    offset = float(A.number(p["a"]) * A.unary("sin", A.number(p["phase"])))
    level = StribeckCurve(p["Fc"] + offset, p["Fc"] + offset, 1.0, 2.0, p["b"])
    other = StribeckCurve(p["Fc"] - offset, p["Fc"] - offset, 1.0, 2.0, p["b"])
    return _both(
        curve_passivity(level, start="Fc + a sin(phase)"),
        curve_passivity(other, start="Fc - a sin(phase)"),
    )


def curve_passivity(curve: StribeckCurve, *, start: str = "Fs") -> Verdict:
    """Decide v F(v) >= 0 for a Stribeck curve; see the module's text.

    Parameters
    ----------
    curve : the curve
    start : what its level at rest is called, and if it is not Fs, its level at speed too
    """
    levels = "Fs, Fc" if start == "Fs" else start
    if curve.Fs < 0:
        return _refuted(
            curve.force,
            _negative(curve.force, curve.vs, 0.5),
            f"{start} < 0: friction near rest drives the joint",
        )
    if curve.b < 0:
        return _refuted(
            curve.force,
            _negative(curve.force, curve.vs, 2.0),
            "b < 0: friction at speed drives the joint",
        )
    if curve.b == 0:
        if curve.Fc >= 0:
            return _proved(f"{levels} and b are >= 0")
        return _refuted(curve.force, _negative(curve.force, curve.vs, 2.0), "b = 0 and Fc < 0")
    minima = shape(curve).falling
    if not minima or curve.Fc >= 0:
        reason = f"{levels} and b are >= 0" if curve.Fc >= 0 else "the curve rises from Fs >= 0"
        return _proved(reason)
    at = minima[-1][1]
    least = _value(curve, at)
    scale = abs(curve.Fs) + abs(curve.Fc)
    if abs(float(least)) <= _UNDECIDED * scale:
        detail = f"the least value of the curve, at v = {at!r}, is 0 to {_DIGITS} digits"
        return Verdict(VerdictKind.UNKNOWN, _CLAIM, detail, method="closed form")
    if float(least) > 0:
        return _proved(f"the least value of the curve is {float(least):.6g} at v = {at:.6g}")
    return _refuted(curve.force, at, "the minimum of the curve is negative")


def _value(curve: StribeckCurve, v: float) -> Real:
    """F(v) at a double v, in `_DIGITS` digits.

    At a minimum the error of v, a unit in the last place, adds less than 1e-30 of the levels.
    """
    A = MpAlgebra(_DIGITS)
    speed, Fc, drop = A.number(v), A.number(curve.Fc), A.number(curve.Fs) - A.number(curve.Fc)
    power = A.binary("pow", speed / A.number(curve.vs), A.number(curve.alpha))
    return Fc + drop * A.unary("exp", -power) + A.number(curve.b) * speed


def _negative(force: Callable[[float], float], start: float, factor: float) -> float:
    """A speed at which the force is negative, on a geometric way to where it has to be.

    One step further than the first such speed, where the force may be a rounding below 0.
    """
    v = start
    for _ in range(2000):
        if force(v) < 0:
            break
        v *= factor
    return v * factor


def _powers(coefficients: Mapping[float, float], formula: str) -> Verdict:
    """A sum of odd powers of v with coefficients: >= 0 for v > 0 iff its first and last are.

    For two powers that is exact: the sum divided by the lower power is monotone.
    """
    negative = {d: b for d, b in coefficients.items() if b < 0}
    if not negative:
        return _proved(f"the coefficients of {formula} are >= 0")

    def force(v: float) -> float:
        return sum(b * v**d for d, b in coefficients.items())

    grows = min(negative) == max(coefficients)
    v = _negative(force, 1.0, 2.0 if grows else 0.5)
    return _refuted(force, v, f"{formula} has a negative coefficient")


def _both(forward: Verdict, backward: Verdict) -> Verdict:
    """The verdict for a law with two sides; the witness of the backward side has v < 0."""
    for side, verdict, sign in (("forward", forward, 1.0), ("backward", backward, -1.0)):
        if verdict.kind is VerdictKind.REFUTED:
            witness = {k: sign * float(str(x)) for k, x in (verdict.witness or {}).items()}
            return Verdict(
                VerdictKind.REFUTED,
                _CLAIM,
                f"{side}: {verdict.detail}",
                witness=witness,
                method="closed form",
            )
    return _proved("both directions dissipate")


def _proved(detail: str) -> Verdict:
    return Verdict(VerdictKind.PROVED, _CLAIM, detail, method="closed form")


def _refuted(force: Callable[[float], float], v: float, detail: str) -> Verdict:
    witness = {"v": v, "force": force(v)}
    return Verdict(VerdictKind.REFUTED, _CLAIM, detail, witness=witness, method="closed form")
