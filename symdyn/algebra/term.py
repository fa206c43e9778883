"""Exact numbers of a robot: rationals, pi, declared parameters and the operations between them.

A `Term` is what a robot file's number becomes: a decimal is read as that decimal fraction, the sine
of a constant angle stays the sine of that angle. Terms are themselves a number kind
(`TermAlgebra`), so rotations and lumped inertias of a robot are computed by the same functions as
everything else; `lift` carries them over into any other algebra. They form a directed acyclic graph
by sharing; `lift` visits each once and does not recurse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from symdyn.algebra.protocol import Algebra, S


class Term:
    """An exact expression; immutable, compared by identity, shared freely.

    Attributes
    ----------
    op : operation of `symdyn.algebra.ops.OPS`
    args : argument terms
    payload : Fraction of a ``const``, name of a ``symbol``, exponent of a ``powi``, else None
    """

    __slots__ = ("args", "op", "payload")

    def __init__(
        self, op: str, args: tuple[Term, ...] = (), payload: Fraction | str | int | None = None
    ) -> None:
        self.op, self.args, self.payload = op, args, payload

    @property
    def rational(self) -> Fraction | None:
        """The value if the term is a plain rational number, else None."""
        # by exact type: isinstance asks the abstract base classes of numbers, ten times slower
        return self.payload if type(self.payload) is Fraction else None

    def __add__(self, other: Term) -> Term:
        a, b = self.rational, other.rational
        if a is not None and b is not None:
            return number(a + b)
        if a == 0:
            return other
        if b == 0:
            return self
        return Term("add", (self, other))

    def __sub__(self, other: Term) -> Term:
        a, b = self.rational, other.rational
        if a is not None and b is not None:
            return number(a - b)
        if b == 0:
            return self
        if a == 0:
            return -other
        return Term("sub", (self, other))

    def __mul__(self, other: Term) -> Term:
        a, b = self.rational, other.rational
        if a is not None and b is not None:
            return number(a * b)
        if a == 0 or b == 0:
            return ZERO
        if a == 1:
            return other
        if b == 1:
            return self
        if a == -1:
            return -other
        if b == -1:
            return -self
        return Term("mul", (self, other))

    def __truediv__(self, other: Term) -> Term:
        a, b = self.rational, other.rational
        if b is not None:
            return self * number(1 / b)
        if a == 0:
            return ZERO
        return Term("div", (self, other))

    def __neg__(self) -> Term:
        a = self.rational
        if a is not None:
            return number(-a)
        return self.args[0] if self.op == "neg" else Term("neg", (self,))

    def __repr__(self) -> str:
        if self.payload is not None and not self.args:
            return f"Term({self.payload})"
        return f"Term({self.op}, …)"


def number(value: Fraction | int | str) -> Term:
    """The term of an exact rational; a decimal text such as ``"0.316"`` is read exactly."""
    return Term("const", (), value if type(value) is Fraction else Fraction(value))


def parameter(name: str) -> Term:
    """The term of a declared parameter."""
    return Term("symbol", (), name)


ZERO, ONE, PI = number(0), number(1), Term("pi")


def quarter_turns(angle: Term) -> int | None:
    """k if ``angle`` is exactly k*pi/2, else None."""
    if angle.rational == 0:
        return 0
    if angle.op == "neg":
        k = quarter_turns(angle.args[0])
        return None if k is None else (-k) % 4
    if angle.op == "pi":
        return 2
    if angle.op == "mul" and {angle.args[0].op, angle.args[1].op} == {"const", "pi"}:
        c = angle.args[0].rational if angle.args[0].op == "const" else angle.args[1].rational
        assert c is not None
        return int(2 * c) % 4 if (2 * c).denominator == 1 else None
    return None


class TermAlgebra:
    """The algebra of exact robot numbers; folds rationals and quarter turns, nothing else."""

    @property
    def name(self) -> str:
        return "term"

    def const(self, value: Fraction | int, /) -> Term:
        return number(value)

    def pi(self) -> Term:
        return PI

    def powi(self, x: Term, n: int, /) -> Term:
        value = x.rational
        if value is not None and (n >= 0 or value != 0):
            return number(value**n)
        return Term("powi", (x,), n)

    def unary(self, op: str, x: Term, /) -> Term:
        if op in ("sin", "cos"):
            k = quarter_turns(x)
            if k is not None:
                return number((0, 1, 0, -1)[(k + (op == "cos")) % 4])
        value = x.rational
        if value is not None:
            if op == "abs":
                return number(abs(value))
            if op == "sqrt" and value in (0, 1):
                return x
        return Term(op, (x,))

    def binary(self, op: str, x: Term, y: Term, /) -> Term:
        return Term(op, (x, y))

    def where(self, c: Term, a: Term, b: Term, /) -> Term:
        return Term("where", (c, a, b))

    def sin(self, x: Term, /) -> Term:
        return self.unary("sin", x)

    def cos(self, x: Term, /) -> Term:
        return self.unary("cos", x)

    def sqrt(self, x: Term, /) -> Term:
        return self.unary("sqrt", x)


TERMS = TermAlgebra()


def lift(
    terms: Iterable[Term],
    algebra: Algebra[S],
    parameters: Mapping[str, S] | None = None,
    known: dict[int, S] | None = None,
) -> list[S]:
    """Carry terms over into another algebra.

    Parameters
    ----------
    terms : what to carry over; shared parts are computed once
    algebra : where to
    parameters : value of each declared parameter, by name
    known : values found by earlier calls, by ``id`` of the term, and filled by this one; its owner
        keeps those terms alive

    Raises
    ------
    KeyError : a parameter has no value
    """
    known = {} if known is None else known
    values = parameters or {}
    roots = list(terms)
    for root in roots:
        stack = [root]
        while stack:
            term = stack[-1]
            if id(term) in known:
                stack.pop()
                continue
            missing = [a for a in term.args if id(a) not in known]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            known[id(term)] = _apply(term, [known[id(a)] for a in term.args], algebra, values)
    return [known[id(root)] for root in roots]


def _apply(term: Term, args: list[S], algebra: Algebra[S], parameters: Mapping[str, S]) -> S:
    match term.op:
        case "const":
            assert isinstance(term.payload, Fraction)
            return algebra.const(term.payload)
        case "pi":
            return algebra.pi()
        case "symbol":
            return parameters[str(term.payload)]
        case "neg":
            return -args[0]
        case "add":
            return args[0] + args[1]
        case "sub":
            return args[0] - args[1]
        case "mul":
            return args[0] * args[1]
        case "div":
            return args[0] / args[1]
        case "powi":
            assert isinstance(term.payload, int)
            return algebra.powi(args[0], term.payload)
        case "where":
            return algebra.where(args[0], args[1], args[2])
        case _:
            if len(args) == 1:
                return algebra.unary(term.op, args[0])
            return algebra.binary(term.op, args[0], args[1])


def symbols_of(terms: Iterable[Term]) -> list[str]:
    """Names of the declared parameters that the terms use, in order of first appearance."""
    seen: set[int] = set()
    names: dict[str, None] = {}
    stack = list(terms)[::-1]
    while stack:
        term = stack.pop()
        if id(term) in seen:
            continue
        seen.add(id(term))
        if term.op == "symbol":
            names[str(term.payload)] = None
        stack.extend(reversed(term.args))
    return list(names)
