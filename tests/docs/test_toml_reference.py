"""The page on the TOML format names every key that the reader knows, and none that it does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symdyn.io import toml_format
from symdyn.io.builtin import NAMES
from symdyn.io.expression import FUNCTIONS
from symdyn.io.toml_mass import FLOW_KEYS, PART_KEYS
from symdyn.mass.described import MOMENTA, OTHER_SHAPES, SHAPES

PAGE = (Path(__file__).resolve().parents[2] / "docs/reference/robot-toml.md").read_text(
    encoding="utf-8"
)


def section(title: str) -> str:
    start = PAGE.index(f"## {title}")
    end = PAGE.find("\n## ", start)
    return PAGE[start : end if end > 0 else None]


def words(text: str) -> set[str]:
    return {word for code in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"\w+", code)}


@pytest.mark.parametrize(
    ("title", "keys"),
    [
        ("`[robot]`", toml_format.ROBOT_KEYS),
        ("`[parameters]`", toml_format.PARAMETER_KEYS),
        ("`[[link]]`", toml_format.LINK_KEYS),
        ("`[[joint]]`", toml_format.JOINT_KEYS),
        ("`[dh]`", (*toml_format.DH_KEYS, "joint", "link", "type", "alpha", "a", "d", "offset")),
    ],
)
def test_every_key_is_described(title: str, keys: tuple[str, ...]) -> None:
    assert set(keys) <= words(section(title))
    listed = {
        key
        for line in section(title).splitlines()
        if line.startswith("| `")
        for key in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    known = {*keys, *toml_format.ROW_KEYS}
    assert listed <= known


def test_every_key_and_shape_of_a_part_is_described() -> None:
    found = words(section("`[[link.part]]`"))
    assert set(PART_KEYS) <= found
    assert {*SHAPES, *OTHER_SHAPES} <= found
    assert {key for keys, _ in SHAPES.values() for key, _ in keys} <= found


def test_every_key_and_momentum_of_a_flow_is_described() -> None:
    found = words(section("`[[link.flow]]`"))
    assert {*FLOW_KEYS, *MOMENTA} <= found


def test_every_function_and_built_in_robot_is_named() -> None:
    assert set(FUNCTIONS) <= words(section("Numbers"))
    assert set(NAMES) <= words(PAGE)
