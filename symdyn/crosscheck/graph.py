"""The derived graph evaluated in doubles, and the running error of that evaluation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symdyn.algebra.float64 import ARRAYS, Array
from symdyn.codegen.spec import FunctionSpec
from symdyn.crosscheck.road import Answer, Road, Setting
from symdyn.crosscheck.running_error import RUNNING_ERROR
from symdyn.crosscheck.states import CheckState
from symdyn.expr.evaluate import evaluate


def open_float_graph(setting: Setting) -> Road:
    """Every graph in doubles, all states at once."""
    del setting

    def answer(spec: FunctionSpec, states: Sequence[CheckState]) -> Answer:
        entries = evaluate(spec.graph, spec.result.entries, ARRAYS, _symbols(spec, states))
        return Answer(np.stack([np.broadcast_to(e, len(states)) for e in entries], axis=1))

    return Road(answer)


def graph_bounds(spec: FunctionSpec, states: Sequence[CheckState]) -> Array:
    """Running error of the graph in doubles at each state: (states, entries), absolute."""
    symbols = {k: RUNNING_ERROR.exact(column) for k, column in _symbols(spec, states).items()}
    entries = evaluate(spec.graph, spec.result.entries, RUNNING_ERROR, symbols)
    return np.stack([np.broadcast_to(e.bound, len(states)) for e in entries], axis=1)


def _symbols(spec: FunctionSpec, states: Sequence[CheckState]) -> dict[int, Array]:
    """Values of the symbols of a function's arguments, arrays over the states."""
    symbols: dict[int, Array] = {}
    for argument in spec.arguments:
        table = np.array([state.values[argument.name] for state in states])
        for k, symbol in enumerate(argument.symbols):
            symbols[symbol] = table[:, k]
    return symbols
