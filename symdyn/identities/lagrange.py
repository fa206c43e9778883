"""The law that holds the recursions to Lagrange's equations in SymPy, for small robots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symdyn.expr.sympy_border import from_sympy
from symdyn.identities.functions import FORM_LIMIT, Functions, Law, Sides

if TYPE_CHECKING:
    from sympy import Basic, Expr

#: Robots up to so many bodies are also derived by Lagrange.
SMALL = 3


def _lagrange(f: Functions) -> Sides:
    from symdyn.lagrange.closed_form import closed_form
    from symdyn.lagrange.equations import euler_lagrange

    form = closed_form(f.robot, limit=FORM_LIMIT)
    x = form.coordinates
    torques = euler_lagrange(form.T, form.U, x.q, x.qd, x.qdd)
    nodes: dict[Basic, int] = {}
    for symbols, name in ((x.q, "q"), (x.qd, "qd"), (x.qdd, "qdd")):
        nodes.update(zip(symbols, f.vectors[name], strict=True))
    declared = [x.parameters[p.name] for p in f.robot.parameters if p.is_argument]
    nodes.update(zip(declared, f.vectors["parameters"], strict=True))
    nodes.update(
        (symbol, node)
        for symbol, node in zip(x.theta, f.vectors["theta"], strict=True)
        if symbol.is_Symbol
    )
    entries: list[Expr] = [*form.M.flat(), *form.C.flat(), *form.g.flat(), *torques.flat()]
    names = ("mass_matrix", "coriolis_matrix", "gravity_vector", "inverse_dynamics")
    recursive = [entry for name in names for entry in f.call(name)]
    return recursive, from_sympy(f.graph, entries, nodes)


LAGRANGE = Law(
    "lagrange",
    "M, C, g, inverse_dynamics = those of Lagrange's equations in SymPy",
    ("mass_matrix", "coriolis_matrix", "gravity_vector", "inverse_dynamics"),
    _lagrange,
)
