"""Structural singularity of the mass matrix: the rank, and the joint that moves no inertia."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest
from flint import arb

from symdyn import dynamics
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.mp import MpAlgebra
from symdyn.algebra.term import lift
from symdyn.io.urdf import parse_urdf
from symdyn.model import dependence
from symdyn.model.build import build_robot
from symdyn.model.over import over
from symdyn.model.singularity import (
    SingularityReport,
    mass_matrix_of_bodies,
    structural_singularity,
)
from symdyn.spatial.inertia import as_phi
from tests.robots import random_robot
from tests.urdf_text import joint, link, robot


def of(*elements: str) -> SingularityReport:
    return structural_singularity(build_robot(parse_urdf(robot(*elements))))


ARM = (link("base"), link("a", "1", "0.5 0 0", "0.1 0.1 0.1"))
J1 = joint("j1", "base", "a")


def test_a_point_mass_on_its_own_axis() -> None:
    found = of(*ARM, link("b", "0.4", "0 0 0.1"), J1, joint("j2", "a", "b", xyz="1 0 0"))
    assert found.is_singular
    assert (found.n, found.rank) == (2, 1)
    assert found.verdict == "M(q) singular for all q"
    want = "joint j2: rotational inertia about its axis is 0 (link b and all below)"
    assert [motion.cause for motion in found.motions] == [want]


@pytest.mark.parametrize("axis", ["1 2 2", "1 2 3", "1 1 1", "0.3 -0.7 0.11"])
def test_on_any_axis_and_with_more_of_it_below(axis: str) -> None:
    tip = " ".join(str(2 * float(v)) for v in axis.split())
    found = of(
        *ARM,
        link("b", "0.4", axis),
        link("c", "0.1", tip),
        J1,
        joint("j2", "a", "b", xyz="1 0 0", rpy="0.3 0.2 0.1", axis=axis),
        joint("f", "b", "c", kind="fixed"),
    )
    assert found.rank == 1
    assert found.motions[0].joints == ("j2",)


def test_a_hair_off_the_axis_is_regular() -> None:
    found = of(*ARM, link("b", "0.4", "1e-6 0 0.1"), J1, joint("j2", "a", "b", xyz="1 0 0"))
    assert not found.is_singular
    assert found.verdict == "M(q) regular for almost all q"


def test_armature_makes_it_regular() -> None:
    rotor = '<dynamics armature="0.01"/>'
    found = of(*ARM, link("b", "0.4"), J1, joint("j2", "a", "b", more=rotor))
    assert not found.is_singular


def test_nothing_below_a_prismatic_joint() -> None:
    found = of(*ARM, link("b"), J1, joint("p", "a", "b", kind="prismatic"))
    assert found.rank == 1
    assert found.motions[0].cause.startswith("joint p: the mass that it moves is 0 (link b")


def test_an_angle_and_a_length_that_move_nothing() -> None:
    follower = joint("p", "a", "b", kind="prismatic", more='<mimic joint="j"/>')
    found = of(link("base"), link("x", "1", "1 0 0"), link("a"), link("b"),
               joint("j0", "base", "x"), joint("j", "x", "a"), follower)  # fmt: skip
    assert found.motions[0].cause == (
        "joint j: the inertia along its motion is 0 (links a, b and all below)"
    )


def test_a_dependence_over_several_joints_has_all_its_rates() -> None:
    # four parallel axes, a mass without extent on the last link only: two motions are felt
    found = of(
        *(link(name) for name in ("base", "a", "b", "c")),
        link("d", "1", "0.3 0.1 0"),
        *(
            joint(f"j{k}", parent, child, xyz="0.5 0 0")
            for k, (parent, child) in enumerate((("base", "a"), ("a", "b"), ("b", "c"), ("c", "d")))
        ),
    )
    assert found.rank == 2
    assert [motion.joints[-1] for motion in found.motions] == ["j2", "j3"]
    assert all(len(motion.joints) == 3 for motion in found.motions)


def test_massless_links_above_a_body_are_fine() -> None:
    # a spherical joint as three concentric revolute joints
    found = of(
        link("base"),
        link("x"),
        link("y"),
        link("z", "1", "0.1 0.2 0.3", "0.1 0.1 0.1"),
        joint("jx", "base", "x", axis="1 0 0"),
        joint("jy", "x", "y", axis="0 1 0"),
        joint("jz", "y", "z", axis="0 0 1"),
    )
    assert not found.is_singular


def test_two_joints_on_one_axis_without_mass_between() -> None:
    found = of(
        link("base"),
        link("a"),
        link("b", "1", "0.5 0 0", "0.1 0.1 0.1"),
        joint("j1", "base", "a"),
        joint("j2", "a", "b", xyz="0 0 2"),
    )
    assert found.rank == 1
    motion = found.motions[0]
    assert motion.joints == ("j1", "j2")
    assert motion.rates == pytest.approx((-1, 1))
    assert "j1 (-1) and j2 (+1)" in motion.cause


def test_three_parallel_prismatic_joints_that_carry_one_mass() -> None:
    elements = [link("base"), link("l0"), link("l1"), link("l2", "1")]
    parents = ("base", "l0", "l1")
    for k, parent in enumerate(parents):
        elements.append(joint(f"p{k}", parent, f"l{k}", kind="prismatic", axis="1 1 0"))
    found = of(*elements)
    assert found.rank == 1
    assert [m.joints for m in found.motions] == [("p0", "p1"), ("p0", "p2")]


def test_a_mimic_joint_shares_the_coordinate_that_is_felt() -> None:
    text = '<mimic joint="j1" multiplier="2"/>'
    found = of(*ARM, link("b", "0.4", "0 0 0.1"), J1, joint("j2", "a", "b", more=text))
    assert (found.n, found.rank) == (1, 1)


def test_an_impossible_body_does_not_hide_a_regular_matrix() -> None:
    # the negative mass cancels the inertia about j1 exactly: M = [[0, 2], [2, 2]]
    found = of(
        link("base"),
        link("a", "1", "1 0 0"),
        link("b", "-3", "0 0 0"),
        link("c", "2", "1 0 0"),
        joint("j1", "base", "a"),
        joint("f", "a", "b", kind="fixed", xyz="1 0 0"),
        joint("j2", "a", "c"),
    )
    assert found.rank == 2


@pytest.mark.parametrize("seed", range(6))
def test_its_mass_matrix_equals_the_recursion(seed: int) -> None:
    made = random_robot(seed, 5, mimic=True)
    A = MpAlgebra(50)
    q = [A.number(random.Random(seed).uniform(-2, 2)) for _ in range(made.n)]
    theta = lift([x for body in made.bodies for x in body.phi], A)
    phis = [as_phi(theta[10 * i : 10 * i + 10]) for i in range(made.n_bodies)]
    model = over(made, A)
    slow, size = mass_matrix_of_bodies(model, q, phis)
    fast = dynamics.mass_matrix(model, q, theta)
    for row, other in zip(slow, fast, strict=True):
        for x, y in zip(row, other, strict=True):
            assert abs(x - y) < A.number("1e-40")
    assert all(size[i] >= abs(slow[i][i]) for i in range(made.n))


@pytest.mark.parametrize("seed", range(4))
def test_the_rank_is_that_of_doubles_where_doubles_can_tell(seed: int) -> None:
    made = random_robot(seed, 6)
    model = over(made, FLOAT64)
    theta = lift([x for body in made.bodies for x in body.phi], FLOAT64)
    M = np.array(dynamics.mass_matrix(model, [0.3 * i - 1 for i in range(made.n)], theta))
    assert structural_singularity(made).rank == np.linalg.matrix_rank(M)


def chain(count: int, tip: str = "1") -> str:
    """A long arm whose links all turn; ``tip`` is the mass of the last one."""
    turn = 'rpy="1.57 0.3 0.7"'
    links = "".join(
        f'<link name="l{k}"><inertial><origin xyz="0.1 0.02 0.3"/>'
        f'<mass value="{tip if k == count - 1 else 1}"/>'
        f'<inertia ixx="{0.1 if tip != "0" or k < count - 1 else 0}" ixy="0" ixz="0" '
        f'iyy="{0.1 if tip != "0" or k < count - 1 else 0}" iyz="0" '
        f'izz="{0.1 if tip != "0" or k < count - 1 else 0}"/></inertial></link>'
        f'<joint name="j{k}" type="continuous"><parent link="{f"l{k - 1}" if k else "base"}"/>'
        f'<child link="l{k}"/><origin xyz="0.2 0 0.5" {turn}/><axis xyz="0 0 1"/></joint>'
        for k in range(count)
    )
    return f'<robot name="chain"><link name="base"/>{links}</robot>'


@pytest.mark.parametrize(("tip", "rank"), [("1", 150), ("0", 149)])
def test_a_long_chain_takes_no_patience(tip: str, rank: int) -> None:
    made = build_robot(parse_urdf(chain(150, tip)))
    began = time.process_time()
    found = structural_singularity(made)
    assert found.rank == rank
    # 3.6 s each in 50-digit decimals, 0.3 s in balls
    assert time.process_time() - began < 1.5


def test_a_long_chain_is_proved_regular(monkeypatch: pytest.MonkeyPatch) -> None:
    # balls widen with every turn; the factorisation, which proves nothing, must not be needed
    monkeypatch.setattr(dependence, "_factorised", None)
    assert structural_singularity(build_robot(parse_urdf(chain(300)))).rank == 300


def test_balls_that_hold_a_singular_matrix_prove_nothing() -> None:
    one, wide = arb(1), arb(0, 1e-3)
    assert dependence.dependences([[one, one], [one, one]], [one, one]) == [
        dependence.Dependence(1, {0: -1.0})
    ]
    assert not dependence._is_regular([[one, wide], [wide, wide]], [one, one])
    assert not dependence._is_regular([[one, wide], [wide, arb("nan")]], [one, one])
    assert dependence._is_regular([[one, wide], [wide, one]], [one, one])
