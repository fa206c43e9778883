"""The main job as a whole: what is written, that it runs as the report says, how it fails."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import symdyn
from symdyn import pipeline
from symdyn._errors import InputError, VerificationError
from symdyn.crosscheck.record import Comparison, CrossCheckRecord, RoadNote
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.io.load import load_robot
from symdyn.output import files_below, sha256
from symdyn.pipeline import DeriveResult, derive_files, derive_robot
from tests.docs.markdown_blocks import blocks_of
from tests.oracles import need_program

STATES = 5


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> DeriveResult:
    """The whole pipeline on the smallest robot."""
    need_program("gcc")
    return derive_robot("planar2r", tmp_path_factory.mktemp("out") / "planar2r", states=STATES)


def test_the_directory_holds_exactly_what_is_recorded(result: DeriveResult) -> None:
    record = json.loads((result.directory / "record.json").read_text())
    present = files_below(result.directory)
    assert sorted(record["files"]) == [name for name in present if name != "record.json"]
    assert present == list(result.files)
    for name, expected in record["files"].items():
        assert sha256((result.directory / name).read_bytes()) == expected
    assert {
        "report.md", "crosscheck.json", "c/planar2r.c", "c/planar2r.h", "numpy/planar2r.py",
        "figures/tree.svg", "figures/arm.svg",
    } <= set(present)  # fmt: skip


def test_the_record_has_the_facts(result: DeriveResult) -> None:
    record = json.loads((result.directory / "record.json").read_text())
    assert record["robot"]["joints"] == ["joint1", "joint2"]
    assert record["functions"]["mass_matrix"]["result"]["shape"] == [2, 2]
    assert record["functions"]["mass_matrix"]["operations"]["add"] > 0
    kinds = [verdict["kind"] for verdict in record["identities"]]
    assert set(kinds) <= {"proved", "probabilistic"}
    assert kinds.count("proved") >= 10
    assert record["digest"].startswith("sha256:")


def test_every_road_was_compared(result: DeriveResult) -> None:
    crosscheck = result.findings.crosscheck
    assert crosscheck is not None
    agreed = {(c.function, c.road) for c in crosscheck.comparisons if c.verdict == "agrees"}
    for road in ("numpy", "numpy batch", "c", "c batch", "graph"):
        assert {f for f, r in agreed if r == road} == set(symdyn.FUNCTIONS), road


def test_the_report_says_everything(result: DeriveResult) -> None:
    text = (result.directory / "report.md").read_text()
    heads = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert heads == [
        "Equation and conventions", "Robot", "Inertial parameters", "Closed form", "Functions",
        "Identities", "Cross-check of the code", "How to call the code",
    ]  # fmt: skip
    assert r"l_{1} l_{\mathrm{c}2}" in text, "closed form in the letters of the file"
    assert r"q_{1} + q_{2}" in text, "as a textbook prints it"
    assert "(0, -9.81, 0) m/s^2" in text
    assert "textbook arm" in text, "the provenance"
    for figure in re.findall(r"!\[[^]]*\]\(([^)]*)\)", text):
        assert (result.directory / figure).is_file()


def test_tables_of_the_report_are_well_formed(result: DeriveResult) -> None:
    text = (result.directory / "report.md").read_text()
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        columns = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(columns) == 1, block


def test_the_programs_of_the_report_run(result: DeriveResult, tmp_path: Path) -> None:
    blocks = blocks_of(result.directory / "report.md")
    python = next(b.text for b in blocks if b.language == "python")
    run = subprocess.run(
        [sys.executable, "-B", "-c", python],
        cwd=result.directory, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    first, second = run.stdout.strip().splitlines()
    by_python = [float(x) for x in first.strip("[]").split()]
    assert second == "(1000, 2)"

    work = tmp_path / "work"
    work.mkdir()
    (work / "c").symlink_to(result.directory / "c")
    (work / "example.c").write_text(next(b.text for b in blocks if b.language == "c"))
    command = next(b.text for b in blocks if b.language == "sh")
    done = subprocess.run(
        ["bash", "-c", command], cwd=work, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, ""), "the self-test passes"
    by_c = [float(x) for x in done.stdout.split()]
    # by hand: the torque that holds two rods at q = (0.3, 0)
    g, m1, m2, l1, l2, c = 9.81, 3.0, 2.0, 1.0, 0.8, math.cos(0.3)
    held = [g * c * (m1 * l1 / 2 + m2 * (l1 + l2 / 2)), g * c * m2 * l2 / 2]
    assert by_c == pytest.approx(held, rel=1e-14)
    assert by_python == pytest.approx(held, rel=1e-7)


def test_a_second_run_writes_the_same_bytes(result: DeriveResult) -> None:
    before = {name: (result.directory / name).read_bytes() for name in result.files}
    again = derive_robot("planar2r", result.directory, states=STATES)
    assert again.files == result.files
    for name, content in before.items():
        assert (result.directory / name).read_bytes() == content, name


def test_another_process_with_another_hash_seed_gives_the_same_code() -> None:
    code = (
        "import hashlib, symdyn.pipeline as p\n"
        "files, _, _ = p.derive_files('planar2r', crosscheck=False, figures=False)\n"
        "print({k: hashlib.sha256(v).hexdigest() for k, v in sorted(files.items())})"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert said[0] == said[1]


def test_nothing_is_written_when_an_identity_is_refuted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = Verdict(VerdictKind.REFUTED, "M = M'", witness={"q": [1, 2]}, method="finite field")
    monkeypatch.setattr(pipeline, "check_robot", lambda *_, **__: (wrong,))
    with pytest.raises(VerificationError, match=r"M = M'.*witness.*\[1, 2\]"):
        derive_robot("planar2r", tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_nothing_is_written_when_the_code_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    off = Comparison("mass_matrix", "c", "differs", 3, 0, 1e6, 1e-10, 4.0, 2.5e5, "entry 1")
    record = CrossCheckRecord(
        "planar2r", "symbolic", 1, {"random": 3}, 50, (RoadNote("c", "generated C"),), (off,)
    )
    monkeypatch.setattr(pipeline, "run_crosscheck", lambda *_, **__: record)
    with pytest.raises(VerificationError, match="mass_matrix on road 'c'"):
        derive_robot("planar2r", tmp_path / "out", identities=False)
    assert not list(tmp_path.iterdir())


def test_a_wrong_sign_in_the_recursion_is_refuted(tmp_path: Path) -> None:
    """End to end: gravity turned around in one function only must stop the run."""
    robot = load_robot("planar2r")
    derivation = symdyn.derive(robot)
    up = replace(robot, gravity=tuple(-g for g in robot.gravity))  # type: ignore[arg-type]
    specs = {**derivation.specs, "gravity_vector": symdyn.derive(up).specs["gravity_vector"]}
    verdicts = symdyn.check_robot(robot, specs)
    refuted = [v for v in verdicts if v.kind is VerdictKind.REFUTED]
    assert refuted
    assert all(v.witness for v in refuted)


@pytest.mark.parametrize("inertial", ["symbolic", "numeric", "base"])
def test_each_treatment_of_inertial_parameters_gives_a_report(inertial: Any) -> None:
    files, findings, _ = derive_files(
        "planar2r", inertial=inertial, identities=False, crosscheck=False, figures=False
    )
    text = files["report.md"].decode()
    assert {"symbolic": "`theta`", "numeric": "built into the code", "base": "`beta`"}[
        inertial
    ] in text
    assert (findings.derivation.base_names != ()) == (inertial == "base")
    named = json.loads(files["record.json"])["generalized_base_names"]
    assert len(named) == (16 if inertial == "base" else 0)
    assert ("`I33'@link1`" in text) == ("I33'@link1" in named) == (inertial == "base")


def test_functions_and_targets_can_be_chosen() -> None:
    files, findings, _ = derive_files(
        "planar2r", targets=["c"], functions=["gravity_vector"], crosscheck=False, figures=False
    )
    assert sorted(files) == ["c/planar2r.c", "c/planar2r.h", "record.json", "report.md"]
    assert list(findings.derivation.specs) == ["gravity_vector"]
    assert b"planar2r_gravity_vector(q, planar2r_theta, out)" in files["report.md"]


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    derive_files(
        "planar2r", crosscheck=False, figures=False, progress=lambda stage, _: told.append(stage)
    )
    steps = list(dict.fromkeys(stage.split(":")[0] for stage in told))
    assert steps == ["read", "derive", "verify", "generate", "cross-check", "report"]


def test_foreign_files_stop_the_run_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "thesis.tex").write_text("years")
    monkeypatch.setattr(pipeline, "derive_files", lambda *_, **__: pytest.fail("work was done"))
    with pytest.raises(InputError, match=r"thesis\.tex"):
        derive_robot("planar2r", tmp_path)
