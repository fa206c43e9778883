"""Laws of the generalized equation (39), and of mass as a function of time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from symdyn.expr.derive import forward
from symdyn.identities.functions import Functions, Law, Sides
from symdyn.model.robot import TIME


def _mass_matrix_of(f: Functions, theta: str, a: Sequence[int]) -> list[int]:
    """M(q, theta) a without armature, from the regressor."""

    def at_rest(a: Sequence[int]) -> list[int]:
        # R(q, 0, 0, a) theta = M(q, theta) a + g(q, theta)
        R = f.matrix("slotine_li_regressor", qd=f.zeros, v=f.zeros, a=a)
        return f.apply(R, f.vectors[theta])

    return f.minus(at_rest(a), at_rest(f.zeros))


def _generalized(f: Functions) -> Sides:
    qd = f.vectors["qd"]
    right = f.sum(
        f.call("inverse_dynamics"),
        _mass_matrix_of(f, "theta_dot", qd),
        f.apply(f.matrix("gyroscopic_matrix"), qd),
        f.apply(f.matrix("momentum_map"), f.vectors["psi_dot"]),
    )
    return f.call("generalized_inverse_dynamics"), right


def _generalized_regressor(f: Functions) -> Sides:
    momenta = [f.momenta(name) for name in ("psi", "psi_dot")]
    columns = [*f.vectors["theta"], *f.vectors["theta_dot"], *momenta[0], *momenta[1]]
    torques = f.apply(f.matrix("generalized_regressor"), columns)
    torques = f.sum(torques, f.rotor_torques(f.vectors["qdd"]))
    return torques, f.call("generalized_inverse_dynamics")


def _generalized_round_trip(f: Functions) -> Sides:
    torques = f.call("generalized_inverse_dynamics")
    return f.call("generalized_forward_dynamics", tau=torques), f.vectors["qdd"]


def _generalized_kinetic(f: Functions) -> Sides:
    graph, qd = f.graph, f.vectors["qd"]
    (T,) = f.call("generalized_kinetic_energy")
    classical = f.dot(qd, f.apply(f.matrix("mass_matrix"), qd))
    mixed = f.dot(qd, f.apply(f.matrix("momentum_map"), f.vectors["psi"]))
    twice = graph.add(classical, graph.add(mixed, mixed))
    for own in f.vectors["nu"]:
        twice = graph.add(twice, own)
    return [graph.add(T, T)], [twice]


def _changing_mass(f: Functions) -> Sides:
    u = f.vectors["u"]
    return f.apply(f.matrix("changing_mass_matrix"), u), _mass_matrix_of(f, "theta_dot", u)


def _sources(f: Functions) -> Sides:
    flux = f.apply(f.matrix("momentum_map"), f.vectors["psi_source"])
    return f.call("source_torque"), f.sum(_mass_matrix_of(f, "theta_source", f.vectors["qd"]), flux)


def _gyroscopic(f: Functions) -> Sides:
    u, w = f.vectors["u"], f.vectors["w"]
    carried = f.apply(f.matrix("momentum_map"), f.vectors["psi"])
    (first,) = f.along([f.dot(u, carried)], q="w")
    (second,) = f.along([f.dot(w, carried)], q="u")
    left = f.dot(u, f.apply(f.matrix("gyroscopic_matrix"), w))
    return [left], [f.graph.sub(first, second)]


def _rates_of_time(f: Functions, name: str, rates: str, sources: str) -> Sides:
    """What a source takes off the rates is what it says it is."""
    slopes = forward(f.graph, f.call(name), f.vectors[TIME][0])
    whole = [f.graph.add(a, b) for a, b in zip(f.call(rates), f.call(sources), strict=True)]
    return whole, slopes


#: Laws of changing and moving mass.
LAWS_OF_CHANGING_MASS: tuple[Law, ...] = (
    Law(
        "generalized",
        "generalized_inverse_dynamics = inverse_dynamics + (M(q, theta_dot) + H) qd + J'Q psi_dot",
        (
            "generalized_inverse_dynamics",
            "inverse_dynamics",
            "slotine_li_regressor",
            "gyroscopic_matrix",
            "momentum_map",
        ),
        _generalized,
    ),
    Law(
        "generalized_round_trip",
        "generalized_forward_dynamics of generalized_inverse_dynamics = qdd",
        ("generalized_forward_dynamics", "generalized_inverse_dynamics"),
        _generalized_round_trip,
    ),
    Law(
        "generalized_regressor",
        "generalized_regressor (theta; theta_dot; mu; mu_dot) + armature qdd "
        "= generalized_inverse_dynamics",
        ("generalized_regressor", "generalized_inverse_dynamics"),
        _generalized_regressor,
    ),
    Law(
        "generalized_kinetic_energy",
        "2 generalized_kinetic_energy = qd' M qd + 2 qd' J'Q psi + sum(nu)",
        ("generalized_kinetic_energy", "mass_matrix", "momentum_map"),
        _generalized_kinetic,
    ),
    Law(
        "changing_mass_matrix",
        "changing_mass_matrix = M(q, theta_dot) of the regressor",
        ("changing_mass_matrix", "slotine_li_regressor"),
        _changing_mass,
    ),
    Law(
        "source_torque",
        "source_torque = M(q, theta_source) qd + J'Q psi_source",
        ("source_torque", "slotine_li_regressor", "momentum_map"),
        _sources,
    ),
    Law(
        "gyroscopic",
        "gyroscopic_matrix_ij = d(J'Q psi)_i / dq_j - d(J'Q psi)_j / dq_i",
        ("gyroscopic_matrix", "momentum_map"),
        _gyroscopic,
    ),
)

#: Laws of the functions of time that a robot with changing or moving mass has.
LAWS_OF_TIME: tuple[Law, ...] = tuple(
    Law(
        rates,
        f"{rates} + {sources} = d/dt {name}",
        (name, rates, sources),
        partial(_rates_of_time, name=name, rates=rates, sources=sources),
    )
    for name, rates, sources in (
        ("inertial_parameters", "inertial_parameter_rates", "inertial_parameter_sources"),
        ("relative_momentum", "relative_momentum_rates", "relative_momentum_sources"),
    )
)
