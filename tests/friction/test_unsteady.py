"""Forces and rates away from steady sliding, against the formulas typed in once more in mpmath."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from mpmath import mp, mpf

from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from tests.friction.examples import states_of, variants

DIGITS = 60
MP = MpAlgebra(DIGITS)
P = Mapping[str, Any]
Formula = Callable[[Any, Sequence[Any], P], list[Any]]


def level(v: Any, p: P) -> Any:
    return p["Fc"] + (p["Fs"] - p["Fc"]) * mp.exp(-(abs(v / p["vs"]) ** p["alpha"]))


def lugre_rate(v: Any, z: Any, p: P) -> Any:
    return v - p["sigma0"] * abs(v) / level(v, p) * z


def lugre(v: Any, x: Sequence[Any], p: P) -> list[Any]:
    rate = lugre_rate(v, x[0], p)
    return [p["sigma0"] * x[0] + p["sigma1"] * rate + p["sigma2"] * v, rate]


def fading(v: Any, x: Sequence[Any], p: P) -> list[Any]:
    rate = lugre_rate(v, x[0], p)
    damping = p["sigma1"] * mp.exp(-(v**2) / p["vd"] ** 2)
    return [p["sigma0"] * x[0] + damping * rate + p["sigma2"] * v, rate]


def elasto_plastic(v: Any, x: Sequence[Any], p: P) -> list[Any]:
    """Dupont et al. 2002, equations 8 to 11."""
    z, zss, zba = x[0], level(v, p) / p["sigma0"], p["z_ba"]
    if z * v <= 0 or abs(z) <= zba:
        alpha = mpf(0)
    elif abs(z) >= zss:
        alpha = mpf(1)
    else:
        alpha = (1 + mp.sin(mp.pi * (abs(z) - (zss + zba) / 2) / (zss - zba))) / 2
    rate = v * (1 - alpha * mp.sign(v) * z / zss)
    return [p["sigma0"] * z + p["sigma1"] * rate + p["sigma2"] * v, rate]


def dahl(v: Any, x: Sequence[Any], p: P) -> list[Any]:
    gap = 1 - x[0] / p["Fc"] * mp.sign(v)
    return [x[0], p["sigma0"] * abs(gap) ** p["i"] * mp.sign(gap) * v]


def maxwell_slip(v: Any, x: Sequence[Any], p: P) -> list[Any]:
    rates = [
        0 if abs(F) == p[f"F{i}"] and F * v > 0 else p[f"k{i}"] * v for i, F in enumerate(x, 1)
    ]
    return [sum(x) + p["b"] * v, *rates]


def gms(v: Any, x: Sequence[Any], p: P) -> list[Any]:
    """Al-Bender, Lampaert, Swevers 2005, equations 8 and 9."""
    h = level(v, p)
    rates: list[Any] = []
    for i, (F, mode) in enumerate(zip(x[:4], x[4:], strict=True), 1):
        a = p[f"a{i}"]
        slips = mode * v > 0 or F * mp.sign(v) >= a * h
        pull = mp.sign(v) * p["C"] * (a - F * mp.sign(v) / h)
        rates.append(pull if slips else p[f"k{i}"] * v)
    return [sum(x[:4]) + p["sigma2"] * v, *rates, 0, 0, 0, 0]


def bouc_wen(v: Any, x: Sequence[Any], p: P) -> list[Any]:
    z, n = x[0], p["n"]
    loss = p["beta"] * abs(v) * abs(z) ** (n - 1) * z
    rate = p["A"] * v - loss - p["gamma"] * v * abs(z) ** n
    return [p["k"] * z + p["b"] * v, rate]


#: Force and rates of each law with states at (v, states, parameters).
UNSTEADY: dict[str, Formula] = {
    "dahl": dahl, "lugre": lugre, "lugre-fading": fading, "elasto-plastic": elasto_plastic,
    "maxwell-slip": maxwell_slip, "gms": gms, "bouc-wen": bouc_wen,
}  # fmt: skip
#: Parts of what each state can hold: loading and unloading, elastic, between, beyond saturation.
FRACTIONS = ("-1.1", "-0.8", "-0.3", "0.15", "0.45", "0.6", "0.75", "0.95", "1.05")
SPEEDS = ("0.0004", "0.004", "0.013", "0.3")


def test_every_law_with_states_is_here() -> None:
    assert set(UNSTEADY) == {name for name, law in LAWS.items() if law.states}


@pytest.mark.parametrize("name", sorted(UNSTEADY))
def test_force_and_rates_are_the_formulas(name: str) -> None:
    law = LAWS[name]
    assert law.rate is not None
    for values in variants(law):
        with mp.workdps(DIGITS):
            p = {key: mpf(value) for key, value in values.items()}
            numbers = {key: MP.number(value) for key, value in values.items()}
            for v in (s * mpf(speed) for speed in SPEEDS for s in (1, -1)):
                for fraction in map(mpf, FRACTIONS):
                    x = [mpf(size) * fraction for size in states_of(law, 1.0)]
                    if name == "maxwell-slip":
                        # on their levels, within them, and none beyond
                        x = [max(-p[f"F{i}"], min(F, p[f"F{i}"])) for i, F in enumerate(x, 1)]
                    if name == "gms":
                        x[4:] = [mpf(mode) for mode in (0, 1, -1, 0)]
                    state = [MP.number(str(z)) for z in x]
                    found = [
                        law.force(MP, MP.number(str(v)), state, {}, numbers),
                        *law.rate(MP, MP.number(str(v)), state, {}, numbers),
                    ]
                    for ours, theirs in zip(found, UNSTEADY[name](v, x, p), strict=True):
                        error = abs(mpf(str(ours)) - theirs)
                        assert error <= mpf("1e-45") * (1 + abs(theirs)), (v, fraction)


@pytest.mark.parametrize("load", [0.5, 1.2, -2.0, -0.7])
def test_karnopp_carries_the_load_inside_its_band_only(load: float) -> None:
    """Up to Fs = 1.5, not Fc = 1, for |v| < Dv = 0.001."""
    law, p = LAWS["karnopp"], EXAMPLES["karnopp"]
    held = {0.5: 0.5, 1.2: 1.2, -2.0: -1.5, -0.7: -0.7}[load]
    for v in (0.0, 5e-4, -5e-4, 1e-5, 9.99e-4, -9.99e-4):
        assert law.force(FLOAT64, v, [], {"load": load}, p) == held
    for v in (1e-3, 2e-3, 0.5):
        assert law.force(FLOAT64, v, [], {"load": load}, p) == 1.0 + 0.5 * v
        assert law.force(FLOAT64, -v, [], {"load": load}, p) == -1.0 - 0.5 * v
