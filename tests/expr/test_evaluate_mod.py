"""Evaluation in GF(p): identities hold for every point, differences show, the bound is honest."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest
import sympy

from symdyn.algebra.modular import (
    FreshValues,
    cube_root,
    inverse,
    random_prime,
    residue,
    square_root,
)
from symdyn.expr.angle_sums import AngleSum, angle_sums, common_denominator
from symdyn.expr.evaluate_mod import constants_under_roots, evaluate_mod
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.expr.mod_bound import failure_bound

Pair = tuple[Node, Node]
P = random_prime(Random(3))


class _Terms:
    """x, y, z, constants and functions of one graph, for short rows in the tables below."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.A = GraphAlgebra(self.graph)
        self.x, self.y, self.z = (self.graph.symbol(n) for n in "xyz")
        self.pi = self.graph.pi()

    def c(self, value: int | str) -> Node:
        return self.graph.constant(Fraction(value))

    def f(self, op: str, *args: Node) -> Node:
        return self.A.unary(op, *args) if len(args) == 1 else self.A.binary(op, *args)

    def sin(self, x: Node) -> Node:
        return self.A.sin(x)

    def cos(self, x: Node) -> Node:
        return self.A.cos(x)


IDENTITIES: dict[str, Callable[[_Terms], Pair]] = {
    "binomial": lambda t: (
        t.A.powi(t.x + t.y, 3),
        (t.x + t.y) * (t.x * t.x + t.c(2) * t.x * t.y + t.y * t.y),
    ),
    "partial fractions": lambda t: (
        t.c(1) / (t.x * t.x - t.y * t.y),
        (t.c(1) / (t.x - t.y) - t.c(1) / (t.x + t.y)) / (t.c(2) * t.y),
    ),
    "Pythagoras": lambda t: (t.sin(t.x) * t.sin(t.x) + t.cos(t.x) * t.cos(t.x), t.c(1)),
    "addition": lambda t: (t.sin(t.x - t.y), t.sin(t.x) * t.cos(t.y) - t.cos(t.x) * t.sin(t.y)),
    "half angle": lambda t: (t.cos(t.x), t.c(1) - t.c(2) * t.A.powi(t.sin(t.c("1/2") * t.x), 2)),
    "third of an angle": lambda t: (
        t.sin(t.x),
        t.c(3) * t.sin(t.c("1/3") * t.x) - t.c(4) * t.A.powi(t.sin(t.c("1/3") * t.x), 3),
    ),
    "quarter turn": lambda t: (t.sin(t.x + t.c("1/2") * t.pi), t.cos(t.x)),
    "45 degrees": lambda t: (t.sin(t.c("1/4") * t.pi), t.A.sqrt(t.c(2)) / t.c(2)),
    "30 degrees": lambda t: (t.cos(t.c("7/6") * t.pi), -t.A.sqrt(t.c(3)) / t.c(2)),
    "15 degrees": lambda t: (t.f("tan", t.c("1/12") * t.pi), t.c(2) - t.A.sqrt(t.c(3))),
    "tangent": lambda t: (t.f("tan", t.x) * t.cos(t.x), t.sin(t.x)),
    "square roots of constants": lambda t: (
        t.A.sqrt(t.c(2)) * t.A.sqrt(t.c("5/3")),
        t.A.sqrt(t.c("10/3")),
    ),
    "cube root": lambda t: (t.f("cbrt", t.x * t.x * t.x) * t.y, t.x * t.y),
    "large offsets": lambda t: (t.sin(t.x + t.c(100) * t.pi), t.sin(t.x)),
    "sum under a sine": lambda t: (
        t.sin(t.x + t.y + t.z),
        t.sin(t.x) * t.cos(t.y + t.z) + t.cos(t.x) * t.sin(t.z + t.y),
    ),
}

