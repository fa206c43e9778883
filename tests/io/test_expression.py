"""The closed grammar: values, exactness, what is refused and where, and that nothing runs."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symdyn._errors import InputError
from symdyn.algebra.float64 import FLOAT64
from symdyn.algebra.term import lift, quarter_turns
from symdyn.io.expression import FUNCTIONS, parse_expression
from symdyn.io.expression_tokens import is_parameter_name


def value(text: str, values: Mapping[str, float] | None = None) -> float:
    names = values or {}
    return lift([parse_expression(text, list(names))], FLOAT64, dict(names))[0]


def refused(text: str, names: tuple[str, ...] = ()) -> str:
    with pytest.raises(InputError) as caught:
        parse_expression(text, names, "robot.toml:7: key a")
    message = str(caught.value)
    assert message.startswith("robot.toml:7: key a")
    return message


# -- values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1/3", Fraction(1, 3)),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("1.5e-9", Fraction(3, 2 * 10**9)),
        (".5 + 5.", Fraction(11, 2)),
        ("-2^2", -4),
        ("(-2)^2", 4),
        ("2^-1", Fraction(1, 2)),
        ("2^3^2", 512),
        ("2**3", 8),
        ("2^-3^2", Fraction(1, 512)),
        ("8/4/2", 1),
        ("2-3-4", -5),
        ("2*-3", -6),
        ("- - 3", 3),
        ("+3 - +2", 1),
        ("-2*3 + 4", -2),
        ("abs(-7/2)", Fraction(7, 2)),
        ("sqrt(0.25)", Fraction(1, 2)),
        ("sign(-2) + sign(0)", -1),
        ("min(1/2, 1/3) + max(1, 2)", Fraction(7, 3)),
        ("sin(0) + cos(0) + atan(0)", 1),
        ("(1 + 2) * (3 + 4)", 21),
        ("1\t+\r\n1", 2),
        ("0^0", 1),
    ],
)
def test_rationals_are_exact(text: str, expected: Fraction | int) -> None:
    assert parse_expression(text, ()).rational == expected


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("pi/2", 1), ("-pi/2", 3), ("-(pi/2)", 3), ("pi*-1/2", 3), ("3*pi/2", 3), ("pi/-2", 3),
        ("pi/2 + pi/2", 2), ("90*pi/180", 1), ("2*pi/4", 1), ("pi - pi", 0), ("1/2*pi", 1),
        ("pi/4", None), ("pi + 1", None),
    ],
)  # fmt: skip
def test_multiples_of_pi_stay_exact(text: str, turns: int | None) -> None:
    assert quarter_turns(parse_expression(text, ())) == turns


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_mean_what_the_table_says(name: str) -> None:
    expected = {
        "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin,
        "acos": math.acos, "atan": math.atan, "sqrt": math.sqrt, "cbrt": math.cbrt,
        "exp": math.exp, "log": math.log, "sinh": math.sinh, "cosh": math.cosh,
        "tanh": math.tanh, "abs": abs, "sign": lambda x: math.copysign(1, x),
        "atan2": math.atan2, "min": min, "max": max,
    }[name]  # fmt: skip
    two = name in ("atan2", "min", "max")
    text = f"{name}(x, y)" if two else f"{name}(x)"
    arguments = (0.3, 0.7) if two else (0.3,)
    assert value(text, {"x": 0.3, "y": 0.7}) == pytest.approx(expected(*arguments), rel=1e-15)


def test_powers() -> None:
    assert value("x^3", {"x": -2.0}) == -8
    assert value("abs(x)^(1/3)", {"x": -8.0}) == pytest.approx(2, rel=1e-15)
    assert value("cbrt(x)", {"x": -8.0}) == pytest.approx(-2, rel=1e-15)
    assert parse_expression("(x^2)^(1/2)", ("x",)).op == "sqrt"
    assert value("4^0.5") == 2
    assert value("exp(x)^y", {"x": 1.0, "y": 0.5}) == pytest.approx(math.exp(0.5), rel=1e-15)


#: Case C21: names that mean something in Python or SymPy are plain parameters here.
NAMES = """
I = 3
E = 5
S = 7
N = 1.5
O = 0.3
Q = 1.1
C = 2.2
beta = 0.5
gamma = 4
zeta = 8
pi_ = 0.25
re = 0.7
im = 0.2
test = 9
Max = 2.5
lambda = 2
"""


def test_names_of_python_and_sympy_are_plain_parameters() -> None:
    text = "lambda*I*sin(beta) + E*S - N^2 + gamma/zeta + Q*C + O + re - im + test*pi_ + abs(-Max)"
    assert value(text, tomllib.loads(NAMES)) == pytest.approx(44.096553231625215, rel=1e-14)


def test_a_parameter_hides_a_function_only_without_parenthesis() -> None:
    assert value("sin*sin(abs)", {"sin": 2.0, "abs": 0.5}) == pytest.approx(2 * math.sin(0.5))


@pytest.mark.parametrize("name", ["θ_1", "длина", "長さ", "x́", "_", "class", "e", "q₁"])
def test_any_single_word_is_a_name(name: str) -> None:
    assert is_parameter_name(name)
    assert value(f"2*{name} + 1", {name: 3.0}) == 7


@pytest.mark.parametrize("name", ["", "pi", "1x", "a b", "a-b", "a.b", "x'", "$x", "٣"])
def test_other_names_cannot_be_declared(name: str) -> None:
    assert not is_parameter_name(name)


def test_composed_and_decomposed_letters_are_one_name() -> None:
    assert value("é", {"é": 4.0}) == 4  # e with acute, one code point and two


def test_meanings_stand_for_their_terms() -> None:
    half_turn = parse_expression("pi/2", ())
    found = parse_expression("2*a + x", ("x",), meanings={"a": half_turn})
    assert quarter_turns(found.args[0]) == 2


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "column 1: the expression is empty"),
        ("   ", "column 4: the expression is empty"),
        ("1 +", "column 4: the expression ends too early"),
        ("(1 + 2", "column 1: the parenthesis is never closed"),
        ("1)", "column 2: the parenthesis was never opened"),
        ("1,5", "The decimal sign is the point"),
        ("(1, 2)", "column 3: a comma stands outside of a function"),
        ("2x", "column 2: the number '2' is followed directly by 'x'"),
        ("2(3)", "column 2: '(' follows a value directly"),
        ("1 2", "column 3: '2' follows a value directly"),
        ("x(3)", "column 1: '(' follows 'x' directly"),
        ("pi(2)", "Write * for products"),
        ("* 2", "column 1: a value is missing"),
        ("max(1,,2)", "column 7: a value is missing"),
        ("sin()", "column 5: a value is missing"),
        ("sin", "column 1: the function sin has no arguments"),
        ("sin(1, 2)", "column 1: sin has 2 arguments; expected 1"),
        ("atan2(1)", "column 1: atan2 has 1 argument; expected 2"),
        ("sinn(1)", "Did you mean 'sin'?"),
        ("xx", "'xx' is not a declared parameter"),
        ("1_000", "column 2: the number '1' is followed directly by '_'"),
        ("0x10", "column 2"),
        ("1.2.3", "column 4"),
        ("1e", "column 2"),
        ("nan", "'nan' is not a declared parameter"),
        ("inf", "'inf' is not a declared parameter"),
        ("٣", "column 1: the character '٣' has no meaning"),
        ("x = 1", "column 3: the character '=' has no meaning"),
        ("x.real", "column 2: the character '.' has no meaning"),
        ("x[0]", "column 2: the character '[' has no meaning"),
        ("'x'", 'column 1: the character "\'" has no meaning'),
        ("lambda: 0", "column 7: the character ':' has no meaning"),
        ("x if x else 1", "column 3: 'if' follows a value directly"),
        ("1/0", "column 2: division by zero"),
        ("1/(2 - 2)", "column 2: division by zero"),
        ("0^-1", "column 2: division by zero"),
        ("sqrt(-1)", "sqrt(-1) is not a real number"),
        ("log(0)", "log(0) is not a real number"),
        ("asin(2)", "asin(2) is not a real number"),
        ("x^(1/3)", "Write cbrt(x) for the real cube root"),
        ("(-8)^(1/3)", "needs a base that cannot be negative"),
        ("(x - 1)^0.5", "needs a base that cannot be negative"),
        ("x^y", "column 2: a power whose exponent is no whole number"),
        ("9^9^9^9", "column 4: the exponent 387420489 is too large"),
        ("((9^99)^99)^99", "is too large"),
        ("1e999999", "column 1: the exponent of '1e999999' is out of range"),
    ],
)
def test_faults_are_named_with_their_column(text: str, what: str) -> None:
    message = refused(text, ("x", "y", "lambda"))
    assert what in message
    assert "\n" not in message


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "__import__('pathlib').Path('SIDE_EFFECT').touch() or 0",
        "eval(1)",
        "exec(1)",
        "open(1)",
        "().__class__",
        "print(1)",
        "Symbol(x)",
        "x; import os",
        "`id`",
        "$(id)",
    ],
)
def test_code_is_text_that_does_not_parse(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(text, ("x",))
    assert not list(tmp_path.iterdir())


def test_bounds_on_length_and_nesting() -> None:
    assert "2002 characters; expected at most 2000" in refused("1" + "+1" * 1000 + "0")
    assert "more than 100 deep" in refused("(" * 101 + "1" + ")" * 101)
    assert parse_expression("(" * 100 + "1" + ")" * 100, ()).rational == 1
    assert parse_expression("-" * 1999 + "1", ()).rational == -1
    assert value("sin(" * 100 + "0" + ")" * 100) == 0


def test_long_sums_need_no_recursion() -> None:
    assert value("+".join(["x"] * 999), {"x": 1.0}) == 999


@given(st.text(max_size=30))
def test_no_text_does_anything_but_parse_or_fail_cleanly(text: str) -> None:
    try:
        parse_expression(text, ("x",))
        message = ""
    except InputError as error:
        message = str(error)
    assert "\n" not in message


@given(st.text(alphabet="x1.e+-*/^(), sincobrt", max_size=24))
def test_near_misses_parse_or_fail_cleanly(text: str) -> None:
    try:
        term = parse_expression(text, ("x",))
    except InputError:
        return
    assert isinstance(lift([term], FLOAT64, {"x": 0.7})[0], float)


numbers = st.fractions(min_value=-99, max_value=99, max_denominator=100)


@given(numbers, numbers, numbers, st.sampled_from(["+", "-", "*", "/"]), st.sampled_from("+-*/"))
def test_arithmetic_agrees_with_fractions(
    a: Fraction, b: Fraction, c: Fraction, first: str, second: str
) -> None:
    def apply(x: Fraction, op: str, y: Fraction) -> Fraction | None:
        if op == "/":
            return None if y == 0 else x / y
        return {"+": x + y, "-": x - y, "*": x * y}[op]

    binds_later = first in "+-" and second in "*/"
    if binds_later:
        inner = apply(b, second, c)
        expected = None if inner is None else apply(a, first, inner)
    else:
        inner = apply(a, first, b)
        expected = None if inner is None else apply(inner, second, c)
    text = f"({a}) {first} ({b}) {second} ({c})"
    if expected is None:
        assert "division by zero" in refused(text)
    else:
        assert parse_expression(text, ()).rational == expected
