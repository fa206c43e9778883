"""The energy balance of a robot with friction, proved, and what it says of each joint."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from symdyn import derive, derive_robot, load_robot
from symdyn.algebra.term import ZERO, number
from symdyn.analysis.joint_passivity import driving_friction, joint_passivity
from symdyn.cli.main import main
from symdyn.codegen.spec import FunctionSpec
from symdyn.dynamics import joint_friction as module
from symdyn.expr.copy import copy_into
from symdyn.expr.derive import forward_along
from symdyn.expr.graph import Graph
from symdyn.expr.identity import equal
from symdyn.expr.verdict import VerdictKind
from symdyn.friction.catalog import law_named
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import FrictionLaw
from symdyn.identities import LAWS_OF_FRICTION, check_robot
from symdyn.joint_friction import with_friction
from symdyn.model.robot import JointLaw, Robot
from symdyn.recipes import WITH_FRICTION
from tests.robots import random_robot

NEEDED = {name for law in LAWS_OF_FRICTION for name in law.needs} | set(WITH_FRICTION.values())
CLAIMS = {law.name: law.claim for law in LAWS_OF_FRICTION}


def with_law(robot: Robot, name: str, **change: float) -> Robot:
    values = {**EXAMPLES[name], **change}
    law = JointLaw(name, tuple(number(str(value)) for value in values.values()))
    joints = (replace(j, law=law, damping=ZERO, friction=ZERO) for j in robot.joints)
    return replace(robot, joints=tuple(joints))


def outcomes(robot: Robot, specs: Mapping[str, FunctionSpec]) -> dict[str, VerdictKind]:
    """Of the laws of friction, by their names."""
    found = {v.claim: v.kind for v in check_robot(robot, specs)}
    return {name: found[claim] for name, claim in CLAIMS.items() if claim in found}


def turned(spec: FunctionSpec) -> FunctionSpec:
    """The function with its sign turned."""
    graph = Graph()
    entries = copy_into(spec.graph, spec.result.entries, graph)
    names = spec.graph.payload
    arguments = tuple(
        replace(a, symbols=tuple(graph.symbol(str(names[s])).id for s in a.symbols))
        for a in spec.arguments
    )
    result = replace(spec.result, entries=tuple(graph.neg(i) for i in entries))
    return replace(spec, graph=graph, arguments=arguments, result=result)


@pytest.mark.parametrize("name", ["coulomb", "viscous", "stribeck", "lugre", "ripple"])
def test_the_energy_falls_by_what_friction_takes(name: str) -> None:
    """Exact, for all states and all inertial and friction parameters; forwards, where M is divided
    by, at random points of finite fields."""
    robot = with_law(load_robot("planar2r"), name)
    found = outcomes(robot, derive(robot, NEEDED).specs)
    assert set(found) == set(CLAIMS)
    assert found["power_with_friction"] is VerdictKind.PROVED
    assert found["friction_power"] is VerdictKind.PROVED
    assert set(found.values()) == {VerdictKind.PROVED, VerdictKind.PROBABILISTIC}


#: Functions that are given the wrong friction, and the laws that see it.
SEEN_BY = {
    "inverse_dynamics_with_friction": {
        "inverse_dynamics_with_friction", "round_trip_with_friction", "power_with_friction",
    },
    "forward_dynamics_with_friction": {"round_trip_with_friction", "energy_balance"},
    "generalized_inverse_dynamics_with_friction": {
        "generalized_inverse_dynamics_with_friction", "generalized_round_trip_with_friction",
    },
    "generalized_forward_dynamics_with_friction": {"generalized_round_trip_with_friction"},
}  # fmt: skip


@pytest.mark.parametrize("name", SEEN_BY)
@pytest.mark.parametrize("law", ["coulomb", "lugre"])
def test_friction_on_the_wrong_side_is_refuted(name: str, law: str) -> None:
    robot = with_law(load_robot("planar2r"), law)
    specs = derive(robot, NEEDED).specs
    base = specs[WITH_FRICTION[name]]
    wrong = with_friction(name, base, turned(specs["friction_torque"]))
    found = outcomes(robot, {**specs, name: wrong})
    assert {k for k, v in found.items() if v is VerdictKind.REFUTED} == SEEN_BY[name]


@pytest.mark.parametrize("robot", ["planar2r", "mimic"])
def test_a_friction_torque_that_is_not_that_of_the_laws_is_refuted(robot: str) -> None:
    """Also where all functions agree on it: the power is that of the joints' laws."""
    plain = random_robot(3, 6, mimic=True) if robot == "mimic" else load_robot(robot)
    x = with_law(plain, "coulomb")
    specs = derive(x, NEEDED).specs
    wrong = {"friction_torque": turned(specs["friction_torque"])}
    for name in SEEN_BY:
        base = specs[WITH_FRICTION[name]]
        wrong[name] = with_friction(name, base, wrong["friction_torque"])
    found = outcomes(x, {**specs, **wrong})
    assert {k for k, v in found.items() if v is VerdictKind.REFUTED} == {"friction_power"}


