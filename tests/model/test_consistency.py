"""Diagnosis of inertial parameters: verdict, margin, likely cause, unique repair."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift
from symdyn.io.load import load_robot
from symdyn.io.urdf import parse_urdf
from symdyn.model.build import build_robot
from symdyn.model.consistency import BodyDiagnosis, Consistency, diagnose, diagnose_links
from symdyn.model.over import over
from symdyn.spatial.symmetric import eigenvalues, semidefinite_rank
from tests.urdf_text import joint, link, pendulum, robot


def of(
    mass: str = "1", com: str = "0 0 0", inertia: str = "1 1 1", rpy: str | None = None
) -> BodyDiagnosis:
    """The diagnosis of the one link of a robot."""
    found = diagnose(build_robot(parse_urdf(pendulum(mass, com, inertia, rpy=rpy))))
    assert len(found) == 1
    assert found[0].links[0].verdict is found[0].verdict
    return found[0].links[0]


# -- verdicts -------------------------------------------------------------------------------------


def test_a_point_mass_is_legal_and_degenerate() -> None:
    text = pendulum("1", "0.5 0 0", "0 0 0")
    body = diagnose(build_robot(parse_urdf(text)))[0]
    assert body.is_consistent
    assert body.verdict is Consistency.DEGENERATE
    assert body.degenerate.startswith("rank 1 pseudo-inertia")
    assert_allclose(body.pseudo_inertia_eigenvalues, [0, 0, 0, 1.25], atol=1e-12)
    found = build_robot(parse_urdf(text))
    theta = lift(found.bodies[0].phi, FLOAT64)
    assert dynamics.mass_matrix(over(found, FLOAT64), [0.3], theta) == [[0.25]]


@pytest.mark.parametrize(
    ("inertia", "rank", "shape"),
    [
        ("0 0.25 0.25", 2, "thin rod"),
        ("0.1 0.2 0.3", 3, "flat plate"),
        ("0.0208333 0.0833333 0.1041667", 3, "flat plate"),  # over by half a printed unit
    ],
)
@pytest.mark.parametrize("rpy", [None, "0.3 0.2 0.1"])
def test_rods_and_plates_are_legal(inertia: str, rank: int, shape: str, rpy: str | None) -> None:
    found = of(inertia=inertia, com="0.1 0 0.2", rpy=rpy)
    assert found.verdict is Consistency.DEGENERATE
    assert found.degenerate == f"rank {rank} pseudo-inertia ({shape})"


@pytest.mark.parametrize("inertia", ["0.1 0.1 0.3", "0.020 0.080 0.110", "0.10001 0.20001 0.30004"])
def test_more_than_the_printed_precision_over_the_boundary_is_inconsistent(inertia: str) -> None:
    assert of(inertia=inertia).verdict is Consistency.INCONSISTENT


def test_a_link_without_mass_is_a_verdict_of_its_own() -> None:
    found = of("0", inertia="0 0 0")
    assert found.verdict is Consistency.MASSLESS
    assert found.is_consistent
    assert "massless" in found.sentence()


@given(st.integers(0, 10**6))
def test_clouds_of_particles_are_consistent(seed: int) -> None:
    rng = random.Random(seed)
    points = rng.randint(1, 5)
    masses = [Fraction(rng.randint(1, 9)) for _ in range(points)]
    x = [[Fraction(rng.randint(-9, 9)) for _ in range(3)] for _ in range(points)]
    m = sum(masses, Fraction(0))
    c = [sum((w * p[i] for w, p in zip(masses, x, strict=True)), Fraction(0)) / m for i in range(3)]
    second = [
        [
            sum(w * (p[i] - c[i]) * (p[j] - c[j]) for w, p in zip(masses, x, strict=True))
            for j in range(3)
        ]
        for i in range(3)
    ]
    rank = int(np.linalg.matrix_rank(np.array(second, float)))
    assert semidefinite_rank([[Fraction(v) for v in row] for row in second]) == rank
    if rank < 3:  # a hair beyond the boundary is refused
        for i in range(3):
            second[i][i] -= Fraction(1, 10**30)
        assert semidefinite_rank([[Fraction(v) for v in row] for row in second]) is None


def test_the_exact_decision_sees_what_doubles_cannot() -> None:
    tiny = Fraction(1, 10**40)
    block = [[Fraction(1), Fraction(1)], [Fraction(1), Fraction(1)]]
    assert semidefinite_rank(block) == 1
    assert semidefinite_rank([[1 + tiny, block[0][1]], block[1]]) == 2
    assert semidefinite_rank([[1 - tiny, block[0][1]], block[1]]) is None
    assert semidefinite_rank([[Fraction(0), tiny], [tiny, Fraction(1)]]) is None
    assert semidefinite_rank([[Fraction(0)] * 3] * 3) == 0


@given(st.lists(st.floats(-10, 10), min_size=10, max_size=10))
def test_eigenvalues_equal_lapack(values: list[float]) -> None:
    a = np.zeros((4, 4))
    a[np.triu_indices(4)] = values
    a = a + np.triu(a, 1).T
    assert_allclose(eigenvalues(a.tolist()), np.linalg.eigvalsh(a), atol=1e-12)


@given(
    st.tuples(*[st.floats(-3, 3)] * 3),
    st.tuples(*[st.integers(-40, 40)] * 6),
    st.tuples(*[st.floats(-1, 1)] * 3),
)
def test_the_verdict_is_that_of_the_pseudo_inertia_in_any_frame(
    rpy: tuple[float, ...], six: tuple[int, ...], com: tuple[float, ...]
) -> None:
    xx, yy, zz = (abs(v) for v in six[:3])
    inertia = f"{xx} {six[3]} {six[4]} {yy} {six[5]} {zz}"
    turn, place = (" ".join(f"{v:.17f}" for v in t) for t in (rpy, com))
    found = of("2", place, inertia, turn)
    smallest = found.pseudo_inertia_eigenvalues[0]
    if abs(smallest) > 1e-9:
        assert found.is_consistent == (smallest > 0)
    assert found.margin == pytest.approx(of("2", "0 0 0", inertia).margin)


# -- causes ---------------------------------------------------------------------------------------


def test_a_missing_decimal_point_has_a_unique_repair() -> None:
    found = of("1.2", "0 0 0.05", "2410E-6 -22E-6 11E-6 2050E-6 95E-6 1584321E-6")
    assert not found.is_consistent
    want = [0.0020486547761555114, 0.0024113394435461943, 1.584321005780298]
    assert_allclose(found.principal_moments, want, rtol=1e-9)
    assert found.triangle_margin == pytest.approx(-1.5798610115605964, rel=1e-9)
    assert found.radii_of_gyration[2] == pytest.approx(1.1490289378427334, rel=1e-9)
    assert found.repair is not None
    repair = (found.repair.entry, found.repair.exponent, found.repair.value)
    assert repair == ("izz", -3, Fraction("0.001584321"))
    assert "power of ten" in found.causes[0]
    assert found.line == 4
    assert "izz times 10^-3, that is 0.001584321" in found.sentence()


@pytest.mark.parametrize("entry", [0, 3, 5])
@pytest.mark.parametrize("power", [-4, -2, -1, 1, 2, 3, 6])
def test_a_slip_in_any_diagonal_entry_is_found(entry: int, power: int) -> None:
    good = ["0.0300", "-0.0002", "0.0001", "0.0500", "0.0009", "0.0700"]
    assert of(inertia=" ".join(good)).repair is None
    bad = list(good)
    bad[entry] = f"{good[entry]}e{power}"
    found = of(inertia=" ".join(bad))
    assert not found.is_consistent
    assert found.repair is not None
    slot = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")[entry]
    assert (found.repair.entry, found.repair.exponent) == (slot, -power)
    assert found.repair.value == Fraction(good[entry])


def test_several_possible_powers_are_no_repair() -> None:
    found = of(inertia="0.5 0.501 1000")  # 1, 0.1 and 0.01 all fit
    assert not found.is_consistent
    assert found.repair is None
    assert "several powers fit" in found.causes[0]


def test_a_slight_excess_is_no_slip_of_the_decimal_point() -> None:
    # link 3 of the PUMA 560 as published (Armstrong et al. 1986): measured by hanging it on wires
    found = of("4.8", "-0.0203 -0.0141 0.07", "0.066 0.086 0.0125")
    assert not found.is_consistent
    assert found.repair is None
    assert found.causes == (
        "iyy exceeds ixx + izz by 0.0075 kg m^2 (triangle inequality)",
        "8.8 % less iyy would do: measured or rounded numbers rather than a slip",
    )
    for body in diagnose(load_robot("puma560")):
        assert all(part.repair is None for part in (body, *body.links))


def test_a_repair_that_does_not_fit_into_the_robot_is_none() -> None:
    # izz times 100 would make a body of 18 m radius in a robot of 0.3 m
    inertia = "300 400 4"
    text = robot(link("base"), link("a", "1", "0.1 0 0", inertia), link("b", "1", "0.1 0 0"),
                 joint("j", "base", "a"), joint("k", "a", "b", xyz="0.3 0 0"))  # fmt: skip
    found = diagnose(build_robot(parse_urdf(text)))[0].links[0]
    assert found.repair is None
    assert found.causes[-1] == "iyy exceeds ixx + izz by 96 kg m^2 (triangle inequality)"
    assert of(inertia=inertia).repair is not None


@pytest.mark.parametrize(
    ("inertia", "words"),
    [
        ("1 0.9 0.9 1 0.9 0.2", "iyz is too large: its square, 0.81, exceeds iyy times izz, 0.2"),
        ("1 -0.6 -0.6 1 -0.6 1", "a principal moment is negative (-0.2)"),
        ("0.2 0.08 0.08 0.2 0.08 0.2", "exceeds the sum of the other two by 0.12 kg m^2"),
        ("-0.5 1 1", "ixx is negative (-0.5)"),
    ],
)
def test_the_condition_that_fails_tells_by_how_much(inertia: str, words: str) -> None:
    assert any(words in cause for cause in of(inertia=inertia).causes)


def test_a_tensor_typed_row_by_row_is_recognised() -> None:
    found = of("5", "0 0 0", "0.12 0.01 -0.004 0.01 0.1 0.006")
    assert not found.is_consistent
    want = [-0.09247743561793062, 0.10665733903401109, 0.12182009658391954]
    assert_allclose(found.principal_moments, want, rtol=1e-9)
    want = "iyy repeats ixy: looks like a row-major walk; izz is then not recoverable"
    assert found.causes[0] == want
    assert found.repair is None


@pytest.mark.parametrize("seed", range(8))
def test_any_tensor_typed_row_by_row_is_recognised(seed: int) -> None:
    rng = random.Random(seed)
    xx, yy, zz = (Fraction(rng.randint(90, 110), 1000) for _ in range(3))
    xy, xz, yz = (Fraction(rng.choice([-1, 1]) * rng.randint(1, 9), 1000) for _ in range(3))
    rows = [xx, xy, xz, xy, yy, yz, xz, yz, zz]
    found = of(inertia=" ".join(str(float(v)) for v in rows[:6]))
    assert not found.is_consistent
    assert "row-major" in found.causes[0]


def test_equal_entries_are_a_placeholder_and_no_row_walk() -> None:
    found = of(inertia="1e-6 1e-6 1e-6 1e-6 1e-6 1e-6")
    assert "all six entries are equal" in found.causes[0]
    assert not any("row-major" in cause for cause in found.causes)


@pytest.mark.parametrize(
    ("order", "text"),
    [
        ((0, 1, 2, 3, 4, 5), "xx yy zz xy xz yz"),
        ((0, 3, 1, 4, 5, 2), "xx xy yy xz yz zz"),
    ],
)
def test_another_order_of_the_six_numbers(order: tuple[int, ...], text: str) -> None:
    # xx yy zz xy xz yz, handed over slot by slot
    values = ["0.12", "0.10", "0.11", "0.01", "-0.02", "0.006"]
    found = of(inertia=" ".join(values[k] for k in order))
    assert not found.is_consistent
    assert any(f"in the order {text}" in cause for cause in found.causes)


def test_the_sign_convention_of_products() -> None:
    # moments 0.2 - 2p and twice 0.2 + p: possible for p = 0.08, too far apart for p = -0.08
    good = "0.2 -0.08 -0.08 0.2 -0.08 0.2"
    assert of(inertia=good).is_consistent
    bad = of(inertia=good.replace("-", ""))
    assert not bad.is_consistent
    assert any("sign of the products" in cause for cause in bad.causes)


def test_a_parallel_axis_term_subtracted_twice() -> None:
    # a ball of 2 kg at 0.3 m: 0.01 about its centre, less m c^2 = 0.18
    found = of("2", "0.3 0 0", "0.01 -0.17 -0.17")
    assert any("parallel-axis" in cause for cause in found.causes)


@pytest.mark.parametrize(
    ("mass", "inertia", "words"),
    [
        ("-1", "1 1 1", "mass is negative"),
        ("0", "1 1 1", "mass is 0"),
        ("1", "-0.1 0.1 0.1", "ixx is negative"),
        ("1", "-0.1 0.1 0.1", "the sign of ixx"),
        ("1", "0.1 0.3 0 0.1 0 0.1", "ixy is too large"),
        ("1", "0.1 0.1 0.5", "izz exceeds ixx + iyy"),
    ],
)
def test_the_condition_that_fails_is_named(mass: str, inertia: str, words: str) -> None:
    found = of(mass, inertia=inertia)
    assert found.verdict is Consistency.INCONSISTENT
    assert any(words in cause for cause in found.causes)
    assert "\n" not in found.sentence()


# -- remarks --------------------------------------------------------------------------------------


def rod(length: float, about_end: bool) -> BodyDiagnosis:
    m, r = 1.0, length / 30
    across = m * length**2 * (1 / 3 if about_end else 1 / 12) + m * r**2 / 4
    inertia = f"{m * r**2 / 2:.6g} {across:.6g} {across:.6g}"
    return of("1", f"{length / 2} 0 0", inertia)


def test_a_tensor_about_the_origin_looks_like_one() -> None:
    assert any("frame origin" in remark for remark in rod(0.6, True).remarks)
    assert rod(0.6, True).is_consistent
    assert rod(0.6, False).remarks == ()


def test_a_unit_matrix_is_a_placeholder() -> None:
    assert any("placeholder" in remark for remark in of(inertia="1 1 1").remarks)
    assert of(inertia="0.1 0.1 0.1").remarks == ()


@pytest.mark.parametrize(("unit", "factor"), [("kg mm^2", 1e6), ("g mm^2", 1e9)])
def test_a_tensor_in_other_units_does_not_fit_into_the_robot(unit: str, factor: float) -> None:
    inertia = " ".join(f"{v * factor:.6g}" for v in (0.003, 0.004, 0.005))
    text = robot(link("base"), link("a", "1", "0.1 0 0", inertia), link("b", "1", "0.1 0 0"),
                 joint("j", "base", "a"), joint("k", "a", "b", xyz="0.3 0 0"))  # fmt: skip
    remarks = diagnose(build_robot(parse_urdf(text)))[0].links[0].remarks
    assert any("radius of gyration" in remark and unit in remark for remark in remarks)


# -- bodies ---------------------------------------------------------------------------------------


def test_a_body_is_diagnosed_as_a_whole_and_link_by_link() -> None:
    text = robot(
        link("base", "1", "0 0 0", "0.1 0.1 0.9"),
        link("a", "2", "0.2 0 0", "0.01 0.02 0.03"),
        link("tool", "0.5", "0 0 0.1", "0.01 0.01 0.03"),
        joint("j", "base", "a"),
        joint("f", "a", "tool", kind="fixed", rpy="0.1 0.2 0.3"),
    )
    found = build_robot(parse_urdf(text))
    body = diagnose(found)[0]
    assert [part.name for part in body.links] == ["a", "tool"]
    assert [part.verdict for part in body.links] == [
        Consistency.DEGENERATE,
        Consistency.INCONSISTENT,
    ]
    assert body.element == "body"
    assert not body.is_exact  # a general turn has irrational entries
    assert all(part.is_exact for part in body.links)
    base = diagnose_links(found, found.base_links)
    assert [part.verdict for part in base] == [Consistency.INCONSISTENT]


def test_a_body_with_irrational_entries_is_decided_with_fifty_digits() -> None:
    parts = [joint("j", "base", "a"), joint("f", "a", "tool", kind="fixed", rpy="0.1 0.2 0.3")]
    for inertia, verdict in (("1 1 1", "consistent"), ("9 1 1", "inconsistent")):
        text = robot(link("base"), link("a", "1", "1 0 0", "1 1 1"),
                     link("tool", "2", "0 1 0", inertia), *parts)  # fmt: skip
        body = diagnose(build_robot(parse_urdf(text)))[0]
        assert not body.is_exact
        assert body.links[1].verdict.value == verdict
        assert body.verdict.value == verdict


def test_a_sentence_names_what_is_legal() -> None:
    assert "legal, rank 1 pseudo-inertia (point mass)" in of(inertia="0 0 0").sentence()


def test_a_turned_point_mass_is_degenerate_in_doubles_too() -> None:
    text = robot(
        link("base"),
        link("a"),
        link("tool", "0.5", "0.3 0.2 0.1"),
        joint("j", "base", "a"),
        joint("f", "a", "tool", kind="fixed", rpy="0.1 0.2 0.3", xyz="1 2 3"),
    )
    body = diagnose(build_robot(parse_urdf(text)))[0]
    assert body.verdict is Consistency.DEGENERATE
    assert body.rank == 1
    assert [part.verdict for part in body.links] == [Consistency.MASSLESS, Consistency.DEGENERATE]
