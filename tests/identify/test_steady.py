"""Fits of steady curves: exact on exact data, the same as another program on noisy ones, and
honest about what the speeds cannot tell."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import least_squares, root

from symdyn._errors import InputError, SizeError, UnsupportedError
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.stribeck import STRIBECK
from symdyn.identify.columns import steady_force
from symdyn.identify.estimate import Standing, by_name, plus_minus
from symdyn.identify.saturation import saturation
from symdyn.identify.steady import fit_steady
from tests.identify.sweeps import FAST, FITTED, NOISE, TRUE, WIDE, both_ways, friction


def curve(v: np.ndarray, Fc: float, Fs: float, vs: float, b: float) -> np.ndarray:
    """Stribeck's curve written out, apart from the library."""
    return (Fc + (Fs - Fc) * np.exp(-((v / vs) ** 2))) * np.sign(v) + b * v


def test_exact_data_give_the_parameters_to_1e_10() -> None:
    fit = fit_steady(STRIBECK, WIDE, friction(WIDE), fixed={"alpha": 2.0})
    for name in FITTED:
        estimate = by_name(fit.estimates, name)
        assert estimate.standing is Standing.IDENTIFIED
        assert estimate.value == pytest.approx(TRUE[name], rel=1e-10)
    assert by_name(fit.estimates, "alpha").standing is Standing.FIXED
    assert fit.rank == 4


@pytest.mark.parametrize("alpha", [0.8, 1.0, 1.5, 3.0])
def test_any_exponent_is_found_with_the_rest(alpha: float) -> None:
    true = {**TRUE, "alpha": alpha}
    v = both_ways(0.001, 2.0, 30)
    fit = fit_steady(STRIBECK, v, steady_force(STRIBECK, true, v))
    for name, value in true.items():
        assert by_name(fit.estimates, name).value == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_noisy_data_give_what_an_independent_least_squares_gives(seed: int) -> None:
    F = friction(WIDE) + NOISE * np.random.default_rng(seed).standard_normal(WIDE.size)
    fit = fit_steady(STRIBECK, WIDE, F, fixed={"alpha": 2.0})
    scale = np.array([1, 1, 0.01, 1])

    def slopes(x: np.ndarray) -> np.ndarray:
        Fc, Fs, vs, _ = x * scale
        e, s = np.exp(-((WIDE / vs) ** 2)), np.sign(WIDE)
        columns = (s * (1 - e), s * e, (Fs - Fc) * s * e * 2 * WIDE**2 / vs**3, WIDE)
        return np.column_stack(columns) * scale

    other = least_squares(
        lambda x: curve(WIDE, *(x * scale)) - F,
        [1, 1.4, 1.2, 0.4],
        jac=slopes,
        xtol=1e-15,
        ftol=1e-15,
        gtol=1e-15,
    )
    # it ends where the sum of squares no longer falls; solving for a zero slope ends where it is
    exact = root(lambda x: slopes(x).T @ (curve(WIDE, *(x * scale)) - F), other.x, tol=1e-14)
    for name, value in zip(FITTED, exact.x * scale, strict=True):
        assert fit.values[name] == pytest.approx(value, rel=1e-9)


