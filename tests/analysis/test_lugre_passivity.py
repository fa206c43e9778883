"""LuGre's passivity: the criterion, its witness integrated, the pointwise inequality on grids."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis.lugre_passivity import (
    dissipation,
    dissipation_speed_limits,
    lugre_passivity,
    required_viscous,
    storage_dissipation,
)
from symdyn.expr.verdict import VerdictKind
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import FrictionLaw

LUGRE, FADING = LAWS["lugre"], LAWS["lugre-fading"]
P2 = EXAMPLES["lugre"]


def test_the_example_is_not_passive() -> None:
    verdict = lugre_passivity(LUGRE, P2)
    assert verdict.kind is VerdictKind.REFUTED
    assert required_viscous(P2) == pytest.approx(49.75, rel=1e-15)
    assert "49.75" in verdict.detail


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"sigma2": 49.75}, VerdictKind.PROVED),  # the criterion holds with equality
        ({"sigma2": math.nextafter(49.75, 0)}, VerdictKind.REFUTED),
        ({"sigma1": 1.0}, VerdictKind.PROVED),
        ({"sigma1": math.nextafter(1.0, 2)}, VerdictKind.REFUTED),
        ({"sigma1": 0.0, "sigma2": 0.0}, VerdictKind.PROVED),
        ({"Fs": 1.0, "sigma2": 0.0}, VerdictKind.PROVED),  # Fs = Fc: always passive
        ({"Fs": 0.9}, VerdictKind.PROVED),
        ({"Fs": 0.9, "sigma2": 0.0, "sigma1": 5e3, "vs": 1.0}, VerdictKind.PROVED),  # always
    ],
)
def test_the_criterion(change: Mapping[str, float], kind: VerdictKind) -> None:
    assert lugre_passivity(LUGRE, {**P2, **change}).kind is kind


@pytest.mark.parametrize("sigma2", [0.0, 0.5, 20.0])
def test_the_witness_returns_energy(sigma2: float) -> None:
    """Integrated with the law's exact steps: slowly to the deflection, then fast."""
    assert LUGRE.update is not None
    p = {**P2, "sigma2": sigma2}
    witness = lugre_passivity(LUGRE, p).witness
    assert witness is not None
    z_end, fast, distance = (
        float(str(witness[k])) for k in ("loaded to z", "then speed", "over distance")
    )
    z, energy, slow, step = [0.0], 0.0, 1e-9, 20.0
    while z[0] < z_end:
        before = LUGRE.force(FLOAT64, slow, z, {}, p)
        z = LUGRE.update(FLOAT64, slow, z, {}, p, step)
        energy += (before + LUGRE.force(FLOAT64, slow, z, {}, p)) / 2 * slow * step
    assert energy == pytest.approx(float(str(witness["energy of loading"])), rel=1e-2)
    count = 4000
    for _ in range(count):
        before = LUGRE.force(FLOAT64, fast, z, {}, p)
        z = LUGRE.update(FLOAT64, fast, z, {}, p, distance / fast / count)
        energy += (before + LUGRE.force(FLOAT64, fast, z, {}, p)) / 2 * distance / count
    assert energy < 0
    assert energy == pytest.approx(float(str(witness["energy in total"])), rel=5e-2)


def test_speed_limits_far_above_the_stribeck_velocity() -> None:
    """sigma1 = 50, sigma0 = 100, Fs = 1.5, Fc = 1; sigma2 = 0 and 2."""
    p = {**P2, "sigma0": 100.0, "sigma1": 50.0}
    without = dissipation_speed_limits({**p, "sigma2": 0.0})
    assert without.any_deflection == pytest.approx(0.08, rel=1e-14)
    assert without.reachable == pytest.approx(0.09, rel=1e-14)
    with_viscous = dissipation_speed_limits({**p, "sigma2": 2.0})
    assert with_viscous.any_deflection == pytest.approx(0.0832, rel=1e-14)
    assert with_viscous.reachable == pytest.approx(0.09782608695652174, rel=1e-14)
    assert dissipation_speed_limits({**p, "Fs": 1.0}).reachable == math.inf
    assert dissipation_speed_limits({**p, "sigma1": 0.0}).any_deflection == math.inf


