from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from symdyn._errors import InputError, VerificationError
from symdyn.codegen.generate import generate
from symdyn.codegen.spec import FunctionSpec
from symdyn.crosscheck.record import CrossCheckRecord, require_agreement
from symdyn.crosscheck.run import ROADS, crosscheck
from symdyn.io.load import load_robot
from symdyn.model.robot import JointKind, Robot
from symdyn.recipes import Derivation, Inertial, derive
from symdyn.unit import build_unit
from tests.oracles import need_program
from tests.robots import random_robot

OURS = tuple(road for road in ROADS if road.name not in ("pinocchio", "mujoco"))
NAMES = ("inverse_dynamics", "mass_matrix", "coriolis_matrix", "gravity_vector")
Texts = Mapping[str, Mapping[str, str]]


def _write(directory: Path, texts: Texts) -> None:
    for target, files in texts.items():
        (directory / target).mkdir()
        for name, text in files.items():
            (directory / target / name).write_text(text)


def _check(
    robot: Robot, derivation: Derivation, directory: Path, texts: Texts | None = None
) -> CrossCheckRecord:
    unit = build_unit(robot, derivation)
    if texts is None:
        texts = {target: generate(unit, target) for target in ("numpy", "c")}
    if not any(directory.iterdir()):
        _write(directory, texts)
    return crosscheck(robot, derivation, unit, directory, generated=texts, roads=OURS, states=6)


@pytest.mark.parametrize("inertial", ["symbolic", "numeric", "base"])
def test_every_road_agrees_on_a_tree_with_all_joint_kinds(
    inertial: Inertial, tmp_path: Path
) -> None:
    need_program("cc")
    robot = random_robot(7, 4, mimic=True)
    assert {JointKind.HELICAL, JointKind.PRISMATIC} <= {joint.kind for joint in robot.joints}
    functions = None if inertial == "symbolic" else (*NAMES, "forward_dynamics", "kinetic_energy")
    if functions is not None and inertial == "base":
        functions = (*functions, "base_parameters")
    record = _check(robot, derive(robot, functions, inertial), tmp_path)
    require_agreement(record)
    for comparison in record.comparisons:
        if not comparison.function.startswith("friction_"):
            assert comparison.verdict == "agrees", comparison
            assert comparison.share < 1
    c = record.of("inverse_dynamics", "c")
    assert c is not None
    assert 0 < c.error_ulps < 100


def test_recursion_in_many_digits_gives_the_graph_to_thirty(tmp_path: Path) -> None:
    robot = load_robot("puma560")
    record = _check(robot, derive(robot, NAMES), tmp_path, {})
    for name in NAMES:
        comparison = record.of(name, "recursion in 50 digits")
        assert comparison is not None
        assert comparison.verdict == "agrees"
        assert comparison.error_relative < 1e-28


@pytest.mark.parametrize("inertial", ["symbolic", "numeric", "base"])
def test_declared_parameters_vary_too(inertial: Inertial, tmp_path: Path) -> None:
    robot = load_robot("planar2r")
    parameters = tuple(replace(p, is_argument=p.name != "g") for p in robot.parameters)
    robot = replace(robot, parameters=parameters)
    derivation = derive(robot, (*NAMES, "potential_energy", "forward_kinematics"), inertial)
    unit = build_unit(robot, derivation)
    texts = {"numpy": generate(unit, "numpy")}
    _write(tmp_path, texts)
    record = crosscheck(robot, derivation, unit, tmp_path, generated=texts, states=6)
    require_agreement(record)
    assert record.states["other parameters"] == 2
    for road in ("numpy", "recursion"):
        comparison = record.of("forward_kinematics", road)
        assert comparison is not None
        assert comparison.states == sum(record.states.values())
    pinocchio = record.of("mass_matrix", "pinocchio")
    assert pinocchio is not None
    if pinocchio.verdict != "missing":
        assert "2 states with other declared parameters left out" in pinocchio.reason


