"""Laws of a robot whose mass is constant and at rest in its bodies."""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.identities.functions import Functions, Law, Sides
from symdyn.recipes import BASE_FUNCTION


def _equation_of_motion(f: Functions) -> Sides:
    M, C = f.matrix("mass_matrix"), f.matrix("coriolis_matrix")
    qd, qdd = f.vectors["qd"], f.vectors["qdd"]
    right = f.sum(f.apply(M, qdd), f.apply(C, qd), f.call("gravity_vector"))
    return f.call("inverse_dynamics"), right


def _columns(f: Functions) -> Sides:
    u = f.vectors["u"]
    at_rest = f.call("inverse_dynamics", qd=f.zeros, qdd=f.zeros)
    moved = f.call("inverse_dynamics", qd=f.zeros, qdd=u)
    return f.apply(f.matrix("mass_matrix"), u), f.minus(moved, at_rest)


def _symmetry(f: Functions) -> Sides:
    M = f.matrix("mass_matrix")
    below = [(i, j) for i in range(len(M)) for j in range(i)]
    return [M[i][j] for i, j in below], [M[j][i] for i, j in below]


def _rate_of_M(f: Functions) -> Sides:
    C = f.matrix("coriolis_matrix")
    n = len(C)
    both = [f.graph.add(C[i][j], C[j][i]) for i in range(n) for j in range(n)]
    return f.along(f.call("mass_matrix"), q="qd"), both


def _christoffel(f: Functions) -> Sides:
    graph = f.graph
    u, w, qd = f.vectors["u"], f.vectors["w"], f.vectors["qd"]
    M = f.matrix("mass_matrix")

    def along(direction: str, x: Sequence[int], y: Sequence[int]) -> int:
        return f.along([f.dot(x, f.apply(M, y))], q=direction)[0]

    # u'C w = 1/2 (d_qd (u'M w) + d_w (u'M qd) - d_u (w'M qd))
    first, second, third = along("qd", u, w), along("w", u, qd), along("u", w, qd)
    twice = graph.sub(graph.add(first, second), third)
    left = f.dot(u, f.apply(f.matrix("coriolis_matrix"), w))
    return [graph.add(left, left)], [twice]


def _regressor(f: Functions) -> Sides:
    torques = f.apply(f.matrix("regressor"), f.vectors["theta"])
    return f.sum(torques, f.rotor_torques(f.vectors["qdd"])), f.call("inverse_dynamics")


def _grouping(f: Functions) -> Sides:
    theta = [f.graph.symbol(f"theta[{k}]").id for k in range(10 * f.robot.n_bodies)]
    torques = f.apply(f.matrix("regressor"), theta)
    grouped = f.call("inverse_dynamics", beta=f.call(BASE_FUNCTION, theta=theta))
    return grouped, f.sum(torques, f.rotor_torques(f.vectors["qdd"]))


def _slotine_li(f: Functions) -> Sides:
    v, a = f.vectors["v"], f.vectors["a"]
    torques = f.apply(f.matrix("slotine_li_regressor"), f.vectors["theta"])
    M, C = f.matrix("mass_matrix"), f.matrix("coriolis_matrix")
    right = f.sum(f.apply(M, a), f.apply(C, v), f.call("gravity_vector"))
    return f.sum(torques, f.rotor_torques(a)), right


def _round_trip(f: Functions) -> Sides:
    torques = f.call("inverse_dynamics")
    return f.call("forward_dynamics", tau=torques), f.vectors["qdd"]


def _kinetic(f: Functions) -> Sides:
    qd = f.vectors["qd"]
    (T,) = f.call("kinetic_energy")
    return [f.graph.add(T, T)], [f.dot(qd, f.apply(f.matrix("mass_matrix"), qd))]


def _potential(f: Functions) -> Sides:
    slope = f.along(f.call("potential_energy"), q="u")
    return [f.dot(f.vectors["u"], f.call("gravity_vector"))], slope


def _power(f: Functions) -> Sides:
    T, U = f.call("kinetic_energy"), f.call("potential_energy")
    rate = f.along(f.sum(T, U), q="qd", qd="qdd")
    return [f.dot(f.vectors["qd"], f.call("inverse_dynamics"))], rate


def _twists(f: Functions) -> Sides:
    graph = f.graph
    pose = f.call("forward_kinematics")
    rate = f.along(pose, q="qd")
    twists = f.apply(f.matrix("body_jacobian"), f.vectors["qd"])
    left: list[int] = []
    right: list[int] = []
    for body in range(f.robot.n_bodies):
        at = 16 * body
        R = [[pose[at + 4 * i + j] for j in range(3)] for i in range(3)]
        v, (x, y, z) = twists[6 * body : 6 * body + 3], twists[6 * body + 3 : 6 * body + 6]
        zero, neg = graph.zero, graph.neg
        # columns of S(w): the derivative of the pose is pose times [[S(w), v], [0, 0]]
        columns = [[zero, z, neg(y)], [neg(z), zero, x], [y, neg(x), zero], list(v)]
        for j, column in enumerate(columns):
            left.extend(rate[at + 4 * i + j] for i in range(3))
            right.extend(f.apply(R, column))
    return left, right


#: Laws of constant mass.
LAWS_OF_CONSTANT_MASS: tuple[Law, ...] = (
    Law(
        "equation_of_motion",
        "inverse_dynamics = M qdd + C qd + g",
        ("inverse_dynamics", "mass_matrix", "coriolis_matrix", "gravity_vector"),
        _equation_of_motion,
    ),
    Law(
        "columns",
        "mass_matrix = columns of inverse_dynamics",
        ("mass_matrix", "inverse_dynamics"),
        _columns,
    ),
    Law("symmetry", "M = M'", ("mass_matrix",), _symmetry),
    Law("rate_of_M", "dM/dt = C + C'", ("mass_matrix", "coriolis_matrix"), _rate_of_M),
    Law(
        "christoffel",
        "coriolis_matrix = Christoffel symbols of mass_matrix",
        ("mass_matrix", "coriolis_matrix"),
        _christoffel,
    ),
    Law(
        "regressor",
        "regressor theta + armature qdd = inverse_dynamics",
        ("regressor", "inverse_dynamics"),
        _regressor,
    ),
    Law(
        "slotine_li",
        "slotine_li_regressor theta + armature a = M a + C v + g",
        ("slotine_li_regressor", "mass_matrix", "coriolis_matrix", "gravity_vector"),
        _slotine_li,
    ),
    Law(
        "round_trip",
        "forward_dynamics of inverse_dynamics = qdd",
        ("forward_dynamics", "inverse_dynamics"),
        _round_trip,
    ),
    Law(
        "kinetic_energy",
        "2 kinetic_energy = qd' M qd",
        ("kinetic_energy", "mass_matrix"),
        _kinetic,
    ),
    Law(
        "potential_energy",
        "gravity_vector = d potential_energy / dq",
        ("gravity_vector", "potential_energy"),
        _potential,
    ),
    Law(
        "power",
        "qd' inverse_dynamics = d/dt (kinetic_energy + potential_energy)",
        ("inverse_dynamics", "kinetic_energy", "potential_energy"),
        _power,
    ),
    Law(
        "twists",
        "body_jacobian qd = twists of the moving forward_kinematics",
        ("body_jacobian", "forward_kinematics"),
        _twists,
    ),
)

#: The law of grouped parameters.
GROUPING = Law(
    "grouping",
    "inverse_dynamics of base_parameters of theta = regressor theta + armature qdd",
    (BASE_FUNCTION, "inverse_dynamics", "regressor"),
    _grouping,
)
