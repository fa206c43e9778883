"""The border to SymPy: expressions out, expressions in. Nothing is parsed, nothing is simplified.

Out, a shared graph becomes a tree in everything that SymPy's user will do with it, so the size of
that tree is counted first. In, a closed set of SymPy classes is read; whatever else occurs is named
in the error. Every quantity is real: a root of something that may be negative is refused, because
SymPy's power is complex there and the languages that code is printed in disagree.
"""

# SymPy ships partial types: members of its expressions count as unknown.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, cast

from symdyn._errors import InputError
from symdyn.algebra.sympy_ import SYMPY, SYMPY_NAMES
from symdyn.expr.evaluate import evaluate
from symdyn.expr.graph import Graph
from symdyn.expr.measure import tree_size

if TYPE_CHECKING:
    from sympy import Basic, Expr

# SymPy's own algorithms recurse over the tree, seven frames a level when it prints; deeper ones end
# in Python's recursion limit.
_DEPTH_LIMIT = 100
_FLATTENED = {
    "add": "Add", "sub": "Add", "neg": "Add", "mul": "Mul", "div": "Mul", "powi": "Mul",
}  # fmt: skip


def to_sympy(
    graph: Graph,
    roots: Sequence[int],
    *,
    limit: int = 100_000,
    symbols: Mapping[int, Expr] | None = None,
) -> list[Expr]:
    """The roots as SymPy expressions over real symbols.

    Parameters
    ----------
    graph, roots : what to write out
    limit : largest size of all roots together as trees, in nodes
    symbols : expression to use for some symbol nodes, by index; the others keep their names

    Returns
    -------
    list of len(roots) expressions

    Raises
    ------
    InputError : the tree is too large or too deep; the message names its size
    """
    size = tree_size(graph, roots)
    if size > limit:
        raise InputError(
            "the expression is too large for SymPy",
            where="to_sympy",
            expected=f"a tree of at most {limit} nodes",
            got=f"{_count(size)} nodes written out from {len(graph.reachable(roots))} shared ones",
            remedy="Keep it as a graph, convert a part of it, or raise the limit.",
        )
    levels = _levels(graph, roots)
    if levels > _DEPTH_LIMIT:
        raise InputError(
            "the expression is nested too deeply for SymPy",
            where="to_sympy",
            expected=f"at most {_DEPTH_LIMIT} levels",
            got=f"{levels} levels in a tree of {size} nodes",
            remedy="Keep it as a graph or convert a part of it.",
        )
    values: dict[int, Expr] = {}
    for i in graph.reachable(roots):
        if graph.ops[i] == "symbol":
            values[i] = SYMPY.symbol(str(graph.payload[i]))
    values.update(symbols or {})
    return evaluate(graph, roots, SYMPY, values)


def from_sympy(
    graph: Graph, expressions: Sequence[Expr], symbols: Mapping[Basic, int] | None = None
) -> list[int]:
    """SymPy expressions as nodes of ``graph``.

    Parameters
    ----------
    graph : is appended to
    expressions : what to read; they may share parts
    symbols : node to use for some expressions: symbols, functions of time such as ``q(t)``, their
        derivatives, or anything else. Without an entry, a symbol becomes the node of its name.

    Returns
    -------
    list of len(expressions) indices

    Raises
    ------
    InputError : a class that is not read, a complex or infinite number, a root or power whose base
        may be negative, two different symbols of one name

    Notes
    -----
    A ``Float`` is read as the shortest decimal fraction that rounds to it, so 0.1 is 1/10. Rational
    powers: p/2 is a power of ``sqrt`` (NaN for a negative base); p/3 is a power of ``cbrt`` if the
    base is known not to be negative; ``sign(x) Abs(x)**(1/3)``, which is what
    ``sympy.real_root(x, 3)`` gives for a real symbol, is ``cbrt(x)``.
    """
    return _Reader(graph, symbols or {}).read(expressions)


