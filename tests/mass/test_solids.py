"""Closed-form moments against the charts, exactly; containment and content of every shape."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import sympy

from symdyn._errors import InputError, UnsupportedError
from symdyn.mass import solids, thin
from symdyn.mass.body import content
from symdyn.mass.coordinates import X
from symdyn.mass.domain import Domain, rpy
from symdyn.mass.integrate import _over_chart, integral, on_chart, term_bound
from symdyn.mass.region import parametrised, region
from symdyn.mass.zero import decide_zero

x, y, z = X
R, H, a, b, c = sympy.symbols("R H a b c", positive=True)
SHAPES = {
    "box": solids.box(a, b, c),
    "ball": solids.ball(R),
    "ellipsoid": solids.ellipsoid(a, b, c),
    "half_ball": solids.half_ball(R),
    "cylinder": solids.cylinder(R, H),
    "half_cylinder": solids.half_cylinder(R, H),
    "cone": solids.cone(R, H),
    "torus": solids.torus(a, b),
    "sphere_shell": thin.sphere_shell(R),
    "cylinder_shell": thin.cylinder_shell(R, H),
    "plate": thin.plate(a, b),
    "disk": thin.disk(R),
    "rod": thin.rod((1, a, 0), (0, b, 2)),
}
DEGREE = 4
CONTENTS = {
    "box": a * b * c,
    "ball": 4 * sympy.pi * R**3 / 3,
    "ellipsoid": 4 * sympy.pi * a * b * c / 3,
    "half_ball": 2 * sympy.pi * R**3 / 3,
    "cylinder": sympy.pi * R**2 * H,
    "half_cylinder": sympy.pi * R**2 * H / 2,
    "cone": sympy.pi * R**2 * H / 3,
    "torus": 2 * sympy.pi**2 * a * b**2,
    "sphere_shell": 4 * sympy.pi * R**2,
    "cylinder_shell": 2 * sympy.pi * R * H,
    "plate": a * b,
    "disk": sympy.pi * R**2,
    "rod": sympy.sqrt(5 + (a - b) ** 2),
}


def _same(found: sympy.Expr, expected: sympy.Expr) -> bool:
    return sympy.expand(found - expected) == 0 or decide_zero(found - expected).holds


@pytest.mark.parametrize("name", SHAPES)
def test_two_roads_to_every_monomial_moment(name: str) -> None:
    shape = SHAPES[name].pieces[0].shape
    assert shape.monomial is not None
    assert shape.chart is not None
    for n in product(range(DEGREE + 1), repeat=3):
        if sum(n) <= DEGREE:
            field = x ** n[0] * y ** n[1] * z ** n[2]
            by_chart = _over_chart(shape.chart, on_chart(shape.chart, field))
            assert _same(shape.monomial(*n), by_chart), n


@pytest.mark.parametrize("name", SHAPES)
def test_contents(name: str) -> None:
    assert _same(content(SHAPES[name]), CONTENTS[name])


def test_the_chart_lies_inside_its_inequalities() -> None:
    sizes = {R: 2, H: 3, a: 4, b: 3, c: 2}
    for name in ("box", "ball", "half_ball", "cylinder", "half_cylinder", "cone", "torus"):
        shape = SHAPES[name].pieces[0].shape
        assert shape.chart is not None
        middle = {}
        for r in shape.chart.ranges:
            middle[r.symbol] = ((r.low + 2 * r.high) / 3).subs(middle)
        place = dict(zip(X, (e.subs(middle) for e in shape.chart.place), strict=True))
        for side in shape.inside:
            assert side.subs(place).subs(sizes).evalf() > 0, name


def test_a_hole_takes_away() -> None:
    tube = solids.cylinder(2, 3) - solids.cylinder(1, 3)
    assert integral(tube, x**2) == integral(solids.cylinder(2, 3), x**2) - integral(
        solids.cylinder(1, 3), x**2
    )
    assert content(tube) == 9 * sympy.pi


def test_placing_and_scaling_change_variables() -> None:
    half_turn = rpy(0, sympy.pi / 2, 0)  # z goes to x
    lying = solids.cone(R, H).placed(at=(1, 0, 0), rotation=half_turn)
    assert _same(integral(lying, x) / content(lying), 1 + sympy.Rational(3, 4) * H)
    assert _same(
        integral(solids.ball(1).scaled(a, b, c), x**2 * y**2),
        integral(solids.ellipsoid(a, b, c), x**2 * y**2),
    )
    assert content(thin.disk(1).scaled(3)) == 9 * sympy.pi


def test_a_field_that_is_no_polynomial_goes_over_the_chart() -> None:
    radius = sympy.sqrt(x**2 + y**2 + z**2)
    assert integral(solids.ball(R), radius) == sympy.pi * R**4
    assert _same(integral(solids.box(2, 1, 1), sympy.cos(x) * y**2), sympy.sin(1) / 6)


def test_a_region_of_iterated_limits() -> None:
    simplex = region(((z, 0, a), (y, 0, a - z), (x, 0, a - y - z)))
    assert _same(content(simplex), a**3 / 6)
    assert _same(integral(simplex, x**2), a**5 / 60)
    whole = region(tuple((s, -sympy.oo, sympy.oo) for s in X))
    bell = sympy.exp(-(x**2) - y**2 - z**2)
    assert integral(whole, bell * x**2) == sympy.pi ** sympy.Rational(3, 2) / 2


def test_a_parametrisation_computes_its_measure() -> None:
    u, v, w = (sympy.Symbol(n, nonnegative=True) for n in "uvw")
    quarter = parametrised(
        (u * sympy.cos(v), u * sympy.sin(v), w), ((u, 0, R), (v, 0, sympy.pi / 2), (w, 0, H))
    )
    assert _same(integral(quarter, x * y * z), R**4 * H**2 / 16)
    turn = parametrised((R * sympy.cos(v), R * sympy.sin(v), 0), ((v, 0, 2 * sympy.pi),))
    assert _same(content(turn), 2 * sympy.pi * R)
    cone = parametrised((u * sympy.cos(v), u * sympy.sin(v), u), ((u, 0, 1), (v, 0, 2 * sympy.pi)))
    assert _same(content(cone), sympy.sqrt(2) * sympy.pi)


def test_points_and_clouds() -> None:
    masses, places = (1, "0.5", 2), ((0, 0, 1), (1, 0, 0), ("1/2", "1/3", 0))
    one = thin.cloud(masses, places)
    several = thin.point(places[0]), thin.point(places[1]), thin.point(places[2])
    for n in product(range(3), repeat=3):
        field = x ** n[0] * y ** n[1] * z ** n[2]
        weights = (1, sympy.Rational(1, 2), 2)
        expected = sum(w * integral(p, field) for w, p in zip(weights, several, strict=True))
        assert integral(one, field) == expected


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: solids.ball(-1), "radius is not positive"),
        (lambda: solids.box(1, 0, 1), "edge is not positive"),
        (lambda: solids.torus(1, 2), "overlaps itself"),
        (lambda: thin.rod((0, 0, 0), (0, 0, 0)), "no length"),
        (lambda: thin.cloud((), ()), "no points"),
        (lambda: solids.ball("one"), "no number"),
        (lambda: solids.ball(float("nan")), "not finite"),
        (lambda: solids.ball(sympy.Float(0.1)), "not exact"),
        (lambda: solids.ball(1) + thin.disk(1), "differ in dimension"),
        (
            lambda: solids.ball(1).placed(rotation=((1, 0, 0), (0, 1, 0), (0, 0, 2))),
            "not orthonormal",
        ),
        (
            lambda: solids.ball(1).placed(rotation=((1, 0, 0), (0, 1, 0), (0, 0, -1))),
            "left-handed",
        ),
        (lambda: region(((x, 0, 1), (y, 0, 1))), "limits for x, y and z"),
        (lambda: region(((x, 0, y), (y, 0, 1), (z, 0, 1))), "limits of x use y"),
        (lambda: region(((x, 1, 0), (y, 0, 1), (z, 0, 1))), "reversed"),
        (lambda: parametrised((x, 0, 0), ((x, 0, 1),)), "other than x, y, z"),
        (lambda: content(solids.ball(1) - solids.ball(1)), "no content"),
        (lambda: integral(region(((x, 0, sympy.oo), (y, 0, 1), (z, 0, 1))), x), "diverges"),
        (lambda: integral(solids.ball(1), (x**2 + y**2 + z**2) ** -2), "diverges"),
    ],
)
def test_refusals(make: object, text: str) -> None:
    with pytest.raises(InputError, match=text):
        make()  # type: ignore[operator]  # a function without arguments


def test_a_parametrisation_that_turns_space_over_is_refused() -> None:
    u, v, w = (sympy.Symbol(n, nonnegative=True) for n in "uvw")
    with pytest.raises(InputError, match="negative or of unknown sign"):
        parametrised((v * (1 + u), u, w), ((u, 0, 1), (v, 0, 1), (w, 0, 1)))


def test_terms_are_counted_before_anything_is_multiplied_out() -> None:
    assert term_bound((x + y + 1) ** 3 * (x - z)) == 20
    with pytest.raises(UnsupportedError, match="when multiplied out"):
        integral(solids.box(1, 1, 1), (x + y + z + 1) ** 500)
    assert integral(solids.box(2, 1, 1), x**60) == sympy.Rational(2, 61)


def test_floats_are_read_as_they_print() -> None:
    assert content(solids.box(0.1, np.float64(0.2), "0.5")) == sympy.Rational(1, 100)


def test_a_surface_is_not_stretched_unevenly() -> None:
    with pytest.raises(UnsupportedError, match="one factor"):
        thin.sphere_shell(1).scaled(1, 2, 3)


def test_domains_are_data() -> None:
    assert isinstance(SHAPES["ball"], Domain)
    assert (solids.ball(2) - solids.ball(1)).name == "ball(2) - ball(1)"
