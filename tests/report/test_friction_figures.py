"""Figures of friction: ranges that show the bend, names that cover no curve, only what is there."""

from __future__ import annotations

import re

import numpy as np

from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.identify.steady import fit_steady
from symdyn.report.friction_curves import DrawnLaw, curve_figure, speed_range
from symdyn.report.friction_fit_figure import steady_figure
from symdyn.report.friction_studies import study_compensation
from symdyn.report.friction_study_figures import compensation_figure
from tests.friction.examples import signals_of

TEXT = re.compile(rb"<!-- (.*?) -->")


def drawn(name: str) -> DrawnLaw:
    law = LAWS[name]
    return DrawnLaw(law, EXAMPLES[name], signals_of(law))


def texts(svg: bytes) -> list[str]:
    """The texts of a figure; Matplotlib writes them as paths with a comment."""
    return [found.decode() for found in TEXT.findall(svg)]


def test_a_law_without_a_speed_of_its_own_does_not_widen_the_range() -> None:
    assert speed_range([drawn("stribeck"), drawn("coulomb")]) == speed_range([drawn("stribeck")])
    assert speed_range([drawn("coulomb")]) == (0.1 / 500, 10.0)


def test_all_laws_are_named_above_the_axes() -> None:
    """The legend belongs to the figure; each name stands in it once."""
    for names in (("stribeck", "lugre", "coulomb-smooth"), tuple(LAWS)[:9]):
        laws = [drawn(name) for name in names]
        figure = curve_figure(laws, *speed_range(laws), form="svg")
        found = texts(figure)
        for name in names:
            assert found.count(LAWS[name].title) == 1
        behind_the_axes = figure.split(b'id="axes_2"')[1]
        assert b'id="legend_1"' in behind_the_axes


def test_points_of_one_direction_are_not_called_forward() -> None:
    v = np.geomspace(0.01, 1, 12)
    for speeds, words in ((v, {"measured"}), (np.append(v, -v), {"forward", "backward"})):
        fit = fit_steady(LAWS["coulomb"], speeds, np.sign(speeds) + 0.4 * speeds)
        named = {"measured", "forward", "backward"} & set(texts(steady_figure(fit, "svg")))
        assert named == words


def test_only_outcomes_that_occur_are_in_the_legend() -> None:
    gains = {"Kp": 3.0, "Kv": 150.0, "k": 20.0}
    study = study_compensation(EXAMPLES["lugre"], 1.0, gains, [])
    found = texts(compensation_figure(study, "svg"))
    assert "at rest or decaying" in found
    assert "limit cycle" not in found
