"""The table of operations at its edges, written by hand from `symdyn.algebra.ops`.

Each row is an operation, its arguments and its value. Values are exact where they are fractions,
otherwise decimals with 20 digits (of mathematical constants, OEIS: A049469 sin 1, A049470 cos 1,
A049471 tan 1, A001113 e, A002162 log 2, A073742 sinh 1, A073743 cosh 1, A073744 tanh 1, A002193
sqrt 2, A002580 cbrt 2, A003881 pi/4, A019669 pi/2).
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import inf, nan

Number = float | Fraction | Decimal
TINY, HUGE = 1e-300, 1e300
PI = Decimal("3.14159265358979323846264338328")
HALF_PI = Decimal("1.57079632679489661923")
QUARTER_PI = Decimal("0.785398163397448309616")


def _f(value: int | str) -> Fraction:
    return Fraction(value)


_0, _1 = _f(0), _f(1)

UNARY: list[tuple[str, Number, Number]] = [
    ("sqrt", 0.0, _0), ("sqrt", -0.0, _0), ("sqrt", 1.0, _1), ("sqrt", -1.0, nan),
    ("sqrt", 2.0, Decimal("1.41421356237309504880")), ("sqrt", HUGE, Decimal("1e150")),
    ("sqrt", -TINY, nan), ("sqrt", inf, inf), ("sqrt", -inf, nan), ("sqrt", nan, nan),
    ("cbrt", 0.0, _0), ("cbrt", -0.0, _0), ("cbrt", 1.0, _1), ("cbrt", -1.0, -_1),
    ("cbrt", -8.0, _f(-2)), ("cbrt", 2.0, Decimal("1.25992104989487316477")),
    ("cbrt", TINY, Decimal("1e-100")), ("cbrt", -HUGE, Decimal("-1e100")),
    ("cbrt", inf, inf), ("cbrt", -inf, -inf), ("cbrt", nan, nan),
    ("exp", 0.0, _1), ("exp", 1.0, Decimal("2.71828182845904523536")), ("exp", TINY, _1),
    ("exp", HUGE, inf), ("exp", -HUGE, _0), ("exp", inf, inf), ("exp", -inf, _0), ("exp", nan, nan),
    ("log", 0.0, -inf), ("log", -0.0, -inf), ("log", 1.0, _0), ("log", -1.0, nan),
    ("log", 2.0, Decimal("0.693147180559945309417")), ("log", -TINY, nan),
    ("log", inf, inf), ("log", -inf, nan), ("log", nan, nan),
    ("sin", 0.0, _0), ("sin", -0.0, _0), ("sin", 1.0, Decimal("0.841470984807896506653")),
    ("sin", -1.0, Decimal("-0.841470984807896506653")), ("sin", TINY, Decimal("1e-300")),
    ("sin", inf, nan), ("sin", -inf, nan), ("sin", nan, nan),
    ("cos", 0.0, _1), ("cos", 1.0, Decimal("0.540302305868139717401")), ("cos", TINY, _1),
    ("cos", -1.0, Decimal("0.540302305868139717401")), ("cos", inf, nan), ("cos", nan, nan),
    ("tan", 0.0, _0), ("tan", 1.0, Decimal("1.55740772465490223051")), ("tan", inf, nan),
    ("tan", -1.0, Decimal("-1.55740772465490223051")), ("tan", nan, nan),
    ("asin", 0.0, _0), ("asin", 1.0, HALF_PI), ("asin", -1.0, -HALF_PI), ("asin", 2.0, nan),
    ("asin", -HUGE, nan), ("asin", inf, nan), ("asin", nan, nan),
    ("acos", 0.0, HALF_PI), ("acos", 1.0, _0), ("acos", -1.0, PI), ("acos", -2.0, nan),
    ("acos", HUGE, nan), ("acos", -inf, nan), ("acos", nan, nan),
    ("atan", 0.0, _0), ("atan", 1.0, QUARTER_PI), ("atan", -1.0, -QUARTER_PI),
    ("atan", HUGE, HALF_PI), ("atan", inf, HALF_PI), ("atan", -inf, -HALF_PI), ("atan", nan, nan),
    ("sinh", 0.0, _0), ("sinh", 1.0, Decimal("1.17520119364380145688")), ("sinh", HUGE, inf),
    ("sinh", -HUGE, -inf), ("sinh", inf, inf), ("sinh", -inf, -inf), ("sinh", nan, nan),
    ("cosh", 0.0, _1), ("cosh", -1.0, Decimal("1.54308063481524377848")), ("cosh", HUGE, inf),
    ("cosh", -HUGE, inf), ("cosh", -inf, inf), ("cosh", nan, nan),
    ("tanh", 0.0, _0), ("tanh", 1.0, Decimal("0.761594155955764888119")), ("tanh", HUGE, _1),
    ("tanh", -HUGE, -_1), ("tanh", inf, _1), ("tanh", -inf, -_1), ("tanh", nan, nan),
    ("abs", 0.0, _0), ("abs", -0.0, _0), ("abs", -1.0, _1), ("abs", -TINY, TINY),
    ("abs", -inf, inf), ("abs", nan, nan),
    ("sign", 0.0, _0), ("sign", -0.0, _0), ("sign", 2.0, _1), ("sign", -TINY, -_1),
    ("sign", TINY, _1), ("sign", -HUGE, -_1), ("sign", inf, _1), ("sign", -inf, -_1),
    ("sign", nan, nan),
    ("neg", 1.0, -_1), ("neg", -0.0, _0), ("neg", inf, -inf), ("neg", nan, nan),
]  # fmt: skip

BINARY: list[tuple[str, Number, Number, Number]] = [
    ("add", 1.0, 2.0, _f(3)), ("add", 0.0, -0.0, _0), ("add", inf, 1.0, inf),
    ("add", inf, -inf, nan), ("add", nan, 1.0, nan),
    ("sub", 1.0, 2.0, -_1), ("sub", -inf, 1.0, -inf), ("sub", inf, inf, nan),
    ("mul", -3.0, 2.0, _f(-6)), ("mul", 0.0, -1.0, _0), ("mul", 0.0, inf, nan),
    ("mul", -inf, 2.0, -inf), ("mul", nan, 0.0, nan),
    ("div", 1.0, 4.0, _f("1/4")), ("div", 1.0, 0.0, inf), ("div", -1.0, 0.0, -inf),
    ("div", 0.0, 0.0, nan), ("div", 1.0, inf, _0), ("div", inf, inf, nan), ("div", nan, 0.0, nan),
    ("pow", 2.0, 3.0, _f(8)), ("pow", 4.0, 0.5, _f(2)), ("pow", 4.0, -0.5, _f("1/2")),
    ("pow", 2.0, 0.5, Decimal("1.41421356237309504880")), ("pow", -8.0, 2.0, nan),
    ("pow", -8.0, 0.0, nan), ("pow", -TINY, 0.5, nan), ("pow", 0.0, 0.5, _0),
    ("pow", 0.0, 3.0, _0), ("pow", -0.0, 3.0, _0), ("pow", 0.0, 0.0, _1), ("pow", 5.0, 0.0, _1),
    ("pow", 0.0, -1.0, inf), ("pow", -0.0, -1.0, inf), ("pow", HUGE, 2.0, inf),
    ("pow", HUGE, -2.0, _0), ("pow", inf, 2.0, inf), ("pow", inf, -1.0, _0),
    ("pow", 2.0, inf, inf), ("pow", 2.0, -inf, _0), ("pow", nan, 2.0, nan), ("pow", 2.0, nan, nan),
    ("atan2", 0.0, 0.0, _0), ("atan2", 0.0, -0.0, _0), ("atan2", 1.0, 1.0, QUARTER_PI),
    ("atan2", 1.0, 0.0, HALF_PI), ("atan2", -1.0, 0.0, -HALF_PI), ("atan2", 0.0, 1.0, _0),
    ("atan2", 0.0, -1.0, PI), ("atan2", HUGE, HUGE, QUARTER_PI), ("atan2", 1.0, inf, _0),
    ("atan2", inf, 1.0, HALF_PI), ("atan2", nan, 1.0, nan), ("atan2", 1.0, nan, nan),
    ("min", 1.0, 2.0, _1), ("min", 2.0, -3.0, _f(-3)), ("min", -inf, 1.0, -inf),
    ("min", nan, 1.0, nan), ("min", 1.0, nan, nan),
    ("max", 1.0, 2.0, _f(2)), ("max", -2.0, -3.0, _f(-2)), ("max", inf, 1.0, inf),
    ("max", nan, 1.0, nan), ("max", 1.0, nan, nan),
    ("lt", 1.0, 2.0, _1), ("lt", 2.0, 2.0, _0), ("lt", 0.0, -0.0, _0), ("lt", -inf, inf, _1),
    ("lt", nan, 1.0, _0), ("lt", 1.0, nan, _0),
    ("le", 2.0, 2.0, _1), ("le", 2.0, 1.0, _0), ("le", 0.0, -0.0, _1), ("le", nan, nan, _0),
    ("eq", 2.0, 2.0, _1), ("eq", 2.0, TINY, _0), ("eq", 0.0, -0.0, _1), ("eq", inf, inf, _1),
    ("eq", nan, nan, _0),
]  # fmt: skip

POWI: list[tuple[Number, int, Number]] = [
    (3.0, 4, _f(81)), (-2.0, 3, _f(-8)), (-2.0, 2, _f(4)), (2.0, -3, _f("1/8")), (0.0, 0, _1),
    (5.0, 0, _1), (0.0, 3, _0), (0.0, -2, inf), (0.0, -3, inf), (HUGE, 3, inf), (-HUGE, 3, -inf),
    (HUGE, -2, _0), (inf, 2, inf), (-inf, 3, -inf), (inf, -1, _0), (nan, 2, nan), (nan, 0, _1),
    (0.5, 10, _f("1/1024")),
]  # fmt: skip

WHERE: list[tuple[Number, Number, Number, Number]] = [
    (1.0, 2.0, 3.0, _f(2)), (0.0, 2.0, 3.0, _f(3)), (-0.0, 2.0, 3.0, _f(3)),
    (TINY, 2.0, 3.0, _f(2)), (-5.0, 2.0, 3.0, _f(2)), (1.0, 2.0, nan, _f(2)),
    (0.0, nan, 3.0, _f(3)), (0.0, inf, 3.0, _f(3)), (1.0, nan, 3.0, nan),
]  # fmt: skip
