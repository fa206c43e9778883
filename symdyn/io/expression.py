"""Closed grammar of the numbers in a robot file: text in, exact `Term` out.

    sum      = product { ("+" | "-") product }
    product  = signed { ("*" | "/") signed }
    signed   = { "+" | "-" } power
    power    = atom [ ("^" | "**") signed ]          right associative, binds tighter than the sign
    atom     = number | "pi" | parameter | function "(" sum { "," sum } ")" | "(" sum ")"

Decimals are read as decimal fractions, multiples of pi are kept as such. Nothing but this grammar
is ever looked at: no Python, no SymPy, no name that the caller did not declare. A declared
parameter may have any name that is one word (``lambda``, ``I``, ``E``, ``re``, ``θ_1``), except
``pi``; it hides a function of the same name only where no parenthesis follows.

The parser keeps its own stacks (operator precedence after Dijkstra 1961), so nesting costs no
recursion.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction

from symdyn._errors import InputError
from symdyn.algebra.ops import OPS
from symdyn.algebra.term import PI, TERMS, Term, number, parameter
from symdyn.io.expression_tokens import SourceText, Token, normal_name, tokens_of
from symdyn.model.axis import exact_root
from symdyn.model.names import listing

#: Functions of the grammar; names, meanings and arities are those of `symdyn.algebra.ops`.
FUNCTIONS: tuple[str, ...] = (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "cbrt", "exp", "log",
    "sinh", "cosh", "tanh", "abs", "sign", "min", "max",
)  # fmt: skip

MAX_LENGTH = 2000
MAX_NESTING = 100
#: Largest numerator or denominator of a folded constant, in bits: stops 9^9^9^9 before computing.
MAX_BITS = 16384
MAX_EXPONENT_DIGITS = 3


@dataclass(frozen=True, slots=True)
class _Pending:
    """An operator, a parenthesis or a call that waits for its right-hand side."""

    kind: str
    text: str
    column: int
    base: int = 0


#: How tightly an operator binds to its left-hand side.
_STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "sign": 3, "^": 4}


def parse_expression(
    text: str,
    names: Collection[str],
    where: str = "",
    *,
    meanings: Mapping[str, Term] | None = None,
) -> Term:
    """Read one expression of the closed grammar.

    Parameters
    ----------
    text : the expression, at most 2,000 characters, nested at most 100 deep
    names : declared parameters that it may mention
    where : file, table and key for the error message
    meanings : further names (as `normal_name` gives them), each with the term it stands for

    Returns
    -------
    Term : exact; rationals and rational multiples of pi are folded, nothing else

    Raises
    ------
    InputError : anything outside the grammar, an undeclared name, a division by zero, a function
        of a constant outside its domain, a power with a base that can be negative and an exponent
        that is no whole number; the message names the column

    Examples
    --------
    >>> parse_expression("0.1 + 1/4", ()).rational
    Fraction(7, 20)
    """
    source = SourceText(text, where)
    if len(text) > MAX_LENGTH:
        raise InputError(
            f"the expression has {len(text)} characters",
            where=where,
            expected=f"at most {MAX_LENGTH}",
            remedy="Split it with [parameters].",
        )
    known = {normal_name(name): parameter(name) for name in names}
    return _Parser(source, tokens_of(source), known, meanings or {}).run()


class _Parser:
    """Operator precedence over two stacks: finished values and pending operators."""

    def __init__(
        self,
        source: SourceText,
        tokens: list[Token],
        names: Mapping[str, Term],
        meanings: Mapping[str, Term],
    ) -> None:
        self.source, self.tokens = source, tokens
        self.names, self.meanings = names, meanings
        self.values: list[Term] = []
        self.pending: list[_Pending] = []
        self.depth = 0

    def run(self) -> Term:
        wants_value = True
        at = 0
        while True:
            token = self.tokens[at]
            if wants_value:
                wants_value = self._take_value(
                    token, self.tokens[min(at + 1, len(self.tokens) - 1)]
                )
                at += 2 if self._opens_call(at) else 1
            elif token.kind == "end":
                self._reduce(0)
                if self.pending:
                    raise self.source.error(
                        "the parenthesis is never closed",
                        self.pending[-1].column,
                        remedy="Close it with ')'.",
                    )
                return self.values[0]
            else:
                wants_value = self._take_operator(token)
                at += 1

    def _opens_call(self, at: int) -> bool:
        return self.tokens[at].kind == "name" and self.tokens[at + 1].kind == "open"

    def _take_value(self, token: Token, following: Token) -> bool:
        """Use a token where a value may start; True if one is still wanted afterwards."""
        if token.kind == "operator" and token.text in "+-":
            self.pending.append(_Pending("sign", token.text, token.column))
            return True
        if token.kind == "open":
            self._open(_Pending("open", "", token.column, len(self.values)))
            return True
        if token.kind == "number":
            self.values.append(self._number(token))
            return False
        if token.kind == "name":
            if following.kind == "open":
                self._open(_Pending("call", self._function(token), token.column, len(self.values)))
                return True
            self.values.append(self._name(token))
            return False
        what = "the expression ends too early" if token.kind == "end" else "a value is missing"
        if token.kind == "end" and len(self.tokens) == 1:
            what = "the expression is empty"
        raise self.source.error(
            what, token.column, expected="a number, a parameter, a function or '('"
        )

    def _take_operator(self, token: Token) -> bool:
        """Use a token where a value has just ended; True if a value is wanted afterwards."""
        if token.kind == "operator":
            strength = _STRENGTH[token.text]
            self._reduce(strength + 1 if token.text == "^" else strength)
            self.pending.append(_Pending("binary", token.text, token.column))
            return True
        if token.kind == "comma":
            self._reduce(0)
            if not self.pending or self.pending[-1].kind != "call":
                raise self.source.error(
                    "a comma stands outside of a function",
                    token.column,
                    remedy="The decimal sign is the point.",
                )
            return True
        if token.kind == "close":
            self._reduce(0)
            if not self.pending:
                raise self.source.error(
                    "the parenthesis was never opened", token.column, remedy="Delete it."
                )
            self._close(self.pending.pop())
            return False
        raise self.source.error(
            f"{token.text!r} follows a value directly",
            token.column,
            expected="an operator",
            remedy="Write * for products.",
        )

    def _open(self, pending: _Pending) -> None:
        self.pending.append(pending)
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.source.error(
                f"parentheses are nested more than {MAX_NESTING} deep",
                pending.column,
                remedy="Name a part of it under [parameters].",
            )

    def _close(self, opened: _Pending) -> None:
        self.depth -= 1
        if opened.kind == "open":
            return
        arguments = self.values[opened.base :]
        del self.values[opened.base :]
        arity = OPS[opened.text].arity
        if len(arguments) != arity:
            raise self.source.error(
                f"{opened.text} has {len(arguments)} argument{'s' * (len(arguments) != 1)}",
                opened.column,
                expected=str(arity),
            )
        self.values.append(self._call(opened, arguments))

    def _reduce(self, strength: int) -> None:
        """Apply the pending operators that bind at least as tightly as ``strength``."""
        while self.pending and self.pending[-1].kind in ("binary", "sign"):
            top = self.pending[-1]
            if _STRENGTH["sign" if top.kind == "sign" else top.text] < strength:
                return
            self.pending.pop()
            right = self.values.pop()
            if top.kind == "sign":
                self.values.append(_negated(right) if top.text == "-" else right)
            else:
                left = self.values.pop()
                self.values.append(self._guard(self._binary(top, left, right), top.column))

    def _number(self, token: Token) -> Term:
        mantissa, _, exponent = token.text.lower().partition("e")
        if len(exponent.lstrip("+-").lstrip("0")) > MAX_EXPONENT_DIGITS:
            raise self.source.error(
                f"the exponent of {token.text!r} is out of range",
                token.column,
                expected=f"at most {MAX_EXPONENT_DIGITS} digits",
            )
        value = Fraction(mantissa)
        if exponent:
            value *= Fraction(10) ** int(exponent)
        return number(value)

    def _name(self, token: Token) -> Term:
        found = self.names.get(token.text) or self.meanings.get(token.text)
        if found is not None:
            return found
        if token.text == "pi":
            return PI
        if token.text in FUNCTIONS:
            raise self.source.error(
                f"the function {token.text} has no arguments", token.column, expected="'('"
            )
        declared = sorted([*self.names, *self.meanings])
        raise self.source.error(
            f"{token.text!r} is not a declared parameter",
            token.column,
            expected=f"one of {', '.join((listing(declared), 'pi') if declared else ('pi',))}",
            remedy=_near(token.text, [*declared, "pi"]) or "Declare it under [parameters].",
        )

    def _function(self, token: Token) -> str:
        if token.text in FUNCTIONS:
            return token.text
        if token.text in self.names or token.text in self.meanings or token.text == "pi":
            raise self.source.error(
                f"'(' follows {token.text!r} directly", token.column, remedy="Write * for products."
            )
        raise self.source.error(
            f"{token.text!r} is not a function",
            token.column,
            expected=f"one of {', '.join(FUNCTIONS)}",
            remedy=_near(token.text, FUNCTIONS),
        )

    def _binary(self, operator: _Pending, left: Term, right: Term) -> Term:
        a, b = _pi_multiple(left), _pi_multiple(right)
        match operator.text:
            case "+":
                return _times_pi(a + b) if a is not None and b is not None else left + right
            case "-":
                return _times_pi(a - b) if a is not None and b is not None else left - right
            case "*":
                if a is not None and right.rational is not None:
                    return _times_pi(a * right.rational)
                if b is not None and left.rational is not None:
                    return _times_pi(b * left.rational)
                return left * right
            case "/":
                if right.rational == 0:
                    raise self.source.error("division by zero", operator.column)
                if a is not None and right.rational is not None:
                    return _times_pi(a / right.rational)
                return left / right
            case _:
                return self._power(operator, left, right)

    def _power(self, operator: _Pending, base: Term, exponent: Term) -> Term:
        n = exponent.rational
        if n is not None and n.denominator == 1:
            if base.rational == 0 and n < 0:
                raise self.source.error("division by zero", operator.column)
            if abs(n) > 1000 or _bits(base) * abs(n) > MAX_BITS:
                raise self.source.error(
                    f"the exponent {n} is too large",
                    operator.column,
                    expected=f"at most 1000, and a power of at most {MAX_BITS} bits",
                )
            if n in (0, 1):
                return number(1) if n == 0 else base
            return TERMS.powi(base, int(n))
        if not _is_nonnegative(base):
            raise self.source.error(
                "a power whose exponent is no whole number needs a base that cannot be negative",
                operator.column,
                remedy="Write cbrt(x) for the real cube root, sqrt(x) for the square root, or "
                "abs(x)^y.",
            )
        return TERMS.sqrt(base) if n == Fraction(1, 2) else TERMS.binary("pow", base, exponent)

    def _call(self, call: _Pending, arguments: list[Term]) -> Term:
        value = arguments[0].rational
        if len(arguments) == 1 and value is not None:
            outside = {
                "sqrt": value < 0,
                "log": value <= 0,
                "asin": abs(value) > 1,
                "acos": abs(value) > 1,
            }
            if outside.get(call.text, False):
                raise self.source.error(f"{call.text}({value}) is not a real number", call.column)
        folded = _folded(call.text, arguments)
        if folded is not None:
            return number(folded)
        if len(arguments) == 1:
            return TERMS.unary(call.text, arguments[0])
        return TERMS.binary(call.text, arguments[0], arguments[1])

    def _guard(self, term: Term, column: int) -> Term:
        if _bits(term) > MAX_BITS:
            raise self.source.error(
                "a constant has too many digits", column, expected=f"at most {MAX_BITS} bits"
            )
        return term


def _bits(term: Term) -> int:
    value = term.rational
    if value is None:
        return 0
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _pi_multiple(term: Term) -> Fraction | None:
    """c if the term is c*pi in the form that `_times_pi` gives (or zero), else None."""
    if term.op == "pi":
        return Fraction(1)
    if term.op == "neg":
        return Fraction(-1) if term.args[0].op == "pi" else None
    if term.op == "mul" and term.args[1].op == "pi":
        return term.args[0].rational
    return term.rational if term.rational == 0 else None


def _times_pi(c: Fraction) -> Term:
    return number(c) * PI


def _folded(function: str, arguments: list[Term]) -> Fraction | None:
    """The value of a function of rationals where it is rational for sure."""
    values = [argument.rational for argument in arguments]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    x = known[0]
    match function:
        case "min" | "max":
            return min(known) if function == "min" else max(known)
        case "sign":
            return Fraction((x > 0) - (x < 0))
        case "sqrt":
            return exact_root(x)
        case "tan" | "asin" | "atan" | "sinh" | "tanh" | "cbrt":
            return x if x == 0 else None
        case _:
            return None


def _negated(term: Term) -> Term:
    c = _pi_multiple(term)
    return -term if c is None else _times_pi(-c)


def _is_nonnegative(term: Term) -> bool:
    """Whether the term plainly cannot be negative, whatever its parameters are."""
    answer: dict[int, bool] = {}
    stack = [term]
    while stack:
        top = stack[-1]
        missing = [a for a in top.args if id(a) not in answer]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        below = [answer[id(a)] for a in top.args]
        match top.op:
            case "const":
                answer[id(top)] = top.rational is not None and top.rational >= 0
            case "pi" | "abs" | "sqrt" | "exp" | "cosh" | "pow" | "acos":
                answer[id(top)] = True
            case "powi":
                assert isinstance(top.payload, int)
                answer[id(top)] = top.payload % 2 == 0 or all(below)
            case "mul":
                answer[id(top)] = all(below) or top.args[0] is top.args[1]
            case "add" | "div" | "min" | "cbrt" | "sinh" | "tanh" | "atan":
                answer[id(top)] = all(below)
            case "max":
                answer[id(top)] = any(below)
            case _:
                answer[id(top)] = False
    return answer[id(term)]


def _near(name: str, known: Collection[str]) -> str:
    close = get_close_matches(name, sorted(known), n=1)
    return f"Did you mean {close[0]!r}?" if close else ""
