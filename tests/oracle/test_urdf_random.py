"""Random URDF trees, with everything the format can say about a joint, against Pinocchio."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from symdyn.io.urdf import read_urdf
from symdyn.model.build import build_robot
from tests.pinocchio_reference import worst_errors
from tests.urdf_text import joint, link, robot

TOLERANCE = 1e-12

AXES = ("1 0 0", "0 1 0", "0 0 1", "-1 0 0", "0 -1 0", "0 0 -1", "0 0 2", "1 1 0", "1 2 2")
TURNS = ("0 0 0", "1.5707963267948966 0 0", "0 -1.5707963267948966 3.141592653589793", "0 0 1.5708")


def words(rng: random.Random, count: int, size: float = 1.0) -> str:
    """Numbers as a file prints them, with few or many decimals."""
    digits = rng.choice((1, 4, 9, 17))
    return " ".join(f"{rng.uniform(-size, size):.{digits}f}" for _ in range(count))


def consistent_tensor(rng: random.Random) -> str:
    """The tensor of a few particles about their centre."""
    xs = [[rng.uniform(-0.2, 0.2) for _ in range(3)] for _ in range(4)]
    c = [sum(x[i] for x in xs) / 4 for i in range(3)]
    s = [[sum((x[i] - c[i]) * (x[j] - c[j]) for x in xs) for j in range(3)] for i in range(3)]
    trace = s[0][0] + s[1][1] + s[2][2]
    slots = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
    return " ".join(f"{(trace if i == j else 0) - s[i][j]:.12g}" for i, j in slots)


def random_document(seed: int) -> str:
    """A tree of 4 to 12 links in any order, a third of its joints fixed, some of them mimics."""
    rng = random.Random(seed)
    n = rng.randint(4, 12)
    elements = [link("base", "3", words(rng, 3), "1 1 1")]
    leaders: list[str] = []
    for i in range(1, n):
        massless = rng.random() < 0.15
        elements.append(
            link(f"l{i}")
            if massless
            else link(
                f"l{i}",
                f"{rng.uniform(0.1, 5):.3f}",
                words(rng, 3, 0.3),
                consistent_tensor(rng),
                rng.choice((None, words(rng, 3, 3), rng.choice(TURNS))),
            )
        )
        kind = rng.choice(("revolute", "revolute", "continuous", "prismatic", "fixed"))
        if i == 1:
            kind = "revolute"
        more = ""
        if kind != "fixed" and leaders and rng.random() < 0.3:
            factor, offset = words(rng, 2, 2).split()
            factor = "1.5" if float(factor) == 0 else factor
            more = f'<mimic joint="{rng.choice(leaders)}" multiplier="{factor}" offset="{offset}"/>'
        name = f"{rng.choice('abcXYZ_9')}{rng.randrange(1000)}-{i}"
        if kind != "fixed":
            leaders.append(name)
        elements.append(
            joint(
                name,
                "base" if i == 1 else f"l{rng.randrange(1, i)}",
                f"l{i}",
                kind=kind,
                xyz=words(rng, 3),
                rpy=rng.choice((words(rng, 3, 3), rng.choice(TURNS))),
                axis=rng.choice((*AXES, "0.1 -0.7 0.3", None)),
                more=more,
            )
        )
    rng.shuffle(elements)
    return robot(*elements)


@pytest.mark.parametrize("seed", range(40))
def test_a_random_tree_equals_pinocchio(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "r.urdf"
    path.write_text(random_document(seed), encoding="utf-8")
    worst = worst_errors(build_robot(read_urdf(path)), str(path), 2, seed)
    assert max(worst.values()) < TOLERANCE, worst
