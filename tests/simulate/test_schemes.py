"""Fixed-step schemes: their orders, one definition over three roads, and bounds for any step."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.friction.catalog import LAWS
from symdyn.friction.coulomb import COULOMB_SMOOTH
from symdyn.friction.lugre import LUGRE
from symdyn.friction.stribeck import STRIBECK_SMOOTH
from symdyn.friction.viscous import VISCOUS
from symdyn.simulate.drive import CONSTANT, DRIVES, PID, SINE, SPRING, Drive
from symdyn.simulate.joint import joint_system
from symdyn.simulate.march import Prepared, Section, prepare, walk
from symdyn.simulate.observe import friction_along
from symdyn.simulate.prescribed import STEADY, WAVE, prescribed_system
from symdyn.simulate.reference import solve
from symdyn.simulate.scheme import (
    EULER,
    EXPONENTIAL,
    RK4,
    SCHEMES,
    SEMI_IMPLICIT_EULER,
    Scheme,
)
from tests.oracles import need_program
from tests.simulate.values import EPS, LESSON, LESSON_INERTIA, SERVO
from tests.simulate.values import LUGRE as VALUES

PULLED = {**LESSON, "eps": EPS, "J": LESSON_INERTIA, "torque": 0.4}
OSCILLATOR = {"b": 0.3, "J": 1.0, "stiffness": 4.0, "damping": 0.2, "pull": 0.0}


def test_semi_implicit_euler_is_the_step_of_the_textbook() -> None:
    joint = prepare(joint_system(STRIBECK_SMOOTH, CONSTANT), SEMI_IMPLICIT_EULER)
    q, v = walk(joint, PULLED, joint.system.start(), 2, 1e-3, warns=False).end
    assert (q, v) == pytest.approx((3.6951570689, 3.6011885241), abs=1e-9)


def test_accurate_motion_of_the_smoothed_joint() -> None:
    found = solve(joint_system(STRIBECK_SMOOTH, CONSTANT), PULLED, [0, 0], [0, 2], rtol=1e-10)
    assert found.states[-1] == pytest.approx([3.6871315, 3.59827274], abs=1e-6)


def spring_exactly(t: float) -> tuple[float, float]:
    """Damped oscillation from q = 1 at rest, closed form."""
    decay, k = (0.3 + 0.2) / 2, 4.0
    w = math.sqrt(k - decay**2)
    q = math.exp(-decay * t) * (math.cos(w * t) + decay / w * math.sin(w * t))
    v = -math.exp(-decay * t) * k / w * math.sin(w * t)
    return q, v


@pytest.mark.parametrize("scheme", [EULER, SEMI_IMPLICIT_EULER, RK4], ids=lambda s: s.name)
def test_order_on_a_damped_oscillator(scheme: Scheme) -> None:
    joint = prepare(joint_system(VISCOUS, SPRING), scheme, engine="python")
    errors = []
    for dt in (0.02, 0.01):
        end = walk(joint, OSCILLATOR, [1.0, 0.0], 2.0, dt).end
        errors.append(math.dist(end, spring_exactly(2.0)))
    assert math.log2(errors[0] / errors[1]) == pytest.approx(scheme.order, abs=0.3)


def test_exponential_scheme_is_of_second_order_on_sliding_lugre() -> None:
    system = joint_system(LUGRE, SINE)
    values = {**SERVO, "mean": 1.3, "amplitude": 0.1, "frequency": 40.0}
    start = system.start(v=0.4, z=1e-4)
    exact = walk(prepare(system, RK4), values, start, 0.2, 1e-6).end
    joint = prepare(system, EXPONENTIAL)
    errors = [
        abs(walk(joint, values, start, 0.2, dt).end[1] - exact[1]) for dt in (2e-4, 1e-4, 5e-5)
    ]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.3)
    assert math.log2(errors[1] / errors[2]) == pytest.approx(2, abs=0.3)


def test_steady_sliding_far_beyond_the_stability_of_explicit_steps() -> None:
    values = {**VALUES, "velocity": 3.0}
    joint = prepare(prescribed_system(LUGRE, STEADY), EXPONENTIAL)
    (z,) = walk(joint, values, [0.0], 0.2, 1e-4).end
    assert z * 1e4 == pytest.approx(1.0, abs=1e-12)
    (z,) = walk(joint, values, [0.0], 1000.0, 100.0).end
    assert z * 1e4 == pytest.approx(1.0, abs=1e-12)
    diverging = prepare(prescribed_system(LUGRE, STEADY), RK4)
    with pytest.raises(InputError, match=r"stop being finite.*smaller step"):
        walk(diverging, values, [0.0], 1.0, 2e-4)


def test_lugre_slides_with_its_steady_force() -> None:
    system = prescribed_system(LUGRE, STEADY)
    (z,) = walk(prepare(system, RK4), {**VALUES, "velocity": 0.03}, [0.0], 1.0, 1e-4).end
    force = LUGRE.force(FLOAT64, 0.03, [z], {}, VALUES)
    assert force == pytest.approx(1.0150617049020432, rel=1e-12)


@given(
    speeds=st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30),
    dt=st.floats(1e-9, 1e6),
    start=st.floats(-1, 1),
)
def test_bristles_never_leave_their_bound(speeds: list[float], dt: float, start: float) -> None:
    bound = VALUES["Fs"] / VALUES["sigma0"]
    z = [start * bound]
    assert LUGRE.update is not None
    for v in speeds:
        z = LUGRE.update(FLOAT64, v, z, {}, VALUES, dt)
        assert abs(z[0]) <= bound * (1 + 1e-15)


@pytest.mark.parametrize("scheme", list(SCHEMES.values()), ids=lambda s: s.name)
def test_compiled_steps_equal_python_steps_and_forty_digits(scheme: Scheme) -> None:
    need_program("gcc")
    system = joint_system(LUGRE, PID)
    values = {**SERVO, "Kp": 3.0, "Kv": 6.0, "Ki": 4.0, "target": 0.0}
    start = system.start(q=-1)
    section = Section("v", 0.05, 1, "z")
    walks = [
        walk(prepare(system, scheme, fixed, engine), values, start, 0.05, 1e-4, section=section)
        for engine, fixed in (("native", {}), ("native", SERVO), ("python", {}))
    ]
    for other in walks[1:]:
        assert other.end == pytest.approx(walks[0].end, rel=1e-12, abs=1e-18)
        assert len(other.passages) == len(walks[0].passages) == 1
        assert other.passages[0].before == pytest.approx(walks[0].passages[0].before, rel=1e-12)
        assert other.passages[0].high == pytest.approx(walks[0].passages[0].high, rel=1e-12)
    mp = MpAlgebra(40)
    p = {name: mp.number(value) for name, value in values.items()}
    x, dt = [mp.number(value) for value in start], mp.number(1e-4)
    for k in range(500):
        x = scheme.step(system, mp, mp.number(k) * dt, x, p, dt)
    assert walks[0].end == pytest.approx([float(value) for value in x], rel=1e-11, abs=1e-16)


@pytest.mark.parametrize("drive", list(DRIVES.values()), ids=lambda d: d.name)
@pytest.mark.parametrize("law", ["lugre", "karnopp", "temperature-stribeck", "ripple", "dahl"])
def test_every_drive_goes_with_every_kind_of_law(drive: Drive, law: str) -> None:
    system = joint_system(LAWS[law], drive)
    values = {q.name: 1.5 if q.domain.value == "> 0" else 0.5 for q in system.parameters}
    end = walk(prepare(system, RK4, engine="python"), values, system.start(v=0.1), 0.01, 1e-3).end
    assert all(map(math.isfinite, end))


def test_friction_along_a_measured_motion_follows_the_prescribed_system() -> None:
    system = prescribed_system(LUGRE, WAVE)
    wave = {"mean": 0.03, "amplitude": 0.02, "frequency": 30.0}
    done = walk(prepare(system, RK4), {**VALUES, **wave}, [0.0], 0.3, 1e-5, every=10)
    v = 0.03 + 0.02 * np.sin(30.0 * done.times)
    found = friction_along(LUGRE, VALUES, done.times.tolist(), v.tolist())
    exact = [
        LUGRE.force(FLOAT64, a, [z], {}, VALUES)
        for a, z in zip(v.tolist(), done.states[:, 0].tolist(), strict=True)
    ]
    assert found == pytest.approx(np.array(exact), abs=2e-5)


# -- faults ---------------------------------------------------------------------------------------


def servo() -> Prepared:
    return prepare(joint_system(LUGRE, CONSTANT), engine="python")


@pytest.mark.parametrize(
    ("changes", "start", "span", "dt", "message"),
    [
        ({"J": 0.0}, None, 1, 0.1, r"J \[kg m\^2\] is outside its domain; expected J > 0"),
        ({"Fs": math.nan}, None, 1, 0.1, "Fs is not finite"),
        ({"load": 1.0}, None, 1, 0.1, "'load' is unknown"),
        ({}, [0.0], 1, 0.1, "has 1 entry; expected 3"),
        ({}, [0.0, math.inf, 0.0], 1, 0.1, "v is not finite"),
        ({}, None, 1, 0.0, "step and span have to be positive"),
        ({}, None, -1, 0.1, "step and span have to be positive"),
        ({}, None, 1, math.nan, "step and span have to be positive"),
    ],
)
def test_faults_of_a_walk(
    changes: dict[str, float], start: list[float] | None, span: float, dt: float, message: str
) -> None:
    joint = servo()
    values = {**SERVO, "torque": 1.0, **changes}
    with pytest.raises((InputError, ValueError), match=message):
        walk(joint, values, start or joint.system.start(), span, dt)


def test_faults_of_names() -> None:
    with pytest.raises(InputError, match="'torque' is missing"):
        walk(servo(), SERVO, [0, 0, 0], 1, 0.1)
    with pytest.raises(InputError, match="no state 'w'; expected one of q v z"):
        servo().system.start(w=1)
    with pytest.raises(InputError, match="no parameter 'mass'"):
        prepare(joint_system(LUGRE, CONSTANT), fixed={"mass": 1})
    with pytest.raises(InputError, match="unknown engine"):
        prepare(joint_system(LUGRE, CONSTANT), engine="fortran")
    with pytest.raises(UnsupportedError, match="no states with an exact flow"):
        walk(
            prepare(joint_system(COULOMB_SMOOTH, CONSTANT), EXPONENTIAL, engine="python"),
            {"Fc": 1, "b": 0, "eps": 1e-3, "J": 1, "torque": 0},
            [0, 0],
            1,
            0.1,
        )
    with pytest.raises(UnsupportedError, match="has no states"):
        prescribed_system(COULOMB_SMOOTH, STEADY)


@pytest.mark.parametrize(
    ("times", "velocities", "message"),
    [
        ([0, 1], [0], "velocities has 1 entry; expected 2"),
        ([0, 1, 1], [0, 0, 0], "times do not increase"),
        ([0, math.nan], [0, 0], "not finite"),
    ],
)
def test_faults_of_a_measured_motion(
    times: list[float], velocities: list[float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        friction_along(LUGRE, VALUES, times, velocities)
