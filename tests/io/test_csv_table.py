"""CSV tables: what is read, and that every fault is named with line and column."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError
from symdyn.io.csv_table import named_columns, parse_table


def test_a_table_is_read() -> None:
    table = parse_table("# sweep of joint 2\nv, F\n\n0.1,1\n-.2 , -1.5e+0\r\n3.,+2E-1\n", "s.csv")
    assert table.names == ("v", "F")
    assert table.column("v") == (0.1, -0.2, 3.0)
    assert table.column("F") == (1.0, -1.5, 0.2)
    assert table.lines == (4, 5, 6)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators(separator: str) -> None:
    text = f"v{separator}F\n0.1{separator}1\n"
    assert parse_table(text, "s.csv").columns == ((0.1,), (1.0,))


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=20))
def test_every_double_comes_back(values: list[float]) -> None:
    text = "x\n" + "\n".join(repr(v) for v in values)
    assert list(parse_table(text, "s.csv").column("x")) == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "s.csv: the table is empty"),
        ("# only a comment\n", "the table is empty"),
        ("v,F\n", "the table has no rows"),
        ("0.1,1\n0.2,2\n", "s.csv:1: the first line holds numbers"),
        ("v,v\n1,2\n", "two columns are called"),
        ("v,\n1,2\n", "column 2 has no name"),
        ("v,F\n0.1,1\n0.2\n", "s.csv:3: a row of another length"),
        ("v,F\n0.1,1,\n", "s.csv:2: a row of another length"),
        ("v;F\n0,1;1\n", "s.csv:2, column 'v': this is no finite number"),
        ("v,F\n0.1,\n", "s.csv:2, column 'F': a value is missing"),
        ("v,F\n0.1,nan\n", "this is no finite number"),
        ("v,F\n0.1,inf\n", "this is no finite number"),
        ("v,F\n0.1,1e999\n", "this number is too large"),
        ("v,F\n0x10,1\n", "this is no finite number"),
        ("v,F\n1_0,1\n", "this is no finite number"),
        ("v,F\n__import__('os'),1\n", "this is no finite number"),
    ],
)
def test_every_fault_is_named(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_table(text, "s.csv")
    assert message.replace("'", "") in str(caught.value).replace("'", "")
    assert "\n" not in str(caught.value)


def test_columns_by_meaning() -> None:
    table = parse_table("speed,F\n0.1,1\n", "s.csv")
    roles = {"v": ("v", "speed", "qd"), "F": ("F", "tau")}
    assert named_columns(table, roles, {}) == {"v": (0.1,), "F": (1.0,)}
    assert named_columns(table, roles, {"v": "F"})["v"] == (1.0,)
    with pytest.raises(InputError, match=r"no column .?tau"):
        named_columns(table, roles, {"F": "tau"})
    with pytest.raises(InputError, match=r"no use for a column as .?w"):
        named_columns(table, roles, {"w": "F"})
    with pytest.raises(InputError, match=r"no column .?v"):
        named_columns(parse_table("w,F\n1,2\n", "s.csv"), roles, {})
