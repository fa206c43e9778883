"""Step limits: formulas, and simulations that hold just below and fail just above them."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.friction.coulomb import COULOMB_SMOOTH
from symdyn.friction.lugre import LUGRE
from symdyn.friction.stribeck import STRIBECK, STRIBECK_SMOOTH
from symdyn.simulate.drive import CONSTANT
from symdyn.simulate.joint import joint_system
from symdyn.simulate.march import Engine, prepare, walk
from symdyn.simulate.scheme import (
    EULER,
    EXPONENTIAL,
    RK4,
    RK4_REAL_BOUND,
    SEMI_IMPLICIT_EULER,
    Scheme,
)
from symdyn.simulate.stability import (
    StepWarning,
    bristle_limit,
    slope_limit,
    step_limit,
    warn_of_step,
)
from tests.simulate.values import EPS, LESSON, LESSON_INERTIA, SERVO
from tests.simulate.values import LUGRE as VALUES

SMOOTH = {**LESSON, "eps": EPS}


def test_limit_of_the_smoothed_joint_is_reported_and_warned_of() -> None:
    limit = slope_limit(STRIBECK_SMOOTH, SMOOTH, LESSON_INERTIA, scheme=SEMI_IMPLICIT_EULER)
    assert limit == pytest.approx(2 * LESSON_INERTIA / (0.3 / EPS + 0.01), rel=1e-12)
    assert limit == pytest.approx(6.6667e-4, rel=1e-4)  # without the viscous part
    system = joint_system(STRIBECK_SMOOTH, CONSTANT)
    values = {**SMOOTH, "J": LESSON_INERTIA, "torque": 0.4}
    with pytest.warns(StepWarning, match=r"step 0\.001 s .* limit is 0\.00066664 s"):
        warn_of_step(system, values, [system.start()], 1e-3, SEMI_IMPLICIT_EULER)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_step(system, values, [system.start()], 6e-4, SEMI_IMPLICIT_EULER)


def test_beyond_the_limit_the_joint_chatters_for_ever() -> None:
    joint = prepare(joint_system(STRIBECK_SMOOTH, CONSTANT), SEMI_IMPLICIT_EULER)
    values = {**SMOOTH, "J": LESSON_INERTIA, "torque": 0.0}
    with pytest.warns(StepWarning, match=r"step 0\.001 s .* limit is 0\.00066664 s at .* v = 0"):
        done = walk(joint, values, joint.system.start(v=0.5), 10, 1e-3, every=1)
    late = done.states[-2:, 1]
    assert sorted(late) == pytest.approx([-1.2700880760e-3, 1.2700880760e-3], rel=1e-9)
    calm = walk(joint, values, joint.system.start(v=0.5), 10, 5e-4).end[1]
    assert abs(calm) < 1e-12


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_walks_know_their_fastest_state_and_warn_of_it(engine: Engine) -> None:
    joint = prepare(joint_system(LUGRE, CONSTANT), RK4, engine=engine)
    values, start = {**SERVO, "torque": -50.0}, joint.system.start(v=-3.0)
    with pytest.warns(StepWarning) as seen:
        done = walk(joint, values, start, 0.01, 1e-4)
    assert done.fastest[1] == done.extremes[0] < -3.1
    assert done.extremes[1] == -3.0
    (warning,) = seen
    assert isinstance(warning.message, StepWarning)
    assert warning.message.limit.dt == step_limit(joint.system, values, done.fastest) < 1e-4
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        walk(joint, values, start, 0.01, 5e-5)
        walk(joint, values, start, 0.01, 1e-4, warns=False)
        walk(prepare(joint.system, EXPONENTIAL, engine=engine), values, start, 0.01, 1e-4)


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_a_walk_that_breaks_down_names_the_stable_step(engine: Engine) -> None:
    joint = prepare(joint_system(LUGRE, CONSTANT), RK4, engine=engine)
    values = {**SERVO, "torque": 0.0}
    with pytest.raises(
        InputError, match=r"stop being finite.* largest stable step is \S+ s at q ="
    ):
        walk(joint, values, joint.system.start(v=10.0), 1, 1e-3)
    with pytest.raises(InputError, match="too many steps"):
        walk(joint, values, joint.system.start(), 1e9, 1e-4)


def test_case_of_the_stiff_bristle() -> None:
    values = {
        "sigma0": 1e5, "sigma1": 316.2277660168379, "sigma2": 0.4,
        "Fc": 1, "Fs": 1.5, "vs": 0.001, "alpha": 2,
    }  # fmt: skip
    assert LUGRE.update is not None

    def after(dt: float) -> float:
        return LUGRE.update(FLOAT64, 0.1, [0.0], {}, values, dt)[0]

    assert bristle_limit(LUGRE, values, 0.1, EULER) == pytest.approx(2e-4, rel=1e-12)
    assert after(1e-3) == pytest.approx(9.999546000702376e-06, rel=1e-12)
    assert after(1e-6) == pytest.approx(9.950166250831894e-08, rel=1e-12)
    assert after(1e9) == pytest.approx(1e-5, rel=1e-12)
    assert LUGRE.force(FLOAT64, 0.1, [after(1e9)], {}, values) == pytest.approx(1.04, rel=1e-12)
    static = {
        -0.5: -1.2, -0.001: -1.1843397205857211, 0.0: 0.0, 0.0001: 1.4950649168745842,
        0.002: 1.009957819444367, 0.1: 1.04,
    }  # fmt: skip
    for v, force in static.items():
        assert LUGRE.steady(FLOAT64, v, [], {}, values) == pytest.approx(force, rel=1e-12)


def test_limits_of_the_bristles() -> None:
    assert bristle_limit(LUGRE, VALUES, 2.785294, RK4) == pytest.approx(1e-4, rel=1e-6)
    assert bristle_limit(LUGRE, VALUES, 1.0, EULER) == pytest.approx(2e-4, rel=1e-12)
    assert bristle_limit(LUGRE, VALUES, 0.0, EULER) == math.inf
    assert bristle_limit(LUGRE, VALUES, 100.0, EXPONENTIAL) == math.inf


def test_real_bound_of_runge_kutta() -> None:
    z = -RK4_REAL_BOUND
    assert abs(1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("scheme", [EULER, SEMI_IMPLICIT_EULER, RK4, EXPONENTIAL])
@pytest.mark.parametrize("v", [0.0, 0.1, 1.0])
def test_limit_of_the_whole_joint_separates_decay_from_growth(scheme: Scheme, v: float) -> None:
    # at rest, and sliding steadily where friction rises with speed
    system = joint_system(LUGRE, CONSTANT)
    torque = LUGRE.steady(FLOAT64, v, [], {}, VALUES)
    values = {**SERVO, "torque": torque}
    at = system.start(v=v, z=(torque - 0.5 * v) / 1e4)
    limit = step_limit(system, values, at, scheme)
    assert 0 < limit < math.inf

    def growth(dt: float) -> float:
        def step(x: list[float]) -> np.ndarray:
            return np.array(scheme.step(system, FLOAT64, 0.0, x, values, dt))

        base, columns = step(at), []
        for k, scale in enumerate((1e-6, 1e-7, 1e-11)):
            moved = list(at)
            moved[k] += scale
            columns.append((step(moved) - base) / scale)
        return float(np.abs(np.linalg.eigvals(np.array(columns).T)).max())

    assert growth(0.97 * limit) < 1 + 1e-3
    assert growth(1.05 * limit) > 1.02


@given(inertia=st.floats(1e-4, 1e3), eps=st.floats(1e-5, 1e-1), Fc=st.floats(0.01, 100))
def test_limit_of_tanh_scales_as_its_formula(inertia: float, eps: float, Fc: float) -> None:
    values = {"Fc": Fc, "b": 0.0, "eps": eps}
    limit = slope_limit(COULOMB_SMOOTH, values, inertia, scheme=EULER)
    assert limit == pytest.approx(2 * inertia * eps / Fc, rel=1e-12)


def test_friction_that_falls_with_speed_sets_no_limit() -> None:
    assert slope_limit(STRIBECK, {**LESSON, "alpha": 2.0}, 0.1, 0.03) == math.inf
    with pytest.raises(UnsupportedError, match="use slope_limit"):
        bristle_limit(STRIBECK, LESSON, 0.1)
