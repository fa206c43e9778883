"""Sweep design: precision foretold is precision found, and the optimum carries its certificate."""

from __future__ import annotations

import numpy as np
import pytest

from symdyn._errors import InputError
from symdyn.friction.stribeck import STRIBECK
from symdyn.identify.design import best_sweep, expected_precision
from symdyn.identify.steady import fit_steady
from tests.identify.sweeps import FAST, FITTED, NOISE, SLOW, TRUE, WIDE, friction

HELD = ("alpha",)


def test_reference_standard_deviations() -> None:
    wide = expected_precision(STRIBECK, TRUE, WIDE, NOISE, fixed=HELD)
    for name, sd in {"Fc": 0.0111891, "Fs": 0.0227386, "vs": 7.3460e-4, "b": 0.0152033}.items():
        assert wide.sd[name] == pytest.approx(sd, rel=1e-5)
    assert [round(100 * wide.relative[n], 2) for n in FITTED] == [1.12, 1.52, 7.35, 3.04]
    slow = expected_precision(STRIBECK, TRUE, SLOW, NOISE, fixed=HELD)
    assert slow.sd["b"] == pytest.approx(1.22980, rel=1e-5)
    assert slow.sd["b"] / wide.sd["b"] == pytest.approx(80.9, abs=0.05)


def test_foretold_is_found() -> None:
    foretold = expected_precision(STRIBECK, TRUE, WIDE, NOISE, fixed=HELD)
    fit = fit_steady(STRIBECK, WIDE, friction(WIDE), fixed={"alpha": 2.0}, noise=NOISE)
    assert foretold.covariance.names == fit.covariance.names
    assert np.allclose(foretold.covariance.matrix, fit.covariance.matrix, rtol=1e-9, atol=0)


def test_fast_speeds_are_foretold_to_tell_nothing_of_the_break_away_level() -> None:
    fast = expected_precision(STRIBECK, TRUE, FAST, NOISE, fixed=HELD)
    assert fast.rank == 2
    assert fast.sd["Fs"] is None
    assert fast.sd["vs"] is None
    assert fast.sd["Fc"] is not None
    assert "vs" not in fast.relative


def test_fewer_speeds_than_parameters_have_a_rank_but_no_precision() -> None:
    few = expected_precision(STRIBECK, TRUE, [0.01, 0.5], NOISE, fixed=HELD)
    assert few.rank == 2
    assert few.sd["Fc"] is None


def test_the_best_design_is_certified_and_beats_the_log_spaced_one() -> None:
    design = best_sweep(STRIBECK, TRUE, 0.002, 2.0, fixed=HELD, count=50)
    assert design.efficiency > 0.998
    assert sum(design.counts) == 50
    assert design.v[0] == pytest.approx(0.002)
    assert design.v[-1] == pytest.approx(2.0)
    best = expected_precision(STRIBECK, TRUE, np.repeat(design.v, design.counts), NOISE, fixed=HELD)
    wide = expected_precision(STRIBECK, TRUE, WIDE, NOISE, fixed=HELD)
    gain = np.linalg.det(wide.covariance.matrix) / np.linalg.det(best.covariance.matrix)
    assert gain**0.25 > 1.3
    # nothing better within reach: a tenth of the weight on any other speed is worse
    top = -np.linalg.slogdet(best.covariance.matrix)[1]
    for v in np.geomspace(0.002, 2.0, 12):
        speeds = np.concatenate((np.repeat(design.v, np.multiply(design.counts, 9)), [v] * 50))
        other = expected_precision(STRIBECK, TRUE, speeds, NOISE * 10**0.5, fixed=HELD)
        assert -np.linalg.slogdet(other.covariance.matrix)[1] < top + 0.01


def test_a_design_for_several_guesses_has_speeds_to_spare() -> None:
    guesses = [{**TRUE, "vs": vs} for vs in (0.005, 0.01, 0.03)]
    one = best_sweep(STRIBECK, TRUE, 0.001, 2.0, fixed=HELD)
    several = best_sweep(STRIBECK, guesses, 0.001, 2.0, fixed=HELD)
    assert several.v.size > one.v.size == 4
    assert several.efficiency > 0.99

    def worst(v: np.ndarray) -> float:
        return max(
            np.linalg.slogdet(
                expected_precision(STRIBECK, g, v, NOISE, fixed=HELD).covariance.matrix
            )[1]
            for g in guesses
        )

    assert worst(np.repeat(several.v, several.counts)) < worst(np.repeat(one.v, one.counts))


@pytest.mark.parametrize(
    ("low", "high", "count", "message"),
    [
        (0.2, 2.0, 50, "no speeds from 0.2 to 2 rad/s determine Fs vs"),
        (2.0, 0.2, 50, "range of speeds is empty"),
        (0.0, 0.2, 50, "range of speeds is empty"),
        (0.002, 2.0, 3, "fewer measurements than parameters"),
    ],
)
def test_impossible_designs_are_refused(low: float, high: float, count: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        best_sweep(STRIBECK, TRUE, low, high, fixed=HELD, count=count)