MODULO_FUNCTIONS: dict[str, Callable[[_Terms], Pair]] = {
    "tanh of equal arguments": lambda t: (
        t.f("tanh", (t.x + t.y) * t.z),
        t.f("tanh", t.x * t.z + t.y * t.z),
    ),
    "tanh is odd": lambda t: (t.f("tanh", t.x * (t.y - t.z)), -t.f("tanh", t.x * t.z - t.x * t.y)),
    "abs is even": lambda t: (t.f("abs", t.x * (t.y - t.z)), t.f("abs", t.x * t.z - t.x * t.y)),
    "min is symmetric": lambda t: (t.f("min", t.x * t.x, t.y), t.f("min", t.y, t.A.powi(t.x, 2))),
    "where is linear": lambda t: (
        t.A.where(t.x, t.y, t.z) * t.x + t.c(1),
        t.A.where(t.x, t.y * t.x + t.c(1), t.z * t.x + t.c(1)),
    ),
    "bare angle": lambda t: (t.x * t.sin(t.x) + t.y, t.y + t.sin(t.x) * t.x),
    "sine of a product": lambda t: (t.sin(t.x * t.y + t.x * t.z), t.sin(t.x * t.z + t.x * t.y)),
    "other fractions of pi": lambda t: (
        t.sin(t.c("1/7") * t.pi + t.x),
        t.sin(t.x + t.pi - t.c("6/7") * t.pi),
    ),
}

DIFFERENCES: dict[str, Callable[[_Terms], Pair]] = {
    "sign": lambda t: (t.sin(t.x + t.y), t.sin(t.x) * t.cos(t.y) - t.cos(t.x) * t.sin(t.y)),
    "coefficient": lambda t: (t.x * t.x * t.c("1/3"), t.x * t.x * t.c("0.333333333333")),
    "function": lambda t: (t.sin(t.x), t.cos(t.x)),
    "shift": lambda t: (t.sin(t.x + t.c("1/2") * t.pi), -t.cos(t.x)),
    "quotient": lambda t: (t.c(1) / (t.x + t.y), t.c(1) / t.x + t.c(1) / t.y),
    "root": lambda t: (t.A.sqrt(t.c(2)) + t.A.sqrt(t.c(3)), t.A.sqrt(t.c(5))),
}


def _values(make: Callable[[_Terms], Pair], seed: int) -> tuple[tuple[int, ...], bool]:
    t = _Terms()
    roots = [node.id for node in make(t)]
    p = random_prime(Random(seed), 61, constants_under_roots(t.graph, roots))
    found = evaluate_mod(t.graph, roots, p, seed)
    return found.values, found.exact


@pytest.mark.parametrize("name", IDENTITIES)
def test_identities_hold_at_every_point(name: str) -> None:
    for seed in range(5):
        (left, right), is_exact = _values(IDENTITIES[name], seed)
        assert left == right
        assert is_exact


@pytest.mark.parametrize("name", MODULO_FUNCTIONS)
def test_identities_hold_whatever_the_functions_are(name: str) -> None:
    for seed in range(5):
        (left, right), is_exact = _values(MODULO_FUNCTIONS[name], seed)
        assert left == right
        assert not is_exact


@pytest.mark.parametrize("name", DIFFERENCES)
def test_differences_show_and_refute(name: str) -> None:
    for seed in range(5):
        (left, right), is_exact = _values(DIFFERENCES[name], seed)
        assert left != right
        assert is_exact


def test_a_square_root_of_an_expression_has_its_sign_by_lot() -> None:
    outcomes = []
    for seed in range(40):
        (left, right), is_exact = _values(lambda t: (t.A.sqrt(t.x * t.x), t.x), seed)
        outcomes.append(left == right)
        assert not is_exact
    assert 8 < sum(outcomes) < 32
    t = _Terms()
    assert failure_bound(t.graph, [t.A.sqrt(t.x * t.x).id], [t.x.id], 61) >= Fraction(1, 2)
    (left, right), _ = _values(lambda t: (t.A.powi(t.A.sqrt(t.x * t.x), 2), t.x * t.x), 3)
    assert left == right


def test_a_vanishing_denominator_is_an_error_not_a_value() -> None:
    t = _Terms()
    zero = t.sin(t.x + t.y) - t.sin(t.y) * t.cos(t.x) - t.cos(t.y) * t.sin(t.x)
    with pytest.raises(ZeroDivisionError, match="another point"):
        evaluate_mod(t.graph, [(t.z / zero).id], P, 1)


def test_two_graphs_share_the_point() -> None:
    first, second = _Terms(), Graph()
    node = first.sin(first.x) / (first.y + first.pi)
    y, x = second.symbol("y"), second.symbol("x")
    other = GraphAlgebra(second).sin(x) / (second.pi() + y)
    assert (
        evaluate_mod(first.graph, [node.id], P, 9).values
        == evaluate_mod(second, [other.id], P, 9).values
    )
    given = evaluate_mod(first.graph, [first.x.id], P, 9, {first.x.id: 5})
    assert given.values == (5,)


