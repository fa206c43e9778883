"""Whether a rational transfer function is strictly positive real, in exact arithmetic.

G is strictly positive real (SPR) iff G(s - e) is positive real for some e > 0. For a proper G(s) =
n(s)/d(s) without common factors that is: d is Hurwitz, Re G(jw) > 0 for every finite w, and at
infinity either G(inf) > 0, or G(inf) = 0 and the limit of w^2 Re G(jw) is positive. The last
condition is what a grid of frequencies cannot see: where the limit is 0 the real part is positive
at every finite w, and G is not SPR.

Source: Ioannou and Tao 1987, IEEE TAC 32(1); Khalil 2002, Nonlinear Systems, section 6.3.
Signs are decided by Sturm chains and Routh's array over the rationals, so equality is equality.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import pairwise

from symdyn._errors import InputError

#: Coefficients from the constant term up.
Polynomial = list[Fraction]


class Reality(Enum):
    """How positive real a transfer function is."""

    STRICTLY_POSITIVE_REAL = "strictly positive real"
    POSITIVE_REAL = "positive real, not strictly"
    NOT_POSITIVE_REAL = "not positive real"
    UNSTABLE = "not strictly positive real: a pole outside the open left half plane"


@dataclass(frozen=True, slots=True)
class RealityReport:
    """The outcome with its reason.

    Attributes
    ----------
    reality : which one
    reason : the condition that decided
    """

    reality: Reality
    reason: str

    @property
    def is_strict(self) -> bool:
        """Whether the function is strictly positive real."""
        return self.reality is Reality.STRICTLY_POSITIVE_REAL


def positive_reality(
    numerator: Sequence[Fraction | float | int], denominator: Sequence[Fraction | float | int]
) -> RealityReport:
    """Decide strict positive reality of a proper rational function.

    Parameters
    ----------
    numerator, denominator : real coefficients, from the constant term up; floats are taken exactly

    Returns
    -------
    RealityReport : UNSTABLE leaves open whether the function is positive real, with simple poles on
        the imaginary axis

    Raises
    ------
    InputError : a zero polynomial, a coefficient that is not finite, a numerator of higher degree
    """
    n, d = _polynomial("numerator", numerator), _polynomial("denominator", denominator)
    if len(n) > len(d):
        raise InputError("the transfer function is not proper", got=f"degrees {len(n)}, {len(d)}")
    common = _gcd(n, d)
    n, d = _quotient(n, common), _quotient(d, common)
    if not _is_hurwitz(d):
        return RealityReport(Reality.UNSTABLE, "a pole has no negative real part")
    even = _real_part(n, d)
    if not even:
        return RealityReport(Reality.POSITIVE_REAL, "Re G(jw) is identically 0")
    sign = _sign_on_half_line(even)
    if sign < 0:
        return RealityReport(Reality.NOT_POSITIVE_REAL, "Re G(jw) is negative at some frequency")
    if sign == 0:
        return RealityReport(Reality.POSITIVE_REAL, "Re G(jw) is 0 at some frequency")
    # Re G = even(w^2)/|d(jw)|^2 with |d|^2 of degree 2 (len(d) - 1) in w
    gap = (len(d) - 1) - (len(even) - 1)
    if gap > 1:
        return RealityReport(Reality.POSITIVE_REAL, "w^2 Re G(jw) tends to 0 at infinity")
    return RealityReport(
        Reality.STRICTLY_POSITIVE_REAL, "Re G(jw) > 0 for every w, and in the limit at infinity"
    )


def _polynomial(name: str, coefficients: Sequence[Fraction | float | int]) -> Polynomial:
    try:
        found = [Fraction(c) for c in coefficients]
    except (ValueError, OverflowError):
        raise InputError(f"the {name} has a coefficient that is not finite") from None
    _trim(found)
    if not found:
        raise InputError(f"the {name} is zero")
    return found


def _trim(p: Polynomial) -> None:
    while p and p[-1] == 0:
        p.pop()


def _divide(a: Polynomial, b: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Quotient and remainder."""
    rest, quotient = list(a), [Fraction(0)] * max(0, len(a) - len(b) + 1)
    while len(rest) >= len(b):
        factor, shift = rest[-1] / b[-1], len(rest) - len(b)
        quotient[shift] = factor
        for k, c in enumerate(b):
            rest[shift + k] -= factor * c
        rest.pop()
        _trim(rest)
    return quotient, rest


