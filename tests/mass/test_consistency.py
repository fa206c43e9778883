"""Theorem 1 in both modes, f and Z, and the coordinates of the cone."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError, SizeError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.sympy_ import SYMPY
from symdyn.mass import solids, thin
from symdyn.mass.body import distribution, part
from symdyn.mass.consistency import Mode, require_consistent, theorem_1
from symdyn.mass.mass_moments import moments
from symdyn.mass.parametrisations import (
    central,
    ellipsoid_of,
    exponential,
    log_cholesky,
    phi_of_central,
    phi_of_ellipsoid,
    phi_of_exponential,
    phi_of_log_cholesky,
)
from symdyn.mass.pseudo_inertia import (
    phi_from_pseudo_inertia,
    pseudo_inertia,
    spatial_inertia,
    twice_kinetic_energy,
)
from symdyn.spatial.inertia import as_phi
from tests.robots import random_phi

M, R, H, a, b, c = sympy.symbols("M R H a b c", positive=True)
# factors of order one, a dozen operations
ROUNDING = 1e-12


def _phi(domain: object, mass: object = M) -> tuple[sympy.Expr, ...]:
    return moments(distribution(part(domain, mass=mass))).phi  # type: ignore[arg-type]  # a domain


SOLID = [
    solids.ball(R),
    solids.box(a, b, c).placed((a / 2, b / 2, c / 2)),
    solids.cone(R, H),
    solids.ellipsoid(a, b, c),
]


@pytest.mark.parametrize("domain", SOLID, ids=lambda d: d.name)
def test_solids_are_consistent_for_all_sizes(domain: object) -> None:
    found = theorem_1(_phi(domain))
    assert found.is_consistent is True
    assert found.rank == 4
    assert len(found.conditions) == 4


THIN = [
    pytest.param(thin.point((a, 0, 0)), 1, id="point"),
    pytest.param(thin.rod((0, 0, 0), (a, b, 0)), 2, id="rod"),
    pytest.param(thin.plate(a, b), 3, id="plate"),
    pytest.param(thin.disk(R), 3, id="disk"),
]


@pytest.mark.parametrize(("domain", "rank"), THIN)
def test_thin_bodies_are_consistent_as_measures_only(domain: object, rank: int) -> None:
    phi = _phi(domain)
    assert theorem_1(phi).is_consistent is False
    found = theorem_1(phi, Mode.MEASURE)
    assert found.is_consistent is True
    assert found.rank == rank


def test_a_shell_is_a_measure_with_regular_f() -> None:
    phi = _phi(thin.sphere_shell(R))
    assert theorem_1(phi).is_consistent is True
    f = sympy.Matrix(pseudo_inertia(SYMPY, as_phi(phi)))
    assert sympy.factor(f.det() - M**4 * R**6 / 27) == 0


@pytest.mark.parametrize(
    ("phi", "reason"),
    [
        ([0, 0, 0, 0, 1, 1, 1, 0, 0, 0], "mass is zero"),
        ([-1, 0, 0, 0, 1, 1, 1, 0, 0, 0], "mass is negative"),
        ([1, 0, 0, 0, 1, 1, 3, 0, 0, 0], "second moment"),
        ([1, 2, 0, 0, 1, 1, 1, 0, 0, 0], "second moment"),
        ([1, 0, 0, 0, 1, 1, 2, 2, 0, 0], "second moment"),
    ],
)
@pytest.mark.parametrize("mode", Mode)
def test_impossible_parameters(phi: list[int], reason: str, mode: Mode) -> None:
    found = theorem_1(phi, mode)
    assert found.is_consistent is False
    assert reason in found.reason
    with pytest.raises(InputError, match="not physically consistent"):
        require_consistent(phi, mode)


def test_open_signs_are_said_to_be_open() -> None:
    s = sympy.Symbol("s", real=True)
    found = theorem_1([M, 0, 0, 0, s, 1, 1, 0, 0, 0])
    assert found.is_consistent is None
    assert "open" in found.reason
    with pytest.raises(SizeError):
        theorem_1([1, 2])


SEEDS = st.integers(0, 10**6)


@given(SEEDS)
def test_clouds_are_consistent_and_their_negatives_are_not(seed: int) -> None:
    phi = random_phi(random.Random(seed))
    assert theorem_1(phi, Mode.MEASURE).is_consistent is True
    assert theorem_1([-p for p in phi], Mode.MEASURE).is_consistent is False


@given(SEEDS)
def test_trace_identity_and_inverse(seed: int) -> None:
    """xi^T Z xi = tr(Xi f Xi^T), exactly."""
    rng = random.Random(seed)
    phi = as_phi([SYMPY.const(p) for p in random_phi(rng)])
    twist = [SYMPY.const(Fraction(rng.randint(-9, 9), 4)) for _ in range(6)]
    Z = spatial_inertia(SYMPY, phi)
    direct = sum(twist[i] * Z[i][j] * twist[j] for i in range(6) for j in range(6))
    assert direct == twice_kinetic_energy(SYMPY, phi, twist)
    assert phi_from_pseudo_inertia(pseudo_inertia(SYMPY, phi)) == phi


TENS = st.lists(st.floats(-1.5, 1.5), min_size=10, max_size=10)


@given(TENS)
def test_any_ten_numbers_are_coordinates_of_a_consistent_body(ten: list[float]) -> None:
    for phi in (
        phi_of_log_cholesky(FLOAT64, ten),
        phi_of_central(FLOAT64, ten),
        phi_of_exponential(ten),
    ):
        assert np.linalg.eigvalsh(np.array(pseudo_inertia(FLOAT64, as_phi(phi))))[0] > 0


@given(TENS)
def test_coordinates_come_back(ten: list[float]) -> None:
    mp = MpAlgebra(40)
    exact = [mp.number(v) for v in ten]
    for back, there in ((log_cholesky, phi_of_log_cholesky), (central, phi_of_central)):
        again = back(mp, there(mp, exact))
        assert all(abs(u - v) < mp.number("1e-25") for u, v in zip(exact, again, strict=True))
    assert exponential(phi_of_exponential(ten)) == pytest.approx(ten, abs=1e-6)


def test_log_cholesky_of_a_known_body() -> None:
    # m = e^2, centre (1, 2, 3), U = e diag(1, 1, 1) with that last column
    phi = phi_of_log_cholesky(SYMPY, [SYMPY.const(k) for k in (1, 0, 0, 0, 0, 0, 0, 1, 2, 3)])
    e2 = sympy.exp(2)
    assert phi[:4] == (e2, e2, 2 * e2, 3 * e2)
    assert sympy.expand(phi[4] - e2 * (2 + 4 + 9)) == 0
    assert sympy.expand(phi[7] + 2 * e2) == 0


@given(SEEDS)
def test_every_consistent_body_is_that_of_an_ellipsoid(seed: int) -> None:
    phi = [float(p) for p in random_phi(random.Random(seed), particles=9)]
    f = np.array(pseudo_inertia(FLOAT64, as_phi(phi)))
    if np.linalg.eigvalsh(f)[0] < 1e-6:
        return
    mass, centre, axes, semi = ellipsoid_of(phi)
    rotation = tuple(tuple(row) for row in axes)
    again = phi_of_ellipsoid(FLOAT64, mass, tuple(centre), rotation, tuple(semi))  # type: ignore[arg-type]  # 3
    assert np.allclose(again, phi, rtol=ROUNDING, atol=ROUNDING)


def test_the_ellipsoid_agrees_with_its_integral() -> None:
    identity = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    one = tuple(tuple(SYMPY.const(e) for e in row) for row in identity)
    centre = (SYMPY.const(0),) * 3
    found = phi_of_ellipsoid(SYMPY, M, centre, one, (a, b, c))  # type: ignore[arg-type]  # 3 by 3
    expected = _phi(solids.ellipsoid(a, b, c))
    assert all(sympy.expand(u - v) == 0 for u, v in zip(found, expected, strict=True))


def test_outside_the_cone_there_are_no_coordinates() -> None:
    with pytest.raises(InputError, match="open cone"):
        exponential([1, 0, 0, 0, 0, 1, 1, 0, 0, 0])
    with pytest.raises(InputError, match="open cone"):
        ellipsoid_of([1, 0, 0, 0, 1, 1, 3, 0, 0, 0])
    with pytest.raises(SizeError):
        phi_of_exponential([1.0])
