"""Observer-based compensation: exact parameters, wrong ones, loads and temperatures."""

from __future__ import annotations

import numpy as np
import pytest

from symdyn._errors import InputError
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


def test_cases_of_load_and_temperature() -> None:
    (case,) = loaded(LUGRE, {"FcL": 0.1, "FsL": 0.2}, [-5])
    assert case.changes == {"Fc": 1.5, "Fs": 2.5}
    (case,) = heated(LUGRE, {"FsT": 0.01, "vsT": 1e-4, "FvT": 0.2, "TV0": 20}, [20])
    assert case.changes["Fs"] == pytest.approx(1.7)
    assert case.changes["vs"] == pytest.approx(0.012)
    assert case.changes["sigma2"] == pytest.approx(0.5 - 0.2 * (1 - np.exp(-1)))


def test_faults_of_sweeps(observer: Prepared) -> None:
    with pytest.raises(InputError, match="changes 'mass', which is no parameter"):
        sweep(observer, SERVO, {**GAINS, "Kv": 150.0}, [Case("heavy", {"mass": 2.0})])
    with pytest.raises(InputError, match="outside its domain"):
        sweep(observer, SERVO, {**GAINS, "Kv": 150.0}, [Case("none", {"Fc": -2.0})])
    with pytest.raises(InputError, match="stop being finite"):
        sweep(observer, SERVO, {"Kp": 3.0, "Kv": 150.0, "k": 1e6}, [Case("fast", {})])
