"""Observer-based compensation: exact parameters, wrong ones, loads and temperatures."""

from __future__ import annotations

import numpy as np
import pytest

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.friction.load_temperature import LOAD_STRIBECK, TEMPERATURE_STRIBECK
from symdyn.friction.lugre import LUGRE as LUGRE_LAW
from symdyn.simulate.limit_cycle import CycleKind, find_cycle
from symdyn.simulate.march import Prepared, Section, walk
from symdyn.simulate.observer import with_hats
from symdyn.simulate.robustness import (
    Case,
    believed,
    compensated_servo,
    heated,
    loaded,
    sweep,
    track,
    tracking_servo,
)
from tests.oracles import need_program
from tests.simulate.values import LUGRE, SERVO

GAINS = {"Kp": 3.0, "k": 20.0}


@pytest.fixture(scope="module")
def observer() -> Prepared:
    need_program("gcc")
    return compensated_servo()


def test_error_vanishes_where_the_loop_is_strictly_positive_real(observer: Prepared) -> None:
    values = {**SERVO, **with_hats(LUGRE), **GAINS, "Kv": 150.0}
    done = walk(observer, values, observer.system.start(q=-1), 10, 1e-4, every=50_000)
    assert done.states[1, 0] == pytest.approx(-5.4452e-3, rel=1e-4)
    assert abs(done.states[2, 0]) < 1e-8
    assert abs(done.states[2, 0]) == pytest.approx(7.1953e-10, rel=1e-4)


def test_a_small_oscillation_is_left_where_it_is_not(observer: Prepared) -> None:
    values = {**SERVO, **with_hats(LUGRE), **GAINS, "Kv": 6.0}
    verdict = find_cycle(
        observer, values, observer.system.start(q=-1), 60, 1e-4, Section("q"), chunk=50
    )
    assert verdict.is_cycle
    assert verdict.amplitude == pytest.approx(2.0516e-4, rel=1e-4)
    assert verdict.period == pytest.approx(0.10882, rel=1e-4)


def test_slow_observer_converges_slowly(observer: Prepared) -> None:
    values = {**SERVO, **with_hats(LUGRE), "Kp": 3.0, "Kv": 150.0, "k": 0.1}
    done = walk(observer, values, observer.system.start(q=-1), 40, 1e-4, every=1000)
    assert np.abs(done.states[done.times >= 30, 0]).max() == pytest.approx(0.24, abs=0.01)


def test_wrong_levels_do_no_harm_but_a_stiffness_that_is_too_large_does(
    observer: Prepared,
) -> None:
    cases = [
        Case("exact", {}),
        *believed("Fc", LUGRE, (0.8, 1.25)),
        *believed("Fs", LUGRE, (0.8, 1.25)),
        *believed("sigma0", LUGRE, (0.8, 1.25)),
    ]
    found = {o.case.label: o for o in sweep(observer, SERVO, {**GAINS, "Kv": 150.0}, cases)}
    for label in ("exact", "Fc x 0.8", "Fc x 1.25", "Fs x 0.8", "Fs x 1.25", "sigma0 x 0.8"):
        assert found[label].residual < 1e-9, label
        assert found[label].verdict.kind is CycleKind.DECAY
    assert found["sigma0 x 1.25"].residual > 1e-5


def test_a_decay_in_its_last_third_is_no_limit_cycle(observer: Prepared) -> None:
    gains = {**GAINS, "Kv": 150.0}
    case = believed("sigma1", LUGRE, (0.5,))
    (early,) = sweep(observer, SERVO, gains, case, longest=160)
    assert early.verdict.kind is CycleKind.OPEN
    assert early.residual > 1.4e-7  # half as much again as what it settles on


@pytest.mark.slow
def test_what_it_settles_on_is_one(observer: Prepared) -> None:
    gains = {**GAINS, "Kv": 150.0}
    (late,) = sweep(observer, SERVO, gains, believed("sigma1", LUGRE, (0.5,)), longest=2560)
    assert late.verdict.is_cycle
    assert late.verdict.amplitude == pytest.approx(1.0096e-7, rel=1e-4)


def test_results_do_not_depend_on_the_number_of_threads(observer: Prepared) -> None:
    cases = believed("sigma1", LUGRE, (0.5, 1.0, 2.0))
    gains = {**GAINS, "Kv": 150.0}
    runs = [
        sweep(observer, SERVO, gains, cases, span=4, last=2, longest=4, workers=workers)
        for workers in (1, 3)
    ]
    assert runs[0] == runs[1]


GROWTH = {"FcL": 0.1, "FsL": 0.2}
WARMTH = {"FsT": 0.01, "vsT": 1e-4, "FvT": 0.2, "TV0": 20.0}


def test_cases_of_load_and_temperature() -> None:
    (case,) = loaded(LUGRE, GROWTH, [-5])
    assert case.changes == {"Fc": 1.5, "Fs": 2.5}
    (case,) = heated(LUGRE, WARMTH, [20])
    assert case.changes["Fs"] == pytest.approx(1.7)
    assert case.changes["vs"] == pytest.approx(0.012)
    assert case.changes["sigma2"] == pytest.approx(0.5 - 0.2 * (1 - np.exp(-1)))


