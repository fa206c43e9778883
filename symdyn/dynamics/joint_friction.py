"""Friction of all joints of a robot by their laws, over any number kind.

A joint without a law has a viscous and a Coulomb coefficient. A joint that follows another adds its
friction to the coordinate times its multiplier, so the power of friction is that of the joints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from symdyn.algebra.protocol import S
from symdyn.algebra.term import Term
from symdyn.dynamics.transform import coordinate_of
from symdyn.friction.catalog import law_named
from symdyn.friction.law import FrictionLaw, Quantity
from symdyn.friction.viscous_coulomb import viscous_coulomb
from symdyn.model.over import Link, Model
from symdyn.model.robot import Joint, Robot

#: Parameters of a joint without a law.
_COEFFICIENTS = (
    Quantity("damping", "N m s/rad", "viscous coefficient"),
    Quantity("friction", "N m", "Coulomb level"),
)
#: Signals of laws: the argument that holds them, its unit and text.
SIGNALS: dict[str, tuple[str, str, str]] = {
    "position": ("q", "rad | m", "joint positions"),
    "load": ("load", "N m | N", "torques that press the surfaces, one a coordinate"),
    "temperature": ("temperature", "K", "temperatures on the scale of the parameters, likewise"),
}


@dataclass(frozen=True, slots=True)
class JointFrictionData:
    """Friction of one joint: its law, None for the two coefficients, and where its numbers stand.

    Attributes
    ----------
    joint : the joint
    law : from the catalogue, or None
    parameters, states : their quantities
    first, first_state : index of the first of them in ``friction`` and ``friction_state``
    """

    joint: Joint
    law: FrictionLaw | None
    parameters: tuple[Quantity, ...]
    states: tuple[Quantity, ...]
    first: int
    first_state: int


def has_laws(robot: Robot) -> bool:
    """Whether some joint has a friction law."""
    return any(joint.law is not None for joint in robot.joints)


def has_friction(robot: Robot) -> bool:
    """Whether some joint has a friction law, or a coefficient that is not identically zero."""
    return has_laws(robot) or any(
        term.rational != 0 for joint in robot.joints for term in (joint.damping, joint.friction)
    )


def joint_friction(robot: Robot) -> tuple[JointFrictionData, ...]:
    """Friction of each joint, in the order of the joints."""
    out: list[JointFrictionData] = []
    first = first_state = 0
    for joint in robot.joints:
        law = None if joint.law is None else law_named(joint.law.name)
        parameters = _COEFFICIENTS if law is None else law.parameters
        states = () if law is None else law.states
        out.append(JointFrictionData(joint, law, parameters, states, first, first_state))
        first += len(parameters)
        first_state += len(states)
    return tuple(out)


def friction_terms(robot: Robot) -> list[Term]:
    """Parameters of the friction of all joints, exact: the robot's own vector ``friction``."""
    out: list[Term] = []
    for joint in robot.joints:
        out += (joint.damping, joint.friction) if joint.law is None else joint.law.values
    return out


@dataclass(frozen=True, slots=True)
class FrictionOver(Generic[S]):
    """Friction of a robot's joints over one number kind.

    Attributes
    ----------
    data : of each joint
    model : the robot
    vectors : ``qd``, ``friction``, and as far as the laws need them ``q``, ``friction_state``,
        ``load``, ``temperature``
    """

    data: tuple[JointFrictionData, ...]
    model: Model[S]
    vectors: Mapping[str, Sequence[S]]

    def _joints(self) -> Iterable[tuple[JointFrictionData, Link[S]]]:
        return zip(self.data, self.model.links, strict=True)

    def _parameters(self, d: JointFrictionData) -> dict[str, S]:
        found = self.vectors["friction"][d.first : d.first + len(d.parameters)]
        return {q.name: value for q, value in zip(d.parameters, found, strict=True)}

    def _states(self, d: JointFrictionData) -> list[S]:
        last = d.first_state + len(d.states)
        return list(self.vectors["friction_state"][d.first_state : last]) if d.states else []

    def _velocity(self, link: Link[S]) -> S:
        return coordinate_of(link, self.vectors["qd"])

    def _signals(self, d: JointFrictionData, link: Link[S]) -> dict[str, S]:
        if d.law is None:
            return {}
        out: dict[str, S] = {}
        for q in d.law.signals:
            vector = self.vectors[SIGNALS[q.name][0]]
            if q.name == "position":
                out[q.name] = coordinate_of(link, vector) + link.offset
            else:
                out[q.name] = vector[link.coordinate]
        return out

    def _force(self, d: JointFrictionData, link: Link[S], p: Mapping[str, S]) -> S:
        A, v = self.model.algebra, self._velocity(link)
        if d.law is None:
            return viscous_coulomb(A, v, p["damping"], p["friction"])
        return d.law.force(A, v, self._states(d), self._signals(d, link), p)

    def torque(self, zeroed: Sequence[int] = ()) -> list[S]:
        """friction_torque, some parameters put to zero."""
        zero = self.model.algebra.const(0)
        out = [zero] * self.model.n
        for d, link in self._joints():
            p = {
                name: zero if d.first + k in zeroed else value
                for k, (name, value) in enumerate(self._parameters(d).items())
            }
            force = self._force(d, link, p)
            felt = link.multiplier * force if link.has_multiplier else force
            out[link.coordinate] = out[link.coordinate] + felt
        return out

    def powers(self) -> list[S]:
        """What friction takes at each joint: its velocity times its law's force [W]."""
        return [
            self._velocity(link) * self._force(d, link, self._parameters(d))
            for d, link in self._joints()
        ]

    def rates(self) -> list[S]:
        """friction_state_rate"""
        A, out = self.model.algebra, list[S]()
        for d, link in self._joints():
            if d.law is not None and d.law.rate is not None:
                v, u, p = self._velocity(link), self._signals(d, link), self._parameters(d)
                out += d.law.rate(A, v, self._states(d), u, p)
        return out

    def updates(self, dt: S) -> list[S]:
        """friction_state_update"""
        A, out = self.model.algebra, list[S]()
        for d, link in self._joints():
            if d.law is not None and d.law.update is not None:
                v, u, p = self._velocity(link), self._signals(d, link), self._parameters(d)
                out += d.law.update(A, v, self._states(d), u, p, dt)
        return out

    def bounds(self) -> list[S]:
        """Least and greatest friction of each coordinate at rest, alternating."""
        A, zero = self.model.algebra, self.model.algebra.const(0)
        low, high = [zero] * self.model.n, [zero] * self.model.n
        for d, link in self._joints():
            a, b = self._ends(d, link)
            if link.has_multiplier:
                a, b = link.multiplier * a, link.multiplier * b
                a, b = A.binary("min", a, b), A.binary("max", a, b)
            low[link.coordinate] = low[link.coordinate] + a
            high[link.coordinate] = high[link.coordinate] + b
        return [end for pair in zip(low, high, strict=True) for end in pair]

    def _ends(self, d: JointFrictionData, link: Link[S]) -> tuple[S, S]:
        p = self._parameters(d)
        if d.law is None:
            return -p["friction"], p["friction"]
        A, u = self.model.algebra, self._signals(d, link)
        if d.law.at_rest is not None:
            return d.law.at_rest(A, u, p)
        held = d.law.force(A, A.const(0), self._states(d), u, p)
        return held, held
