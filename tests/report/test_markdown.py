"""Names and numbers appear as they are, whatever they hold."""

from __future__ import annotations

import pytest

from symdyn.report.markdown import code, fenced, figure, plain, table


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a b", "`a b`"), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a``b`", "``` a``b` ```")],
)
def test_code_spans_hold_any_text(text: str, shown: str) -> None:
    assert code(text) == shown


def test_plain_text_is_no_markup() -> None:
    assert plain("*a* <b> $c$ |") == r"\*a\* \<b\> \$c\$ |"


def test_tables_are_aligned_and_keep_pipes() -> None:
    assert table(("a", "long"), [("x|y", "1"), ("z", "22")], right=[1]) == (
        "| a    | long |\n| ---- | ---: |\n| x\\|y |    1 |\n| z    |   22 |"
    )


def test_fences_outgrow_what_they_hold() -> None:
    assert fenced("```\ninner\n```", "c").startswith("````c\n")


def test_figures() -> None:
    assert [figure(x) for x in (0.0, -0.0, 1.0, 1e-17, 123456789.0)] == [
        "0", "0", "1", "1e-17", "1.23457e+08",
    ]  # fmt: skip
