"""Every derivation runs by itself, leaves nothing behind, and keeps to the fixed skeleton."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DERIVATIONS = sorted((ROOT / "derivations").glob("*.py"))
SKELETON = (
    "**Claim.**", "**Source.**", "## Setup", "## Derivation", "## Check", "## Result",
    "## What this does not show",
)  # fmt: skip
# a derivation is to be read in one sitting and run while reading; room for a busy machine
SECONDS = 300
#: What a default run of the tests tries: each takes a few seconds; the others run as slow tests.
QUICK = (
    "01_two_link_arm", "02_panda_recursive", "09_friction_lesson", "10_stribeck_curve",
    "12_lesson_programs", "13_friction_identification",
)  # fmt: skip
RUNS = [
    pytest.param(path, id=path.stem, marks=() if path.stem in QUICK else pytest.mark.slow)
    for path in DERIVATIONS
]


def test_there_are_derivations() -> None:
    assert [path.name[:3] for path in DERIVATIONS] == [
        f"{k:02}_" for k in range(1, len(DERIVATIONS) + 1)
    ]


@pytest.mark.parametrize("path", RUNS)
def test_it_runs_in_an_empty_directory(path: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout, "a derivation shows its steps"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", DERIVATIONS, ids=lambda path: path.stem)
def test_it_keeps_to_the_skeleton(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# %% [markdown]\n# # ")
    places = [text.find(part) for part in SKELETON]
    assert -1 not in places, f"missing: {SKELETON[places.index(-1)]}"
    assert places == sorted(places)
    check = text[places[4] : places[5]]
    assert "An independent road" in check
    assert re.search(r"^assert ", check, re.MULTILINE)
    # every line belongs to a cell: Markdown is commented out, code is not
    for cell in re.split(r"^# %%", text, flags=re.MULTILINE)[1:]:
        head, *lines = cell.splitlines()
        if head.strip() == "[markdown]":
            assert all(line == "" or line.startswith("#") for line in lines)
        else:
            assert head.strip() == ""
