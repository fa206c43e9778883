"""Closed and open bodies: Phi' = L psi, the free data, the least energy, the source terms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from symdyn._errors import InputError, SizeError
from symdyn.mass import solids
from symdyn.mass.body import Part, distribution, part, particle
from symdyn.mass.continuity import (
    EQUATIONS,
    L,
    closed_body,
    closed_psi,
    continuity_of,
    free_data,
    phi_rate,
    require_closed,
)
from symdyn.mass.coordinates import TIME, X
from symdyn.mass.domain import rpy
from symdyn.mass.mass_moments import MassMoments, moments, momentum
from symdyn.mass.realisable import affine_flow, first_impossible, least_energy
from symdyn.mass.sources import Momentum, Source, flow, source_of, stream
from symdyn.spatial.momentum import acting_momentum

t = TIME
x, y, z = X
M, R, H, d, w, rho = sympy.symbols("M R H d w rho", positive=True)
A = sympy.Function("A", positive=True)(t)
m = sympy.Function("m", positive=True)(t)
NUMBERS = st.fractions(-3, 3, max_denominator=7).map(lambda f: sympy.Rational(f))
TWELVE = st.lists(NUMBERS, min_size=12, max_size=12)


def of(*parts: Part) -> MassMoments:
    return moments(distribution(*parts))


def _matrix(rows: tuple[tuple[tuple[int, int], ...], ...]) -> sympy.Matrix:
    full = sympy.zeros(len(rows), 12)
    for i, row in enumerate(rows):
        for k, c in row:
            full[i, k] = c
    return full


def test_ranks_of_L_and_Q() -> None:
    unit = [[sympy.Integer(int(i == k)) for i in range(12)] for k in range(12)]
    Q = sympy.Matrix([[e for part in acting_momentum(psi) for e in part] for psi in unit]).T
    assert _matrix(L).rank() == 9
    assert Q.rank() == 6
    assert _matrix(L).col_join(Q).rank() == 12


@given(TWELVE)
def test_psi_and_its_free_data_determine_each_other(psi: list[sympy.Expr]) -> None:
    phi_dot, ell = free_data(psi)
    assert list(closed_psi(phi_dot, ell)) == psi
    assert momentum(psi)[3:] == ell


CLOSED = {
    "slug": of(particle(M, (sympy.Function("s")(t), d, 0))),
    "breathing": of(part(solids.ball(A), mass=M, velocity=tuple(e * A.diff(t) / A for e in X))),
    "flywheel": of(part(solids.cylinder(R, H), mass=M, velocity=(-w * y, w * x, 0), at=(d, 0, 0))),
    "slosh": of(part(solids.half_cylinder(R, H), mass=M, rotation=rpy(0, w * t, 0))),
}


@pytest.mark.parametrize("name", CLOSED)
def test_closed_bodies_are_found_closed(name: str) -> None:
    found = continuity_of(CLOSED[name])
    assert found.is_closed
    assert found.is_proved
    assert found.residual == (0,) * 10
    assert found.sentence() == "closed: Phi' = L psi."
    require_closed(CLOSED[name])


def test_a_body_that_grows_by_deposition_is_open() -> None:
    found = continuity_of(of(part(solids.ball(A), density=rho)))
    assert not found.is_closed
    assert found.violated == (EQUATIONS[0], *EQUATIONS[4:7])
    assert sympy.expand(found.residual[0] - 4 * sympy.pi * rho * A**2 * A.diff(t)) == 0
    assert found.sentence().startswith("open: dm/dt = 0 fails by")


@pytest.mark.parametrize("k", range(1, 10))
def test_the_violated_equation_is_named(k: int) -> None:
    phi = [M, 0, 0, 0, M * R**2, M * R**2, M * R**2, 0, 0, 0]
    phi[k] = phi[k] + M * t
    body = closed_body([sympy.sympify(e) for e in phi])
    wrong = MassMoments(
        body.phi, body.phi_dot, body.nu, (sympy.S.Zero,) * 12, (sympy.S.Zero,) * 12,
        (sympy.S.Zero,) * 6, (sympy.S.Zero,) * 6,
    )  # fmt: skip
    assert continuity_of(wrong).violated == (EQUATIONS[k],)
    with pytest.raises(InputError, match="contradict each other") as error:
        require_closed(wrong)
    assert EQUATIONS[k] in str(error.value)


def test_a_closed_body_from_its_free_data_is_the_slug() -> None:
    slug = CLOSED["slug"]
    again = closed_body(slug.phi, slug.mu[3:], slug.nu)
    for one, two in zip((*slug.psi, *slug.mu_dot), (*again.psi, *again.mu_dot), strict=True):
        assert sympy.expand(one - two) == 0
    with pytest.raises(InputError, match="keeps its mass"):
        closed_body([m, *slug.phi[1:]])


def test_sizes_are_checked() -> None:
    with pytest.raises(SizeError, match="psi has 3"):
        phi_rate([sympy.S.Zero] * 3)
    with pytest.raises(SizeError, match="ell has 2"):
        closed_psi([sympy.S.Zero] * 10, [sympy.S.Zero] * 2)


# -- least energy ---------------------------------------------------------------------------------


def test_affine_flow_has_the_least_energy() -> None:
    affine = of(part(solids.ellipsoid(2, 1, R), mass=M, velocity=(-w * y, w * x + 1, z * w)))
    assert sympy.factor(affine.nu - least_energy(affine.phi, affine.psi)) == 0
    wheel = CLOSED["flywheel"]
    assert sympy.factor(wheel.nu - least_energy(wheel.phi, wheel.psi)) == 0


def test_half_stirred_liquid_has_more() -> None:
    stirred = of(
        part(
            solids.cylinder(R, H), mass=M, moving=sympy.Rational(1, 2), velocity=(-w * y, w * x, 0)
        )
    )
    assert sympy.factor(stirred.nu - 2 * least_energy(stirred.phi, stirred.psi)) == 0


@settings(max_examples=12)
@given(st.data())
def test_nu_is_never_less_than_the_least_energy(data: st.DataObject) -> None:
    masses = data.draw(st.lists(st.fractions(Fraction(1, 5), 3), min_size=5, max_size=7))
    vector = st.tuples(*[st.fractions(-2, 2, max_denominator=5)] * 3)
    places = [data.draw(vector) for _ in masses]
    speeds = [data.draw(vector) for _ in masses]
    # four corners keep f regular
    corners = [part(solids.box(1, 1, 1), density=1)]
    cloud = [
        particle(
            mass, [sympy.Rational(a) + sympy.Rational(b) * t for a, b in zip(p, v, strict=True)]
        )
        for mass, p, v in zip(masses, places, speeds, strict=True)
    ]
    found = of(*corners, *cloud)
    now = {t: sympy.Rational(data.draw(st.fractions(0, 2, max_denominator=5)))}
    phi, psi = [e.subs(now) for e in found.phi], [e.subs(now) for e in found.psi]
    nu, least = found.nu.subs(now), least_energy(phi, psi)
    assert nu >= least
    # the check in doubles refuses nothing that is, and what has less
    columns = [np.array([[float(e)] for e in vector]) for vector in (phi, psi)]
    assert first_impossible(*columns, np.array([float(nu)])) is None
    if least > 0:
        assert first_impossible(*columns, np.array([float(least) * 0.999])) is not None


def test_an_affine_flow_realises_any_closed_path() -> None:
    phi = [2, t, 0, 0, 3 + t**2, 4, 5, t / 7, 0, 0]
    ell = [t, 1, sympy.sin(t)]
    body = closed_body([sympy.sympify(e) for e in phi], [sympy.sympify(e) for e in ell])
    rows = affine_flow(body.phi, body.psi)
    # p = A h + m b
    for i, (row, b) in enumerate(rows):
        p = sum(a * h for a, h in zip(row, body.phi[1:4], strict=True)) + b * body.phi[0]
        assert sympy.simplify(p - body.psi[i]) == 0


def test_no_unique_flow_where_f_is_singular() -> None:
    slug = CLOSED["slug"]
    with pytest.raises(InputError, match="singular"):
        affine_flow(slug.phi, slug.psi)


# -- moments that no body has ---------------------------------------------------------------------


BALL = [sympy.Integer(1), *[sympy.S.Zero] * 3, *[sympy.Rational(2, 5)] * 3, *[sympy.S.Zero] * 3]


@pytest.mark.parametrize(
    ("phi", "ell", "nu", "text"),
    [
        (BALL, (1, 0, 0), 0, "nu = 0, where the relative momentum alone takes 2.5 at t = 0"),
        (BALL, (t, 0, 0), t / 2, "nu = 0.15625, where the relative momentum alone takes 0.244141"),
        ([1, 5, 0, 0, 1, 1, 1, 0, 0, 0], (0, 0, 0), None, "negative eigenvalue at t = 0"),
        ([1, 2 * t, 0, 0, 1, 1, 1, 0, 0, 0], (0, 0, 0), None, "negative eigenvalue at t = "),
        ([-1, *BALL[1:]], (0, 0, 0), 0, "the mass -1 at t = 0"),
        ([-M, *BALL[1:]], (0, 0, 0), 0, "the mass is negative"),
        ([M, *[0] * 3, *[M * R**2] * 3, *[0] * 3], (w, 0, 0), 0, "nu less than that by"),
        # a rod does not turn about itself
        ([1, 0, 0, 0, 0, 1, 1, 0, 0, 0], (1, 0, 0), 1, "the relative momentum alone takes"),
    ],
)
def test_moments_that_no_body_has_are_refused(
    phi: list[sympy.Expr], ell: tuple[sympy.Expr, ...], nu: sympy.Expr | None, text: str
) -> None:
    with pytest.raises(InputError, match="no body has these moments") as error:
        closed_body(phi, ell, nu)
    assert text in str(error.value)


def test_the_least_energy_is_enough_and_less_is_not() -> None:
    least = closed_body(BALL, (1, 0, 0)).nu
    assert least == sympy.Rational(5, 2)
    assert closed_body(BALL, (1, 0, 0), least).nu == least
    with pytest.raises(InputError, match=r"takes 2\.5"):
        closed_body(BALL, (1, 0, 0), least - sympy.Rational(1, 1000))
    # where f is singular the pseudo-inverse takes its place
    slug = CLOSED["slug"].put({sympy.Function("s")(t): sympy.sin(t), M: 2, d: 3})
    assert closed_body(slug.phi, slug.mu[3:], slug.nu).nu == slug.nu
    with pytest.raises(InputError, match="nu = "):
        closed_body(slug.phi, slug.mu[3:], slug.nu * sympy.Rational(9, 10))
    assert closed_body(BALL, (t, 0, 0), 40, times=(0, 4))
    with pytest.raises(InputError, match="at t = 17/4"):
        closed_body(BALL, (t, 0, 0), 40, times=(0, "17/4"))


# -- sources --------------------------------------------------------------------------------------


def _torque(
    body: MassMoments,
    source: Source,
    q: float,
    qd: float,
    qdd: float,
    g: float,
    at: dict[sympy.Expr, object],
) -> float:
    """One revolute joint about z, x along the link, gravity along x at q = 0: (39) with sources."""

    def number(e: sympy.Expr) -> float:
        return float(e.subs(at).doit().subs(t, 0))

    inertia = number(body.phi[6]) * qdd
    change = number(body.phi_dot[6] - source.theta_dot[6]) * qd
    ell3_src = source.psi[6] - source.psi[4]
    drive = number(body.mu_dot[5] - ell3_src)
    weight = number(body.phi[1]) * g * float(sympy.sin(q)) + number(body.phi[2]) * g * float(
        sympy.cos(q)
    )
    return inertia + change + drive + weight


STATE = {"q": 0.6, "qd": 0.7, "qdd": 1.5, "g": 9.81}


def test_pendulum_whose_mass_leaves() -> None:
    # m(t) = 3 - 0.2 t at 0.8 m: d/dt(m l^2 qd) balances, or mass takes momentum along
    body = of(particle(m, ("0.8", 0, 0)))
    values = {m: 3 - t / 5}
    assert not continuity_of(body).is_closed
    taken_along = source_of(body.put(values), Momentum.CO_MOVING)
    found = _torque(body, _printed(body), **STATE, at=values)
    assert found == pytest.approx(16.084342393612715, rel=1e-12)
    found = _torque(body, taken_along, **STATE, at=values)
    assert found == pytest.approx(16.173942393612712, rel=1e-12)
    assert "velocity of the body" in taken_along.sentence()


def test_pendulum_whose_length_and_mass_change() -> None:
    length = sympy.Rational(4, 5) + t / 10
    body = of(particle(m, (length, 0, 0)))
    found = _torque(body, _printed(body), **STATE, at={m: 3 - t / 5})
    assert found == pytest.approx(16.420342393612714, rel=1e-12)


def test_pendulum_whose_length_changes_is_closed() -> None:
    body = of(particle(3, (sympy.Rational(4, 5) + t / 10, 0, 0)))
    source = source_of(body)
    assert source.momenta == (Momentum.NONE,)
    # m l^2 qdd + 2 m l l' qd + m g l sin q
    expected = 3 * 0.64 * 1.5 + 2 * 3 * 0.8 * 0.1 * 0.7 + 3 * 9.81 * 0.8 * float(sympy.sin(0.6))
    assert _torque(body, source, **STATE, at={}) == pytest.approx(expected, rel=1e-12)


def _printed(body: MassMoments) -> Source:
    """(39) without source terms: mass that comes and goes at rest in the inertial frame."""
    residual = continuity_of(body).residual
    return Source((Momentum.AT_REST,), residual, (sympy.S.Zero,) * 10, (sympy.S.Zero,) * 12)


def test_slider_driven_inside_a_link() -> None:
    # x = 0.5, y = 0.2, xd = -0.3, yd = 0.4, xdd = 0.1, ydd = -0.6, no gravity
    path = (
        sympy.Rational(1, 2) - 3 * t / 10 + t**2 / 20,
        sympy.Rational(1, 5) + 4 * t / 10 - 3 * t**2 / 10,
        0,
    )
    body = of(particle("1.2", path))
    state = {**STATE, "g": 0.0}
    assert _torque(body, source_of(body), **state, at={}) == pytest.approx(
        0.020400000000000102, rel=1e-9
    )


def test_an_open_body_needs_a_convention() -> None:
    growing = of(part(solids.ball(A), density=rho)).put({A: 1 + t})
    with pytest.raises(InputError, match="needs the momentum"):
        source_of(growing)
    with pytest.raises(InputError, match="needs its velocity"):
        source_of(growing, Momentum.STREAM)
    assert source_of(growing, Momentum.AT_REST).theta_dot == (0,) * 10
    along = source_of(growing, Momentum.CO_MOVING)
    assert along.theta_dot == along.arriving
    assert "brings no momentum" in Momentum.AT_REST.value


def test_mass_that_leaves_does_not_come_to_rest() -> None:
    shrinking = of(part(solids.ball(1), density=1 - t / 2))
    with pytest.raises(InputError, match="does not come to rest"):
        source_of(shrinking, Momentum.AT_REST)


def test_a_stream_has_its_own_momentum() -> None:
    jar = solids.box(1, 1, 1)
    filling = of(part(jar, density=1 + t))
    poured = stream(filling, jar, 1, (0, 0, -2))
    assert poured.momenta == (Momentum.STREAM,)
    assert poured.theta_dot == filling.phi_dot
    assert poured.psi[:3] == (0, 0, -2)
    assert poured.psi[11] == 0
    aside = solids.box(1, 1, 1).placed((1, 0, 0))
    beside = of(part(aside, density=1 + t))
    assert stream(beside, aside, 1, (0, 0, -2)).psi[9] == -2  # int s x v_z
    with pytest.raises(InputError, match="do not account") as error:
        stream(filling, jar, 2, (0, 0, -2))
    assert "dm/dt" in str(error.value)


def test_flows_add_up_and_the_rest_takes_a_convention() -> None:
    jar = solids.box(1, 1, 1)
    filling = of(part(jar, density=1 + t))
    quarter = sympy.Rational(1, 4)
    jet = flow(jar, Momentum.STREAM, mass_rate=-quarter, velocity=(0, 0, -2))
    rain = flow(jar, Momentum.AT_REST, density_rate=1 + quarter)
    both = source_of(filling, None, [jet, rain])
    assert both.momenta == (Momentum.AT_REST, Momentum.STREAM)
    assert both.theta_dot == tuple(-quarter * e for e in filling.phi_dot)
    assert both.psi[:3] == (0, 0, sympy.Rational(1, 2))
    assert source_of(filling, Momentum.AT_REST, [jet]) == both
    along = source_of(filling, Momentum.CO_MOVING, [jet])
    assert along.theta_dot == filling.phi_dot
    assert "some mass arrives or leaves with a given velocity" in along.sentence()
    with pytest.raises(InputError, match=r"do not account.*expected 1 in dm/dt = 0; got -1/4"):
        source_of(filling, None, [jet])
    with pytest.raises(InputError, match="has no velocity of its own"):
        flow(jar, Momentum.CO_MOVING, mass_rate=1, velocity=(1, 0, 0))
    with pytest.raises(InputError, match="got both"):
        flow(jar, Momentum.STREAM, mass_rate=1, density_rate=1)


def test_the_pose_of_a_flow_carries_nothing_along() -> None:
    """A jet of 1 kg/s along its own x axis, from a nozzle that turns and moves."""
    turning = rpy(0, 0, t)
    jet = flow(
        solids.ball(1), Momentum.STREAM, mass_rate=-1, velocity=(3, 0, 0), at=(t, 2, 0),
        rotation=turning,
    )  # fmt: skip
    path = (t, 2, 0)
    emptying = of(part(solids.ball(1), mass=2 - t, at=path, rotation=turning))
    source = source_of(emptying, None, [jet])
    p = (-3 * sympy.cos(t), -3 * sympy.sin(t), 0)
    for k in range(3):
        assert sympy.simplify(source.psi[k] - p[k]) == 0
    ell3 = source.psi[6] - source.psi[4]
    assert sympy.simplify(ell3 - (path[0] * p[1] - path[1] * p[0])) == 0


@pytest.mark.parametrize("density", [2 - t**2, 2 + sympy.sin(5 * t), 1 + t * x, 2 + t**2 * x])
def test_at_rest_is_looked_at_over_the_times_of_the_body(density: sympy.Expr) -> None:
    body = moments(distribution(part(solids.box(1, 1, 1), density=density), times=(0, 1)))
    with pytest.raises(InputError, match="does not come to rest"):
        source_of(body, Momentum.AT_REST)
    if density == 2 + sympy.sin(5 * t):
        early = moments(distribution(*body.body.parts, times=(0, "0.3")))  # type: ignore[union-attr]
        assert source_of(early, Momentum.AT_REST).momenta == (Momentum.AT_REST,)
