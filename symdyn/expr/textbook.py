"""Normal forms as expressions that a textbook prints: grouped, in SymPy.

A form is a flat sum of terms. Here it is grouped: first by the powers of chosen symbols (masses,
inertial parameters), then by everything that is no rate, so that ``-m2 l1 lc2 sin(q2)`` stands once
before ``(2 qd1 qd2 + qd2^2)``; common factors stand in front. No simplification is searched for:
the result depends on the form alone. Cost: linear in the number of terms, a few passes.
"""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING

from flint import fmpq

from symdyn.algebra.sympy_ import SYMPY
from symdyn.expr.trig_form import Angle, FormTerm, Generator, TrigAlgebra, TrigForm

if TYPE_CHECKING:
    import sympy

#: A factor of a term: ("power", generator), or ("sin" or "cos", combination).
_Factor = tuple[str, int | tuple[tuple[int, Fraction], ...]]


@dataclass(frozen=True, slots=True)
class _Product:
    coefficient: Fraction
    powers: dict[_Factor, int]


def to_sympy(
    forms: Sequence[TrigForm],
    *,
    collect: Collection[str] = (),
    rates: Collection[str] = (),
    symbols: Mapping[str, sympy.Symbol] | None = None,
) -> list[sympy.Expr]:
    """Forms over one algebra as grouped SymPy expressions.

    Parameters
    ----------
    forms : what to print
    collect : names of symbols to group by first (masses, inertial parameters)
    rates : names of symbols that stay together innermost (velocities, accelerations)
    symbols : the SymPy symbol of each name; by default the real symbol of that name

    Returns
    -------
    sums of products, one for each form
    """
    from sympy import Mul

    if not forms:
        return []
    algebra = forms[0].algebra
    writer = _Writer(algebra, symbols or {})
    outer, inner = writer.indices(collect), writer.indices(rates)
    levels: tuple[Callable[[_Factor], bool], ...] = (lambda f: f in outer,)
    if inner:
        levels = (*levels, lambda f: f not in outer and f not in inner)
    return [Mul(*_grouped([_product(t) for t in form.parts()], levels, writer)) for form in forms]


def _product(term: FormTerm) -> _Product:
    powers: dict[_Factor, int] = {("power", i): n for i, n in term.powers}
    if term.combination:
        powers["sin" if term.is_sine else "cos", term.combination] = 1
    return _Product(term.coefficient, powers)


def _grouped(
    products: list[_Product], levels: tuple[Callable[[_Factor], bool], ...], writer: _Writer
) -> list[sympy.Expr]:
    """Factors of the sum: common powers and the sum of groups; at most two levels deep."""
    from sympy import Add, Mul

    if len(products) < 2 or not levels:
        return _factored(products, writer)
    powers = _common_powers(products)
    groups: dict[tuple[tuple[_Factor, int], ...], list[_Product]] = {}
    for p in _without(products, powers):
        key = tuple((f, n) for f, n in p.powers.items() if levels[0](f))
        groups.setdefault(key, []).append(_without([p], dict(key))[0])
    # numbers are divided out of each group on its own: one of them would blow up the others.
    # All factors go into one product: SymPy would multiply a lone number into a sum.
    parts = [
        [*writer.factors(Fraction(1), dict(key)), *_grouped(group, levels[1:], writer)]
        for key, group in groups.items()
    ]
    inside = parts[0] if len(parts) == 1 else [Add(*(Mul(*factors) for factors in parts))]
    return [*writer.factors(Fraction(1), powers), *inside]


def _factored(products: list[_Product], writer: _Writer) -> list[sympy.Expr]:
    """Factors of a sum: common powers, rational content with the sign of most terms, rest."""
    from sympy import Add, Mul

    if not products:
        return [Add()]
    powers = _common_powers(products)
    number = Fraction(
        gcd(*(p.coefficient.numerator for p in products)),
        lcm(*(p.coefficient.denominator for p in products)),
    )
    if 2 * sum(p.coefficient < 0 for p in products) > len(products):
        number = -number
    rest = _without(products, powers)
    inside = Add(*(Mul(*writer.factors(p.coefficient / number, p.powers)) for p in rest))
    return [*writer.factors(number, powers), inside]


def _common_powers(products: list[_Product]) -> dict[_Factor, int]:
    shared = dict(products[0].powers)
    for p in products[1:]:
        shared = {f: min(n, p.powers[f]) for f, n in shared.items() if f in p.powers}
    return shared


def _without(products: list[_Product], powers: Mapping[_Factor, int]) -> list[_Product]:
    """The products divided by ``powers``."""
    return [
        _Product(
            p.coefficient,
            {f: n - powers.get(f, 0) for f, n in p.powers.items() if n != powers.get(f, 0)},
        )
        for p in products
    ]


class _Writer:
    """SymPy expressions of generators and angles, built in the order in which they came about."""

    def __init__(self, algebra: TrigAlgebra, symbols: Mapping[str, sympy.Symbol]) -> None:
        self._algebra = algebra
        self._generators: list[sympy.Expr] = []
        self._angles: list[sympy.Expr] = []
        for item in algebra.created:
            if isinstance(item, Angle):
                term = TrigForm(algebra, {item.harmonic: {item.monomial: fmpq(1)}}, 0, 0).parts()[0]
                self._angles.append(self._term(term))
            else:
                self._generators.append(self._generator(item, symbols))

    def indices(self, names: Collection[str]) -> set[_Factor]:
        """The factors that are symbols of these names."""
        return {
            ("power", i)
            for i, g in enumerate(self._algebra.generators)
            if g.kind == "symbol" and g.name in names
        }

    def _term(self, term: FormTerm) -> sympy.Expr:
        from sympy import Mul

        p = _product(term)
        return Mul(*self.factors(p.coefficient, p.powers))

    def factors(self, coefficient: Fraction, powers: Mapping[_Factor, int]) -> list[sympy.Expr]:
        """The number and the powers, each as an expression."""
        from sympy import Add, Mul, Pow, Rational, cos, sin

        out: list[sympy.Expr] = [Rational(coefficient.numerator, coefficient.denominator)]
        for (kind, what), power in powers.items():
            if isinstance(what, int):
                base = self._generators[what]
            else:
                angle = Add(
                    *(Mul(Rational(c.numerator, c.denominator), self._angles[i]) for i, c in what)
                )
                base = sin(angle) if kind == "sin" else cos(angle)
            out.append(Pow(base, power))
        return out

    def _generator(self, g: Generator, symbols: Mapping[str, sympy.Symbol]) -> sympy.Expr:
        import sympy

        match g.kind:
            case "symbol":
                return symbols.get(g.name) or SYMPY.symbol(g.name)
            case "pi":
                return sympy.pi
            case "root":
                return sympy.sqrt(g.radicand)
            case _:
                pass
        arguments = [sympy.Add(*map(self._term, a.parts())) for a in g.arguments]
        if g.name == "inverse":
            return sympy.Pow(arguments[0], -1)
        if g.name == "multiple":
            return arguments[0]
        if len(arguments) == 1:
            return SYMPY.unary(g.name, arguments[0])
        if len(arguments) == 2:
            return SYMPY.binary(g.name, arguments[0], arguments[1])
        return SYMPY.where(arguments[0], arguments[1], arguments[2])
