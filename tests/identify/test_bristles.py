"""Bristle stiffness and damping from four kinds of record, each made by another program."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.signal import StateSpace, lsim

from symdyn._errors import InputError, SizeError, UnsupportedError
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.lugre import LUGRE
from symdyn.identify.estimate import Estimate, by_name
from symdyn.identify.motion import fit_along_motion, follower
from symdyn.identify.presliding import fit_presliding
from symdyn.identify.record_walk import walk_record
from symdyn.identify.response import fit_response
from symdyn.identify.small_signal import fit_frequency_response, fit_small_signal
from symdyn.simulate.joint import joint_system
from symdyn.simulate.march import prepare
from symdyn.simulate.scheme import RK4

TRUE = EXAMPLES["lugre"]
INERTIA = 1.0


def value(estimate: Estimate) -> float:
    assert estimate.value is not None, estimate
    return estimate.value


def lugre_joint(t: np.ndarray, u: np.ndarray, true: dict[str, float] = TRUE) -> np.ndarray:
    """Position of a LuGre joint under a torque, straight lines between samples, by SciPy."""

    def rate(time: float, x: np.ndarray) -> list[float]:
        _, v, z = x
        h = true["Fc"] + (true["Fs"] - true["Fc"]) * math.exp(
            -(abs(v / true["vs"]) ** true["alpha"])
        )
        zdot = v - true["sigma0"] * abs(v) / h * z
        F = true["sigma0"] * z + true["sigma1"] * zdot + true["sigma2"] * v
        return [v, (np.interp(time, t, u) - F) / INERTIA, zdot]

    run = solve_ivp(
        rate, (t[0], t[-1]), [0, 0, 0], "LSODA", t_eval=t, rtol=1e-9, atol=1e-13, max_step=2e-3
    )
    return run.y[0]


# -- small-signal response ------------------------------------------------------------------------


@pytest.mark.parametrize("is_known", [True, False])
def test_small_signal_response_of_a_linear_joint(is_known: bool) -> None:
    t = np.arange(0, 0.6, 1e-3)
    u = 0.02 * np.interp(t, np.arange(0, 0.62, 0.02), np.random.default_rng(1).normal(size=31))
    system = StateSpace([[0, 1], [-1e4, -100]], [[0], [1]], [[1, 0]], [[0]])
    q = 0.3 + lsim(system, u, t)[1]
    fit = fit_small_signal(t, u, q, inertia=INERTIA if is_known else None)
    assert fit.natural_frequency == pytest.approx(100.0, rel=1e-8)
    assert fit.damping_ratio == pytest.approx(0.5, rel=1e-8)
    assert value(by_name(fit.estimates, "J")) == pytest.approx(1.0, rel=1e-8)
    assert value(by_name(fit.estimates, "sigma0")) == pytest.approx(1e4, rel=1e-8)
    assert value(by_name(fit.estimates, "damping")) == pytest.approx(100.0, rel=1e-8)


def test_free_decay_beside_an_independent_least_squares() -> None:
    """Gauss-Newton on the closed form of the decay; errors over repetitions."""
    t = np.arange(0, 0.3, 2e-3)
    J, w, ratio, noise, runs = 2.0, 80.0, 0.1, 2e-7, 40
    rng = np.random.default_rng(31)

    def decay(x: np.ndarray) -> np.ndarray:
        turn = np.exp((1j * x[1] - x[0]) * t)
        return x[2] + x[3] * turn.real + x[4] * turn.imag

    def slopes(x: np.ndarray) -> np.ndarray:
        turn = np.exp((1j * x[1] - x[0]) * t)
        wave, other = x[3] * turn.real + x[4] * turn.imag, x[4] * turn.real - x[3] * turn.imag
        return np.column_stack((-t * wave, t * other, np.ones_like(t), turn.real, turn.imag))

    true = np.array([ratio * w, w * math.sqrt(1 - ratio**2), 0.1, 1e-5, -4e-6])
    scores = []
    for _ in range(runs):
        q = decay(true) + noise * rng.normal(size=t.size)
        fit = fit_small_signal(t, np.zeros_like(t), q, inertia=J)
        exact = {"damping": 2 * J * ratio * w, "sigma0": J * w**2}
        for name, number in exact.items():
            estimate = by_name(fit.estimates, name)
            scores.append((value(estimate) - number) / (estimate.sd or 1))
    x = true.copy()
    for _ in range(30):
        x = x + np.linalg.lstsq(slopes(x), q - decay(x), rcond=None)[0]
    assert fit.damping == pytest.approx(2 * J * x[0], rel=1e-9)
    assert fit.stiffness == pytest.approx(J * (x[0] ** 2 + x[1] ** 2), rel=1e-9)
    assert 1 - 4 / math.sqrt(4 * runs) < np.std(scores) < 1 + 4 / math.sqrt(4 * runs)


def test_free_decay_with_known_inertia() -> None:
    """Closed form of an underdamped decay about 0.1 rad."""
    t = np.arange(0, 0.5, 5e-4)
    w, ratio = 80.0, 0.1
    damped = w * math.sqrt(1 - ratio**2)
    q = 0.1 + 1e-5 * np.exp(-ratio * w * t) * np.cos(damped * t + 0.4)
    fit = fit_small_signal(t, np.full_like(t, 3.0), q, inertia=2.0)
    assert fit.stiffness == pytest.approx(2 * w**2, rel=1e-7)
    assert fit.damping == pytest.approx(2 * 2 * ratio * w, rel=1e-7)
    assert fit.amplitude == pytest.approx(1e-5 * math.cos(0.4), rel=1e-2)
    with pytest.raises(InputError, match="free decay does not tell the inertia"):
        fit_small_signal(t, np.full_like(t, 3.0), q)


def test_small_motion_of_bristles_reads_their_stiffness_and_larger_motion_reads_it_low() -> None:
    t = np.arange(0, 0.5, 1e-3)
    base = np.interp(t, np.arange(0, 0.52, 0.02), np.random.default_rng(2).normal(size=26))
    errors = []
    for size in (1e-3, 3e-2):
        fit = fit_small_signal(t, size * base, lugre_joint(t, size * base), inertia=INERTIA)
        errors.append(1 - fit.stiffness / TRUE["sigma0"])
        # the rule of thumb gives the order
        assert 0.3 < errors[-1] / fit.stiffness_error(TRUE["Fs"]) < 3
    assert errors[0] < 2e-3
    assert errors[1] > 10 * errors[0]


def test_frequency_response() -> None:
    w = np.geomspace(10, 1000, 40)
    G = 1 / (1e4 - w**2 + 100j * w)
    fit = fit_frequency_response(w, np.abs(G), np.angle(G))
    assert (fit.inertia, fit.damping, fit.stiffness) == pytest.approx((1, 100, 1e4), rel=1e-10)
    rng = np.random.default_rng(3)
    noisy = G * (1 + 0.02 * (rng.normal(size=w.size) + 1j * rng.normal(size=w.size)))
    fit = fit_frequency_response(w, np.abs(noisy), np.angle(noisy))
    for name, true in {"J": 1.0, "damping": 100.0, "sigma0": 1e4}.items():
        estimate = by_name(fit.estimates, name)
        assert value(estimate) == pytest.approx(true, abs=4 * (estimate.sd or 0))


def test_noise_without_motion_is_no_stiffness() -> None:
    t = np.arange(0, 0.3, 1e-3)
    q = 1e-9 * np.random.default_rng(4).normal(size=t.size)
    fit = fit_small_signal(t, np.zeros_like(t), q, inertia=1.0)
    assert not by_name(fit.estimates, "damping").is_identified or fit.noise > 5e-10


# -- response of the whole joint ------------------------------------------------------------------

TIMES = np.arange(0, 1.0, 1e-3)
#: A load below break-away, release, a slide, and a load the other way.
TORQUE = np.interp(TIMES, [0, 0.2, 0.21, 0.6, 0.61, 1.0], [0, 0.5, 0, 1.7, 0, -0.4])
GUESS = {**TRUE, "J": INERTIA, "sigma0": 4e3, "sigma1": 30.0}


@pytest.fixture(scope="module")
def response() -> np.ndarray:
    return lugre_joint(TIMES, TORQUE)


def test_bristles_from_the_response_of_a_joint(response: np.ndarray) -> None:
    fit = fit_response(LUGRE, TIMES, TORQUE, response + 0.7, GUESS, ["sigma0", "sigma1"])
    assert fit.is_converged
    assert fit.values["sigma0"] == pytest.approx(1e4, rel=1e-5)
    assert fit.values["sigma1"] == pytest.approx(99.5, rel=1e-5)
    assert by_name(fit.estimates, "Fs").standing.value == "held fixed"


def test_errors_are_as_large_as_stated(response: np.ndarray) -> None:
    rng = np.random.default_rng(5)
    scores, squares = [], []
    for _ in range(12):
        noisy = response + 2e-6 * rng.normal(size=TIMES.size)
        fit = fit_response(LUGRE, TIMES, TORQUE, noisy, GUESS, ["sigma0", "sigma1"], substeps=6)
        errors = []
        for name in ("sigma0", "sigma1"):
            estimate = by_name(fit.estimates, name)
            errors.append(value(estimate) - TRUE[name])
            scores.append(errors[-1] / (estimate.sd or 1))
        sd = [e.sd for e in fit.estimates if e.is_identified]
        assert fit.covariance.names == ("sigma0", "sigma1")
        assert np.sqrt(np.diag(fit.covariance.matrix)) == pytest.approx(sd, rel=1e-12)
        squares.append(errors @ np.linalg.solve(fit.covariance.matrix, errors))
        assert fit.noise == pytest.approx(2e-6, rel=0.1)
    assert 0.6 < np.std(scores) < 1.5
    # chi-squared with two degrees of freedom, mean 2 and standard deviation 2, twelve times
    assert 2 - 3 * 2 / math.sqrt(12) < np.mean(squares) < 2 + 4 * 2 / math.sqrt(12)


def test_two_starts_end_at_one_place(response: np.ndarray) -> None:
    noisy = response + 2e-6 * np.random.default_rng(8).normal(size=TIMES.size)
    other = {**GUESS, "sigma0": 2e4, "sigma1": 150.0}
    fits = [
        fit_response(LUGRE, TIMES, TORQUE, noisy, guess, ["sigma0", "sigma1"], substeps=6)
        for guess in (GUESS, other)
    ]
    for name in ("sigma0", "sigma1"):
        assert fits[0].values[name] == pytest.approx(fits[1].values[name], rel=1e-9)


def test_inertia_and_break_away_can_be_fitted_too(response: np.ndarray) -> None:
    guess = {**GUESS, "J": 0.7, "Fs": 1.4}
    free = ["sigma0", "sigma1", "J", "Fs"]
    fit = fit_response(LUGRE, TIMES, TORQUE, response, guess, free)
    assert fit.values["J"] == pytest.approx(1.0, rel=1e-4)
    assert fit.values["Fs"] == pytest.approx(1.5, rel=1e-4)
    assert fit.values["sigma0"] == pytest.approx(1e4, rel=1e-4)


def test_what_a_record_does_not_show_is_not_numbered() -> None:
    """Far below break-away nothing slides: no Stribeck velocity, no Coulomb level."""
    u = 0.01 * TORQUE
    q = lugre_joint(TIMES, u)
    noisy = q + 2e-9 * np.random.default_rng(6).normal(size=q.size)
    fit = fit_response(LUGRE, TIMES, u, noisy, GUESS, ["sigma0", "sigma1", "vs", "Fc"])
    assert not by_name(fit.estimates, "vs").is_identified
    assert not by_name(fit.estimates, "Fc").is_identified
    assert value(by_name(fit.estimates, "sigma0")) == pytest.approx(1e4, rel=0.01)


# -- friction along a motion ----------------------------------------------------------------------

PATH_TIMES = np.linspace(0, 10, 1501)
PATH = 3e-4 * np.sin(PATH_TIMES) * np.cos(0.3 * PATH_TIMES) + 1e-4 * np.sin(3 * PATH_TIMES)


@pytest.mark.parametrize(
    ("name", "free"),
    [
        ("lugre", ["sigma0", "sigma1", "Fs"]),
        ("elasto-plastic", ["sigma0", "Fs", "sigma1"]),
        ("dahl", ["sigma0", "Fc"]),
        ("maxwell-slip", ["k1", "k2", "k3", "k4", "F1", "F2", "F3"]),
        ("bouc-wen", ["k", "beta", "gamma"]),
    ],
)
def test_laws_with_states_are_found_from_loops(name: str, free: list[str]) -> None:
    law, true = LAWS[name], EXAMPLES[name]
    F = follower(law).friction(true, PATH_TIMES, PATH)
    # friction at the samples, such that the means are those at the middles
    samples = np.empty(PATH_TIMES.size)
    samples[0] = F[0]
    for i, middle in enumerate(F):
        samples[i + 1] = 2 * middle - samples[i]
    guess = {**true, **{n: 1.2 * true[n] for n in free}}
    fit = fit_along_motion(law, PATH_TIMES, PATH, samples, guess, free)
    for parameter in free:
        assert value(by_name(fit.estimates, parameter)) == pytest.approx(true[parameter], rel=1e-6)


def test_an_element_that_never_slips_has_no_level_to_find() -> None:
    law, true = LAWS["maxwell-slip"], EXAMPLES["maxwell-slip"]
    assert true["F4"] / true["k4"] > np.max(np.abs(PATH))
    F = follower(law).friction(true, PATH_TIMES, PATH)
    samples = np.interp(PATH_TIMES, 0.5 * (PATH_TIMES[1:] + PATH_TIMES[:-1]), F)
    fit = fit_along_motion(law, PATH_TIMES, PATH, samples, true, ["k4", "F4"])
    assert by_name(fit.estimates, "F4").note == "F4 changes nothing at these points."
    assert value(by_name(fit.estimates, "k4")) == pytest.approx(true["k4"], rel=1e-3)


def test_parameters_that_only_act_together_are_named() -> None:
    law, true = LAWS["bouc-wen"], EXAMPLES["bouc-wen"]
    F = follower(law).friction(true, PATH_TIMES, PATH)
    samples = np.interp(PATH_TIMES, 0.5 * (PATH_TIMES[1:] + PATH_TIMES[:-1]), F)
    fit = fit_along_motion(law, PATH_TIMES, PATH, samples, {**true, "A": 1.3}, ["A", "k"])
    assert "looks like" in by_name(fit.estimates, "A").note
    assert fit.values["A"] * fit.values["k"] == pytest.approx(true["A"] * true["k"], rel=1e-3)
    assert fit.rms < 1e-3


def test_slow_loading_follows_the_closed_form() -> None:
    """LuGre without damping at a creeping pace: q = -(Fs/s0) ln(1 - F/Fs)."""
    F = np.linspace(0, 1.4, 4001)
    q = -(1.5 / 1e4) * np.log1p(-F / 1.5)
    t = np.linspace(0, 1e6, F.size)
    true = {**TRUE, "sigma1": 0.0, "sigma2": 0.0, "vs": 1.0}
    found = follower(LUGRE).friction(true, t, q)
    assert np.max(np.abs(found - 0.5 * (F[1:] + F[:-1]))) < 1e-6


def test_errors_along_a_motion_are_as_large_as_stated() -> None:
    law = LAWS["dahl"]
    F = follower(law).friction(EXAMPLES["dahl"], PATH_TIMES, PATH)
    exact = np.interp(PATH_TIMES, 0.5 * (PATH_TIMES[1:] + PATH_TIMES[:-1]), F)
    clean = fit_along_motion(law, PATH_TIMES, PATH, exact, EXAMPLES["dahl"], ["sigma0", "Fc"])
    rng = np.random.default_rng(9)
    scores = []
    for _ in range(40):
        noisy = exact.copy()
        # every second sample: the means of neighbours are then independent
        noisy[::2] += 0.01 * rng.normal(size=noisy[::2].size)
        fit = fit_along_motion(law, PATH_TIMES, PATH, noisy, EXAMPLES["dahl"], ["sigma0", "Fc"])
        names = fit.covariance.names
        assert set(names) == {"sigma0", "Fc"}
        sd = np.array([by_name(fit.estimates, n).sd for n in names], dtype=float)
        assert np.sqrt(np.diag(fit.covariance.matrix)) == pytest.approx(sd, rel=1e-12)
        errors = np.array([fit.values[n] - clean.values[n] for n in names])
        scores.append(errors @ np.linalg.solve(fit.covariance.matrix, errors))
    # chi-squared with two degrees of freedom, forty times
    assert 2 - 3 * 2 / math.sqrt(40) < np.mean(scores) < 2 + 4 * 2 / math.sqrt(40)


# -- records and errors ---------------------------------------------------------------------------


def test_compiled_and_python_walks_through_a_record_are_the_same() -> None:
    from symdyn.identify.response import _LINE

    system = joint_system(LUGRE, _LINE)
    dts = np.diff(TIMES[:60])
    lines = {"level": TORQUE[:59], "slope": np.diff(TORQUE[:60]) / dts}
    values = {**TRUE, "J": INERTIA}
    walks = [
        walk_record(prepare(system, RK4, engine=engine), values, [0.0] * 3, dts, lines, 8)
        for engine in ("auto", "python")
    ]
    assert np.max(np.abs(walks[0] - walks[1])) < 1e-15


def test_bad_records_are_one_clear_error() -> None:
    t, u, q = TIMES[:50], TORQUE[:50], np.linspace(0, 1e-5, 50)
    both = ["sigma0", "sigma1"]
    with pytest.raises(InputError, match="t is not increasing"):
        fit_response(LUGRE, t[::-1], u, q, GUESS, both)
    with pytest.raises(InputError, match="not finite"):
        fit_response(LUGRE, t, u, np.full(50, np.nan), GUESS, both)
    with pytest.raises(SizeError):
        fit_response(LUGRE, t, u[1:], q, GUESS, both)
    with pytest.raises(InputError, match="no value of J"):
        fit_response(LUGRE, t, u, q, TRUE, both)
    with pytest.raises(InputError, match="no parameter 's0'"):
        fit_response(LUGRE, t, u, q, GUESS, ["s0"])
    with pytest.raises(InputError, match="nothing to fit"):
        fit_response(LUGRE, t, u, q, GUESS, [])
    with pytest.raises(InputError, match="fewer points than parameters"):
        fit_response(LUGRE, t[:3], u[:3], q[:3], GUESS, both)
    with pytest.raises(UnsupportedError, match="stribeck has no states"):
        fit_response(LAWS["stribeck"], t, u, q, GUESS, both)
    with pytest.raises(InputError, match="stop being finite"):
        fit_response(LUGRE, t, u, q, {**GUESS, "sigma1": 1e5}, both, substeps=1)
    with pytest.raises(UnsupportedError, match="stribeck has no states"):
        fit_along_motion(LAWS["stribeck"], t, q, u, TRUE, ["Fc"])
    with pytest.raises(InputError, match="position never changes"):
        fit_along_motion(LUGRE, t, np.zeros(50), u, TRUE, both)
    with pytest.raises(InputError, match="not evenly sampled"):
        fit_small_signal(np.geomspace(1, 2, 50), u, q, inertia=1.0)
    with pytest.raises(InputError, match="of both signs"):
        fit_presliding(np.linspace(-1, 1, 50), q)
    with pytest.raises(InputError, match="reaches break-away"):
        fit_presliding(np.linspace(0, 2, 50), q, break_away=1.5)
