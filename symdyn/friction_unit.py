"""What goes into one generated file of a friction law: functions, example, conventions, numbers."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence

from symdyn.codegen.generate import generate
from symdyn.codegen.spec import Constant, FunctionSpec, SelfTest, Unit
from symdyn.expr.serialize import digest
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.friction.law import FrictionLaw
from symdyn.friction_recipes import (
    FRICTION_FUNCTIONS,
    STATES,
    STEP,
    VELOCITY,
    functions_of,
    law_specs,
)
from symdyn.unit import SELF_TEST_TOLERANCE, expected_at

#: Lines of the convention block of every file of a law.
CONVENTION: tuple[str, ...] = (
    "SI units: rad, s, N, m; for a sliding joint read N for N m and m for rad.",
    "Friction stands on the left of the equation of motion, M qdd + C qd + g + friction = tau:",
    "  it is positive at positive velocity, and velocity times friction is the power dissipated.",
    "At zero velocity sign(v) is 0, and derivatives by v are those of the forward side.",
    "Parameters are not checked here; their domains stand beside them.",
)
#: Where a file tests itself: a speed at which every example is in its Stribeck range.
_AT = {VELOCITY: 0.013, STEP: 1e-3, "load": 0.7, "temperature": 20.0, "position": 0.4}


def law_digest(law: FrictionLaw, specs: Mapping[str, FunctionSpec]) -> str:
    """Hash of what a law computes."""
    parts = [law.name, *(digest(s.graph, s.result.entries) for s in specs.values())]
    return "sha256:" + hashlib.sha256("\n".join(parts).encode()).hexdigest()


#: Functions that a library of laws carries: all but derivatives by states and parameters.
MAIN_FUNCTIONS: tuple[str, ...] = tuple(
    name for name in FRICTION_FUNCTIONS if not name.endswith(("by_states", "by_parameters"))
)


def friction_files(targets: Sequence[str]) -> dict[str, bytes]:
    """Generated code of every law of the catalogue, `MAIN_FUNCTIONS` of it.

    Returns
    -------
    content by path ``target/file``
    """
    out: dict[str, bytes] = {}
    for law in LAWS.values():
        main = [name for name in functions_of(law) if name in MAIN_FUNCTIONS]
        unit = build_friction_unit(law, functions=main)
        for target in targets:
            files = generate(unit, target)
            out |= {f"{target}/{file}": text.encode() for file, text in files.items()}
    return out


def build_friction_unit(
    law: FrictionLaw,
    parameters: Mapping[str, float] | None = None,
    name: str | None = None,
    functions: Sequence[str] | None = None,
) -> Unit:
    """Gather all functions of a law with what a generated file carries.

    Parameters
    ----------
    law : the law
    parameters : values that the file carries and tests itself at; the example of the catalogue if
        None
    name : of the module or file; the law's own, prefixed by ``friction_``, if None
    functions : names out of `friction_recipes.functions_of`; all of them if None

    Returns
    -------
    Unit

    Raises
    ------
    InputError : parameters outside their domains, or none given for a law without an example
    """
    values = law.check(EXAMPLES.get(law.name, {}) if parameters is None else parameters)
    specs = law_specs(law, functions)
    inputs: dict[str, tuple[float, ...]] = {
        key: (number,) for key, number in (*_AT.items(), *values.items())
    }
    states = tuple(_state_at_test(law, k) for k in range(len(law.states)))
    if len(states) == 1:
        inputs[law.states[0].name] = states
    elif states:
        inputs[STATES] = states
    expected: dict[str, tuple[float, ...]] = {}
    for key, spec in specs.items():
        found = expected_at(spec, inputs)
        if all(map(math.isfinite, found)):
            expected[key] = found
    used = {argument.name for spec in specs.values() for argument in spec.arguments}
    constants = [
        Constant("law", law.title, "the law"),
        Constant("formula", law.formula, "in LaTeX"),
        Constant("source", law.source, "literature"),
        Constant("parameter_names", tuple(values), "in the order of every function"),
        Constant("parameter_units", tuple(q.unit for q in law.parameters), "for rotation"),
        Constant("parameters", tuple(values.values()), "the values the file tests itself at"),
    ]
    if law.states:
        constants.append(
            Constant("state_names", tuple(q.name for q in law.states), "in the order of x")
        )
    if law.linear:
        constants.append(Constant("linear_names", law.linear, "in the order of the regressor"))
    return Unit(
        name=name or "friction_" + law.name.replace("-", "_"),
        functions=tuple(specs.values()),
        constants=tuple(constants),
        convention=(*CONVENTION, f"This law {law.rest}.", f"Limits: {law.limits}."),
        self_test=SelfTest(
            {key: value for key, value in inputs.items() if key in used},
            expected,
            SELF_TEST_TOLERANCE,
        ),
        digest=law_digest(law, specs),
    )


def _state_at_test(law: FrictionLaw, k: int) -> float:
    """A state that lies inside its bounds for the examples: small deflections, moderate forces."""
    unit = law.states[k].unit
    return 0.0 if unit == "1" else (3e-5 if unit == "rad" else 0.05 * (k + 1))
