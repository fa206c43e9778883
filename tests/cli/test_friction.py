"""``symdyn friction`` and ``symdyn identify``: numbers in, numbers and figures out, faults in one
line."""

from __future__ import annotations

import io
import json
import math
import re
import sys
from collections.abc import Sequence
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from symdyn.algebra.float64 import FLOAT64
from symdyn.cli.main import main
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.lugre import LUGRE
from symdyn.identify.chance import few_runs
from symdyn.identify.motion import follower
from symdyn.identify.steady import fit_steady
from symdyn.io.load import load_robot
from symdyn.report.friction_fit import steady_warnings
from tests.identify.records import excitation, torques
from tests.identify.sweeps import NOISE, WIDE, friction
from tests.identify.test_whole_robot import coulomb


def run(
    arguments: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch | None = None,
    given: str = "",
) -> tuple[int, str, str]:
    if monkeypatch is not None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
    try:
        status = main(arguments)
    except SystemExit as stop:
        status = int(stop.code or 0)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def answer(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    return answer_of(["friction", *arguments], capsys)


def answer_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    status, out, err = run([*arguments, "--json"], capsys)
    assert (status, err) == (0, "")
    return json.loads(out)


def is_picture(path: Path) -> bool:
    content = path.read_bytes()
    if path.suffix == ".png":
        return content.startswith(b"\x89PNG")
    ElementTree.fromstring(content)
    return True


def write(path: Path, **columns: np.ndarray) -> str:
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(repr(float(x)) for x in row) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@pytest.fixture
def sweep(tmp_path: Path) -> str:
    F = friction(WIDE) + NOISE * np.random.default_rng(1).standard_normal(WIDE.size)
    return write(tmp_path / "sweep.csv", v=WIDE, F=F)


# -- show, plot, analyze --------------------------------------------------------------------------


def test_all_laws_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    records = answer(["show"], capsys)
    assert [r["name"] for r in records] == list(LAWS)
    status, out, _ = run(["friction", "show"], capsys)
    assert status == 0
    assert all(re.search(rf"^  {re.escape(name)} ", out, re.MULTILINE) for name in LAWS)


@pytest.mark.parametrize("name", list(LAWS))
def test_each_law_is_shown_whole(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    record = answer(["show", name], capsys)
    law = LAWS[name]
    assert [p["name"] for p in record["parameters"]] == [q.name for q in law.parameters]
    status, out, _ = run(["friction", "show", name], capsys)
    assert status == 0
    for text in (law.formula, law.source, law.rest, *(q.doc for q in law.parameters)):
        assert text in out


def test_a_law_is_said_in_the_words_of_other_programs(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(["show", "stribeck-set", "--set", "Fc=0.2,Fs=0.3,b=0.01"], capsys)["exchange"]
    assert found["URDF"]["values"] == {"damping": 0.01, "friction": 0.2}
    assert "the fall from 0.3 to 0.2 N m at low speed" in found["URDF"]["lost"]
    assert found["MJCF"]["values"] == {"damping": 0.01, "frictionloss": 0.2}
    assert found["Simscape"]["values"]["Tbrk"] == 0.3
    status, out, _ = run(["friction", "show", "viscous-cubic"], capsys)
    assert status == 0
    assert "URDF: the law viscous-cubic does not tend to a level plus a viscous part" in out
    status, out, _ = run(["friction", "show", "gms:2"], capsys)
    assert (status, "other programs" in out) == (0, False)
    status, _, err = run(["friction", "show", "--set", "Fc=1"], capsys)
    assert (status, "values belong to one law" in err) == (2, True)


def test_a_curve_is_drawn_and_its_fall_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for form in ("png", "svg"):
        path = tmp_path / f"curve.{form}"
        (record,) = answer(["plot", "stribeck", "--plot", str(path)], capsys)
        assert is_picture(path)
        assert record["falling"][0] == pytest.approx([5.0001250078e-5, 0.0249229215759], rel=1e-10)
        assert record["stationary"][1]["F"] == pytest.approx(1.01346455346, rel=1e-11)
    again = tmp_path / "again.svg"
    answer(["plot", "stribeck", "--plot", str(again)], capsys)
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("name", list(LAWS))
def test_every_law_can_be_drawn(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "curve.png"
    answer(["plot", name, "--plot", str(path)], capsys)
    assert is_picture(path)


@pytest.mark.parametrize("name", ["hess-soom", "makkar", "brown-mcphee", "simscape", "table"])
def test_the_fall_of_every_curve_is_marked(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "curve.svg"
    status, out, _ = run(["friction", "plot", name, "--plot", str(path)], capsys)
    assert status == 0
    assert f"{name}: friction falls from " in out
    assert "#fbe6d8" in path.read_text(encoding="utf-8")


def test_laws_are_drawn_over_one_another(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "several.svg"
    names = ["stribeck", "hess-soom", "brown-mcphee"]
    records = answer(["plot", *names, "--set", "Fs=2,vs=0.02", "--plot", str(path)], capsys)
    assert [r["values"]["Fs"] for r in records] == [2.0] * 3
    assert is_picture(path)


def test_closed_forms_of_lugre(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(
        ["analyze", "lugre", "--inertia", "1", "--gains", "Kp=3,Kv=150", "--velocity", "0.02",
         "--cycle=0,1"],
        capsys,
    )  # fmt: skip
    assert found["passivity"]["verdict"] == "refuted"
    assert found["least_viscous"] == pytest.approx(49.75)
    assert found["stick"] == pytest.approx({"frequency": 100.0, "damping_ratio": 0.5})
    assert found["servo"]["least_Kv"] == pytest.approx(100.502513, rel=1e-8)
    assert found["servo"]["strictly_positive_real"] is True
    assert found["lag"]["lags"] is False
    assert found["drift_per_cycle"] == pytest.approx(1.5e-4 * -math.log(1 - 1 / 2.25), rel=1e-12)
    status, out, _ = run(["friction", "analyze", "lugre", "--inertia", "1"], capsys)
    assert status == 0
    assert "refuted: friction is passive" in out
    assert "example values" in out


def test_equilibria_of_a_constant_torque(capsys: pytest.CaptureFixture[str]) -> None:
    values = "Fc=0.2,Fs=0.3,vs=0.05,alpha=1,b=0.01"
    found = answer(["analyze", "stribeck-set", "--set", values, "--torque", "0.25"], capsys)
    assert [e["lower"] for e in found["equilibria"]] == pytest.approx([0, 0.035008677158, 5.0])
    assert [e["stability"] for e in found["equilibria"]] == ["stable", "unstable", "stable"]


@pytest.mark.parametrize("name", list(LAWS))
def test_every_law_can_be_analyzed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(["friction", "analyze", name], capsys)
    assert (status, err) == (0, "")
    assert "Passivity" in out
    assert "proved: " in out or "refuted: " in out
    assert "falls from" in out or "never falls" in out
    found = answer(["analyze", name, "--torque", "1.15"], capsys)
    assert all(e["stability"] in ("stable", "unstable") for e in found["equilibria"])
    assert {"falling", "stationary", "steepest"} <= set(found["curve"])


def test_words_of_an_analysis_fit_the_law(capsys: pytest.CaptureFixture[str]) -> None:
    def lines(*arguments: str) -> str:
        return run(["friction", "analyze", *arguments], capsys)[1]

    out = lines("stribeck", "--torque", "0.25")
    assert "Equilibria under 0.25 N m\n  none\n  at rest this law is 0 and holds nothing" in out
    assert "rest, stable" in lines("stribeck-set", "--torque", "0.25")
    assert "Fs" not in lines("asymmetric", "--set", "offset=2").split("Passivity")[1]
    assert "Fc and b are >= 0" in lines("coulomb-set", "--set", "b=0")
    out = lines("coulomb-set", "--set", "b=0", "--torque", "1")
    assert "every speed from 0 to inf rad/s, marginal" in out
    assert "never falls" not in lines("stribeck-set", "--set", "alpha=0.999,b=200")
    out = lines("asymmetric", "--set", "b_minus=-1")
    assert "Steady curve of backward motion\n  falls from 0 to inf rad/s" in out
    assert "level to rounding above 0.0647" in lines("simscape", "--set", "f=0")


def test_a_curve_is_asked_for_under_load(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(["analyze", "load-stribeck", "--signals", "load=5", "--torque", "2"], capsys)
    assert [e["lower"] for e in found["equilibria"]] == pytest.approx([0, 0.005049033568, 1.4])
    assert found["critical_viscous"] == pytest.approx(0.9 / 0.01 * 2**0.5 * math.exp(-0.5))
    status, _, err = run(["friction", "analyze", "load-stribeck", "--signals", "lod=5"], capsys)
    assert (status, "expected load" in err) == (2, True)


def test_inertia_bias(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bias.png"
    rows = answer(
        ["analyze", "stribeck", "--inertia-bias", "0.05,0.2,1", "--plot", str(path)], capsys
    )
    assert [r["inertia"] for r in rows] == pytest.approx([0.19480, 0.91835, 0.00837], abs=1e-5)
    assert [r["inertia_converged"] for r in rows] == pytest.approx(
        [0.278675, 0.936797, 0.009278], abs=1e-6
    )
    assert is_picture(path)


# -- fit and design -------------------------------------------------------------------------------


def test_fit_of_a_sweep(sweep: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "fit.png"
    found = answer(["fit", sweep, "--fix", "alpha=2", "--plot", str(path)], capsys)
    assert is_picture(path)
    for name, true in {"Fc": 1.0, "Fs": 1.5, "vs": 0.01, "b": 0.5}.items():
        p = found["parameters"][name]
        assert p["standing"] == "identified"
        assert abs(p["value"] - true) < 4 * p["sd"]
        assert p["low"] < p["value"] < p["high"]
    assert found["parameters"]["alpha"]["standing"] == "held fixed"
    assert found["warnings"] == []
    status, out, _ = run(["friction", "fit", sweep, "--fix", "alpha=2"], capsys)
    assert status == 0
    assert re.search(r"Fc +0\.99\d +0\.01 ", out)


def test_a_law_that_misses_the_bend_is_warned_of(
    sweep: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = answer(["fit", sweep, "--law", "coulomb"], capsys)
    assert found["warnings"] == [
        "the residuals follow a pattern: the law misses something of the curve"
    ]


def test_the_chance_of_few_runs_is_that_of_all_arrangements() -> None:
    signs = [1] * 4 + [-1] * 5
    arrangements = list(set(permutations(signs)))
    for most in range(2, 10):
        runs = [1 + sum(a != b for a, b in pairwise(x)) for x in arrangements]
        share = sum(r <= most for r in runs) / len(arrangements)
        assert few_runs(4, 5, most) == pytest.approx(share, rel=1e-12)


def test_noise_alone_is_hardly_ever_called_a_pattern() -> None:
    rng = np.random.default_rng(8)
    warned = 0
    for _ in range(60):
        F = 1.0 * np.sign(WIDE) + 0.5 * WIDE + NOISE * rng.standard_normal(WIDE.size)
        warned += bool(steady_warnings(fit_steady(LAWS["coulomb"], WIDE, F)))
    assert warned <= 1


def test_what_the_points_cannot_tell_has_no_number(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    v = np.array([-0.5, -0.8, -1.2, -1.7, -2.3, -3.0, 0.5, 0.8, 1.2, 1.7, 2.3, 3.0])
    file = write(tmp_path / "points.csv", v=v, F=0.572 * np.sign(v) + 0.522 * v + 0.012)
    found = answer(["fit", file, "--law", "coulomb-smooth", "--offset"], capsys)["parameters"]
    assert found["Fc"]["value"] == pytest.approx(0.572, abs=1e-6)
    assert found["b"]["value"] == pytest.approx(0.522, abs=1e-6)
    assert found["constant"]["value"] == pytest.approx(0.012, abs=1e-6)
    assert found["eps"]["standing"] == "not identifiable"
    assert found["eps"]["value"] is None
    status, out, _ = run(["friction", "fit", file, "--law", "coulomb-smooth", "--offset"], capsys)
    assert status == 0
    assert re.search(r"eps +– +– +< 0\.0\d+ +rad/s +not identifiable", out)


def test_averaging_and_renamed_columns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = write(tmp_path / "raw.csv", speed=WIDE, motor=friction(WIDE) + 3.7)
    words = ["fit", file, "--average", "--columns", "v=speed,F=motor", "--fix", "alpha=2"]
    found = answer(words, capsys)
    assert found["parameters"]["Fs"]["value"] == pytest.approx(1.5, rel=1e-10)
    assert found["even_part"]["mean"] == pytest.approx(3.7)
    assert found["points"] == 25


def test_fit_of_presliding(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    F = np.linspace(0, 1.4, 60)
    file = write(tmp_path / "load.csv", tau=F, q=-1.5e-4 * np.log1p(-F / 1.5))
    path = tmp_path / "load.svg"
    found = answer(["fit", file, "--as", "presliding", "--plot", str(path)], capsys)["parameters"]
    assert found["sigma0"]["value"] == pytest.approx(1e4, rel=1e-9)
    assert found["Fs"]["value"] == pytest.approx(1.5, rel=1e-9)
    assert is_picture(path)


def test_fit_of_a_small_signal(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    t = np.arange(0, 0.3, 1e-3)
    q = 1e-6 * np.exp(-50 * t) * np.cos(math.sqrt(7500) * t)
    file = write(tmp_path / "ring.csv", t=t, tau=np.zeros_like(t), q=q)
    path = tmp_path / "ring.png"
    found = answer(
        ["fit", file, "--as", "small-signal", "--fix", "J=1,Fs=1.5", "--plot", str(path)], capsys
    )
    assert found["natural_frequency"] == pytest.approx(100.0, rel=1e-5)
    assert found["damping_ratio"] == pytest.approx(0.5, rel=1e-5)
    assert found["parameters"]["sigma0"]["value"] == pytest.approx(1e4, rel=1e-5)
    assert 0 < found["stiffness_error"] < 0.01
    assert is_picture(path)


def test_motion_that_is_not_small_is_warned_of(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    from tests.identify.test_bristles import lugre_joint

    t = np.arange(0, 0.4, 1e-3)
    u = 0.3 * np.interp(t, np.arange(0, 0.42, 0.02), np.random.default_rng(0).normal(size=21))
    file = write(tmp_path / "large.csv", t=t, tau=u, q=lugre_joint(t, u))
    words = ["fit", file, "--as", "small-signal", "--fix", "J=1"]
    assert "not small enough" in answer(words, capsys)["warnings"][0]


def test_fits_of_bristles(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    t = np.linspace(0, 10, 600)
    q = 3e-4 * np.sin(t) * np.cos(0.3 * t)
    middle = follower(LUGRE).friction(EXAMPLES["lugre"], t, q)
    F = np.interp(t, 0.5 * (t[1:] + t[:-1]), middle)
    file = write(tmp_path / "motion.csv", t=t, q=q, F=F)
    guess = "Fc=1,Fs=1.5,vs=0.01,alpha=2,sigma0=7000,sigma1=99.5,sigma2=0.5"
    path = tmp_path / "loops.png"
    found = answer(
        ["fit", file, "--as", "motion", "--guess", guess, "--free", "sigma0", "--plot", str(path)],
        capsys,
    )
    assert found["parameters"]["sigma0"]["value"] == pytest.approx(1e4, rel=1e-3)
    assert found["converged"] is True
    assert is_picture(path)


def test_fit_of_a_response(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    from tests.identify.test_bristles import TIMES, TORQUE, lugre_joint

    t, u = TIMES[:300], TORQUE[:300]
    file = write(tmp_path / "slip.csv", t=t, tau=u, q=lugre_joint(t, u))
    guess = "J=1,Fc=1,Fs=1.5,vs=0.01,alpha=2,sigma0=7000,sigma1=50,sigma2=0.5"
    path = tmp_path / "slip.svg"
    words = ["--guess", guess, "--free", "sigma0,sigma1", "--plot", str(path)]
    found = answer(["fit", file, "--as", "response", *words], capsys)["parameters"]
    assert found["sigma0"]["value"] == pytest.approx(1e4, rel=1e-3)
    assert found["sigma1"]["value"] == pytest.approx(99.5, rel=1e-3)
    assert is_picture(path)


def test_design_of_a_sweep(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "design.png"
    words = ["design", "stribeck", "--fixed", "alpha", "--low", "0.002", "--high", "2"]
    found = answer([*words, "--plot", str(path)], capsys)
    assert found["efficiency_at_least"] > 0.998
    assert sum(found["measurements"]) == 50
    assert found["sd"]["vs"] < found["sd_log_spaced"]["vs"]
    assert is_picture(path)
    spread = answer([*words, "--spread", "3"], capsys)
    assert len(spread["speeds"]) > len(found["speeds"])


# -- simulate -------------------------------------------------------------------------------------


def test_presliding(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "p.png"
    found = answer(["simulate", "presliding", "--plot", str(path)], capsys)
    assert found["position"] == pytest.approx(4.468266e-4, rel=1e-6)
    assert found["deflection"] == pytest.approx(1.4236634e-4, rel=1e-6)
    assert is_picture(path)


def test_break_away(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "b.svg"
    found = answer(["simulate", "break-away", "--ramps", "1,10,100", "--plot", str(path)], capsys)
    assert [b["largest_friction"] for b in found] == pytest.approx(
        [1.45004, 1.29822, 1.17273], abs=1e-4
    )
    assert is_picture(path)
    status, out, _ = run(["friction", "simulate", "break-away", "--ramps", "1,10"], capsys)
    assert status == 0
    assert "the definition decides" in out


def test_lag(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "l.png"
    found = answer(["simulate", "lag", "--frequencies", "100", "--plot", str(path)], capsys)
    assert found["loops"][0]["area"] == pytest.approx(-1.10910e-3, rel=1e-4)
    assert is_picture(path)


def test_hunting_is_told_from_a_transient(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "h.png"
    words = ["simulate", "hunting", "--dt", "4e-4", "--plot", str(path)]
    cycle = answer([*words, "--gains", "Kp=3,Kv=6,Ki=4"], capsys)
    assert cycle["is_limit_cycle"] is True
    assert cycle["amplitude"] == pytest.approx(0.067194, rel=1e-3)
    assert cycle["period"] == pytest.approx(23.933, rel=1e-3)
    assert is_picture(path)
    decay = answer([*words, "--gains", "Kp=3,Kv=150,Ki=4"], capsys)
    assert decay["is_limit_cycle"] is False
    assert decay["amplitude"] is None
    assert "no limit cycle" in decay["verdict"]
    assert decay["stable_slides_above_Kv"] == pytest.approx(42.388194, rel=1e-6)


def test_compensation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "c.png"
    found = answer(
        ["simulate", "compensation", "--gains", "Kp=3,Kv=150,k=20", "--wrong", "sigma0",
         "--factors", "1.2", "--plot", str(path)],
        capsys,
    )  # fmt: skip
    assert found["strictly_positive_real"] is True
    exact, wrong = found["cases"]
    assert exact["largest_error"] < 1e-9
    assert wrong["is_limit_cycle"] is True
    assert is_picture(path)


def test_stick_slip(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "s.png"
    found = answer(["simulate", "stick-slip", "--span", "8", "--plot", str(path)], capsys)
    assert found["sticks"] is True
    assert found["period"] == pytest.approx(found["stick"] + found["slip"])
    assert is_picture(path)


# -- identify -------------------------------------------------------------------------------------


def test_a_robot_is_identified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    robot = load_robot("planar2r")
    q, qd, qdd = excitation(robot.n, 1500)
    tau = torques(robot, q, qd, qdd) + coulomb(qd)
    columns = {"t": 10 * np.arange(1500) / 1500}
    for name, table in (("q", q), ("qd", qd), ("qdd", qdd), ("tau", tau)):
        columns |= {f"{name}[{j}]": x for j, x in zip(robot.coordinates, table.T, strict=True)}
    file = write(tmp_path / "motion.csv", **columns)
    path = tmp_path / "joints.png"
    status, out, err = run(["identify", "planar2r", file, "--plot", str(path), "--json"], capsys)
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert found["friction"]["Fc@joint2"]["value"] == pytest.approx(0.7, abs=1e-9)
    assert found["grouping"]["h1@link1"] == "h1@link1 + m@link2"
    assert found["rank"] == 6 + 6
    assert is_picture(path)
    # from positions alone
    status, out, err = run(["identify", "planar2r", file, "--cutoff", "15", "--json"], capsys)
    assert (status, err) == (0, "")
    again = json.loads(out)["base_parameters"]["I33@link2"]["value"]
    assert again == pytest.approx(found["base_parameters"]["I33@link2"]["value"], rel=1e-3)
    status, out, _ = run(["identify", "planar2r", file], capsys)
    assert status == 0
    assert "I33@link1 = I33@link1 + m@link2" in out


_MOTION = ",".join(f"{x}[joint{k}]" for x in ("q", "qd", "qdd", "tau") for k in (1, 2)) + "\n"
_MOTION += ",".join("0" * 8) + "\n"


Truth = Sequence[tuple[str, dict[str, float]]]


def joint_record(tmp_path: Path, friction: Truth, still: int | None = None) -> str:
    """A record of the planar arm with a friction of its own in each joint."""
    robot = load_robot("planar2r")
    q, qd, qdd = excitation(robot.n, 400)
    for table, value in ((q, 0.3), (qd, 0.0), (qdd, 0.0)):
        if still is not None:
            table[:, still] = value
    tau = torques(robot, q, qd, qdd)
    for k, law in enumerate(friction):
        tau[:, k] += [LAWS[law[0]].steady(FLOAT64, float(v), [], {}, law[1]) for v in qd[:, k]]
    columns: dict[str, np.ndarray] = {}
    for name, table in (("q", q), ("qd", qd), ("qdd", qdd), ("tau", tau)):
        columns |= {f"{name}[{j}]": x for j, x in zip(robot.coordinates, table.T, strict=True)}
    return write(tmp_path / "motion.csv", **columns)


def test_each_joint_has_its_own_law(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bend = {"Fc": 1.0, "Fs": 1.6, "vs": 0.2, "alpha": 2.0, "b": 0.4}
    truth = [("stribeck", bend), ("viscous", {"b": 0.3})]
    file = joint_record(tmp_path, truth)
    command = ["identify", "planar2r", file, "--no-offset", "--fix", "alpha@joint1=2"]
    laws = ["--law", "joint1=stribeck", "--law", "viscous"]
    path = tmp_path / "joints.png"
    found = answer_of([*command, *laws, "--plot", str(path)], capsys)
    assert is_picture(path)
    first, second = (found["joints"][name] for name in ("joint1", "joint2"))
    assert (first["law"], second["law"]) == ("stribeck", "viscous")
    assert (first["verdict"], first["not_identifiable"]) == ("identified", [])
    for name, value in bend.items():
        assert first["parameters"][name]["value"] == pytest.approx(value, abs=1e-6)
    assert list(second["parameters"]) == ["b"]
    assert second["parameters"]["b"]["value"] == pytest.approx(0.3, abs=1e-8)
    assert first["noise"] < 1e-6
    status, out, _ = run([*command, "--law", "joint1=stribeck,viscous"], capsys)
    assert status == 0
    assert "joint1: stribeck, identified" in out


def test_a_joint_may_have_no_friction_or_never_move(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = joint_record(tmp_path, [("viscous", {"b": 0.0}), ("viscous", {"b": 0.3})], still=1)
    found = answer_of(
        ["identify", "planar2r", file, "--law", "joint1=none", "--law", "joint2=coulomb"], capsys
    )["joints"]
    assert found["joint1"]["verdict"] == "no friction fitted"
    assert found["joint1"]["law"] is None
    assert found["joint2"]["verdict"] == "not identifiable"
    assert found["joint2"]["not_identifiable"] == ["Fc", "b"]
    status, out, _ = run(["identify", "planar2r", file, "--law", "none"], capsys)
    assert status == 0
    assert out.startswith("planar2r: 6 base parameters from 400 instants\n")
    assert "Friction\n  joint1: no friction fitted\n" in out


_ARM = """\
[robot]
name = "arm"
gravity = [0, 0, -9.81]
[[link]]
name = "base"
[[link]]
name = "upper"
mass = 3
com = [0.2, 0, 0]
inertia_com = {{ xx = 0.01, yy = 0.04, zz = 0.04 }}
[[link]]
name = "lower"
mass = 1.5
com = [0.15, 0, 0]
inertia_com = {{ xx = 0.005, yy = 0.02, zz = 0.02 }}
[[joint]]
name = "joint1"
type = "revolute"
parent = "base"
child = "upper"
axis = [0, 1, 0]
{0}
[[joint]]
name = "joint2"
type = "revolute"
parent = "upper"
child = "lower"
axis = [0, 1, 0]
xyz = [0.4, 0, 0]
damping = 0.2
"""


def test_laws_of_the_robot_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = joint_record(tmp_path, [("coulomb", {"Fc": 1.0, "b": 0.4}), ("viscous", {"b": 0.3})])
    arm = tmp_path / "arm.toml"
    command = ["identify", str(arm), file, "--no-offset", "--law", "file"]
    arm.write_text(_ARM.format('friction = { law = "hess-soom", Fc = 1, Fs = 2, vs = 0.1, b = 0 }'))
    found = answer_of(command, capsys)["joints"]
    assert {name: x["law"] for name, x in found.items()} == {
        "joint1": "hess-soom",
        "joint2": "viscous",
    }
    arm.write_text(_ARM.format("friction = 0.5"))
    found = answer_of([*command, "--law", "joint2=none"], capsys)["joints"]
    assert {name: x["law"] for name, x in found.items()} == {"joint1": "coulomb", "joint2": None}


# -- faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "given", "message"),
    [
        (["friction"], "", "COMMAND"),
        (["friction", "show", "lugger"], "", "no such friction law"),
        (["friction", "plot", "stribeck"], "", "--plot"),
        (["friction", "plot", "stribeck", "--plot", "x.pdf"], "", ".png or .svg"),
        (["friction", "plot", "stribeck", "--set", "Fc", "--plot", "x.png"], "", "no NAME=NUMBER"),
        (["friction", "plot", "stribeck", "--set", "Fc=nan", "--plot", "x.png"], "", "NAME=NUMBER"),
        (["friction", "plot", "stribeck", "--set", "F=1", "--plot", "x.png"], "", "no law .* 'F'"),
        (["friction", "plot", "stribeck", "--set", "vs=0", "--plot", "x.png"], "", "vs > 0"),
        (["friction", "plot", "stribeck", "--low", "9", "--plot", "x.png"], "", "range of speeds"),
        (["friction", "fit", "no.csv"], "", r"no\.csv: there is no such file"),
        (["friction", "fit", "-"], "", "table is empty"),
        (["friction", "fit", "-"], "v,F\n0.1,nan\n", "standard input:2"),
        (["friction", "fit", "-"], "a,b\n1,2\n", "no column"),
        (["friction", "fit", "-"], "v,F\n0.1,1\n0.1,1\n", "one speed only"),
        (["friction", "fit", "-"], "v,F\n0.0,1\n0.1,1\n", "speed is zero"),
        (["friction", "fit", "-"], "v,F\n0.1,1\n0.2,1\n", "fewer points"),
        (["friction", "fit", "-", "--law", "lugre"], "v,F\n0.1,1\n0.2,1\n", "has states"),
        (["friction", "fit", "-", "--average"], "v,F\n0.1,1\n0.2,1\n", "both directions"),
        (["friction", "fit", "-", "--confidence", "95"], "v,F\n0.1,1\n", "--confidence"),
        (["friction", "fit", "-", "--noise", "0"], "v,F\n0.1,1\n", "--noise"),
        (["friction", "fit", "-", "--noise", "nan"], "v,F\n0.1,1\n", "--noise"),
        (["friction", "fit", "-", "--columns", "v"], "v,F\n0.1,1\n", "no ROLE=NAME"),
        (["friction", "fit", "-", "--as", "motion"], "t,q,F\n0,1,2\n", "--guess"),
        (["friction", "fit", "-", "--as", "presliding", "--fix", "J=1"], "tau,q\n0,1\n", "no 'J'"),
        (
            ["friction", "fit", "-", "--as", "small-signal"],
            "t,tau,q\n1,0,0\n0,0,0\n",
            "t is not increasing",
        ),
        (["friction", "design", "stribeck", "--low", "2", "--high", "1"], "", "range of speeds"),
        (["friction", "simulate", "walking"], "", "invalid choice"),
        (["friction", "simulate", "hunting"], "", "wrong set of gains"),
        (["friction", "simulate", "lag", "--frequencies", "a"], "", "list of finite numbers"),
        (["friction", "simulate", "hunting", "--law", "dahl"], "", "study of LuGre"),
        (["friction", "simulate", "presliding", "--inertia", "0"], "", "not positive"),
        (["friction", "analyze", "dahl", "--inertia", "1"], "", "question to the law lugre"),
        (["friction", "analyze", "lugre", "--cycle=1"], "", "no two torques"),
        (["friction", "analyze", "lugre", "--gains", "Kp=1,Kv=1"], "", "need an inertia"),
        (["identify", "planar2r", "-"], "q\n1\n", r"no column .*q\[joint1\]"),
        (["identify", "planar2r", "-", "--law", "lugre"], "", "fit one without"),
        (["identify", "planar2r", "-"], "", "table is empty"),
        (["identify", "planar2r", "-", "--law", "joint1=lugre"], _MOTION, "lugre of joint1 has"),
        (["identify", "planar2r", "-", "--law", "joint3=coulomb"], _MOTION, "no coordinate"),
        (["identify", "planar2r", "-", "--law", "coulomb,viscous"], _MOTION, "two laws for all"),
        (["identify", "planar2r", "-", "--law", "joint1=viscous,joint1=none"], _MOTION, "two laws"),
        (["identify", "planar2r", "-", "--fix", "vs=1"], _MOTION, "no joint has .* 'vs'"),
        (["identify", "planar2r", "-", "--fix", "b@joint3=1"], _MOTION, "no joint has"),
        (["identify", "planar2r", "-", "--law", "joint1=x"], _MOTION, "no such friction law"),
    ],
)
def test_every_fault_is_one_line_and_status_2(
    arguments: list[str],
    given: str,
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = run(arguments, capsys, monkeypatch, given)
    assert (status, out) == (2, "")
    assert err.startswith("symdyn: error: ")
    assert err.count("\n") == 1
    assert re.search(message, err), err
    assert not list(tmp_path.iterdir())
