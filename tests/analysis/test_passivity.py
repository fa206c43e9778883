"""Passivity of every law: storages point by point, and motions that yield energy, walked."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence

import pytest

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis import lugre_passivity, passivity, storage_dissipation
from symdyn.expr.verdict import VerdictKind
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import FrictionLaw

P = Mapping[str, float]


@pytest.mark.parametrize("name", list(LAWS))
def test_every_law_has_a_verdict(name: str) -> None:
    verdict = passivity(LAWS[name], EXAMPLES[name])
    refuted = {"lugre", "elasto-plastic", "gms"}
    assert verdict.kind is (VerdictKind.REFUTED if name in refuted else VerdictKind.PROVED)
    assert verdict.detail or verdict.claim


@pytest.mark.parametrize("name", sorted(set(LAWS) - {"lugre", "lugre-fading"}))
def test_other_laws_are_refused_by_the_criterion_of_lugre(name: str) -> None:
    for ask in (lugre_passivity, storage_dissipation):
        with pytest.raises(InputError, match=r"(?s)a question to LuGre laws.*Ask `passivity`"):
            ask(LAWS[name], EXAMPLES[name])


# -- storages -------------------------------------------------------------------------------------

#: Slope of the storage by each state, typed in from the module's text.
SLOPES: dict[str, Callable[[Sequence[float], P], list[float]]] = {
    "dahl": lambda x, p: [x[0] / p["sigma0"]],
    "maxwell-slip": lambda x, p: [F / p[f"k{i}"] for i, F in enumerate(x, 1)],
    "gms": lambda x, p: [F / p[f"k{i}"] for i, F in enumerate(x[:4], 1)] + [0.0] * 4,
    "bouc-wen": lambda x, p: [p["k"] * x[0] / p["A"]],
    "elasto-plastic": lambda x, p: [p["sigma0"] * x[0]],
}
#: Parameters with which each of these storages is claimed.
STORED: list[tuple[str, dict[str, float]]] = [
    ("dahl", {}), ("dahl", {"i": 0.5}), ("dahl", {"i": 2.0}), ("maxwell-slip", {}),
    ("gms", {"Fs": 1.0}), ("bouc-wen", {}), ("bouc-wen", {"gamma": 6e3}),
    ("bouc-wen", {"gamma": -5.9e3, "n": 1.5}), ("elasto-plastic", {"sigma1": 1.0}),
    ("elasto-plastic", {"Fs": 0.9, "sigma1": 1.0}), ("elasto-plastic", {"Fs": 1.0}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change"), STORED)
def test_friction_takes_what_its_storage_does_not_hold(name: str, change: P) -> None:
    """F v >= dV/dt along a random motion, with the law's own rates; states stay where they are."""
    law, p = LAWS[name], {**EXAMPLES[name], **change}
    assert law.update is not None
    assert law.rate is not None
    assert passivity(law, p).kind is VerdictKind.PROVED
    source = random.Random(5)
    x = [0.0] * len(law.states)
    for _ in range(4000):
        v = source.choice((-1, 1)) * 10 ** source.uniform(-6, 1)
        rates = law.rate(FLOAT64, v, x, {}, p)
        stored = sum(s * r for s, r in zip(SLOPES[name](x, p), rates, strict=True))
        supplied = law.force(FLOAT64, v, x, {}, p) * v
        assert supplied - stored >= -1e-12 * (abs(supplied) + abs(stored)), (v, x)
        x = law.update(FLOAT64, v, x, {}, p, 10 ** source.uniform(-7, -4) / abs(v))


# -- motions that yield energy --------------------------------------------------------------------


def walked(
    law: FrictionLaw, p: P, x: list[float], v: float, distance: float, steps: int = 4000
) -> tuple[list[float], float]:
    """States after a distance at constant velocity, and the energy that friction takes."""
    assert law.update is not None
    energy, dt = 0.0, distance / abs(v) / steps
    for _ in range(steps):
        before = law.force(FLOAT64, v, x, {}, p)
        x = law.update(FLOAT64, v, x, {}, p, dt)
        energy += (before + law.force(FLOAT64, v, x, {}, p)) / 2 * v * dt
    return x, energy


