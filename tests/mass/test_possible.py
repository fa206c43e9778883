"""Every place counted once, fields what they claim: refused with a place, or said to be open."""

from __future__ import annotations

from collections.abc import Callable
from math import isclose

import pytest
import sympy

from symdyn._errors import InputError
from symdyn.mass import solids, thin
from symdyn.mass.body import MassDistribution, content, distribution, part
from symdyn.mass.coordinates import RADIUS, TIME, X
from symdyn.mass.domain import Domain, rpy
from symdyn.mass.mass_moments import moments
from symdyn.mass.polyhedron import polyhedron
from symdyn.mass.region import parametrised, region
from symdyn.mass.sources import Momentum, flow, source_of

t = TIME
x, y, z = X
r = sympy.Rational
u, v, w = (sympy.Symbol(n, nonnegative=True) for n in "uvw")
a, R, H = sympy.symbols("a R H", positive=True)
BORE = solids.cylinder(r(1, 2), 2)
CROSS = BORE.placed(rotation=rpy(0, sympy.pi / 2, 0))
BLOCK = solids.box(2, 2, 2)
ALONG_X = rpy(0, sympy.pi / 2, 0)


def cube(edge: float, at: tuple[float, float, float] = (0, 0, 0)) -> tuple[list, list]:
    corners = [
        (at[0] + i * edge / 2, at[1] + j * edge / 2, at[2] + k * edge / 2)
        for i in (-1, 1)
        for j in (-1, 1)
        for k in (-1, 1)
    ]
    faces = [
        (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
        (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
    ]  # fmt: skip
    return corners, faces


def two_cubes(at: tuple[float, float, float]) -> Domain:
    places, faces = cube(1)
    more, _ = cube(1, at)
    return polyhedron(places + more, faces + [tuple(i + 8 for i in f) for f in faces])


def full(domain: Domain, **other: object) -> MassDistribution:
    return distribution(part(domain, density=1, **other))  # type: ignore[arg-type]  # by keyword


def ring(count: int) -> Domain:
    angles = [2 * sympy.pi * k / count for k in range(count)]
    holes = [
        solids.cylinder(r(1, 8), 1).placed((r(3, 2) * sympy.cos(f), r(3, 2) * sympy.sin(f), 0))
        for f in angles
    ]
    flange = solids.cylinder(2, 1)
    for hole in holes:
        flange = flange - hole
    return flange


WRONG: dict[str, tuple[Callable[[], Domain], str]] = {
    "crossing bores": (lambda: BLOCK - BORE - CROSS, "holes overlap.*0, 0, 0"),
    "one hole twice": (lambda: BLOCK - BORE - BORE, "holes overlap"),
    "balls that share a lens": (
        lambda: solids.box(1, 1, 1)
        - solids.ball("0.2")
        - solids.ball("0.2").placed(("0.39", 0, 0)),
        "holes overlap",
    ),
    "bores that meet by a hair": (
        lambda: solids.box(4, 4, 4)
        - solids.cylinder(r(1, 2), 4)
        - solids.cylinder(r(1, 2), 4).placed((r(9999, 10000), 0, 0), rpy(sympy.pi / 2, 0, 0)),
        "holes overlap",
    ),
    "a thin plate in a hole": (
        lambda: solids.box(3, 3, 3)
        - solids.ball(1)
        - solids.box(1, 1, r(1, 1000)).placed((0, r(14, 10), 0)),
        "holes overlap",
    ),
    "added boxes": (
        lambda: solids.box(1, 1, 1) + solids.box(1, 1, 1).placed((r(999, 1000), 0, 0)),
        "added overlap",
    ),
    "tori": (
        lambda: solids.torus(1, r(1, 4)) + solids.torus(1, r(1, 4)).placed((r(11, 5), 0, 0)),
        "added overlap",
    ),
    "a hole in nothing": (
        lambda: solids.cylinder(1, 2) - solids.cone(r(1, 2), r(11, 10)),
        "reaches out",
    ),
    "a hole in a plate": (
        lambda: thin.plate(1, 1) - thin.disk(r(1, 4)).placed((r(1, 2), 0, 0)),
        "reaches out",
    ),
    "a mesh as a hole": (
        lambda: BLOCK - polyhedron(*cube(1)) - solids.ball(r(6, 10)),
        "holes overlap",
    ),
    "a hole that a mesh does not hold": (
        lambda: polyhedron(*cube(2)) - solids.ball(2),
        "reaches out",
    ),
    "a mesh through itself": (lambda: two_cubes((0.3, 0.2, 0.1)), "cuts through itself"),
    "letters without a value": (
        lambda: solids.box(a, a, a) - solids.cylinder(R, H) - solids.cylinder(R, H),
        "holes overlap",
    ),
    "limits reversed on a part": (
        lambda: region(((z, 0, 1), (y, 0, 1 - r(3, 2) * z), (x, 0, 1))),
        "limits of y are reversed.*z = 7/8",
    ),
    "limits reversed in a corner": (
        lambda: region(((z, 0, 1), (y, 0, r(99, 100) - z), (x, 0, 1))),
        "limits of y are reversed",
    ),
    "a map that folds": (
        lambda: parametrised(((u - r(1, 4)) ** 2, v, w), ((u, 0, 1), (v, 0, 1), (w, 0, 1))),
        "turns over",
    ),
    "a map that winds twice": (
        lambda: parametrised(
            (u * sympy.cos(v), u * sympy.sin(v), w),
            ((u, 0, 1), (v, 0, r(11, 5) * sympy.pi), (w, 0, 1)),
        ),
        "covers a place twice",
    ),
    "a radius that turns negative": (lambda: solids.ball(1 - 2 * t), "radius.*negative.*t ="),
    "an edge that turns negative": (lambda: solids.box(r(1, 2) - t, 1, 1), "edge 1.*negative"),
    "a factor that turns negative": (
        lambda: solids.ball(1).scaled(1 - 2 * t, 1 - 2 * t, 1),
        "factor.*negative",
    ),
    "a hole that drifts into another": (
        lambda: solids.box(4, 2, 2)
        - solids.ball(r(1, 2))
        - solids.ball(r(1, 2)).placed((r(5, 4) - t, 0, 0)),
        "holes overlap.*t =",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_place_that_is_not_counted_once_is_refused(name: str) -> None:
    make, text = WRONG[name]
    with pytest.raises(InputError, match=text):
        full(make())


CERTAIN: dict[str, Domain] = {
    "a bore": BLOCK - BORE,
    "holes that touch": solids.box(4, 2, 2)
    - BORE.placed((r(1, 2), 0, 0))
    - BORE.placed((-r(1, 2), 0, 0)),
    "counterbore": solids.cylinder(2, 2)
    - solids.cylinder(r(1, 2), 1).placed((0, 0, r(1, 2)))
    - solids.cylinder(r(1, 4), 1).placed((0, 0, -r(1, 2))),
    "bolts": ring(4),
    "boxes side by side": solids.box(1, 1, 1) + solids.box(1, 1, 1).placed((1, 0, 0)),
    "a core in a shell": solids.ball(3) - solids.ball(2) + solids.ball(1),
    "simplex": region(((z, 0, 1), (y, 0, 1 - z), (x, 0, 1 - y - z))),
    "a cone taken out": solids.cylinder(1, 2) - solids.cone(r(1, 2), 1),
}


@pytest.mark.parametrize("name", CERTAIN)
def test_what_is_decided_for_certain(name: str) -> None:
    assert full(CERTAIN[name]).uncertain == ()


OPEN: dict[str, tuple[Domain, str]] = {
    "a hole through two boxes": (
        CERTAIN["boxes side by side"] - solids.cylinder(r(1, 8), 1).placed((r(1, 2), 0, 0)),
        "sampled",
    ),
    "meshes": (two_cubes((2, 0, 0)), "sampled"),
    "linked rings": (
        solids.torus(1, r(1, 8)) + solids.torus(1, r(1, 8)).placed((1, 0, 0), ALONG_X),
        "sampled",
    ),
    "shells": (thin.sphere_shell(1) + thin.sphere_shell(2), "not examined"),
    "a map": (parametrised((u, v * (1 + u), w), ((u, 0, 1), (v, 0, 1), (w, 0, 1))), "sampled"),
    "letters": (solids.cylinder(a + R, H) - solids.cylinder(R, H), "sampled"),
}


@pytest.mark.parametrize("name", OPEN)
def test_what_is_not_decided_is_said(name: str) -> None:
    domain, word = OPEN[name]
    (text,) = full(domain).uncertain
    assert text.endswith(f"shapes: {word}")


def test_the_content_of_a_wrong_domain_is_no_number() -> None:
    with pytest.raises(InputError, match="holes overlap"):
        content(BLOCK - BORE - CROSS)


FIELDS: dict[str, tuple[Callable[[], object], str]] = {
    "a wave between the nodes": (
        lambda: distribution(
            part(solids.box(1, 1, 1), density=1 + 2 * sympy.sin(16 * sympy.pi * x))
        ),
        "density is negative",
    ),
    "a dip that no node meets": (
        lambda: distribution(
            part(solids.box(1, 1, 1), density=1 - 2 * sympy.exp(-((10000 * (x - r(1, 7))) ** 2)))
        ),
        "density is negative; expected >= 0; got",
    ),
    "a dip in time": (
        lambda: distribution(
            part(solids.ball(1), density=1 - 2 * sympy.exp(-((10**6 * (t - r(1, 7))) ** 2)))
        ),
        "density is negative",
    ),
    "a fraction without a velocity": (lambda: full(solids.ball(1), moving=2), "no fraction"),
    "a fraction that is carried": (
        lambda: full(solids.ball(1), moving=2, at=(t, 0, 0)),
        "no fraction",
    ),
    "a fraction above one in time": (
        lambda: full(solids.ball(1), moving=r(1, 2) + t, at=(t, 0, 0)),
        "no fraction.*t =",
    ),
    "a root of what is negative": (
        lambda: distribution(part(BLOCK, density=sympy.sqrt(x))),
        "no real number",
    ),
    "a complex velocity": (
        lambda: full(BLOCK, velocity=(x ** (-r(1, 3)), 0, 0)),
        "velocity 1.*no real number.*x =",
    ),
    "values that come later": (
        lambda: moments(
            full(solids.ball(1), moving=sympy.Symbol("s"), velocity=(1, 0, 0))
        ).put({sympy.Symbol("s"): 3}),
        "no fraction",
    ),
    "a size that comes later": (
        lambda: moments(distribution(part(solids.ball(1 - a * t), density=1))).put({a: 2}),
        "radius.*negative",
    ),
    "a measure that is not that of the map": (
        lambda: parametrised((u, v, u * v), ((u, 0, 1), (v, 0, 2)), 1 + u**2),
        "not that of the map",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_that_cannot_be_is_refused(name: str) -> None:
    make, text = FIELDS[name]
    with pytest.raises(InputError, match=text):
        make()


@pytest.mark.parametrize(
    "density",
    [2 - RADIUS, 1 - RADIUS, 1 - x**2 - y**2 - z**2, 1 - x, 1 + t * sympy.sin(16 * sympy.pi * x)],
)
def test_signs_are_decided_for_certain(density: sympy.Expr) -> None:
    assert distribution(part(solids.ball(1), density=density)).uncertain == ()


def test_a_sign_that_stays_open_is_said() -> None:
    found = distribution(part(solids.ball(1), density=1 / RADIUS))
    assert found.uncertain == ("ball(1), density: sampled",)


def test_a_flow_counts_every_place_once() -> None:
    growing = moments(distribution(part(solids.box(1, 1, 1), density=1 + t)))
    twice = solids.box(1, 1, 1) + solids.box(1, 1, 1)
    with pytest.raises(InputError, match="rain: pieces that are added overlap"):
        source_of(growing, flows=[flow(twice, Momentum.AT_REST, density_rate=r(1, 2), name="rain")])


def test_a_signed_sum_counts_what_is_there() -> None:
    """Two crossing bores made into one region: what the refused domain should have been."""
    steinmetz = r(16, 3) * r(1, 8)
    united = 2 * sympy.pi / 2 - steinmetz
    sliced = region(
        ((x, -r(1, 2), r(1, 2)), (y, -sympy.sqrt(r(1, 4) - x**2), sympy.sqrt(r(1, 4) - x**2)),
         (z, -sympy.sqrt(r(1, 4) - x**2), sympy.sqrt(r(1, 4) - x**2)))
    )  # fmt: skip
    assert isclose(float(2 * content(BORE) - content(sliced)), float(united))
