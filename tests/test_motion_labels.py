"""Comments of generated code say what the temporaries are: every one of them is true."""

from __future__ import annotations

import random
import re

import pytest

from symdyn.algebra.float64 import FLOAT64
from symdyn.codegen.generate import generate
from symdyn.dynamics.motion import accelerations, twists
from symdyn.dynamics.transform import joint_transforms
from symdyn.expr.evaluate import evaluate
from symdyn.io.load import load_robot
from symdyn.model.over import over
from symdyn.model.robot import Robot
from symdyn.recipes import derive
from symdyn.unit import build_unit
from tests.robots import random_robot

LABEL = re.compile(r"(-\()?(v|w|a|alpha)_([xyz]) of (.*?)( at qdd = 0)?\)?$")


def truth(robot: Robot, values: dict[str, list[float]]) -> dict[str, float]:
    """Components of all motions by the recursions over floats."""
    model = over(robot, FLOAT64)
    X = joint_transforms(model, values["q"])
    qd = values["qd"]
    qdd = values.get("qdd", [0.0] * robot.n)
    out: dict[str, float] = {}
    motions = zip(
        robot.bodies, twists(model, X, qd), accelerations(model, X, qd, qd, qdd), strict=True
    )
    for body, (v, w), acc in motions:
        for letter, vector in (("v", v), ("w", w), ("a", acc.a), ("alpha", acc.alpha)):
            for axis, value in zip("xyz", vector, strict=True):
                out[f"{letter}_{axis} of {body.name}"] = value
    return out


@pytest.mark.parametrize("robot", [load_robot("panda"), random_robot(7, 4), random_robot(12, 5)])
@pytest.mark.parametrize(
    "function",
    [
        "inverse_dynamics", "forward_dynamics", "regressor", "slotine_li_regressor",
        "kinetic_energy", "generalized_inverse_dynamics",
    ],
)  # fmt: skip
def test_every_label_is_true(robot: Robot, function: str) -> None:
    spec = derive(robot, [function]).specs[function]
    graph = spec.graph
    rng = random.Random(4)
    values = {a.name: [rng.uniform(-1, 1) for _ in a.symbols] for a in spec.arguments}
    symbols = {
        node: x for a in spec.arguments for node, x in zip(a.symbols, values[a.name], strict=True)
    }
    labels = sorted(graph.labels)
    assert labels
    moving = truth(robot, values)
    found = evaluate(graph, labels, FLOAT64, symbols)
    for node, value in zip(labels, found, strict=True):
        match = LABEL.fullmatch(graph.labels[node])
        assert match, graph.labels[node]
        minus, letter, axis, name, rest = match.groups()
        assert (rest is not None) == ("qdd" not in values and letter in ("a", "alpha"))
        expected = moving[f"{letter}_{axis} of {name}"]
        assert value == pytest.approx(-expected if minus else expected, rel=1e-9, abs=1e-12)


def test_code_shows_the_labels_and_stays_short() -> None:
    robot = load_robot("panda")
    derivation = derive(robot, ["inverse_dynamics"])
    unit = build_unit(robot, derivation)
    for target, comment in (("numpy", r"  # w_x of link3\n"), ("c", r" /\* w_x of link3 \*/\n")):
        text = "".join(generate(unit, target).values())
        assert re.search(comment, text), target
        size = sum(len(m.group()) for m in re.finditer(r"( /\*|  #) \S+_[xyz] of .*", text))
        assert size < 0.1 * len(text)
