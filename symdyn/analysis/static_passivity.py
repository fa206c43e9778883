"""Whether a static law can only dissipate: v F(v) >= 0 for every velocity.

For a Stribeck curve, any alpha > 0: never if b < 0; for b = 0 iff Fs >= 0 and Fc >= 0; for b > 0
iff Fs >= 0 and the least value of the curve over v > 0 is >= 0. Fs >= Fc is not needed, and with
b > 0 even Fc may be negative. The least value is Fs, or that at the minimum of the curve, which is
known in closed form (`steady_curve.shape`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from symdyn._errors import UnsupportedError
from symdyn.algebra.mp import MpAlgebra, Real
from symdyn.analysis.sizes import sized
from symdyn.analysis.steady_curve import StribeckCurve, curve_of, shape
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.friction.law import FrictionLaw

_CLAIM = "velocity times friction is never negative"
#: Digits in which a minimum is evaluated; a double leaves its sign open near zero.
_DIGITS = 60
#: A minimum closer to 0 than this, relative to the levels, is not decided.
_UNDECIDED = 1e-40


def static_passivity(law: FrictionLaw, parameters: Mapping[str, float]) -> Verdict:
    """Decide whether a static law is passive.

    Parameters
    ----------
    law : a Coulomb, viscous, asymmetric or Stribeck law that is not smoothed
    parameters : its parameters

    Returns
    -------
    Verdict : PROVED, or REFUTED with a velocity at which friction drives the joint as witness;
        UNKNOWN if the least value of the curve is too close to 0 to tell

    Raises
    ------
    InputError : parameters outside their domains
    UnsupportedError : no exact criterion is known for the law
    """
    p = sized(law, parameters)
    match law.name:
        case "coulomb" | "coulomb-set":
            return curve_passivity(StribeckCurve(p["Fc"], p["Fc"], 1.0, 2.0, p["b"]))
        case "stribeck" | "stribeck-set":
            return curve_passivity(curve_of(law, p))
        case "viscous":
            return curve_passivity(StribeckCurve(0.0, 0.0, 1.0, 2.0, p["b"]))
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
            return _both(curve_passivity(forward), curve_passivity(backward))
        case _:
            raise UnsupportedError(
                f"no exact criterion of passivity is known here for the law {law.name}; "
                "Coulomb, viscous, asymmetric and Stribeck laws have one, LuGre has its own "
                "(lugre_passivity)."
            )


def curve_passivity(curve: StribeckCurve) -> Verdict:
    """Decide v F(v) >= 0 for a Stribeck curve; see the module's text."""
    if curve.Fs < 0:
        return _refuted(
            curve.force,
            _negative(curve.force, curve.vs, 0.5),
            "Fs < 0: friction near rest drives the joint",
        )
    if curve.b < 0:
        return _refuted(
            curve.force,
            _negative(curve.force, curve.vs, 2.0),
            "b < 0: friction at speed drives the joint",
        )
    if curve.b == 0:
        if curve.Fc >= 0:
            return _proved("b = 0, Fs >= 0 and Fc >= 0")
        return _refuted(curve.force, _negative(curve.force, curve.vs, 2.0), "b = 0 and Fc < 0")
    minima = shape(curve).falling
    if not minima or curve.Fc >= 0:
        reason = "Fs, Fc and b are >= 0" if curve.Fc >= 0 else "the curve rises from Fs >= 0"
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
