"""Curves of any law: against closed forms that the search does not use, and against a grid."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from symdyn.algebra.float64 import FLOAT64
from symdyn.analysis import StribeckCurve, law_shape, shape
from symdyn.analysis.law_curve import stretches
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES

Change = dict[str, float]


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("b", [-0.5, 0.0, 0.5, 20.0, 60.0])
@pytest.mark.parametrize("Fs", [0.6, 1.5])
def test_enclosures_find_the_closed_form(alpha: float, b: float, Fs: float) -> None:
    """Stribeck's law run as any other law is, against Lambert's W."""
    law = LAWS["stribeck"]
    p = {"Fc": 1.0, "Fs": Fs, "vs": 0.01, "alpha": alpha, "b": b}
    found = [s for s in stretches(law, p, {}) if s.trend < 0]
    expected = shape(StribeckCurve(**p)).falling
    if b == 0 and Fs > 1:
        assert found[0].low == expected[0][0]
        assert found[0].high > 0.01 * 60 ** (1 / alpha)  # further on it is level to rounding
        return
    ends = [(s.low, s.high) for s in found]
    if alpha <= 1 and ends:
        assert ends[0][0] <= 1e-29 or ends[0][0] == pytest.approx(expected[0][0], rel=1e-11)
        ends[0] = (expected[0][0], ends[0][1])
    assert ends == [pytest.approx(pair, rel=1e-11) for pair in expected]


def derivative(name: str, v: str, p: Change) -> float:
    """Slope of the formulas typed in once more, in 40 digits."""
    formulas = {
        "hess-soom": lambda v: (
            p["Fc"] + (p["Fs"] - p["Fc"]) / (1 + (v / p["vs"]) ** 2) + p["b"] * v
        ),
        "makkar": lambda v: (
            p["g1"] * (mp.tanh(p["g2"] * v) - mp.tanh(p["g3"] * v))
            + p["g4"] * mp.tanh(p["g5"] * v)
            + p["g6"] * v
        ),
        "brown-mcphee": lambda v: (
            p["Fc"] * mp.tanh(4 * v / p["vt"])
            + (p["Fs"] - p["Fc"]) * (v / p["vt"]) / ((v / p["vt"]) ** 2 / 4 + mpf(3) / 4) ** 2
            + p["b"] * v
        ),
        "simscape": lambda v: (
            mp.sqrt(2 * mp.e) * (p["Tbrk"] - p["TC"])
            * mp.exp(-((v / p["wbrk"]) ** 2) / 2) * v / (mp.sqrt(2) * p["wbrk"])
            + p["TC"] * mp.tanh(10 * v / p["wbrk"])
            + p["f"] * v
        ),
        "stribeck-smooth": lambda v: (
            (p["Fc"] + (p["Fs"] - p["Fc"]) * mp.exp(-((v / p["vs"]) ** p["alpha"])))
            * mp.tanh(v / p["eps"])
            + p["b"] * v
        ),
    }  # fmt: skip
    with mp.workdps(40):
        return float(mp.diff(formulas[name], mpf(v)))


@pytest.mark.parametrize(
    "name", ["hess-soom", "makkar", "brown-mcphee", "simscape", "stribeck-smooth"]
)
def test_extrema_are_where_the_slope_changes_its_sign(name: str) -> None:
    law, p = LAWS[name], EXAMPLES[name]
    found = law_shape(law, p)
    assert len(found.falling) == 1
    assert [v for v, _ in found.stationary] == list(found.falling[0])
    for (v, force), before in zip(found.stationary, (1, -1), strict=True):
        assert force == law.force(FLOAT64, v, [], {}, p)
        assert before * derivative(name, repr(v * (1 - 1e-12)), p) > 0
        assert before * derivative(name, repr(v * (1 + 1e-12)), p) < 0
    at, slope = found.steepest
    assert derivative(name, repr(at), p) == pytest.approx(slope, rel=1e-9)
    for factor in (0.999, 1.001):
        assert derivative(name, repr(at * factor), p) > slope


@pytest.mark.parametrize("name", [name for name, law in LAWS.items() if not law.signals])
@settings(max_examples=3)
@given(factor=st.sampled_from([0.1, 0.7, 1.0, 1.5]), data=st.data())
def test_falling_ranges_are_those_of_a_grid(name: str, factor: float, data: st.DataObject) -> None:
    law = LAWS[name]
    levels = [q.name for q in law.parameters if q.unit == "N m" and q.name[0] in "FTtg"]
    p = dict(EXAMPLES[name])
    if levels:
        p[data.draw(st.sampled_from(levels))] *= factor
    if name == "elasto-plastic":
        p["z_ba"] = 0.0
    found = law_shape(law, p)
    grid = [10 ** (k / 60 - 6) for k in range(480)]
    for a, b in pairwise(grid):
        if any(low <= a and b <= high for low, high in found.falling):
            assert law.steady(FLOAT64, b, [], {}, p) <= law.steady(FLOAT64, a, [], {}, p)
        elif not any(low < b and a < high for low, high in found.falling):
            rise = law.steady(FLOAT64, b, [], {}, p) - law.steady(FLOAT64, a, [], {}, p)
            assert rise >= -1e-15


@pytest.mark.parametrize(
    ("name", "change", "falling"),
    [
        ("table", {}, [(0.0, 0.03)]),
        ("table", {"t3": 1.2}, [(0.0, 0.01)]),
        ("table", {"t1": 1.0, "t2": 1.2, "t3": 1.0, "t4": 0.9}, [(0.01, math.inf)]),
        ("viscous-cubic", {"b3": -0.02}, [(math.sqrt(0.5 / 0.06), math.inf)]),
        ("coulomb-smooth", {}, []),
        ("coulomb", {"b": -0.1}, [(0.0, math.inf)]),
        ("viscous-power", {"b": -1.0}, [(0.0, math.inf)]),
        ("hess-soom", {"Fs": 1.0}, []),
        ("dahl", {}, []),
    ],
)
def test_curves_that_are_known(
    name: str, change: Change, falling: list[tuple[float, float]]
) -> None:
    found = law_shape(LAWS[name], {**EXAMPLES[name], **change})
    assert list(found.falling) == [pytest.approx(pair, rel=1e-13) for pair in falling]


def test_a_load_and_a_temperature_move_the_curve() -> None:
    p = EXAMPLES["load-stribeck"]
    found = law_shape(LAWS["load-stribeck"], p, {"load": -3.0})
    assert found == shape(StribeckCurve(0.8 + 3.0 * 0.1, 1.2 + 3.0 * 0.2, 0.01, 2.0, 0.5))
    heated = law_shape(LAWS["temperature-stribeck"], EXAMPLES["temperature-stribeck"],
                       {"temperature": 20.0, "load": 0.0})  # fmt: skip
    viscous = 0.3 + 0.6 * math.exp(-1.0)
    expected = shape(StribeckCurve(0.8, 0.8 + 0.4 + 0.04, 0.014, 1.3, viscous))
    assert heated.falling == (pytest.approx(expected.falling[0], rel=1e-12),)


def test_each_direction_has_its_own_curve() -> None:
    p = {**EXAMPLES["asymmetric"], "b_minus": -0.1}
    assert law_shape(LAWS["asymmetric"], p).falling == ()
    assert law_shape(LAWS["asymmetric"], p, forward=False).falling == ((0.0, math.inf),)
