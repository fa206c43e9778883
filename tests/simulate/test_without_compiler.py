"""Without a C compiler everything works, in Python floats; asking for C is one clear error."""

from __future__ import annotations

import pytest

from symdyn._errors import UnsupportedError
from symdyn.friction.lugre import LUGRE
from symdyn.io.load import load_robot
from symdyn.simulate import (
    CONSTANT,
    Scenario,
    joint_system,
    native,
    prepare,
    run_robot,
    solve,
    walk,
)
from tests.simulate.values import SERVO


@pytest.fixture(autouse=True)
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "_compiler", lambda: None)


def test_walks_and_solutions_fall_back() -> None:
    system = joint_system(LUGRE, CONSTANT)
    values = {**SERVO, "torque": 1.0}
    joint = prepare(system)
    assert joint.engine == "python"
    walked = walk(joint, values, system.start(), 0.05, 1e-4).end
    found = solve(system, values, system.start(), [0, 0.05])
    assert found.engine == "python"
    assert found.states[-1] == pytest.approx(walked, rel=1e-5)


def test_robots_fall_back() -> None:
    arm = load_robot("planar2r")
    found = run_robot(Scenario(arm, (0.1, 0.2), (0.0, 0.0), 0.05, samples=1))
    assert abs(found.trajectory.imbalance[-1]) < 1e-9


def test_asking_for_c_says_what_is_missing() -> None:
    # a name that no other test has compiled
    system = joint_system(LUGRE, CONSTANT)
    with pytest.raises(UnsupportedError, match=r"no C compiler was found .* engine=\"python\""):
        prepare(system, fixed={"Fc": 1.234567}, engine="native")