@pytest.mark.parametrize("alpha", [0.7, 2.0, 5.0])
def test_so_do_they_with_the_exponent_free(alpha: float) -> None:
    true = {**TRUE, "alpha": alpha}
    F = steady_force(STRIBECK, true, WIDE)
    F = F + 0.01 * np.random.default_rng(4).standard_normal(WIDE.size)
    fit = fit_steady(STRIBECK, WIDE, F)
    s, size = np.sign(WIDE), np.abs(WIDE)

    def residuals(x: np.ndarray) -> np.ndarray:
        e = np.exp(-((size / np.exp(x[2])) ** np.exp(x[3])))
        return (x[0] + (x[1] - x[0]) * e) * s + x[4] * WIDE - F

    def slopes(x: np.ndarray) -> np.ndarray:
        power = (size / np.exp(x[2])) ** np.exp(x[3])
        e, fall = np.exp(-power), (x[1] - x[0]) * s * np.exp(-power) * power
        by_exponent = -fall * np.exp(x[3]) * np.log(size / np.exp(x[2]))
        return np.column_stack((s * (1 - e), s * e, fall * np.exp(x[3]), by_exponent, WIDE))

    start = np.array([1.0, 1.5, math.log(0.01), math.log(alpha), 0.5])
    other = least_squares(residuals, start, jac=slopes, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    x = root(lambda x: slopes(x).T @ residuals(x), other.x, tol=1e-14).x
    exact = {"Fc": x[0], "Fs": x[1], "vs": np.exp(x[2]), "alpha": np.exp(x[3]), "b": x[4]}
    for name, value in exact.items():
        assert fit.values[name] == pytest.approx(value, rel=1e-9)


def test_asymptotic_standard_deviations() -> None:
    fit = fit_steady(STRIBECK, WIDE, friction(WIDE), fixed={"alpha": 2.0}, noise=NOISE)
    expected = {"Fc": 0.0111891, "Fs": 0.0227386, "vs": 7.3460e-4, "b": 0.0152033}
    for name, sd in expected.items():
        assert by_name(fit.estimates, name).sd == pytest.approx(sd, rel=1e-5)


def test_standard_deviations_are_those_of_many_repetitions() -> None:
    """Ratio of empirical to asymptotic sd: 1 up to the sampling error of 300 runs."""
    runs = 300
    rng = np.random.default_rng(7)
    start = fit_steady(STRIBECK, WIDE, friction(WIDE), fixed={"alpha": 2.0}, noise=NOISE)
    sd = {e.name: e.sd for e in start.estimates if e.is_identified}
    from symdyn.identify.projection import Point, SteadyProblem, polish, project

    values = []
    for _ in range(runs):
        F = friction(WIDE) + NOISE * rng.standard_normal(WIDE.size)
        problem = SteadyProblem(
            STRIBECK, WIDE, F, {}, ("Fc", "Fs", "b"), {"alpha": 2.0}, {"vs": (1e-4, 1.0)}
        )
        point: Point = polish(problem, project(problem, {"vs": 0.01}), ["vs"], 1e-8)
        values.append([point.values[n] for n in FITTED])
    ratios = np.std(values, axis=0, ddof=1) / [sd[n] for n in FITTED]
    assert np.all(np.abs(ratios - 1) < 4 / math.sqrt(2 * runs))


def test_coulomb_and_viscous_friction_misfit_the_wide_sweep() -> None:
    fit = fit_steady(LAWS["coulomb"], WIDE, friction(WIDE))
    assert fit.rms == pytest.approx(0.1591191, abs=1e-7)
    assert fit.worst == pytest.approx(0.3385739, abs=1e-7)
    assert fit.values["Fc"] == pytest.approx(1.142066, abs=1e-6)
    assert fit.values["b"] == pytest.approx(0.377152, abs=1e-6)


@pytest.mark.parametrize("noise", [0.0, NOISE])
@pytest.mark.parametrize("fixed", [{"alpha": 2.0}, {}])
def test_fast_speeds_do_not_tell_the_break_away_level(
    noise: float, fixed: dict[str, float]
) -> None:
    errors = noise * np.random.default_rng(5).standard_normal(FAST.size)
    fit = fit_steady(STRIBECK, FAST, friction(FAST) + errors, fixed=fixed)
    for name in ("Fs", "vs", *(n for n in ("alpha",) if n not in fixed)):
        estimate = by_name(fit.estimates, name)
        assert estimate.standing is Standing.NOT_IDENTIFIABLE
        assert estimate.value is None
        assert estimate.sd is None
        assert estimate.note
        assert plus_minus(estimate) == "not identifiable"
    for name in ("Fc", "b"):
        estimate = by_name(fit.estimates, name)
        # a small exponent lets the curve fall at all speeds: noise then leaves the rest open too
        if not noise or fixed:
            assert estimate.is_identified
        if estimate.is_identified:
            distance = max(1e-12, 4 * (estimate.sd or 0))
            assert estimate.value == pytest.approx(TRUE[name], abs=distance)
            assert name in fit.covariance.names


def test_noise_rarely_passes_for_a_bend() -> None:
    """At 95 % an undetermined velocity is called determined in at most a few of 20 runs."""
    rng = np.random.default_rng(11)
    wrong = 0
    for _ in range(20):
        F = friction(FAST) + NOISE * rng.standard_normal(FAST.size)
        fit = fit_steady(STRIBECK, FAST, F, fixed={"alpha": 2.0})
        wrong += by_name(fit.estimates, "vs").is_identified
    assert wrong <= 3


def test_slow_speeds_only_leave_the_coulomb_level_open() -> None:
    v = both_ways(1e-5, 1e-3)
    F = friction(v) + 1e-4 * np.random.default_rng(2).standard_normal(v.size)
    fit = fit_steady(STRIBECK, v, F, fixed={"alpha": 2.0})
    assert by_name(fit.estimates, "Fs").value == pytest.approx(1.5, abs=0.01)
    assert not by_name(fit.estimates, "Fc").is_identified
    vs = by_name(fit.estimates, "vs")
    assert vs.value is None
    assert vs.low is not None
    assert vs.low < TRUE["vs"]
    assert vs.high is None


# the thread's case: twelve speeds, none below 0.5, of an arctangent's slope nothing can be known
POINTS = np.array([-0.5, -0.8, -1.2, -1.7, -2.3, -3.0, 0.5, 0.8, 1.2, 1.7, 2.3, 3.0])


def test_a_slope_at_zero_that_no_point_shows_is_not_identifiable() -> None:
    F = np.round(0.572 * np.sign(POINTS) + 0.522 * POINTS + 0.012, 4)
    fit = fit_steady(LAWS["coulomb-smooth"], POINTS, F, offset=True, noise=0.572e-6)
    for name, value in {"Fc": 0.572, "b": 0.522, "constant": 0.012}.items():
        assert by_name(fit.estimates, name).value == pytest.approx(value, abs=1e-6)
    eps = by_name(fit.estimates, "eps")
    assert eps.value is None
    assert eps.low is None
    # open towards 0; the bound is where the fit gets worse, near 1/14.5 rad/s
    assert eps.high == pytest.approx(1 / 14.5, rel=0.1)
    assert "fits as well" in eps.note
    # with all else held: 1 - tanh(0.5 k) = 1e-6 at k = 14.5087
    assert 1 / saturation(fit, "eps", 0.572e-6) == pytest.approx(14.5087, abs=1e-4)
    with pytest.raises(InputError, match="not open"):
        saturation(fit_steady(STRIBECK, WIDE, friction(WIDE)), "vs", 1e-6)
    with pytest.raises(InputError, match="no positive parameter"):
        saturation(fit, "Fc", 1e-6)
    with pytest.raises(InputError, match="not positive"):
        saturation(fit, "eps", 0.0)


@pytest.mark.parametrize(
    "name", ["coulomb", "viscous", "viscous-cubic", "viscous-power", "hess-soom", "brown-mcphee",
             "coulomb-smooth", "stribeck-set"],
)  # fmt: skip
def test_laws_of_the_catalogue_fit_their_own_curves(name: str) -> None:
    law, true = LAWS[name], EXAMPLES[name]
    v = both_ways(2e-4, 2.0, 30)
    fit = fit_steady(law, v, steady_force(law, true, v))
    for parameter, value in true.items():
        assert by_name(fit.estimates, parameter).value == pytest.approx(value, rel=1e-8), parameter


def test_of_two_ways_to_write_a_curve_the_one_inside_the_domains_is_taken() -> None:
    # g1 (tanh g2 v - tanh g3 v) is the same with g2 and g3 exchanged and g1 negative
    law, true = LAWS["makkar"], {**EXAMPLES["makkar"], "g5": 100.0}
    v = both_ways(2e-4, 2.0, 30)
    fit = fit_steady(law, v, steady_force(law, true, v))
    for parameter, value in true.items():
        assert by_name(fit.estimates, parameter).value == pytest.approx(value, rel=1e-7), parameter


@pytest.mark.parametrize(("force", "speed"), [(1e-6, 57.3), (1e6, 1e-4)])
def test_verdicts_and_values_do_not_depend_on_units(force: float, speed: float) -> None:
    for v in (WIDE, FAST):
        F = friction(v) + NOISE * np.random.default_rng(9).standard_normal(v.size)
        one = fit_steady(STRIBECK, v, F, fixed={"alpha": 2.0})
        other = fit_steady(STRIBECK, v * speed, F * force, fixed={"alpha": 2.0})
        scales = {"Fc": force, "Fs": force, "vs": speed, "b": force / speed}
        for name, scale in scales.items():
            a, b = by_name(one.estimates, name), by_name(other.estimates, name)
            assert a.standing is b.standing
            if a.value is not None:
                assert b.value == pytest.approx(a.value * scale, rel=1e-9)
                assert b.sd == pytest.approx((a.sd or 0) * scale, rel=1e-9)


def test_one_direction_and_a_constant_leave_the_levels_open() -> None:
    v = WIDE[WIDE > 0]
    F = friction(v) + 0.3
    fit = fit_steady(STRIBECK, v, F, fixed={"alpha": 2.0}, offset=True)
    assert by_name(fit.estimates, "vs").value == pytest.approx(0.01, rel=1e-9)
    assert by_name(fit.estimates, "b").value == pytest.approx(0.5, rel=1e-9)
    for name in ("Fc", "Fs", "constant"):
        assert not by_name(fit.estimates, name).is_identified


def test_an_offset_cannot_be_told_from_levels_that_differ() -> None:
    law, true = LAWS["asymmetric"], EXAMPLES["asymmetric"]
    F = steady_force(law, true, WIDE)
    fit = fit_steady(law, WIDE, F)
    assert fit.rank == 4
    assert "1 of Fc_minus" in by_name(fit.estimates, "Fc_plus").note
    assert by_name(fit.estimates, "b_plus").value == pytest.approx(true["b_plus"], rel=1e-9)
    held = fit_steady(law, WIDE, F, fixed={"offset": true["offset"]})
    for parameter in ("Fc_plus", "Fc_minus", "b_plus", "b_minus"):
        assert by_name(held.estimates, parameter).value == pytest.approx(true[parameter], rel=1e-9)


def test_a_law_that_depends_on_the_load_is_fitted_over_both() -> None:
    law, true = LAWS["load-stribeck"], EXAMPLES["load-stribeck"]
    v = np.tile(WIDE, 3)
    load = np.repeat([0.0, 2.0, 5.0], WIDE.size)
    F = steady_force(law, true, v, {"load": load})
    fit = fit_steady(law, v, F, fixed={"alpha": 2.0}, signals={"load": load})
    for parameter, value in true.items():
        assert by_name(fit.estimates, parameter).value == pytest.approx(value, rel=1e-9)


def test_one_load_does_not_tell_the_load_dependence() -> None:
    law, true = LAWS["load-stribeck"], EXAMPLES["load-stribeck"]
    load = np.full(WIDE.size, 2.0)
    F = steady_force(law, true, WIDE, {"load": load})
    fit = fit_steady(law, WIDE, F, fixed={"alpha": 2.0}, signals={"load": load})
    for parameter in ("Fc0", "FcL", "Fs0", "FsL"):
        assert not by_name(fit.estimates, parameter).is_identified
    assert "looks like" in by_name(fit.estimates, "Fc0").note
    assert by_name(fit.estimates, "b").value == pytest.approx(true["b"], rel=1e-9)
    assert by_name(fit.estimates, "vs").value == pytest.approx(true["vs"], rel=1e-9)


def test_band_covers_the_curve_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    v = np.array([0.003, 0.01, 0.03, 0.5])
    inside = 0
    for _ in range(60):
        F = friction(WIDE) + NOISE * rng.standard_normal(WIDE.size)
        fit = fit_steady(STRIBECK, WIDE, F, fixed={"alpha": 2.0, "vs": 0.01})
        inside += int(np.sum(np.abs(fit.curve(v) - friction(v)) < fit.band(v)))
    assert 0.90 < inside / 240 < 0.99


@pytest.mark.parametrize(
    ("v", "F", "message"),
    [
        ([], [], "no list of numbers"),
        ([0.1, 0.2, 0.3, 0.4], [1, 2, 3], "3 entries; expected 4"),
        ([0.1, math.nan, 0.3], [1, 2, 3], "nan at point 2 of 3"),
        ([0.1, 0.2, 0.3], [1, math.inf, 3], "inf at point 2"),
        ([0.1, 0.0, 0.3], [1, 2, 3], "v = 0 at point 2"),
        ([0.1, -0.1, 0.1, 0.1, 0.1, -0.1], [1, -1, 1, 1, 1, -1], "one speed only"),
        ([0.1, 0.2, 0.3], [1, 2, 3], "fewer points than parameters"),
        ([0.1, 0.2, 0.3, 0.4], [1, 2, 3, 4], "no point left to judge"),
        ([[0.1, 0.2]], [1, 2], "no list of numbers"),
    ],
)
def test_bad_data_are_one_clear_error(v: list[float], F: list[float], message: str) -> None:
    with pytest.raises((InputError, SizeError)) as caught:
        fit_steady(STRIBECK, v, F, fixed={"alpha": 2.0})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_wrong_questions_are_refused() -> None:
    F = friction(WIDE)
    with pytest.raises(UnsupportedError, match="has states"):
        fit_steady(LAWS["lugre"], WIDE, F)
    with pytest.raises(InputError, match="no parameter of stribeck 'ws'"):
        fit_steady(STRIBECK, WIDE, F, fixed={"ws": 1.0})
    with pytest.raises(InputError, match="vs > 0"):
        fit_steady(STRIBECK, WIDE, F, fixed={"vs": -1.0})
    with pytest.raises(InputError, match="needs the signal 'load'"):
        fit_steady(LAWS["load-stribeck"], WIDE, F)
    with pytest.raises(InputError, match="offset of its own"):
        fit_steady(LAWS["asymmetric"], WIDE, F, offset=True)
    with pytest.raises(InputError, match="noise"):
        fit_steady(STRIBECK, WIDE, F, noise=0.0)
    with pytest.raises(InputError, match="confidence"):
        fit_steady(STRIBECK, WIDE, F, confidence=95)
    with pytest.raises(InputError, match="bracket of vs is empty"):
        fit_steady(STRIBECK, WIDE, F, brackets={"vs": (1.0, 0.1)})
    with pytest.raises(InputError, match="table has 4 parameters that are not linear"):
        fit_steady(LAWS["table"], WIDE, F)
    with pytest.raises(InputError, match="no range is known for k"):
        fit_steady(LAWS["ripple"], WIDE, F, signals={"position": WIDE})
