"""Equations of small robots as a textbook prints them, in LaTeX."""

# SymPy's own types are partial.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from symdyn._errors import UnsupportedError
from symdyn.expr.trig_form import FormTooBigError
from symdyn.lagrange.closed_form import (
    ClosedForm,
    MomentumForm,
    closed_form,
    in_letters,
    momentum_form,
)
from symdyn.mass_recipes import changes
from symdyn.model.robot import Robot
from symdyn.report.markdown import bullets

if TYPE_CHECKING:
    import sympy

#: A formula longer than this is not shown: it would fill the page and nobody would read it.
LONGEST_ENTRY = 1500
#: More bodies than this have no closed form that anybody reads.
MOST_BODIES = 3
#: Names up to this length are a letter and its subscript (lc1, Ixx); longer ones are words.
LONGEST_SUBSCRIPT = 3
#: Letters that LaTeX knows by name.
GREEK = re.compile(
    "alpha|beta|[gG]amma|[dD]elta|epsilon|zeta|eta|[tT]heta|iota|kappa|[lL]ambda|mu|nu|[xX]i|[pP]i"
    "|rho|[sS]igma|tau|[uU]psilon|[pP]hi|chi|[pP]si|[oO]mega"
)
#: Budget of term updates: about a second.
_LIMIT = 200_000


def closed_form_of(robot: Robot) -> ClosedForm | None:
    """The closed form of a robot that is small enough to have one worth reading, else None.

    Where the file declares parameters the form is in their letters, as the textbook's is; else in
    the ten inertial parameters of each body.
    """
    if robot.n_bodies > MOST_BODIES:
        return None
    try:
        return closed_form(in_letters(robot) if robot.parameters else robot, limit=_LIMIT)
    except (FormTooBigError, UnsupportedError):
        return None


def momentum_form_of(robot: Robot) -> MomentumForm | None:
    """What moving mass adds to the closed form of a small robot, else None."""
    if robot.n_bodies > MOST_BODIES or not changes(robot):
        return None
    try:
        return momentum_form(in_letters(robot) if robot.parameters else robot, limit=_LIMIT)
    except (FormTooBigError, UnsupportedError):
        return None


def closed_form_lines(form: ClosedForm) -> Iterable[str]:
    """Energies, M, C and g, entry by entry; what is too long is said to be."""
    n = form.M.rows
    yield "From the energies by Lagrange's equations, as sums of sines and cosines in normal form."
    entries = [("T", form.T), ("U", form.U)]
    entries += [
        (f"M_{{{i + 1}{j + 1}}}", _entry(form.M, i, j)) for i in range(n) for j in range(i, n)
    ]  # fmt: skip
    entries += [(f"C_{{{i + 1}{j + 1}}}", _entry(form.C, i, j)) for i in range(n) for j in range(n)]
    entries += [(f"g_{{{i + 1}}}", _entry(form.g, i, 0)) for i in range(n)]
    notes = ["$M$ is symmetric; the entries below its diagonal are left out."] if n > 1 else []
    yield from _entry_lines(entries, "TUMCg", notes)


def momentum_form_lines(form: MomentumForm) -> Iterable[str]:
    """J'Q Psi and H, entry by entry."""
    n = form.H.rows
    yield (
        "Of the mass that moves in the bodies, in its momenta: $p_{k,l}$ and $\\ell_{k,l}$ are "
        "entry $k$ of momentum and moment of momentum in body $l$, "
        "$P = J^\\top \\mathcal{Q}\\,\\Psi$. $J^\\top \\mathcal{Q}\\,\\dot\\Psi$ is $P$ with their "
        "rates in place of them; "
        "$M(q, \\dot\\Theta)$ is $M$ with $\\dot\\Theta$ in place of $\\Theta$."
    )
    entries = [(f"P_{{{i + 1}}}", _entry(form.carried, i, 0)) for i in range(n)]
    entries += [
        (f"H_{{{i + 1}{j + 1}}}", _entry(form.H, i, j)) for i in range(n) for j in range(i + 1, n)
    ]  # fmt: skip
    yield from _entry_lines(entries, "PH", ["$H$ is skew: $H^\\top = -H$."])


def _entry_lines(
    entries: Sequence[tuple[str, sympy.Expr]], letters: str, notes: Sequence[str]
) -> Iterable[str]:
    names = {symbol: _latex_name(symbol.name) for symbol in _symbols(e for _, e in entries)}
    shown, long = [], []
    for name, value in entries:
        text = _latex(value, names)
        (shown if len(text) <= LONGEST_ENTRY else long).append((name, text))
    for letter in letters:
        lines = [f"{name} &= {text}" for name, text in shown if name.startswith(letter)]
        if lines:
            joined = " \\\\\n".join(lines)
            yield f"```math\n\\begin{{aligned}}\n{joined}\n\\end{{aligned}}\n```"
    notes = list(notes)
    if long:
        notes.append(
            f"Too long to be read, left out: {', '.join(f'${name}$' for name, _ in long)}."
        )
    if notes:
        yield bullets(notes)


def _entry(matrix: sympy.Matrix, i: int, j: int) -> sympy.Expr:
    return cast("sympy.Expr", matrix[i, j])


def _symbols(entries: Iterable[sympy.Expr]) -> list[sympy.Symbol]:
    found: set[sympy.Symbol] = set()
    for entry in entries:
        found |= cast("set[sympy.Symbol]", entry.free_symbols)
    return sorted(found, key=lambda symbol: symbol.name)


def _latex(value: sympy.Expr, names: dict[sympy.Symbol, str]) -> str:
    import sympy

    return str(sympy.latex(value, symbol_names=names, fold_short_frac=False))


def _indexed(letter: str, index: str) -> str:
    return f"{letter}_{{{index}}}" if index else letter


def _latex_name(name: str) -> str:
    r"""``q1``, ``qd1``, ``I11_1``, ``lc1`` as q_1, \dot q_1, I_{11,1}, l_{c1}.

    Greek letters are letters; longer words stand upright and whole, anything else as text.
    """
    rate = re.fullmatch(r"(q|qd|qdd)(\d+)", name)
    if rate:
        letter = {"q": "q", "qd": r"\dot q", "qdd": r"\ddot q"}[rate[1]]
        return f"{letter}_{{{rate[2]}}}"
    inertial = re.fullmatch(r"(m|h|I|p|ell)(\d*)_(\d+)", name)
    if inertial:
        inside = f"{inertial[2]},{inertial[3]}" if inertial[2] else inertial[3]
        letter = inertial[1].replace("ell", r"\ell")
        return f"{letter}_{{{inside}}}"
    letters = re.fullmatch(r"([A-Za-z]+)_?(\d*)", name)
    if letters:
        word, index = letters[1], letters[2]
        if len(word) == 1 or GREEK.fullmatch(word):
            return _indexed(word if len(word) == 1 else f"\\{word}", index)
        if len(word) <= LONGEST_SUBSCRIPT:
            return f"{word[0]}_{{\\mathrm{{{word[1:]}}}{index}}}"
        return _indexed(f"\\mathrm{{{word}}}", index)
    escaped = re.sub(r"([#$%&_{}])", r"\\\1", name).replace("\\\\", "")
    return rf"\text{{{escaped}}}"
