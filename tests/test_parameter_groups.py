"""Grouped parameters: as few as the rank, exact in the torques, a function of theta in the code."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from symdyn import dynamics
from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.base_parameters import ParameterGroups, base_parameters, parameter_groups
from symdyn.expr.evaluate import evaluate
from symdyn.expr.verdict import VerdictKind
from symdyn.identify.grouping import grouping
from symdyn.identities import GROUPING, check_robot
from symdyn.io.builtin import NAMES
from symdyn.io.load import load_robot
from symdyn.model.mass_motion import mass_at
from symdyn.model.over import over
from symdyn.model.robot import Robot
from symdyn.recipes import BASE_FUNCTION, Derivation, derive, theta_names
from tests.related_robots import RELATED, built, chain, irrational_robot
from tests.robots import random_robot


def _check(robot: Robot) -> ParameterGroups:
    """As many as the rank, and the torques of any inertial parameters in terms of them."""
    groups = parameter_groups(robot)
    assert len(groups.columns) == base_parameters(robot).count
    model = over(robot, FLOAT64)
    random = Random(11)
    for _ in range(3):
        state = [[random.uniform(-2, 2) for _ in range(robot.n)] for _ in range(3)]
        theta = [random.uniform(-1, 1) for _ in range(10 * robot.n_bodies)]
        beta = groups.beta(model, theta)
        torques = dynamics.inverse_dynamics(model, *state, theta)
        grouped = dynamics.inverse_dynamics(model, *state, groups.theta(0.0, beta, len(theta)))
        scale = max(map(abs, torques), default=1.0)
        assert grouped == pytest.approx(torques, rel=0, abs=1e-12 * scale)
    return groups


@pytest.mark.parametrize("name", [n for n in NAMES if n != "humanoid"])
def test_groups_of_built_in_robots_are_as_few_as_base_parameters(name: str) -> None:
    _check(load_robot(name))


@pytest.mark.parametrize("seed", range(12))
def test_groups_of_random_trees(seed: int) -> None:
    assert _check(random_robot(seed, mimic=seed % 3 == 0)).is_exact


@pytest.mark.parametrize("name", RELATED)
def test_groups_of_related_constants(name: str) -> None:
    _check(chain(*RELATED[name][0]))


@pytest.mark.parametrize("seed", range(16))
def test_groups_of_irrational_robots(seed: int) -> None:
    _check(irrational_robot(seed))


def test_groups_hold_for_every_value_of_parameters_that_are_arguments() -> None:
    text = """
[robot]
name = "two"
[parameters]
a = {{ value = {a}, argument = true }}
[[link]]
name = "base"
[[link]]
name = "one"
[[link]]
name = "two"
[[joint]]
name = "j1"
type = "revolute"
parent = "base"
child = "one"
axis = [1, 0, 1]
[[joint]]
name = "j2"
type = "revolute"
parent = "one"
child = "two"
axis = [0, 1, 0]
xyz = ["a", 0, 0.2]
"""
    short, long = built(text.format(a=0)), built(text.format(a="0.7"))
    assert parameter_groups(short) == parameter_groups(long)
    assert base_parameters(short).count <= len(parameter_groups(short).columns)
    assert base_parameters(long).count == len(parameter_groups(long).columns)
    groups = parameter_groups(short)
    model = over(long, FLOAT64)
    theta = [0.1 * (k % 7) - 0.3 for k in range(20)]
    state = [0.4, -1.1], [0.7, 1.3], [-0.5, 0.9]
    torques = dynamics.inverse_dynamics(model, *state, theta)
    grouped = groups.theta(0.0, groups.beta(model, theta), 20)
    assert dynamics.inverse_dynamics(model, *state, grouped) == pytest.approx(torques, rel=1e-12)


def test_parameters_are_drawn_where_constants_have_values() -> None:
    """An arccosine of a parameter at the edge: half of the values near it have none."""
    text = """
