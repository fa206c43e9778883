"""Laws of the functions of friction: what it takes of the energy, and the equations with it."""

from __future__ import annotations

from functools import partial

from symdyn.identities.functions import Functions, Law, Sides


def _friction_power(f: Functions) -> Sides:
    total = f.graph.zero
    for power in f.friction.powers():
        total = f.graph.add(total, power.id)
    return [f.dot(f.vectors["qd"], f.call("friction_torque"))], [total]


def _with_friction(f: Functions, name: str) -> Sides:
    both = f.sum(f.call(name), f.call("friction_torque"))
    return f.call(f"{name}_with_friction"), both


def _round_trip_with_friction(f: Functions, prefix: str) -> Sides:
    torques = f.call(f"{prefix}inverse_dynamics_with_friction")
    return f.call(f"{prefix}forward_dynamics_with_friction", tau=torques), f.vectors["qdd"]


def _power_with_friction(f: Functions) -> Sides:
    """The balance for every acceleration: no division, so the normal form takes it."""
    T, U, qd = f.call("kinetic_energy"), f.call("potential_energy"), f.vectors["qd"]
    rate = f.along(f.sum(T, U), q="qd", qd="qdd")
    taken = f.dot(qd, f.call("friction_torque"))
    return [f.dot(qd, f.call("inverse_dynamics_with_friction"))], f.sum(rate, [taken])


def _energy_balance(f: Functions) -> Sides:
    T, U = f.call("kinetic_energy"), f.call("potential_energy")
    qdd = f.call("forward_dynamics_with_friction")
    rate = f.along(f.sum(T, U), q="qd", qd=qdd)
    net = f.minus(f.vectors["tau"], f.call("friction_torque"))
    return rate, [f.dot(f.vectors["qd"], net)]


#: Laws of the functions of friction.
LAWS_OF_FRICTION: tuple[Law, ...] = (
    Law(
        "friction_power",
        "qd' friction_torque = sum over the joints of velocity times the force of its law",
        ("friction_torque",),
        _friction_power,
    ),
    *(
        Law(
            f"{name}_with_friction",
            f"{name}_with_friction = {name} + friction_torque",
            (f"{name}_with_friction", name, "friction_torque"),
            partial(_with_friction, name=name),
        )
        for name in ("inverse_dynamics", "generalized_inverse_dynamics")
    ),
    *(
        Law(
            f"{prefix}round_trip_with_friction",
            f"{prefix}forward_dynamics_with_friction of "
            f"{prefix}inverse_dynamics_with_friction = qdd",
            (
                f"{prefix}forward_dynamics_with_friction",
                f"{prefix}inverse_dynamics_with_friction",
            ),
            partial(_round_trip_with_friction, prefix=prefix),
        )
        for prefix in ("", "generalized_")
    ),
    Law(
        "power_with_friction",
        "qd' inverse_dynamics_with_friction = d/dt (kinetic_energy + potential_energy) "
        "+ qd' friction_torque",
        (
            "inverse_dynamics_with_friction",
            "friction_torque",
            "kinetic_energy",
            "potential_energy",
        ),
        _power_with_friction,
    ),
    Law(
        "energy_balance",
        "d/dt (kinetic_energy + potential_energy) along forward_dynamics_with_friction "
        "= qd' tau - qd' friction_torque",
        (
            "forward_dynamics_with_friction",
            "friction_torque",
            "kinetic_energy",
            "potential_energy",
        ),
        _energy_balance,
    ),
)
