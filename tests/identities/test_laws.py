"""The laws hold on every kind of robot, and one wrong sign anywhere breaks one of them visibly."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import number
from symdyn.codegen.spec import FunctionSpec, Result
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph
from symdyn.expr.verdict import Verdict, VerdictKind
from symdyn.identities import (
    LAGRANGE,
    LAWS,
    LAWS_OF_FRICTION,
    check,
    check_robot,
    lagrange,
    laws_for,
)
from symdyn.io.load import load_robot
from symdyn.model.robot import Parameter, Robot
from symdyn.recipes import FUNCTIONS, OF_CHANGING_MASS, WITH_FRICTION, Inertial, derive
from tests.robots import random_robot

PANDA = load_robot("panda")
SMALL, MIMIC = random_robot(0, 3), random_robot(3, 6, mimic=True)
SPECS = {
    robot.name: derive(robot, [*FUNCTIONS, *OF_CHANGING_MASS, *WITH_FRICTION]).specs
    for robot in (PANDA, SMALL, MIMIC)
}
ALL_LAWS = (*LAWS, *LAWS_OF_FRICTION)
CHECKED = sorted({name for law in ALL_LAWS for name in law.needs})


def refuted(verdicts: tuple[Verdict, ...]) -> list[Verdict]:
    return [v for v in verdicts if v.kind is VerdictKind.REFUTED]


def test_every_function_is_held_against_a_law() -> None:
    assert set(CHECKED) == {*FUNCTIONS, *OF_CHANGING_MASS, *WITH_FRICTION}


@pytest.mark.parametrize("inertial", ["symbolic", "numeric", "base"])
@pytest.mark.parametrize("name", ["planar2r", "planar3r"])
def test_laws_of_textbook_arms_are_proved(name: str, inertial: Inertial) -> None:
    robot = load_robot(name)
    verdicts = check_robot(robot, derive(robot, inertial=inertial).specs)
    open_ = [v.claim for v in verdicts if v.kind is not VerdictKind.PROVED]
    # forward dynamics divides by sums: no polynomial, so its law is checked at random points
    assert open_ == [
        "forward_dynamics of inverse_dynamics = qdd",
        "generalized_forward_dynamics of generalized_inverse_dynamics = qdd",
    ]
    assert all(v.holds for v in verdicts)
    # grouped parameters have no potential energy: its constant depends on what was regrouped
    assert len(verdicts) == (19 if inertial == "base" else 20)


@pytest.mark.parametrize("inertial", ["symbolic", "numeric", "base"])
def test_laws_of_the_panda_hold_with_their_bound(inertial: Inertial) -> None:
    verdicts = check_robot(PANDA, derive(PANDA, inertial=inertial).specs)
    assert all(v.holds for v in verdicts)
    bounds = [v.bound for v in verdicts if v.bound is not None]
    # three points of 61-bit fields; forward dynamics, of the highest degree, leaves least
    assert len(bounds) >= 9
    assert max(bounds) < Fraction(1, 2**100)


@pytest.mark.parametrize("seed", range(8))
def test_laws_of_random_trees_hold(seed: int) -> None:
    robot = random_robot(seed, (2, 5, 7)[seed % 3], mimic=seed % 2 == 1)
    verdicts = check_robot(robot, derive(robot).specs)
    assert [v.text() for v in verdicts if not v.holds] == []


def test_declared_parameters_and_fixed_inertias_are_carried_along() -> None:
    robot = load_robot("planar2r")
    robot = replace(
        robot,
        parameters=tuple(replace(p, is_argument=p.name != "m2") for p in robot.parameters),
        bodies=tuple(replace(b, symbolic=(k == 0,) * 10) for k, b in enumerate(robot.bodies)),
    )
    verdicts = check_robot(robot, derive(robot).specs)
    assert [v.text() for v in verdicts if not v.holds] == []


def test_laws_whose_functions_are_missing_are_left_out() -> None:
    said: list[str] = []
    verdicts = check_robot(
        PANDA, derive(PANDA, ["mass_matrix", "coriolis_matrix"]).specs, progress=said.append
    )
    assert [law.name for law in laws_for(PANDA, ["mass_matrix", "coriolis_matrix"])] == [
        "symmetry",
        "rate_of_M",
        "christoffel",
    ]
    assert said == [v.claim for v in verdicts]


def test_a_robot_too_big_for_lagrange_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lagrange, "FORM_LIMIT", 10)
    robot = load_robot("planar2r")
    (last,) = (v for v in check_robot(robot, derive(robot).specs) if v.claim == LAGRANGE.claim)
    assert last.kind is VerdictKind.UNKNOWN
    assert "10 term updates" in last.detail


# -- planted mistakes -----------------------------------------------------------------------------


def with_wrong_sign(spec: FunctionSpec, rng: random.Random) -> FunctionSpec:
    """The function with one sign turned: + for -, - for +, or the opposite of a product."""
    source, target = spec.graph, Graph()
    nodes = source.reachable(spec.result.entries)
    place = rng.choice([i for i in nodes if source.ops[i] in ("add", "sub", "mul", "neg")])
    new: dict[int, int] = {}
    for i in nodes:
        op, args = source.ops[i], tuple(new[a] for a in source.args[i])
        if i == place and op in ("add", "sub"):
            op = "sub" if op == "add" else "add"
        new[i] = target.rebuild(op, args, source.payload[i])
        if i == place and op in ("mul", "neg"):
            new[i] = target.neg(new[i])
    for argument in spec.arguments:
        for i in argument.symbols:
            new.setdefault(i, target.symbol(str(source.payload[i])).id)
    arguments = tuple(replace(a, symbols=tuple(new[i] for i in a.symbols)) for a in spec.arguments)
    result: Result = replace(spec.result, entries=tuple(new[i] for i in spec.result.entries))
    return replace(spec, graph=target, arguments=arguments, result=result)


def differ(a: FunctionSpec, b: FunctionSpec) -> bool:
    """Whether two functions of the same arguments have different values at a random state."""
    rng = random.Random(1)
    values: list[list[float]] = []
    state = {f"{x.name}[{k}]": rng.uniform(-2, 2) for x in a.arguments for k in range(x.shape[0])}
    for spec in (a, b):
        symbols = {
            i: state[f"{x.name}[{k}]"] for x in spec.arguments for k, i in enumerate(x.symbols)
        }
        values.append(evaluate(spec.graph, spec.result.entries, FLOAT64, symbols))
    return max(abs(x - y) for x, y in zip(*values, strict=True)) > 1e-9


@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.parametrize("robot", [SMALL, MIMIC, PANDA], ids=lambda r: r.name)
def test_one_wrong_sign_is_refuted_with_a_witness(robot: Robot, name: str) -> None:
    rng = random.Random(name)
    specs = SPECS[robot.name]
    planted = 0
    while planted < 2:
        wrong = with_wrong_sign(specs[name], rng)
        if not differ(specs[name], wrong):
            continue
        planted += 1
        found = first_refutation(robot, specs | {name: wrong}, name)
        assert found is not None, f"a wrong sign in {name} went unseen"
        witness = found.witness
        assert witness is not None
        assert witness["left"] != witness["right"]
        assert {"q", "qd"} & set(witness["state"])
        json.dumps(found.to_json())


def first_refutation(robot: Robot, specs: dict[str, FunctionSpec], name: str) -> Verdict | None:
    """What the laws about one function say, up to the first that is broken."""
    for law in ALL_LAWS:
        if name in law.needs:
            found = refuted(check_robot(robot, {n: specs[n] for n in law.needs}))
            if found:
                return found[0]
    return None


def test_gravity_the_wrong_way_round_is_refuted() -> None:
    specs = derive(PANDA).specs
    upside_down = replace(PANDA, gravity=(number(0), number(0), number("9.81")))
    wrong = derive(upside_down, ["gravity_vector"]).specs["gravity_vector"]
    claims = [v.claim for v in refuted(check_robot(PANDA, specs | {"gravity_vector": wrong}))]
    assert "inverse_dynamics = M qdd + C qd + g" in claims
    assert "gravity_vector = d potential_energy / dq" in claims


def test_a_wrong_robot_in_the_recursions_is_refuted_by_lagrange() -> None:
    robot = random_robot(11, 3, tree=False)
    moved = list(robot.joints)
    moved[1] = replace(moved[1], translation=(number(2), number(0), number("0.5")))
    specs = derive(replace(robot, joints=tuple(moved))).specs
    found = refuted(check_robot(robot, specs))
    assert [v.claim for v in found] == [
        "M, C, g, inverse_dynamics = those of Lagrange's equations in SymPy"
    ]


def test_a_coriolis_matrix_that_is_not_christoffel_is_refuted() -> None:
    """C + S with a skew S(q, qd) that vanishes on qd: same C qd, same dM/dt = C + C'."""
    robot = load_robot("planar3r")
    specs = derive(robot).specs
    spec = specs["coriolis_matrix"]
    graph = spec.graph
    qd = next(a.symbols for a in spec.arguments if a.name == "qd")
    # S(qd) of the cross product with qd
    skew = {(0, 1): (-1, 2), (0, 2): (1, 1), (1, 2): (-1, 0)}
    entries = list(spec.result.entries)
    for (i, j), (sign, k) in skew.items():
        rate = qd[k] if sign > 0 else graph.neg(qd[k])
        entries[3 * i + j] = graph.add(entries[3 * i + j], rate)
        entries[3 * j + i] = graph.sub(entries[3 * j + i], rate)
    wrong = replace(spec, result=replace(spec.result, entries=tuple(entries)))
    verdicts = check_robot(robot, specs | {"coriolis_matrix": wrong})
    by_claim = {v.claim: v for v in verdicts}
    assert by_claim["inverse_dynamics = M qdd + C qd + g"].holds
    assert by_claim["dM/dt = C + C'"].holds
    christoffel = by_claim["coriolis_matrix = Christoffel symbols of mass_matrix"]
    assert christoffel.kind is VerdictKind.REFUTED


def test_a_parameter_that_shadows_a_coordinate_is_kept_apart() -> None:
    robot = load_robot("planar2r")
    named = tuple(
        Parameter("q1", p.value, p.unit, True) if p.name == "unused" else p
        for p in (*robot.parameters, Parameter("unused", Fraction(1)))
    )
    robot = replace(robot, parameters=named, gravity=(number(0), number(-9), number(0)))
    assert all(v.holds for v in check_robot(robot, derive(robot).specs))


def test_laws_that_no_budget_proves_cost_little(monkeypatch: pytest.MonkeyPatch) -> None:
    # joints in general position, one follows: six times the budget of one law, not twenty times
    spent: list[int] = []

    def limited(graph: Graph, lefts: list[int], rights: list[int], **options: Any) -> Verdict:
        spent.append(options["limit"])
        kind, bound = VerdictKind.PROBABILISTIC, Fraction(1, 2**90)
        return Verdict(kind, options["claim"], bound=bound, method="finite field")

    robot = load_robot("planar2r")
    specs = derive(robot).specs
    monkeypatch.setattr(check, "equal", limited)
    check_robot(robot, specs)
    assert spent[:4] == [400_000, 200_000, 100_000, 100_000]
    assert sum(spent) <= 6 * spent[0]
