"""Growth with the number of links: derivation time, operations and code size of chains."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symdyn.algebra.term import ZERO, Term, number
from symdyn.codegen.generate import generate
from symdyn.codegen.spec import Unit
from symdyn.expr.measure import operation_counts
from symdyn.model.robot import Body, Joint, JointKind, Robot
from symdyn.recipes import derive

LENGTHS: tuple[int, ...] = (5, 10, 20, 40, 70, 100)
#: Function and the power of n with which its cost has to grow.
FUNCTIONS: dict[str, int] = {"inverse_dynamics": 1, "mass_matrix": 2, "coriolis_matrix": 2}


@dataclass(frozen=True, slots=True)
class Growth:
    """One function of a chain.

    Attributes
    ----------
    function, links : which one
    seconds : CPU time of its derivation
    operations : additions, multiplications, divisions and functions
    code : bytes of the C source and header
    """

    function: str
    links: int
    seconds: float
    operations: int
    code: int


def chain(links: int) -> Robot:
    """A revolute chain, axes x, y, z in turn, every joint a quarter turn and offsets further.

    All ten parameters of every body are arguments, so their values do not matter.
    """
    axes = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    zero, one = number(0), number(1)
    quarter = ((one, zero, zero), (zero, zero, -one), (zero, one, zero))
    straight = ((one, zero, zero), (zero, one, zero), (zero, zero, one))
    phi: tuple[Term, ...] = (one, zero, zero, zero, one, one, one, zero, zero, zero)
    joints = tuple(
        Joint(
            name=f"j{k}",
            kind=JointKind.REVOLUTE,
            parent=k - 1,
            rotation=quarter if k % 2 else straight,
            translation=(number(Fraction(1, 2 + k % 3)), ZERO, number(Fraction(1, 3 + k % 2))),
            axis=_axis(axes[k % 3]),
            coordinate=k,
        )
        for k in range(links)
    )
    bodies = tuple(Body(f"b{k}", phi) for k in range(links))
    names = tuple(joint.name for joint in joints)
    gravity = (zero, zero, number("-9.81"))
    return Robot(f"chain of {links}", bodies, joints, names, gravity)


def _axis(values: Sequence[int]) -> tuple[Term, Term, Term]:
    return (number(values[0]), number(values[1]), number(values[2]))


def measure(progress: Callable[[str], None], lengths: Sequence[int] = LENGTHS) -> list[Growth]:
    """Derive and print each function for each length."""
    out: list[Growth] = []
    for links in lengths:
        robot = chain(links)
        for function in FUNCTIONS:
            progress(f"chain of {links}: {function}")
            start = time.process_time()
            derivation = derive(robot, [function])
            seconds = time.process_time() - start
            spec = derivation.specs[function]
            total = operation_counts(spec.graph, spec.result.entries).total
            files = generate(Unit("chain", (spec,), (), (), None, ""), "c")
            size = sum(len(text.encode()) for text in files.values())
            out.append(Growth(function, links, seconds, total, size))
    return out


def exponent(rows: Sequence[Growth], function: str) -> tuple[float, float]:
    """Slopes of log(operations) and log(code) over log(links) between the two longest chains."""
    from math import log

    a, b = [row for row in rows if row.function == function][-2:]
    scale = log(b.links / a.links)
    return log(b.operations / a.operations) / scale, log(b.code / a.code) / scale
