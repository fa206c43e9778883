"""Pictures of derivations: written where they are asked for, the same bytes every time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from symdyn.report.time_figure import Curve, Panel, time_figure

ROOT = Path(__file__).resolve().parents[2]
PNG = b"\x89PNG\r\n"
# what each derivation that takes --write puts there
WRITTEN = {
    "04_sliding_slug": {"sliding_slug.png"},
    "05_flywheel": {"flywheel.png"},
    "06_sloshing": {"sloshing.png"},
    "07_growing_sphere": {"growing_sphere.png"},
    "08_loading_and_shedding": {"loading_motions.png", "loading_limit.png"},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITTEN)
def test_a_derivation_writes_its_pictures_where_it_is_told(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, str(ROOT / "derivations" / f"{name}.py"), "--write", str(folder)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {path.name for path in folder.iterdir()} == WRITTEN[name]
    assert all(path.read_bytes().startswith(PNG) for path in folder.iterdir())
    assert list(tmp_path.iterdir()) == [folder]


def panels(is_log: bool = False) -> list[Panel]:
    times = np.linspace(0, 1, 20)
    wave = Curve("wave", times, np.cos(7 * times) + 1.1)
    return [Panel("x [m]", (wave, Curve("rest", times, 0 * times + 1, dashed=True)), is_log=is_log)]


def test_same_data_same_bytes() -> None:
    one, other = (time_figure("title", panels()) for _ in range(2))
    assert one == other
    assert one.startswith(PNG)
    assert time_figure("another title", panels()) != one


def test_curves_are_drawn_each_in_its_way() -> None:
    text = time_figure("title", panels(), form="svg").decode()
    assert text.count("#2457a6") >= 2  # the dashed curve has the colour of its full one
    assert "stroke-dasharray" in text
    assert time_figure("title", panels(is_log=True), form="svg").decode() != text