# -- primes and residues --------------------------------------------------------------------------


@pytest.mark.parametrize("bits", [16, 61, 127])
def test_random_primes(bits: int) -> None:
    primes = {random_prime(Random(seed), bits) for seed in range(8)}
    assert len(primes) == 8
    for p in primes:
        assert sympy.isprime(p)
        assert p % 24 == 23
        assert p.bit_length() == bits
    assert random_prime(Random(1), bits) == random_prime(Random(1), bits)
    chosen = random_prime(Random(1), bits, (5, 7, 11))
    assert all(square_root(n, chosen) is not None for n in (2, 3, 5, 7, 11))


def test_many_conditions_hold_together() -> None:
    squares = (5, 7, 11, 13, 17, 19, 23, 29, 31)
    for seed in range(5):
        p = random_prime(Random(seed), 61, squares)
        assert all(square_root(n, p) is not None for n in squares)


def test_a_condition_that_no_prime_meets_is_dropped() -> None:
    assert square_root(-1, random_prime(Random(1), 61, (-1,))) is None


def test_roots_and_inverses() -> None:
    for n in range(1, 40):
        root = square_root(n * n, P)
        assert root in (n, P - n)
        assert cube_root(n**3, P) == n
        assert cube_root(-(n**3), P) == P - n
        assert inverse(n, P) * n % P == 1
    assert square_root(P - 4, P) is None
    assert residue(Fraction(-3, 7), P) * 7 % P == P - 3
    with pytest.raises(ZeroDivisionError):
        inverse(P, P)


def test_functions_keep_parity_and_symmetry() -> None:
    fresh = FreshValues(P, 4)
    x = residue(Fraction(5, 3), P)
    c, s = fresh.circle(x)
    assert (c * c + s * s) % P == 1
    assert fresh.circle(P - x) == (c, P - s)
    assert fresh.circle(0) == (1, 0)
    assert fresh.function("tanh", P - x) == P - fresh.function("tanh", x)
    assert fresh.function("tanh", x) != fresh.function("atan", x)
    assert fresh.function("max", x, 1) == fresh.function("max", 1, x)
    assert fresh.function("atan2", x, 1) != fresh.function("atan2", 1, x)
    assert fresh.select(x, 1, 1) == 1


def test_fresh_values_depend_on_seed_and_key_only() -> None:
    first, second = FreshValues(P, 1), FreshValues(P, 1)
    second.value("something", "before")
    assert first.value("q") == second.value("q")
    assert first.value("q") != FreshValues(P, 2).value("q")
    assert FreshValues(P, -1).value("q") != first.value("q")
    assert first.value("a", "b") != first.value("ab")
    large = FreshValues(random_prime(Random(1), 521), 1)
    assert large.value("q").bit_length() > 480


def test_the_sign_of_a_root_is_by_lot() -> None:
    roots = {FreshValues(P, seed).root(9) for seed in range(20)}
    assert roots == {(3, True), (P - 3, True)}
    value, is_root = FreshValues(P, 1).root(P - 9)
    assert not is_root
    assert (value, is_root) == FreshValues(P, 1).root(P - 9)


# -- angles ---------------------------------------------------------------------------------------


def test_angles_are_read_as_combinations() -> None:
    t = _Terms()
    angle = t.c(2) * (t.x - t.y * t.c("1/3")) - (t.pi * t.c("1/2") - t.x) + t.c("0.25")
    product = t.x * t.y
    roots = [t.sin(angle).id, t.cos(product + t.y).id, t.x.id]
    sums = angle_sums(t.graph, roots)
    quarter = t.c("0.25").id
    assert sums[angle.id].turns == Fraction(-1, 2)
    assert dict(sums[angle.id].atoms) == {t.x.id: 3, t.y.id: Fraction(-2, 3), quarter: 1}
    assert dict(sums[(product + t.y).id].atoms) == {product.id: 1, t.y.id: 1}
    assert common_denominator(sums) == 3
    assert len(sums) == 2


def test_cancelled_angles_vanish() -> None:
    t = _Terms()
    angle = (t.x + t.y) - (t.y + t.x * t.c("1/2")) - t.x * t.c("1/2")
    (total,) = angle_sums(t.graph, [t.sin(angle).id]).values()
    assert total == AngleSum(Fraction(0), ())