[robot]
name = "edge"
[parameters]
a = { value = 1, argument = true }
[[link]]
name = "base"
[[link]]
name = "one"
[[joint]]
name = "j1"
type = "revolute"
parent = "base"
child = "one"
axis = [0, 0, 1]
rpy = ["acos(a)", 0, 0]
"""
    assert len(parameter_groups(built(text)).columns) == 3


# -- code -----------------------------------------------------------------------------------------


def _call(derivation: Derivation, name: str, **arguments: list[float]) -> list[float]:
    """A derived function in doubles."""
    spec = derivation.specs[name]
    symbols: dict[int, float] = {}
    declared = [float(p.value) for p in derivation.robot.parameters if p.is_argument]
    arguments = {"parameters": declared, **arguments}
    for argument in spec.arguments:
        symbols.update(zip(argument.symbols, arguments[argument.name], strict=True))
    return evaluate(spec.graph, spec.result.entries, FLOAT64, symbols)


def test_changing_mass_can_be_evaluated_at_any_time_with_grouped_parameters() -> None:
    """A robot whose theta depends on t: beta(t) is base_parameters of theta(t)."""
    robot = load_robot("feeder")
    derivation = derive(robot, inertial="base")
    n = robot.n
    q, qd, qdd = [0.3] * n, [-0.7] * n, [1.1] * n
    state = {"q": q, "qd": qd, "qdd": qdd}
    start = _call(
        derivation, BASE_FUNCTION, theta=_call(derivation, "inertial_parameters", t=[0.0])
    )
    for t in (0.0, 0.3, 0.9):
        now = mass_at(robot, FLOAT64, t)
        theta = _call(derivation, "inertial_parameters", t=[t])
        beta = _call(derivation, BASE_FUNCTION, theta=theta)
        assert (beta == start) == (t == 0.0)
        rates = {"theta_dot": now.theta_dot, "psi": now.psi, "psi_dot": now.psi_dot}
        found = _call(derivation, "generalized_inverse_dynamics", beta=beta, **state, **rates)
        want = dynamics.generalized_inverse_dynamics(
            over(robot, FLOAT64), q, qd, qdd, now.theta, now.theta_dot, now.psi, now.psi_dot
        )
        assert found == pytest.approx(want, rel=1e-12)


def test_the_law_of_grouping_is_checked_where_factors_are_exact() -> None:
    def verdicts(robot: Robot) -> dict[str, VerdictKind]:
        names = ("inverse_dynamics", "regressor", "mass_matrix", "kinetic_energy", BASE_FUNCTION)
        specs = derive(robot, names, "base").specs
        return {v.claim: v.kind for v in check_robot(robot, specs)}

    exact = chain("axis = [0, 1, 0]\n", "axis = [1, 0, 1]\nxyz = [0.3, 0.1, 0.2]\n")
    assert verdicts(exact)[GROUPING.claim] is VerdictKind.PROVED
    turned = chain(
        "axis = [0, 1, 0]\n", "axis = [1, 2, 1]\nxyz = [0.3, 0.1, 0.2]\nrpy = [0.2, 0, 0]\n"
    )
    assert not parameter_groups(turned).is_exact
    others = verdicts(turned)
    assert GROUPING.claim not in others
    assert len(others) == 4
    assert set(others.values()) <= {VerdictKind.PROVED, VerdictKind.PROBABILISTIC}


def test_a_wrong_sign_in_the_map_is_refuted() -> None:
    specs = derive(load_robot("planar2r"), ("inverse_dynamics", "regressor", BASE_FUNCTION), "base")
    spec = specs.specs[BASE_FUNCTION]
    entries = [*spec.result.entries[:-1], spec.graph.neg(spec.result.entries[-1])]
    wrong = replace(spec, result=replace(spec.result, entries=tuple(entries)))
    verdicts = check_robot(specs.robot, {**specs.specs, BASE_FUNCTION: wrong})
    assert [v.claim for v in verdicts if v.kind is VerdictKind.REFUTED] == [GROUPING.claim]


def test_the_map_is_a_function_of_grouped_code_only() -> None:
    robot = load_robot("planar2r")
    assert BASE_FUNCTION in derive(robot, inertial="base").specs
    assert BASE_FUNCTION not in derive(robot).specs
    with pytest.raises(InputError, match="no such function"):
        derive(robot, [BASE_FUNCTION])


def test_identification_finds_the_same_map() -> None:
    """There it is read off the columns of random states in doubles."""
    robot = chain(*RELATED["an axis along a diagonal"][0])
    groups, found = parameter_groups(robot), grouping(robot)
    assert tuple(theta_names(robot)[k] for k in groups.columns) == found.base.independent
    model = over(robot, FLOAT64)
    for k in range(30):
        unit = [float(k == j) for j in range(30)]
        assert groups.beta(model, unit) == pytest.approx(found.matrix[:, k].tolist(), abs=1e-8)
