"""Polyhedra: exact against the same solids by formula, and every broken mesh refused."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
import sympy

from symdyn._errors import InputError, UnsupportedError
from symdyn.mass import solids
from symdyn.mass.body import distribution, part
from symdyn.mass.coordinates import X
from symdyn.mass.integrate import integral
from symdyn.mass.mass_moments import moments
from symdyn.mass.mesh_file import read_mesh
from symdyn.mass.polyhedron import polyhedron
from symdyn.mass.quadrature import verify
from symdyn.mass.region import region
from tests.oracles import need

x, y, z = X
CORNERS = list(product((0, 1), repeat=3))
#: The unit cube, counter-clockwise from outside; vertex 4 i + 2 j + k at (i, j, k).
CUBE = [
    (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1),
    (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3),
]  # fmt: skip
TETRAHEDRON = (
    [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
    [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)],
)


def test_the_cube_is_the_box() -> None:
    cube = polyhedron(CORNERS, CUBE)
    half = sympy.Rational(1, 2)
    box = solids.box(1, 1, 1).placed((half, half, half))
    for n in product(range(4), repeat=3):
        if sum(n) <= 5:
            field = x ** n[0] * y ** n[1] * z ** n[2]
            assert integral(cube, field) == integral(box, field), n


def test_the_tetrahedron_is_the_region() -> None:
    tetrahedron = polyhedron(*TETRAHEDRON)
    same = region(((z, 0, 1), (y, 0, 1 - z), (x, 0, 1 - y - z)))
    for n in product(range(4), repeat=3):
        field = x ** n[0] * y ** n[1] * z ** n[2]
        assert integral(tetrahedron, field) == integral(same, field)


def test_moments_do_not_depend_on_where_the_origin_is() -> None:
    """A random affine image of the cube, by the divergence theorem and by change of variables."""
    rng = random.Random(3)
    A = [[Fraction(rng.randint(-4, 4), 3) + 3 * (i == j) for j in range(3)] for i in range(3)]
    b = [Fraction(rng.randint(-9, 9), 2) for _ in range(3)]
    image = [
        [sum(a * c for a, c in zip(row, v, strict=True)) + e for row, e in zip(A, b, strict=True)]
        for v in CORNERS
    ]
    found = polyhedron(image, CUBE)
    rows = sympy.Matrix(A) * sympy.Matrix(X) + sympy.Matrix(b)
    determinant = sympy.Matrix(A).det()
    unit = region(tuple((e, 0, 1) for e in X))
    for field in (sympy.Integer(1), x, y * z, x**2 * z, z**4):
        moved = field.subs(dict(zip(X, rows, strict=True)), simultaneous=True)
        assert integral(found, field) == determinant * integral(unit, sympy.expand(moved))


def test_density_and_flow_in_a_mesh_against_quadrature() -> None:
    body = distribution(part(polyhedron(CORNERS, CUBE), density=1 + x * y, velocity=(y, -x, z**2)))
    assert verify(body, moments(body), times=(0,)).worst < 1e-12


def test_floats_are_binary_fractions() -> None:
    scaled = [[0.1 * c for c in v] for v in CORNERS]
    assert integral(polyhedron(scaled, CUBE), sympy.Integer(1)) == sympy.Rational(
        *(Fraction(0.1) ** 3).as_integer_ratio()
    )


def test_fields_other_than_polynomials_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="polynomials"):
        integral(polyhedron(CORNERS, CUBE), sympy.sin(x))


@pytest.mark.parametrize(
    ("vertices", "faces", "text"),
    [
        (CORNERS, CUBE[:-1], "has a hole"),
        (CORNERS, [(a, c, b) for a, b, c in CUBE], "inside out"),
        (CORNERS, [*CUBE[:-1], (1, 3, 7)], "turned against each other"),
        (CORNERS, [*CUBE, CUBE[0]], "no surface"),
        (CORNERS, [*CUBE[:-1], (1, 7, 8)], "no triangle"),
        (CORNERS, [*CUBE[:-1], (1, 7, 7)], "no triangle"),
        ([*CORNERS[:-1], (1, 1, float("nan"))], CUBE, "no place"),
        (CORNERS, [(0, 1, 2), (0, 2, 1)], "no volume"),
    ],
)
def test_broken_meshes_are_refused(
    vertices: list[tuple[float, ...]], faces: list[tuple[int, ...]], text: str
) -> None:
    with pytest.raises(InputError, match=text):
        polyhedron(vertices, faces)


def _stl(faces: list[tuple[int, int, int]]) -> str:
    lines = ["solid cube"]
    for face in faces:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += ["vertex {} {} {}".format(*(50 * c for c in CORNERS[i])) for i in face]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid cube", ""])


def test_meshes_from_files(tmp_path: Path) -> None:
    need("trimesh")
    file = tmp_path / "cube.stl"
    file.write_text(_stl(CUBE))
    cube = read_mesh(file, scale=Fraction(1, 1000))
    assert integral(cube, sympy.Integer(1)) == sympy.Rational(1, 8000)
    file.write_text(_stl(CUBE[1:]))
    with pytest.raises(InputError, match="hole"):
        read_mesh(file)


def test_files_that_are_no_meshes(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="are read from"):
        read_mesh(tmp_path / "cube.step")
    with pytest.raises(InputError, match="no such file"):
        read_mesh(tmp_path / "cube.stl")
    need("trimesh")
    file = tmp_path / "cube.obj"
    file.write_text("nothing of a mesh\n")
    with pytest.raises(InputError, match=r"cannot be read|no triangles"):
        read_mesh(file)
    file.write_text("v 0 nan 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    with pytest.raises(InputError, match=r"corner 1 of the mesh is nowhere.*got 0\.0, nan, 0\.0"):
        read_mesh(file)
    binary = tmp_path / "cube.stl"
    binary.write_bytes(bytes(range(128, 256)) * 10)
    with pytest.raises(InputError, match=r"cannot be read; .*(ASCII|STL)") as error:
        read_mesh(binary)
    assert "module" not in str(error.value)
