"""Hostile TOML: one clear error or a robot, quickly, whatever the file holds."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError, UnsupportedError
from symdyn.io.builtin import builtin_text
from symdyn.io.toml_format import parse_toml
from symdyn.model.build import build_robot

#: Seconds for files of up to a megabyte, on a machine that does other things as well.
PATIENCE = 10.0
HEAD = '[robot]\nname = "r"\n'
TAIL = """
[[link]]
name = "base"
[[link]]
name = "a"
phi = [1, 0, 0, 0, 1, 1, 1, 0, 0, 0]
[[joint]]
name = "j"
type = "revolute"
parent = "base"
child = "a"
axis = [0, 0, 1]
"""


def outcome(text: str) -> str:
    """The error's text, or empty for a robot; it has to come within the time allowed."""
    start = time.process_time()
    try:
        build_robot(parse_toml(text, "r.toml"))
        message = ""
    except (InputError, UnsupportedError) as error:
        message = str(error)
    assert time.process_time() - start < PATIENCE
    assert "\n" not in message
    return message


def test_thousands_of_parameters_that_use_each_other() -> None:
    chain = ["p0 = 0.5", *(f'p{i} = "cos(p{i - 1})"' for i in range(1, 5000))]
    assert outcome(HEAD + "[parameters]\n" + "\n".join(chain) + TAIL) == ""


def test_sums_that_double_share_their_parts() -> None:
    chain = ["p0 = 0.5", *(f'p{i} = "p{i - 1}/2 + p{i - 1}/2"' for i in range(1, 300))]
    assert outcome(HEAD + "[parameters]\n" + "\n".join(chain) + TAIL) == ""


def test_powers_that_explode_are_refused() -> None:
    chain = ["p0 = 9", *(f'p{i} = "p{i - 1}*p{i - 1}"' for i in range(1, 300))]
    assert "the number is too large" in outcome(HEAD + "[parameters]\n" + "\n".join(chain) + TAIL)
    assert "too large" in outcome(HEAD + '[parameters]\nx = "9^9^9^9"' + TAIL)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "a." * 50_000 + "b = 1",
        "x = " + "[" * 100_000,
        "x = " + "{a = " * 5_000,
        HEAD + 'x = "' + "y" * 900_000 + '"',
        HEAD + "[" + " " * 500_000 + "x" + " " * 400_000 + "]\n",
        HEAD + "[[link]]\n" * 90_000,
        HEAD + "\n".join(f"k{i} = 1" for i in range(60_000)),
        HEAD + TAIL.replace("[0, 0, 1]", "[" + "0, " * 200_000 + "1]"),
        HEAD + TAIL.replace("[0, 0, 1]", '["' + "(" * 1_000 + '", 0, 1]'),
        HEAD + TAIL.replace('"a"', '"' + "a" * 100_000 + '"'),
    ],
    ids=range(11),
)
def test_large_and_deep_texts_are_refused_in_one_line(text: str) -> None:
    message = outcome(text)
    assert message
    assert len(message) < 2_000


def test_a_cycle_of_links_is_refused() -> None:
    loop = TAIL.replace('parent = "base"', 'parent = "a"').replace('child = "a"', 'child = "b"')
    back = loop[loop.index("[[joint]]") :].replace('"j"', '"k"')
    back = back.replace('parent = "a"', 'parent = "b"').replace('child = "b"', 'child = "a"')
    assert "cycle" in outcome(HEAD + loop + '[[link]]\nname = "b"\n' + back)


@pytest.mark.parametrize("name", ["a;b", "$(id)", "`id`", "*/ int x; /*", "a\\nb", "", "{x}"])
def test_names_that_are_code_somewhere_are_refused(name: str) -> None:
    text = HEAD + TAIL.replace('name = "j"', f'name = "{name}"')
    assert outcome(text)


PIECES = ["[", "]", "[[link]]", "=", '"', "pi", "1e5", "{", "}", "\n", "#", "'", "name", "-", "^"]


@given(
    st.sampled_from(["planar2r", "scara", "stanford"]),
    st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 30), st.sampled_from(["", *PIECES])),
        min_size=1,
        max_size=3,
    ),
)
def test_damaged_files_are_robots_or_one_clear_line(
    name: str, damage: list[tuple[float, int, str]]
) -> None:
    text = builtin_text(name)
    for where, length, piece in damage:
        at = int(where * len(text))
        text = text[:at] + piece + text[at + length :]
    message = outcome(text)
    assert not message or message.startswith("r.toml")
