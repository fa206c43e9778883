"""The friction laws, or one of them, for a terminal and as records for programs."""

from __future__ import annotations

from collections.abc import Mapping

from symdyn._errors import UnsupportedError
from symdyn.algebra.float64 import FLOAT64
from symdyn.friction.catalog import FAMILIES, LAWS
from symdyn.friction.exchange import Converted, to_mjcf, to_simscape, to_urdf
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
    """Everything about one law, and its words in other programs for the values ``example``."""
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
    if example:
        lines += ["", "In the words of other programs"]
        for program, found in _exchanged(law, example).items():
            if isinstance(found, str):
                lines.append(f"  {program}: {found}")
                continue
            lines.append(f"  {program}: {', '.join(f'{k}={x:g}' for k, x in found.values.items())}")
            lines += [f"    lost: {what}" for what in found.lost]
    return lines


def _exchanged(law: FrictionLaw, values: Mapping[str, float]) -> dict[str, Converted | str]:
    """The law in each program, signals at 0; a sentence where it cannot be said."""
    signals = {q.name: 0.0 for q in law.signals}
    found: dict[str, Converted | str] = {}
    for program, convert in (
        ("URDF", lambda: to_urdf(FLOAT64, law, values, signals)),
        ("MJCF", lambda: to_mjcf(FLOAT64, law, values, signals)),
        ("Simscape", lambda: to_simscape(law, values)),
    ):
        try:
            found[program] = convert()
        except UnsupportedError as reason:
            found[program] = str(reason)
    return found


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
        "exchange": {
            program: {"values": found.values, "lost": list(found.lost)}
            for program, found in (_exchanged(law, example) if example else {}).items()
            if isinstance(found, Converted)
        },
    }


def _quantity(q: Quantity) -> dict[str, object]:
    return {"name": q.name, "unit": q.unit, "meaning": q.doc}