def _levels(graph: Graph, roots: Sequence[int]) -> int:
    """Depth as SymPy sees it: a chain of sums is one sum, a chain of products one product."""
    level: dict[int, int] = {}
    for i in graph.reachable(roots):
        kind = _FLATTENED.get(graph.ops[i])
        level[i] = max(
            (
                level[a] + (kind is None or kind != _FLATTENED.get(graph.ops[a]))
                for a in graph.args[i]
            ),
            default=0,
        )
    return max((level[root] for root in roots), default=0)


def _count(size: int) -> str:
    if size < 10**9:
        return str(size)
    return f"about 10^{int((size.bit_length() - 1) * 0.30103)}"


class _Reader:
    """One pass over SymPy expressions, arguments first, without recursion."""

    def __init__(self, graph: Graph, given: Mapping[Basic, int]) -> None:
        self.graph, self.given = graph, given
        # By identity: comparing deep SymPy expressions recurses. They stay alive through the roots.
        self.known: dict[int, int] = {}
        self.names: dict[str, Basic] = {}

    def read(self, expressions: Sequence[Expr]) -> list[int]:
        for root in expressions:
            stack: list[Basic] = [root]
            while stack:
                e = stack[-1]
                if id(e) in self.known:
                    stack.pop()
                    continue
                if self.given and e in self.given:
                    self.known[id(e)] = self.given[e]
                    continue
                missing = [a for a in _parts(e) if id(a) not in self.known]
                if missing:
                    stack.extend(reversed(missing))
                    continue
                stack.pop()
                self.known[id(e)] = self._node(e)
        return [self.known[id(root)] for root in expressions]

    def _node(self, e: Basic) -> int:
        import sympy
        from sympy.core.relational import Relational
        from sympy.logic.boolalg import Boolean

        graph = self.graph
        if isinstance(e, sympy.Symbol):
            return self._symbol(e)
        if isinstance(e, sympy.Rational | sympy.Float):
            return graph.const_id(_fraction(e))
        if e is sympy.pi:
            return graph.pi().id
        if e is sympy.E:
            return graph.unary("exp", graph.one)
        if isinstance(e, sympy.Add):
            total = self._of(e.args[0])
            for part in e.args[1:]:
                total = graph.add(total, self._of(part))
            return total
        if isinstance(e, sympy.Mul):
            return self._product(e)
        if isinstance(e, sympy.Pow):
            return self._power(e)
        if isinstance(e, sympy.Piecewise):
            return self._piecewise(e)
        if isinstance(e, Relational | Boolean):
            return self._condition(e)
        if isinstance(e, sympy.Heaviside):
            x, at_zero = (self._of(a) for a in e.args)
            below = graph.where(graph.binary("lt", x, graph.zero), graph.zero, at_zero)
            return graph.where(graph.binary("lt", graph.zero, x), graph.one, below)
        op = _operations().get(type(e))
        if op is None:
            raise _refused(e)
        args = [self._of(a) for a in e.args]
        if len(args) == 1:
            return args[0] if op in ("min", "max") else graph.unary(op, args[0])
        value = args[0]
        for other in args[1:]:
            value = graph.binary(op, value, other)
        return value

    def _of(self, e: Basic) -> int:
        return self.known[id(e)]

    def _symbol(self, e: Basic) -> int:
        name = str(e)
        first = self.names.setdefault(name, e)
        if first != e:
            raise InputError(
                f"two different symbols are called {name!r}; they differ in their assumptions",
                where="from_sympy",
                remedy="Declare it once, as sympy.Symbol(name, real=True).",
            )
        return self.graph.symbol(name).id

    def _product(self, e: Basic) -> int:
        graph = self.graph
        above, below = graph.one, graph.one
        factors = list(e.args)
        for sign, root in _real_cube_roots(factors):
            factors.remove(sign)
            factors.remove(root)
            cbrt = graph.unary("cbrt", self._of(sign.args[0]))
            above = graph.mul(above, graph.powi(cbrt, _fraction(root.args[1]).numerator))
        for factor in factors:
            exponent = _rational_exponent(factor)
            if exponent is not None and exponent < 0:
                base = factor.args[0]
                below = graph.mul(below, self._rational_power(base, self._of(base), -exponent))
            else:
                above = graph.mul(above, self._of(factor))
        return graph.div(above, below)

    def _power(self, e: Basic) -> int:
        import sympy

        base, exponent = e.args
        rational = _rational_exponent(e)
        if rational is not None:
            node = self._of(base)
            if rational < 0:
                inverse = self._rational_power(base, node, -rational)
                return self.graph.div(self.graph.one, inverse)
            return self._rational_power(base, node, rational)
        if base is sympy.E:
            return self.graph.unary("exp", self._of(exponent))
        if not cast("Expr", base).is_nonnegative:
            raise _root_refused(e)
        return self.graph.binary("pow", self._of(base), self._of(exponent))

    def _rational_power(self, base: Basic, node: int, exponent: Fraction) -> int:
        graph, p = self.graph, exponent.numerator
        if exponent.denominator == 1:
            return graph.powi(node, p)
        if exponent.denominator == 2:
            return graph.powi(graph.unary("sqrt", node), p)
        if not cast("Expr", base).is_nonnegative:
            raise _root_refused(base, exponent)
        if exponent.denominator == 3:
            return graph.powi(graph.unary("cbrt", node), p)
        return graph.binary("pow", node, graph.const_id(exponent))

    def _piecewise(self, e: Basic) -> int:
        import sympy

        graph = self.graph
        guarded = _guarded_power(e)
        if guarded is not None:
            return graph.binary("pow", *(self._of(a) for a in guarded))
        pairs = [pair.args for pair in e.args]
        value, last = pairs[-1]
        if last != sympy.true:
            raise InputError(
                f"{e} has no branch for every case",
                where="from_sympy",
                expected="a last branch with condition True",
                got=f"a last branch with condition {last}",
            )
        result = self._of(value)
        for value, condition in reversed(pairs[:-1]):
            # c != 0 is what the condition of a where means
            is_where = isinstance(condition, sympy.Ne) and condition.args[1] == 0
            chosen = condition.args[0] if is_where else condition
            result = graph.where(self._of(chosen), self._of(value), result)
        return result

    def _condition(self, e: Basic) -> int:
        import sympy

        graph = self.graph
        if e in (sympy.true, sympy.false):
            return graph.one if e == sympy.true else graph.zero
        args = [self._of(a) for a in e.args]
        match type(e).__name__:
            case "StrictLessThan":
                return graph.binary("lt", *args)
            case "LessThan":
                return graph.binary("le", *args)
            case "StrictGreaterThan":
                return graph.binary("lt", *reversed(args))
            case "GreaterThan":
                return graph.binary("le", *reversed(args))
            case "Equality":
                return graph.binary("eq", *args)
            case "Unequality":
                return graph.where(graph.binary("eq", *args), graph.zero, graph.one)
            case "Not":
                return graph.where(args[0], graph.zero, graph.one)
            case "And":
                result = graph.one
                for flag in args:
                    result = graph.where(flag, result, graph.zero)
                return result
            case "Or":
                result = graph.zero
                for flag in args:
                    result = graph.where(flag, graph.one, result)
                return result
            case "ITE":
                return graph.where(*args)
            case _:
                raise _refused(e)


