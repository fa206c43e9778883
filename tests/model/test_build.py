"""The one constructor: tree checks, lumping, order, mimic chains, and no recursion."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from symdyn._errors import InputError, UnsupportedError
from symdyn.algebra.term import ONE, TERMS, ZERO, Term, number
from symdyn.model.build import build_robot
from symdyn.model.description import (
    JointDescription,
    LinkDescription,
    MimicDescription,
    RobotDescription,
)
from symdyn.model.robot import Vec3T
from symdyn.spatial.inertia import add_phi, as_phi, move_phi
from symdyn.spatial.rotation import compose, identity, zero_vector

STILL = identity(TERMS)
HERE = zero_vector(TERMS)
X: Vec3T = (ONE, ZERO, ZERO)


def link(name: str, *phi: int, line: int | None = None) -> LinkDescription:
    return LinkDescription(name, tuple(number(x) for x in phi) if phi else None, line)


def joint(name: str, parent: str, child: str, kind: str = "revolute") -> JointDescription:
    return JointDescription(name, kind, parent, child, STILL, HERE, X)


def mimic(
    base: JointDescription, leader: str, multiplier: Fraction | int = 1, offset: Fraction | int = 0
) -> JointDescription:
    return replace(base, mimic=MimicDescription(leader, number(multiplier), number(offset)))


def describe(
    links: list[LinkDescription], joints: list[JointDescription], order: str = "name"
) -> RobotDescription:
    return RobotDescription("r", tuple(links), tuple(joints), (ZERO, ZERO, ONE), "r.urdf", order)


def chain(n: int) -> RobotDescription:
    links = [link(f"l{i}", 1, 0, 0, 0, 1, 1, 1, 0, 0, 0) for i in range(n + 1)]
    return describe(links, [joint(f"j{i:06}", f"l{i}", f"l{i + 1}") for i in range(n)])


def test_siblings_stand_by_name_or_as_in_the_file() -> None:
    links = [link(name) for name in ("base", "a", "b", "c")]
    joints = [joint("z", "base", "a"), joint("m", "base", "b"), joint("B", "a", "c")]
    by_name = build_robot(describe(links, joints))
    assert by_name.coordinates == ("m", "z", "B")
    by_file = build_robot(describe(links, joints, "file"))
    assert by_file.coordinates == ("z", "B", "m")
    assert [j.parent for j in by_file.joints] == [-1, 0, -1]
    with pytest.raises(InputError, match="order of siblings"):
        build_robot(describe(links, joints, "size"))


def test_the_walk_goes_through_fixed_links() -> None:
    # the branch behind the fixed joint a_fixed comes before joint b, whatever its own name
    links = [link(name) for name in ("base", "f", "tip", "x")]
    joints = [
        joint("b", "base", "x"),
        joint("a_fixed", "base", "f", "fixed"),
        joint("z", "f", "tip"),
    ]
    assert build_robot(describe(links, joints)).coordinates == ("z", "b")


def test_order_of_the_file_does_not_matter_by_name() -> None:
    rng = random.Random(3)
    links = [link(f"l{i}", 1, *[0] * 9) for i in range(12)]
    joints = [
        joint(f"j{rng.randrange(10**6)}", f"l{rng.randrange(i)}", f"l{i}") for i in range(1, 12)
    ]
    want = build_robot(describe(links, joints))
    for _ in range(5):
        rng.shuffle(links)
        rng.shuffle(joints)
        got = build_robot(describe(links, joints))
        assert got.coordinates == want.coordinates
        assert [b.name for b in got.bodies] == [b.name for b in want.bodies]
        assert [j.parent for j in got.joints] == [j.parent for j in want.joints]


def random_pose(rng: random.Random) -> tuple[tuple[tuple[Term, ...], ...], Vec3T]:
    """A turn by a rational angle of the circle about a coordinate axis, and a shift."""
    t = Fraction(rng.randint(-5, 5), rng.randint(1, 5))
    c, s = number((1 - t * t) / (1 + t * t)), number(2 * t / (1 + t * t))
    k = rng.randrange(3)
    rows = [[ONE if i == j == k else ZERO for j in range(3)] for i in range(3)]
    i, j = (k + 1) % 3, (k + 2) % 3
    rows[i][i] = rows[j][j] = c
    rows[i][j], rows[j][i] = -s, s
    shift = tuple(number(Fraction(rng.randint(-9, 9), 7)) for _ in range(3))
    return tuple(tuple(row) for row in rows), (shift[0], shift[1], shift[2])


def test_fixed_links_are_lumped_exactly_along_any_path() -> None:
    rng = random.Random(5)
    phis = {
        f"l{i}": [rng.randint(1, 9), *(rng.randint(-9, 9) for _ in range(9))] for i in range(1, 7)
    }
    links = [link("base"), *(link(name, *phi) for name, phi in phis.items())]
    joints, poses = [joint("j", "base", "l1")], {"l1": (STILL, HERE)}
    for i in range(2, 7):
        parent = f"l{rng.randrange(1, i)}"
        rotation, shift = random_pose(rng)
        fixed = joint(f"f{i}", parent, f"l{i}", "fixed")
        joints.append(replace(fixed, rotation=rotation, translation=shift))
        poses[f"l{i}"] = compose(poses[parent], (rotation, shift))
    body = build_robot(describe(links, joints)).bodies[0]
    total = as_phi([number(x) for x in phis["l1"]])
    for name, phi in list(phis.items())[1:]:
        total = add_phi(total, move_phi(*poses[name], as_phi([number(x) for x in phi])))
    assert [x.rational for x in body.phi] == [x.rational for x in total]
    assert None not in [x.rational for x in body.phi]
    assert {part.name for part in body.links} == set(phis)
    for part in body.links:
        assert [x.rational for x in part.translation] == [x.rational for x in poses[part.name][1]]
        assert [x.rational for x in part.phi] == phis[part.name]


def test_a_moving_joint_behind_a_fixed_link_stands_on_the_body() -> None:
    shift: Vec3T = (number(2), number(3), ZERO)
    links = [link("base"), link("a"), link("f"), link("b")]
    fixed = replace(joint("x", "a", "f", "fixed"), translation=shift)
    tip = replace(joint("k", "f", "b"), translation=(ONE, ZERO, ZERO))
    second = build_robot(describe(links, [joint("j", "base", "a"), fixed, tip])).joints[1]
    assert second.parent == 0
    assert [x.rational for x in second.translation] == [3, 3, 0]


def test_what_is_fixed_to_the_base_is_kept_there() -> None:
    links = [link("base", 5, *[0] * 9), link("plate", 7, *[0] * 9), link("a", 1, *[0] * 9)]
    joints = [joint("f", "base", "plate", "fixed"), joint("j", "plate", "a")]
    robot = build_robot(describe(links, joints))
    assert [part.name for part in robot.base_links] == ["base", "plate"]
    assert [part.phi[0].rational for part in robot.base_links] == [5, 7]
    assert robot.bodies[0].phi[0].rational == 1
    assert robot.joints[0].parent == -1


def test_flags_of_lumped_parameters_are_joined() -> None:
    fixed = replace(link("a", 1, *[0] * 9), symbolic=(False,) * 10)
    free = replace(link("b", 1, *[0] * 9), symbolic=(True, *(False,) * 9))
    joints = [joint("j", "base", "a"), joint("f", "a", "b", "fixed")]
    body = build_robot(describe([link("base"), fixed, free], joints)).bodies[0]
    assert body.symbolic == (True, *(False,) * 9)


# -- mimic ----------------------------------------------------------------------------------------


def fan(n: int) -> tuple[list[LinkDescription], list[JointDescription]]:
    links = [link(f"l{i}") for i in range(n + 1)]
    return links, [joint(f"j{i}", f"l{i - 1}", f"l{i}") for i in range(1, n + 1)]


def test_a_chain_of_mimics_is_one_affine_map() -> None:
    links, joints = fan(4)
    joints[0] = mimic(joints[0], "j2", 2, 1)
    joints[1] = mimic(joints[1], "j4", Fraction(-1, 3), 5)
    joints[3] = mimic(joints[3], "j3", 7, Fraction(1, 2))
    robot = build_robot(describe(links, joints))
    assert robot.coordinates == ("j3",)
    # q4 = 7 q3 + 1/2; q2 = -q4/3 + 5; q1 = 2 q2 + 1
    want = {
        "j1": (Fraction(-14, 3), 2 * (5 - Fraction(1, 6)) + 1),
        "j2": (Fraction(-7, 3), 5 - Fraction(1, 6)),
        "j3": (1, 0),
        "j4": (7, Fraction(1, 2)),
    }
    got = {j.name: (j.multiplier.rational, j.offset.rational) for j in robot.joints}
    assert got == want
    assert {j.coordinate for j in robot.joints} == {0}


def test_a_long_chain_of_mimics_passes() -> None:
    links, joints = fan(3000)
    joints = [joints[0], *(mimic(j, f"j{i}", -1) for i, j in enumerate(joints[1:], 1))]
    robot = build_robot(describe(links, joints))
    assert robot.n == 1
    assert {j.name: j.multiplier.rational for j in robot.joints}["j3000"] == -1


def test_mimic_relations_that_lead_nowhere_are_named() -> None:
    links, joints = fan(3)
    circle = [mimic(joints[0], "j2"), mimic(joints[1], "j1"), joints[2]]
    with pytest.raises(InputError, match=r"joint j1: mimic joints follow each other in a circle"):
        build_robot(describe(links, circle))
    with pytest.raises(InputError, match=r"joint j2: mimic .* circle"):
        build_robot(describe(links, [joints[0], mimic(joints[1], "j2"), joints[2]]))
    with pytest.raises(InputError, match=r"joint j2: .* not in the file; .*got jj1.*mean j1\?"):
        build_robot(describe(links, [joints[0], mimic(joints[1], "jj1"), joints[2]]))
    still = [joints[0], replace(joints[1], kind="fixed"), mimic(joints[2], "j2")]
    with pytest.raises(InputError, match=r"joint j3: the joint to mimic does not move"):
        build_robot(describe(links, still))
    with pytest.raises(InputError, match=r"joint j2: .* multiplier 0 never moves"):
        build_robot(describe(links, [joints[0], mimic(joints[1], "j1", 0), joints[2]]))


def test_a_fixed_joint_does_not_mimic_and_a_mixed_pair_is_told() -> None:
    links, joints = fan(3)
    still = replace(mimic(joints[1], "nobody"), kind="fixed")
    slide = replace(mimic(joints[2], "j1", Fraction(1, 50)), kind="prismatic")
    robot = build_robot(describe(links, [joints[0], still, slide]))
    assert robot.n == 1
    assert any("Fixed joints do not mimic: j2" in note for note in robot.notes)
    assert any("length follows an angle" in note and "j3" in note for note in robot.notes)


# -- faults ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("links", "joints", "words"),
    [
        (["a", "b", "a"], [("j", "a", "b")], ("used twice", "link a")),
        (["a", "b", "c"], [("j", "a", "b"), ("j", "b", "c")], ("used twice", "joint j")),
        (["a", "b"], [("j", "a", "x")], ("child link is not in the file", "got x")),
        (["a", "b"], [("j", "x", "b")], ("parent link is not in the file", "got x")),
        (["a", "b"], [("j", "b", "b")], ("same link", "joint j")),
        (["a", "b", "c"], [("j", "a", "c"), ("k", "b", "c")], ("two parents", "joints j and k")),
        (["a", "b", "c"], [("j", "a", "b")], ("2 links have no parent", "a, c")),
        (["a", "b"], [("j", "a", "b"), ("k", "b", "a")], ("cycle", "a -> b -> a")),
        ([], [], ("there is no link",)),
        (["a"], [], ("no joint moves",)),
    ],
)
def test_what_is_no_tree_is_refused(
    links: list[str], joints: list[tuple[str, str, str]], words: tuple[str, ...]
) -> None:
    with pytest.raises(InputError) as caught:
        build_robot(describe([link(n, line=7) for n in links], [joint(*j) for j in joints]))
    assert "\n" not in str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_unknown_kinds_are_refused() -> None:
    links = [link("a"), link("b")]
    with pytest.raises(InputError, match="unknown type of joint"):
        build_robot(describe(links, [joint("j", "a", "b", "ball")]))
    with pytest.raises(UnsupportedError, match=r"three revolute joints .* share an origin"):
        build_robot(describe(links, [joint("j", "a", "b", "spherical")]))


def test_a_chain_of_ten_thousand_links_passes() -> None:
    robot = build_robot(chain(10_000))
    assert robot.n == robot.n_bodies == 10_000
    assert robot.joints[-1].parent == 9_998


def test_a_long_chain_of_fixed_links_is_lumped() -> None:
    links = [link(f"l{i}", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0) for i in range(2001)]
    joints = [joint("j", "l0", "l1")]
    for i in range(1, 2000):
        fixed = joint(f"f{i}", f"l{i}", f"l{i + 1}", "fixed")
        joints.append(replace(fixed, translation=(ONE, ZERO, ZERO)))
    body = build_robot(describe(links, joints)).bodies[0]
    n = 2000
    squares = (n - 1) * n * (2 * n - 1) // 6
    assert [x.rational for x in body.phi[:6]] == [n, n * (n - 1) // 2, 0, 0, 0, squares]
