"""Numbers modulo a random prime: exact arithmetic for testing identities by evaluation.

The primes are 23 modulo 24. Then -1 is no square, so 1 + t^2 never vanishes and every t gives a
point ((1 - t^2)/(1 + t^2), 2t/(1 + t^2)) of the circle; 2 and 3 are squares, so the sines and
cosines of multiples of pi/12 exist; and every element has exactly one cube root.

A function without algebraic meaning takes a pseudo-random value that depends on the seed, the
function and the residues of its arguments only: equal arguments give equal values. Whatever holds
for these values whatever they are holds for the function.
"""

from __future__ import annotations

from fractions import Fraction
from hashlib import blake2b
from random import Random

ODD = frozenset(("sin", "tan", "asin", "atan", "sinh", "tanh", "sign"))
EVEN = frozenset(("cos", "cosh", "abs"))
_SYMMETRIC = frozenset(("min", "max", "eq"))
#: Primes tried before a condition on them is given up; doubled for each condition.
_TRIES, _MOST_DOUBLINGS = 64, 10


def inverse(value: int, p: int) -> int:
    """1/value modulo p; ZeroDivisionError for 0."""
    if value % p == 0:
        raise ZeroDivisionError("division by zero modulo p: take another point")
    return pow(value, -1, p)


def residue(value: Fraction | int, p: int) -> int:
    """The residue of a rational number."""
    value = Fraction(value)
    if value.denominator == 1:
        return value.numerator % p
    return value.numerator * inverse(value.denominator, p) % p


def square_root(value: int, p: int) -> int | None:
    """The square root of ``value`` that is itself a square, None if there is none.

    These roots are multiplicative: root(a) root(b) = root(ab), as for positive reals.
    """
    root = pow(value, (p + 1) // 4, p)
    return root if root * root % p == value % p else None


def cube_root(value: int, p: int) -> int:
    """The one cube root modulo p = 2 mod 3."""
    return pow(value, (2 * p - 1) // 3, p)


def random_prime(random: Random, bits: int = 61, squares: tuple[int, ...] = ()) -> int:
    """A prime 23 modulo 24 with ``bits`` bits, uniform among those where ``squares`` are squares.

    Each condition holds for half of the primes. After 64 times as many primes as that takes, the
    conditions are dropped: they are too many, or impossible, as for -1.
    """
    from flint import fmpz

    low, high = 1 << (bits - 1), 1 << bits
    first, last = (low - 23 + 23) // 24, (high - 24) // 24
    tries = _TRIES << min(len(squares), _MOST_DOUBLINGS)
    primes_tried = 0
    while True:
        p = 24 * random.randint(first, last) + 23
        if p < low or not fmpz(p).is_prime():
            continue
        primes_tried += 1
        if primes_tried > tries or all(square_root(n % p, p) is not None for n in squares):
            return p


class FreshValues:
    """Pseudo-random residues by key, the same in every process and in whatever order asked for.

    Parameters
    ----------
    p : the prime
    seed : every seed gives another family of values
    """

    def __init__(self, p: int, seed: int) -> None:
        self.p = p
        self._key = seed.to_bytes(16, "little", signed=True)
        self._size = p.bit_length() // 8 + 17  # 128 bits more than p: uniform to 2^-120
        self._circle: dict[int, tuple[int, int]] = {}

    def value(self, *key: str | int) -> int:
        """The residue that belongs to ``key``."""
        text = "\x1f".join(map(str, key)).encode()
        digest = b""
        block = 0
        while len(digest) < self._size:
            digest += blake2b(text, key=self._key, salt=block.to_bytes(16, "little")).digest()
            block += 1
        return int.from_bytes(digest[: self._size], "little") % self.p

    def bit(self, *key: str | int) -> bool:
        """A fair coin that belongs to ``key``."""
        return bool(self.value("bit", *key) & 1)

    def circle(self, angle: int) -> tuple[int, int]:
        """(cos, sin) of a residue: a random point of the circle; -angle gives its mirror image."""
        p = self.p
        key = min(angle, p - angle) if angle else 0
        point = self._circle.get(key)
        if point is None:
            if key == 0:
                point = (1, 0)
            else:
                t = self.value("circle", key)
                scale = pow(1 + t * t, -1, p)
                point = ((1 - t * t) * scale % p, 2 * t * scale % p)
            self._circle[key] = point
        c, s = point
        return (c, s) if key == angle else (c, -s % p)

    def function(self, op: str, *args: int) -> int:
        """The value of a function without algebraic meaning; parity and symmetry are kept."""
        p = self.p
        if op in ODD or op in EVEN:
            x = args[0]
            if 2 * x > p:
                mirrored = self.function(op, p - x)
                return -mirrored % p if op in ODD else mirrored
            if x == 0 and op in ODD:
                return 0
        if op in _SYMMETRIC:
            args = tuple(sorted(args))
        return self.value(op, *args)

    def root(self, value: int) -> tuple[int, bool]:
        """A square root of ``value`` with a sign by lot, and True; a fresh value and False if none.

        The lot matters: sqrt(x^2) = x must fail at half of the points.
        """
        root = square_root(value, self.p)
        if root is None:
            return self.value("sqrt", value), False
        return (-root % self.p if self.bit("sqrt", value) else root), True

    def select(self, condition: int, a: int, b: int) -> int:
        """``where`` as b + u (a - b), u a fresh value for each condition; 0 and 1 are special."""
        return (b + self.value("where", condition) * (a - b)) % self.p
