"""The energy balance of a robot with friction, proved: dE/dt = qd'tau - qd'friction."""

from __future__ import annotations

from dataclasses import replace

import pytest

from symdyn import derive, load_robot
from symdyn.algebra.term import ZERO, number
from symdyn.expr.copy import copy_into
from symdyn.expr.derive import forward_along
from symdyn.expr.graph import Graph
from symdyn.expr.identity import equal
from symdyn.expr.verdict import VerdictKind
from symdyn.friction.catalog import LAWS
from symdyn.friction.example import EXAMPLES
from symdyn.model.robot import JointLaw, Robot

NEEDED = (
    "inverse_dynamics", "kinetic_energy", "potential_energy", "friction_torque", "mass_matrix",
    "coriolis_matrix",
)  # fmt: skip


def with_law(robot: Robot, name: str) -> Robot:
    law = JointLaw(name, tuple(number(str(value)) for value in EXAMPLES[name].values()))
    joints = (replace(j, law=law, damping=ZERO, friction=ZERO) for j in robot.joints)
    return replace(robot, joints=tuple(joints))


class Terms:
    """All that the balance needs, in one graph."""

    def __init__(self, robot: Robot) -> None:
        self.n, self.graph = robot.n, Graph()
        specs = derive(robot, NEEDED).specs
        found = {
            name: copy_into(s.graph, s.result.entries, self.graph) for name, s in specs.items()
        }
        self.tau, self.friction = found["inverse_dynamics"], found["friction_torque"]
        (T,), (U,) = found["kinetic_energy"], found["potential_energy"]
        self.energy = self.graph.add(T, U)
        self.M, self.C = found["mass_matrix"], found["coriolis_matrix"]
        self.q, self.qd, self.qdd = (
            [self.graph.symbol(f"{s}[{i}]").id for i in range(self.n)] for s in ("q", "qd", "qdd")
        )

    def power(self, torque: list[int]) -> int:
        total = self.graph.zero
        for v, t in zip(self.qd, torque, strict=True):
            total = self.graph.add(total, self.graph.mul(v, t))
        return total


@pytest.mark.parametrize("name", ["coulomb", "viscous", "stribeck", "lugre", "ripple"])
def test_the_energy_falls_by_what_friction_takes(name: str) -> None:
    """tau on the equation's right side: M qdd + C qd + g + friction = tau. Exact, for all states
    and all inertial and friction parameters."""
    x = Terms(with_law(load_robot("planar2r"), name))
    graph = x.graph
    (rate,) = forward_along(graph, [x.energy], dict(zip(x.q + x.qd, x.qd + x.qdd, strict=True)))
    driven = [graph.add(t, f) for t, f in zip(x.tau, x.friction, strict=True)]
    balance = graph.sub(x.power(driven), x.power(x.friction))
    assert equal(graph, [rate], [balance]).kind is VerdictKind.PROVED
    wrong = graph.add(x.power(driven), x.power(x.friction))
    assert equal(graph, [rate], [wrong]).kind is VerdictKind.REFUTED


def test_the_rate_of_the_mass_matrix_less_twice_coriolis_is_skew() -> None:
    x = Terms(load_robot("planar2r"))
    graph, n = x.graph, x.n
    rate = forward_along(graph, x.M, dict(zip(x.q, x.qd, strict=True)))
    two = graph.const_id(2)
    skew = [graph.sub(m, graph.mul(two, c)) for m, c in zip(rate, x.C, strict=True)]
    flipped = [graph.neg(skew[j * n + i]) for i in range(n) for j in range(n)]
    assert equal(graph, skew, flipped).kind is VerdictKind.PROVED


def test_the_power_of_a_passive_law_is_not_negative() -> None:
    """With what is proved of the law alone, the balance makes friction dissipate in any robot."""
    from symdyn.analysis import static_passivity

    for name in ("coulomb", "viscous", "stribeck"):
        assert static_passivity(LAWS[name], EXAMPLES[name]).kind is VerdictKind.PROVED
