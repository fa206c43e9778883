"""Value of a graph in GF(p) with angles on rational points of the circle.

Two expressions that are equal as functions of their symbols have equal values here, for every prime
and seed, as far as the evaluation knows the functions in them:

- arithmetic, whole powers, cube roots: exactly;
- sine, cosine, tangent: the circle point of an exact combination of atoms by the addition theorem
  (`symdyn.expr.angle_sums`), each atom at a random rational point; multiples of pi/12 by the square
  roots of 2 and 3;
- square roots: a root of the residue; of a constant always the same one, else its sign is by lot;
- ``where(c, a, b)``: b + u (a - b) with u random for each condition c;
- every other function: a random value for each value of its arguments.

A symbol inside a sine and the same symbol outside are independent here. So equal values mean equal
functions up to the chance that `symdyn.expr.mod_bound` counts, while different values refute an
equality only where nothing was made independent (`ModularValues.exact`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from symdyn.algebra.modular import FreshValues, cube_root, inverse, residue, square_root
from symdyn.expr.angle_sums import TRIGONOMETRIC, angle_sums, common_denominator
from symdyn.expr.graph import Graph

_TWELFTH = Fraction(1, 12)
Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ModularValues:
    """Residues of the roots.

    Attributes
    ----------
    prime : the modulus
    values : one residue a root
    exact : no function was replaced by independent values; then different residues prove that two
        roots differ
    """

    prime: int
    values: tuple[int, ...]
    exact: bool


def evaluate_mod(
    graph: Graph,
    roots: Sequence[int],
    p: int,
    seed: int,
    symbols: Mapping[int, int] | None = None,
) -> ModularValues:
    """Evaluate the roots at the random point that ``p`` and ``seed`` name.

    Parameters
    ----------
    graph, roots : what to evaluate
    p : prime that is 23 modulo 24, from `symdyn.algebra.modular.random_prime`; if the roots hold
        square roots of constants, chosen with these as ``squares`` (`constants_under_roots`)
    seed : names the point; a symbol's value depends on p, seed and its name only, so two graphs can
        be compared
    symbols : residues to use for some symbols, by index

    Raises
    ------
    ZeroDivisionError : a denominator vanishes at this point; take another seed. If that happens at
        every point, an expression divides by something that is identically zero.

    Notes
    -----
    About 1 us a node. Source: Schwartz 1980, J. ACM 27(4); Zippel 1979, EUROSAM.
    """
    return _Run(graph, roots, p, seed, symbols or {}).result()


def constants_under_roots(graph: Graph, roots: Sequence[int]) -> tuple[int, ...]:
    """Whole numbers that have to be squares modulo p for the square roots of rational constants."""
    found: set[int] = set()
    for i in graph.reachable(roots):
        if graph.ops[i] == "sqrt" and graph.is_const(graph.args[i][0]):
            value = graph.const_value(graph.args[i][0])
            found.add(value.numerator * value.denominator)
    return tuple(sorted(found))


class _Run:
    """One evaluation: the point, the known values and what was made independent."""

    def __init__(
        self, graph: Graph, roots: Sequence[int], p: int, seed: int, symbols: Mapping[int, int]
    ) -> None:
        self.graph, self.roots, self.p = graph, roots, p
        self.symbols = symbols
        self.fresh = FreshValues(p, seed)
        self.exact = True
        self.sums = angle_sums(graph, roots)
        self.denominator = common_denominator(self.sums)
        self.points: dict[int, Point] = {}
        self.powers: dict[tuple[int, int], Point] = {}
        self.value: dict[int, int] = {}

    def result(self) -> ModularValues:
        graph, p, value = self.graph, self.p, self.value
        ops, args, payload = graph.ops, graph.args, graph.payload
        for i in self._needed():
            op, a = ops[i], args[i]
            if op == "mul":
                value[i] = value[a[0]] * value[a[1]] % p
            elif op == "add":
                value[i] = (value[a[0]] + value[a[1]]) % p
            elif op == "sub":
                value[i] = (value[a[0]] - value[a[1]]) % p
            elif op == "neg":
                value[i] = -value[a[0]] % p
            elif op == "div":
                value[i] = value[a[0]] * inverse(value[a[1]], p) % p
            elif op == "const":
                value[i] = residue(cast("Fraction", payload[i]), p)
            elif op == "symbol":
                value[i] = self._symbol(i)
            elif op == "powi":
                n = cast("int", payload[i])
                base = value[a[0]] if n >= 0 else inverse(value[a[0]], p)
                value[i] = pow(base, abs(n), p)
            else:
                value[i] = self._function(op, a)
        return ModularValues(p, tuple([value[root] for root in self.roots]), self.exact)

    def _needed(self) -> list[int]:
        """Nodes whose values are needed, ascending; angles only down to their atoms."""
        graph = self.graph
        if not self.roots:
            return []
        size = max(self.roots) + 1
        needed, angles = bytearray(size), bytearray(size)
        for root in self.roots:
            needed[root] = 1
        for i in range(size - 1, -1, -1):
            if not needed[i]:
                continue
            if graph.ops[i] in TRIGONOMETRIC:
                for atom, _ in self.sums[graph.args[i][0]].atoms:
                    angles[atom] = 1
                    if graph.ops[atom] != "symbol":
                        needed[atom] = 1
            else:
                for a in graph.args[i]:
                    needed[a] = 1
        if any(map(_both, needed, angles)):
            self.exact = False
        return [i for i in range(size) if needed[i] or angles[i]]

    def _symbol(self, i: int) -> int:
        given = self.symbols.get(i)
        return self.fresh.value("symbol", str(self.graph.payload[i])) if given is None else given

    def _function(self, op: str, a: tuple[int, ...]) -> int:
        p, value = self.p, self.value
        if op in TRIGONOMETRIC:
            c, s = self._point(a[0])
            return c if op == "cos" else s if op == "sin" else s * inverse(c, p) % p
        if op == "cbrt":
            return cube_root(value[a[0]], p)
        if op == "sqrt":
            if self.graph.is_const(a[0]):
                root = square_root(value[a[0]], p)
                found = root is not None
                result = self.fresh.value("sqrt", value[a[0]]) if root is None else root
            else:
                # The lot may choose -sqrt(x): a difference is then no difference over the reals.
                result, found = self.fresh.root(value[a[0]])[0], False
            self.exact = self.exact and found
            return result
        if op == "pi":
            return self.fresh.value("pi")
        self.exact = False
        if op == "where":
            return self.fresh.select(value[a[0]], value[a[1]], value[a[2]])
        return self.fresh.function(op, *[value[j] for j in a])

    def _point(self, angle: int) -> Point:
        """(cos, sin) of an argument."""
        known = self.points.get(angle)
        if known is None:
            total = self.sums[angle]
            known = self._turn(total.turns) if total.turns else (1, 0)
            for atom, k in total.atoms:
                known = _join(known, self._power(self.value[atom], k), self.p)
            self.points[angle] = known
        return known

    def _power(self, angle: int, k: Fraction) -> Point:
        """Circle point of k times the angle whose L-th part has a random one."""
        n = k.numerator * (self.denominator // k.denominator)
        found = self.powers.get((angle, n))
        if found is None:
            found = _multiple(self.fresh.circle(angle), n, self.p)
            self.powers[angle, n] = found
        return found

    def _turn(self, turns: Fraction) -> Point:
        """Circle point of ``turns`` times pi: algebraic for multiples of 1/12."""
        twelfths = turns // _TWELFTH
        point = _multiple(_twelfth_of_pi(self.p), twelfths % 24, self.p)
        rest = turns - twelfths * _TWELFTH
        if rest:
            self.exact = False
            angle = self.fresh.value("pi") * residue(rest, self.p) % self.p
            point = _join(point, self.fresh.circle(angle), self.p)
        return point


def _both(a: int, b: int) -> bool:
    return bool(a and b)


def _join(a: Point, b: Point, p: int) -> Point:
    """Circle point of the sum of two angles."""
    return (a[0] * b[0] - a[1] * b[1]) % p, (a[0] * b[1] + a[1] * b[0]) % p


def _multiple(point: Point, n: int, p: int) -> Point:
    """Circle point of n times an angle."""
    if n < 0:
        point, n = (point[0], -point[1] % p), -n
    result = (1, 0)
    while n:
        if n & 1:
            result = _join(result, point, p)
        point = _join(point, point, p)
        n >>= 1
    return result


def _twelfth_of_pi(p: int) -> Point:
    """Cosine and sine of pi/12: (sqrt 6 + sqrt 2)/4 and (sqrt 6 - sqrt 2)/4."""
    two, three = square_root(2, p), square_root(3, p)
    assert two is not None, "2 is a square modulo p = 23 mod 24"
    assert three is not None, "3 is a square modulo p = 23 mod 24"
    quarter = inverse(4, p)
    return two * (three + 1) * quarter % p, two * (three - 1) * quarter % p
