"""From a friction law to function specifications: the law, its derivatives, its regressor.

A law is traced once for each function into an expression graph; all that is generated, proved or
shown comes from there. Arguments are scalars, so that vectors and batches of velocities broadcast
against vectors of parameters: v, the states (one vector x if there are several), the signals, the
parameters, and dt where a step is taken.
"""

# SymPy ships partial types: members of its expressions count as unknown.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from symdyn._errors import InputError
from symdyn.codegen.spec import Argument, FunctionSpec, Result
from symdyn.expr.derive import forward
from symdyn.expr.graph import Graph, GraphAlgebra, Node
from symdyn.friction.law import Domain, FrictionLaw, Quantity

if TYPE_CHECKING:
    from sympy import Expr

#: Names of arguments that no law declares.
VELOCITY, STATES, STEP = "v", "x", "dt"


@dataclass(frozen=True, slots=True)
class _Traced:
    """The symbols of a law in a graph of its own."""

    graph: Graph
    algebra: GraphAlgebra
    v: Node
    states: list[Node]
    signals: dict[str, Node]
    parameters: dict[str, Node]
    dt: Node

    def force(self, law: FrictionLaw) -> Node:
        return law.force(self.algebra, self.v, self.states, self.signals, self.parameters)

    def steady(self, law: FrictionLaw) -> Node:
        return law.steady(self.algebra, self.v, self.states, self.signals, self.parameters)

    def rate(self, law: FrictionLaw) -> list[Node]:
        assert law.rate is not None
        return law.rate(self.algebra, self.v, self.states, self.signals, self.parameters)

    def update(self, law: FrictionLaw) -> list[Node]:
        assert law.update is not None
        return law.update(self.algebra, self.v, self.states, self.signals, self.parameters, self.dt)

    def rest(self, law: FrictionLaw) -> list[Node]:
        assert law.at_rest is not None
        return list(law.at_rest(self.algebra, self.signals, self.parameters))

    def by(self, entries: Sequence[Node], wrt: Sequence[Node]) -> list[Node]:
        """Jacobian of the entries, row-major."""
        roots = [entry.id for entry in entries]
        columns = [forward(self.graph, roots, symbol.id) for symbol in wrt]
        rows = range(len(roots))
        return [Node(self.graph, column[row]) for row in rows for column in columns]


def _trace(law: FrictionLaw) -> _Traced:
    graph = Graph()
    return _Traced(
        graph,
        GraphAlgebra(graph),
        graph.symbol(VELOCITY),
        [graph.symbol(f"state.{q.name}") for q in law.states],
        {q.name: graph.symbol(f"signal.{q.name}") for q in law.signals},
        {q.name: graph.symbol(f"parameter.{q.name}") for q in law.parameters},
        graph.symbol(STEP),
    )


@dataclass(frozen=True, slots=True)
class _Recipe:
    """One function of a law: its entries, its shape, what it takes, when it exists."""

    build: Callable[[FrictionLaw, _Traced], list[Node]]
    shape: Callable[[FrictionLaw], tuple[int, ...]]
    doc: str
    arguments: str = "vxup"
    exists: Callable[[FrictionLaw], bool] = lambda law: True


def _states_shape(law: FrictionLaw) -> tuple[int, ...]:
    return () if len(law.states) == 1 else (len(law.states),)


def _parameters_shape(law: FrictionLaw) -> tuple[int, ...]:
    return (len(law.parameters),)


def _is_dynamic(law: FrictionLaw) -> bool:
    return bool(law.states)


def _columns(law: FrictionLaw, x: _Traced) -> list[Node]:
    return x.by([x.force(law)], [x.parameters[name] for name in law.linear])


def _offset(law: FrictionLaw, x: _Traced) -> list[Node]:
    """The force less its linear part: the force with the linear parameters put to zero."""
    zero = x.algebra.const(0)
    parameters = {k: zero if k in law.linear else node for k, node in x.parameters.items()}
    return [law.force(x.algebra, x.v, x.states, x.signals, parameters)]


def _has_offset(law: FrictionLaw) -> bool:
    if not law.linear:
        return False
    x = _trace(law)
    return _offset(law, x)[0].id != x.graph.zero


