"""States from JSON: lists and objects by name, defaults, and one clear error per fault."""

from __future__ import annotations

import json

import pytest

from symdyn._errors import InputError
from symdyn.algebra.term import ZERO, number, parameter
from symdyn.model.build import build_robot
from symdyn.model.description import (
    JointDescription,
    LinkDescription,
    MimicDescription,
    RobotDescription,
)
from symdyn.model.robot import Parameter, Robot
from symdyn.state import parse_state, state_from
from symdyn.unit import theta_values

ONE = number(1)
UPRIGHT = ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE))
ORIGIN = (ZERO, ZERO, ZERO)


def link(name: str, mass: str) -> LinkDescription:
    return LinkDescription(name, (number(mass), *[ZERO] * 3, *[number("0.1")] * 3, *[ZERO] * 3))


def joint(name: str, parent: str, child: str, mimic: MimicDescription | None) -> JointDescription:
    return JointDescription(
        name, "revolute", parent, child, UPRIGHT, ORIGIN, (ZERO, ONE, ZERO), mimic=mimic
    )


@pytest.fixture
def robot() -> Robot:
    """Two coordinates j1 and j2, three bodies; j3 follows j2."""
    return build_robot(
        RobotDescription(
            name="three",
            links=(
                LinkDescription("base", None),
                link("a", "1.5"),
                link("b", "2"),
                LinkDescription("c", (parameter("mc"), *[ZERO] * 9)),
            ),
            joints=(
                joint("j1", "base", "a", None),
                joint("j2", "a", "b", None),
                joint("j3", "b", "c", MimicDescription("j2", number(-2), ZERO)),
            ),
            gravity=(ZERO, ZERO, number("-9.81")),
            source="test",
            parameters=(Parameter("mc", number("0.25").rational or 0),),  # type: ignore[arg-type]
        )
    )


def test_what_is_left_out_is_zero_and_theta_the_robots_own(robot: Robot) -> None:
    state = parse_state("{}", robot)
    assert state.q == state.qd == state.qdd == state.v == state.a == state.tau == (0.0, 0.0)
    assert state.theta == theta_values(robot)
    assert state.theta[::10] == (1.5, 2.0, 0.25)
    assert state.theta_dot == (0.0,) * 30
    assert state.psi == state.psi_dot == (0.0,) * 36
    assert state.given == frozenset()


def test_lists_and_objects_by_name_mean_the_same(robot: Robot) -> None:
    by_list = parse_state('{"q": [1, 2.5], "tau": [0, -1e-3]}', robot)
    by_name = parse_state('{"q": {"j2": 2.5, "j1": 1}, "tau": {"j2": -0.001}}', robot)
    assert by_list == by_name


def test_bodies_by_name_flat_and_nested(robot: Robot) -> None:
    ten = [3.0, *[0.5] * 9]
    own = theta_values(robot)
    named = parse_state(json.dumps({"theta": {"b": ten}}), robot)
    assert named.theta == (*own[:10], *ten, *own[20:])
    flat = parse_state(json.dumps({"theta": [*own[:10], *ten, *own[20:]]}), robot)
    nested = parse_state(json.dumps({"theta": [own[:10], ten, own[20:]]}), robot)
    assert flat.theta == nested.theta == named.theta
    twelve = list(range(12))
    assert parse_state(json.dumps({"psi": {"c": twelve}}), robot).psi[24:] == tuple(twelve)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON"),
        ("[1, 2]", "object"),
        ('{"Q": [1, 2]}', "unknown key 'Q'.*q, qd, qdd"),
        ('{"q": [1]}', "q has 1 entry.*2, one per joint: j1, j2"),
        ('{"q": []}', "q has 0 entries"),
        ('{"q": 1}', "q is no list"),
        ('{"q": null}', "q is null"),
        ('{"q": "1 2"}', "q is no list"),
        ('{"q": [1, "2"]}', r"q\[1\] is no number.*'2'"),
        ('{"q": [1, true]}', r"q\[1\] is no number"),
        ('{"q": [1, [2]]}', r"q\[1\] is no number"),
        ('{"q": [1, NaN]}', "NaN is no finite number"),
        ('{"q": [1, -Infinity]}', "-Infinity is no finite number"),
        ('{"q": [1, 1e999]}', r"q\[1\] is not finite"),
        ('{"q": {"j9": 1}}', "no joint is called 'j9'.*j1, j2"),
        ('{"q": {"j3": 1}}', "'j3' follows joint 'j2'"),
        ('{"q": {"a": 1}}', "no joint is called 'a'"),
        ('{"q": [1, 2], "q": [3, 4]}', "'q' stands twice"),
        ('{"theta": {"j1": []}}', "no body is called 'j1'.*a, b, c"),
        ('{"theta": {"a": [1, 2]}}', r"theta\['a'\] has 2 entries.*10 numbers"),
        ('{"theta": [1, 2]}', "theta has 2 entries.*30, 10 per body"),
        ('{"psi": {"a": [0,0,0,0,0,0,0,0,0,0]}}', "12 numbers"),
        ('{"t": "now"}', "t is no number"),
        ('{"q": [1, 2]', "no JSON"),
        ("[" * 200_000, "nested too deeply"),
        ('{"q": [1, ' + "9" * 5000 + "]}", "out of range"),
    ],
)
def test_every_fault_is_one_clear_error(robot: Robot, text: str, message: str) -> None:
    with pytest.raises(InputError, match=f"(?s)some file.*{message}") as caught:
        parse_state(text, robot, "some file")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_python_values_are_read_too(robot: Robot) -> None:
    assert state_from({"q": (1, 2)}, robot).q == (1.0, 2.0)