def test_the_dissipation_is_its_formula() -> None:
    g, s0, s1, s2, v, z = sympy.symbols("g s0 s1 s2 v z", positive=True)
    zdot = v - s0 * v * z / g
    power = (s0 * z + s1 * zdot + s2 * v) * v - s0 * z * zdot
    formula = v * (g * (s1 + s2) * v + (s0 * z) ** 2 - s0 * s1 * v * z) / g
    assert sympy.expand(power - formula) == 0
    level = 1 + 0.5 * math.exp(-4)
    expected = 0.02 * (level * 100 * 0.02 + 1 - 99.5 * 0.02) / level
    assert dissipation(P2, 0.02, 1e-4) == pytest.approx(expected, rel=1e-12)
    assert dissipation(P2, -0.02, -1e-4) == pytest.approx(expected, rel=1e-12)
    assert dissipation(P2, 0.0, 1e-4) == 0.0


def margin(law: FrictionLaw, p: Mapping[str, float], v: float, z: float) -> float:
    """F v - dV/dt over |v|, from the law itself."""
    assert law.rate is not None
    (zdot,) = law.rate(FLOAT64, v, [z], {}, p)
    force = law.force(FLOAT64, v, [z], {}, p)
    return force - p["sigma0"] * z * zdot / v


@pytest.mark.parametrize("name", ["lugre", "lugre-fading"])
@given(
    Fs=st.floats(0.5, 2),
    sigma1=st.floats(0, 300).map(lambda x: round(x, 6)),
    sigma2=st.floats(0, 60).map(lambda x: round(x, 6)),
    vs=st.floats(1e-3, 0.1), alpha=st.floats(0.6, 3), vd=st.floats(1e-3, 1),
)  # fmt: skip
def test_verdicts_on_the_storage_agree_with_a_grid(
    name: str, Fs: float, sigma1: float, sigma2: float, vs: float, alpha: float, vd: float
) -> None:
    law = LAWS[name]
    p = {**P2, "Fs": Fs, "sigma1": sigma1, "sigma2": sigma2, "vs": vs, "alpha": alpha}
    if name == "lugre-fading":
        p["vd"] = vd
    verdict = storage_dissipation(law, p)
    assert verdict.kind is not VerdictKind.UNKNOWN
    bound = max(1.0, Fs) / p["sigma0"]
    if verdict.kind is VerdictKind.REFUTED:
        assert verdict.witness is not None
        v, z = (float(str(verdict.witness[k])) for k in ("v", "z"))
        assert v > 0
        assert 0 <= z <= bound * (1 + 1e-15)
        assert margin(law, p, v, z) < 0
        return
    source = random.Random(5)
    for _ in range(400):
        v, z = 10 ** source.uniform(-5, 3), bound * source.uniform(-1, 1)
        for deflection in (z, bound):
            scale = Fs + (sigma1 + sigma2) * (1 + v)
            assert margin(law, p, v, deflection) >= -1e-12 * scale


@given(
    u=st.floats(-1, 1), v=st.floats(-3, 2).map(lambda e: 10.0**e), Fs=st.floats(0.05, 0.999),
    sigma1=st.floats(0, 1e4), alpha=st.floats(0.3, 4), sigma2=st.floats(0, 1),
)  # fmt: skip
def test_a_level_that_rises_always_has_a_storage(
    u: float, v: float, Fs: float, sigma1: float, alpha: float, sigma2: float
) -> None:
    """V'(z) = max(u, sigma1 h^{-1}(u)), u = sigma0 z, against the law's own power; Fc = 1."""
    p = {**P2, "Fs": Fs, "sigma1": sigma1, "sigma2": sigma2, "alpha": alpha}
    assert LUGRE.rate is not None
    load = abs(u)
    slope = load
    if Fs < load < 1:
        slope = max(load, sigma1 * p["vs"] * (-math.log((1 - load) / (1 - Fs))) ** (1 / alpha))
    z = u / p["sigma0"]
    (zdot,) = LUGRE.rate(FLOAT64, v, [z], {}, p)
    supplied = LUGRE.force(FLOAT64, v, [z], {}, p) * v
    scale = (1 + (sigma1 + sigma2) * v + slope) * v
    assert supplied - math.copysign(slope, u) * zdot >= -1e-9 * scale


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"vd": 0.01}, VerdictKind.PROVED),  # by the usual storage
        ({"vd": 0.2}, VerdictKind.PROVED),  # by another
        ({"vd": 1.0}, VerdictKind.REFUTED),
        ({"vd": 1.0, "sigma2": 20.0}, VerdictKind.PROVED),
        ({"Fs": 1.0, "vd": 1.0}, VerdictKind.PROVED),
        ({"Fs": 0.9, "vd": 0.01, "sigma1": 5e3, "vs": 1.0}, VerdictKind.PROVED),
        ({"Fs": 0.9, "vd": 0.05, "sigma1": 5e3, "vs": 1.0, "sigma2": 0.0}, VerdictKind.REFUTED),
    ],
)
def test_fading_damping_is_decided(change: Mapping[str, float], kind: VerdictKind) -> None:
    assert lugre_passivity(FADING, {**P2, **change}).kind is kind