def test_odd_coefficients_become_atoms() -> None:
    t = _Terms()
    angle = t.c("1.0231234567") * t.x
    (total,) = angle_sums(t.graph, [t.sin(angle).id]).values()
    assert total.atoms == ((angle.id, Fraction(1)),)


# -- bound ----------------------------------------------------------------------------------------


def test_the_bound_covers_the_frequency_of_accidents() -> None:
    """A polynomial with 300 roots is zero at about 300 of p points."""
    t = _Terms()
    product = t.c(1)
    for k in range(300):
        product = product * (t.x - t.c(k))
    bits, trials = 15, 1500
    random = Random(8)
    hits = 0
    for _ in range(trials):
        p = random_prime(random, bits)
        found = evaluate_mod(t.graph, [product.id], p, random.getrandbits(60))
        hits += found.values[0] == 0
    bound = failure_bound(t.graph, [product.id], [t.graph.zero], bits)
    expected = trials * 300 / (1.5 * 2 ** (bits - 1))
    assert 0.5 * expected < hits < 1.6 * expected
    assert Fraction(hits, trials) < bound


@pytest.mark.parametrize("name", [*IDENTITIES, *MODULO_FUNCTIONS, *DIFFERENCES])
def test_bounds_of_short_expressions_are_tiny(name: str) -> None:
    t = _Terms()
    make = (IDENTITIES | MODULO_FUNCTIONS | DIFFERENCES)[name]
    left, right = make(t)
    bound = failure_bound(t.graph, [left.id], [right.id], 61)
    assert 0 < bound < Fraction(1, 10**13) or left == right
    assert failure_bound(t.graph, [left.id], [right.id], 127) < Fraction(1, 10**33)


def test_the_bound_counts_what_it_says() -> None:
    t = _Terms()
    bits = 61
    size = 1 << (bits - 1)

    def by_prime(height: int) -> Fraction:
        return Fraction(6 * bits * height, (bits - 1) * size)

    # degree 3 in one symbol; coefficients 1 and 1: height 1, one more for the parametrisation
    cubic = failure_bound(t.graph, [t.A.powi(t.x, 3).id], [t.y.id], bits)
    assert cubic == Fraction(3, size) + by_prime(1 + 3)
    # degree 1 in cosine and sine of one angle: degree 2 in its parameter, and the degree 1 itself
    sine = failure_bound(t.graph, [t.sin(t.x).id], [t.cos(t.x).id], bits)
    assert sine == Fraction(3, size) + by_prime(1 + 1 + 2)
    # r^3 = x: a norm of degree 3 in r turns degree 1 into 1 * (3 + 1), height 1 into 3 * 1 + 1 * 1
    cubed = failure_bound(t.graph, [t.f("cbrt", t.x).id], [t.y.id], bits)
    assert cubed == Fraction(4, size) + by_prime(3 + 1 + 4)
    # r^2 = 5: degree 1 becomes 2, height 1 becomes 2 * 1 + 1 * (3 + 1); half of the primes qualify
    root = failure_bound(t.graph, [t.A.sqrt(t.c(5)).id], [t.y.id], bits)
    assert root == Fraction(2, size) + 2 * by_prime(2 + 4 + 2)
    assert failure_bound(t.graph, [t.x.id], [t.x.id], bits) == 0
    assert failure_bound(t.graph, [], [], bits) == 0


def test_denominators_take_the_larger_power() -> None:
    t = _Terms()
    pivot = t.x + t.y
    one = t.c(1)
    # 1/p^3 - (1/p + z) = (1 - p^2 - z p^3)/p^3 has degree 4 and coefficients that sum to at most
    # 2^5; the chance counts twice, for points where p vanishes
    by_prime = Fraction(6 * 61 * (5 + 4), 60 << 60)
    for left, right in (
        (one / t.A.powi(pivot, 3), one / pivot + t.z),
        (one / pivot + t.z, one / t.A.powi(pivot, 3)),
    ):
        bound = failure_bound(t.graph, [left.id], [right.id], 61)
        assert bound == 2 * (Fraction(4, 1 << 60) + by_prime)


def test_shared_denominators_do_not_add_up() -> None:
    """Sums over one pivot, as in elimination: the degree stays linear in their number."""
    t = _Terms()
    pivot = t.x + t.y
    total = t.c(0)
    for k in range(1, 200):
        total = total + t.z * t.c(k) / pivot
    bound = failure_bound(t.graph, [total.id], [t.x.id], 61)
    assert bound < Fraction(400 * 61, 1 << 60)
