"""The friction laws, or one of them, for a terminal and as records for programs."""

from __future__ import annotations

from collections.abc import Mapping

from symdyn.friction.catalog import FAMILIES, LAWS
from symdyn.friction.law import FrictionLaw, Quantity
from symdyn.report.rows import Table, text_lines


def catalogue_lines() -> list[str]:
    """All laws, one a line."""
    rows = tuple(
        (law.name, law.title, " ".join(q.name for q in law.parameters), law.rest)
        for law in LAWS.values()
    )
    families = ", ".join(f"{name}:N" for name in FAMILIES)
    return [
        *text_lines(Table(("law", "", "parameters", "at rest it"), rows)),
        "",
        f"with N elements or points: {families}",
    ]


def law_lines(law: FrictionLaw, example: Mapping[str, float]) -> list[str]:
    """Everything about one law."""
    lines = [f"{law.name}: {law.title}", f"  {law.formula}", "", "Parameters"]
    lines += text_lines(
        Table(
            ("name", "unit", "domain", "example", "", "meaning"),
            tuple(
                (
                    q.name,
                    q.unit,
                    q.domain.value,
                    f"{example[q.name]:g}" if q.name in example else "",
                    "linear" if q.name in law.linear else "",
                    q.doc,
                )
                for q in law.parameters
            ),
            (3,),
        )
    )
    for title, quantities in (("States", law.states), ("Signals", law.signals)):
        if quantities:
            rows = tuple((q.name, q.unit, q.doc) for q in quantities)
            lines += ["", title, *text_lines(Table(("name", "unit", "meaning"), rows))]
    if law.relations:
        lines += ["", "Conditions", *(f"  {r.text}. {r.why}" for r in law.relations)]
    lines += ["", f"At rest it {law.rest}.", f"Limits: {law.limits}."]
    lines += [f"Update of the states: {law.step}."] if law.step else []
    lines.append(f"Source: {law.source}")
    return lines


def law_record(law: FrictionLaw, example: Mapping[str, float]) -> dict[str, object]:
    """One law as JSON values."""
    return {
        "name": law.name,
        "title": law.title,
        "formula": law.formula,
        "parameters": [
            _quantity(q) | {"domain": q.domain.value, "linear": q.name in law.linear}
            for q in law.parameters
        ],
        "states": [_quantity(q) for q in law.states],
        "signals": [_quantity(q) for q in law.signals],
        "conditions": [r.text for r in law.relations],
        "rest": law.rest,
        "limits": law.limits,
        "is_set_valued": law.at_rest is not None,
        "source": law.source,
        "example": dict(example),
    }


def _quantity(q: Quantity) -> dict[str, object]:
    return {"name": q.name, "unit": q.unit, "meaning": q.doc}