def _quotient(a: Polynomial, b: Polynomial) -> Polynomial:
    return _divide(a, b)[0]


def _gcd(a: Polynomial, b: Polynomial) -> Polynomial:
    while b:
        a, b = b, _divide(a, b)[1]
    return [c / a[-1] for c in a]


def _is_hurwitz(d: Polynomial) -> bool:
    """Whether every root has a negative real part: Routh's first column has one sign."""
    first, second = list(d[::-1][::2]), list(d[::-1][1::2])
    for _ in range(len(d) - 1):
        if not second or first[0] * second[0] <= 0:
            return False
        factor = first[0] / second[0]
        padded = second + [Fraction(0)] * (len(first) - len(second))
        third = [x - factor * y for x, y in zip(first[1:], padded[1:], strict=True)]
        first, second = second, third
    return True


def _real_part(n: Polynomial, d: Polynomial) -> Polynomial:
    """Re[n(jw) d(-jw)] as a polynomial in w^2."""
    total = [Fraction(0)] * ((len(n) + len(d)) // 2 + 1)
    for i, a in enumerate(n):
        for k, b in enumerate(d):
            if (i + k) % 2 == 0:
                # j^i (-j)^k = (-1)^k j^(i+k) = (-1)^(k + (i+k)/2)
                total[(i + k) // 2] += a * b * (-1) ** (k + (i + k) // 2)
    _trim(total)
    return total


def _sign_on_half_line(p: Polynomial) -> int:
    """1 if p(x) > 0 for all x >= 0, 0 if p >= 0 with a zero, -1 if p is negative somewhere."""
    if p[0] < 0 or p[-1] < 0:
        return -1
    square_free = _quotient(p, _gcd(p, _derivative(p))) if len(p) > 1 else p
    if p[0] > 0 and _roots_above(square_free, Fraction(0)) == 0:
        return 1
    # zeros of even multiplicity do not change the sign
    odd = _odd_part(p)
    if odd[0] < 0 or _roots_above(odd, Fraction(0)) > 0:
        return -1
    return 0


def _odd_part(p: Polynomial) -> Polynomial:
    """Product of the factors of odd multiplicity (Yun's square-free decomposition), sign of p."""
    sign = Fraction(1 if p[-1] > 0 else -1)
    odd: Polynomial = [sign]
    common = _gcd(p, _derivative(p)) if len(p) > 1 else [Fraction(1)]
    rest, power = _quotient(p, common), 1
    while len(rest) > 1:
        following = _gcd(rest, common)
        factor = _quotient(rest, following)
        if power % 2 and len(factor) > 1:
            odd = _multiply(odd, [c / factor[-1] for c in factor])
        rest, common, power = following, _quotient(common, following), power + 1
    return odd


def _multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    out = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for k, y in enumerate(b):
            out[i + k] += x * y
    return out


def _derivative(p: Polynomial) -> Polynomial:
    return [k * c for k, c in enumerate(p)][1:]


def _roots_above(p: Polynomial, x: Fraction) -> int:
    """Number of distinct real roots greater than x, by Sturm's theorem."""
    if len(p) == 1:
        return 0
    chain = [p, _derivative(p)]
    while len(chain[-1]) > 1:
        rest = _divide(chain[-2], chain[-1])[1]
        if not rest:
            break
        chain.append([-c for c in rest])
    at = [sum((c * x**k for k, c in enumerate(q)), Fraction(0)) for q in chain]
    return _changes(at) - _changes([q[-1] for q in chain])


def _changes(values: Sequence[Fraction]) -> int:
    signs = [v > 0 for v in values if v != 0]
    return sum(a != b for a, b in pairwise(signs))
