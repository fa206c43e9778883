"""The generalized robotics equation by Lagrange, with explicit time, for small robots.

Two ways to the kinetic energy of a body whose frame moves with the twist (v; w):

- straight from its mass distribution, with no inertial parameter in between,
  T = 1/2 int rho ((1 - sigma) |u|^2 + sigma |u + R v_rel|^2), u = v + w x r + r', r = R x + p,
- from its moments, T = 1/2 (v; w)' Z(Phi) (v; w) + p.v + ell.w + nu / 2, equations (24)-(30).

Euler-Lagrange with d/dt = qd d/dq + qdd d/dqd + d/dt|explicit then gives the left side of (39) plus
J' Q Psi', for closed bodies and for mass that arrives at rest. `symdyn.dynamics.generalized` is the
other road; nothing is shared with it.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import sympy
from sympy.polys.polyutils import dict_from_expr

from symdyn._errors import SizeError
from symdyn.lagrange.coordinates import Coordinates
from symdyn.lagrange.energies import (
    body_twists,
    kinetic_energy,
    potential_energy,
    rotor_energy,
)
from symdyn.lagrange.equations import euler_lagrange
from symdyn.lagrange.kinematics import homogeneous_transforms, position_part, rotation_part
from symdyn.mass.body import MassDistribution, Part
from symdyn.mass.coordinates import TIME, Matrix, Vector, X, rate
from symdyn.mass.integrate import integral
from symdyn.mass.mass_moments import MassMoments, momentum
from symdyn.model.robot import PARAMETER_NAMES, Robot
from symdyn.spatial.vector import add, apply, cross, dot

_HALF = sympy.Rational(1, 2)


def kinetic_energy_of_mass(
    robot: Robot, x: Coordinates, bodies: Sequence[MassDistribution]
) -> sympy.Expr:
    """T(q, qd, t) of bodies that are given by their mass distributions, rotors included [J].

    Parameters
    ----------
    robot : its joints; the inertial parameters that it has itself do not count
    x : its coordinates
    bodies : one for each body of the robot, in the body's frame

    Raises
    ------
    SizeError : not one distribution per body
    InputError : an integral diverges
    UnsupportedError : an integral has no closed form
    """
    _one_per_body("kinetic_energy_of_mass", robot, len(bodies))
    v, w = _three("v"), _three("w")
    energies: list[sympy.Expr] = [rotor_energy(robot, x)]
    for body, twist in zip(bodies, body_twists(robot, x), strict=True):
        T = body_kinetic_energy(body, v, w)
        actual = [*twist[0].flat(), *twist[1].flat()]
        energies.append(_put(T, dict(zip((*v, *w), actual, strict=True))))
    return sympy.Add(*energies)


def potential_energy_of_mass(
    robot: Robot, x: Coordinates, bodies: Sequence[MassDistribution]
) -> sympy.Expr:
    """U(q, t) = -gravity . int rho r of bodies given by their mass distributions [J].

    Raises
    ------
    SizeError : not one distribution per body
    """
    _one_per_body("potential_energy_of_mass", robot, len(bodies))
    gravity = sympy.Matrix(x.numbers(robot.gravity))
    energies: list[sympy.Expr] = []
    for body, pose in zip(bodies, homogeneous_transforms(robot, x), strict=True):
        # the field of gravity along the axes of the body
        along = (rotation_part(pose).T * gravity).flat()
        fall = sum((one_part_weight(part, along) for part in body.parts), sympy.Integer(0))
        mass = sympy.Add(*(integral(part.domain, part.density) for part in body.parts))
        energies.append(-gravity.dot(position_part(pose)) * mass - fall)
    return sympy.Add(*energies)


def body_kinetic_energy(body: MassDistribution, v: Vector, w: Vector) -> sympy.Expr:
    """T of one body whose frame has the velocity v and the angular velocity w, body axes [J].

    Parameters
    ----------
    body : its mass
    v, w : three symbols each

    Notes
    -----
    The energy density is a polynomial in v and w; its coefficients are integrated one by one.
    """
    total: list[sympy.Expr] = []
    for part in body.parts:
        place = add(apply(part.rotation, X), part.at)
        carried = add(apply(_rates(part.rotation), X), _rate(part.at))
        u = add(add(v, cross(w, place)), carried)
        own = apply(part.rotation, part.velocity)
        moving = dot(u, own) + _HALF * dot(own, own)
        density = sympy.expand(_HALF * dot(u, u) + part.moving * moving)
        coefficients, _ = dict_from_expr(density, gens=(*v, *w))
        for powers, field in coefficients.items():
            factor = sympy.Mul(*(s**k for s, k in zip((*v, *w), powers, strict=True)))
            total.append(factor * integral(part.domain, part.density * field))
    return sympy.Add(*total)


def one_part_weight(part: Part, gravity: Sequence[sympy.Expr]) -> sympy.Expr:
    """gravity . int rho r of one part, both along the axes of the body [J]."""
    place = add(apply(part.rotation, X), part.at)
    return sympy.Add(
        *(g * integral(part.domain, part.density * r) for g, r in zip(gravity, place, strict=True))
    )


def kinetic_energy_of_moments(
    robot: Robot, x: Coordinates, bodies: Sequence[MassMoments]
) -> sympy.Expr:
    """T(q, qd, t) = qd' M qd / 2 + qd' J' Q Psi + sum(nu) / 2, rotors included [J].

    Parameters
    ----------
    robot, x : its joints and coordinates
    bodies : moments of each body, in place of the robot's own parameters

    Raises
    ------
    SizeError : not the moments of every body
    """
    _one_per_body("kinetic_energy_of_moments", robot, len(bodies))
    energies = [kinetic_energy(robot, _with_phi(x, bodies))]
    for body, (v, w) in zip(bodies, body_twists(robot, x), strict=True):
        energies.append(v.dot(sympy.Matrix(body.mu[:3])) + w.dot(sympy.Matrix(body.mu[3:])))
        energies.append(_HALF * body.nu)
    return sympy.Add(*energies)


def potential_energy_of_moments(
    robot: Robot, x: Coordinates, bodies: Sequence[MassMoments]
) -> sympy.Expr:
    """U(q, t), equation (36), with the moments in place of the robot's own parameters [J].

    Raises
    ------
    SizeError : not the moments of every body
    """
    _one_per_body("potential_energy_of_moments", robot, len(bodies))
    return potential_energy(robot, _with_phi(x, bodies))


def generalized_torques(
    T: sympy.Expr,
    U: sympy.Expr,
    x: Coordinates,
    rates: Mapping[sympy.Symbol, sympy.Expr] | None = None,
) -> sympy.Matrix:
    """The generalized forces of equation (39), (n, 1): d/dt dL/dqd - dL/dq with explicit time.

    Parameters
    ----------
    T, U : energies, functions of x.q, x.qd and of what changes with time
    x : the coordinates
    rates : derivative of each symbol that changes with time; the time itself if None
    """
    time: Mapping[sympy.Symbol, sympy.Expr] = {TIME: sympy.Integer(1)}
    return euler_lagrange(T, U, x.q, x.qd, x.qdd, time if rates is None else rates)


@dataclass(frozen=True, slots=True)
class FreeMoments:
    """Moments and their rates as letters: what holds for them holds for every mass distribution.

    Attributes
    ----------
    bodies : moments whose entries are symbols ``m_1``, ``psi4_1``, ``nu_1``, …, numbered by body
    rates : the symbol of the rate of each of them, ``m_1_dot``, …
    """

    bodies: tuple[MassMoments, ...]
    rates: Mapping[sympy.Symbol, sympy.Expr]


def free_moments(n_bodies: int) -> FreeMoments:
    """Moments of every body as independent real symbols, in the orders of (7) and (27)."""
    rates: dict[sympy.Symbol, sympy.Expr] = {}

    def letters(names: Sequence[str], body: int) -> list[sympy.Symbol]:
        found = [sympy.Symbol(f"{name}_{body}", real=True) for name in names]
        rates.update({s: sympy.Symbol(f"{s.name}_dot", real=True) for s in found})
        return found

    bodies: list[MassMoments] = []
    for k in range(1, n_bodies + 1):
        phi = letters(PARAMETER_NAMES, k)
        psi = letters([f"psi{i}" for i in range(1, 13)], k)
        (nu,) = letters(["nu"], k)
        psi_dot = [rates[s] for s in psi]
        bodies.append(
            MassMoments(
                tuple(phi),
                tuple(rates[s] for s in phi),
                nu,
                tuple(psi),
                tuple(psi_dot),
                momentum(psi),
                momentum(psi_dot),
            )
        )
    return FreeMoments(tuple(bodies), rates)


def _with_phi(x: Coordinates, bodies: Sequence[MassMoments]) -> Coordinates:
    return replace(x, theta=tuple(value for body in bodies for value in body.phi))


def _one_per_body(where: str, robot: Robot, given: int) -> None:
    if given != robot.n_bodies:
        raise SizeError(where, "bodies", robot.n_bodies, given, "Give one per body of the robot.")


def _three(name: str) -> Vector:
    a, b, c = (sympy.Dummy(f"{name}{k}", real=True) for k in (1, 2, 3))
    return a, b, c


def _put(value: sympy.Expr, values: Mapping[sympy.Expr, sympy.Expr]) -> sympy.Expr:
    return cast("sympy.Expr", value.xreplace(cast("dict[sympy.Basic, sympy.Basic]", dict(values))))


def _rate(v: Vector) -> Vector:
    return rate(v[0]), rate(v[1]), rate(v[2])


def _rates(m: Matrix) -> Matrix:
    return _rate(m[0]), _rate(m[1]), _rate(m[2])
