"""The expression graph: hash-consed, append-only, children before parents.

A node is an index into parallel lists. The arguments of a node always have smaller indices, so
every pass over a graph is a plain loop: no recursion, no visitor, no recursion limit. Writing an
expression is binding its parts, so nothing has to be searched for common sub-expressions
afterwards.

Canonical form at construction is small and fixed: exact constants are folded, 0 and +-1 are
absorbed, operands of commutative operations are ordered, signs are pulled outwards (``a*(-b) ->
-(a*b)``, ``a + (-b) -> a - b``, and ``b - a`` is ``-(a - b)`` once ``a - b`` exists). There is no
distribution and no trigonometry. Constants are exact fractions; floats appear when code is printed.

Folding assumes what a symbol stands for: arguments are finite, and an expression that is divided by
is not identically zero. So ``x - x`` and ``0*x`` are 0, ``x/x`` is 1 and ``0/x`` is 0, also where
the unfolded expression would be NaN at an isolated point (x = 0). A quotient that is to have a
value of its own there is written with ``where``. Dividing by the exact constant 0 is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symdyn.algebra.exact_roots import rational_root
from symdyn.algebra.ops import BINARY_FUNCTIONS, OPS, UNARY_FUNCTIONS

_ZERO, _ONE, _TWO, _QUARTER = Fraction(0), Fraction(1), Fraction(2), Fraction(1, 4)
_COMMUTATIVE = frozenset(("min", "max", "eq"))
_TRUTH = frozenset(("lt", "le", "eq"))
_ODD = frozenset(("sin", "tan", "asin", "atan", "sinh", "tanh", "cbrt", "sign"))
_EVEN = frozenset(("cos", "cosh", "abs"))
_AT_ZERO = {
    "sin": 0, "tan": 0, "asin": 0, "atan": 0, "sinh": 0, "tanh": 0, "cbrt": 0, "sign": 0, "abs": 0,
    "sqrt": 0, "cos": 1, "cosh": 1, "exp": 1,
}  # fmt: skip


class Node:
    """One expression: a graph and an index into it. Supports ``+ - * /`` and unary minus."""

    __slots__ = ("graph", "id")

    def __init__(self, graph: Graph, id: int) -> None:
        self.graph = graph
        self.id = id

    def __add__(self, other: Node) -> Node:
        if other.graph is not self.graph:
            raise _mixed()
        return Node(self.graph, self.graph.add(self.id, other.id))

    def __sub__(self, other: Node) -> Node:
        if other.graph is not self.graph:
            raise _mixed()
        return Node(self.graph, self.graph.sub(self.id, other.id))

    def __mul__(self, other: Node) -> Node:
        if other.graph is not self.graph:
            raise _mixed()
        return Node(self.graph, self.graph.mul(self.id, other.id))

    def __truediv__(self, other: Node) -> Node:
        if other.graph is not self.graph:
            raise _mixed()
        return Node(self.graph, self.graph.div(self.id, other.id))

    def __neg__(self) -> Node:
        return Node(self.graph, self.graph.neg(self.id))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and other.graph is self.graph and other.id == self.id

    def __hash__(self) -> int:
        return self.id

    def __bool__(self) -> bool:
        raise TypeError(
            "a graph node has no truth value: its number is not known yet. "
            "Use the algebra's where(condition, a, b) in place of if."
        )

    def __repr__(self) -> str:
        return f"Node({self.id}: {self.graph.describe(self.id)})"


def _mixed() -> ValueError:
    return ValueError("nodes of two graphs in one operation; copy one with expr.copy.copy_into")


class Graph:
    """The arena. Read ``ops``, ``args`` and ``payload`` freely; append through the methods only.

    Attributes
    ----------
    ops : operation name of each node, as in `symdyn.algebra.ops.OPS`
    args : tuple of argument indices of each node
    payload : Fraction of a ``const``, name of a ``symbol``, exponent of a ``powi``, else None
    """

    def __init__(self) -> None:
        self.ops: list[str] = []
        self.args: list[tuple[int, ...]] = []
        self.payload: list[Fraction | str | int | None] = []
        self._index: dict[tuple[object, ...], int] = {}
        self.labels: dict[int, str] = {}
        self._diagonal: int | None = None
        self.zero = self.const_id(_ZERO)
        self.one = self.const_id(_ONE)
        self.minus_one = self.const_id(-_ONE)

    def __len__(self) -> int:
        return len(self.ops)

    # -- leaves ---------------------------------------------------------------------------------

    def _intern(
        self, op: str, args: tuple[int, ...], payload: Fraction | str | int | None = None
    ) -> int:
        key = (op, args) if payload is None else (op, args, payload)
        found = self._index.get(key)
        if found is not None:
            return found
        new = len(self.ops)
        self.ops.append(op)
        self.args.append(args)
        self.payload.append(payload)
        self._index[key] = new
        return new

    def const_id(self, value: Fraction | int) -> int:
        """Index of the exact constant ``value``."""
        return self._intern("const", (), Fraction(value))

    def constant(self, value: Fraction | int) -> Node:
        """The exact constant ``value``."""
        return Node(self, self.const_id(value))

    def symbol(self, name: str) -> Node:
        """The symbol called ``name``; the same name gives the same node."""
        return Node(self, self._intern("symbol", (), name))

    def pi(self) -> Node:
        """The circle constant."""
        return Node(self, self._intern("pi", ()))

    def label(self, node: Node, text: str) -> Node:
        """Attach a meaning that printers may show beside ``node``; returns ``node``."""
        self.labels.setdefault(node.id, text)
        return node

    # -- arithmetic -----------------------------------------------------------------------------

    def neg(self, a: int) -> int:
        op = self.ops[a]
        if op == "neg":
            return self.args[a][0]
        if op == "const":
            return self.const_id(-self.const_value(a))
        return self._intern("neg", (a,))

    def add(self, a: int, b: int) -> int:
        zero = self.zero
        if a == zero:
            return b
        if b == zero:
            return a
        ops = self.ops
        oa, ob = ops[a], ops[b]
        if oa == "neg":
            if ob == "neg":
                return self.neg(self.add(self.args[a][0], self.args[b][0]))
            return self.sub(b, self.args[a][0])
        if ob == "neg":
            return self.sub(a, self.args[b][0])
        if oa == "const":
            value = self.const_value(a)
            if ob == "const":
                return self.const_id(value + self.const_value(b))
            if value < 0:
                return self.sub(b, self.const_id(-value))
        elif ob == "const":
            value = self.const_value(b)
            if value < 0:
                return self.sub(a, self.const_id(-value))
        if a == b:
            return self.mul(self.const_id(_TWO), a)
        return self._intern("add", (a, b) if a < b else (b, a))

    def sub(self, a: int, b: int) -> int:
        if a == b:
            return self.zero
        if b == self.zero:
            return a
        if a == self.zero:
            return self.neg(b)
        ops = self.ops
        oa, ob = ops[a], ops[b]
        if ob == "neg":
            return self.add(a, self.args[b][0])
        if oa == "neg":
            return self.neg(self.add(self.args[a][0], b))
        if ob == "const":
            value = self.const_value(b)
            if oa == "const":
                return self.const_id(self.const_value(a) - value)
            if value < 0:
                return self.add(a, self.const_id(-value))
        mirrored = self._index.get(("sub", (b, a)))
        if mirrored is not None:
            return self.neg(mirrored)
        return self._intern("sub", (a, b))

    def mul(self, a: int, b: int) -> int:
        zero, one = self.zero, self.one
        if a == zero or b == zero:
            return zero
        if a == one:
            return b
        if b == one:
            return a
        ops = self.ops
        oa, ob = ops[a], ops[b]
        if oa == "const" and ob == "const":
            return self.const_id(self.const_value(a) * self.const_value(b))
        negative = False
        if oa == "neg":
            negative, a = True, self.args[a][0]
        if ob == "neg":
            negative, b = not negative, self.args[b][0]
        if b < a:
            a, b = b, a
        oa, ob = ops[a], ops[b]
        if oa == "const" or ob == "const":
            if ob == "const":
                a, b, ob = b, a, oa
            value = self.const_value(a)
            if value < 0:
                negative, value = not negative, -value
            if ob == "mul" and ops[self.args[b][0]] == "const":
                inner, b = self.args[b]
                value = value * self.const_value(inner)
            # the constant stands first, whatever its index
            found = b if value == 1 else self._intern("mul", (self.const_id(value), b))
        elif a == self._diagonal or b == self._diagonal:
            found = self._times_diagonal(b if a == self._diagonal else a)
        else:
            found = self._intern("mul", (a, b))
        return self.neg(found) if negative else found

    def _times_diagonal(self, x: int) -> int:
        """cos(pi/4) x, where a second cos(pi/4) in x makes the two of them 1/2."""
        assert self._diagonal is not None
        half = self.const_id(Fraction(1, 2))
        if x == self._diagonal:
            return half
        if self.ops[x] == "mul" and self._diagonal in self.args[x]:
            a, b = self.args[x]
            return self.mul(half, b if a == self._diagonal else a)
        first, second = sorted((self._diagonal, x))
        return self._intern("mul", (first, second))

    def div(self, a: int, b: int) -> int:
        """Quotient; ``0/x`` and ``x/x`` fold on the assumption that x is not zero."""
        if b == self.one or (a == self.zero and b != self.zero):
            return a
        ops = self.ops
        if ops[b] == "const":
            value = self.const_value(b)
            if value == 0:
                raise ZeroDivisionError("division by an exact zero while building an expression")
            return self.mul(self.const_id(1 / value), a)
        if ops[a] == "neg":
            return self.neg(self.div(self.args[a][0], b))
        if ops[b] == "neg":
            return self.neg(self.div(a, self.args[b][0]))
        if a == b:
            return self.one
        return self._intern("div", (a, b))

    def powi(self, a: int, n: int) -> int:
        """Whole power; 2 becomes a product, negative ones a quotient, others stay until printed."""
        if n == 0:
            return self.one
        if n == 1:
            return a
        if n == 2:
            return self.mul(a, a)
        if n < 0:
            return self.div(self.one, self.powi(a, -n))
        if self.ops[a] == "const":
            return self.const_id(self.const_value(a) ** n)
        if self.ops[a] == "neg":
            inner = self.powi(self.args[a][0], n)
            return self.neg(inner) if n % 2 else inner
        return self._intern("powi", (a,), n)

    # -- functions ------------------------------------------------------------------------------

    def unary(self, op: str, a: int) -> int:
        """One-argument function ``op`` of the table; parity and the value at 0 are used."""
        if op not in UNARY_FUNCTIONS:
            raise KeyError(f"no one-argument function {op!r} in the table of operations")
        if a == self.zero and op in _AT_ZERO:
            return self.const_id(_AT_ZERO[op])
        if self.ops[a] == "const":
            value = self.const_value(a)
            if op == "abs":
                return self.const_id(abs(value))
            if op == "sign":
                return self.const_id((value > 0) - (value < 0))
            if value < 0 and op in _ODD:
                return self.neg(self.unary(op, self.const_id(-value)))
            if value < 0 and op in _EVEN:
                return self.unary(op, self.const_id(-value))
            if op in ("sqrt", "cbrt") and value > 0:
                root = rational_root(value, 2 if op == "sqrt" else 3)
                if root is not None:
                    return self.const_id(root)
            if value == 1 and op in ("log", "acos"):
                return self.zero
        if self.ops[a] == "neg":
            # The argument of a neg is neither a neg nor a constant: this recursion is one deep.
            if op in _ODD:
                return self.neg(self.unary(op, self.args[a][0]))
            if op in _EVEN:
                return self.unary(op, self.args[a][0])
        if op in ("sin", "cos"):
            turns = self._quarter_turns(a)
            if turns is not None:
                return self.const_id((0, 1, 0, -1)[(turns + (op == "cos")) % 4])
            eighth = self._odd_eighth(a)
            if eighth is not None:
                # frames turned by 45 degrees: all diagonals of the circle are +- one number
                self._diagonal = self._intern(
                    "cos", (self.mul(self.const_id(_QUARTER), self.pi().id),)
                )
                negative = eighth in ((3, 5) if op == "cos" else (5, 7))
                return self.neg(self._diagonal) if negative else self._diagonal
        return self._intern(op, (a,))

    def _quarter_turns(self, a: int) -> int | None:
        """k if the node is the exact angle k*pi/2, else None."""
        if self.ops[a] == "pi":
            return 2
        if self.ops[a] == "mul":
            c, x = self.args[a]
            if self.ops[x] == "pi" and self.ops[c] == "const":
                twice = self.const_value(c) * 2
                if twice.denominator == 1:
                    return int(twice) % 4
        return None

    def _odd_eighth(self, a: int) -> int | None:
        """k of 1, 3, 5, 7 if the node is the exact angle k*pi/4 up to whole turns, else None."""
        if self.ops[a] == "mul":
            c, x = self.args[a]
            if self.ops[x] == "pi" and self.ops[c] == "const":
                four = 4 * self.const_value(c)
                if four.denominator == 1 and four.numerator % 2:
                    return four.numerator % 8
        return None

    def binary(self, op: str, a: int, b: int) -> int:
        """Two-argument function or comparison ``op`` of the table."""
        if op not in BINARY_FUNCTIONS:
            raise KeyError(f"no two-argument function {op!r} in the table of operations")
        if self.ops[a] == "const" and self.ops[b] == "const":
            x = self.const_value(a)
            y = self.const_value(b)
            if op in ("lt", "le", "eq"):
                return self.const_id(int({"lt": x < y, "le": x <= y, "eq": x == y}[op]))
            if op in ("min", "max"):
                return self.const_id(min(x, y) if op == "min" else max(x, y))
        if op in ("min", "max") and a == b:
            return a
        if op in _COMMUTATIVE and b < a:
            a, b = b, a
        return self._intern(op, (a, b))

    def where(self, c: int, a: int, b: int) -> int:
        """``a`` if ``c != 0`` else ``b``."""
        if a == b:
            return a
        if self.ops[c] == "const":
            return a if self.payload[c] != 0 else b
        if a == self.one and b == self.zero and self.ops[c] in _TRUTH:
            return c
        return self._intern("where", (c, a, b))

    # -- reading --------------------------------------------------------------------------------

    def is_const(self, a: int) -> bool:
        return self.ops[a] == "const"

    def const_value(self, a: int) -> Fraction:
        """The exact value of a ``const`` node."""
        value = self.payload[a]
        assert isinstance(value, Fraction), "const_value of a node that is no constant"
        return value

    def describe(self, a: int) -> str:
        """One node in words, its arguments as indices."""
        payload = self.payload[a]
        inside = ", ".join(f"%{i}" for i in self.args[a])
        if payload is not None:
            inside = f"{inside}, {payload}" if inside else str(payload)
        return f"{self.ops[a]}({inside})" if inside else self.ops[a]

    def reachable(self, roots: Sequence[int]) -> list[int]:
        """Indices of all nodes that the roots need, ascending (so children come first)."""
        if not roots:
            return []
        needed = bytearray(max(roots) + 1)
        for root in roots:
            needed[root] = 1
        args = self.args
        for i in range(len(needed) - 1, -1, -1):
            if needed[i]:
                for j in args[i]:
                    needed[j] = 1
        return [i for i in range(len(needed)) if needed[i]]

    def rebuild(self, op: str, args: tuple[int, ...], payload: Fraction | str | int | None) -> int:
        """Construct a node of operation ``op`` through the canonical constructors."""
        match op:
            case "const" | "symbol" | "pi":
                return self._intern(op, (), payload)
            case "neg":
                return self.neg(*args)
            case "add":
                return self.add(*args)
            case "sub":
                return self.sub(*args)
            case "mul":
                return self.mul(*args)
            case "div":
                return self.div(*args)
            case "powi":
                assert isinstance(payload, int)
                return self.powi(args[0], payload)
            case "where":
                return self.where(*args)
            case _:
                if OPS[op].arity == 1:
                    return self.unary(op, *args)
                return self.binary(op, *args)


class GraphAlgebra:
    """The algebra whose scalars are nodes of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @property
    def name(self) -> str:
        return "graph"

    def _own(self, x: Node) -> int:
        if x.graph is not self.graph:
            raise _mixed()
        return x.id

    def const(self, value: Fraction | int, /) -> Node:
        return self.graph.constant(value)

    def pi(self) -> Node:
        return self.graph.pi()

    def powi(self, x: Node, n: int, /) -> Node:
        return Node(self.graph, self.graph.powi(self._own(x), n))

    def unary(self, op: str, x: Node, /) -> Node:
        return Node(self.graph, self.graph.unary(op, self._own(x)))

    def binary(self, op: str, x: Node, y: Node, /) -> Node:
        return Node(self.graph, self.graph.binary(op, self._own(x), self._own(y)))

    def where(self, c: Node, a: Node, b: Node, /) -> Node:
        return Node(self.graph, self.graph.where(self._own(c), self._own(a), self._own(b)))

    def sin(self, x: Node, /) -> Node:
        return Node(self.graph, self.graph.unary("sin", self._own(x)))

    def cos(self, x: Node, /) -> Node:
        return Node(self.graph, self.graph.unary("cos", self._own(x)))

    def sqrt(self, x: Node, /) -> Node:
        return Node(self.graph, self.graph.unary("sqrt", self._own(x)))
