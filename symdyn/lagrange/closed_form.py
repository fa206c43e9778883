"""The equations of a small robot as a textbook prints them.

Energies, then M as the Hessian of T, C from the derivatives of M, g from U; each is brought to
the normal form of trigonometric polynomials (`symdyn.expr.trig_form`) and grouped. Nothing is
simplified by search: a planar arm comes out in cos(q1 + q2) because that is its normal form.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from symdyn._errors import UnsupportedError
from symdyn.algebra.term import Term
from symdyn.expr.textbook import to_sympy
from symdyn.expr.trig_form import TrigAlgebra, TrigForm
from symdyn.lagrange.coordinates import Coordinates, coordinates
from symdyn.lagrange.energies import body_twists, kinetic_energy, potential_energy
from symdyn.lagrange.equations import coriolis_matrix, gravity_vector, mass_matrix
from symdyn.model.robot import Robot
from symdyn.spatial.momentum import ANGULAR, MOMENTUM_NAMES

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """M qdd + C qd + g = tau of one robot in closed form.

    Attributes
    ----------
    coordinates : the symbols
    T, U : kinetic and potential energy
    M : (n, n) mass matrix
    C : (n, n) Coriolis matrix from Christoffel symbols
    g : (n, 1) gravity vector
    """

    coordinates: Coordinates
    T: sympy.Expr
    U: sympy.Expr
    M: sympy.Matrix
    C: sympy.Matrix
    g: sympy.Matrix


@dataclass(frozen=True, slots=True)
class MomentumForm:
    """What moving mass adds, in the letters p1_1 … ell3_N of its momenta, body by body.

    Attributes
    ----------
    carried : (n, 1) J'Q Psi, the generalized momentum of the mass that moves in the bodies
    H : (n, n) gyroscopic matrix, skew
    """

    carried: sympy.Matrix
    H: sympy.Matrix


def in_letters(robot: Robot) -> Robot:
    """The robot with its declared parameters as letters, in place of free inertial parameters.

    Every declared parameter becomes an argument and every inertial parameter the expression that
    the file states, so that closed forms print m1, l1, lc1, I1 where the file declares them.
    """
    return replace(
        robot,
        parameters=tuple(replace(p, is_argument=True) for p in robot.parameters),
        bodies=tuple(replace(body, symbolic=(False,) * 10) for body in robot.bodies),
    )


def closed_form(robot: Robot, *, limit: int = 2_000_000) -> ClosedForm:
    """The closed form of a small robot.

    Parameters
    ----------
    robot : up to about three joints with all inertial parameters free
    limit : budget of term updates of each normal form

    Raises
    ------
    FormTooBigError : the robot is too big for a closed form
    """
    import sympy

    x = coordinates(robot)
    n = robot.n
    masses = tuple(s.name for s in _inertial_symbols(robot, x))
    rates = tuple(s.name for s in x.qd)
    (T,) = normal_form([kinetic_energy(robot, x)], collect=masses, rates=rates, limit=limit)
    (U,) = normal_form([potential_energy(robot, x)], collect=masses, limit=limit)
    inertia = normal_form(mass_matrix(T, x.qd).flat(), collect=masses, limit=limit)
    M = sympy.Matrix(n, n, inertia)
    coriolis = coriolis_matrix(M, x.q, x.qd).flat()
    gravity = gravity_vector(U, x.q).flat()
    return ClosedForm(
        coordinates=x,
        T=T,
        U=U,
        M=M,
        C=sympy.Matrix(n, n, normal_form(coriolis, collect=masses, rates=rates, limit=limit)),
        g=sympy.Matrix(n, 1, normal_form(gravity, collect=masses, limit=limit)),
    )


def momentum_form(robot: Robot, *, limit: int = 2_000_000) -> MomentumForm:
    """J'Q Psi = d/dqd of sum(v . p + w . l), equation (30), and H = its curl, equation (43).

    Parameters
    ----------
    robot : a small one in which mass moves; momenta that are zero in it have no letter
    limit : budget of term updates of each normal form

    Raises
    ------
    FormTooBigError : the robot is too big for a closed form
    """
    import sympy

    x = coordinates(robot)
    n = robot.n
    carried = sympy.zeros(n, 1)
    letters: list[str] = []
    for k, (body, twist) in enumerate(zip(robot.bodies, body_twists(robot, x), strict=True)):
        if body.motion is None:
            continue
        moving = _moving(body.motion.psi)
        for name, component in zip(MOMENTUM_NAMES, (*twist[0], *twist[1]), strict=True):
            if name in moving:
                letter = sympy.Symbol(f"{name.replace('l', 'ell')}_{k + 1}", real=True)
                letters.append(letter.name)
                carried += letter * sympy.Matrix([sympy.diff(component, rate) for rate in x.qd])
    carried = sympy.Matrix(n, 1, normal_form(carried.flat(), collect=letters, limit=limit))
    slopes = carried.jacobian(x.q)
    gyroscopic = normal_form((slopes - slopes.T).flat(), collect=letters, limit=limit)
    return MomentumForm(carried, sympy.Matrix(n, n, gyroscopic))


def _moving(psi: Sequence[Term]) -> set[str]:
    """Names of the momenta that are not identically zero."""
    parts = [*((k,) for k in range(3)), *ANGULAR]
    return {
        name
        for name, entries in zip(MOMENTUM_NAMES, parts, strict=True)
        if any(psi[k].rational != 0 for k in entries)
    }


def _inertial_symbols(robot: Robot, x: Coordinates) -> list[sympy.Symbol]:
    """What terms are grouped by: free inertial parameters and declared masses and inertias."""
    import sympy

    found = [value for value in x.theta if isinstance(value, sympy.Symbol)]
    found.extend(sympy.Symbol(p.name) for p in robot.parameters if p.is_argument and "kg" in p.unit)
    return found


def normal_form(
    expressions: Sequence[sympy.Expr],
    *,
    collect: Sequence[str] = (),
    rates: Sequence[str] = (),
    limit: int = 2_000_000,
) -> list[sympy.Expr]:
    """Expressions in normal form, grouped as `symdyn.expr.textbook.to_sympy` does."""
    return to_sympy(forms_of(expressions, limit=limit), collect=collect, rates=rates)


def forms_of(expressions: Sequence[sympy.Expr], *, limit: int = 2_000_000) -> list[TrigForm]:
    """Normal forms of SymPy expressions, over one algebra so that they can be compared.

    Raises
    ------
    FormTooBigError : the budget is used up
    UnsupportedError : a number or a function that has no exact meaning here
    """
    algebra = TrigAlgebra(limit)
    known: dict[sympy.Basic, TrigForm] = {}
    for root in expressions:
        stack: list[sympy.Basic] = [root]
        while stack:
            e = stack[-1]
            missing = [a for a in e.args if a not in known]
            if e in known or not missing:
                stack.pop()
                if e not in known:
                    known[e] = _form(e, [known[a] for a in e.args], algebra)
            else:
                stack.extend(missing)
    return [known[root] for root in expressions]


def _form(e: sympy.Basic, args: list[TrigForm], algebra: TrigAlgebra) -> TrigForm:
    import sympy

    match e:
        case sympy.Symbol():
            return algebra.symbol(e.name)
        case sympy.Rational():
            return algebra.const(Fraction(int(e.p), int(e.q)))
        case sympy.Add():
            total = algebra.const(0)
            for a in args:
                total = total + a
            return total
        case sympy.Mul():
            product = algebra.const(1)
            for a in args:
                product = product * a
            return product
        case sympy.Pow() if isinstance(e.exp, sympy.Integer):
            return algebra.powi(args[0], int(e.exp))
        case sympy.Pow() if isinstance(e.exp, sympy.Rational) and e.exp.q == 2:
            return algebra.powi(algebra.sqrt(args[0]), int(e.exp.p))
        case sympy.sin():
            return algebra.sin(args[0])
        case sympy.cos():
            return algebra.cos(args[0])
        case _ if e is sympy.pi:
            return algebra.pi()
        case _:
            raise UnsupportedError(
                f"normal_form: {type(e).__name__} in {str(e)[:60]!r} is no part of a trigonometric "
                "polynomial. Supported: rational numbers, pi, symbols, + - * /, whole powers, "
                "square roots, sin, cos."
            )
