"""Hostile and broken files: one clear line, quickly, and nothing runs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError, UnsupportedError
from symdyn.io.urdf import parse_urdf, read_urdf
from symdyn.model.build import build_robot
from tests.urdf_text import joint, link, pendulum, robot

#: Seconds, on shared cores; each of these takes far less.
QUICK = 5.0

BOMB = (
    '<?xml version="1.0"?><!DOCTYPE robot [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {y} "{f"&{x};" * 10}">' for x, y in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + ']><robot name="&i;"/>'
)
EXTERNAL = '<!DOCTYPE robot SYSTEM "file:///etc/passwd"><robot name="r"/>'
DEEP = "<robot name='r'>" + "<a>" * 100_000 + "</a>" * 100_000 + "</robot>"


def refuse(text: str | bytes, seconds: float = QUICK) -> str:
    began = time.process_time()
    with pytest.raises(InputError) as caught:
        build_robot(parse_urdf(text, "r.urdf"))
    assert time.process_time() - began < seconds
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 600
    assert message.startswith("r.urdf")
    return message


def test_an_entity_bomb_is_refused_before_it_expands() -> None:
    assert "document type declaration" in refuse(BOMB)
    assert "document type declaration" in refuse(EXTERNAL)


def test_deep_nesting_is_refused() -> None:
    assert "nested too deeply" in refuse(DEEP)


def test_too_many_elements_are_refused() -> None:
    assert "too many elements" in refuse("<robot>" + "<a/>" * 600_000 + "</robot>")


def test_a_file_of_fifty_megabytes_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.urdf"
    with path.open("wb") as stream:
        stream.truncate(50_000_000)
    began = time.process_time()
    with pytest.raises(InputError, match="too large"):
        read_urdf(path)
    assert time.process_time() - began < QUICK


def test_a_text_of_fifty_megabytes_is_refused() -> None:
    assert "too large" in refuse("<robot>" + " " * 50_000_000 + "</robot>")


def test_a_missing_file_and_a_directory_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.urdf: there is no such file"):
        read_urdf(tmp_path / "none.urdf")
    with pytest.raises(InputError, match="this is a directory"):
        read_urdf(tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no element found"),
        ("not xml", "syntax error"),
        ("<robot name='r'>", "line 1"),
        ("<robot name='r'><link name='a'></robot>", "mismatched tag"),
        ("<robot name='r' name='s'/>", "duplicate attribute"),
        ("\n <?xml version='1.0'?><robot/>", "Nothing, not even a blank"),
        (b"<robot name='\xff\xfe'/>", "not well-formed"),
        (b"<?xml version='1.0' encoding='klingon'?><robot/>", "encoding"),
        (b"<?xml version='1.0' encoding='gb2312'?><robot/>", "encoding"),
        (b"\x00\x01\x02", "r.urdf"),
        ("<robot name='r'>&undefined;</robot>", "undefined entity"),
    ],
)
def test_broken_xml_is_one_line(text: str | bytes, words: str) -> None:
    assert words in refuse(text)


def cycle(n: int) -> str:
    links = [link(f"l{i}", "1") for i in range(n)]
    joints = [joint(f"j{i}", f"l{i}", f"l{(i + 1) % n}") for i in range(n)]
    return robot(*links, *joints)


def test_a_cycle_of_links_is_named() -> None:
    message = refuse(cycle(3))
    assert "cycle" in message
    assert "l0 -> l1 -> l2 -> l0" in message
    beside = cycle(3).replace("</robot>", link("base") + link("x", "1") + "</robot>")
    assert "cycle" in refuse(beside.replace("</robot>", joint("k", "base", "x") + "</robot>"))


def test_a_long_cycle_is_named_in_one_line() -> None:
    assert "..." in refuse(cycle(500))


@pytest.mark.parametrize(
    "name",
    [
        '__import__("pathlib").Path("SIDE_EFFECT").touch()',
        "__import__('os').system('touch SIDE_EFFECT')",
        "`touch SIDE_EFFECT`",
        "$(touch SIDE_EFFECT)",
        "j; import os",
        '"); system("touch SIDE_EFFECT"); //',
        "*/ int main() {} /*",
        "j\\u000aimport os",
        "a\nb",
        "a\u2028b",
        "",
        "   ",
        "j" * 5000,
    ],
)
@pytest.mark.parametrize("what", ["link", "joint"])
def test_a_name_that_is_code_is_refused_and_nothing_runs(
    name: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # quoteattr leaves line breaks, which XML turns into blanks; as references they stay
    if what == "link":
        text = robot(link("base"), link(name, "1"), joint("j", "base", name))
    else:
        text = robot(link("base"), link("a", "1"), joint(name, "base", "a"))
    message = refuse(text.replace("a\nb", "a&#10;b"))
    assert "name" in message
    assert "line 4" in message or "line 5" in message
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["j (1)", "a<b>&c", "lambda", "π", "part.3:2", "l/r-2 #5", "日本"])
def test_unusual_names_are_fine(name: str) -> None:
    text = robot(link("base"), link("a", "1", "0.5 0 0"), joint(name, "base", "a"))
    assert build_robot(parse_urdf(text)).coordinates == (name,)


def test_control_characters_do_not_reach_the_message() -> None:
    text = pendulum().replace('link="base"', 'link="b&#10;\u202ea"')
    assert "\u202e" not in refuse(text)


def test_a_long_chain_of_links_is_read() -> None:
    n = 3000
    links = [link(f"l{i}", "1", "0.1 0 0", "1 1 1") for i in range(n + 1)]
    joints = [joint(f"j{i}", f"l{i}", f"l{i + 1}", xyz="0 0 1") for i in range(n)]
    assert build_robot(parse_urdf(robot(*links, *joints))).n == n


PIECES = ["<", ">", '"', "/>", "<a/>", "</robot>", "0", "-", "1e9", "nan", "base", "\x00", "&", "ä"]


@given(
    st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 30), st.sampled_from(["", *PIECES])),
        min_size=1,
        max_size=3,
    )
)
def test_a_damaged_file_works_or_is_refused_in_one_line(
    damage: list[tuple[float, int, str]],
) -> None:
    text = GOOD
    for place, length, piece in damage:
        start = int(place * len(text))
        text = text[:start] + piece + text[start + length :]
    message = _message(text)
    assert "\n" not in message
    assert message.startswith("r.urdf")


def _message(text: str) -> str:
    """The error that reading gives; without one, the source of the robot."""
    try:
        return build_robot(parse_urdf(text, "r.urdf")).source
    except (InputError, UnsupportedError) as error:
        return str(error)


GOOD = robot(
    link("base"),
    link("a", "1", "0.5 0 0", "0.1 0.1 0.1", "0.1 0.2 0.3"),
    link("b", "1", "0.5 0 0", "0.1 0.1 0.1"),
    link("c", "1", "0.5 0 0", "0.1 0.1 0.1"),
    joint("j1", "base", "a", rpy="0 1.5707963267948966 0.3"),
    joint("j2", "a", "b", kind="prismatic", more='<mimic joint="j1" multiplier="2" offset="-1"/>'),
    joint("f", "b", "c", kind="fixed"),
)