_RECIPES: dict[str, _Recipe] = {
    "force": _Recipe(
        lambda law, x: [x.force(law)], lambda law: (), "friction, on the left of the equation"
    ),
    "steady_force": _Recipe(
        lambda law, x: [x.steady(law)], lambda law: (), "friction in steady sliding", "vup"
    ),
    "state_rate": _Recipe(
        lambda law, x: x.rate(law), _states_shape, "time derivatives of the states",
        exists=_is_dynamic,
    ),
    "state_update": _Recipe(
        lambda law, x: x.update(law), _states_shape,
        "states after a step dt of constant velocity, bounded for any step", "vxupd", _is_dynamic,
    ),
    "rest_bounds": _Recipe(
        lambda law, x: x.rest(law), lambda law: (2,),
        "least and greatest friction at zero velocity", "up", lambda law: law.at_rest is not None,
    ),
    "regressor": _Recipe(
        _columns, lambda law: (len(law.linear),),
        "columns of the linear parameters: force = regressor . parameters + regressor_rest",
        exists=lambda law: bool(law.linear),
    ),
    "regressor_rest": _Recipe(
        _offset, lambda law: (), "what the regressor leaves of the force", exists=_has_offset
    ),
    "force_by_velocity": _Recipe(
        lambda law, x: x.by([x.force(law)], [x.v]), lambda law: (),
        "derivative of the force by v; at v = 0 that of the forward side",
    ),
    "force_by_states": _Recipe(
        lambda law, x: x.by([x.force(law)], x.states), _states_shape,
        "derivatives of the force by the states", exists=_is_dynamic,
    ),
    "force_by_parameters": _Recipe(
        lambda law, x: x.by([x.force(law)], list(x.parameters.values())), _parameters_shape,
        "derivatives of the force by the parameters, in their order",
    ),
    "steady_by_velocity": _Recipe(
        lambda law, x: x.by([x.steady(law)], [x.v]), lambda law: (),
        "derivative of the steady force by v; at v = 0 that of the forward side", "vup",
        _is_dynamic,
    ),
    "steady_by_parameters": _Recipe(
        lambda law, x: x.by([x.steady(law)], list(x.parameters.values())), _parameters_shape,
        "derivatives of the steady force by the parameters, in their order", "vup", _is_dynamic,
    ),
    "rate_by_velocity": _Recipe(
        lambda law, x: x.by(x.rate(law), [x.v]), _states_shape,
        "derivatives of the rates by v; at v = 0 those of the forward side", exists=_is_dynamic,
    ),
    "rate_by_states": _Recipe(
        lambda law, x: x.by(x.rate(law), x.states), lambda law: _states_shape(law) * 2,
        "derivatives of the rates (rows) by the states (columns)", exists=_is_dynamic,
    ),
    "rate_by_parameters": _Recipe(
        lambda law, x: x.by(x.rate(law), list(x.parameters.values())),
        lambda law: (*_states_shape(law), len(law.parameters)),
        "derivatives of the rates (rows) by the parameters (columns)", exists=_is_dynamic,
    ),
    "update_by_velocity": _Recipe(
        lambda law, x: x.by(x.update(law), [x.v]), _states_shape,
        "derivatives of the updated states by v; at v = 0 those of the forward side", "vxupd",
        _is_dynamic,
    ),
    "update_by_states": _Recipe(
        lambda law, x: x.by(x.update(law), x.states), lambda law: _states_shape(law) * 2,
        "derivatives of the updated states (rows) by the states (columns)", "vxupd", _is_dynamic,
    ),
    "update_by_parameters": _Recipe(
        lambda law, x: x.by(x.update(law), list(x.parameters.values())),
        lambda law: (*_states_shape(law), len(law.parameters)),
        "derivatives of the updated states (rows) by the parameters (columns)", "vxupd",
        _is_dynamic,
    ),
}  # fmt: skip

#: Names of all functions that a law may have, in the order in which they are printed.
FRICTION_FUNCTIONS: tuple[str, ...] = tuple(_RECIPES)


def functions_of(law: FrictionLaw) -> tuple[str, ...]:
    """Names of the functions that a law has."""
    return tuple(name for name, recipe in _RECIPES.items() if recipe.exists(law))


def law_specs(law: FrictionLaw, functions: Sequence[str] | None = None) -> dict[str, FunctionSpec]:
    """Specifications of a law's functions by name, in the order of `FRICTION_FUNCTIONS`.

    Parameters
    ----------
    law : of the catalogue or made by `friction.maxwell_slip` and the like
    functions : names out of `functions_of`; all of them if None

    Raises
    ------
    InputError : the law has no such function
    """
    known = functions_of(law)
    unknown = [name for name in functions or () if name not in known]
    if unknown:
        raise InputError(
            f"no function {unknown[0]!r}",
            where=f"friction law {law.name}",
            expected=" ".join(known),
        )
    return {name: _spec(law, name) for name in known if functions is None or name in functions}


