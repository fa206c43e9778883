"""When friction compensation by an observer of the bristles provably works.

J theta'' = u - F with the LuGre observer and u = -H(s) e + F^: position error and observer error
tend to 0 if G(s) = (sigma1 s + sigma0)/(J s^2 + H(s)) is strictly positive real, the parameters
being known exactly. Source: Canudas de Wit, Olsson, Astrom, Lischinsky 1995, theorem 1.

For H(s) = Kv s + Kp, with J, Kp, Kv > 0:

    Re G(jw) = [sigma0 Kp + (sigma1 Kv - sigma0 J) w^2]/[(Kp - J w^2)^2 + (Kv w)^2],

so G is strictly positive real iff sigma1 Kv > sigma0 J. At equality Re G(jw) is positive at every
frequency, but w^2 Re G tends to 0: positive real, not strictly. With an integral term, G(0) = 0
and G is never strictly positive real.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from symdyn._errors import InputError
from symdyn.analysis.positive_real import RealityReport, positive_reality
from symdyn.friction.lugre import LUGRE


@dataclass(frozen=True, slots=True)
class ServoReport:
    """Strict positive reality of the compensated loop.

    Attributes
    ----------
    report : the outcome and its reason
    least_damping : sigma0 J/sigma1, which Kv has to exceed; infinite without sigma1 [N m s/rad]
    cancels : whether a zero of G meets a pole, s = -sigma0/sigma1; then the loop has a mode that G
        does not show, and the theorem does not speak of it
    """

    report: RealityReport
    least_damping: float
    cancels: bool

    @property
    def is_strict(self) -> bool:
        """Whether the theorem applies."""
        return self.report.is_strict


def compensated_loop(
    parameters: Mapping[str, float], inertia: float, Kp: float, Kv: float, Ki: float = 0.0
) -> ServoReport:
    """Decide strict positive reality of G for H(s) = Kv s + Kp + Ki/s, in exact arithmetic.

    Parameters
    ----------
    parameters : of the law `LUGRE`
    inertia : J > 0 [kg m^2]
    Kp, Kv, Ki : gains >= 0 [N m/rad, N m s/rad, N m/(rad s)]

    Raises
    ------
    InputError : an inertia or gain outside its domain
    """
    p = LUGRE.check(parameters)
    if not 0 < inertia < float("inf"):
        raise InputError("the inertia is outside its domain", expected="> 0", got=repr(inertia))
    for name, gain in (("Kp", Kp), ("Kv", Kv), ("Ki", Ki)):
        if not 0 <= gain < float("inf"):
            raise InputError(f"{name} is outside its domain", expected=">= 0", got=repr(gain))
    s0, s1, J = Fraction(p["sigma0"]), Fraction(p["sigma1"]), Fraction(inertia)
    least = float(s0 * J / s1) if s1 else float("inf")
    at_zero = J * s0 * s0 - Fraction(Kv) * s0 * s1 + Fraction(Kp) * s1 * s1
    if Ki:
        report = positive_reality([0, s0, s1], [Fraction(Ki), Fraction(Kp), Fraction(Kv), J])
    else:
        report = positive_reality([s0, s1], [Fraction(Kp), Fraction(Kv), J])
    return ServoReport(report, least, cancels=not Ki and at_zero == 0)
