"""Friction of a robot's joints: its parameters as they feel it, whether it only takes energy."""

from __future__ import annotations

from collections.abc import Sequence

from symdyn.analysis.joint_passivity import JointPassivity
from symdyn.expr.verdict import Json, Verdict
from symdyn.friction.catalog import law_named
from symdyn.friction.law import Quantity
from symdyn.model.robot import Joint, JointKind, Robot
from symdyn.report.markdown import figure
from symdyn.report.rows import Table
from symdyn.unit import rounded


def law_table(robot: Robot) -> Table:
    """Joint, law and parameters with their units; no row for a joint without a law."""
    rows: list[tuple[str, ...]] = []
    for joint in robot.joints:
        if joint.law is None:
            continue
        said = [
            f"{q.name} = {figure(value)} {_unit(q, joint)}".removesuffix(" 1")
            for q, value in _parameters(robot, joint)
        ]
        rows.append((joint.name, joint.law.name, ", ".join(said)))
    return Table(("joint", "law", "parameters"), tuple(rows))


def law_record(robot: Robot, joint: Joint) -> Json:
    """The law of a joint for a program; None if it has none."""
    if joint.law is None:
        return None
    return {
        "name": joint.law.name,
        "parameters": {
            q.name: {"value": value, "unit": _unit(q, joint)}
            for q, value in _parameters(robot, joint)
        },
    }


def passivity_table(found: Sequence[JointPassivity]) -> Table:
    """Joint, law, outcome, statement, reason and, where it is refuted, the motion that shows it."""
    rows: list[tuple[str, ...]] = []
    for x in found:
        law, v = x.law or "coefficients", x.verdict
        rows.append((x.joint, law, v.kind.value, v.claim, _reason(v)))
    return Table(("joint", "law", "outcome", "statement", "reason"), tuple(rows))


def _reason(verdict: Verdict) -> str:
    if verdict.witness is None:
        return verdict.detail
    motion = ", ".join(
        f"{name} {figure(value) if isinstance(value, float) else value}"
        for name, value in verdict.witness.items()
    )
    return f"{verdict.detail}; {motion}"


def passivity_record(found: Sequence[JointPassivity]) -> list[Json]:
    """The same for a program."""
    return [{"joint": x.joint, "law": x.law or None, **x.verdict.to_json()} for x in found]


def _parameters(robot: Robot, joint: Joint) -> list[tuple[Quantity, float]]:
    assert joint.law is not None
    quantities = law_named(joint.law.name).parameters
    return list(zip(quantities, rounded(joint.law.values, robot), strict=True))


def _unit(quantity: Quantity, joint: Joint) -> str:
    """Laws are written for rotation; a sliding joint has N for N m and m for rad."""
    if joint.kind is not JointKind.PRISMATIC:
        return quantity.unit
    return quantity.unit.replace("N m", "N").replace("rad", "m")