@pytest.mark.parametrize("change", [{}, {"sigma1": 5.0, "Fs": 1.2}])
def test_elasto_plastic_bristles_return_energy_as_those_of_lugre_do(change: P) -> None:
    law, p = LAWS["elasto-plastic"], {**EXAMPLES["elasto-plastic"], **change}
    verdict = passivity(law, p)
    assert verdict.kind is VerdictKind.REFUTED
    assert verdict.witness is not None
    w = {name: float(str(x)) for name, x in verdict.witness.items()}
    x, loading, slow = [0.0], 0.0, 1e-9
    while x[0] < w["loaded to z"]:
        x, energy = walked(law, p, x, slow, 1e-7, 1)
        loading += energy
    assert 0 < loading <= w["energy of loading"] * (1 + 1e-3)
    _, fast = walked(law, p, x, w["then speed"], w["over distance"])
    assert loading + fast <= 0.99 * w["energy in total"] < 0


@pytest.mark.parametrize(
    "change", [{}, {"sigma2": 1e3}, {"C": 5.0, "alpha": 1.0}, {"a1": 0.0, "a4": 0.5}]
)
def test_a_turn_of_generalised_slip_yields_its_energy(change: P) -> None:
    """Three times over: slide, slow down, go back, go on; the state comes back to where it was."""
    law, p = LAWS["gms"], {**EXAMPLES["gms"], **change}
    verdict = passivity(law, p)
    assert verdict.kind is VerdictKind.REFUTED
    assert verdict.witness is not None
    w = {name: float(str(x)) for name, x in verdict.witness.items()}
    W, slow = w["sliding at"], 1e-7 * w["sliding at"] * min(1.0, w["back by, slowly"])
    x, _ = walked(law, p, [0.0] * 8, W, 10.0, 200)
    assert x[4:] == [1.0] * 4
    for _ in range(3):
        start, total = x, 0.0
        settling = 60 * p["Fs"] / p["C"]
        x, energy = walked(law, p, x, slow, slow * settling)
        total += energy
        assert x[3] == pytest.approx(p["a4"] * p["Fs"], rel=1e-6)
        x, energy = walked(law, p, x, -slow, w["back by, slowly"])
        total += energy
        x, energy = walked(law, p, x, W, w["on by"] * (1 + 1e-5))
        total += energy
        assert x == pytest.approx(start, rel=1e-5, abs=1e-9)
        assert total == pytest.approx(w["energy of a turn"], rel=0.02)


def test_what_is_not_known_is_said() -> None:
    verdict = passivity(LAWS["gms"], {**EXAMPLES["gms"], "Fs": 0.5})
    assert verdict.kind is VerdictKind.UNKNOWN
    assert "rising level" in verdict.detail


# -- fading damping, typed in again ---------------------------------------------------------------


def test_the_storage_of_fading_damping_holds_up_to_a_width_of_the_fading() -> None:
    """The verdict changes at the vd where the least of x^2/v - s1 x + h (s1 + s2) over v and
    0 <= x <= Fs crosses 0, with s1 = sigma1 exp(-(v/vd)^2) typed in here."""
    p = {**EXAMPLES["lugre-fading"], "sigma2": 0.05}

    def margin(vd: float) -> float:
        def at(v: float) -> float:
            s1 = p["sigma1"] * math.exp(-(v * v) / (vd * vd))
            h = p["Fc"] + (p["Fs"] - p["Fc"]) * math.exp(-(v * v) / p["vs"] ** 2)
            x = min(p["Fs"], s1 * v / 2)
            return x * x / v - s1 * x + h * (s1 + p["sigma2"])

        return min(at(vd * 10 ** (k / 4000 - 1)) for k in range(6000))

    low, high = 1e-2, 1.0
    for _ in range(20):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if margin(middle) > 0 else (low, middle)
    law = LAWS["lugre-fading"]
    assert storage_dissipation(law, {**p, "vd": 0.99 * low}).kind is VerdictKind.PROVED
    assert storage_dissipation(law, {**p, "vd": 1.01 * high}).kind is VerdictKind.REFUTED
