"""Robots whose mass changes or moves obey all laws at every time; a wrong rate is refuted."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy

from symdyn.algebra.term import number
from symdyn.expr.verdict import VerdictKind
from symdyn.identities import LAWS, LAWS_OF_TIME, check_robot, laws_for
from symdyn.io.load import load_robot
from symdyn.mass import (
    TIME,
    Momentum,
    X,
    cylinder,
    distribution,
    flow,
    moments,
    part,
    particle,
    point,
    source_of,
)
from symdyn.mass_recipes import FUNCTIONS_OF_TIME, mass_motion, with_mass
from symdyn.model.robot import Robot
from symdyn.recipes import FUNCTIONS, OF_CHANGING_MASS, Inertial, derive

t = TIME


def arm() -> Robot:
    """Planar arm: a slug slides in link 1, a wheel in link 2, with a jet and a gain."""
    slug = moments(distribution(particle(2, [sympy.sin(t) / 3, sympy.Rational(1, 9), 0])))
    spin = [-3 * X[1], 3 * X[0], 0]
    wheel = part(cylinder(1, 1), mass=1, velocity=spin, at=[sympy.Rational(1, 2), 0, 0])
    loaded = moments(distribution(wheel, particle(2 - t, [1, 0, 0])))
    jet = flow(point((1, 0, 0)), Momentum.STREAM, mass_rate=-2, velocity=[0, -3, t])
    along = mass_motion(loaded, source_of(loaded, Momentum.CO_MOVING, [jet]))
    return with_mass(load_robot("planar2r"), {"link1": mass_motion(slug), "link2": along})


@pytest.mark.parametrize("inertial", ["symbolic", "numeric", "base"])
def test_all_laws_hold_at_every_time(inertial: Inertial) -> None:
    robot = arm()
    verdicts = check_robot(robot, derive(robot, inertial=inertial).specs)
    assert [v.text() for v in verdicts if not v.holds] == []
    claims = {v.claim for v in verdicts}
    assert {law.claim for law in LAWS_OF_TIME} <= claims
    # and that friction, of which there is none, takes no power
    laws = len(LAWS) + len(LAWS_OF_TIME) + 1
    # groups have no potential energy, hence two laws less, and one of their own
    assert len(verdicts) == laws - (1 if inertial == "base" else 0)


def test_functions_of_time_are_derived_where_mass_changes_only() -> None:
    assert set(derive(arm()).specs) == {*FUNCTIONS, *OF_CHANGING_MASS, *FUNCTIONS_OF_TIME}
    assert set(derive(load_robot("planar2r")).specs) == set(FUNCTIONS)
    asked = derive(load_robot("planar2r"), ["inertial_parameters"]).specs["inertial_parameters"]
    assert [a.name for a in asked.arguments] == ["t"]


def test_arguments_of_a_changing_robot_with_everything_built_in() -> None:
    specs = derive(arm(), inertial="numeric").specs
    names = {name: [a.name for a in spec.arguments] for name, spec in specs.items()}
    assert names["generalized_inverse_dynamics"] == ["q", "qd", "qdd", "t"]
    assert names["generalized_forward_dynamics"] == ["q", "qd", "tau", "t"]
    assert names["generalized_kinetic_energy"] == ["q", "qd", "t"]
    assert names["source_torque"] == ["q", "qd", "t"]
    assert names["mass_matrix"] == ["q", "t"]
    assert names["gyroscopic_matrix"] == ["q", "t"]
    assert names["momentum_map"] == ["q"]


@pytest.mark.parametrize("law", LAWS_OF_TIME, ids=lambda law: law.name)
def test_a_wrong_rate_is_refuted(law: object) -> None:
    robot = arm()
    motion = robot.bodies[0].motion
    assert motion is not None
    wrong = replace(
        motion,
        phi_dot=(*motion.phi_dot[:1], motion.phi_dot[1] + number("0.01"), *motion.phi_dot[2:]),
        psi_dot=(motion.psi_dot[0] + number("0.01"), *motion.psi_dot[1:]),
    )
    broken = replace(robot, bodies=(replace(robot.bodies[0], motion=wrong), robot.bodies[1]))
    specs = derive(broken, list(FUNCTIONS_OF_TIME)).specs
    assert laws_for(broken, specs) == LAWS_OF_TIME
    verdict = check_robot(broken, specs)[LAWS_OF_TIME.index(law)]  # type: ignore[arg-type]  # a law
    assert verdict.kind is VerdictKind.REFUTED


def test_a_source_takes_its_part_off_the_rates() -> None:
    """Link 2 gains mass, so the law does not speak of it; its rates are those of closed motion."""
    robot = arm()
    specs = derive(robot, list(FUNCTIONS_OF_TIME)).specs
    assert all(v.kind is VerdictKind.PROVED for v in check_robot(robot, specs))
    rates = specs["inertial_parameter_rates"]
    assert rates.result.entries[10] == rates.graph.zero
