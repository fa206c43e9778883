"""No better fit exists: beside least squares from many starts, over random laws and truths."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import least_squares

from symdyn.friction.catalog import LAWS
from symdyn.identify.columns import steady_force
from symdyn.identify.steady import SteadyFit, fit_steady
from tests.identify.sweeps import both_ways

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


@pytest.mark.parametrize("noise", [1e-3, 0.05, 0.5])
@pytest.mark.parametrize(
    "name",
    ["stribeck", "hess-soom", "brown-mcphee", "coulomb-smooth", "viscous-power", "simscape"],
)
def test_no_other_start_fits_better(name: str, noise: float) -> None:
    rng = np.random.default_rng([ord(c) for c in name] + [int(1e4 * noise)])
    v = both_ways(2e-3, 2.0, 15)
    F = steady_force(LAWS[name], drawn(name, rng), v) + noise * rng.standard_normal(v.size)
    fit = fit_steady(LAWS[name], v, F)
    assert fit.rms**2 * v.size <= least(name, v, F, rng) * (1 + 1e-9)
    is_honest(fit)