def _planted(spec: FunctionSpec, entry: int) -> FunctionSpec:
    """The same function with the sign of one entry turned."""
    entries = list(spec.result.entries)
    entries[entry] = spec.graph.neg(entries[entry])
    return replace(spec, result=replace(spec.result, entries=tuple(entries)))


@pytest.mark.parametrize("name", NAMES)
def test_planted_sign_is_found_by_the_recursion(name: str, tmp_path: Path) -> None:
    robot = random_robot(5, 3, kinds=(JointKind.REVOLUTE,))
    derivation = derive(robot, NAMES)
    specs = derivation.specs | {name: _planted(derivation.specs[name], 0)}
    record = _check(robot, replace(derivation, specs=specs), tmp_path)
    wrong = {(c.function, c.road) for c in record.faults}
    assert wrong == {(name, "recursion"), (name, "recursion in 50 digits")}
    with pytest.raises(VerificationError, match=f"{name} on road 'recursion' is off by"):
        require_agreement(record)


def test_relative_error_of_1e_minus_13_is_found(tmp_path: Path) -> None:
    # far below a tolerance of the usual kind, far above rounding
    robot = load_robot("planar2r")
    derivation = derive(robot, ["gravity_vector"])
    ((name, text),) = generate(build_unit(robot, derivation), "numpy").items()
    wrapper = (
        "\n\n_right = gravity_vector\n\n\n"
        "def gravity_vector(q, theta):\n    return _right(q, theta) * (1 + 1e-13)\n"
    )
    record = _check(robot, derivation, tmp_path, {"numpy": {name: text + wrapper}})
    for road in ("numpy", "numpy batch"):
        comparison = record.of("gravity_vector", road)
        assert comparison is not None
        assert comparison.verdict == "differs"


def test_touched_file_is_not_run(tmp_path: Path) -> None:
    robot = load_robot("planar2r")
    derivation = derive(robot, NAMES)
    unit = build_unit(robot, derivation)
    texts = {target: generate(unit, target) for target in ("numpy", "c")}
    _write(tmp_path, texts)
    for path in tmp_path.rglob("*.*"):
        path.write_text(path.read_text() + "\n")
    record = _check(robot, derivation, tmp_path, texts)
    for road in ("numpy", "numpy batch", "c", "c batch"):
        comparison = record.of("mass_matrix", road)
        assert comparison is not None
        assert comparison.verdict == "failed"
        assert "does not hold what was generated" in comparison.reason
    assert not record.passed


def test_texts_are_generated_again_if_not_given(tmp_path: Path) -> None:
    robot = load_robot("planar2r")
    derivation = derive(robot, NAMES)
    unit = build_unit(robot, derivation)
    _write(tmp_path, {"numpy": generate(unit, "numpy")})
    record = crosscheck(robot, derivation, unit, tmp_path, roads=OURS, states=3)
    numpy, c = record.of("mass_matrix", "numpy"), record.of("mass_matrix", "c")
    assert numpy is not None
    assert c is not None
    assert (numpy.verdict, c.verdict) == ("agrees", "missing")
    assert c.reason == "no c code was generated"


def test_missing_compiler_is_written_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    robot = load_robot("planar2r")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.delenv("CC", raising=False)
    record = _check(robot, derive(robot, NAMES), tmp_path)
    comparison = record.of("mass_matrix", "c")
    assert comparison is not None
    assert comparison.verdict == "missing"
    assert "no C compiler was found" in comparison.reason


def test_record_does_not_depend_on_the_run(tmp_path: Path) -> None:
    robot = random_robot(3, 3)
    derivation = derive(robot, NAMES)
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first = _check(robot, derivation, tmp_path / "a")
    assert first == _check(robot, derivation, tmp_path / "b")


def test_no_road_is_refused(tmp_path: Path) -> None:
    robot = load_robot("planar2r")
    derivation = derive(robot, NAMES)
    with pytest.raises(InputError, match="no road"):
        crosscheck(robot, derivation, build_unit(robot, derivation), tmp_path, roads=())
