"""Names for intermediate results of generated code: motions of bodies, shown as comments.

A temporary that is a component of a body's motion says so, ``w_x of link3``: v and w are the twist,
a the acceleration of the frame's origin less gravity, alpha the angular acceleration, all in the
body's own frame. The recursions are run again on the function's graph; equal expressions are one
node there, so that what they find is what the function computed, and what it did not compute is
dropped when code is generated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symdyn.dynamics.motion import accelerations, twists
from symdyn.dynamics.transform import joint_transforms
from symdyn.expr.graph import Graph, Node
from symdyn.model.over import Model

#: A longer name of a body would make comments longer than lines.
_LONGEST_NAME = 24
#: Operations of nodes that are no temporaries.
_LEAVES = ("const", "pi", "symbol")


def label_motions(
    graph: Graph,
    model: Model[Node],
    bodies: Sequence[str],
    vectors: Mapping[str, Sequence[Node]],
) -> None:
    """Label the nodes of ``graph`` that are components of body motions.

    Parameters
    ----------
    model : the robot over the graph
    bodies : their names
    vectors : arguments of the function by name; without q and qd nothing moves
    """
    if not {"q", "qd"} <= vectors.keys():
        return
    q, qd = vectors["q"], vectors["qd"]
    X = joint_transforms(model, q)
    names = [
        name if len(name) <= _LONGEST_NAME else f"body {k + 1}" for k, name in enumerate(bodies)
    ]
    for name, (v, w) in zip(names, twists(model, X, qd), strict=True):
        _label(graph, "v", name, v)
        _label(graph, "w", name, w)
    if "v" in vectors:
        return  # velocities of two kinds: the accelerations are no motion's
    qdd = vectors.get("qdd")
    when = "" if qdd is not None else " at qdd = 0"
    rest = [model.algebra.const(0)] * model.n
    found = accelerations(model, X, qd, qd, rest if qdd is None else qdd)
    for name, acceleration in zip(names, found, strict=True):
        _label(graph, "a", name + when, acceleration.a)
        _label(graph, "alpha", name + when, acceleration.alpha)


def _label(graph: Graph, letter: str, name: str, vector: Sequence[Node]) -> None:
    for axis, node in zip("xyz", vector, strict=True):
        if graph.ops[node.id] not in _LEAVES:
            graph.label(node, f"{letter}_{axis} of {name}")
