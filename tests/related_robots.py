"""Robots whose numbers are no fractions, or are related as no pattern of zeros shows."""

from __future__ import annotations

from random import Random

from symdyn.io.toml_format import parse_toml
from symdyn.model.build import build_robot
from symdyn.model.robot import Robot


def built(text: str) -> Robot:
    return build_robot(parse_toml(text, "r.toml"))


def chain(*joints: str) -> Robot:
    """Links one upon the other, each joint given by the lines of its table."""
    text = '[robot]\nname = "chain"\ngravity = [0.5, -0.3, -9.81]\n[[link]]\nname = "l0"\n'
    for k, lines in enumerate(joints, 1):
        text += f'[[link]]\nname = "l{k}"\nmass = 2\ncom = [0.1, 0.2, 0.05]\n'
        text += "inertia_com = {xx = 0.1, yy = 0.12, zz = 0.15, xy = 0.01, yz = -0.02, xz = 0.01}\n"
        text += f'[[joint]]\nname = "j{k}"\n'
        if "parent" not in lines:
            text += f'parent = "l{k - 1}"\n'
        text += f'child = "l{k}"\n' + ("" if "type" in lines else 'type = "revolute"\n') + lines
    return built(text)


PLACE = "xyz = [0.3, 0.1, 0.2]\n"
#: Robots whose numbers are related as no pattern of zeros shows, and their counts.
RELATED: dict[str, tuple[tuple[str, ...], int, int]] = {
    "an axis along a diagonal": (
        ("axis = [0, 1, 0]\n", "axis = [1, 0, 1]\n" + PLACE, "axis = [0, 0, 1]\n" + PLACE),
        17,
        47,
    ),
    "one direction written twice": (
        (
            "axis = [0, 1, 0]\n",
            "axis = [1, 2, 3]\n" + PLACE,
            "axis = [-2, -4, -6]\n" + PLACE,
        ),
        17,
        47,
    ),
    "axes on one line": (
        (
            "axis = [0, 1, 0]\n",
            "axis = [1, 2, 3]\n" + PLACE,
            "axis = [0.1, 0.2, 0.3]\nxyz = [0.05, 0.1, 0.15]\n",
        ),
        17,
        43,
    ),
    "a turn that is turned back": (
        (
            "axis = [0, 0, 1]\n",
            "axis = [0, 0, 1]\nrpy = [0.4, 0, 0]\n",
            "axis = [0, 0, 1]\nrpy = [-0.2, 0, 0]\n",
            "axis = [0, 0, 1]\nrpy = [-0.2, 0, 0]\n",
        ),
        24,
        56,
    ),
    "a joint that follows another": (
        (
            "axis = [0, 1, 0]\n",
            "axis = [1, 0, 0]\n" + PLACE,
            "axis = [0, 0, 1]\n"
            + PLACE
            + 'mimic = {joint = "j2", multiplier = -0.5, offset = 0.3}\n',
        ),
        16,
        44,
    ),
    "a joint that turns back": (
        (
            "axis = [0, 1, 0]\n",
            "axis = [1, 0, 0]\n" + PLACE,
            "axis = [1, 0, 0]\n" + PLACE + 'mimic = {joint = "j2", multiplier = -1}\n',
        ),
        11,
        27,
    ),
    "a joint that follows twice as fast": (
        (
            "axis = [1, 0, 0]\n",
            "axis = [1, 0, 0]\nxyz = [0, 0.4, 0]\nmimic = {joint = 'j1', multiplier = 2}\n",
        ),
        5,
        11,
    ),
    "gravity seen through angles": (
        ("axis = [0, 0, 1]\nrpy = [0.1, -0.7, 0.3]\n", "axis = [0, 0, 1]\nxyz = [0.3, 0, 0]\n"),
        6,
        16,
    ),
    "a slide and a screw askew": (
        (
            'type = "prismatic"\naxis = [1, 1, 0]\nrpy = [0.2, 0, 0]\n',
            'type = "helical"\npitch = 0.05\naxis = [2, 1, 1]\nrpy = [0, 0.3, 0]\n' + PLACE,
            "axis = [1, 1, 0]\nrpy = [0.2, 0.3, 0]\n" + PLACE,
        ),
        12,
        39,
    ),
}


def irrational_robot(seed: int) -> Robot:
    """A tree of any joints whose angles, axes and followers are no simple numbers."""
    random = Random(f"irrational {seed}")
    joints: list[str] = []
    for k in range(1, random.randint(2, 5) + 1):
        kind = random.choice(("revolute", "revolute", "prismatic", "helical"))
        lines = f'type = "{kind}"\n' + ("pitch = 0.07\n" if kind == "helical" else "")
        axis = random.choice(([1, 0, 0], [0, 0, 1], [1, 1, 0], [1, 2, 3], [-2, -4, -6], [3, 0, 4]))
        lines += f"axis = {axis}\n"
        lines += f"xyz = {[random.choice((0, 0.1, 0.2, -0.3)) for _ in range(3)]}\n"
        lines += f"rpy = {[random.choice((0, 0, 0.2, 0.4, -0.2, 1.1)) for _ in range(3)]}\n"
        lines += f'parent = "l{random.randrange(max(0, k - 2), k)}"\n'
        if k > 1 and random.random() < 0.25:
            # a follower turns as its leader turns, and slides as it slides
            turns = [j for j, other in enumerate(joints, 1) if "mimic" not in other]
            factor = random.choice((-1, 2, "1/2", 0.3))
            leader = random.choice(turns)
            lines += f'mimic = {{joint = "j{leader}", multiplier = "{factor}", offset = 0.3}}\n'
        joints.append(lines)
    return chain(*joints)
