"""Torques of the generalized equation against particles that know no inertial parameter."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra, Real
from symdyn.model.over import over
from tests.particles import (
    Arm,
    ArmState,
    ReferenceArm,
    exact,
    moments,
    random_arm,
    random_state,
    reference_arms,
    robot_of,
    torques,
)

# the oracle's differences of 100-digit numbers are good to 1e-40; the recursion runs with 50 digits
HIGH = 1e-30
# what the same recursion has to keep in double precision, relative to the largest torque
DOUBLE = 1e-12


def inputs(arm: Arm, state: ArmState) -> dict[str, list[object]]:
    found = moments(arm, state.t)
    flat = {
        "theta": found.theta,
        "theta_dot": found.theta_dot,
        "psi": found.psi,
        "psi_dot": found.psi_dot,
    }
    return {k: [x for body in v for x in body] for k, v in flat.items()}


@pytest.mark.parametrize("seed", range(12))
def test_torques_of_random_arms_with_moving_particles(seed: int) -> None:
    n = 2 + seed % 5
    arm = random_arm(seed, n, tree=seed % 3 == 0)
    state = random_state(seed, n)
    expected = torques(arm, state)
    scale = max(abs(float(x)) for x in expected)
    robot = robot_of(arm, state.t)
    values = inputs(arm, state)

    mp = MpAlgebra(50)
    high: dict[str, list[Real]] = {
        k: [mp.number(mpmath.nstr(x, 60)) for x in v] for k, v in values.items()
    }
    vectors = [[mp.const(x) for x in part] for part in (state.q, state.qd, state.qdd)]
    tau = dynamics.generalized_inverse_dynamics(over(robot, mp), *vectors, *high.values())
    assert max(abs(float(a) - float(b)) for a, b in zip(tau, expected, strict=True)) <= (
        DOUBLE * scale
    )
    assert max(
        float(abs(a - mp.number(mpmath.nstr(b, 60)))) for a, b in zip(tau, expected, strict=True)
    ) <= (HIGH * scale)

    low = [[float(exact(x)) for x in part] for part in (state.q, state.qd, state.qdd)]
    floats = [[float(x) for x in v] for v in values.values()]  # type: ignore[arg-type]  # mpf
    tau64 = dynamics.generalized_inverse_dynamics(over(robot, FLOAT64), *low, *floats)
    assert max(abs(a - float(b)) for a, b in zip(tau64, expected, strict=True)) <= DOUBLE * scale


@pytest.mark.parametrize("reference", reference_arms(), ids=lambda r: r.name)
def test_every_term_of_the_reference_arms(reference: ReferenceArm) -> None:
    arm, state = reference.arm, reference.state
    model = over(robot_of(arm, state.t), FLOAT64)
    q, qd, qdd = ([float(x) for x in part] for part in (state.q, state.qd, state.qdd))
    x = {k: [float(e) for e in v] for k, v in inputs(arm, state).items()}  # type: ignore[arg-type]
    want = reference.values
    tau = dynamics.generalized_inverse_dynamics(
        model, q, qd, qdd, x["theta"], x["theta_dot"], x["psi"], x["psi_dot"]
    )
    # no entry of the torques is near zero: relative throughout
    assert tau == pytest.approx(want["tau"], rel=1e-13, abs=0)
    momentum = np.array(dynamics.momentum_map(model, q))
    poses = np.array(dynamics.forward_kinematics(model, q))
    matrices = {
        "M": dynamics.mass_matrix(model, q, x["theta"]),
        "C": dynamics.coriolis_matrix(model, q, qd, x["theta"]),
        "Md": dynamics.mass_matrix(model, q, x["theta_dot"]),
        "H": dynamics.gyroscopic_matrix(model, q, x["psi"]),
        "G": dynamics.gravity_vector(model, q, x["theta"]),
        "JQPsi": momentum @ x["psi"],
        "JQPsidot": momentum @ x["psi_dot"],
        "Jbody": np.array(dynamics.body_jacobian(model, q)).reshape(len(arm.joints), 6, -1),
        "R": poses[:, :3, :3],
        "p": poses[:, :3, 3],
    }
    for name, found in matrices.items():
        # the stored numbers are doubles; entries that vanish by symmetry are compared with 1
        assert np.array(found) == pytest.approx(np.array(want[name]), rel=1e-13, abs=1e-13), name
