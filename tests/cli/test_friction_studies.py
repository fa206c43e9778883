"""``symdyn friction simulate``: boundaries, load and heat, steps and requests without end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_friction import answer, is_picture, run

HUNTING = ["simulate", "hunting"]
COMPENSATION = ["simulate", "compensation", "--gains", "Kp=3,Kv=150,k=20"]


def test_the_boundary_of_hunting(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "map.png"
    words = [*HUNTING, "--boundary", "--integral", "4,16", "--plot", str(path)]
    found = answer(words, capsys)
    assert [(p["Kp"], p["Ki"]) for p in found["boundary"]] == [(3, 4), (3, 16)]
    assert [p["Kv"] for p in found["boundary"]] == pytest.approx([36.307, 42.574], rel=2e-3)
    assert found["stable_slides_above_Kv"] == pytest.approx(42.388194, rel=1e-6)
    assert found["warnings"] == []
    assert is_picture(path)


def test_the_boundary_in_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "map.svg"
    words = ["friction", *HUNTING, "--boundary", "--integral", "16", "--progress"]
    status, out, err = run([*words, "--plot", str(path)], capsys)
    assert status == 0
    assert "16           42.57" in out
    assert "symdyn: searching the boundary of hunting" in err
    assert is_picture(path)
    status, out, _ = run([*words, "--integral", "1", "--set", "Fs=1", "--plot", str(path)], capsys)
    assert status == 0
    assert "none" in out
    assert "the steady curve does not fall" in out
    assert is_picture(path)


def test_bounds_of_the_observer(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "bounds.png"
    words = ["simulate", "compensation", "--boundary", "--gains", "Kp=3,k=20"]
    words += ["--wrong", "sigma0", "--velocity", "60,150", "--plot", str(path)]
    weak, strong = answer(words, capsys)["bounds"]
    assert weak["converges_when_exact"] is False
    assert weak["above"] is None
    assert strong["converges_when_exact"] is True
    assert strong["below"] == 0.0
    assert strong["above"] == pytest.approx(1.058, rel=0.02)
    assert strong["stable_at_rest_above"] == pytest.approx(1.0582, rel=1e-4)
    assert is_picture(path)
    _, out, _ = run(["friction", *words], capsys)
    assert "never" in out
    assert "< 0.1" in out


def test_load_and_heat_reach_the_joint_and_not_the_observer(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = [*COMPENSATION, "--loads", "5", "--temperatures=-20", "--swing", "0.1,5"]
    found = answer(words, capsys)
    exact, heavy, cold = found["tracking"]
    assert (heavy["observer"], cold["observer"]) == ("load 5 N m", "20 K colder")
    assert exact["verdict"] == "converges to zero"
    # half the Coulomb level more is half the error of half the level less
    assert heavy["largest_error"] == pytest.approx(1.1e-3, rel=0.1)
    assert cold["largest_error"] == pytest.approx(4.3e-4, rel=0.05)
    assert cold["verdict"] == "repeats each period"
    none = answer([*words, "--growth", "FcL=0,FsL=0,FsT=0,vsT=0,FvT=0"], capsys)
    assert [t["verdict"] for t in none["tracking"]] == ["converges to zero"] * 3
    assert found["cases"][0]["largest_error"] == found["rounding"] == 1e-16
    status, out, _ = run(["friction", *words], capsys)
    assert status == 0
    assert "< 1e-16" in out
    assert "example growth: FcL = 0.1, FsL = 0.2, FsT = 0.002" in out


def test_steps_that_are_too_large_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*HUNTING, "--gains", "Kp=3,Kv=6,Ki=4", "--dt"]
    (warning,) = answer([*words, "1e-3"], capsys)["warnings"]
    assert warning.startswith("step 0.001 s of rk4 is unstable: the limit is 0.00044143 s at q =")
    _, out, _ = run(["friction", *words, "1e-3"], capsys)
    assert "\nwarning: step 0.001 s of rk4 is unstable: the limit is 0.00044143 s" in out
    assert answer([*words, "4e-4"], capsys)["warnings"] == []
    status, _, err = run(["friction", *words, "2e-3"], capsys)
    assert status == 2
    assert "got a step of 0.002 s. The largest stable step is 0.00199" in err


def test_servos_that_do_not_hunt_for_other_reasons(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "grow.png"
    status, out, _ = run(
        ["friction", *HUNTING, "--gains", "Kp=3,Kv=6,Ki=0", "--span", "60"], capsys
    )
    assert status == 0
    assert "the motion came to rest\n-0.3695" in out
    status, out, _ = run(
        ["friction", *HUNTING, "--gains", "Kp=-3,Kv=6,Ki=4", "--plot", str(path)], capsys
    )
    assert status == 0
    assert "grew beyond it\nthe loop is unstable without dry friction" in out
    assert is_picture(path)


def test_a_body_that_does_not_move(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(["simulate", "stick-slip", "--stiffness", "1e-3"], capsys)
    assert found["sticks"] is False
    assert found["verdict"] == "does not move"
    assert found["stick"] is None
    _, out, _ = run(["friction", "simulate", "stick-slip", "--stiffness", "1e-3"], capsys)
    assert "the body does not move\nthe spring reaches break-away after 1.5e+05 s" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["break-away", "--ramps", "1e-9"], "takes too many steps"),
        (["presliding", "--ramp", "1e-9"], "takes too many steps"),
        (["lag", "--frequencies", "1e-9"], "too many"),
        (["hunting", "--gains", "Kp=3,Kv=6,Ki=4", "--dt", "1e-12"], "too many steps"),
        (["stick-slip", "--stiffness", "1e9"], "too stiff for slips to be told from sliding"),
        (["stick-slip", "--stiffness", "0"], "stiffness has to be positive"),
        (["stick-slip", "--pull", "0"], "pull has to be positive"),
        (["stick-slip", "--damping", "1e9"], "too stiff to be followed"),
        (["stick-slip", "--stiffness", "1e12", "--span", "30"], "too stiff to be followed"),
        (["lag", "--boundary"], "lag has no boundary"),
        (["hunting", "--boundary", "--gains", "Kp=3"], "searched over the gains"),
        (["hunting", "--boundary", "--integral", "0"], "Ki has to be positive"),
        (["compensation", "--boundary", "--gains", "Kp=3,Kv=6,k=20"], "wrong set of gains"),
        (["compensation", "--boundary", "--gains", "Kp=3,k=20", "--wrong", "x"], "no parameter"),
        ([*COMPENSATION[1:], "--wrong", "x"], "no parameter"),
        ([*COMPENSATION[1:], "--growth", "FcL=1"], "nothing grows by"),
        ([*COMPENSATION[1:], "--swing", "1"], "no amplitude and frequency"),
        ([*COMPENSATION[1:], "--swing", "0,1"], "a target that swings"),
    ],
)
def test_requests_without_sense_or_end(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    status, out, err = run(["friction", "simulate", *words], capsys)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
