"""The programs that a report prints run as they stand and give the numbers of that state."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from symdyn import evaluate_state, load_robot, state_from
from symdyn.pipeline import derive_files
from symdyn.recipes import Inertial
from tests.oracles import need_program


@pytest.mark.parametrize("inertial", ["symbolic", "base", "numeric"])
def test_programs_of_a_robot_of_changing_mass(inertial: Inertial, tmp_path: Path) -> None:
    compiler = need_program("cc")
    files, _, _ = derive_files(
        "feeder", inertial=inertial, identities=False, crosscheck=False, figures=False
    )
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    report = files["report.md"].decode()
    programs = dict(re.findall(r"```(python|c)\n(.*?)```", report, re.DOTALL))

    robot = load_robot("feeder")
    state = state_from({"q": [0.3, 0, 0], "t": 0.5}, robot)
    (expected,) = evaluate_state(robot, state, ["generalized_inverse_dynamics"]).values.values()

    (tmp_path / "example.py").write_text(programs["python"])
    run = [sys.executable, "example.py"]
    said = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    first, shape = said.splitlines()
    assert [float(x) for x in first.strip("[]").split()] == pytest.approx(expected, rel=1e-7)
    assert shape == "(1000, 3)"

    (tmp_path / "example.c").write_text(programs["c"])
    build = [compiler, "-std=c11", "-I", "c", "example.c", "c/feeder.c", "-lm", "-o", "example"]
    subprocess.run(build, cwd=tmp_path, check=True)
    run = [str(tmp_path / "example")]
    said = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert [float(x) for x in said.split()] == pytest.approx(expected, rel=1e-12)
