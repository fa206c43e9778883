"""How likely two different expressions look equal at a random point of GF(p): a bound, counted.

Along the graph each value is kept as numerator over denominator, polynomials with integer
coefficients in the symbols, the cosines and sines of the base angles and the fresh values. Counted
per node, as whole numbers:

- degree: total degree of the numerator;
- scale: how often the common denominator D of all constants has been multiplied in;
- bits: logarithm to base 2 of the sum of the sizes of the numerator's coefficients, rounded up;
- factors: the denominator, a product of powers of numerators that something was divided by. Sums
  take the larger power of each factor, so repeated division by the same thing does not add up.

A nonzero difference of degree d in s symbols and a base angles becomes, with the angles' rational
parametrisation, a nonzero polynomial of degree at most d (2a + 1). It vanishes at a random point
with probability at most d (2a + 1)/p (Schwartz 1980; Zippel 1979), unless p divides all of its
coefficients: of the primes 23 mod 24 with b bits, at least 2^(b-1)/(6b) in number (Bennett, Martin,
O'Bryant and Rechnitzer 2018, Illinois J. Math. 62), at most bits/(b-1) can do that. Square roots of
constants and cube roots are algebraic: a norm over each multiplies degree and bits by 2 or 3.
Two different fresh values of one kind that happen to be equal are counted as a collision. A square
root of an expression has its sign by lot: that alone can hide a difference with probability
1 - 2^-m for m of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, lcm

from symdyn.expr.angle_sums import TRIGONOMETRIC, AngleSum, angle_sums, common_denominator
from symdyn.expr.graph import Graph

_TWELFTH = Fraction(1, 12)

# Larger numbers are cut to this: the bound is 1 by then, and deep chains would fill the memory.
_CAP = 1 << 4096
_NONE: dict[int, int] = {}


@dataclass(frozen=True, slots=True)
class _Size:
    """Degree, scale and bits of a polynomial."""

    degree: int
    scale: int
    bits: int

    def times(self, other: _Size, power: int = 1) -> _Size:
        if power == 0:
            return self
        return _Size(
            min(self.degree + power * other.degree, _CAP),
            min(self.scale + power * other.scale, _CAP),
            min(self.bits + power * other.bits, _CAP),
        )


_ONE = _Size(0, 0, 0)
_VARIABLE = _Size(1, 0, 0)


@dataclass(frozen=True, slots=True)
class _Quotient:
    """A numerator over powers of the numerators of other nodes."""

    top: _Size
    factors: dict[int, int]


def failure_bound(graph: Graph, lefts: Sequence[int], rights: Sequence[int], bits: int) -> Fraction:
    """Probability that one random point hides that some left differs from its right.

    Parameters
    ----------
    lefts, rights : roots compared in pairs
    bits : size of the random primes

    Returns
    -------
    A number in [0, 1]; raise it to the power of the number of independent points (prime and seed)

    Notes
    -----
    About 2 us a node. A point where a denominator vanishes is drawn again; the factor 2 for that is
    in the bound.
    """
    counter = _Counter(graph, [*lefts, *rights])
    chances = [
        counter.probability(counter.difference(a, b), bits)
        for a, b in zip(lefts, rights, strict=True)
        if a != b
    ]
    return max(chances, default=Fraction(0))


class _Counter:
    """Sizes of all nodes of a graph that some roots need."""

    def __init__(self, graph: Graph, roots: Sequence[int]) -> None:
        nodes = graph.reachable(roots)
        self.graph = graph
        self.sums = angle_sums(graph, roots)
        self.parts = common_denominator(self.sums)
        self.surds = any(s.turns.denominator > 2 for s in self.sums.values())
        denominators = {graph.const_value(i).denominator for i in nodes if graph.is_const(i)}
        self.scale = lcm(4 if self.surds else 1, *denominators)
        self.angles: set[int | Fraction] = set()
        self.keys: list[_Size] = []  # what values of functions are keyed by
        self.roots: list[tuple[int, _Size]] = []  # (order, r^order = this) of each root
        self.selected = 0  # square roots of constants: they restrict the primes
        self.lots = 0
        self.factor: dict[int, _Size] = {}
        self.size: dict[int, _Quotient] = {}
        if self.surds:
            self.roots += [(2, _Size(0, 0, 1)), (2, _Size(0, 0, 2))]
        for i in nodes:
            self.size[i] = self._node(i)

    # -- the answer -----------------------------------------------------------------------------

    def difference(self, a: int, b: int) -> _Size:
        """Size of the numerator of a - b."""
        return self._sum(self.size[a], self.size[b]).top

    def probability(self, size: _Size, bits: int) -> Fraction:
        """Chance that a nonzero expression of that size vanishes at a random point."""
        chance = self._vanishes(size, bits)
        if self.keys:
            pairs = comb(len(self.keys), 2)
            largest = _Size(
                2 * max(k.degree for k in self.keys), 0, 2 * max(k.bits for k in self.keys) + 1
            )
            chance += 2 * pairs * self._vanishes(largest, bits)  # x = y or x = -y
        if self.factor:
            chance *= 2
        chance += 1 - Fraction(1, 1 << self.lots)
        return min(chance, Fraction(1))

    def _vanishes(self, size: _Size, bits: int) -> Fraction:
        degree, height = size.degree, size.bits
        for order, relation in reversed(self.roots):
            # Sylvester's determinant: ``order`` rows of this, ``degree`` rows of the relation.
            height = order * height + degree * (relation.bits + 1)
            degree = degree * (order + relation.degree)
        angles = len(self.angles)
        height += degree * (angles + 1)
        by_point = Fraction(degree * (2 * angles + 1), 1 << (bits - 1))
        by_prime = Fraction(height * 6 * bits, (bits - 1) << (bits - 1)) * (1 << self.selected)
        return by_point + by_prime

    # -- one node -------------------------------------------------------------------------------

    def _node(self, i: int) -> _Quotient:
        graph = self.graph
        op, args = graph.ops[i], graph.args[i]
        match op:
            case "const":
                return self._const(graph.const_value(i))
            case "symbol" | "pi":
                return _Quotient(_VARIABLE, _NONE)
            case "neg":
                return self.size[args[0]]
            case "add" | "sub":
                return self._sum(self.size[args[0]], self.size[args[1]])
            case "mul":
                return self._product(self.size[args[0]], self.size[args[1]])
            case "div":
                return self._product(self.size[args[0]], self._inverse(args[1], 1))
            case "powi":
                n = graph.payload[i]
                assert isinstance(n, int)
                return self._power(self.size[args[0]], n) if n > 0 else self._inverse(args[0], -n)
            case "where":
                self.keys.append(self._cleared(self.size[args[0]]))
                mixed = self._sum(self.size[args[1]], self.size[args[2]])
                # b + u (a - b): three terms, one degree more
                return _Quotient(mixed.top.times(_Size(1, 0, 1)), mixed.factors)
            case "sqrt" | "cbrt":
                return self._root(op, args[0])
            case _ if op in TRIGONOMETRIC:
                return self._trigonometric(i, op, self.sums[args[0]])
            case _:
                self.keys += [self._cleared(self.size[a]) for a in args]
                return _Quotient(_VARIABLE, _NONE)

    def _const(self, value: Fraction) -> _Quotient:
        if value.denominator == 1:
            return _Quotient(_Size(0, 0, _log2(value.numerator)), _NONE)
        return _Quotient(_Size(0, 1, _log2(int(value * self.scale))), _NONE)

    def _sum(self, a: _Quotient, b: _Quotient) -> _Quotient:
        x, y, factors = a.top, b.top, a.factors
        if a.factors != b.factors:
            factors = _larger(a.factors, b.factors)
            for f, n in factors.items():
                x = x.times(self.factor[f], n - a.factors.get(f, 0))
                y = y.times(self.factor[f], n - b.factors.get(f, 0))
        scale = max(x.scale, y.scale)
        step = _log2(self.scale)
        bits = max(x.bits + (scale - x.scale) * step, y.bits + (scale - y.scale) * step) + 1
        return _Quotient(_Size(max(x.degree, y.degree), scale, min(bits, _CAP)), factors)

    def _product(self, a: _Quotient, b: _Quotient) -> _Quotient:
        if not a.factors and not b.factors:
            return _Quotient(a.top.times(b.top), _NONE)
        factors = dict(a.factors)
        for f, n in b.factors.items():
            factors[f] = min(factors.get(f, 0) + n, _CAP)
        return _Quotient(a.top.times(b.top), factors)

    def _power(self, a: _Quotient, n: int) -> _Quotient:
        factors = {f: min(n * m, _CAP) for f, m in a.factors.items()}
        return _Quotient(_ONE.times(a.top, n), factors)

    def _inverse(self, b: int, n: int) -> _Quotient:
        """1/b^n: b's denominator comes on top, its numerator becomes a factor."""
        if self.graph.ops[b] == "powi":
            power = self.graph.payload[b]
            assert isinstance(power, int)
            return self._inverse(self.graph.args[b][0], n * power)
        quotient = self.size[b]
        top = _ONE
        for f, m in quotient.factors.items():
            top = top.times(self.factor[f], m * n)
        self.factor[b] = quotient.top
        return _Quotient(top, {b: n})

    def _root(self, op: str, a: int) -> _Quotient:
        order = 2 if op == "sqrt" else 3
        self.roots.append((order, self._cleared(self.size[a])))
        if op == "sqrt":
            if self.graph.is_const(a):
                self.selected += 1
            else:
                self.lots += 1
                self.keys.append(self._cleared(self.size[a]))
        return _Quotient(_VARIABLE, _NONE)

    def _trigonometric(self, i: int, op: str, angle: AngleSum) -> _Quotient:
        degree = 0
        for atom, k in angle.atoms:
            degree += abs(k.numerator) * (self.parts // k.denominator)
            if atom not in self.angles:
                self.angles.add(atom)
                self.keys.append(self._cleared(self.size[atom]))
        rest = angle.turns % _TWELFTH if angle.turns else angle.turns
        if rest and rest not in self.angles:
            self.angles.add(rest)
            self.keys.append(self._const(rest).top)
        degree += rest != 0
        size = _Size(degree, 0, degree)
        if angle.turns.denominator > 2:
            size = size.times(_Size(0, 1, _log2(self.scale) + 2))
        if op != "tan":
            return _Quotient(size, _NONE)
        self.factor[i] = size
        return _Quotient(size, {i: 1})

    def _cleared(self, a: _Quotient) -> _Size:
        """A size that bounds numerator and denominator."""
        below = _ONE
        for f, n in a.factors.items():
            below = below.times(self.factor[f], n)
        return _Size(
            max(a.top.degree, below.degree),
            max(a.top.scale, below.scale),
            max(a.top.bits, below.bits) + abs(a.top.scale - below.scale) * _log2(self.scale),
        )


def _larger(a: dict[int, int], b: dict[int, int]) -> dict[int, int]:
    factors = dict(a)
    for f, n in b.items():
        if n > factors.get(f, 0):
            factors[f] = n
    return factors


def _log2(value: int) -> int:
    """Smallest k with |value| <= 2^k."""
    return max(abs(value) - 1, 0).bit_length()
