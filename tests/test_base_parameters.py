"""Base parameters: a count that depends on neither units nor excitation, and a base that is one.

The slow twin is the rank of the regressor over many random states by singular values, of our own
recursion and of Pinocchio's, columns scaled to unit size.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from symdyn import dynamics
from symdyn.algebra.float64 import ARRAYS, FLOAT64
from symdyn.base_parameters import (
    base_parameters,
    generalized_base_parameters,
    theta_names,
)
from symdyn.io.builtin import NAMES
from symdyn.io.load import load_robot
from symdyn.model.over import over
from symdyn.model.robot import Robot
from tests.oracles import need
from tests.related_robots import RELATED, built, chain, irrational_robot
from tests.robots import random_robot

Array = NDArray[np.float64]

#: Rounding leaves less than this share of the largest singular value.
_RANK = 1e-13

#: One table read by both conventions is two robots: three joints, twists pi/2, 0, -pi/2.
TABLE = """
[robot]
name = "three joints"
[dh]
convention = "{convention}"
inertial_frame = "dh"
[[row]]
alpha = "pi/2"
a = 0.0
d = 0.4
[[row]]
alpha = 0.0
a = 0.5
d = 0.0
[[row]]
alpha = "-pi/2"
a = 0.3
d = 0.1
"""

#: A planar arm whose axes stand along gravity; unit of length and of time free.
PLANAR = """
[robot]
name = "planar"
gravity = [0, 0, "-9.81*u/(s*s)"]
[parameters]
u = "{unit}"
s = "{second}"
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
axis = [0, 0, 1]
[[joint]]
name = "j2"
type = "revolute"
parent = "one"
child = "two"
axis = [0, 0, 1]
xyz = ["0.02*u", 0, 0]
"""

SLIDE = """
[robot]
name = "slide"
[[link]]
name = "base"
[[link]]
name = "block"
[[joint]]
name = "j"
type = "prismatic"
parent = "base"
child = "block"
axis = [1, 0, 0]
"""


def stacked(robot: Robot, states: int, size: float = 2.0, seed: int = 3) -> Array:
    """Regressor rows of random states, (states n, 10N)."""
    random = np.random.default_rng(seed)
    q, qd, qdd = (
        list(scale * random.uniform(-1, 1, (robot.n, states))) for scale in (3.0, size, size)
    )
    Y = dynamics.regressor(over(robot, ARRAYS), q, qd, qdd)
    rows = [np.column_stack([np.broadcast_to(x, (states,)) for x in row]) for row in Y]
    return np.vstack(rows)


def scaled_rank(W: Array) -> int:
    """Rank of the columns after each is brought to unit size; the gap is wide, or this fails."""
    size = np.max(np.abs(W), axis=0)
    acts = size > 1e-12 * np.max(size)
    values = np.linalg.svd(W[:, acts] / size[acts], compute_uv=False)
    rank = int(np.sum(values > _RANK * values[0]))
    assert rank == len(values) or values[rank - 1] > 1e4 * values[rank]
    return rank


def generalized_rows(robot: Robot, states: int) -> Array:
    """Rows of the regressor of the generalized equation at random states."""
    model = over(robot, FLOAT64)
    random = Random(5)
    rows: list[list[float]] = []
    for _ in range(states):
        q, qd, qdd = ([random.uniform(-2, 2) for _ in range(robot.n)] for _ in range(3))
        rows += dynamics.generalized_regressor(model, q, qd, qdd)
    return np.array(rows)


@pytest.mark.parametrize(("name", "count"), [("puma560", 36), ("panda", 43), ("planar2r", 6)])
def test_counts_of_the_literature(name: str, count: int) -> None:
    """PUMA 560: 36 (Gautier and Khalil 1990; Mayeda, Yoshida, Osuka 1990); Panda: 43 (Gaz 2019)."""
    assert base_parameters(load_robot(name)).count == count


@pytest.mark.parametrize(("convention", "count"), [("standard", 15), ("modified", 13)])
def test_one_table_has_two_counts(convention: str, count: int) -> None:
    """With the modified convention the first axis is horizontal and the first two are parallel."""
    text = TABLE.format(convention=convention)
    if convention == "modified":
        text = text.replace('inertial_frame = "dh"\n', "")
    robot = built(text)
    assert base_parameters(robot).count == count
    assert scaled_rank(stacked(robot, 60)) == count


@pytest.mark.parametrize("unit", ["1", "1/1000", "1000", "0.0254"])
@pytest.mark.parametrize("second", ["1", "1/1000"])
def test_the_count_depends_on_no_unit(unit: str, second: str) -> None:
    found = base_parameters(built(PLANAR.format(unit=unit, second=second)))
    assert found.count == 4
    # axes along gravity: of the first body only its moment can be felt
    assert found.independent == ("I33@one", "h1@two", "h2@two", "I33@two")


def test_a_rank_by_an_absolute_tolerance_depends_on_the_excitation() -> None:
    """What the exact count is for: a short arm that hardly moves, read by a tolerance in SI."""
    robot = built(PLANAR.format(unit="1", second="1"))
    values = np.linalg.svd(stacked(robot, 50, size=1e-4), compute_uv=False)
    by_tolerance = {t: int(np.sum(values > t)) for t in (1e-4, 1e-5, 1e-6, 1e-8)}
    assert by_tolerance[1e-4] < 4
    assert len(set(by_tolerance.values())) > 1
    assert base_parameters(robot).count == 4


@pytest.mark.parametrize("name", [n for n in NAMES if n != "humanoid"])
def test_singular_values_agree(name: str) -> None:
    robot = load_robot(name)
    found = base_parameters(robot)
    W = stacked(robot, 40 * robot.n)
    assert scaled_rank(W) == found.count
    _check_base(robot, W, found.independent)


def _check_base(robot: Robot, W: Array, independent: Sequence[str]) -> None:
    """The named columns are independent, and every other one follows from them."""
    names = theta_names(robot)
    base = W[:, [names.index(n) for n in independent]]
    size = np.max(np.abs(base), axis=0)
    assert np.linalg.matrix_rank(base / size, tol=1e-9) == len(independent)
    K = np.linalg.lstsq(base / size, W, rcond=1e-12)[0]
    assert np.max(np.abs(base / size @ K - W)) < 1e-9 * np.max(np.abs(W))


@pytest.mark.parametrize("seed", range(12))
def test_random_trees_with_any_joints_agree(seed: int) -> None:
    robot = random_robot(seed, mimic=seed % 3 == 0)
    found = base_parameters(robot)
    W = stacked(robot, 60 * robot.n)
    assert scaled_rank(W) == found.count
    assert found.gap[0] < 1e-60
    assert found.gap[1] > 1e-20
    _check_base(robot, W, found.independent)


@pytest.mark.parametrize("name", ["puma560", "panda", "scara"])
def test_pinocchio_agrees(name: str) -> None:
    need("pinocchio")
    from symdyn.crosscheck.pinocchio_ import build_pinocchio

    robot = load_robot(name)
    there = build_pinocchio(robot)
    random = np.random.default_rng(9)
    rows: list[Array] = []
    for _ in range(40):
        q, v, a = (random.uniform(-2, 2, robot.n) for _ in range(3))
        x = there.configuration(q.tolist())
        Y = there.pin.computeJointTorqueRegressor(there.model, there.data, x, v, a)
        rows.append(there.T.T @ np.array(Y))
    assert scaled_rank(np.vstack(rows)) == base_parameters(robot).count


@pytest.mark.parametrize("draw", [1, 2, 99])
def test_any_prime_and_any_states_give_the_same(draw: int) -> None:
    robot = load_robot("stanford")
    assert base_parameters(robot, draw).independent == base_parameters(robot).independent


def test_a_block_that_slides_across_gravity_shows_its_mass_only() -> None:
    assert base_parameters(built(SLIDE)).independent == ("m@block",)


def test_the_humanoid_takes_no_longer_than_a_few_seconds() -> None:
    robot = load_robot("humanoid")
    found = base_parameters(robot)
    model = over(robot, FLOAT64)
    assert model.n == robot.n
    assert found.count == scaled_rank(stacked(robot, 30)) == 244


def test_gravity_across_the_axes_adds_two_and_its_direction_nothing() -> None:
    text = PLANAR.format(unit="1", second="1")
    down = '[0, 0, "-9.81*u/(s*s)"]'
    for across in ("[0, -9.81, 0]", "[9.81, 0, 0]", "[6, -8, 3]"):
        assert base_parameters(built(text.replace(down, across))).count == 6
    assert base_parameters(built(text.replace(down, "[0, 0, 0]"))).count == 4


@pytest.mark.parametrize(("name", "count"), [("planar2r", 16), ("scara", 28)])
def test_the_generalized_equation_has_base_parameters_too(name: str, count: int) -> None:
    robot = load_robot(name)
    found = generalized_base_parameters(robot)
    assert found.count == count == len(found.independent)
    assert scaled_rank(generalized_rows(robot, 120)) == count


def test_names_of_the_generalized_equation_are_primed_for_rates() -> None:
    """A point on a slide across gravity: its mass, its mass rate, and the momentum rate along."""
    found = generalized_base_parameters(built(SLIDE))
    assert found.independent == ("m@block", "m'@block", "p1'@block")
    # a wheel about the vertical: only moments about its axis act
    wheel = SLIDE.replace("prismatic", "revolute").replace("[1, 0, 0]", "[0, 0, 1]")
    found = generalized_base_parameters(built(wheel))
    assert found.independent == ("I33@block", "I33'@block", "l3'@block")
    robot = load_robot("scara")
    names = generalized_base_parameters(robot).independent
    assert names == tuple(sorted(names, key=_order(robot).index))
    assert {"m'@spindle", "p1@flange", "l3'@link1", "I33'@flange"} <= set(names)


def _order(robot: Robot) -> list[str]:
    own = theta_names(robot)
    momenta = [f"{k}{i}{{}}@{b.name}" for b in robot.bodies for k in "pl" for i in (1, 2, 3)]
    rates = [name.replace("@", "'@") for name in own]
    return own + rates + [m.format("") for m in momenta] + [m.format("'") for m in momenta]


# -- constants that are no fractions --------------------------------------------------------------


@pytest.mark.parametrize("name", RELATED)
def test_related_constants_count_once(name: str) -> None:
    joints, count, generalized = RELATED[name]
    robot = chain(*joints)
    assert scaled_rank(stacked(robot, 100)) == base_parameters(robot).count == count
    there = generalized_base_parameters(robot)
    assert scaled_rank(generalized_rows(robot, 150)) == there.count == generalized


@pytest.mark.parametrize("seed", range(16))
def test_robots_of_irrational_numbers_agree(seed: int) -> None:
    robot = irrational_robot(seed)
    found = base_parameters(robot)
    W = stacked(robot, 60 * robot.n)
    assert scaled_rank(W) == found.count
    _check_base(robot, W, found.independent)
    assert scaled_rank(generalized_rows(robot, 200)) == generalized_base_parameters(robot).count
