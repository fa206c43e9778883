"""Numbers of a URDF file: the grammar, exact values, and one clear error for anything else."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError
from symdyn.io.decimal_text import parse_decimal, read_numbers
from symdyn.io.urdf import parse_urdf
from tests.urdf_text import pendulum

BAD_VECTORS = [
    "0,5 0 0", "0.5 0", "0.5 0 0 7", "nan 0 0", "inf 0 0", "${L} 0 0", "0.5 0 zero",
    "0x1p-1 0 0", "1_0 0 0", "", " ", "0.5;0;0", "0.5, 0, 0", "1/2 0 0", "--1 0 0", "1e 0 0",
    "1e5.0 0 0", ". 0 0", "+ 0 0", "1.2.3 0 0", "infinity 0 0", "NaN 0 0", "1d3 0 0", "1f 0 0",
    "٣ 0 0", "1\u00a00 0", "1e99999999999 0 0", "1e401 0 0", "1 0 __import__('os')", "0.5 0 0 #",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD_VECTORS)
def test_a_malformed_vector_stops_the_reader(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_urdf(pendulum(com=text), "r.urdf")
    message = str(caught.value)
    assert message.startswith("r.urdf, line 4, link a, inertial origin xyz: ")
    shown = text if text.isprintable() else text.encode("unicode_escape").decode()
    assert f'"{shown}"' in message
    assert "3 decimal numbers" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("attribute", "old", "place"),
    [
        ("rpy", 'rpy="0 0 0"/><axis', "line 5, joint j, origin rpy"),
        ("xyz", 'xyz="0 0 0" rpy="0 0 0"/><axis', "line 5, joint j, origin xyz"),
        ("axis", 'xyz="0 0 1"', "line 5, joint j, axis xyz"),
        ("ixx", 'ixx="0.1"', "line 4, link a, inertial inertia ixx"),
        ("mass", 'value="1"', "line 4, link a, inertial mass value"),
        ("lower", 'lower="-3"', "line 5, joint j, limit lower"),
    ],
)
def test_every_number_of_the_file_is_read_strictly(attribute: str, old: str, place: str) -> None:
    name = old.split("=")[0]
    text = pendulum()
    assert old in text
    rest = old[old.index('"', len(name) + 2) + 1 :]
    with pytest.raises(InputError) as caught:
        parse_urdf(text.replace(old, f'{name}="1,5"{rest}', 1), "r.urdf")
    assert f"r.urdf, {place}" in str(caught.value)
    assert '"1,5"' in str(caught.value)
    assert "decimal point" in str(caught.value)
    del attribute


@pytest.mark.parametrize(
    "text", ["1\t2\n3", "  1 2 3  ", "1\r\n2\r\n3", "1&#9;2&#10;3", "+1 2. 3e0", "1e0 2E+0 .3e1"]
)
def test_every_white_space_of_xml_separates_numbers(text: str) -> None:
    found = parse_urdf(pendulum(com=text))
    assert found.links[1].phi is not None
    assert [x.rational for x in found.links[1].phi[1:4]] == [1, 2, 3]


@given(
    sign=st.sampled_from(["", "+", "-"]),
    whole=st.integers(0, 10**9),
    decimals=st.text("0123456789", max_size=12),
    exponent=st.none() | st.integers(-20, 20),
)
def test_a_decimal_is_read_as_that_fraction(
    sign: str, whole: int, decimals: str, exponent: int | None
) -> None:
    text = f"{sign}{whole}.{decimals}" + ("" if exponent is None else f"e{exponent}")
    read = parse_decimal(text)
    assert read is not None
    want = Fraction(int(f"{whole}{decimals}")) / 10 ** len(decimals)
    want *= Fraction(10) ** (exponent or 0) * (-1 if sign == "-" else 1)
    assert read.value == want
    assert read.place == Fraction(10) ** ((exponent or 0) - len(decimals))


@given(st.text(max_size=12))
def test_no_text_is_read_as_another_number_than_python_sees(text: str) -> None:
    read = parse_decimal(text)
    if read is not None:
        assert float(read.value) == float(text)


def test_huge_exponents_cost_nothing_and_are_named() -> None:
    with pytest.raises(InputError, match=r"powers of ten up to 400"):
        read_numbers("1e999999999", 1, "here")
    with pytest.raises(InputError, match=r"At most 400 characters"):
        read_numbers("1" * 100_000, 1, "here")