def _parts(e: Basic) -> tuple[Basic, ...]:
    """What has to be read before ``e``: its arguments, but only the base of a rational power."""
    import sympy

    guarded = _guarded_power(e)
    if guarded is not None:
        return guarded
    if _rational_exponent(e) is not None:
        return (e.args[0],)
    if isinstance(e, sympy.Pow):
        return (e.args[1],) if e.args[0] is sympy.E else e.args
    if isinstance(e, sympy.Mul):
        cubes = [part for pair in _real_cube_roots(e.args) for part in pair]
        inside = [sign.args[0] for sign, _ in _real_cube_roots(e.args)]
        return (*inside, *(_needed(f) for f in e.args if f not in cubes))
    if isinstance(e, sympy.Piecewise):
        parts: list[Basic] = []
        for value, condition in (pair.args for pair in e.args):
            is_where = isinstance(condition, sympy.Ne) and condition.args[1] == 0
            parts += [value, condition.args[0] if is_where else condition]
        return tuple(parts)
    if e.args and not isinstance(e, _readable()):
        raise _refused(e)
    return e.args


def _needed(factor: Basic) -> Basic:
    exponent = _rational_exponent(factor)
    return factor.args[0] if exponent is not None and exponent < 0 else factor


def _rational_exponent(e: Basic) -> Fraction | None:
    import sympy

    if isinstance(e, sympy.Pow) and isinstance(e.args[1], sympy.Rational | sympy.Float):
        return _fraction(e.args[1])
    return None


