"""Every shape and every kind of field against quadrature, to 1e-10."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy

from symdyn._errors import InputError, VerificationError
from symdyn.mass import solids, thin
from symdyn.mass.body import MassDistribution, distribution, part, particle
from symdyn.mass.coordinates import AXIAL_RADIUS, RADIUS, TIME, X
from symdyn.mass.domain import Domain, rpy
from symdyn.mass.mass_moments import moments
from symdyn.mass.quadrature import verify
from symdyn.mass.region import parametrised, region

t = TIME
x, y, z = X
r = sympy.Rational
M = sympy.Symbol("M", positive=True)
s = sympy.Function("s", positive=True)(t)
u, v = (sympy.Symbol(n, nonnegative=True) for n in "uv")

DOMAINS: dict[str, Domain] = {
    "box": solids.box(1, r(1, 2), r(1, 3)),
    "ball": solids.ball(r(2, 3)),
    "ellipsoid": solids.ellipsoid(1, r(1, 2), r(1, 3)),
    "half_ball": solids.half_ball(1),
    "cylinder": solids.cylinder(r(1, 2), 2),
    "half_cylinder": solids.half_cylinder(r(1, 2), 2),
    "cone": solids.cone(r(1, 2), 2),
    "torus": solids.torus(1, r(1, 4)),
    "sphere_shell": thin.sphere_shell(1),
    "cylinder_shell": thin.cylinder_shell(1, 2),
    "plate": thin.plate(1, 2),
    "disk": thin.disk(1),
    "rod": thin.rod((0, 1, 0), (1, 0, r(1, 2))),
    "cloud": thin.cloud((1, 2, "0.5"), ((1, 0, 0), (0, 1, 1), (-1, 1, 2))),
    "tube": solids.cylinder(1, 2) - solids.cylinder(r(1, 2), 2),
    "drilled": solids.box(2, 2, 2)
    - solids.cylinder(r(1, 4), 2).placed((r(1, 2), 0, 0), rpy(0, 0, sympy.pi / 3)),
    "scaled": solids.torus(1, r(1, 4)).scaled(1, 2, r(1, 2)),
    "simplex": region(((z, 0, 1), (y, 0, 1 - z), (x, 0, 1 - y - z))),
    "lens": region(((x, -1, 1), (y, 0, 1 - x**2), (z, -y, y))),
    "ramp": parametrised((u, v, u + v), ((u, 0, 1), (v, 0, 2)), sympy.sqrt(3)),
}


@pytest.mark.parametrize("name", DOMAINS)
def test_polynomial_fields(name: str) -> None:
    """Density, fraction and velocity vary in space and time."""
    body = distribution(
        part(
            DOMAINS[name],
            density=3 + x * y / 4 + t * z / 3,
            moving=r(1, 2) + t / 4,
            velocity=(-y, x * t, z + 1),
            at=(r(1, 5), 0, -1),
        )
    )
    assert verify(body, moments(body), times=(r(3, 4),)).worst < 1e-10


def test_a_frame_that_turns_and_shifts() -> None:
    wheel = part(
        solids.cylinder(r(1, 2), 1) - solids.ball(r(1, 4)),
        density=2 + x,
        moving=r(1, 2),
        velocity=(-y, x * z, t),
        at=(r(1, 5), t / 3, -(t**2)),
        rotation=rpy(0, t, sympy.pi / 6),
    )
    body = distribution(wheel)
    assert verify(body, moments(body), times=(0, r(3, 4))).worst < 1e-10


ROUND = {
    "radial": (solids.ball(1), 2 - RADIUS),
    "axial": (solids.cylinder(1, 1), 1 + AXIAL_RADIUS**3),
    "weak pole": (solids.ball(1), 1 / RADIUS),
    "wave": (solids.box(1, 1, 1), 2 + sympy.cos(3 * x) * sympy.exp(-y)),
    "slanting wave": (solids.box(1, 2, 1), 2 + sympy.cos(x + 2 * y)),
    "log": (region(((z, 0, 1), (y, 0, z), (x, 0, 1))), sympy.log(2 + x)),
    "kink": (solids.box(2, 1, 1), 1 + sympy.Abs(x - r(1, 3))),
    "ramp": (solids.box(2, 1, 1), 1 + sympy.Max(x, 0) + sympy.Min(y, r(1, 7))),
    "step": (solids.box(2, 1, 1), 2 + sympy.sign(x - r(1, 7))),
    "layers": (solids.ball(1), 2 + sympy.sign(RADIUS - r(1, 2))),
    "cases": (solids.box(2, 1, 1), sympy.Piecewise((1, x < r(1, 5)), (3, True))),
    "pole at the end": (solids.box(2, 1, 1), 1 / sympy.sqrt(1 + x)),
    "root at the end": (solids.ball(1), sympy.sqrt(1 - RADIUS**2)),
    "many waves": (solids.cylinder(1, 2), 2 + sympy.cos(60 * z)),
    "cubic root": (solids.box(2, 1, 1), sympy.cbrt(sympy.Abs(x))),
    "error function": (solids.box(2, 1, 1), sympy.exp(-(x**2))),
    "bell": (region(tuple((e, -sympy.oo, sympy.oo) for e in X)), sympy.exp(-2 * RADIUS**2)),
    "wide bell": (
        region(((x, -sympy.oo, sympy.oo), (y, 0, 1), (z, 0, 1))),
        sympy.exp(-((x / 10) ** 2)),
    ),
    "half line": (region(((x, 0, sympy.oo), (y, 0, 1), (z, 0, 1))), sympy.exp(-3 * x)),
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n == "bell" else n for n in ROUND]
)
def test_fields_that_are_no_polynomials(name: str) -> None:
    domain, density = ROUND[name]
    body = distribution(part(domain, density=density))
    found = verify(body, moments(body), times=(0,))
    assert found.worst < 1e-10
    assert found.error < 1e-8  # that of the double exponential rules; the others reach 1e-12
    assert found.error < 1e-10 or name in ("bell", "half line")


INDEPENDENT = (
    "ball",
    "ellipsoid",
    "half_ball",
    "cylinder",
    "half_cylinder",
    "cone",
    "torus",
    "disk",
)


@pytest.mark.parametrize("name", INDEPENDENT)
def test_solids_are_integrated_in_other_coordinates(name: str) -> None:
    """A chart that is wrong would not be seen by a quadrature in the same chart."""
    (piece,) = DOMAINS[name].pieces
    assert piece.shape.chart is not None
    wrong = replace(piece.shape.chart, measure=2 * piece.shape.chart.measure)
    domain = Domain((replace(piece, shape=replace(piece.shape, chart=wrong, monomial=None)),))
    body = distribution(part(domain, density=2 + z))
    with pytest.raises(VerificationError, match="disagree"):
        verify(body, moments(body), times=(0,))


def test_a_verification_says_what_it_was() -> None:
    body = distribution(part(solids.cylinder(1, 1), density=2 + z))
    found = verify(body, moments(body), times=(0, r(1, 2)))
    assert found.is_independent
    assert found.sentence().startswith("exact integrals agree with independent quadrature to")
    assert found.sentence().endswith("at t = 0, 0.5")
    body = distribution(part(solids.ball(1), density=2 - RADIUS))
    assert "in the same chart" in verify(body, moments(body)).sentence()


def _breathing() -> MassDistribution:
    rate = s.diff(t)
    sphere = part(solids.ball(s), mass=M, velocity=tuple(e * rate / s for e in X))
    return distribution(sphere, particle(1, (s, 0, 1)), values={M: 3, s: 1 + t**2 / 2})


def test_functions_of_time_take_their_values() -> None:
    body = _breathing()
    assert verify(body, moments(body), times=(0, r(1, 3), 2)).worst < 1e-10


def test_a_wrong_moment_is_found() -> None:
    body = _breathing()
    wrong = moments(distribution(part(solids.ball(s), mass=M)))
    with pytest.raises(VerificationError, match="disagree"):
        verify(body, wrong)


def test_a_symbol_without_value_is_named() -> None:
    body = distribution(part(solids.ball(1), mass=M))
    with pytest.raises(InputError, match="no value"):
        verify(body, moments(body))