def _spec(law: FrictionLaw, name: str) -> FunctionSpec:
    recipe, x = _RECIPES[name], _trace(law)
    entries = recipe.build(law, x)
    result = Result(
        "value", recipe.shape(law), tuple(e.id for e in entries), _unit(law, name), recipe.doc
    )
    doc = f"{recipe.doc}; {law.title}: {law.source}"
    return FunctionSpec(name, x.graph, tuple(_arguments(law, recipe.arguments, x)), result, doc)


def _arguments(law: FrictionLaw, wanted: str, x: _Traced) -> list[Argument]:
    out: list[Argument] = []
    if "v" in wanted:
        out.append(Argument(VELOCITY, (), (x.v.id,), "rad/s | m/s", "velocity"))
    if "x" in wanted and law.states:
        ids = tuple(node.id for node in x.states)
        if len(ids) == 1:
            out.append(_scalar(law.states[0], ids[0]))
        else:
            doc = "states: " + " ".join(q.name for q in law.states)
            out.append(Argument(STATES, (len(ids),), ids, law.states[0].unit, doc))
    if "u" in wanted:
        out += [_scalar(q, x.signals[q.name].id) for q in law.signals]
    if "p" in wanted:
        out += [_scalar(q, x.parameters[q.name].id, shared=True) for q in law.parameters]
    if "d" in wanted:
        out.append(Argument(STEP, (), (x.dt.id,), "s", "length of the step, >= 0", shared=True))
    return out


def _scalar(q: Quantity, symbol: int, shared: bool = False) -> Argument:
    domain = "" if q.domain is Domain.REAL else f", {q.domain.value}"
    return Argument(q.name, (), (symbol,), q.unit, q.doc + domain, shared)


def _unit(law: FrictionLaw, name: str) -> str:
    """Unit of a result that has one; derivatives are per unit of their argument."""
    match name:
        case "force" | "steady_force" | "rest_bounds" | "regressor_rest":
            return "N m | N"
        case "state_update":
            return law.states[0].unit
        case "state_rate":
            return f"{law.states[0].unit}/s"
        case _:
            return ""


# -- what users read ------------------------------------------------------------------------------


def sympy_view(law: FrictionLaw, *, forward_only: bool = True) -> dict[str, Expr]:
    """The law's formulas as SymPy expressions over real symbols of the names of its data.

    Parameters
    ----------
    forward_only : for v > 0, where the formulas are those of textbooks; else for every v, as three
        branches: forwards, backwards, at rest

    Returns
    -------
    dict : ``force``, ``steady_force``, and for each state z ``rate of z``
    """
    import sympy

    ahead = sympy.Symbol(VELOCITY, real=True, positive=True)
    moving = _formulas(law, ahead)
    if forward_only:
        return moving
    v = sympy.Symbol(VELOCITY, real=True)
    back, rest = _formulas(law, -ahead), _formulas(law, sympy.S.Zero)
    return {
        name: cast(
            "Expr",
            sympy.Piecewise(
                (formula.xreplace({ahead: v}), v > 0),
                (back[name].xreplace({ahead: -v}), v < 0),
                (rest[name], True),
            ),
        )
        for name, formula in moving.items()
    }


def _formulas(law: FrictionLaw, v: Expr) -> dict[str, Expr]:
    import sympy

    from symdyn.algebra.sympy_ import SYMPY

    def symbol(q: Quantity) -> Expr:
        return sympy.Symbol(
            q.name, real=True, positive=True if q.domain is Domain.POSITIVE else None
        )

    x = [symbol(q) for q in law.states]
    u = {q.name: symbol(q) for q in law.signals}
    p = {q.name: symbol(q) for q in law.parameters}
    found = {
        "force": law.force(SYMPY, v, x, u, p),
        "steady_force": law.steady(SYMPY, v, x, u, p),
    }
    if law.rate is not None:
        rates = law.rate(SYMPY, v, x, u, p)
        found |= {f"rate of {q.name}": e for q, e in zip(law.states, rates, strict=True)}
    return found
