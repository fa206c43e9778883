"""Base parameters of a robot, for a terminal and for a record."""

from __future__ import annotations

import textwrap

from symdyn.base_parameters import (
    BaseParameters,
    base_parameters,
    generalized_base_parameters,
)
from symdyn.expr.verdict import Json
from symdyn.model.names import shown
from symdyn.model.robot import Robot

#: Parameters of a body: those of equation (7); with their rates, (p; l) and the rates of these.
_CLASSICAL, _GENERALIZED = 10, 32
_WIDTH = 100


def base_lines(robot: Robot) -> list[str]:
    """How many combinations of inertial parameters the motion can tell apart, and names of them."""
    bodies = robot.n_bodies
    return [
        *_lines(
            f"Base parameters: {{}} of {_CLASSICAL * bodies} inertial parameters, named by",
            base_parameters(robot),
        ),
        "",
        *_lines(
            f"Of the generalized equation: {{}} of {_GENERALIZED * bodies} (parameters, momenta, "
            "and their rates '), named by",
            generalized_base_parameters(robot),
        ),
    ]


def base_record(robot: Robot) -> dict[str, Json]:
    """The same as data."""
    return {
        "base_parameters": _record(base_parameters(robot)),
        "generalized_base_parameters": _record(generalized_base_parameters(robot)),
    }


def _lines(head: str, found: BaseParameters) -> list[str]:
    # names may hold blanks, at which no line ends
    names = ", ".join(shown(name).replace(" ", "\0") for name in found.independent)
    wrapped = textwrap.wrap(names, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return [head.format(found.count), *("  " + line.replace("\0", " ") for line in wrapped)]


def _record(found: BaseParameters) -> dict[str, Json]:
    return {"count": found.count, "names": list(found.independent)}
