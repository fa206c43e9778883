"""Whether friction can only take energy, for every law: F v - dV/dt >= 0 with a storage V >= 0.

A law without states has V = 0 (`static_passivity`), LuGre its own criterion (`lugre_passivity`).
For the others, with s = sgn v:

- Dahl: V = F^2/(2 sigma0). F v - dV/dt = F v (1 - g), g = |1 - y|^i sgn(1 - y), y = F s/Fc. Where
  F v > 0, y > 0 and g < 1; where F v < 0, y < 0 and g > 1. Passive for every i > 0.
- Maxwell slip: V = sum F_i^2/(2 k_i). An element that sticks stores all it takes; one that slips
  has F_i v > 0. Passive.
- Bouc-Wen: V = k z^2/(2 A). k z v - dV/dt = (k/A) |v| |z|^{n+1} (beta + gamma sgn(z v)), which is
  >= 0 iff |gamma| <= beta. Source: Erlicher and Point 2004, C. R. Mecanique 332.
- Elasto-plastic: V = sigma0 z^2/2. With a in [0, 1] the plasticity and y = s z/z_ss,
  F v - dV/dt = sigma0 |z v| a y + (sigma1 (1 - a y) + sigma2) v^2 for z v > 0, a sum of terms >= 0
  while y <= 1. Beyond, a = 1: the motion is LuGre's, so for Fs >= Fc its criterion
  sigma2 >= sigma1 (Fs - Fc)/Fc is exact here too. The motion that refutes it starts with slow
  loading, which takes less here than LuGre's, and goes on with y >= 1.
- Generalised Maxwell slip: V = sum F_i^2/(2 k_i) serves for Fs = Fc, where a slipping element
  carries its share. For Fs > Fc it is not passive, whatever C and sigma2. Slide at a speed W, with
  shares of h(W) = Fs - e. Slow down: the forces grow to the shares of Fs in time, not in distance,
  at no cost. Go back slowly by D = e max(a_i/k_i), so little that all stick, then on at W by the
  distance D - e min(a_i/k_i) after which all slip again. To first order in e the turn yields
  Fs e min(a_i/k_i), the least over the elements with a share. For Fs < Fc it depends on C.

Derived here where no source is given.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from symdyn.analysis.lugre_passivity import lugre_passivity, storage_dissipation
from symdyn.analysis.sizes import sized
from symdyn.analysis.static_passivity import static_passivity
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.friction.law import FrictionLaw
from symdyn.friction.lugre import LUGRE, LUGRE_FADING

_CLAIM = "friction is passive from velocity to force"
#: Parts of Fs - Fc by which the level is below Fs in a turn that yields energy, in the search.
_PARTS = tuple(0.5 * 0.25**k for k in range(24))


def passivity(law: FrictionLaw, parameters: Mapping[str, float]) -> Verdict:
    """Decide whether a law of the catalogue is passive.

    Parameters
    ----------
    law : any law
    parameters : its parameters

    Returns
    -------
    Verdict : PROVED with its storage, REFUTED with a velocity or a motion as witness, or UNKNOWN

    Raises
    ------
    InputError : parameters outside their domains, too large or too small
    """
    if not law.states:
        return static_passivity(law, parameters)
    if law.name in (LUGRE.name, LUGRE_FADING.name):
        return lugre_passivity(law, parameters)
    p = sized(law, parameters)
    match law.name:
        case "dahl":
            return _proved("with the storage F^2/(2 sigma0), for every i")
        case "maxwell-slip":
            return _proved("with the storage sum F_i^2/(2 k_i)")
        case "bouc-wen":
            return _proved("with the storage k z^2/(2 A), as |gamma| <= beta")
        case "elasto-plastic":
            return _elasto_plastic(p)
        case "gms":
            return _generalised_slip(p)
        case _:
            return _unknown(f"no criterion is known for the law {law.name}")


def _proved(detail: str) -> Verdict:
    return Verdict(VerdictKind.PROVED, _CLAIM, detail, method="closed form")


def _unknown(detail: str) -> Verdict:
    return Verdict(VerdictKind.UNKNOWN, _CLAIM, detail)


def _elasto_plastic(p: Mapping[str, float]) -> Verdict:
    bristles = {q.name: p[q.name] for q in LUGRE.parameters}
    if p["Fs"] >= p["Fc"]:
        return lugre_passivity(LUGRE, bristles)
    storage = storage_dissipation(LUGRE, bristles)
    if storage.kind is VerdictKind.PROVED:
        return Verdict(VerdictKind.PROVED, _CLAIM, storage.claim, method=storage.method)
    return _unknown(f"Fs < Fc, and not with the storage sigma0 z^2/2: {storage.detail}")


def _generalised_slip(p: Mapping[str, float]) -> Verdict:
    if p["Fs"] == p["Fc"]:
        return _proved("with the storage sum F_i^2/(2 k_i): Fs = Fc")
    if p["Fs"] < p["Fc"]:
        return _unknown("Fs < Fc: elements that follow a rising level at the rate C store energy")
    count = sum(name.startswith("k") for name in p)
    elements = [(p[f"a{i}"], p[f"k{i}"]) for i in range(1, count + 1) if p[f"a{i}"] > 0]
    for part in _PARTS:
        turn = _turn(p, elements, part)
        stays_stuck = turn["back by, slowly"] < 2 * p["Fs"] * min(a / k for a, k in elements)
        if stays_stuck and turn["energy of a turn"] < 0:
            detail = "Fs > Fc: slowing down loads slipping elements at no cost"
            return Verdict(
                VerdictKind.REFUTED, _CLAIM, detail, witness={**turn}, method="closed form"
            )
    return _unknown(
        "Fs > Fc: slowing down loads elements at no cost, too little to show in doubles"
    )


def _turn(
    p: Mapping[str, float], elements: list[tuple[float, float]], part: float
) -> dict[str, float]:
    """The motion of the module's text with e = part (Fs - Fc), and the energy that it takes."""
    e = part * (p["Fs"] - p["Fc"])
    high, low = p["Fs"], p["Fs"] - e
    W = p["vs"] * math.pow(-math.log1p(-part), 1 / p["alpha"])
    ratios = [a / k for a, k in elements]
    back = e * max(ratios)
    on = back - e * min(ratios)
    # what was stored from low to high for nothing, less what slips on the way, less what flows
    gained = sum(a * (a / k) * e * (high + low) / 2 for a, k in elements)
    slipped = sum(a * low * e * (a / k - min(ratios)) for a, k in elements)
    energy = slipped + p["sigma2"] * W * on - gained
    return {"sliding at": W, "back by, slowly": back, "on by": on, "energy of a turn": energy}
