"""The textbook road against textbooks, hand-made systems, SymPy's own, and the recursions."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy

from symdyn import dynamics
from symdyn._errors import UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import ONE, ZERO, lift, number, parameter
from symdyn.expr.trig_form import FormTooBigError
from symdyn.lagrange.closed_form import closed_form, forms_of, normal_form
from symdyn.lagrange.coordinates import coordinates
from symdyn.lagrange.energies import kinetic_energy, potential_energy
from symdyn.lagrange.equations import (
    coriolis_matrix,
    euler_lagrange,
    gravity_vector,
    mass_matrix,
)
from symdyn.lagrange.kinematics import (
    geometric_jacobians,
    homogeneous_transforms,
    position_part,
    rotation_part,
    skew,
)
from symdyn.model.over import over
from symdyn.model.robot import Body, Joint, JointKind, Parameter, Robot
from symdyn.recipes import theta_terms
from tests.robots import random_robot

UNTURNED = ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE))
X, Z = (ONE, ZERO, ZERO), (ZERO, ZERO, ONE)


def planar_arm(n: int) -> Robot:
    """n links in the plane with masses m, lengths l, centres lc, inertias I; gravity g along -y."""
    bodies: list[Body] = []
    joints: list[Joint] = []
    parameters = [Parameter("g", Fraction(981, 100), "m/s^2", True)]
    for i in range(1, n + 1):
        m, lc, inertia = parameter(f"m{i}"), parameter(f"lc{i}"), parameter(f"I{i}")
        about_origin = inertia + m * lc * lc
        phi = (m, m * lc, ZERO, ZERO, ZERO, about_origin, about_origin, ZERO, ZERO, ZERO)
        bodies.append(Body(f"link{i}", phi, (), (False,) * 10))
        offset = (parameter(f"l{i - 1}") if i > 1 else ZERO, ZERO, ZERO)
        joints.append(Joint(f"joint{i}", JointKind.REVOLUTE, i - 2, UNTURNED, offset, Z, i - 1))
        units = {"m": "kg", "l": "m", "lc": "m", "I": "kg m^2"}
        parameters.extend(
            Parameter(f"{s}{i}", Fraction(1), unit, True) for s, unit in units.items()
        )
    return Robot(
        f"planar {n}R",
        tuple(bodies),
        tuple(joints),
        tuple(j.name for j in joints),
        (ZERO, -parameter("g"), ZERO),
        tuple(parameters),
    )


def texts(matrix: sympy.Matrix) -> list[str]:
    return [str(entry) for entry in matrix.flat()]


def same(left: object, right: object, rel: float = 1e-9, abs: float = 1e-12) -> None:
    """Equal within what rounding of the expected doubles and of some thousand terms leaves."""
    np.testing.assert_allclose(np.array(left, float), np.array(right, float), rel, abs)


def numbers(matrix: sympy.Matrix, values: dict[str, float]) -> np.ndarray:
    """A matrix of a closed form at given values of its symbols, by name."""
    table = {s: values[s.name] for s in matrix.free_symbols}
    return np.array(matrix.subs(table).evalf(17), float)


# -- closed forms ---------------------------------------------------------------------------------


def test_two_link_arm_comes_out_as_the_textbook_prints_it() -> None:
    """Siciliano et al. 2009, section 7.3.2: equations (7.80)-(7.83) without motors."""
    form = closed_form(planar_arm(2))
    assert texts(form.M) == [
        "I1 + I2 + lc1**2*m1 + m2*(l1**2 + 2*l1*lc2*cos(q2) + lc2**2)",
        "I2 + lc2*m2*(l1*cos(q2) + lc2)",
        "I2 + lc2*m2*(l1*cos(q2) + lc2)",
        "I2 + lc2**2*m2",
    ]
    assert texts(form.C) == [
        "-l1*lc2*m2*qd2*sin(q2)",
        "-l1*lc2*m2*(qd1 + qd2)*sin(q2)",
        "l1*lc2*m2*qd1*sin(q2)",
        "0",
    ]
    assert texts(form.g) == [
        "g*(lc1*m1*cos(q1) + m2*(l1*cos(q1) + lc2*cos(q1 + q2)))",
        "g*lc2*m2*cos(q1 + q2)",
    ]


def test_three_link_arm_has_its_gravity_in_sums_of_angles() -> None:
    form = closed_form(planar_arm(3))
    assert texts(form.g)[2] == "g*lc3*m3*cos(q1 + q2 + q3)"
    assert texts(form.M)[2] == "I3 + lc3*m3*(l1*cos(q2 + q3) + l2*cos(q3) + lc3)"


def test_free_inertial_parameters_are_grouped_by_parameter() -> None:
    robot = planar_arm(2)
    free = tuple(replace(body, symbolic=(True,) * 10) for body in robot.bodies)
    form = closed_form(replace(robot, bodies=free))
    assert texts(form.M)[0] == ("I33_1 + I33_2 + 2*h1_2*l1*cos(q2) - 2*h2_2*l1*sin(q2) + l1**2*m_2")


def test_closed_form_stops_at_its_budget() -> None:
    with pytest.raises(FormTooBigError, match="100 term updates"):
        closed_form(random_robot(0, 3), limit=100)


def test_a_parameter_called_like_a_coordinate_is_another_symbol() -> None:
    robot = planar_arm(1)
    body = replace(robot.bodies[0], phi=(parameter("q1"), *robot.bodies[0].phi[1:]))
    parameters = (*robot.parameters, Parameter("q1", Fraction(2), "kg", True))
    x = coordinates(replace(robot, bodies=(body,), parameters=parameters))
    assert str(x.q[0]) == "q1"
    assert str(x.theta[0]) == "q1_"


# -- equations ------------------------------------------------------------------------------------


def test_christoffel_and_another_factorisation_of_the_same_vector() -> None:
    """Only the Christoffel C makes dM/dt - 2C skew; C' = dM/dt - (d(M qd)/dq)'/2 does not."""
    q, qd = sympy.symbols("q1 q2", real=True), sympy.symbols("qd1 qd2", real=True)
    c2 = sympy.cos(q[1])
    half = sympy.Rational(1, 2)
    M = sympy.Matrix([[3 + 2 * c2, half + c2], [half + c2, half]])
    C = coriolis_matrix(M, q, qd)
    s2, (d1, d2) = sympy.sin(q[1]), qd
    expected = [-d2 * s2, -(d1 + d2) * s2, d1 * s2, 0]
    assert forms_zero([a - b for a, b in zip(C.flat(), expected, strict=True)])
    state = {q[0]: 0.3, q[1]: 0.7, d1: 1.2, d2: -0.5}
    same(C.subs(state), [[0.3221088436188455, -0.45095238106638375], [0.7730612246852293, 0.0]])
    rate = M.diff(q[0]) * d1 + M.diff(q[1]) * d2
    other = rate - half * (M * sympy.Matrix(qd)).jacobian(list(q)).T
    same(
        other.subs(state),
        [[0.644217687237691, 0.3221088436188455], [0.9341156464946521, 0.38653061234261465]],
    )
    for factorisation in (C, other):
        vector = (factorisation * sympy.Matrix(qd)).subs(state).flat()
        same(vector, [0.6120068028758066, 0.9276734696222751])
    assert forms_zero((rate - C - C.T).flat())
    same(
        (2 * rate - 2 * other - 2 * other.T).subs(state),
        [[-1.288435374475382, -1.8682312929893041], [-1.8682312929893041, -1.5461224493704586]],
    )


def forms_zero(expressions: list[sympy.Expr]) -> bool:
    return all(form.is_zero for form in forms_of(expressions))


def test_point_masses_of_the_textbook_with_gravity_in_the_plane() -> None:
    form = closed_form(planar_arm(2))
    values = {
        "m1": 1, "m2": 2, "l1": 1.0, "l2": 0.5, "lc1": 1.0, "lc2": 0.5, "I1": 0, "I2": 0, "g": 9.81,
        "q1": 0.3, "q2": 0.4, "qd1": 0.5, "qd2": -0.6,
    }  # fmt: skip
    qd, qdd = np.array([0.5, -0.6]), np.array([0.7, 0.8])
    M, C, g = (numbers(matrix, values) for matrix in (form.M, form.C, form.g))
    same(M, [[5.34212198800577, 1.421060994002885], [1.421060994002885, 0.5]])
    same(C @ qd, [0.09346040215407612, 0.09735458557716263])
    same(g.ravel(), [35.61865473222742, 7.503101857260832])
    same(M @ qdd + C @ qd + g.ravel(), [40.588449321187845, 8.995199138640015])


def test_triple_pendulum_in_absolute_angles_without_a_symbolic_solve() -> None:
    """T and U of point masses go straight in; the accelerations are solved in numbers."""
    th, w, acc = (sympy.symbols(f"{s}1:4", real=True) for s in ("th", "w", "a"))
    masses, rods = (1, 2, sympy.Rational(3, 2)), [sympy.Rational(k, 10) for k in (7, 5, 3)]
    gravity = sympy.Rational(981, 100)
    x = y = sympy.S.Zero
    T = U = sympy.S.Zero
    for k in range(3):
        x, y = x + rods[k] * sympy.sin(th[k]), y - rods[k] * sympy.cos(th[k])
        vx = sum(sympy.diff(x, th[j]) * w[j] for j in range(3))
        vy = sum(sympy.diff(y, th[j]) * w[j] for j in range(3))
        T = T + masses[k] * (vx**2 + vy**2) / 2
        U = U + masses[k] * gravity * y
    equations = euler_lagrange(T, U, th, w, acc)
    state = dict(zip((*th, *w), (0.4, -0.3, 0.9, 0.5, -1.0, 0.2), strict=True))
    M = np.array(mass_matrix(T, w).subs(state), float)
    same(
        M,
        [
            [2.2049999999999996, 0.9369316794234983, 0.27643850699546735],
            [0.9369316794234983, 0.875, 0.08153049475725156],
            [0.27643850699546735, 0.08153049475725156, 0.13499999999999998],
        ],
    )
    bias = np.array(equations.subs(dict.fromkeys(acc, 0)).subs(state), float).ravel()
    same(np.linalg.solve(M, -bias), [-13.2884115582262, 21.493743116364524, -13.217978200172881])
    # the closed form says cos of differences of the angles, as textbooks do
    assert texts(sympy.Matrix(normal_form(mass_matrix(T, w).flat())))[1] == "49*cos(th1 - th2)/40"


def test_revolute_prismatic_arm() -> None:
    """A turn about -y, then a shift along x from 0.2 m; centres of mass 0.3 m and 0.1 m out."""
    arm = Body("arm", _central("2", "0.3", ("0.01", "0.02", "0.02")), (), (False,) * 10)
    slide = Body("slide", _central("1.5", "0.1", ("0.005", "0.006", "0.006")), (), (False,) * 10)
    joints = (
        Joint("turn", JointKind.REVOLUTE, -1, UNTURNED, (ZERO,) * 3, (ZERO, number(-1), ZERO), 0),
        Joint("shift", JointKind.PRISMATIC, 0, UNTURNED, (number("0.2"), ZERO, ZERO), X, 1),
    )
    gravity = (ZERO, ZERO, number("-9.81"))
    form = closed_form(Robot("RP", (arm, slide), joints, ("turn", "shift"), gravity))
    # M11 = 0.02 + 2 0.3^2 + 0.006 + 1.5 (q2 + 0.3)^2
    assert texts(form.M) == ["3*q2**2/2 + 9*q2/10 + 341/1000", "0", "0", "3/2"]
    values = {"q1": 0.6, "q2": 0.25, "qd1": 0.5, "qd2": -0.3}
    M, C, g = (numbers(matrix, values) for matrix in (form.M, form.C, form.g))
    same(M, [[0.65975, 0.0], [0.0, 1.5]])
    same(C, [[-0.2475, 0.4125], [-0.4125, 0.0]])
    same(g, [[11.537572894726122], [8.308713996007945]])
    same(M @ [1.0, 0.2] + C @ [0.5, -0.3] + g.ravel(), [11.94982289472612, 8.402463996007945])


def _central(m: str, x: str, principal: tuple[str, str, str]) -> tuple:
    mass, c = number(m), number(x)
    a, b, d = (number(v) for v in principal)
    steiner = mass * c * c
    return (mass, mass * c, ZERO, ZERO, a, b + steiner, d + steiner, ZERO, ZERO, ZERO)


# -- kinematics -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_jacobians_are_derivatives_of_the_transforms(seed: int) -> None:
    robot = random_robot(seed, 3, mimic=seed % 2 == 1)
    x = coordinates(robot)
    poses, jacobians = homogeneous_transforms(robot, x), geometric_jacobians(robot, x)
    rest: list[sympy.Expr] = []
    for pose, jacobian in zip(poses, jacobians, strict=True):
        R, p = rotation_part(pose), position_part(pose)
        for j, s in enumerate(x.q):
            column = jacobian.col(j)
            rest.extend((p.diff(s) - column[:3, :]).flat())
            rest.extend((R.diff(s) - skew(column[3:, :]) * R).flat())
    assert forms_zero(rest)


# -- the other roads ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5, 7])
def test_lagrange_and_recursions_give_the_same_numbers(seed: int) -> None:
    robot = random_robot(seed, 3, mimic=seed % 2 == 1)
    form = closed_form(robot)
    rng = np.random.default_rng(seed)
    q, qd, qdd = (rng.uniform(-2, 2, robot.n) for _ in range(3))
    model, theta = over(robot, FLOAT64), lift(theta_terms(robot), FLOAT64)
    x = form.coordinates
    values = {
        s.name: v
        for symbols, vector in ((x.q, q), (x.qd, qd), (x.theta, theta))
        for s, v in zip(symbols, vector, strict=True)
    }
    M, C, g = (numbers(matrix, values) for matrix in (form.M, form.C, form.g))
    same(M, dynamics.mass_matrix(model, q, theta), 1e-10, 1e-10)
    same(C, dynamics.coriolis_matrix(model, q, qd, theta), 1e-10, 1e-10)
    same(g.ravel(), dynamics.gravity_vector(model, q, theta), 1e-10, 1e-10)
    tau = dynamics.inverse_dynamics(model, q, qd, qdd, theta)
    same(M @ qdd + C @ qd + g.ravel(), tau, 1e-10, 1e-10)


def test_lagranges_method_of_sympy_agrees() -> None:
    """sympy.physics.mechanics on the same energies, its time derivatives put back as symbols."""
    from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

    robot = planar_arm(2)
    x = coordinates(robot)
    T, U = kinetic_energy(robot, x), potential_energy(robot, x)
    functions = dynamicsymbols("f1 f2")
    rates = [f.diff(dynamicsymbols._t) for f in functions]
    to_time = dict(zip((*x.q, *x.qd), (*functions, *rates), strict=True))
    method = LagrangesMethod((T - U).subs(to_time), functions)
    theirs = method.form_lagranges_equations()
    second = [r.diff(dynamicsymbols._t) for r in rates]
    back = [*zip(second, x.qdd, strict=True), *zip(rates, x.qd, strict=True)]
    back += zip(functions, x.q, strict=True)
    for old, new in back:
        theirs = theirs.subs(old, new)
    ours = euler_lagrange(T, U, x.q, x.qd, x.qdd)
    assert forms_zero((theirs - ours).flat())


def test_gravity_is_the_slope_of_the_potential() -> None:
    robot = planar_arm(2)
    x = coordinates(robot)
    U = potential_energy(robot, x)
    form = closed_form(robot)
    assert forms_zero((gravity_vector(U, x.q) - form.g).flat())


def test_functions_without_a_normal_form_are_refused_by_name() -> None:
    x = sympy.Symbol("x", real=True)
    with pytest.raises(UnsupportedError, match="exp"):
        forms_of([sympy.exp(x) + 1])
    with pytest.raises(UnsupportedError, match=r"Float.*0\.1"):
        forms_of([0.1 * x])


def test_roots_and_divisors_are_exact() -> None:
    x = sympy.Symbol("x", real=True)
    root = sympy.sqrt(2) * sympy.cos(x + sympy.pi / 4) / x
    assert texts(sympy.Matrix(normal_form([root, sympy.S.Zero]))) == ["(-sin(x) + cos(x))/x", "0"]
    assert forms_zero([sympy.sqrt(6) / sympy.sqrt(3) - sympy.sqrt(2), x**-2 * x**3 - x])


def test_the_textbook_road_does_not_know_the_recursions() -> None:
    code = (
        "import sys, symdyn.lagrange; "
        "sys.exit(any(m.startswith('symdyn.dynamics') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