@pytest.mark.parametrize("name", ["coulomb", "viscous", "stribeck", "lugre", "dahl", "hess-soom"])
def test_a_law_with_the_wrong_sign_is_refuted(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Derived from such a law everything agrees with everything; but its friction drives."""
    law = law_named(name)

    def negative(A, v, x, u, p):  # type: ignore[no-untyped-def]  # a law is generic in its numbers
        return -law.force(A, v, x, u, p)

    def steady(A, v, x, u, p):  # type: ignore[no-untyped-def]  # likewise
        return -law.steady(A, v, x, u, p)

    def patched(_: str) -> FrictionLaw:
        return replace(law, force=negative, steady=steady)

    robot = with_law(load_robot("planar2r"), name)
    if name != "lugre":
        assert all(x.verdict.kind is not VerdictKind.REFUTED for x in joint_passivity(robot))
    monkeypatch.setattr(module, "law_named", patched)
    for found in joint_passivity(robot):
        assert found.verdict.kind is VerdictKind.REFUTED
        witness = found.verdict.witness
        assert witness is not None
        assert float(str(witness["v"])) * float(str(witness["force"])) < 0


def test_each_joint_has_its_verdict() -> None:
    robot = load_robot("feeder")
    found = {x.joint: x for x in joint_passivity(robot)}
    assert [found[name].law for name in ("turn", "lift")] == ["stribeck", "lugre"]
    assert found["turn"].verdict.kind is VerdictKind.PROVED
    assert found["lift"].verdict.kind is VerdictKind.REFUTED
    others = [x for name, x in found.items() if name not in ("turn", "lift")]
    assert [x.law for x in others] == [""]
    assert others[0].verdict.kind is VerdictKind.PROVED
    assert joint_passivity(load_robot("planar2r")) == ()
    (said,) = driving_friction(joint_passivity(robot))
    assert said.startswith("friction of joint lift, lugre, can drive it: sigma2 = 0.5")


@pytest.mark.parametrize(
    ("law", "change", "kind"),
    [
        ("lugre", {"sigma2": 49.75}, VerdictKind.PROVED),
        ("lugre", {"sigma2": 49.7}, VerdictKind.REFUTED),
        ("stribeck", {"Fc": -0.005, "b": 0.5}, VerdictKind.PROVED),
        ("stribeck", {"Fc": -3.0}, VerdictKind.REFUTED),
        ("viscous-cubic", {"b3": -0.1}, VerdictKind.REFUTED),
        ("dahl", {}, VerdictKind.PROVED),
        ("load-stribeck", {}, VerdictKind.PROVED),
    ],
)
def test_verdicts_of_the_numbers_of_a_file(
    law: str, change: dict[str, float], kind: VerdictKind
) -> None:
    found = joint_passivity(with_law(load_robot("planar2r"), law, **change))
    assert [x.verdict.kind for x in found] == [kind, kind]


def test_friction_that_drives_its_joint_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By show, in report and record, and with a simulated motion; nowhere for passive friction."""
    out = tmp_path / "out"
    said = "sigma2 = 0.5 < sigma1 (Fs - Fc)/Fc = 49.75"
    assert main(["show", "feeder"]) == 0
    assert f"- friction of joint lift, lugre, can drive it: {said}" in capsys.readouterr().out
    assert main(["show", "feeder", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)["friction"]
    assert [(x["joint"], x["law"], x["kind"]) for x in shown] == [
        ("turn", "stribeck", "proved"), ("lift", "lugre", "refuted"), ("reach", None, "proved"),
    ]  # fmt: skip
    derive_robot(
        "feeder", out, functions=["friction_torque", "friction_bounds"], figures=False,
        identities=False, crosscheck=False,
    )  # fmt: skip
    report = " ".join((out / "report.md").read_text(encoding="utf-8").replace("\\", "").split())
    assert f"**Not passive**: friction of joint lift, lugre, can drive it: {said}" in report
    assert "## Energy that friction takes" in report
    assert "| `reach` | `coefficients` | proved |" in report
    assert json.loads((out / "record.json").read_text())["robot"]["friction"] == shown
    assert main(["simulate", "feeder", "--time", "0.01", "--friction", "dynamic"]) == 0
    assert f"note: Friction lugre can drive joint 'lift': {said}." in capsys.readouterr().out
    assert main(["show", "puma560"]) == 0
    assert "does not only take energy" not in capsys.readouterr().out


def test_the_rate_of_the_mass_matrix_less_twice_coriolis_is_skew() -> None:
    graph = Graph()
    specs = derive(load_robot("planar2r"), ["mass_matrix", "coriolis_matrix"]).specs
    M, C = (
        copy_into(specs[name].graph, specs[name].result.entries, graph)
        for name in ("mass_matrix", "coriolis_matrix")
    )
    q, qd = ([graph.symbol(f"{s}[{i}]").id for i in range(2)] for s in ("q", "qd"))
    rate = forward_along(graph, M, dict(zip(q, qd, strict=True)))
    two = graph.const_id(2)
    skew = [graph.sub(m, graph.mul(two, c)) for m, c in zip(rate, C, strict=True)]
    flipped = [graph.neg(skew[2 * j + i]) for i in range(2) for j in range(2)]
    assert equal(graph, skew, flipped).kind is VerdictKind.PROVED