def cycle_energy(p: Mapping[str, float], witness: Mapping[str, object]) -> tuple[float, float]:
    """Energy of a cycle, by the law's exact steps and Simpson's rule; how far z misses its end."""
    assert FADING.update is not None
    low, high, up, down = (
        float(str(witness[k]))
        for k in ("z between", "and", "loading at speed", "unloading at speed")
    )
    z, energy = low, 0.0
    for v, end in ((up, high), (down, low)):
        h = p["sigma0"] * FADING.update(FLOAT64, v, [z], {}, p, 1e30)[0]
        distance = h / p["sigma0"] * math.log((h - p["sigma0"] * z) / (h - p["sigma0"] * end))
        count = 400
        dt = distance / v / count
        for _ in range(count):
            forces = []
            for part in (0.0, dt / 2, dt):
                there = FADING.update(FLOAT64, v, [z], {}, p, part)
                forces.append(FADING.force(FLOAT64, v, there, {}, p))
            energy += (forces[0] + 4 * forces[1] + forces[2]) / 6 * v * dt
            z = FADING.update(FLOAT64, v, [z], {}, p, dt)[0]
        assert z == pytest.approx(end, rel=1e-9)
    return energy, abs(z - low)


@pytest.mark.parametrize(
    "change",
    [
        {"vd": 1.0}, {"vd": 0.3}, {"vd": 3.0, "sigma2": 5.0}, {"vd": 1.0, "alpha": 0.7},
        {"Fs": 0.5, "vd": 0.05, "sigma1": 5e3, "vs": 1.0, "sigma2": 0.0},
    ],
)  # fmt: skip
def test_a_cycle_yields_its_energy(change: Mapping[str, float]) -> None:
    """Once more with the law itself, in time."""
    p = {**P2, **change}
    verdict = lugre_passivity(FADING, p)
    assert verdict.kind is VerdictKind.REFUTED
    assert verdict.witness is not None
    energy, _ = cycle_energy(p, verdict.witness)
    assert energy < 0
    assert energy == pytest.approx(float(str(verdict.witness["energy of a cycle"])), rel=1e-6)


@pytest.mark.parametrize("change", [{"vd": 0.2}, {"vd": 1.0, "sigma2": 20.0}])
def test_no_random_motion_returns_energy_where_a_storage_is_found(
    change: Mapping[str, float],
) -> None:
    """Motions that load slowly and unload fast, a thousand steps each, from rest."""
    p = {**P2, **change}
    assert FADING.update is not None
    source = random.Random(3)
    for _ in range(60):
        up = 10 ** source.uniform(-4, 0)
        down = 10 ** source.uniform(-3, 2)
        z, energy, least = [0.0], 0.0, 0.0
        for k in range(200):
            v = up if k % 2 == 0 else down
            dt = 10 ** source.uniform(-6, -3.5) / v
            for _ in range(5):
                before = FADING.force(FLOAT64, v, z, {}, p)
                z = FADING.update(FLOAT64, v, z, {}, p, dt / 5)
                energy += (before + FADING.force(FLOAT64, v, z, {}, p)) / 2 * v * dt / 5
            least = min(least, energy)
        assert least > -1e-6