@pytest.mark.parametrize("v", [0.003, -0.02, 1.0])
def test_a_changed_joint_slides_as_the_laws_of_load_and_temperature_say(v: float) -> None:
    (heavy,) = loaded(LUGRE, GROWTH, [-5])
    (warm,) = heated(LUGRE, WARMTH, [12])
    levels = {"Fc0": 1.0, "vs": 0.01, "alpha": 2.0, "b": 0.5, "Fs0": 1.5, **GROWTH}
    slow = {"Fc0": 1.0, "FcL": 0.0, "Fs0": 0.5, "FsL": 0.0, "vs0": 0.01, "alpha": 2.0}
    warmth = {**slow, **WARMTH, "Fv0": 0.3}
    for case, law, values, signals in (
        (heavy, LOAD_STRIBECK, levels, {"load": -5.0}),
        (warm, TEMPERATURE_STRIBECK, warmth, {"load": 0.0, "temperature": 12.0}),
    ):
        expected = law.steady(FLOAT64, v, (), signals, values)
        found = LUGRE_LAW.steady(FLOAT64, v, (), {}, {**LUGRE, **case.changes})
        assert found == pytest.approx(expected, rel=1e-14), case.label


def test_load_and_temperature_change_the_joint_and_not_the_observer(observer: Prepared) -> None:
    gains = {**GAINS, "Kv": 150.0}
    cases = [*loaded(LUGRE, GROWTH, [50]), *heated(LUGRE, WARMTH, [40])]
    outcomes = sweep(observer, SERVO, gains, cases, span=6, last=2, longest=6)
    for case, outcome in zip(cases, outcomes, strict=True):
        # the same by hand: the joint has the changes, the observer what it had
        values = {**SERVO, **case.changes, **with_hats(LUGRE), **gains}
        done = walk(observer, values, observer.system.start(q=-1), 6, 1e-4, every=1)
        late = np.abs(done.states[done.times > 4 - 5e-5, 0]).max()
        assert outcome.residual == pytest.approx(late, rel=1e-12)
        informed = {**values, **with_hats({**LUGRE, **case.changes})}
        known = walk(observer, informed, observer.system.start(q=-1), 6, 1e-4, every=1)
        late = np.abs(known.states[known.times > 4 - 5e-5, 0]).max()
        assert outcome.residual != pytest.approx(late, rel=1e-3)


def test_what_load_and_temperature_leave(observer: Prepared) -> None:
    gains = {**GAINS, "Kv": 150.0}
    cases = [*loaded(LUGRE, GROWTH, [10, 50]), *heated(LUGRE, WARMTH, [-20, 40])]
    found = {o.case.label: o for o in sweep(observer, SERVO, gains, cases)}
    for label in ("load 10 N m", "20 K colder", "40 K warmer"):
        assert found[label].verdict.kind is CycleKind.DECAY
        assert found[label].residual < 1e-9
    assert found["load 50 N m"].residual < 1e-9
    (early,) = sweep(observer, SERVO, gains, cases[1:2], longest=40)
    assert early.residual == pytest.approx(5.4e-5, rel=0.05)
    # it is not the load that slows it down but that the observer does not know of it
    Fs, Fc = 1.5 + 0.2 * 50, 1 + 0.1 * 50
    known = Case("known", {"Fs": Fs, "Fc": Fc, "Fs_hat": Fs, "Fc_hat": Fc})
    (told,) = sweep(observer, SERVO, gains, [known], longest=40)
    assert told.residual < 1e-9


def test_load_and_temperature_outside_of_their_laws() -> None:
    with pytest.raises(InputError, match="wrong set of parameters"):
        loaded(LUGRE, {"FcL": 0.1}, [1])
    with pytest.raises(InputError, match="outside its domain"):
        heated(LUGRE, {**WARMTH, "FvT": 0.7}, [1])


def test_a_target_that_turns_round_is_followed(observer: Prepared) -> None:
    servo = tracking_servo()
    gains, wave = {**GAINS, "Kv": 150.0}, {"amplitude": 0.1, "frequency": 5.0}
    cases = [Case("exact", {}), *believed("Fc", LUGRE, (0.8, 1.2)), *loaded(LUGRE, GROWTH, [2])]
    found = track(servo, SERVO, gains, cases, **wave)
    assert found[0].residual < 1e-12
    for late in found[1:]:
        assert late.residual == pytest.approx(late.before, rel=1e-6)
        assert 3e-4 < late.residual < 6e-4
    # the error is that of position and target
    values = {**SERVO, **with_hats(LUGRE), **gains, **wave, "J_hat": 1.0, "Fc_hat": 0.8}
    done = walk(servo, values, servo.system.start(), 3, 1e-4, every=100)
    target = 0.1 * np.sin(5 * done.times)
    assert done.states[:, 3 + 1] == pytest.approx(done.states[:, 0] - target, abs=1e-11)


def test_faults_of_sweeps(observer: Prepared) -> None:
    with pytest.raises(InputError, match="changes 'mass', which is no parameter"):
        sweep(observer, SERVO, {**GAINS, "Kv": 150.0}, [Case("heavy", {"mass": 2.0})])
    with pytest.raises(InputError, match="a target that swings"):
        track(tracking_servo(engine="python"), SERVO, GAINS, [], amplitude=0.0, frequency=1.0)
    with pytest.raises(InputError, match="outside its domain"):
        sweep(observer, SERVO, {**GAINS, "Kv": 150.0}, [Case("none", {"Fc": -2.0})])
    with pytest.raises(InputError, match="stop being finite"):
        sweep(observer, SERVO, {"Kp": 3.0, "Kv": 150.0, "k": 1e6}, [Case("fast", {})])
