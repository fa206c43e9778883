"""Textbook systems written as TOML: numbers known from elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.io.toml_format import parse_toml
from symdyn.model.build import build_robot
from symdyn.model.over import Model, over

#: Absolute part of the agreement asked of these cases; the relative part is 1e-9.
ABSOLUTE, RELATIVE = 1e-12, 1e-9


def points(masses: list[float], lengths: list[float], along: str, axis: str, gravity: str) -> str:
    """A chain of massless rods with a point mass at the end of each."""
    text = f'[robot]\nname = "chain"\ngravity = {gravity}\n[[link]]\nname = "link0"\n'
    for i, (m, l_) in enumerate(zip(masses, lengths, strict=True), 1):
        start = along.replace("L", str(lengths[i - 2])) if i > 1 else "[0, 0, 0]"
        text += (
            f'[[link]]\nname = "link{i}"\nmass = {m}\ncom = {along.replace("L", str(l_))}\n'
            "inertia_com = { xx = 0, yy = 0, zz = 0 }\n"
            f'[[joint]]\nname = "j{i}"\ntype = "revolute"\nparent = "link{i - 1}"\n'
            f'child = "link{i}"\nxyz = {start}\naxis = {axis}\n'
        )
    return text


def model_of(text: str) -> tuple[Model[float], list[float]]:
    robot = build_robot(parse_toml(text))
    theta = [x for body in robot.bodies for x in lift(body.phi, FLOAT64)]
    return over(robot, FLOAT64), theta


def test_two_links_with_point_masses_in_the_plane() -> None:
    """Case C48."""
    model, theta = model_of(
        points([1.0, 2.0], [1.0, 0.5], "[L, 0, 0]", "[0, 0, 1]", "[0, -9.81, 0]")
    )
    q, qd, qdd = [0.3, 0.4], [0.5, -0.6], [0.7, 0.8]
    close = {"rtol": RELATIVE, "atol": ABSOLUTE}
    M = [[5.34212198800577, 1.421060994002885], [1.421060994002885, 0.5]]
    assert_allclose(dynamics.mass_matrix(model, q, theta), M, **close)
    C = np.array(dynamics.coriolis_matrix(model, q, qd, theta))
    assert_allclose(C @ qd, [0.09346040215407612, 0.09735458557716263], **close)
    g = [35.61865473222742, 7.503101857260832]
    assert_allclose(dynamics.gravity_vector(model, q, theta), g, **close)
    tau = [40.588449321187845, 8.995199138640015]
    assert_allclose(dynamics.inverse_dynamics(model, q, qd, qdd, theta), tau, **close)


@pytest.mark.parametrize("sign", ["[0, 1, 0]", "[0, -1, 0]"])
def test_triple_pendulum_by_absolute_angles(sign: str) -> None:
    """Case C11: absolute angles are sums of joint angles, so M_abs = T' M T with q = T angles."""
    model, theta = model_of(
        points([1.0, 2.0, 1.5], [0.7, 0.5, 0.3], "[0, 0, -L]", sign, "[0, 0, -9.81]")
    )
    T = np.array([[1.0, 0, 0], [-1, 1, 0], [0, -1, 1]])
    angles, rates = np.array([0.4, -0.3, 0.9]), np.array([0.5, -1.0, 0.2])
    q, qd = (T @ angles).tolist(), (T @ rates).tolist()
    M = T.T @ np.array(dynamics.mass_matrix(model, q, theta)) @ T
    expected = [
        [2.2049999999999996, 0.9369316794234983, 0.27643850699546735],
        [0.9369316794234983, 0.875, 0.08153049475725156],
        [0.27643850699546735, 0.08153049475725156, 0.13499999999999998],
    ]
    assert_allclose(M, expected, rtol=RELATIVE, atol=ABSOLUTE)
    qdd = dynamics.forward_dynamics(model, q, qd, [0.0] * 3, theta)
    accelerations = [-13.2884115582262, 21.493743116364524, -13.217978200172881]
    assert_allclose(np.cumsum(qdd), accelerations, rtol=RELATIVE)


def test_a_screw_joint_couples_turn_and_advance() -> None:
    pitch = 0.01 / (2 * math.pi)
    text = points([2.0], [0.3], "[L, 0, 0]", "[0, 0, 1]", "[0, 0, -9.81]").replace(
        'type = "revolute"', 'type = "helical"\npitch = "0.01/(2*pi)"'
    )
    model, theta = model_of(text)
    expected = 2 * 0.3**2 + 2 * pitch**2
    assert_allclose(dynamics.mass_matrix(model, [0.4], theta), [[expected]], rtol=1e-14)
    assert_allclose(dynamics.gravity_vector(model, [0.4], theta), [2 * 9.81 * pitch], rtol=1e-14)