def _real_cube_roots(factors: Sequence[Basic]) -> list[tuple[Basic, Basic]]:
    """Pairs sign(x), Abs(x)**(k/3) with odd k among the factors of a product."""
    import sympy

    found: list[tuple[Basic, Basic]] = []
    for sign in factors:
        if not isinstance(sign, sympy.sign):
            continue
        for root in factors:
            exponent = _rational_exponent(root)
            if exponent is None or exponent.denominator != 3 or exponent.numerator % 2 == 0:
                continue
            if root.args[0] == sympy.Abs(sign.args[0]):
                found.append((sign, root))
                break
    return found


def _guarded_power(e: Basic) -> tuple[Basic, ...] | None:
    """Base and exponent of Piecewise((x**y, x >= 0), (nan, True)), which is ``pow``."""
    import sympy

    if isinstance(e, sympy.Piecewise) and len(e.args) == 2:
        (value, condition), (other, _) = (pair.args for pair in e.args)
        if (
            other is sympy.nan
            and isinstance(value, sympy.Pow)
            and condition == sympy.Ge(value.args[0], 0)
        ):
            return value.args
    return None


def _fraction(e: Basic) -> Fraction:
    import sympy

    if isinstance(e, sympy.Float):
        exact = cast("sympy.Rational", sympy.Rational(e))
        nearest = float(e)
        if isfinite(nearest) and Fraction(nearest) == Fraction(exact.p, exact.q):
            return Fraction(repr(nearest))
        return Fraction(str(e))
    assert isinstance(e, sympy.Rational)
    return Fraction(e.p, e.q)


def _operations() -> dict[type, str]:
    import sympy

    return {
        getattr(sympy, name): op
        for op, name in SYMPY_NAMES.items()
        if op not in ("sqrt", "lt", "le", "eq")
    }


def _readable() -> tuple[type, ...]:
    import sympy
    from sympy.core.relational import Relational
    from sympy.logic.boolalg import Boolean

    return (sympy.Add, Relational, Boolean, sympy.Heaviside, *_operations())


def _refused(e: Basic) -> InputError:
    return InputError(
        f"{type(e).__name__} is not read",
        where="from_sympy",
        expected="real numbers, symbols, + - * /, powers, Piecewise with conditions, Heaviside, "
        + ", ".join(t.__name__ for t in _operations()),
        got=str(e)[:200],
        remedy="Rewrite it, or give it a node of its own in symbols.",
    )


def _root_refused(e: Basic, exponent: Fraction | None = None) -> InputError:
    text = str(e) if exponent is None else f"({e})**({exponent})"
    return InputError(
        f"{text} has a base that may be negative",
        where="from_sympy",
        expected="a base that is known not to be negative",
        remedy="Languages disagree on such a power. Write sympy.real_root(x, 3) for the real cube "
        "root of a symbol with real=True, or declare the base with positive=True or "
        "nonnegative=True.",
    )
