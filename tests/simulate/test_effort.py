"""A motion that is no number is refused, with the time at which it stops being one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from symdyn import load_robot
from symdyn._errors import InputError, UnsupportedError
from symdyn.simulate.effort import check_motion, check_request
from symdyn.simulate.robot_run import Scenario, run_robot
from symdyn.simulate.semantics import Semantics


@pytest.mark.parametrize("name", ["q", "v", "kinetic", "work"])
def test_the_time_is_named(name: str) -> None:
    scenario = Scenario(load_robot("planar2r"), (0.0, 0.0), (0.0, 0.0), 0.1, samples=4)
    motion = run_robot(scenario).trajectory
    check_motion(motion)
    table = np.array(getattr(motion, name))
    table[2] = np.nan
    broken = replace(motion, **{name: table})
    with pytest.raises(UnsupportedError, match=r"leaves the range of a double at t = 0\.05 s"):
        check_motion(broken)


def test_friction_that_is_hardly_smoothed_is_refused() -> None:
    still = Scenario(
        load_robot("planar2r"), (0.0, 0.0), (0.0, 0.0), 0.1, samples=4,
        semantics=Semantics.REGULARISED, eps=1e-300,
    )  # fmt: skip
    with pytest.raises(InputError, match=r"eps is too small .* expected at least 1e-09"):
        check_request(still)
    check_request(replace(still, step=0.01))
    check_request(replace(still, eps=1e-8))
    check_request(replace(still, semantics=Semantics.IDEAL))
