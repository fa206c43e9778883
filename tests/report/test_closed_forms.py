"""Letters of closed forms as LaTeX prints them."""

from __future__ import annotations

import numpy as np
import pytest

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.io.load import load_robot
from symdyn.model.over import over
from symdyn.report.closed_forms import (
    _latex_name,  # pyright: ignore[reportPrivateUsage]  # a table says it best
    closed_form_of,
    momentum_form_lines,
    momentum_form_of,
)


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("q1", "q_{1}"),
        ("qd12", r"\dot q_{12}"),
        ("I11_2", "I_{11,2}"),
        ("m_3", "m_{3}"),
        ("g", "g"),
        ("l1", "l_{1}"),
        ("lc1", r"l_{\mathrm{c}1}"),
        ("Ixx", r"I_{\mathrm{xx}}"),
        ("aluminium", r"\mathrm{aluminium}"),
        ("rate_2", r"\mathrm{rate}_{2}"),
        ("alpha", r"\alpha"),
        ("sigma0", r"\sigma_{0}"),
        ("Omega", r"\Omega"),
        ("Alpha", r"\mathrm{Alpha}"),  # LaTeX has no such letter
        ("masse_à_vide", r"\text{masse\_à\_vide}"),
    ],
)
def test_names_look_like_a_textbooks(name: str, latex: str) -> None:
    assert _latex_name(name) == latex


def test_small_robots_have_one_and_long_ones_none() -> None:
    assert closed_form_of(load_robot("planar2r")) is not None
    assert closed_form_of(load_robot("panda")) is None


def test_moving_mass_has_its_closed_form() -> None:
    """Printed H and J'Q Psi are those of the recursion, in the momenta that are there."""
    robot = load_robot("feeder")
    form = momentum_form_of(robot)
    assert form is not None
    # the counterweight's momentum points at the joints' axes and drops out
    letters = [s.name for s in form.carried.free_symbols if s.name[0] in "pe"]
    assert letters == ["ell1_2"]

    rng = np.random.default_rng(3)
    q, p1, ell1 = rng.uniform(-1, 1, 3), *rng.uniform(-1, 1, 2)
    psi = np.zeros(36)
    psi[12], psi[12 + 10] = p1, ell1
    model = over(robot, FLOAT64)
    values = {"p1_2": p1, "ell1_2": ell1, "q1": q[0], "q2": q[1], "q3": q[2]}
    numbers = {s: values[s.name] for s in form.carried.free_symbols | form.H.free_symbols}
    H = np.array(form.H.subs(numbers), float)
    P = np.array(form.carried.subs(numbers), float).ravel()
    slow = np.array(dynamics.gyroscopic_matrix(model, q.tolist(), psi.tolist()))
    np.testing.assert_allclose(H, slow, atol=1e-14)
    np.testing.assert_allclose(
        P, np.array(dynamics.momentum_map(model, q.tolist())) @ psi, atol=1e-14
    )
    assert momentum_form_of(load_robot("planar2r")) is None
    text = "\n".join(momentum_form_lines(form))
    assert r"\ell_{1,2}" in text
    assert "H_{12}" in text
