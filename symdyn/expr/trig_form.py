"""Unique normal form of trigonometric polynomials.

An expression becomes a sum of terms

    rational * monomial in generators * (1 | cos A | sin A),

A a sum of rational multiples of angles, by the product formulas ``2 cos A cos B = cos(A - B) +
cos(A + B)`` and so on. Sines and cosines of different angle combinations are linearly independent
over the functions that have none of them, so two expressions are equal exactly if their terms are
(with generators that are independent: symbols, pi, square roots of distinct primes). Planar arms
come out in the form that textbooks print, cos(q1 + q2).

What is no polynomial (exp, a quotient of sums, sqrt of an expression, …) becomes a generator of its
own, the same for equal arguments. Equal forms then still mean equal expressions; different forms no
longer mean different ones.

A term is packed into two integers so that multiplying monomials and adding angles are integer
additions: digit i of a monomial (32 bits, signed) is the exponent of generator i, digit i of an
angle combination (128 bits, signed) the coefficient of angle i in units of 1/UNIT. The sign of a
combination is the sign of that integer; cos(-A) = cos A and sin(-A) = -sin A make it positive.
Cost: one dictionary update for every pair of terms multiplied, counted against a budget.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from flint import fmpq

from symdyn._errors import SymdynError
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph

#: Coefficients of angles are multiples of 1/UNIT: decimals of 18 digits, 1/7, 1/9, 1/11, 1/13.
UNIT = 10**18 * 9 * 7 * 11 * 13
_ANGLE_BITS, _POWER_BITS = 128, 32
_ANGLE_LIMIT, _POWER_LIMIT = 1 << (_ANGLE_BITS - 1), 1 << (_POWER_BITS - 1)
_HALF, _ONE, _MINUS_ONE = fmpq(1, 2), fmpq(1), fmpq(-1)
#: Packed terms grow with these; beyond them arithmetic on them is no longer cheap.
_MOST_GENERATORS, _MOST_ANGLES = 2048, 256
#: Largest prime that is divided out of a radicand.
_TRIAL_LIMIT = 1000

Polynomial = dict[int, fmpq]
Key = tuple[tuple[int, tuple[tuple[int, int, int], ...]], ...]


class FormTooBigError(SymdynError):
    """The normal form has more terms, or larger exponents, than its budget allows."""


@dataclass(frozen=True, slots=True)
class Generator:
    """An indeterminate of the normal form.

    Attributes
    ----------
    kind : ``symbol``, ``pi``, ``root`` (of the whole number ``radicand``) or ``opaque``
    name : of a symbol; operation of an opaque one
    radicand : whose square root a ``root`` is
    arguments : of an opaque one
    payload : exponent of an opaque ``powi``
    """

    kind: str
    name: str
    radicand: int = 0
    arguments: tuple[TrigForm, ...] = ()
    payload: int | None = None


@dataclass(frozen=True, slots=True)
class Angle:
    """A quantity whose multiples stand inside sines and cosines: one term with coefficient 1."""

    harmonic: int
    monomial: int


@dataclass(frozen=True, slots=True)
class FormTerm:
    """A term taken apart: powers by generator index, combination by angle index."""

    coefficient: Fraction
    powers: tuple[tuple[int, int], ...]
    is_sine: bool
    combination: tuple[tuple[int, Fraction], ...]


class TrigForm:
    """A trigonometric polynomial in normal form; immutable. Supports ``+ - * /`` and unary minus.

    Attributes
    ----------
    terms : harmonic -> monomial -> coefficient, none of them zero; a harmonic is twice the packed
        angle combination, plus 1 for a sine
    """

    __slots__ = ("_degree", "_spread", "algebra", "terms")

    def __init__(
        self, algebra: TrigAlgebra, terms: dict[int, Polynomial], degree: int, spread: int
    ) -> None:
        self.algebra, self.terms = algebra, terms
        # bounds on the digits of monomials and combinations, so that packing never overflows
        self._degree, self._spread = degree, spread

    def _plus(self, other: TrigForm, factor: fmpq) -> TrigForm:
        if not other.terms:
            return self
        self.algebra.spend(other.size)
        terms = dict(self.terms)
        for harmonic, polynomial in other.terms.items():
            own = terms.get(harmonic)
            sum_ = {} if own is None else dict(own)
            _accumulate(sum_, polynomial, factor)
            if sum_:
                terms[harmonic] = sum_
            else:
                terms.pop(harmonic, None)
        return TrigForm(
            self.algebra,
            terms,
            max(self._degree, other._degree),
            max(self._spread, other._spread),
        )

    def __add__(self, other: TrigForm) -> TrigForm:
        if not self.terms:
            return other
        return self._plus(other, _ONE)

    def __sub__(self, other: TrigForm) -> TrigForm:
        return self._plus(other, _MINUS_ONE)

    def __neg__(self) -> TrigForm:
        return self._scaled(_MINUS_ONE)

    def _scaled(self, factor: fmpq) -> TrigForm:
        terms = {h: {m: c * factor for m, c in p.items()} for h, p in self.terms.items()}
        return TrigForm(self.algebra, terms, self._degree, self._spread)

    def __mul__(self, other: TrigForm) -> TrigForm:
        if not self.terms or not other.terms:
            return self.algebra.zero
        degree, spread = self._degree + other._degree, self._spread + other._spread
        if degree >= _POWER_LIMIT or spread >= _ANGLE_LIMIT:
            raise FormTooBigError("an exponent or an angle coefficient exceeds the packed range")
        self.algebra.spend(2 * self.size * other.size)
        out: dict[int, Polynomial] = {}
        for h1, p1 in self.terms.items():
            for h2, p2 in other.terms.items():
                product = self.algebra.multiply(p1, p2)
                for harmonic, factor in _product_to_sum(h1, h2):
                    _accumulate(out.setdefault(harmonic, {}), product, factor)
        return TrigForm(self.algebra, {h: p for h, p in out.items() if p}, degree, spread)

    def __truediv__(self, other: TrigForm) -> TrigForm:
        return self * self.algebra.inverse(other)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TrigForm)
            and other.algebra is self.algebra
            and other.terms == self.terms
        )

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"TrigForm({self.size} terms)"

    @property
    def size(self) -> int:
        """Number of terms."""
        return sum(map(len, self.terms.values()))

    @property
    def is_zero(self) -> bool:
        """Whether this is the zero polynomial."""
        return not self.terms

    @property
    def constant(self) -> Fraction | None:
        """The value if the form is a plain rational number, else None."""
        if not self.terms:
            return Fraction(0)
        polynomial = self.terms.get(0)
        if len(self.terms) > 1 or polynomial is None or len(polynomial) > 1 or 0 not in polynomial:
            return None
        return _fraction(polynomial[0])

    def key(self) -> Key:
        """The terms in a fixed order, to look forms up by."""
        return tuple(
            (h, tuple((m, int(c.p), int(c.q)) for m, c in sorted(p.items())))
            for h, p in sorted(self.terms.items())
        )

    def parts(self) -> list[FormTerm]:
        """The terms taken apart, in a fixed order."""
        out: list[FormTerm] = []
        for harmonic, polynomial in sorted(self.terms.items()):
            combination = tuple(
                (i, Fraction(digit, UNIT)) for i, digit in _digits(harmonic >> 1, _ANGLE_BITS)
            )
            out.extend(
                FormTerm(
                    _fraction(coefficient),
                    tuple(_digits(monomial, _POWER_BITS)),
                    bool(harmonic & 1),
                    combination,
                )
                for monomial, coefficient in sorted(polynomial.items())
            )
        return out


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _digits(packed: int, bits: int) -> list[tuple[int, int]]:
    """Signed digits of a packed integer, those that are not zero."""
    out: list[tuple[int, int]] = []
    full, half, i = 1 << bits, 1 << (bits - 1), 0
    while packed:
        digit = packed & (full - 1)
        if digit >= half:
            digit -= full
        if digit:
            out.append((i, digit))
        packed = (packed - digit) >> bits
        i += 1
    return out


def _accumulate(total: Polynomial, polynomial: Polynomial, factor: fmpq) -> None:
    for monomial, coefficient in polynomial.items():
        value = coefficient * factor
        old = total.get(monomial)
        if old is not None:
            value = old + value
            if not value:
                del total[monomial]
                continue
        total[monomial] = value


def _product_to_sum(h1: int, h2: int) -> list[tuple[int, fmpq]]:
    """The product of two harmonics as a sum of harmonics."""
    if h1 == 0:
        return [(h2, _ONE)]
    if h2 == 0:
        return [(h1, _ONE)]
    first_is_sine, second_is_sine = h1 & 1, h2 & 1
    a, b = h1 >> 1, h2 >> 1
    sum_, difference = a + b, a - b
    if first_is_sine == second_is_sine:
        # cos cos: 1/2 (cos(a-b) + cos(a+b)); sin sin: 1/2 (cos(a-b) - cos(a+b))
        return [
            (2 * abs(difference), _HALF),
            (2 * sum_, -_HALF if first_is_sine else _HALF),
        ]
    # sin a cos b: 1/2 (sin(a+b) + sin(a-b)); cos a sin b: 1/2 (sin(a+b) - sin(a-b))
    out = [(2 * sum_ + 1, _HALF)]
    if difference:
        sign = (1 if difference > 0 else -1) * (1 if first_is_sine else -1)
        out.append((2 * abs(difference) + 1, _HALF if sign > 0 else -_HALF))
    return out


class TrigAlgebra:
    """The number kind of normal forms.

    Parameters
    ----------
    limit : budget of term updates for everything computed with this algebra; beyond it every
        operation raises `FormTooBigError`

    Attributes
    ----------
    generators, angles : what the digits of monomials and combinations stand for
    created : both in the order in which they came about; each mentions earlier ones only
    """

    def __init__(self, limit: int = 1_000_000) -> None:
        self.limit, self.spent = limit, 0
        self.generators: list[Generator] = []
        self.angles: list[Angle] = []
        self.created: list[Generator | Angle] = []
        self._generator_index: dict[object, int] = {}
        self._angle_index: dict[Angle, int] = {}
        self._radicands: dict[int, int] = {}
        self._masks_of = (0, 0, 0)
        self.zero = TrigForm(self, {}, 0, 0)

    @property
    def name(self) -> str:
        return "trigonometric normal form"

    def spend(self, amount: int) -> None:
        """Count term updates against the budget."""
        self.spent += amount
        if self.spent > self.limit:
            raise FormTooBigError(f"the normal form needs more than {self.limit} term updates")

    # -- leaves ---------------------------------------------------------------------------------

    def const(self, value: Fraction | int, /) -> TrigForm:
        value = Fraction(value)
        if not value:
            return self.zero
        return TrigForm(self, {0: {0: fmpq(value.numerator, value.denominator)}}, 0, 0)

    def symbol(self, name: str) -> TrigForm:
        """The symbol called ``name``; the same name gives the same form."""
        return self._generator(("symbol", name), Generator("symbol", name))

    def pi(self) -> TrigForm:
        return self._generator("pi", Generator("pi", "pi"))

    def _generator(self, key: object, generator: Generator) -> TrigForm:
        index = self._generator_index.get(key)
        if index is None:
            index = len(self.generators)
            if index == _MOST_GENERATORS:
                raise FormTooBigError(f"the normal form needs more than {index} generators")
            self._generator_index[key] = index
            self.generators.append(generator)
            self.created.append(generator)
            if generator.kind == "root":
                self._radicands[index] = generator.radicand
        return TrigForm(self, {0: {1 << (_POWER_BITS * index): _ONE}}, 1, 0)

    def _opaque(self, op: str, *arguments: TrigForm, payload: int | None = None) -> TrigForm:
        key = (op, tuple(a.key() for a in arguments), payload)
        return self._generator(key, Generator("opaque", op, 0, arguments, payload))

    # -- products -------------------------------------------------------------------------------

    def multiply(self, p1: Polynomial, p2: Polynomial) -> Polynomial:
        """Product of two polynomials in the generators; squares of roots are resolved."""
        if len(p1) == 1 and 0 in p1:
            factor = p1[0]
            return p2 if factor == 1 else {m: c * factor for m, c in p2.items()}
        out: Polynomial = {}
        for m1, c1 in p1.items():
            for m2, c2 in p2.items():
                monomial, value = m1 + m2, c1 * c2
                old = out.get(monomial)
                if old is not None:
                    value = old + value
                    if not value:
                        del out[monomial]
                        continue
                out[monomial] = value
        return self._resolve_roots(out) if self._radicands else out

    def _resolve_roots(self, polynomial: Polynomial) -> Polynomial:
        """Every root to the power 0 or 1.

        With half of the range added, all digits are without sign, and a digit is 0 or 1 exactly if
        none of its bits but the lowest is changed by that: one mask tells for all roots at once.
        """
        bias, mask = self._masks()
        if not any(((monomial + bias) ^ bias) & mask for monomial in polynomial):
            return polynomial
        out: Polynomial = {}
        for monomial, coefficient in polynomial.items():
            if not ((monomial + bias) ^ bias) & mask:
                _accumulate(out, {monomial: coefficient}, _ONE)
                continue
            for index, power in _digits(monomial, _POWER_BITS):
                radicand = self._radicands.get(index)
                if radicand is not None and power not in (0, 1):
                    whole = power // 2
                    monomial -= (2 * whole) << (_POWER_BITS * index)
                    coefficient = coefficient * fmpq(radicand) ** whole
            _accumulate(out, {monomial: coefficient}, _ONE)
        return out

    def _masks(self) -> tuple[int, int]:
        """Half of the range in every digit, and all bits but the lowest in the digits of roots."""
        digits = len(self.generators)
        if self._masks_of[0] != digits:
            bias = sum(_POWER_LIMIT << (_POWER_BITS * i) for i in range(digits))
            above_one = (1 << _POWER_BITS) - 2
            mask = sum(above_one << (_POWER_BITS * i) for i in self._radicands)
            self._masks_of = (digits, bias, mask)
        return self._masks_of[1:]

    def inverse(self, x: TrigForm) -> TrigForm:
        """1/x: of a single monomial exactly, else a generator of its own."""
        polynomial = x.terms.get(0)
        if len(x.terms) != 1 or polynomial is None or len(polynomial) != 1:
            return self._opaque("inverse", x)
        ((monomial, coefficient),) = polynomial.items()
        inverted = {-monomial: 1 / coefficient}
        if self._radicands:
            inverted = self._resolve_roots(inverted)
        return TrigForm(self, {0: inverted}, max(x._degree, 1), 0)  # pyright: ignore[reportPrivateUsage]

    def powi(self, x: TrigForm, n: int, /) -> TrigForm:
        base, left = (x, n) if n >= 0 else (self.inverse(x), -n)
        power = self.const(1)
        while left:
            if left & 1:
                power = power * base
            left >>= 1
            if left:
                base = base * base
        return power

    # -- functions ------------------------------------------------------------------------------

    def unary(self, op: str, x: TrigForm, /) -> TrigForm:
        if op in ("sin", "cos"):
            return self._trigonometric(x, op == "sin")
        value = x.constant
        if value is not None:
            if op == "sqrt" and value >= 0:
                return self._root(value)
            if op == "abs":
                return self.const(abs(value))
            if op == "sign":
                return self.const((value > 0) - (value < 0))
        return self._opaque(op, x)

    def binary(self, op: str, x: TrigForm, y: TrigForm, /) -> TrigForm:
        return self._opaque(op, x, y)

    def where(self, c: TrigForm, a: TrigForm, b: TrigForm, /) -> TrigForm:
        value = c.constant
        if value is not None:
            return b if value == 0 else a
        return self._opaque("where", c, a, b)

    def sin(self, x: TrigForm, /) -> TrigForm:
        return self._trigonometric(x, True)

    def cos(self, x: TrigForm, /) -> TrigForm:
        return self._trigonometric(x, False)

    def sqrt(self, x: TrigForm, /) -> TrigForm:
        return self.unary("sqrt", x)

    def _root(self, value: Fraction) -> TrigForm:
        """sqrt(p/q) = sqrt(p q)/q as a product of roots of primes."""
        left = value.numerator * value.denominator
        result = self.const(Fraction(1, value.denominator))
        if not left:
            return self.zero
        for prime in range(2, _TRIAL_LIMIT):
            # composite numbers never divide: their primes are already gone
            power = 0
            while left % prime == 0:
                left, power = left // prime, power + 1
            result = result * self.const(prime ** (power // 2))
            if power % 2:
                result = result * self._prime_root(prime)
        whole = isqrt(left)
        if whole * whole == left:
            return result * self.const(whole)
        return result * self._prime_root(left)

    def _prime_root(self, radicand: int) -> TrigForm:
        return self._generator(("root", radicand), Generator("root", "sqrt", radicand))

    def _trigonometric(self, x: TrigForm, is_sine: bool) -> TrigForm:
        """sin x or cos x for x = angle combination + twelfth of pi."""
        combination, spread, twelfths = 0, 0, 0
        pi = next(iter(self.pi().terms[0]))
        for harmonic, polynomial in x.terms.items():
            for monomial, coefficient in polynomial.items():
                value = _fraction(coefficient)
                if harmonic == 0 and monomial == pi and (12 * value).denominator == 1:
                    twelfths = int(12 * value) % 24
                    continue
                digit, angle = value * UNIT, Angle(harmonic, monomial)
                if digit.denominator != 1 or abs(digit) >= _ANGLE_LIMIT:
                    # finer than the unit: this multiple becomes an angle of its own
                    digit, angle = Fraction(UNIT), self._own_angle(harmonic, monomial, value)
                index = self._angle_index.get(angle)
                if index is None:
                    index = len(self.angles)
                    if index == _MOST_ANGLES:
                        raise FormTooBigError(f"the normal form needs more than {index} angles")
                    self._angle_index[angle] = index
                    self.angles.append(angle)
                    self.created.append(angle)
                combination += int(digit) << (_ANGLE_BITS * index)
                spread = max(spread, abs(int(digit)))
        c, s = self._wave(combination, False, spread), self._wave(combination, True, spread)
        if not twelfths:
            return s if is_sine else c
        c0, s0 = self._twelfth((twelfths + 6) % 24), self._twelfth(twelfths)
        return s * c0 + c * s0 if is_sine else c * c0 - s * s0

    def _own_angle(self, harmonic: int, monomial: int, value: Fraction) -> Angle:
        multiple = TrigForm(
            self, {harmonic: {monomial: fmpq(value.numerator, value.denominator)}}, 1, 1
        )
        return Angle(0, next(iter(self._opaque("multiple", multiple).terms[0])))

    def _wave(self, combination: int, is_sine: bool, spread: int) -> TrigForm:
        if combination == 0:
            return self.zero if is_sine else self.const(1)
        sign = _MINUS_ONE if is_sine and combination < 0 else _ONE
        return TrigForm(self, {2 * abs(combination) + is_sine: {0: sign}}, 0, spread)

    def _twelfth(self, k: int) -> TrigForm:
        """sin(k pi/12)."""
        k %= 24
        if k >= 12:
            return -self._twelfth(k - 12)
        k = min(k, 12 - k)
        root2, root3 = self._root(Fraction(2)), self._root(Fraction(3))
        quarter, half = self.const(Fraction(1, 4)), self.const(Fraction(1, 2))
        return (
            self.zero,
            quarter * root2 * (root3 - self.const(1)),
            half,
            half * root2,
            half * root3,
            quarter * root2 * (root3 + self.const(1)),
            self.const(1),
        )[k]


def trig_forms(graph: Graph, roots: Sequence[int], *, limit: int = 1_000_000) -> list[TrigForm]:
    """Normal forms of graph nodes, all over one algebra so that they can be compared with ``==``.

    Parameters
    ----------
    graph : where the roots live
    roots : indices of the wanted nodes
    limit : budget of term updates

    Raises
    ------
    FormTooBigError : the budget is used up
    """
    algebra = TrigAlgebra(limit)
    symbols = {
        i: algebra.symbol(str(graph.payload[i]))
        for i in graph.reachable(roots)
        if graph.ops[i] == "symbol"
    }
    return evaluate(graph, roots, algebra, symbols)
