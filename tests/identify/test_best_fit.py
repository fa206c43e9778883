"""No better fit exists: beside least squares from many starts, over random laws and truths."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import least_squares

from symdyn._errors import InputError, UnsupportedError
from symdyn.friction.catalog import LAWS
from symdyn.friction.stribeck import STRIBECK
from symdyn.identify import projection
from symdyn.identify.columns import steady_force
from symdyn.identify.estimate import by_name
from symdyn.identify.steady import SteadyFit, fit_steady
from tests.identify.sweeps import NOISE, TRUE, WIDE, both_ways, friction

#: Ranges from which true values are drawn, log-uniformly, by the unit of the parameter.
_DRAWN = {
    "N m": (0.3, 3.0),
    "N m s/rad": (0.1, 2.0),
    "N m s^d/rad^d": (0.1, 2.0),
    "rad/s": (3e-3, 0.3),
    "s/rad": (3.0, 300.0),
    "1": (0.1, 10.0),
}
_STARTS = 24


def drawn(name: str, rng: np.random.Generator) -> dict[str, float]:
    """Random parameters of a law."""
    logs = {q.name: np.log(_DRAWN[q.unit]) for q in LAWS[name].parameters}
    return {n: float(np.exp(rng.uniform(*ends))) for n, ends in logs.items()}


def least(name: str, v: np.ndarray, F: np.ndarray, rng: np.random.Generator) -> float:
    """Least sum of squares that SciPy finds from random starts; non-linear ones in logarithms."""
    law = LAWS[name]
    names = [q.name for q in law.parameters]
    is_log = np.array([n not in law.linear for n in names])

    def residuals(x: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):
            p = np.where(is_log, np.exp(np.clip(x, -60, 60)), x)
        r = steady_force(law, dict(zip(names, p, strict=True)), v) - F
        return np.where(np.isfinite(r), r, 1e100)

    found: list[float] = []
    for _ in range(_STARTS):
        start = drawn(name, rng)
        x = np.array(
            [np.log(start[n]) if one else start[n] for n, one in zip(names, is_log, strict=True)]
        )
        end = least_squares(residuals, x, x_scale="jac", xtol=1e-12, ftol=1e-12, max_nfev=300)
        found.append(2 * float(end.cost))
    return min(found)


def is_honest(fit: SteadyFit) -> None:
    """What is printed belongs to the best fit."""
    at = steady_force(fit.law, fit.values, fit.v)
    assert fit.residuals == pytest.approx(fit.F - at, abs=1e-9 * float(np.max(np.abs(fit.F))))
    for e in fit.estimates:
        best = fit.values[e.name]
        slack = 1e-9 * abs(best)
        if e.value is not None:
            assert e.value == best
        assert e.low is None or e.low <= best + slack
        assert e.high is None or e.high >= best - slack


def fitted(name: str, noise: float, count: int, excess: float = 1e-9) -> None:
    """Fit a random truth and compare; ``excess`` of the sum of squares is allowed."""
    rng = np.random.default_rng([ord(c) for c in name] + [int(1e4 * noise)])
    v = both_ways(2e-3, 2.0, count)
    F = steady_force(LAWS[name], drawn(name, rng), v) + noise * rng.standard_normal(v.size)
    fit = fit_steady(LAWS[name], v, F)
    assert fit.rms**2 * v.size <= least(name, v, F, rng) * (1 + excess)
    is_honest(fit)


@pytest.mark.parametrize("noise", [1e-3, 0.2])
@pytest.mark.parametrize(
    "name",
    ["stribeck", "hess-soom", "brown-mcphee", "coulomb-smooth", "viscous-power", "simscape"],
)
def test_no_other_start_fits_better(name: str, noise: float) -> None:
    fitted(name, noise, 15)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [1e-3, 0.01, 0.05, 0.2])
@pytest.mark.parametrize("name", ["makkar", "stribeck-smooth", "stribeck"])
def test_no_other_start_fits_better_with_more_parameters(name: str, noise: float) -> None:
    # a valley that runs to infinity, two slopes growing alike, has no lowest place to agree on
    # one search is known to end short: at alpha = 100, where 69 would lower the sum by 1.5e-5 of
    # itself, a thousandth of what one standard deviation of a parameter costs
    is_known = (name, noise) == ("stribeck-smooth", 0.2)
    fitted(name, noise, 25, 2e-5 if is_known else 1e-6)


@pytest.mark.parametrize("name", ["makkar", "stribeck-smooth"])
def test_of_a_sweep_that_leaves_some_open_the_best_fit_is_given(name: str) -> None:
    F = friction(WIDE) + NOISE * np.random.default_rng(1).standard_normal(WIDE.size)
    fit = fit_steady(LAWS[name], WIDE, F)
    is_honest(fit)
    assert any(not e.is_identified for e in fit.estimates)
    # both laws hold Stribeck's curve, or come near to it
    plain = fit_steady(STRIBECK, WIDE, F)
    assert fit.rms < 1.01 * plain.rms


def test_of_a_curve_written_in_two_ways_the_other_is_no_rival() -> None:
    # g1 (tanh g2 v - tanh g3 v) with g1 < 0 and the slopes exchanged
    true = {"g1": 0.5, "g2": 400.0, "g3": 4.0, "g4": 1.0, "g5": 60.0, "g6": 0.5}
    F = steady_force(LAWS["makkar"], true, WIDE)
    fit = fit_steady(LAWS["makkar"], WIDE, F + 1e-4 * np.cos(np.arange(WIDE.size)))
    for parameter, value in true.items():
        estimate = by_name(fit.estimates, parameter)
        assert estimate.value == pytest.approx(value, rel=1e-2)
        assert estimate.low == pytest.approx(value, rel=1e-2)


@pytest.mark.parametrize(
    ("alpha", "noise"), [(0.02, 1e-5), (0.15, 0.0), (4.0, 1e-5), (8.0, 0.0), (12.0, 1e-5)]
)
def test_exponents_far_from_two(alpha: float, noise: float) -> None:
    true = {**TRUE, "vs": 0.05, "alpha": alpha}
    errors = noise * np.random.default_rng(4).standard_normal(WIDE.size)
    fit = fit_steady(STRIBECK, WIDE, steady_force(STRIBECK, true, WIDE) + errors)
    assert fit.rms <= max(1.1 * noise, 1e-14)
    is_honest(fit)
    found = by_name(fit.estimates, "alpha")
    if found.value is not None:
        assert found.value == pytest.approx(alpha, abs=max(1e-9, 4 * (found.sd or 0)))
    # of a step between two speeds the steepness is not told, nor what is nearly a logarithm
    is_told = 0.1 < alpha < 10 or (alpha < 10 and not noise)
    assert found.value is not None or (not is_told and "where the search ends" in found.note)


@pytest.mark.parametrize("d", [0.003, 0.1, 5.0, 20.0])
def test_powers_far_from_one(d: float) -> None:
    law = LAWS["viscous-power"]
    fit = fit_steady(law, WIDE, steady_force(law, {"b": 0.5, "d": d}, WIDE))
    assert by_name(fit.estimates, "d").value == pytest.approx(d, rel=1e-9)
    assert by_name(fit.estimates, "b").value == pytest.approx(0.5, rel=1e-9)


def test_what_is_open_speaks_of_the_search() -> None:
    law = LAWS["viscous-power"]
    F = np.sign(WIDE) + 0.01 * np.random.default_rng(6).standard_normal(WIDE.size)
    d = by_name(fit_steady(law, WIDE, F).estimates, "d")
    assert d.value is None
    assert re.match(r"Every d from [\d.e-]+, where the search ends, to 0\.0\d+ fits", d.note)
    held = fit_steady(law, WIDE, F, brackets={"d": (0.2, 8.0)})
    assert "from 0.2, where the search ends," in by_name(held.estimates, "d").note
    assert "best at the end" in by_name(held.estimates, "d").note


@pytest.mark.parametrize("force", [1e-310, 1e-200, 1e-29, 1e29, 1e200])
@pytest.mark.parametrize("speed", [1e-310, 1e-200, 1e-29, 1e29, 1e200])
@pytest.mark.parametrize("name", ["stribeck", "viscous-cubic", "viscous-power", "makkar"])
def test_numbers_of_any_size_are_fitted_or_refused(name: str, force: float, speed: float) -> None:
    v = np.array([-3.0, -2.0, -1.5, -1.0, 1.0, 1.5, 2.0, 3.0, 4.0])
    F = np.array([-3.1, -2.0, -1.7, -1.2, 1.1, 1.6, 2.1, 2.9, 4.2])
    fixed = {"stribeck": {"alpha": 2.0}, "makkar": {"g2": 400 / speed, "g3": 40 / speed}}
    if not (1e-30 < force < 1e30 and 1e-30 < speed < 1e30):
        with pytest.raises(InputError, match=r"too (large|small) to be computed with") as caught:
            fit_steady(LAWS[name], speed * v, force * F)
        assert "\n" not in str(caught.value)
        return
    fit = fit_steady(LAWS[name], speed * v, force * F, fixed=fixed.get(name, {}))
    assert fit.rms < 0.2 * force
    assert all(e.value is None or np.isfinite(e.value) for e in fit.estimates)


def test_held_values_that_leave_no_curve_are_refused() -> None:
    with pytest.raises(InputError, match="no finite value"):
        fit_steady(LAWS["viscous-power"], 10 * WIDE, friction(WIDE), fixed={"d": 1e6})


def test_a_search_without_a_finite_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    real = projection.project

    def nowhere(problem: projection.SteadyProblem, values: Mapping[str, float]) -> projection.Point:
        return replace(real(problem, values), rss=math.inf)

    monkeypatch.setattr(projection, "project", nowhere)
    monkeypatch.setattr(projection, "polish", lambda problem, point, free, limit: point)
    with pytest.raises(UnsupportedError, match=r"no start of the search .* Hold some"):
        fit_steady(STRIBECK, WIDE, friction(WIDE))
