"""Letters of closed forms as LaTeX prints them."""

from __future__ import annotations

import pytest

from symdyn.io.load import load_robot
from symdyn.report.closed_forms import (
    _latex_name,  # pyright: ignore[reportPrivateUsage]  # a table says it best
    closed_form_of,
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
