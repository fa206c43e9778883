"""Phi, nu and psi of bodies whose integrals are known; every wrong distribution is refused.

The expected values are exact integrals worked out by hand and listed with each test.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symdyn._errors import InputError, UnsupportedError
from symdyn.mass import solids, thin
from symdyn.mass.body import MassDistribution, Part, distribution, part, particle
from symdyn.mass.coordinates import AXIAL_RADIUS, RADIUS, TIME, X
from symdyn.mass.domain import rpy
from symdyn.mass.mass_moments import MassMoments, moments
from symdyn.mass.zero import Zero, decide_zero

t = TIME
x, y, z = X
M, R, H, a, b, c, d, w, rho = sympy.symbols("M R H a b c d w rho", positive=True)
A = sympy.Function("A", positive=True)(t)
s = sympy.Function("s")(t)
beta = sympy.Function("beta")(t)
zeta = sympy.Function("zeta")(t)


def of(*parts: Part) -> MassMoments:
    return moments(distribution(*parts))


def check(found: tuple[sympy.Expr, ...], expected: list[object]) -> None:
    assert len(found) == len(expected)
    for k, (value, wanted) in enumerate(zip(found, expected, strict=True)):
        assert decide_zero(value - sympy.sympify(wanted)) is Zero.PROVED, (k, value, wanted)


def test_sphere() -> None:
    J = 2 * M * R**2 / 5
    check(of(part(solids.ball(R), mass=M)).phi, [M, 0, 0, 0, J, J, J, 0, 0, 0])


def test_box_from_its_corner() -> None:
    box = solids.box(a, b, c).placed((a / 2, b / 2, c / 2))
    check(
        of(part(box, mass=M)).phi,
        [
            M, M * a / 2, M * b / 2, M * c / 2,
            M * (b**2 + c**2) / 3, M * (a**2 + c**2) / 3, M * (a**2 + b**2) / 3,
            -M * a * b / 4, -M * b * c / 4, -M * a * c / 4,
        ],
    )  # fmt: skip


def test_cylinder_from_its_base() -> None:
    J = M * (3 * R**2 + 4 * H**2) / 12
    found = of(part(solids.cylinder(R, H), mass=M, at=(0, 0, H / 2)))
    check(found.phi, [M, 0, 0, M * H / 2, J, J, M * R**2 / 2, 0, 0, 0])


def test_cone_from_its_apex() -> None:
    J = 3 * M * (4 * H**2 + R**2) / 20
    found = of(part(solids.cone(R, H), mass=M))
    check(found.phi, [M, 0, 0, 3 * M * H / 4, J, J, 3 * M * R**2 / 10, 0, 0, 0])


def test_ellipsoid() -> None:
    found = of(part(solids.ellipsoid(a, b, c), mass=M))
    J = [M * (b**2 + c**2) / 5, M * (a**2 + c**2) / 5, M * (a**2 + b**2) / 5]
    check(found.phi, [M, 0, 0, 0, *J, 0, 0, 0])


def test_torus() -> None:
    # I33 = M (4 a^2 + 3 b^2)/4, I11 = M (4 a^2 + 5 b^2)/8; a the circle's radius, b the tube's
    J = M * (4 * a**2 + 5 * b**2) / 8
    found = of(part(solids.torus(a, b), mass=M))
    check(found.phi, [M, 0, 0, 0, J, J, M * (4 * a**2 + 3 * b**2) / 4, 0, 0, 0])


def test_spherical_shell() -> None:
    J = 2 * M * R**2 / 3
    check(of(part(thin.sphere_shell(R), mass=M)).phi, [M, 0, 0, 0, J, J, J, 0, 0, 0])


def test_thick_spherical_shell() -> None:
    hollow = solids.ball(a + b) - solids.ball(a)
    J = 2 * M * ((a + b) ** 5 - a**5) / ((a + b) ** 3 - a**3) / 5
    check(of(part(hollow, mass=M)).phi, [M, 0, 0, 0, J, J, J, 0, 0, 0])


def test_rod() -> None:
    J = M * H**2 / 3
    found = of(part(thin.rod((0, 0, 0), (H, 0, 0)), mass=M))
    check(found.phi, [M, M * H / 2, 0, 0, 0, J, J, 0, 0, 0])


def test_box_of_two_materials() -> None:
    half = solids.box(a, b, c)
    low = part(half, density=rho, at=(0, 0, -c / 2), name="low")
    high = part(half, density=2 * rho, at=(0, 0, c / 2), name="high")
    V = a * b * c
    check(
        of(low, high).phi,
        [
            3 * rho * V, 0, 0, rho * V * c / 2,
            rho * V * (b**2 + 4 * c**2) / 4, rho * V * (a**2 + 4 * c**2) / 4,
            rho * V * (a**2 + b**2) / 4, 0, 0, 0,
        ],
    )  # fmt: skip


def test_rod_with_linear_density() -> None:
    # 2 (1 + x/2) kg/m on [0, 0.8] m: m = 48/25, com = 19/45, I_com = 1712/16875
    found = of(part(thin.rod((0, 0, 0), ("0.8", 0, 0)), density=2 * (1 + x / 2)))
    m, h, J = found.phi[0], found.phi[1], found.phi[5]
    assert m == sympy.Rational(48, 25)
    assert h / m == sympy.Rational(19, 45)
    assert J - h**2 / m == sympy.Rational(1712, 16875)


def test_density_that_falls_with_the_radius() -> None:
    found = of(part(solids.ball(R), density=rho * (1 - RADIUS / R)))
    J = 4 * sympy.pi * rho * R**5 / 45
    check(found.phi, [sympy.pi * rho * R**3 / 3, 0, 0, 0, J, J, J, 0, 0, 0])
    found = of(part(solids.cylinder(R, H), density=rho * AXIAL_RADIUS))
    assert decide_zero(found.phi[6] - 2 * sympy.pi * rho * R**5 * H / 5).holds


def test_breathing_sphere_is_closed_and_radial() -> None:
    rate = A.diff(t)
    found = of(part(solids.ball(A), mass=M, velocity=tuple(e * rate / A for e in X)))
    W = M * A * rate / 5
    check(found.psi, [0, 0, 0, W, 0, 0, 0, W, 0, 0, 0, W])
    check(found.phi_dot[4:7], [4 * W] * 3)
    check((found.nu,), [3 * M * rate**2 / 5])


def test_sphere_that_grows_by_deposition() -> None:
    found = of(part(solids.ball(A), density=rho))
    check(found.psi, [0] * 12)
    check(found.phi_dot[:1], [4 * sympy.pi * rho * A**2 * A.diff(t)])


def test_sliding_slug() -> None:
    found = of(particle(M, (s, d, 0)))
    v = s.diff(t)
    check(found.psi, [M * v, 0, 0, M * s * v, M * d * v, 0, 0, 0, 0, 0, 0, 0])
    check(found.mu, [M * v, 0, 0, 0, 0, -M * d * v])
    check(found.phi[7:8], [-M * d * s])
    check(found.mu_dot[:1], [M * s.diff(t, 2)])


@pytest.mark.parametrize("sigma", [sympy.Integer(1), sympy.Rational(1, 2)])
def test_flywheel_moves_without_changing_phi(sigma: sympy.Expr) -> None:
    wheel = part(
        solids.cylinder(R, H), mass=M, moving=sigma, velocity=(-w * y, w * x, 0), at=(d, 0, 0)
    )
    found = of(wheel)
    check(found.phi_dot, [0] * 10)
    L = sigma * M * R**2 * w / 4
    check(found.psi, [0, 0, 0, 0, -L, 0, L, 0, 0, 0, 0, 0])
    check(found.mu, [0, 0, 0, 0, 0, 2 * L])
    check((found.nu,), [2 * L * w])


def test_sloshing_half_cylinder() -> None:
    # axis y, the liquid in the lower half at beta = 0; carried along by the turning frame
    along_y = ((0, -1, 0), (0, 0, 1), (-1, 0, 0))
    turned = sympy.Matrix(rpy(0, beta, 0)) * sympy.Matrix(along_y)
    found = of(part(solids.half_cylinder(R, H), mass=M, rotation=turned.tolist()))
    reach = -4 * M * R / (3 * sympy.pi)
    check(found.phi[1:4], [reach * sympy.sin(beta), 0, reach * sympy.cos(beta)])
    check(found.phi_dot[4:], [0] * 6)
    check(found.psi[:3], list(found.phi_dot[1:4]))
    check(found.mu[3:], [0, M * R**2 * beta.diff(t) / 2, 0])


def test_dedekind_flow_in_an_ellipsoid() -> None:
    flow = (-zeta * a / b * y, zeta * b / a * x, 0)
    found = of(part(solids.ellipsoid(a, b, c), mass=M, velocity=flow))
    check(found.phi_dot, [0] * 10)
    check((found.nu,), [M * (a**2 + b**2) * zeta**2 / 5])
    # not the angular momentum of the rigid body, M (a^2 + b^2) zeta / 5
    check(found.mu[5:], [2 * M * a * b * zeta / 5])


SMALL = st.fractions(-2, 2, max_denominator=6)
VECTORS = st.tuples(SMALL, SMALL, SMALL)


@settings(max_examples=12)
@given(SMALL, VECTORS, VECTORS)
def test_a_carried_part_is_the_same_as_its_velocity_field(
    u: Fraction, at: tuple[Fraction, ...], drift: tuple[Fraction, ...]
) -> None:
    """A placement that moves carries rho with R' R^T (X - p) + p', whichever way it is written."""
    p = [sympy.Rational(e) + sympy.Rational(k) * t for e, k in zip(at, drift, strict=True)]
    turn = sympy.Matrix(rpy(0, sympy.pi / 2, 0)) * sympy.Matrix(rpy(sympy.Rational(u) * t, 0, 0))
    box = solids.box(1, 2, 3)
    carried = of(part(box, density=1, at=p, rotation=turn.tolist()))
    # at t = 0 the body's frame is a quarter turn away from the box, where the field is written
    start = turn.subs(t, 0)
    spin = start.T * turn.diff(t).subs(t, 0)
    field = spin * sympy.Matrix(X) + start.T * sympy.Matrix([sympy.Rational(k) for k in drift])
    fixed = of(part(box, density=1, at=at, rotation=start.tolist(), velocity=list(field)))
    for here, there in zip((*carried.psi, carried.nu), (*fixed.psi, fixed.nu), strict=True):
        assert sympy.expand(here.subs(t, 0) - there) == 0


@settings(max_examples=15)
@given(VECTORS, VECTORS)
def test_moments_of_a_placed_part_are_those_of_its_particles(
    at: tuple[Fraction, ...], v: tuple[Fraction, ...]
) -> None:
    """A cloud placed as a part equals its points placed one by one."""
    masses = (1, Fraction(1, 2), 3)
    places = ((1, 0, 0), (0, Fraction(1, 3), 1), (-1, 2, Fraction(1, 2)))
    R3 = rpy(0, sympy.pi / 2, 0)
    whole = of(part(thin.cloud(masses, places), density=1, velocity=v, at=at, rotation=R3))
    single = of(
        *(
            part(thin.point(place), density=m, velocity=v, at=at, rotation=R3)
            for m, place in zip(masses, places, strict=True)
        )
    )
    assert whole.phi == single.phi
    assert whole.psi == single.psi
    assert whole.nu == single.nu


def test_values_can_be_put_in() -> None:
    found = of(particle(M, (s, d, 0))).put({s: 2 * t**2, M: 3, d: "0.5"})
    assert found.phi[1] == 6 * t**2
    assert found.mu_dot[0] == 12


def test_the_time_is_no_parameter() -> None:
    with pytest.raises(InputError, match="no parameter"):
        of(particle(M, (s, d, 0))).put({t: 0})


def _refused(*parts: Part, times: tuple[int, int] = (0, 1)) -> MassDistribution:
    return distribution(*parts, times=times)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: _refused(part(solids.ball(1), density=1 - 2 * x)), "density is negative"),
        (
            lambda: _refused(part(solids.ball(R), density=rho * (1 - 2 * RADIUS / R))),
            "density is negative",
        ),
        (lambda: _refused(part(solids.ball(1), density=1 - t), times=(0, 2)), "t = 11/8"),
        (
            lambda: _refused(part(solids.ball(1), density=1, moving=2, velocity=(1, 0, 0))),
            "no fraction",
        ),
        (
            lambda: _refused(part(solids.ball(1), density=1, moving=x, velocity=(1, 0, 0))),
            "no fraction",
        ),
        (
            lambda: _refused(part(solids.ball(1) - solids.ball(2), density=1)),
            "hole reaches out of its solid",
        ),
        (lambda: part(solids.ball(1)), "either its density or its mass"),
        (lambda: part(solids.ball(1), density=1, mass=1), "got both"),
        (lambda: part(solids.ball(1), mass=-1), "mass is not positive"),
        (lambda: part(solids.ball(1), mass=1, at=(x, 0, 0)), "pose depends on the place"),
        (
            lambda: part(solids.ball(1), mass=1, rotation=((1, t, 0), (0, 1, 0), (0, 0, 1))),
            "not orthonormal",
        ),
        (lambda: _refused(), "no parts"),
        (lambda: of(part(solids.ball(1), density=RADIUS**-5)), "diverges"),
        (lambda: of(part(solids.box(2, 2, 2), density=x**-2)), "diverges"),
    ],
)
def test_refusals(make: object, text: str) -> None:
    with pytest.raises(InputError, match=text):
        make()  # type: ignore[operator]  # a function without arguments


def test_holes_are_no_place_to_look_for_a_negative_density() -> None:
    shell = solids.ball(2) - solids.ball(1)
    body = distribution(part(shell, density=RADIUS - 1))
    assert moments(body).phi[0].is_positive


def test_an_integral_without_closed_form_is_unsupported() -> None:
    with pytest.raises(UnsupportedError, match="no closed form"):
        of(part(solids.box(2, 1, 1), density=sympy.exp(sympy.sin(x))))


@pytest.mark.parametrize(
    ("density", "text"),
    [
        (sympy.sqrt(1 + x**2 + y**2), "mixes coordinates"),
        (3 + sympy.exp(x) * sympy.sin(x * y), "mixes coordinates"),
        ((2 + x + sympy.sqrt(1 + y) + z) ** 40, "terms when multiplied out"),
    ],
)
def test_what_does_not_split_is_not_searched_for(density: sympy.Expr, text: str) -> None:
    with pytest.raises(UnsupportedError, match=text):
        of(part(solids.box(1, 1, 1), density=density))
